"""Renders a response for people, as plain text and as simple HTML."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final

from .._html.sanitize import MAX_RENDERED, link_html, markdown_to_html, plain_to_html, sanitize
from .._html.tokens import escape
from .._model.message import NormalizedResponse
from .._model.parts import ArtifactPart, CarriedPolicy, FilePart, LinkPart, Part, TextPart, ToolCallPart
from .media import single_line, url_of
from .plain_text import error_text, part_text, serialize_tool_call_to_text
from .policy_text import render_html

_NOTHING: Final[Mapping[str, str]] = {}


def render_response_text(response: NormalizedResponse, *, attached: Collection[int] = ()) -> str:
    """Render a response as plain text, with a blank line between parts.

    Markdown is unchanged, HTML becomes text, and each tool call is one line. A failed response without content gives
    its error text.

    Args:
        response: The response.
        attached: The indexes of parts that are attached as files, and so are not named in the text.
    """
    pieces = [part_text(part) for index, part in enumerate(response.parts) if index not in attached]
    return "\n\n".join(filter(None, pieces)) or error_text(response)


def render_response_html(
    response: NormalizedResponse,
    *,
    attached: Collection[int] = (),
    images: Mapping[str, str] = _NOTHING,
    tool_line: Callable[[ToolCallPart], str] = serialize_tool_call_to_text,
) -> str:
    """Render a response as HTML for mail programs and for servers of the Fediverse.

    Args:
        response: The response.
        attached: As for `render_response_text`.
        images: Name of an attached image → the address by which the HTML may show it.
        tool_line: Writes a tool call as one line.
    """
    visible = [part for index, part in enumerate(response.parts) if index not in attached]
    pieces = [
        _paragraph(tool_line(part)) if isinstance(part, ToolCallPart) else _part_html(part, images)
        for part in _bounded(visible)
    ]
    html = "\n".join(filter(None, pieces))
    return html or _paragraph(error_text(response))


def _bounded(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts; Markdown and HTML beyond the limit of one response as plain text."""
    left = MAX_RENDERED
    for part in parts:
        if isinstance(part, TextPart) and part.mime != "text/plain":
            left -= len(part.content)
            yield part if left >= 0 else TextPart(content=part_text(part))
        else:
            yield part


def _part_html(part: Part, images: Mapping[str, str]) -> str:
    match part:
        case TextPart(mime="text/markdown", content=content):
            return markdown_to_html(content, images=images)
        case TextPart(mime="text/html", content=content):
            return sanitize(content, images=images)
        case TextPart(content=content):
            return plain_to_html(content)
        case LinkPart(url=url, title=title, description=description):
            more = f"<br>{escape(single_line(description))}" if description else ""
            return f"<p>{link_html(url, single_line(title or '') or url)}{more}</p>"
        case FilePart(name=name, mime=mime) | ArtifactPart(name=name, mime=mime):
            where = url_of(part)
            title = single_line(name or "") or "file"
            return f"<p>{link_html(where, title) if where else escape(title)} ({escape(mime)})</p>"
        case CarriedPolicy(policy=policy):
            return render_html(policy)
        case _:
            return ""


def _paragraph(line: str) -> str:
    return f"<p>{escape(single_line(line))}</p>" if line else ""
