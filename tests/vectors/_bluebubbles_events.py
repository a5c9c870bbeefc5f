"""What happens to messages in iMessage, and events that are claimed before they are completed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._bluebubbles_rows import AGENT, GUID, OTHER, PERSON, SETTINGS, Case, case, posted, told

if TYPE_CHECKING:
    from collections.abc import Iterator

NATIVE = f"bluebubbles:{GUID}"
ADDRESS = f"@{PERSON}@bluebubbles.invalid"
KNOWN = {f"MESSAGE {NATIVE}": {"id": "m1", "thread_id": "t", "sender": ADDRESS}}
LATER = 1_795_294_570_000


def event(type: str, **more: Any) -> Case:
    """What is told of something that happened to the stored message."""
    told = {
        "type": type,
        "object_ids": [NATIVE],
        "recipients": [AGENT],
        "actor": ADDRESS,
        "parts": [],
        "previous": [],
        "content": None,
        "stored": {NATIVE: "m1"},
        "identities": [f"imessage:{PERSON}"],
        "redelivered": False,
    }
    return {**told, **more}


def edited(**changes: Any) -> Case:
    return posted(told("updated-message", **{"text": "Will it snow?", "dateEdited": LATER, **changes}))


def tapback(kind: Any = "love", **changes: Any) -> Case:
    members = {"guid": OTHER, "associatedMessageType": kind, "associatedMessageGuid": f"p:0/{GUID}", **changes}
    return posted(told(**members))


SNOW = event("edited", parts=[{"kind": "text", "content": "Will it snow?", "mime": "text/plain"}])


def events() -> Iterator[Case]:
    """Edits, unsent messages and reactions."""

    def one(name: str, why: str, given: Case, made: Case | str, **more: Any) -> Case:
        facts: Case = {"section": "R72", "world": KNOWN, "diagnostics": [], **more}
        if isinstance(made, str):
            del facts["diagnostics"]
        outcome = {"rejected": {"code": made}} if isinstance(made, str) else {"value": made}
        return case("bluebubbles-event", name, why, given, **outcome, **facts)

    yield one("edit", "Who corrects a word wants it corrected.", edited(), SNOW)
    unsent = posted(told("updated-message", text=None, dateRetracted=LATER))
    yield one("unsent", "What was taken back is no longer there to be answered.", unsent, event("deleted"))
    for name, kind, type, content in (
        ("love", "love", "reaction-added", "❤️"),
        ("like-taken-back", "-like", "reaction-removed", "👍"),
        ("by-number", 2003, "reaction-added", "😂"),
    ):
        yield one(name, "A tapback says what a person thinks.", tapback(kind), event(type, content=content))
    party = tapback("emoji", associatedMessageEmoji="🎉")
    yield one("any-emoji", "Any emoji may be one.", party, event("reaction-added", content="🎉"))
    yield one("was-read", "That a message was read says nothing.", posted(told("updated-message")), "unsupported-event")
    yield one("own", "What the account itself changes is its own.", edited(isFromMe=True), "own-message")
    other = {f"MESSAGE {NATIVE}": {"id": "m1", "thread_id": "t", "sender": "@x@bluebubbles.invalid"}}
    why = "Whoever edits must have written it."
    yield one("edit-of-another", why, edited(), "owner-mismatch", world=other, flags=["attack"])
    again = {**KNOWN, f"ONCE bluebubbles:event:{GUID}/edited/{LATER} home": "same"}
    why = "An edit that comes again is told as one."
    yield one("again", why, edited(), {**SNOW, "redelivered": True}, world=again, section="R70")


def claims() -> Iterator[Case]:
    """Stage one: one ask, and nothing is looked up."""
    quiet = ["AGENT *", "MESSAGE *", "HISTORY *"]
    new: Case = {
        "type": "message",
        "event_id": NATIVE,
        "native_id": NATIVE,
        "is_new": True,
        "status": 200,
        "answer": "",
    }
    facts: Case = {"must_not_ask": quiet, "section": "R70"}
    yield case("bluebubbles-claim", "new", "A server that waits tries again.", posted(told()), value=new, **facts)
    edit = {**new, "type": "edited", "event_id": f"{NATIVE}/edited/{LATER}"}
    yield case("bluebubbles-claim", "edit", "An edit is claimed as what it is.", edited(), value=edit, **facts)


def completed() -> Iterator[Case]:
    """Stage two: what was stored becomes what one stage makes."""
    facts: Case = {"world": KNOWN, "diagnostics": [], "section": "R72"}
    yield case("bluebubbles-complete", "edit", "An edit is completed as one.", edited(), value=SNOW, **facts)


def deliveries() -> Iterator[Case]:
    """Of any number of deliveries, one is the first."""
    requests = [one["request"] for one in (posted(told()), edited(), posted(told()), edited(), tapback())]
    given = {"requests": requests, "settings": SETTINGS}
    words = ["first", "first", "same", "same", "first"]
    why = "A message, its edit and its tapback are three events."
    yield case("bluebubbles-deliveries", "several", why, given, value=words, section="R70")


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "bluebubbles-event", "bluebubbles.receive", "What happens to a message.", events()
    yield "bluebubbles-claim", "bluebubbles.claim", "What is claimed before the server is answered.", claims()
    yield "bluebubbles-complete", "bluebubbles.complete", "What comes of it later.", completed()
    yield "bluebubbles-deliveries", "bluebubbles.deliveries", "What each of several deliveries is.", deliveries()
