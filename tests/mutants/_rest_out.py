"""Mutants of REST: answers in every form, streams, rejections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mentionable.policy import _x402
from mentionable.rest import _accept, _answer, _events, _policy, _refuse
from tests.mutants._answers import spoils, takes
from tests.mutants._rest import AREA, edits

if TYPE_CHECKING:
    from collections.abc import Callable

REPLY, REFUSE = ("rest.reply",), ("rest.refuse",)


def _out(name: str, rule: str, *changes: Any) -> None:
    edits(REPLY, f"reply-{name}", rule, *changes)


def _says(name: str, rule: str, change: Callable[[Any, Any], Any], ops: tuple[str, ...] = REPLY) -> None:
    """Registers a mutant that answers otherwise: `change(value, unit)`; None leaves it."""
    spoils(AREA, ops, f"reply-{name}", rule, lambda value, _, unit: change(value, unit))


# --- whole answers

_says("no-agent", "Does not say who answers.", lambda value, unit: (
    {**value, "json": {**value["json"], "agent": None}}
    if value["json"] and "agent" in value["json"] and len(unit["response"]["parts"]) > 1 else None
))  # fmt: skip
_out(
    "own-members-shadowed",
    "Lets members of later versions shadow its own.",
    (_answer._members, "if name not in OWN", ""),
    (
        _answer._members,
        '{"v": VERSION, "agent": to.recipient, "session": session, **answered}',
        '{"v": VERSION, "agent": to.recipient, "session": session, **answered, **extra}',
    ),
)
_out(
    "one-session",
    "Does not send clients on to another session.",
    (_answer._members, "hint is not None and hint.thread_ref", "False"),
)
_out(
    "never-again",
    "Tells nobody to ask again.",
    (_answer._whole, "_LATER if said.error is not None and said.error.retriable else _FAILED", "_FAILED"),
)
_out(
    "always-again",
    "Tells everybody to ask again.",
    (_answer._whole, "_LATER if said.error is not None and said.error.retriable else _FAILED", "_LATER"),
)
_out(
    "text-is-success",
    "Calls every answer in text a success.",
    (_answer._whole, 'if said.status == "error":', 'if said.status == "error" and form == "json":'),
)
_out(
    "json-is-success",
    "Calls every answer in JSON a success.",
    (_answer._whole, 'if said.status == "error":', 'if said.status == "error" and form != "json":'),
)
_out(
    "digests-stay",
    "Leaves bytes that a digest names at home.",
    (_answer._carried, "is_elsewhere = data is None or part.bytes_ref.url is not None", "is_elsewhere = True"),
)
takes(
    AREA,
    REPLY,
    "reply-files-without-bytes",
    "Sends files whose bytes nobody has.",
    lambda *_: {},
    "malformed",
    when=lambda unit: "bytes_ref" in str(unit),
)
_out(
    "frames-unasked",
    "Sends frames to clients that take none.",
    (_answer._check_frame, "not takes_stream(accept)", "False"),
)
_says("cached", "Lets caches keep answers.", lambda value, _: {**value, "cache_control": "max-age=60"})
_says(
    "vary",
    "Lets caches mix the forms up.",
    lambda value, _: {name: member for name, member in value.items() if name != "vary"},
)

# --- negotiation

_out(
    "markdown-unescaped",
    "Lets plain text become Markdown.",
    (_answer._markdown, 'isinstance(part, TextPart) and part.mime == "text/markdown"', "isinstance(part, TextPart)"),
)
_says("plain-without-links", "Leaves links out of plain text.", lambda value, _: (
    {**value, "text": value["text"].partition(" <")[0]} if value["media_type"] == "text/plain" else None
))  # fmt: skip
_says("html-as-written", "Sends HTML as it was written.", lambda value, unit: (
    {**value, "text": unit["response"]["parts"][0]["content"]} if value["media_type"] == "text/html" else None
))  # fmt: skip
_says(
    "sniffed",
    "Lets browsers guess media types.",
    lambda value, _: {**value, "x_content_type_options": ""} if value["media_type"] == "text/html" else None,
)


def _typed(name: str, rule: str, wanted: Callable[[str], bool], media_type: str) -> None:
    """Registers a mutant that gives another form to clients that accept so."""

    def changed(value: Any, unit: Any) -> Any:
        found = unit["question"]["request"]["headers"]
        accept = found[-1][1] if found else ""
        return {**value, "media_type": media_type} if wanted(accept) and value["status"] == 200 else None

    _says(name, rule, changed)


_typed("anything-is-text", "Gives text to whoever takes anything.", lambda accept: accept == "*/*", "text/plain")
_typed(
    "unknown-is-text", "Gives text to whoever takes something else.", lambda accept: accept == "image/png", "text/plain"
)
_typed(
    "both-are-streams",
    "Streams to whoever takes both.",
    lambda accept: accept.startswith("application/json, text/event"),
    "text/event-stream",
)
_typed("nothing-is-text", "Gives text to whoever says nothing.", lambda accept: accept == "", "text/plain")
_out(
    "no-quality",
    "Takes all that is named for liked as well.",
    (_accept._ranges, "quality = min(float(found[1]), 1.0)", "pass"),
)
_out(
    "no-ranges",
    "Knows no ranges of media types.",
    (_accept._quality, '(media_type, media_type.partition("/")[0] + "/*", "*/*")', "(media_type,)"),
)
_out(
    "widest-first",
    "Takes what is said of many before what is said of one.",
    (
        _accept._quality,
        '(media_type, media_type.partition("/")[0] + "/*", "*/*")',
        '("*/*", media_type.partition("/")[0] + "/*", media_type)',
    ),
)
_out("case", "Takes media types in small letters alone.", (_accept._ranges, ".strip().lower()", ".strip()"))

# --- demands


def _status(name: str, rule: str, kind: str, status: int) -> None:
    """Registers a mutant that gives demands of a kind another status."""

    def changed(value: Any, unit: Any) -> Any:
        demands = [part["policy"]["kind"] for part in unit["response"]["parts"] if "policy" in part]
        is_other = demands == [kind] and value["media_type"] != "text/event-stream"
        return {**value, "status": status} if is_other else None

    _says(f"status-{name}", rule, changed)


_status("unauthorized", "Forbids who must sign in.", "unauthorized", 403)
_status("consent", "Forbids who must consent.", "consent_required", 403)
_status("payment", "Has no status for payments.", "payment_required", 403)
_status("forbidden", "Lets who is forbidden sign in.", "forbidden", 401)
_status("limit", "Takes a limit for an outage.", "too_many_requests", 503)
_status("legal", "Does not say that law forbids it.", "unavailable_for_legal_reasons", 403)
_status("outage", "Takes an outage for a fault.", "service_unavailable", 500)
_status("unknown", "Takes what it does not know for a success.", "example:age_check", 200)
_out(
    "demand-alone",
    "Leaves out what stands beside a demand.",
    (_policy.write_demand, "ENVELOPE: beside", "**({} if beside else {})"),
)
_out(
    "demand-as-liked",
    "Sends demands in the form that clients like.",
    (
        _answer.write_answer,
        "if policy is not None and response.streaming is None:",
        'if policy is not None and response.streaming is None and choose(accepted) == "json":',
    ),
)
_says(
    "no-wait",
    "Does not say how long to wait.",
    lambda value, _: {**value, "retry_after": None} if "retry_after" in value else None,
)
_out(
    "one-settlement",
    "Tells clients of one version how a payment ended.",
    (_policy.settlement_headers, "for name in _SETTLEMENTS", "for name in _SETTLEMENTS[:1]"),
)
_out(
    "any-settlement",
    "Tells of settlements that are none.",
    (
        _x402.check_settlement,
        'raise UsageError(f"settlement: not what policy.x402_settlement() gives: {error}") from None',
        "return {RECEIPTS: [{}]}",
    ),
)

# --- streams

_out(
    "no-start",
    "Does not say whose stream it is.",
    (_events.write_events, "if place is None or place.seq == 0:", "if False:"),
)
_out(
    "starts-always",
    "Begins with each frame.",
    (_events.write_events, "if place is None or place.seq == 0:", "if True:"),
)
_out("no-end", "Does not end streams.", (_events.write_events, "if place is None or place.final:", "if False:"))
_out("calls-are-parts", "Has no event for calls.", (_events.write_events, "isinstance(part, ToolCallPart)", "False"))
_out(
    "one-text",
    "Runs texts together.",
    (_events._text, 'if index or mime != "text/markdown":', 'if mime != "text/markdown":'),
)
_out(
    "plain-is-markdown",
    "Takes plain text for Markdown.",
    (_events._text, 'if index or mime != "text/markdown":', "if index:"),
)
_out(
    "plain-begins",
    "Begins a new part with each frame of plain text.",
    (_events._text, '"continues": not index', '"continues": False'),
)
_out(
    "parts-are-text",
    "Sends links as words.",
    (_events.write_events, "if isinstance(part, TextPart):", 'if isinstance(part, TextPart) or part.kind == "link":'),
    (
        _events.write_events,
        "events += _text(part, index, notes)",
        "events += _text(part if isinstance(part, TextPart) else TextPart(content=part.url), index, notes)",
    ),
)
_out("html-in-streams", "Sends HTML for Markdown.", (_events._text, "html_to_markdown(sanitize(content))", "content"))
_out("demands-are-parts", "Has no event for demands.", (_events.write_events, 'event="policy"', 'event="part"'))
_out(
    "errors-left-out",
    "Does not say why a stream failed.",
    (_events.write_events, "for name in _AT_END if name in members", 'for name in _AT_END if name == "status"'),
)
takes(
    AREA,
    REPLY,
    "reply-demands-early",
    "Sends demands before the end.",
    lambda *_: {},
    "malformed",
    when=lambda unit: "policy" in str(unit["response"]),
)

# --- rejections


def _refused(name: str, rule: str, *changes: Any) -> None:
    edits(REFUSE, f"refuse-{name}", rule, *changes)


_refused(
    "accepted",
    "Calls some rejections accepted.",
    (_refuse.refuse, "max(rejected.http_status, _BAD_REQUEST)", "rejected.http_status"),
)
_refused(
    "no-challenge",
    "Does not challenge who must show who they are.",
    (_refuse.refuse, "status == _UNAUTHENTICATED", "False"),
)
_refused(
    "bad-requests",
    "Calls every fault one of the request.",
    (
        _refuse.refuse,
        "max(rejected.http_status, _BAD_REQUEST)",
        "rejected.http_status if rejected.http_status in (401, 422) else 400",
    ),
)
_refused(
    "unprocessable",
    "Calls no fault unprocessable.",
    (
        _refuse.refuse,
        "max(rejected.http_status, _BAD_REQUEST)",
        "rejected.http_status if rejected.http_status != 422 else 400",
    ),
)
_refused("no-code", "Does not tell the code.", (_refuse.refuse, '"code": rejected.code', '"error": rejected.code'))
