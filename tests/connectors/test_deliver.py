from datetime import UTC, datetime

import pytest

from mentionable import (
    AgentChain,
    Answers,
    Failed,
    HistoricalMessage,
    NoRelay,
    Received,
    SenderProfile,
    Settings,
    StoredMessage,
    TextPart,
    UsageError,
    directory,
    drive,
    replace,
)
from mentionable.connectors import (
    Account,
    ConnectorSettings,
    PlatformEvent,
    ReceiveContext,
    RemoteFile,
    account_address,
    deliver_event,
    read_json,
)
from mentionable.connectors.files import FileKey

NOW = datetime(2026, 11, 21, tzinfo=UTC)
AGENT = "@helper@agents.example"
KEY = FileKey.from_secret(bytes(range(32)), key_id="k")
HEARD = PlatformEvent(
    event_id="tavern:9",
    native_id="tavern:5/17/9",
    thread_id="tavern:5/17",
    account=Account(
        platform="tavern",
        address=account_address("42", "house5", "tavern"),
        subject="tavern:5/42",
        method="urn:mentionable:auth:tavern-guest:v0.1",
        profile=SenderProfile(display_name="Alice"),
    ),
    parts=(TextPart(content="Will it rain?\nAnd snow?"),),
    raw=lambda: {"platform": "tavern"},
    workspace="5",
    channel="17",
)


def intake(**facts):
    whole = {"now": NOW, "entropy": bytes(32), "settings": Settings(), "issuer": "tavern.agents.example", **facts}
    return ReceiveContext(**whole)


def delivered(heard=HEARD, *, answers=(), **facts):
    world = {"find_agent": directory({"tavern:5": AGENT}), "use_once": lambda ask: "first", **dict(answers)}
    return drive(deliver_event(heard, intake(**facts), candidates=("tavern:5",)), Answers(**world))


def codes(got):
    return [note.code for note in got.diagnostics]


def test_what_was_heard_is_a_message_with_evidence():
    got = delivered(agent_chain=AgentChain(hop=1, max_hops=2, is_final=False))
    assert isinstance(got, Received)
    (shown,) = got.identities
    assert (shown.subject, shown.audience, shown.id) == ("tavern:5/42", AGENT, "tavern:9")
    assert got.message.parts[0].content == "Will it rain?\nAnd snow?"
    assert got.message.recipient_capabilities.agent_chain.max_hops == 2
    assert (got.verdict.code, got.diagnostics, got.message.raw) == ("platform-only", (), {"platform": "tavern"})


def test_a_retry_is_a_redelivery_with_the_same_id():
    first = delivered().message
    known = StoredMessage(id=first.id, thread_id=first.thread_id, sender=first.sender.address)
    again = delivered(answers={"find_message": lambda ask: known}, entropy=bytes(range(32)))
    assert (again.message.id, codes(again)) == (first.id, ["redelivered"])


def test_an_event_counts_once():
    assert delivered(answers={"use_once": lambda ask: "other"}).code == "unsupported-event"
    assert delivered(answers={"use_once": lambda ask: Failed("away")}).code == "lookup-failed"


def test_nobody_served_is_rejected_and_a_named_agent_is_not_looked_for():
    assert delivered(answers={"find_agent": lambda ask: None}).code == "no-served-recipient"
    got = delivered(recipient="@rain@agents.example", answers={"find_agent": lambda ask: pytest.fail("asked")})
    assert got.message.recipient == "@rain@agents.example"


@pytest.mark.parametrize(
    ("heard", "facts", "why"),
    [({"withheld": "42: a robot"}, {}, "42: a robot"), ({}, {"issuer": None}, "no issuer is set")],
)
def test_evidence_that_is_withheld_is_told(heard, facts, why):
    got = delivered(replace(HEARD, **heard), **facts)
    assert (got.identities, got.message.sender.identities) == ((), None)
    assert [(note.code, note.detail) for note in got.diagnostics] == [("evidence-withheld", why)]


def test_evidence_can_be_required():
    strict = Settings(require_verified=True)
    assert delivered(settings=strict).identities
    nobody = replace(HEARD, withheld="42: a robot")
    got = delivered(nobody, settings=strict)
    assert (got.code, got.verdict.detail) == ("verification-required", "42: a robot")
    assert delivered(replace(nobody, may_be_verified_later=True), settings=strict).code == "lookup-failed"


def test_files_go_out_behind_urls_of_the_connector():
    heard = replace(HEARD, files=(RemoteFile.parse("F1", "/files/0", name="a.pdf", mime="application/pdf", size=3),))
    part = delivered(heard, files=KEY).message.parts[1]
    assert part.bytes_ref.url.startswith("https://tavern.agents.example/api/tavern/files/")
    assert codes(delivered(heard)) == ["part-unsupported"]
    assert codes(delivered(heard, files=KEY, issuer=None)) == ["part-unsupported", "evidence-withheld"]


def test_nothing_said_is_no_message():
    silent = replace(HEARD, parts=())
    assert delivered(silent).code == "unsupported-event"
    held = RemoteFile.parse("F1", "/files/0", name="a.pdf", mime="application/pdf", size=3)
    assert delivered(replace(silent, files=(held,), channel=None)).code == "part-unsupported"


def test_history_may_come_from_the_program():
    said = delivered().message
    turn = HistoricalMessage(
        id="t", role="user", sender=said.sender, parts=said.parts, timestamp="2026-11-20T00:00:00Z"
    )
    heard = replace(HEARD, mention_relay=NoRelay())
    got = delivered(heard, answers={"find_history": lambda ask: (turn,)})
    assert got.message.history == (turn,)


def test_what_the_platform_tells_of_the_conversation_is_all_of_it():
    said = delivered().message
    turn = HistoricalMessage(role="user", sender=said.sender, parts=said.parts, timestamp="2026-11-20T00:00:00Z")
    got = delivered(replace(HEARD, history=(turn,)), answers={"find_history": lambda ask: pytest.fail("asked")})
    assert got.message.history == (turn,)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"[" * 200_000, "too-deep"),
        (b"[]", "wrong-type"),
        (b"x", "invalid-json"),
        (b'{"a": 1, "a": 2}', "duplicate-member"),
        (b"\xff", "not-utf8"),
    ],
)
def test_hostile_bodies_are_rejected(body, code):
    assert read_json(body, settings=Settings()).code == code


def test_a_body_is_an_object_of_some_length():
    assert read_json(b'{"a": 1}', settings=Settings()) == {"a": 1}
    assert read_json(b'{"a": 1}', settings=Settings(), max_bytes=7).code == "too-large"


def test_the_settings_of_a_connector_say_how_long_a_body_may_be():
    own = ConnectorSettings(body_bytes=7)
    assert read_json(b'{"a": 1}', settings=own).code == "too-large"
    assert read_json(b'{"a": 1}', settings=own, max_bytes=8) == {"a": 1}
    long = b" " * 1_048_576 + b"{}"
    assert read_json(long, settings=ConnectorSettings(body_bytes=len(long))) == {}


@pytest.mark.parametrize(
    "facts",
    [
        {"now": NOW.replace(tzinfo=None)},
        {"entropy": b"short"},
        {"settings": None},
        {"issuer": "tavern.internal"},
        {"recipient": "helper"},
        {"agent_chain": {}},
        {"files": b"key"},
    ],
)
def test_mistakes_of_the_program_are_told(facts):
    with pytest.raises(UsageError):
        intake(**facts)


def test_no_key_stands_in_the_repr():
    assert repr(KEY) not in repr(intake(files=KEY))
