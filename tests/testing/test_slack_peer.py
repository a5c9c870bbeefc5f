"""Members of Slack that tests make up."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mentionable import NormalizedResponse, UsageError, drive
from mentionable.connectors import Choice, slack
from mentionable.testing import Peer, SlackPeer, answers

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


def got_from(request, member):
    """What comes of a request."""
    return drive(slack.receive(request, recipient=HELPER, settings=member.settings(), **FACTS), answers(member))


def test_a_member_edits_what_they_wrote():
    alice = SlackPeer()
    unit = alice.write("Will it rain?", now=NOW)
    event = got_from(alice.edit(unit, "Will it snow?", now=NOW), alice)
    assert (event.type, event.parts[0].content) == ("edited", "<@UBOT> Will it snow?")
    assert event.previous[0].content == "<@UBOT> Will it rain?"
    assert event.object_id == got_from(unit, alice).native_id


def test_an_edit_of_a_message_without_a_mention_has_none():
    alice = SlackPeer()
    unit = alice.write("Hi", now=NOW, mention=False)
    settings = alice.settings(listen_to="everything")
    flow = slack.receive(alice.edit(unit, "Ho", now=NOW), recipient=HELPER, settings=settings, **FACTS)
    assert drive(flow, answers(alice)).parts[0].content == "Ho"


def test_a_member_deletes_what_they_wrote():
    alice = SlackPeer()
    unit = alice.write("Will it rain?", now=NOW)
    event = got_from(alice.delete(unit, now=NOW), alice)
    assert (event.type, event.object_id) == ("deleted", got_from(unit, alice).native_id)


@pytest.mark.parametrize(("removed", "type"), [(False, "reaction-added"), (True, "reaction-removed")])
def test_a_member_reacts(removed, type):
    alice = SlackPeer()
    native_id = "slack:T123/C123/1763758560.000001"
    event = got_from(alice.react("thumbsup", native_id, now=NOW, removed=removed), alice)
    assert (event.type, event.content, event.object_id) == (type, ":thumbsup:", native_id)


@pytest.mark.parametrize("count", [2, 7])
def test_a_member_clicks_a_button_or_chooses_from_a_menu(count):
    alice = SlackPeer()
    message = got_from(alice.write("Which?", now=NOW), alice).message
    choices = [Choice(label=f"No. {number}", value=f"n{number}") for number in range(count)]
    [call] = slack.reply(NormalizedResponse.to(message, "One of these:"), to=message, choices=choices).calls
    unit = alice.click("n1", call, native_id="slack:T123/C123/1763758560.000001", now=NOW)
    got = got_from(unit, alice)
    assert got.message.parts[0].content == "No. 1"
    assert got.message.parts[0].extra["choice"] == "n1"
    assert slack.response_url(unit).startswith("https://hooks.slack.example/actions/")


def test_nobody_clicks_what_is_not_offered():
    alice = SlackPeer()
    message = got_from(alice.write("Which?", now=NOW), alice).message
    call = slack.reply(NormalizedResponse.to(message, "None."), to=message).calls[0]
    with pytest.raises(UsageError, match="no choice"):
        alice.click("n1", call, native_id="slack:T123/C123/1763758560.000001", now=NOW)
