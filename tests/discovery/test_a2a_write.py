"""Writing A2A cards in every version."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError, replace
from mentionable._model.base import maker_for_readers
from mentionable.discovery import (
    A2ACard,
    A2AInterface,
    A2AProvider,
    A2ASkill,
    AgentExtension,
    Capabilities,
    SecurityScheme,
    a2a_card_response,
    read_a2a_card,
    write_a2a_card,
)
from mentionable.discovery._a2a_names import CAMEL, WRAPPERS
from tests.discovery.cards import A2A, RPC, V03, V1, V1_REST, as_read

REST03 = replace(V1_REST, protocol_version="0.3.0")
RICH = replace(
    A2A,
    interfaces=(V1, V1_REST, V03, REST03),
    provider=A2AProvider(organization="Ex", url="https://ex.example"),
    documentation_url="https://ex.example/docs",
    icon_url="https://ex.example/i.png",
    capabilities=Capabilities(streaming=False, state_transition_history=True, extended_agent_card=True, extra={"x": 1}),
    skills=(replace(A2A.skills[0], security=({"jwt": ("s",)},), examples=("Rain?",), extra={"y": 1}),),
    security_schemes={
        "jwt": SecurityScheme(type="http", extra={"scheme": "bearer", "bearerFormat": "JWT"}),
        "key": SecurityScheme(type="apiKey", extra={"in": "header", "name": "k"}),
        "odd": SecurityScheme(type="passkey", extra={"a": 1}),
    },
    security=({"jwt": ("s",)}, {"key": ()}),
    signatures=({"protected": "p", "signature": "s"},),
    extra={"later": [1]},
)


def test_v1_lists_all_interfaces():
    card = write_a2a_card(A2A)
    assert card == {
        "name": "Helper",
        "description": "Helps.",
        "version": "1.0.0",
        "capabilities": {"streaming": True},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [
            {"id": "rain", "name": "Rain", "description": "Knows whether it will rain.", "tags": ["weather"]},
        ],
        "supportedInterfaces": [
            {"url": RPC, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
            {"url": RPC, "protocolBinding": "JSONRPC", "protocolVersion": "0.3"},
        ],
    }


def test_v03_has_one_url_and_others_beside():
    card = write_a2a_card(RICH, form="0.3")
    assert (card["url"], card["preferredTransport"], card["protocolVersion"]) == (RPC, "JSONRPC", "0.3.0")
    assert card["additionalInterfaces"] == [{"url": REST03.url, "transport": "HTTP+JSON"}]
    assert card["capabilities"] == {"streaming": False, "stateTransitionHistory": True, "x": 1}
    assert card["supportsAuthenticatedExtendedCard"] is True
    assert card["security"] == [{"jwt": ["s"]}, {"key": []}]
    assert card["securitySchemes"]["key"] == {"type": "apiKey", "in": "header", "name": "k"}
    assert card["skills"][0]["security"] == [{"jwt": ["s"]}]
    assert "supportedInterfaces" not in card
    assert "securityRequirements" not in card


def test_v1_has_security_in_its_own_form():
    card = write_a2a_card(RICH)
    assert card["securityRequirements"] == [{"schemes": {"jwt": {"list": ["s"]}}}, {"schemes": {"key": {"list": []}}}]
    assert card["securitySchemes"] == {
        "jwt": {"httpAuthSecurityScheme": {"scheme": "bearer", "bearerFormat": "JWT"}},
        "key": {"apiKeySecurityScheme": {"location": "header", "name": "k"}},
        "odd": {"passkey": {"a": 1}},
    }
    assert card["capabilities"] == {"streaming": False, "extendedAgentCard": True, "x": 1}
    assert card["skills"][0]["securityRequirements"] == [{"schemes": {"jwt": {"list": ["s"]}}}]
    assert {"url", "security", "protocolVersion", "supportsAuthenticatedExtendedCard"}.isdisjoint(card)


def test_a_document_for_both_has_everything_twice():
    card, newer, older = (write_a2a_card(RICH, form=form) for form in ("hybrid", "1.0", "0.3"))
    assert {*newer, *older} == set(card)
    assert card["securitySchemes"]["jwt"] == {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "httpAuthSecurityScheme": {"scheme": "bearer", "bearerFormat": "JWT"},
    }
    assert card["capabilities"] == {**newer["capabilities"], **older["capabilities"]}


@pytest.mark.parametrize("form", ["1.0", "hybrid"])
def test_what_is_written_is_read(form):
    same = (
        RICH
        if form == "hybrid"
        else replace(RICH, capabilities=replace(RICH.capabilities, state_transition_history=None))
    )
    assert read_a2a_card(write_a2a_card(RICH, form=form)) == same


def test_what_is_written_for_v03_is_read_but_for_what_it_has_no_place_for():
    read = read_a2a_card(write_a2a_card(RICH, form="0.3"))
    patched = replace(V03, protocol_version="0.3.0")
    assert read == replace(RICH, interfaces=(patched, REST03))


def test_it_is_served_to_everybody():
    response = a2a_card_response(RICH, form="hybrid")
    assert json.loads(response.body) == write_a2a_card(RICH, form="hybrid")
    assert response.header("content-type") == "application/json"
    assert a2a_card_response(write_a2a_card(A2A)).body == a2a_card_response(A2A).body


@pytest.mark.parametrize("form", ["0.3", "hybrid"])
def test_older_clients_need_an_interface(form):
    with pytest.raises(UsageError, match=r"v0\.3 needs an interface"):
        write_a2a_card(replace(A2A, interfaces=(V1,)), form=form)


def test_only_cards_and_forms_that_are_known_are_written():
    with pytest.raises(UsageError, match="card must be an A2ACard"):
        write_a2a_card({})
    with pytest.raises(UsageError, match=r"form is 1\.0"):
        write_a2a_card(A2A, form="2.0")


TEXTS = st.text(max_size=4)
FLAGS = st.none() | st.booleans()
NEEDS = st.dictionaries(TEXTS, st.lists(TEXTS, max_size=2), max_size=2)
MEMBERS = st.fixed_dictionaries(
    {},
    optional={
        "description": TEXTS,
        "version": TEXTS,
        "iconUrl": TEXTS,
        "defaultInputModes": st.lists(TEXTS, max_size=2),
        "capabilities": st.fixed_dictionaries(
            {}, optional={"streaming": FLAGS, "extendedAgentCard": FLAGS, "x": TEXTS}
        ),
        "security": st.lists(NEEDS, max_size=2),
        "securitySchemes": st.dictionaries(
            TEXTS,
            st.fixed_dictionaries(
                {"type": st.sampled_from(["http", "apiKey", "oauth2", "mutualTLS", "x"])},
                optional={"in": TEXTS, "scheme": TEXTS, "name": FLAGS, "y": st.integers(0, 9)},
            ),
            max_size=2,
        ),
        "skills": st.lists(
            st.fixed_dictionaries(
                {"id": st.just("i"), "name": TEXTS}, optional={"security": st.lists(NEEDS), "z": TEXTS}
            ),
            max_size=2,
        ),
        "later": TEXTS,
        "supportsAuthenticatedExtendedCard": FLAGS,
    },
)


NAMES = st.sampled_from(sorted({
    *(*CAMEL, *CAMEL.values(), *WRAPPERS, *WRAPPERS.values()),
    *("type", "in", "location", "transport", "schemes", "url", "list", "x"),
}))  # fmt: skip
"""The names that a card has anywhere, and one that it has nowhere."""

VALUES = st.sampled_from(["text", {"a": "b"}, ["a"], {"in": "header", "x": {"y": "z"}}])
EXTRAS = st.dictionaries(NAMES, VALUES, max_size=3)
NEEDED = st.none() | st.lists(st.dictionaries(NAMES, st.just(("all",)), max_size=2), max_size=2).map(tuple)


MODES = ("default_input_modes", "default_output_modes")


def made(cls, **members):
    """Values of a class: those of these members that it takes, as it reads them."""

    def tried(found):
        try:
            return maker_for_readers(cls)(**found)
        except UsageError:
            return None

    fixed = st.fixed_dictionaries({"extra": EXTRAS, **members})
    return fixed.map(tried).filter(lambda found: found is not None)


def some(values):
    return st.lists(values, max_size=2).map(tuple)


CARDS = made(
    A2ACard,
    name=st.just("Helper"),
    interfaces=st.tuples(
        made(
            A2AInterface,
            url=st.just(RPC),
            protocol_binding=st.sampled_from(["JSONRPC", "GRPC"]),
            protocol_version=st.sampled_from(["1.0", "0.3", "0.3.0", "2.0"]),
        ),
        st.just(replace(V03, url=f"{RPC}/old")),
    ),
    capabilities=made(
        Capabilities,
        extended_agent_card=FLAGS,
        extensions=st.none() | some(made(AgentExtension, uri=st.just("urn:x"))),
    ),
    skills=some(
        made(
            A2ASkill,
            id=st.sampled_from(["rain", "sun"]),
            name=st.just("Rain"),
            description=st.just("Knows rain."),
            tags=st.just(("weather",)),
            security=NEEDED,
        )
    ),
    provider=st.none() | made(A2AProvider, organization=st.just("o"), url=st.just("https://o.example")),
    **{name: st.just(getattr(A2A, name)) for name in ("description", "version", *MODES)},
    security_schemes=st.none() | st.dictionaries(NAMES, made(SecurityScheme, type=NAMES), max_size=2),
    security=NEEDED,
)


@given(CARDS, st.sampled_from(["1.0", "0.3", "hybrid"]))
def test_whatever_card_can_be_made_can_be_written_and_mixes_nothing_up(card, form):
    document = write_a2a_card(card, form=form)
    found = read_a2a_card(json.loads(a2a_card_response(card, form=form).body))
    assert read_a2a_card(document) == found
    if form == "0.3":  # lists no interface of v1.0, and nothing unknown of one
        found = as_read(found, interfaces=card.interfaces)
    assert found == card


@given(MEMBERS, st.sampled_from(["1.0", "0.3", "hybrid"]))
def test_any_card_comes_back_in_every_form(members, form):
    card = read_a2a_card({"name": "H", "url": RPC, "protocolVersion": "0.3.0", **members})
    assert read_a2a_card(write_a2a_card(card, form=form)) == card
