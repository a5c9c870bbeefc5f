"""Subject, text and files of mails that mail programs ship for their tests, beside what three readers of others see.

Where two of those agree against us, `ruled_mails.json` names the mail and the ruling; nothing else may differ.
"""

from __future__ import annotations

import base64
import email
import email.policy
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from mentionable import FilePart, Rejected, bytes_of
from tests import setup_interop
from tests.mail.receiving import receive
from tests.setup_corpora import CORPORA, MAIL_FOLDERS

FLOOR = 250
MAILS: Final = sorted(path for folder in MAIL_FOLDERS for path in (CORPORA / folder).glob("*") if path.is_file())
PARSERS: Final = ("postal-mime", "mailparser")
MEMBERS: Final = ("subject", "text", "html", "files", "names")
_RULED: Final[dict[str, list[str]]] = {
    name: members
    for mails in json.loads((Path(__file__).parent / "ruled_mails.json").read_text()).values()
    for name, members in mails.items()
}
"""Mail → the members in which it reads otherwise here; the file has them under the rulings that say why."""

_MBOX_LINE: Final = re.compile(rb"\A>?From [^\n]*\n")


class Seen(NamedTuple):
    """What a reader sees in a mail, without what readers may differ in: blanks, line ends, the order of files."""

    subject: str
    text: str
    html: str
    files: tuple[str, ...]
    names: tuple[str, ...]


def letters(text: str | None) -> str:
    """The letters and digits of a text."""
    return "".join(filter(str.isalnum, text or ""))


def digest(data: bytes) -> str:
    """A short digest of a file; the line ends of text do not count."""
    return hashlib.sha256(data if b"\0" in data else data.replace(b"\r\n", b"\n").rstrip(b"\n")).hexdigest()[:16]


def seen(subject: str | None, text: str | None, html: str | None, files: list[tuple[str | None, bytes]]) -> Seen:
    names = sorted(" ".join(name.split()) for name, _ in files if name)
    contents = sorted(digest(data) for _, data in files)
    return Seen(" ".join((subject or "").split()), letters(text), letters(html), tuple(contents), tuple(names))


def ours(raw: bytes) -> Seen | None:
    outcome = receive(raw)
    if isinstance(outcome, Rejected):
        return None
    received = getattr(outcome, "received", outcome)
    parsed = received.message.raw["parsed"]
    files = [part for part in received.message.parts if isinstance(part, FilePart)]
    contents = [(part.name, bytes_of(part, received.blobs) or b"") for part in files]
    return seen(parsed.get("subject"), parsed.get("text"), parsed.get("html"), contents)


def of_node(found: dict[str, Any]) -> Seen:
    files = [(one["name"], base64.b64decode(one["data"])) for one in found["attachments"]]
    return seen(found["subject"], found["text"], found["html"], files)


def leaves(part: Any) -> Iterator[Any]:
    """The parts that hold no others; a mail inside a mail is one."""
    if part.get_content_maintype() == "message" or not part.is_multipart():
        yield part
        return
    for child in part.get_payload():
        yield from leaves(child)


def content(part: Any) -> bytes:
    if part.get_content_maintype() == "message" and part.is_multipart():
        return part.get_payload(0).as_bytes()
    return part.get_payload(decode=True) or b""


def of_the_standard_library(raw: bytes) -> Seen | None:
    """None where it raises."""
    try:
        root = email.message_from_bytes(raw, policy=email.policy.default)
        texts: dict[str, list[str]] = {"text/plain": [], "text/html": []}
        files: list[tuple[str | None, bytes]] = []
        for part in leaves(root):
            kind = part.get_content_type()
            is_file = part.get_filename() or part.get_content_disposition() == "attachment"
            if kind in texts and not is_file:
                texts[kind].append(part.get_content())
            else:
                files.append((part.get_filename(), content(part)))
        return seen(root["subject"], "".join(texts["text/plain"]), "".join(texts["text/html"]), files)
    except (AttributeError, IndexError, KeyError, LookupError, TypeError, ValueError):
        return None


def differences(mine: Seen, theirs: list[Seen | None]) -> list[str]:
    """The members in which two other readers agree against us."""
    found = []
    for member in MEMBERS:
        votes = Counter(getattr(one, member) for one in theirs if one is not None)
        value, count = votes.most_common(1)[0]
        if count > 1 and value != getattr(mine, member):
            found.append(member)
    return found


def test_every_difference_from_two_readers_that_agree_is_ruled(node, count):
    if not MAILS:
        pytest.fail("no mails") if setup_interop.in_ci() else pytest.skip("python tests/setup_corpora.py")
    unexplained: dict[str, list[str]] = {}
    for path in MAILS:
        raw = _MBOX_LINE.sub(b"", path.read_bytes())
        mine = ours(raw)
        if mine is None:
            continue
        packed = [base64.b64encode(raw).decode()]
        theirs = [of_node(node("mail.parse", parser=parser, mails=packed)[0]) for parser in PARSERS]
        name = f"{path.parent.name}/{path.name}"
        found = differences(mine, [*theirs, of_the_standard_library(raw)])
        if found != _RULED.get(name, []):
            unexplained[name] = found
        count()
    assert unexplained == {}
