"""Parts of messages as HTML. What peers wrote is sanitized by the library, and never loads anything."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from attrs import field, frozen, has
from markupsafe import Markup, escape
from mentionable import (
    UNSET,
    ArtifactPart,
    CarriedPolicy,
    FilePart,
    LinkPart,
    MentionableError,
    NoRelay,
    NormalizedMessage,
    NormalizedResponse,
    Part,
    RecipientCapabilities,
    Sender,
    TextPart,
    ToolCallPart,
    encode,
    parse_time,
    plain_text,
    replace,
    rest,
    trace,
)

__all__ = ["ShownPart", "clock", "cut", "excerpt", "is_web", "json_text", "shown", "size", "trace_link", "visible"]

MAX_JSON: Final = 20_000
"""So many characters of a value are shown; the JSON of the message has the rest."""
MAX_PARTS: Final = 200
MAX_TEXT: Final = 20_000
"""So many characters of a text are shown in a conversation."""
PLAIN_TEXT: Final = 2_000
"""So many, where there are so many other texts that this one is not rendered."""
MAX_NAME: Final = 200
_KEPT: Final = frozenset("\u200c\u200d\ufe0e\ufe0f")
"""Joiners and selectors, which scripts and emoji need: they hide and turn nothing."""
_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
_STEP: Final = 1024


@frozen(kw_only=True)
class ShownPart:
    """A part, ready for a template.

    Attributes:
        kind: `text`, `file`, `artifact`, `link`, `tool_call`, `policy`, or what a later version sends.
        number: Its place in the message, by which its file is downloaded.
        html: Text as HTML that is safe.
        part: The part itself.
        args: JSON of the arguments of a call.
        result: JSON of its result; None: there is none.
    """

    kind: str
    number: int
    html: Markup = field(factory=Markup)
    part: Part
    args: str = ""
    result: str | None = None


def shown(parts: tuple[Part, ...], *, is_plain: bool = False) -> list[ShownPart]:
    """The parts of a message or an answer, the first of them where there are very many.

    Args:
        parts: The parts.
        is_plain: Whether text is shown as it was typed, and its beginning alone: to render much of it takes seconds.
    """
    return [_shown(part, number, is_plain=is_plain) for number, part in enumerate(parts[:MAX_PARTS])]


def _shown(part: Part, number: int, *, is_plain: bool) -> ShownPart:
    match part:
        case TextPart() if is_plain:
            html = Markup("<p>{}</p>").format(excerpt(part.content, PLAIN_TEXT))
            return ShownPart(kind="text", number=number, html=html, part=part)
        case TextPart():
            short = replace(part, content=cut(part.content, MAX_TEXT))
            return ShownPart(kind="text", number=number, html=_html(short), part=part)
        case ToolCallPart():
            result = None if part.result is UNSET else json_text(part.result)
            return ShownPart(kind="tool_call", number=number, part=part, args=json_text(part.args), result=result)
        case CarriedPolicy():
            return ShownPart(kind="policy", number=number, part=part, args=json_text(part.policy))
        case FilePart() | ArtifactPart() | LinkPart():
            return ShownPart(kind=part.kind, number=number, part=part)
        case _:
            return ShownPart(kind="other", number=number, part=part, args=json_text(encode(part)))


_ASKED: Final = NormalizedMessage(
    id="page",
    thread_id="page",
    sender=Sender(address="@operator@page.invalid"),
    recipient="@agent@page.invalid",
    parts=(),
    recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
    received_via="rest",
    received_at="2000-01-01T00:00:00Z",
    raw=None,
)


def _html(part: TextPart) -> Markup:
    """A text as the library writes it for a browser: sanitized, with links in place of images."""
    answer = NormalizedResponse(reply_to=_ASKED.id, parts=(part,))
    try:
        out = rest.reply(answer, to=_ASKED, accept="text/html", now=_EPOCH, entropy=bytes(32))
    except MentionableError:  # a page is shown whatever was stored
        return Markup("<p>{}</p>").format(excerpt(plain_text(answer), MAX_JSON))
    return Markup(out.response.body.decode("utf-8", "replace"))  # noqa: S704 - the library has sanitized it


def json_text(value: Any, limit: int = MAX_JSON) -> str:
    """A value as JSON for people, cut where it is very long."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2, default=_plain)
    except (ValueError, TypeError, RecursionError):
        return "(cannot be shown)"
    return cut(text, limit)


def cut(text: str, limit: int) -> str:
    """A text, whose end is left out where it is very long."""
    return text if len(text) <= limit else f"{text[:limit]}\n… {len(text) - limit:,} characters more"


def _plain(value: object) -> object:
    """What `json` does not know: mappings that cannot be changed, and values of the library."""
    if isinstance(value, Mapping):
        return dict(value)
    return encode(value) if has(type(value)) else str(value)


def trace_link(response: NormalizedResponse, *, viewer: str | None) -> str | None:
    """The address of the trace viewer with the trace of an answer; None where it is too large for an address.

    Args:
        response: The answer.
        viewer: The URL or the path of the viewer; None: there is none.
    """
    href = None if viewer is None else trace.write(response).href
    return None if href is None else f"{viewer}#{href.partition('#')[2]}"


def visible(text: object, limit: int = MAX_NAME) -> Markup:
    """A name, an address or an id: characters that hide or turn others are spelled out, and a long one is cut."""
    given = str(text or "")
    short = given if len(given) <= limit else f"{given[: limit - 1]}…"
    return Markup("<bdi>{}</bdi>").format(Markup("").join(_char(char) for char in short))


def _char(char: str) -> Markup:
    if char in _KEPT or unicodedata.category(char) not in _HIDDEN:
        return escape(char)
    return Markup('<span class="hidden-char">U+{}</span>').format(f"{ord(char):04X}")


def excerpt(text: str, limit: int = 300) -> str:
    """The beginning of a text on one line, without characters that turn or hide others."""
    line = " ".join(text[: limit * 2].split())
    line = "".join(char for char in line if char in _KEPT or unicodedata.category(char) not in _HIDDEN)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def clock(moment: datetime | str | float | None) -> Markup:
    """A time: in UTC, until a script puts it into the words and the zone of whoever reads."""
    if moment is None:
        return Markup("")
    try:
        if isinstance(moment, str):
            moment = parse_time(moment)
        elif not isinstance(moment, datetime):
            moment = datetime.fromtimestamp(moment, UTC)
    except (ValueError, OverflowError, OSError, MentionableError):
        return Markup("?")
    exact = moment.astimezone(UTC)
    stamp, words = f"{exact:%Y-%m-%dT%H:%M:%SZ}", f"{exact:%Y-%m-%d %H:%M} UTC"
    return Markup('<time datetime="{}">{}</time>').format(stamp, words)


def size(count: int | None) -> str:
    """A number of bytes for people."""
    if count is None:
        return "size unknown"
    value, name = float(count), "bytes"
    for following in ("kB", "MB", "GB"):
        if value < _STEP:
            break
        value, name = value / _STEP, following
    return f"{count} bytes" if name == "bytes" else f"{value:.1f} {name}"


def is_web(url: str) -> bool:
    """Whether a link to it may be made."""
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False
