"""A response as Discord shows it: one text of Markdown, files, and a button for what people must act on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..._files import OCTET_STREAM, file_name, one_line, url_of
from ..._model.parts import ArtifactPart, CarriedPolicy, FilePart, LinkPart, TextPart, ToolCallPart
from ..._outcome import Diagnostic
from ..._policy_words import render_markdown
from ..._reply import check_size, content_of
from ..._text import serialize_tool_call_to_text, why_not
from ._markdown import escape_name, escape_plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..._model.message import NormalizedResponse
    from ..._model.parts import Part
    from ..._model.policy import PolicyPart

MOST_FILE: Final = 10_485_760
"""The bytes of a file that Discord takes of everybody."""

_MOST_URL: Final = 512
_MOST_LABEL: Final = 80
_LINK_BUTTON: Final = 5
_NO_LABEL: Final = "Open"


class Attached(NamedTuple):
    """A file that goes along.

    Attributes:
        name: Its name.
        mime: Its media type.
        data: Its bytes.
    """

    name: str
    mime: str
    data: bytes


class Written(NamedTuple):
    """A response as Discord shows it.

    Attributes:
        text: Markdown of any length.
        files: What goes along.
        button: A link button; None when nobody has to act.
        notes: What could not be carried.
    """

    text: str
    files: tuple[Attached, ...]
    button: dict[str, Any] | None
    notes: tuple[Diagnostic, ...]


def written(response: NormalizedResponse, *, blobs: Mapping[str, bytes]) -> Written:
    """The response as Discord shows it.

    Raises:
        UsageError: A file is too large, or is named by a digest that `blobs` does not have.
    """
    texts: list[str] = []
    files: list[Attached] = []
    button, notes = None, list[Diagnostic]()
    for index, part in enumerate(response.parts):
        if isinstance(part, CarriedPolicy):
            button = _button(part.policy, f"/parts/{index}/policy/url", notes)
        if isinstance(part, (FilePart, ArtifactPart)):
            data = content_of(part, index, blobs)
            if data is not None:
                check_size(data, most=MOST_FILE, what="a file")
                files.append(Attached(_name_of(part, len(files)), part.mime or OCTET_STREAM, data))
                continue
        texts.append(_text_of(part, index, notes).strip("\n"))
    text = "\n\n".join(filter(None, texts)) or ("" if files else escape_plain(why_not(response)))
    return Written(text, tuple(files), button, tuple(notes))


def _text_of(part: Part, index: int, notes: list[Diagnostic]) -> str:
    """One part as Markdown."""
    match part:
        case TextPart(mime="text/markdown", content=content):
            return content
        case TextPart(mime="text/html", content=content):
            from ..._html import html_to_markdown

            return html_to_markdown(content)
        case TextPart(content=content):
            return escape_plain(content)
        case LinkPart(url=url, title=title, description=description):
            more = f"\n{escape_plain(one_line(description))}" if description else ""
            return _link(url, title) + more
        case FilePart(name=name) | ArtifactPart(name=name):
            return _link(url_of(part) or "", file_name(name or ""))
        case ToolCallPart():
            return escape_plain(serialize_tool_call_to_text(part))
        case CarriedPolicy(policy=policy):
            return render_markdown(policy)
        case _:
            notes.append(Diagnostic(code="part-unsupported", at=f"/parts/{index}"))
            return ""


def _link(url: str, title: str | None) -> str:
    """A link. Between angle brackets nothing in its address ends it early."""
    shown = one_line(title or "")
    return f"[{escape_name(shown)}](<{url}>)" if shown else f"<{url}>"


def _name_of(part: FilePart | ArtifactPart, number: int) -> str:
    """The name under which a file goes out."""
    return file_name(part.name or "") or f"file-{number + 1}"


def _button(policy: PolicyPart, at: str, notes: list[Diagnostic]) -> dict[str, Any] | None:
    """The button that leads to where people act; `check_answer` has seen that it is on a host of the agent."""
    if policy.url is None:
        return None
    if len(policy.url) > _MOST_URL:
        notes.append(Diagnostic(code="part-changed", at=at, detail="too long for a button: it is a link in the text"))
        return None
    label = one_line(policy.action_label or "")[:_MOST_LABEL] or _NO_LABEL
    return {"type": 2, "style": _LINK_BUTTON, "label": label, "url": policy.url}
