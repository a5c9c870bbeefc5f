"""Mutants of the Discord connector: signatures, what is a message, who wrote it, and what is kept."""

from __future__ import annotations

import copy
from typing import Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import mends, quiet, spoils, takes

AREA = "connectors"
VERIFY, RECEIVE, SENDER = ("discord.verify",), ("discord.receive",), ("discord.sender",)
PARTS, HISTORY, FILES, ATTEST = ("discord.parts",), ("discord.history",), ("discord.files",), ("discord.attest",)
DEFER = ("discord.defer",)


# --- signatures

KEY = "public_key_of_raw(bytes.fromhex(public_key))"
FITS = f"{KEY}.fits(bytes.fromhex(signature), time + body)"

# --- at once

spoils(AREA, DEFER, "discord-always-public", "Shows all answers to all.", lambda value, _, unit: {"type": 5})
spoils(
    AREA,
    DEFER,
    "discord-always-private",
    "Shows answers to the asker alone.",
    lambda value, _, unit: {"type": 5, "data": {"flags": 64}},
)

mends(
    AREA,
    ("discord.reply",),
    "discord-replaces-what-it-answered",
    "Writes a further answer over the first one.",
    lambda given, unit: (given, {**unit, "filled": False}),
)

# --- what is a message


def kept(room: str, name: str, rule: str, change: Any) -> None:
    """Registers a mutant that makes another message: `change(message)`."""
    ops = (f"{room}.receive",)

    def wrong(honest: Any, op: str, given: Any, unit: Any) -> Any:
        answer = honest(op, given, unit)
        if op not in ops or "messages" not in answer:
            return answer
        return {**answer, "messages": [change(copy.deepcopy(one)) for one in answer["messages"]]}

    MUTANTS.append(Mutant(f"{room}-{name}", AREA, rule, wrong, ops=ops))


def with_member(path: tuple[str, ...], value: Any) -> Any:
    """Gives a message another member somewhere."""

    def change(message: Any) -> Any:
        found = message
        for name in path[:-1]:
            found = found[name]
        found[path[-1]] = value
        return message

    return change


kept("discord", "never-answers", "Forgets what a message answers.", lambda one: {**one, "in_reply_to": None})
kept(
    "discord",
    "no-chain",
    "Forgets the chain.",
    with_member(("recipient_capabilities",), {"mention_relay": {"kind": "inline"}}),
)

# --- people

quiet(AREA, SENDER, "loop-risk", "evidence-withheld", "name-holds-address")

# --- evidence

spoils(
    AREA,
    ATTEST,
    "discord-for-ever",
    "Signs for an hour.",
    lambda value, _, unit: [{**one, "expires_at": "2026-11-21T21:56:00Z"} for one in value],
)
spoils(
    AREA,
    ATTEST,
    "discord-drops-claims",
    "Says nothing of the profile.",
    lambda value, _, unit: [{**one, "claims": {}} for one in value],
)
spoils(
    AREA,
    ATTEST,
    "discord-attests-anybody",
    "Attests whoever it is.",
    lambda value, _, unit: value or [{"subject": f"discord:300/{unit['event']['author']['id']}"}],
)
takes(
    AREA,
    ATTEST,
    "discord-any-audience",
    "Takes any audience.",
    lambda given, unit: {},
    "malformed",
    when=lambda unit: unit["audience"][:1] != "@",
)

# --- files

spoils(
    AREA,
    FILES,
    "discord-own-urls",
    "Gives out what Discord says.",
    lambda value, _, unit: [
        {**one, "bytes_ref": {"kind": "url", "url": "https://files.discord.example/8?hm=canary"}} for one in value
    ],
)

# --- what people see


def text_only(value: Any, *_: Any) -> Any:
    """The first text of a message, and nothing else."""
    return [part for part in value if part["kind"] == "text"][:1]


def without(member: str) -> Any:
    """Every part without a member."""
    return lambda value, given, unit: [{name: one for name, one in part.items() if name != member} for part in value]


def spliced(value: Any, *_: Any) -> Any:
    """Names where the tokens were."""
    for part in value:
        for token, name in part.get("mentions", {}).items():
            part["content"] = part["content"].replace(token, f"@{name}")
    return value


def in_one_text(value: Any, *_: Any) -> Any:
    """One text, as if the sender had written all of it."""
    content = "\n\n".join(part["content"] for part in value if part["kind"] == "text")
    return [{"kind": "text", "mime": "text/markdown", "content": content}]


def without_answered(value: Any, given: Any, unit: Any) -> Any:
    """A history without what the message answers."""
    return [turn for turn in value or [] if not turn["id"].endswith("/7")]


for room, ops in (("discord", PARTS), ("bluebubbles", ("bluebubbles.parts",))):
    spoils(AREA, ops, f"{room}-text-alone", "Reads the text alone.", text_only)
    spoils(AREA, ops, f"{room}-no-writer", "Forgets who wrote what a message shows.", without("written_by"))
    spoils(AREA, ops, f"{room}-no-native-text", "Forgets what was typed.", without("native_text"))
    spoils(AREA, ops, f"{room}-one-text", "Writes all words as the sender's.", in_one_text)
    quiet(AREA, ops, "too-many-parts", "part-unsupported", "wrong-type")
spoils(AREA, PARTS, "discord-spliced-names", "Puts names into what was typed.", spliced)
spoils(AREA, PARTS, "discord-no-names", "Forgets the names of mentions.", without("mentions"))
spoils(AREA, HISTORY, "discord-no-answered", "Forgets what a message answers.", without_answered)
kept(
    "bluebubbles",
    "answers-itself",
    "Lets its own messages be answered.",
    lambda message: {name: member for name, member in message.items() if name != "unanswerable"},
)
