"""Cost against size: of the unit, of its parts, its history, its signatures, its tool calls, its addressees.

Each is measured at n, 2n, 4n …; the figure is the growth of one doubling at the end. What is over a limit is refused,
so the sizes end below it; of signatures and evidence no more than a few are looked at, and there the curve turns flat.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks import a2a, activitypub, mail, rest, signed_delivery, verify_identity, verify_mail
from benchmarks.a2a_payloads import task
from benchmarks.common import CREATE, SMALL_MAIL
from benchmarks.ingest import conversations
from benchmarks.timing import Effort, Function, grown
from mentionable import NormalizedResponse, ToolCallPart, html_to_text, ingest, prompt, trace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.figures import Result

WORDS: Final = "The quick brown fox jumps over the lazy dog, says the daily report.\n"


class Growth(NamedTuple):
    """What is measured at many sizes.

    Attributes:
        plot: The plot in which its curve is.
        name: What it is.
        make: A size → a function that handles a unit of it.
        first: The smallest size.
        doublings: How often it is doubled.
    """

    plot: str
    name: str
    make: Callable[[int], Function]
    first: int
    doublings: int


def text(size: int) -> str:
    """So many characters of prose."""
    return (WORDS * (size // len(WORDS) + 1))[:size]


def compact(value: Any) -> bytes:
    """JSON without blanks."""
    return json.dumps(value, separators=(",", ":")).encode()


# -- units of any size


def mail_of(head: str = "", body: str = "Hi") -> Function:
    """A plain mail."""
    lines = body.replace("\r\n", "\n").replace("\n", "\r\n")
    raw = SMALL_MAIL.replace(b"\r\n\r\nHi", f"\r\n{head}\r\n{lines}".encode())
    return partial(mail.receive, raw)


def mail_of_parts(number: int) -> Function:
    """A mail of so many body parts."""
    parts = "".join(f"--b\r\nContent-Type: text/plain\r\n\r\npart {one}\r\n" for one in range(number))
    return mail_of('MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n', f"{parts}--b--\r\n")


def mail_to(number: int) -> Function:
    """A mail to so many."""
    people = ",\r\n ".join(f"user{one}@b.example" for one in range(number))
    return mail_of(f"Cc: {people}\r\n")


def note(**members: Any) -> Function:
    """A delivery whose note is another."""
    document = json.loads(CREATE)
    document["object"] |= members
    return partial(activitypub.receive, activitypub.WEATHER, compact(document))


def note_to(number: int) -> Function:
    """A delivery to so many, of whom one is an agent here."""
    document = json.loads(CREATE)
    people = [f"https://social.example/users/u{one}" for one in range(number)]
    document["cc"] = document["object"]["cc"] = people
    return partial(activitypub.receive, None, compact(document))


def note_with_files(number: int) -> Function:
    """A note with so many pictures."""
    url = "https://social.example/media/{}.png"
    return note(
        attachment=[{"type": "Document", "mediaType": "image/png", "url": url.format(n)} for n in range(number)]
    )


def a2a_message(*parts: str) -> Function:
    """An A2A message of so many texts."""
    said = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": part} for part in parts]}
    return partial(a2a.receive, compact(said))


def form(size: int) -> Function:
    """A form with a long text."""
    return partial(rest.receive, rest.form(("session", b"s1"), ("user", text(size).encode())))


# -- signatures


def dkim(number: int) -> Function:
    """A mail with so many signatures, of a key each."""
    key, raw = verify_mail.keys()["ed25519"], SMALL_MAIL
    for _ in range(number):
        signed = verify_mail.signed(raw, key)
        raw = signed.raw
    return partial(verify_mail.verify, signed)


# -- traces


def response(calls: int) -> NormalizedResponse:
    """A response with so many tool calls."""
    parts = [
        ToolCallPart(id=f"c{number}", name="web_search", args={"q": f"rain {number}"}, result=["yes"], duration_ms=412)
        for number in range(calls)
    ]
    return NormalizedResponse(reply_to="m1", parts=tuple(parts))


def read_trace(calls: int) -> Function:
    """A trace of so many tool calls, read."""
    return partial(trace.read, trace.write(response(calls)).href or "")


def rendered(turns: int) -> Function:
    """A task of so many turns as the context of a model."""
    return partial(prompt.render, a2a.receive(task(turns, v1=True)), dialect="anthropic")


GROWTHS: Final = (
    Growth("scaling-size", "mail, plain text", lambda size: mail_of(body=text(size)), 4_096, 5),
    Growth("scaling-size", "ActivityPub note", lambda size: note(content=f"<p>{text(size)}</p>"), 4_096, 5),
    Growth("scaling-size", "A2A message", lambda size: a2a_message(text(size)), 4_096, 5),
    Growth("scaling-size", "REST form", form, 4_096, 5),
    Growth(
        "scaling-size",
        "HTML as text",
        lambda size: partial(html_to_text, f"<p>{WORDS}</p>" * (size // (len(WORDS) + 7))),
        4_096,
        5,
    ),
    Growth("scaling-parts", "body parts of a mail", mail_of_parts, 8, 6),
    Growth("scaling-parts", "parts of an A2A message", lambda number: a2a_message(*["Hello!"] * number), 8, 6),
    Growth("scaling-parts", "attachments of a note", note_with_files, 4, 4),
    Growth("scaling-history", "turns of an A2A task", lambda turns: partial(a2a.receive, task(turns, v1=True)), 8, 6),
    Growth("scaling-history", "turns of a REST form", lambda n: partial(rest.receive, rest.form(*rest.turns(n))), 8, 6),
    Growth(
        "scaling-history", "ingest.assemble", lambda n: partial(ingest.assemble, conversations(n)["people alone"]), 8, 9
    ),
    Growth("scaling-history", "prompt.render", rendered, 4, 3),
    Growth("scaling-signatures", "DKIM, each fits", dkim, 1, 5),
    Growth("scaling-signatures", "RFC 9421, none fits", signed_delivery.refused, 1, 5),
    Growth("scaling-signatures", "attestations", verify_identity.several, 1, 5),
    Growth("scaling-outgoing", "tool calls: trace.write", lambda calls: partial(trace.write, response(calls)), 4, 6),
    Growth("scaling-outgoing", "tool calls: trace.read", read_trace, 4, 6),
    Growth("scaling-outgoing", "recipients of a mail", mail_to, 4, 7),
    Growth("scaling-outgoing", "recipients of a note", note_to, 4, 7),
)


def results(effort: Effort) -> Iterator[Result]:
    """The growth of each, and its curve."""
    for growth in GROWTHS:
        last = 1 if effort.quick else growth.doublings
        sizes = {growth.first << step: growth.make(growth.first << step) for step in range(last + 1)}
        yield from grown("scaling", growth.plot, growth.name, sizes, effort)
