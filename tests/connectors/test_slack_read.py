"""What is read of blocks, attachments and files of Slack, where the conformance cases say nothing."""

from __future__ import annotations

import pytest

from mentionable import Limits
from mentionable.connectors import slack
from mentionable.connectors.slack._read.attachments import attachment_texts
from mentionable.connectors.slack._read.blocks import read_blocks
from mentionable.connectors.slack._read.content import read_content
from mentionable.connectors.slack._read.file_texts import file_texts
from mentionable.connectors.slack._read.mentions import labels_in, mentions_in
from mentionable.connectors.slack._read.texts import body_texts
from mentionable.connectors.slack._read.times import date_text, time_at
from tests.connectors.slack_workspace import ISSUER, SECRET, event_unit, mention, notes, receive, said

ROOT = "1795294400.000001"
BOB = {"ok": True, "user": {"id": "U2", "team_id": "T1", "profile": {"display_name": "Bob"}}}


def rich(*elements):
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(elements)}]}


def typed(text, **style):
    return {"type": "text", "text": text, "style": style}


def content(*blocks):
    return read_blocks(blocks, "/event/blocks").content


def details(*blocks):
    return [note.detail for note in read_blocks(blocks, "/event/blocks").diagnostics]


def test_lines_of_plain_sections_are_lines():
    text = {"type": "text", "text": "a"}
    assert content(rich(text), rich(text)) == "a\na"


@pytest.mark.parametrize(
    ("elements", "markdown"),
    [
        ([typed("a", bold=True), typed("b", bold=True)], "**ab**"),
        ([typed(" a \n\nb", bold=True)], " **a** \n\n**b**"),
        ([typed("a", bold=True, italic=True)], "**_a_**"),
        ([typed("a", code=True), {"type": "link", "url": "https://a.example/", "style": {"code": True}}], "`ahttps://a.example/`"),
        ([typed("a\nb", code=True)], "`a`\n`b`"),
        ([typed("a", bold=True), {"type": "user", "user_id": "U2"}], "**a**<@U2>"),
        ([typed("", bold=True), typed("- - -", bold=False)], "\\- - -"),
        ([typed("> a", bold=False)], "\\> a"),
        ([typed("a", bold=True), {"type": "link", "url": "slack://x", "text": "b"}], "**a**b"),
        ([typed("a", code=True), {"type": "emoji", "name": "x", "unicode": "d800"}], "`a`:x:"),
        ([typed("a", bold=True), {"type": "emoji", "name": "x", "unicode": "0023-fe0f-20e3"}], "**a**#\ufe0f\u20e3"),
        ([typed("a", bold=True), {"type": "user", "user_id": "xoxb-1"}], "**a**"),
        ([typed("a", bold=True), 7], "**a**"),
    ],
)  # fmt: skip
def test_styles_become_marks(elements, markdown):
    assert content(rich(*elements)) == markdown


def test_a_token_in_pieces_is_no_token():
    pieces = [{"type": "text", "text": text} for text in ("<", "@U2", ">")]
    assert content(rich(*pieces)) == "&lt;@U2>"
    styled = [typed("<", bold=True), typed("@U2>", bold=False)]
    assert mentions_in(content(rich(*styled))) == {}


def test_an_item_of_a_list_may_have_lines_of_any_kind():
    items = [
        {"type": "rich_text_quote", "elements": [typed("a\nb")]},
        {"type": "rich_text_list", "elements": [typed("c")]},
        {"type": {}, "elements": [typed("d")]},
    ]
    listed = {"type": "rich_text_list", "style": "bullet", "indent": 10**9, "border": 1, "elements": items}
    indent = "    " * 8
    assert content({"type": "rich_text", "elements": [listed]}) == "\n".join(
        [f"> {indent}- > a", f"> {indent}  > b", f"> {indent}- c", f"> {indent}- d"]
    )


def test_unknown_elements_are_named_and_read():
    blocks = [
        {"type": "rich_text", "elements": [{"type": "rich_text_new", "elements": [{"type": "new", "label": "a"}]}]},
        {"type": "rich_text", "elements": [{"type": "rich_text_list", "elements": [rich({"type": "odd"})]}]},
    ]
    assert content(*blocks) == "a\n\n- "
    assert "new" in details(*blocks)[0]


def test_types_that_are_no_words_are_not_repeated():
    assert details({"type": "xoxb-1"}, 7, {"type": {}}) == [
        "of blocks that are not known here only the texts were read: without a type"
    ]


def test_blocks_within_blocks_end():
    block = {"type": "section", "text": {"type": "plain_text", "text": "deep"}}
    for _ in range(20):
        block = {"type": "container", "child_blocks": [block]}
    assert content(block) == ""
    assert "too_deep" in details(block)[0]
    odd = {"type": "plain_text", "text": "deep"}
    for _ in range(5_000):
        odd = {"x": [odd]}
    assert content({"type": "odd", "x": odd}, {"type": "odd", "x": ["a", 7]}) == ""


def test_a_table_without_rows_and_options_without_words_are_nothing():
    assert content({"type": "table", "rows": [[], 7]}, {"type": "actions", "elements": [{"type": "overflow"}]}) == ""


def test_a_button_that_is_not_shown_is_nothing():
    feedback = {"type": "feedback_buttons", "positive_button": {"text": {"type": "plain_text", "text": "Good"}}}
    assert content({"type": "context_actions", "elements": [feedback]}) == "\\[Good\\]"
    assert content({"type": "call"}, {"type": "file"}) == "\\[call\\]\n\n\\[file: a file\\]"


def test_dates_are_in_utc_or_nothing():
    assert date_text(1392734382, "{date_num}, {time_secs}") == "2014-02-18, 14:39 UTC"
    assert date_text("1392734382.000200", None) == date_text(1392734382.9, "") == "2014-02-18 14:39 UTC"
    assert [time_at(odd) for odd in (True, None, -1, 10**13, "now", float("nan"), float("inf"))] == [None] * 7


def test_names_come_from_tokens_and_from_channels_that_are_named():
    values = ["<@U1|@al> <#C1|general> <!subteam^S1|@team>", [{"channel_id": "C2", "channel_name": "#rain"}, 7]]
    assert labels_in(values) == {"U1": "al", "C1": "general", "S1": "team", "C2": "rain"}
    assert labels_in(["<@U1|\u202e>", {"channel_id": "x", "channel_name": "y"}, {"channel_name": "z"}]) == {}


def test_blocks_that_show_nothing_leave_the_text():
    assert [text.content for text in body_texts("a", [rich()], "")] == ["a"]
    assert [text.content for text in body_texts("", [rich()], "")] == []
    (empty, text) = body_texts("a", [{"type": "brand_new"}], "")
    assert (empty.content, [note.code for note in empty.diagnostics], text.content) == ("", ["part-unsupported"], "a")
    assert body_texts(" ", [], "") == ()


def test_marks_that_differ_do_not_repeat_a_text():
    blocks = [rich({"type": "text", "text": "see a.example"})]
    (text,) = body_texts("see <http://a.example|a.example>", blocks, "")
    assert (text.content, text.native) == ("see a.example", "see <http://a.example|a.example>")


def one(attachment, *, is_program=False):
    return [(text.content, text.written_by) for text in attachment_texts(attachment, "", is_program=is_program)]


def test_an_attachment_without_content_is_nothing():
    assert one({}) == one({"color": "red"}) == one({"actions": [{}], "fields": [{}]}) == []


def test_text_and_blocks_of_an_attachment_are_both_read_where_they_differ():
    block = {"type": "section", "text": {"type": "plain_text", "text": "a"}}
    author = {"display_name": "News"}
    assert one({"service_name": "News", "blocks": [block], "text": "b"}) == [("a\n\nb", author)]
    assert one({"service_name": "News", "blocks": [block], "text": "a b"}) == [("a b", author)]


def test_menus_of_old_attachments_have_choices():
    menu = {
        "text": "a",
        "selected_options": [{"text": "b"}],
        "option_groups": [{"text": "c", "options": [{"text": "d", "description": "e"}]}],
    }
    picture = {"image_url": "https://a.example/"}
    assert one({"actions": [menu], **picture}, is_program=True) == [("\\[image\\]\n\\[a | b | c | d | e\\]", None)]


def test_a_file_of_a_shared_message_may_be_elsewhere():
    link = {"mode": "external", "external_url": "https://drive.example/1", "name": "a", "title": "Plan"}
    mail = {"mode": "email", "subject": "Rain", "from": []}
    assert one({"is_share": True, "files": [link, mail]}) == [
        ("[Plan](https://drive.example/1) a", {}),
        ("Subject: Rain", {}),
    ]


@pytest.mark.parametrize(
    ("transcription", "expected"),
    [
        ({"status": "complete", "preview": {"content": "a"}}, [("a", [])]),
        ({"status": "complete", "preview": {"content": "a", "has_more": True}}, [("a", ["v: its transcript goes on"])]),
        ({"status": "processing"}, [("", ["v: its transcript is not written yet"])]),
        ({"status": "none"}, []),
        (7, []),
    ],
)
def test_transcripts_are_read_as_far_as_they_are_there(transcription, expected):
    texts = file_texts({"name": "v", "transcription": transcription}, "")
    assert [(text.content, [note.detail for note in text.diagnostics]) for text in texts] == expected


def test_what_looks_like_a_mention_in_a_mail_is_none():
    (text,) = file_texts({"mode": "email", "plain_text": "<@U2>"}, "")
    assert (text.content, text.mime) == ("&lt;@U2>", "text/markdown")


def test_nothing_is_read_where_no_part_may_be():
    limits = Limits(parts=0)
    found = read_content({"text": "a"}, "/event", is_program=False, limits=limits)
    assert (found.texts, [note.detail for note in found.diagnostics]) == ((), ["1 of 1 parts"])
    assert read_content({"text": 7}, "", is_program=False, limits=Limits()).texts == ()


def test_a_mention_in_a_shared_message_does_not_wake_the_agent():
    shared = {"is_share": True, "text": "<@UBOT> come"}
    event = said("look", channel="C1", channel_type="channel", attachments=[shared])
    assert receive(event_unit(event))[0].code == "unsupported-event"


def looked_up(*rows, event=None, **limits):
    settings = slack.Settings(signing_secret=SECRET, issuer=ISSUER, limits=Limits(**limits))
    found, asked = receive(event_unit(event or said("<#C2> <!subteam^S1>")), world=dict(rows), settings=settings)
    return found, [row for row in asked if row.startswith("CALL")]


def test_channels_and_groups_are_asked_about_once():
    found, asked = looked_up()
    assert asked == ["CALL users.info U1", "CALL conversations.info C2", "CALL usergroups.list"]
    assert notes(found) == ["lookup-unanswered"] * 2
    assert looked_up(asks=1)[1] == ["CALL users.info U1"]


@pytest.mark.parametrize(
    "channel",
    [{"id": "C9", "name": "a", "is_private": False}, {"id": "C2", "name": "a"}, {"id": "C2", "is_private": False}, 7],
)
def test_a_channel_that_is_not_known_to_be_public_has_no_name(channel):
    found, _ = looked_up(("CALL conversations.info C2", {"ok": True, "channel": channel}))
    assert "mentions" not in found.message.parts[0].extra


def test_groups_without_handles_have_no_names():
    groups = [{"id": "S1", "handle": ""}, {"id": "x", "handle": "y"}, 7]
    found, _ = looked_up(("CALL usergroups.list", {"ok": True, "usergroups": groups}))
    assert "mentions" not in found.message.parts[0].extra


def test_what_a_thread_mentions_has_names():
    turn = {"type": "message", "user": "U2", "team": "T1", "ts": ROOT, "thread_ts": ROOT}
    text = "<@U3> <#C2|general> <#C4> <!subteam^S1>"
    rows = {
        "CALL conversations.replies C1": {"ok": True, "messages": [{**turn, "text": text}]},
        "CALL users.info U2": BOB,
        "CALL users.info U3": {"ok": True, "user": {"id": "U3", "profile": {"display_name": "Carol"}}},
        "CALL conversations.info C4": {"ok": True, "channel": {"id": "C4", "name": "rain", "is_private": False}},
    }
    found, asked = looked_up(*rows.items(), event=mention(thread_ts=ROOT))
    assert found.message.history[0].parts[0].extra["mentions"] == {
        "<@U3>": "Carol",
        "<#C2>": "general",
        "<#C4>": "rain",
    }
    assert asked[2:] == [
        "CALL users.info U2",
        "CALL users.info U3",
        "CALL conversations.info C4",
        "CALL usergroups.list",
    ]


def test_the_first_message_of_a_thread_counts_unless_people_do_not_see_it():
    def before(subtype):
        turn = {"type": "message", "user": "U2", "ts": ROOT, "thread_ts": ROOT, "text": "a", "subtype": subtype}
        rows = {"CALL conversations.replies C1": {"ok": True, "messages": [turn]}, "CALL users.info U2": BOB}
        return looked_up(*rows.items(), event=mention(thread_ts=ROOT))[0].message.history

    assert before("tombstone")
    assert before("assistant_app_thread") is before({}) is None


def test_choices_in_groups_are_read():
    group = {"label": {"type": "plain_text", "text": "a"}, "options": [{"text": {"type": "plain_text", "text": "b"}}]}
    assert (
        content({"type": "actions", "elements": [{"type": "static_select", "option_groups": [group]}]}) == "\\[a | b\\]"
    )


def test_a_color_is_its_value():
    assert content(rich({"type": "color", "value": "#F405B3"})) == "#F405B3"


@pytest.mark.parametrize("kind", [5, 1.5, True, [], {}, {"type": "section"}])
def test_an_odd_type_costs_no_other_word(kind):
    fields = [{"type": "mrkdwn", "text": "one"}, {"type": kind, "text": "two"}]
    block = {"type": kind, "text": {"type": "plain_text", "text": "three"}, "fields": fields}
    read = read_content({"blocks": [block]}, "", is_program=False, limits=Limits())
    assert [word for word in ("one", "two", "three") if word not in read.texts[0].content] == []
    assert [one.code for one in read.diagnostics] == ["part-unsupported"]


@pytest.mark.parametrize(
    ("content", "ids"),
    [
        ("`<@U1>` <@U2>", ["U2"]),
        ("``<@U1> ` <@U1>`` <@U2>", ["U2"]),
        ("```\n<@U1>\n``` <@U2>", ["U2"]),
        ("` <@U1> `` <@U2>", ["U1", "U2"]),
        ("\\`<@U1>` <@U2>", ["U1", "U2"]),
        ("\\\\`<@U1>` <@U2>", ["U2"]),
        ("`a\\` <@U1> `<@U2>`", ["U1"]),
        ("\\``<@U1>` <@U2>", ["U2"]),
    ],
)
def test_a_token_in_code_mentions_no_one(content, ids):
    assert [*mentions_in(content).values()] == ids


def test_plain_text_has_no_code():
    assert [*mentions_in("`<@U1>`", is_markdown=False).values()] == ["U1"]
