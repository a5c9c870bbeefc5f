from __future__ import annotations

import asyncio
import json
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
    FindTask,
    HistoricalMessage,
    LookupTxt,
    Sender,
    StoredMessage,
    StoredTask,
    TextPart,
    UsageError,
    UseOnce,
    adrive,
    drive,
    policy,
)
from mentionable.connectors.files import ConsumeBytes
from mentionable.testing import LookupTable, Peer, answers, record, script

URL = "https://a.example/x"
HELPER = "@helper@agents.example"
TURN = HistoricalMessage(
    role="user",
    sender=Sender(address="@alice@a.example"),
    parts=(TextPart(content="Hi"),),
    timestamp="2026-11-21T20:56:00Z",
)


USE = UseOnce(key="k", binding="b", until=datetime(2026, 11, 21, tzinfo=UTC))
COUNT = policy.CountFailure(key="0" * 64)
DEBIT = ConsumeBytes(token_id="t", amount=6, limit=10, before=0, until=datetime(2026, 11, 21, tzinfo=UTC))
PAYMENT = policy.CheckPayment(key="0" * 64, scheme="x402", offer={}, receipt={})
CONSENT = policy.CheckConsent(key="0" * 64, scope_hash="s", receipt={})
ISSUANCE = policy.Issuance(
    key="0" * 64,
    kind="consent_required",
    agent=HELPER,
    threads=("t1",),
    principal="@alice@a.example",
    principal_verified=True,
    message_id="m1",
    scope_hash="0" * 64,
    issued_at="2026-11-21T20:56:00Z",
    expires_at="2026-11-21T21:56:00Z",
)
TASK = StoredTask(
    id="t1",
    context_id="c1",
    state="completed",
    updated_at="2026-11-21T20:56:00Z",
    history=({"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]},),
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
        (USE, "other"),
        (USE, "first"),
        (COUNT, 1),
        (COUNT, 3),
        (DEBIT, True),
        (DEBIT, False),
        (PAYMENT, policy.PaymentStatus(transaction="0x1", network="base")),
        (PAYMENT, None),
        (CONSENT, policy.ConsentStatus(expires_at="2026-11-22T20:56:00Z")),
        (CONSENT, None),
        (policy.FindIssuance(key="0" * 64), ISSUANCE),
        (policy.FindIssuance(key="0" * 64), None),
        (FindTask(task_id="t1", recipient=HELPER), TASK),
        (FindTask(task_id="t1", recipient=HELPER), None),
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


@pytest.mark.parametrize(
    ("ask", "found"),
    [(USE, ["first", "same", "same"]), (COUNT, [1, 2, 3]), (DEBIT, [True, False]), (USE, ["same", "same"])],
    ids=["use", "count", "debit", "used before"],
)
def test_what_a_table_counts_is_counted_again(ask, found):
    left = iter(found)
    recorder = record(lambda _: next(left))
    assert [drive(iter(ask), recorder) for _ in found] == found
    table = LookupTable(json.loads(json.dumps(recorder.lookups)))
    assert [drive(iter(ask), table) for _ in found] == found


@pytest.mark.parametrize(
    ("ask", "found"),
    [
        (FindMessage(native_id="<1>", recipient=HELPER), [None, StoredMessage(id="i", thread_id="t", sender=HELPER)]),
        (USE, ["first", "other"]),
        (USE, ["other", "same"]),
        (COUNT, [3, 4]),
        (Fetch(url=URL, accept="*/*", purpose="key"), [fetched(b"a"), fetched(b"b")]),
        (Fetch(url=URL, accept="*/*", purpose="key", fresh=True), [fetched(b"a"), fetched(b"b")]),
    ],
    ids=["message", "use", "used before", "count", "fetch", "fresh fetch"],
)
def test_two_answers_to_one_ask_are_no_row(ask, found):
    left = iter(found)
    recorder = record(lambda _: next(left))
    assert [drive(iter(ask), recorder) for _ in found] == found
    with pytest.raises(UsageError, match="got two answers; record each run with its own recorder"):
        recorder.lookups  # noqa: B018


def test_an_answer_that_comes_fresh_first_is_both():
    bodies = iter([b"new", b"old"])
    recorder = record(lambda _: fetched(next(bodies)))
    old, new = (Fetch(url=URL, accept="*/*", purpose="key", fresh=fresh) for fresh in (False, True))
    drive(iter(new), recorder)
    assert [drive(iter(ask), LookupTable(recorder.lookups)).body for ask in (old, new)] == [b"new", b"new"]
    drive(iter(old), recorder)
    assert [drive(iter(ask), LookupTable(recorder.lookups)).body for ask in (old, new)] == [b"old", b"new"]


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
