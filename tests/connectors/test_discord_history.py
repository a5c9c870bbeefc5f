"""What a message answers is a turn of the history, and turns are read by the same functions as messages."""

import pytest

from mentionable import Failed, HistoryPolicy
from mentionable.connectors import discord
from tests.connectors.discord_events import AGENT, ALICE, FILES, OTHER, codes, interaction, message, received, settings

BOB = {"id": "43", "username": "bob", "global_name": "Bob"}
ANSWERED = {"id": OTHER, "channel_id": "500", "content": "Rain?", "author": BOB}
BOT = {"id": "700", "bot": True, "username": "helper"}


def posted(unit, *before, count=5):
    own = settings(history=HistoryPolicy(max_messages=count), files=FILES)
    return received(unit, own=own, call_api=lambda ask: list(before))


def answer(**changes):
    return message(
        "And?", type=19, message_reference={"message_id": OTHER}, **{"referenced_message": ANSWERED, **changes}
    )


def turns(got):
    return [(turn.role, turn.id, turn.parts[0].content) for turn in got.message.history or ()]


def test_what_a_message_answers_is_a_turn_by_its_own_author():
    got = posted(answer())
    (turn,) = got.message.history
    assert (turn.id, turn.sender.address, turn.sender.display_name) == (
        f"discord:500/{OTHER}",
        "@43@300.discord.invalid",
        "Bob",
    )
    assert (turn.timestamp, turn.parts[0].content) == ("2024-11-23T21:52:18.623Z", "Rain?")
    assert got.message.in_reply_to == turn.id


def test_what_the_agent_wrote_is_a_turn_of_the_agent():
    got = posted(answer(referenced_message={**ANSWERED, "author": BOT}))
    assert got.message.history[0].sender.address == AGENT


def test_a_turn_that_is_there_already_is_there_once():
    assert turns(posted(answer(), message("Rain?", id=OTHER, author=BOB))) == [
        ("user", f"discord:500/{OTHER}", "Rain?")
    ]


def test_what_a_message_answers_has_a_place_also_where_it_is_the_oldest():
    later = [message(f"m{n}", id=str(int(OTHER) + 1 - n), mentions=None) for n in range(3)]
    assert turns(posted(answer(referenced_message={**ANSWERED, "id": "1"}), *later, count=2)) == [
        ("user", "discord:500/1", "Rain?"),
        ("user", f"discord:500/{OTHER}", "m1"),
    ]


def test_it_may_be_of_another_channel():
    assert turns(posted(answer(referenced_message={**ANSWERED, "channel_id": "501"})))[0][1] == f"discord:501/{OTHER}"


def test_what_was_deleted_is_named():
    got = posted({**answer(), "referenced_message": None})
    assert codes(got) == ["history-turn-dropped"]
    assert got.diagnostics[0].detail == "the message that it answers was deleted"


def test_what_discord_does_not_send_along_is_not_missed():
    unit = answer()
    del unit["referenced_message"]
    assert codes(posted(unit)) == []


@pytest.mark.parametrize("odd", [{}, {**ANSWERED, "content": ""}, {**ANSWERED, "type": 7}])
def test_what_cannot_be_a_turn_is_named(odd):
    got = posted({**answer(), "referenced_message": None})
    assert [(note.code, note.at) for note in got.diagnostics] == [("history-turn-dropped", "/referenced_message")]


def test_the_answered_message_is_there_when_the_api_does_not_answer():
    own = settings(history=HistoryPolicy(max_messages=5))
    got = received(answer(), own=own, call_api=lambda ask: Failed("away"))
    assert (len(got.message.history), codes(got)) == (1, ["lookup-unanswered"])


def test_the_message_with_the_button_is_a_turn():
    shown = {**ANSWERED, "author": BOT, "components": [{"type": 2, "custom_id": "y", "label": "Yes"}]}
    got = posted(interaction({"custom_id": "y", "component_type": 2}, type=3, message=shown))
    assert [part.content for part in got.message.history[0].parts] == ["Rain?", "[Yes]"]


def test_turns_hold_all_that_people_see():
    before = message(
        "Look <@43>",
        id=OTHER,
        mentions=[BOB],
        sticker_items=[{"name": "wave"}, {}],
        message_snapshots=[{"message": {"content": "Far"}}],
        embeds=[{"type": "link", "url": "javascript:x", "title": "Rain"}],
        attachments=[{"id": "8", "filename": "a.png", "description": "A cat"}],
    )
    got = posted(message(), before)
    (turn,) = got.message.history
    assert [part.content for part in turn.parts] == [
        "Look <@43>",
        "[file: a.png] A cat",
        "Far",
        "**Rain**",
        "[sticker: wave]",
        "[file: a.png]",
    ]
    assert turn.parts[0].extra["mentions"] == {"<@43>": "Bob"}
    assert [(note.code, note.at) for note in got.diagnostics] == [("part-unsupported", "/history/sticker_items/1")]


def test_the_first_message_of_a_thread_is_the_turn_that_it_shows():
    starter = message("", id="2", type=21, referenced_message={**ANSWERED, "channel_id": "499"})
    assert turns(posted(message(), starter)) == [("user", f"discord:499/{OTHER}", "Rain?")]


def test_the_role_of_the_bot_addresses_it():
    unit = message("<@&60> hi", mentions=None, mention_roles=["60", 5])
    assert received(unit).code == "unsupported-event"
    assert received(unit, own=settings(role_ids=("61", "60"))).message.parts[0].content == "<@&60> hi"


def test_a_thread_in_which_a_command_is_used_has_a_title():
    place = {"id": "500", "type": 11, "name": "Rain", "owner_id": "43"}
    got = received(interaction(channel=place)).message
    assert [part.content for part in got.parts] == ["Hi", "[thread: Rain]"]
    assert got.parts[1].extra == {"written_by": {"mention_token": "<@43>"}}
    assert len(received(interaction(channel={**place, "type": 0})).message.parts) == 1


def test_files_of_all_messages_that_are_shown_have_a_source():
    url = "https://cdn.discordapp.com/attachments/5/8/a.pdf?hm=1"

    def with_file(id, **more):
        return {"attachments": [{"id": id, "url": url}], **more}

    inner = with_file("2", message_snapshots=[{"message": with_file("3")}])
    assert discord.sources(with_file("1", referenced_message=inner, author=ALICE)).keys() == {"1", "2", "3"}
