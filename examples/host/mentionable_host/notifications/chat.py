"""The chat of a person who is signed in with the agent. What either of them writes comes on the stream of the person.

A person has one chat on all devices, and it stays: its thread is derived from who they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final

from mentionable import (
    MentionableError,
    NormalizedMessage,
    NormalizedResponse,
    Received,
    Rejected,
    TextPart,
    anp,
    format_time,
    plain_text,
    rest,
)
from mentionable.rest import Field
from sqlalchemy import Connection

from mentionable_host.agents.running import FAILED
from mentionable_host.notifications.chat_turns import PREFIX, Turn, answer_turn, message_turn
from mentionable_host.notifications.rendering import rendered
from mentionable_host.receiving import take_in
from mentionable_host.store import chats, jobs, messages, streams
from mentionable_host.transports.callers import Refused, store_for_caller
from mentionable_host.transports.transport import Reply, Transport

__all__ = ["Chat"]

MAX_CHARS: Final = 20_000
"""The limit of a message."""
PAGE: Final = 50
"""So many turns are read at once."""
MALFORMED: Final = Rejected(code="malformed")
_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,64}").fullmatch


class Chat(Transport):
    """The chat on the page of notifications. `notifications` serves it, and knows who is signed in."""

    name: ClassVar[str] = "chat"

    async def receive(self, body: Any, *, person: str, check: Callable[[Connection], None] = lambda db: None) -> None:
        """Takes what a person writes; under an id that came before, it is the message of before.

        Args:
            body: `{"id", "text"}` as it came, parsed from JSON.
            person: Who is signed in.
            check: Refuses, in the transaction that stores it, who is not signed in any more.

        Raises:
            Refused: It is none, or the person is not answered now. Nothing is stored.
            StoreUnavailable: Nothing is stored: it should be sent again.
            Conflict: Likewise.
        """
        id, text = (body.get("id"), body.get("text")) if isinstance(body, dict) else (None, None)
        if not isinstance(id, str) or not isinstance(text, str) or _ID(id) is None:
            raise Refused(MALFORMED)
        if not text.strip() or len(text) > MAX_CHARS:
            raise Refused(MALFORMED)
        host = self.host
        fields = [
            Field("message_id", f"{PREFIX}{id}"),
            Field("session", chats.chat_thread(host.address, person)),
            Field("user", text),
        ]

        def store(db: Connection, got: Received | Rejected) -> None:
            check(db)
            self._store(db, got, person=person)

        got = await take_in(
            host,
            lambda: rest.receive(
                fields,
                caller=rest.Caller(subject=person),
                recipient=host.address,
                now=host.world.now(),
                entropy=host.world.entropy(),
            ),
            store=store,
        )
        if isinstance(got, Rejected):
            raise Refused(got)
        host.signals.tell(streams.topic_of(person))

    async def history(self, person: str, *, before: int | None) -> dict[str, Any]:
        """The newest turns of the chat of a person, oldest first: `{"turns": […], "more": …}`.

        Args:
            person: Who is signed in.
            before: The number of a turn: only earlier ones.
        """

        def read(db: Connection) -> list[tuple[messages.Entry, bool]]:
            rows = chats.page(db, person, agent=self.host.address, before=before, limit=PAGE + 1)
            return [(row, _has_failed(db, row)) for row in rows]

        rows, turns = await self.host.database.read(read), list[Turn]()
        for row, has_failed in reversed(rows[:PAGE]):
            turns += await rendered(partial(_turns_of, row, has_failed=has_failed))
        return {"turns": turns, "more": len(rows) > PAGE}

    async def reply(self, response: NormalizedResponse, *, to: NormalizedMessage) -> Reply:
        """The answer, which comes on the stream of the person in the transaction that stores it."""
        # What breaks a rule is known in time.
        turn = await rendered(partial(answer_turn, response, number=0, at=self.host.world.now()))

        def store(db: Connection) -> None:
            row = chats.newest(db, to.id, role="assistant")
            if row is not None:
                own = {"at": format_time(row.received_at), "number": row.number}
                self._show(db, {**turn, **own}, person=to.sender.address)

        return Reply(store=store)

    def give_up(self, db: Connection, message: NormalizedMessage) -> None:
        """Says on the stream that no answer will come."""
        row, now = chats.newest(db, message.id, role="user"), self.host.world.now()
        if row is not None:
            turn = answer_turn(_failed(message), number=row.number, at=now)
            self._show(db, turn, person=message.sender.address)

    def _store(self, db: Connection, got: Received | Rejected, *, person: str) -> None:
        """Stores a message, and shows it on all devices of its person.

        Raises:
            Refused: It gets no answer.
        """
        if isinstance(got, Rejected):
            return
        message = got.message
        if message.sender.address != person:  # what names them is no address
            raise Refused(Rejected(code="verification-required"))
        streams.hold(db, (person,))
        if got.redelivered or messages.find(db, got.native_id, message.recipient) is not None:
            return
        store_for_caller(db, got, host=self.host, transport=self.name)
        row = chats.newest(db, message.id, role="user")
        if row is not None:
            turn = message_turn(message, number=row.number, at=row.received_at)
            self._show(db, turn, person=person)

    def _show(self, db: Connection, turn: Turn, *, person: str) -> None:
        """Appends a turn to the stream of a person."""
        streams.append(db, person, anp.HostItem(name="message", data=turn), now=self.host.world.now())


def _has_failed(db: Connection, row: messages.Entry) -> bool:
    """Whether no answer will come to the message of a row."""
    id = row.value.id if isinstance(row.value, NormalizedMessage) else None
    return id is not None and jobs.state_of(db, f"answer {id}") == "dead" and messages.answer_to(db, id) is None


def _turns_of(row: messages.Entry, *, has_failed: bool) -> list[Turn]:
    """The turn of a row; behind a message whose answer has failed, one that says so."""
    value = row.value
    if isinstance(value, NormalizedMessage):
        turns = [message_turn(value, number=row.number, at=row.received_at)]
        if has_failed:
            turns.append(answer_turn(_failed(value), number=row.number, at=row.received_at))
        return turns
    try:
        return [answer_turn(value, number=row.number, at=row.received_at)]
    except MentionableError:  # of a version that wrote other answers: the page has its text all the same
        text = NormalizedResponse(reply_to=value.reply_to, parts=(TextPart(content=plain_text(value)),))
        return [answer_turn(text, number=row.number, at=row.received_at)]


def _failed(message: NormalizedMessage) -> NormalizedResponse:
    return NormalizedResponse.failed(message, FAILED, code="agent-failed")
