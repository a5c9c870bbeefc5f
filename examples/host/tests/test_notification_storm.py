"""A short storm of notifications on each database, and what its audit finds; `.ci/nightly storm` has the long ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve
from mentionable import anp

HOST = Path(__file__).parents[1]
sys.path.append(str(HOST))  # behind what else is there: `storm` is no package that is installed

from storm.notifications.audit import Remains, faults, figures, read_journal, too_little  # noqa: E402

FLAGS = anp.Routing(address="user", target="user", handler="system")
TIME = "2026-11-27T12:00:00Z"


def event(id="e1", **members):
    facts = {"content": "[0#0] Disk full.", "user_id": "@p@a.example", "routing": FLAGS, "requested": FLAGS}
    times = {"created_at": TIME, "changed_at": TIME}
    return anp.Notification(**{"id": id, **facts, **times, "status": "delivered", "outcome": "seen", **members})


def did(what, *, number=0, tab=1, id=None, revision=1, lease=1, device="browser", at=0):
    own = {"at": at, "person": "@p@a.example", "device": device, "did": what, "id": id or f"e{number}"}
    where = {"tab": tab} if device == "browser" else {}
    return {**own, **where, "revision": revision, "lease": lease, "content": f"[0#{number}] x", "how": "seen"}


def taken(number, by="system", key=None):
    return {"person": 0, "number": number, "by": by, "key": key}


def presentation(number, *, revision=1, lease=1):
    words = {"content": f"[0#{number}] x", "user_id": "@p@a.example", "surface": "inbox"}
    return anp.Presentation(id=f"e{number}", revision=revision, lease=lease, replaces=revision > 1, **words)


def settled(number, *, revision=1, lease=1):
    words = {"how": "seen", "user_id": "@p@a.example", "surface": "inbox"}
    return anp.Settled(id=f"e{number}", revision=revision, lease=lease, **words)


GOOD = Remains(
    submitted=[taken(0), taken(1), taken(2, key="disk"), taken(3, key="disk"), taken(4, by="agent")],
    devices=[
        *(did("display"), did("hear"), did("display", number=1), did("hear", number=1)),
        *(did("settle"), did("display", revision=2), did("settle", revision=2)),
        *(did("display", tab=2), did("display", number=1, tab=2), did("hear", device="phone"), did("settle", number=1)),
        *(did("settle", tab=2), did("settle", number=1, tab=2)),
        *(did("display", number=3), did("settle", number=3), did("end"), did("display", number=3, tab=2)),
        *(did("settle", number=3, tab=2), did("hear", number=4, device="phone"), did("click", device="phone")),
    ],
    device_faults=[],
    items=[
        *(presentation(0), presentation(0, revision=2), presentation(1), settled(1), settled(0, revision=2)),
        *(presentation(3), settled(3), presentation(3, lease=2), settled(3, lease=2)),
    ],
    events=[event("e0", revision=2), event("e1")],
    lanes=[anp.Lane(id="user:p", version=3)],
    open_tabs=0,
    open_phones=0,
)
LATE = 10_000


def test_a_good_storm_has_no_faults():
    assert faults(GOOD) == []
    assert figures(GOOD)["submitted"] == 5


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        ({"devices": [one for one in GOOD.devices if "#1]" not in one["content"]]}, "lost: event 1"),
        ({"submitted": [*GOOD.submitted, taken(5, key="disk")]}, "lost: event 5"),
        ({"events": [event("e0", revision=3)]}, "lost: the newest words of e0"),
        (
            {"devices": [*GOOD.devices, *[did("hear", number=9)] * 2]},
            "heard 2 times: ('@p@a.example', 'browser', 'e9', 1, 1)",
        ),
        ({"devices": [*GOOD.devices, did("hear", number=4, device="phone")]}, "heard 2 times"),
        ({"devices": [*GOOD.devices, did("display", number=1, at=1)]}, "came back"),
        ({"devices": [*GOOD.devices, did("display", number=1, tab=3, at=LATE)]}, "came back"),
        ({"devices": [*GOOD.devices, did("show", device="phone")]}, "came back"),
        (
            {
                "devices": [
                    *GOOD.devices,
                    did("settle", number=5, device="phone"),
                    did("hear", number=5, device="phone"),
                ]
            },
            "came back",
        ),
        (
            {
                "devices": [
                    *GOOD.devices,
                    did("display", number=6, tab=4),
                    did("display", number=6, tab=5),
                    did("settle", number=6, tab=4),
                ]
            },
            "stays in tab 5",
        ),
        (
            {
                "devices": [
                    did("display", number=1, tab=9),
                    did("display", tab=9),
                    *(did("settle", number=one, tab=9) for one in (0, 1)),
                    *GOOD.devices,
                ]
            },
            "out of order: 0 after 1 in tab 9",
        ),
        ({"items": [GOOD.items[2], *GOOD.items[:2], *GOOD.items[3:]]}, "out of order: 0 after 1 in the stream"),
        ({"items": [GOOD.items[0], *GOOD.items]}, "twice in the stream"),
        ({"items": [settled(1), *GOOD.items]}, "in the stream after it was settled"),
        ({"items": GOOD.items[:-1]}, "never settled in the stream: e3"),
        ({"events": [event("e1", status="dispatched", outcome=None)]}, "not ended: e1 is dispatched"),
        ({"events": [event("e1", status="failed", outcome=None)]}, "not ended: e1 is failed"),
        ({"lanes": [anp.Lane(id="user:p", waiting=("e1",))]}, "not ended: Lane"),
        ({"open_tabs": 2}, "2 events are open in tabs"),
        ({"open_phones": 1}, "1 on phones"),
        ({"device_faults": ["a push cannot be read"]}, "on a device: a push"),
    ],
    ids=range(21),
)
def test_each_fault_is_found(spoilt, words):
    found = faults(evolve(GOOD, **spoilt))
    assert found
    assert all(words in fault for fault in found)


def test_a_storm_in_which_little_happened_shows_nothing():
    told = [event("e4", content="Told: [0#4] x")]
    assert too_little(evolve(GOOD, events=told), reloads=1) == []
    assert [one.split(" ", 3)[3] for one in too_little(evolve(GOOD, devices=[]), reloads=0)] == [
        "reloads, not 1",
        "sounds of phones, not 1",
        "events told by the agent, not 1",
    ]


def test_a_line_that_was_cut_off_is_left_out(tmp_path):
    journal = tmp_path / "devices.jsonl"
    journal.write_text('{"did": "hear"}\n{"did": "disp')
    assert read_journal(journal) == [{"did": "hear"}]
    assert read_journal(tmp_path / "none") == []


def run(*words):
    place = os.pathsep.join([str(HOST), str(HOST.parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "storm.notifications", "--events", "200", "--users", "10", *words]
    env = {**os.environ, "PYTHONPATH": place}
    return subprocess.run(command, cwd=HOST, env=env, capture_output=True, text=True, timeout=400, check=False)


@pytest.mark.storm
@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_nothing_is_lost_or_heard_twice(store, request):
    words = ["--postgres", request.getfixturevalue("postgres").new_database()] if store == "postgresql" else []
    storm = run(*words)

    assert storm.returncode == 0, storm.stdout + storm.stderr
    assert "no faults" in storm.stdout
