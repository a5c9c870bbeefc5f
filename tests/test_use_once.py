"""Laws of `UseOnce`: of all who use a key one is the first, in a table and in a database that many workers share."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Settings, UseOnce, Verdict, drive
from mentionable._crypto.verification import check_replay, replay_ask
from mentionable.testing import LookupTable
from tests.used import remembering

NOW = datetime(2026, 11, 21, tzinfo=UTC)
HELPER, CLERK = "@helper@agents.example", "@clerk@agents.example"
WORKERS = 8


def asks(keys="ab", bindings="xyz"):
    made = st.builds(UseOnce, key=st.sampled_from(keys), binding=st.sampled_from(bindings), until=st.just(NOW))
    return st.lists(made, max_size=20)


@given(asks())
def test_in_any_order_a_key_has_one_first_and_the_rest_by_its_binding(uses):
    table, first = LookupTable({}), {}
    assert [table(one) for one in uses] == [remembering(first)(one) for one in uses]
    seen = {}
    for one, answer in zip(uses, map(LookupTable({}), uses), strict=True):
        bound = seen.setdefault(one.key, (one.binding, []))
        bound[1].append(answer)
        assert answer in ("first", "same" if one.binding == bound[0] else "other")
    assert all(answers.count("first") == 1 == answers.index("first") + 1 for _, answers in seen.values())


def test_of_workers_that_share_a_database_one_is_the_first(tmp_path):
    path, start = tmp_path / "used.db", Barrier(WORKERS)
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE used (key TEXT PRIMARY KEY, binding TEXT NOT NULL, until TEXT NOT NULL)")

    def use_once(db, ask):
        row = (ask.key, ask.binding, ask.until.isoformat())
        if db.execute("INSERT INTO used VALUES (?, ?, ?) ON CONFLICT DO NOTHING", row).rowcount:
            return "first"
        (binding,) = db.execute("SELECT binding FROM used WHERE key = ?", (ask.key,)).fetchone()
        return "same" if binding == ask.binding else "other"

    def work(number):
        db = sqlite3.connect(path, isolation_level=None, timeout=30)
        start.wait(timeout=30)
        try:
            return [
                drive(iter(UseOnce(key=f"k{key}", binding=f"b{number % 2}", until=NOW)), lambda ask: use_once(db, ask))
                for key in range(20)
            ]
        finally:
            db.close()

    with ThreadPoolExecutor(WORKERS) as pool:
        by_worker = list(pool.map(work, range(WORKERS)))
    for answers in zip(*by_worker, strict=True):
        winner = answers.index("first")
        expected = ["same" if number % 2 == winner % 2 else "other" for number in range(WORKERS)]
        assert list(answers) == [*expected[:winner], "first", *expected[winner + 1 :]]


def checked(answer, binding, *recipients, used=b"signature"):
    replay = replay_ask("activitypub", used, binding=binding, recipient="agents.example", until=None)
    verdict = Verdict(method="ap-http-signature", verified=True, address="@alice@a.example", replays=(replay,))
    got = drive(check_replay(verdict, Settings(use_once=True), recipients), answer)
    return got.verdict.code, set(got.seen_by)


def test_each_agent_gets_what_was_signed_once_by_whichever_inbox():
    answer = remembering({})
    assert checked(answer, "1 digest", HELPER) == (None, set())
    assert checked(answer, "1 digest", CLERK) == (None, set())
    assert checked(answer, "1 digest", HELPER, CLERK) == (None, {HELPER, CLERK})
    assert checked(answer, "1 digest", "@new@agents.example", CLERK) == (None, {CLERK})
    assert checked(answer, "1 other", HELPER) == ("replayed", set())
    assert checked(answer, "2 digest", HELPER, "@later@agents.example") == ("replayed", set())
    assert checked(answer, "2 digest", HELPER, used=b"another") == (None, set())


def test_what_is_for_no_agent_counts_once_for_the_host():
    used = {}
    assert [checked(remembering(used), "1 digest") for _ in range(2)] == [(None, set())] * 2
    assert list(used.values()) == ["1 digest agents.example"]


@given(
    st.lists(st.tuples(st.sampled_from(("1 d", "1 e", "2 d")), st.sets(st.sampled_from((HELPER, CLERK)), min_size=1)))
)
def test_in_any_order_each_agent_gets_one_message_of_a_signature_once(deliveries):
    answer, got = remembering({}), []
    for binding, recipients in deliveries:
        code, seen_by = checked(answer, binding, *sorted(recipients))
        if code is None:
            got += [(binding, agent) for agent in recipients - seen_by]
    assert len({agent for _, agent in got}) == len(got)


@pytest.mark.parametrize(("until", "year"), [(None, 9999), (10**12, 9999), (NOW.timestamp(), 2026)])
def test_what_has_no_end_is_never_forgotten(until, year):
    assert replay_ask("mail", b"", binding="1", until=until).until.year == year
