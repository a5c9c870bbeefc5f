"""What goes out of events: presentations to clients, CloudEvents, and messages of Web Push."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import MALFORMED, WORDS, Case, at, escalated, event, submission
from tests.vectors._anp_turn_rows import plainly

if TYPE_CHECKING:
    from collections.abc import Iterator

shown, client = plainly("presentation", "ANP 3.1"), plainly("client", "ANP 6.3")
cloud, uncloud, push = plainly("cloudevent", "CE"), plainly("cloudevent-read", "CE"), plainly("push", "RFC 8030")

TYPES: Final = "dev.mentionable.anp."
PRESENTED: Final[Case] = {
    "kind": "present", "id": "e1", "revision": 1, "lease": 1, "channel": "inbox", "user_id": "olivia", "content": WORDS,
}  # fmt: skip
REVISED: Final[Case] = {**PRESENTED, "kind": "update", "revision": 2}
FOR_AGENT: Final[tuple[tuple[str, Case], ...]] = (
    ("context", {"kind": "inject_context", "scope": "global", "must_narrate": True}),
    ("fact", {"kind": "add_fact", "scope": "global"}),
    ("update-of-context", {"kind": "update", "channel": "context"}),
    ("update-of-fact", {"kind": "update", "channel": "facts"}),
)


def presented() -> Iterator[Case]:
    """What a human is shown, and what nobody is."""
    why = "A client shows what the system presents, where it belongs."
    plain = {"id": "e1", "revision": 1, "lease": 1, "user_id": "olivia", "content": WORDS, "replaces": False}
    yield shown("inbox", why, {"effect": PRESENTED}, facts={**plain, "surface": "inbox"})
    chat = {**PRESENTED, "channel": "chat", "session_id": "s1"}
    yield shown("chat", why, {"effect": chat}, facts={**plain, "surface": "chat", "session_id": "s1"})
    yield shown(
        "new-words",
        "New words stand in the place of the old ones, not beneath them.",
        {"effect": REVISED},
        facts={"surface": "inbox", "revision": 2, "replaces": True},
        section="ANP 7.1",
    )
    for name, members in FOR_AGENT:
        said = {name: PRESENTED[name] for name in ("id", "revision", "lease", "user_id", "content")}
        yield shown(name, "What is for the agent no human is shown.", {"effect": {**said, **members}}, value=None)
    yield shown(
        "back",
        "A client that comes back shows what nobody has acknowledged.",
        {"record": event("sus", revision=3)},
        facts={"surface": "chat", "session_id": "s1", "content": WORDS, "revision": 3, "lease": 1},
        section="D N9",
    )
    yield shown(
        "escalated",
        "What was taken from the agent is shown in the words that were meant for it, with what the agent did.",
        {"record": escalated(metadata={"fallback_text": "Disk 2."}, actions=["send_mail"])},
        facts={"surface": "inbox", "content": "Disk 2.", "lease": 2, "actions": ["send_mail"]},
        section="D N30",
    )
    for name, record in (
        ("mediated", event("uua")),
        ("claimed", event("uua", "locked")),
        ("autonomous", event("saa")),
        ("passive", event("uas")),
        ("waiting", event("uus", "pending")),
        ("delivered", event("uus", "delivered")),
        ("failed", escalated(status="failed")),
    ):
        yield shown(
            f"not-{name}",
            "What the agent has, what waits and what is over is not shown when a client comes back.",
            {"record": record},
            value=None,
            section="D N9",
        )
    yield shown(
        "internal-metadata",
        "What is internal to the bus is nobody's business.",
        {"record": event("uus", metadata={"turn_depth": 3, "_trace": "x", "disk": 2})},
        facts={"metadata": {"disk": 2}},
        section="D N34",
    )


def seen() -> Iterator[Case]:
    """A client that is shown everything at least once, in any order."""

    def says(revision: int = 1, lease: int = 1, id: str = "e1", **members: Any) -> Case:
        found = {"id": id, "revision": revision, "lease": lease, "surface": "inbox", "user_id": "olivia"}
        return {**found, "content": f"Words {revision}.", "replaces": revision > 1, **members}

    cut = {"cut": ["content"]}
    for variant, section, why, came, did in (
        ("once", "R48", "Effects happen at least once: the human sees it once, and the client acknowledges each.",
         [says(), says()], [["show", [1, 1]], ["repeat", [1, 1]]]),
        ("new-words", "ANP 7.1", "New words take the place of the old ones, and are acknowledged as such.",
         [says(), says(2)], [["show", [1, 1]], ["replace", [1, 2]]]),
        ("old-words-late", "ANP 7.1", "Old words that come late do not stand in the place of the new ones.",
         [says(2), says()], [["show", [1, 2]], ["stale", None]]),
        ("taken", "ANP 6.3", "What the watchdog took is acknowledged under its new lease.",
         [says(), says(1, 2)], [["show", [1, 1]], ["replace", [2, 1]]]),
        ("old-lease-late", "ANP 6.3", "What comes under an old lease is not taken any more, however new its words.",
         [says(1, 2), says(2, 1)], [["show", [2, 1]], ["stale", None]]),
        ("moved", "ANP 2.1", "The chat is gone: the words stand in the inbox from now on, and never again there.",
         [says(surface="chat", session_id="s1"), says(), says(surface="chat", session_id="s1"), says()],
         [["show", [1, 1]], ["replace", [1, 1]], ["stale", None], ["repeat", [1, 1]]]),
        ("each-event", "ANP 6.3", "The lease of one event says nothing of another.",
         [says(1, 2), says(1, 1, "e2")], [["show", [2, 1]], ["show", [1, 1]]]),
        ("cut", "ANP 5.1", "Who has seen half has not seen it.", [says(**cut)], [["show", None]]),
        ("cut-then-whole", "ANP 5.1", "The rest is shown when it comes, and then it is seen.",
         [says(**cut), says(**cut), says()], [["show", None], ["repeat", None], ["replace", [1, 1]]]),
        ("whole-then-cut", "ANP 5.1", "Who has seen the whole has seen the part.",
         [says(), says(**cut)], [["show", [1, 1]], ["repeat", [1, 1]]]),
    ):  # fmt: skip
        yield client(variant, why, {"shown": came}, value=did, section=section)


def clouded() -> Iterator[Case]:
    """Effects and events as CloudEvents."""
    yield cloud(
        "effect",
        "Any broker carries it, and any reader knows what happened to which event.",
        {"what": [{"effect": PRESENTED}], "at": at(5)},
        facts={
            "specversions": ["1.0"],
            "types": [f"{TYPES}present"],
            "sources": ["/hosts/1"],
            "subjects": ["e1"],
            "times": [at(5)],
            "datacontenttypes": ["application/json"],
            "event_ids": ["e1"],
            "contents": [WORDS],
        },
    )
    yield cloud(
        "record",
        "An event as it is stored says when it changed.",
        {"what": [{"record": event("uus", changed_at=at(7))}]},
        facts={"types": [f"{TYPES}notification"], "times": [at(7)], "subjects": ["e1"]},
    )
    other = {**PRESENTED, "lease": 2}, {**PRESENTED, "revision": 2}, {**PRESENTED, "id": "e2"}
    yield cloud(
        "ids",
        "What is sent twice has one id, so that it can be thrown away; another lease, revision or event has its own.",
        {"what": [{"effect": one} for one in (PRESENTED, PRESENTED, *other, REVISED)]},
        facts={"ids": [0, 0, 2, 3, 4, 5]},
        section="R48",
    )
    given = {"submission": submission("uus")}
    yield cloud(
        "submission",
        "Whoever submits an event says its id: the same when it is submitted again.",
        {"what": [{**given, "id": "a-1"}]},
        facts={"types": [f"{TYPES}submission"], "named": ["a-1"], "contents": [WORDS]},
    )
    yield cloud(
        "headers",
        "In a request the attributes stand in header fields, letters beyond ASCII and blanks in percent encoding.",
        {"what": [{**given, "id": 'Grüße "7"'}]},
        facts={
            "headers": [
                {
                    "ce-specversion": "1.0",
                    "ce-id": "Gr%C3%BC%C3%9Fe%20%227%22",
                    "ce-source": "/hosts/1",
                    "ce-type": f"{TYPES}submission",
                    "content-type": "application/json",
                }
            ]
        },
    )
    yield cloud(
        "submission-without-id",
        "An id that is made up each time submits the same twice.",
        {"what": [given]},
        **MALFORMED,
    )
    yield cloud(
        "odd-source",
        "A source is a reference to somewhere.",
        {"what": [{"effect": PRESENTED}], "source": "my host"},
        **MALFORMED,
    )


STRUCTURED: Final = "application/cloudevents+json; charset=utf-8"
CE: Final[Case] = {"specversion": "1.0", "id": "1", "source": "/disks", "type": "com.example.full"}
HEADERS: Final = [["ce-specversion", "1.0"], ["ce-id", "1"], ["ce-source", "/disks"], ["ce-type", "com.example.full"]]
SUBMITTED: Final[Case] = {**CE, "type": f"{TYPES}submission", "data": submission("uus")}


def unclouded() -> Iterator[Case]:
    """CloudEvents from anyone."""
    yield uncloud("structured", "One object of JSON is a CloudEvent.", {"event": {**CE, "data": {"free": 0}}},
                  value={**CE, "data": {"free": 0}})  # fmt: skip
    yield uncloud(
        "structured-request",
        "The media type says how to read it.",
        {
            "request": {
                "headers": [["content-type", "application/cloudevents+json; charset=utf-8"]],
                "body": json.dumps(CE),
            }
        },
        value=CE,
    )
    binary = [*HEADERS, ["content-type", "application/json"]]
    yield uncloud(
        "binary",
        "Attributes stand in header fields, and the data in the body.",
        {"request": {"headers": binary, "body": '{"free": 0}'}},
        value={**CE, "datacontenttype": "application/json", "data": {"free": 0}},
    )
    yield uncloud(
        "binary-no-json",
        "Data that is no JSON stays as it is.",
        {"request": {"headers": [*HEADERS, ["content-type", "text/plain"]], "body": "full"}},
        value={**CE, "datacontenttype": "text/plain", "data_base64": "ZnVsbA=="},
    )
    yield uncloud(
        "binary-encoded",
        "Header fields have letters beyond ASCII in percent encoding.",
        {"request": {"headers": [*HEADERS, ["ce-subject", "Gr%C3%BC%C3%9Fe"], ["ce-note", '"a \\"b\\""']]}},
        value={**CE, "subject": "Grüße", "note": 'a "b"'},
    )
    yield uncloud("extension", "What a program says beside is kept.", {"event": {**CE, "traceid": "7", "hops": 2}},
                  value={**CE, "traceid": "7", "hops": 2})  # fmt: skip
    yield uncloud(
        "extension-whole-number",
        "JSON has one kind of number, and many programs write an integer as 2.0.",
        {"event": {**CE, "hops": 2.0}},
        value={**CE, "hops": 2},
        level="SHOULD",
    )
    yield uncloud("null", "An attribute of null is none.", {"event": {**CE, "subject": None}}, value=CE)
    yield uncloud(
        "null-extension", "An extension of null is none either.", {"event": {**CE, "traceid": None}}, value=CE
    )
    batch = {"headers": [["content-type", "application/cloudevents-batch+json"]], "body": json.dumps([CE])}
    yield uncloud("batch", "Several at once are something else, and not one of them is taken.", {"request": batch},
                  rejected={"code": "media-type-unsupported"})  # fmt: skip
    for name in ("id", "source", "type", "specversion"):
        bare = {member: one for member, one in CE.items() if member != name}
        yield uncloud(f"no-{name}", "Without it nobody can tell which event this is.", {"event": bare}, **MALFORMED)
    newer = {"event": {**CE, "specversion": "2.0"}}
    refused: list[Case] = [MALFORMED, {"rejected": {"code": "unknown-value"}}]
    yield uncloud("another-version", "Another version may mean something else.", newer, any_of=refused)
    for name, members in (
        ("two-data", {"data": 1, "data_base64": "MQ=="}),
        ("empty-id", {"id": ""}),
        ("extension-name", {"trace-id": "7"}),
        ("extension-object", {"trace": {"id": "7"}}),
        ("extension-fraction", {"hops": 2.5}),
        ("extension-beyond-32-bits", {"hops": 2**31}),
        ("control-character", {"subject": "a\u0007b"}),
    ):
        yield uncloud(
            name, "What is no CloudEvent is refused, not guessed at.", {"event": {**CE, **members}}, **MALFORMED
        )
    made = submission("uus")
    yield uncloud("submission", "A plugin submits by any broker.", {"event": SUBMITTED, "as": "submission"}, value=made,
                  section="ANP 8.1")  # fmt: skip
    yield uncloud(
        "submission-of-another-type",
        "Only what says that it is submitted is.",
        {"event": {**SUBMITTED, "type": "com.example.full"}, "as": "submission"},
        rejected={"code": "unknown-value"},
        section="ANP 8.1",
    )
    yield uncloud(
        "submission-for-another-user",
        "A plugin of one user submits nothing to another.",
        {"event": SUBMITTED, "as": "submission", "user_id": "ash"},
        **MALFORMED,
        section="D N29",
    )
    yield uncloud(
        "submission-by-the-agent",
        "A plugin cannot say that the agent said it.",
        {"event": {**SUBMITTED, "data": {**made, "origin": "agent", "depth": 0}}, "as": "submission"},
        **MALFORMED,
        section="D N31",
    )
    yield uncloud(
        "presentation",
        "A client may be reached by any broker.",
        {"event": {**CE, "type": f"{TYPES}present", "data": PRESENTED}, "as": "presentation"},
        facts={"id": "e1", "content": WORDS, "surface": "inbox", "lease": 1},
        section="ANP 3.1",
    )
    context = {**REVISED, "channel": "context"}
    yield uncloud(
        "presentation-of-context",
        "What is for the agent no client shows, whoever sends it.",
        {"event": {**CE, "type": f"{TYPES}update", "data": context}, "as": "presentation"},
        rejected={"code": "unknown-value"},
        section="ANP 3.1",
    )


def pushed() -> Iterator[Case]:
    """Messages of Web Push."""

    def of(**members: Any) -> Case:
        return {"effect": {**PRESENTED, **members}}

    hints = ("CRITICAL", "Urgent", "info", "warning", "background", "very_low", "gibberish", None, 7)
    yield push(
        "urgency",
        "A hint of a plugin says how much it may cost the battery; what is no hint is normal.",
        {"what": [of(metadata={"urgency": hint}) for hint in hints]},
        facts={"urgencies": ["high", "high", "low", "normal", "very-low", "very-low", "normal", "normal", "normal"]},
        section="RFC 8030 5.3",
    )
    yield push(
        "topic",
        "What waits for a device is replaced by newer words of the same event, and by those of no other.",
        {"what": [of(), of(revision=2), of(lease=2), of(id="e2"), of(user_id="ash")]},
        facts={"topics": [0, 0, 0, 3, 4], "are_topics": True},
        section="RFC 8030 5.4",
    )
    long = "a very long id of an event, with spaces / and marks"
    yield push(
        "topic-form",
        "A topic is at most 32 characters of the alphabet of addresses, whatever the id, and tells nobody of it.",
        {"what": [of(id=long), of(id="é" * 80), of(id="e" * 33)]},
        facts={"are_topics": True, "leaks": False, "topics": [0, 1, 2]},
        section="RFC 8030 5.4",
    )
    due = escalated(delivery_deadline=at(90))
    yield push(
        "ttl",
        "A push service keeps nothing longer than it is of use.",
        {"what": [of(), {"record": due}], "ttl_seconds": 3600},
        facts={"ttls": [3600, 90]},
        section="RFC 8030 5.2",
    )
    yield push(
        "ttl-over",
        "What is due already is pushed to devices that are there, and not kept.",
        {"what": [{"record": escalated(delivery_deadline=at(-5))}]},
        facts={"ttls": [0]},
        section="RFC 8030 5.2",
    )
    yield push(
        "whole",
        "What fits goes out whole.",
        {"what": [of(metadata={"disk": 2}, actions=["send_mail"])]},
        facts={"cut": [None], "contents": [WORDS], "actions": [["send_mail"]], "metadata": [{"disk": 2}]},
    )
    yield push(
        "metadata-first",
        "What no human reads goes first.",
        {"what": [of(metadata={"log": "x" * 5000}, actions=["send_mail"])]},
        facts={"cut": [["metadata"]], "contents": [WORDS], "actions": [["send_mail"]], "metadata": [None]},
        section="RFC 8291 4",
    )
    for name, text in (
        ("content", "A" * 5000),
        ("letters-of-four-bytes", "\U0001f600" * 2000),
        ("escapes", '"\n' * 3000),
    ):
        yield push(
            f"cut-{name}",
            "A push service refuses what is longer than one record; what is cut is told, and the ids never are.",
            {"what": [of(content=text)]},
            facts={"fits": True, "cut": [["content"]], "kept": [["e1", 1, 1]]},
            section="RFC 8291 4",
        )
    yield push(
        "for-the-agent",
        "What is for the agent is pushed to nobody.",
        {"what": [{"record": event("uua")}]},
        **MALFORMED,
        section="ANP 3.1",
    )


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """The files."""
    yield "presentation", "anp.presentation", "What a human is shown, and what nobody is.", presented()
    yield "client", "anp.receive_presentation", "A client that is shown everything at least once.", seen()
    yield "cloudevent", "anp.cloudevent", "Effects and events as CloudEvents.", clouded()
    yield "cloudevent-read", "anp.read_cloudevent", "CloudEvents from anyone.", unclouded()
    yield "push", "anp.web_push", "Messages of Web Push.", pushed()
