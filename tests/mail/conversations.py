"""A host with a small store, and a person who writes to its agent again and again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from mentionable import (
    Answers,
    FindHistory,
    FindMessage,
    HistoricalMessage,
    NormalizedResponse,
    Sender,
    StoredMessage,
    TextPart,
    drive,
    mail,
)
from tests.mail.answering import header
from tests.mail.receiving import NOW

if TYPE_CHECKING:
    from tests.mail.reply_shapes import Shape

HELPER: Final = "@helper@agents.example"


class Host:
    """Receives, answers, and stores both as the pages say."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], StoredMessage] = {}
        self.turns: dict[str, list[HistoricalMessage]] = {}
        self.asked: list[Any] = []
        self._clock = NOW

    def receive(self, raw: bytes) -> Any:
        """What comes of a mail, which is stored."""
        self._clock += timedelta(minutes=1)
        flow = mail.receive(raw, recipient=HELPER, now=self._clock, entropy=bytes(32))
        outcome = drive(flow, Answers(find_message=self._find_message, find_history=self._find_history))
        for place, row in outcome.to_store.items():
            if row.replaces(self.rows.get(place)):
                self.rows[place] = row
        message = outcome.message
        self._remember(message.thread_id, message.sender, "user", message.parts, message.id)
        return outcome

    def answer(self, message: Any, text: str) -> mail.Outgoing:
        """The answer to a message, which is stored."""
        self._clock += timedelta(minutes=1)
        response = NormalizedResponse.to(message, text)
        settings = mail.Settings(answer_unanswerable=True)  # some of the shapes come through lists
        out = mail.reply(response, to=message, now=self._clock, entropy=bytes(32), settings=settings)
        self.store_answer(out.native_id, message)
        self._remember(message.thread_id, Sender(address=HELPER), "assistant", response.parts, f"to-{message.id}")
        return out

    def store_answer(self, native_id: str, message: Any) -> None:
        """Stores the answer to a message under an id."""
        self.rows[native_id, HELPER] = StoredMessage(
            id=f"to-{message.id}", thread_id=message.thread_id, sender=HELPER, auth_method="own"
        )

    def _find_message(self, ask: FindMessage) -> StoredMessage | None:
        self.asked.append(ask)
        return self.rows.get((ask.native_id, ask.recipient))

    def _find_history(self, ask: FindHistory) -> list[HistoricalMessage]:
        self.asked.append(ask)
        return self.turns.get(ask.thread_id, [])

    def _remember(self, thread_id: str, sender: Sender, role: Any, parts: tuple[Any, ...], name: str) -> None:
        stamp = self._clock.isoformat().replace("+00:00", "Z")
        turn = HistoricalMessage(id=name, role=role, sender=sender, parts=parts, timestamp=stamp)
        self.turns.setdefault(thread_id, []).append(turn)


def mail_of(*fields: str, text: str, sender: str = "Alice <alice@a.example>") -> bytes:
    """A mail to the agent."""
    head = [f"From: {sender}", "To: Helper <helper@agents.example>", "Subject: Re: Rain", *fields]
    return "\r\n".join([*head, "", text, ""]).encode()


def texts_before(message: Any) -> list[str]:
    """What was said before a message, the oldest first."""
    return [part.content.strip() for turn in message.history or () for part in turn.parts if isinstance(part, TextPart)]


def talk(shape: Shape, rounds: int = 3) -> tuple[list[list[str]], list[str]]:
    """What the agent knew of the conversation with each mail of the person, and the threads of these mails."""
    host, known, threads = Host(), [], []
    places: dict[str, str] = {}
    root = shape.own_id.format(n=1)
    for number in range(1, rounds + 1):
        own = shape.own_id.format(n=number)
        lines = shape.first if number == 1 else [line.format(own=own, root=root, **places) for line in shape.reply]
        fields = [*([f"Message-ID: {own}"] if own else []), f"Date: Tue, 24 Nov 2026 10:0{number}:00 +0000", *lines]
        message = host.receive(mail_of(*fields, text=f"question {number}")).message
        known.append(texts_before(message))
        threads.append(message.thread_id)
        out = host.answer(message, f"answer {number}")
        sent = shape.server_id.format(n=number) if shape.server_id else out.native_id
        if shape.is_server_id_stored:
            host.store_answer(sent, message)
        places = _places(out, sent, own)
    return known, threads


def _places(out: mail.Outgoing, sent: str, own: str) -> dict[str, str]:
    """What the person's program knows of an answer."""
    chain = [*(header(out.data, "References") or "").split(), sent]
    inner = sent[1:-1]
    return {
        "question": own,
        "answer": out.native_id,
        "sent": sent,
        "bare": inner,
        "blank": f"<{inner[:20]}\r\n {inner[20:]}>",
        "chain": " ".join(chain),
        "folded": "\r\n ".join(chain),
        "commas": ", ".join(chain),
        "tight": ",".join(chain),
        "end": " ".join(chain[-2:]),
        "encoded": "_".join([f"=3C{one[1:-1].replace('@', '=40')}=3E" for one in chain]),
        "index": header(out.data, "Thread-Index") or "",
    }
