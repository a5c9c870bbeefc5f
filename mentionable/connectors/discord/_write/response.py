"""A response as Discord shows it: one text of Markdown, files, and a button for a policy."""

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
"""The bytes of a file that Discord takes from accounts without a subscription."""

_MAX_URL: Final = 512
_MAX_LABEL: Final = 80
_LINK_BUTTON: Final = 5
_NO_LABEL: Final = "Open"


class RenderedResponse(NamedTuple):
    """A response as Discord shows it.

    Attributes:
        text: Its text, Markdown of any length.
        policy: The text of its policies, Markdown.
        files: The files to upload.
        button: A link button; None when no policy has a URL.
        diagnostics: What cannot be carried.
    """

    text: str
    policy: str
    files: tuple[Upload, ...]
    button: dict[str, Any] | None
    diagnostics: list[Diagnostic]


def render(response: NormalizedResponse, *, blobs: Mapping[str, bytes]) -> RenderedResponse:
    """The response as Discord shows it.

    Raises:
        UsageError: `blobs` has other bytes under the digest of a file.
    """
    texts: list[str] = []
    policies: list[str] = []
    files: list[Upload] = []
    button: dict[str, Any] | None = None
    diagnostics: list[Diagnostic] = []
    for index, part in enumerate(response.parts):
        if isinstance(part, CarriedPolicy):
            button, left_out = _button(part.policy, f"/parts/{index}/policy/url")
            diagnostics += left_out
            policies.append(shorten(render_markdown(part.policy), MAX_POLICY_BYTES))
            continue
        if isinstance(part, (FilePart, ArtifactPart)):
            file, left_out = upload_of(part, index, number=len(files) + 1, blobs=blobs, max_bytes=MAX_FILE)
            diagnostics += left_out
            if file is not None:
                files.append(file)
                continue
        text = _text_of(part)
        if text is None:
            diagnostics.append(Diagnostic(code="part-unsupported", at=f"/parts/{index}"))
        else:
            texts.append(text.strip("\n"))
    text, policy = "\n\n".join(filter(None, texts)), "\n\n".join(filter(None, policies))
    if not text and not policy and not files:
        text = escape_plain(error_text(response))
    return RenderedResponse(text, policy, tuple(files), button, diagnostics)


def _text_of(part: Part) -> str | None:
    """A part as Markdown; None for a part of an unknown kind."""
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
            label, location = file_name(name or ""), url_of(part)
            return escape_plain(f"[{label or 'file'} ({mime})]") if location is None else _link(location, label)
        case ToolCallPart():
            return escape_plain(serialize_tool_call_to_text(part))
        case _:
            return None


def _link(url: str, title: str | None) -> str:
    """A link. Between angle brackets nothing in its address ends it early."""
    label = single_line(title or "")
    return f"[{escape_name(label)}](<{url}>)" if label else f"<{url}>"


def _button(policy: PolicyPart, pointer: str) -> tuple[dict[str, Any] | None, tuple[Diagnostic, ...]]:
    """The button that opens the URL of a policy; `check_answer` has checked that it is on a host of the agent."""
    if policy.url is None:
        return None, ()
    if len(policy.url) > _MAX_URL:
        detail = "too long for a button: it is a link in the text"
        return None, (Diagnostic(code="part-changed", at=pointer, detail=detail),)
    label = single_line(policy.action_label or "")[:_MAX_LABEL] or _NO_LABEL
    return {"type": 2, "style": _LINK_BUTTON, "label": label, "url": policy.url}, ()
