"""MIME (RFC 2045 to 2047, 2231): charsets, transfer encodings, encoded words, parameters, and the tree of body parts.

The tree is walked without recursion over the raw bytes, and nothing is copied. Reading is bounded by `Limits` and
linear in the size of the mail for each level of nesting.
"""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64, a2b_qp
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from ..._errors.exceptions import Code, wire_error
from ..._flow.settings import Limits
from ..._model.base import EMPTY_DICT
from ..._model.diagnostic import Diagnostic
from ..._model.rules import is_media_type
from ..._text import media as _files

# --- charsets

_CHARSET_NAMES: Final = {
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
"""Python codec → the names of the charset (MIME, IANA aliases). A wider codec stands in for some."""

_CODECS: Final = {label: codec for codec, labels in _CHARSET_NAMES.items() for label in labels.split()}

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


# --- transfer encodings (RFC 2045 §6)

_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]*+").match
_BLANKS: Final = b" \t\r\n"
_PLAIN: Final = frozenset(("", "7bit", "8bit", "binary"))


def decode_transfer(body: bytes, encoding: str) -> tuple[bytes, Code | None]:
    """Decode a Content-Transfer-Encoding: the content of `body`, and the code of what was wrong with it, or None.

    An unknown encoding leaves the bytes as they are.

    Spec: RFC 2045 §6.
    """
    if encoding in _PLAIN:
        return body, None
    if encoding == "base64":
        return decode_base64(body)
    if encoding == "quoted-printable":
        # Blanks before a line end were added on the way (RFC 2045 §6.7, rule 3).
        if b" \r\n" in body or b"\t\r\n" in body:
            body = b"\r\n".join([line.rstrip(b" \t") for line in body.split(b"\r\n")])
        return a2b_qp(body), None
    return body, "encoding-unknown"


def decode_base64(body: bytes) -> tuple[bytes, Code | None]:
    """Decode base64. Line ends and blanks are skipped; at the first other fault it ends.

    Whether the C decoder skipped anything is seen from the lengths alone: `n` bytes are always written with
    `ceil(n / 3) * 4` characters.
    """
    try:
        data = a2b_base64(body)
    except Base64Error:
        return _base64_prefix(body), "encoding-broken"
    written = (len(data) + 2) // 3 * 4
    if written != len(body) - 2 * body.count(b"\n") and written != len(body.translate(None, _BLANKS)):
        return _base64_prefix(body), "encoding-broken"
    return data, None


def _base64_prefix(body: bytes) -> bytes:
    """What precedes the first character that is not base64: whole groups of it."""
    text = body.translate(None, _BLANKS)
    match = _BASE64(text)
    length = match.end() if match else 0
    good = text[: length - 1 if length % 4 == 1 else length]
    return a2b_base64(good + b"=" * (-len(good) % 4))


# --- encoded words (RFC 2047)

# Begins with a literal, and every repeat stops at the next "?": the search is linear.
_ENCODED_WORDS: Final = re.compile(r"=\?([^?\s*]{1,40})(?:\*[^?\s]{0,40})?\?([bBqQ])\?([^?]*+)\?=").finditer
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def clean_line(text: str) -> str:
    """`text` as one line that is safe to show: control characters become blanks."""
    return text if text.isprintable() else _UNPRINTABLE.sub(" ", text)


def decode_words(text: str) -> str:
    """`text` with its encoded words decoded.

    Blanks between two encoded words are nothing. Neighbours in one character set are joined before they are decoded,
    because senders split words inside a character.

    Spec: RFC 2047 §2, §6.2.
    """
    pieces: list[str] = []
    pending: list[bytes] = []
    charset, position = "", 0
    for word in _ENCODED_WORDS(text):
        gap = text[position : word.start()]
        label = word[1].lower()
        if pending and (gap.strip() or label != charset):
            pieces.append(decode_text(b"".join(pending), charset)[0])
            pending.clear()
            pieces.append(gap if gap.strip() else "")
        elif not pending:
            pieces.append(gap)
        payload = word[3].encode("utf-8", "replace")
        if word[2] in "bB":  # missing padding is made up for
            pending.append(decode_base64(payload + b"=" * (-len(payload) % 4))[0])
        else:
            pending.append(a2b_qp(payload, header=True))
        charset, position = label, word.end()
    if pending:
        pieces.append(decode_text(b"".join(pending), charset)[0])
    pieces.append(text[position:])
    return "".join(pieces)


# --- fields with parameters (RFC 2045 §5.1, RFC 2231)

# Begins with a literal. A quoted value that never ends counts as none.
_PARAMETERS: Final = re.compile(
    r";[ \t]*+([!#$%&'*+\-.^_`|~0-9A-Za-z]++)[ \t]*+=[ \t]*+(?:\"([^\"\\]*+(?:\\.[^\"\\]*+)*)\"|([^; \t\"]*+))"
).findall
_QUOTED_PAIR: Final = re.compile(r"\\(.)")
_PERCENT: Final = re.compile(rb"%([0-9A-Fa-f]{2})")


class Structured(NamedTuple):
    """A field of the form `value; name=parameter`.

    Attributes:
        value: What precedes the first `;`, in lower case.
        parameters: By name in lower case; the first of doubled ones.
        repeated: Whether a parameter that matters was there twice.
    """

    value: str
    parameters: dict[str, str]
    repeated: bool


EMPTY: Final = Structured("", {}, False)


def read_structured(value: str, *, name: str, max_parameters: int) -> Structured:
    """The field `name`, which is of the form of Content-Type. Comments after the value or a parameter are skipped.

    Raises:
        LimitError: There are too many parameters.

    Spec: RFC 2045 §5.1.
    """
    return (_remembered_structured if len(value) < 200 else _read_structured)(value, name, max_parameters)


def parameter(field: Structured, name: str) -> str | None:
    """The text of a parameter, put together from its RFC 2231 pieces and decoded; None when it is not there.

    Encoded words are decoded too: they have no place here, and senders use them all the same.

    Spec: RFC 2231 §3, §4.
    """
    parameters = field.parameters
    value = parameters.get(name)
    if value is not None:
        return clean_line(decode_words(value) if "=?" in value else value).strip()
    value = parameters.get(name + "*")
    if value is not None:
        charset, data = _extended(value)
        return clean_line(decode_text(data, charset)[0])
    return _continued(parameters, name)


def file_name(*fields: Structured) -> str | None:
    """The name that Content-Disposition or Content-Type gives: no folders, no control characters, at most 255 long."""
    for field, name in zip(fields, ("filename", "name"), strict=True):
        text = parameter(field, name) if field.parameters else None
        if text:
            safe_name = _files.file_name(text)
            if safe_name:
                return safe_name
    return None


def _read_structured(value: str, field: str, max_parameters: int) -> Structured:
    header, semicolon, _ = value.partition(";")
    words = header.partition("(")[0].split(None, 1)
    first = words[0].lower() if words else ""
    if not semicolon:
        return Structured(first, {}, False)
    if value.count(";") > max_parameters:
        raise wire_error("too-many-fields", f"/headers/{field}", f"a field has at most {max_parameters} parameters")
    parameters: dict[str, str] = {}
    repeated = False
    for name, quoted, token in _PARAMETERS(value):
        key = name.lower()
        if key in parameters:
            repeated = True
        else:
            parameters[key] = _QUOTED_PAIR.sub(r"\1", quoted) if "\\" in quoted else quoted or token
    return Structured(first, parameters, repeated)


_remembered_structured = lru_cache(maxsize=1024)(_read_structured)


def _extended(value: str) -> tuple[str, bytes]:
    """The charset and the bytes of `charset'language'percent-encoded`."""
    charset, quote, rest = value.partition("'")
    if not quote:
        return "utf-8", _unquote(value)
    return charset.lower() or "utf-8", _unquote(rest.partition("'")[2])


def _unquote(text: str) -> bytes:
    return _PERCENT.sub(lambda match: bytes((int(match[1], 16),)), text.encode("utf-8", "replace"))


def _continued(parameters: dict[str, str], name: str) -> str | None:
    """A value in numbered pieces, up to the first that is missing."""
    pieces: list[bytes] = []
    charset = "utf-8"
    for number in range(len(parameters)):
        value = parameters.get(f"{name}*{number}*")
        if value is not None:
            if number == 0:
                charset, piece = _extended(value)
            else:
                piece = _unquote(value)
        else:
            plain = parameters.get(f"{name}*{number}")
            if plain is None:
                break
            piece = plain.encode("utf-8", "replace")
        pieces.append(piece)
    return clean_line(decode_text(b"".join(pieces), charset)[0]) if pieces else None


# --- the tree of body parts (RFC 2046)

# A line of blanks is an empty one: the relaxed form of DKIM makes no difference between them, so this reader may not
# either.
_END_OF_PART_HEADER: Final = re.compile(rb"\n[ \t]*+\r?\n").search
_EMPTY_LINE: Final = re.compile(rb"[ \t]*+\r?\n").match
_FOLDS: Final = re.compile(r"\r?\n(?=[ \t])")
_STARTS_A_FIELD: Final = re.compile(rb"[!-9;-~]++[ \t]*+:").match
_MIME_FIELDS: Final = ("content-type", "content-disposition", "content-transfer-encoding", "content-id")
_REMEMBERED_BYTES: Final = 300
_AFTER_DELIMITER: Final = frozenset((b"\r", b"\n", b"-", b" ", b"\t", b""))
_RELATED: Final = "multipart/related"
_ALTERNATIVE: Final = "multipart/alternative"


class PartHeader(NamedTuple):
    """The header of a body part: what it says about the content.

    Attributes:
        mime: Media type in lower case; `text/plain` where it is missing or cannot be read.
        charset: The character set in lower case, "" where it is missing.
        boundary: Of a multipart; "" where it has none.
        profile: The profile parameter (RFC 6906), "" where it is missing.
        flowed: Whether the text is `format=flowed`.
        delete_space: Whether its soft line breaks take their blank with them.
        disposition: `attachment`, `inline`, another word, or "".
        name: File name.
        encoding: Content-Transfer-Encoding in lower case.
        content_id: Content-ID with its `<>`.
        parameters: Those of Content-Type, by their names in lower case.
        faults: What is odd, as code, the name of the field ("" for the part as a whole), and words.
    """

    mime: str
    charset: str = ""
    boundary: str = ""
    profile: str = ""
    flowed: bool = False
    delete_space: bool = False
    disposition: str = ""
    name: str | None = None
    encoding: str = ""
    content_id: str | None = None
    parameters: Mapping[str, str] = EMPTY_DICT
    faults: tuple[tuple[Code, str, str], ...] = ()


class BodyPart(NamedTuple):
    """A part that holds no other parts, as a span of the raw mail.

    Attributes:
        header: Its header.
        start: Where its body begins.
        end: Where its body ends.
        group: The innermost `multipart/alternative` that holds it; 0 for none.
        branch: Which of these it belongs to.
        related: Whether a `multipart/related` holds it.
        leads: Whether it is the whole body, the first part of its multipart, or an alternative.
    """

    header: PartHeader
    start: int
    end: int
    group: int
    branch: int
    related: bool
    leads: bool = True


class Tree(NamedTuple):
    """The body parts of a mail in order, and for each group of alternatives the group and branch that hold it.

    Group `n` is `groups[n]`; group 0 is the mail itself. A group comes after those that hold it.
    """

    body_parts: list[BodyPart]
    groups: list[tuple[int, int]]
    diagnostics: Sequence[Diagnostic] = ()


_CUT_SHORT: Final[tuple[Code, str, str]] = ("boundary-missing", "content-type", "no closing delimiter line")

# A part that is still to be looked at, as a plain tuple because there may be a thousand: start, end, header where it is
# known, default media type, depth, group, branch, whether it is in a multipart/related, whether it leads.
_Pending: TypeAlias = "tuple[int, int, PartHeader | None, str, int, int, int, bool, bool]"


def walk(raw: bytes, start: int, fields: Mapping[str, str], *, limits: Limits) -> Tree:
    """The body parts of a mail.

    Args:
        raw: The mail.
        start: Where its body begins.
        fields: The fields of its header section, by their names in lower case.
        limits: How many parts there may be, how deep, and how large their headers.

    Raises:
        LimitError: There are too many parts, they are nested too deeply, or one has too large a header.

    Spec: RFC 2046 §5.1.
    """
    values = tuple([fields.get(name, "") for name in _MIME_FIELDS])
    describe = _described if sum(map(len, values)) < _REMEMBERED_BYTES else _describe
    header = describe(values, "text/plain", limits.mime_parameters)
    if not header.mime.startswith("multipart/") and not header.faults:
        return Tree([BodyPart(header, start, len(raw), 0, 0, False)], [(0, 0)])
    body_parts: list[BodyPart] = []
    diagnostics: list[Diagnostic] = []
    groups: list[tuple[int, int]] = [(0, 0)]
    pending: list[_Pending] = [(start, len(raw), header, "", 0, 0, 0, False, True)]
    seen = 0
    while pending:
        start, end, known, default, depth, group, branch, related, leads = pending.pop()
        seen += 1
        if seen > limits.parts:
            raise _too_many_parts(limits)
        if known is None:
            known, start = _read_part_header(raw, start, end, default, limits=limits)
        if known.mime.startswith("multipart/"):
            if depth >= limits.mime_depth:
                raise wire_error("too-deep", "", f"at most {limits.mime_depth} multiparts inside each other")
            spans = _children(raw, start, end, known.boundary.encode(), limits=limits) if known.boundary else []
            if spans:
                if spans[-1][1] == end:  # a closing delimiter line would follow the last part
                    known = known._replace(faults=(*known.faults, _CUT_SHORT))
                if known.faults:
                    diagnostics += _diagnostics(known, len(body_parts))
                alternative, related = known.mime == _ALTERNATIVE, known.mime == _RELATED
                if alternative:
                    groups.append((group, branch))
                    group = len(groups) - 1
                default = "message/rfc822" if known.mime == "multipart/digest" else "text/plain"
                for number in range(len(spans) - 1, -1, -1):
                    start, end = spans[number]
                    branch = number if alternative else branch
                    leads = alternative or not number
                    pending.append((start, end, None, default, depth + 1, group, branch, related, leads))
                continue
            reason = "no such delimiter line" if known.boundary else "no boundary parameter"
            faults = (*known.faults, ("boundary-missing", "content-type", reason))
            known = known._replace(mime="text/plain", faults=faults)
        if known.faults:
            diagnostics += _diagnostics(known, len(body_parts))
        body_parts.append(BodyPart(known, start, end, group, branch, related, leads))
    return Tree(body_parts, groups, diagnostics)


def _too_many_parts(limits: Limits) -> Exception:
    return wire_error("too-many-parts", "", f"a mail has at most {limits.parts} parts")


def _diagnostics(header: PartHeader, number: int) -> list[Diagnostic]:
    return [
        Diagnostic(code=code, at=place(field, number), detail=f"leaf {number}: {words}")
        for code, field, words in header.faults
    ]


def place(field: str, number: int) -> str:
    """Where something odd is: in a field by that name, else in body part `number` as a whole."""
    return f"/headers/{field}" if field else f"/leaves/{number}"


def _children(raw: bytes, start: int, end: int, boundary: bytes, *, limits: Limits) -> list[tuple[int, int]]:
    """The spans between the delimiter lines of one multipart. The last delimiter may be missing."""
    delimiter = b"--" + boundary
    size = len(delimiter)
    find = raw.find
    spans: list[tuple[int, int]] = []
    opened = -1
    at = find(delimiter, start, end)
    while at >= 0:
        after = at + size
        # Most lines that are no delimiter show it by their next byte.
        if raw[after : after + 1] in _AFTER_DELIMITER and (at == start or raw[at - 1] == 10):
            line_end = find(b"\n", after, end)
            if line_end < 0:
                line_end = end
            rest = raw[after:line_end].strip()
            closing = rest == b"--"
            if closing or not rest:
                if opened >= 0:
                    # The line break before a delimiter belongs to it.
                    before = at - 2 if raw[at - 2 : at] == b"\r\n" else at - 1
                    spans.append((opened, max(opened, before)))
                    if len(spans) > limits.parts:
                        raise _too_many_parts(limits)
                opened = -1 if closing else min(line_end + 1, end)
                if closing:
                    break
            after = line_end
        at = find(delimiter, after, end)
    if opened >= 0:
        spans.append((opened, end))
    return spans


def _read_part_header(raw: bytes, start: int, end: int, default: str, *, limits: Limits) -> tuple[PartHeader, int]:
    """The header of the body part at `start`, and where its body begins."""
    empty = _EMPTY_LINE(raw, start, end)
    if empty:
        return PartHeader(default), empty.end()
    match = _END_OF_PART_HEADER(raw, start, end)
    header_end, body = (match.start() + 1, match.end()) if match else (end, end)
    if header_end - start > limits.mail_head_bytes:
        raise wire_error("too-large", "/headers", f"the header of a part has at most {limits.mail_head_bytes} bytes")
    block = raw[start:header_end]
    if header_end - start < _REMEMBERED_BYTES:
        header = _remembered_block(block, default, limits.mime_parameters, limits.mail_field_bytes)
    else:
        header = _read_block(block, default, limits.mime_parameters, limits.mail_field_bytes)
    if header is None:
        return PartHeader(default, faults=(("head-malformed", "", "a part without a header"),)), start
    return header, body


def _read_block(block: bytes, default: str, max_parameters: int, max_bytes: int) -> PartHeader | None:
    """The header of a body part; None when it does not begin with a field. Depends on its arguments alone."""
    if not _STARTS_A_FIELD(block):
        return None
    fields: dict[str, str] = {}
    # Each fault once: an attacker may write it on every line.
    faults: dict[tuple[Code, str, str], None] = {}
    if block.count(b"\n") != block.count(b"\r"):
        faults["line-ends-mixed", "", "in its header"] = None
    for line in _FOLDS.sub("", block.decode("utf-8", "replace")).split("\n"):
        name, colon, value = line.partition(":")
        key = name.rstrip().lower()
        if key not in _MIME_FIELDS:
            if not colon and line.strip():
                faults["head-malformed", "", "a line of its header is no field"] = None
            continue
        if len(value) > max_bytes:
            raise wire_error("too-large", f"/headers/{key}", f"a field has at most {max_bytes} bytes")
        if key not in fields:
            fields[key] = value
        else:
            faults["field-repeated", key, "the first one counts"] = None
    header = _describe(tuple([fields.get(name, "") for name in _MIME_FIELDS]), default, max_parameters)
    return header._replace(faults=(*faults, *header.faults)) if faults else header


_remembered_block = lru_cache(maxsize=1024)(_read_block)


def _describe(values: tuple[str, ...], default: str, max_parameters: int) -> PartHeader:
    """The header that these values of `_MIME_FIELDS` make up, each "" where it is missing."""
    content_type, disposition, encoding, content_id = values
    kind = read_structured(content_type, name="content-type", max_parameters=max_parameters) if content_type else EMPTY
    placed = (
        read_structured(disposition, name="content-disposition", max_parameters=max_parameters)
        if disposition
        else EMPTY
    )
    mime = kind.value if is_media_type(kind.value) else ""
    faults: tuple[tuple[Code, str, str], ...] = ()
    if content_type and not mime:
        faults += (("content-type-malformed", "content-type", "not a media type: read as text"),)
    if kind.repeated:
        faults += (("field-repeated", "content-type", "a parameter twice: the first one counts"),)
    parameters = kind.parameters
    return PartHeader(
        mime=mime or ("text/plain" if content_type else default),
        charset=(parameter(kind, "charset") or "").lower() if parameters else "",
        boundary=(parameter(kind, "boundary") or "") if parameters else "",
        profile=parameters.get("profile", ""),
        flowed=parameters.get("format", "").lower() == "flowed",
        delete_space=parameters.get("delsp", "").lower() == "yes",
        disposition=placed.value,
        name=file_name(placed, kind) if parameters or placed.parameters else None,
        encoding=_word(encoding) if encoding else "",
        content_id=content_id.strip() or None,
        parameters=parameters,
        faults=faults,
    )


_described = lru_cache(maxsize=1024)(_describe)


def _word(value: str) -> str:
    """The first word of a field in lower case, without comments."""
    words = value.partition("(")[0].split(None, 1)
    return words[0].lower().rstrip(";") if words else ""
