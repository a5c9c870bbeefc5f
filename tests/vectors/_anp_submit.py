"""An event comes in: `conformance/v0.1/anp/submit.json`, `merge.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import TTL, UNSEEN, WORDS, Case, at, decisions, escalated, event, flags, promoted, submit

if TYPE_CHECKING:
    from collections.abc import Iterator

submitted, merged = decisions("submit"), decisions("merge")

KEY: Final = "backup"
NEWER: Final = "Backup failed again."


def keyed(word: str, status: str = "dispatched", **members: object) -> Case:
    """An event of Olivia's under the key."""
    return event(word, status, deduplication_key=KEY, **members)


def newer(word: str, **members: object) -> Case:
    """Another event under the same key."""
    return submit(word, NEWER, **{"id": "e2", "deduplication_key": KEY, **members})


def born(word: str, content: str = WORDS, **members: object) -> Case:
    """The members of an event that was just submitted."""
    found = event(word, "pending", content=content, origin="plugin", **members)
    return {name: one for name, one in found.items() if name != "holder"}


# --- new events


def new() -> Iterator[Case]:
    """Row 1."""
    whole = {"path": ["pending"], "expected": None, "effects": ["audit"]}
    for variant, word, why in (
        ("direct", "uus", "An event is pending, with its first lease, until it is routed."),
        ("direct-in-a-session", "sus", "Of a session the user is noted too: sessions end."),
        ("passive", "uas", "No deadline: nobody must do anything about a fact."),
        ("mediated", "uua", "The human waits from here on, whether the event is ever routed or not."),
        ("autonomous", "saa", "Work that is never routed is missed, too."),
    ):
        yield submitted(
            variant, "ANP 5.1", why, None, submit(word), **whole, record=born(word), responsible="system",
            keys=[["e1", 1, 1]],
        )  # fmt: skip
    told = {"directive": "Ask whether to retry.", "tone_hint": "concise"}
    members = {"deduplication_key": KEY, "metadata": {"urgency": "low", "host": {"n": 1}}, "agent_instructions": told}
    yield submitted(
        "all-members", "ANP 8.1", "What the plugin said is kept to the letter.",
        None, submit("uus", **members), record=born("uus", **members),
    )  # fmt: skip
    yield submitted(
        "own-deadline", "ANP 6.2", "The plugin may know better than the host until when it matters.",
        None, submit("uua", delivery_deadline=at(30)), record=born("uua", delivery_deadline=at(30)),
    )  # fmt: skip
    yield submitted(
        "own-deadline-capped", "D N26", "A deadline years away is none: the host bounds what a plugin says.",
        None, submit("uua", delivery_deadline=at(999_999)), rules={"cap_seconds": 600},
        record=born("uua", delivery_deadline=at(600)),
    )  # fmt: skip
    yield submitted(
        "own-deadline-of-an-alert", "D N26", "The system shows it at once; a watchdog has nothing to look after.",
        None, submit("uus", delivery_deadline=at(30)), record=born("uus"),
    )  # fmt: skip
    yield submitted(
        "own-deadline-of-a-fact", "D N3", "A fact with a deadline would be shown to the human when it passes.",
        None, submit("uas", delivery_deadline=at(30)), record=born("uas"),
    )  # fmt: skip
    yield submitted(
        "ttl-of-the-host", "ANP 6.2", "How long an agent may be silent is the host's to say.",
        None, submit("uaa"), rules={"ttl_seconds": 45}, record=born("uaa", delivery_deadline=at(45)),
    )  # fmt: skip
    yield submitted(
        "urgent", "ANP 8.2", "A hint of urgency shortens the time, and changes no route.",
        None, submit("uua", metadata={"urgency": "high"}), rules={"urgent_seconds": {"high": 15}},
        record=born("uua", delivery_deadline=at(15), metadata={"urgency": "high"}),
    )  # fmt: skip
    yield submitted(
        "child", "D N31", "What the agent says is known as its, and as the follower of what led to it.",
        None, submit("uus", id="n1", origin="agent", causation_id="e1", depth=1),
        record={**born("uus"), "id": "n1", "origin": "agent", "causation_id": "e1", "depth": 1},
    )  # fmt: skip
    yield submitted(
        "forged-record", "ANP 8.2", "A plugin that submits a status, a lease or an id would own the state machine.",
        None, submit("uua", status="delivered", owner_lease=9, ack_at=at(), revision=5, holder="w9"),
        record=born("uua"), path=["pending"],
    )  # fmt: skip


def twice() -> Iterator[Case]:
    """The same submission again."""
    why = "A plugin that did not hear the answer submits again; the human is told once."
    for variant, record in (
        ("same-pending", event("uus", "pending")),
        ("same-shown", event("uus")),
        ("same-locked", event("uua", "locked")),
        ("same-delivered", event("uus", "delivered")),
        ("same-escalated", escalated()),
    ):
        yield submitted(variant, "ANP 7", why, record, submit("uus"), code="already-submitted")
    yield submitted(
        "same-with-a-key", "ANP 7", "With its id it is the same submission, not new words for the old one.",
        keyed("uus"), submit("uus", deduplication_key=KEY), code="already-submitted",
    )  # fmt: skip

    yield submitted(
        "anothers-id", "D N24", "An id that another's event has is no way to learn of that event, nor to change it.",
        event("uus", user_id="bob"), submit("uus"), code="wrong-user",
    )  # fmt: skip
    for variant, key in (("anothers-id-with-a-key", KEY), ("anothers-id-with-another-key", "disk")):
        record = event("uus", "pending", user_id="bob", deduplication_key=KEY)
        yield submitted(variant, "D N24", "A key that is the same does not make the user the same.", record,
                        submit("uus", deduplication_key=key), code="wrong-user")  # fmt: skip


def nest(depth: int) -> Case:
    """An object in an object, so many of them."""
    found: Any = 1
    for _ in range(depth):
        found = {"n": found}
    return {"nest": found}


def bounds() -> Iterator[Case]:
    """How long names may be, and how deep what nobody knows."""
    long = "x" * 256
    yield submitted(
        "longest-names", "ANP 8.1", "Up to the bound a name is a name.",
        None, submit("sus", id=long, user_id=long, session_id=long, deduplication_key=long), path=["pending"],
    )  # fmt: skip
    yield submitted("deep-metadata", "ANP 8.1", "What a plugin says is kept, deep as it may be.", None,
                    submit("uus", metadata=nest(50)), record=born("uus", metadata=nest(50)))  # fmt: skip
    too = long + "x"
    for variant, command in (
        ("too-deep-metadata", submit("uus", metadata=nest(70))),
        ("too-deep-members", submit("uus", app=nest(70))),
        ("too-long-id", submit("uus", id=too)),
        ("too-long-user", submit("uus", user_id=too)),
        ("too-long-session", submit("sus", session_id=too)),
        ("too-long-key", submit("uus", deduplication_key=too)),
        ("empty-id", submit("uus", id="")),
        ("empty-user", submit("uus", user_id="")),
        ("empty-key", submit("uus", deduplication_key="")),
    ):
        why = "It goes into keys of stores, into pushes, and into other JSON: without a bound it breaks them later."
        yield submitted(variant, "ANP 8.1", why, None, command, code="malformed")


def malformed() -> Iterator[Case]:
    """What is no event."""
    without = submit("uus")
    del without["submission"]["user_id"]
    nobody, homeless, nowhere, nameless = without, submit("sus"), submit("uus"), submit("uus")
    del homeless["submission"]["session_id"]
    nowhere["submission"]["routing"]["address"] = "team"
    del nameless["id"]
    for variant, section, why, command in (
        ("blank", "ANP 8.1", "A blank notice tells nobody anything.", submit("uus", "  ")),
        ("no-words", "ANP 8.1", "An empty notice tells nobody anything.", submit("uus", "")),
        *((name, "ANP 8.1", said, submit("uus", text)) for name, text, said in UNSEEN),
        ("too-long", "ANP 8.1", "A text without a bound fills every screen.", submit("uus", "x" * 65_537)),
        ("no-user", "D N29", "An event of nobody can be shown to nobody.", nobody),
        ("no-session", "D N29", "An event of a session that names none is in no chat.", homeless),
        ("no-such-address", "ANP 2.1", "A third address goes nowhere.", nowhere),
        ("no-id", "ANP 8.1", "Without an id the same submission cannot be told from another one.", nameless),
        ("metadata-as-text", "ANP 8.1", "Metadata is an object.", submit("uus", metadata="urgent")),
        ("deadline-as-number", "ANP 8.2", "A deadline is a time.", submit("uua", delivery_deadline=120)),
        ("key-as-number", "ANP 7.1", "A key is a text.", submit("uus", deduplication_key=7)),
    ):
        yield submitted(variant, section, why, None, command, code="malformed")


# --- the same key


def replaced() -> Iterator[Case]:
    """Row 2: an open event has newer words."""
    fresh = {"content": NEWER, "revision": 2}
    told = {"user_id": "olivia", "content": NEWER, "revision": 2, "lease": 1}
    for variant, word, channel, why in (
        ("shown", "uus", "inbox", "The old words stand in the inbox; the new ones take their place."),
        ("shown-in-a-chat", "sus", "chat", "The old words stand in the chat."),
        ("fact", "uas", "facts", "The agent remembers what is not true any more."),
    ):
        of_session = {"session_id": "s1"} if word[0] == "s" else {}
        yield merged(
            variant, "ANP 7.1", why, keyed(word), newer(word), path=["dispatched"], changed=fresh,
            effects=["update"], update={"channel": channel, **told, **of_session}, after=60,
            expected={"status": "dispatched", "owner_lease": 1}, keys=[["e1", 2, 1]],
        )  # fmt: skip
    for variant, word, turn in (("offered", "uua", "proactive"), ("offered-autonomous", "uaa", "internal")):
        yield merged(
            variant, "ANP 7.1", "The agent must not speak of what is not true any more.",
            keyed(word), newer(word), path=["dispatched"], after=60, responsible="agent",
            changed={**fresh, "delivery_deadline": at(60 + TTL)}, effects=["start_turn", "update", "wake_at"],
            update={"channel": "context", **told}, wake_at={"at": at(60 + TTL)},
            start_turn={"turn": turn, "scope": "global"},
        )  # fmt: skip
    yield merged(
        "waiting", "ANP 7.1", "What waits is not shown yet: only the words change.",
        keyed("uus", "pending"), newer("uus"), path=["pending"], changed=fresh, effects=[],
    )  # fmt: skip
    yield merged(
        "waiting-for-the-agent", "ANP 7.1", "What the agent has not seen needs no correction, and has its time anew.",
        keyed("uua", "pending"), newer("uua"), after=60, path=["pending"], update=None, start_turn=None,
        changed={**fresh, "delivery_deadline": at(60 + TTL)},
    )  # fmt: skip
    yield merged(
        "third-revision", "D N25", "Each replacement is told from the one before.",
        keyed("uus", revision=2), newer("uus"), changed={"content": NEWER, "revision": 3}, keys=[["e1", 3, 1]],
    )  # fmt: skip
    yield merged(
        "demoted-since", "ANP 7.1", "The words stand in the inbox, where the event went when its session ended.",
        keyed("sus", routing=flags("uus")), newer("sus"), changed=fresh, update={"channel": "inbox", **told}, notes=[],
    )  # fmt: skip
    yield merged(
        "promoted-since", "ANP 6.1", "The human is owed a word of what the agent did, whatever the plugin says now.",
        {**promoted(), "deduplication_key": KEY}, newer("uaa"), after=5, responsible="agent",
        changed={**fresh, "delivery_deadline": at(5 + TTL)}, update={"channel": "context", **told},
    )  # fmt: skip


def overwritten() -> Iterator[Case]:
    """Which members are replaced."""
    fresh = {"content": NEWER, "revision": 2}
    yield merged(
        "metadata", "ANP 7.1", "Metadata of the old words says nothing of the new ones.",
        keyed("uus", metadata={"a": 1, "b": 2}), newer("uus", metadata={"b": 3}),
        changed={**fresh, "metadata": {"b": 3}}, updated_metadata={"b": 3},
    )  # fmt: skip
    yield merged(
        "metadata-gone", "ANP 7.1", "It is overwritten, not merged: what is not there any more is gone.",
        keyed("uus", metadata={"a": 1}), newer("uus"), changed={**fresh, "metadata": None},
    )  # fmt: skip
    old, told = {"directive": "Ask.", "tone_hint": "concise"}, {"directive": "Do not ask."}
    yield merged(
        "instructions-kept", "D N27", "The specification overwrites words and metadata only.",
        keyed("uas", agent_instructions=old), newer("uas"), changed=fresh,
        update={"channel": "facts", "user_id": "olivia", "content": NEWER, "agent_instructions": old,
                "revision": 2, "lease": 1},
    )  # fmt: skip
    yield merged(
        "instructions-new", "D N27", "Who says something anew means it; the old hints go.",
        keyed("uas", agent_instructions=old), newer("uas", agent_instructions=told),
        changed={**fresh, "agent_instructions": told},
    )  # fmt: skip
    yield merged(
        "route-kept", "D N24", "Two routes for one event are two owners; the first counts.",
        keyed("uus"), newer("uua"), changed=fresh, responsible="system", notes=["routing-kept"],
        update={"channel": "inbox", "user_id": "olivia", "content": NEWER, "revision": 2, "lease": 1},
    )  # fmt: skip
    yield merged(
        "route-kept-for-the-agent", "D N24", "A second plugin cannot take an event from the agent by another route.",
        keyed("uaa"), newer("uus"), after=5, changed={**fresh, "delivery_deadline": at(5 + TTL)}, responsible="agent",
        notes=["routing-kept"],
    )  # fmt: skip
    yield merged(
        "session-kept", "D N24", "The words stay in the chat that they stand in.",
        keyed("sus"), newer("sus", session_id="s2"), changed=fresh, notes=["routing-kept"],
        update={"channel": "chat", "user_id": "olivia", "session_id": "s1", "content": NEWER, "revision": 2,
                "lease": 1},
    )  # fmt: skip


def rearmed() -> Iterator[Case]:
    """The deadline is set again."""
    fresh = {"content": NEWER, "revision": 2}
    yield merged(
        "alert-has-no-deadline", "D N26", "A watchdog for an alert would show it a second time.",
        keyed("uus"), newer("uus", delivery_deadline=at(90)), after=60, changed=fresh, wake_at=None,
    )  # fmt: skip
    yield merged(
        "fact-has-no-deadline", "D N3", "A replaced fact is a fact: nobody is late with it.",
        keyed("uas"), newer("uas", delivery_deadline=at(90)), after=60, changed=fresh, wake_at=None,
    )  # fmt: skip
    yield merged(
        "own-deadline", "D N26", "The plugin's deadline counts for the new words as for the old ones.",
        keyed("uua"), newer("uua", delivery_deadline=at(90)), after=60,
        changed={**fresh, "delivery_deadline": at(90)}, wake_at={"at": at(90)},
    )  # fmt: skip
    yield merged(
        "never-disarmed", "D N26", "An event whose plugin gave a deadline keeps having one when it says nothing of it.",
        keyed("uua", delivery_deadline=at(70)), newer("uua"), after=60,
        changed={**fresh, "delivery_deadline": at(60 + TTL)},
    )  # fmt: skip
    yield merged(
        "capped", "D N26", "A plugin that updates for ever would keep the human waiting for ever.",
        keyed("uua"), newer("uua"), after=100, rules={"cap_seconds": 150},
        changed={**fresh, "delivery_deadline": at(150)}, wake_at={"at": at(150)},
    )  # fmt: skip


def chained() -> Iterator[Case]:
    """The length of the chain, and the hint of urgency, of what was replaced."""
    fresh = {"content": NEWER, "revision": 2}
    yield merged(
        "longer-chain", "D N31", "New words that came of a longer chain make it no shorter: it would never end.",
        keyed("uus"), newer("uus", origin="agent", causation_id="e7", depth=2),
        changed={**fresh, "depth": 2, "causation_id": "e7"},
    )  # fmt: skip
    for variant, members in (("shorter-chain", {"causation_id": "e7", "depth": 1}), ("no-chain", {})):
        yield merged(
            variant, "D N31", "A chain does not begin anew because somebody says the next words.",
            keyed("uus", depth=2, causation_id="e0"), newer("uus", **members), changed=fresh,
        )  # fmt: skip
    for variant, word, depth, kinds in (
        ("end-of-the-chain", "uua", 3, ["update", "wake_at"]),
        ("end-of-the-chain-autonomous", "uaa", 4, ["update", "wake_at"]),
        ("before-the-end-of-the-chain", "uua", 2, ["start_turn", "update", "wake_at"]),
    ):
        yield merged(
            variant, "D N31", "A turn for each replacement is a chain as well: at its end none starts.",
            keyed(word), newer(word, causation_id="e7", depth=depth), effects=kinds, path=["dispatched"],
        )  # fmt: skip
    yield merged(
        "newly-urgent", "D N26", "The hint of the new words counts: what has become urgent is not left for later.",
        keyed("uua", metadata={"urgency": "low"}), newer("uua", metadata={"urgency": "High"}), after=60,
        rules={"urgent_seconds": {"high": 15, "low": 300}}, wake_at={"at": at(75)},
        changed={**fresh, "delivery_deadline": at(75), "metadata": {"urgency": "High"}},
    )  # fmt: skip
    yield merged(
        "urgent-no-more", "D N26", "What is not urgent any more has its time.",
        keyed("uua", "pending", metadata={"urgency": "high"}), newer("uua"), after=60,
        rules={"urgent_seconds": {"high": 15}},
        changed={**fresh, "delivery_deadline": at(60 + TTL), "metadata": None},
    )  # fmt: skip


def apart() -> Iterator[Case]:
    """Row 3: what somebody owns, or what has ended, is left alone."""
    fresh = {"path": ["pending"], "expected": None, "effects": ["audit"], "update": None}
    for variant, record, why in (
        ("locked", keyed("uua", "locked"), "Who holds an event speaks of words that change under the hands."),
        ("escalated", {**escalated(), "deduplication_key": KEY}, "The human may read it just now; it stays as it is."),
        ("delivered", keyed("uua", "delivered"), "What was delivered is done; the news is another event."),
        ("failed", keyed("uua", "failed", owner_lease=2), "A dead letter stays what it was; the news may arrive."),
    ):
        section = "D N23" if variant in ("locked", "failed") else "ANP 7.1"
        made = {**born("uua", NEWER, deduplication_key=KEY), "id": "e2"}
        yield merged(variant, section, why, record, newer("uua"), **fresh, record=made, keys=[["e2", 1, 1]])


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """What the files are made of."""
    yield "submit", "anp.decide", "An event comes in.", [*new(), *twice(), *malformed(), *bounds()]
    cases = [*replaced(), *overwritten(), *rearmed(), *chained(), *apart()]
    yield "merge", "anp.decide", "Another event comes in under the same key.", cases
