"""The cases of stored history at the connectors: the store is asked where the platform told nothing of the thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors import (
    _bluebubbles_rows,
    _discord_rows,
    _slack_rows,
    case_file,
)
from tests.vectors._answer_rows import ANY, Case
from tests.vectors.memory import ANSWER, QUESTION, STORE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NOTE_TEXT: Final = "Written by tests/vectors/connector_memory.py; change that."
VERDICT: Final[Case] = {"method": "none", "verified": False, "code": "platform-only"}
AGENT: Final = "@helper@agents.example"
SLACK_THREAD: Final = f"slack:T1/C1/{_slack_rows.ROOT}"
REPLIES: Final = "CALL conversations.replies C1"
MESSAGES: Final = "CALL GET /channels/500/messages"
POLICY: Final[Case] = {"history": {"max_messages": 5}}


def message(thread: str, parent: str | None = None, relay: str = "inline") -> Case:
    """A message, as far as it matters here."""
    found = {
        "id": {"$any": "uuid7"},
        "thread_id": thread,
        "sender": ANY,
        "recipient": AGENT,
        "parts": ANY,
        "recipient_capabilities": {"mention_relay": {"kind": relay}},
        "received_via": "connector",
        "received_at": "2026-11-21T20:56:00Z",
        "raw": ANY,
    }
    return found if parent is None else {**found, "in_reply_to": parent}


def asked(platform: str, case: Callable[..., Case], unit: Case, made: Case, silent: Case) -> Iterator[Case]:
    """What holds where the platform tells nothing of what was said before; `silent` are the rows that say so."""
    place = f"HISTORY {made['thread_id']}"

    def one(variant: str, why: str, history: list[Case], *, stored: Any = STORE, **more: Any) -> Case:
        whole = {**made, "history": history} if history else made
        common = {**POLICY, **more.pop("common", {})}
        outcome = {"messages": [whole], "verdict": VERDICT, "diagnostics": [], "common": common, **more}
        behaviour, world = f"{platform}-stored-history", {**silent, place: stored}
        return case(behaviour, variant, why, unit, section="R60", world=world, flags=["history"], **outcome)

    why = "An agent remembers what was said in the thread, where the platform tells nothing of it."
    yield one("asked", why, STORE)
    unasked = {"must_not_ask": ["HISTORY *"]}
    why = "A program that keeps no memory is not asked for it."
    yield one("off", why, [], common={"stored_history": False}, **unasked)
    none = {"history": {"max_messages": 0}}
    yield one("none-allowed", "What no agent may see is not asked for.", [], common=none, **unasked)
    why = "What is stored fills what the policy allows, and no more."
    single = {"history": {"max_messages": 1}}
    yield one("trimmed", why, [ANSWER], common=single, diagnostics=["history-trimmed"])
    away = {"failed": "the database is away", "temporary": True}
    why = "A store that is away costs the memory, not the message."
    yield one("unanswered", why, [], stored=away, diagnostics=["lookup-unanswered"])
    why = "Who is the agent is told by the address, whatever a store says."
    yield one("roles", why, STORE, stored=[{**QUESTION, "role": "assistant"}, {**ANSWER, "role": "user"}])


def told(platform: str, case: Callable[..., Case], unit: Case, made: Case, world: Case) -> Case:
    """That the store is not asked where the platform told something."""
    return case(
        f"{platform}-stored-history",
        "told-by-the-platform",
        "What the platform tells is the conversation itself: the store would say some of it again, in other words.",
        unit,
        section="R60",
        world={**world, f"HISTORY {made['thread_id']}": STORE},
        flags=["history"],
        common=POLICY,
        messages=[{**made, "history": ANY}],
        verdict=VERDICT,
        diagnostics=[],
        must_not_ask=["HISTORY *"],
    )


def slack() -> Iterator[Case]:
    """A mention in a thread."""
    unit, made = _slack_rows.unit(_slack_rows.mention(thread_ts=_slack_rows.ROOT)), message(SLACK_THREAD, SLACK_THREAD)
    yield from asked("slack", _slack_rows.case, unit, made, {REPLIES: {"ok": True, "messages": []}})
    before = {"type": "message", "user": "U1", "team": "T1", "ts": _slack_rows.ROOT, "text": "Did it rain?"}
    turns = {"ok": True, "messages": [{**before, "thread_ts": _slack_rows.ROOT}]}
    yield told("slack", _slack_rows.case, unit, made, {REPLIES: turns})


def discord() -> Iterator[Case]:
    """A mention in a channel."""
    unit, made = _discord_rows.heard(_discord_rows.message()), message("discord:500")
    yield from asked("discord", _discord_rows.case, unit, made, {MESSAGES: []})
    before = _discord_rows.message("Did it rain?", id=_discord_rows.OTHER, mentions=None)
    yield told("discord", _discord_rows.case, unit, made, {MESSAGES: [before]})


def bluebubbles() -> Iterator[Case]:
    """A message in a chat, of which BlueBubbles never tells what was said before."""
    unit = _bluebubbles_rows.posted(_bluebubbles_rows.told())
    made = message(f"bluebubbles:{_bluebubbles_rows.ROOM}", relay="none")
    yield from asked("bluebubbles", _bluebubbles_rows.case, unit, made, {})


def files() -> Iterator[tuple[Path, str]]:
    """One file for each connector."""
    for platform, cases in (("slack", slack()), ("discord", discord()), ("bluebubbles", bluebubbles())):
        yield case_file("connectors", f"{platform}-stored-history", f"{platform}.receive", NOTE_TEXT, list(cases))
