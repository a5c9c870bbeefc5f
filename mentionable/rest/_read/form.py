"""The fields of a form in the order in which they count: turns, the files of each, and what stands beside them.

Fields of one role that follow each other are one turn. A file belongs to the turn that it follows, whatever its field
is called; before the first turn, to that one.

Spec: REST transport (multipart order, roles); RFC 7578 §5.2; decisions A8, B7.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from ..._errors.exceptions import Code, WireError, wire_error
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._model.parts import TEXT_MIMES, FilePart, Part, TextMime, TextPart
from ..._text.media import OCTET_STREAM, file_name, media_type, store_blob
from ..._text.plain_text import clean
from ..._wire.strict_json import loads
from .field import BESIDE, ROLES, USER, Field, data_of

_UTF8: Final = frozenset({"utf-8", "utf8", "us-ascii", "ascii", ""})
ABSENT: Final = object()
"""In place of JSON that is not there, or cannot be read."""


Role: TypeAlias = Literal["user", "assistant"]


class Turn(NamedTuple):
    """What one side said at once.

    Attributes:
        role: `user` or `assistant`.
        parts: What it says.
    """

    role: Role
    parts: list[Part]


class ParseContext:
    """The state while one form is read.

    Attributes:
        limits: The bounds.
        notes: What was odd and did not reject the request.
        blobs: Bytes over the inline bound, by their SHA-256 in hex.
        files: All bytes that came as files, by the same.
    """

    __slots__ = ("blobs", "files", "limits", "notes")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.notes: list[Diagnostic] = []
        self.blobs: dict[str, bytes] = {}
        self.files: dict[str, bytes] = {}

    def note(self, code: Code, at: str = "", detail: str = "") -> None:
        """Remembers that something was odd."""
        self.notes.append(Diagnostic(code=code, at=at, detail=detail))


class Form:
    """A form, split into what it says.

    Attributes:
        turns: Its turns in order.
        beside: The other fields that mean something, by name: the place and the field.
    """

    __slots__ = ("beside", "turns")

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.beside: dict[str, tuple[int, Field]] = {}

    def json_of(self, name: str, context: ParseContext) -> Any:
        """The JSON of a field; `ABSENT` when there is none, or with a diagnostic when it cannot be read."""
        if name not in self.beside:
            return ABSENT
        index, one = self.beside[name]
        limits = context.limits
        try:
            return loads(data_of(one), max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
        except WireError as error:
            context.note("sidecar-malformed", f"/fields/{index}", str(error))
            return ABSENT

    def text_of(self, name: str, context: ParseContext) -> str | None:
        """The id that a field holds; None when there is none.

        Raises:
            WireError: It is too long, or no text.
        """
        if name not in self.beside:
            return None
        index, one = self.beside[name]
        text = _decoded(one, f"/fields/{index}")
        if len(text) > context.limits.id_chars:
            raise wire_error("id-too-long", f"/fields/{index}", f"{len(text)} characters")
        return text or None

    def place_of(self, name: str) -> str:
        """Where a field stands; empty where there is none."""
        return f"/fields/{self.beside[name][0]}" if name in self.beside else ""


def read_form(fields: Sequence[Field], context: ParseContext) -> Form:
    """A form, split into what it says.

    Raises:
        WireError: There is too much of it, a field is there twice, or a text is none.
    """
    limits = context.limits
    if len(fields) > limits.parts:
        raise wire_error("too-many-parts", "/fields", f"{len(fields)} fields, at most {limits.parts}")
    size = sum(
        [len(data_of(one)) + len(one.name) + len(one.filename or "") + len(one.content_type or "") for one in fields]
    )
    if size > limits.a2a_bytes:
        raise wire_error("too-large", "/fields", f"{size} bytes, at most {limits.a2a_bytes}")
    form = Form()
    before: list[Part] = []
    for index, one in enumerate(fields):
        if one.name in BESIDE:
            if one.name in form.beside:
                raise wire_error("malformed", f"/fields/{index}", f"{one.name} is there twice")
            form.beside[one.name] = index, one
            continue
        if _is_file(one):
            into = _turn(form, one.name) if one.name in ROLES else form.turns[-1].parts if form.turns else before
            _take_file(one, into, context)
        elif one.name in ROLES:
            _take_text(one, _turn(form, one.name), index, context)
    if before:
        if not form.turns:
            form.turns.append(Turn(USER, []))
        form.turns[0].parts[:0] = before
    return form


def _turn(form: Form, role: str) -> list[Part]:
    """The parts of the turn that goes on, or of a new one."""
    if not form.turns or form.turns[-1].role != role:
        form.turns.append(Turn(cast("Role", role), []))
    return form.turns[-1].parts


def _is_file(one: Field) -> bool:
    """Whether a field is a file: it has a file name, or is a turn of another media type than text has."""
    if one.filename is not None:
        return True
    return one.name in ROLES and one.content_type is not None and media_type(one.content_type) not in TEXT_MIMES


def _take_file(one: Field, into: list[Part], context: ParseContext) -> None:
    """A file as a part. What a browser sends for an input where nobody chose a file is none."""
    data = data_of(one)
    if not data and not one.filename:
        return
    digest = sha256(data).hexdigest()
    context.files[digest] = data
    into.append(
        FilePart(
            mime=media_type(one.content_type or "") or OCTET_STREAM,
            name=file_name(one.filename or ""),
            bytes_ref=store_blob(data, limits=context.limits, blobs=context.blobs, digest=digest),
            size_bytes=len(data),
        )
    )


def _take_text(one: Field, into: list[Part], index: int, context: ParseContext) -> None:
    """A text as a part; an empty one says nothing."""
    at, media = f"/fields/{index}", one.content_type or ""
    charset = _charset(media)
    if isinstance(one.value, bytes) and charset not in _UTF8:
        context.note("charset-unknown", at, charset[:80])
    text = clean(_decoded(one, at))
    if text:
        mime = cast("TextMime", media_type(media) or "text/plain")
        into.append(TextPart(content=text, mime=mime))


def _charset(media: str) -> str:
    """The character set that a media type names, in lower case."""
    _, _, found = media.lower().partition("charset=")
    return found.partition(";")[0].strip(' \t"')


def _decoded(one: Field, at: str) -> str:
    """The text of a field.

    Raises:
        WireError: `not-utf8`, or `lone-surrogate` for text that the framework decoded loosely.
    """
    is_text = isinstance(one.value, str)
    try:
        return data_of(one).decode("utf-8")
    except UnicodeDecodeError:
        raise wire_error("lone-surrogate" if is_text else "not-utf8", at, "the text is not UTF-8") from None
