"""The entry point for answers: a response to calls of Discord's API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ..._errors.exceptions import UsageError
from ..._flow.settings import DEFAULTS
from ..._flow.settings import Settings as BaseSettings
from ..._model.base import EMPTY_DICT
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._transport.reply import NO_BLOBS
from ..._wire.strict_json import dig
from .._answer import check_answer, check_siblings
from .._api import ApiRequest, Outgoing
from .._choices import Choice
from .._participants import copied_mentions
from ._ids import is_snowflake, snowflake
from ._read.event import native_id as id_of_message
from ._respond import Deferred
from ._target import channel_of, checked_channel, interaction_of, is_direct
from ._write.calls import into_channel, into_interaction, privately_in_interaction, to_person
from ._write.choices import rows_of
from ._write.copied import with_copied_mentions
from ._write.messages import Body, private_bodies, public_bodies
from ._write.response import RenderedPolicies, RenderedResponse, render

_MAX_SIBLINGS: Final = 50


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    update: str | None = None,
    interaction_token: str | Deferred | None = None,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    siblings: Mapping[str, str] = EMPTY_DICT,
    choices: Iterable[Choice] = (),
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """The calls that carry an answer to Discord: messages of 2000 characters at most, files, buttons and menus.

    One of more than 25 messages ends with a line that says so; while it is partial it is one message. Only the
    siblings that you name are pinged, and people of the conversation whose tokens it copies: `allowed_mentions.parse`
    is empty in every call. No link is unfurled. A policy is text with a link button under it; its URL leads to the
    agent's own host, or is left out.

    A policy with a state, a link to pay or sign in, or a question of consent reaches the asker alone: behind an
    interaction as an ephemeral message, else as a direct message, which is two calls. Make the calls in order, and stop
    at one that fails: Discord may show to all what comes behind it.

    Args:
        response: The answer. Of a stream, give with each call all that came so far (`Assembler.parts`).
        to: The message that it answers, as `receive` gave it.
        update: The id of the message that is to show this instead of what it showed: of an answer that grows. With
            `interaction_token` it is an answer to the same interaction: Discord would show the private message behind
            a deferred response that nothing has filled in as it shows that response.
        interaction_token: The token of the interaction that was answered with `defer`, as your program stored it; after
            `defer(ephemeral=True)` `Deferred(token=…, ephemeral=True)`. Then the deferred response is filled in, and
            filled in anew by each further call; `Deferred(token=…, filled=True)` lets a further answer follow it. None:
            messages in the channel, the first of them an answer to the question; direct messages after a click on what
            only one person saw.
        blobs: SHA-256 in hex → bytes, of files that the response names by their digest.
        siblings: Address of an agent → user id of its bot. Where the text has its address it is mentioned, and so
            brought in.
        choices: What people may click under the answer: up to 5 are buttons, up to 25 a menu. A click is a message of
            the person who clicked. While the answer is partial there are none.
        settings: Limits, and the hosts to which policies may lead.

    Raises:
        UnanswerableError: `no-private-way`: there is a private policy, and no person is known to have asked.
        UsageError: The response may not go out like that, or an argument is of the wrong kind: fix your program.

    Spec: Normalized Message §3.3, §4; Building a Connector §PolicyPart handling; docs/decisions.md R59.

    Example:
        >>> from mentionable import InlineRelay, NormalizedMessage, NormalizedResponse, RecipientCapabilities, Sender
        >>> from mentionable.connectors import Choice
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="discord:5", sender=Sender(address="@42@3.discord.invalid"),
        ...     recipient="@helper@agents.example", parts=(), received_via="connector", raw=None,
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()),
        ...     received_at="2026-11-21T00:00:00Z",
        ... )
        >>> choices = (Choice(label="Yes", value="y"), Choice(label="No", value="n"))
        >>> post = reply(NormalizedResponse.to(question, "Shall I?"), to=question, choices=choices)
        >>> [button["custom_id"] for button in post.params["components"][0]["components"]]
        ['mentionable:choice:y', 'mentionable:choice:n']
    """
    # Each step raises for what is wrong with the program's own arguments:
    #   1. check the response and its conversation      3. render the text, the files and the policies
    #   2. check the agents that it may mention, and    4. make a call of each message: what others may
    #      what people may click                           read first, then what the asker alone may read
    answer = check_answer(response, to=to, platform="discord", settings=settings)
    agents = check_siblings(siblings, is_user=is_snowflake, max_count=_MAX_SIBLINGS)
    users = {address.lower(): user for address, user in agents.items()}
    rows = rows_of(choices)
    if update is not None and not is_snowflake(update):
        raise UsageError("update is the id of a message: a string of digits")
    is_partial = response.status == "partial"
    interaction = None
    if interaction_token is not None:
        interaction = interaction_of(to.raw, interaction_token)
    rendered = render(answer.response, blobs=blobs)
    is_apart = interaction is None and dig(to.raw, "ephemeral") is True
    if is_apart and update is not None:
        raise UsageError("update: what only one person saw is changed with interaction_token alone")
    if is_apart or (interaction is None and is_direct(to)):
        rendered = _all_in_one(rendered)
    bodies, left_out = public_bodies(rendered, users, () if is_partial else rows)
    copied = copied_mentions(to, settings, agents=users.values())
    bodies = [Body(with_copied_mentions(params, copied), files) for params, files in bodies]
    private = private_bodies(rendered.private)
    if is_partial:  # the final frame brings the rest
        bodies = bodies[:1]
    calls: list[ApiRequest] = []
    if is_apart:  # what only one person saw is answered where only that person reads
        calls = to_person(bodies, to, before=0) if bodies else []
    elif interaction is None:
        channel = checked_channel(answer.thread)
        calls = into_channel(bodies, to.raw, channel, update)
        if private:
            calls += to_person(private, to, before=len(calls))
    elif private:
        calls = privately_in_interaction(bodies, private, interaction, update)
    elif bodies or not is_partial:
        calls = into_interaction(bodies, interaction, update)
    diagnostics = (*answer.diagnostics, *rendered.diagnostics, *left_out)
    return Outgoing(thread=answer.thread, calls=tuple(calls), diagnostics=diagnostics)


def _all_in_one(rendered: RenderedResponse) -> RenderedResponse:
    """An answer where no other than the asker reads: all policies are together."""
    policies, private = rendered.policies, rendered.private
    text = "\n\n".join(filter(None, (policies.text, private.text)))
    together = RenderedPolicies(text, private.button or policies.button)
    return rendered._replace(policies=together, private=RenderedPolicies("", None))


def native_id(answer: object, *, to: NormalizedMessage) -> str | None:
    """The id under which to store the response, so that an answer to it is known as one.

    Args:
        answer: What Discord answered to the first call of `reply`, as JSON.
        to: The message that was answered.

    Returns:
        `discord:<channel>/<id>`; None when Discord names no message of this channel.

    Example:
        >>> from mentionable import InlineRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="discord:5", sender=Sender(address="@42@3.discord.invalid"),
        ...     recipient="@helper@agents.example", parts=(), received_via="connector", raw=None,
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()),
        ...     received_at="2026-11-21T00:00:00Z",
        ... )
        >>> native_id({"id": "1310000000000000002", "channel_id": "5", "content": "It will."}, to=question)
        'discord:5/1310000000000000002'
    """
    channel, own = channel_of(to.thread_id), snowflake(dig(answer, "id"))
    if channel is None or own is None or dig(answer, "channel_id") != channel:
        return None
    return id_of_message(channel, own)
