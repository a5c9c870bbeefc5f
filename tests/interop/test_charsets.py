"""Character sets as the Encoding Standard has them, and mails in them as other parsers read them."""

from __future__ import annotations

from base64 import b64encode
from email import message_from_bytes, policy
from random import Random

import pytest

from mentionable import FilePart, Received, TextPart
from mentionable.mail._read.charset import decode_text
from tests import setup_interop
from tests.charsets import DOUBLE_BYTE, NAMES, every_sequence
from tests.mail.receiving import receive

FLOOR = 2_600
RANDOM = 200
HOSTILE = b"a0@~\n\x80\x81\x8e\x8f\xa1\xa2\xb7\xc1\xfe\xff9"


def read_there(node, texts):
    return node("charsets.decode", texts=[(name, b64encode(data).decode()) for name, data in texts])


@pytest.mark.parametrize("charset", NAMES)
def test_every_sequence_of_bytes_is_read_alike(node, count, charset):
    data = every_sequence(charset)
    (theirs,) = read_there(node, [(charset, data)])
    assert decode_text(data, charset)[0] == theirs
    count()


@pytest.mark.parametrize("charset", [*DOUBLE_BYTE, "utf-16le", "utf-8", "windows-1253"])
def test_random_bytes_are_read_alike(node, count, charset):
    random = Random(charset)
    texts = [
        random.choice((random.randbytes, lambda size: bytes(random.choices(HOSTILE, k=size))))(size) + b"\xff"
        for size in [*range(1, 9), *[random.randrange(200) for _ in range(RANDOM)]]
    ]
    theirs = read_there(node, [(charset, data) for data in texts])
    for data, read in zip(texts, theirs, strict=True):
        if charset.startswith("utf-16") or not is_utf_8(data):  # which we take for what it is
            assert decode_text(data, charset)[0] == read.removeprefix("\ufeff"), data
            count()


def is_utf_8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


# --- mails

CASES = setup_interop.ROOT / "conformance" / "v0.1" / "email"
FOLDERS = ("charsets", "encodings", "file-names", "sender")
PARSERS = ("postal-mime", "mailparser", "email")
RULED = {
    "charsets-byte-order-mark: text": "a mark is no part of the text",
    "charsets-hz: text": "mail in HZ is read where it says so",
    "charsets-iso-2022-kr: text": "mail in ISO-2022-KR is read",
    "charsets-utf-7-is-never-decoded: text": "HTML is told as text",
    "encodings-uuencode-without-end: text": "uuencode is decoded",
    "encodings-uuencode: text": "uuencode is decoded",
    "file-names-gap-in-continuations: files": "pieces after a missing one are not guessed at",
    "file-names-path-removed: files": "a name has no folders",
    "file-names-windows-path-removed: files": "a name has no folders",
    "sender-encoded-raw-bytes-elsewhere: from": "bytes that are not UTF-8 are windows-1252",
    "sender-group-of-one: from": "the name of a group is no name of a person",
    "sender-invisible-characters-in-the-name: from": "a name shows what it holds",
    "sender-name-too-long: from": "what is longer than any name is none",
    "sender-text-after-the-address: from": "what follows an address is no name",
}
"""Mails that two parsers read alike and this library otherwise, and why."""


def with_email(raw):
    """What the standard library reads; nothing where it raises."""
    try:
        found = message_from_bytes(raw, policy=policy.SMTP)
        leaves = [part for part in found.walk() if not part.is_multipart()]
        texts = [part.get_content() for part in leaves if part.get_content_type() == "text/plain" and not named(part)]
        names = [part.get_filename() for part in leaves if named(part)]
        people = found["from"].addresses
        return seen("\n".join(texts), names, people[0].display_name if people else "")
    except (AttributeError, IndexError, LookupError, UnicodeError, ValueError):
        return None


def named(part):
    return part.get_content_disposition() is not None


def seen(text, names, name):
    return {
        "text": (text or "").replace("\r\n", "\n").strip(),
        "files": sorted(filter(None, names)),
        "from": name or "",
    }


def ours(raw):
    outcome = receive(raw)
    if not isinstance(outcome, Received):
        return None
    parts, sender = outcome.message.parts, outcome.message.sender
    texts = [part.content for part in parts if isinstance(part, TextPart)]
    names = [part.name for part in parts if isinstance(part, FilePart)]
    return seen("\n".join(texts), names, sender.display_name)


def test_mails_are_read_as_other_parsers_agree(node, count):
    paths = sorted(path for folder in FOLDERS for path in CASES.glob(f"{folder}-*.eml"))
    mails = [path.read_bytes() for path in paths]
    answers = [
        node("mail.parse", parser=parser, mails=[b64encode(raw).decode() for raw in mails])
        for parser in PARSERS
        if parser != "email"
    ]
    found = [
        [
            seen(one["text"], [file["name"] for file in one["attachments"]], one["from"][0][0] if one["from"] else "")
            for one in mailwise
        ]
        for mailwise in answers
    ]
    odd = {}
    for path, raw, *theirs in zip(paths, mails, *found, strict=True):
        theirs.append(with_email(raw))
        mine = ours(raw)
        for what in ("text", "files", "from"):
            readings = [one[what] for one in theirs if one]
            agreed = next((one for one in readings if readings.count(one) > 1), None)
            if mine and agreed is not None and agreed != mine[what]:
                odd[f"{path.stem}: {what}"] = (mine[what], agreed)
            count(len(readings))
    assert odd.keys() == RULED.keys(), odd
