"""What an agent gets with the message, and what it can do besides answering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from mentionable import (
    Channel,
    HistoricalMessage,
    NormalizedMessage,
    NormalizedResponse,
    Part,
    PolicyResolution,
    PushBackHint,
    Sender,
    VerifiedIdentity,
    ingest,
    plain_text,
    policy,
    prompt,
    replace,
)
from mentionable.ingest import Lowered, ModelDialect

from mentionable_host.agents.demands import Ask, Demand, purpose_of_consent, purpose_of_payment
from mentionable_host.agents.frameworks import Framework, native
from mentionable_host.agents.notices import Notices
from mentionable_host.agents.outreach import Elsewhere
from mentionable_host.store.forgotten import was_forgotten

if TYPE_CHECKING:
    from mentionable_host.agents.peers import Peers
    from mentionable_host.host import Host

__all__ = ["Context"]


class Context:
    """One turn of a conversation.

    Attributes:
        message: What was asked.
        text: It as plain text.
        sender: Who asked.
        identities: Who asked, as it was verified when the message came. Authorize on these, or on `roles`.
        roles: What `[trust]` allows them.
        is_group: Whether more people than the sender have written in the conversation.
        history: The turns before it, oldest first: what came with the message, and what is stored of its sender.
        files: Digest → bytes of the files that came along.
        resolution: The receipt with which this turn goes on; None: it is the first turn for this message.
        notices: What the person should hear of; `prompt` has it too.
        elsewhere: Where the answer goes instead, once `reply_to(via=…)` was called.
    """

    def __init__(
        self,
        host: Host,
        message: NormalizedMessage,
        *,
        history: Sequence[HistoricalMessage] = (),
        files: Mapping[str, bytes] | None = None,
        met: Mapping[str, PolicyResolution] | None = None,
        notices: Notices | None = None,
        identities: Sequence[VerifiedIdentity] = (),
        has_others: bool = False,
    ) -> None:
        """Made by the host."""
        self._host, self.message, self.history = host, message, list(history)
        self.files, self._met = dict(files or {}), dict(met or {})
        self.notices, self.identities = notices or Notices(), tuple(identities)
        self._has_others, self.text = has_others, plain_text(message)
        self.elsewhere: Elsewhere | None = None
        self.asked: Ask | None = None

    @property
    def sender(self) -> Sender:
        """Who asked."""
        return self.message.sender

    @property
    def roles(self) -> frozenset[str]:
        """What `[trust]` allows who asked: roles of their verified identities, and of nothing else."""
        acl = self._host.acl
        return frozenset() if acl is None else acl.roles(self.identities)

    @property
    def resolution(self) -> PolicyResolution | None:
        """The receipt with which this turn goes on."""
        return self.message.policy_resolution

    @property
    def is_group(self) -> bool:
        """Whether more people than the sender have written in the conversation."""
        people = {turn.sender.address for turn in self.history if turn.role == "user"}
        return self._has_others or bool(people - {self.message.sender.address})

    def prompt(
        self, dialect: ModelDialect = "openai", *, instructions: str | None = None, nonce: str | None = None
    ) -> Lowered:
        """The conversation as a model of a provider reads it, with headers that no name can forge.

        Args:
            dialect: The provider, or the framework.
            instructions: Your own system prompt. Open notices follow it: an answer after this counts as their telling.
            nonce: A word of 4 to 32 letters and digits for each header, for models that are easily led.
        """
        notices = self.notices.as_instructions()
        whole = "\n\n".join(text for text in (instructions, notices) if text) or None
        message = replace(self.message, history=tuple(self.history))
        return prompt.render(message, dialect=dialect, instructions=whole, blobs=self.files, nonce=nonce)

    def rows(self) -> list[dict[str, Any]]:
        """The conversation as rows of the message ingest contract, for programs that call `ingest.assemble`."""
        return [
            *map(self._row, self.history),
            ingest.from_message(self.message, with_history=False).row(blobs=self.files),
        ]

    def _row(self, turn: HistoricalMessage) -> dict[str, Any]:
        """A turn of the history as a row; what the agent answered is text only, since no provider takes files there."""
        if turn.role == "assistant":
            return {"role": "assistant", "content": plain_text(turn)}
        return ingest.from_message(turn, received_via=self.message.received_via).row(blobs=self.files)

    def messages_for(self, framework: Framework, *, instructions: str | None = None) -> Any:
        """The conversation as a framework takes it, the current message last.

        Args:
            framework: `pydantic-ai` for `message_history` of its `run`, `langchain` for `messages`, `openai-agents`
                for the input of its `Runner`.
            instructions: As for `prompt`.
        """
        return native(framework, self.prompt(framework, instructions=instructions))

    def reply_to(
        self,
        *parts: Part | policy.PolicyPart | str,
        via: Channel | None = None,
        person: str | None = None,
        subject: str | None = None,
    ) -> NormalizedResponse:
        """An answer to the message made of parts; a string is Markdown.

        Args:
            parts: What it says.
            via: Another protocol to answer by: `email` or `activitypub`. Who asked gets a line that says so.
            person: Who it is there. None: the address of the sender, if it wrote to the agent there and was verified.
                You must know that they are this person and want to hear from the agent: never take it from the message.
            subject: Of a mail, where they never wrote one.
        """
        response = NormalizedResponse.to(self.message, *parts)
        if via is None or via == self.message.received_via:
            return response
        self.elsewhere = Elsewhere(
            channel=via, person=person or self.message.sender.address, is_known=person is not None, subject=subject
        )
        return replace(response, push_back=PushBackHint(channel=via))

    async def ask_consent(
        self,
        text: str,
        *,
        scope: Any,
        url: str | None = None,
        label: str | None = None,
        subject: str | None = None,
        lifetime: timedelta | None = None,
    ) -> PolicyResolution:
        """The consent of who asked; without it, the turn ends with the question, and this does not return.

        When they have consented, the agent's function runs again from its beginning, and this returns. Do nothing
        before it that must not be done twice.

        Args:
            text: The question.
            scope: What it is about, any JSON; write it in one form everywhere.
            url: Your own page, which calls `host.complete`; it gets `?state=…`. None: the page of the host.
            label: The text of its button.
            subject: Who must consent, in your own terms; only with a page of yours, on which they sign in.
            lifetime: A quarter of an hour, or up to one.
        """
        purpose = purpose_of_consent(scope)
        if purpose in self._met:
            return self._met[purpose]
        if subject is not None and url is None:
            raise ValueError("subject: the page of the host signs nobody in; name a page of yours as url")
        if url is None and self._host.agent.consent_check is not None:
            raise ValueError("url: where @agent.check_consent decides, name the page on which people consent")
        raise self._demand(
            Ask(text=text, purpose=purpose, scope=scope, url=url, label=label, subject=subject, lifetime=lifetime)
        )

    async def ask_payment(
        self,
        text: str,
        *offers: policy.AcceptedPayment,
        url: str | None = None,
        label: str | None = None,
        lifetime: timedelta | None = None,
    ) -> PolicyResolution:
        """The payment; without it, the turn ends with the demand, and this does not return.

        When it was paid, the agent's function runs again from its beginning, and this returns. It is the same payment
        as long as `text`, the schemes and the terms of x402 are the same: name the price in the text.

        Args:
            text: What it costs, and for what.
            offers: The ways to pay, each of another scheme. `@agent.check_payment` says whether one was paid.
            url: A page on which a person pays; where they have, your program calls `host.complete`.
            label: The text of its button.
            lifetime: Ten minutes, or up to an hour.
        """
        if not offers:
            raise ValueError("name at least one way to pay")
        purpose = purpose_of_payment(text, offers)
        if purpose in self._met:
            return self._met[purpose]
        if self._host.agent.payment_check is None:
            raise RuntimeError("nothing tells whether it was paid: decorate a function with @agent.check_payment")
        raise self._demand(Ask(text=text, purpose=purpose, payments=offers, url=url, label=label, lifetime=lifetime))

    async def notify(self, person: str, text: str, *, key: str | None = None, within: timedelta | None = None) -> None:
        """Lets a person know something: by the agent in their next conversation, or by the host where that is late.

        Args:
            person: An address that has written to this agent and was verified, or that has a device here.
            text: What, for people.
            key: A new notice of this key replaces one that they have not seen yet.
            within: How long the agent has to tell it, an hour or up to a week; then the host writes to where they last
                wrote, by mail or a direct note.
        """
        if not await self._host.database.read(lambda db: was_forgotten(db, self.message.id)):
            await self._host.notify(person, text, key=key, within=within, source=self.message.id)

    @property
    def peers(self) -> Peers:
        """Other agents, to be asked in the course of this turn."""
        from mentionable_host.agents.peers import Peers

        return Peers(self._host, self.message)

    def _demand(self, ask: Ask) -> Demand:
        """What ends the turn. It is noted too: a framework may hold the exception up."""
        self.asked = ask
        return Demand(ask)
