"""What a signature covers, and in which canonical forms."""

from __future__ import annotations

import json

import pytest

from mentionable import WireError
from mentionable.discovery import write_a2a_card
from mentionable.discovery._covered import covered, empty_members
from mentionable.discovery._schema import V1 as TABLE
from tests.discovery.cards import A2A, sample
from tests.linearity import time_grows_linearly

CARD = {
    "name": "H",
    "description": "",
    "supportedInterfaces": [{"url": "u", "protocolBinding": "b", "protocolVersion": "1.0", "tenant": ""}],
    "version": "1",
    "capabilities": {
        "streaming": False,
        "extensions": [{"uri": "x", "required": False, "params": {"a": "", "b": 1.0}}],
    },
    "defaultInputModes": ["", "text/plain"],
    "defaultOutputModes": [],
    "skills": [],
}


def forms(**changes):
    return {form.form: form for form in covered({**CARD, **changes})}


def first(**changes):
    return forms(**changes)["without-empties"].document


def kept(**changes):
    return forms(**changes)["with-required-empties"].document


def test_the_libraries_leave_out_whatever_is_empty():
    assert forms()["without-empties"].signed == (
        b'{"capabilities":{"extensions":[{"params":{"b":1},"uri":"x"}],"streaming":false},'
        b'"defaultInputModes":["text/plain"],"name":"H",'
        b'"supportedInterfaces":[{"protocolBinding":"b","protocolVersion":"1.0","url":"u"}],"version":"1"}'
    )


def test_the_text_keeps_what_is_required():
    assert forms()["with-required-empties"].signed == (
        b'{"capabilities":{"extensions":[{"params":{"a":"","b":1},"uri":"x"}],"streaming":false},'
        b'"defaultInputModes":["","text/plain"],"defaultOutputModes":[],"description":"","name":"H","skills":[],'
        b'"supportedInterfaces":[{"protocolBinding":"b","protocolVersion":"1.0","url":"u"}],"version":"1"}'
    )


def test_what_is_told_though_empty_is_kept_by_the_text():
    assert kept(iconUrl="")["iconUrl"] == ""
    assert "iconUrl" not in first(iconUrl="")
    assert kept(capabilities={})["capabilities"] == {}
    assert "provider" not in first(provider={})
    assert kept(provider={})["provider"] == {}
    schemes = {"a": {"mtlsSecurityScheme": {"description": ""}}}
    assert kept(securitySchemes=schemes)["securitySchemes"] == {"a": {"mtlsSecurityScheme": {}}}
    assert "securitySchemes" not in first(securitySchemes=schemes)
    assert "securitySchemes" not in kept(securitySchemes={})


def test_needs_without_scopes_are_empty():
    needs = [{"schemes": {"jwt": {"list": []}}}]
    assert "securityRequirements" not in first(securityRequirements=needs)
    assert kept(securityRequirements=needs)["securityRequirements"] == [{"schemes": {"jwt": {}}}]


def test_what_the_schema_does_not_know_is_not_covered():
    old = {"url": "https://evil.example", "preferredTransport": "x", "protocolVersion": "0.3", "security": [{"a": []}]}
    for document in (first(**old, later=1), kept(**old, later=1)):
        assert {"url", "preferredTransport", "protocolVersion", "security", "later", "signatures"}.isdisjoint(document)
    scheme = {"httpAuthSecurityScheme": {"scheme": "bearer", "x": 1}, "type": "http"}
    assert first(securitySchemes={"a": scheme})["securitySchemes"] == {
        "a": {"httpAuthSecurityScheme": {"scheme": "bearer"}}
    }


def test_null_is_nothing():
    assert forms(iconUrl=None, provider=None) == forms()


def test_false_is_nothing_where_it_is_the_default():
    flow = {"authorizationUrl": "a", "tokenUrl": "t", "scopes": {"s": ""}, "pkceRequired": False}
    scheme = {"oauth2SecurityScheme": {"flows": {"authorizationCode": flow}}}
    found = first(securitySchemes={"a": scheme})["securitySchemes"]["a"]["oauth2SecurityScheme"]["flows"]
    assert found == {"authorizationCode": {"authorizationUrl": "a", "tokenUrl": "t"}}


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"name": 5}, "/name"),
        ({"capabilities": []}, "/capabilities"),
        ({"capabilities": {"streaming": "x"}}, "/capabilities/streaming"),
        ({"skills": {}}, "/skills"),
        ({"skills": [5]}, "/skills/0"),
        ({"securitySchemes": []}, "/securitySchemes"),
        ({"securitySchemes": {"a/b": 5}}, "/securitySchemes/a~1b"),
        ({"supportedInterfaces": [{"url": 5}]}, "/supportedInterfaces/0/url"),
    ],
)
def test_types_are_strict(changes, at):
    with pytest.raises(WireError) as caught:
        forms(**changes)
    assert (caught.value.code, caught.value.problems[0].at) == ("malformed", at)


def test_a_number_without_canonical_form_has_none():
    extension = {"uri": "x", "params": {"n": 2**53}}
    with pytest.raises(WireError, match="not-canonical"):
        forms(capabilities={"extensions": [extension]})


def test_what_is_no_a2a_card_is_not_covered():
    with pytest.raises(WireError, match="malformed"):
        list(covered({"name": "x", "url": "y"}))


def test_the_python_library_of_v03_left_out_defaults():
    card = json.loads(sample("py03_signed_card.json"))
    forms = {form.form: form for form in covered(card)}
    less = forms["without-defaults"]
    assert b"\\u00e9" in less.signed
    assert b"preferredTransport" not in less.signed
    assert less.document["preferredTransport"] == "JSONRPC"
    assert {name: one["type"] for name, one in less.document["securitySchemes"].items()} == {
        "jwt": "http",
        "k": "apiKey",
        "o": "openIdConnect",
    }
    assert forms["with-required-empties"].document["skills"][0]["tags"] == []


def test_a_card_of_v03_without_schemes_or_with_odd_ones():
    bare = {"url": "u", "protocolVersion": "0.3.1", "capabilities": {"stateTransitionHistory": False}}
    *_, less = covered(bare)
    assert less.document == {**bare, "preferredTransport": "JSONRPC"}
    schemes = {
        "a": {"type": "passkey"},
        "b": "x",
        "c": {"type": "mutualTLS", "description": "d"},
        "d": {"flows": {"x": 1}},
    }
    *_, less = covered({**bare, "securitySchemes": schemes})
    assert less.document["securitySchemes"] == {**schemes, "d": {"flows": {"x": 1}, "type": "oauth2"}}


def test_required_members_that_are_empty_are_found():
    assert empty_members(CARD) == ["/description", "/defaultOutputModes", "/skills"]
    extra = {
        "capabilities": {},
        "skills": [{"id": "a", "name": "A", "description": "", "tags": [""]}],
        "provider": {"url": "x"},
        "securitySchemes": {"k/k": {"apiKeySecurityScheme": {"name": "x"}}},
    }
    assert empty_members({**CARD, **extra}) == [
        "/description",
        "/provider/organization",
        "/capabilities",
        "/securitySchemes/k~1k/apiKeySecurityScheme/location",
        "/defaultOutputModes",
        "/skills/0/description",
        "/skills/0/tags",
    ]


def test_the_table_names_messages_that_are_there():
    forms = {member.form for members in TABLE.values() for member in members.values()}
    assert forms - {"text", "flag", "json"} == set(TABLE) - {"AgentCard"}


def test_a_card_of_ours_has_no_empties():
    assert empty_members(write_a2a_card(A2A)) == []


@pytest.mark.uncounted
def test_covering_is_linear():
    skill = {"id": "a", "name": "A", "description": "", "tags": ["x", ""]}
    time_grows_linearly(lambda card: list(covered(card)), lambda size: {**CARD, "skills": [skill] * size})
