"""MIME (RFC 2045, 2046): the tree of body parts, and what the header of each says.

The tree is walked without recursion over the raw bytes, and nothing is copied. Reading is bounded by `Limits` and
linear in the size of the mail for each level of nesting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from ..._errors.exceptions import Code, wire_error
from ..._flow.settings import Limits
from ..._model.base import EMPTY_DICT, tuple_maker
from ..._model.diagnostic import Diagnostic
from ..._model.rules import is_media_type
from .parameters import EMPTY, file_name, first_word, parameter, read_structured
from .words import decode_fields

# A line of blanks is an empty one: the relaxed form of DKIM makes no difference between them, so this reader may not
# either.
_END_OF_PART_HEADER: Final = re.compile(rb"\n[ \t]*+\r?\n").search
_EMPTY_LINE: Final = re.compile(rb"[ \t]*+\r?\n").match
_FOLDS: Final = re.compile(r"\r?\n(?=[ \t])")
_STARTS_A_FIELD: Final = re.compile(rb"[!-9;-~]++[ \t]*+:").match
_MIME_FIELDS: Final = ("content-type", "content-disposition", "content-transfer-encoding", "content-id")
_MISSING: Final = ("",) * len(_MIME_FIELDS)
_REMEMBERED_BYTES: Final = 300
_IS_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9a-z]++").fullmatch
_AFTER_DELIMITER: Final = frozenset((b"\r", b"\n", b"-", b" ", b"\t", b""))
_LARGE: Final = 1 << 17
"""In multiparts of more bytes, delimiters are searched for by their hyphens."""
_NEAR: Final = 1024
"""So many bytes of these are searched for a whole delimiter first: many parts are small."""
_HYPHENS: Final = 16
"""So many hyphens that begin no delimiter are passed one by one."""
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


_new_body_part: Final = tuple_maker(BodyPart)


class Tree(NamedTuple):
    """The body parts of a mail in order, and for each group of alternatives the group and branch that hold it.

    Group `n` is `groups[n]`; group 0 is the mail itself. A group comes after those that hold it.
    """

    body_parts: list[BodyPart]
    groups: list[tuple[int, int]]
    diagnostics: Sequence[Diagnostic] = ()


_new_tree: Final = tuple_maker(Tree)


_Spans: TypeAlias = "tuple[list[tuple[int, int]], str]"
_NO_SPANS: Final[_Spans] = ([], "")
_CUT_SHORT: Final = "no closing delimiter line"
_GOES_ON: Final = "parts behind its closing delimiter line"

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
    values = tuple(map(fields.get, _MIME_FIELDS, _MISSING))
    describe = _described if len("".join(values)) < _REMEMBERED_BYTES else _describe
    header = describe(values, "text/plain", limits.mime_parameters)
    if not header.mime.startswith("multipart/") and not header.faults:
        return _new_tree([_new_body_part(header, start, len(raw), 0, 0, False)], [(0, 0)])
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
            boundary = known.boundary.encode()
            spans, fault = _children(raw, start, end, boundary, limits=limits) if boundary else _NO_SPANS
            if spans:
                if fault:
                    known = known._replace(faults=(*known.faults, ("boundary-missing", "content-type", fault)))
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
        body_parts.append(_new_body_part(known, start, end, group, branch, related, leads))
    return _new_tree(body_parts, groups, diagnostics)


def _too_many_parts(limits: Limits) -> Exception:
    return wire_error("too-many-parts", "", f"a mail has at most {limits.parts} parts")


def _diagnostics(header: PartHeader, number: int) -> list[Diagnostic]:
    return [
        Diagnostic(code=code, at=place(field, number), detail=f"body part {number}: {words}")
        for code, field, words in header.faults
    ]


def place(field: str, number: int) -> str:
    """Where something odd is: in a field by that name, else in body part `number` as a whole."""
    return f"/headers/{field}" if field else f"/body_parts/{number}"


def _children(raw: bytes, start: int, end: int, boundary: bytes, *, limits: Limits) -> _Spans:
    """The spans between the delimiter lines of one multipart, and what is odd about these lines, in words.

    The closing line may be missing. Parts that follow it count: some programs give a multipart and the one that holds
    it the same boundary, and the first to close would hide the files behind it.
    """
    delimiter = b"--" + boundary
    size = len(delimiter)
    spans: list[tuple[int, int]] = []
    fault = ""
    opened, closed = -1, False
    find = _find_delimiter if end - start > _LARGE else bytes.find
    at = find(raw, delimiter, start, end)
    while at >= 0:
        after = at + size
        # A line that is no delimiter usually shows it by its next byte.
        if raw[after : after + 1] in _AFTER_DELIMITER and (at == start or raw[at - 1] == 10):
            line_end = raw.find(b"\n", after, end)
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
                if closing:
                    opened, closed = -1, True
                else:
                    opened = min(line_end + 1, end)
                    fault = _GOES_ON if closed else ""
            after = line_end
        at = find(raw, delimiter, after, end)
    if opened >= 0:
        spans.append((opened, end))
        fault = fault or _CUT_SHORT
    return spans, fault


def _find_delimiter(raw: bytes, delimiter: bytes, start: int, end: int) -> int:
    """Where `delimiter` is next, as `raw.find(delimiter, start, end)` says.

    A search for a single byte is many times faster than for several, so it goes from one hyphen to the next. Base64 has
    none. Where there are many, the delimiter is searched for as a whole.
    """
    near = min(start + _NEAR, end)
    at = raw.find(delimiter, start, near)
    if at >= 0:
        return at
    at = max(start - 1, near - len(delimiter))
    for _ in range(_HYPHENS):
        at = raw.find(b"-", at + 1, end)
        if at < 0 or raw.startswith(delimiter, at, end):
            return at
    return raw.find(delimiter, at + 1, end)


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
    try:
        text = block.decode("utf-8")
    except UnicodeDecodeError:
        text = decode_fields(block)
        faults["head-malformed", "", "bytes in its header that are not UTF-8"] = None
    for line in _FOLDS.sub("", text).split("\n"):
        name, colon, value = line.partition(":")
        key = name.rstrip().lower()
        if key not in _MIME_FIELDS:
            if not colon and line.strip():
                faults["head-malformed", "", "a line of its header is no field"] = None
            continue
        if len(value) > max_bytes:
            raise wire_error("too-large", f"/headers/{key}", f"a field has at most {max_bytes} bytes")
        if key not in fields:
            fields[key] = value.strip()
        else:
            faults["field-repeated", key, "the first one counts"] = None
    header = _describe(tuple(map(fields.get, _MIME_FIELDS, _MISSING)), default, max_parameters)
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
        disposition=placed.value if _IS_TOKEN(placed.value) else "",
        name=file_name(placed, kind) if parameters or placed.parameters else None,
        encoding=first_word(encoding) if encoding else "",
        content_id=content_id.strip() or None,
        parameters=parameters,
        faults=faults,
    )


_described = lru_cache(maxsize=1024)(_describe)
