import pytest

from mentionable import TextPart
from mentionable.connectors import discord
from tests.connectors.discord_events import (
    ALICE,
    EVENT,
    FILES,
    OTHER,
    interaction,
    message,
    received,
    settings,
    signed,
    text_of,
)

BOB = {"id": "43", "username": "bob", "global_name": "Bob"}
RESOLVED = {
    "users": {"43": BOB, "44": {}, "45": "x"},
    "members": {"43": {"nick": "Bobby"}},
    "roles": {"60": {"name": "crew"}},
    "channels": {"70": {"name": "general"}},
    "attachments": {"8": {"id": "8", "filename": "a.pdf", "content_type": "application/pdf", "size": 3}},
    "messages": [],
}


def option(kind, value, name="x", **more):
    return {"name": name, "type": kind, "value": value, **more}


def said(*options, **more):
    return text_of(interaction({"name": "do", "type": 1, "options": list(options), "resolved": RESOLVED, **more}))


def test_the_prompt_alone_is_what_is_said():
    assert said(option(3, "Hello <@43>", "prompt")) == "Hello <@43>"
    assert text_of(
        interaction({"name": "ask", "options": [option(3, "Hi", "q")]}), own=settings(prompt_option="q")
    ) == ("Hi")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ([], "/do"),
        ([option(3, "a"), option(4, 5, "n")], "/do\nx: a\nn: 5"),
        ([option(10, 1.5)], "/do\nx: 1.5"),
        ([option(5, True)], "/do\nx: yes"),
        ([option(5, False)], "/do\nx: no"),
        ([option(6, "43")], "/do\nx: <@43>"),
        ([option(6, "44")], "/do\nx: <@44>"),
        ([option(7, "70")], "/do\nx: <#70>"),
        ([option(7, "71")], "/do\nx: <#71>"),
        ([option(8, "60")], "/do\nx: <@&60>"),
        ([option(9, "60")], "/do\nx: <@&60>"),
        ([option(3, None)], "/do\nx: "),
        ([option(11, "9")], "/do\nx: file"),
        ([{"name": "sub", "type": 1, "options": [option(3, "a")]}], "/do sub\nx: a"),
        ([{"name": "g", "type": 2, "options": [{"name": "sub", "type": 1}]}], "/do g sub"),
        ([{"name": "sub", "type": 1, "options": [option(3, "a", "prompt")]}], "/do sub\nprompt: a"),
    ],
)
def test_a_command_is_what_people_see(options, text):
    assert said(*options) == text


def test_a_file_of_a_command_goes_along():
    given = interaction({"name": "do", "options": [option(11, "8", "prompt")], "resolved": RESOLVED})
    text, file = received(given, own=settings(files=FILES)).message.parts
    assert (text.content, file.name, file.size_bytes) == ("/do\nprompt: a.pdf", "a.pdf", 3)


def test_a_command_on_a_user_names_them():
    assert said(name="Wave", type=2, target_id="43") == "Wave: <@43>"
    assert said(name="Wave", type=2, target_id="9") == "Wave: <@9>"


def test_a_command_on_a_message_shows_it_by_its_writer_and_answers_it():
    target = {"id": OTHER, "content": "Salut\n<@43>", "author": BOB, "mentions": [BOB], "attachments": [{"id": "8"}]}
    data = {"name": "Translate", "type": 3, "target_id": OTHER, "resolved": {"messages": {OTHER: target}}}
    got = received(interaction(data), own=settings(files=FILES)).message
    assert [part.content for part in got.parts[:2]] == ["Translate", "Salut\n<@43>"]
    assert got.parts[1].extra["written_by"] == {"display_name": "Bob", "mention_token": "<@43>"}
    assert got.parts[1].extra["mentions"] == {"<@43>": "Bob"}
    assert got.parts[2].kind == "file"
    assert got.in_reply_to == f"discord:500/{OTHER}"


@pytest.mark.parametrize("target", [{}, {"content": " "}, {"content": 5, "author": []}, "x"])
def test_a_target_that_says_nothing_is_left_out(target):
    data = {"name": "Translate", "type": 3, "target_id": OTHER, "resolved": {"messages": {OTHER: target}}}
    assert text_of(interaction(data)) == "Translate"
    assert text_of(interaction({"name": "Translate", "type": 3})) == "Translate"
    unnamed = {"messages": {OTHER: {"content": "Salut"}}}
    assert text_of(interaction({"name": "T", "type": 3, "target_id": OTHER, "resolved": unnamed})) == ("T\n---\nSalut")


SHOWN = {
    "id": OTHER,
    "components": [
        {
            "type": 1,
            "components": [
                {"type": 2, "custom_id": "yes", "label": "Yes, *please*"},
                {"type": 2, "custom_id": "wave"},
                {"type": 3, "custom_id": "size", "options": [{"value": "s", "label": "Small"}, {"value": 5}]},
            ],
        },
        {"type": 9, "accessory": {"type": 2, "custom_id": "side", "label": "Aside"}},
    ],
}


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"custom_id": "yes"}, r"Yes, \*please\*"),
        ({"custom_id": "wave"}, "wave"),
        ({"custom_id": "side"}, "Aside"),
        ({"custom_id": "gone"}, "gone"),
        ({"custom_id": 5}, "(nothing)"),
        ({"custom_id": "size", "values": ["s", "xl", 7]}, "Small, xl"),
        ({"custom_id": "who", "values": ["43", "60", "70"], "resolved": RESOLVED}, "<@43>, <@&60>, <#70>"),
        ({"custom_id": "who", "values": []}, "who"),
    ],
)
def test_a_component_says_what_people_saw(data, text):
    got = received(interaction(data, type=3, message=SHOWN)).message
    assert (got.parts[0].content, got.in_reply_to) == (text, f"discord:500/{OTHER}")
    assert got.raw["kind"] == "component"


def test_a_component_without_its_message_answers_nothing():
    assert received(interaction({"custom_id": "yes"}, type=3)).message.in_reply_to is None


def field(name, value):
    return {"type": 1, "components": [{"type": 4, "custom_id": name, "value": value}]}


@pytest.mark.parametrize(
    ("components", "text"),
    [
        ([field("why", "Because <@43>")], "Because <@43>"),
        ([field("a", "1"), field("b", "2")], "a: 1\nb: 2"),
        ([{"type": 18, "component": {"custom_id": "c", "values": ["43", "x"]}}], "<@43>, x"),
        ([{"type": 18, "component": {"custom_id": "f", "values": ["8"]}}], "a.pdf"),
        ([field("a", "1"), {"type": 10, "content": "words"}], "1"),
    ],
)
def test_a_form_says_what_was_filled_in(components, text):
    data = {"custom_id": "form", "components": components, "resolved": RESOLVED}
    got = received(interaction(data, type=5, message={"id": OTHER}), own=settings(files=FILES)).message
    assert (got.parts[0].content, got.in_reply_to) == (text, f"discord:500/{OTHER}")
    assert got.raw["custom_id"] == "form"


def test_an_empty_form_says_nothing():
    assert received(interaction({"components": [field("a", " ")]}, type=5)).code == "unsupported-event"
    assert received(interaction({"components": "x"}, type=5, message=[])).code == "unsupported-event"


def test_components_are_looked_for_to_a_depth():
    deep = {"custom_id": "deep", "value": "x"}
    for _ in range(9):
        deep = {"components": [deep]}
    assert received(interaction({"components": [deep]}, type=5)).code == "unsupported-event"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"type": 6}, "unsupported-event"),
        ({"type": "2"}, "unsupported-event"),
        ({"type": True}, "unsupported-event"),
        ({"application_id": "701"}, "no-served-recipient"),
        ({"id": None}, "missing-member"),
        ({"channel_id": None}, "missing-member"),
        ({"data": []}, "missing-member"),
        ({"member": None}, "missing-member"),
        ({"member": {"user": []}, "user": {"id": "x"}}, "missing-member"),
    ],
)
def test_an_interaction_that_is_broken_is_rejected(changes, code):
    whole = {**interaction(), **changes}
    assert received(signed({name: member for name, member in whole.items() if member is not None})).code == code


def test_in_direct_messages_the_user_stands_by_itself():
    got = received(interaction(guild_id=None, member=None, user=ALICE)).message
    assert got.sender.identities[0].subject == "discord:dm/42"


def test_long_words_are_cut():
    got = received(interaction({"name": "x" * 500, "options": []})).message
    assert got.raw["name"] == "x" * 100
    assert got.parts[0].content == "/" + "x" * 100
    assert text_of(interaction({"name": 5})) == "/command"


def test_a_message_is_no_interaction():
    assert received({**message(), "application_id": "9"}).native_id == f"discord:500/{EVENT}"


# --- choices that an answer offered


def offered(*components, **facts):
    return {"id": OTHER, "channel_id": "500", "components": [{"type": 1, "components": [*components]}], **facts}


BUTTON = {"type": 2, "label": "Yes, *do*", "custom_id": "mentionable:choice:y"}
MENU = {"type": 3, "custom_id": "mentionable:choice:", "options": [{"label": "No_", "value": "n"}]}


@pytest.mark.parametrize(
    ("data", "content", "choice"),
    [
        ({"custom_id": "mentionable:choice:y", "component_type": 2}, "Yes, *do*", "y"),
        ({"custom_id": "mentionable:choice:", "component_type": 3, "values": ["n"]}, "No_", "n"),
        ({"custom_id": "mentionable:choice:", "component_type": 3, "values": ["gone", "n"]}, "gone", "gone"),
        ({"custom_id": "mentionable:choice:z", "component_type": 2}, "z", "z"),
        ({"custom_id": "mentionable:choice:", "values": [5]}, "(nothing)", ""),
    ],
)
def test_a_click_on_a_choice_is_a_message_of_the_person_who_clicked(data, content, choice):
    got = received(interaction(data, type=3, message=offered(BUTTON, MENU)))
    assert got.message.parts == (TextPart(content=content, extra={"choice": choice}),)
    assert (got.message.sender.address, got.identities[0].subject) == ("@42@300.discord.invalid", "discord:300/42")
    assert got.message.raw["custom_id"] == data["custom_id"]
    assert "ephemeral" not in got.message.raw


def test_a_click_answers_the_message_with_the_choices():
    asked = []
    received(
        interaction({"custom_id": "mentionable:choice:y"}, type=3, message=offered(BUTTON)),
        find_message=lambda ask: asked.append(ask.native_id),
    )
    assert asked[-1] == f"discord:500/{OTHER}"


def test_a_click_is_used_once():
    click = interaction({"custom_id": "mentionable:choice:y"}, type=3, message=offered(BUTTON))
    assert received(click, use_once=lambda ask: "other").code == "unsupported-event"


@pytest.mark.parametrize(("flags", "ephemeral"), [(64, True), (68, True), (4, None), ("64", None), (True, None)])
def test_a_click_says_whether_only_one_person_saw_the_choices(flags, ephemeral):
    click = interaction({"custom_id": "mentionable:choice:y"}, type=3, message=offered(BUTTON, flags=flags))
    assert received(click).message.raw.get("ephemeral") is ephemeral


def test_a_click_is_acknowledged_without_a_change():
    assert (discord.defer_update().status, discord.defer_update().body) == (200, b'{"type":6}')
