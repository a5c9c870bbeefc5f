"""Events of others: `conformance/v0.1/anp/read-submission.json`, `read-record.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import MALFORMED, UNSEEN, WORDS, Case, at, event, flags, plain, submission
from tests.vectors._anp_submit import nest

if TYPE_CHECKING:
    from collections.abc import Iterator

given, kept = plain("read-submission"), plain("read-record")

USUAL: Final = submission("uus")
DEEP: Final = "It stands inside other JSON later, which nobody could read any more."
LONG: Final = "It goes into keys of stores: without a bound it breaks them later."


def said(**members: Any) -> Case:
    """A submission with other members; one of Ellipsis is left out."""
    return {name: one for name, one in {**USUAL, **members}.items() if one is not ...}


# --- what a plugin submits


def spelled() -> Iterator[Case]:
    """Words in every spelling."""
    for variant, address, target, handler, word in (
        ("lower", "session", "user", "system", "sus"),
        ("upper", "SESSION", "USER", "AGENT", "sua"),
        ("capitals", "User", "Agent", "System", "uas"),
        ("enumerations", "Address.USER", "Target.AGENT", "Handler.AGENT", "uaa"),
        ("human", "USER", "HUMAN", "SYSTEM", "uus"),
        ("blanks", " user ", "user\n", "system", "uus"),
    ):
        routing = {"address": address, "target": target, "handler": handler}
        session = {"session_id": "s1"} if word[0] == "s" else {}
        yield given(
            variant, "D N34", "Plugins write words of enumerations as their language does.",
            {"data": said(routing=routing, **session)}, value=said(routing=flags(word), **session),
        )  # fmt: skip
    why = "Synonyms are for reading only where they mean the same."
    for variant, member, word in (
        ("agent-address", "address", "agent"),
        ("human-address", "address", "human"),
        ("human-handler", "handler", "human"),
        ("dead-letter-address", "address", "dead_letter"),
        ("dead-letter-target", "target", "Dead_Letter"),
        ("user-handler", "handler", "user"),
        ("session-target", "target", "session"),
        ("failed-target", "target", "failed"),
    ):
        yield given(variant, "ANP 2", why, {"data": said(routing={**flags("uus"), member: word})}, **MALFORMED)
    yield given(
        "times", "D N34", "A time of another zone is the same time.",
        {"data": said(routing=flags("uua"), delivery_deadline="2026-11-21T22:00:00+01:00")},
        value=said(routing=flags("uua"), delivery_deadline="2026-11-21T21:00:00Z"),
    )  # fmt: skip
    yield given(
        "no-zone", "D N34", "A time without a zone is UTC, as the specification's are.",
        {"data": said(routing=flags("uua"), delivery_deadline="2026-11-21T21:00:00")},
        value=said(routing=flags("uua"), delivery_deadline="2026-11-21T21:00:00Z"),
    )  # fmt: skip


def members() -> Iterator[Case]:
    """Members that are kept, and nulls."""
    told = {"directive": "Ask.", "tone_hint": "concise"}
    whole = said(deduplication_key="download_progress_xyz123", metadata={"key": "value"}, agent_instructions=told)
    yield given("whole", "ANP 8.1", "The schema of the specification, to the letter.", {"data": whole}, value=whole)
    nulls = said(deduplication_key=None, delivery_deadline=None, metadata=None, session_id=None)
    yield given("nulls", "ANP 8.1", "The schema writes null where there is nothing.", {"data": nulls}, value=USUAL)
    odd = said(priority=3, x_trace={"id": "7"}, routing={**flags("uus"), "hint": "toast"},
               agent_instructions={"directive": "Ask.", "voice": "calm"})  # fmt: skip
    yield given("unknown", "D N34", "What a later version says is kept for who reads it.", {"data": odd}, value=odd)
    yield given("user-of-the-host", "D N29", "The host knows whose plugin it is; the plugin need not say.",
                {"data": said(user_id=...), "user_id": "olivia"}, value=USUAL)  # fmt: skip
    yield given("user-of-both", "D N29", "Both say the same.", {"data": USUAL, "user_id": "olivia"}, value=USUAL)
    yield given("caused", "D N31", "A chain of events of the agent's own making has a length, and ends.",
                {"data": USUAL, "cause": event("uua", depth=2)},
                value=said(causation_id="e1", depth=3))  # fmt: skip


def misread() -> Iterator[Case]:
    """What is no event."""
    for variant, section, members, why in (
        ("foreign", "D N29", {"user_id": "mallory"}, "A plugin of Olivia's does not write into another's inbox."),
        ("no-content", "ANP 8.1", {"content": ...}, "An event says something."),
        ("blank-content", "ANP 8.1", {"content": " \n"}, "Blank words are a notice of nothing."),
        *((f"{name}-content", "ANP 8.1", {"content": text}, said) for name, text, said in UNSEEN),
        ("content-as-object", "ANP 8.1", {"content": {"text": WORDS}}, "Words are a text."),
        ("no-routing", "ANP 2", {"routing": ...}, "Where it goes is not guessed."),
        ("routing-as-text", "ANP 2", {"routing": "inbox"}, "Three flags are three words."),
        ("no-session", "D N29", {"routing": flags("sus")}, "An event of a session that names none is in no chat."),
        ("blank-session", "D N29", {"routing": flags("sus"), "session_id": ""}, "An empty name is none."),
        ("metadata-as-list", "ANP 8.1", {"metadata": []}, "Metadata is an object."),
        ("key-as-number", "ANP 7.1", {"deduplication_key": 7}, "A key is a text; 7 and 7.0 are one number."),
        ("directive-as-list", "ANP 8.1", {"agent_instructions": {"directive": ["Ask."]}}, "A directive is a text."),
        ("no-time", "ANP 8.2", {"delivery_deadline": "tomorrow"}, "Tomorrow is no time."),
        ("origin", "D N31", {"origin": "agent"}, "A plugin cannot speak as the agent."),
        ("cause", "D N31", {"causation_id": "e7"}, "Out of what an event came, the bus knows."),
        ("depth", "D N31", {"depth": 0}, "A plugin that says how long its chain is makes it endless."),
        ("too-deep-metadata", "ANP 8.1", {"metadata": nest(70)}, DEEP),
        ("too-deep-members", "ANP 8.1", {"app": nest(70)}, DEEP),
        ("long-key", "ANP 8.1", {"deduplication_key": "x" * 257}, LONG),
        ("long-session", "ANP 8.1", {"session_id": "x" * 257}, LONG),
    ):
        unit = {"data": said(**members), "user_id": "olivia"}
        yield given(variant, section, why, unit, **MALFORMED)
    yield given("no-user", "D N29", "Whose an event is must be said by somebody.", {"data": said(user_id=...)},
                **MALFORMED)  # fmt: skip
    yield given("long-user", "ANP 8.1", LONG, {"data": said(user_id="x" * 257)}, **MALFORMED)
    longest = said(deduplication_key="x" * 256, session_id="x" * 256, user_id="x" * 256, metadata=nest(50))
    yield given("longest", "ANP 8.1", "Up to the bound it is kept to the letter.", {"data": longest}, value=longest)
    yield given("half-unseen-content", "ANP 8.1", "What is seen in part is kept to the letter.",
                {"data": said(content="\ufeffDone.\u200b")}, value=said(content="\ufeffDone.\u200b"))  # fmt: skip
    yield given("list", "ANP 8.1", "A list is no event.", {"data": [USUAL]}, **MALFORMED)


# --- what a ledger has


def of_others() -> Iterator[Case]:
    """Events of another ledger, with the members of the specification alone."""
    seed = {
        "id": "e1", "content": WORDS, "deduplication_key": "backup", "metadata": {"key": "value"},
        "routing": {"address": "USER", "target": "USER", "handler": "AGENT"},
        "agent_instructions": {"directive": "Ask.", "tone_hint": "concise"}, "status": "DISPATCHED",
        "owner_lease": 1, "created_at": at(), "ack_at": None, "delivery_deadline": at(120),
    }  # fmt: skip
    found = {
        **{name: one for name, one in seed.items() if one is not None}, "user_id": "olivia", "status": "dispatched",
        "routing": flags("uua"), "requested": flags("uua"), "revision": 1, "origin": "plugin",
    }  # fmt: skip
    yield kept("schema", "ANP 8.1", "The canonical event of the specification is read as it is.",
               {"data": seed, "user_id": "olivia"}, facts={"record": found})  # fmt: skip
    yield kept("nulls-for-none", "D N34", "Null says of a member with a usual value that the usual one holds.",
               {"data": {**seed, "revision": None, "origin": None}, "user_id": "olivia"},
               facts={"record": found})  # fmt: skip
    for variant, word, status in (("dead-letter", "Dead-Letter", "failed"), ("enumeration", "Status.LOCKED", "locked")):
        yield kept(variant, "D N34", "Ledgers write states as their language does.",
                   {"data": {**seed, "status": word}, "user_id": "olivia"},
                   facts={"record": {**found, "status": status}})  # fmt: skip
    requested = {**seed, "requested": {"address": "SESSION", "target": "AGENT", "handler": "AGENT"}}
    yield kept("requested", "D N5", "The flags as submitted are kept beside those that count.",
               {"data": requested, "user_id": "olivia"},
               facts={"record": {**found, "requested": flags("saa")}})  # fmt: skip
    yield kept("unknown", "D N34", "What another ledger keeps beside it is not lost.",
               {"data": event("uus", app={"n": 1}, routing={**flags("uus"), "hint": "toast"})},
               facts={"keeps": {"app": {"n": 1}}})  # fmt: skip
    for variant, section, members, why in (
        ("no-status", "ANP 8.2", {"status": "done"}, "A state that is none leads nowhere."),
        ("human-status", "ANP 8.2", {"status": "human"}, "Another word for the user is no state."),
        ("human-address", "ANP 2", {"routing": {**flags("uus"), "address": "Human"}}, "A human is no place."),
        ("lease-0", "ANP 8.2", {"owner_lease": 0}, "Leases begin at 1."),
        ("lease-as-text", "ANP 8.2", {"owner_lease": "1"}, "A lease is a number."),
        ("no-id", "ANP 8.1", {"id": None}, "An event without an id cannot be acknowledged."),
        ("no-time", "ANP 8.1", {"created_at": "yesterday"}, "Yesterday is no time."),
        ("foreign", "D N29", {"user_id": "mallory"}, "Another's event is not read as one's own."),
    ):
        yield kept(variant, section, why, {"data": {**event("uus"), **members}, "user_id": "olivia"}, **MALFORMED)


def taken() -> Iterator[Case]:
    """What the watchdog has taken over is for the user, and the system has it."""
    why = "Nobody would show it, and everybody would take it for shown."
    for variant, word, status in (
        ("escalated-fact", "uas", "escalated"),
        ("escalated-offer", "uua", "escalated"),
        ("escalated-work", "saa", "escalated"),
        ("taken-fact", "uas", "locked"),
    ):
        record = event(word, status, owner_lease=2, holder=None)
        yield kept(variant, "D N6", why, {"data": record}, **MALFORMED)
    for variant, record in (
        ("escalated", event("sus", "escalated", owner_lease=2, requested=flags("saa"))),
        ("taken", event("uus", "locked", owner_lease=2, requested=flags("uua"), holder=None)),
        ("claimed", event("uaa", "locked")),
    ):
        found = {**record, "origin": "plugin"}
        yield kept(variant, "D N6", "As the watchdog and workers leave it.", {"data": record}, facts={"record": found})


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """What the files are made of."""
    cases = [*spelled(), *members(), *misread()]
    yield "read-submission", "anp.read_submission", "An event as a plugin submits it.", cases
    yield "read-record", "anp.read_notification", "An event as a ledger keeps it.", [*of_others(), *taken()]
