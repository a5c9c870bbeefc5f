"""Where an event goes: `conformance/v0.1/anp/routes.json`, `classify.json`, `route.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import (
    BUSY,
    GONE,
    MALFORMED,
    REFUSED,
    ROUTE,
    TTL,
    WORDS,
    Case,
    at,
    decisions,
    escalated,
    event,
    flags,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

routes, classified, routed = plain("routes"), plain("classify"), decisions("route")

# --- the table

DIRECT: Final = ("direct", "system", "yes", "read-only", False, None)
MEDIATED: Final = ("mediated", "agent", "fallback", "must-narrate", True, "proactive")
PASSIVE: Final = ("passive", "system", "never", "fact", False, None)
AUTONOMOUS: Final = ("autonomous", "agent", "no", "actionable", True, "internal")
NAMES: Final = ("mode", "responsible", "shown_raw", "agent_access", "has_deadline", "turn")
TABLE: Final[tuple[tuple[str, str, str, str, tuple[Any, ...], str], ...]] = (
    ("uus", "A", "A", "ANP 4.1", DIRECT, "A notice for a human that the system handles stands in the inbox."),
    ("sus", "B", "B", "ANP 4.1", DIRECT, "In a session it stands in the chat."),
    ("uua", "C", "C", "ANP 4.1", MEDIATED, "The agent must narrate it; only where it fails the human sees the words."),
    ("sua", "C", "C", "ANP 4.1", MEDIATED, "The agent narrates it in the session."),
    ("uas", "C", "AC", "D N1", PASSIVE, "Whoever asks for the inbox first shows the human what is the agent's alone."),
    ("sas", "C", "C", "D N2", PASSIVE, "Nobody is made responsible of the agent's for what it only is to know."),
    ("uaa", "C", "C", "ANP 4.2", AUTONOMOUS, "The agent acts on it, and need not speak."),
    ("saa", "C", "C", "ANP 4.2", AUTONOMOUS, "The agent acts on it in its session, and need not speak."),
)
"""Flags, channel, the channels whose predicates fit, section, what it means, why."""


def table() -> Iterator[Case]:
    """The eight routes, and what is none."""
    for word, channel, matches, section, meaning, why in TABLE:
        scope = "global" if word[0] == "u" else "session"
        value = {"channel": channel, "matches": list(matches), **dict(zip(NAMES, meaning, strict=True)), "scope": scope}
        names = list(flags(word).values())
        yield routes("-".join(names), section, why, flags(word), value=value)
    for variant, members, why in (
        ("unknown-address", {"address": "team"}, "There are two addresses; a third goes nowhere."),
        ("unknown-target", {"target": "everybody"}, "There are two targets; a third is nobody."),
        ("unknown-handler", {"handler": "plugin"}, "There are two handlers; a plugin is none of them."),
    ):
        yield routes(variant, "ANP 2.1", why, {**flags("uus"), **members}, **MALFORMED)
    incomplete = {name: one for name, one in flags("uus").items() if name != "target"}
    yield routes("no-target", "ANP 2.2", "Who an event is for is not guessed.", incomplete, **MALFORMED)


# --- what a tool is

WORDS_OF_TOOLS: Final = (
    ("internal", "internal", "internal", "What touches the agent alone need not be told to anybody."),
    ("external", "external", "external", "What people can see of an action, they are told."),
    ("capitals", "INTERNAL", "internal", "Registries write words of enumerations in capitals."),
    ("missing", None, "external", "A tool that nobody classified may do anything, so the human is told."),
    ("unknown", "harmless", "external", "A word that nobody knows is no promise."),
    ("empty", "", "external", "An empty word is no promise."),
    ("part-of-a-word", "internal-ish", "external", "A word that only begins like the right one is another."),
    ("no-word", True, "external", "A flag is no classification; it would hide the action from the human."),
    ("list", ["internal"], "external", "A list is no classification."),
)


def tools() -> Iterator[Case]:
    """Classifications."""
    for variant, word, meaning, why in WORDS_OF_TOOLS:
        section = {"internal": "ANP 6.1.1", "external": "ANP 6.1.1", "missing": "ANP 6.1.2"}.get(variant, "D N19")
        yield classified(variant, section, why, {"classification": word}, value=meaning)


# --- routing

SENT: Final[Case] = {"status": "dispatched"}
OFFERED: Final = ["grant", "inject_context", "start_turn", "wake_at"]


def _presented(channel: str, **members: Any) -> Case:
    return {"channel": channel, "user_id": "olivia", "content": WORDS, "revision": 1, "lease": 1, **members}


def _injected(scope: str, *, must_narrate: bool, **members: Any) -> Case:
    return {"scope": scope, "must_narrate": must_narrate, "user_id": "olivia", "content": WORDS, **members}


def direct() -> Iterator[Case]:
    """Rows 4 to 6: the inbox, the chat, and the memory of the agent."""
    way = {"path": ["pending", "dispatched"], "changed": SENT, "responsible": "system"}
    shown = {**way, "effects": ["agent_aware", "present"]}
    yield routed(
        "inbox", "ANP 3.1", "The human sees it at once, and the agent knows of it without a turn.",
        event("uus", "pending"), ROUTE, **shown, present=_presented("inbox"), agent_aware={"awareness": "shown"},
        expected={"status": "pending", "owner_lease": 1},
    )  # fmt: skip
    yield routed(
        "chat", "ANP 3.1", "In a session the human looks into the chat, not into an inbox.",
        event("sus", "pending"), ROUTE, **shown, present=_presented("chat", session_id="s1"),
    )  # fmt: skip
    fact = {"user_id": "olivia", "content": WORDS}
    yield routed(
        "fact", "D N1", "A fact for the agent that stands in an inbox too is shown to somebody whom it was not for.",
        event("uas", "pending"), ROUTE, **way, effects=["add_fact"], add_fact={"scope": "global", **fact},
    )  # fmt: skip
    yield routed(
        "fact-of-a-session", "D N2", "Facts of a session belong into its memory only; and no turn starts for them.",
        event("sas", "pending"), ROUTE, **way, effects=["add_fact"],
        add_fact={"scope": "session", "session_id": "s1", **fact},
    )  # fmt: skip
    for word in ("uus", "sus"):
        name = "alert-waits" if word == "uus" else "alert-of-a-session-waits"
        yield routed(
            name, "ANP 6.4", "An alert in the middle of a turn stands between a question and its answer.",
            event(word, "pending"), ROUTE, world=BUSY, path=["pending"], changed={}, effects=["queue"],
            present=None,
        )  # fmt: skip
    yield routed(
        "fact-does-not-wait", "ANP 6.4", "Only what a human sees has a place among turns; facts have none.",
        event("uas", "pending"), ROUTE, world=BUSY, **way, effects=["add_fact"],
    )  # fmt: skip
    told = {"directive": "Ask whether to retry.", "tone_hint": "concise"}
    yield routed(
        "fact-with-instructions", "R48", "What the plugin tells the model goes where the words go.",
        event("uas", "pending", agent_instructions=told), ROUTE,
        add_fact={"scope": "global", **fact, "agent_instructions": told},
    )  # fmt: skip
    yield routed(
        "internal-metadata", "D N34", "What the bus notes for itself is nobody's business.",
        event("uus", "pending", metadata={"turn_depth": 2, "_trace": "x", "urgency": "high"}), ROUTE,
        shown_metadata={"urgency": "high"},
    )  # fmt: skip
    yield routed(
        "words-not-fallback", "D N30", "The fallback is for where an agent failed; a notice has words of its own.",
        event("uus", "pending", metadata={"fallback_text": "The agent is silent."}), ROUTE,
        present=_presented("inbox"),
    )  # fmt: skip


def offered() -> Iterator[Case]:
    """Row 7: the agent is given an event, with a lease, a deadline and a turn."""
    turns = (
        ("mediated", "uua", "proactive", "global", "ANP 4.1", "The human is promised to hear of it: now."),
        ("mediated-in-a-session", "sua", "proactive", "session", "ANP 4.1", "The turn is the session's."),
        ("autonomous", "uaa", "internal", "global", "ANP 4.2", "The agent works on it without speaking to anybody."),
        ("autonomous-in-a-session", "saa", "internal", "session", "ANP 4.2", "The turn is the session's, unseen."),
    )
    for variant, word, turn, scope, section, why in turns:
        of_session = {"session_id": "s1"} if scope == "session" else {}
        yield routed(
            variant, section, why, event(word, "pending"), ROUTE,
            path=["pending", "dispatched"], changed=SENT, responsible="agent", effects=OFFERED,
            grant={"id": "e1", "lease": 1}, start_turn={"turn": turn, "scope": scope}, wake_at={"at": at(TTL)},
            inject_context=_injected(scope, must_narrate=word[1] == "u", **of_session),
        )  # fmt: skip
    yield routed(
        "agent-does-not-wait", "ANP 6.4", "What the agent handles is no alert: its turn comes in order.",
        event("uua", "pending"), ROUTE, world=BUSY, path=["pending", "dispatched"], effects=OFFERED,
    )  # fmt: skip
    yield routed(
        "deadline-set", "ANP 6.2", "Without a deadline nobody notices that the agent never came.",
        event("uua", "pending", delivery_deadline=None), ROUTE, after=10,
        changed={**SENT, "delivery_deadline": at(10 + TTL)}, wake_at={"at": at(10 + TTL)},
    )  # fmt: skip
    yield routed(
        "deadline-set-autonomous", "ANP 6.2", "Work without a deadline is never missed by anybody.",
        event("uaa", "pending", delivery_deadline=None), ROUTE, rules={"ttl_seconds": 30},
        changed={**SENT, "delivery_deadline": at(30)}, wake_at={"at": at(30)},
    )  # fmt: skip
    yield routed(
        "urgent", "ANP 8.2", "What is urgent waits for a silent agent for seconds, not minutes.",
        event("uua", "pending", delivery_deadline=None, metadata={"urgency": "High"}), ROUTE,
        rules={"urgent_seconds": {"high": 15}}, wake_at={"at": at(15)},
    )  # fmt: skip
    yield routed(
        "deadline-kept", "ANP 6.2", "An event that waited to be routed has been waiting for its human, too.",
        event("uua", "pending", delivery_deadline=at(40)), ROUTE, after=10, changed=SENT, wake_at={"at": at(40)},
    )  # fmt: skip
    told = {"directive": "Ask whether to retry.", "tone_hint": "concise"}
    yield routed(
        "instructions", "R48", "A directive that does not reach the prompt directs nobody.",
        event("uua", "pending", agent_instructions=told), ROUTE,
        inject_context=_injected("global", must_narrate=True, agent_instructions=told),
    )  # fmt: skip


def demoted() -> Iterator[Case]:
    """Row 8: the session is gone."""
    for variant, word, kinds in (
        ("gone-chat", "sus", ["address_demoted", "agent_aware", "present"]),
        ("gone-fact", "sas", ["add_fact", "address_demoted"]),
        ("gone-mediated", "sua", ["address_demoted", *OFFERED]),
        ("gone-autonomous", "saa", ["address_demoted", *OFFERED]),
    ):
        found: Case = {"add_fact": {"scope": "global", "user_id": "olivia", "content": WORDS}}
        if word[2] == "a":
            found = {"start_turn": {"turn": "proactive" if word[1] == "u" else "internal", "scope": "global"}}
        elif word == "sus":
            found = {"present": _presented("inbox")}
        yield routed(
            variant, "ANP 2.1", "What was said to a session that ended is lost, unless it goes to the user.",
            event(word, "pending"), ROUTE, world=GONE, path=["pending", "dispatched"], effects=kinds,
            changed={"routing": flags("u" + word[1:]), **SENT}, address_demoted={"session_id": "s1"}, **found,
        )  # fmt: skip
    yield routed(
        "gone-and-busy", "ANP 2.1", "It waits as what it is by now: an alert for the inbox.",
        event("sus", "pending"), ROUTE, world={**GONE, **BUSY}, path=["pending"],
        changed={"routing": flags("uus")}, effects=["address_demoted", "queue"],
    )  # fmt: skip
    yield routed(
        "no-session-to-lose", "ANP 2.1", "An event of the user has no session that could be gone.",
        event("uus", "pending"), ROUTE, world=GONE, changed=SENT, effects=["agent_aware", "present"],
    )  # fmt: skip
    yield routed(
        "session-there", "D N33", "Where the session lives, its event stays in it.",
        event("sua", "pending"), ROUTE, changed=SENT, effects=OFFERED,
    )  # fmt: skip
    yield routed(
        "never-back", "D N33", "What went to the user stays there, also when the session is there again.",
        event("uus", "pending", session_id="s1", requested=flags("sus")), ROUTE, changed=SENT,
        present=_presented("inbox"),
    )  # fmt: skip


def chains() -> Iterator[Case]:
    """Chains of events of the agent's own making end."""
    yield routed(
        "chain-ends", "D N31", "An agent whose words start its next turn talks for ever; the system shows them.",
        event("uua", "pending", depth=3, causation_id="e0", origin="agent"), ROUTE, path=["pending", "dispatched"],
        changed={"routing": flags("uus"), **SENT, "delivery_deadline": None}, effects=["agent_aware", "present"],
        responsible="system",
    )  # fmt: skip
    yield routed(
        "chain-ends-unseen", "D N31", "At the end of a chain the agent is told, without a turn and without a human.",
        event("saa", "pending", depth=3, causation_id="e0"), ROUTE,
        changed={"routing": flags("sas"), **SENT, "delivery_deadline": None}, effects=["add_fact"],
    )  # fmt: skip
    yield routed(
        "chain-goes-on", "D N31", "A chain below the limit is work, not a loop.",
        event("uua", "pending", depth=2, causation_id="e0"), ROUTE, changed=SENT, effects=OFFERED,
    )  # fmt: skip
    yield routed(
        "chain-of-the-host", "D N31", "How long a chain may be is the host's to say.",
        event("uua", "pending", depth=1, causation_id="e0"), ROUTE, rules={"depth": 1},
        effects=["agent_aware", "present"],
    )  # fmt: skip
    yield routed(
        "chain-ends-and-waits", "ANP 6.4", "The system shows it in its turn, and no watchdog waits for an agent.",
        event("uua", "pending", depth=3, causation_id="e0"), ROUTE, world=BUSY, path=["pending"],
        changed={"routing": flags("uus"), "delivery_deadline": None}, effects=["queue"],
    )  # fmt: skip


def again() -> Iterator[Case]:
    """An event is routed once."""
    why = "What is routed twice is shown twice, or worked on twice."
    states = (
        ("shown-again", event("uus")),
        ("offered-again", event("uua")),
        ("claimed-again", event("uua", "locked")),
        ("escalated-again", escalated()),
    )
    for variant, record in states:
        yield routed(variant, "ANP 5.1", why, record, ROUTE, code=REFUSED)
    yield routed("delivered-again", "D N35", why, event("uus", "delivered"), ROUTE, code="already-terminal")
    yield routed("nothing", "ANP 5.1", "What nobody submitted goes nowhere.", None, ROUTE, code="unknown-notification")


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """What the files are made of."""
    yield "routes", "anp.route_table", "The three flags and what they mean.", list(table())
    yield "classify", "anp.classify", "Whether people are told of what a tool does.", list(tools())
    cases = [*direct(), *offered(), *demoted(), *chains(), *again()]
    yield "route", "anp.decide", "An event goes where its flags say.", cases
