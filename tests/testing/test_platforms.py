"""Members of platforms and connectors that tests make up."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mentionable import Settings, UsageError, a2a, drive, dumps, encode, identity
from mentionable.connectors import slack
from mentionable.testing import ConnectorPeer, Peer, SlackPeer, answers

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
HELPER = "@helper@agents.example"
FACTS = {"now": NOW, "entropy": bytes(32)}


def test_a_member_writes_events_that_a_connector_takes():
    alice = Peer.slack("U7", team="T8", name="Alice")
    unit = alice.write("Hello", now=NOW, thread="1763758560.000001")
    got = drive(slack.receive(unit, recipient=HELPER, settings=alice.settings(), **FACTS), answers(alice))
    (shown,) = got.identities
    assert (shown.subject, got.message.sender.display_name) == ("slack:T8/U7", "Alice")
    assert got.message.thread_id.endswith("1763758560.000001")
    assert got.verdict.code == "platform-only"


def test_a_member_shares_what_others_wrote():
    alice = SlackPeer()
    unit = alice.write(
        "look", now=NOW, mention=False, attachments=[{"author_name": "Bob", "text": "late", "is_share": True}]
    )
    settings = alice.settings(listen_to="everything")
    got = drive(slack.receive(unit, recipient=HELPER, settings=settings, **FACTS), answers(alice))
    assert [part.content for part in got.message.parts][:1] == ["look"]
    assert got.message.parts[1].extra["written_by"]


def test_a_member_types_commands():
    alice = SlackPeer()
    unit = alice.command("/ask", "Will it rain?", now=NOW)
    got = drive(slack.receive(unit, recipient=HELPER, settings=alice.settings(), **FACTS), answers(alice))
    assert got.message.parts[0].content == "/ask Will it rain?"
    assert got.identities[0].subject == "slack:T123/U456"
    assert slack.response_url(unit).startswith("https://hooks.slack.example/commands/")


def test_a_thread_that_nobody_set_up_is_empty():
    alice = SlackPeer()
    unit = alice.write("Hello", now=NOW, thread="1763758560.000001")
    got = drive(slack.receive(unit, recipient=HELPER, settings=alice.settings(), **FACTS), answers(alice))
    assert (got.message.history, got.diagnostics) == (None, ())


def test_the_secret_may_be_that_of_a_program():
    alice = SlackPeer(signing_secret=b"of-a-program")
    assert alice.secret == b"of-a-program"
    assert "of-a-program" not in repr(alice)
    unit = alice.write("Hello", now=NOW)
    theirs = SlackPeer().settings()
    got = drive(slack.receive(unit, recipient=HELPER, settings=theirs, **FACTS), answers(alice))
    assert got.http_status == 401


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
