"""Mutants of the Slack connector: texts, both ways, and the calls that carry answers."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.mutants._answers import spoils

if TYPE_CHECKING:
    from collections.abc import Callable

AREA = "connectors"
READ, WRITE, REPLY = ("slack.mrkdwn_to_markdown",), ("slack.markdown_to_mrkdwn",), ("slack.reply",)
ATTEST, URL = ("slack.attest",), ("slack.response_url",)
STREAM, PRESENCE, WAIT = ("slack.stream",), ("slack.presence",), ("connectors.retry_after",)


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


shown(
    REPLY,
    "public-demands",
    "Posts demands for all to see.",
    lambda value, unit: (
        [{**one, "method": "chat.postMessage"} if one["method"] == "chat.postEphemeral" else one for one in value]
        if "consent_required" in str(unit["response"]) and isinstance(value, list)
        else value
    ),
)
shown(
    REPLY,
    "public-response-url",
    "Answers commands with demands that all see.",
    lambda value, _: json.loads(json.dumps(value).replace('"ephemeral"', '"in_channel"')),
)
shown(
    REPLY,
    "demands-on-programs",
    "Lets a demand on a program go nowhere in silence.",
    lambda value, _: [] if "unanswerable" in value else value,
)
shown(
    REPLY,
    "broadcast-everything",
    "Shows in the channel what is for the thread.",
    lambda value, _: [
        {**one, "params": {**one["params"], "reply_broadcast": True}} if one["method"] == "chat.postMessage" else one
        for one in value
    ],
)
shown(
    REPLY,
    "marks-of-plain-text",
    "Lets Slack see marks in plain text.",
    lambda value, _: json.loads(json.dumps(value, ensure_ascii=False).replace("\u2060", "")),
)
shown(
    REPLY,
    "no-uploads",
    "Leaves the bytes of files out.",
    lambda value, _: [one for one in value if one["method"].startswith("chat.")],
)

# --- what goes on between answers

shown(
    STREAM,
    "all-again",
    "Begins each answer that grows anew.",
    lambda value, _: [[{**one, "method": "chat.postMessage"} for one in calls] for calls in value],
)
shown(
    STREAM,
    "demands-in-streams",
    "Ends a stream with its demand.",
    lambda value, _: [[{**one, "method": "chat.stopStream"} for one in calls] for calls in value],
)
shown(
    PRESENCE, "never-clears", "Leaves a status for ever.", lambda value, unit: [] if unit.get("status") == "" else value
)
shown(PRESENCE, "only-adds", "Takes no reaction away.", lambda value, unit: [] if unit.get("remove") else value)
shown(WAIT, "impatient", "Tries again at once.", lambda value, _: 0 if value else value)
shown(WAIT, "few-digits", "Reads waits of nine digits.", lambda value, unit: 1 if "9" * 10 in str(unit) else value)
shown(WAIT, "fearful", "Waits where nothing was refused.", lambda value, _: 1 if value is None else value)

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
