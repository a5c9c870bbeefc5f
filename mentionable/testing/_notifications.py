"""Strategies for events, commands and effects of the notification protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, get_args

from .. import anp
from .._wire.time import parse_time
from ._leaves import counts, extra, json_objects, names, st, texts, timestamps, tuples
from ._values import fitting, strategy_for, values

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_TAKEN: Final = ("takeover", "escalated", "seen", "failed")
_STAGES: Final = tuple(
    (target, handler, stage)
    for target, handler, stages in (
        ("user", "system", ("pending", "dispatched", "seen")),
        ("agent", "system", ("pending", "dispatched", "read")),
        ("user", "agent", ("pending", "dispatched", "locked", "narrated", *_TAKEN)),
        ("agent", "agent", ("pending", "dispatched", "promoted", "locked", "narrated", "spoke", "vetoed", *_TAKEN)),
    )
    for stage in stages
)
"""Target, handler and stage of events: each combination that can occur."""

_STATUSES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("seen", "read", "narrated", "spoke", "vetoed"), "delivered"),
    "promoted": "dispatched",
    "takeover": "locked",
}


def routings() -> SearchStrategy[anp.Routing]:
    """Flags, in all eight combinations."""
    return fitting(anp.Routing)


def agent_instructions() -> SearchStrategy[anp.AgentInstructions]:
    """Instructions of a plugin to the model."""
    return fitting(anp.AgentInstructions)


@cache
def _contents() -> SearchStrategy[str]:
    """Texts that are not blank."""
    return st.tuples(names(), st.sampled_from("aß文😀")).map("".join)


@cache
def _metadata() -> SearchStrategy[dict[str, Any]]:
    """Metadata of a plugin: known hints, and anything else."""
    hints = st.fixed_dictionaries(
        {},
        optional={
            "urgency": st.sampled_from(["low", " HIGH ", 3]),
            "fallback_text": texts() | st.just(" ") | st.none(),
            "turn_depth": counts(),
            "_internal": texts(),
        },
    )
    return st.builds(dict.__or__, json_objects(), hints)


@strategy_for(anp.Submission)
def submissions() -> SearchStrategy[anp.Submission]:
    """Events as a plugin, the agent or the system submits them."""

    def submission(routing: anp.Routing, session_id: str, has_session: bool, **members: Any) -> anp.Submission:
        session = session_id if has_session or routing.address == "session" else None
        return anp.Submission(routing=routing, session_id=session, **members)

    return st.builds(
        submission,
        routings(),
        names(),
        st.booleans(),
        content=_contents(),
        user_id=names(),
        deduplication_key=st.none() | names(),
        metadata=st.none() | _metadata(),
        agent_instructions=st.none() | agent_instructions(),
        delivery_deadline=st.none() | timestamps(),
        origin=st.none() | st.sampled_from(["plugin", "agent", "system"]),
        causation_id=st.none() | names(),
        depth=st.none() | st.integers(0, 5),
        extra=extra(),
    )


@cache
def notifications() -> SearchStrategy[anp.Notification]:
    """Events as a ledger keeps them, in every state that they can come into."""
    return st.composite(_event)()


def _event(draw: Callable[[SearchStrategy[Any]], Any]) -> anp.Notification:
    target, handler, stage = draw(st.sampled_from(_STAGES))
    address, depth = draw(st.sampled_from(["user", "session"])), draw(st.integers(0, 5))
    requested_handler = "agent" if depth and draw(st.booleans()) else handler  # too long a chain: no turn
    requested = anp.Routing(address=address, target=target, handler=requested_handler, extra=draw(extra()))  # type: ignore[arg-type]
    flags = {"address": address, "target": target, "handler": handler}
    if draw(st.booleans()):  # the session is gone
        flags["address"] = "user"
    members: dict[str, Any] = {"status": _STATUSES.get(stage, stage), **_outcome(draw, stage)}
    if stage in ("promoted", "narrated") or (stage == "locked" and draw(st.booleans())):
        flags["target"] = "user"
    if flags["handler"] == "agent":
        members |= {"delivery_deadline": draw(timestamps()), "actions": draw(tuples(names()))}
        if stage in _TAKEN:
            flags |= {"target": "user", "handler": "system"}
            members |= _taken(draw)
    created, changed = sorted(draw(st.tuples(timestamps(), timestamps())), key=parse_time)
    session = requested.address == "session" or draw(st.booleans())
    return anp.Notification(
        id=draw(names()),
        content=draw(_contents()),
        user_id=draw(names()),
        routing=anp.Routing(**flags, extra=requested.extra),
        requested=requested,
        created_at=created,
        changed_at=changed,
        revision=draw(st.integers(1, 9)),
        version=draw(st.integers(1, 99)),
        metadata=draw(_metadata()),
        session_id=draw(names()) if session else None,
        deduplication_key=draw(st.none() | names()),
        agent_instructions=draw(st.none() | agent_instructions()),
        origin=draw(st.sampled_from(["plugin", "agent", "system"])),
        causation_id=draw(st.none() | names()),
        depth=depth,
        extra=draw(extra()),
        **members,
    )


def _outcome(draw: Callable[[SearchStrategy[Any]], Any], stage: str) -> dict[str, Any]:
    """The members that the stage of an event implies."""
    if stage == "locked":
        return {"holder": draw(names())}
    if stage == "seen":
        return {"outcome": "seen", "ack_at": draw(timestamps())}
    return {"outcome": stage} if stage in ("read", "narrated", "spoke", "vetoed") else {}


def _taken(draw: Callable[[SearchStrategy[Any]], Any]) -> dict[str, Any]:
    """The members of an event that the watchdog took over."""
    return {
        "owner_lease": 2,
        "escalation": draw(st.sampled_from(["deadline", "silence", "failed"])),
        "delivery_deadline": draw(st.none() | timestamps()),
        "failures": draw(st.integers(0, 3)),
    }


@cache
def _leases() -> SearchStrategy[int | None]:
    """Leases that were granted, and all others."""
    return st.none() | st.integers(0, 3) | st.integers()


@cache
def commands() -> SearchStrategy[anp.Command]:
    """Commands of every type, mostly for other events than the one in question."""
    lease = {"lease": _leases()}
    revision: dict[str, Any] = {"revision": st.none() | st.integers(0, 9), **lease}
    acting: dict[str, Any] = {"holder": st.none() | names(), **lease}
    classifications = st.sampled_from(["internal", " INTERNAL", "external", ""]) | texts()

    def committed(output: str | None, narration_id: str, **members: Any) -> anp.CommitTurn:
        return anp.CommitTurn(output=output, narration_id=narration_id if output else None, **members)

    return st.one_of(
        *map(fitting, (anp.Submit, anp.Route, anp.Reconnect, anp.Tick, anp.Abandon)),
        values(anp.ClientAck, **revision),
        values(anp.DeliveryFailed, **lease),
        values(anp.ContextCommitted, **revision),
        values(anp.Claim, **lease),
        values(anp.Action, name=names(), classification=st.none() | classifications, **acting),
        st.builds(
            committed,
            st.none() | _contents() | texts() | st.just(" \n"),
            names(),
            acknowledged=st.booleans(),
            is_trigger=st.booleans(),
            holder=st.none() | names(),
            extra=extra(),
            **revision,
        ),
        values(anp.TurnFailed, **acting),
        values(anp.Extend, **acting),
    )


@cache
def effects() -> SearchStrategy[anp.Effect]:
    """Effects of every type."""
    hinted = {"metadata": st.none() | _metadata()}
    return st.one_of(
        *(values(cls, **hinted) if cls in (anp.Present, anp.Update) else fitting(cls) for cls in get_args(anp.Effect))
    )
