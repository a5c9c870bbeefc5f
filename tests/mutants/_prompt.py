"""Mutants of prompts: how a message becomes the context of a model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import spoils

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

AREA: Final = "prompt"
OPS: Final = ("prompt.render",)
AGENTS: Final = ("assistant", "model")


def _spoils(name: str, rule: str, change: Any, *, central: bool = False) -> None:
    """Registers a mutant that gives something else: `change(value, given, unit)`."""
    spoils(AREA, OPS, name, rule, change, central=central)


def _takes(name: str, rule: str, member: str) -> None:
    """Registers a mutant that does without an argument where it cannot take it."""

    def run(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Any:
        answer = honest(op, given, unit)
        if "rejected" not in answer or member not in unit:
            return answer
        return honest(op, given, {known: value for known, value in unit.items() if known != member})

    MUTANTS.append(Mutant(name, AREA, rule, run, ops=OPS))


def _retold(change: Callable[[str], str], *roles: str, last: bool = True) -> Any:
    """A change of every text of these roles."""

    def changed(value: Any, *_: Any) -> Any:
        for message in value["messages"] if last else value["messages"][:-1]:
            if message["role"] not in roles:
                continue
            name = "content" if "content" in message else "parts"
            if isinstance(message[name], str):
                message[name] = change(message[name])
            else:
                message[name] = [
                    {**one, "text": change(one["text"])} if "text" in one else one for one in message[name]
                ]
        if value["system"] is not None and "system" in roles:
            value["system"] = change(value["system"])
        return value

    return changed


def _told(find: Callable[[Any, Any], list[str]]) -> Any:
    """Further text where the system speaks: `find(value, unit)`."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        more = "\n\n".join(find(value, unit))
        if value["system"] is not None:
            value["system"] += more
        else:
            value["messages"][0]["content"] += more
        return value

    return changed


def _texts(value: Any, *roles: str) -> list[str]:
    found = [one.get("content", one.get("parts")) for one in value["messages"] if one["role"] in roles]
    return [
        text for one in found for text in ([one] if isinstance(one, str) else [b["text"] for b in one if "text" in b])
    ]


# --- headers

_spoils(
    "name-alone",
    "Names people by their name alone.",
    _retold(lambda text: re.sub(r" \(@[^\s()]*\)\]:", "]:", text), "user"),
    central=True,
)
_spoils(
    "hides-accounts",
    "Shows no address that stands for an account.",
    _retold(lambda text: re.sub(r" \(@[^\s()]*\.invalid\)\]:", "]:", text), "user"),
)
_spoils(
    "by-name",
    "Takes people of one name for one.",
    _retold(lambda text: text.replace("@alice@other.example", "@alice@a.example"), "user"),
)
_spoils(
    "bare-where-long",
    "Leaves the name alone where an address is too long.",
    _retold(lambda text: re.sub(r" \(#\d+\)\]:", "]:", text), "user"),
)

# --- names

_spoils(
    "unknown",
    "Calls whoever has no name unknown.",
    _retold(lambda text: text.replace("[@eve@e.example (", "[unknown ("), "user"),
)


_spoils(
    "clean-now",
    "Cleans the name of who asks alone.",
    _retold(lambda text: text.replace("[Eve): (Alice", "[Eve]:\n[Alice"), "user", last=False),
)

# --- what was said before

_spoils(
    "no-calls-of-the-agent",
    "Leaves out what the agent did.",
    _retold(lambda text: re.sub(r"\n\n🔧.*", "", text), *AGENTS),
)
_spoils(
    "no-calls-of-people",
    "Leaves out calls that people sent.",
    _retold(lambda text: re.sub(r" ?🔧.*", "", text), "user"),
)
_spoils(
    "one-user",
    "Tells all people as one user.",
    _retold(lambda text: text.replace("[Bob (@bob@b.example)]:", "[Alice (@alice@a.example)]:"), "user"),
    central=True,
)

# --- where it stands


def _joined(value: Any) -> Any:
    for message in value["messages"]:
        if isinstance(message["content"], list):
            message["content"] = "\n\n".join(_texts({"messages": [message]}, message["role"]))
    return value


_spoils(
    "texts-joined",
    "Joins texts of two people into one.",
    lambda value, _, unit: _joined(value) if unit.get("dialect") == "anthropic" else None,
)
_takes("no-inline", "Puts the line elsewhere where it cannot stand.", "placement")
_takes("usual-dialect", "Writes the usual dialect where it does not know another.", "dialect")
_takes("any-instructions", "Does without instructions that are none.", "instructions")
_spoils(
    "agent-first",
    "Lets the agent speak first.",
    lambda value, *_: (
        {**value, "messages": value["messages"][1:]}
        if "[Earlier messages are not shown.]" in _texts(value, "user")[0]
        else None
    ),
)

# --- what the system says

_spoils(
    "request-in-the-system",
    "Tells the request where the system speaks.",
    _told(lambda value, unit: [str(unit["message"]["parts"])]),
)
_spoils(
    "history-in-the-system",
    "Tells the history where the system speaks.",
    _told(
        lambda value, unit: [
            str(turn["parts"]) for turn in unit["message"].get("history", []) if turn["role"] == "user"
        ]
    ),
)
_spoils(
    "agent-in-the-system",
    "Tells the agent's words where the system speaks.",
    _told(lambda value, _: _texts(value, *AGENTS)),
)
_spoils("raw-in-the-system", "Tells of the native message.", _told(lambda value, unit: [str(unit["message"]["raw"])]))
