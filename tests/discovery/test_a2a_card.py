"""A2A cards as values, and how they are called."""

from __future__ import annotations

from typing import get_args

import pytest

from mentionable import UsageError, replace
from mentionable.a2a import CallDialect
from mentionable.discovery import A2ACard, A2AInterface, A2ASkill, Capabilities, Dialect, Endpoint, SecurityScheme
from tests.discovery.cards import A2A, RPC, V03, V1, V1_REST


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
    one = A2AInterface(url=RPC, protocol_binding=binding, protocol_version=version)
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
    assert replace(V1, url=url).endpoint is None
    assert replace(A2A, interfaces=(replace(V1, url=url), V03)).endpoints == (V03.endpoint,)


def test_the_agent_says_which_it_likes_best():
    card = replace(A2A, interfaces=(V03, V1_REST, V1))
    assert card.endpoints == (V03.endpoint, V1_REST.endpoint, V1.endpoint)
    assert card.endpoint() == Endpoint(url=RPC, dialect="0.3")
    assert card.endpoint(dialects=("1.0", "1.0-rest")) == V1_REST.endpoint
    assert card.endpoint(dialects=("0.3-rest",)) is None
    assert replace(A2A, interfaces=(replace(V1, protocol_binding="GRPC"),)).endpoint() is None


def test_a_card_has_an_interface():
    with pytest.raises(UsageError, match="at least one interface"):
        A2ACard(name="Helper", interfaces=())


def test_what_the_class_knows_stands_in_its_members():
    with pytest.raises(UsageError, match="extra holds protocolVersion, url"):
        replace(A2A, extra={"url": RPC, "protocolVersion": "0.3.0"})


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda extra: replace(A2A, extra=extra), "preferred_transport"),
        (lambda extra: replace(A2A, extra=extra), "supportedInterfaces"),
        (lambda extra: replace(V1, extra=extra), "protocolBinding"),
        (lambda extra: A2ASkill(id="rain", name="Rain", extra=extra), "inputModes"),
        (lambda extra: A2ASkill(id="rain", name="Rain", extra=extra), "security_requirements"),
        (lambda extra: SecurityScheme(type="http", extra=extra), "httpAuthSecurityScheme"),
        (lambda extra: SecurityScheme(type="apiKey", extra=extra), "location"),
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
    assert SecurityScheme(type="http", extra={"location": "Berlin"}).extra == {"location": "Berlin"}


def test_the_capabilities_of_another_card_may_have_any_member():
    assert Capabilities(extra={"pushNotifications": True}).extra
