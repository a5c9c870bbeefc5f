"""Reads what a storm of notifications has left: the journals, and the store. Each fault is a line.

What must hold:

- nothing is lost: each event that was taken was displayed on a device of its person, or its words were replaced;
- nothing is heard twice: each device makes a sound once for an event, a revision and a lease;
- nothing comes back: what a tab has taken away, it displays again only in newer words or under a higher lease;
- order: a tab displays the events of the system in the order in which they were submitted;
- the end: nothing is open on any device or in the store, and no event failed.
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

__all__ = ["Remains", "faults", "figures", "read_journal"]

Line = Mapping[str, Any]

TOKEN: Final = re.compile(r"\[(\d+)#(\d+)\]")
"""Which event of which person: a part of its words."""


@frozen(kw_only=True)
class Remains:
    """What is left of a storm.

    Attributes:
        submitted: A line for each event that the host has taken: its person, number, who presents it, and its key.
        devices: A line for each thing that happened on a device, in order.
        events: The events as they are stored.
        lanes: The lanes.
        open_tabs: How many events tabs display as open.
        open_phones: How many notifications phones show.
    """

    submitted: Sequence[Line]
    devices: Sequence[Line]
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
        *_out_of_order(remains),
        *_not_ended(remains),
    ]


def figures(remains: Remains) -> dict[str, int]:
    """How much happened."""
    did = Counter(f"{line['device']} {line['did']}" for line in remains.devices)
    outcomes = Counter(f"event {event.outcome or event.status}" for event in remains.events)
    escalated = sum(event.escalation is not None for event in remains.events)
    return {"submitted": len(remains.submitted), **did, **outcomes, "event escalated": escalated}


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


def _heard_twice(devices: Iterable[Line]) -> Iterator[str]:
    heard = Counter(
        (line["person"], line["device"], line["id"], line["revision"], line["lease"])
        for line in devices
        if line["did"] == "hear"
    )
    yield from (f"heard {count} times: {key}" for key, count in heard.items() if count > 1)


def _come_back(devices: Iterable[Line]) -> Iterator[str]:
    gone: dict[tuple[int, str], tuple[int, int]] = {}
    for line in devices:
        if line["did"] in ("settle", "display") and "tab" in line:
            here, now = (line["tab"], line["id"]), (line["lease"], line["revision"])
            if line["did"] == "settle":
                gone[here] = max(now, gone.get(here, now))
            elif now <= gone.get(here, (0, 0)):
                yield f"came back: {line}"


def _out_of_order(remains: Remains) -> Iterator[str]:
    plain = {
        (line["person"], line["number"]) for line in remains.submitted if line["by"] == "system" and line["key"] is None
    }
    newest: dict[int, int] = defaultdict(int)
    displayed = set[tuple[int, tuple[int, int]]]()
    for line in remains.devices:
        for token in _tokens(line) if line["did"] == "display" else ():
            if token in plain and (line["tab"], token) not in displayed:
                displayed.add((line["tab"], token))
                if token[1] < newest[line["tab"]]:
                    yield f"out of order: {token[1]} after {newest[line['tab']]} in tab {line['tab']}"
                newest[line["tab"]] = max(newest[line["tab"]], token[1])


def _not_ended(remains: Remains) -> Iterator[str]:
    for event in remains.events:
        if event.status != "delivered":
            yield f"not ended: {event.id} is {event.status}: {event.content}"
    for lane in remains.lanes:
        if lane.turn is not None or lane.waiting:
            yield f"not ended: {lane}"
    if remains.open_tabs or remains.open_phones:
        yield f"not ended: {remains.open_tabs} events are open in tabs, {remains.open_phones} on phones"


def _tokens(line: Line) -> list[tuple[int, int]]:
    return [(int(person), int(number)) for person, number in TOKEN.findall(line.get("content") or "")]
