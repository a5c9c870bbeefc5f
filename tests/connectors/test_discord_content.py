import pytest

from mentionable import LinkPart
from mentionable.connectors.discord._ids import is_snowflake, time_of
from mentionable.connectors.discord._read.people import name_of
from tests.connectors.discord_events import ALICE, FILES, codes, direct, message, received, settings, text_of

HASH = "0123456789abcdef" * 2


def test_an_embed_with_a_link_is_a_link_and_its_fields_are_text():
    embed = {
        "url": "https://news.example/rain",
        "title": "Rain <@1>",
        "description": " It will. ",
        "fields": [{"name": "When", "value": "Soon"}, {"value": "Later"}, {"name": "Only"}, {}, "x"],
        "image": {"url": "https://canary.example/"},
    }
    link, text = received(direct("", embeds=[embed])).message.parts
    assert link == LinkPart(url="https://news.example/rain", title="Rain @user:1", description="It will.")
    assert text.content == "**When**\nSoon\n\nLater\n\n**Only**"


def test_an_embed_without_a_link_is_text():
    assert text_of(direct("", embeds=[{"title": "Rain", "description": "It will."}])) == "**Rain**\n\nIt will."
    assert received(direct("", embeds=[{}, "x"])).code == "unsupported-event"


@pytest.mark.parametrize(
    "url",
    ["https://cdn.discordapp.com/a?hm=1", "https://media.discordapp.net/x", "https://discordapp.com/x", "javascript:x"],
)
def test_urls_that_open_files_are_refused(url):
    got = received(direct("Hi", embeds=[{"url": url, "title": "x"}]))
    assert codes(got) == ["url-refused"]
    assert got.message.parts[1].content == "**x**"


def test_links_to_discord_itself_may_pass():
    assert received(direct("", embeds=[{"url": "https://discord.com/x"}])).message.parts[0].url


def test_what_is_forwarded_is_a_quote_and_no_answer():
    snapshot = {
        "message": {"content": "Look\n<@1>", "mentions": [{"id": "1", "username": "bob"}], "attachments": [{"id": "8"}]}
    }
    unit = direct("", message_reference={"type": 1, "message_id": "7"}, message_snapshots=[snapshot, {"message": 5}])
    got = received(unit, own=settings(files=FILES)).message
    assert (got.parts[0].content, got.parts[1].kind) == ("Forwarded:\n\n> Look\n> @bob", "file")
    assert got.in_reply_to is None


def test_stickers_and_polls_are_noted():
    got = received(direct("Hi", sticker_items=[{"name": "wave"}, {}], poll={"question": {}}))
    assert codes(got) == ["part-unsupported"] * 3
    assert [note.detail for note in got.diagnostics] == ["a sticker: wave", "a sticker", "a poll"]


def test_too_many_parts_are_too_many():
    embeds = [{"url": "https://a.example/"}] * 4
    from mentionable import Limits

    assert received(direct("Hi", embeds=embeds), own=settings(limits=Limits(parts=4))).code == "too-many-parts"
    assert received(direct("Hi", embeds=embeds), own=settings(limits=Limits(parts=5))).message


def test_mentions_are_read_with_the_names_of_the_guild():
    mentions = [{"id": "1", "username": "bob", "member": {"nick": "Bobby"}}, {"id": "x"}, {"id": "2"}, 5]
    channels = [{"id": "3", "name": "general"}, {"id": "x"}]
    text = "<@1> <@2> <#3>"
    assert text_of(direct(text, mentions=mentions, mention_channels=channels)) == "@Bobby @user:2 #general"


@pytest.mark.parametrize(
    ("user", "member", "name"),
    [
        ({"username": "a", "global_name": "b"}, {"nick": "c"}, "c"),
        ({"username": "a", "global_name": "b"}, {"nick": None}, "b"),
        ({"username": "a", "global_name": " "}, {}, "a"),
        ({"username": 5}, {}, None),
        ({"username": "x" * 500}, {}, "x" * 128),
    ],
)
def test_people_are_called_as_discord_calls_them(user, member, name):
    assert name_of(user, member) == name


def avatar(user, member=None, **changes):
    got = received(message(author={**ALICE, **user}, member=member or {}, **changes)).message
    found = got.sender.profile.avatar
    return found and found.url


def test_pictures_are_those_that_discord_shows_to_everybody():
    assert avatar({"avatar": HASH}) == f"https://cdn.discordapp.com/avatars/42/{HASH}.png"
    assert avatar({"avatar": f"a_{HASH}"}) == f"https://cdn.discordapp.com/avatars/42/a_{HASH}.png"
    guild = f"https://cdn.discordapp.com/guilds/300/users/42/avatars/{HASH}.png"
    assert avatar({"avatar": "x"}, {"avatar": HASH}) == guild
    assert avatar({"avatar": "../x"}, {"avatar": 5}) is None
    assert avatar({"avatar": HASH}, {"avatar": HASH}, guild_id=None, mentions=None) == (
        f"https://cdn.discordapp.com/avatars/42/{HASH}.png"
    )


def test_odd_names_and_languages_are_left_out():
    got = received(message(author={"id": "42", "username": "\u200b"}, member={})).message.sender
    assert (got.display_name, got.profile.username, got.profile.locale) == (None, None, None)
    got = received(message(author={"id": "42", "username": 5}, member={})).message.sender
    assert got.profile.username is None


@pytest.mark.parametrize("text", ["0", "01", "", "x", "1" * 21, str(2**64), "\u0661", " 1", "1\n", 1, None])
def test_what_is_no_id_is_none(text):
    assert not is_snowflake(text)


def test_an_id_tells_its_time():
    assert is_snowflake(str(2**64 - 1))
    assert time_of("175928847299117063").isoformat() == "2016-04-30T11:18:25.796000+00:00"
    assert time_of(str(2**64 - 1)).year == 2154
