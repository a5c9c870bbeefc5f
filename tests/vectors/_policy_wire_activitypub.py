"""Demands on ActivityPub: `conformance/v0.1/policy/wire-activitypub-out.json` and `wire-activitypub-in.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _answer_activitypub as notes_out
from tests.vectors._answer_received import ACTOR, AP, HELLO, html, message
from tests.vectors._answer_rows import PLAIN, Case, answer
from tests.vectors._policy_wire_rows import KINDS, NO, PAGE, PAY, carried, rows, without, x402

if TYPE_CHECKING:
    from collections.abc import Iterator

TERM: Final = "mentionablePolicy"
IRI: Final = "https://mentionable.dev/ns/policy/v0.1#policy"
MEANING: Final[Case] = {"@id": IRI, "@type": "@json"}
LINKED: Final[Case] = {**NO, "url": "https://social.example/why"}
HELPER: Final = "https://agents.example/actors/helper"
out = rows("wire-activitypub-out", "reply", "activitypub")
into = rows("wire-activitypub-in", "activitypub")


def writes(name: str, section: str, why: str, *parts: Case, **more: Any) -> Case:
    """An answer, and facts about what goes out."""
    unit, lookups = more.pop("asked", None) or notes_out.question()
    more_unit = more.pop("unit", {})
    if "facts" in more:
        more.setdefault("diagnostics", [])
    return out(
        name,
        section,
        why,
        {"question": unit, "response": answer(*parts), **more_unit},
        given={"lookups": lookups},
        **more,
    )


def written() -> Iterator[Case]:
    """Demands that go out."""
    for name, policy in KINDS.items():
        yield writes(
            name,
            "R41",
            "The demand is a member of the note whose meaning the context says, and text for people.",
            carried(policy),
            facts={"policy": policy, "policy_term": MEANING, "has": {"words": {policy["message"]: True}}},
        )
    linked = {**PAY, "title": "One more step", "url": PAGE, "action_label": "Pay now"}
    yield writes(
        "words",
        "PP",
        "People read what is demanded and where to act, and the host that they are led to.",
        PLAIN,
        carried(linked),
        asked=notes_out.question((HELPER,)),
        facts={
            "words": "@alice@social.example It will rain.\nOne more step\nPay 1 €.\nPay now (agents.example)",
            "policy": linked,
            "has": {"html": {f'href="{PAGE}"': True}},
        },
    )
    public = {"visibility": "public", "policy": None, "words": "@alice@social.example It will rain."}
    private = {"private_addressed": [ACTOR], "private_policy": linked, "private_visibility": "direct"}
    why = "What all may read and what the asker alone may read are two notes, and the trace of the first is its own."
    yield writes("two-notes", "R59", why, PLAIN, carried(linked), facts={**public, **private}, flags=["attack"])
    yield writes(
        "demand-alone",
        "R59",
        "A demand to who asked in public is a direct note.",
        carried(linked),
        facts={"visibility": "direct", "addressed": [ACTOR], "inboxes": [notes_out.INBOX], "policy": linked},
        flags=["attack"],
    )
    yield writes(
        "demand-to-followers",
        "R59",
        "Followers do not read it either.",
        carried(linked),
        asked=notes_out.question((notes_out.FOLLOWERS, HELPER)),
        facts={"visibility": "direct", "addressed": [ACTOR]},
        flags=["attack"],
    )
    yield writes(
        "demand-and-a-sibling",
        "R59",
        "Whoever is brought in reads the text alone.",
        PLAIN,
        carried(linked),
        asked=notes_out.question((HELPER,)),
        unit={"siblings": [notes_out.BOB]},
        facts={"visibility": "direct", "policy": None, "private_addressed": [ACTOR], "private_policy": linked},
        flags=["attack"],
    )
    yield writes(
        "demand-without-an-inbox",
        "R59",
        "Without an inbox of the asker's own no private way leads to them.",
        PLAIN,
        carried(linked),
        asked=notes_out.question(asker=notes_out.actor(inbox=None)),
        rejected={"code": "malformed"},
        flags=["attack"],
    )
    yield writes("refusal", "R59", "A refusal is for all.", carried(NO), facts={"visibility": "public", "policy": NO})
    yield writes("x402", "R41", "Offers come through as they are.", carried(x402()), facts={"policy": x402()})
    yield writes(
        "nothing-demanded",
        "R41",
        "Without a demand there is neither the member nor the word.",
        PLAIN,
        facts={"policy": None, "policy_term": None},
    )
    sly = {**NO, "message": "<script>x</script> [a](https://evil.example/) https://evil.example/"}
    yield writes(
        "markup",
        "D B17",
        "A demand is text: nothing in it can be clicked but its own link.",
        carried(sly),
        facts={
            "policy": sly,
            "has": {"html": {"<script": False, 'href="https://evil.example/': False, "&lt;script&gt;": True}},
        },
        flags=["attack"],
    )
    yield writes(
        "too-long",
        "R41",
        "What no reader takes goes out as text alone; the diagnostic says so.",
        carried({**NO, "com.example.more": "x" * 70_000}),
        facts={"policy": None, "policy_term": None, "has": {"words": {"No.": True}}},
        diagnostics=["part-changed", "trace-dropped"],
        level="SHOULD",
    )
    yield writes(
        "foreign-url",
        "PP",
        "A demand leads nowhere but to the agent that makes it.",
        carried({**NO, "url": "https://social.example/pay"}),
        rejected={"code": "malformed"},
        flags=["attack"],
    )


def reads(
    name: str, section: str, why: str, note: Case, *parts: Case, notes: tuple[str, ...] = (), **more: Any
) -> Case:
    """A delivery, and the message that it becomes."""
    actor = {"@context": AP, "id": ACTOR, "type": "Person", "preferredUsername": "alice"}
    lookups: Case = {
        f"GET {ACTOR}": {"status": 200, "content_type": "application/activity+json", "json": actor},
        f"AGENT {HELPER}": "@helper@agents.example",
        "AGENT *": None,
        "MESSAGE *": None,
    }
    body = {
        "@context": more.pop("context", AP),
        "id": "https://social.example/notes/2/activity",
        "type": "Create",
        "actor": ACTOR,
        "to": [HELPER],
        **more.pop("activity", {}),
        "object": {
            "id": "https://social.example/notes/2",
            "type": "Note",
            "attributedTo": ACTOR,
            "content": HELLO,
            **note,
        },
    }
    unit = {
        "method": "POST",
        "url": "https://agents.example/inbox",
        "headers": [["content-type", "application/activity+json"]],
        "body": body,
    }
    found = message([html(HELLO), *parts], None)
    outcome = {"messages": [found], "diagnostics": list(notes)}
    return into(name, section, why, unit, given={"lookups": lookups}, **outcome, **more)


def read() -> Iterator[Case]:
    """Demands that come in."""
    demand = carried(LINKED)
    literal = {"@type": "@json", "@value": LINKED}
    forms = "JSON-LD writes one value in many ways."
    for word, name in (("term", TERM), ("iri", IRI)):
        for form, value in (("json", LINKED), ("literal", literal), ("array", [LINKED]), ("array-literal", [literal])):
            yield reads(f"{word}-{form}", "R41", forms, {name: value}, demand)
    says = "A context may say what the word means, if it says what we say."
    for name, definition in (("iri", IRI), ("id", {"@id": IRI}), ("whole", MEANING)):
        yield reads(f"context-{name}", "R41", says, {TERM: LINKED}, demand, context=[AP, {TERM: definition}])
    yield reads("context-of-the-note", "R41", says, {TERM: LINKED, "@context": [AP, {TERM: MEANING}]}, demand)
    yield reads(
        "other-contexts",
        "R41",
        "Contexts that say nothing of the word change nothing.",
        {TERM: LINKED},
        demand,
        context=[AP, "https://x.example/ns", {"x": "https://x.example/x"}],
    )
    other = "A word that means something else is not ours, however it came to."
    broken = ("policy-malformed",)
    for name, context in (
        ("other-iri", {TERM: "https://other.example/policy"}),
        ("none", {TERM: None}),
        ("longer-iri", {TERM: {"@id": f"{IRI}x"}}),
        ("type-alone", {TERM: {"@type": "@json"}}),
        ("prefix", {"m": "https://mentionable.dev/ns/policy/v0.1#", TERM: "m:policy"}),
        ("scoped", {"x": {"@id": "https://x.example/x", "@context": {TERM: "https://other.example/policy"}}}),
    ):
        yield reads(
            f"redefined-{name}", "R41", other, {TERM: LINKED}, notes=broken, context=[AP, context], flags=["attack"]
        )
    yield reads(
        "redefined-in-the-note",
        "R41",
        other,
        {TERM: LINKED, "@context": [AP, {TERM: "https://other.example/policy"}]},
        notes=broken,
        context=[AP, {TERM: MEANING}],
        flags=["attack"],
    )
    yield reads(
        "redefined-and-iri",
        "R41",
        "The IRI in full means what it means, whatever a word does.",
        {IRI: LINKED},
        demand,
        context=[AP, {TERM: None}],
    )
    bad = "A demand that cannot be read counts for nothing; the text stays."
    for name, found in (
        ("text", "pay"),
        ("number", 7),
        ("nothing", []),
        ("two", [LINKED, LINKED]),
        ("array-in-array", [[LINKED]]),
        ("no-message", {"kind": "forbidden"}),
        ("no-offer", {**PAY, "accepted_payments": []}),
        ("no-return", without(KINDS["consent"], "return_to")),
        ("value-without-type", {"@value": LINKED}),
        ("value-of-another-type", {"@type": "@id", "@value": LINKED}),
        ("value-with-a-language", {**literal, "@language": "en"}),
        ("literal-of-text", {"@type": "@json", "@value": "pay"}),
    ):
        yield reads(f"broken-{name}", "R41", bad, {TERM: found}, notes=broken)
    yield reads(
        "two-names",
        "R41",
        "Of two demands nobody knows which one counts.",
        {TERM: LINKED, IRI: LINKED},
        notes=broken,
        flags=["attack"],
    )
    yield reads("null", "D B11", "Null is as if it were not there.", {TERM: None})
    yield reads("null-beside-iri", "D B11", "Beside the other name, too.", {TERM: None, IRI: LINKED}, demand)
    for name, url in (("foreign", "https://evil.example/pay"), ("subdomain", "https://pay.social.example/")):
        yield reads(
            f"url-{name}",
            "PP",
            "A demand leads nowhere but to the host of its sender; the rest of it counts.",
            {TERM: {**NO, "url": url, "action_label": "Here"}},
            carried(NO),
            notes=("url-refused",),
            flags=["attack"],
        )
    unknown = KINDS["unknown"]
    yield reads("unknown-kind", "PP 3.6", "A kind that is not known is kept.", {TERM: unknown}, carried(unknown))
    yield reads(
        "of-the-activity",
        "R41",
        "Only the object has a demand.",
        {},
        activity={TERM: LINKED},
        flags=["attack"],
    )


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "wire-activitypub-out", "activitypub.reply", [*written()]
    yield "wire-activitypub-in", "activitypub.receive", [*read()]
