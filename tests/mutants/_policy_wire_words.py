"""Mutants of the words of demands, of parameters of challenges, and of what is sent with answers and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._answers import spoils
from tests.mutants._policy_wire import AREA, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

READ, MARKDOWN, HTTP = ("policy.read",), ("policy.markdown",), ("policy.to_http",)
CALL, REPLY = ("a2a.call",), ("a2a.reply",)

# --- words


spoils(
    AREA,
    MARKDOWN,
    "render-title-unescaped",
    "Escapes the message alone.",
    lambda value, _, unit: value.replace("\\.", ".", 1) if "title" in unit["policy"] else None,
)
spoils(
    AREA,
    MARKDOWN,
    "render-offers-unescaped",
    "Does not escape what offers say.",
    lambda value, _, unit: value.replace("\\@", "@") if "accepted_payments" in unit["policy"] else None,
)

# --- the header of x402


def _payment(name: str, rule: str, change: Callable[[str], str | None]) -> None:
    def changed(value: Any, _: Any, unit: Any) -> Any:
        headers = [[key, change(text) if key == "payment-required" else text] for key, text in value["headers"]]
        return {**value, "headers": [pair for pair in headers if pair[1] is not None]}

    spoils(AREA, HTTP, f"http-{name}", rule, changed)


_payment("x402-cut", "Cuts what is too long.", lambda text: text[:4096])
spoils(
    AREA,
    HTTP,
    "http-x402-always",
    "Writes the field for every way to pay.",
    lambda value, _, unit: (
        {**value, "headers": [*value["headers"], ["payment-required", "e30="]]}
        if value["status"] == 402 and "x402" not in text_of(unit)
        else None
    ),
)

# --- what is sent with calls and answers


spoils(
    AREA,
    REPLY,
    "end-in-every-frame",
    "Says in every frame how a payment ended.",
    lambda value, _, unit: (
        {**value, "headers": [*value["headers"], ["x-status", "payment-completed"]]} if unit.get("settlement") else None
    ),
)
