"""The proof: many notifications over all eight routes, while processes of the host are killed again and again.

    python storm.py                                        # SQLite, in a temporary folder
    python storm.py --postgres "host=/tmp dbname=anp"      # an empty database of its own; needs psycopg
    python storm.py --notifications 10000 --seed 7 --json

Plugins, outbox workers, agents, a watchdog and clients run as processes of their own. `kill -9` hits one of them at a
time, wherever it is, and another is put in its place, until nothing is open any more. `audit.py` then reads what is
left: the ledger, its journal, and what clients have shown.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from zlib import crc32

from audit import audit
from bus import Bus
from device import Device
from sql_store import SHARDS, SqlStore
from turns import Turns

from mentionable import Rejected, anp, format_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.process import BaseProcess

ROUTES = tuple(anp.ROUTE_TABLE)
RULES = anp.Rules(
    ttl=timedelta(seconds=30),
    turn_ttl=timedelta(seconds=0.7),
    cap=timedelta(seconds=90),
    system_ttl=timedelta(hours=1),
    attempts=3,
)
ROLES = {"plugin": 2, "outbox": 2, "agent": 2, "watchdog": 1, "client": 2}
Worker: TypeAlias = tuple[str, int]
WORKERS: list[Worker] = [(role, place) for role, count in ROLES.items() for place in range(count)]
BATCH = 100
ACTIONS = anp.Actions()
ACTIONS.declare("remember", "internal")
COUNTS = ("rounds", "submitted", "conflicts", "turns", "hung", "stale_tried", "stale_accepted")


def number(text: str, below: int) -> int:
    """A number that is as good as drawn, and always the same for the same text."""
    return crc32(text.encode()) % below


def submission(i: int, users: int, now: datetime) -> tuple[str, anp.Submission]:
    """The i-th notification, with its id."""
    address, target, handler = ROUTES[i % len(ROUTES)]
    user_id = f"user-{i // len(ROUTES) % users}"
    group = i // len(ROUTES)
    is_keyed = group % 3 == 0 and i % len(ROUTES) in (group % 5, group % 5 + 3)  # two of a user, from two plugins
    is_urgent = handler == "agent" and number(f"urgent {i}", 20) == 0
    return f"n{i}", anp.Submission(
        content=f"notification n{i}",
        user_id=user_id,
        session_id=f"{user_id}/{i % 3}",
        routing=anp.Routing(address=address, target=target, handler=handler),
        deduplication_key="progress" if is_keyed else None,
        delivery_deadline=format_time(now + timedelta(seconds=0.3)) if is_urgent else None,
    )


def can_show(shown: anp.Presentation) -> bool:
    """Whether a client can show something. Of what was escalated, some it cannot, or only when it comes again."""
    return shown.lease == 1 or number(f"broken {shown.id}", 10) > 0 or random.random() < 0.3


class Speaker:
    """The stand-in for an agent: mostly it tells and acknowledges; sometimes it fails, hangs, forgets."""

    def tools(self, turn: anp.Turn) -> Sequence[str]:
        """The tools that it wants to call."""
        return [["send_mail"], ["remember"], [], [], [], []][number(f"tool {turn.id}", 6)]

    def run(self, turn: anp.Turn, allowed: Sequence[str]) -> str | None:
        """What it gives back."""
        mood, is_asked = number(turn.id, 100), turn.what != "conversation"
        if is_asked and mood < 3:
            raise RuntimeError("the model is out of order")
        if is_asked and mood < 7:
            return None
        if is_asked and mood < 11:
            return '{"output": null, "acknowledged_ids": []}'
        return self.told(
            turn, must_speak="[Tell the user now" in turn.prompt or "send_mail" in allowed or mood % 2 == 0
        )

    def told(self, turn: anp.Turn, *, must_speak: bool) -> str:
        """What it says and acknowledges, when all is well."""
        ids = [one.id for one in turn.grants if one.id == turn.trigger or number(f"forgotten {one.id}{turn.id}", 10)]
        output = f"I tell you of: {' '.join(ids)}" if must_speak and ids else None
        return json.dumps({"output": output, "acknowledged_ids": ids})


class Storm(NamedTuple):
    """What all processes of one storm know.

    Attributes:
        connect: Makes a store.
        folder: Where the clients keep what they have shown.
        notifications: How many there are.
        users: How many users.
        started: When it started.
        counts: What each worker has counted, in memory that all share and that outlives a kill.
    """

    connect: Callable[[], SqlStore]
    folder: Path
    notifications: int
    users: int
    started: float
    counts: dict[Worker, Counts]

    def session_exists(self, session: str) -> bool:
        """Whether a session is still there. Some end while the storm goes on."""
        return number(session, 7) > 0 or time.time() < self.started + 2

    def bus(self) -> Bus:
        """The bus of a worker."""
        return Bus(self.connect(), rules=RULES, session_exists=self.session_exists)

    def device(self, place: int) -> Device:
        """The client of the users of some shards."""
        return Device(self.folder / f"device-{place}.sqlite", can_show)

    def is_submitted(self) -> bool:
        """Whether all notifications were."""
        return sum(self.counts["plugin", place]["submitted"] for place in range(ROLES["plugin"])) == self.notifications


class Counts:
    """Numbers in memory that processes share. Only one worker writes them; one that takes its place goes on."""

    def __init__(self) -> None:
        self._numbers = multiprocessing.get_context("fork").RawArray("q", len(COUNTS))

    def __getitem__(self, name: str) -> int:
        return int(self._numbers[COUNTS.index(name)])

    def __setitem__(self, name: str, number: int) -> None:
        self._numbers[COUNTS.index(name)] = number


def shards(place: int, of: int) -> range:
    """The shards of a worker."""
    return range(place * SHARDS // of, (place + 1) * SHARDS // of)


def plugin(storm: Storm, bus: Bus, place: int) -> Iterator[bool]:
    """Submits its part of the notifications; goes on where the last one that is known to be stored was."""
    counts = storm.counts["plugin", place]
    mine = range(place, storm.notifications, ROLES["plugin"])
    while counts["submitted"] < len(mine):
        batch = mine[counts["submitted"] : counts["submitted"] + BATCH]
        bus.submit([submission(i, storm.users, datetime.now(UTC)) for i in batch])
        counts["submitted"] += len(batch)
        yield True
    while True:
        yield False


def outbox(storm: Storm, bus: Bus, place: int) -> Iterator[bool]:
    """Empties the outbox of its users."""
    device = storm.device(place)
    while True:
        yield bus.carry_out(device.arrive, shards=shards(place, ROLES["outbox"])) > 0


def watchdog(_: Storm, bus: Bus, __: int) -> Iterator[bool]:
    """Looks at deadlines."""
    while True:
        wake = bus.watch()
        yield wake is not None and wake <= datetime.now(UTC)


def agent(storm: Storm, bus: Bus, place: int) -> Iterator[bool]:
    """Runs turns; and those that hung come back when they have lost their lanes, and want to act."""
    counts = storm.counts["agent", place]
    speaker = Speaker()
    turns = Turns(bus, speaker, ACTIONS)
    late: list[tuple[anp.Turn, anp.LaneStep]] = []
    while True:
        ended = turns.take()
        counts["turns"] += ended.begun
        counts["hung"] += len(ended.hung)
        for turn in ended.hung:
            step = turns.ended(turn, speaker.told(turn, must_speak=True))
            if not isinstance(step, Rejected):
                late.append((turn, step))  # decided while it had the lane; to be stored when it has not
        late = [one for one in late if not is_refused(bus, turns, *one, counts)]
        if not ended.begun and storm.is_submitted():
            users = bus.store.users()
            for user in random.sample(users, min(len(users), 20)):
                opened = bus.store.open(user)
                for session in {one.session_id if one.routing.address == "session" else None for one in opened}:
                    counts["turns"] += turns.converse(user, session).begun
        yield ended.begun > 0


def is_refused(bus: Bus, turns: Turns, turn: anp.Turn, step: anp.LaneStep, counts: Any) -> bool:
    """Whether a turn has lost its lane; then everything that it still tries is refused, or counted as accepted."""
    lane = bus.store.lane(turn.lane_id)
    if lane.turn is not None and lane.turn.id == turn.id:
        return False
    accepted = [
        bus.store.commit(step),
        turns.ask(turn, "send_mail"),
        not isinstance(turns.ended(turn, "Too late!"), Rejected),
    ]
    for event in bus.store.some(one.id for one in turn.grants).values():
        for one in turn.grants:
            if one.id == event.id and one.lease != event.owner_lease:
                for command in (
                    anp.Action(name="send_mail", lease=one.lease),
                    anp.CommitTurn(
                        lease=one.lease, acknowledged=True, is_trigger=True, output="!", narration_id="late"
                    ),
                    anp.Claim(lease=one.lease, holder="late"),
                ):
                    found = anp.decide(event, command, now=datetime.now(UTC), rules=RULES)
                    accepted.append(not isinstance(found, Rejected))
    counts["stale_tried"] += len(accepted)
    counts["stale_accepted"] += sum(accepted)
    return True


def client(storm: Storm, bus: Bus, place: int) -> Iterator[bool]:
    """Shows its users what arrives, and acknowledges. One that starts asks for what is open."""
    device = storm.device(place)
    mine = shards(place, ROLES["client"])
    users = [user for user in bus.store.users() if number(user, SHARDS) in mine]
    random.shuffle(users)
    while True:
        bus.reconnect(*users[:5])
        users = users[5:]
        send = device.look()
        bus.hear(send)
        yield bool(send or users)


WORK = {"plugin": plugin, "outbox": outbox, "watchdog": watchdog, "agent": agent, "client": client}


def work(storm: Storm, role: str, place: int) -> None:
    """A process of the host, until it is killed."""
    bus = storm.bus()
    counts = storm.counts[role, place]
    before = counts["conflicts"]
    for did_something in WORK[role](storm, bus, place):
        counts["conflicts"] = before + bus.conflicts
        counts["rounds"] += 1
        if not did_something:
            time.sleep(0.02)


def is_over(storm: Storm) -> bool:
    """Whether every notification was submitted, no event is open, and nobody has anything left to do."""
    if not storm.is_submitted():
        return False
    store = storm.connect()
    try:
        left = store.todo("bus", shards=range(SHARDS), limit=1) or store.todo("agent", shards=range(SHARDS), limit=1)
        is_left = bool(left or store.users())
    finally:
        store.close()
    devices = [storm.device(place) for place in range(ROLES["client"])]
    waiting = [device for device in devices if device.waits()]
    for device in devices:
        device.close()
    return not is_left and not waiting


def blow(storm: Storm, *, seed: int, pause: float = 0.2, seconds: float = 120) -> tuple[Counter[str], list[str]]:
    """Runs all processes and kills them, until it is over; the kills by role, and what ended by itself.

    On a machine that has other things to do a process may live for longer: most are killed after some rounds of their
    work, wherever they are then; some at once. The longer it takes, the rarer kills become.
    """
    fork, chance = multiprocessing.get_context("fork"), random.Random(seed)
    running: dict[Worker, BaseProcess] = {}
    spared: dict[Worker, int] = {}
    kills: Counter[str] = Counter()
    broken: list[str] = []
    hits_at = storm.started + pause
    try:
        while not is_over(storm) and not broken:
            for worker in WORKERS:
                if worker not in running:
                    spared[worker] = storm.counts[worker]["rounds"] + chance.choice([0, 4, 8, 12])
                    running[worker] = fork.Process(target=work, args=(storm, *worker), daemon=True)
                    running[worker].start()
            time.sleep(0.1)
            broken = [f"{role} {place}" for (role, place), one in running.items() if not one.is_alive()]
            if time.time() > storm.started + seconds:
                broken.append("the storm")
            hit = [worker for worker in WORKERS if storm.counts[worker]["rounds"] >= spared[worker]]
            if hit and time.time() >= hits_at:
                hits_at = time.time() + chance.uniform(0.5, 1.5) * pause * max(1, sum(kills.values()) / 16)
                victim = min(chance.sample(hit, len(hit)), key=lambda worker: kills[worker[0]])
                running[victim].kill()
                running.pop(victim).join()
                kills[victim[0]] += 1
    finally:
        for process in running.values():
            process.kill()
            process.join()
    return kills, broken


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 when the audit finds nothing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--postgres", metavar="WHERE", help="a database instead of an SQLite file")
    parser.add_argument("--notifications", type=int, default=10_000)
    parser.add_argument("--users", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        connect = connector(given.postgres, Path(folder) / "ledger.sqlite")
        store = connect()
        store.create()
        store.close()
        counts = {worker: Counts() for worker in WORKERS}
        storm = Storm(connect, Path(folder), given.notifications, given.users, time.time(), counts)
        kills, broken = blow(storm, seed=given.seed)
        seconds = time.time() - storm.started
        ids = [submission(i, given.users, datetime.now(UTC)) for i in range(given.notifications)]
        devices = [storm.device(place) for place in range(ROLES["client"])]
        store = connect()
        figures, faults = audit(store, devices, ids)
        store.close()
        for device in devices:
            device.close()
    totals = {name: sum(one[name] for one in counts.values()) for name in COUNTS}
    faults += [f"{worker} did not end as it should" for worker in broken]
    if totals["stale_accepted"]:
        faults.append(f"{totals['stale_accepted']} stale actions of agents were accepted")
    figures = {"seconds": round(seconds, 1), "kills": sum(kills.values()), **figures, **totals, "killed": dict(kills)}
    show({**figures, "audited": round(time.time() - storm.started - seconds, 1), "faults": faults}, as_json=given.json)
    return 1 if faults else 0


def connector(postgres: str | None, path: Path) -> Callable[[], SqlStore]:
    """What makes a store for each process."""
    if postgres is not None:
        from store_postgres import PostgresStore

        return lambda: PostgresStore(postgres, journal=True)
    from store_sqlite import SqliteStore

    return lambda: SqliteStore(path, synchronous="OFF", journal=True)


def show(figures: dict[str, Any], *, as_json: bool) -> None:
    """Prints what was found."""
    if as_json:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        print(f"{name:>24}  {figure}")


if __name__ == "__main__":
    sys.exit(main())
