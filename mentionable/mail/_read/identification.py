"""What few mails need of the identification fields (RFC 5322 §3.6.4): odd ids, ids that are made, Thread-Index.

An ordinary mail enters nothing of this module: `read_ids` and `read_thread` send only the rest here.
"""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import a2b_base64
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

RESERVED: Final = "@mentionable.invalid>"
"""The end of ids that are made here. No field may name one: an attacker who computes one gets into no thread by it."""

# --- ids that are not written as RFC 5322 wants it

_PIECES: Final = re.compile(r"<([^<>]*+)>|([()])|([^<>()]++|[<>])").findall
_SEPARATORS: Final = re.compile(r"[\s,;]+").split
_ID: Final = re.compile(r"[^<>\s\x00-\x1f\x7f]++").fullmatch
_BARE_ID: Final = re.compile(r"[^<>@\s\x00-\x1f\x7f]++@[^<>@\s\x00-\x1f\x7f]++").fullmatch
_LETTER: Final = re.compile(r"[A-Za-z0-9]|[^\x00-\x7f]").search
_BLANKS: Final = str.maketrans("", "", " \t")
_AROUND_BARE_IDS: Final = "<>()\"'"


def read_odd_ids(value: str) -> list[str]:
    """The ids of an identification field, each with its `<>`, in order, as programs of all times have written them.

    What is in a comment counts only where nothing else does. Blanks inside an id go, where it has one @ without them.
    An id without an @ counts only in a field that has no words: else it is a word. Without anything in `<>`, bare words
    of the form `local@domain` count. An id without its end is none, unless it is all that there is.

    Spec: RFC 5322 §3.6.4, §4.5.4; RFC 822 §4.6.2.
    """
    pieces = _PIECES(value)
    ids = _bracketed(pieces, in_comments=False) or _bracketed(pieces, in_comments=True)
    if not ids:
        ids = [word for piece in _SEPARATORS(value) if _BARE_ID(word := piece.strip(_AROUND_BARE_IDS))]
    return [text for one in ids if not (text := f"<{one}>").endswith(RESERVED)]


def _bracketed(pieces: Sequence[tuple[str, str, str]], *, in_comments: bool) -> list[str]:
    """The ids in `<>`, without these."""
    depth, has_words = 0, False
    ids: list[str] = []
    for inside, parenthesis, other in pieces:
        if parenthesis:
            depth = depth + 1 if parenthesis == "(" else max(depth - 1, 0)
        elif depth and not in_comments:
            continue
        elif other:
            has_words = has_words or _LETTER(other) is not None
        elif _ID(inside):
            if _LETTER(inside):
                ids.append(inside)
        elif (joined := inside.translate(_BLANKS)) and _BARE_ID(joined):
            ids.append(joined)
    return [one for one in ids if "@" in one] if has_words else ids


CORRESPONDENTS: Final = ("from", "reply-to", "to", "cc")
"""The fields whose mailboxes some programs write in In-Reply-To."""

_ADDRESSES: Final = re.compile(r"[^\s<>,;:\"()@]++@[^\s<>,;:\"()@]++").findall


def without_addresses(ids: Sequence[str], fields: str) -> list[str]:
    """The ids without those that are no ids, but mailboxes of the mail itself.

    Some programs name in In-Reply-To the person that they answer. All their mails to one person would be one thread.

    Args:
        ids: Ids, each with its `<>`.
        fields: The values of its `CORRESPONDENTS`.
    """
    fields, mailboxes = fields.lower(), None
    left: list[str] = []
    for one in ids:
        inner = one[1:-1].lower()
        if inner in fields:  # rare: only then is each mailbox looked at
            mailboxes = frozenset(_ADDRESSES(fields)) if mailboxes is None else mailboxes
            if inner in mailboxes:
                continue
        left.append(one)
    return left


# --- the id of a mail that has none

_TRACE_FIELDS: Final = frozenset((
    "received", "return-path", "delivered-to", "envelope-to", "original-recipient", "apparently-to",
    "authentication-results", "received-spf", "dkim-signature", "domainkey-signature", "dkim-filter",
    "content-length", "lines", "status", "errors-to",
))  # fmt: skip
_TRACE_PREFIXES: Final = ("arc-", "resent-", "x-", "list-", "archived-")
"""Fields that hops add. No standard says who writes a field in `x-`: filters and mailboxes on the way add many."""


_BLANK_RUNS: Final = re.compile(r"[ \t]++").sub


def made_id(fields: Iterable[tuple[str, str, str]], body: bytes) -> str:
    """The id of a mail without a usable Message-ID, the same each time that the mail comes.

    It depends on the fields that its author wrote, each as one line with single blanks, and on the body without its
    last line ends. Date counts: the same words at another time are another message, and to take the second one for a
    redelivery would lose it.

    Args:
        fields: The fields of the mail, in order, as the header section has them.
        body: Its body, with CRLF unless its line ends are mixed.

    Spec: RFC 5322 §3.6.7; RFC 8601 §5; RFC 8617 §4.1.
    """
    text = "".join([
        f"{key}:{value}\n"
        for key, _, value in fields
        if key not in _TRACE_FIELDS and not key.startswith(_TRACE_PREFIXES)
    ])  # fmt: skip
    if "\t" in text or "  " in text:
        text = _BLANK_RUNS(" ", text)
    digest = sha256(text.encode() + b"\n")
    digest.update(body.rstrip(b"\r\n"))
    return f"<{digest.hexdigest()[:32]}{RESERVED}"


# --- Thread-Index (MS-OXOMSG §2.2.1.3)

_CONVERSATION_BYTES: Final = 22
_REPLY_BYTES: Final = 5
_MAX_REPLIES: Final = 100
_MAX_CHARS: Final = (_CONVERSATION_BYTES + _REPLY_BYTES * _MAX_REPLIES) * 4 // 3 + 4
_FILE_TIME_EPOCH: Final = datetime(1601, 1, 1, tzinfo=UTC)
_MAX_TICKS: Final = (1 << 31) - 1


def read_thread_index(value: str) -> bytes | None:
    """The bytes of a Thread-Index field; None where it does not have its form.

    Spec: MS-OXOMSG §2.2.1.3 (PidTagConversationIndex).
    """
    text = "".join(value.split()) if len(value) <= _MAX_CHARS else ""
    try:
        index = a2b_base64(text.encode("ascii"), strict_mode=True)
    except ValueError:
        return None
    size = len(index) - _CONVERSATION_BYTES
    return index if size >= 0 and size % _REPLY_BYTES == 0 and index[0] == 1 else None


def conversation_id(value: str) -> str | None:
    """The id that every mail of a conversation shares, made of its Thread-Index field; None where that is odd."""
    index = read_thread_index(value)
    if index is None:
        return None
    return f"<thread-index.{sha256(index[:_CONVERSATION_BYTES]).hexdigest()[:32]}{RESERVED}"


def next_thread_index(value: str, now: datetime) -> str | None:
    """The Thread-Index of an answer to a mail with this one; None where that is odd, or has no place for another.

    The answer adds the time since the conversation began. Bytes 1 to 5 of the index are the upper ones of a FILETIME.

    Spec: MS-OXOMSG §2.2.1.3.
    """
    index = read_thread_index(value)
    if index is None or len(index) >= _CONVERSATION_BYTES + _REPLY_BYTES * _MAX_REPLIES:
        return None
    began = int.from_bytes(index[:6], "big") << 16
    elapsed = max(_file_time(now) - began, 0)
    # Short conversations count in 2**18 ticks of 100 ns, others in 2**23, which the first bit says.
    is_long = elapsed >= 1 << 49
    ticks = min(elapsed >> (23 if is_long else 18), _MAX_TICKS) | is_long << 31
    return b64encode(index + ticks.to_bytes(4, "big") + b"\0").decode("ascii")


def _file_time(now: datetime) -> int:
    """The time as a FILETIME: how often 100 ns passed since the year 1601."""
    return (now - _FILE_TIME_EPOCH) // timedelta(microseconds=1) * 10
