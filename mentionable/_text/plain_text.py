"""Text that agents and people read: tool-call lines, descriptions of a platform, a message as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, assert_never

from .._flow.settings import check_kind
from .._html.convert import html_to_text
from .._html.hidden import without_hidden
from .._model.base import UNSET
from .._model.capabilities import (
    AddressingRelay,
    AgentChain,
    InlineRelay,
    MentionRelayCapability,
    NoRelay,
    RecipientCapabilities,
    RecipientFieldRelay,
)
from .._model.message import HistoricalMessage, NormalizedMessage, NormalizedResponse
from .._model.parts import ArtifactPart, CarriedPolicy, FilePart, LinkPart, Part, TextPart, ToolCallPart
from .._wire.canonical_json import number_text
from .._wire.strict_json import dig, dump_line, well_formed
from .display_names import ELLIPSIS, neutralize
from .fold import quote_imitations
from .headers import block_of_others, is_of_others, without_claims
from .left_out import file_line, hidden_line
from .media import single_line, url_of
from .mentions import mentions_in, with_names
from .policy_text import missing_from, render_text

TOOL_CALL_BUDGET: Final = 200
"""Bytes of UTF-8 for each side of a tool-call line. Spec: Normalized Message §3.2."""

NO_REASON: Final = "The agent could not answer."
"""The text of a failure without a reason."""

_MAY_BE_RARE: Final = re.compile(r"[0-9](?:e[+-]|[0-9]{15})|\.0(?![0-9])").search
"""Whether JSON may contain a number that Python and ECMAScript write differently."""

_LINE_BREAKS: Final = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


def clean(text: str) -> str:
    """`text` with CRLF as LF and without NUL: the canonical form of every text part.

    Spec: Normalized Message §7 (canonicalization).
    """
    if "\0" in text:
        text = text.replace("\0", "")
    return text.replace("\r\n", "\n") if "\r" in text else text


def shorten(text: str, budget: int) -> str:
    """`text` in at most `budget` bytes of UTF-8, cut between characters and ended with `…` when it was longer."""
    data = text.encode()
    if len(data) <= budget:
        return text
    remaining = budget - len(ELLIPSIS.encode())
    if remaining < 0:  # the ellipsis alone is too long
        return data[: max(budget, 0)].decode(errors="ignore")
    return data[:remaining].decode(errors="ignore") + ELLIPSIS


def serialize_tool_call_to_text(part: ToolCallPart, *, budget: int = TOOL_CALL_BUDGET) -> str:
    """Write a tool call as one line, for platforms without tool calls.

    Args:
        part: The call, in any state.
        budget: Bytes of UTF-8 for the arguments and for the result, each; what is longer is cut and ends with `…`.

    Spec: Normalized Message §3.2.

    Example:
        >>> serialize_tool_call_to_text(ToolCallPart(id="c1", name="web_search", args={"q": "rain"}, result=[1, 2]))
        '🔧 web_search({"q":"rain"}) → [1,2]'
    """
    mark = "❌ " if part.error else ""
    return f"🔧 {_without_breaks(part.name)}({summary(part.args, budget)}) → {mark}{tool_call_outcome(part, budget)}"


def tool_call_outcome(part: ToolCallPart, budget: int = TOOL_CALL_BUDGET) -> str:
    """The outcome of a call on one line: its result, its error, or `…` while it runs."""
    if part.error is not None:
        return _without_breaks(part.error.message)
    return ELLIPSIS if part.result is UNSET else summary(part.result, budget)


def summary(value: object, budget: int = TOOL_CALL_BUDGET) -> str:
    """Any JSON on one line, in at most `budget` bytes of UTF-8, with numbers as RFC 8785 writes them."""
    return shorten(_without_breaks(json_text(value)), budget)


def json_text(value: object) -> str:
    """Any JSON as compact text, with numbers as RFC 8785 writes them: the same in every language."""
    text = dump_line(value)
    return "".join(_pieces(value)) if _MAY_BE_RARE(text) else text


def _pieces(value: Any) -> Iterator[str]:
    """A JSON value as `dump_line` writes it, but for its numbers."""
    kind = value.__class__
    if kind is float or kind is int:
        yield number_text(value)
    elif kind is dict or kind is list:
        yield "{" if kind is dict else "["
        for number, item in enumerate(value):
            yield "," if number else ""
            if kind is dict:
                yield f"{dump_line(item)}:"
            yield from _pieces(value[item if kind is dict else number])
        yield "}" if kind is dict else "]"
    else:
        yield dump_line(value)


def _without_breaks(text: str) -> str:
    """`text` with controls and line breaks as spaces, and all else as it is."""
    return _LINE_BREAKS.sub(" ", text)


_HEADING: Final = "The platform that delivered this message routes mentions to other agents as follows:"
_FALLBACK: Final = "dispatch the sibling directly via A2A and weave the answer into your reply."


def render_mention_relay_capability(capability: MentionRelayCapability) -> str:
    """How to wake another agent on the platform, in words for a system prompt.

    Spec: Normalized Message §3.3.2.
    """
    match capability:
        case InlineRelay():
            wake = "to wake another agent, write their @handle in the body of your reply"
            note = "body @-mentions are routed by this platform"
            fallback = f"If you can’t mention them, {_FALLBACK}"
        case RecipientFieldRelay(fields=fields):
            wake = f"to wake another agent, add them to {_names(fields)} of your reply"
            note = "body @-mentions are NOT routed by this platform"
            fallback = f"If you can’t add recipients, {_FALLBACK}"
        case AddressingRelay(envelope_fields=fields):
            wake = (
                f"to wake another agent, add them to {_names(fields)} of your reply"
                " AND write their @handle@host in its body"
            )
            note = "an addressee without a body @-mention, or a body @-mention alone, is NOT routed by this platform"
            fallback = f"If you can’t do both, {_FALLBACK}"
        case NoRelay():
            wake = "no other agent can be woken through your reply"
            note = "body @-mentions are NOT routed by this platform"
            fallback = _FALLBACK[0].upper() + _FALLBACK[1:]
        case _:
            assert_never(capability)
    return f"{_HEADING}\n\n  • mechanism: {capability.kind}\n  • {wake}\n  • {note}\n\n{fallback}"


def _names(fields: tuple[str, ...]) -> str:
    """Field names for people: `To or Cc`, `To, Cc or Bcc`."""
    names = [name.capitalize() for name in fields]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def render_agent_chain(chain: AgentChain | None) -> str | None:
    """Where the agent stands in its chain, in words for a system prompt; None when it is in none.

    Spec: Normalized Message §3.3.5.
    """
    if chain is None:
        return None
    if chain.is_final:
        return (
            f"You are responding as the FINAL hop ({chain.hop} of {chain.max_hops})."
            " Synthesize a conclusion — do not invite another agent."
        )
    left = chain.max_hops - chain.hop
    return (
        f"You are responding as hop {chain.hop} of a chain capped at {_hops(chain.max_hops)}."
        f" [{_hops(left)} remaining.]"
    )


def _hops(count: int) -> str:
    return "1 hop" if count == 1 else f"{count} hops"


def render_recipient_capabilities(capabilities: RecipientCapabilities) -> str:
    """Both descriptions as one block for a system prompt; the chain only when there is one.

    Spec: Normalized Message §3.3.5.
    """
    relay = render_mention_relay_capability(capabilities.mention_relay)
    chain = render_agent_chain(capabilities.agent_chain)
    return relay if chain is None else f"{relay}\n\n{chain}"


def plain_text(message: NormalizedMessage | NormalizedResponse | HistoricalMessage) -> str:
    """All parts as plain text, with one blank line between parts.

    HTML becomes text without what it hides, and a line says how much that was. Markdown is unchanged, but a mention of
    a platform gets its name, `@‹Ash› (<@U1>)`. Text that others wrote is a block under their name. Files, links and
    artifacts are named, a link has its description in the line below, and each tool call is one line. A policy comes
    last, unless a text already ends with it, as in mails and notes. A failed response without content gives its error
    text.
    """
    if isinstance(message, NormalizedMessage):
        message = without_claims(message, message.received_via)
    others = [part for part in message.parts if not isinstance(part, CarriedPolicy)]
    texts = [part_text(part) for part in others]
    policies = [part for part in message.parts if isinstance(part, CarriedPolicy)]
    if policies:
        words = [text for part, text in zip(others, texts, strict=True) if isinstance(part, TextPart)]
        texts += map(part_text, missing_from(policies, words))
    return "\n\n".join(filter(None, texts)) or error_text(message)


def subject(message: NormalizedMessage) -> str | None:
    r"""The subject of a mail as one line, as the sender wrote it, `Re:` included.

    It is never part of the text of a mail that has other text; where a mail has no other text, it is its text, too.

    Args:
        message: A message, as `receive` returned it; it is read from its `raw`.

    Returns:
        The subject; None where there is none, and for messages that are no mail.

    Raises:
        UsageError: The argument is of another kind.

    Spec: RFC 5322 §3.6.5.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive, mail
        >>> raw = b"From: Alice <alice@a.example>\nSubject: Rain?\n\nWill it?\n"
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> flow = mail.receive(raw, recipient="@helper@b.example", now=now, entropy=bytes(32))
        >>> mail.subject(drive(flow, Answers()).message)
        'Rain?'
    """
    check_kind(message, NormalizedMessage, "message")
    return subject_of(message)


def subject_of(message: NormalizedMessage) -> str | None:
    """`subject` of what is known to be a message."""
    parsed = dig(message.raw, "parsed", "subject") if message.received_via == "email" else None
    return single_line(well_formed(parsed)) or None if isinstance(parsed, str) else None


def _marked_text(part: TextPart) -> str:
    """A text with the names of who is mentioned; text that others wrote is a block of its own."""
    text = visible_text(part.content) if part.mime == "text/html" else part.content.strip("\n")
    text = with_names(text, mentions_in(part.extra))
    return block_of_others(part, text) if text and is_of_others(part) else text


def visible_text(html: str, *, quotes: bool = False) -> str:
    """HTML as text without what it hides from people, and how much that was.

    Args:
        html: The HTML.
        quotes: Whether lines that imitate something are quoted in any case; they are where something is hidden.
    """
    visible, hidden = without_hidden(html)
    text = html_to_text(visible)
    if quotes or hidden:
        text = quote_imitations(text)
    return f"{text}\n\n{hidden_line(hidden)}".lstrip("\n") if hidden else text


def error_text(message: NormalizedMessage | NormalizedResponse | HistoricalMessage) -> str:
    """The text of a failed response that has no content; empty for anything else."""
    if getattr(message, "status", "ok") != "error":
        return ""
    error = getattr(message, "error", None)
    return (error.message if error is not None else "") or NO_REASON


def part_text(part: Part) -> str:
    """One part as plain text; empty if it has none."""
    match part:
        case TextPart(extra=extra) if extra:
            return _marked_text(part)
        case TextPart(mime="text/html", content=content):
            return visible_text(content)
        case TextPart(content=content):
            return content.strip("\n")
        case LinkPart(url=url, title=title, description=description):
            link, more = f"{title} <{url}>" if title else url, single_line(description or "")
            return f"{link}\n{more}" if more else link
        case FilePart(name=name, mime=mime) | ArtifactPart(name=name, mime=mime):
            where = url_of(part)
            return file_line(neutralize(name or ""), mime) + (f" <{where}>" if where else "")
        case ToolCallPart():
            return serialize_tool_call_to_text(part)
        case CarriedPolicy(policy=policy):
            return render_text(policy)
        case _:
            return ""
