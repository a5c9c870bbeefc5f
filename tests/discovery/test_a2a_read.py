"""Reading A2A cards of every version."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import DecodeError, Settings, UsageError, WireError
from mentionable._flow.settings import Limits
from mentionable.discovery import A2AInterface, SecurityScheme, read_a2a_card
from tests.discovery.cards import RPC, as_read, sample
from tests.discovery.lenient import leniently
from tests.linearity import time_grows_linearly

OLD = {
    "name": "Helper",
    "description": "Helps.",
    "version": "1",
    "url": RPC,
    "protocolVersion": "0.3.0",
    "capabilities": {"streaming": True, "stateTransitionHistory": False, "x": 1},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": [],
    "skills": [],
}
NEW = {
    "name": "Helper",
    "supportedInterfaces": [{"url": RPC, "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "tenant": "t"}],
}


def read(base, **changes):
    return read_a2a_card({**base, **changes})


def test_a_card_of_v03_has_its_one_url_and_others():
    others = [
        {"url": "https://agents.example/rest", "transport": "HTTP+JSON", "x": 1},
        {"url": RPC, "transport": "JSONRPC"},
    ]
    card = read(OLD, additionalInterfaces=others)
    assert [(one.url, one.dialect) for one in card.interfaces] == [
        (RPC, "0.3"),
        ("https://agents.example/rest", "0.3-rest"),
    ]
    assert card.interfaces[1].extra == {"x": 1}
    assert read(OLD, preferredTransport="HTTP+JSON").interfaces[0].dialect == "0.3-rest"
    assert card.capabilities.state_transition_history is False
    assert card.capabilities.extra == {"x": 1}
    assert card.extra == {}


def test_a_card_without_a_version_is_one_of_v03():
    old = {name: member for name, member in OLD.items() if name != "protocolVersion"}
    assert read(old).interfaces[0].dialect == "0.3"


def test_what_protojson_leaves_out_is_empty():
    card = read(NEW)
    assert (card.description, card.version, card.default_input_modes, card.skills) == ("", "", (), ())
    assert card.interfaces == (A2AInterface(url=RPC, protocol_binding="JSONRPC", protocol_version="1.0", tenant="t"),)


def test_null_is_nothing():
    assert read(NEW, provider=None, iconUrl=None, skills=None, securityRequirements=None, url=None) == read(NEW)


def test_names_are_read_in_both_spellings_but_not_at_once():
    assert read(NEW, icon_url="x").icon_url == "x"
    with pytest.raises(WireError) as caught:
        read(NEW, icon_url="x", iconUrl="x")
    assert (caught.value.code, caught.value.problems[0].at) == ("duplicate-member", "/iconUrl")


def test_the_version_of_an_agent_card_in_the_same_document_is_not_that_of_a2a():
    card = read(OLD, protocol_version="0.1")
    assert card.interfaces[0].protocol_version == "0.3.0"
    assert card.extra == {"protocol_version": "0.1"}


def test_of_a_document_for_both_v1_counts():
    extra = {"url": "https://old.example/a2a", "protocolVersion": "0.3", "security": [{"old": []}]}
    card = read(NEW, **extra, securityRequirements=[{"schemes": {"new": {"list": ["s"]}, "other": {}}}])
    assert [one.dialect for one in card.interfaces] == ["1.0", "0.3"]
    assert card.security == ({"new": ("s",), "other": ()},)
    listed = [*NEW["supportedInterfaces"], {"url": RPC, "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}]
    card = read(NEW, supportedInterfaces=listed, url=RPC, protocolVersion="0.3.0")
    assert [one.dialect for one in card.interfaces] == ["1.0", "0.3"]


def test_the_fuller_card_is_told_in_either_place():
    assert read(OLD, supportsAuthenticatedExtendedCard=True).capabilities.extended_agent_card is True
    assert read(NEW, capabilities={"extendedAgentCard": True}).capabilities.extended_agent_card is True
    both = {"capabilities": {"extendedAgentCard": False}, "supportsAuthenticatedExtendedCard": True}
    assert read(NEW, **both).capabilities.extended_agent_card is False


@pytest.mark.parametrize(
    ("scheme", "kind", "members"),
    [
        ({"type": "http", "scheme": "bearer"}, "http", {"scheme": "bearer"}),
        ({"httpAuthSecurityScheme": {"scheme": "bearer", "x": None}}, "http", {"scheme": "bearer"}),
        ({"apiKeySecurityScheme": {"location": "header", "name": "k"}}, "apiKey", {"in": "header", "name": "k"}),
        ({"type": "apiKey", "in": "header", "name": "k"}, "apiKey", {"in": "header", "name": "k"}),
        ({"type": "apiKey", "location": "header"}, "apiKey", {"in": "header"}),
        ({"type": "apiKey", "location": "header", "in": "header"}, "apiKey", {"in": "header"}),
        ({"apiKeySecurityScheme": {"location": "header", "in": "header"}}, "apiKey", {"in": "header"}),
        ({"type": "http", "location": "Berlin"}, "http", {"location": "Berlin"}),
        ({"mtlsSecurityScheme": {}}, "mutualTLS", {}),
        ({"passkey": {"a": 1}}, "passkey", {"a": 1}),
        (
            {"httpAuthSecurityScheme": {"scheme": "b"}, "scheme": "x", "type": "apiKey", "y": 1},
            "http",
            {"scheme": "b", "y": 1},
        ),
    ],
)  # fmt: skip
def test_a_security_scheme_is_read_in_either_form(scheme, kind, members):
    card = read(NEW, securitySchemes={"one": scheme})
    assert card.security_schemes == {"one": as_read(SecurityScheme(type="mutualTLS"), type=kind, extra=members)}


def test_skills_are_read_in_either_form():
    skill = {"id": "a", "name": "A", "inputModes": ["text/plain"], "x": 1}
    new = read(NEW, skills=[{**skill, "securityRequirements": [{"schemes": {"k": {}}}]}]).skills[0]
    old = read(OLD, skills=[{**skill, "security": [{"k": []}]}]).skills[0]
    assert new == old
    assert (new.description, new.tags, new.input_modes, new.security) == ("", (), ("text/plain",), ({"k": ()},))
    assert new.extra == {"x": 1}


def test_extensions_keep_what_is_unknown():
    unknown = {"y": 1, "iconUrl": 2, "icon_url": 3}
    extension = {"uri": "https://x.example", "required": False, "params": {"a": [None]}, "description": None, **unknown}
    found = read(NEW, capabilities={"extensions": [extension]}).capabilities.extensions[0]
    assert (found.required, found.params, found.extra) == (False, {"a": [None]}, unknown)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"name": ""}, "/name"),
        ({"name": 5}, "/name"),
        ({"supportedInterfaces": []}, ""),
        ({"supportedInterfaces": None}, ""),
        ({"supportedInterfaces": {}}, "/supportedInterfaces"),
        ({"supportedInterfaces": ["x"]}, "/supportedInterfaces/0"),
        ({"supportedInterfaces": [{"url": RPC}]}, "/supportedInterfaces/0/protocolBinding"),
        ({"additionalInterfaces": [{"url": RPC}]}, "/supportedInterfaces/1/protocolBinding"),
        ({"additionalInterfaces": 5}, "/additionalInterfaces"),
        ({"capabilities": []}, "/capabilities"),
        ({"capabilities": {"streaming": "yes"}}, "/capabilities/streaming"),
        ({"capabilities": {"pushNotifications": 1}}, "/capabilities/pushNotifications"),
        ({"capabilities": {"extensions": {}}}, "/capabilities/extensions"),
        ({"capabilities": {"extensions": [{}]}}, "/capabilities/extensions/0/uri"),
        ({"defaultInputModes": "text/plain"}, "/defaultInputModes"),
        ({"skills": {}}, "/skills"),
        ({"skills": [5]}, "/skills/0"),
        ({"skills": [{"name": "A"}]}, "/skills/0/id"),
        ({"provider": {"url": "x"}}, "/provider/organization"),
        ({"securitySchemes": []}, "/securitySchemes"),
        ({"securitySchemes": {"a": 5}}, "/securitySchemes/a"),
        ({"securitySchemes": {"a": {}}}, "/securitySchemes/a"),
        ({"securitySchemes": {"a": {"x": 5}}}, "/securitySchemes/a"),
        ({"securitySchemes": {"a": {"type": "apiKey", "location": "q", "in": "r"}}}, "/securitySchemes/a/location"),
        ({"securitySchemes": {"a": {"type": "oauth2SecurityScheme"}}}, "/securitySchemes/a"),
        ({"securitySchemes": {"a": {"httpAuthSecurityScheme": {}, "mtlsSecurityScheme": {}}}}, "/securitySchemes/a"),
        ({"securityRequirements": [5]}, "/securityRequirements/0"),
        ({"securityRequirements": [{"schemes": []}]}, "/securityRequirements/0/schemes"),
        ({"securityRequirements": [{"schemes": {"a": 5}}]}, "/securityRequirements/0"),
        ({"securityRequirements": [{"schemes": {"a": {"list": [5]}}}]}, "/security/0/a/0"),
        ({"security": [{str(number): [] for number in range(65)}]}, "/security/0"),
        ({"signatures": ["x"]}, "/signatures/0"),
    ],
)  # fmt: skip
def test_types_are_strict(changes, at):
    with pytest.raises(DecodeError) as caught:
        read(NEW, **changes)
    assert caught.value.code == "malformed"
    assert caught.value.problems[0].at == at


def test_a_card_is_an_object_of_limited_size():
    for body, code in ((b"[]", "wrong-type"), (b"", "invalid-json")):
        with pytest.raises(WireError) as caught:
            read_a2a_card(body)
        assert caught.value.code == code
    with pytest.raises(WireError, match="too-large"):
        read_a2a_card(sample("py1_signed_card.json"), settings=Settings(limits=Limits(fetched_bytes=100)))
    with pytest.raises(UsageError):
        read_a2a_card({}, settings=None)


@pytest.mark.parametrize("name", ["py1_signed_card.json", "py03_signed_card.json"])
def test_cards_of_others_are_read(name):
    card = read_a2a_card(sample(name))
    assert card.interfaces[-1].dialect in ("0.3", "0.3-rest")
    assert len(card.signatures or ()) == 1
    assert card.extra == {}


SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4)
ANY = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)


@given(st.dictionaries(st.sampled_from([*NEW, *OLD, "security", "securitySchemes", "securityRequirements"]), ANY))
def test_anything_is_a_card_or_a_documented_fault(changes):
    try:
        code = read(NEW, **changes) and "malformed"
    except WireError as error:
        code = error.code
    assert code in ("malformed", "duplicate-member")


@pytest.mark.uncounted
def test_reading_is_linear():
    listed = [{"url": RPC, "transport": "JSONRPC"}]
    many = lambda size: {**OLD, "additionalInterfaces": [{**listed[0], "url": f"{RPC}/{n}"} for n in range(size)]}  # noqa: E731
    time_grows_linearly(read_a2a_card, many, size=100)
    assert json.dumps(many(1))


def test_a_member_of_a_skill_or_of_the_capabilities_in_both_spellings_costs_itself():
    skill = {"id": "s", "name": "S", "description": "", "tags": []}
    odd = {**skill, "inputModes": ["text/plain"], "input_modes": ["text/html"]}
    both = {"streaming": True, "pushNotifications": True, "push_notifications": False}
    card = {"name": "H", "url": "https://agents.example/a2a", "protocolVersion": "0.3.0"}
    card |= {"skills": [odd, skill], "capabilities": both}
    with pytest.raises(WireError, match="duplicate-member"):
        read_a2a_card(card)
    notes = []
    read = leniently(read_a2a_card, card, notes=notes)
    assert [(one.id, one.input_modes) for one in read.skills] == [("s", None), ("s", None)]
    assert read.capabilities.streaming is True
    assert sorted(note.at for note in notes) == ["/capabilities/push_notifications", "/skills/0/input_modes"]
