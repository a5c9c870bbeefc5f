"""What the page of the operator lists, on each kind of database."""

import asyncio
from datetime import UTC, datetime, timedelta

import page_samples
import pytest

from mentionable_host.queue.shared import install
from mentionable_host.store import blocks, jobs, listing, mailings, reactions
from mentionable_host.store.tables import people

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.fixture
def read(database):
    if database.dialect == "postgresql":
        install(database.engine)
    asyncio.run(database.write(lambda db: page_samples.fill(db, now=NOW)))
    return lambda work: asyncio.run(database.read(work))


def test_the_queue_is_counted_by_state(read):
    found = read(listing.queue)

    assert found.counts == {"waiting": 2, "running": 0, "dead": 1}
    assert found.late(NOW) == 60
    assert found.late(NOW - timedelta(hours=1)) == 0
    assert listing.Queue(counts={}, due=None).late(NOW) == 0


def test_people_are_listed_by_when_they_wrote_last(read):
    found = read(listing.persons)

    names = [one.display_name for one in found.entries]
    assert names == ["Alice", "Lucky \u202eecirP", None, "Bob", "Dana"]
    assert found.after is None
    assert [one.address for one in read(lambda db: listing.persons(db, words="ALICE")).entries] == [
        "@alice@social.example"
    ]
    assert read(lambda db: listing.persons(db, words="_")).entries == []
    assert read(lambda db: listing.person(db, "@alice@social.example")).messages == 2
    assert read(lambda db: listing.person(db, "@nobody@x.example")) is None


def test_a_place_that_was_made_up_does_no_harm(read):
    for after in ("", "x y", "nan z", "inf z", "1e400 z", "0 z", "-1", "99999999999 z", "²", "9" * 30):
        for work in (listing.persons, listing.blocked, listing.events):
            assert read(lambda db, work=work, after=after: work(db, after=after)) is not None


def test_lists_go_on_where_they_stopped(database):
    def work(db):
        for number in range(120):
            blocks.add(db, f"d{number:03}.example", now=NOW)
            facts = {"transport": "rest", "verified": False, "method": "none", "first_seen": 1.0, "messages": 1}
            seen = 1_795_000_000.123457 + number // 7  # some wrote in the same moment
            db.execute(people.insert().values(address=f"@p{number:03}@x.example", last_seen=seen, **facts))

    asyncio.run(database.write(work))
    for list_of in (listing.persons, listing.blocked):
        seen, after = [], None
        for _ in range(3):
            page = asyncio.run(database.read(lambda db, list_of=list_of, after=after: list_of(db, after=after)))
            seen += page.entries
            after = page.after
        names = [getattr(one, "target", None) or one.address for one in seen]
        assert (len(names), len(set(names)), after) == (120, 120, None)


def test_followers_and_reports_are_listed(read):
    waiting = read(lambda db: listing.related(db, "followers", agent=page_samples.AGENT, state="pending"))
    every = read(lambda db: listing.related(db, "followers", agent=page_samples.AGENT))

    assert [one.address for one in waiting.entries] == ["@erin@social.example"]
    assert len(every.entries) == 3
    assert read(lambda db: listing.related(db, "following", agent=page_samples.AGENT)).entries == []
    assert [one.objects for one in read(reactions.reports)] == [("https://agents.example/notes/1",)]
    assert [one.value.status for one in read(listing.events).entries] == ["pending"]


def test_what_belongs_to_a_conversation_is_found(read):
    assert [one.kind for one in read(lambda db: listing.jobs_of(db, "weather"))] == ["answer"]
    assert [one.state for one in read(lambda db: mailings.of_thread(db, "t"))] == ["bounced"]


def test_jobs_of_a_conversation_that_are_done_stay_with_it(database, read):
    asyncio.run(database.write(lambda db: jobs.finish(db, 3, now=NOW)))

    assert [one.state for one in read(lambda db: listing.jobs_of(db, "weather"))] == ["done"]


def test_people_have_the_names_that_they_give_themselves(read):
    found = read(lambda db: listing.names(db, ["@alice@social.example", "@carol@agents.test", "@nobody@x.example"]))

    assert found == {"@alice@social.example": "Alice"}
