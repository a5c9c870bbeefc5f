"""What happens to messages in Slack, and events that are claimed before they are completed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.vectors._connector_sections import PLATFORM
from tests.vectors._slack_receive import HELLO, THREAD
from tests.vectors._slack_rows import (
    AGENT,
    NATIVE,
    ROOT,
    SETTINGS,
    TS,
    Case,
    case,
    command,
    envelope,
    mention,
    message,
    raw,
    said,
    signed,
    text,
    unit,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ROW: Case = {"id": "m1", "thread_id": NATIVE, "sender": "@U1@t1.slack.invalid"}
KNOWN = {f"MESSAGE {NATIVE}": ROW}
LATER = "1795294501.000000"


def changed(content: str = "hello you", before: str = "hello", **more: Any) -> Case:
    """Somebody edits a message in a channel."""
    now = {**mention(content), "type": "message", "edited": {"user": "U1", "ts": LATER}, **more}
    return {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "channel": "C1",
        "channel_type": "channel",
        "ts": "1795294501.000100",
        "message": {name: member for name, member in now.items() if member is not None},
        "previous_message": {**mention(before), "type": "message"},
    }


def reacted(**more: Any) -> Case:
    item = {"type": "message", "channel": "C1", "ts": TS}
    return {"type": "reaction_added", "user": "U1", "reaction": "thumbsup", "item": item, **more}


def deleted(**more: Any) -> Case:
    event = {"type": "message", "subtype": "message_deleted", "hidden": True, "channel": "C1", "deleted_ts": TS}
    return {**event, "previous_message": mention(), **more}


def event(type: str, **more: Any) -> Case:
    """What is told of something that happened to the stored message, by Alice."""
    told = {
        "type": type,
        "object_ids": [NATIVE],
        "recipients": [AGENT],
        "actor": "@U1@t1.slack.invalid",
        "parts": [],
        "previous": [],
        "content": None,
        "stored": {NATIVE: "m1"},
        "identities": ["slack:T1/U1"],
        "redelivered": False,
    }
    return {**told, **more}


EDITED = event("edited", parts=[text("hello you")], previous=[text("hello")])
UNKNOWN: Case = {"stored": {}, "identities": []}


def events() -> Iterator[Case]:
    """Edits, deletions and reactions."""

    def one(name: str, why: str, given: Case, made: Case | str, **more: Any) -> Case:
        facts: Case = {"section": "R72", "world": KNOWN, "diagnostics": [], **more}
        if isinstance(made, str):
            del facts["diagnostics"]
        outcome = {"rejected": {"code": made}} if isinstance(made, str) else {"value": made}
        return case("slack-event", name, why, unit(given), **outcome, **facts)

    yield one("edit", "Who corrects a word wants it corrected.", changed(), EDITED)
    yield one(
        "deletion",
        "What was taken back is no longer there to be answered.",
        deleted(),
        event("deleted", actor=None, identities=[]),
    )
    tomb = changed("This message was deleted.", subtype="tombstone", edited=None)
    why = "A message with answers leaves a stone behind when it is deleted."
    yield one("tombstone", why, tomb, event("deleted", actor=None, identities=[]))
    for kind, type in (("reaction_added", "reaction-added"), ("reaction_removed", "reaction-removed")):
        why = "A thumb says what a person thinks of an answer."
        yield one(type, why, reacted(type=kind), event(type, content=":thumbsup:"))
    why = "What the agent does not have, it is told of without looking anybody up."
    yield one(
        "not-stored",
        why,
        changed(),
        {**EDITED, **UNKNOWN},
        world={},
        diagnostics=["evidence-withheld"],
        must_not_ask=["CALL *"],
    )
    why = "Whoever edits must have written it."
    other = {f"MESSAGE {NATIVE}": {**ROW, "sender": "@U2@t1.slack.invalid"}}
    yield one("edit-of-another", why, changed(), "owner-mismatch", world=other, flags=["attack"])
    editor = changed(edited={"user": "U2", "ts": LATER})
    yield one("edit-by-another", why, editor, "owner-mismatch", flags=["attack"])
    for name, by in (("nobody", None), ("a-bot", "B2"), ("a-number", 1)):
        edited = {"ts": LATER} if by is None else {"ts": LATER, "user": by}
        why = "Where Slack does not say that the author edited it, an edit has no author."
        yield one(f"edit-by-{name}", why, changed(edited=edited), "owner-mismatch", flags=["attack"])
    yield one(
        "link-shown", "Slack shows a link, and no person edited anything.", changed(edited=None), "unsupported-event"
    )
    yield one(
        "own-edit",
        "What the agent edits itself must not wake it.",
        changed(user="UBOT", edited={"ts": LATER}),
        "own-message",
    )
    yield one("own-reaction", "What the agent thinks of a message it knows.", reacted(user="UBOT"), "own-message")
    yield one("reaction-to-a-file", "A file is no message.", reacted(item={"type": "file"}), "unsupported-event")
    yield one(
        "answered", "That a message was answered says nothing.", said(subtype="message_replied"), "unsupported-event"
    )
    yield one(
        "again",
        "An event that comes again is told as one.",
        reacted(),
        event("reaction-added", content=":thumbsup:", redelivered=True),
        world={**KNOWN, "ONCE slack:event:Ev1 A1": "same"},
        section="R70",
    )
    yield one(
        "used-for-another",
        "An event is about one message.",
        reacted(),
        "replayed",
        world={**KNOWN, "ONCE slack:event:Ev1 A1": "other"},
        section="R70",
        flags=["attack"],
    )
    guest = {**KNOWN, **user(is_restricted=True)}
    yield one(
        "edit-by-a-guest",
        "An edit shows as much of a person as a message.",
        changed(),
        {**EDITED, "identities": []},
        world=guest,
        diagnostics=["evidence-withheld"],
    )
    yield case(
        "slack-event",
        "edit-that-mentions",
        "Who forgot to mention the agent, and adds it, waits for an answer.",
        unit(changed("<@UBOT> hello")),
        messages=[message(HELLO, raw=raw(type="message", channel_type="channel"))],
        diagnostics=[],
        section="R70",
    )
    yield one(
        "edit-that-mentions-as-before",
        "One question has one answer.",
        changed("<@UBOT> hello", "<@UBOT> hi"),
        event("edited", parts=[HELLO], previous=[text("<@UBOT> hi", mentions={"<@UBOT>": "helper"})]),
        section="R70",
    )
    once = {**KNOWN, f"ONCE slack:message:T1/C1/{TS} A1": "other"}
    yield one(
        "edit-that-mentions-in-what-came",
        "One question has one answer.",
        changed("<@UBOT> hello"),
        event("edited", parts=[HELLO], previous=[text("hello")]),
        world=once,
        section="R70",
    )


def claims() -> Iterator[Case]:
    """Stage one: one ask, and nothing is looked up."""
    quiet = ["AGENT *", "CALL *", "MESSAGE *", "HISTORY *"]

    def one(name: str, why: str, given: Case, made: Any, **more: Any) -> Case:
        outcome = {"rejected": {"code": made}} if isinstance(made, str) else {"value": made}
        return case("slack-claim", name, why, given, **outcome, must_not_ask=quiet, **{"section": "R70", **more})

    new: Case = {
        "type": "message",
        "event_id": "slack:Ev1",
        "native_id": NATIVE,
        "is_new": True,
        "status": 200,
        "answer": "",
    }
    yield one("new", "Slack waits three seconds: nothing is looked up before it is answered.", unit(mention()), new)
    same = {f"ONCE slack:message:T1/C1/{TS} A1": "same"}
    yield one("again", "A retry is no second question.", unit(mention()), {**new, "is_new": False}, world=same)
    body = json.dumps(envelope(mention()))
    headers = {"Retry-Num": "1", "Retry-Reason": "http_timeout"}
    retried = {"request": signed(body, **headers), "settings": SETTINGS}
    why = "That Slack calls it a retry is not signed: the store decides."
    yield one(
        "said-to-be-a-retry", why, retried, {**new, "retry": {"number": 1, "reason": "http_timeout"}}, flags=["attack"]
    )
    yield one("edit", "An edit is claimed as what it is.", unit(changed()), {**new, "type": "edited"})
    other = {f"ONCE slack:message:T1/C1/{TS} A1": "other"}
    yield one(
        "message-of-another-event",
        "Two events may bring one message.",
        unit(mention()),
        "unsupported-event",
        world=other,
    )
    yield one(
        "edit-of-what-came",
        "An edit of a message that came is an edit.",
        unit(changed("<@UBOT> hello")),
        {**new, "type": "edited"},
        world=other,
    )
    down = {f"ONCE slack:message:T1/C1/{TS} A1": {"failed": "no store"}}
    yield one("store-down", "What cannot be claimed must come again.", unit(mention()), "lookup-failed", world=down)
    yield one(
        "own", "What the agent said itself is not claimed.", unit(said(user="UBOT")), "own-message", section=PLATFORM
    )
    forged = {"request": signed(body, Signature="v0=" + "0" * 64), "settings": SETTINGS}
    yield one(
        "forged",
        "Nothing of a forged request is claimed.",
        forged,
        "request-unverified",
        section="BC",
        flags=["attack"],
    )


def completed() -> Iterator[Case]:
    """Stage two: what was stored becomes the message that one stage makes."""
    yield case(
        "slack-complete",
        "mention",
        "Both stages make what one makes.",
        unit(mention()),
        messages=[message(HELLO)],
        diagnostics=[],
        section="R70",
    )
    thread = f"slack:T1/C1/{ROOT}"
    yield case(
        "slack-complete",
        "reply",
        "The thread is looked up when there is time for it.",
        unit(mention(thread_ts=ROOT)),
        messages=[message(HELLO, thread_id=thread, in_reply_to=thread, raw=raw(thread_ts=ROOT))],
        diagnostics=[],
        world=THREAD,
        section="R70",
    )
    same = {f"ONCE slack:message:T1/C1/{TS} A1": "same"}
    yield case(
        "slack-complete",
        "again",
        "A retry stays a retry in the queue.",
        unit(mention()),
        messages=[message(HELLO)],
        diagnostics=["redelivered"],
        world=same,
        section="R70",
    )
    yield case(
        "slack-complete",
        "edit",
        "An edit is completed as one.",
        unit(changed()),
        value=EDITED,
        diagnostics=[],
        world=KNOWN,
        section="R72",
    )


def deliveries() -> Iterator[Case]:
    """Of any number of deliveries, one is the first."""

    def sent(event: Case, id: str = "Ev1", **more: Any) -> Case:
        found: Case = signed(json.dumps(envelope(event, event_id=id, **more)))
        return found

    def one(name: str, why: str, requests: list[Case], words: list[str]) -> Case:
        given = {"requests": requests, "settings": SETTINGS}
        return case("slack-deliveries", name, why, given, value=words, section="R70")

    as_message = said("<@UBOT> hello", channel="C1", channel_type="channel")
    yield one("retries", "Slack tries three times.", [sent(mention())] * 4, ["first", "same", "same", "same"])
    both = [sent(mention()), sent(as_message, "Ev2"), sent(mention()), sent(as_message, "Ev2")]
    words = ["first", "unsupported-event", "same", "unsupported-event"]
    yield one("two-events", "A mention in a channel comes as two events, and is one question.", both, words)
    apps = [sent(mention()), sent(mention(), "Ev2", api_app_id="A2")]
    yield one("two-apps", "Two apps that share a store hear the same channel.", apps, ["first", "first"])
    edits = [sent(changed()), sent(changed("hello all"), "Ev2"), sent(changed())]
    yield one("edits", "Each edit of a message is one event.", edits, ["first", "first", "same"])
    typed = [command()["request"]] * 2
    yield one("commands", "A command that comes twice was typed once.", typed, ["first", "same"])


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "slack-event", "slack.receive", "What happens to a message.", events()
    yield "slack-claim", "slack.claim", "What is claimed before Slack is answered.", claims()
    yield "slack-complete", "slack.complete", "What comes of it later.", completed()
    yield "slack-deliveries", "slack.deliveries", "What each of several deliveries is.", deliveries()
