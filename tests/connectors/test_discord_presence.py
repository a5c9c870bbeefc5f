"""What shows on Discord that an agent is there."""

import pytest

from mentionable import UsageError, replace
from mentionable.connectors import discord
from tests.connectors.discord_events import EVENT, interaction, message, received

QUESTION = received(message()).message


def test_typing_shows_in_the_channel():
    (call,) = discord.typing(to=QUESTION).calls
    assert (call.method, call.path, call.params, call.as_bot) == ("POST", "/channels/500/typing", {}, True)


@pytest.mark.parametrize(
    ("emoji", "name"),
    [
        ("\U0001f440", "%F0%9F%91%80"),
        ("1\ufe0f\u20e3", "1%EF%B8%8F%E2%83%A3"),
        ("<:rain:1310000000000000000>", "rain:1310000000000000000"),
        ("<a:rain:13>", "rain:13"),
        ("rain:13", "rain:13"),
    ],
)
def test_a_reaction_is_to_the_message(emoji, name):
    (put,), (gone,) = discord.react(emoji, to=QUESTION).calls, discord.unreact(emoji, to=QUESTION).calls
    path = f"/channels/500/messages/{EVENT}/reactions/{name}/@me"
    assert (put.method, put.path, gone.method, gone.path) == ("PUT", path, "DELETE", path)


@pytest.mark.parametrize("to", [received(interaction()).message, replace(QUESTION, raw=None)])
def test_a_command_has_no_reactions(to):
    out = discord.react("\U0001f440", to=to)
    assert (out.calls, [note.code for note in out.diagnostics]) == ((), ["part-unsupported"])


@pytest.mark.parametrize(
    "emoji", ["", "eyes", ":eyes:", "\u00e9t\u00e9", "\U0001f440 \U0001f440", "\U0001f440" * 33, "a/b:1", 5]
)
def test_an_emoji_is_an_emoji(emoji):
    with pytest.raises(UsageError, match="emoji"):
        discord.react(emoji, to=QUESTION)


@pytest.mark.parametrize("to", ["x", replace(QUESTION, thread_id="slack:T1/C1/1")])
def test_presence_is_for_messages_of_discord(to):
    with pytest.raises(UsageError, match="to"):
        discord.typing(to=to)
