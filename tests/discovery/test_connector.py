"""The card of a connector: read, written and served."""

from __future__ import annotations

import json

import pytest

from mentionable import Limits, Settings, SigningKey, UsageError, WireError, replace
from mentionable.discovery import (
    ConnectorCard,
    ConnectorKey,
    connector_card_response,
    read_connector_card,
    write_connector_card,
)

KEY = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
CARD = ConnectorCard(issuer="slack.example", keys=(ConnectorKey.of(KEY),))
URL = "https://slack.example/.well-known/adapter-card"
WHOLE = replace(
    CARD,
    keys=(ConnectorKey.of(KEY, not_before="2026-11-01T00:00:00Z", not_after="2026-12-01T00:00:00Z"),),
    name="Slack",
    callbacks={"policy": ["https://a.example/x"], "oauth": "https://a.example/o"},
    methods=("urn:x",),
    subject_prefixes=("slack:",),
    expires_at="2026-12-01T00:00:00Z",
    extra={"motto": "Hi"},
)


def code(document, **given):
    with pytest.raises(WireError) as caught:
        read_connector_card(document, **given)
    return caught.value.code


@pytest.mark.parametrize("card", [CARD, WHOLE])
def test_a_card_is_read_as_it_is_served(card):
    response = connector_card_response(card)
    assert (response.status, response.header("content-type")) == (200, "application/json")
    assert read_connector_card(response.body, url=URL) == card
    assert json.loads(response.body) == write_connector_card(card)


def test_a_card_is_served_as_every_document_is():
    response = connector_card_response(CARD)
    assert response.header("cache-control") == "public, max-age=300"
    assert response.header("access-control-allow-origin") == "*"
    assert response.header("etag") != connector_card_response(WHOLE).header("etag")


def test_a_card_is_read_from_bytes_and_from_json():
    assert read_connector_card(write_connector_card(WHOLE), url=URL) == WHOLE
    assert code({"issuer": "slack.example"}) == "card-invalid"
    assert code({"issuer": {1}}) == "card-invalid"
    assert code(write_connector_card(CARD), url="https://other.example/") == "card-origin-mismatch"


def test_a_card_is_as_large_as_the_limits_allow():
    body = connector_card_response(CARD).body
    limited = Settings(limits=Limits(fetched_bytes=len(body) - 1))
    assert code(body, settings=limited) == "card-invalid"
    assert read_connector_card(body, settings=Settings(limits=Limits(fetched_bytes=len(body)))) == CARD
    with pytest.raises(UsageError, match="settings"):
        read_connector_card(body, settings=None)


def test_a_revoked_key_is_served_so_that_everybody_hears_of_it():
    lost = replace(CARD, keys=(replace(CARD.keys[0], revoked_at="2026-11-01T00:00:00Z"),))
    assert write_connector_card(lost)["keys"][0]["revoked_at"] == "2026-11-01T00:00:00Z"
    assert write_connector_card(read_connector_card(write_connector_card(lost))) == write_connector_card(lost)


@pytest.mark.parametrize(
    "key",
    [
        ConnectorKey(kid="k", x=None),
        ConnectorKey(kid="k", x="slack"),
        ConnectorKey(kid="k", x="A" * 43),
        ConnectorKey(kid="k", x=KEY.public_jwk["x"], fault="key-use-mismatch"),
    ],
)
def test_a_key_of_no_use_is_not_served(key):
    with pytest.raises(UsageError, match="of no use"):
        write_connector_card(replace(CARD, keys=(key,)))


def test_only_a_card_is_written():
    with pytest.raises(UsageError, match="ConnectorCard"):
        write_connector_card({"issuer": "slack.example"})
