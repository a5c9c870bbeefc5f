"""Whatever comes, an outcome comes of it; and of what is not named, nothing passes on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Handshake, HistoryPolicy, NormalizedResponse, Received, Rejected, SigningKey, dumps, encode
from mentionable.connectors import discord
from tests.connectors.canaries import places
from tests.connectors.discord_events import (
    AGENT,
    ALICE,
    FILES,
    NOW,
    OTHER,
    SETTINGS,
    direct,
    interaction,
    message,
    received,
    settings,
    signed,
)

KEY = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 30) | st.text(max_size=8) | st.sampled_from(["700", "42", "@everyone"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "type", "content", "author", "data", "values", "options"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)
UNITS = [
    message(
        "Hi <@700> <#3>", embeds=[{"title": "t", "url": "https://a.example/", "fields": [{"name": "n", "value": "v"}]}]
    ),
    direct("Hi", attachments=[{"id": "8", "filename": "a.pdf"}], message_snapshots=[{"message": {"content": "x"}}]),
    message("Hi", type=19, message_reference={"message_id": OTHER}, referenced_message={"author": {"id": "700"}}),
    interaction(),
    interaction({"name": "t", "type": 3, "target_id": OTHER, "resolved": {"messages": {OTHER: message("y")}}}),
    interaction(
        {"custom_id": "c", "values": ["42"], "resolved": {"users": {"42": ALICE}}},
        type=3,
        message=message(components=[{"custom_id": "c", "options": [{"value": "42", "label": "x"}]}]),
    ),
    interaction(
        {"name": "a", "options": [{"name": "b", "type": 1, "options": [{"name": "c", "type": 3, "value": "d"}]}]}
    ),
    interaction({"custom_id": "f", "components": [{"component": {"custom_id": "a", "value": "b"}}]}, type=5),
    direct(
        "Hi <t:1>",
        poll={"question": {"text": "q"}, "answers": [{"answer_id": 1, "poll_media": {"text": "a"}}]},
        components=[{"type": 9, "components": [{"type": 10, "content": "c"}], "accessory": {"type": 2, "label": "l"}}],
        sticker_items=[{"id": "8", "name": "s"}],
        thread={"id": "9", "name": "t", "owner_id": "43"},
        interaction_metadata={"id": "1", "user": {"id": "43", "username": "bob"}, "name": "ask"},
    ),
    direct("", type=21, referenced_message={"id": OTHER, "channel_id": "5", "author": ALICE, "content": "w"}),
]
CANARIES = (
    "xoxb-canary-token",
    "canary@private.example",
    "+15550199 canary",
    "https://cdn.discordapp.com/attachments/1/2/canary.pdf?hm=canary",
    "Bearer canary",
)


NAMES = (
    "token",
    "email",
    "phone",
    "url",
    "proxy_url",
    "permissions",
    "access_token",
    "mfa_enabled",
    "premium_type",
    "avatar_decoration_data",
    "waveform",
    "thumbnail",
    "footer",
    "nonce",
    "entitlements",
    "banner",
    "unheard_of",
)


def with_canaries(unit: dict[str, Any], canary: str) -> dict[str, Any]:
    """The unit with a canary in every object, under every name that Discord uses or does not know."""
    whole: dict[str, Any] = json.loads(json.dumps(unit))
    for found in places(whole):
        is_embed = "fields" in found
        for name in NAMES:
            if not (is_embed and name == "url") and name not in found:
                found[name] = canary if name != "thumbnail" else {"url": canary, "inner": [canary]}
    return whole


@pytest.mark.parametrize("canary", CANARIES)
@pytest.mark.parametrize("number", range(len(UNITS)))
def test_what_is_not_named_never_passes_on(number, canary):
    unit = with_canaries(UNITS[number], canary)
    if "application_id" in unit and "author" not in unit:
        unit["token"] = canary
    unit_ = unit if "author" in unit else signed(unit)
    before = [with_canaries(message("earlier", id="1"), canary)]
    own = settings(files=FILES, history=HistoryPolicy(max_messages=5), listen_to="everything")
    got = received(unit_, own=own, call_api=lambda ask: before)
    said = got.message
    assert said.history
    (badge,) = discord.attest(said, audience=AGENT, key=KEY, settings=own, now=NOW)
    out = discord.reply(NormalizedResponse.to(said, "Yes."), to=said)
    everything = [dumps(said).decode(), repr(said), repr(got), dumps(badge).decode(), repr(out), json.dumps(said.raw)]
    everything += [json.dumps(post.params) + post.path for post in out.calls]
    everything += [repr([encode(one) for one in got.identities])]
    assert [text for text in everything if "canary" in text] == []
    assert "canary" in json.dumps(unit)


def test_the_canaries_would_be_seen():
    unit = with_canaries(message("canary"), "x")
    assert "canary" in dumps(received(unit).message).decode()


@pytest.mark.parametrize("odd", [[], {}, [[]], {"a": []}, None, 1.5, True, "", -1, "\u0000"])
@pytest.mark.parametrize("number", range(len(UNITS)))
def test_any_member_may_be_anything(number, odd):
    whole = json.dumps(UNITS[number])
    for place in range(len(places(UNITS[number]))):
        for name in [*places(UNITS[number])[place], "t", "d", "components", "options", "values", "resolved", "type"]:
            unit = json.loads(whole)
            places(unit)[place][name] = odd
            assert is_outcome(received(unit, own=settings(files=FILES)))


def is_outcome(found: Any) -> bool:
    return isinstance(found, (Received, Rejected, Handshake))


@given(st.binary(max_size=60))
def test_any_bytes_have_an_outcome(data):
    assert is_outcome(received(signed(data)))


@given(JSON)
def test_any_json_has_an_outcome(value):
    assert is_outcome(received(signed(value)))
    if isinstance(value, dict):
        assert is_outcome(received(value))


@given(st.data())
def test_any_change_of_an_event_has_an_outcome(data):
    unit = json.loads(json.dumps(data.draw(st.sampled_from(UNITS))))
    for _ in range(data.draw(st.integers(1, 3))):
        found = data.draw(st.sampled_from(places(unit)))
        if found:
            found[data.draw(st.sampled_from(sorted(found)))] = data.draw(JSON)
    outcome = received(unit, own=settings(files=FILES))
    assert is_outcome(outcome)
    if isinstance(outcome, Received):
        answer = discord.reply(NormalizedResponse.to(outcome.message, "Yes."), to=outcome.message)
        assert len(answer.calls) == 1


@given(JSON)
def test_any_answer_of_the_api_is_a_history_or_none(answer):
    if isinstance(answer, (dict, list)):
        assert is_outcome(
            received(message(), own=settings(history=HistoryPolicy(max_messages=5)), call_api=lambda ask: answer)
        )


@given(st.text(max_size=40))
def test_any_text_comes_in_and_goes_out(text):
    outcome = received(direct(text))
    assert is_outcome(outcome)
    if isinstance(outcome, Received):
        out = discord.reply(NormalizedResponse.to(outcome.message, text), to=outcome.message)
        assert all(post.params["allowed_mentions"]["parse"] == [] for post in out.calls)


def test_settings_stay_as_they_are():
    before = repr(SETTINGS)
    received(message())
    assert repr(SETTINGS) == before
