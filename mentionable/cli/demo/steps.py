"""The steps that the stories of `mentionable demo policy` share; each line that they give tells what code did."""

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
from .._lines import printable
from .._show import field_line
from .send import send
from .store import Store
from .tell import Line, Wrong, all_checked, checked, passed, refused

HELPER: Final = "@helper@agents.example"
HOST: Final = "agents.example"
NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)

ACCOUNTS: Final = {"@alice@a.example": "account-7"}
"""Sender → their account on the pages of the agent's host, by which whoever signs in is known."""


class _Wire(NamedTuple):
    """What is the same for each demand that goes out on a transport.

    Attributes:
        place: Where a demand stands.
        before: What stands before it there.
        how: How answers are transmitted, in words.
        verifier: Who finds out whether it was met.
    """

    place: str
    before: bytes
    how: str
    verifier: str


_WIRES: Final[Mapping[str, _Wire]] = {
    "a2a": _Wire("the metadata of the task", b'"mentionable":{"policy":', "HTTP 200", "the facilitator"),
    "email": _Wire(
        "X-Mentionable-Policy", b"\r\nX-Mentionable-Policy: ", "a mail to alice@a.example", "our consent page"
    ),
    "activitypub": _Wire(
        "mentionablePolicy",
        b'"mentionablePolicy":',
        "POST https://social.example/users/alice/inbox",
        "our account at the provider",
    ),
}
_LIVES: Final = {"payment_required": 600, "consent_required": 900}
_STATUSES: Final = {"payment_required": 402, "consent_required": 401}


def at(second: int) -> datetime:
    """The time so many seconds into a story."""
    return NOW + timedelta(seconds=second)


def random_for(*what: str) -> bytes:
    """Entropy that is the same in each run. A program takes `secrets.token_bytes(32)`."""
    return derive("demo policy", b"", *what)


def asked(outcome: Received | Rejected, words: str) -> Generator[Line, None, NormalizedMessage]:
    """The question, whose sender must be verified."""
    received = passed(outcome, Received, "asks")
    message, verdict = received.message, received.verdict
    if not message.sender.verified:
        raise Wrong("asks", "a sender who is verified", verdict.code)
    text = plain_text(message)
    yield checked(field_line("asks", f"{message.sender.address}, verified, by {verdict.method}: {text}"), words, text)
    return message


def demanded(
    store: Store, turn: NormalizedMessage, issued: policy.Issued, reads: Sequence[str]
) -> Generator[Line, None, NormalizedMessage | NormalizedResponse]:
    """Stores a demand and sends it. What comes back is the answer as the other side reads it, the demand at its end.

    Args:
        store: What the program keeps.
        turn: The message that asks.
        issued: The demand.
        reads: Each line of the answer as people read it.
    """
    part, record, wire = issued.part, issued.record, _WIRES[turn.received_via]
    store.keep(turn, record, now=NOW)
    line = field_line("demand", f"{part.kind}, issued and stored; it can be met until {record.expires_at}")
    yield checked(line, format_time(at(_LIVES[part.kind])), record.expires_at)
    response = NormalizedResponse.to(turn, CarriedPolicy(policy=part))
    for problem in policy.check_response(turn, response, record=record):
        raise Wrong("sent", "a demand that may go out", problem)
    sent = send(response, turn, now=NOW, entropy=random_for("demand", turn.id))
    yield checked(field_line("sent", sent.how), wire.how, sent.how.partition(",")[0])
    if sent.read is None or policy.demand_of(sent.read) != part or wire.before not in sent.data:
        raise Wrong("they read", f"the whole demand, in {wire.place}", f"another one; {sent.shown}")
    line = field_line("they read", f"{sent.shown}: the whole demand, in {wire.place}")
    yield checked(line, sent.trusted, sent.shown)
    lines = printable(plain_text(sent.read)).split("\n")
    yield from all_checked([_quoted(line) for line in reads], map(_quoted, lines))
    yield _over_http(part)
    return sent.read


def _quoted(line: str) -> str:
    return f"    │ {line}".rstrip()


def _over_http(part: policy.PolicyPart) -> Line:
    """What a demand is as an HTTP response, which must be read back whole."""
    response = policy.to_http(part)
    found = policy.from_http(response, authority=HOST, now=NOW)
    if isinstance(found, Rejected) or found.policy != part:
        raise Wrong("as HTTP", "the whole demand", "another one")
    headers = ", ".join(f"{name}: {shorten(value, 40)}" for name, value in response.headers)
    line = field_line("as HTTP", f"HTTP {response.status}, {headers}; read back whole")
    return checked(line, _STATUSES[part.kind], response.status)


def acted(
    store: Store, accepted: policy.Accepted, message: NormalizedMessage, text: str, *, thread: str | None = None
) -> Iterator[Line]:
    """The agent's turn: it resumes, and answers what it was asked in the first place.

    Args:
        store: What the program keeps.
        accepted: What was verified.
        message: The message that tells of it.
        text: What the agent says when it has acted.
        thread: Where the other side must find that: the thread in which it found the demand.
    """
    resolution, wire = accepted.resolution, _WIRES[message.received_via]
    if store.used:
        raise Wrong("accept", "nothing consumed before anybody resumed", store.used)
    line = field_line("accept", f"{resolution.kind} is met, says {resolution.verified_by}; nothing is consumed yet")
    yield checked(line, wire.verifier, resolution.verified_by)
    resumed = passed(resume(store, message, second=60), policy.Resumed, "resume")
    question = plain_text(message)
    line = field_line("resume", f"the state is consumed, for: {question}")
    yield checked(line, plain_text(store.turns[accepted.record.message_id]), question)
    yield _answered(message, text, resumed=resumed, thread=thread)


def _answered(message: NormalizedMessage, text: str, *, resumed: policy.Resumed, thread: str | None) -> Line:
    """The answer goes out, and must arrive where the demand did."""
    response = NormalizedResponse.to(message, text)
    for problem in policy.check_response(message, response, resumed=resumed):
        raise Wrong("answer", "an answer that may go out", problem)
    sent = send(response, message, now=at(60), entropy=random_for("answer", message.id))
    if sent.read is None:
        raise Wrong("answer", text, sent.shown)
    if thread not in (None, getattr(sent.read, "thread_id", None)):
        raise Wrong("answer", "the thread of the demand", "another thread")
    words, sent_to = plain_text(sent.read).partition("\n")[0], sent.how.partition(",")[0]
    expected = (text, _WIRES[message.received_via].how)
    return checked(field_line("answer", f"{words} ({sent.how})"), ", ".join(expected), f"{words}, {sent_to}")


def resume(store: Store, message: NormalizedMessage, *, second: int) -> policy.Resumed | Rejected:
    """What the agent gets when it wants to act on a message."""
    subject, entropy = ACCOUNTS.get(message.sender.address), random_for("resume", message.id)
    return drive(policy.resume(message, subject=subject, now=at(second), entropy=entropy), store.answers)


def callback(store: Store, candidate: policy.Candidate, *, subject: str | None = None) -> policy.Accepted | Rejected:
    """What the agent's endpoint finds out about a receipt, which comes to it without a message."""
    return drive(policy.accept(candidate, subject=subject, now=at(60)), store.answers)


def called_back(
    store: Store, candidate: policy.Candidate, text: str, *, thread: str, subject: str | None = None
) -> Iterator[Line]:
    """The endpoint is called, and the turn that was interrupted goes on; then it is called once more."""
    accepted = passed(callback(store, candidate, subject=subject), policy.Accepted, "accept")
    turn = store.turns[accepted.record.message_id]
    message = policy.next_turn(turn, accepted, now=at(60), entropy=random_for("next turn"))
    yield from acted(store, accepted, message, text, thread=thread)
    accepted = passed(callback(store, candidate, subject=subject), policy.Accepted, "once more")
    message = policy.next_turn(turn, accepted, now=at(90), entropy=random_for("next turn", "once more"))
    again = refused(resume(store, message, second=90), "already-consumed", "once more")
    yield field_line("once more", f"the same call: {again}")
