"""The steps that the stories of `mentionable demo policy` share; each line that they give tells what code did."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, TypeVar

from .. import policy
from .._asks import drive
from .._errors import CODES
from .._ids import derive
from .._model.message import NormalizedResponse
from .._model.parts import CarriedPolicy
from .._outcome import Received, Rejected
from .._text import plain_text, shorten
from ._demo_send import send
from ._lines import printable
from ._show import field_line

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from .._errors import Code
    from .._model.message import NormalizedMessage
    from ._demo_store import Store

T = TypeVar("T")

HELPER: Final = "@helper@agents.example"
HOST: Final = "agents.example"
NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)

ACCOUNTS: Final = {"@alice@a.example": "account-7"}
"""Sender → their account on the pages of the agent's host, by which whoever signs in is known."""

_CARRIERS: Final[Mapping[str, tuple[str, bytes]]] = {
    "a2a": ("the metadata of the task", b'"mentionable":{"policy":'),
    "email": ("X-Mentionable-Policy", b"\r\nX-Mentionable-Policy: "),
    "activitypub": ("mentionablePolicy", b'"mentionablePolicy":'),
}
"""Where a demand stands on each transport, and what stands before it there."""


class Astray(Exception):
    """A step did not come out as the story tells it."""


def told(intro: str, story: Iterable[str], outro: str) -> int:
    """Tells a story line by line; the exit status: 0 when every step came out as it is told."""
    print(intro)
    try:
        for line in story:
            print(line)
    except Astray as astray:
        print(field_line("astray", str(astray)))
        return 1
    print(f"\n{outro}")
    return 0


def at(second: int) -> datetime:
    """The time so many seconds into a story."""
    return NOW + timedelta(seconds=second)


def random_for(*what: str) -> bytes:
    """Entropy that is the same in each run. A program takes `secrets.token_bytes(32)`."""
    return derive("demo policy", b"", *what)


def passed(outcome: object, kind: type[T]) -> T:
    """The outcome of a step that must succeed."""
    if isinstance(outcome, kind):
        return outcome
    came = outcome.code if isinstance(outcome, Rejected) else type(outcome).__name__
    raise Astray(f"expected {kind.__name__}, and there came {came}")


def refused(outcome: object, code: Code) -> str:
    """The outcome of a step that must be refused, in words."""
    if not isinstance(outcome, Rejected) or outcome.code != code:
        raise Astray(f"expected {code}, and there came {getattr(outcome, 'code', type(outcome).__name__)}")
    return f"rejected, {code}. {CODES[code].text}"


def asked(outcome: Received | Rejected) -> Generator[str, None, NormalizedMessage]:
    """The question, whose sender must be verified."""
    received = passed(outcome, Received)
    message, verdict = received.message, received.verdict
    if not message.sender.verified:
        raise Astray(f"the sender is not verified: {verdict.code}")
    yield field_line("asks", f"{message.sender.address}, verified, by {verdict.method}: {plain_text(message)}")
    return message


def demanded(
    store: Store, turn: NormalizedMessage, issued: policy.Issued
) -> Generator[str, None, NormalizedMessage | NormalizedResponse]:
    """Stores a demand and sends it. What comes back is the answer as the other side reads it, the demand at its end."""
    part, record = issued.part, issued.record
    store.keep(turn, record, now=NOW)
    yield field_line("demand", f"{part.kind}, issued and stored; it can be met until {record.expires_at}")
    response = NormalizedResponse.to(turn, CarriedPolicy(policy=part))
    for problem in policy.check_response(turn, response, record=record):
        raise Astray(f"the demand may not go out: {problem}")
    sent = send(response, turn, now=NOW, entropy=random_for("demand", turn.id))
    yield field_line("sent", sent.how)
    place, before = _CARRIERS[turn.received_via]
    if sent.read is None or policy.demand_of(sent.read) != part or before not in sent.data:
        raise Astray(f"the other side has another demand: {sent.shown}")
    yield field_line("they read", f"{sent.shown}: the whole demand, in {place}")
    yield from (f"    │ {line}".rstrip() for line in printable(plain_text(sent.read)).split("\n"))
    yield _over_http(part)
    return sent.read


def _over_http(part: policy.PolicyPart) -> str:
    """What a demand is as an HTTP response, which must be read back whole."""
    response = policy.to_http(part)
    found = policy.from_http(response, authority=HOST, now=NOW)
    if isinstance(found, Rejected) or found.policy != part:
        raise Astray("as an HTTP response the demand is another one")
    headers = ", ".join(f"{name}: {shorten(value, 40)}" for name, value in response.headers)
    return field_line("as HTTP", f"HTTP {response.status}, {headers}; read back whole")


def acted(
    store: Store, accepted: policy.Accepted, message: NormalizedMessage, text: str, *, thread: str | None = None
) -> Iterator[str]:
    """The agent's turn: it resumes, and answers what it was asked in the first place.

    Args:
        store: What the program keeps.
        accepted: What was verified.
        message: The message that tells of it.
        text: What the agent says when it has acted.
        thread: Where the other side must find that: the thread in which it found the demand.
    """
    resolution = accepted.resolution
    if store.used:
        raise Astray("a state is consumed before anybody resumed")
    yield field_line("accept", f"{resolution.kind} is met, says {resolution.verified_by}; nothing is consumed yet")
    resumed = passed(resume(store, message, second=60), policy.Resumed)
    yield field_line("resume", f"the state is consumed, for: {plain_text(message)}")
    response = NormalizedResponse.to(message, text)
    for problem in policy.check_response(message, response, resumed=resumed):
        raise Astray(f"the answer may not go out: {problem}")
    sent = send(response, message, now=at(60), entropy=random_for("answer", message.id))
    if sent.read is None or text not in (said := plain_text(sent.read)):
        raise Astray(f"the answer did not arrive: {sent.shown}")
    if thread not in (None, getattr(sent.read, "thread_id", None)):
        raise Astray("the answer is in another thread than the demand")
    yield field_line("answer", f"{said.partition(chr(10))[0]} ({sent.how})")


def resume(store: Store, message: NormalizedMessage, *, second: int) -> policy.Resumed | Rejected:
    """What the agent gets when it wants to act on a message."""
    subject, entropy = ACCOUNTS.get(message.sender.address), random_for("resume", message.id)
    return drive(policy.resume(message, subject=subject, now=at(second), entropy=entropy), store.answers)


def callback(store: Store, candidate: policy.Candidate, *, subject: str | None = None) -> policy.Accepted | Rejected:
    """What the agent's endpoint finds out about a receipt, which comes to it without a message."""
    return drive(policy.accept(candidate, subject=subject, now=at(60)), store.answers)


def called_back(
    store: Store, candidate: policy.Candidate, text: str, *, thread: str, subject: str | None = None
) -> Iterator[str]:
    """The endpoint is called, and the turn that was interrupted goes on; then it is called once more."""
    accepted = passed(callback(store, candidate, subject=subject), policy.Accepted)
    turn = store.turns[accepted.record.message_id]
    message = policy.next_turn(turn, accepted, now=at(60), entropy=random_for("next turn"))
    yield from acted(store, accepted, message, text, thread=thread)
    accepted = passed(callback(store, candidate, subject=subject), policy.Accepted)
    message = policy.next_turn(turn, accepted, now=at(90), entropy=random_for("next turn", "once more"))
    again = refused(resume(store, message, second=90), "already-consumed")
    yield field_line("once more", f"the same call: {again}")
