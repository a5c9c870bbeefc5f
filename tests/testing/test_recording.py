from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from mentionable import (
    Failed,
    Fetch,
    Fetched,
    FindAgent,
    FindHistory,
    FindMessage,
    FindMessages,
    HistoricalMessage,
    LookupTxt,
    Sender,
    StoredMessage,
    TextPart,
    UseOnce,
    adrive,
    drive,
)
from mentionable.testing import LookupTable, Peer, answers, record, script

URL = "https://a.example/x"
HELPER = "@helper@agents.example"
TURN = HistoricalMessage(
    role="user",
    sender=Sender(address="@alice@a.example"),
    parts=(TextPart(content="Hi"),),
    timestamp="2026-11-21T20:56:00Z",
)


def fetched(body):
    return Fetched(url=URL, status=200, content_type="text/plain", body=body)


@pytest.mark.parametrize(
    ("ask", "found"),
    [
        (Fetch(url=URL, accept="*/*", purpose="key"), fetched(b"text")),
        (Fetch(url=URL, accept="*/*", purpose="key"), fetched(b"\xff\x00")),
        (Fetch(url=URL, accept="*/*", purpose="key"), Failed("down", temporary=False)),
        (LookupTxt(name="a.example"), [b"v=1", b"\xff"]),
        (FindAgent(native_id="helper@agents.example"), HELPER),
        (FindAgent(native_id="helper@agents.example"), None),
        (
            FindMessage(native_id="<1>", recipient=HELPER),
            StoredMessage(id="i", thread_id="t", sender="@alice@a.example"),
        ),
        (FindMessage(native_id="<1>", recipient=HELPER), None),
        (
            FindMessages(native_id="<1>"),
            {HELPER: StoredMessage(id="i", thread_id="t", sender="@alice@a.example", digest="d")},
        ),
        (FindHistory(thread_id="t", recipient=HELPER), (TURN,)),
        (UseOnce(key="k", binding="b", until=datetime(2026, 11, 21, tzinfo=UTC)), "other"),
    ],
    ids=lambda value: None,
)
def test_what_was_recorded_is_answered_again(ask, found):
    recorder = record(lambda _: found)
    assert drive(iter(ask), recorder) is found
    assert drive(iter(ask), LookupTable(recorder.lookups)) == found


def test_a_fresh_answer_stands_behind_the_first():
    bodies = iter([b"old", b"new"])
    recorder = record(lambda _: fetched(next(bodies)))
    old, new = (Fetch(url=URL, accept="*/*", purpose="key", fresh=fresh) for fresh in (False, True))
    for ask in (old, new):
        drive(iter(ask), recorder)
    table = LookupTable(recorder.lookups)
    assert [drive(iter(ask), table).body for ask in (old, new, old)] == [b"old", b"new", b"old"]


def test_answers_that_are_awaited_are_recorded_too():
    async def answer(ask):
        return [b"v=1"]

    recorder = record(answer)
    flow = iter(LookupTxt(name="a.example"))
    assert asyncio.run(adrive(flow, recorder)) == [b"v=1"]
    assert recorder.lookups == {"TXT a.example": ["v=1"]}


def test_a_script_wants_its_asks_in_order():
    first, second = FindAgent(native_id="a"), FindAgent(native_id="b")
    with pytest.raises(AssertionError, match=r"asked .*'b'.*, the script has .*'a'"):
        drive(iter(second), script([(first, None)]))
    answer = script([(first, HELPER)])
    assert drive(iter(first), answer) == HELPER
    with pytest.raises(AssertionError, match=r"has ended"):
        drive(iter(first), answer)


def test_answers_know_peers_agents_and_nothing_else():
    table = answers(
        Peer.mail("@alice@a.example"), agents={"helper@agents.example": HELPER}, lookups={"TXT x.example": ["v=1"]}
    )
    assert drive(iter(FindAgent(native_id="helper@agents.example")), table) == HELPER
    assert drive(iter(FindAgent(native_id="other@agents.example")), table) is None
    assert drive(iter(FindMessage(native_id="<1>", recipient=HELPER)), table) is None
    assert drive(iter(FindHistory(thread_id="t", recipient=HELPER)), table) == ()
    assert drive(iter(LookupTxt(name="x.example")), table) == [b"v=1"]
    assert drive(iter(LookupTxt(name="_dmarc.a.example")), table) == [b"v=DMARC1; p=reject"]
    assert isinstance(drive(iter(Fetch(url=URL, accept="*/*", purpose="key")), table), Failed)
