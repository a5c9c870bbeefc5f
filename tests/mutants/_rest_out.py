"""Mutants of REST: answers in every form, streams, rejections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._answers import spoils, takes
from tests.mutants._rest import AREA

if TYPE_CHECKING:
    from collections.abc import Callable

REPLY, REFUSE = ("rest.reply",), ("rest.refuse",)


def _says(name: str, rule: str, change: Callable[[Any, Any], Any], ops: tuple[str, ...] = REPLY) -> None:
    """Registers a mutant that answers otherwise: `change(value, unit)`; None leaves it."""
    spoils(AREA, ops, f"reply-{name}", rule, lambda value, _, unit: change(value, unit))


# --- whole answers

_says("no-agent", "Does not say who answers.", lambda value, unit: (
    {**value, "json": {**value["json"], "agent": None}}
    if value["json"] and "agent" in value["json"] and len(unit["response"]["parts"]) > 1 else None
))  # fmt: skip
takes(
    AREA,
    REPLY,
    "reply-files-without-bytes",
    "Sends files whose bytes nobody has.",
    lambda *_: {},
    "malformed",
    when=lambda unit: "bytes_ref" in str(unit),
)
_says("cached", "Lets caches keep answers.", lambda value, _: {**value, "cache_control": "max-age=60"})
_says(
    "vary",
    "Lets caches mix the forms up.",
    lambda value, _: {name: member for name, member in value.items() if name != "vary"},
)

# --- negotiation

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
_says(
    "no-wait",
    "Does not say how long to wait.",
    lambda value, _: {**value, "retry_after": None} if "retry_after" in value else None,
)

# --- streams

takes(
    AREA,
    REPLY,
    "reply-demands-early",
    "Sends demands before the end.",
    lambda *_: {},
    "malformed",
    when=lambda unit: "policy" in str(unit["response"]),
)
