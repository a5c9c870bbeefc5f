"""Who took part in a conversation, and whom a token that an answer copies may mention."""

from __future__ import annotations

import pytest

from mentionable import (
    HistoricalMessage,
    InlineRelay,
    NormalizedMessage,
    NormalizedResponse,
    RecipientCapabilities,
    Sender,
    SenderProfile,
    Settings,
    TextPart,
    replace,
)
from mentionable.connectors import discord, slack
from mentionable.connectors._participants import MAX_PARTICIPANTS, participants_of
from mentionable.connectors.discord._write.copied import with_copied_mentions

PERSON = SenderProfile(provider="discord", provider_subject="discord:3/42")
OFF = Settings(mention_participants=False)


def sender(user, platform, *, is_program=False):
    if platform == "slack":
        return Sender(address=f"@{user}@t1.slack.invalid")
    return Sender(address=f"@{user}@3.discord.invalid", profile=None if is_program else PERSON)


def text(content="hi", **extra):
    return TextPart(content=content, extra=extra)


def turn(user, platform, *parts):
    return HistoricalMessage(
        role="user", sender=sender(user, platform), parts=parts or (text(),), timestamp="2026-11-21T09:00:00Z"
    )


def question(platform, *parts, user=None, history=None, raw=None, **more):
    return NormalizedMessage(
        id="m1",
        thread_id={"slack": "slack:T1/C1/1355517523.000005", "discord": "discord:5"}.get(platform, platform),
        sender=more.get("sender") or sender(user or {"slack": "U1", "discord": "42"}[platform], platform),
        recipient="@helper@agents.example",
        parts=parts or (text(),),
        received_via="connector",
        raw=raw,
        history=history,
        recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()),
        received_at="2026-11-21T00:00:00Z",
    )


def test_the_sender_takes_part():
    assert participants_of(question("slack")) == {"U1"}
    assert participants_of(question("discord")) == {"42"}


def test_people_of_earlier_messages_take_part():
    history = (turn("U2", "slack"), turn("U3", "slack", text(mentions={"<@U4>": "Bob"})))
    assert participants_of(question("slack", history=history)) == {"U1", "U2", "U3", "U4"}


def test_people_whom_the_message_mentions_take_part():
    part = text(mentions={"<@U5>": "Ash", r"\<@U6>": "Bob", "<@W7>": "Eve"})
    assert participants_of(question("slack", part)) == {"U1", "U5", "U6", "W7"}
    part = text(mentions={"<@43>": "Ash", "<@!44>": "Bob"})
    assert participants_of(question("discord", part)) == {"42", "43", "44"}


@pytest.mark.parametrize(
    ("platform", "token"),
    [
        ("slack", "<#C1>"),
        ("slack", "<!channel>"),
        ("slack", "<!subteam^S1>"),
        ("slack", "<@42>"),
        ("slack", "<@U1|x>"),
        ("slack", "U9"),
        ("discord", "<@&9>"),
        ("discord", "<#9>"),
        ("discord", "</ask:9>"),
        ("discord", "<@U9>"),
        ("discord", "<@0>"),
    ],
)
def test_channels_groups_and_roles_do_not_take_part(platform, token):
    asked = question(platform, text(mentions={token: "x"}))
    assert participants_of(asked) == participants_of(question(platform))


@pytest.mark.parametrize("mentions", [None, 7, "<@U9>", ["<@U9>"]])
def test_odd_mentions_are_no_fault(mentions):
    assert participants_of(question("slack", text(mentions=mentions))) == {"U1"}


def test_what_a_message_shows_of_others_brings_no_one_in():
    part = text(mentions={"<@U9>": "Eve"}, written_by={"mention_token": "<@U8>"})
    assert participants_of(question("slack", text(), part)) == {"U1"}


def test_what_the_agent_wrote_brings_no_one_in():
    own = turn("U9", "slack", text(mentions={"<@U8>": "Eve"}))
    history = (replace(own, role="assistant", sender=Sender(address="@helper@agents.example")),)
    assert participants_of(question("slack", history=history)) == {"U1"}


def test_a_message_of_a_program_has_no_participants():
    assert participants_of(question("slack", raw={"bot": True})) == frozenset()
    assert participants_of(question("discord", sender=sender("42", "discord", is_program=True))) == frozenset()
    assert participants_of(question("slack", sender=Sender(address="@a@b.example"))) == frozenset()


def test_a_program_in_the_history_does_not_take_part():
    program = replace(turn("43", "discord"), sender=sender("43", "discord", is_program=True))
    assert participants_of(question("discord", history=(program,))) == {"42"}


def test_a_thread_of_another_platform_has_no_participants():
    assert participants_of(question("teams:1", sender=sender("U1", "slack"))) == frozenset()


def test_only_so_many_people_take_part_the_newest_first():
    history = tuple(turn(f"U{number}", "slack") for number in range(1000, 1300))
    people = participants_of(question("slack", history=history))
    assert len(people) == MAX_PARTICIPANTS
    assert {"U1", "U1299", "U1201"} <= people
    assert "U1200" not in people


def shown(platform, content, *, settings=None, mime="text/markdown", **facts):
    asked = question(platform)
    response = NormalizedResponse.to(asked, TextPart(content=content, mime=mime))
    room = slack if platform == "slack" else discord
    (call,) = room.reply(response, to=asked, **({} if settings is None else {"settings": settings}), **facts).calls
    return call.params


@pytest.mark.parametrize("mime", ["text/plain", "text/markdown"])
def test_a_copied_token_mentions_its_person(mime):
    assert shown("slack", "Yes, <@U1>.", mime=mime)["text"] == "Yes, <@U1>."
    params = shown("discord", "Yes, <@42>.", mime=mime)
    assert (params["content"], params["allowed_mentions"]) == ("Yes, <@42>.", {"parse": [], "users": ["42"]})


def test_a_token_of_a_stranger_mentions_no_one():
    assert shown("slack", "<@U9> <!channel>")["text"] == "&lt;@U9&gt; &lt;!channel&gt;"
    assert shown("discord", "<@99> <@&1> @everyone")["allowed_mentions"] == {"parse": []}


def test_a_setting_turns_copied_mentions_off():
    assert shown("slack", "<@U1>", settings=OFF)["text"] == "&lt;@U1&gt;"
    assert shown("discord", "<@42>", settings=OFF)["allowed_mentions"] == {"parse": []}


def test_another_agent_is_brought_in_by_its_address_alone():
    assert shown("slack", "<@U1>", siblings={"@rain@agents.example": "U1"})["text"] == "&lt;@U1&gt;"
    assert shown("discord", "<@42>", siblings={"@rain@agents.example": "42"})["allowed_mentions"] == {"parse": []}


def test_users_that_a_program_names_are_mentioned_besides():
    assert shown("slack", "<@U1> <@U9>", mentions=["U9"])["text"] == "<@U1> <@U9>"
    params = shown("discord", "<@42> @rain@agents.example", siblings={"@rain@agents.example": "7"})
    assert params["allowed_mentions"]["users"] == ["7", "42"]


@pytest.mark.parametrize(
    ("content", "written", "users"),
    [
        ("<@42> and <@!42>", "<@42> and <@!42>", ["42"]),
        (r"\<@42\>", "<@42>", ["42"]),
        (r"\<@42>", r"\<@42>", None),
        (r"\<@99\>", r"\<@99\>", None),
        ("`<@42>`", "`<@42>`", None),
        ("```\n<@42>\n```", "```\n<@42>\n```", None),
        ("hi", "hi", None),
        ("", "", None),
    ],
)
def test_discord_pings_whoever_a_message_allows(content, written, users):
    params = with_copied_mentions({"content": content, "allowed_mentions": {"parse": []}}, {"42"})
    assert (params["content"], params["allowed_mentions"].get("users")) == (written, users)


def test_a_message_without_a_text_pings_no_one():
    params = {"allowed_mentions": {"parse": []}}
    assert with_copied_mentions(params, {"42"}) is params


def test_discord_takes_so_many_users():
    users = [str(number) for number in range(1, 100)]
    params = {"content": "<@500> <@501>", "allowed_mentions": {"parse": [], "users": users}}
    assert with_copied_mentions(params, {"500", "501"})["allowed_mentions"]["users"] == [*users, "500"]
