"""The trace in the text of an object: taken out before anybody reads the text."""

from __future__ import annotations

from typing import Any, Final

from ..._model.base import replace
from ..._model.diagnostic import Diagnostic
from ..._transport.delivery import CarriedTrace
from ..._wire.strict_json import pointer
from ...trace import extract
from .files import media_type
from .iri import many

_CLASS: Final = "mentionable-trace"
"""The class of the link, as in `trace`, which is imported only where there may be one."""


def without_trace(document: dict[str, Any], notes: list[Diagnostic]) -> tuple[dict[str, Any], CarriedTrace | None]:
    """An object without the trace in its text, and the trace.

    A trace that cannot be read stays in the text, with a diagnostic. An attachment that links to the same goes too.

    Spec: Normalized Message §10.3, §10.6, §10.8.
    """
    member, language, html = _text_of(document)
    if _CLASS not in html:
        return document, None
    found = extract(html)
    at = pointer("object", member, *([] if language is None else [language]))
    odd = found.notes if found.diagnostic is None else (found.diagnostic,)
    notes += [replace(note, at=at + note.at) for note in odd]
    if found.response is None:
        return document, None
    text: Any = found.html if language is None else {**document[member], language: found.html}
    read = {**document, member: text}
    attached = many(document.get("attachment"))
    kept = [entry for entry in attached if not (entry.__class__ is dict and found.href in _addresses(entry))]
    if len(kept) < len(attached):
        read["attachment"] = kept
    return read, CarriedTrace(found.response, at)


def _text_of(document: dict[str, Any]) -> tuple[str, str | None, str]:
    """The member that holds the text, the language for one that holds several, and the text when it is HTML."""
    if media_type(document.get("mediaType")) not in (None, "text/html"):
        return "content", None, ""
    content, texts = document.get("content"), document.get("contentMap")
    if content.__class__ is str:
        return "content", None, content
    if content is None and texts.__class__ is dict and texts:
        language, text = next(iter(texts.items()))
        if text.__class__ is str:
            return "contentMap", language, text
    return "content", None, ""


def _addresses(entry: dict[str, Any]) -> tuple[Any, ...]:
    return entry.get("href"), entry.get("url")
