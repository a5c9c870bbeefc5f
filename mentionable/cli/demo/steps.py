"""The steps that both stories of `mentionable demo policy` share. Each one runs code and describes the result."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from ... import policy
from ..._flow.flow import drive
from ..._flow.outcome import Received, Rejected
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import CarriedPolicy
from ..._text.plain_text import plain_text, shorten
from ..._wire.ids import derive
from ..._wire.time import format_time
from .._show import field_line
from .send import send
from .store import Store
from .story import DemoFailed, Line, all_checked, checked, expect, expect_rejected, quoted

HELPER: Final = "@helper@agents.example"
HOST: Final = "agents.example"
NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)

ACCOUNTS: Final = {"@alice@a.example": "account-7"}
"""Sender → their account at the agent's web site."""


class _Wire(NamedTuple):
    """How a transport carries a policy requirement.

    Attributes:
        place: The field that contains it.
        before: The bytes in front of it.
        how: Describes how replies are sent.
        verifier: Who verifies the receipt.
    """

    place: str
    before: bytes
    how: str
    verifier: str


_WIRES: Final[Mapping[str, _Wire]] = {
    "a2a": _Wire("the metadata of the task", b'"mentionable":{"policy":', "HTTP 200", "the payment service"),
    "email": _Wire(
        "X-Mentionable-Policy", b"\r\nX-Mentionable-Policy: ", "a mail to alice@a.example", "our consent page"
    ),
}
_LIVES: Final = {"payment_required": 600, "consent_required": 900}
_STATUSES: Final = {"payment_required": 402, "consent_required": 401}


def at(second: int) -> datetime:
    """The time `second` seconds after the start of a story."""
    return NOW + timedelta(seconds=second)


def random_for(*what: str) -> bytes:
    """Random bytes that are the same in each run. A program takes `secrets.token_bytes(32)`."""
    return derive("demo policy", b"", *what)


def show_question(outcome: Received | Rejected, words: str) -> Generator[Line, None, NormalizedMessage]:
    """The question. Its sender must be verified."""
    received = expect(outcome, Received, "asks")
    message, verdict = received.message, received.verdict
    if not message.sender.verified:
        raise DemoFailed("asks", "a verified sender", verdict.code)
    text = plain_text(message)
    yield checked(field_line("asks", f"{message.sender.address}, verified, by {verdict.method}: {text}"), words, text)
    return message


def show_requirement(
    store: Store, turn: NormalizedMessage, issued: policy.Issued, reads: Sequence[str]
) -> Generator[Line, None, NormalizedMessage | NormalizedResponse]:
    """Store a policy requirement and send it. Returns the reply as the other side decodes it.

    Args:
        store: The store of the program.
        turn: The question.
        issued: The policy requirement.
        reads: The lines of the reply, as people read it.
    """
    part, record, wire = issued.part, issued.record, _WIRES[turn.received_via]
    store.keep(turn, record, now=NOW)
    line = field_line("requires", f"{part.kind}, issued and stored; expires at {record.expires_at}")
    yield checked(line, format_time(at(_LIVES[part.kind])), record.expires_at)
    response = NormalizedResponse.to(turn, CarriedPolicy(policy=part))
    for problem in policy.check_response(turn, response, record=record):
        raise DemoFailed("sent", "a valid policy requirement", problem)
    sent = send(response, turn, now=NOW, entropy=random_for("requirement", turn.id))
    yield checked(field_line("sent", sent.how), wire.how, sent.how.partition(",")[0])
    if sent.read is None or policy.demand_of(sent.read) != part or wire.before not in sent.data:
        raise DemoFailed("peer reads", f"the policy requirement, in {wire.place}", f"something else; {sent.received}")
    line = field_line("peer reads", f"{sent.received}: the policy requirement, in {wire.place}")
    yield checked(line, sent.expected, sent.received)
    lines = plain_text(sent.read).split("\n")
    yield from all_checked([quoted(line) for line in reads], map(quoted, lines))
    yield _over_http(part)
    return sent.read


def _over_http(part: policy.PolicyPart) -> Line:
    """The same requirement as an HTTP response, decoded again."""
    response = policy.to_http(part)
    decoded = policy.from_http(response, authority=HOST, now=NOW)
    if isinstance(decoded, Rejected) or decoded.policy != part:
        raise DemoFailed("as HTTP", "the policy requirement", "something else")
    headers = ", ".join(f"{name}: {shorten(value, 40)}" for name, value in response.headers)
    line = field_line("as HTTP", f"HTTP {response.status}, {headers}")
    return checked(line, _STATUSES[part.kind], response.status)


def show_reply(
    store: Store, accepted: policy.Accepted, message: NormalizedMessage, text: str, *, thread: str | None = None
) -> Iterator[Line]:
    """The agent consumes the receipt and answers the question.

    Args:
        store: The store of the program.
        accepted: The verified receipt.
        message: The message that carries the receipt.
        text: The reply.
        thread: The thread in which the reply must arrive: that of the policy requirement.
    """
    resolution, wire = accepted.resolution, _WIRES[message.received_via]
    if store.used:
        raise DemoFailed("accept", "nothing consumed before `resume`", store.used)
    line = field_line("accept", f"{resolution.kind} is verified by {resolution.verified_by}, not yet consumed")
    yield checked(line, wire.verifier, resolution.verified_by)
    resumed = expect(resume(store, message, second=60), policy.Resumed, "resume")
    question = plain_text(message)
    line = field_line("resume", f"consumes the receipt, and answers: {question}")
    yield checked(line, plain_text(store.turns[accepted.record.message_id]), question)
    yield _reply_line(message, text, resumed=resumed, thread=thread)


def _reply_line(message: NormalizedMessage, text: str, *, resumed: policy.Resumed, thread: str | None) -> Line:
    """Send the reply. It must arrive in the thread of the policy requirement."""
    response = NormalizedResponse.to(message, text)
    for problem in policy.check_response(message, response, resumed=resumed):
        raise DemoFailed("reply", "a valid reply", problem)
    sent = send(response, message, now=at(60), entropy=random_for("answer", message.id))
    if sent.read is None:
        raise DemoFailed("reply", text, sent.received)
    if thread not in (None, getattr(sent.read, "thread_id", None)):
        raise DemoFailed("reply", "the thread of the question", "another thread")
    words, sent_to = plain_text(sent.read).partition("\n")[0], sent.how.partition(",")[0]
    expected = (text, _WIRES[message.received_via].how)
    return checked(field_line("reply", f"{words} ({sent.how})"), ", ".join(expected), f"{words}, {sent_to}")


def resume(store: Store, message: NormalizedMessage, *, second: int) -> policy.Resumed | Rejected:
    """Consume the receipt of a message."""
    subject, entropy = ACCOUNTS.get(message.sender.address), random_for("resume", message.id)
    return drive(policy.resume(message, subject=subject, now=at(second), entropy=entropy), store.answers)


def callback(store: Store, candidate: policy.Candidate, *, subject: str | None = None) -> policy.Accepted | Rejected:
    """Verify a receipt that reaches the agent's endpoint without a message."""
    return drive(policy.accept(candidate, subject=subject, now=at(60)), store.answers)


def show_callback(
    store: Store, candidate: policy.Candidate, text: str, *, thread: str, subject: str | None = None
) -> Iterator[Line]:
    """Call the endpoint, which continues the interrupted turn; then call it again, which must fail."""
    accepted = expect(callback(store, candidate, subject=subject), policy.Accepted, "accept")
    turn = store.turns[accepted.record.message_id]
    message = policy.next_turn(turn, accepted, now=at(60), entropy=random_for("next turn"))
    yield from show_reply(store, accepted, message, text, thread=thread)
    accepted = expect(callback(store, candidate, subject=subject), policy.Accepted, "again")
    message = policy.next_turn(turn, accepted, now=at(90), entropy=random_for("next turn", "again"))
    again = expect_rejected(resume(store, message, second=90), "already-consumed", "again")
    yield field_line("again", f"the same call: {again}")
