"""The character sets of East Asia whose characters have two to four bytes, as the Encoding Standard reads them.

Python's codecs do the work. They differ from the standard in a few hundred places, which are named here. Text that a
codec reads whole is only looked through for those; where one stops, the characters are read one by one for a while.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from .big5 import NOT_IN_PYTHON

BAD: Final = "\ufffd"
"""What bytes that are no character become."""

_CHUNK: Final = 1 << 16
_BLOCK: Final = 1 << 10
_MIN_WINDOW: Final = 8  # holds two characters, of which the first is whole

_Tokens = Callable[[bytes, int, int], Sequence[bytes]]
_Corrections = dict[str, str]
_NONE: Final[_Corrections] = {}


class DoubleByte(NamedTuple):
    """One character set.

    Attributes:
        codec: The codec of Python.
        tokens: Splits bytes into those of one character each, and ASCII.
        character: The character that such bytes stand for.
        corrections: What the codec reads → what the standard reads.
        unsure: Bytes that the codec reads wrongly as a character that others are too.
        extended: Decodes text with characters that the codec does not have; None where more than these is odd in it.
    """

    codec: str
    tokens: _Tokens
    character: Callable[[bytes], str]
    corrections: _Corrections = _NONE
    unsure: tuple[bytes, ...] = ()
    extended: Callable[[bytes], str | None] | None = None


def decode_double_byte(data: bytes, charset: DoubleByte) -> str:
    """The text of `data`. What is no character becomes U+FFFD, as much of it as the standard takes together.

    Spec: Encoding Standard §10 to §13.
    """
    for sequence in charset.unsure:
        if sequence[:1] in data and sequence in data:  # to look for one byte takes next to nothing
            return decode_tokens(data, charset.tokens, charset.character)
    try:
        text = data.decode(charset.codec)
    except UnicodeDecodeError:
        extended = charset.extended(data) if charset.extended else None
        return _decode_broken(data, charset) if extended is None else extended
    return corrected(text, charset.corrections)


def corrected(text: str, corrections: _Corrections) -> str:
    """What a codec has read, as the standard reads it."""
    for char in corrections:
        if char in text:
            return text.translate({ord(read): right for read, right in corrections.items()})
    return text


def _decode_broken(data: bytes, charset: DoubleByte) -> str:
    """The same where the codec stops: after each stop, some characters are read one by one, the more the denser it is.

    The codec reads short blocks, because one that stops keeps a copy of all that it was to read.
    """
    pieces: list[str] = []
    position, size, window = 0, len(data), _MIN_WINDOW
    while position < size:
        block = data[position : position + _BLOCK]
        try:
            text, stopped = block.decode(charset.codec), len(block)
        except UnicodeDecodeError as error:
            stopped = error.start
            text = block[:stopped].decode(charset.codec)
        pieces.append(corrected(text, charset.corrections))
        position += stopped
        if stopped < len(block):
            window = _MIN_WINDOW if stopped > window else min(2 * window, _CHUNK)
            text, position = _read_tokens(data, position, window, charset.tokens, charset.character)
            pieces.append(text)
    return "".join(pieces)


def decode_tokens(data: bytes, split: _Tokens, character: Callable[[bytes], str]) -> str:
    """The text of `data`, character by character.

    Args:
        data: The bytes.
        split: Splits a range of them into those of one character each. It leaves nothing out.
        character: The character that such bytes stand for.
    """
    pieces: list[str] = []
    position = 0
    while position < len(data):
        text, position = _read_tokens(data, position, _CHUNK, split, character)
        pieces.append(text)
    return "".join(pieces)


def _read_tokens(
    data: bytes, start: int, window: int, split: _Tokens, character: Callable[[bytes], str]
) -> tuple[str, int]:
    """The text of some bytes from `start`, and where the next ones begin."""
    tokens = split(data, start, start + window)
    if start + window < len(data) and len(tokens) > 1:
        tokens = tokens[:-1]  # the last one may be cut
    known = {token: character(token) for token in set(tokens)}
    return "".join([known[token] for token in tokens]), start + sum(map(len, tokens))


def _refused(token: bytes) -> str:
    """`BAD`, and an ASCII byte at the end of what was refused as itself."""
    return BAD + chr(token[-1]) if len(token) > 1 and token[-1] < 0x80 else BAD


def _by_codec(codec: str, corrections: _Corrections = _NONE) -> Callable[[bytes], str]:
    """The character of bytes by one of Python's codecs, as the standard reads it."""

    def character(token: bytes) -> str:
        try:
            text = token.decode(codec)
        except UnicodeDecodeError:
            return _refused(token)
        return corrections.get(text, text)

    return character


# --- Korean

EUC_KR: Final = DoubleByte(
    codec="cp949",
    tokens=re.compile(rb"[\x00-\x7f]++|[\x81-\xfe].?|.", re.DOTALL).findall,
    character=_by_codec("cp949"),
)

# --- Japanese

# Python reads four single bytes that are none.
_NO_SHIFT_JIS: Final = dict.fromkeys("\uf8f0\uf8f1\uf8f2\uf8f3", BAD)
_shift_jis = _by_codec("cp932", _NO_SHIFT_JIS)
SHIFT_JIS: Final = DoubleByte(
    codec="cp932",
    tokens=re.compile(rb"[\x00-\x7f]++|[\x81-\x9f\xe0-\xfc].?|.", re.DOTALL).findall,
    character=_shift_jis,
    corrections=_NO_SHIFT_JIS,
)


def jis_character(row: int, cell: int) -> str:
    """The character of JIS X 0208 with the extensions of NEC and IBM, by its two bytes without their high bits.

    The code page of Shift_JIS has them all: rows 13 and 89 to 92, and 95 to 120, which mail writers use too.
    """
    first = (row + 1) // 2 + (0x70 if row < 0x5F else 0xB0)
    second = cell + 0x7E if not row % 2 else cell + (0x1F if cell < 0x60 else 0x20)
    return _shift_jis(bytes((first, second)))


_STAND_IN: Final = "〓"


class Extended(NamedTuple):
    """How text with rows 13 and 89 to 92 is decoded, which writers use and Python's codecs for JIS X 0208 do not have.

    A stand-in takes the place of each such character, so that the codec reads the rest at once.

    Attributes:
        codec: The codec of Python.
        corrections: What it reads → what the standard reads.
        runs: Takes what may be characters of two bytes each, as group 1.
        rows: Takes the first byte of such a character.
        stand_in: The bytes of the stand-in, within a run.
        odd: Bytes with which characters may have other sizes.
    """

    codec: str
    corrections: _Corrections
    runs: Callable[[bytes], Iterator[re.Match[bytes]]]
    rows: Callable[[bytes], Iterator[re.Match[bytes]]]
    stand_in: bytes
    odd: tuple[bytes, ...] = ()

    def decode(self, data: bytes) -> str | None:
        """The text; None where anything else in it is not in order."""
        if any(one in data for one in self.odd):
            return None
        pieces: list[bytes] = []
        chars: list[str] = []
        at = 0
        for run in self.runs(data):
            start, end = run.span(1)
            for first in self.rows(data[start : end - 1 : 2]):
                place = start + 2 * first.start()
                pieces += (data[at:place], self.stand_in)
                chars.append(_extended_character(data[place : place + 2]))
                at = place + 2
        try:
            text = b"".join([*pieces, data[at:]]).decode(self.codec)
        except UnicodeDecodeError:
            return None
        between = corrected(text, self.corrections).split(_STAND_IN)
        if len(between) != len(chars) + 1 or BAD in chars:
            return None
        return "".join([one for pair in zip(between, [*chars, ""], strict=True) for one in pair])


@lru_cache(maxsize=1024)
def _extended_character(pair: bytes) -> str:
    char = jis_character(pair[0] & 0x7F, pair[1] & 0x7F)
    return char if len(char) == 1 else BAD


_euc_jp = _by_codec("euc_jp")
_FULLWIDTH_TILDE: Final = b"\x8f\xa2\xb7"


def _euc_jp_character(token: bytes) -> str:
    if len(token) == 2 and min(token) > 0xA0 and token[1] < 0xFF:
        return jis_character(token[0] & 0x7F, token[1] & 0x7F)[:1]
    return "\uff5e" if token == _FULLWIDTH_TILDE else _euc_jp(token)


_EUC_JP_CORRECTIONS: Final = dict(zip("〜‖−¢£¬", "～∥－￠￡￢", strict=True))
_EXTENDED_EUC_JP: Final = Extended(
    codec="euc_jp",
    corrections=_EUC_JP_CORRECTIONS,
    runs=re.compile(rb"([\xa1-\xfe]++)").finditer,
    rows=re.compile(rb"[\xad\xf9-\xfc]").finditer,
    stand_in=_STAND_IN.encode("euc_jp"),
    odd=(b"\x8e", b"\x8f"),
)
EUC_JP: Final = DoubleByte(
    codec="euc_jp",
    tokens=re.compile(rb"[\x00-\x7f]++|\x8f[\xa1-\xfe].?|[\x8e\x8f\xa1-\xfe].?|.", re.DOTALL).findall,
    character=_euc_jp_character,
    corrections=_EUC_JP_CORRECTIONS,
    unsure=(_FULLWIDTH_TILDE,),
    extended=_EXTENDED_EUC_JP.decode,
)

# --- Chinese

_GB18030_CORRECTIONS: Final = dict(zip(
    "\ue5e5\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796"
    "\ue7c7\u1e3f\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864",
    "\u3000\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16\ufe17\ufe18\ufe19"
    "\u1e3f\ue7c7\u9fb4\u9fb5\u9fb6\u9fb7\u9fb8\u9fb9\u9fba\u9fbb",
    strict=True,
))  # fmt: skip
_gb18030 = _by_codec("gb18030", _GB18030_CORRECTIONS)


def _gb18030_character(token: bytes) -> str:
    if token == b"\x80":
        return "€"
    text = _gb18030(token)
    # Four bytes go together, and so does what of them is at the end.
    return BAD if text[0] == BAD and token[1:2].isdigit() else text


GB18030: Final = DoubleByte(
    codec="gb18030",
    tokens=re.compile(
        rb"[\x00-\x7f]++|[\x81-\xfe](?:[0-9][\x81-\xfe][0-9]|[0-9][\x81-\xfe]?\Z|[^0-9]?)|.", re.DOTALL
    ).findall,
    character=_gb18030_character,
    corrections=_GB18030_CORRECTIONS,
)

_BIG5_CORRECTIONS: Final = dict(zip("•､‾∼♁☉¥¢£", "‧﹑¯～⊕⊙￥￠￡", strict=True))
_big5 = _by_codec("big5hkscs", _BIG5_CORRECTIONS)
_BIG5_UNSURE: Final = {b"\xa2\x41": "\u2215", b"\xa2\x42": "\ufe68"}


def _big5_character(token: bytes) -> str:
    return NOT_IN_PYTHON.get(token) or _BIG5_UNSURE.get(token) or _big5(token)


BIG5: Final = DoubleByte(
    codec="big5hkscs",
    tokens=re.compile(rb"[\x00-\x7f]++|[\x81-\xfe].?|.", re.DOTALL).findall,
    character=_big5_character,
    corrections=_BIG5_CORRECTIONS,
    unsure=tuple(_BIG5_UNSURE),
)
