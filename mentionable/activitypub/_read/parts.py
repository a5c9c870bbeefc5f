"""An ActivityStreams object → the ordered parts of a message."""

from __future__ import annotations

import re
from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._html.convert import html_to_text
from ..._model.base import trusted
from ..._model.diagnostic import Diagnostic
from ..._model.parts import TEXT_MIMES, Part, TextMime, TextPart
from ..._text.plain_text import clean
from .activity import Content
from .files import attachment_parts, media_parts, media_type
from .iri import many

_MEDIA: Final = frozenset({"Audio", "Video", "Image"})
_SOURCES: Final = frozenset({"text/markdown", "text/plain"})
_TAG: Final = re.compile(r"</?[A-Za-z]|<!").search
_ADDRESS: Final = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")

_text = trusted(TextPart, "content", "mime")


def parts_of(content: Content, *, limits: Limits, notes: list[Diagnostic]) -> tuple[Part, ...]:
    """What an object says, in the order to read it; `notes` takes what was odd.

    Name, content warning, body, options of a question, time and place of an event, media of an audio, video or image,
    attachments. Mentions and hashtags are in the body already. Nothing is fetched.

    Raises:
        WireError: A member has the wrong type, or there are too many attachments or parts.

    Spec: Normalized Message §3.2, §5.1 (parts).
    """
    document, kind = content.document, content.kind
    parts: list[Part] = []
    name = _words(document, "name", "nameMap")
    if name is not None and (name := _read_html(name) if _TAG(name) else name):
        parts.append(_text(name, "text/plain"))  # Plain text by the standard: only what looks like markup is read so.
    summary = _words(document, "summary", "summaryMap")
    if summary is not None and (summary := _read_html(summary)):
        parts.append(_text(summary, "text/plain"))
    body = _body(document)
    if body is not None:
        parts.append(body)
    if kind != "Note":
        lines = _question(document) if kind == "Question" else _event(document) if kind == "Event" else []
        if lines:
            parts.append(_text("\n".join(lines), "text/plain"))
        if kind in _MEDIA:
            parts += media_parts(document, notes=notes)
    parts += attachment_parts(document, limits=limits, notes=notes)
    if len(parts) > limits.parts:
        raise wire_error("too-many-parts", "/object", f"more than {limits.parts} parts")
    return tuple(parts)


def _words(document: dict[str, Any], member: str, languages: str) -> str | None:
    """The text of a natural-language member, or of the first entry of its map of languages; None when it says nothing.

    Raises:
        WireError: `wrong-type`.
    """
    value = document.get(member)
    if value is None:
        table = document.get(languages)
        if table is None:
            return None
        if table.__class__ is not dict:
            raise wire_error("wrong-type", f"/object/{languages}", "must be an object")
        value = next(iter(table.values()), None)
    if value.__class__ is list:
        value = value[0] if value else None
    if value is None:
        return None
    if value.__class__ is not str:
        raise wire_error("wrong-type", f"/object/{member}", "must be a string")
    text: str = clean(value)
    return None if not text or text.isspace() else text


def _read_html(html: str) -> str:
    """The text of a title or warning. Most messages have neither, so the reader of HTML is loaded at the first."""
    return html_to_text(html)


def _body(document: dict[str, Any]) -> TextPart | None:
    """The author's own Markdown or plain text where it came along, else the content in the form it has."""
    source = document.get("source")
    if source.__class__ is dict:
        mime = media_type(source.get("mediaType"))
        written = source.get("content")
        if mime in _SOURCES and written.__class__ is str and written and not written.isspace():
            return _text(clean(written), mime)
    text = _words(document, "content", "contentMap")
    return None if text is None else _text(text, _form(document.get("mediaType")))


def _form(value: Any) -> TextMime:
    """In which form `content` is: HTML unless the object says another kind of text."""
    mime = media_type(value)
    if mime is None or mime == "text/html" or not mime.startswith("text/"):
        return "text/html"  # The mediaType of a picture or a film says what lies behind its URL.
    return mime if mime in TEXT_MIMES else "text/plain"  # type: ignore[return-value]


def _one_line(value: Any) -> str:
    return " ".join(value.split()) if value.__class__ is str else ""


def _question(document: dict[str, Any]) -> list[str]:
    """What one may choose, and whether one thing or several."""
    lines: list[str] = []
    for member, title in (("oneOf", "One of:"), ("anyOf", "Any of:")):
        options = [_one_line(option.get("name")) for option in many(document.get(member)) if option.__class__ is dict]
        if any(options):
            lines += [title, *(f"- {option}" for option in options if option)]
    return lines


def _event(document: dict[str, Any]) -> list[str]:
    """When and where."""
    lines = [
        f"{title}: {moment}"
        for title, member in (("Start", "startTime"), ("End", "endTime"))
        if (moment := _one_line(document.get(member)))
    ]
    lines += [f"Place: {place}" for item in many(document.get("location")) if (place := _place(item))]
    return lines


def _place(location: Any) -> str:
    """A place on one line: its name, its postal address, or where to join."""
    if location.__class__ is not dict:
        return _one_line(location)
    address = location.get("address")
    inner = address if address.__class__ is dict else {}
    steps = [_one_line(location.get("name")), _one_line(address), *(_one_line(inner.get(step)) for step in _ADDRESS)]
    return ", ".join(step for step in steps if step) or _one_line(location.get("url"))
