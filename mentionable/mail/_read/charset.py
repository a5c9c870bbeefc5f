"""Bytes of a named character set to text: the labels of the web's encoding standard, and a few that only mail has.

A label is looked up in the table below and nowhere else, so that no name from outside can pick a codec. UTF-7 is not in
it: decoding it would turn harmless bytes into markup.
"""

from __future__ import annotations

from typing import Final

from ..._errors.exceptions import Code

_LABELS: Final = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "us-ascii": "ansi_x3.4-1968 ascii us-ascii iso646-us iso_646.irv:1991 646",
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
    "koi8_u": "koi8-ru koi8-u",
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
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5 cp950",
    "euc_jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso2022_jp_ext": "csiso2022jp iso-2022-jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3",
    "cp932": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis cp932",
    "cp949": (
        "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 "
        "cp949"
    ),
    "utf-16-be": "unicodefffe utf-16be",
    "utf-16": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    # mail only
    "iso2022_kr": "csiso2022kr iso-2022-kr",
    "hz": "hz-gb-2312 hz",
    "cp437": "ibm437 cp437",
    "cp850": "ibm850 cp850",
    "cp852": "ibm852 cp852",
}
_CODECS: Final = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}

# Where a Windows code page leaves a byte undefined, the encoding standard gives the control character of that number.
_PAGE_1252: Final = {
    byte: bytes((byte,)).decode("cp1252") for byte in range(0x80, 0xA0) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}


def decode_text(data: bytes, label: str) -> tuple[str, Code | None]:
    """The text that `data` is in the character set `label`, and the code of what was wrong with it, or None.

    Without a label, and for US-ASCII, bytes beyond ASCII are read as UTF-8 where they are UTF-8 and as windows-1252
    otherwise: that is what senders that do not say it write. An unknown label is read as UTF-8, and so are bytes that
    are not in the named set but are UTF-8. What cannot be read becomes U+FFFD. A byte order mark at the start is not
    part of the text.

    Spec: Normalized Message §7 (canonicalization).
    """
    codec = _CODECS.get(label) or _CODECS.get(label.strip().lower(), "" if label else "us-ascii")
    fault: Code | None = None if codec else "charset-unknown"
    if codec in ("us-ascii", ""):
        named = "utf-8"
    elif codec == "utf-16":
        # Without a mark it is little-endian, on every machine.
        named = "utf-16-be" if data.startswith(b"\xfe\xff") else "utf-16-le"
    else:
        named = codec
    try:
        text = data.decode(named)
    except UnicodeDecodeError:
        text, fault = _decode_broken(data, codec, named), fault or ("charset-broken" if codec != "cp1252" else None)
    return text.removeprefix("\ufeff"), fault


def _decode_broken(data: bytes, codec: str, named: str) -> str:
    """The text of bytes that are not in their character set."""
    if codec in ("cp1252", "us-ascii"):
        return data.decode("latin-1").translate(_PAGE_1252)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(named, "replace")
