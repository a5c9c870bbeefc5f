"""Character sets: what the bytes of a text are, by the name of their set.

Names and bytes are read as the Encoding Standard says, with what mail has beyond it. UTF-7 is never decoded.

A byte that fits nothing costs itself: it becomes one U+FFFD, and what is around it is read.
"""

from __future__ import annotations

from codecs import charmap_decode
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from typing import Final

from ..._errors.exceptions import Code
from .double_byte import BAD, BIG5, EUC_JP, EUC_KR, GB18030, SHIFT_JIS, decode_double_byte
from .iso_2022 import decode_hz, decode_iso_2022_cn, decode_iso_2022_jp, decode_iso_2022_kr
from .line_ends import with_lf

_CHARSET_NAMES: Final = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "us-ascii": "unknown-8bit ansi_x3.4-1968 ascii us-ascii iso646-us iso_646.irv:1991 646",
    "cp1252": (
        "cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 "
        "latin-1 windows-1252 x-cp1252 x-ansi"
    ),
    "cp866": "866 cp866 csibm866 ibm866",
    "iso8859_2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso8859_3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso8859_4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso8859_5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "iso8859_6": (
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i "
        "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"
    ),
    "iso8859_7": (
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
        "iso_8859-7:1987 sun_eu_greek"
    ),
    "iso8859_8": (
        "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
        "iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical"
    ),
    "iso8859_10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso8859_13": "iso-8859-13 iso8859-13 iso885913",
    "iso8859_14": "iso-8859-14 iso8859-14 iso885914",
    "iso8859_15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso8859_16": "iso-8859-16",
    "koi8_r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8_u": "koi8-ru koi8-u koi8_u",
    "mac_roman": "csmacintosh mac macintosh x-mac-roman",
    "mac_cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "cp874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "cp1250": "cp1250 windows-1250 x-cp1250",
    "cp1251": "cp1251 windows-1251 x-cp1251",
    "cp1253": "cp1253 windows-1253 x-cp1253",
    "cp1254": (
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 "
        "x-cp1254"
    ),
    "cp1255": "cp1255 windows-1255 x-cp1255",
    "cp1256": "cp1256 windows-1256 x-cp1256",
    "cp1257": "cp1257 windows-1257 x-cp1257",
    "cp1258": "cp1258 windows-1258 x-cp1258",
    "gb18030": (
        "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030 cp936 ms936 windows-936"
    ),
    "big5": "big5 big5-hkscs cn-big5 csbig5 x-x-big5 cp950",
    "euc-jp": "cseucpkdfmtjapanese euc-jp x-euc-jp eucjp euc-jp-ms eucjp-ms cp51932",
    "iso-2022-jp": (
        "csiso2022jp iso-2022-jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3 iso-2022-jp-2004 iso-2022-jp-ms "
        "csiso2022jp2 cp50220 cp50221 cp50222"
    ),
    "shift_jis": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis cp932 x-ms-cp932",
    "euc-kr": (
        "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 "
        "cp949 uhc euckr cp51949"
    ),
    "x-user-defined": "x-user-defined",
    "utf-16-be": "unicodefffe utf-16be",
    "utf-16": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    # mail only
    "iso-2022-kr": "csiso2022kr iso-2022-kr",
    "iso-2022-cn": "iso-2022-cn iso-2022-cn-ext",
    "hz": "hz-gb-2312 hz",
    "cp437": "ibm437 cp437",
    "cp850": "ibm850 cp850",
    "cp852": "ibm852 cp852",
    "cp855": "ibm855 cp855",
    "cp857": "ibm857 cp857",
    "cp858": "ibm858 ibm00858 cp858 cp00858",
    "cp862": "ibm862 cp862",
    "mac_latin2": "x-mac-ce",
    "mac_greek": "x-mac-greek",
    "mac_turkish": "x-mac-turkish",
}
"""Character set → its names (MIME, IANA aliases). What is not in `_DECODERS` has a byte for each character."""

_CHARSETS: Final = {label: charset for charset, labels in _CHARSET_NAMES.items() for label in labels.split()}
_UTF_8: Final = frozenset(("utf-8", "us-ascii", ""))

_Decode = Callable[[bytes], str]

# Two letters of Belarusian stand where KOI8-U has lines of boxes.
_BELARUSIAN: Final = str.maketrans("╝╬", "ўЎ")
_HOLAM_HASER: Final = 0xCA


def decode_text(data: bytes, label: str) -> tuple[str, Code | None]:
    """The text that `data` is in the character set `label`, and the code of what was wrong with it, or None.

    Without a label, and for US-ASCII, bytes beyond ASCII are read as `decode_unlabelled` does: that is what senders
    that do not say it write. An unknown label is read as UTF-8, and so are bytes that are not in the named set but are
    UTF-8. What cannot be read becomes U+FFFD. A byte order mark at the start is not part of the text.

    Spec: Normalized Message §7 (canonicalization); Encoding Standard §4.2.
    """
    charset = _CHARSETS.get(label) or _CHARSETS.get(label.strip().lower(), "" if label else "us-ascii")
    if charset not in _UTF_8:
        decode = _DECODERS.get(charset)
        text = decode(data) if decode else _decode_single_bytes(data, charset)
        if BAD not in text:
            return text.removeprefix("\ufeff"), None
        if not data.isascii():
            with suppress(UnicodeDecodeError):
                text = data.decode("utf-8")
        return text.removeprefix("\ufeff"), "charset-broken"
    fault: Code | None = None if charset else "charset-unknown"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        fault = fault or "charset-broken"
        text = decode_unlabelled(data) if charset == "us-ascii" else data.decode("utf-8", "replace")
    return text.removeprefix("\ufeff"), fault


def decode_lines(data: bytes, label: str) -> tuple[str, Code | None, bool]:
    """`decode_text`, with LF for each CRLF; and whether there is an LF that is not of one."""
    lines = with_lf(data) if label in _BYTE_LINES else None
    if lines is not None:
        text, fault = decode_text(lines, label)
        return text, fault, False
    text, fault = decode_text(data, label)
    pieces = text.split("\r\n")  # to split and join is a third faster than to replace
    return "\n".join(pieces), fault, "\n" in "".join(pieces)


def _decode_utf_16(data: bytes, codec: str = "utf-16-le") -> str:
    """UTF-16. What has no mark is little-endian, on every machine."""
    return data.decode("utf-16-be" if data.startswith(b"\xfe\xff") else codec, "replace")


def _decode_single_bytes(data: bytes, charset: str) -> str:
    return charmap_decode(data, "strict", _single_bytes(charset))[0]


@lru_cache(maxsize=64)
def _single_bytes(charset: str) -> str:
    """The characters of all 256 bytes of a set.

    Where a code page leaves a byte undefined, the standard gives the control character of that number.
    """
    if charset == "x-user-defined":
        return "".join([chr(byte if byte < 0x80 else 0xF700 + byte) for byte in range(256)])
    chars = [bytes((byte,)).decode(charset, "replace") for byte in range(256)]
    if charset.startswith("cp"):
        chars = [chr(byte) if char == BAD and byte < 0xA0 else char for byte, char in enumerate(chars)]
    if charset == "cp1255":
        chars[_HOLAM_HASER] = "\u05ba"
    text = "".join(chars)
    return text.translate(_BELARUSIAN) if charset == "koi8_u" else text


def decode_unlabelled(data: bytes) -> str:
    """The text of bytes that are not UTF-8 throughout, and of which no set is named: UTF-8 or windows-1252."""
    return decode_broken_utf_8(data) or _decode_single_bytes(data, "cp1252")


def decode_broken_utf_8(data: bytes) -> str | None:
    """The text of UTF-8 with some broken bytes; None where so much is broken that it is another set."""
    text = data.decode("utf-8", "replace")
    broken = text.count(BAD)
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text if beyond_ascii > 2 * broken else None


_DECODERS: Final[dict[str, _Decode]] = {
    "big5": partial(decode_double_byte, charset=BIG5),
    "euc-jp": partial(decode_double_byte, charset=EUC_JP),
    "euc-kr": partial(decode_double_byte, charset=EUC_KR),
    "gb18030": partial(decode_double_byte, charset=GB18030),
    "shift_jis": partial(decode_double_byte, charset=SHIFT_JIS),
    "hz": decode_hz,
    "iso-2022-cn": decode_iso_2022_cn,
    "iso-2022-jp": decode_iso_2022_jp,
    "iso-2022-kr": decode_iso_2022_kr,
    "utf-16": _decode_utf_16,
    "utf-16-be": partial(_decode_utf_16, codec="utf-16-be"),
}
"""Character set → what decodes it, where each byte is not a character."""

_BYTE_LINES: Final = {"", *_CHARSETS} - {label for label, charset in _CHARSETS.items() if charset in _DECODERS}
"""The names of character sets in which CR and LF are these bytes, whatever is around them."""
