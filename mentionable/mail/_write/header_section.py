"""Header fields of what is sent: folded, in ASCII wherever an address does not forbid it, and never two out of one.

Text is one line before it gets here (`single_line`, `file_name`), or fits a pattern of this module.
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Iterable, Sequence
from typing import Final

from .._read.header_section import Mailbox

_LINE: Final = 76
_MAX_WORD: Final = 900
"""No word of a field is longer: it has to fit into a line of 998, whatever comes before and after it."""

_NAME_WORD: Final = 64
"""Encoded words of names are so short that one fits behind the name of its field."""

_MAX_QUOTED: Final = 64
_ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]++(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]++)*").fullmatch
_QUOTED_CHARS: Final = str.maketrans({'"': '\\"', "\\": "\\\\"})
_MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]++>").fullmatch

_PIECE: Final = 56
_ATTRIBUTE_CHARS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$&+-.^_`|~")
_PERCENT: Final = tuple(chr(byte) if byte in _ATTRIBUTE_CHARS else f"%{byte:02X}" for byte in range(256))
_NOT_PLAIN: Final = re.compile(r"[^A-Za-z0-9 ._-]++")


def folded(name: str, words: Sequence[str]) -> str:
    """A field whose lines are at most 76 characters long, as far as its words let them.

    Spec: RFC 5322 §2.2.3.
    """
    lines = [f"{name}: {words[0]}"]
    for word in words[1:]:
        if len(lines[-1]) + len(word) < _LINE:
            lines[-1] += f" {word}"
        else:
            lines.append(f" {word}")
    return "\r\n".join(lines)


def text_field(name: str, text: str) -> str:
    """A field of free text. A leading `Re:` stays readable even for programs that do not decode the rest.

    Args:
        name: Its name.
        text: One line.

    Spec: RFC 5322 §3.6.5; RFC 2047.
    """
    if text.isascii() and "=?" not in text:
        if len(name) + len(text) < _LINE:
            return f"{name}: {text}"
        words = text.split(" ")
        if "" not in words and max(map(len, words)) <= _MAX_WORD:
            return folded(name, words)
    lead = "Re: " if text.startswith("Re: ") else ""
    encoded = encode_words(text[len(lead) :], first=_LINE - len(name) - 2 - len(lead))
    return "\r\n ".join([f"{name}: {lead}{encoded[0]}", *encoded[1:]])


def mailboxes_field(name: str, mailboxes: Iterable[Mailbox]) -> str:
    """A field of mailboxes.

    Spec: RFC 5322 §3.4; RFC 2047 §5 (3); RFC 6532.
    """
    words: list[str] = []
    for mailbox in mailboxes:
        if words:
            words[-1] += ","
        words += [*_phrase(mailbox.name), f"<{mailbox.address}>"] if mailbox.name else [mailbox.address]
    return folded(name, words)


def unsubscribe_fields(uris: Sequence[str]) -> list[str]:
    """The fields that say where such mails can be stopped; none where there is no URI.

    Spec: RFC 2369 §3.2; RFC 8058 §3.1.
    """
    if not uris:
        return []
    fields = [folded("List-Unsubscribe", [*[f"<{uri}>," for uri in uris[:-1]], f"<{uris[-1]}>"])]
    if any(uri.startswith("https:") for uri in uris):
        fields.append("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
    return fields


def _phrase(name: str) -> list[str]:
    """A display name as words that may be folded between."""
    if name.isascii() and "=?" not in name and len(name) <= _MAX_QUOTED:
        return [name if _ATOMS(name) else f'"{name.translate(_QUOTED_CHARS)}"']
    return encode_words(name, first=_NAME_WORD, others=_NAME_WORD)


def is_message_id(text: str) -> bool:
    """Whether `text` is an id with its `<>` that can be written into a field.

    Servers write ids without an @ and with several: an answer names them as they are, or it is in no thread.

    Spec: RFC 5322 §3.6.4.
    """
    return len(text) <= _MAX_WORD and _MESSAGE_ID(text) is not None


def file_fields(mime: str, name: str | None, *, content_id: str | None) -> list[str]:
    """The fields that tell what a file is: an image that the HTML shows when it has an id, else an attachment.

    A name beyond ASCII is in `filename*`; programs that do not know that find a plain one in Content-Type.

    Spec: RFC 2045 §5.1; RFC 2183; RFC 2231 §3, §4; RFC 2392.
    """
    kind, placed = [mime], ["attachment" if content_id is None else "inline"]
    if name is not None:
        placed[0] += ";"
        if name.isascii() and "=?" not in name:
            placed.append(f'filename="{name.translate(_QUOTED_CHARS)}"')
        else:
            kind = [f"{mime};", f'name="{_NOT_PLAIN.sub("_", name)[-_PIECE:]}"']
            placed += _extended("filename", name)
    fields = [
        folded("Content-Type", kind),
        "Content-Transfer-Encoding: base64",
        folded("Content-Disposition", placed),
    ]
    return fields if content_id is None else [*fields, f"Content-ID: <{content_id}>"]


def _extended(name: str, value: str) -> list[str]:
    """A parameter in UTF-8, in as many pieces as it needs."""
    pieces = [""]
    for char in value:
        encoded = "".join([_PERCENT[byte] for byte in char.encode()])
        if len(pieces[-1]) + len(encoded) > _PIECE:
            pieces.append("")
        pieces[-1] += encoded
    if len(pieces) == 1:
        return [f"{name}*=utf-8''{pieces[0]}"]
    pieces[0] = f"utf-8''{pieces[0]}"
    last = len(pieces) - 1
    return [f"{name}*{number}*={piece}" + ";" * (number < last) for number, piece in enumerate(pieces)]


# --- encoded words (RFC 2047)

_WORD: Final = 75
_WORD_FRAME: Final = len("=?utf-8?q??=")
_SAFE_IN_WORDS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")
_Q: Final = tuple(chr(byte) if byte in _SAFE_IN_WORDS else "_" if byte == 32 else f"={byte:02X}" for byte in range(256))


def encode_words(text: str, *, first: int = _WORD, others: int = _WORD) -> list[str]:
    """One line of text as encoded words, each of which holds whole characters.

    Args:
        text: The text, not empty.
        first: How long the first word may be.
        others: How long the others may be, at most 75.

    Spec: RFC 2047 §2, §5.
    """
    data = text.encode()
    is_q = sum([len(_Q[byte]) for byte in data]) <= (len(data) + 2) // 3 * 4
    words: list[str] = []
    pending: list[bytes] = []
    size, capacity = 0, _capacity(first, is_q=is_q)
    for char in text:
        encoded = char.encode()
        length = sum([len(_Q[byte]) for byte in encoded]) if is_q else len(encoded)
        if size + length > capacity:
            words.append(_word(b"".join(pending), is_q=is_q))
            pending.clear()
            size, capacity = 0, _capacity(others, is_q=is_q)
        pending.append(encoded)
        size += length
    return [*words, _word(b"".join(pending), is_q=is_q)]


def _capacity(length: int, *, is_q: bool) -> int:
    """What a word of a length holds: characters of Q, or bytes that become base64."""
    payload = length - _WORD_FRAME
    return payload if is_q else payload // 4 * 3


def _word(data: bytes, *, is_q: bool) -> str:
    payload = "".join([_Q[byte] for byte in data]) if is_q else b2a_base64(data, newline=False).decode("ascii")
    return f"=?utf-8?{'q' if is_q else 'b'}?{payload}?="
