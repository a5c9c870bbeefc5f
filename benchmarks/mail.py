"""From the bytes of a mail to its NormalizedMessage, beside the standard library's parser.

Measured is the whole way: `drive(mail.receive(...))`. The standard library gives the text and the content of the
attachments, and in a second form the same header fields too; there `raw`, which holds them, is read as well.
"""

from __future__ import annotations

import email
import re
from binascii import a2b_base64
from email.header import decode_header, make_header
from email.utils import getaddresses, parsedate_to_datetime
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks.common import FACTS, with_module
from benchmarks.mail_payloads import payloads
from benchmarks.page import ROOT
from benchmarks.timing import Claim, Claims, Effort, Functions, Race
from mentionable import Answers, Received, drive, mail
from mentionable._wire.accelerated import strict_base64
from mentionable.mail._read import transfer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from email.message import Message

    from benchmarks.figures import Result

BARE: Final = "email parser"
FIELDS: Final = "email parser, fields read"
CORPORA: Final = ROOT / ".cache" / "corpora" / "mail"

_WORLD: Final = Answers()
_DECODER: Final = "strict_base64"
_PYTHONS_OWN: Final = partial(a2b_base64, strict_mode=True)
_INSTALLED: Final = strict_base64
_IDS: Final = re.compile(r"<[^<>\s]+>").findall


class Bounds(NamedTuple):
    """What holds for a mail.

    Attributes:
        bare: The largest ratio to the standard library.
        fields: The same where it reads header fields; None: not judged.
        rust: The largest ratio to the parser in Rust, and the same with the extra `speed`; None: not judged.
        wanted: What was aimed at there, or against the bare parser where that is not judged.
        rounds: How often everything is measured.
    """

    bare: float
    fields: float | None = None
    wanted: float | None = None
    rounds: int = 100
    rust: tuple[float, float] | None = None


BOUNDS: Final = {
    "3 KB plain": Bounds(0.75, 0.48, 0.35, 200),
    "30 KB newsletter": Bounds(0.4, None, 0.35),
    "2 MB attachment": Bounds(0.15, rounds=20, rust=(7.5, 3.2)),
    "500 parts": Bounds(0.2, rounds=30),
    "500 parts, distinct heads": Bounds(0.2, rounds=30),
}
OTHERS: Final = Bounds(0.55, rounds=6)
"""Mails that other projects test with, all of them together."""


def receive(raw: bytes) -> Any:
    """What a server does with a mail; many of those of others are refused. Nothing compiled is installed."""
    setattr(transfer, _DECODER, _PYTHONS_OWN)
    return drive(mail.receive(raw, **FACTS), _WORLD)


def receive_with_speed(raw: bytes) -> Any:
    """The same with the extra `speed`."""
    setattr(transfer, _DECODER, _INSTALLED)
    return drive(mail.receive(raw, **FACTS), _WORLD)


def receive_with_raw(raw: bytes) -> Any:
    """The same, and `raw` with every header field, which is made only when somebody reads it."""
    received = receive(raw)
    return [message.raw for message in received.messages] if isinstance(received, Received) else received


def stdlib(raw: bytes) -> Any:
    """The standard library: parsed, and every body part decoded."""
    return _body_parts(email.message_from_bytes(raw))


def stdlib_with_headers(raw: bytes) -> Any:
    """The standard library, and the header fields that a message needs."""
    message = email.message_from_bytes(raw)
    people = {name: _people(message.get_all(name, [])) for name in ("from", "to", "cc", "reply-to", "sender")}
    subject = _decoded(message.get("subject", ""))
    try:
        date = parsedate_to_datetime(message.get("date", ""))
    except ValueError:
        date = None
    ids = [_IDS(str(message.get(name, ""))) for name in ("message-id", "in-reply-to", "references")]
    return _body_parts(message), people, subject, date, ids, message.items()


def _body_parts(message: Message) -> list[Any]:
    found = []
    for part in message.walk():
        if part.is_multipart():
            continue
        name = part.get_filename()
        data: Any = part.get_payload(decode=True)
        if part.get_content_maintype() == "text" and not name and part.get_content_disposition() != "attachment":
            try:
                found.append(data.decode(part.get_content_charset() or "utf-8", "replace"))
            except LookupError:
                found.append(data.decode("utf-8", "replace"))
        else:
            found.append((name, part.get_content_type(), data))
    return found


def _people(values: list[str]) -> list[tuple[str, str]]:
    return [(_decoded(name), address) for name, address in getaddresses([str(value) for value in values])]


def _decoded(text: str) -> str:
    try:
        return str(make_header(decode_header(text)))
    except (LookupError, UnicodeError, ValueError):
        return str(text)


def race(name: str, mails: list[bytes], bounds: Bounds) -> Race:
    """A mail, or many together, read by all; none at all: nothing can be measured."""

    def over(function: Callable[[bytes], Any]) -> Callable[[], Any] | None:
        if len(mails) > 1:
            return lambda: [function(raw) for raw in mails]
        return partial(function, *mails) if mails else None

    with_raw = f"{name}, raw read"
    functions: Functions = {name: over(receive), BARE: over(stdlib), with_raw: over(receive_with_raw)}
    claims: Claims = (
        Claim(name, BARE, bounds.bare, None if bounds.fields else bounds.wanted),
        Claim(with_raw, FIELDS, bounds.fields, bounds.wanted if bounds.fields else None),
    )
    functions[FIELDS] = over(stdlib_with_headers)
    if len(mails) == 1:  # of the mails of others it refuses some
        rust = with_module(lambda module: module.parse_email, "fast_mail_parser")
        functions["fast-mail-parser"] = partial(rust, *mails) if rust else None
        claims = (*claims, Claim(name, "fast-mail-parser", bounds.rust[0] if bounds.rust else None))
    if bounds.rust:
        with_speed = f"{name}, with pybase64"
        functions[with_speed] = partial(receive_with_speed, *mails) if find_spec("pybase64") else None
        claims = (*claims, Claim(with_speed, "fast-mail-parser", bounds.rust[1]))
    return Race("mail", functions, claims, rounds=bounds.rounds)


def results(effort: Effort) -> Iterator[Result]:
    """The mails that are made, and those of others where they are at hand."""
    for name, raw in payloads().items():
        yield from race(name, [raw], BOUNDS[name]).run(effort)
    others = [path.read_bytes() for path in sorted(CORPORA.glob("*/*"))]
    yield from race("mails of others, all", others[:3] if effort.quick else others, OTHERS).run(effort)
