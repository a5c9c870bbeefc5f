"""From the bytes of a mail to its NormalizedMessage, beside the standard library's parser.

Measured is the whole way: `drive(mail.receive(...))`. The standard library gives the text and the content of the
attachments, and in a second form the same header fields too; there `raw`, which holds them, is read as well.

Usage: python benchmarks/mail.py [--check]     --check exits 1 when a ratio is beyond its bound
"""

from __future__ import annotations

import email
import re
import sys
from datetime import UTC, datetime
from email.header import decode_header, make_header
from email.utils import getaddresses, parsedate_to_datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.mail_payloads import payloads
from benchmarks.timing import above, measure, table
from mentionable import Answers, Received, drive, mail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from email.message import Message


class Row(NamedTuple):
    """What is measured together: the first function is the base of the ratios.

    Attributes:
        name: What is read.
        mails: The mails; each function reads them all.
        bound: The largest ratio that `receive` may have to the standard library.
        headers_bound: The same to the standard library with header fields; None: not judged.
        rounds: How often everything is measured.
    """

    name: str
    mails: list[bytes]
    bound: float
    headers_bound: float | None = None
    rounds: int = 100


BOUNDS: Final = {
    "3 KB plain": (0.7, 0.45, 200),
    "30 KB newsletter": (0.4, None, 100),
    "2 MB attachment": (0.25, None, 20),
    "500 parts": (0.2, None, 30),
    "500 parts, distinct heads": (0.2, None, 30),
}
CORPORA_BOUND: Final = 0.55
ATTEMPTS: Final = 3

_CORPORA: Final = Path(__file__).resolve().parents[1] / ".cache" / "corpora" / "mail"
_NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
_ENTROPY: Final = bytes(range(32))
_WORLD: Final = Answers()
_IDS: Final = re.compile(r"<[^<>\s]+>").findall


def receive(raw: bytes) -> Any:
    """What a server does with a mail."""
    flow = mail.receive(raw, recipient="@helper@agents.example", now=_NOW, entropy=_ENTROPY)
    return drive(flow, _WORLD)


def receive_with_raw(raw: bytes) -> Any:
    """The same, and `raw` with every header field, which is made only when somebody reads it."""
    received = receive(raw)
    return [message.raw for message in received.messages] if isinstance(received, Received) else received


def stdlib(raw: bytes) -> Any:
    """The standard library: parsed, and every leaf decoded."""
    return _leaves(email.message_from_bytes(raw))


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
    return _leaves(message), people, subject, date, ids, message.items()


def _leaves(message: Message) -> list[Any]:
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


def fast_mail_parser() -> Callable[[bytes], Any] | None:
    """The parser of fast-mail-parser, written in Rust, or None when it is not installed."""
    try:
        parse: Callable[[bytes], Any] = import_module("fast_mail_parser").parse_email
    except ImportError:
        return None
    return parse


def rows() -> Iterator[Row]:
    """Everything that is measured."""
    for name, raw in payloads().items():
        bound, headers_bound, rounds = BOUNDS[name]
        yield Row(name, [raw], bound, headers_bound, rounds)
    mails = [path.read_bytes() for path in sorted(_CORPORA.glob("*/*"))]
    if mails:
        yield Row(f"{len(mails)} mails of others", mails, CORPORA_BOUND, rounds=6)


def judge(row: Row) -> list[str]:
    """Prints a row; what is beyond its bound, measured again while anything is."""
    peer = fast_mail_parser() if len(row.mails) == 1 else None
    bare = {"standard library": stdlib, "receive": receive, **({"fast-mail-parser": peer} if peer else {})}
    problems = _judge(row, bare, row.bound)
    return problems + _judge(
        row, {"standard library with headers": stdlib_with_headers, "receive": receive_with_raw}, row.headers_bound
    )


def _judge(row: Row, functions: Mapping[str, Callable[[bytes], Any]], bound: float | None) -> list[str]:
    bounds = {} if bound is None else {"receive": bound}
    problems: list[str] = []
    for _ in range(ATTEMPTS):  # only a busy machine can do better next time
        timings = measure({name: _over(function, row.mails) for name, function in functions.items()}, rounds=row.rounds)
        problems = above(timings, bounds)
        if not problems:
            break
    limit = "" if bound is None else f", at most {bound}"
    print(f"\n{row.name}, {sum(map(len, row.mails))} bytes{limit}\n{table(timings)}")
    return [f"{row.name}: {problem}" for problem in problems]


def _over(function: Callable[[bytes], Any], mails: list[bytes]) -> Callable[[], Any]:
    if len(mails) == 1:
        return partial(function, mails[0])
    return lambda: [function(raw) for raw in mails]


def main(arguments: list[str]) -> int:
    """Prints every row; 1 when `--check` is given and a bound is broken."""
    problems = [problem for row in rows() for problem in judge(row)]
    print("", *problems, sep="\n")
    return 1 if problems and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
