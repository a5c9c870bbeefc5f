import json
from typing import Any

import pytest

from mentionable import (
    AddressingRelay,
    Failed,
    FindAgent,
    FindMessage,
    HistoryPolicy,
    HttpRequest,
    Limits,
    Rejected,
    Settings,
    StoredMessage,
    TextPart,
    UsageError,
    activitypub,
    drive,
    dumps,
)
from tests.activitypub.servers import (
    ALICE,
    AS2,
    BOB,
    ENTROPY,
    HELPER,
    NOTE,
    NOW,
    PUBLIC,
    World,
    actor,
    ancestor,
    codes,
    create,
    fetched,
    note,
    refused,
    taken,
)

PARENT = ancestor(1)["id"]
NO_WALK = Settings(limits=Limits(walk_depth=0))


def test_a_create_becomes_a_message() -> None:
    world = World()
    got = taken(world.receive(create()))
    message = got.message
    assert (message.thread_id, message.in_reply_to, message.recipient) == (
        f"{NOTE}/activity",
        None,
        "@helper@agents.example",
    )
    assert (message.sender.address, message.sender.verified) == ("@alice@social.example", False)
    assert message.parts == (TextPart(content="<p>Hello</p>", mime="text/html"),)
    assert message.recipient_capabilities.mention_relay == AddressingRelay(envelope_fields=("to", "cc"))
    assert (message.received_via, message.received_at) == ("activitypub", "2026-11-21T20:56:00Z")
    assert message.raw["activity"] == create()
    assert (got.native_id, got.diagnostics, message.history) == (f"{NOTE}/activity", (), None)
    assert (got.verdict.method, got.verdict.verified, got.verdict.code) == ("none", False, "unsigned")


def test_recipients_actor_and_parent_go_out_in_one_batch() -> None:
    world, batches = World(ancestor(1)), []
    activity = create(note(inReplyTo=PARENT))

    def answer_batch(answer: Any, batch: Any) -> Any:
        batches.append([type(ask).__name__ for ask in batch])
        return map(answer, batch)

    body = json.dumps(activity).encode()
    request = activitypub_request(body)
    got = drive(activitypub.receive(request, now=NOW, entropy=ENTROPY), world.answer, map=answer_batch)
    assert not isinstance(got, Rejected)
    assert batches == [["FindAgent", "Fetch", "Fetch"], ["FindAgent"], ["FindMessage"] * 3 + ["FindHistory"]]


def activitypub_request(body: bytes) -> HttpRequest:
    return HttpRequest(method="POST", url="https://agents.example/inbox", body=body)


def test_an_object_named_by_its_id_is_asked_for_together_with_the_actor() -> None:
    world = World(note(**{"@context": AS2}))
    got = taken(world.receive(create(NOTE)))
    assert got.message.parts == (TextPart(content="<p>Hello</p>", mime="text/html"),)
    assert got.message.raw["activity"]["object"]["content"] == "<p>Hello</p>"
    assert world.urls == [NOTE, ALICE]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Failed("timeout"), "lookup-failed"),
        (fetched(note(**{"@context": AS2}), status=503), "lookup-failed"),
        (fetched(note(**{"@context": AS2}), status=404), "object-unresolvable"),
        (fetched(note(**{"@context": AS2}), content_type="text/html"), "object-unresolvable"),
        (fetched(note(**{"@context": AS2}), "https://evil.example/notes/2"), "object-unresolvable"),
        (fetched(note("https://social.example/notes/3", **{"@context": AS2}), NOTE), "object-unresolvable"),
        (fetched(note(attributedTo=BOB, **{"@context": AS2})), "author-mismatch"),
        (fetched(note(type="Place", **{"@context": AS2})), "unsupported-object"),
    ],
)
def test_a_named_object_must_be_what_its_id_promised(answer: Any, code: str) -> None:
    assert refused(World(answers={NOTE: answer}).receive(create(NOTE))) == code


def test_a_named_object_of_another_origin_is_never_asked_for() -> None:
    world = World()
    assert refused(world.receive(create("https://evil.example/notes/2"))) == "origin-mismatch"
    assert world.asked == []


@pytest.mark.parametrize(
    ("answer", "code", "status"),
    [
        (Failed("timeout"), "sender-unresolvable", 503),
        (fetched(actor(), status=410), "sender-gone", 403),
        (fetched(actor(), status=404), "sender-unresolvable", 503),
        (fetched(actor("https://social.example/users/eve"), ALICE), "sender-unresolvable", 503),
        (fetched(actor(preferredUsername="a b")), "sender-unaddressable", 422),
    ],
)
def test_a_sender_without_an_address_is_refused(answer: Any, code: str, status: int) -> None:
    got = World(answers={ALICE: answer}).receive(create())
    assert isinstance(got, Rejected)
    assert (got.code, got.http_status, got.temporary) == (code, status, status == 503)


@pytest.mark.parametrize(
    ("answer", "is_permanent"),
    [
        (Failed("timeout"), False),
        (fetched(actor(), status=500), False),
        (fetched(actor(), status=404), True),
        (fetched(actor(), content_type="text/html"), True),
        (Failed("refused", temporary=False), True),
    ],
)
def test_a_refusal_says_whether_the_missing_sender_looks_gone_for_good(answer: Any, is_permanent: bool) -> None:
    got = World(answers={ALICE: answer}).receive(create())
    assert isinstance(got, Rejected)
    assert got.code == "sender-unresolvable"
    assert ("looks permanent" in got.problems[0].rule) is is_permanent


def test_what_is_for_nobody_here_is_taken_all_the_same() -> None:
    got = World().receive(create(note(to=[PUBLIC]), to=[BOB]))
    assert isinstance(got, Rejected)
    assert (got.code, got.http_status) == ("recipient-elsewhere", 202)


def test_a_given_recipient_is_not_looked_up() -> None:
    world = World()
    got = taken(world.receive(create(note(to=[PUBLIC]), to=[PUBLIC]), recipient="@other@agents.example"))
    assert got.message.recipient == "@other@agents.example"
    assert not any(isinstance(ask, FindAgent) for ask in world.asked)


def test_each_served_recipient_gets_a_message_of_its_own() -> None:
    world = World()
    world.agents["https://agents.example/actors/rain"] = "@rain@agents.example"
    got = taken(world.receive(create(note(tag={"type": "Mention", "href": "https://agents.example/actors/rain"}))))
    assert [message.recipient for message in got.messages] == ["@helper@agents.example", "@rain@agents.example"]
    assert len({message.id for message in got.messages}) == 2


def test_two_names_of_one_agent_give_one_message() -> None:
    world = World()
    world.agents["https://agents.example/@helper"] = "@helper@agents.example"
    assert len(taken(world.receive(create(cc="https://agents.example/@helper"))).messages) == 1


def test_a_redelivery_keeps_its_id() -> None:
    world = World()
    world.messages[f"{NOTE}/activity"] = StoredMessage(id="known", thread_id="t", sender="@alice@social.example")
    got = taken(world.receive(create()))
    assert (got.message.id, codes(got.diagnostics)) == ("known", ["redelivered"])


@pytest.mark.parametrize(
    "document",
    [note(), NOTE],
    ids=["embedded", "fetched"],
)
def test_a_message_may_be_named_by_the_id_of_its_object(document: object) -> None:
    got = taken(World(note(**{"@context": AS2})).receive(create(document)))
    assert (got.native_id, got.aliases) == (f"{NOTE}/activity", (NOTE,))


def test_an_object_with_the_id_of_its_activity_is_no_alias() -> None:
    got = taken(World().receive(create(id=NOTE)))
    assert (got.native_id, got.aliases) == (NOTE, ())


def test_a_reply_finds_what_it_answers_under_an_alias() -> None:
    world = World()
    first = taken(world.receive(create()))
    message = first.message
    for native_id in (first.native_id, *first.aliases):
        world.messages[native_id] = StoredMessage(
            id=message.id, thread_id=message.thread_id, sender=message.sender.address
        )
    answer = note(f"{NOTE}/answer", inReplyTo=NOTE)
    reply = taken(world.receive(create(answer, id=f"{NOTE}/answer/activity"), settings=NO_WALK)).message
    assert (reply.thread_id, reply.in_reply_to) == (message.thread_id, message.id)


def test_a_reply_without_a_named_thread_joins_that_of_a_known_root_or_parent() -> None:
    world = World(ancestor(2, inReplyTo=PARENT), ancestor(1))
    world.messages[ancestor(2)["id"]] = StoredMessage(id="parent", thread_id="t2", sender="@alice@social.example")
    got = taken(world.receive(create(note(inReplyTo=ancestor(2)["id"]))))
    assert (got.message.thread_id, got.message.in_reply_to) == ("t2", "parent")
    world.messages[PARENT] = StoredMessage(id="root", thread_id="t1", sender="@alice@social.example")
    got = taken(world.receive(create(note(inReplyTo=ancestor(2)["id"]))))
    assert (got.message.thread_id, got.message.in_reply_to) == ("t1", "parent")
    got = taken(world.receive(create(note(inReplyTo=ancestor(2)["id"], conversation="tag:x,1:y"))))
    assert (got.message.thread_id, got.message.in_reply_to) == ("tag:x,1:y", "parent")


def test_history_is_what_was_walked_with_the_agents_own_turns_as_assistant() -> None:
    own = "https://agents.example/notes/1"
    answer = ancestor(2, id=own, attributedTo=HELPER, inReplyTo=PARENT)
    world = World(answer, ancestor(1))
    got = taken(world.receive(create(note(inReplyTo=own))))
    assert got.message.history is not None
    assert [(turn.role, turn.sender.address) for turn in got.message.history] == [
        ("user", "@alice@social.example"),
        ("assistant", "@helper@agents.example"),
    ]
    assert world.urls == [ALICE, own, PARENT]
    assert [ask.native_id for ask in world.asked if isinstance(ask, FindAgent)] == [HELPER, ALICE]
    short = Settings(history=HistoryPolicy(max_messages=1))
    got = taken(world.receive(create(note(inReplyTo=own)), settings=short))
    assert [turn.role for turn in got.message.history or ()] == ["assistant"]
    assert codes(got.diagnostics) == ["history-trimmed"]


def test_no_walk_means_no_history() -> None:
    world = World(ancestor(1))
    got = taken(world.receive(create(note(inReplyTo=PARENT)), settings=Settings(limits=Limits(walk_depth=0))))
    assert (got.message.history, got.message.thread_id, world.urls) == (None, PARENT, [ALICE])


def test_the_network_budget_bounds_the_walk() -> None:
    documents = [ancestor(number, inReplyTo=ancestor(number - 1)["id"]) for number in range(1, 9)]
    world = World(*documents)
    activity = create(note(inReplyTo=ancestor(8)["id"]))
    got = taken(world.receive(activity, settings=Settings(limits=Limits(asks=3))))
    assert len(world.urls) == 3
    assert codes(got.diagnostics) == ["lookup-unanswered"]
    world = World(*documents)
    assert refused(world.receive(activity, settings=Settings(limits=Limits(asks=0)))) == "sender-unresolvable"
    assert world.urls == []


@pytest.mark.parametrize(
    ("headers", "members", "code"),
    [
        ({}, {}, "unsigned"),
        ({"Signature": 'keyId="k"'}, {}, "signature-malformed"),
        ({"Signature-Input": 'sig1=("@method")'}, {}, "signature-malformed"),
        ({}, {"proof": {"type": "DataIntegrityProof"}}, "algorithm-refused"),
        ({}, {"signature": {"type": "RsaSignature2017"}}, "unsigned"),
    ],
)
def test_nothing_is_verified_and_the_verdict_says_why(
    headers: dict[str, str], members: dict[str, Any], code: str
) -> None:
    got = taken(World().receive(create(**members), headers=headers))
    assert (got.verdict.method, got.verdict.verified, got.verdict.code) == ("none", False, code)
    assert got.message.raw.keys().isdisjoint(("signature", "proof")) == (code == "unsigned")


def test_what_is_odd_about_the_sender_is_told() -> None:
    world = World(actor(name="@bob@bank.example"))
    assert codes(taken(world.receive(create())).diagnostics) == ["name-holds-address"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid-json"),
        (b"[]", "malformed"),
        (b"\xff", "not-utf8"),
        (b'{"a": 1, "a": 2}', "duplicate-member"),
        (b"[" * 100 + b"]" * 100, "too-deep"),
        (b'{"type": "Create", "n": 9007199254740993}', "unsafe-number"),
        (b'"' + b"x" * 1_048_576 + b'"', "too-large"),
    ],
)
def test_bytes_that_are_no_activity_are_refused(body: bytes, code: str) -> None:
    world = World()
    assert refused(world.receive(body)) == code
    assert world.asked == []


def test_ignored_activities_are_answered_kindly() -> None:
    got = World().receive(create(NOTE, type="Arrive"))
    assert isinstance(got, Rejected)
    assert (got.code, got.http_status) == ("unsupported-activity", 202)


def test_a_caller_who_misuses_the_door_is_told() -> None:
    with pytest.raises(UsageError, match="entropy"):
        drive(activitypub.receive(activitypub_request(b"{}"), now=NOW, entropy=b""), World().answer)
    with pytest.raises(UsageError, match="must be"):
        drive(
            activitypub.receive(activitypub_request(json.dumps(create()).encode()), now=NOW, entropy=ENTROPY),
            lambda _: 5,
        )
    with pytest.raises(UsageError, match="not an agent address"):
        World().receive(create(), recipient="helper")
    with pytest.raises(UsageError, match="request must be an HttpRequest"):
        drive(activitypub.receive(b"{}", now=NOW, entropy=ENTROPY), World().answer)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="settings must be Settings"):
        World().receive(create(), settings=Limits())  # type: ignore[arg-type]


@pytest.mark.parametrize("fragment", ["#" + "x" * 100_000, "#\u0000", "#a b"], ids=["huge", "control", "blank"])
def test_an_ancestor_under_an_id_that_is_none_is_not_read(fragment: str) -> None:
    world = World(answers={PARENT: fetched(ancestor(1, id=PARENT + fragment), PARENT)})
    got = taken(world.receive(create(note(inReplyTo=PARENT))))
    assert (got.message.thread_id, got.message.history, codes(got.diagnostics)) == (PARENT, None, ["lookup-unanswered"])


def test_odd_bytes_in_a_signature_are_carried_as_text() -> None:
    headers = {"Signature": 'keyId="\udcff\x00\ud800",headers="date \udce9"'}
    message = taken(World().receive(create(), headers=headers)).message
    assert message.raw["signature"]["headers"][0] == "date"
    assert json.loads(dumps(message))["raw"] == message.raw


def test_messages_of_one_sender_share_no_document() -> None:
    world = World()
    first = taken(world.receive(create())).message
    first.raw["actor"]["name"] = "changed"
    assert taken(world.receive(create())).message.raw["actor"] == actor()


def test_the_walk_asks_the_store_for_root_and_parent() -> None:
    world = World(ancestor(1))
    world.receive(create(note(inReplyTo=PARENT)))
    assert [ask.native_id for ask in world.asked if isinstance(ask, FindMessage)] == [
        f"{NOTE}/activity",
        NOTE,
        PARENT,
    ]
