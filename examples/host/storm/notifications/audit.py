"""Reads what a storm of notifications has left: the journals, and the store. Each fault is a line.

What must hold. A device is a browser with its two tabs, or a phone:

- nothing is lost: each event that was taken was displayed on a device of its person, or its words were replaced; and of
  an event that has newer words, the newest were displayed;
- nothing is heard twice: each device makes a sound once for an event, a revision and a lease;
- nothing comes back: what a device has taken away, it displays or lets be heard again only in newer words or under a
  higher lease: a tab that was reloaded, and the other tab as soon as it has learned of it;
- nothing stays: what one tab has taken away, the other takes away too;
- order: the stream of a person, and each tab, has the events of the system in the order in which they were submitted;
- the stream: a presentation stands in it once, none under a lease that was settled before, and each event is settled;
- the end: nothing is open on any device or in the store, no event failed, and no device had a fault of its own.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen
from mentionable import anp

__all__ = ["Remains", "faults", "figures", "read_journal", "too_little"]

Line = Mapping[str, Any]

LAG_MILLISECONDS: Final = 2_000
"""After so long a tab has learned what the other tab did."""
TOKEN: Final = re.compile(r"\[(\d+)#(\d+)\]")
"""Which event of which person: a part of its words."""


@frozen(kw_only=True)
class Remains:
    """What is left of a storm.

    Attributes:
        submitted: A line for each event that the host has taken: its person, number, who presents it, and its key.
        devices: A line for each thing that happened on a device, in order, with the time in milliseconds.
        device_faults: What went wrong on a device: a push that could not be read, say.
        items: The streams of all people, in the order of their places.
        events: The events as they are stored.
        lanes: The lanes.
        open_tabs: How many events tabs display as open.
        open_phones: How many notifications phones show.
    """

    submitted: Sequence[Line]
    devices: Sequence[Line]
    device_faults: Sequence[str]
    items: Sequence[anp.Presentation | anp.Settled] = field(repr=False)
    events: Sequence[anp.Notification] = field(repr=False)
    lanes: Sequence[anp.Lane] = field(repr=False)
    open_tabs: int
    open_phones: int


def read_journal(path: Path) -> list[Line]:
    """The lines of a journal. One that was cut off at the end is left out."""
    lines = path.read_text().split("\n") if path.exists() else []
    return [json.loads(line) for line in lines[:-1]]


def faults(remains: Remains) -> list[str]:
    """Everything that is wrong."""
    return [
        *_lost(remains),
        *_heard_twice(remains.devices),
        *_come_back(remains.devices),
        *_stay(remains.devices),
        *_out_of_order(remains),
        *_wrong_in_stream(remains),
        *_not_ended(remains),
    ]


def figures(remains: Remains) -> dict[str, int]:
    """How much happened."""
    did = Counter(f"{line['device']} {line['did']}" for line in remains.devices)
    outcomes = Counter(f"event {event.outcome or event.status}" for event in remains.events)
    escalated = sum(event.escalation is not None for event in remains.events)
    return {"submitted": len(remains.submitted), **did, **outcomes, "event escalated": escalated}


def too_little(remains: Remains, *, reloads: int) -> list[str]:
    """What happened too seldom for a storm to show anything."""
    counts, wanted = figures(remains), max(1, len(remains.submitted) // 20)
    told = sum("Told:" in event.content for event in remains.events)
    happened = {"reloads": reloads, "sounds of phones": counts.get("phone hear", 0), "events told by the agent": told}
    return [f"too little: {count} {what}, not {wanted}" for what, count in happened.items() if count < wanted]


def _lost(remains: Remains) -> Iterator[str]:
    displayed = {token for line in remains.devices for token in _tokens(line) if line["did"] in ("display", "hear")}
    newest: dict[tuple[int, str], int] = {}
    for line in remains.submitted:
        if line["key"] is not None:
            newest[line["person"], line["key"]] = max(line["number"], newest.get((line["person"], line["key"]), 0))
    for line in remains.submitted:
        token = (line["person"], line["number"])
        is_replaced = line["key"] is not None and newest[line["person"], line["key"]] > line["number"]
        if token not in displayed and not is_replaced:
            yield f"lost: event {token[1]} of person {token[0]} was displayed nowhere"
    words = {(line["id"], line["revision"]) for line in remains.devices if line["did"] in ("display", "hear")}
    for event in remains.events:
        if event.revision > 1 and (event.id, event.revision) not in words:
            yield f"lost: the newest words of {event.id} were displayed nowhere: {event.content}"


def _heard_twice(devices: Iterable[Line]) -> Iterator[str]:
    heard = Counter(
        (line["person"], line["device"], line["id"], line["revision"], line["lease"])
        for line in devices
        if line["did"] == "hear"
    )
    yield from (f"heard {count} times: {key}" for key, count in heard.items() if count > 1)


def _come_back(devices: Iterable[Line]) -> Iterator[str]:
    """What a tab took away returns to it, or to a device that took it away so long ago that both tabs know."""
    gone: dict[tuple[Any, ...], tuple[tuple[int, int], float]] = {}
    for line in devices:
        if line["did"] not in ("settle", "click", "display", "show", "hear"):
            continue
        now, device = (line["lease"], line["revision"]), (line["person"], line["device"], line["id"])
        if line["did"] in ("settle", "click"):
            for place in (device, (*device, line.get("tab"))):
                if place not in gone or gone[place][0] < now:
                    gone[place] = (now, line["at"])
            continue
        here, there = gone.get((*device, line.get("tab"))), gone.get(device)
        is_late = there is not None and (line["device"] == "phone" or line["at"] > there[1] + LAG_MILLISECONDS)
        if (here and now <= here[0]) or (there and is_late and now <= there[0]):
            yield f"came back: {line}"


def _stay(devices: Sequence[Line]) -> Iterator[str]:
    """What one tab has taken away, and the other that displays it has not, although it is there long after."""
    ends = {line["tab"]: line["at"] for line in devices if line["did"] == "end"}
    displayed: dict[tuple[str, str], dict[int, Line]] = defaultdict(dict)
    waiting: list[tuple[Line, Line]] = []
    settled: dict[tuple[int, str], list[Line]] = defaultdict(list)
    for line in devices:
        if line["device"] != "browser" or line["did"] not in ("display", "settle"):
            continue
        tabs = displayed[line["person"], line["id"]]
        if line["did"] == "display":
            tabs[line["tab"]] = line
            continue
        settled[line["tab"], line["id"]].append(line)
        tabs.pop(line["tab"], None)
        waiting += [(line, other) for other in tabs.values() if _order(other) <= _order(line)]
    for line, other in waiting:
        until = line["at"] + LAG_MILLISECONDS
        is_there = ends.get(other["tab"], until + 1) > until
        if is_there and not any(
            one["at"] <= until for one in settled[other["tab"], other["id"]] if one["at"] >= other["at"]
        ):
            yield f"stays in tab {other['tab']}: {line}"


def _order(line: Line) -> tuple[int, int]:
    return line["lease"], line["revision"]


def _out_of_order(remains: Remains) -> Iterator[str]:
    plain = {
        (line["person"], line["number"]) for line in remains.submitted if line["by"] == "system" and line["key"] is None
    }
    newest: dict[object, int] = defaultdict(int)
    displayed = set[tuple[object, tuple[int, int]]]()
    contents = [(f"tab {line['tab']}", line["content"]) for line in remains.devices if line["did"] == "display"]
    contents += [(f"the stream of {one.user_id}", one.content) for one in _presentations(remains.items)]
    for where, content in contents:
        for token in _tokens({"content": content}):
            if token in plain and (where, token) not in displayed:
                displayed.add((where, token))
                if token[1] < newest[where]:
                    yield f"out of order: {token[1]} after {newest[where]} in {where}"
                newest[where] = max(newest[where], token[1])


def _presentations(items: Iterable[anp.Presentation | anp.Settled]) -> list[anp.Presentation]:
    return [one for one in items if isinstance(one, anp.Presentation)]


def _wrong_in_stream(remains: Remains) -> Iterator[str]:
    presented = set[tuple[object, ...]]()
    settled = set[tuple[str, int]]()
    last: dict[str, anp.Presentation | anp.Settled] = {}
    for item in remains.items:
        last[item.id] = item
        if isinstance(item, anp.Settled):
            settled.add((item.id, item.lease))
            continue
        key = (item.id, item.lease, item.revision, item.surface)
        if key in presented:
            yield f"twice in the stream: {key}"
        if (item.id, item.lease) in settled:
            yield f"in the stream after it was settled: {key}"
        presented.add(key)
    for item in last.values():
        if not isinstance(item, anp.Settled):
            yield f"never settled in the stream: {item.id}"


def _not_ended(remains: Remains) -> Iterator[str]:
    for event in remains.events:
        if event.status != "delivered":
            yield f"not ended: {event.id} is {event.status}: {event.content}"
    for lane in remains.lanes:
        if lane.turn is not None or lane.waiting:
            yield f"not ended: {lane}"
    if remains.open_tabs or remains.open_phones:
        yield f"not ended: {remains.open_tabs} events are open in tabs, {remains.open_phones} on phones"
    yield from (f"on a device: {line}" for line in remains.device_faults)


def _tokens(line: Line) -> list[tuple[int, int]]:
    return [(int(person), int(number)) for person, number in TOKEN.findall(line.get("content") or "")]
