import pytest

from mentionable import Limits, LinkPart
from mentionable.connectors.discord._ids import is_snowflake, time_of
from mentionable.connectors.discord._read.people import name_of
from tests.connectors.discord_events import ALICE, FILES, OTHER, codes, direct, message, received, settings

HASH = "0123456789abcdef" * 2


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


FORWARD = {"type": 1, "message_id": "7"}
PREVIEW = {"written_by": {"display_name": "news.example"}}


def parts_of(unit, **facts):
    return received(unit, **facts).message.parts


def test_what_is_typed_stays_as_it_is_and_the_names_are_in_extra():
    mentions = [{"id": "1", "username": "bob", "member": {"nick": "Bobby"}}, {"id": "x"}, {"id": "2"}, 5]
    channels = [{"id": "3", "name": "general"}, {"id": "x"}]
    resolved = {"roles": {"9": {"name": "crew"}}, "users": {"4": {"username": "eve"}, "5": 5}}
    text = "<@1> <@!1> <@2> <#3> <@&9> <@4> @everyone <:wave:12> </ask now:12>"
    (part,) = parts_of(direct(text, mentions=mentions, mention_channels=channels, resolved=resolved))
    assert part.content == text
    assert part.extra == {
        "mentions": {
            "<@1>": "Bobby",
            "<@!1>": "Bobby",
            "<#3>": "general",
            "<@&9>": "crew",
            "<@4>": "eve",
            "</ask now:12>": "ask now",
        }
    }


def test_a_text_that_has_to_be_cleaned_is_there_byte_for_byte():
    (part,) = parts_of(direct("a\r\nb"))
    assert (part.content, part.extra) == ("a\nb", {"native_text": "a\r\nb"})


def test_what_is_typed_is_told_from_what_else_its_author_shows():
    typed, sticker = parts_of(direct("Hi", sticker_items=[{"name": "wave"}]))
    assert (typed.extra, sticker.extra) == ({"native_text": "Hi"}, {})


def test_a_time_is_readable_in_a_part_of_its_own():
    typed, time = parts_of(direct("<t:0> <t:1763758560:R> <t:-1> <t:999999999999> `<t:5>` <t:0>"))
    assert typed.extra == {}
    assert time.extra == {"written_by": {"display_name": "Discord"}}
    assert time.content.split("\n") == [
        "<t:0> is 1970-01-01 00:00:00 UTC",
        "<t:1763758560:R> is 2025-11-21 20:56:00 UTC",
        "<t:-1> is 1969-12-31 23:59:59 UTC",
    ]
    assert len(parts_of(direct("<t:999999999999>"))) == 1


def test_a_hundred_times_are_readable():
    assert len(parts_of(direct(" ".join(f"<t:{n}>" for n in range(101))))[1].content.split("\n")) == 100


def test_a_forwarded_message_is_by_an_unknown_writer_and_no_answer():
    inner = {
        "content": "Look\n<@1>",
        "mentions": [{"id": "1", "username": "bob"}],
        "attachments": [{"id": "8", "filename": "a.png", "description": "A cat"}],
        "embeds": [{"type": "rich", "title": "Rain"}],
        "message_snapshots": [{"message": {"content": "canary"}}],
    }
    unit = direct(
        "",
        message_reference=FORWARD,
        message_snapshots=[{"message": inner}, {"message": 5}, {"message": {"content": 5}}],
    )
    outcome = received(unit, own=settings(files=FILES))
    got = outcome.message
    assert [getattr(part, "content", part.kind) for part in got.parts] == [
        "Look\n<@1>",
        "[file: a.png] A cat",
        "**Rain**",
        "file",
    ]
    assert got.parts[0].extra == {"mentions": {"<@1>": "bob"}, "written_by": {}}
    assert (got.parts[1].extra, got.parts[2].extra) == ({"written_by": {}}, {"written_by": {}})
    assert got.parts[3].extra == {"written_by": {}}
    assert (got.in_reply_to, codes(outcome)) == (None, ["part-unsupported"])


@pytest.mark.parametrize("snapshots", [None, []])
def test_a_forwarded_message_that_discord_does_not_send_is_named(snapshots):
    got = received(direct("Hi", message_reference=FORWARD, message_snapshots=snapshots))
    assert [(note.code, note.at) for note in got.diagnostics] == [("part-unsupported", "/message_reference")]
    assert got.message.parts[0].extra == {}


def test_a_preview_is_by_its_site_whatever_it_calls_itself():
    embed = {
        "type": "article",
        "url": "https://news.example/rain",
        "title": "Rain",
        "provider": {"name": "Alice A"},
        "thumbnail": {"url": "https://canary.example/", "description": "A cloud"},
    }
    typed, preview = parts_of(direct("see https://news.example/rain.", embeds=[embed]))
    assert typed.extra == {}
    assert (preview.content, preview.extra) == ("Alice A\n\n**Rain**\n\nA cloud", PREVIEW)


def test_a_preview_of_a_link_that_is_not_in_the_text_has_its_link():
    link, preview = parts_of(direct("", embeds=[{"url": "https://news.example/", "title": "Rain"}]))
    assert link == LinkPart(url="https://news.example/", extra=PREVIEW)
    assert preview.extra == PREVIEW


def test_a_preview_without_a_link_is_by_a_page():
    (preview,) = parts_of(direct("", embeds=[{"type": "video", "title": "Rain"}]))
    assert preview.extra == {"written_by": {"display_name": "a linked page"}}


def test_the_embed_of_a_program_is_its_own_text():
    bot = {"id": "9", "username": "weather", "bot": True}
    embed = {
        "type": "rich",
        "url": "https://news.example/rain",
        "author": {"name": "The_Times"},
        "title": "Rain <@1>",
        "description": " It will. ",
        "fields": [{"name": "When", "value": "Soon"}, {"value": "Later"}, {"name": "Only"}, {}, "x"],
        "image": {"url": "https://canary.example/", "description": "A cloud"},
        "footer": {"text": "Since 1900", "icon_url": "https://canary.example/"},
        "timestamp": "2026-11-21T20:56:00+00:00",
    }
    link, text = parts_of(direct("", embeds=[embed], author=bot, mentions=[{"id": "1", "username": "bob"}]))
    assert link == LinkPart(url="https://news.example/rain")
    assert text.extra == {"mentions": {"<@1>": "bob"}}
    assert text.content.split("\n\n") == [
        r"The\_Times",
        "**Rain <@1>**",
        "It will.",
        "**When**\nSoon",
        "Later",
        "**Only**",
        "A cloud",
        "Since 1900 - 2026-11-21T20:56:00Z",
    ]


def test_an_embed_of_a_program_that_previews_its_own_link_is_by_the_site():
    bot = {"id": "9", "username": "weather", "bot": True}
    embed = {"type": "rich", "url": "https://news.example/rain", "title": "Rain"}
    _, preview = parts_of(direct("[here](https://news.example/rain)", embeds=[embed], author=bot))
    assert preview.extra == PREVIEW


def test_an_embed_without_words_is_nothing():
    assert received(direct("", embeds=[{}, "x", {"image": {"url": "https://a.example/"}}])).code == "unsupported-event"
    assert received(direct("", embeds=["x"])).code == "unsupported-event"


def test_the_results_of_a_poll_are_readable():
    fields = [
        {"name": "poll_question_text", "value": "Tea?"},
        {"name": "victor_answer_text", "value": "Yes"},
        {"name": "victor_answer_id", "value": "canary"},
        {"name": "total_votes", "value": "3"},
        {"value": "x"},
    ]
    (part,) = parts_of(direct("", type=46, embeds=[{"type": "poll_result", "fields": fields}]))
    assert part.content == "Poll: Tea?\nWinner: Yes\nVotes: 3"


def test_a_poll_is_its_question_its_answers_and_the_votes():
    answers = [
        {"answer_id": 1, "poll_media": {"text": "Yes", "emoji": {"name": "\U0001f44d"}}},
        {"answer_id": 2, "poll_media": {"text": "No", "emoji": {"id": "5", "name": "nay"}}},
        {"poll_media": {"text": ""}},
    ]
    results = {"is_finalized": True, "answer_counts": [{"id": 1, "count": 3}, {"id": "x"}, {"id": 2}]}
    poll = {"question": {"text": "Tea\n?"}, "answers": answers, "results": results, "allow_multiselect": True}
    (part,) = parts_of(direct("", poll=poll))
    assert part.content == (
        "Poll: Tea ?\n- \U0001f44d Yes: 3 votes\n- :nay: No\nSeveral answers may be chosen.\nThe poll has ended."
    )


def test_a_poll_without_words_is_named():
    assert received(direct("Hi", poll={"question": {}})).diagnostics[0].detail == "a poll"
    assert codes(received(direct("Hi", poll=[5]))) == []


def test_stickers_have_names():
    got = received(direct("Hi", sticker_items=[{"name": "wave*"}, {"name": "dance"}, {}]))
    assert got.message.parts[1].content == "[sticker: wave\\*]\n[sticker: dance]"
    assert [(note.at, note.detail) for note in got.diagnostics] == [("/sticker_items/2", "a sticker")]
    assert parts_of(direct("", stickers=[{"name": "old"}]))[0].content == "[sticker: old]"


def test_an_invitation_and_a_call_are_readable():
    unit = direct("", activity={"type": 3}, application={"name": "Chess"}, call={"participants": []})
    assert parts_of(unit)[0].content == "[invitation: Chess]\n[call]"
    assert parts_of(direct("", activity={"type": 3}))[0].content == "[invitation]"
    assert parts_of(direct("", type=3, call={"participants": []}))[0].extra == {
        "written_by": {"display_name": "Discord"}
    }


def test_the_title_of_a_thread_is_by_its_owner():
    own = parts_of(direct("Hi", thread={"name": "Rain", "owner_id": "42"}))
    other = parts_of(direct("Hi", thread={"name": "Rain", "owner_id": "43"}))
    assert own[1].content == other[1].content == "[thread: Rain]"
    assert (own[1].extra, other[1].extra) == ({}, {"written_by": {"mention_token": "<@43>"}})
    assert len(parts_of(direct("Hi", thread={"name": 5}))) == 1


def test_the_first_message_of_a_thread_is_by_those_who_wrote_it():
    answered = {"id": OTHER, "author": ALICE, "content": "Rain?", "attachments": [{"id": "8", "filename": "a.pdf"}]}
    unit = direct("", type=21, referenced_message=answered, message_reference={"message_id": OTHER})
    got = received(unit, own=settings(files=FILES))
    assert got.message.parts[0].extra == {"written_by": {"display_name": "Alice A", "mention_token": "<@42>"}}
    assert (got.message.parts[1].name, codes(got)) == ("a.pdf", [])
    hook = {**answered, "webhook_id": "5"}
    (text, _) = parts_of({**unit, "referenced_message": hook}, own=settings(files=FILES))
    assert text.extra == {"written_by": {"display_name": "Alice A"}}
    assert received({**unit, "referenced_message": None}).code == "unsupported-event"


def test_the_command_that_a_program_answers_is_by_the_person_who_used_it():
    bot = {"id": "9", "username": "weather", "bot": True}
    unit = direct("It will.", author=bot, interaction_metadata={"user": ALICE, "name": "ask"})
    used = parts_of(unit)[1]
    assert (used.content, used.extra["written_by"]["display_name"]) == ("/ask", "Alice A")
    unit = direct("It will.", author=bot, interaction={"user": ALICE, "name": "ask"}, interaction_metadata={"id": "1"})
    assert parts_of(unit)[1].content == "/ask"
    assert parts_of(direct("It will.", author=bot, interaction_metadata={"user": ALICE}))[1].content == "[command]"
    assert len(parts_of(direct("It will.", author=bot, interaction_metadata={"user": 5}))) == 1


def test_files_have_descriptions_titles_and_lengths():
    files = [
        {"id": "1", "filename": "a.png", "title": "A_b", "description": "A cat"},
        {"id": "2", "filename": "voice.ogg", "duration_secs": 12.4, "waveform": "canary"},
        {"id": "3", "duration_secs": float("1e20"), "title": " ", "description": 5},
        {"id": "4", "description": "x"},
    ]
    text = parts_of(direct("", attachments=files))[0].content
    assert text == "[file: a.png] A\\_b, A cat\n[file: voice.ogg] 12 seconds\n[file: file] x"


def test_components_are_read_in_their_order():
    row = {"type": 1, "components": [{"type": 2, "label": "Yes", "emoji": {"name": "x"}, "custom_id": "canary"}]}
    select = {
        "type": 3,
        "custom_id": "canary",
        "placeholder": "Which?",
        "options": [{"label": "Small", "value": "canary", "description": "For one"}, {"label": "Large"}],
    }
    thumbnail = {"type": 11, "media": {"url": "https://canary.example/"}, "description": "A cloud"}
    section = {"type": 9, "components": [{"type": 10, "content": "# Rain"}], "accessory": thumbnail}
    gallery = {"type": 12, "items": [{"media": {"url": "https://canary.example/"}, "description": "A picture"}]}
    file = {"type": 13, "file": {"url": "attachment://canary"}, "name": "a.pdf"}
    field = {"type": 18, "label": "Why", "component": {"type": 4, "value": "Because", "placeholder": "Say"}}
    box = {"type": 17, "components": [section, gallery, {"type": 14}, file, {"type": 1, "components": [select]}]}
    bot = {"id": "9", "username": "weather", "bot": True}
    (part,) = parts_of(direct("", author=bot, flags=32768, components=[box, row, field, 5]))
    assert part.content.split("\n\n") == [
        "# Rain",
        "A cloud",
        "A picture",
        "a.pdf",
        "Which?",
        "Small\nFor one",
        "Large",
        "[x Yes]",
        "Why",
        "Say\nBecause",
    ]


def test_a_button_that_leads_somewhere_is_a_link_too():
    buttons = [
        {"type": 2, "style": 5, "label": "More", "url": "https://a.example/"},
        {"type": 2, "url": "https://cdn.discordapp.com/attachments/1/2/canary"},
        {"type": 9, "url": "https://canary.example/"},
    ]
    text, link = parts_of(direct("", components=[{"type": 1, "components": buttons}]))
    assert (text.content, link) == ("[More]", LinkPart(url="https://a.example/"))
    _, link = parts_of(direct("", type=22, components=buttons[:1]))
    assert link.extra == {"written_by": {"display_name": "Discord"}}


def test_what_is_too_much_is_left_out_and_counted():
    embeds = [{"url": f"https://a.example/{n}"} for n in range(3)]
    unit = direct("Hi", embeds=embeds, attachments=[{"id": "8"}])
    got = received(unit, own=settings(limits=Limits(parts=3), files=FILES))
    assert [part.kind for part in got.message.parts] == ["text", "link", "link"]
    assert (codes(got), got.diagnostics[0].detail) == (["too-many-parts"], "2 of 5 parts")
    assert codes(received(unit, own=settings(limits=Limits(parts=5), files=FILES))) == []


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


def test_a_file_without_an_id_is_named():
    content = received(message(attachments=[{"filename": "rain.png"}, {}]))
    named = [(one.code, one.at, one.detail) for one in content.diagnostics]
    assert named == [
        ("part-unsupported", "/attachments/0", "a file without an id: rain.png"),
        ("part-unsupported", "/attachments/1", "a file without an id"),
    ]
