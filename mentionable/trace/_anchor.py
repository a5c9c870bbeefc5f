"""The link that carries a trace in HTML: its words, how to write it, and how to find it in a body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .._errors.exceptions import wire_error
from .._html.tokens import attribute, escape, tags
from .._model.message import NormalizedResponse
from .._model.parts import ToolCallPart
from .._text.media import single_line

CLASS: Final = "mentionable-trace"
VERSION: Final = "0.1"
_MAX_CHARS: Final = 120
_MAX_NAME: Final = 40
_MAX_CALLS: Final = 30
"""More names never fit: each takes four characters at least."""

_MARKS: Final = {"ok": "✓", "failed": "✗", "running": "…"}
_BLANKS: Final = " \t\r\n"
_MAX_INNER_HTML: Final = 1_000
"""Characters of HTML between the tags of an anchor: its words, and what servers put around them."""

_MAX_WORDS: Final = 160
"""Characters of its words, of which some may be written as references."""


class Anchor(NamedTuple):
    """An anchor in a body.

    Attributes:
        href: The address, as it was written.
        version: Of the annotation; None when the anchor does not say.
        start: Where it begins in the HTML, the paragraph included that holds nothing else.
        end: Where it ends.
    """

    href: str
    version: str | None
    start: int
    end: int


def anchor_text(response: NormalizedResponse) -> str:
    """The text of the link: the tool calls and their states, in at most 120 characters.

    Spec: Normalized Message §10.7.

    Example:
        >>> from mentionable import NormalizedResponse, ToolCallPart
        >>> call = ToolCallPart(id="c1", name="web_search", args={}, result=[], duration_ms=412)
        >>> anchor_text(NormalizedResponse(reply_to="m1", parts=(call,)))
        '[trace: web_search ✓ 412ms]'
    """
    calls = [_call_text(part) for part in response.parts if isinstance(part, ToolCallPart)]
    if not calls:
        count = len(response.parts)
        return f"[trace: {count} part{'s' * (count != 1)}]"
    lead = "[trace: " if len(calls) == 1 else f"[trace: {len(calls)} tool calls — "
    count = min(len(calls), _MAX_CALLS)
    while len(text := lead + _listed(calls, count)) > _MAX_CHARS:
        count -= 1
    return text


def _listed(calls: list[str], count: int) -> str:
    more = len(calls) - count
    return ", ".join(calls[:count]) + (f", +{more} more]" if more else "]")


def _call_text(call: ToolCallPart) -> str:
    name = single_line(call.name) or "tool"
    if len(name) > _MAX_NAME:
        name = f"{name[: _MAX_NAME - 1]}…"
    return f"{name} {_MARKS[call.state]}" + ("" if call.duration_ms is None else f" {_duration(call.duration_ms)}")


def _duration(milliseconds: float) -> str:
    """Three digits, or whole seconds."""
    seconds = milliseconds / 1_000
    if milliseconds < 999.5:
        return f"{milliseconds + 0:.0f}ms"  # so that -0.0 is 0
    return f"{seconds:.3g}s" if seconds < 999.5 else f"{seconds:.0f}s"


def anchor_html(href: str, text: str) -> str:
    """The anchor for the end of a body.

    Spec: Normalized Message §10.3.
    """
    return f'<a class="{CLASS}" data-version="{VERSION}" href="{escape(href)}">{escape(text)}</a>'


def find_anchor(html: str) -> Anchor | None:
    """The first anchor of a trace in HTML; None when there is none. Later ones are ignored.

    Spec: Normalized Message §10.3.
    """
    if CLASS not in html:
        return None
    seen = tags(html)
    for name, attributes, start, end in seen:
        if name.lower() == "a" and CLASS in (attribute(attributes, "class") or "").split():
            href, version = attribute(attributes, "href"), attribute(attributes, "data-version")
            start, end = _alone(html, start, _end_of(html, seen, end))
            return Anchor(href or "", version, start, end)
    return None


def _end_of(html: str, seen: Iterator[tuple[str, str, int, int]], begun: int) -> int:
    """Where an anchor ends whose start tag ends at `begun`: with its own end, if that is near.

    An attacker could hide text in an anchor that never ends. Such text, and text longer than an anchor has, stays.
    """
    words = 0
    last = begun
    for name, _, start, end in seen:
        words += start - last
        if words > _MAX_WORDS or start - begun > _MAX_INNER_HTML or name.lower() == "a":
            break
        if name.lower() == "/a":
            return end
        last = end
    return begun


def _alone(html: str, start: int, end: int) -> tuple[int, int]:
    """The place from `start` to `end`, or the paragraph that holds nothing else."""
    before, after = html[:start].rstrip(_BLANKS), html[end:].lstrip(_BLANKS)
    if before.endswith("<p>") and after.startswith("</p>"):
        return len(before) - len("<p>"), len(html) - len(after) + len("</p>")
    return start, end


def check_version(anchor: Anchor) -> None:
    """Raises when the annotation is of another version. Rewriters drop the attribute, so its absence says nothing.

    Raises:
        WireError: `trace-version-unsupported`.
    """
    if anchor.version not in (None, VERSION):
        raise wire_error("trace-version-unsupported", "", f"the version is not {VERSION}")
