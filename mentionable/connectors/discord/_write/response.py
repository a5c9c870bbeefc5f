"""A response as Discord shows it: one text of Markdown, files, and a button for what people must act on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...._html.convert import html_to_markdown
from ...._model.diagnostic import Diagnostic
from ...._model.message import NormalizedResponse
from ...._model.parts import ArtifactPart, CarriedPolicy, FilePart, LinkPart, Part, TextPart, ToolCallPart
from ...._model.policy import PolicyPart
from ...._text.media import file_name, single_line, url_of
from ...._text.plain_text import error_text, serialize_tool_call_to_text, shorten
from ...._text.policy_text import render_markdown
from ..._answer import MAX_POLICY_BYTES, upload_of
from ..._api import Upload
from .._read.markdown import escape_name, escape_plain

MAX_FILE: Final = 10_485_760
"""The bytes of a file that Discord takes of everybody."""

_MAX_URL: Final = 512
_MAX_LABEL: Final = 80
_LINK_BUTTON: Final = 5
_NO_LABEL: Final = "Open"


class RenderedResponse(NamedTuple):
    """A response as Discord shows it.

    Attributes:
        text: Markdown of any length.
        demand: Markdown of what is demanded.
        files: What goes along.
        button: A link button; None when nobody has to act.
    """

    text: str
    demand: str
    files: tuple[Upload, ...]
    button: dict[str, Any] | None


def rendered(response: NormalizedResponse, *, blobs: Mapping[str, bytes], notes: list[Diagnostic]) -> RenderedResponse:
    """The response as Discord shows it.

    Raises:
        UsageError: `blobs` has other bytes under the digest of a file.
    """
    texts: list[str] = []
    demands: list[str] = []
    files: list[Upload] = []
    button: dict[str, Any] | None = None
    for index, part in enumerate(response.parts):
        if isinstance(part, CarriedPolicy):
            button = _button(part.policy, f"/parts/{index}/policy/url", notes)
            demands.append(shorten(render_markdown(part.policy), MAX_POLICY_BYTES))
            continue
        if isinstance(part, (FilePart, ArtifactPart)):
            file = upload_of(part, index, number=len(files) + 1, blobs=blobs, most=MAX_FILE, notes=notes)
            if file is not None:
                files.append(file)
                continue
        texts.append(_text_of(part, index, notes).strip("\n"))
    text, demand = "\n\n".join(filter(None, texts)), "\n\n".join(filter(None, demands))
    if not text and not demand and not files:
        text = escape_plain(error_text(response))
    return RenderedResponse(text, demand, tuple(files), button)


def _text_of(part: Part, index: int, notes: list[Diagnostic]) -> str:
    """One part as Markdown."""
    match part:
        case TextPart(mime="text/markdown", content=content):
            return content
        case TextPart(mime="text/html", content=content):
            return html_to_markdown(content)
        case TextPart(content=content):
            return escape_plain(content)
        case LinkPart(url=url, title=title, description=description):
            more = f"\n{escape_plain(single_line(description))}" if description else ""
            return _link(url, title) + more
        case FilePart(name=name, mime=mime) | ArtifactPart(name=name, mime=mime):
            shown, where = file_name(name or ""), url_of(part)
            return escape_plain(f"[{shown or 'file'} ({mime})]") if where is None else _link(where, shown)
        case ToolCallPart():
            return escape_plain(serialize_tool_call_to_text(part))
        case _:
            notes.append(Diagnostic(code="part-unsupported", at=f"/parts/{index}"))
            return ""


def _link(url: str, title: str | None) -> str:
    """A link. Between angle brackets nothing in its address ends it early."""
    shown = single_line(title or "")
    return f"[{escape_name(shown)}](<{url}>)" if shown else f"<{url}>"


def _button(policy: PolicyPart, at: str, notes: list[Diagnostic]) -> dict[str, Any] | None:
    """The button that leads to where people act; `check_answer` has seen that it is on a host of the agent."""
    if policy.url is None:
        return None
    if len(policy.url) > _MAX_URL:
        notes.append(Diagnostic(code="part-changed", at=at, detail="too long for a button: it is a link in the text"))
        return None
    label = single_line(policy.action_label or "")[:_MAX_LABEL] or _NO_LABEL
    return {"type": 2, "style": _LINK_BUTTON, "label": label, "url": policy.url}
