import json

import pytest

from mentionable import (
    AgentChain,
    Answers,
    Diagnostic,
    Failed,
    Handshake,
    HistoryPolicy,
    HttpRequest,
    Rejected,
    Settings,
    SigningKey,
    StoredMessage,
    UsageError,
    UseOnce,
    drive,
    encode,
)
from mentionable.connectors import discord
from tests.connectors.discord_events import (
    AGENT,
    ALICE,
    EVENT,
    FILES,
    NOW,
    OTHER,
    SETTINGS,
    codes,
    direct,
    interaction,
    message,
    received,
    settings,
    signed,
    text_of,
)

# --- handshakes


def test_a_ping_is_answered():
    outcome = received(signed({"type": 1}))
    assert isinstance(outcome, Handshake)
    assert (outcome.response.status, outcome.response.body) == (200, b'{"type":1}')
    assert outcome.response.header("content-type") == "application/json"


def test_who_is_still_typing_gets_no_choices():
    assert json.loads(received(signed(interaction(type=4))).response.body) == {"type": 8, "data": {"choices": []}}


def test_a_ping_of_the_gateway_is_no_message():
    assert received({"application_id": "700", "type": 1}).code == "unsupported-event"


def test_an_answer_can_be_deferred():
    assert json.loads(discord.defer().body) == {"type": 5}
    assert json.loads(discord.defer(ephemeral=True).body) == {"type": 5, "data": {"flags": 64}}


# --- what becomes of a unit


def test_a_command_becomes_a_message_with_evidence():
    got = received(signed(interaction()))
    said = got.message
    assert (said.recipient, said.received_via, said.thread_id) == (AGENT, "connector", "discord:500")
    assert got.native_id == f"discord:500/{EVENT}"
    assert (said.sender.address, said.sender.auth_method, said.sender.verified) == (
        "@42@300.discord.invalid",
        "none",
        False,
    )
    assert said.recipient_capabilities.mention_relay.kind == "inline"
    (shown,) = said.sender.identities
    assert encode(shown) == {
        "subject": "discord:300/42",
        "issuer": "discord.agents.example",
        "method": "urn:mentionable:auth:discord-guild-member:v0.1",
        "assurance": "platform",
        "audience": AGENT,
        "issued_at": "2026-11-21T20:56:00Z",
        "proof": {"type": "transport", "verified_by": "discord"},
        "id": f"discord:{EVENT}",
        "source": {"transport": "discord", "connector": "discord-connector", "channel": "500"},
        "claims": {
            "profile": {
                "display_name": "Al",
                "username": "alice",
                "locale": "en-GB",
                "provider": "discord",
                "provider_subject": "discord:300/42",
                "extensions": {"discord": {"guild_id": "300", "user_id": "42"}},
            }
        },
    }
    assert [one.subject for one in got.identities] == ["discord:300/42"]
    assert (got.verdict.code, got.verdict.method, got.diagnostics) == ("platform-only", "none", ())


def test_raw_holds_ids_and_short_words_alone():
    assert received(signed(interaction())).message.raw == {
        "platform": "discord",
        "kind": "command",
        "type": 2,
        "id": EVENT,
        "channel_id": "500",
        "guild_id": "300",
        "timestamp": "2024-11-23T21:52:18.623Z",
        "application_id": "700",
        "name": "ask",
    }


def test_a_direct_message_is_by_a_user_and_always_heard():
    got = received(direct())
    (shown,) = got.message.sender.identities
    assert got.message.sender.address == "@42@dm.discord.invalid"
    assert (shown.subject, shown.method) == ("discord:dm/42", "urn:mentionable:auth:discord-user:v0.1")
    assert shown.claims["profile"]["extensions"] == {"discord": {"user_id": "42"}}


@pytest.mark.parametrize("wrap", [dict, lambda said: {"op": 0, "s": 1, "t": "MESSAGE_CREATE", "d": said}])
def test_a_message_of_the_gateway_is_taken_with_or_without_its_envelope(wrap):
    assert text_of(wrap(message())) == "Hi <@700>"


def test_an_interaction_of_the_gateway_is_taken():
    assert text_of({"t": "INTERACTION_CREATE", "d": interaction()}) == "Hi"


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        ({"t": "MESSAGE_UPDATE", "d": message()}, "unsupported-event"),
        ({"t": "MESSAGE_CREATE", "d": []}, "unsupported-event"),
        ({"x": {1, 2}}, "malformed"),
        (signed(b"[]"), "wrong-type"),
        (signed(b"{"), "invalid-json"),
        (signed({}), "missing-member"),
        ({}, "missing-member"),
    ],
)
def test_what_is_no_event_is_rejected(unit, code):
    assert received(unit).code == code


@pytest.mark.parametrize("listen_to", ["mentions", "everything"])
def test_a_message_that_does_not_name_the_bot_is_heard_where_all_are(listen_to):
    outcome = received(message("Hi all", mentions=[]), own=settings(listen_to=listen_to))
    assert isinstance(outcome, Rejected) == (listen_to == "mentions")


def test_an_answer_to_the_bot_is_heard():
    asked = message("And then?", mentions=[], referenced_message={"author": {"id": "700"}})
    assert text_of(asked) == "And then?"
    other = message("And then?", mentions=[], referenced_message={"author": {"id": "9"}})
    assert received(other).code == "unsupported-event"
    assert received(message("And then?", mentions=[], referenced_message=None)).code == "unsupported-event"


def test_a_program_is_heard_when_it_names_the_bot_and_gets_no_evidence():
    got = received(message(author={"id": "9", "username": "bot", "bot": True}))
    assert codes(got) == ["loop-risk", "evidence-withheld"]
    assert (got.message.sender.identities, got.identities) == (None, ())
    assert encode(got.message.sender.profile) == {"display_name": "Al", "provider": "discord"}
    everything = settings(listen_to="everything")
    rude = message("Hi", mentions=[], author={"id": "9", "bot": True})
    assert received(rude, own=everything).code == "unsupported-event"


def test_a_webhook_may_call_itself_anything_and_is_nobody():
    got = received(message(webhook_id="9", author={"id": "9", "username": "Alice A"}, member=None))
    assert got.message.sender.identities is None


def test_who_is_not_shown_as_a_member_gets_no_evidence():
    got = received(message(member=None))
    assert codes(got) == ["evidence-withheld"]
    assert got.message.sender.identities is None


def test_verification_can_be_required():
    strict = settings(require_verified=True)
    assert received(message(), own=strict).message
    outcome = received(message(member=None), own=strict)
    assert (outcome.code, outcome.verdict.code) == ("verification-required", "platform-only")


def test_a_name_that_shows_another_address_is_noted():
    got = received(message(member={"nick": "bob@bank.example"}))
    assert codes(got) == ["name-holds-address"]


def test_the_caller_may_know_the_agent_and_the_chain():
    chain = AgentChain(hop=1, max_hops=3, is_final=False)
    flow = discord.receive(
        message(), now=NOW, entropy=bytes(32), recipient="other@agents.example", agent_chain=chain, settings=SETTINGS
    )
    said = drive(flow, Answers(use_once=lambda ask: "first")).message
    assert (said.recipient, said.recipient_capabilities.agent_chain) == ("@other@agents.example", chain)


def test_the_agent_is_asked_for_by_the_application():
    asked = []
    received(message(), find_agent=lambda ask: asked.append(ask.native_id) or AGENT)
    assert asked == ["discord:700"]
    assert received(message(), find_agent=lambda ask: None).code == "no-served-recipient"
    assert received(message(), find_agent=lambda ask: Failed("away")).code == "lookup-failed"


# --- once


def test_an_event_counts_once():
    asked = []
    received(message(), use_once=lambda ask: asked.append(ask) or "first")
    assert asked == [UseOnce(key=f"discord:message:500/{EVENT} 700", binding=f"discord:{EVENT}", until=asked[0].until)]
    assert asked[0].until > NOW
    assert received(message(), use_once=lambda ask: "other").code == "unsupported-event"
    assert received(message(), use_once=lambda ask: Failed("away")).code == "lookup-failed"


def test_a_redelivery_keeps_its_id():
    known = StoredMessage(id="m1", thread_id="discord:500", sender="@42@300.discord.invalid")
    got = received(message(), find_message=lambda ask: known)
    assert (got.message.id, codes(got)) == ("m1", ["redelivered"])


def test_what_it_answers_is_named():
    reference = {"type": 0, "message_id": OTHER, "channel_id": "500"}
    assert received(message(type=19, message_reference=reference)).message.in_reply_to == f"discord:500/{OTHER}"
    here = {"message_id": OTHER}
    assert received(message(type=19, message_reference=here)).message.in_reply_to == f"discord:500/{OTHER}"
    for odd in ({"message_id": "x"}, "x", {"type": 1, "message_id": OTHER}):
        assert received(message(message_reference=odd)).message.in_reply_to is None


# --- what is not for the agent


@pytest.mark.parametrize(
    "changes",
    [
        {"author": {"id": "700", "bot": True}},
        {"author": {"id": "700"}},
        {"author": {"id": "9", "bot": True}, "application_id": "700"},
        {"author": {"id": "700"}, "webhook_id": "700"},
    ],
)
def test_what_the_agent_said_itself_is_never_a_message(changes):
    assert received(message(**changes)).code == "own-message"


@pytest.mark.parametrize("kind", [1, 2, 6, 7, 8, 9, 10, 11, "0", None, True, 0.5])
def test_what_discord_says_itself_is_no_message(kind):
    assert received({**message(), "type": kind}).code == "unsupported-event"


@pytest.mark.parametrize("kind", [0, 19, 20, 23])
def test_what_somebody_says_is_a_message(kind):
    assert received(message(type=kind)).message


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"id": None}, "missing-member"),
        ({"id": 5}, "missing-member"),
        ({"channel_id": "0"}, "missing-member"),
        ({"author": {"id": "x"}}, "missing-member"),
        ({"author": []}, "missing-member"),
        ({"content": 5}, "wrong-type"),
        ({"content": ""}, "unsupported-event"),
        ({"content": " \n"}, "unsupported-event"),
        ({"content": None}, "unsupported-event"),
    ],
)
def test_a_message_that_is_broken_or_empty_is_rejected(changes, code):
    assert received(message(**changes)).code == code


def test_a_sticker_without_a_name_is_nothing_that_an_agent_can_read():
    assert received(message("", sticker_items=[{}])).code == "part-unsupported"


def test_a_sticker_is_read_by_its_name():
    assert text_of(message("", sticker_items=[{"name": "wave"}])) == "[sticker: wave]"


@pytest.mark.parametrize("kind", [3, 4, 18, 22, 24, 46, 99])
def test_words_in_a_message_of_discord_are_by_discord(kind):
    (part,) = received(message("A title", type=kind)).message.parts
    assert (part.content, part.extra["written_by"]) == ("A title", {"display_name": "Discord"})
    assert received(message("", type=kind)).code == "unsupported-event"


def test_content_that_is_no_text_costs_itself_alone():
    got = received(message(5, sticker_items=[{"name": "wave"}]))
    assert (got.message.parts[0].content, codes(got)) == ("[sticker: wave]", ["wrong-type"])


# --- files


def test_files_are_given_out_by_the_connector_alone():
    held = {
        "id": "8",
        "filename": "a/report.pdf",
        "content_type": "application/pdf; x=1",
        "size": 12,
        "url": "https://cdn.discordapp.com/attachments/500/8/report.pdf?hm=canary",
    }
    got = received(message(attachments=[held, {"id": "x"}, "x"]), own=settings(files=FILES))
    part = got.message.parts[1]
    assert (part.name, part.mime, part.size_bytes) == ("report.pdf", "application/pdf", 12)
    assert part.bytes_ref.url.startswith("https://discord.agents.example/api/discord/files/")
    assert part.bytes_ref.expires_at == "2026-11-21T21:01:00Z"
    assert "canary" not in repr(encode(got.message))


def test_without_a_key_files_are_named_in_diagnostics():
    got = received(message(attachments=[{"id": "8", "filename": "report.pdf", "size": 1.5}]))
    assert got.diagnostics == (
        Diagnostic(
            code="part-unsupported",
            at="/attachments/0",
            detail="report.pdf (application/octet-stream) is held by the platform, and no URL can be issued",
        ),
    )


def test_a_file_alone_is_a_message_when_it_is_given_out():
    held = message("", attachments=[{"id": "8"}])
    assert received(held, own=settings(files=FILES)).message.parts[0].kind == "file"
    assert received(held).code == "part-unsupported"


def test_what_opens_files_is_for_the_connector():
    url = "https://cdn.discordapp.com/attachments/500/8/a.pdf?hm=1"
    one = {"attachments": [{"id": "8", "url": url}, {"id": "x", "url": url}, {"id": "9", "url": "https://a.example/"}]}
    assert discord.sources({**one, "message_snapshots": [{"message": {"attachments": [{"id": "7", "url": url}]}}]}) == {
        "8": url,
        "7": url,
    }
    resolved = {"attachments": {"5": {"id": "5", "url": url}}, "messages": {"6": one, "7": 7}}
    assert discord.sources({"data": {"resolved": resolved}}) == {"5": url, "8": url}
    assert discord.sources({"data": {"resolved": {"attachments": [], "messages": []}}}) == {}
    assert discord.sources({"data": {"resolved": []}, "attachments": [{"id": "8", "url": 5}]}) == {}


# --- history


def listed(*found):
    return lambda ask: list(found)


def test_the_messages_before_are_the_history():
    asked = []

    def call(ask):
        asked.append((ask.name, ask.params))
        return [
            {**message("It did.", author={"id": "700", "bot": True}), "id": "1310000000000000000"},
            {**message("Did it rain?"), "id": "1309999999999999999"},
        ]

    said = received(message(), own=settings(history=HistoryPolicy(max_messages=20)), call_api=call).message
    assert asked == [("GET /channels/500/messages", (("limit", "20"), ("before", EVENT)))]
    assert [(turn.role, turn.sender.address, turn.parts[0].content) for turn in said.history] == [
        ("user", "@42@300.discord.invalid", "Did it rain?"),
        ("assistant", AGENT, "It did."),
    ]
    assert said.history[0].sender.identities is None
    assert said.history[0].id == "discord:500/1309999999999999999"
    assert said.history[0].timestamp == "2024-11-23T21:52:18.623Z"


@pytest.mark.parametrize(
    "odd",
    [
        message(id="1", type=7),
        message(id="1", channel_id="9"),
        message(),
        message("", id="1"),
        message(5, id="1"),
        message("half of a pair: \ud800", id="1"),
        {},
        "x",
    ],
)
def test_what_is_no_turn_is_left_out(odd):
    got = received(message(), own=settings(history=HistoryPolicy(max_messages=5)), call_api=listed(odd))
    assert (got.message.history, codes(got)) == (None, ["history-turn-dropped"])


def test_a_file_of_a_turn_is_named():
    before = message("", id="1", attachments=[{"id": "8", "filename": "a.pdf"}, {"id": "9", "content_type": "a/b"}])
    (turn,) = received(
        message(), own=settings(history=HistoryPolicy(max_messages=5)), call_api=listed(before)
    ).message.history
    assert [part.content for part in turn.parts] == ["[file: a.pdf]", "[file: a/b]"]


def test_an_unanswered_call_costs_the_history_alone():
    got = received(message(), own=settings(history=HistoryPolicy(max_messages=5)), call_api=lambda ask: Failed("away"))
    assert (got.message.history, codes(got)) == (None, ["lookup-unanswered"])
    got = received(
        message(),
        own=settings(history=HistoryPolicy(max_messages=5)),
        call_api=lambda ask: {"message": "Missing Access"},
    )
    assert (got.message.history, codes(got)) == (None, [])


def test_history_that_nobody_wants_is_not_asked_for():
    asked = []
    got = received(message(), call_api=lambda ask: asked.append(ask) or [])
    assert (got.message.history, asked) == (None, [])
    own = settings(history=HistoryPolicy(max_messages=500))
    received(message(), own=own, call_api=lambda ask: asked.append(ask) or [])
    assert asked[0].params[0] == ("limit", "100")


# --- the caller's own mistakes


@pytest.mark.parametrize(
    "facts",
    [
        {"unit": b"{}"},
        {"settings": Settings()},
        {"now": NOW.replace(tzinfo=None)},
        {"entropy": b"short"},
        {"recipient": "nobody"},
        {"agent_chain": {}},
    ],
)
def test_mistakes_of_the_program_are_told(facts):
    whole = {"unit": message(), "now": NOW, "entropy": bytes(32), "settings": SETTINGS, **facts}
    with pytest.raises(UsageError):
        discord.receive(whole.pop("unit"), **whole)


def test_the_unit_is_not_changed():
    unit = message(embeds=[{"title": "x"}])
    before = json.dumps(unit)
    received(unit)
    assert json.dumps(unit) == before


def test_evidence_is_attested_for_one_agent():
    key = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
    got = received(message())
    (badge,) = discord.attest(got.message, audience=AGENT, key=key, settings=SETTINGS, now=NOW)
    assert (badge.subject, badge.audience, badge.proof.type) == ("discord:300/42", AGENT, "signed-attestation")
    assert (badge.id, badge.expires_at) == (f"discord:{EVENT}", "2026-11-21T21:01:00.000Z")
    with pytest.raises(UsageError, match="audience"):
        discord.attest(got.message, audience="helper@agents.example", key=key, settings=SETTINGS, now=NOW)
    nobody = received(message(member=None)).message
    assert discord.attest(nobody, audience=AGENT, key=key, settings=SETTINGS, now=NOW) == ()
    with pytest.raises(UsageError, match="Settings of the connector"):
        discord.attest(got.message, audience=AGENT, key=key, settings=Settings(), now=NOW)


def test_a_request_is_needed_for_a_handshake():
    assert isinstance(received(HttpRequest(method="POST", url="https://a.example/")), Rejected)
    assert ALICE["id"] == "42"
