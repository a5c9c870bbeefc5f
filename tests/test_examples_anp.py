"""The hosts of `examples/anp`: their stores keep the contract, and thousands of notifications outlive `kill -9`.

PostgreSQL is a real server: that of the machine, or the one which `tests/setup_interop.py` fetches, started here in a
folder of its own and reached by a Unix socket.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mentionable import anp, decode_trusted, dumps
from mentionable.testing import StoreContract
from tests import setup_interop
from tests.needed import missing

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "examples" / "anp"
sys.path.append(str(HERE))  # the examples import one another as programs in one folder do

import psycopg  # noqa: E402
import storm  # noqa: E402
from audit import audit  # noqa: E402
from store_postgres import PostgresStore  # noqa: E402
from store_sqlite import SqliteStore  # noqa: E402

NOTIFICATIONS = int(os.environ.get("STORM_NOTIFICATIONS", "5000"))
FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_wal_size=4GB", "listen_addresses=")


def user_for_server() -> str | None:
    """As whom the server runs: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """A PostgreSQL server; how to connect to its empty database `storm`."""
    programs = setup_interop.postgres()
    if programs is None:
        missing("PostgreSQL")
    user = user_for_server()
    folder = Path(tempfile.mkdtemp(prefix="anp"))
    as_user: dict[str, Any] = {"cwd": folder, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    if user is not None:
        shutil.chown(folder, user, pwd.getpwnam(user).pw_gid)
        as_user |= {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    if user is not None and setup_interop.postgres_of_the_machine() is None:  # others may not look into the checkout
        shutil.copytree(setup_interop.POSTGRES_HOME, folder / "server")
        programs = folder / "server" / programs.relative_to(setup_interop.POSTGRES_HOME)
    data = folder / "data"
    new = [programs / "initdb", "-D", data, "-U", "anp", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    subprocess.run([*map(str, new)], check=True, timeout=120, **as_user)
    options = [word for option in (*FAST, f"unix_socket_directories={folder}") for word in ("-c", option)]
    server = subprocess.Popen(
        [str(programs / "postgres"), "-D", str(data), *options], stderr=subprocess.PIPE, **as_user
    )
    try:
        where = f"host={folder} user=anp dbname="
        wait_for(f"{where}postgres", server)
        with psycopg.connect(f"{where}postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE storm")
        yield where
    finally:
        server.send_signal(signal.SIGQUIT)
        server.communicate(timeout=60)
        shutil.rmtree(folder)


def wait_for(where: str, server: subprocess.Popen[bytes]) -> None:
    """Waits until a server answers."""
    until = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(where).close()
        except psycopg.OperationalError:
            assert server.poll() is None, server.communicate()[1].decode()
            assert time.monotonic() < until
            time.sleep(0.02)
        else:
            return


class SqlContract(StoreContract):
    """What is the same with both."""

    def effects(self, store: Any) -> list[anp.Effect]:
        return [decode_trusted(anp.Effect, text) for (text,) in store.run("SELECT effect FROM outbox ORDER BY place")]

    def close(self, store: Any) -> None:
        store.close()


class TestSqlite(SqlContract):
    """The embedded store."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path):
        self.folder = tmp_path

    def new_store(self) -> SqliteStore:
        store = SqliteStore(self.folder / "ledger.sqlite", synchronous="OFF")
        store.create()
        return store


class TestPostgres(SqlContract):
    """The store on a server."""

    @pytest.fixture(autouse=True)
    def _server(self, postgres):
        self.where = f"{postgres}postgres"

    def new_store(self) -> PostgresStore:
        store = PostgresStore(self.where)
        store.run("DROP TABLE IF EXISTS events, lanes, outbox")
        store.create()
        return store


def run_storm(*words: str) -> dict[str, Any]:
    """The figures of a storm."""
    command = [sys.executable, str(HERE / "storm.py"), "--json", "--notifications", str(NOTIFICATIONS), *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, check=False)
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_thousands_of_notifications_outlive_kills(kind, request, say):
    words = ("--postgres", f"{request.getfixturevalue('postgres')}storm") if kind == "postgres" else ()
    found = run_storm(*words)
    say(
        f"storm {kind}: {found['submitted']} notifications, {found['kills']} × kill -9, {found['seconds']} s:"
        f" {found['events']} events at their end, {found['merged']} submissions merged,"
        f" {sum(found['escalations'].values())} escalated;"
        f" {found['shown']} shown, {found['repeats_unseen']} repeats not shown;"
        f" {found['conflicts']} conflicts, {found['stale_tried']} stale actions tried,"
        f" {found['stale_accepted']} accepted"
    )
    assert found["faults"] == []
    assert found["submitted"] == NOTIFICATIONS
    assert found["events"] > NOTIFICATIONS - found["merged"]  # narrations and notices are events too
    assert found["kills"] >= min(10, 2 * found["seconds"])  # a fast machine is done before there are many
    assert set(found["killed"]) == set(storm.ROLES)
    assert set(found["modes"]) == {"direct", "mediated", "passive", "autonomous"}
    assert min(found[name] for name in ("merged", "queued_alerts", "repeats_unseen", "conflicts", "stale_tried")) > 0
    assert found["shown_at_another_try"] > 0
    assert {"seen", "read", "narrated", "spoke", "vetoed"} <= set(found["outcomes"])
    assert {"deadline", "failed"} <= set(found["escalations"])


# The audit sees what would be wrong


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """A small storm in one process, in which nobody is killed; the folder of what is left."""
    folder = tmp_path_factory.mktemp("calm")
    connect = storm.connector(None, folder / "ledger.sqlite")
    store = connect()
    store.create()
    store.close()
    counts = {worker: storm.Counts() for worker in storm.WORKERS}
    weather = storm.Storm(connect, folder, 400, 20, time.time(), counts)
    workers = [storm.WORK[role](weather, weather.bus(), place) for role, place in storm.WORKERS]
    while any([next(worker) for worker in workers]) or not storm.is_over(weather):  # noqa: C419 - all have their turn
        pass
    for worker in workers:
        worker.close()
    return weather


def audited(weather: Any, folder: Path) -> list[str]:
    """What the audit finds wrong in a folder."""
    store = SqliteStore(folder / "ledger.sqlite")
    devices = [storm.Device(folder / f"device-{place}.sqlite") for place in range(storm.ROLES["client"])]
    given = [storm.submission(i, weather.users, storm.datetime.now(storm.UTC)) for i in range(weather.notifications)]
    found = audit(store, devices, given)[1]
    for one in (store, *devices):
        one.close()
    return found


def test_the_audit_finds_nothing_where_nothing_is_wrong(calm):
    assert audited(calm, calm.folder) == []


LEDGER, DEVICE = "ledger.sqlite", "device-0.sqlite"
SHOWN = "SELECT did, item FROM screen WHERE did = 'show' ORDER BY place LIMIT 1"


@pytest.mark.parametrize(
    ("file", "statement", "fault"),
    [
        (LEDGER, "DELETE FROM events WHERE id = 'n0'", "the ledger is not what its journal says"),
        (LEDGER, "DELETE FROM outbox WHERE kind = 'decided' AND effect LIKE '%\"id\":\"n1\",%'", "n1 was lost"),
        (
            LEDGER,
            "DELETE FROM outbox WHERE place IN"
            " (SELECT MAX(place) FROM outbox WHERE kind = 'decided' AND effect LIKE '%\"id\":\"n2\",%')",
            "n2 is open",
        ),
        (
            LEDGER,
            "INSERT INTO outbox (user_id, shard, kind, effect)"
            " SELECT user_id, shard, 'allow', json_set(effect, '$.action', 'send_mail') FROM outbox"
            " WHERE kind = 'fence_turn' LIMIT 1",
            "send_mail was allowed under the stale lease 1",
        ),
        (
            LEDGER,
            "UPDATE outbox SET effect = json_set(effect, '$.record.owner_lease', 4)"
            " WHERE kind = 'decided' AND effect LIKE '%\"id\":\"n0\",%'",
            "lease is 1 and one more for the escalation",
        ),
        (DEVICE, f"INSERT INTO screen (did, item) {SHOWN}", "was shown twice"),
        (DEVICE, "DELETE FROM screen", "counts as seen; shown was None"),
        (DEVICE, "DELETE FROM screen WHERE did = 'settle'", "still asks for attention"),
        (DEVICE, "UPDATE screen SET place = -place", "not ["),
    ],
)
def test_the_audit_finds_what_is_wrong(calm, tmp_path, file, statement, fault):
    for path in calm.folder.glob("*.sqlite"):
        with sqlite3.connect(path) as source, sqlite3.connect(tmp_path / path.name) as copy:
            source.backup(copy)
        source.close()
        copy.close()
    spoilt = sqlite3.connect(tmp_path / file)
    assert spoilt.execute(statement).rowcount > 0
    if "json_set(effect, '$.record" in statement:
        spoilt.execute(
            "UPDATE events SET record = (SELECT json_extract(effect, '$.record') FROM outbox WHERE kind = 'decided'"
            " AND effect LIKE '%\"id\":\"n0\",%' ORDER BY place DESC LIMIT 1) WHERE id = 'n0'"
        )
    spoilt.commit()
    spoilt.close()
    assert fault in " | ".join(audited(calm, tmp_path))


# Details of the driver


@pytest.fixture
def store(tmp_path):
    store = SqliteStore(tmp_path / "ledger.sqlite", synchronous="OFF")
    store.create()
    yield store
    store.close()


DIRECT = anp.Routing(address="user", target="user", handler="system")
MEDIATED = anp.Routing(address="user", target="user", handler="agent")
IN_CHAT = anp.Routing(address="session", target="user", handler="system")


def given(
    id: str, user_id: str = "olivia", routing: anp.Routing = DIRECT, **members: Any
) -> tuple[str, anp.Submission]:
    return id, anp.Submission(content=id, user_id=user_id, routing=routing, **members)


def occupy(store: Any, lane: str = "user:olivia", **members: Any) -> None:
    """A turn has the lane."""
    turn = anp.RunningTurn(**{"id": "t", "deadline": "2999-01-01T00:00:00Z", **members})
    assert store.commit(anp.LaneStep(lane=anp.Lane(id=lane, version=1, turn=turn), expected=0))


def left(store: Any, work: Any = "bus") -> list[str]:
    """The events of what is left to be carried out."""
    return [effect.id for _, effect in store.todo(work, shards=range(64), limit=999)]


class Says:
    """An agent that tells of everything."""

    def tools(self, turn: anp.Turn) -> list[str]:
        return []

    def run(self, turn: anp.Turn, allowed: Any) -> str:
        return json.dumps({"output": "Look!", "acknowledged_ids": [one.id for one in turn.grants]})


def test_a_full_lane_keeps_its_dispatches(store, monkeypatch):
    monkeypatch.setattr("mentionable.anp._lane.MAX_WAITING", 1)
    bus = storm.Bus(store, rules=anp.Rules())
    occupy(store)
    bus.submit([given("e1"), given("e2")])
    sent: list[Any] = []
    assert bus.carry_out(sent.extend) == 1
    assert store.lane("user:olivia").waiting == ("e1",)
    assert left(store) == ["e2"]
    assert bus.carry_out(sent.extend) == 0
    assert store.commit(anp.LaneStep(lane=anp.Lane(id="user:olivia", version=3), expected=2))
    assert [bus.carry_out(sent.extend) for _ in range(3)] == [1, 1, 0]
    assert [one.id for one in sent] == ["e2"]


def test_nobody_waits_behind_the_full_lane_of_another(store, monkeypatch):
    monkeypatch.setattr("mentionable.anp._lane.MAX_WAITING", 1)
    bus = storm.Bus(store, rules=anp.Rules())
    occupy(store)
    bus.submit([given(f"e{place}") for place in range(9)])
    bus.submit([given("x", "omar")])
    sent: list[Any] = []
    while bus.carry_out(sent.extend, limit=2):
        pass
    assert [one.id for one in sent] == ["x"]
    assert left(store) == [f"e{place}" for place in range(1, 9)]


def test_nobody_waits_behind_the_busy_lane_of_another(store):
    bus = storm.Bus(store, rules=anp.Rules())
    occupy(store)
    bus.submit([given(f"e{place}", routing=MEDIATED) for place in range(20)])
    bus.submit([given("x", "omar", MEDIATED), given("y", "sam", MEDIATED)])
    bus.carry_out(lambda _: None)
    assert storm.Turns(bus, Says(), storm.ACTIONS).take(limit=1).begun == 1
    assert storm.Turns(bus, Says(), storm.ACTIONS).take(limit=1).begun == 1
    assert [store.get(id).outcome for id in ("x", "y", "e0")] == ["narrated", "narrated", None]
    assert storm.Turns(bus, Says(), storm.ACTIONS).take(limit=1).begun == 0


def test_of_an_event_that_was_deleted_nothing_is_left_to_do(store):
    bus = storm.Bus(store, rules=anp.Rules())
    bus.submit([given("e1", routing=MEDIATED), given("e2")])
    bus.carry_out(lambda _: None)
    occupy(store, trigger="e1", lease=1, revision=1, deadline="2026-01-01T00:00:00Z")
    store.run("DELETE FROM events WHERE id = 'e1'")
    bus.watch()
    assert (store.lane("user:olivia").turn, store.lane("user:olivia").version) == (None, 2)
    assert left(store, "agent") == ["e1"]
    assert storm.Turns(bus, Says(), storm.ACTIONS).take().begun == 0
    assert left(store, "agent") == []


@pytest.mark.parametrize("lanes", ["user", "session"])
def test_out_of_a_session_that_is_gone_an_event_goes_to_the_user(store, lanes):
    bus = storm.Bus(store, rules=anp.Rules(lanes=lanes), session_exists=lambda _: False)
    told = anp.Routing(address="session", target="user", handler="agent")
    bus.submit([given("e1", routing=IN_CHAT, session_id="s1"), given("e2", routing=told, session_id="s1")])
    sent: list[anp.Presentation] = []
    bus.carry_out(sent.extend)
    assert storm.Turns(bus, Says(), storm.ACTIONS).take().begun == 1
    bus.carry_out(sent.extend)
    assert [(one.content, one.surface) for one in sent] == [("e1", "inbox"), ("Look!", "inbox")]


def test_what_one_device_cannot_show_another_may(store, tmp_path):
    bus = storm.Bus(store, rules=anp.Rules(attempts=2))
    old, new = storm.Device(tmp_path / "old", lambda _: False), storm.Device(tmp_path / "new")
    bus.submit([given("e1", routing=MEDIATED)])
    bus.carry_out(lambda _: None)
    occupy(store, trigger="e1", lease=1, revision=1, deadline="2026-01-01T00:00:00Z")
    bus.watch()
    for device, effects, outcome in ((old, 2, None), (new, 1, "seen")):  # first also: the agent has it no more
        assert bus.carry_out(device.arrive) == effects
        ((user_id, message),) = device.look()
        assert (anp.client_message(message).lease, user_id) == (2, "olivia")
        bus.hear([(user_id, message)])
        assert store.get("e1").outcome == outcome
        device.close()
    assert store.get("e1").failures == 1


def test_what_one_device_has_shown_the_others_take_off(store, tmp_path):
    bus = storm.Bus(store, rules=anp.Rules())
    phone, laptop = storm.Device(tmp_path / "phone"), storm.Device(tmp_path / "laptop")

    def to_both(items: Any) -> None:
        phone.arrive(items)
        laptop.arrive(items)

    bus.submit([given("e1")])
    while bus.carry_out(to_both):
        pass
    said = laptop.look()
    bus.hear(phone.look())
    assert bus.carry_out(to_both) == 1
    bus.hear(said)  # too late: the event is settled
    assert phone.look() == laptop.look() == []
    assert [[did for did, _ in one.screen()] for one in (phone, laptop)] == [["show", "settle"]] * 2
    assert (store.get("e1").outcome, left(store)) == ("seen", [])
    phone.close()
    laptop.close()


def test_a_device_does_not_show_what_was_settled_before_it_came(store, tmp_path):
    bus = storm.Bus(store, rules=anp.Rules())
    quick, slow = storm.Device(tmp_path / "quick"), storm.Device(tmp_path / "slow")
    sent: list[Any] = []
    bus.submit([given("e1")])
    while bus.carry_out(sent.extend):
        pass
    quick.arrive(sent)
    bus.hear(quick.look())
    assert bus.carry_out(sent.extend) == 1
    slow.arrive(sent[::-1])
    assert slow.look() == []
    assert [did for did, _ in slow.screen()] == ["settle", "stale"]
    quick.close()
    slow.close()


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"[]", b"null", b'{"kind": "displayed"}', b"[" * 100_000, b" " * 100_000]
)
def test_what_is_no_message_of_a_client_is_passed_over(store, data):
    bus = storm.Bus(store, rules=anp.Rules())
    bus.submit([given("e1")])
    bus.carry_out(lambda _: None)
    shown = dumps(anp.Displayed(id="e1", lease=1, revision=1))
    bus.hear([("olivia", data), ("olivia", shown)])
    assert store.get("e1").outcome == "seen"


def test_a_client_acknowledges_no_event_of_another_user(store):
    bus = storm.Bus(store, rules=anp.Rules())
    bus.submit([given("e1")])
    bus.carry_out(lambda _: None)
    shown = dumps(anp.Displayed(id="e1", lease=1, revision=1))
    bus.hear([("omar", shown)])
    assert store.get("e1").outcome is None
    bus.hear([("olivia", shown), ("omar", shown)])
    assert store.get("e1").outcome == "seen"


def test_nobody_can_guess_under_which_id_the_agent_speaks(store):
    bus = storm.Bus(store, rules=anp.Rules())
    for id in ("e1", "e2"):
        bus.submit([given(id, routing=MEDIATED)])
        bus.carry_out(lambda _: None)
        assert storm.Turns(bus, Says(), storm.ACTIONS).take().begun == 1
    ids = [event.id for event in store.open("olivia")]
    assert [len(id) for id in ids] == [36, 36]
    assert ids[0][:8] != ids[1][:8]


def test_the_id_of_another_users_event_is_taken(store):
    bus = storm.Bus(store, rules=anp.Rules())
    bus.submit([given("e1"), given("e1", "omar"), given("e2", "omar")])
    assert (store.get("e1").user_id, [one.id for one in store.open("omar")]) == ("olivia", ["e2"])


def test_a_client_that_is_back_is_shown_what_is_open_and_nothing_is_dispatched_twice(store):
    bus = storm.Bus(store, rules=anp.Rules())
    bus.submit([given("e1")])
    bus.reconnect("olivia")
    assert left(store) == ["e1"]
    sent: list[Any] = []
    bus.carry_out(sent.extend)
    bus.reconnect("olivia", "omar")
    while bus.carry_out(sent.extend):
        pass
    assert [one.id for one in sent] == ["e1", "e1"]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_texts_that_databases_do_not_like(kind, request, tmp_path):
    if kind == "sqlite":
        store: Any = SqliteStore(tmp_path / "ledger.sqlite", synchronous="OFF")
    else:
        store = PostgresStore(f"{request.getfixturevalue('postgres')}postgres")
        store.run("DROP TABLE IF EXISTS events, lanes, outbox")
    store.create()
    flags = anp.Routing(address="user", target="user", handler="system")
    odd = "a\0b\\0c'%s?"
    event = anp.Submission(content=odd, user_id=odd, deduplication_key=odd, routing=flags)
    storm.Bus(store, rules=anp.Rules()).submit([(odd, event), (f"{odd}!", event)])
    assert [one.revision for one in store.open(odd)] == [2]
    assert store.get(odd).content == odd
    assert store.users() == [odd]
    assert store.open(odd, deduplication_key=odd) == store.open(odd)
    assert store.open(odd.replace("\0", "\\0")) == []
    store.close()


def test_what_the_storm_prints_for_people(capsys):
    storm.show({"seconds": 1.5}, as_json=False)
    assert capsys.readouterr().out.split() == ["seconds", "1.5"]
    assert dumps(storm.submission(0, 1, storm.datetime.now(storm.UTC))[1])
