"""Mails that nobody of us wrote: each gives a message with the right text, thread and files, or is named here.

What is right is computed here a second time from the raw lines, and by the standard library's parser, which reads
these mails well enough to be asked for the body parts and their text.
"""

import email
import email.message
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from mentionable import Received
from mentionable.mail import split_mbox
from tests.mail.receiving import received

CORPORA: Final = Path(__file__).parents[2] / ".cache" / "corpora" / "mail"
EXPECTED: Final = {"cpython": 47, "mail-parser": 22, "dkimpy": 13, "authheaders": 12, "django-mailbox": 21}
MAILS: Final = sorted(CORPORA.glob("*/*")) if CORPORA.is_dir() else []

WITHOUT_ONE_SENDER: Final = {
    "authheaders/test.message_multi": "two addresses in From",
    "authheaders/test.message_multi2": "three addresses in From",
    "authheaders/test.nofrom.message": "a name in From, and no address",
    "cpython/msg_05.txt": "From: foo",
    "cpython/msg_11.txt": "no From",
    "cpython/msg_18.txt": "no From",
    "cpython/msg_19.txt": "plain text, no header section",
    "cpython/msg_37.txt": "no From",
    "cpython/msg_38.txt": "no From",
    "cpython/msg_39.txt": "no From",
    "cpython/msg_40.txt": "no From",
    "cpython/msg_43.txt": "an empty address in From",
    "django-mailbox/message_with_utf8_attachment.eml": "From: kontakt@REDACTED, a domain of one label",
    "dkimpy/rfc6376.w1258.msg": "a local part of bytes that are not UTF-8",
    "dkimpy/test_nofrom.message": "no From",
}
"""Mails that do not name exactly one sender of the form user@domain: each must be rejected."""

ALLOWED_REJECTIONS: Final[dict[str, str]] = {}
"""Mails that name one and may be rejected all the same, and why: at most one in twenty."""

UNLIKE_THE_STANDARD_LIBRARY: Final = {
    "cpython/msg_15.txt": "parts behind the first closing line: one boundary for two multiparts",
    "mail-parser/mail_malformed_1": "parts behind the first closing line: one boundary for two multiparts",
    "cpython/msg_35.txt": "a line that is no field: there the body begins for it, for us at the empty line",
}
"""Mails whose body parts the standard library sees otherwise, and why ours is right."""


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


ON_THE_WAY: Final = {
    "received", "return-path", "delivered-to", "envelope-to", "original-recipient", "apparently-to",
    "authentication-results", "received-spf", "dkim-signature", "domainkey-signature", "dkim-filter",
    "content-length", "lines", "status", "errors-to",
}  # fmt: skip
"""Fields that hops write."""

READABLE: Final = [path for path in MAILS if name_of(path) not in {*WITHOUT_ONE_SENDER, *ALLOWED_REJECTIONS}]


def field(raw: bytes, name: str) -> str:
    """The value of the first field of that name, from the lines as they stand."""
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0].decode("utf-8", "replace")
    for line in re.sub(r"\r?\n([ \t])", r"\1", head).splitlines():
        key, _, value = line.partition(":")
        if key.lower() == name:
            return value
    return ""


def senders(raw: bytes) -> list[str]:
    """The addresses of the form user@domain in From: those in <>, else those outside quotes and comments."""
    value = re.sub(r'"[^"]*"|\([^)]*\)', "", field(raw, "from"))
    words = re.findall(r"<([^<>]*)>", value) or re.split(r"[\s,;]+", value)
    return [word for word in words if re.fullmatch(r"[!-?A-~]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+", word, re.ASCII)]


def expected_thread(raw: bytes) -> str:
    """§5.3.1 and R80, written a second time."""
    for name in ("references", "in-reply-to", "message-id"):
        for text in re.findall(r"<([^<>\s]*)>", field(raw, name)):
            if "@" in text or field(raw, name).strip() == f"<{text}>":
                return f"<{text}>"
    for name in ("references", "in-reply-to", "message-id"):
        for text in field(raw, name).split():
            if re.fullmatch(r"[^@<>]+@[^@<>]+", text):
                return f"<{text}>"
    return made_id(raw)


def made_id(raw: bytes) -> str:
    """The id of a mail without one: its author's fields, each as one line, an empty line, the body."""
    crlf = raw if b"\r\n" in raw else raw.replace(b"\n", b"\r\n")
    head, _, body = (crlf + b"\r\n" * (b"\r\n\r\n" not in crlf)).partition(b"\r\n\r\n")
    lines = []
    try:
        decoded_head = head.decode()
    except UnicodeDecodeError:  # bytes of no named character set read as windows-1252
        decoded_head = head.decode("cp1252", "replace")
    for line in re.sub(r"\r\n([ \t])", r"\1", decoded_head).split("\r\n"):
        name, colon, value = line.partition(":")
        key = name.strip().lower()
        if not colon or " " in key or key in ON_THE_WAY or re.match(r"arc-|resent-|x-|list-|archived-", key):
            continue
        lines.append(":".join((key, re.sub(r"[ \t]+", " ", value.strip()))) + "\n")
    text = "".join(lines).encode() + b"\n" + body.rstrip(b"\r\n")
    return f"<{hashlib.sha256(text).hexdigest()[:32]}@mentionable.invalid>"


def body_parts(part: Any) -> Iterator[email.message.Message]:
    """The body parts of a mail; a mail inside it is one of them."""
    if part.get_content_maintype() == "message" or not part.is_multipart():
        yield part
        return
    for child in part.get_payload():
        yield from body_parts(child)


def leading(part: Any) -> set[int]:
    """The body parts, by `id`, that are text despite a name: the body, the first of a multipart, an alternative."""
    if not part.is_multipart() or part.get_content_maintype() == "message":
        return {id(part)}
    children = part.get_payload()
    is_alternative = part.get_content_type() == "multipart/alternative"
    led = [leading(child) for child in children if is_alternative or child is children[0] or child.is_multipart()]
    return set().union(*led)


def is_text(part: email.message.Message, lead: set[int]) -> bool:
    """Whether a body part is text to read; a multipart that could not be split is one."""
    return part.get_content_maintype() == "multipart" or (
        part.get_content_type() in ("text/plain", "text/html", "text/markdown")
        and (not part.get_filename() or id(part) in lead)
        and part.get_content_disposition() in (None, "inline")
    )


def letters(text: str) -> str:
    """What is left of a text when character sets and line ends make no difference."""
    return re.sub(r"[^A-Za-z0-9]", "", text)


def decoded(part: email.message.Message) -> str:
    payload: Any = part.get_payload(decode=True)
    return (payload or b"").decode("latin-1") if payload is not None else ""


def test_the_corpora_are_there() -> None:
    found = {folder: len(list((CORPORA / folder).glob("*"))) for folder in EXPECTED}
    if os.environ.get("CI") == "true":
        assert found == EXPECTED, "run python tests/setup_corpora.py"
    elif found != EXPECTED:
        pytest.skip("run python tests/setup_corpora.py")


def test_few_mails_may_be_rejected() -> None:
    assert len(ALLOWED_REJECTIONS) <= 0.05 * sum(EXPECTED.values())
    assert len(UNLIKE_THE_STANDARD_LIBRARY) <= 0.05 * sum(EXPECTED.values())


@pytest.mark.parametrize("path", MAILS, ids=name_of)
def test_only_named_mails_are_rejected(path: Path) -> None:
    raw = path.read_bytes()
    outcome = received(raw)
    if name_of(path) in WITHOUT_ONE_SENDER:
        assert len(senders(raw)) != 1
        # A report comes from a mail server, and needs no address.
        code = outcome.verdict.code if isinstance(outcome, Received) else outcome.code
        assert code in ("sender-unaddressable", "malformed")
    elif name_of(path) not in ALLOWED_REJECTIONS:
        assert isinstance(outcome, Received)
        for sender in senders(raw):  # not those beyond ASCII, which are percent-encoded
            local, _, domain = sender.partition("@")
            assert outcome.message.sender.address == f"@{local}@{domain.lower()}"


@pytest.mark.parametrize("path", READABLE, ids=name_of)
def test_the_thread_is_that_of_the_raw_lines(path: Path) -> None:
    raw = path.read_bytes()
    assert received(raw).message.thread_id == expected_thread(raw)


@pytest.mark.parametrize("path", READABLE, ids=name_of)
def test_the_text_and_the_files_are_those_of_the_mail(path: Path) -> None:
    if name_of(path) in UNLIKE_THE_STANDARD_LIBRARY:
        return
    raw = path.read_bytes()
    message = received(raw).message
    mail = email.message_from_bytes(raw)
    found, lead = list(body_parts(mail)), leading(mail)
    texts = {letters(decoded(part)) for part in found if is_text(part, lead)}
    files = [part for part in found if not is_text(part, lead)]
    shown = [part for part in message.parts if part.kind == "text"]
    if any(decoded(part).strip() for part in found if is_text(part, lead)):
        assert shown
        assert {letters(part.content) for part in shown} <= texts
    else:
        assert [part.content for part in shown] == ([message.raw["parsed"]["subject"]] if not files else [])
    assert len(message.raw["parsed"]["attachments"]) == len(files)
    assert len([part for part in message.parts if part.kind == "file"]) == len(files)


FROM: Final = b"From alice@a.example Sat Nov 21 20:56:00 2026\n"


def as_mboxrd(raw: bytes) -> bytes:
    return FROM + re.sub(rb"(?m)^(>*From )", rb">\1", raw) + b"\n"


def as_mboxcl2(raw: bytes) -> bytes:
    head, empty, body = raw.partition(b"\n\n")
    length = b"\nContent-Length: %d" % len(body)
    return FROM + head + (length + empty + body if empty else b"") + b"\n"


@pytest.mark.parametrize("form", [as_mboxrd, as_mboxcl2])
def test_an_archive_gives_each_of_its_mails(form: Callable[[bytes], bytes]) -> None:
    raws = [path.read_bytes().replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n" for path in MAILS]
    raws = [raw for raw in raws if not raw.startswith(b"From ")]
    written = [form(raw) for raw in raws]
    found = [mail.raw for mail in split_mbox([b"".join(written)])]
    unchanged = [
        raw if form is as_mboxrd else whole.partition(b"\n")[2][:-1] for raw, whole in zip(raws, written, strict=True)
    ]
    assert found == unchanged
