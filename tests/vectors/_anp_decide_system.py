"""What the system owns: `conformance/v0.1/anp/acknowledge.json`, `present.json`, `ended.json`, `system-owns.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import (
    ABANDON,
    BACK,
    GONE,
    NOBODY,
    REFUSED,
    ROUTE,
    TICK,
    TTL,
    WORDS,
    Case,
    ack,
    action,
    at,
    broke,
    claim,
    commit,
    decisions,
    escalated,
    event,
    extend,
    flags,
    read,
    unshown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

seen, shown, ended, owned = (decisions(name) for name in ("acknowledge", "present", "ended", "system-owns"))

ONCE: Final[tuple[tuple[str, Any, str], ...]] = (
    ("no-lease", None, "Who names no lease may have been shown anything."),
    ("old-lease", 0, "A lease of before is another presentation."),
    ("future-lease", 2, "A lease that was never given is made up."),
)
"""Leases that are not the first one."""

HALF: Final = event("uus", "locked", requested=flags("uua"), owner_lease=2, holder=None, delivery_deadline=at(TTL))
"""A takeover that was stored half."""


# --- acknowledgements of clients


def acknowledged() -> Iterator[Case]:
    """Rows 9, 11 and 23."""
    for variant, record, lease, why in (
        ("inbox", event("uus"), 1, "The human has seen it: nothing is left to do, and the agent need not tell it."),
        ("chat", event("sus"), 1, "The agent must know what the user read in the chat, or it says it again."),
        ("escalated", escalated(), 2, "What the system shows in place of the agent is delivered as anything else."),
        ("escalated-in-a-chat", escalated("sua"), 2, "The same in the chat."),
        ("demoted", event("uus", session_id="s1", requested=flags("sus")), 1, "The session is gone, the human is not."),
    ):
        of_session = {"session_id": "s1"} if record["routing"]["address"] == "session" else {}
        yield seen(
            variant, "ANP 5.2" if of_session else "ANP 5.1", why, record, ack(lease), after=30,
            path=[record["status"], "delivered"], changed={"status": "delivered", "ack_at": at(30)},
            effects=["agent_aware"], agent_aware={"awareness": "user_seen", **of_session}, responsible="nobody",
            expected={"status": record["status"], "owner_lease": lease},
        )  # fmt: skip
    yield seen(
        "clock-goes-back", "D N16", "Clocks of two machines differ; an event is not acknowledged before it was shown.",
        event("uus", changed_at=at(60)), ack(), after=30, changed={"status": "delivered", "ack_at": at(60)},
    )  # fmt: skip
    yield seen(
        "this-revision", "D N25", "Who names the revision that stands there saw these words.",
        event("uus", revision=2), ack(revision=2), path=["dispatched", "delivered"],
    )  # fmt: skip
    yield seen(
        "any-revision", "D N25", "A client need not know of revisions.",
        event("uus", revision=2), ack(), path=["dispatched", "delivered"],
    )  # fmt: skip
    yield seen(
        "fact", "D N4", "The agent has read it when a turn ends whose prompt held it; no human is involved.",
        event("uas"), read(), path=["dispatched", "delivered"], changed={"status": "delivered"}, effects=[],
        responsible="nobody",
    )  # fmt: skip
    yield seen(
        "fact-of-a-session", "D N4", "The same in a session: what is read once is not told for ever.",
        event("sas", revision=3), read(revision=3), path=["dispatched", "delivered"], effects=[],
    )  # fmt: skip


def unacknowledged() -> Iterator[Case]:
    """Rows 27 and 30: acknowledgements that do not count."""
    for variant, lease, why in ONCE:
        yield seen(f"inbox-{variant}", "D N14", why, event("uus"), ack(lease), code="stale-lease")
        yield seen(f"fact-{variant}", "D N14", why, event("uas"), read(lease), code="stale-lease")
    for variant, lease, why in (
        ("no-lease", None, "Without a lease nobody knows which presentation was seen."),
        ("first-lease", 1, "The presentation of before the escalation is not this one."),
        ("future-lease", 3, "A lease that was never given is made up."),
    ):
        yield seen(f"escalated-{variant}", "D N14", why, escalated(), ack(lease), code="stale-lease")
    old = "Who saw the old words would mark the new ones as seen."
    yield seen("old-revision", "D N25", old, event("uus", revision=2), ack(revision=1), code="stale-revision")
    yield seen("future-revision", "D N25", "Nobody saw words that are not there.", event("uus"), ack(revision=2),
               code="stale-revision")  # fmt: skip
    yield seen("fact-old-revision", "D N25", "The agent read what is not true any more.", event("uas", revision=2),
               read(revision=1), code="stale-revision")  # fmt: skip
    yield seen("escalated-old-revision", "D N25", old, escalated(revision=2), ack(2, revision=1), code="stale-revision")
    for variant, record, why in (
        ("not-shown", event("uus", "pending"), "What waits behind a turn was seen by nobody."),
        ("agents", event("uua"), "The client was shown nothing: the agent has it."),
        ("agents-claimed", event("uua", "locked"), "The client was shown nothing: a worker of the agent has it."),
    ):
        yield seen(variant, "ANP 3", why, record, ack(record["owner_lease"]), code=REFUSED)
    for variant, section, record, why in (
        ("facts", "ANP 3", event("uas"), "No client was ever shown a fact; the system has it all the same."),
        ("taken-over", "D N6", HALF, "The watchdog has it, and shows it next."),
    ):
        yield seen(variant, section, why, record, ack(record["owner_lease"]), code="transition-refused")
    for variant, record, why in (
        ("read-an-alert", event("uus"), "The agent reads along; that the human saw it says the human's client."),
        ("read-an-offer", event("uua"), "What the agent must handle is not done by reading it."),
        ("read-what-waits", event("uas", "pending"), "What was not put into a prompt was not read there."),
        ("read-what-escalated", escalated(), "The human is to see it now; the agent cannot do that for them."),
    ):
        yield seen(variant, "D N4", why, record, read(record["owner_lease"]), code=REFUSED)


def foreign() -> Iterator[Case]:
    """Another user's client."""
    why = "Who asks for another's event learns nothing: not whether it is shown, seen or gone."
    for variant, record in (
        ("shown", event("uus")),
        ("waiting", event("uus", "pending")),
        ("agents", event("uua")),
        ("escalated", escalated()),
        ("delivered", event("uus", "delivered")),
        ("failed", escalated(status="failed")),
    ):
        lease = record["owner_lease"]
        yield seen(f"foreign-{variant}", "D N24", why, record, ack(lease, user_id="mallory"), code="wrong-user")
    yield seen("foreign-lease", "D N24", "The wrong lease is not told to a stranger either.", event("uus"),
               ack(7, user_id="mallory"), code="wrong-user")  # fmt: skip
    failed = "Who can kill what another is to be shown hides it from them."
    for variant, record in (("failure", escalated()), ("failure-later", escalated(status="failed"))):
        command = unshown(2, user_id="mallory", is_final=True)
        yield seen(f"foreign-{variant}", "D N24", failed, record, command, code="wrong-user")
    stranger = {"kind": "reconnect", "user_id": "mallory"}
    yield seen("foreign-client-back", "D N24", why, event("uus"), stranger, code="wrong-user")
    yield seen("foreign-client-back-later", "D N24", why, event("uus", "delivered"), stranger, code="wrong-user")
    yield seen("nothing", "ANP 5.1", "There is nothing to acknowledge.", None, ack(), code="unknown-notification")


def unread() -> Iterator[Case]:
    """Commands that are none."""
    for variant, command, why in (
        ("lease-as-text", ack("1"), "A lease is a number; what looks like one may be another."),
        ("lease-as-flag", ack(True), "A flag is no lease, though some languages say that it equals one."),
        ("lease-in-parts", ack(1.5), "A lease is a whole number."),
        ("nobody", {"kind": "client_ack", "lease": 1}, "Whose client it is, the host says."),
        ("unknown-command", {"kind": "explode", "lease": 1}, "What nobody knows changes nothing."),
        ("no-kind", {"lease": 1, "user_id": "olivia"}, "What a command is, is not guessed by its members."),
        ("no-command", None, "Nothing is no command."),
        ("list", [], "A list is no command."),
    ):
        yield seen(variant, "R48", why, event("uus"), command, code="malformed")


# --- presentations


def presented() -> Iterator[Case]:
    """Rows 10, 24, 25 and 26."""
    nothing: Case = {"path": ["dispatched"], "changed": {}, "effects": []}
    for variant, command, why in (
        ("offline", unshown(), "A notice for a human who is not there waits; it is not given up."),
        ("offline-for-good", unshown(is_final=True), "Only what was escalated is ever given up."),
    ):
        yield shown(variant, "D N9", why, event("uus"), command, **nothing)
    again = {"user_id": "olivia", "content": WORDS, "revision": 1, "lease": 1}
    yield shown(
        "back", "D N9", "Who comes back is shown what nobody has acknowledged.",
        event("uus"), BACK, path=["dispatched"], changed={}, present={"channel": "inbox", **again},
        effects=["present"],
    )  # fmt: skip
    yield shown(
        "back-in-a-chat", "D N9", "The same in the chat.", event("sus"), BACK,
        present={"channel": "chat", "session_id": "s1", **again},
    )  # fmt: skip
    yield shown(
        "back-to-newer-words", "D N25", "The words of now, under the revision of now.",
        event("uus", content="Backup done.", revision=2), BACK, keys=[["e1", 2, 1]],
        present={"channel": "inbox", **again, "content": "Backup done.", "revision": 2},
    )  # fmt: skip
    yield shown(
        "back-to-escalated", "D N9", "What the agent failed to say is shown again, too, with what was meant for that.",
        escalated(metadata={"fallback_text": "Look at the backup."}), BACK, path=["escalated"], changed={},
        present={"channel": "inbox", **again, "content": "Look at the backup.", "lease": 2},
    )  # fmt: skip
    lost: Case = {"changed": {"routing": flags("uus")}, "effects": ["address_demoted", "present"], "world": GONE}
    for variant, command in (("back-after-the-session", BACK), ("offline-after-the-session", unshown(is_final=True))):
        yield shown(
            variant, "ANP 2.1", "The chat is gone with what stood in it: it is shown in the inbox.",
            event("sus"), command, path=["dispatched"], **lost, present={"channel": "inbox", **again},
        )  # fmt: skip
    for variant, command in (("escalated-back-after-the-session", BACK), ("escalated-after-the-session", unshown(2))):
        yield shown(
            variant, "D N9", "It failed in a chat that nobody can open; the inbox was not tried yet.",
            escalated("sua"), command, path=["escalated"], **lost, present={"channel": "inbox", **again, "lease": 2},
        )  # fmt: skip
    yield shown(
        "for-good-after-the-session", "D N9", "That a chat is gone for good says nothing of the inbox.",
        escalated("sua"), unshown(2, is_final=True), path=["escalated"], **lost, dead_letter=None,
        present={"channel": "inbox", **again, "lease": 2},
    )  # fmt: skip
    yield shown(
        "fact-after-the-session", "ANP 2.1", "Nobody comes back to the memory of a session that is gone.",
        event("sas"), BACK, world=GONE, path=["dispatched"], changed={"routing": flags("uas")},
        effects=["add_fact", "address_demoted"], address_demoted={"session_id": "s1"}, present=None,
        add_fact={"scope": "global", "user_id": "olivia", "content": WORDS}, responsible="system",
    )  # fmt: skip
    for variant, record, why in (
        ("back-to-facts-of-a-session", event("sas"), "Where the session lives, its facts stay in it, untold."),
        ("back-to-an-offer", event("sua"), "What stands in a session that lives stays there."),
    ):
        yield shown(variant, "ANP 3", why, record, BACK, path=["dispatched"], changed={}, effects=[])
    for variant, record, why in (
        ("offer-after-the-session", event("sua"), "A turn goes on; where its words go is looked up when it ends."),
        ("claim-after-the-session", event("saa", "locked"), "A worker goes on with what it holds."),
        ("waiting-fact-after-the-session", event("sas", "pending"), "It goes where it goes when it is routed."),
    ):
        yield shown(variant, "D N33", why, record, BACK, world=GONE, path=[record["status"]], changed={}, effects=[])
    for variant, record, why in (
        ("back-to-the-agents", event("uua"), "What the agent has is not shown raw beside it."),
        ("back-to-claimed", event("uua", "locked"), "What a worker holds is not shown raw beside it."),
        ("back-to-facts", event("uas"), "A fact is shown to nobody, ever."),
    ):
        yield shown(variant, "ANP 3", why, record, BACK, path=[record["status"]], changed={}, effects=[],
                    is_dispatched=False)  # fmt: skip
    yield shown(
        "back-to-waiting", "ANP 3", "It does not overtake; it is sent to its lane again, which may have been full.",
        event("uus", "pending"), BACK, path=["pending"], changed={}, effects=[], is_dispatched=True,
    )  # fmt: skip
    yield shown(
        "escalated-offline", "ANP 5.1", "Agent and system both failed: somebody must look at it.",
        escalated(), unshown(2), path=["escalated", "failed"], changed={"status": "failed"}, effects=["dead_letter"],
        responsible="nobody",
    )  # fmt: skip
    yield shown(
        "escalated-again", "D N9", "A host that tries more than once shows it again, under the same lease.",
        escalated(), unshown(2), rules={"attempts": 2}, path=["escalated"], changed={}, effects=["present"],
        present={"channel": "inbox", **again, "lease": 2},
    )  # fmt: skip
    yield shown(
        "escalated-for-good", "D N9", "Where no other attempt can do better, none is made.",
        escalated(), unshown(2, is_final=True), rules={"attempts": 5}, path=["escalated", "failed"],
        effects=["dead_letter"],
    )  # fmt: skip
    yield shown(
        "escalated-offline-by-its-client", "D N24", "A client of the user may say that it cannot show it.",
        escalated(), unshown(2, user_id="olivia"), path=["escalated", "failed"], effects=["dead_letter"],
    )  # fmt: skip
    for variant, lease in (("first-lease", 1), ("no-lease", None), ("future-lease", 3)):
        why = "The failure of another presentation must not kill this one."
        yield shown(f"escalated-{variant}", "ANP 6.3", why, escalated(), unshown(lease), code="stale-lease")
    for variant, record in (
        ("agents-offline", event("uua")),
        ("fact-offline", event("uas")),
        ("waiting-offline", event("uus", "pending")),
    ):
        yield shown(variant, "ANP 3", "The system has shown nothing that could fail.", record, unshown(), code=REFUSED)


def abandoned() -> Iterator[Case]:
    """Row 26: nobody is left."""
    dead: Case = {"changed": {"status": "failed"}, "effects": ["dead_letter"], "responsible": "nobody"}
    yield shown(
        "nobody-left", "D N7", "The watchdog has it, and nobody is there to show it to.",
        HALF, ABANDON, world=NOBODY, path=["locked", "failed"], effects=["dead_letter"], present=None,
    )  # fmt: skip
    yield shown(
        "nobody-left-escalated", "D N7", "Nobody comes back to see it.", escalated(), ABANDON, world=NOBODY,
        path=["escalated", "failed"], **dead,
    )  # fmt: skip
    for variant, record, path in (
        ("nobody-left-for-the-agent", event("uua"), ["dispatched", "locked", "failed"]),
        ("nobody-left-for-a-worker", event("uaa", "locked"), ["locked", "locked", "failed"]),
        ("nobody-left-at-all", event("uua", "pending"), ["pending", "dispatched", "locked", "failed"]),
    ):
        yield shown(
            variant, "D N7", "An agent that works for nobody is stopped, and goes through every state.",
            record, ABANDON, world=NOBODY, path=path, effects=["dead_letter", "fence_turn"], present=None,
            escalation="no_route",
        )  # fmt: skip
    for variant, record in (("alert", event("uus")), ("fact", event("uas")), ("waiting", event("sus", "pending"))):
        why = "Only what was escalated is ever given up; the rest waits, or is remembered."
        yield shown(f"nobody-left-{variant}", "D N9", why, record, ABANDON, world=NOBODY, code=REFUSED)
    for variant, record in (("agents", event("uua")), ("escalated", escalated()), ("locked", HALF)):
        why = "The human is there: a host that gives up all the same loses what was promised."
        yield shown(f"somebody-left-{variant}", "D N7", why, record, ABANDON, code="route-exists")
    yield shown(
        "nobody-left-session", "D N7", "That a session is gone does not mean that its user is.",
        escalated("sua"), ABANDON, world=GONE, code="route-exists",
    )  # fmt: skip


# --- what has ended


def terminal() -> Iterator[Case]:
    """Row 28: delivered and failed are for ever."""
    commands = (
        ("acknowledged-twice", ack(), "Two devices show one notice; the second hears that it is done."),
        ("acknowledged-under-another-lease", ack(7), "It is done whatever the client thinks its lease is."),
        ("acknowledged-without-a-lease", ack(None), "It is done whatever the client was told."),
        ("client-back", BACK, "What was seen is not shown again."),
        ("not-shown", unshown(), "That another device could not show it changes nothing."),
        ("read", read(), "What is done is not read once more."),
        ("routed", ROUTE, "What is done goes nowhere."),
        ("abandoned", ABANDON, "What is done is nobody's loss."),
        ("time-passed", TICK, "A deadline of what is done means nothing."),
    )
    for variant, command, why in commands:
        section = "D N35" if "acknowledged" in variant else "ANP 8.2"
        yield ended(variant, section, why, event("uus", "delivered", ack_at=at()), command, after=700_000,
                    code="already-terminal")  # fmt: skip
    agents = (
        ("claimed", claim(), "A worker that comes late finds nothing to do."),
        ("committed", commit("It failed.", acknowledged=True), "What was narrated is not narrated twice."),
        ("broken", broke(), "A turn that breaks after it has delivered has delivered."),
        ("extended", extend(200), "There is nothing left to be late with."),
        ("late", TICK, "What the agent narrated in time is not shown raw behind it."),
        ("seen", ack(), "The client was shown the narration, not this."),
    )
    for variant, command, why in agents:
        yield ended(variant, "ANP 8.2", why, event("uua", "delivered"), command, after=150, code="already-terminal")
    for variant, command, why in (
        ("dead-and-seen", ack(2), "A dead letter stays one: somebody looks at it already."),
        ("dead-and-committed", commit("It failed.", 2, is_trigger=True), "The agent cannot bring it back."),
        ("dead-and-back", BACK, "Who comes back now is told by whoever reads dead letters."),
        ("dead-and-late", TICK, "It is not given up twice."),
    ):
        yield ended(variant, "ANP 8.2", why, escalated(status="failed"), command, code="already-terminal")


# --- the agent and what it does not own


def owner() -> Iterator[Case]:
    """Row 29: the agent can never deliver for the system."""
    commands = (
        ("acknowledged", commit(acknowledged=True), "An agent that lists an alert has shown it to nobody."),
        ("narrated", commit("Look!", is_trigger=True), "It is presented already; two are one too many."),
        ("claimed", claim(), "A worker of the agent cannot take what the system shows."),
        ("acted", action("external"), "The agent reads along; it may not act for it."),
        ("broken", broke(), "A turn that breaks takes nothing along that was not its own."),
        ("extended", extend(200), "It has no deadline, least of all one of the agent's."),
    )
    for variant, command, why in commands:
        yield owned(f"alert-{variant}", "ANP 3", why, event("uus"), command, code="wrong-owner")
    for variant, command, why in (
        ("acknowledged", commit(acknowledged=True), "A fact is read when the turn ends, not when the agent says so."),
        ("acted", action("internal"), "A fact is read-only."),
    ):
        yield owned(f"fact-{variant}", "D N2", why, event("uas"), command, code="wrong-owner")
    for variant, command, why in (
        ("committed", commit("It failed.", 2, is_trigger=True), "The lease of the watchdog is not the agent's."),
        ("acted", action("external", 2), "What was taken from the agent is not acted on."),
        ("claimed", claim(2), "What was taken from the agent is not taken back."),
        ("broken", broke(2), "It cannot escalate twice."),
    ):
        yield owned(f"escalated-{variant}", "ANP 6.3", why, escalated(), command, code="wrong-owner")
    for variant, command in (
        ("claimed", claim()),
        ("committed", commit("It failed.", is_trigger=True)),
        ("acted", action("internal")),
        ("broken", broke()),
        ("extended", extend(200)),
    ):
        why = "What was not offered yet has no worker, no turn and no actions."
        yield owned(f"pending-{variant}", "ANP 5.1", why, event("uua", "pending"), command, code=REFUSED)


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """What the files are made of."""
    cases = [*acknowledged(), *unacknowledged(), *foreign(), *unread()]
    yield "acknowledge", "anp.decide", "A human has seen it, or the agent has read it.", cases
    cases = [*presented(), *abandoned()]
    yield "present", "anp.decide", "What the system shows, shows again, and gives up.", cases
    yield "ended", "anp.decide", "Delivered and failed are for ever.", list(terminal())
    yield "system-owns", "anp.decide", "What the system owns is none of the agent's.", list(owner())
