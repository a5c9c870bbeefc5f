import json
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

import pytest

from mentionable import Answers, Failed, HttpRequest, Settings, StoredMessage, UsageError, a2a, directory, drive
from mentionable._flow.settings import Limits
from mentionable.a2a import Caller

URL = "https://agents.example/helper"
NAIVE = datetime(2026, 1, 1)  # noqa: DTZ001 - the very mistake


def test_a_message_has_every_member_of_the_contract(take, message):
    got = take(message())
    made = got.message
    assert (made.recipient, made.received_via, made.received_at) == (
        "@helper@agents.example",
        "a2a",
        "2026-11-21T20:56:00Z",
    )
    assert made.recipient_capabilities.mention_relay.kind == "none"
    assert (made.in_reply_to, made.policy_resolution, made.received_trace) == (None, None, None)
    assert (got.native_id, got.blobs, got.diagnostics) == ("@anonymous@a2a.invalid m1", {}, ())


@pytest.mark.parametrize(("headers", "code"), [({}, "unsigned"), ({"authorization": "Bearer x"}, "issuer-unknown")])
def test_without_token_issuers_nobody_is_shown(take, call, message, headers, code):
    got = take(call(message()), headers=headers)
    assert (got.verdict.method, got.verdict.verified, got.verdict.code) == ("none", False, code)
    assert (got.message.sender.address, got.message.sender.verified) == ("@anonymous@a2a.invalid", False)


def test_the_agent_is_found_by_the_url_without_its_query(take, call, message):
    world = Answers(find_agent=directory({URL: "@helper@agents.example"}))
    got = take(call(message()), recipient=None, answers=world, url=f"{URL}?tenant=1#x")
    assert got.message.recipient == "@helper@agents.example"


def test_nobody_served_is_rejected(take, call, message):
    world = Answers(find_agent=lambda ask: None)
    assert take(call(message()), recipient=None, answers=world).code == "no-served-recipient"


def test_an_agent_that_cannot_be_looked_up_is_a_temporary_rejection(take, call, message):
    got = take(call(message()), recipient=None, answers=Answers(find_agent=lambda ask: Failed("down")))
    assert (got.code, got.temporary) == ("lookup-failed", True)


def test_a_broken_unit_is_refused_before_anything_is_asked(take):
    def find_agent(ask):
        raise AssertionError(ask)

    assert take(b"{", recipient=None, answers=Answers(find_agent=find_agent)).code == "invalid-json"


@pytest.mark.parametrize(
    ("sender", "same", "code"),
    [("@alice@a.example", True, "redelivered"), ("@mallory@a.example", False, "native-id-reused")],
)
def test_a_redelivery_keeps_its_id_for_the_same_caller_only(take, message, codes, sender, same, code):
    stored = StoredMessage(id="019aa8e5-1c00-7000-8000-000000000001", thread_id="t1", sender=sender)
    asked = []

    def find_message(ask):
        asked.append((ask.native_id, ask.recipient))
        return stored if ask.native_id == "@alice@a.example m1" else None

    got = take(message(), caller=Caller(subject="alice@a.example"), answers=Answers(find_message=find_message))
    names = ("@alice@a.example m1", "task @alice@a.example t1")
    assert asked == [(name, "@helper@agents.example") for name in names]
    assert (got.message.id == stored.id) is same
    assert codes(got) == [code]


def test_a_known_parent_gives_its_own_id(take, message, task):
    stored = StoredMessage(id="019aa8e5-1c00-7000-8000-000000000002", thread_id="t1", sender="@helper@agents.example")
    world = Answers(find_message=lambda ask: stored if ask.native_id == "s1" else None)
    got = take({"message": message(), "task": task("input-required")}, answers=world)
    assert got.message.in_reply_to == stored.id


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid-json"),
        (b"\xef\xbb\xbf{}", "invalid-json"),
        (b'{"a":1} x', "invalid-json"),
        (b"\xff", "not-utf8"),
        (b'{"a":1,"a":2}', "duplicate-member"),
        (b'{"a":NaN}', "unsafe-number"),
        (b'{"a":1e400}', "unsafe-number"),
        (b'{"a":"\\ud800"}', "lone-surrogate"),
        (b"[" * 65 + b"]" * 65, "too-deep"),
    ],
)
def test_only_strict_json_is_taken(take, body, code):
    assert take(body).code == code


def test_large_integers_are_honest(take, message, call):
    got = take(call(message(metadata={"big": 2**53 + 1})))
    assert got.message.raw["message"]["metadata"]["big"] == 2**53 + 1


@pytest.mark.parametrize(("call_id", "code"), [("x" * 2_048, None), ("x" * 2_049, "id-too-long"), (10**300, None)])
def test_the_id_of_a_call_is_no_longer_than_any_id(take, call, message, call_id, code):
    got = take(json.dumps({**json.loads(call(message())), "id": call_id}).encode())
    assert getattr(got, "code", None) == code


def test_a_body_over_the_limit_is_rejected(take, call, message):
    got = take(call(message()), settings=Settings(limits=Limits(a2a_bytes=10)))
    assert (got.code, got.http_status) == ("too-large", 413)


class Host(Mapping):
    """A mapping that is no dict, as an SDK may have it."""

    def __init__(self, members):
        self.members = members

    def __getitem__(self, name):
        return self.members[name]

    def __iter__(self):
        return iter(self.members)

    def __len__(self):
        return len(self.members)


def test_any_mapping_is_taken(take, message):
    plain = take(message())
    nested = Host({**message(), "parts": (MappingProxyType({"text": "hi"}),)})
    assert take(nested).message == plain.message


def test_the_hosts_mapping_is_neither_changed_nor_kept(take, message):
    unit = message({"data": {"a": [1]}}, metadata={"token": "x"})
    before = json.dumps(unit)
    got = take(unit)
    assert json.dumps(unit) == before
    unit["parts"][0]["data"]["a"].append(2)
    assert got.message.raw["message"]["parts"][0]["data"] == {"a": [1]}


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), b"x", NAIVE, {1: 2}, "\ud800", object()], ids=repr)
def test_a_mapping_must_hold_json(take, message, odd):
    assert take(message(metadata={"odd": odd})).code == "malformed"


def test_a_mapping_must_not_be_too_deep(take, message):
    deep = []
    for _ in range(70):
        deep = [deep]
    assert take(message(metadata={"deep": deep})).code == "too-deep"
    assert take(message(metadata={"deep": MappingProxyType({"er": deep})})).code == "too-deep"


def test_the_same_inputs_give_the_same_message(take, call, message):
    assert take(call(message())) == take(call(message()))


@pytest.mark.parametrize("wrong", [{"now": NAIVE}, {"entropy": b"short"}], ids=str)
def test_wrong_arguments_raise_at_the_call(message, wrong):
    facts = {
        "recipient": "@a@b.example",
        "now": datetime.fromisoformat("2026-11-21T00:00:00+00:00"),
        "entropy": bytes(32),
    }
    with pytest.raises(UsageError):
        a2a.receive(message(), **{**facts, **wrong})


def test_a_request_needs_no_recipient_at_the_call(call, message):
    request = HttpRequest(method="POST", url=URL, body=call(message()))
    flow = a2a.receive(request, now=datetime.fromisoformat("2026-11-21T00:00:00+00:00"), entropy=bytes(32))
    with pytest.raises(UsageError, match="find_agent"):
        drive(flow, Answers())


@pytest.mark.parametrize(
    "wrong",
    [
        {"recipient": "nobody"},
        {"recipient": 7},
        {"caller": a2a.RemoteAgent(address="helper")},
        {"caller": "@alice@a.example"},
        {"task_id": 7},
        {"task_id": ""},
        {"task_id": "\ud800"},
        {"settings": None},
        {"settings": Limits()},
        {"entropy": "text" * 8},
        {"now": "2026-11-21T00:00:00Z"},
    ],
    ids=repr,
)
def test_an_argument_of_the_wrong_kind_is_the_programs_fault(take, message, wrong):
    with pytest.raises(UsageError):
        take(message(), **wrong)


@pytest.mark.parametrize("unit", [b"{}", "{}", None, [("messageId", "m1")]], ids=repr)
def test_a_unit_is_a_request_or_a_mapping(unit):
    now = datetime.fromisoformat("2026-11-21T00:00:00+00:00")
    with pytest.raises(UsageError, match="HttpRequest or a mapping"):
        a2a.receive(unit, recipient="@a@b.example", now=now, entropy=bytes(32))


def test_a_mapping_needs_its_recipient(take, message):
    with pytest.raises(UsageError, match="recipient="):
        take(message(), recipient=None)


def test_a_result_is_its_status_its_artifacts_and_its_history(take, task):
    turn = {"messageId": "h1", "role": "user", "parts": [{"kind": "text", "text": "asked"}]}
    unit = task(artifacts=[{"artifactId": "a1", "parts": [{"text": "one"}]}], history=[turn])
    got = take({"task": unit}, caller=a2a.RemoteAgent(address="@peer@agents.example"))
    assert [part.kind for part in got.message.parts] == ["text", "artifact"]
    assert [one.role for one in got.message.history] == ["assistant"]
    assert take(task(text=None)).message.parts == ()


def test_faults_and_notes_of_a_unit_name_their_place(take, task, message):
    odd = task()
    odd["status"]["message"]["parts"] = [{"raw": "*"}]
    assert take({"task": odd}).problems[0].at == "/task/status/message/parts/0"
    assert take({"task": task()}, task_id="t2").problems[0].at == "/task/id"
    assert take({"message": message({"raw": "*"})}).problems[0].at == "/message/parts/0"
    noted = take({"message": message("a", {"kind": "x"}, metadata={"mentionable": {"history": [7]}}), "task": task()})
    assert [note.at for note in noted.diagnostics] == ["/message/parts/1", ""]
    noted = take({"message": message(metadata={"mentionable": {"history": [7]}})})
    assert [note.at for note in noted.diagnostics] == ["/message/metadata/mentionable/history/0"]


def test_a_label_that_disagrees_is_noted(take, call, message, codes):
    assert codes(take(call(message()), headers={"a2a-version": "0.3"})) == ["version-disagrees"]
