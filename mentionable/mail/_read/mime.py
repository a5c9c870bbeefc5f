"""The part tree of a mail, walked without recursion over the raw bytes: heads and spans, nothing is copied.

Reading is bounded by `Limits` and linear in the size of the mail for each level of nesting.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from ..._errors.exceptions import Code, wire_error
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._model.rules import is_media_type
from .fields import EMPTY, file_name, parameter, read_structured
from .header_section import Head

# A line of blanks is an empty one: the relaxed form of DKIM makes no difference between them, so nobody else may.
_END_OF_PART_HEAD: Final = re.compile(rb"\n[ \t]*+\r?\n").search
_EMPTY_LINE: Final = re.compile(rb"[ \t]*+\r?\n").match
_FOLDS: Final = re.compile(r"\r?\n(?=[ \t])")
_STARTS_A_FIELD: Final = re.compile(rb"[!-9;-~]++[ \t]*+:").match
_MIME_FIELDS: Final = frozenset(("content-type", "content-transfer-encoding", "content-disposition", "content-id"))
_REMEMBERED_BYTES: Final = 300
_AFTER_DELIMITER: Final = frozenset((b"\r", b"\n", b"-", b" ", b"\t", b""))
_RELATED: Final = "multipart/related"
_ALTERNATIVE: Final = "multipart/alternative"


class PartHead(NamedTuple):
    """What the head of a part says about its body.

    Attributes:
        mime: Media type in lower case; `text/plain` where none is given or it cannot be read.
        charset: The character set in lower case, "" where none is given.
        boundary: Of a multipart; "" where it has none.
        profile: The profile parameter (RFC 6906), "" where none is given.
        flowed: Whether the text is `format=flowed`.
        delete_space: Whether its soft line breaks take their blank with them.
        disposition: `attachment`, `inline`, another word, or "".
        name: File name.
        encoding: Content-Transfer-Encoding in lower case.
        content_id: Content-ID with its `<>`.
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
    faults: tuple[tuple[Code, str, str], ...] = ()


class Leaf(NamedTuple):
    """A part that holds no other parts, as a span of the raw mail.

    Attributes:
        head: What is known of it.
        start: Where its body begins.
        end: Where its body ends.
        group: The innermost alternatives it stands among; 0 for none.
        branch: Which of these it belongs to.
        related: Whether it stands in a `multipart/related`.
    """

    head: PartHead
    start: int
    end: int
    group: int
    branch: int
    related: bool


class Tree(NamedTuple):
    """The leaves of a mail in order, and for each group of alternatives the group and branch that it stands in.

    Group `n` is `groups[n]`; group 0 is the mail itself. A group stands after those that hold it.
    """

    leaves: list[Leaf]
    groups: list[tuple[int, int]]


_CUT_SHORT: Final[tuple[Code, str, str]] = ("boundary-missing", "content-type", "no closing delimiter line")

# A part that is still to be looked at, as a plain tuple because there may be a thousand: start, end, head where it is
# known, default media type, depth, group, branch, media type of the container.
_Pending: TypeAlias = "tuple[int, int, PartHead | None, str, int, int, int, str]"


def root_head(head: Head, *, limits: Limits) -> PartHead:
    """What the header section of a mail says about its body."""
    get = head.first.get
    content_type, placement = get("content-type", ""), get("content-disposition", "")
    encoding, content_id = get("content-transfer-encoding", ""), get("content-id", "")
    short = len(content_type) + len(placement) + len(encoding) + len(content_id) < _REMEMBERED_BYTES
    describe = _described if short else _describe
    return describe(content_type, placement, encoding, content_id, "text/plain", limits.mime_parameters)


def walk(raw: bytes, start: int, head: PartHead, *, limits: Limits, notes: list[Diagnostic]) -> Tree:
    """The leaves of the body that begins at `start`.

    Raises:
        LimitError: There are too many parts, they are nested too deeply, or one has too large a head.

    Spec: RFC 2046 §5.1.
    """
    if not head.mime.startswith("multipart/") and not head.faults:
        return Tree([Leaf(head, start, len(raw), 0, 0, False)], [(0, 0)])
    leaves: list[Leaf] = []
    groups: list[tuple[int, int]] = [(0, 0)]
    pending: list[_Pending] = [(start, len(raw), head, "", 0, 0, 0, "")]
    seen = 0
    while pending:
        start, end, known, default, depth, group, branch, container = pending.pop()
        seen += 1
        if seen > limits.parts:
            raise _too_many_parts(limits)
        if known is None:
            known, start = _read_part_head(raw, start, end, default, limits=limits)
        if known.mime.startswith("multipart/"):
            if depth >= limits.mime_depth:
                raise wire_error("too-deep", "", f"at most {limits.mime_depth} multiparts inside each other")
            spans = _children(raw, start, end, known.boundary.encode(), limits=limits) if known.boundary else []
            if spans:
                if spans[-1][1] == end:  # a closing delimiter line would stand behind the last part
                    known = known._replace(faults=(*known.faults, _CUT_SHORT))
                if known.faults:
                    _note(notes, known, len(leaves))
                alternative = known.mime == _ALTERNATIVE
                if alternative:
                    groups.append((group, branch))
                    group = len(groups) - 1
                default = "message/rfc822" if known.mime == "multipart/digest" else "text/plain"
                for number in range(len(spans) - 1, -1, -1):
                    start, end = spans[number]
                    branch = number if alternative else branch
                    pending.append((start, end, None, default, depth + 1, group, branch, known.mime))
                continue
            reason = "no such delimiter line" if known.boundary else "no boundary parameter"
            faults = (*known.faults, ("boundary-missing", "content-type", reason))
            known = known._replace(mime="text/plain", faults=faults)
        if known.faults:
            _note(notes, known, len(leaves))
        leaves.append(Leaf(known, start, end, group, branch, container == _RELATED))
    return Tree(leaves, groups)


def _too_many_parts(limits: Limits) -> Exception:
    return wire_error("too-many-parts", "", f"a mail has at most {limits.parts} parts")


def _note(notes: list[Diagnostic], head: PartHead, number: int) -> None:
    notes += [
        Diagnostic(code=code, at=place(field, number), detail=f"leaf {number}: {words}")
        for code, field, words in head.faults
    ]


def place(field: str, number: int) -> str:
    """Where something odd is: in a field by that name, else in leaf `number` as a whole."""
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


def _read_part_head(raw: bytes, start: int, end: int, default: str, *, limits: Limits) -> tuple[PartHead, int]:
    """The head of the part at `start`, and where its body begins."""
    empty = _EMPTY_LINE(raw, start, end)
    if empty:
        return PartHead(default), empty.end()
    found = _END_OF_PART_HEAD(raw, start, end)
    head_end, body = (found.start() + 1, found.end()) if found else (end, end)
    if head_end - start > limits.mail_head_bytes:
        raise wire_error("too-large", "/headers", f"the head of a part has at most {limits.mail_head_bytes} bytes")
    block = raw[start:head_end]
    if head_end - start < _REMEMBERED_BYTES:
        head = _remembered(block, default, limits.mime_parameters, limits.mail_field_bytes)
    else:
        head = _read_block(block, default, limits.mime_parameters, limits.mail_field_bytes)
    return (head, body) if head is not None else (_headless(default), start)


def _headless(default: str) -> PartHead:
    return PartHead(default, faults=(("head-malformed", "", "a part without a head"),))


def _read_block(block: bytes, default: str, max_parameters: int, max_bytes: int) -> PartHead | None:
    """The head of a part; None when it does not begin with a field. Depends on its arguments alone."""
    if not _STARTS_A_FIELD(block):
        return None
    fields: dict[str, str] = {}
    faults: tuple[tuple[Code, str, str], ...] = ()
    if block.count(b"\n") != block.count(b"\r"):
        faults += (("line-ends-mixed", "", "in its head"),)
    for line in _FOLDS.sub("", block.decode("utf-8", "replace")).split("\n"):
        name, colon, value = line.partition(":")
        key = name.rstrip().lower()
        if key not in _MIME_FIELDS:
            if not colon and line.strip():
                faults += (("head-malformed", "", "a line of its head is no field"),)
            continue
        if len(value) > max_bytes:
            raise wire_error("too-large", f"/headers/{key}", f"a field has at most {max_bytes} bytes")
        if key not in fields:
            fields[key] = value
        else:
            faults += (("field-repeated", key, "the first one counts"),)
    get = fields.get
    head = _describe(
        get("content-type", ""),
        get("content-disposition", ""),
        get("content-transfer-encoding", ""),
        get("content-id", ""),
        default,
        max_parameters,
    )
    return head._replace(faults=faults + head.faults) if faults else head


_remembered = lru_cache(maxsize=1024)(_read_block)


def _describe(
    content_type: str, placement: str, encoding: str, content_id: str, default: str, max_parameters: int
) -> PartHead:
    """What the four fields of a head that describe a body say, each "" where it is missing."""
    kind = read_structured(content_type, name="content-type", max_parameters=max_parameters) if content_type else EMPTY
    placed = (
        read_structured(placement, name="content-disposition", max_parameters=max_parameters) if placement else EMPTY
    )
    mime = kind.value if is_media_type(kind.value) else ""
    faults: tuple[tuple[Code, str, str], ...] = ()
    if content_type and not mime:
        faults += (("content-type-malformed", "content-type", "not a media type: read as text"),)
    if kind.repeated:
        faults += (("field-repeated", "content-type", "a parameter twice: the first one counts"),)
    given = kind.parameters
    return PartHead(
        mime or ("text/plain" if content_type else default),
        (parameter(kind, "charset") or "").lower() if given else "",
        (parameter(kind, "boundary") or "") if given else "",
        given.get("profile", ""),
        given.get("format", "").lower() == "flowed",
        given.get("delsp", "").lower() == "yes",
        placed.value,
        file_name(placed, kind) if given or placed.parameters else None,
        _word(encoding) if encoding else "",
        content_id.strip() or None,
        faults,
    )


_described = lru_cache(maxsize=1024)(_describe)


def _word(value: str) -> str:
    """The first word of a field in lower case, without comments."""
    words = value.partition("(")[0].split(None, 1)
    return words[0].lower().rstrip(";") if words else ""
