"""What the clock does: `conformance/v0.1/anp/escalate.json`, `deadline.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.vectors._anp_rows import (
    BUSY,
    GONE,
    MALFORMED,
    NOBODY,
    TICK,
    TTL,
    UNSEEN,
    WEEK,
    WORDS,
    Case,
    at,
    decisions,
    escalated,
    event,
    flags,
    plain,
    promoted,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

taken, waiting = decisions("escalate"), plain("deadline")

KINDS: Final = ["agent_aware", "fence_turn", "present", "wake_at"]
SHOWN: Final[Case] = {"user_id": "olivia", "content": WORDS, "revision": 1, "lease": 2}
INBOX: Final[Case] = {"channel": "inbox", **SHOWN}
CHAT: Final[Case] = {"channel": "chat", "session_id": "s1", **SHOWN}
GONE_TO_SYSTEM: Final[Case] = {"status": "escalated", "owner_lease": 2, "delivery_deadline": at(TTL + WEEK)}


def expired() -> Iterator[Case]:
    """Row 22."""
    for variant, word, place, why in (
        ("mediated", "uua", INBOX, "The agent did not say it in time: the system shows it."),
        ("mediated-in-a-session", "sua", CHAT, "It is shown in the chat in which the agent should have spoken."),
        ("autonomous", "uaa", INBOX, "Work that nobody did is the human's to know of."),
        ("autonomous-in-a-session", "saa", CHAT, "The same in a session."),
    ):
        yield taken(
            variant, "ANP 6.2", why, event(word), TICK, after=TTL, path=["dispatched", "locked", "escalated"],
            changed={"routing": flags(word[0] + "us"), **GONE_TO_SYSTEM}, effects=KINDS, present=place,
            responsible="system", escalation="deadline", expected={"status": "dispatched", "owner_lease": 1},
        )  # fmt: skip
    yield taken(
        "pending", "D N8", "A routing that was lost is a lost event; the watchdog finds it.",
        event("uua", "pending"), TICK, after=TTL, path=["pending", "dispatched", "locked", "escalated"],
        changed={"routing": flags("uus"), **GONE_TO_SYSTEM}, present=INBOX,
    )  # fmt: skip
    yield taken(
        "claimed", "D N8", "A worker that died holds nothing: nobody waits for it.",
        event("uua", "locked"), TICK, after=TTL, path=["locked", "locked", "escalated"],
        changed={"routing": flags("uus"), **GONE_TO_SYSTEM, "holder": None}, present=INBOX,
    )  # fmt: skip
    yield taken(
        "fenced", "ANP 6.3", "Whoever acts under the first lease is stopped, and refused from now on.",
        event("uua"), TICK, after=TTL, fence_turn={"id": "e1", "lease": 1}, keys=[["e1", 1, 1], ["e1", 1, 2]],
    )  # fmt: skip
    yield taken(
        "agent-told", "D N28", "An agent that does not know that it was late would say it once more.",
        event("sua"), TICK, after=TTL, agent_aware={"awareness": "escalated", "session_id": "s1"},
    )  # fmt: skip
    yield taken(
        "own-deadline", "D N10", "Shown is not seen: somebody must look when nobody acknowledges it.",
        event("uua"), TICK, after=TTL, rules={"system_ttl_seconds": 600}, wake_at={"at": at(TTL + 600)},
        changed={"routing": flags("uus"), **GONE_TO_SYSTEM, "delivery_deadline": at(TTL + 600)},
    )  # fmt: skip
    yield taken(
        "no-deadline", "D N9", "A host may let it wait for its human for ever.",
        event("uua"), TICK, after=TTL, rules={"system_ttl_seconds": None}, wake_at=None,
        changed={"routing": flags("uus"), **GONE_TO_SYSTEM, "delivery_deadline": None},
    )  # fmt: skip
    yield taken(
        "promoted", "ANP 6.1", "What the agent did is told with it, or the human never learns of it.",
        promoted(), TICK, after=TTL, shown_actions=["send_mail"], present=INBOX,
    )  # fmt: skip
    yield taken(
        "newer-words", "D N25", "The words of now are shown, under the revision of now.",
        event("uua", content="Backup done.", revision=3), TICK, after=TTL,
        present={**INBOX, "content": "Backup done.", "revision": 3},
    )  # fmt: skip


def moment() -> Iterator[Case]:
    """When a deadline has passed."""
    still: Case = {"path": ["dispatched"], "changed": {}, "present": None, "responsible": "agent"}
    yield taken("one-too-early", "D N16", "An agent has its time to the end.", event("uua"), TICK,
                after=TTL - 0.001, **still)  # fmt: skip
    yield taken("at-its-moment", "D N16", "From its own moment on it has passed; hosts that differ show it twice.",
                event("uua"), TICK, after=TTL, path=["dispatched", "locked", "escalated"])  # fmt: skip
    yield taken(
        "clock-goes-back", "D N16", "What has been going on for a minute is not a second old on another machine.",
        event("uua", changed_at=at(TTL)), TICK, after=60, path=["dispatched", "locked", "escalated"],
        changed={"routing": flags("uus"), **GONE_TO_SYSTEM},
    )  # fmt: skip
    yield taken("extended", "ANP 6.2", "The deadline of now counts, not that of the beginning.",
                event("uua", delivery_deadline=at(300)), TICK, after=TTL, **still)  # fmt: skip
    yield taken(
        "none-yet", "ANP 6.2", "An agent's event without a deadline, from another ledger, would wait for ever.",
        event("uua", delivery_deadline=None), TICK, after=60, path=["dispatched"],
        changed={"delivery_deadline": at(60 + TTL)}, wake_at={"at": at(60 + TTL)},
    )  # fmt: skip


def place() -> Iterator[Case]:
    """Where it is shown, and when."""
    for variant, word in (("session-gone", "sua"), ("session-gone-autonomous", "saa")):
        yield taken(
            variant, "D N20", "A chat that nobody has open shows nothing to anybody.",
            event(word), TICK, after=TTL, world=GONE, effects=["address_demoted", *KINDS],
            address_demoted={"session_id": "s1"}, present=INBOX, changed={"routing": flags("uus"), **GONE_TO_SYSTEM},
        )  # fmt: skip
    yield taken(
        "pending-session-gone", "ANP 2.1", "Never routed, and its session is gone: the user has an inbox.",
        event("saa", "pending"), TICK, after=TTL, world=GONE, present=INBOX,
        path=["pending", "dispatched", "locked", "escalated"],
    )  # fmt: skip
    yield taken(
        "lane-busy", "D N21", "The turn that hangs may be why it escalates: waiting for it would be for ever.",
        event("uua"), TICK, after=TTL, world=BUSY, path=["dispatched", "locked", "escalated"], effects=KINDS,
        present=INBOX,
    )  # fmt: skip
    for variant, text, words in (
        ("fallback", "Look at the backup.", "Look at the backup."),
        ("fallback-blank", "  ", WORDS),
        ("fallback-no-text", 7, WORDS),
        ("fallback-too-long", "x" * 65_600, "x" * 65_536),
        *((f"fallback-{name}", text, WORDS) for name, text, _ in UNSEEN),
    ):
        yield taken(
            variant, "D N30", "The plugin knows what a human needs to read; where it says nothing, its words count.",
            event("uua", metadata={"fallback_text": text}), TICK, after=TTL, present={**INBOX, "content": words},
        )  # fmt: skip
    yield taken(
        "internal-metadata", "D N34", "What the bus notes for itself is nobody's business.",
        event("uua", metadata={"turn_depth": 1, "_lane": "x", "link": "https://a.example"}), TICK, after=TTL,
        shown_metadata={"link": "https://a.example"},
    )  # fmt: skip
    for variant, record, path in (
        ("nobody-left", event("uua"), ["dispatched", "locked", "failed"]),
        ("nobody-left-pending", event("uaa", "pending"), ["pending", "dispatched", "locked", "failed"]),
        ("nobody-left-claimed", event("uua", "locked"), ["locked", "locked", "failed"]),
    ):
        yield taken(
            variant, "D N7", "The user is gone: no channel can show it, and somebody should know.",
            record, TICK, after=TTL, world=NOBODY, path=path, effects=["dead_letter", "fence_turn"],
            responsible="nobody",
        )  # fmt: skip
    half = event("sus", "locked", requested=flags("sua"), owner_lease=2, holder=None, delivery_deadline=at(TTL))
    yield taken(
        "half-done", "D N15", "A takeover that was stored half is finished, under the lease that it has.",
        half, TICK, after=5, path=["locked", "escalated"], present=CHAT,
        changed={"status": "escalated", "delivery_deadline": at(5 + WEEK)},
    )  # fmt: skip


def never() -> Iterator[Case]:
    """What no clock touches."""
    for variant, record, section, why in (
        ("fact", event("uas"), "D N3", "A fact that escalates is shown to a human."),
        ("fact-of-a-session", event("sas"), "D N32", "A fact has no turn that could promote it."),
        ("fact-with-a-deadline", event("uas", delivery_deadline=at(60)), "D N3", "A foreign deadline is none."),
        ("fact-waiting", event("uas", "pending"), "D N3", "Nor while it waits to be routed."),
        ("alert", event("uus"), "D N9", "A notice for a human who is not there waits for them."),
        ("alert-with-a-deadline", event("sus", delivery_deadline=at(60)), "D N26", "It is shown; again is twice."),
        ("alert-waiting", event("uus", "pending"), "D N9", "It waits for the turn in its lane, not for a clock."),
    ):
        yield taken(variant, section, why, record, TICK, after=700_000, path=[record["status"]], changed={}, effects=[],
                    responsible="system")  # fmt: skip


def forgotten() -> Iterator[Case]:
    """Row 25."""
    for variant, after, path, kinds in (
        ("unseen", WEEK, ["escalated", "failed"], ["dead_letter"]),
        ("unseen-later", WEEK + 9, ["escalated", "failed"], ["dead_letter"]),
    ):
        yield taken(variant, "D N10", "In all this time nobody looked at it.", escalated(),
                    TICK, after=after, path=path, changed={"status": "failed"}, effects=kinds)  # fmt: skip
    yield taken("not-seen-yet", "D N10", "It waits for its human until then.", escalated(), TICK, after=WEEK - 1,
                path=["escalated"], changed={}, present=None, responsible="system")  # fmt: skip
    yield taken("waits-for-ever", "D N9", "Without a deadline it waits.", escalated(delivery_deadline=None),
                TICK, after=9 * WEEK, path=["escalated"], changed={}, dead_letter=None)  # fmt: skip
    yield taken("nothing", "ANP 5.1", "There is nothing to look at.", None, TICK, code="unknown-notification")


def next_one() -> Iterator[Case]:
    """When the watchdog must look again."""
    early, late = event("uua", delivery_deadline=at(30)), event("uaa", id="e2", delivery_deadline=at(60))
    half = event("uus", "locked", requested=flags("uua"), owner_lease=2, holder=None, delivery_deadline=at(TTL))
    for variant, records, value, why in (
        ("half-done", [half], at(TTL), "A takeover that was stored half is finished by the next tick."),
        ("none", [], None, "Where nothing waits for the clock, nobody is woken."),
        ("first", [late, early], at(30), "The first deadline is the one to wake for."),
        ("pending", [event("uua", "pending")], at(TTL), "What was never routed is missed, too."),
        ("claimed", [event("uua", "locked")], at(TTL), "What a dead worker holds is missed, too."),
        ("escalated", [escalated(), event("uus")], at(WEEK), "Somebody must look when nobody acknowledges it."),
        ("ended", [event("uua", "delivered", delivery_deadline=at(5)), late], at(60), "What has ended wakes nobody."),
        ("dead", [escalated(status="failed")], None, "A dead letter wakes nobody."),
        ("fact", [event("uas", delivery_deadline=at(5)), late], at(60), "Who wakes for a fact finds nothing to do."),
        ("alert", [event("uus", "pending", delivery_deadline=at(5))], None, "It would wake again at once, for ever."),
        ("zone", [event("uua", delivery_deadline="2026-11-21T22:56:30+02:00"), late], at(30), "Times have zones."),
    ):
        yield waiting(variant, "ANP 6.2", why, {"records": records}, value=value)
    yield waiting("no-event", "ANP 8.1", "What is no event has no deadline.", {"records": [{"id": "e1"}]}, **MALFORMED)


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """What the files are made of."""
    cases = [*expired(), *moment(), *place(), *never(), *forgotten()]
    yield "escalate", "anp.decide", "The watchdog takes over what the agent did not handle in time.", cases
    yield "deadline", "anp.next_deadline", "When the watchdog must look again.", list(next_one())
