"""Turns of a chat as browsers get them: JSON with the text, and with HTML that the library has sanitized."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

from mentionable import (
    CarriedPolicy,
    NoRelay,
    NormalizedMessage,
    NormalizedResponse,
    Part,
    RecipientCapabilities,
    Sender,
    TextPart,
    format_time,
    plain_text,
    policy,
    replace,
    rest,
)

from mentionable_host.store.messages import answer_id
from mentionable_host.transports.platforms.choices import choices_of

__all__ = ["PREFIX", "Turn", "answer_turn", "markdown_html", "message_turn"]

Turn = dict[str, Any]
"""`{"id", "role", "text", "html", "at", "number"}`."""

PREFIX: Final = "chat-"
"""Ids of messages that a browser has made begin so: those of other ways to the agent are never one of these."""
MAX_TEXT: Final = 20_000
"""So many characters of a turn are on the page; what is stored has the rest."""
MAX_HTML: Final = 100_000
MAX_PARTS: Final = 100
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)


def message_turn(message: NormalizedMessage, *, number: int, at: datetime) -> Turn:
    """What a person wrote, under the id that their browser gave it.

    Args:
        message: The message.
        number: Its row.
        at: When it came.
    """
    own_id = message.raw.get("message_id") if isinstance(message.raw, Mapping) else None
    id = own_id.removeprefix(PREFIX) if isinstance(own_id, str) else message.id
    content = NormalizedResponse(reply_to=message.id, parts=message.parts)
    return {**_content(content), "id": id, "role": "user", "at": format_time(at), "number": number}


def answer_turn(response: NormalizedResponse, *, number: int, at: datetime) -> Turn:
    """What the agent answered, or that it cannot.

    Args:
        response: The answer.
        number: Its row; where there is none, that of the message.
        at: When it was stored.

    Raises:
        MentionableError: It breaks the rules of answers: a fault of the agent.
    """
    id = answer_id(response.reply_to)
    return {**_content(response), "id": id, "role": "agent", "at": format_time(at), "number": number}


def _content(response: NormalizedResponse) -> Turn:
    """The text and the HTML of a turn."""
    asked = policy.demand_of(response)
    parts = tuple(_short(part) for part in response.parts[:MAX_PARTS] if not isinstance(part, CarriedPolicy))
    content = replace(response, reply_to=_ASKED.id, parts=parts)
    texts, blocks = [plain_text(content)], [_html(content)]
    if asked is not None:
        texts.append(policy.render_text(asked))
        blocks.append(policy.render_html(asked))
    choices = [": ".join(filter(None, (one.label, one.description))) for one in choices_of(response)]
    if choices:
        texts.append("\n".join(f"- {one}" for one in choices))
        blocks.append(f"<ul>{''.join(f'<li>{escape(one)}</li>' for one in choices)}</ul>")
    text, html = "\n\n".join(filter(None, texts))[:MAX_TEXT], "".join(blocks)
    return {"text": text, "html": html if len(html) <= MAX_HTML else f"<p>{escape(text)}</p>"}


def markdown_html(text: str) -> str:
    """Markdown of the agent as HTML."""
    html = _html(NormalizedResponse.to(_ASKED, text[:MAX_TEXT])) if text.strip() else ""
    return html if len(html) <= MAX_HTML else f"<p>{escape(text[:MAX_TEXT])}</p>"


def _short(part: Part) -> Part:
    """A part, whose text is cut where it is very long."""
    if not isinstance(part, TextPart) or len(part.content) <= MAX_TEXT:
        return part
    return replace(part, content=f"{part.content[:MAX_TEXT]}…")


_ASKED: Final = NormalizedMessage(
    id="chat",
    thread_id="chat",
    sender=Sender(address="@person@chat.invalid"),
    recipient="@agent@chat.invalid",
    parts=(),
    recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
    received_via="rest",
    received_at="2000-01-01T00:00:00Z",
    raw=None,
)


def _html(content: NormalizedResponse) -> str:
    """Parts as the library writes them for a browser; nothing in them loads anything by itself."""
    if not content.parts and content.error is None:
        return ""
    out = rest.reply(content, to=_ASKED, accept="text/html", now=_EPOCH, entropy=bytes(32))
    return out.response.body.decode()
