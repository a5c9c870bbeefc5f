"""Mutants of the Slack connector: texts, both ways, and the calls that carry answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.mutants._answers import spoils

if TYPE_CHECKING:
    from collections.abc import Callable

AREA = "connectors"
READ, WRITE, REPLY = ("slack.mrkdwn_to_markdown",), ("slack.markdown_to_mrkdwn",), ("slack.reply",)
ATTEST, URL = ("slack.attest",), ("slack.response_url",)


def shown(ops: tuple[str, ...], name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that gives another value: `change(value, unit)`."""
    spoils(AREA, ops, f"slack-{name}", rule, lambda value, _, unit: change(value, unit))


# --- what Slack sends

shown(READ, "emoji", "Takes emoji out.", lambda value, _: re.sub(r":[a-z]+:", "", value))
shown(
    READ,
    "mail-links",
    "Links mail addresses.",
    lambda value, unit: f"<{value}>" if unit["text"].startswith("<mailto") else value,
)

# --- what agents write

shown(WRITE, "ends-of-lists", "Shows the ends of lists twice.", lambda value, _: value.replace("◦ b\n", "◦ b\n\n"))


# --- where answers go

shown(
    REPLY,
    "direct-elsewhere",
    "Answers direct messages elsewhere.",
    lambda value, _: [
        {**one, "params": {**one["params"], "channel": "C9"}}
        if str(one["params"].get("channel")).startswith("D")
        else one
        for one in value
    ],
)

# --- what answers demand

shown(
    REPLY, "no-refusals", "Softens refusals.", lambda value, unit: [] if "No *way*" in str(unit["response"]) else value
)


# --- the rest

shown(
    ATTEST,
    "long-lived",
    "Lets evidence hold for an hour.",
    lambda value, _: [{**one, "expires_at": "2026-11-21T21:56:00Z"} for one in value],
)
shown(ATTEST, "anybody", "Attests whoever it is.", lambda value, _: value or [{"subject": "slack:T1/U1"}])
shown(
    ATTEST,
    "for-the-asked",
    "Makes evidence for whoever was asked.",
    lambda value, _: [{**one, "audience": "@helper@agents.example"} for one in value],
)
