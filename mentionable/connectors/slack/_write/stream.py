"""An answer that grows as what Slack's streams take: Markdown that is appended, and tasks that change.

What was sent cannot be taken back. So the Markdown of a frame begins with that of the frame before, or the frame is
not appended.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ...._html.convert import html_to_markdown
from ...._html.sanitize import link_html
from ...._html.well_formed import neutralize
from ...._model.base import UNSET
from ...._model.message import NormalizedResponse
from ...._model.parts import ArtifactPart, CarriedPolicy, FilePart, LinkPart, Part, TextPart, ToolCallPart
from ...._text.media import single_line, url_of
from ...._text.mrkdwn import JOINER
from ...._text.plain_text import error_text, shorten, summary, tool_call_outcome
from .inline import NO_MENTIONS, Mentions, words
from .literal import literal

MAX_STREAM: Final = 12_000
"""The length of a stream. Slack takes as much in one call."""

_TASK_BYTES: Final = 240
_SYNTAX: Final = re.compile(r"[\\`*_{}\[\]()#+.!|~<>&-]")
_COLON: Final = re.compile(r":(?=[a-z0-9_+'-])")
_INDENT: Final = re.compile(r"^(?=[ \t])", re.MULTILINE)
_TOKEN: Final = re.compile(r"<(?=[@!#])")

Chunk = dict[str, Any]


def chunks_of(
    response: NormalizedResponse, mentions: Mentions, before: NormalizedResponse | None
) -> list[Chunk] | None:
    """What a frame adds to the one before, as chunks of a stream.

    Args:
        response: The frame.
        mentions: The users that it may mention.
        before: The frame that the stream has; None: it has none yet.

    Returns:
        None when the frame cannot be appended: it says something else than the frame before, or too much.
    """
    sent = _NOTHING if before is None else _Written(before, mentions)
    now = _Written(response, mentions)
    if not now.text.startswith(sent.text) or now.order[: len(sent.order)] != sent.order:
        return None
    if len(now.text.encode("utf-16-le")) > 2 * MAX_STREAM:
        return None
    chunks: list[Chunk] = [task for id, task in now.tasks.items() if sent.tasks.get(id) != task]
    text = now.text[len(sent.text) :]
    return [*chunks, *([{"type": "markdown_text", "text": text}] if text else [])]


class _Written:
    """A frame in a stream: its text, its tasks, and the order in which they began."""

    def __init__(self, response: NormalizedResponse | None, mentions: Mentions) -> None:
        self.tasks: dict[str, Chunk] = {}
        texts: list[str] = []
        self.order: list[str] = []
        for part in () if response is None else response.parts:
            if isinstance(part, ToolCallPart):
                self.tasks[part.id] = _task(part)
                self.order.append(f"{len(texts)} {part.id}")
            elif text := _markdown(part, mentions):
                texts.append(text)
        is_partial = response is not None and response.status == "partial"
        if response is not None and not is_partial and not texts and not self.tasks:
            texts = [_plain(error_text(response))] if not _has_policy(response) else []
        self.text = "\n\n".join(texts)
        if is_partial:
            self.text = _without_open_mention(self.text)


_NOTHING: Final = _Written(None, NO_MENTIONS)


def _has_policy(response: NormalizedResponse) -> bool:
    return any(isinstance(part, CarriedPolicy) for part in response.parts)


def _without_open_mention(text: str) -> str:
    """A text that goes on, without the end of its last word where that may become a mention."""
    start = max(text.rfind(" "), text.rfind("\n")) + 1
    signs = [at for at in (text.find("@", start), text.find("<", start)) if at >= 0]
    # Plain text escapes a sign that begins no mention. Which it will be is not known yet, so its backslash waits too.
    return text[: min(signs)].rstrip("\\") if signs else text


def _task(part: ToolCallPart) -> Chunk:
    """A tool call as a task."""
    state = "error" if part.error else "in_progress" if part.result is UNSET else "complete"
    task = {"type": "task_update", "id": part.id, "title": _line(f"{part.name}({summary(part.args)})"), "status": state}
    return task if state == "in_progress" else {**task, "output": _line(tool_call_outcome(part))}


def _line(text: str) -> str:
    """A line in which Slack sees no markup."""
    line = shorten(single_line(neutralize(text)), _TASK_BYTES)
    return _safe(literal(line, is_plain=True))


def _markdown(part: Part, mentions: Mentions) -> str:
    """A part as Markdown; empty for what waits for the final frame, or is invisible."""
    match part:
        case TextPart(mime="text/markdown", content=content):
            return _mentioned(neutralize(content), mentions)
        case TextPart(mime="text/html", content=content):
            return _mentioned(html_to_markdown(content), mentions)
        case TextPart(content=content):
            return _plain(neutralize(content), mentions)
        case LinkPart(url=url, title=title, description=description):
            link = html_to_markdown(link_html(url, single_line(title or "") or url))
            return _safe(link) + (f"\n\n{_plain(single_line(description))}" if description else "")
        case FilePart(name=name, mime=mime) | ArtifactPart(name=name, mime=mime):
            location = url_of(part)
            if location is None:
                return ""
            title = single_line(name or "") or "file"
            return f"{_safe(html_to_markdown(link_html(location, title)))} ({_plain(mime)})"
        case _:
            return ""


def _mentioned(text: str, mentions: Mentions) -> str:
    """Markdown in which Slack sees the mentions alone that are allowed."""
    return "".join([f"<@{one.target}>" if one.kind == "user" else _safe(one.text) for one in words(text, mentions)])


def _plain(text: str, mentions: Mentions = NO_MENTIONS) -> str:
    """Plain text as Markdown. Each character is written by itself, so that a text that goes on begins alike."""
    return "".join([f"<@{one.target}>" if one.kind == "user" else _escaped(one.text) for one in words(text, mentions)])


def _escaped(text: str) -> str:
    escaped = _SYNTAX.sub(lambda match: f"\\{match[0]}", _safe(text))
    return _COLON.sub(f":{JOINER}", _INDENT.sub(JOINER, escaped))


def _safe(text: str) -> str:
    """Text in which nothing is a mention."""
    return _TOKEN.sub(f"<{JOINER}", text)
