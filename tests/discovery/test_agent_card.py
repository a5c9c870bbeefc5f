"""The card of a Mentionable agent."""

from __future__ import annotations

import json

import pytest

from mentionable import DecodeError, Limits, Settings, UsageError, WireError, replace
from mentionable.discovery import (
    A2AAuth,
    A2ASection,
    ActivityPubSection,
    AgentCard,
    AgentExtension,
    Capabilities,
    Icon,
    MentionableSection,
    Mode,
    RestSection,
    Skill,
    agent_card_response,
    read_agent_card,
    sign_card,
    write_a2a_card,
    write_agent_card,
)
from tests.discovery.cards import A2A, ADDRESS, CARD, ED25519, RPC

FULL = AgentCard(
    address=ADDRESS,
    name="Helper",
    version="1.2.3",
    description="Helps.",
    icon=Icon(url="https://agents.example/i.png", mime="image/png"),
    a2a=A2ASection(
        endpoint=RPC,
        transport="https+sse",
        protocol_version="1.0",
        capabilities=Capabilities(
            streaming=True,
            push_notifications=False,
            state_transition_history=True,
            extensions=(AgentExtension(uri="https://x.example", required=True, params={"a": [1]}),),
        ),
        skills=(Skill(id="rain", name="Rain", examples=("Will it rain?",), input_modes=(Mode(kind="link"),)),),
        input_modes=(Mode(kind="text", mime="text/plain"), Mode(kind="file", mime="image/png")),
        output_modes=(Mode(kind="artifact", mime="text/html", artifact_type="page"), Mode(kind="hologram")),
        auth=A2AAuth(
            scheme="oauth2",
            issuer="https://login.example",
            authorization_endpoint="https://login.example/a",
            token_endpoint="https://login.example/t",
            scopes=("x",),
        ),
    ),
    activitypub=ActivityPubSection(actor="https://agents.example/helper", inbox="https://agents.example/inbox"),
    mentionable=MentionableSection(
        supported_inbound=("a2a", "rest"),
        homepage="https://agents.example",
        rest=RestSection(endpoint="https://agents.example/rest"),
        signing_keys=({"kid": "1"},),
        identity_policy=({"issuer": "x.example"},),
    ),
    ext={"x": None},
    extra={"later": [1, {"b": True}]},
)


@pytest.mark.parametrize("card", [CARD, FULL])
def test_what_is_written_is_read(card):
    assert read_agent_card(agent_card_response(card).body) == card
    assert read_agent_card(write_agent_card(card)) == card


def test_it_is_served_to_everybody():
    response = agent_card_response(CARD)
    assert response.status == 200
    assert response.header("content-type") == "application/json"
    assert response.header("access-control-allow-origin") == "*"
    assert (response.header("etag") or "").startswith('"')
    assert response.header("etag") != agent_card_response(FULL).header("etag")


def test_unknown_members_stay_where_they_were():
    document = write_agent_card(CARD)
    document["a2a"]["later"] = {"x": 1}
    card = read_agent_card(document)
    assert card.a2a.extra == {"later": {"x": 1}}
    assert write_agent_card(card) == document


def test_every_fault_is_told_with_its_place():
    document = write_agent_card(CARD)
    document["address"] = "helper@agents.example"
    document["a2a"]["endpoint"] = "http://agents.example"
    document["a2a"]["input_modes"] = [{"kind": "file"}]
    document["a2a"]["auth"] = {"scheme": "bearer-jwt", "issuer": "https://login.example"}
    del document["mentionable"]
    with pytest.raises(DecodeError) as caught:
        read_agent_card(document)
    assert {problem.at for problem in caught.value.problems} == {
        "/address",
        "/a2a/endpoint",
        "/a2a/input_modes/0",
        "/a2a/auth",
        "/mentionable",
    }


def test_how_callers_show_who_they_are_must_be_said():
    with pytest.raises(TypeError, match="auth"):
        A2ASection(endpoint="https://agents.example/a2a", transport="https+jsonrpc")


def test_a_card_says_how_callers_show_who_they_are():
    document = write_agent_card(CARD)
    del document["a2a"]["auth"]
    with pytest.raises(WireError, match="malformed; /a2a/auth: required"):
        read_agent_card(document)


def test_auth_of_other_schemes_is_taken_as_it_is():
    auth = A2AAuth(scheme="passkey", extra={"x": 1})
    card = replace(CARD, a2a=replace(CARD.a2a, auth=auth))
    assert read_agent_card(write_agent_card(card)).a2a.auth == auth


@pytest.mark.parametrize("member", ["d", "p", "q", "dp", "dq", "qi", "oth", "k"])
def test_a_private_key_is_refused(member):
    with pytest.raises(UsageError, match="private key"):
        MentionableSection(supported_inbound=(), signing_keys=({"kid": "1", member: "x"},))


@pytest.mark.parametrize("key", [{"kty": "OKP"}, {"kid": ""}, {"kid": 1}, {"kid": "a b"}])
def test_a_key_without_an_id_is_refused(key):
    with pytest.raises(UsageError, match="kid"):
        MentionableSection(supported_inbound=(), signing_keys=({"kid": "1"}, key))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"[]", "wrong-type"),
        (b"{", "invalid-json"),
        (b"{}", "malformed"),
        (b'{"a": 1, "a": 1}', "duplicate-member"),
        (b" " * 300_000, "too-large"),
        (b"[" * 70 + b"]" * 70, "too-deep"),
        ({"a": object()}, "malformed"),
    ],
)
def test_what_is_no_card_is_refused(body, code):
    with pytest.raises(WireError) as caught:
        read_agent_card(body)
    assert caught.value.code == code


def test_limits_hold():
    with pytest.raises(WireError, match="too-large"):
        read_agent_card(agent_card_response(CARD).body, settings=Settings(limits=Limits(fetched_bytes=10)))
    with pytest.raises(UsageError):
        read_agent_card({}, settings=None)


# --- the older form


def test_the_older_form_is_read():
    card = read_agent_card({"preferred_address": ADDRESS, "url": RPC, "skills": [{"id": "x"}], "name": None})
    assert (card.address, card.a2a.endpoint, card.a2a.transport) == (ADDRESS, RPC, "https+jsonrpc")
    assert (card.name, card.version) == ("helper", "0")
    assert card.extra["skills"] == [{"id": "x"}]


def test_the_older_form_has_a_name_of_its_own():
    card = read_agent_card({"preferred_address": ADDRESS, "url": RPC, "name": "H", "version": "3", "description": "D"})
    assert (card.name, card.version, card.description) == ("H", "3", "D")


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"preferred_address": "helper"}, "/preferred_address"),
        ({"preferred_address": 5}, "/preferred_address"),
        ({"url": "http://agents.example"}, "/url"),
        ({"url": None}, "/url"),
        ({"name": 5}, "/name"),
    ],
)
def test_the_older_form_is_read_strictly(change, at):
    with pytest.raises(DecodeError) as caught:
        read_agent_card({"preferred_address": ADDRESS, "url": RPC, **change})
    assert [problem.at for problem in caught.value.problems] == [at]


def test_the_newer_form_wins():
    document = {**write_agent_card(CARD), "preferred_address": "@other@agents.example"}
    assert read_agent_card(document).address == ADDRESS


# --- one document that is both


def test_one_document_may_be_an_a2a_card_too():
    signed = sign_card(A2A, key=ED25519)
    document = write_agent_card(CARD, a2a=signed)
    assert document["supportedInterfaces"] == signed["supportedInterfaces"]
    assert document["signatures"] == signed["signatures"]
    assert document["address"] == ADDRESS
    assert json.loads(agent_card_response(CARD, a2a=signed).body) == document


def test_the_two_may_not_contradict_each_other():
    with pytest.raises(UsageError, match="version of the A2A card"):
        write_agent_card(FULL, a2a=write_a2a_card(A2A))


def test_only_cards_are_written():
    with pytest.raises(UsageError, match="card must be an AgentCard"):
        write_agent_card({})
