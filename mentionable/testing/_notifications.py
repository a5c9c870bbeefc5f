"""Strategies for events, for what can happen to them and for what is done about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from .. import anp
from .._wire.time import parse_time
from ._leaves import counts, extra, json_objects, names, st, texts, timestamps, tuples

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
"""Target and handler of an event that was routed, and where it can stand then."""

_STATUSES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("seen", "read", "narrated", "spoke", "vetoed"), "delivered"),
    "promoted": "dispatched",
    "takeover": "locked",
}


@cache
def routings() -> SearchStrategy[anp.Routing]:
    """Flags, in all eight combinations."""
    who = st.sampled_from(["user", "agent"])
    return st.builds(
        anp.Routing,
        address=st.sampled_from(["user", "session"]),
        target=who,
        handler=st.sampled_from(["system", "agent"]),
        extra=extra(),
    )


@cache
def agent_instructions() -> SearchStrategy[anp.AgentInstructions]:
    """What a plugin tells the model."""
    words = st.none() | texts()
    return st.builds(anp.AgentInstructions, directive=words, tone_hint=words, extra=extra())


@cache
def _contents() -> SearchStrategy[str]:
    """Texts of which something can be seen."""
    return st.tuples(names(), st.sampled_from("aß文😀")).map("".join)


@cache
def _metadata() -> SearchStrategy[dict[str, Any]]:
    """What a plugin knows besides: hints that mean something, and whatever else."""
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


@cache
def submissions() -> SearchStrategy[anp.Submission]:
    """Events as a plugin, the agent or the system submits them."""

    def made(routing: anp.Routing, session_id: str, has_session: bool, **members: Any) -> anp.Submission:
        session = session_id if has_session or routing.address == "session" else None
        return anp.Submission(routing=routing, session_id=session, **members)

    return st.builds(
        made,
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
    wanted = "agent" if depth and draw(st.booleans()) else handler  # too long a chain: no turn
    requested = anp.Routing(address=address, target=target, handler=wanted, extra=draw(extra()))  # type: ignore[arg-type]
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
    """What an event has because of where it stands."""
    if stage == "locked":
        return {"holder": draw(names())}
    if stage == "seen":
        return {"outcome": "seen", "ack_at": draw(timestamps())}
    return {"outcome": stage} if stage in ("read", "narrated", "spoke", "vetoed") else {}


def _taken(draw: Callable[[SearchStrategy[Any]], Any]) -> dict[str, Any]:
    """What an event has that the watchdog took over."""
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
    """Everything that can happen to an event, mostly to another than the one at hand."""
    unknown, holders = extra(), st.none() | names()
    shown: dict[str, Any] = {"lease": _leases(), "revision": st.none() | st.integers(0, 9), "extra": unknown}
    acting: dict[str, Any] = {"lease": _leases(), "holder": holders, "extra": unknown}

    def committed(output: str | None, narration_id: str, **members: Any) -> anp.CommitTurn:
        return anp.CommitTurn(output=output, narration_id=narration_id if output else None, **members)

    return st.one_of(
        st.builds(anp.Submit, submission=submissions(), id=names(), extra=unknown),
        st.builds(anp.Route, extra=unknown),
        st.builds(anp.ClientAck, user_id=names(), **shown),
        st.builds(anp.DeliveryFailed, lease=_leases(), is_final=st.booleans(), extra=unknown),
        st.builds(anp.Reconnect, user_id=names(), extra=unknown),
        st.builds(anp.ContextCommitted, **shown),
        st.builds(anp.Claim, lease=_leases(), holder=names(), extra=unknown),
        st.builds(anp.Action, name=names(), classification=st.none() | _classifications(), **acting),
        st.builds(
            committed,
            st.none() | texts() | st.just(" \n"),
            names(),
            acknowledged=st.booleans(),
            is_trigger=st.booleans(),
            holder=holders,
            **shown,
        ),
        st.builds(anp.TurnFailed, **acting),
        st.builds(anp.Extend, until=timestamps(), **acting),
        st.builds(anp.Tick, extra=unknown),
        st.builds(anp.Abandon, extra=unknown),
    )


@cache
def _classifications() -> SearchStrategy[str]:
    return st.sampled_from(["internal", " INTERNAL", "external", ""]) | texts()


@cache
def effects() -> SearchStrategy[anp.Effect]:
    """Everything that a host has to do."""
    ordinals = st.integers(1, 9)
    common: dict[str, Any] = {"id": names(), "revision": ordinals, "lease": ordinals, "extra": extra()}
    scopes, session = st.sampled_from(["global", "session"]), st.none() | names()
    told: dict[str, Any] = {"user_id": names(), "content": texts(), "session_id": session, **common}
    said: dict[str, Any] = {
        "origin": st.none() | st.sampled_from(["plugin", "agent", "system"]),
        "metadata": st.none() | _metadata(),
        **told,
    }
    model: dict[str, Any] = {"agent_instructions": st.none() | agent_instructions()}
    kinds = st.none() | st.sampled_from(["internal", "external"])
    places, turns = st.sampled_from(["inbox", "chat", "context", "facts"]), st.sampled_from(["proactive", "internal"])
    awareness = st.sampled_from(["shown", "user_seen", "escalated"])
    reasons = st.sampled_from(["presentation", "deadline", "no_route"])
    surfaces = st.sampled_from(["inbox", "chat"])
    return st.one_of(
        st.builds(anp.Audit, what=names(), classification=kinds, **common),
        *(st.builds(cls, **common) for cls in (anp.Dispatch, anp.Queue, anp.Grant, anp.FenceTurn)),
        st.builds(anp.AddressDemoted, **{**common, "session_id": names()}),
        st.builds(anp.TurnWithheld, depth=counts(), **common),
        st.builds(anp.Present, channel=surfaces, actions=st.none() | tuples(names()), **said),
        st.builds(anp.Update, channel=places, **said, **model),
        st.builds(anp.AddFact, scope=scopes, **told, **model),
        st.builds(anp.InjectContext, scope=scopes, must_narrate=st.booleans(), **told, **model),
        st.builds(anp.StartTurn, turn=turns, scope=scopes, **common),
        st.builds(anp.WakeAt, at=timestamps(), **common),
        st.builds(anp.AgentAware, awareness=awareness, **told),
        st.builds(anp.Allow, action=names(), **common),
        st.builds(
            anp.MustSurface,
            action=names(),
            notice=st.none() | submissions(),
            notice_id=st.none() | names(),
            **common,
        ),
        st.builds(anp.PresentNarration, narration_id=names(), narration=submissions(), **common),
        st.builds(anp.DeadLetter, reason=reasons, **common),
    )
