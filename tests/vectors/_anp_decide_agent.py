"""What the agent owns: `conformance/v0.1/anp/claim.json`, `tool-call.json`, `turn-end.json`, `extend.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import (
    GONE,
    REFUSED,
    TTL,
    UNSEEN,
    WEEK,
    WORDS,
    Case,
    action,
    at,
    broke,
    claim,
    commit,
    decisions,
    event,
    extend,
    flags,
    promoted,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

claimed, acted, ended, extended = (decisions(name) for name in ("claim", "tool-call", "turn-end", "extend"))

STALE: Final[tuple[tuple[str, Any, str], ...]] = (
    ("no-lease", None, "Who names no lease may hold any, or none."),
    ("old-lease", 0, "Whoever held it before holds it no more."),
    ("future-lease", 2, "A lease that was never given is made up."),
)
SAID: Final = "The backup failed; shall I retry?"
KEPT: Final[Case] = {"changed": {}, "responsible": "agent"}

# --- claims


def claims() -> Iterator[Case]:
    """Row 12."""
    for variant, word in (("mediated", "uua"), ("autonomous", "saa")):
        yield claimed(
            variant, "D N6", "Of two workers one takes the event; the other sees that it is taken.",
            event(word), claim(), path=["dispatched", "locked"], changed={"status": "locked", "holder": "w1"},
            effects=[], responsible="agent", expected={"status": "dispatched", "owner_lease": 1},
        )  # fmt: skip
    yield claimed(
        "lease-stays", "D N15", "A claim is no escalation: the turn that was granted the lease goes on with it.",
        event("uua"), claim(), record={**event("uua", "locked"), "origin": "plugin"},
    )  # fmt: skip
    yield claimed(
        "again", "D N15", "A worker that did not hear the answer claims again.",
        event("uua", "locked"), claim(), path=["locked"], changed={}, effects=[],
    )  # fmt: skip
    yield claimed(
        "another-worker", "D N15", "Two workers with one lease are told apart by their names.",
        event("uua", "locked"), claim(holder="w2"), code="wrong-holder",
    )  # fmt: skip
    for variant, lease, why in STALE:
        yield claimed(variant, "ANP 6.3", why, event("uua"), claim(lease), code="stale-lease")
    yield claimed("pending", "ANP 5.1", "What was not offered cannot be taken.", event("uua", "pending"), claim(),
                  code=REFUSED)  # fmt: skip
    yield claimed("nothing", "ANP 5.1", "There is nothing to take.", None, claim(), code="unknown-notification")
    nameless = {"kind": "claim", "lease": 1}
    yield claimed("nobody", "D N15", "A claim of nobody cannot be told from another.", event("uua"), nameless,
                  code="malformed")  # fmt: skip


# --- actions


def actions() -> Iterator[Case]:
    """Rows 13 to 16."""
    allowed: Case = {"allow": {"action": "send_mail"}, "must_surface": None, "effects": ["allow", "audit"]}
    for variant, record in (
        ("internal", event("uaa")),
        ("internal-mediated", event("uua")),
        ("internal-claimed", event("saa", "locked")),
    ):
        held = {"holder": "w1"} if "holder" in record else {}
        yield acted(
            variant, "ANP 6.1.1", "What touches the agent alone is noted, and no human need hear of it.",
            record, action("internal", **held), path=[record["status"]], **KEPT, **allowed,
            audit={"classification": "internal"},
        )  # fmt: skip
    yield acted(
        "internal-in-capitals", "D N34", "A registry may write its words in capitals.",
        event("uaa"), action("INTERNAL"), **KEPT, **allowed,
    )  # fmt: skip
    surfaced: Case = {"allow": {"action": "send_mail"}, "must_surface": {"action": "send_mail"},
                      "effects": ["allow", "audit", "must_surface"], "responsible": "agent"}  # fmt: skip
    for variant, record in (
        ("external", event("uaa")),
        ("external-in-a-session", event("saa")),
        ("external-claimed", event("uaa", "locked")),
    ):
        held = {"holder": "w1"} if "holder" in record else {}
        turned = {"routing": {**record["routing"], "target": "user"}}
        yield acted(
            variant, "D N17", "Others can see what it did, so its human is owed a word; the agent still has to say it.",
            record, action("external", **held), path=[record["status"]], changed=turned, **surfaced,
            audit={"classification": "external"}, keys=[["e1", 1, 1]],
        )  # fmt: skip
    for variant, word in (
        ("unclassified", None),
        ("empty", ""),
        ("unknown-word", "harmless"),
    ):
        yield acted(
            variant, "D N19", "A tool that nobody classified may do anything, so the human is told.",
            event("uaa"), action(word), changed={"routing": flags("uua")}, **surfaced,
            audit={"classification": "external"},
        )  # fmt: skip
    yield acted(
        "external-mediated", "ANP 6.1", "The human hears of the event anyway, and of this besides.",
        event("uua"), action("external"), path=["dispatched"], changed={}, **surfaced,
    )  # fmt: skip
    yield acted(
        "deadline-stays", "D N17", "An agent that works on does not gain time by it: the human waits.",
        event("uaa"), action("external"), after=60, changed={"routing": flags("uua")}, wake_at=None,
    )  # fmt: skip
    yield acted(
        "late", "D N16", "Until the watchdog was there the lease counts, not the clock.",
        event("uaa"), action("internal"), after=TTL + 30, path=["dispatched"], effects=["allow", "audit"],
    )  # fmt: skip


def denied() -> Iterator[Case]:
    """Row 13: actions that must not run."""
    for variant, lease, why in STALE:
        yield acted(f"denied-{variant}", "ANP 6.3", why, event("uaa"), action("internal", lease), code="stale-lease")
    stale = "The watchdog told the human already; the tool must not run behind its back."
    yield acted(
        "denied-claimed", "ANP 6.3", stale, event("uaa", "locked"), action("external", 2, holder="w1"),
        code="stale-lease",
    )  # fmt: skip
    why = "One worker has it; the other must not act beside it."
    yield acted("another-worker", "D N15", why, event("uaa", "locked"), action("internal", holder="w2"),
                code="wrong-holder")  # fmt: skip
    yield acted("no-worker", "D N15", why, event("uaa", "locked"), action("internal"), code="wrong-holder")
    yield acted("no-name", "ANP 6.1.2", "An action without a name cannot be told to anybody.", event("uaa"),
                action("external", name=""), code="malformed")  # fmt: skip
    yield acted("long-name", "ANP 6.1.2", "Names stand in what people read, and in keys; they have a bound.",
                event("uaa"), action("external", name="x" * 257), code="malformed")  # fmt: skip
    yield acted("longest-name", "ANP 6.1.2", "Up to the bound a name is a name.", event("uaa"),
                action("external", name="x" * 256), allow={"action": "x" * 256})  # fmt: skip


def after_the_end() -> Iterator[Case]:
    """Actions when the event has ended."""
    done = event("uaa", "delivered")
    yield acted(
        "after-the-end", "D N18", "Nothing changes an event that has ended, so another one tells the human.",
        done, action("external"), path=["delivered"], changed={}, effects=["allow", "audit", "must_surface"],
        notice={"user_id": "olivia", "routing": flags("uus"), "content": {"$any": "json"}, "origin": "system",
                "causation_id": "e1", "depth": 1},
    )  # fmt: skip
    yield acted(
        "after-the-end-in-a-session", "D N18", "The human is told where they talk to the agent.",
        event("sua", "delivered"), action(), effects=["allow", "audit", "must_surface"],
        notice={"user_id": "olivia", "session_id": "s1", "routing": flags("sus"), "content": {"$any": "json"},
                "origin": "system", "causation_id": "e1", "depth": 1},
    )  # fmt: skip
    yield acted(
        "internal-after-the-end", "D N18", "What touches the agent alone is no news after the end either.",
        done, action("internal"), changed={}, effects=["allow", "audit"], notice=None,
    )  # fmt: skip
    yield acted("denied-after-the-end", "D N18", "Who was fenced is fenced, whatever became of the event.",
                done, action("internal", 2), code="stale-lease")  # fmt: skip
    yield acted(
        "denied-after-escalation", "D N18", "The event was taken from the agent, and then seen.",
        event("uus", "delivered", requested=flags("uua"), owner_lease=2), action("internal"), code="stale-lease",
    )  # fmt: skip
    yield acted(
        "never-the-agents", "ANP 3", "An alert was never the agent's, and is no ground to act upon.",
        event("uus", "delivered"), action("internal"), code="wrong-owner",
    )  # fmt: skip


# --- the end of a turn


def narrated() -> Iterator[Case]:
    """Rows 17 and 19."""
    done: Case = {"effects": ["present_narration"], "responsible": "nobody"}
    child = {"content": SAID, "user_id": "olivia", "origin": "agent", "causation_id": "e1", "depth": 1}
    for variant, word, said, why in (
        ("narrated", "uua", {"is_trigger": True}, "The turn was started to tell the human, and it does."),
        ("narrated-and-acknowledged", "uua", {"acknowledged": True}, "It stood in another turn's prompt."),
        ("narrated-in-a-session", "sua", {"is_trigger": True}, "The agent speaks where its human is."),
    ):
        of_session = {"session_id": "s1"} if word[0] == "s" else {}
        yield ended(
            variant, "ANP 4.1", why, event(word), commit(SAID, **said), after=30,
            path=["dispatched", "locked", "delivered"], **done, present_narration={"narration_id": "n1"},
            narration={**child, "routing": flags(word[0] + "us"), **of_session},
        )  # fmt: skip
    yield ended(
        "narrated-by-a-worker", "D N6", "The worker that has it ends it.", event("uua", "locked"),
        commit(SAID, is_trigger=True, holder="w1"), path=["locked", "delivered"], **done,
    )  # fmt: skip
    yield ended(
        "narrated-at-depth-2", "D N31", "Each event knows how long the chain is that led to it.",
        event("uua", depth=2, causation_id="e0"), commit(SAID, is_trigger=True),
        narration={**child, "depth": 3, "routing": flags("uus")},
    )  # fmt: skip
    yield ended(
        "spoken", "ANP 4.2", "An agent that need not speak may.", event("uaa"), commit(SAID, acknowledged=True),
        path=["dispatched", "locked", "delivered"], **done, narration={**child, "routing": flags("uus")},
        outcome="spoke",
    )  # fmt: skip
    yield ended(
        "vetoed", "D N11", "Silence with an acknowledgement is a decision: the human is left in peace.",
        event("uaa"), commit(acknowledged=True), path=["dispatched", "locked", "delivered"], effects=[],
        outcome="vetoed", responsible="nobody",
    )  # fmt: skip
    yield ended(
        "vetoed-by-a-worker", "D N11", "The same by the worker that has it.", event("saa", "locked"),
        commit("  ", acknowledged=True, holder="w1"), path=["locked", "delivered"], effects=[], outcome="vetoed",
    )  # fmt: skip
    yield ended(
        "narrated-in-pictures", "ANP 4.1", "A picture tells something.", event("uua"),
        commit("\u2764\ufe0f", is_trigger=True), path=["dispatched", "locked", "delivered"], **done, outcome="narrated",
    )  # fmt: skip
    yield ended(
        "vetoed-unseen", "D N11", "Words that nobody can see are none: it is a veto, and no narration goes out.",
        event("uaa"), commit("\u200b\ufeff", acknowledged=True), path=["dispatched", "locked", "delivered"], effects=[],
        outcome="vetoed",
    )  # fmt: skip
    yield ended(
        "promoted-and-narrated", "D N17", "The human hears what the agent did, and nothing is owed any more.",
        promoted(), commit(SAID, is_trigger=True), path=["dispatched", "locked", "delivered"], **done,
        outcome="narrated",
    )  # fmt: skip
    yield ended(
        "late", "D N16", "Until the watchdog was there the agent is in time: the human hears it once.",
        event("uua"), commit(SAID, is_trigger=True), after=TTL + 30, path=["dispatched", "locked", "delivered"], **done,
    )  # fmt: skip
    yield ended(
        "this-revision", "D N25", "The words of now were narrated.", event("uua", revision=2),
        commit(SAID, is_trigger=True, revision=2), path=["dispatched", "locked", "delivered"], keys=[["e1", 2, 1]],
    )  # fmt: skip


def silent() -> Iterator[Case]:
    """Rows 18 and 20."""
    gone = {"status": "escalated", "owner_lease": 2, "delivery_deadline": at(30 + WEEK)}
    kinds = ["agent_aware", "fence_turn", "present", "wake_at"]
    for variant, section, word, command, why in (
        ("silent", "D N11", "uua", commit(is_trigger=True), "The human was promised to hear of it."),
        ("blank", "D N11", "uua", commit(" \n\t", is_trigger=True), "Blank words tell nobody anything."),
        ("silent-in-a-session", "D N11", "sua", commit(is_trigger=True), "The same in the session's chat."),
        ("acknowledged", "D N12", "uua", commit(acknowledged=True), "The agent knows of it; the human does not."),
        ("blank-and-acknowledged", "D N12", "uua", commit("", acknowledged=True), "Nor do no words at all."),
        *((f"silent-{name}", "D N11", "uua", commit(text, is_trigger=True), said) for name, text, said in UNSEEN),
    ):
        yield ended(
            variant, section, why, event(word), command, after=30, path=["dispatched", "locked", "escalated"],
            changed={"routing": flags(word[0] + "us"), **gone}, effects=kinds, escalation="silence",
            responsible="system",
        )  # fmt: skip
    yield ended(
        "silent-worker", "D N8", "The watchdog takes it over, also from the worker that has it.",
        event("uua", "locked"), commit(is_trigger=True, holder="w1"), path=["locked", "locked", "escalated"],
        effects=kinds, fence_turn={"id": "e1", "lease": 1},
    )  # fmt: skip
    yield ended(
        "promoted-and-silent", "D N17", "What the agent did must be told; it may not veto that away.",
        promoted(), commit(acknowledged=True), path=["dispatched", "locked", "escalated"], escalation="silence",
        shown_actions=["send_mail"],
    )  # fmt: skip
    yield ended(
        "silent-after-the-session", "D N20", "The chat is gone; the inbox is not.", event("sua"),
        commit(is_trigger=True), world=GONE, effects=["address_demoted", *kinds],
        present={"channel": "inbox", "user_id": "olivia", "content": WORDS, "revision": 1, "lease": 2},
    )  # fmt: skip
    yield ended(
        "silent-about-another", "D N11", "It only stood in the prompt: its own turn comes.",
        event("uua"), commit(), path=["dispatched"], **KEPT, effects=[],
    )  # fmt: skip
    yield ended(
        "spoke-of-another", "D N12", "Words about something else are no narration of this.",
        event("uua"), commit(SAID), path=["dispatched"], **KEPT, effects=[],
    )  # fmt: skip
    for variant, command, why in (
        ("unacknowledged", commit(), "The agent may not have seen it: it is offered again."),
        ("unacknowledged-trigger", commit(is_trigger=True), "A turn that says nothing of its event has not decided."),
        ("unacknowledged-words", commit(SAID, is_trigger=True), "Words without the id are about who knows what."),
    ):
        yield ended(variant, "D N11", why, event("uaa"), command, path=["dispatched"], **KEPT, effects=[])


def broken() -> Iterator[Case]:
    """Row 21."""
    for variant, record, path in (
        ("broken", event("uua"), ["dispatched", "locked", "escalated"]),
        ("broken-autonomous", event("uaa"), ["dispatched", "locked", "escalated"]),
        ("broken-worker", event("uua", "locked"), ["locked", "locked", "escalated"]),
    ):
        held = {"holder": "w1"} if "holder" in record else {}
        yield ended(
            variant, "ANP 5.1", "A turn that breaks off has told the human nothing; the system does, at once.",
            record, broke(**held), path=path, escalation="failed", responsible="system",
            effects=["agent_aware", "fence_turn", "present", "wake_at"],
            present={"channel": "inbox", "user_id": "olivia", "content": WORDS, "revision": 1, "lease": 2},
        )  # fmt: skip
    for variant, lease, why in STALE:
        yield ended(f"broken-{variant}", "ANP 6.3", why, event("uua"), broke(lease), code="stale-lease")
    yield ended("broken-old-revision", "D N25", "It broke off over the old words, not over the new ones.",
                event("uua", revision=2), broke(revision=1), code="stale-revision")  # fmt: skip
    yield ended("broken-other-worker", "D N15", "What another worker broke is not this one's.",
                event("uua", "locked"), broke(holder="w2"), code="wrong-holder")  # fmt: skip


def uncommitted() -> Iterator[Case]:
    """Turns whose end does not count."""
    for variant, lease, why in STALE:
        command = commit(SAID, lease, is_trigger=True)
        yield ended(f"committed-{variant}", "D N13", why, event("uua"), command, code="stale-lease")
    veto = commit(None, 2, acknowledged=True, holder="w1")
    yield ended("vetoed-future-lease", "ANP 6.3", "A worker cannot veto with a lease that it made up.",
                event("uaa", "locked"), veto, code="stale-lease")  # fmt: skip
    yield ended("old-revision", "D N25", "The agent speaks of what is not true any more.", event("uua", revision=2),
                commit(SAID, is_trigger=True, revision=1), code="stale-revision")  # fmt: skip
    yield ended("vetoed-old-revision", "D N25", "Vetoed were the old words, not the new ones.",
                event("uaa", revision=2), commit(acknowledged=True, revision=1), code="stale-revision")  # fmt: skip
    yield ended("another-worker", "D N15", "Two workers would tell the human the same twice.",
                event("uua", "locked"), commit(SAID, is_trigger=True, holder="w2"), code="wrong-holder")  # fmt: skip
    yield ended("no-worker", "D N15", "Who does not say which worker it is may be the other one.",
                event("uua", "locked"), commit(SAID, is_trigger=True), code="wrong-holder")  # fmt: skip
    nameless = {**commit(SAID, is_trigger=True)}
    del nameless["narration_id"]
    yield ended("no-id", "D N31", "Words without an id cannot be told from the same words said again.",
                event("uua"), nameless, code="malformed")  # fmt: skip
    yield ended("nothing", "ANP 5.1", "There is no event to end.", None, commit(SAID), code="unknown-notification")


# --- more time


def more_time() -> Iterator[Case]:
    """Row 31."""
    for variant, record in (("mediated", event("uua")), ("autonomous", event("uaa"))):
        yield extended(
            variant, "ANP 6.2", "Long work is no silence, as long as the agent says so.",
            record, extend(300), after=60, path=["dispatched"], changed={"delivery_deadline": at(300)},
            effects=["wake_at"], wake_at={"at": at(300)}, responsible="agent",
        )  # fmt: skip
    yield extended(
        "worker", "ANP 6.2", "The worker that has it asks.", event("uua", "locked"), extend(300, holder="w1"),
        path=["locked"], changed={"delivery_deadline": at(300)},
    )  # fmt: skip
    rules = {"cap_seconds": 600}
    yield extended(
        "to-the-cap", "ANP 6.2", "So long the host lets a human wait.", event("uua"), extend(600), after=60,
        rules=rules, changed={"delivery_deadline": at(600)},
    )  # fmt: skip
    for variant, seconds, why in (
        ("beyond-the-cap", 600.001, "An agent that can always have more time is never late."),
        ("after-so-long", 700, "It counts from when the event came, not from when the agent asks."),
    ):
        yield extended(variant, "ANP 6.2", why, event("uua"), extend(seconds), after=110, rules=rules,
                       code="deadline-refused")  # fmt: skip
    late = event("uua", delivery_deadline=at(20))
    for variant, seconds in (("in-the-past", 30), ("now", 60)):
        yield extended(variant, "ANP 6.2", "A deadline that has passed is an escalation by the agent's hand.",
                       late, extend(seconds), after=60, code="deadline-refused")  # fmt: skip
    for variant, lease, why in STALE:
        yield extended(variant, "ANP 6.3", why, event("uua"), extend(300, lease), code="stale-lease")
    yield extended("another-worker", "D N15", "It is not its work.", event("uua", "locked"), extend(300, holder="w2"),
                   code="wrong-holder")  # fmt: skip
    vague = {"kind": "extend", "lease": 1, "until": "soon"}
    yield extended("no-time", "ANP 8.2", "Soon is no time.", event("uua"), vague, code="malformed")


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """What the files are made of."""
    yield "claim", "anp.decide", "A worker of the agent takes an event.", list(claims())
    yield "tool-call", "anp.decide", "The agent calls a tool.", [*actions(), *denied(), *after_the_end()]
    cases = [*narrated(), *silent(), *broken(), *uncommitted()]
    yield "turn-end", "anp.decide", "What the agent said and acknowledged counts at once.", cases
    yield "extend", "anp.decide", "The agent needs longer.", list(more_time())
