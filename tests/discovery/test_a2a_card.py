"""A2A cards as values, and how they are called."""

from __future__ import annotations

from typing import get_args

import pytest

from mentionable import UsageError, replace
from mentionable.a2a import CallDialect
from mentionable.discovery import (
    A2ACard,
    A2AProvider,
    Capabilities,
    Dialect,
    Endpoint,
    SecurityScheme,
    read_a2a_card,
    write_a2a_card,
)
from tests.discovery.cards import A2A, RPC, V03, V1, V1_REST, as_read


def test_a_dialect_is_what_a_call_is_told():
    assert get_args(Dialect) == get_args(CallDialect)


@pytest.mark.parametrize(
    ("version", "binding", "dialect"),
    [
        ("1.0", "JSONRPC", "1.0"),
        ("1.7", "JSONRPC", "1.0"),
        ("1", "HTTP+JSON", "1.0-rest"),
        ("0.3", "JSONRPC", "0.3"),
        ("0.3.0", "HTTP+JSON", "0.3-rest"),
        ("0.2.6", "JSONRPC", None),
        ("2.0", "JSONRPC", None),
        ("10.0", "JSONRPC", None),
        ("1.0", "GRPC", None),
        ("1.0", "jsonrpc", None),
        ("x", "JSONRPC", None),
    ],
)
def test_an_interface_says_how_it_is_spoken_to(version, binding, dialect):
    one = as_read(V1, url=RPC, protocol_binding=binding, protocol_version=version)
    assert one.dialect == dialect
    assert one.endpoint == (None if dialect is None else Endpoint(url=RPC, dialect=dialect))


@pytest.mark.parametrize(
    "url",
    [
        "http://agents.example/a2a",
        "https://localhost/a2a",
        "https://10.0.0.1/a2a",
        "https://agents.example:8443/a2a",
        "https://user@agents.example/a2a",
        "https://agents.internal/a2a",
        "https://agents.example/a2a#x",
        "agents.example:443",
    ],
)
def test_only_public_places_are_called(url):
    private = as_read(V1, url=url)
    assert private.endpoint is None
    assert replace(A2A, interfaces=(private, V03)).endpoints == (V03.endpoint,)


def test_the_agent_says_which_it_likes_best():
    card = replace(A2A, interfaces=(V03, V1_REST, V1))
    assert card.endpoints == (V03.endpoint, V1_REST.endpoint, V1.endpoint)
    assert card.endpoint() == Endpoint(url=RPC, dialect="0.3")
    assert card.endpoint(dialects=("1.0", "1.0-rest")) == V1_REST.endpoint
    assert card.endpoint(dialects=("0.3-rest",)) is None
    with pytest.raises(UsageError, match="not one text"):
        card.endpoint(dialects="1.0-rest")
    assert replace(A2A, interfaces=(replace(V1, protocol_binding="GRPC"),)).endpoint() is None


def test_a_card_has_an_interface():
    with pytest.raises(UsageError, match="at least one interface"):
        replace(A2A, interfaces=())


SECURED = replace(A2A, security_schemes={"jwt": SecurityScheme(type="http", extra={"scheme": "bearer"})})
NO_MODES = r'default_(input|output)_modes is empty, or holds an empty text: write media types, such as "text/plain"'


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": " "}, "name is empty: write what people call the agent"),
        ({"description": ""}, "description is empty: write in a sentence what the agent does"),
        ({"version": "\t"}, "version is empty: write the version of the agent"),
        ({"default_input_modes": ()}, NO_MODES),
        ({"default_input_modes": ("text/plain", "")}, NO_MODES),
        ({"default_output_modes": ()}, NO_MODES),
        ({"skills": ()}, "skills is empty: write at least one A2ASkill"),
        ({"skills": A2A.skills * 2}, "two skills have the id rain: write another"),
        ({"security": ({"key": ()},)}, "security names the scheme key: write it into security_schemes"),
        (
            {"skills": (replace(A2A.skills[0], security=({"jwt": (), "key": ()},)),)},
            "the skill rain: security names the scheme key",
        ),
    ],
)
def test_a_card_without_what_readers_expect_cannot_be_made(changes, said):
    with pytest.raises(UsageError, match=f"^A2ACard: {said}"):
        replace(SECURED, **changes)


def test_all_that_is_missing_is_named_at_once():
    with pytest.raises(UsageError) as caught:
        A2ACard(name="Helper", interfaces=(V1,))
    missing = [fault.split(" is empty")[0] for fault in str(caught.value).removeprefix("A2ACard: ").split("; ")]
    assert missing == ["description", "version", "default_input_modes", "default_output_modes", "skills"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"id": " "}, "id is empty"),
        ({"name": ""}, "name is empty"),
        ({"description": ""}, "description is empty: write in a sentence"),
        ({"tags": ()}, "tags is empty, or holds an empty text: write at least one word"),
        ({"tags": ("weather", "")}, "tags is empty, or holds"),
    ],
)
def test_a_skill_without_what_readers_expect_cannot_be_made(changes, said):
    with pytest.raises(UsageError, match=f"^A2ASkill: {said}"):
        replace(A2A.skills[0], **changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"url": "/a2a"}, "url is no absolute URL: write one that begins with https://"),
        ({"url": "agents.example/a2a"}, "url is no absolute URL"),
        ({"url": "agents.example/a2a", "protocol_binding": "HTTP+JSON"}, "url is no absolute URL"),
        ({"protocol_version": "v1"}, r"protocol_version is no version of A2A: write 1\.0 or 0\.3"),
        ({"protocol_version": "1"}, "protocol_version is no version of A2A"),
    ],
)
def test_an_interface_that_clients_cannot_use_cannot_be_made(changes, said):
    with pytest.raises(UsageError, match=f"^A2AInterface: {said}"):
        replace(V1, **changes)


def test_the_targets_of_grpc_and_of_later_bindings_have_forms_of_their_own():
    assert replace(V1, protocol_binding="GRPC", url="agents.example:443").url == "agents.example:443"
    assert replace(V1, url="http://127.0.0.1:8000/a2a", protocol_version="0.3.0").endpoint is None


@pytest.mark.parametrize(
    ("kind", "extra", "said"),
    [
        ("http", {}, "a scheme of the type http needs scheme: write them in extra"),
        ("apiKey", {"name": "k"}, "a scheme of the type apiKey needs in"),
        ("apiKey", {}, "a scheme of the type apiKey needs in and name"),
        ("apiKey", {"in": "body", "name": "k"}, "in of an apiKey scheme is one of query, header, cookie"),
        ("oauth2", {"flows": {}}, "a scheme of the type oauth2 needs flows"),
        ("openIdConnect", {}, "a scheme of the type openIdConnect needs openIdConnectUrl"),
    ],
)
def test_a_scheme_without_what_readers_expect_cannot_be_made(kind, extra, said):
    with pytest.raises(UsageError, match=f"^SecurityScheme: {said}"):
        SecurityScheme(type=kind, extra=extra)


def test_who_runs_an_agent_has_a_name_and_a_page():
    with pytest.raises(UsageError, match=r"^A2AProvider: organization is empty: write their name; url is no absolute"):
        A2AProvider(organization="", url="agents.example")
    assert A2AProvider(organization="Agents", url="https://agents.example").url == "https://agents.example"


def test_the_cards_of_others_are_read_without_what_programs_must_write():
    scheme = {"jwt": {"type": "http"}}
    bare = {"name": " ", "url": "/a2a", "protocolVersion": "x", "skills": [{"id": "s", "name": ""}] * 2}
    card = read_a2a_card({**bare, "securitySchemes": scheme, "security": [{"key": []}], "provider": PROVIDER})
    assert [skill.tags for skill in card.skills] == [(), ()]
    assert read_a2a_card(write_a2a_card(card)) == card
    with pytest.raises(UsageError, match="description is empty"):
        replace(card, name="Mine")


PROVIDER = {"organization": "", "url": ""}


def test_what_the_class_knows_stands_in_its_members():
    with pytest.raises(UsageError, match="extra holds protocolVersion, url"):
        replace(A2A, extra={"url": RPC, "protocolVersion": "0.3.0"})


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda extra: replace(A2A, extra=extra), "preferred_transport"),
        (lambda extra: replace(A2A, extra=extra), "supportedInterfaces"),
        (lambda extra: replace(V1, extra=extra), "protocolBinding"),
        (lambda extra: replace(A2A.skills[0], extra=extra), "inputModes"),
        (lambda extra: replace(A2A.skills[0], extra=extra), "security_requirements"),
        (lambda extra: SecurityScheme(type="http", extra={"scheme": "bearer", **extra}), "httpAuthSecurityScheme"),
        (lambda extra: SecurityScheme(type="apiKey", extra={"in": "query", "name": "k", **extra}), "location"),
        (lambda extra: replace(V1, extra=extra), "iconUrl"),
        (lambda extra: replace(A2A, extra=extra), "outputModes"),
        (lambda extra: replace(A2A, capabilities=Capabilities(extra=extra)), "pushNotifications"),
    ],
)
def test_what_would_be_mixed_up_when_it_is_written_is_refused_when_it_is_made(make, name):
    assert make({"x-own": 1})
    with pytest.raises(UsageError, match=f"extra holds {name}, which the wire has for "):
        make({name: None})


@pytest.mark.parametrize(
    ("kind", "extra"),
    [("httpAuthSecurityScheme", {}), ("type", {}), ("http", {"http": {"scheme": "bearer"}}), ("x", {"x": {}})],
)
def test_a_type_of_a_scheme_that_would_be_read_as_the_scheme_itself_is_none(kind, extra):
    with pytest.raises(UsageError, match=f"{kind} is the name of the member that holds a scheme, and no type"):
        SecurityScheme(type=kind, extra=extra)


def test_members_of_a_scheme_that_cannot_be_mixed_up_are_its_own():
    assert SecurityScheme(type="x", extra={"x": "y"}).extra == {"x": "y"}
    http = {"scheme": "bearer", "location": "Berlin"}
    assert SecurityScheme(type="http", extra=http).extra == http


def test_the_capabilities_of_another_card_may_have_any_member():
    assert Capabilities(extra={"pushNotifications": True}).extra
