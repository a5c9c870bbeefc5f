import asyncio
import json

import pytest
from mentionable import NormalizedResponse, Sender, ToolCallPart, replace
from sqlalchemy import select

from mentionable_host.store import conversations, files, messages, tables


@pytest.fixture
def write(database):
    return lambda work: asyncio.run(database.write(work))


@pytest.fixture
def talk(write, make_message, world):
    """Ten questions in three threads, the last of them answered."""

    def work(db):
        for number in range(10):
            message = make_message(f"Question {number} of 100 %", thread_id=f"t{number % 3}")
            messages.put(db, message, transport="email", files={})
        response = NormalizedResponse.to(message, "The **answer**")
        messages.put_answer(db, response, to=message, transport="email", now=world.now())

    write(work)


def test_threads_come_newest_first_with_what_was_said_last(write, talk):
    threads = write(conversations.newest)

    assert [(one.last.thread_id, one.messages, one.last.text) for one in threads] == [
        ("t0", 5, "The **answer**"),
        ("t2", 3, "Question 8 of 100 %"),
        ("t1", 3, "Question 7 of 100 %"),
    ]
    assert (threads[0].last.person, threads[0].last.transport, threads[0].last.role) == (
        "@alice@a.example",
        "email",
        "assistant",
    )


def test_an_answer_is_a_row_of_the_agent_and_its_text_has_no_tool_calls(write, make_message, world):
    message = make_message("Will it rain?")
    call = ToolCallPart(id="c1", name="forecast", args={}, result="rain")

    def work(db):
        messages.put(db, message, transport="email", files={})
        response = NormalizedResponse.to(message, call, "It will.")
        messages.put_answer(db, response, to=message, transport="email", now=world.now())
        stored = tables.messages.c
        found = select(stored.row, stored.text).where(stored.role == "assistant")
        return db.execute(found).one()

    row, text = write(work)
    assert json.loads(row) == {"role": "assistant", "content": '🔧 forecast({}) → "rain"\n\nIt will.'}
    assert text == "It will."


def test_threads_and_lines_come_in_pages(write, talk):
    first = write(lambda db: conversations.newest(db, limit=2))
    rest = write(lambda db: conversations.newest(db, limit=2, before=first[-1].last.number))
    assert [one.last.thread_id for one in (*first, *rest)] == ["t0", "t2", "t1"]

    agent = "@helper@agents.example"
    last = write(lambda db: conversations.lines(db, "t0", agent=agent, limit=2))
    before = write(lambda db: conversations.lines(db, "t0", agent=agent, before=last[0].number))
    assert [one.text[:10] for one in (*before, *last)] == [
        "Question 0",
        "Question 3",
        "Question 6",
        "Question 9",
        "The **answ",
    ]


def test_threads_of_a_person_are_found(write, talk):
    assert len(write(lambda db: conversations.newest(db, person="@alice@a.example"))) == 3
    assert write(lambda db: conversations.newest(db, person="@bob@b.example")) == []


@pytest.mark.parametrize(
    ("words", "found"), [("question 4", 1), ("ANSWER", 1), ("100 %", 10), ("_", 0), ("%%", 0), ("\\", 0)]
)
def test_text_is_searched_as_it_stands(write, talk, words, found):
    assert len(write(lambda db: conversations.search(db, words))) == found


def test_no_more_is_read_than_fits(write, talk, monkeypatch):
    monkeypatch.setattr(conversations, "MOST", 4)

    assert len(write(lambda db: conversations.search(db, "question", limit=10**9))) == 4


def test_a_search_goes_on_where_it_ended(write, talk):
    first = write(lambda db: conversations.search(db, "question", limit=6))
    rest = write(lambda db: conversations.search(db, "question", before=first[-1].number))

    assert (len(first), len(rest)) == (6, 4)


def test_everything_is_counted(write, talk):
    found = write(conversations.counts)

    assert (found.threads, found.messages, found.answers) == (3, 10, 1)


def test_a_row_is_what_the_contract_says(write, make_message):
    number = write(lambda db: messages.put(db, make_message("Hello *you*"), transport="email", files={}))
    row = json.loads(write(lambda db: messages.entry(db, number)).row)

    assert row["content"] == "Hello *you*"
    assert row["_metadata"]["sender_type"] == "human"


def test_a_sender_who_is_proven_later_is_proven_from_then_on(write, make_message):
    proven = make_message()
    forged = replace(proven, sender=Sender(address=proven.sender.address))

    def put(message):
        write(lambda db: messages.put(db, message, transport="email", files={}))
        return write(lambda db: messages.entry(db, 1))

    assert [put(one).verified for one in (forged, proven, forged)] == [False, True, True]
    assert put(forged).value == proven


def test_files_over_the_quota_are_not_kept_and_named(write, make_message):
    def put(message, sizes):
        given = {f"d{number}": bytes(size) for number, size in enumerate(sizes)}
        number = write(lambda db: messages.put(db, message, transport="email", files=given, quota=1_000))
        return write(lambda db: (messages.entry(db, number).value, messages.files_of(db, number)))

    message, kept = put(make_message("1"), [600, 500, 300])
    assert sorted(kept) == ["d0", "d2"]
    assert message.extra[files.DROPPED] == {"reason": "over-quota", "digests": ["d1"]}
    message, kept = put(make_message("2"), [100])
    assert (sorted(kept), message.extra) == (["d0"], {})
    message, kept = put(make_message("3"), [1])
    assert kept == {}
    message, kept = put(make_message("4", sender="@bob@b.example"), [900])
    assert sorted(kept) == ["d0"]


def test_senders_of_whom_nothing_is_proven_have_a_quota_together(write, make_message, monkeypatch):
    monkeypatch.setattr(files, "UNPROVEN", 2)

    def kept(sender, *, is_proven):
        message = (
            replace(make_message(), sender=Sender(address=sender)) if not is_proven else make_message(sender=sender)
        )
        number = write(lambda db: messages.put(db, message, transport="email", files={"d": bytes(900)}, quota=1_000))
        return list(write(lambda db: messages.files_of(db, number)))

    assert [kept(f"@u{n}@e.example", is_proven=False) for n in range(3)] == [["d"], ["d"], []]
    assert kept("@alice@a.example", is_proven=True) == ["d"]


def test_a_message_whose_files_were_dropped_is_known_when_it_comes_again(write, make_message):
    message, given = make_message(), {"d": bytes(2_000)}
    first = write(lambda db: messages.put(db, message, transport="email", files=given, quota=1_000))
    again = write(lambda db: messages.put(db, message, transport="email", files=given, quota=1_000))

    assert (first is None, again) == (False, None)
