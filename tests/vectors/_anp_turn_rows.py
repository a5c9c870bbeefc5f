"""How the cases of turns are written: a small ledger, and what is done to it step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import Case, at, event, flags
from tests.vectors._answer_rows import row

if TYPE_CHECKING:
    from collections.abc import Callable

SAID: Final = "Your backup failed; I am looking into it."
TURN: Final = 300
"""How long a turn may keep its lane, unless a case says otherwise, in seconds."""

SESSION: Final[Case] = {"session_id": "s1"}


def ev(id: str, word: str, status: str = "dispatched", **members: Any) -> Case:
    """An event with words of its own."""
    return event(word, status, **{"id": id, "content": words(id), **members})


def words(id: str) -> str:
    """What an event says."""
    return f"About {id}."


def waits(id: str, word: str = "uus", **members: Any) -> Case:
    """An event that was submitted and is not routed yet."""
    return ev(id, word, "pending", **members)


# --- steps


def begin(after: float, trigger: str | None = None, turn: str = "t1", *, holder: str | None = None, **how: Any) -> Case:
    """A turn begins, for an event or because the user spoke."""
    found = {"turn": turn, **({"trigger": trigger} if trigger else {}), **({"holder": holder} if holder else {})}
    return {"at": after, "begin": found, **how}


def act(after: float, classification: str | None = None, name: Any = "send_mail", turn: str = "t1", **how: Any) -> Case:
    """The agent is about to call a tool."""
    kind = {} if classification is None else {"classification": classification}
    return {"at": after, "act": {"turn": turn, "name": name, **kind}, **how}


def commit(after: float, output: str | None = None, *ids: str, turn: str = "t1", **how: Any) -> Case:
    """A turn ends; with words, and with the ids that the agent acknowledges."""
    said = {} if output is None else {"output": output}
    return {"at": after, "commit": {"turn": turn, **said, "acknowledged_ids": list(ids)}, **how}


def fail(after: float, turn: str = "t1", **how: Any) -> Case:
    """A turn breaks off."""
    return {"at": after, "fail": {"turn": turn}, **how}


def lane_tick(after: float, **how: Any) -> Case:
    """Somebody looks whether the turn has had the lane for too long."""
    return {"at": after, "lane_tick": {}, **how}


def goes(after: float, id: str, **how: Any) -> Case:
    """An event that was submitted is sent where it goes."""
    return {"at": after, "dispatch": id, **how}


def does(after: float, of: str, command: Case, **how: Any) -> Case:
    """Anything else that happens to an event."""
    return {"at": after, "command": command, "of": of, **how}


def gone(*ids: str) -> Case:
    """For these events the session is gone."""
    return {id: {"session_exists": False} for id in ids}


# --- cases


def scripts(behaviour: str, usual: str, *, level: str = "MUST") -> Callable[..., Case]:
    """Rows of one behaviour: `made(variant, why, [event, …], step, …, facts)`.

    `section` says where the demand is written if not in the usual one; `unit` are other members of the input.
    """

    def made(variant: str, why: str, events: list[Case], *steps: Case, unit: Case | None = None, **found: Any) -> Case:
        notes, section = found.pop("notes", None), found.pop("section", usual)
        outcome = {"facts": found, **({} if notes is None else {"diagnostics": notes})}
        given = {"events": events, "steps": list(steps), **(unit or {})}
        return row(f"anp/{behaviour}/{variant}", section, why, given, level=level, **outcome)

    return made


def plainly(behaviour: str, usual: str, *, level: str = "MUST") -> Callable[..., Case]:
    """Rows of one behaviour: `made(variant, why, unit, …)`, with what must come out as a case names it."""

    def made(variant: str, why: str, unit: Any, *, section: str = usual, level: str = level, **outcome: Any) -> Case:
        return row(f"anp/{behaviour}/{variant}", section, why, unit, level=level, **outcome)

    return made


# --- what is expected often

NARRATED: Final = "dispatched > locked > delivered"
TAKEN: Final = "dispatched > locked > escalated"
SHOWN: Final = "pending > dispatched"


def narration(cause: str = "e1", word: str = "uus", content: str = SAID, **members: Any) -> Case:
    """What the agent said, as an event of its own."""
    session = {"session_id": "s1"} if word[0] == "s" else {}
    return {
        "id": "n-t1",
        "content": content,
        "user_id": "olivia",
        **session,
        "routing": flags(word),
        "requested": flags(word),
        "status": "dispatched",
        "owner_lease": 1,
        "revision": 1,
        "created_at": at(9),
        "origin": "agent",
        "causation_id": cause,
        "depth": 1,
        **members,
    }
