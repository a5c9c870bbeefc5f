"""Members of guilds of Discord that tests make up."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mentionable import NormalizedResponse, UsageError, drive
from mentionable.connectors import Choice, discord
from mentionable.testing import DiscordPeer, Peer, answers

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
HELPER = "@helper@agents.example"


def got_from(unit, member, known=None):
    """What comes of an event."""
    flow = discord.receive(unit, now=NOW, entropy=bytes(32), recipient=HELPER, settings=member.settings())
    return drive(flow, known or answers(member))


def test_a_member_mentions_the_bot():
    alice = Peer.discord("43", guild="301", name="Alice")
    got = got_from(alice.write("Will it rain?", now=NOW), alice)
    assert got.message.parts[0].content == "<@700> Will it rain?"
    assert got.message.sender.display_name == "Alice"
    assert got.identities[0].subject == "discord:301/43"


def test_a_member_writes_direct_messages():
    alice = DiscordPeer(guild=None)
    got = got_from(alice.write("Will it rain?", now=NOW, mention=False), alice)
    assert got.message.parts[0].content == "Will it rain?"
    assert got.identities[0].subject == "discord:dm/42"


@pytest.mark.parametrize(("guild", "subject"), [("300", "discord:300/42"), (None, "discord:dm/42")])
def test_a_member_uses_a_command(guild, subject):
    alice = DiscordPeer(guild=guild)
    got = got_from(alice.command("Will it rain?", now=NOW), alice)
    assert got.message.parts[0].content == "Will it rain?"
    assert got.identities[0].subject == subject


def test_who_does_not_have_the_key_is_refused():
    alice, settings = DiscordPeer(), DiscordPeer(application="701").settings()
    flow = discord.receive(
        alice.command("Hi", now=NOW), now=NOW, entropy=bytes(32), recipient=HELPER, settings=settings
    )
    assert drive(flow, answers(alice)).http_status == 401


@pytest.mark.parametrize(("guild", "mention"), [("300", True), (None, False)])
def test_a_member_edits_what_they_wrote(guild, mention):
    alice = DiscordPeer(guild=guild)
    unit = alice.write("Will it rain?", now=NOW, mention=mention)
    known = answers(alice)
    got = got_from(unit, alice, known)
    event = got_from(alice.edit(unit, "Will it snow?", now=NOW), alice, known)
    assert (event.type, event.object_id) == ("edited", got.native_id)
    assert event.parts[0].content == ("<@700> Will it snow?" if mention else "Will it snow?")


@pytest.mark.parametrize("guild", ["300", None])
def test_a_member_deletes_what_they_wrote(guild):
    alice = DiscordPeer(guild=guild)
    unit = alice.write("Will it rain?", now=NOW)
    event = got_from(alice.delete(unit), alice)
    assert (event.type, event.object_id) == ("deleted", got_from(unit, alice).native_id)


@pytest.mark.parametrize("guild", ["300", None])
@pytest.mark.parametrize(("removed", "type"), [(False, "reaction-added"), (True, "reaction-removed")])
def test_a_member_reacts(guild, removed, type):
    alice = DiscordPeer(guild=guild)
    native_id = "discord:500/1310000000000000001"
    event = got_from(alice.react("👍", native_id, removed=removed), alice)
    assert (event.type, event.content, event.object_id) == (type, "👍", native_id)


@pytest.mark.parametrize("count", [2, 7])
def test_a_member_clicks_a_button_or_chooses_from_a_menu(count):
    alice = DiscordPeer()
    message = got_from(alice.write("Which?", now=NOW), alice).message
    choices = [Choice(label=f"No. {number}", value=f"n{number}") for number in range(count)]
    [call] = discord.reply(NormalizedResponse.to(message, "One of these:"), to=message, choices=choices).calls
    got = got_from(alice.click("n1", call, native_id="discord:500/1310000000000000001", now=NOW), alice)
    assert got.message.parts[0].content == "No. 1"
    assert got.message.parts[0].extra["choice"] == "n1"


@pytest.mark.parametrize("count", [0, 2, 7])
def test_nobody_clicks_what_is_not_offered(count):
    alice = DiscordPeer()
    message = got_from(alice.write("Which?", now=NOW), alice).message
    choices = [Choice(label=f"No. {number}", value=f"n{number}") for number in range(count)]
    [call] = discord.reply(NormalizedResponse.to(message, "One of these:"), to=message, choices=choices).calls
    with pytest.raises(UsageError, match="no choice"):
        alice.click("n9", call, native_id="discord:500/1310000000000000001", now=NOW)
