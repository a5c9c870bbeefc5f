"""The public card and the extended one, as the card tests of both official test kits ask for them."""

from __future__ import annotations

import json
import re

import pytest

from mentionable import Answers, HttpRequest, SigningKey, a2a, drive, replace
from mentionable.discovery import (
    A2ASkill,
    SecurityScheme,
    Settings,
    VerifiedCard,
    a2a_card_response,
    read_a2a_card,
    sign_card,
    verify_card,
)
from tests.a2a.tokens import NOW
from tests.discovery.cards import A2A

KEY = SigningKey.from_seed(bytes(range(32)), key_id="card-1")
BEARER = {"jwt": SecurityScheme(type="http", extra={"scheme": "bearer"})}
PUBLIC = replace(
    A2A,
    capabilities=replace(A2A.capabilities, extended_agent_card=True),
    security_schemes=BEARER,
    security=({"jwt": ("read",)},),
)
STORM = A2ASkill(id="storm", name="Storm", description="Warns of storms.", tags=("weather",))
EXTENDED = read_a2a_card(sign_card(replace(PUBLIC, skills=(*PUBLIC.skills, STORM)), key=KEY))
URL = PUBLIC.interfaces[0].url
ALICE = a2a.Caller(subject="@alice@a.example")
METHODS = {"1.0": "GetExtendedAgentCard", "0.3": "agent/getAuthenticatedExtendedCard"}
PATHS = {"1.0-rest": "/extendedAgentCard", "0.3-rest": "/v1/card"}
REQUIRED = ("name", "description", "version", "capabilities", "defaultInputModes", "defaultOutputModes", "skills")


def asked(way, headers=()):
    """A request for the extended card."""
    version = [("a2a-version", "1.0")] if way[:3] == "1.0" else []
    if way in PATHS:
        return HttpRequest(method="GET", url=URL + PATHS[way], headers=[*version, *headers])
    body = {"jsonrpc": "2.0", "id": 1, "method": METHODS[way]}
    return HttpRequest(method="POST", url=URL, headers=[*version, *headers], body=json.dumps(body).encode())


def served(way, caller=None, headers=(), card=EXTENDED):
    """The response to such a request."""
    received = drive(a2a.receive_operation(asked(way, headers), caller=caller, now=NOW), Answers())
    assert isinstance(received.operation, a2a.GetExtendedAgentCard)
    return a2a.operation_response(received, card)


ALL = pytest.mark.parametrize("way", [*METHODS, *PATHS])


@ALL
def test_a_known_caller_gets_the_extended_card(way):
    response = served(way, ALICE)
    assert response.status == 200
    document = json.loads(response.body)
    card = document if way in PATHS else document["result"]
    assert all(card[name] not in (None, "", []) for name in REQUIRED)
    assert [skill["id"] for skill in card["skills"]] == ["rain", "storm"]
    assert ("url" in card) == (way[:3] == "0.3")


@ALL
@pytest.mark.parametrize(
    "scheme", [None, "Malformed auth header", "InvalidType x", "Bearer ", "Bearer a.b.c", "Basic x"]
)
def test_whoever_is_not_known_gets_none(way, scheme):
    headers = [] if scheme is None else [("Authorization", scheme)]
    for card in (EXTENDED, None):
        response = served(way, headers=headers, card=card)
        assert (response.status, response.header("www-authenticate")) == (401, "Bearer")
        assert b"storm" not in response.body


@ALL
def test_an_agent_without_one_says_so(way):
    response = served(way, ALICE, card=None)
    assert response.status == (400 if way in PATHS else 200)
    assert b"-32007" in response.body or way in PATHS


@pytest.mark.parametrize("way", ["1.0", "1.0-rest"])
def test_a_signature_stays_valid_on_the_extended_card(way):
    document = json.loads(served(way, ALICE).body)
    card = document if way in PATHS else document["result"]
    settings = Settings(card_keys={"agents.example": {"keys": [KEY.public_jwk]}})
    verified = verify_card(card, domain="agents.example", settings=settings)
    assert isinstance(verified, VerifiedCard)
    assert [skill.id for skill in verified.card.skills] == ["rain", "storm"]


def test_the_public_card_has_what_both_kits_require():
    card = json.loads(a2a_card_response(PUBLIC, form="hybrid").body)
    assert all(card[name] not in (None, "", []) for name in (*REQUIRED, "url", "protocolVersion"))
    assert re.match(r"^https?://[^\s/$.?#].[^\s]*$", card["url"])
    assert all(skill[name] for skill in card["skills"] for name in ("id", "name", "description", "tags"))
    assert card["supportsAuthenticatedExtendedCard"] is True
    assert card["capabilities"]["extendedAgentCard"] is True
    scheme = card["securitySchemes"]["jwt"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert not re.search(r"(?i)api[_-]?key|secret|token|password|credential|localhost|127\.0\.0\.1", json.dumps(card))
