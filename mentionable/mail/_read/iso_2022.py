"""The character sets of 7 bits that switch between others: ISO-2022-JP, ISO-2022-KR, ISO-2022-CN, and HZ.

ISO-2022-JP is read as the Encoding Standard does, with what mail adds to it: half-width katakana, JIS X 0212 and 0213,
the sets of ISO-2022-JP-2, and the extensions of NEC and IBM. In two places mail comes before the standard: a switch
after another is nothing (words of a header field each switch for themselves), and a control character is itself in
every set.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from .double_byte import (
    BAD,
    EUC_JP,
    EUC_KR,
    GB18030,
    Extended,
    corrected,
    decode_double_byte,
    decode_tokens,
    jis_character,
)

_Decode = Callable[[bytes], str]

_SWITCHES: Final = re.compile(
    rb"\x1b(?:(\([BHIJ]|\$(?:[@AB]|\([@BCDOPQ]|[)*][ACEGHIJKLM])|\.[AF])|N([ -\x7f]))|([\x0e\x0f]++)"
).finditer
# Switches that Python's codec leaves out of the text without a word. It refuses the others of this form itself.
_OTHER_SWITCH: Final = re.compile(rb"\x1b(?![$(][@BJ])").search
_HIGH: Final = bytes([byte | 0x80 for byte in range(256)])
_ONLY_PAIRS: Final = re.compile(rb"[!-~]*+").fullmatch
_PAIRS: Final = re.compile(rb"[!-~\x80-\x97][!-~]|[!-~][\x7f-\xff]|.", re.DOTALL).findall


def _ascii(run: bytes) -> str:
    return run.decode("ascii", "replace").replace("\x1b", BAD)


def _roman(run: bytes) -> str:
    """JIS X 0201: ASCII with a yen sign and an overline."""
    return _ascii(run).replace("\\", "¥").replace("~", "\u203e")


_KATAKANA_TABLE: Final = "".join([
    chr(0xFF40 + byte) if 0x21 <= byte <= 0x5F else BAD if byte > 0x20 or byte == 0x1B else chr(byte)
    for byte in range(256)
])  # fmt: skip


def _katakana(run: bytes) -> str:
    """JIS X 0201: half-width katakana."""
    return run.decode("latin-1").translate(_KATAKANA_TABLE)


def _pairs(run: bytes, character: Callable[[bytes], str]) -> str:
    """A run of a set whose characters have two bytes. One that is none costs itself."""

    def one(token: bytes) -> str:
        if len(token) == 1:
            return token.decode("ascii") if token <= b" " and token != b"\x1b" else BAD
        text = BAD if token[1] > 0x7E else character(token)
        return BAD if BAD in text else text

    return decode_tokens(run, _PAIRS, one)


def _jis_x_0208(run: bytes) -> str:
    if _ONLY_PAIRS(run) and not len(run) % 2:
        return decode_double_byte(run.translate(_HIGH), EUC_JP)
    return _pairs(run, lambda pair: jis_character(*pair))


def _high(decode: _Decode, prefix: bytes = b"") -> _Decode:
    """A set that is the upper half of another: its bytes have the high bit there."""

    def character(pair: bytes) -> str:
        return decode(prefix + pair.translate(_HIGH)) if pair[0] < 0x7F else BAD

    return partial(_pairs, character=character)


def _jis_x_0213(pair: bytes) -> str:
    return pair.decode("euc_jis_2004", "replace")


_no_set = partial(_pairs, character=lambda pair: BAD)
_korean = _high(EUC_KR.character)
_chinese = _high(GB18030.character)

_SETS: Final[dict[bytes, _Decode]] = {
    b"(B": _ascii,
    b"(H": _roman,
    b"(J": _roman,
    b"(I": _katakana,
    b"$@": _jis_x_0208,
    b"$B": _jis_x_0208,
    b"$(@": _jis_x_0208,
    b"$(B": _jis_x_0208,
    b"$A": _chinese,
    b"$(C": _korean,
    b"$(D": _high(EUC_JP.character, b"\x8f"),
    b"$(O": _high(_jis_x_0213),
    b"$(Q": _high(_jis_x_0213),
    b"$(P": _high(_jis_x_0213, b"\x8f"),
}
"""What follows ESC → the set that it switches to."""

_SHIFTED: Final[dict[bytes, _Decode]] = {b"$)A": _chinese, b"$)C": _korean}
_AFTER_N: Final = {b".A": "latin-1", b".F": "iso8859_7"}
"""What follows ESC → the codec whose upper half the character after ESC N is in."""

_SHIFT_OUT: Final = 0x0E
_CORRECTIONS: Final = EUC_JP.corrections
_EXTENDED: Final = Extended(
    codec="iso2022_jp",
    corrections=_CORRECTIONS,
    runs=re.compile(rb"\x1b\$[@B]([!-~]++)").finditer,
    rows=re.compile(rb"[-y-|]").finditer,
    stand_in=b'".',
    odd=(b"\x0e", b"\x0f"),
)


def decode_iso_2022_jp(data: bytes) -> str:
    """The text of ISO-2022-JP.

    Spec: Encoding Standard §12.2.
    """
    if _OTHER_SWITCH(data) is None:
        text: str | None
        try:
            text = corrected(data.decode("iso2022_jp"), _CORRECTIONS)
        except UnicodeDecodeError:
            text = _EXTENDED.decode(data)
        if text is not None and chr(_SHIFT_OUT) not in text:
            return text
    return _decode(data, _katakana)


def decode_iso_2022_kr(data: bytes) -> str:
    """The text of ISO-2022-KR.

    Spec: RFC 1557.
    """
    return _decode(data, _korean)


def decode_iso_2022_cn(data: bytes) -> str:
    """The text of ISO-2022-CN, as far as it is in GB 2312. Characters of Taiwan's sets become U+FFFD.

    Spec: RFC 1922.
    """
    return _decode(data, _chinese)


_MAX_SHORT: Final = 8


def _decode_run(run: bytes, decode: _Decode) -> str:
    """The text of bytes of one set. Text of many switches has the same few short runs all the time."""
    return _decode_short(run, decode) if len(run) <= _MAX_SHORT else decode(run)


@lru_cache(maxsize=8_192)
def _decode_short(run: bytes, decode: _Decode) -> str:
    return decode(run)


def _decode(data: bytes, shifted: _Decode) -> str:
    """Text that switches between sets. `shifted` is the one that SO switches to; SI and the end of the line end it."""
    data = data.replace(b"\x0e\n", b"\n")  # such a shift ends where it begins
    out = bytearray()  # of UTF-8: many short strings would take far more
    plain: _Decode = _ascii
    after_n, is_shifted, position = "", False, 0

    def write(run: bytes) -> None:
        """Adds the text of a run, and ends the shift with the line."""
        nonlocal is_shifted, out
        if is_shifted:
            line, line_end, rest = run.partition(b"\n")
            is_shifted = not line_end
            out += _decode_run(line, shifted).encode()
            run = line_end + rest
        out += _decode_run(run, plain).encode()

    for match in _SWITCHES(data):
        if position < match.start():
            write(data[position : match.start()])
        position = match.end()
        switch, one, shift = match.groups()
        if shift:
            is_shifted = shift[-1] == _SHIFT_OUT
        elif one:
            out += (one.translate(_HIGH).decode(after_n, "replace") if after_n else BAD).encode()
            position += after_n == ""  # such a character has two bytes
        elif switch in _AFTER_N:
            after_n = _AFTER_N[switch]
        elif switch in _SETS:
            plain = _SETS[switch]
        elif switch.startswith(b"$)"):
            shifted = _SHIFTED.get(switch, _no_set)
    write(data[position:])
    return out.decode()


_FROM_TILDE: Final = re.compile(rb"~[^\r\n]*+(?:\r\n?|\n)?").finditer


def decode_hz(data: bytes) -> str:
    """The text of HZ. A line begins in ASCII.

    Spec: RFC 1843.
    """
    out = bytearray()  # of UTF-8: many short strings would take far more
    position = 0
    for match in _FROM_TILDE(data):
        if position < match.start():
            out += _ascii(data[position : match.start()]).encode()
        out += _decode_run(match[0], _hz_line).encode()
        position = match.end()
    out += _ascii(data[position:]).encode()
    return out.decode()


def _hz_line(line: bytes) -> str:
    """The text of what begins with a tilde, up to the end of its line."""
    out = bytearray()  # of UTF-8: many short strings would take far more
    position = 0
    while (tilde := line.find(b"~", position)) >= 0:
        if position < tilde:
            out += _ascii(line[position:tilde]).encode()
        position = tilde + 2
        match line[tilde + 1 : position]:
            case b"{":
                end = line.find(b"~}", position)
                end = len(line) if end < 0 else end
                out += _decode_run(line[position:end], _chinese).encode()
                position = end + 2
            case b"~":
                out += b"~"
            case b"\n" | b"\r":
                position = len(line)
            case other:
                out += ("~" + _ascii(other)).encode()
    out += _ascii(line[position:]).encode()
    return out.decode()
