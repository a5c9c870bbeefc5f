"""A response as Discord shows it: one text of Markdown, files, and what the person asked alone may read."""

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
from ...._transport.policy_part import is_private_demand
from ..._answer import MAX_POLICY_BYTES, upload_of
from ..._api import Upload
from .._plain import escape_plain, link
from .choices import cut

MAX_FILE: Final = 10_485_760
"""The bytes of a file that Discord takes from accounts without a subscription."""

_MAX_URL: Final = 512
_MAX_LABEL: Final = 80
_LINK_BUTTON: Final = 5
_NO_LABEL: Final = "Open"


class RenderedPolicies(NamedTuple):
    """Policies as Discord shows them.

    Attributes:
        text: Their text, Markdown.
        button: The link button of the last one; None when it has no URL.
    """

    text: str
    button: dict[str, Any] | None


class RenderedResponse(NamedTuple):
    """A response as Discord shows it.

    Attributes:
        text: Its text, Markdown of any length.
        policies: Its policies that others may read.
        private: Its policies that the person asked alone may read.
        files: The files to upload.
        diagnostics: What cannot be carried.
    """

    text: str
    policies: RenderedPolicies
    private: RenderedPolicies
    files: tuple[Upload, ...]
    diagnostics: list[Diagnostic]


def render(response: NormalizedResponse, *, blobs: Mapping[str, bytes]) -> RenderedResponse:
    """The response as Discord shows it.

    Raises:
        UsageError: `blobs` has other bytes under the digest of a file.
    """
    texts: list[str] = []
    for_all: list[tuple[int, PolicyPart]] = []
    for_asker: list[tuple[int, PolicyPart]] = []
    files: list[Upload] = []
    diagnostics: list[Diagnostic] = []
    for index, part in enumerate(response.parts):
        if isinstance(part, CarriedPolicy):
            (for_asker if is_private_demand(part.policy) else for_all).append((index, part.policy))
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
    policies, left_out = _policies(for_all)
    diagnostics += left_out
    private, left_out = _policies(for_asker)
    diagnostics += left_out
    text = "\n\n".join(filter(None, texts))
    if not text and not policies.text and not private.text and not files:
        text = escape_plain(error_text(response))
    return RenderedResponse(text, policies, private, tuple(files), diagnostics)


def _policies(policies: list[tuple[int, PolicyPart]]) -> tuple[RenderedPolicies, tuple[Diagnostic, ...]]:
    """Policies, each with its index in the response, as Discord shows them."""
    texts: list[str] = []
    button: dict[str, Any] | None = None
    diagnostics: list[Diagnostic] = []
    for index, policy in policies:
        button, left_out = _button(policy, f"/parts/{index}/policy/url")
        diagnostics += left_out
        texts.append(shorten(render_markdown(policy), MAX_POLICY_BYTES))
    return RenderedPolicies("\n\n".join(filter(None, texts)), button), tuple(diagnostics)


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
            return link(url, title) + more
        case FilePart(name=name, mime=mime) | ArtifactPart(name=name, mime=mime):
            label, location = file_name(name or ""), url_of(part)
            if location is None:
                return escape_plain(f"[{label or 'file'} ({mime})]")
            return link(location, label, is_file=True)
        case ToolCallPart():
            return escape_plain(serialize_tool_call_to_text(part))
        case _:
            return None


def _button(policy: PolicyPart, pointer: str) -> tuple[dict[str, Any] | None, tuple[Diagnostic, ...]]:
    """The button that opens the URL of a policy; `check_answer` has checked that it is on a host of the agent."""
    if policy.url is None:
        return None, ()
    if len(policy.url) > _MAX_URL:
        detail = "too long for a button: it is a link in the text"
        return None, (Diagnostic(code="part-changed", at=pointer, detail=detail),)
    label = cut(policy.action_label or "", _MAX_LABEL) or _NO_LABEL
    return {"type": 2, "style": _LINK_BUTTON, "label": label, "url": policy.url}, ()
