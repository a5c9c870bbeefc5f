"""Answers out of a closed table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

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
    Settings,
    StoredMessage,
    StoredTask,
    UsageError,
    UseOnce,
    a2a,
    drive,
    encode,
    policy,
)
from mentionable.connectors import files, slack
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings
from tests.policy.demands import issued

URL = "https://social.example/users/alice"
FETCH = Fetch(url=URL, accept="application/activity+json", purpose="actor")
FRESH = Fetch(url=URL, accept="application/activity+json", purpose="actor", fresh=True)
TURN: dict[str, Any] = {
    "role": "user",
    "sender": {"address": "@alice@mail.example", "auth_method": "email-dkim", "verified": True},
    "parts": [],
    "timestamp": "2026-11-21T20:00:00Z",
}


def once(key: str = "replay:1", binding: str = "a") -> UseOnce:
    return UseOnce(key=key, binding=binding, until=datetime(2026, 11, 22, tzinfo=UTC))


def test_a_document_is_answered_with_its_json() -> None:
    table = LookupTable(
        {f"GET {URL}": {"status": 200, "content_type": "application/activity+json", "json": {"a": "é"}}}
    )
    expected = Fetched(url=URL, status=200, content_type="application/activity+json", body='{"a":"é"}'.encode())
    assert table.answer(FETCH) == expected


@pytest.mark.parametrize(
    ("row", "body"),
    [
        ({"body": "<p>é"}, "<p>é".encode()),
        ({"body": {"$base64": "/wA="}}, b"\xff\x00"),
        ({"$base64": "/wA="}, b"\xff\x00"),
        ({"status": 404}, b""),
    ],
)
def test_a_document_may_be_given_as_text_or_bytes(row: dict[str, Any], body: bytes) -> None:
    answer = LookupTable({f"GET {URL}": row}).answer(FETCH)
    assert isinstance(answer, Fetched)
    assert (answer.body, answer.content_type) == (body, "")


def test_the_address_after_redirects_is_told() -> None:
    answer = LookupTable({f"GET {URL}": {"url": "https://other.example/a", "json": 1}}).answer(FETCH)
    assert answer == Fetched(url="https://other.example/a", status=200, content_type="application/json", body=b"1")


def test_a_list_answers_first_from_the_cache_and_then_past_it() -> None:
    table = LookupTable({f"GET {URL}": [{"json": "old"}, {"json": "new"}]})
    answers = [table.answer(ask) for ask in (FETCH, FRESH)]
    assert [answer.body for answer in answers if isinstance(answer, Fetched)] == [b'"old"', b'"new"']


def test_a_list_of_one_answers_both() -> None:
    table = LookupTable({f"GET {URL}": [{"json": 1}]})
    assert table.answer(FRESH) == table.answer(FETCH)


def test_one_answer_of_a_list_may_fail() -> None:
    table = LookupTable({f"GET {URL}": [{"json": 1}, {"failed": "gone", "temporary": False}]})
    assert table.answer(FRESH) == Failed("gone", temporary=False)


def test_txt_records_are_bytes() -> None:
    table = LookupTable({"TXT s1._domainkey.mail.example": ["v=DKIM1", {"$base64": "/w=="}]})
    assert table.answer(LookupTxt(name="s1._domainkey.mail.example")) == [b"v=DKIM1", b"\xff"]


@pytest.mark.parametrize("agent", ["@helper@agents.example", None])
def test_an_agent_or_nobody_is_served(agent: str | None) -> None:
    assert (
        LookupTable({"AGENT helper@agents.example": agent}).answer(FindAgent(native_id="helper@agents.example"))
        == agent
    )


def test_a_known_message() -> None:
    row = {"id": "1", "thread_id": "t", "sender": "@alice@mail.example", "auth_method": "email-dkim"}
    ask = FindMessage(native_id="<1@mail.example>", recipient="@helper@agents.example")
    assert LookupTable({"MESSAGE <1@mail.example>": row}).answer(ask) == StoredMessage(**row)


def test_a_message_that_is_not_known() -> None:
    ask = FindMessage(native_id="<1@mail.example>", recipient="@helper@agents.example")
    assert LookupTable({"MESSAGE *": None}).answer(ask) is None


def test_history_comes_from_ones_own_store() -> None:
    ask = FindHistory(thread_id="t 1", recipient="@helper@agents.example")
    (turn,) = LookupTable({"HISTORY t 1": [TURN]}).answer(ask)  # type: ignore[misc] - an answer is any object
    assert isinstance(turn, HistoricalMessage)
    assert turn.sender.verified


def test_a_stored_task_is_known_by_its_id() -> None:
    row: dict[str, Any] = {"id": "t 1", "context_id": "c1", "state": "working", "updated_at": "2026-11-21T20:00:00Z"}
    table, ask = LookupTable({"TASK t 1": row, "TASK t2": None}), FindTask(task_id="t 1", recipient="@helper@a.example")
    assert table.answer(ask) == StoredTask(**row)
    assert table.answer(FindTask(task_id="t2", recipient="@helper@a.example")) is None
    assert table.asked == ["TASK t 1", "TASK t2"]


def test_a_row_of_its_own_wins_over_the_star() -> None:
    table = LookupTable({"AGENT *": None, "AGENT a@b.example": "@a@b.example"})
    assert [table.answer(FindAgent(native_id=name)) for name in ("a@b.example", "c@b.example")] == [
        "@a@b.example",
        None,
    ]


def test_what_the_table_does_not_answer_fails() -> None:
    asks = [
        FETCH,
        LookupTxt(name="mail.example"),
        FindAgent(native_id="x"),
        FindMessage(native_id="x", recipient="@a@b.example"),
    ]
    assert all(isinstance(LookupTable({}).answer(ask), Failed) for ask in asks)


def test_a_table_without_history_has_none() -> None:
    assert LookupTable({}).answer(FindHistory(thread_id="x", recipient="@a@b.example")) == ()


def test_a_failure_may_stand_anywhere() -> None:
    table = LookupTable({"TXT *": {"failed": "SERVFAIL"}, "ONCE *": {"failed": "store is down", "temporary": True}})
    assert table.answer(LookupTxt(name="mail.example")) == Failed("SERVFAIL")
    assert table.answer(once()) == Failed("store is down")


def test_once_says_what_was_bound_to_the_key_before() -> None:
    table = LookupTable({})
    assert [table.answer(ask) for ask in (once(), once(), once(binding="b"), once(key="replay:2"))] == [
        "first",
        "same",
        "other",
        "first",
    ]


@pytest.mark.parametrize("before", ["first", "same", "other"])
def test_once_may_be_used_already(before: str) -> None:
    table = LookupTable({"ONCE replay:1": before})
    assert [table.answer(once()), table.answer(once())] == [before, before]


def test_older_cases_say_once_by_true_and_false() -> None:
    assert LookupTable({"ONCE replay:1": False}).answer(once()) == "other"
    table = LookupTable({"ONCE *": True})
    assert [table.answer(once()), table.answer(once()), table.answer(once(binding="b"))] == ["first", "same", "other"]
    for value in (None, 1, "free", []):
        with pytest.raises(UsageError, match="the wrong shape"):
            LookupTable({"ONCE *": value})


def test_it_remembers_what_it_was_asked() -> None:
    table = LookupTable({"AGENT *": None})
    drive(iter(FindAgent(native_id="helper@agents.example")), table)
    table.answer(FETCH)
    assert table.asked == ["AGENT helper@agents.example", f"GET {URL}"]


@pytest.mark.parametrize("row", ["", "GET", "GET ", "POST https://a.example/", "get https://a.example/"])
def test_a_row_that_no_ask_can_have_is_refused(row: str) -> None:
    with pytest.raises(UsageError, match="a look-up begins with"):
        LookupTable({row: None})


@pytest.mark.parametrize(
    ("row", "ask"),
    [
        ({"TXT *": "v=DKIM1"}, LookupTxt(name="mail.example")),
        ({"TXT *": [1]}, LookupTxt(name="mail.example")),
        ({"GET *": "text"}, FETCH),
        ({"GET *": {"$base64": "!"}}, FETCH),
        ({"AGENT *": 1}, FindAgent(native_id="x")),
        ({"MESSAGE *": {"id": "1"}}, FindMessage(native_id="x", recipient="@a@b.example")),
        ({"MESSAGES *": [1]}, FindMessages(native_id="x")),
    ],
)
def test_a_row_of_the_wrong_shape_is_refused(row: dict[str, Any], ask: Any) -> None:
    with pytest.raises(UsageError, match="has the wrong shape"):
        LookupTable(row).answer(ask)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"GET *": []}, "at least one document"),
        ({"GET *": {"status": "200"}}, "a number as status"),
        ({"GET *": {"url": 1}}, "expected text, not 1"),
        ({"AGENT x": "helper"}, "of the form @agent@domain or null, not 'helper'"),
        ({"MESSAGE x": {"id": "1"}}, "'thread_id' is missing"),
        ({"MESSAGE x": 1}, "an object or null"),
        ({"MESSAGE x": {"id": "1", "thread_id": "t", "sender": "alice"}}, "has the wrong shape"),
        ({"HISTORY x": [{}]}, "has the wrong shape"),
        ({"ONCE x": "yes"}, "'first', 'same' or 'other'"),
        ({"REVOKED x": "yes"}, "true or false"),
    ],
)
def test_rows_are_checked_before_they_are_asked_for(row: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        LookupTable(row)


def test_only_kinds_that_are_asked_are_listed() -> None:
    with pytest.raises(UsageError, match=r"begins with AGENT, CALL, CONSENT, .*, TXT and a blank"):
        LookupTable({"SHOUT x": None})


def test_what_a_platform_says_is_its_json() -> None:
    alice = slack.CallApi(method="users.info", params=(("user", "U1"),))
    said = {"ok": True}
    assert LookupTable({"CALL users.info U1": said})(alice) == said
    assert LookupTable({"CALL *": [said]})(alice) == [said]
    assert LookupTable({"CALL users.info *": said, "CALL *": [said]})(alice) == said
    assert LookupTable({"CALL users.info U1": said, "CALL users.info *": {}})(alice) == said
    assert isinstance(LookupTable({})(alice), Failed)
    with pytest.raises(UsageError, match="an object or a list"):
        LookupTable({"CALL users.info U1": "ok"})


def test_bytes_are_text_or_base64() -> None:
    assert (case_bytes("é"), case_bytes({"$base64": "AA=="})) == ("é".encode(), b"\x00")
    with pytest.raises(ValueError, match="expected text"):
        case_bytes(7)


def test_settings_are_read_from_json():
    issuer = {"issuer": "https://a.example", "audiences": ["x"], "subject_domains": ["a.example"]}
    named = {"limits": {"asks": 1}, "history": {"max_age": 60}, "use_once": True, "token_issuers": [issuer]}
    settings = read_settings(named, a2a.Settings)
    assert (settings.limits.asks, settings.history.max_age, settings.use_once) == (1, timedelta(minutes=1), True)
    assert settings.token_issuers[0].audiences == ("x",)
    assert read_settings({}) == Settings()
    with pytest.raises(UsageError, match="unknown setting 'nothing'"):
        read_settings({"nothing": 1})
    with pytest.raises(UsageError, match="/limits/nothing: unknown setting"):
        read_settings({"limits": {"nothing": 1}})
    with pytest.raises(UsageError, match="/token_issuers: expected an array, not an object"):
        read_settings({"token_issuers": {}}, a2a.Settings)


def test_demands_payments_and_consents_are_rows() -> None:
    record = issued().record
    key = record.key
    table = LookupTable(
        {
            f"ISSUANCE {key}": encode(record),
            "ISSUANCE *": None,
            "PAYMENT ln.bolt11": {"transaction": "tx", "payer": "alice"},
            "PAYMENT card": True,
            "PAYMENT *": False,
            "CONSENT h": {"expires_at": "2027-01-01T00:00:00Z"},
            "CONSENT *": None,
        }
    )
    assert table(policy.FindIssuance(key=key)) == record
    assert table(policy.FindIssuance(key="0" * 64)) is None

    def paid(scheme: str) -> object:
        return table(policy.CheckPayment(key=key, scheme=scheme, offer={}, receipt={}))

    assert paid("ln.bolt11") == policy.PaymentStatus(transaction="tx", payer="alice")
    assert (paid("card"), paid("x")) == (policy.PaymentStatus(), None)

    def granted(scope: str) -> object:
        return table(policy.CheckConsent(key=key, scope_hash=scope, receipt={}))

    assert granted("h") == policy.ConsentStatus(expires_at="2027-01-01T00:00:00Z")
    assert granted("other") is None
    assert table.asked[-3:] == ["PAYMENT x", "CONSENT h", "CONSENT other"]


def test_failures_are_counted_unless_the_table_knows() -> None:
    table = LookupTable({"COUNT b": 7})
    counts = [table(policy.CountFailure(key=key)) for key in ("a", "a", "b")]
    assert counts == [1, 2, 7]


@pytest.mark.parametrize(
    "row",
    [{"ISSUANCE k": {}}, {"PAYMENT x": "yes"}, {"CONSENT x": 1}, {"COUNT k": True}, {"PAYMENT x": {"y": 1}}],
    ids=str,
)
def test_rows_of_demands_are_checked(row: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="has the wrong shape"):
        LookupTable(row)


def test_hosts_of_policies_are_a_list() -> None:
    assert read_settings({"policy_hosts": ["pay.example"]}).policy_hosts == ("pay.example",)
    for wrong in (["https://pay.example"], "pay.example", [7]):
        with pytest.raises(UsageError, match="policy_hosts"):
            read_settings({"policy_hosts": wrong})


def _debit(amount: int) -> files.ConsumeBytes:
    until = datetime(2026, 11, 21, 21, 0, tzinfo=UTC)
    return files.ConsumeBytes(token_id="t", amount=amount, limit=10, before=0, until=until)


def test_bytes_of_files_are_summed_up_to_the_limit() -> None:
    table = LookupTable({})
    assert [table(_debit(amount)) for amount in (6, 6, 4, 1)] == [True, False, True, False]
    assert table.asked == ["DEBIT t"] * 4


def test_a_ledger_may_say_no_or_nothing() -> None:
    assert LookupTable({"DEBIT t": False})(_debit(1)) is False
    assert LookupTable({"DEBIT *": True})(_debit(11)) is False
    assert LookupTable({"DEBIT t": {"failed": "down"}})(_debit(1)) == Failed("down")


def test_what_was_taken_back_is_a_row() -> None:
    scope = files.Scope(workspace="T", channel="C", file="F")
    ask = files.CheckRevoked(token_id="t", audience="@a@b.example", scope=scope, turn="m1")
    assert [LookupTable({"REVOKED t": is_revoked})(ask) for is_revoked in (True, False)] == [True, False]
    assert LookupTable({})(ask) == Failed("REVOKED t is not in the table")
    with pytest.raises(UsageError, match="true or false"):
        LookupTable({"REVOKED t": 1})
