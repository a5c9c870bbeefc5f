"""Events, commands and facts, and how the cases of notifications are written."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_rows import Case, row

if TYPE_CHECKING:
    from collections.abc import Callable

BEGIN: Final = datetime.fromisoformat("2026-11-21T20:56:00+00:00")
TTL: Final = 120
"""How long the agent has, unless a case says otherwise, in seconds."""

WEEK: Final = 7 * 24 * 3600
"""How long an escalated event waits for a human."""

WORDS: Final = "Backup failed."
UNSEEN: Final = (
    ("unseen", "\u200b\u2060\ufeff", "Characters without a width leave the human before an empty line."),
    ("unseen-fillers", "\u3164\u115f\uffa0", "Fillers are letters by name, and a human sees none of them."),
    ("unseen-joiners", " \u200d\ufe0f\u200c\ufe0e", "What only changes or joins its neighbours shows nothing alone."),
    (
        "unseen-marks",
        "\u2800\ufe00 \ufe07",
        "A pattern without a dot is a blank, and a mark for another shape has none.",
    ),
)
"""Variant, text, why: texts of which nobody sees anything, though none of them is blank."""

LETTERS: Final = {"u": "user", "s": "session", "a": "agent"}
REFUSED: Final = ("transition-refused", "wrong-owner")
"""The codes of a command for which an event is in no state: which of them is each implementation's choice."""


def at(seconds: float = 0) -> str:
    """A time so many seconds after the cases begin."""
    moment = BEGIN + timedelta(seconds=seconds)
    fraction = f".{moment.microsecond:06}".rstrip("0") if moment.microsecond else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"


def flags(word: str) -> Case:
    """The three flags by their first letters: `uus` is address user, target user, handler system."""
    address, target, handler = word
    return {
        "address": LETTERS[address],
        "target": LETTERS[target],
        "handler": {"s": "system", "a": "agent"}[handler],
    }


def event(word: str, status: str = "dispatched", **members: Any) -> Case:
    """An event of Olivia's as a ledger keeps it; members of None are left out."""
    found = {
        "id": "e1",
        "content": WORDS,
        "user_id": "olivia",
        "session_id": "s1" if word[0] == "s" else None,
        "routing": flags(word),
        "requested": flags(word),
        "status": status,
        "owner_lease": 1,
        "revision": 1,
        "created_at": at(),
        "delivery_deadline": at(TTL) if word[2] == "a" else None,
        "holder": "w1" if status == "locked" else None,
        **members,
    }
    return {name: value for name, value in found.items() if value is not None}


def escalated(word: str = "uua", status: str = "escalated", **members: Any) -> Case:
    """An event that the watchdog has taken over."""
    lost = flags(word[0] + "us")
    facts = {"requested": flags(word), "owner_lease": 2, "delivery_deadline": at(WEEK), "routing": lost}
    return event(word, status, **{**facts, **members})


def promoted(word: str = "uaa", **members: Any) -> Case:
    """An event for the agent, which did something that the human must be told."""
    return event(word, **{"routing": flags(word[0] + "ua"), "actions": ["send_mail"], **members})


def submission(word: str, content: str = WORDS, **members: Any) -> Case:
    """An event as a plugin submits it."""
    session = {"session_id": "s1"} if word[0] == "s" else {}
    return {"content": content, "user_id": "olivia", "routing": flags(word), **session, **members}


# --- commands


def submit(word: str, content: str = WORDS, *, id: str = "e1", **members: Any) -> Case:
    """A plugin submits an event."""
    return {"kind": "submit", "id": id, "submission": submission(word, content, **members)}


def ack(lease: Any = 1, **members: Any) -> Case:
    """A client of Olivia's has shown the event; a lease of None is not named."""
    return _leased("client_ack", lease, user_id=members.pop("user_id", "olivia"), **members)


def claim(lease: Any = 1, holder: str = "w1") -> Case:
    """A worker takes the event."""
    return _leased("claim", lease, holder=holder)


def action(classification: str | None = None, lease: Any = 1, name: str = "send_mail", **members: Any) -> Case:
    """The agent is about to call a tool."""
    kind = {} if classification is None else {"classification": classification}
    return _leased("action", lease, name=name, **kind, **members)


def commit(output: str | None = None, lease: Any = 1, **members: Any) -> Case:
    """A turn of the agent ends."""
    said = {} if output is None else {"output": output, "narration_id": "n1"}
    return _leased("commit_turn", lease, **said, **members)


def broke(lease: Any = 1, **members: Any) -> Case:
    """A turn of the agent breaks off."""
    return _leased("turn_failed", lease, **members)


def read(lease: Any = 1, **members: Any) -> Case:
    """A turn ended in whose prompt the event stood."""
    return _leased("context_committed", lease, **members)


def unshown(lease: Any = 1, **members: Any) -> Case:
    """The system could not present the event."""
    return _leased("delivery_failed", lease, **members)


def extend(seconds: float, lease: Any = 1, **members: Any) -> Case:
    """The agent wants more time."""
    return _leased("extend", lease, until=at(seconds), **members)


def _leased(kind: str, lease: Any, **members: Any) -> Case:
    return {"kind": kind, **({} if lease is None else {"lease": lease}), **members}


ROUTE: Final[Case] = {"kind": "route"}
TICK: Final[Case] = {"kind": "tick"}
ABANDON: Final[Case] = {"kind": "abandon"}
BACK: Final[Case] = {"kind": "reconnect", "user_id": "olivia"}
GONE: Final[Case] = {"session_exists": False}
NOBODY: Final[Case] = {"user_exists": False}
BUSY: Final[Case] = {"lane_busy": True}


# --- cases


def decisions(behaviour: str) -> Callable[..., Case]:
    """Rows of one behaviour: `made(variant, section, why, record, command, …)`, with the facts of the decision.

    With `code` it must be refused, with several by one of them. `after` is the time in seconds.
    """

    def made(
        variant: str,
        section: str,
        why: str,
        record: Case | None,
        command: Any,
        /,
        *,
        code: str | tuple[str, ...] = (),
        after: float = 0,
        world: Case | None = None,
        rules: Case | None = None,
        **found: Any,
    ) -> Case:
        unit = {"record": record, "command": command}
        unit |= {name: value for name, value in (("facts", world), ("rules", rules)) if value}
        outcome: Case = _refused(code) if code else _found(found)
        if after:
            outcome["given"] = {"now": at(after)}
        return row(f"anp/{behaviour}/{variant}", section, why, unit, **outcome)

    return made


def _refused(code: str | tuple[str, ...]) -> Case:
    codes = [code] if isinstance(code, str) else code
    ways = [{"rejected": {"code": one}} for one in codes]
    return ways[0] if len(ways) == 1 else {"any_of": ways}


def _found(found: Case) -> Case:
    notes = found.pop("notes", None)
    return {"facts": found, **({} if notes is None else {"diagnostics": notes})}


def stories(behaviour: str) -> Callable[..., Case]:
    """Rows of one behaviour: `made(variant, section, why, step, …, facts)`; a step is `(seconds, command, world)`."""

    def made(
        variant: str,
        section: str,
        why: str,
        *steps: Case,
        records: tuple[Case, ...] = (),
        rules: Case | None = None,
        **found: Any,
    ) -> Case:
        unit: Case = {"records": list(records)} if records else {}
        unit |= {"steps": list(steps), **({"rules": rules} if rules else {})}
        return row(f"anp/{behaviour}/{variant}", section, why, unit, **_found(found))

    return made


def step(after: float, command: Case, of: str | None = None, **world: Any) -> Case:
    """Something that happens so many seconds after the beginning; `of` names the event, by default the first."""
    found: Case = {"at": after, "command": command}
    return {**found, **({"of": of} if of else {}), **({"facts": world} if world else {})}


def follow(after: float, kind: str) -> Case:
    """The narration or the notice of the last decision is submitted."""
    return {"at": after, "follow": kind}


def plain(behaviour: str) -> Callable[..., Case]:
    """Rows of one behaviour: `made(variant, section, why, unit, …)`."""

    def made(variant: str, section: str, why: str, unit: Any, **outcome: Any) -> Case:
        return row(f"anp/{behaviour}/{variant}", section, why, unit, **outcome)

    return made


MALFORMED: Final[Case] = {"rejected": {"code": "malformed"}}
