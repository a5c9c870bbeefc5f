"""The card of a connector, as this room shows it."""

from __future__ import annotations

from mentionable import discovery
from tests.discovery.cards import ED25519


def test_a_card_is_served_and_read():
    card = discovery.ConnectorCard(issuer="slack.example", keys=(discovery.ConnectorKey.of(ED25519),))
    response = discovery.connector_card_response(card)
    assert "max-age" in (response.header("cache-control") or "")
    url = "https://slack.example/.well-known/adapter-card"
    assert discovery.read_connector_card(response.body, url=url) == card
