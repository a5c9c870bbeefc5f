"""What the devices of a person are told, and what they say: `settled.json`, `client-*.json`, `stream.json` in `anp`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._anp_rows import (
    BACK,
    MALFORMED,
    NOBODY,
    ROUTE,
    TICK,
    TTL,
    WORDS,
    Case,
    ack,
    broke,
    commit,
    decisions,
    escalated,
    event,
    unshown,
)
from tests.vectors._anp_turn_rows import plainly

if TYPE_CHECKING:
    from collections.abc import Iterator

SHOULD: Final[Case] = {"level": "SHOULD"}
made, told, said, framed, resumed = (
    decisions("settled"), plainly("client-settled", "ANP 6.3", level="SHOULD"),
    plainly("client-message", "ANP 5.1", level="SHOULD"), plainly("stream", "R48", level="SHOULD"),
    plainly("resume", "R48", level="SHOULD"),
)  # fmt: skip


def settled() -> Iterator[Case]:
    """When every device of a person is told that nothing more comes under a lease."""
    seen = "Whoever has the event on another screen need not look at it any more."
    for variant, command, how in (
        ("unsaid", ack(), "seen"), ("rendered", ack(how="rendered"), "seen"),
        ("clicked", ack(how="clicked"), "acknowledged"),
    ):  # fmt: skip
        yield made(variant, "R48", seen, event("uus"), command, settled=[[how, 1]]) | SHOULD
    yield made("escalated-seen", "R48", seen, escalated(), ack(2), settled=[["seen", 2]]) | SHOULD
    yield made("in-a-chat", "R48", seen, event("sus"), ack(), settled=[["seen", 1]]) | SHOULD
    lost = "Nobody can acknowledge it any more, so it does not stay on a screen for ever."
    yield made("withdrawn", "R48", lost, escalated(), unshown(2), settled=[["withdrawn", 2]]) | SHOULD
    taken = "What a device shows of the agent's work on it is over: the system presents it under another lease."
    for variant, record, command, after in (
        ("deadline", event("uua"), TICK, TTL), ("claimed", event("uua", "locked"), TICK, TTL),
        ("failed", event("uua"), broke(), 0), ("silence", event("uua"), commit(is_trigger=True), 0),
    ):  # fmt: skip
        yield made(variant, "R48", taken, record, command, after=after, settled=[["escalated", 1]]) | SHOULD
    still = "What is still open is settled on no device."
    for variant, record, command in (
        ("routed", event("uus", "pending"), ROUTE), ("shown-again", event("uus"), BACK),
        ("not-shown-here", event("uus"), unshown()), ("never-given-to-the-agent", event("uua", "pending"), TICK),
    ):  # fmt: skip
        late = {"after": TTL} if command is TICK else {}
        yield made(variant, "R48", still, record, command, settled=[], **late) | SHOULD
    yield made(
        "user-gone", "R48", "No device is left; the agent has lost it all the same.", event("uua"), TICK, after=TTL,
        world=NOBODY, settled=[["escalated", 1]],
    ) | SHOULD  # fmt: skip


def shows(revision: int = 1, lease: int = 1, id: str = "e1", **members: Any) -> Case:
    found = {"id": id, "revision": revision, "lease": lease, "surface": "inbox", "user_id": "olivia"}
    return {**found, "content": f"Words {revision}.", "replaces": revision > 1, **members}


def ends(how: str = "seen", revision: int = 1, lease: int = 1, id: str = "e1", **members: Any) -> Case:
    found = {"kind": "settled", "id": id, "revision": revision, "lease": lease, "how": how}
    return {**found, "surface": "inbox", "user_id": "olivia", **members}


def received() -> Iterator[Case]:
    """A device that shows events, and hears what was settled elsewhere, in any order."""
    over = "Nothing is shown under a lease that was settled."
    for variant, why, came, did in (
        ("elsewhere", "What was seen on one device vanishes on the others.",
         [shows(), ends("acknowledged")], [["show", [1, 1]], ["settle", None]]),
        ("again", "It happens at least once.", [shows(), ends(), ends()],
         [["show", [1, 1]], ["settle", None], ["repeat", None]]),
        ("before-it-came", over, [ends(), shows()], [["settle", None], ["stale", None]]),
        ("repeated-after", over, [shows(), ends(), shows()], [["show", [1, 1]], ["settle", None], ["stale", None]]),
        ("new-words-after", over, [shows(), ends(), shows(2)], [["show", [1, 1]], ["settle", None], ["stale", None]]),
        ("moved-after", over, [shows(surface="chat", session_id="s1"), ends(), shows(session_id="s1")],
         [["show", [1, 1]], ["settle", None], ["stale", None]]),
        ("escalated", "What the watchdog took is shown under its new lease.",
         [ends("escalated"), shows(1, 2)], [["settle", None], ["show", [2, 1]]]),
        ("escalated-late", "What ends an old lease ends nothing of the new one.",
         [shows(1, 2), ends("escalated")], [["show", [2, 1]], ["stale", None]]),
        ("another-event", "One event says nothing of another.",
         [shows(), ends(id="e2"), shows()], [["show", [1, 1]], ["settle", None], ["repeat", [1, 1]]]),
    ):  # fmt: skip
        yield told(variant, why, {"shown": came}, value=did)


def sent() -> Iterator[Case]:
    """What a client says of an event, and the command that it means."""
    displayed = {"kind": "displayed", "id": "e1", "lease": 1, "revision": 2}
    failed = {"kind": "display_failed", "id": "e1", "lease": 1}
    means = {"kind": "client_ack", "lease": 1, "user_id": "olivia", "revision": 2}
    for variant, why, given, command in (
        ("displayed", "A client says what it displays, under which lease and in which words.", displayed, means),
        ("clicked", "A click says more than a look.", {**displayed, "how": "clicked"}, {**means, "how": "clicked"}),
        ("whose", "The host says whose client it is, whatever the client says.",
         {**displayed, "user_id": "mallory"}, means),
        ("failed", "What one device cannot display another may.", failed,
         {"kind": "delivery_failed", "lease": 1, "user_id": "olivia", "is_final": False}),
        ("failed-for-good", "A device speaks for itself alone.", {**failed, "is_final": True},
         {"kind": "delivery_failed", "lease": 1, "user_id": "olivia", "is_final": False}),
    ):  # fmt: skip
        yield said(variant, why, {"data": json.dumps(given), "user_id": "olivia"}, value=command)
    wrong = "Who names no lease or no words may have displayed anything."
    for variant, given in (
        ("no-lease", {**displayed, "lease": None}), ("no-revision", {**displayed, "revision": None}),
        ("lease-zero", {**displayed, "lease": 0}), ("lease-of-text", {**displayed, "lease": "1"}),
        ("no-id", {**displayed, "id": ""}), ("unknown-how", {**displayed, "how": "heard"}), ("no-object", [displayed]),
    ):  # fmt: skip
        yield said(variant, wrong, {"data": json.dumps(given), "user_id": "olivia"}, **MALFORMED)


def streamed() -> Iterator[Case]:
    """Items of a stream in both framings."""
    shown, over = shows(content=f"{WORDS}\nNow."), ends()
    for variant, why, item in (
        ("presentation", "What is shown has a place, from which a client goes on.",
         {"place": 7, "event": "presentation", "data": shown}),
        ("settled", "So has what is settled.", {"place": 8, "event": "settled", "data": over}),
        ("snapshot", "Everything that is open, with the last place that it includes.",
         {"place": 8, "event": "snapshot", "data": {"kind": "snapshot", "presentations": [shown], "omitted": 0}}),
        ("empty", "Nothing was ever in the stream.",
         {"place": 0, "event": "snapshot", "data": {"kind": "snapshot", "presentations": [], "omitted": 0}}),
        ("of-the-host", "What the host adds need not have a place.",
         {"event": "ready", "data": {"agent": "@a@a.example"}}),
    ):  # fmt: skip
        lines = [f"event: {item['event']}"] + ([f"id: {item['place']}"] if "place" in item else [])
        facts = {"lines": lines, "sse": item, "frame": item, "back": item}
        yield framed(variant, why, {"item": item}, facts=facts)


def gone_on() -> Iterator[Case]:
    """Where a client that was away goes on."""
    for variant, why, last, oldest, newest, after in (
        ("next", "It gets what came after what it has read.", "7", 5, 9, 7),
        ("all", "Nothing is missing before the oldest that is kept.", "4", 5, 9, 4),
        ("nothing-new", "There is nothing new.", "9", 5, 9, 9),
        ("empty", "Nothing was ever there.", "0", 0, 0, 0),
        ("first-time", "It has read nothing yet.", None, 5, 9, None),
        ("too-old", "What came meanwhile is not kept any more.", "3", 5, 9, None),
        ("ahead", "The store is older than the client: it was restored.", "10", 5, 9, None),
        ("ahead-of-nothing", "The store is empty, and the client is not.", "1", 0, 0, None),
        ("no-number", "It is no place.", "x", 1, 9, None),
        ("negative", "It is no place.", "-1", 1, 9, None),
        ("blank", "It is no place.", " 5", 1, 9, None),
        ("other-digits", "It is no place.", "٥", 1, 9, None),
        ("huge", "It is no place.", "9" * 400, 1, 9, None),
    ):
        unit = {"last_event_id": last, "oldest": oldest, "newest": newest}
        yield resumed(variant, why, unit, value=after)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """The files."""
    yield "settled", "anp.decide", "When every device of a person is told that an event is settled.", settled()
    yield "client-settled", "anp.receive_presentation", "A device that hears what was settled elsewhere.", received()
    yield "client-message", "anp.client_message", "What a client says of an event.", sent()
    yield "stream", "anp.stream", "What clients receive, as Server-Sent Events and as frames of WebSocket.", streamed()
    yield "resume", "anp.resume", "Where a client that was away goes on.", gone_on()
