"""Connectors that tests make up."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mentionable import Settings, UsageError, a2a, drive, dumps, encode, identity
from mentionable.testing import ConnectorPeer, Peer, answers

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
HELPER = "@helper@agents.example"
FACTS = {"now": NOW, "entropy": bytes(32)}


def test_a_connector_attests_and_is_trusted_by_its_entry():
    connector = Peer.connector("slack.agents.example")
    badge = connector.attest("slack:T1/U1", audience=HELPER, now=NOW, id="slack:Ev1")
    settings = Settings(trust=identity.TrustPolicy(entries=(connector.trusted("slack:T1/"),)))
    flow = identity.verify(
        dumps(badge), recipient=HELPER, caller=connector.address, message_digest=b"Hi", now=NOW, settings=settings
    )
    shown = drive(flow, answers(connector))
    assert (shown.subject, shown.id, shown.entry) == ("slack:T1/U1", "slack:Ev1", 0)


def test_a_connector_is_trusted_about_all_of_slack_unless_told():
    assert ConnectorPeer().trusted().subject_prefixes == ("slack:",)
    with pytest.raises(UsageError):
        ConnectorPeer().trusted("slack:T1")


def test_what_a_connector_forwards_reaches_the_agent():
    connector = Peer.connector()
    badge = connector.attest("slack:T1/U1", audience=HELPER, now=NOW, claims={"profile": {"display_name": "Alice"}})
    said = {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
    said["metadata"] = {"mentionable": {"identity_evidence": encode(badge)}}
    settings = Settings(trust=identity.TrustPolicy(entries=(connector.trusted(),)))
    caller = a2a.Caller(subject=connector.address)
    flow = a2a.receive(said, recipient=HELPER, caller=caller, settings=settings, **FACTS)
    got = drive(flow, answers(connector))
    assert [one.subject for one in got.identities] == ["slack:T1/U1"]
    assert got.message.sender.display_name == "Alice"
    assert got.message.sender.identities[0].subject == "slack:T1/U1"
