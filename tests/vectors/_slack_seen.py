# ruff: noqa: E501
"""What people see of a message: blocks, attachments, files, and what of it others wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._slack_rows import SETTINGS, Case, case, mention, native, said, text, unit

if TYPE_CHECKING:
    from collections.abc import Iterator


def rich(*sections: Case) -> list[Case]:
    """A block of rich text."""
    return [{"type": "rich_text", "block_id": "b1", "elements": list(sections)}]


def line(*elements: Case) -> Case:
    return {"type": "rich_text_section", "elements": list(elements)}


def typed(text: str, **style: bool) -> Case:
    return {"type": "text", "text": text, **({"style": style} if style else {})}


def listed(style: str, *items: str, **more: Any) -> Case:
    return {"type": "rich_text_list", "style": style, "elements": [line(typed(item)) for item in items], **more}


def plain(text: str) -> Case:
    return {"type": "plain_text", "text": text}


def marked(text: str) -> Case:
    return {"type": "mrkdwn", "text": text}


def button(text: str) -> Case:
    return {"type": "button", "text": plain(text), "value": "canary", "action_id": "canary"}


IMAGE: Final[Case] = {"type": "image", "image_url": "https://canary.example/", "alt_text": "a dog"}
LINES: Final[tuple[tuple[str, str, list[Case], str, Case], ...]] = (
    ("plain", "What was typed without markup is as it was typed.", [line(typed("_a_ *b* <c>"))], "_a_ *b* &lt;c&gt;", {"content": "_a_ *b* <c>", "native_text": "_a_ *b* &lt;c&gt;"}),
    ("styles", "Styles become marks; what looks like a mark and is none is escaped.", [line(typed("a", bold=True), typed(" _b_ "), typed("c", italic=True), typed(" "), typed("d", strike=True), typed(" "), typed("e`", code=True))], "*a* _b_ _c_ ~d~ `e``", {"content": "**a** \\_b\\_ _c_ ~~d~~ `` e` ``", "mime": "text/markdown"}),
    ("nested-styles", "One mark is around neighbours of a style.", [line(typed("a ", bold=True), typed("b", bold=True, italic=True))], "*a _b_*", {"content": "**a _b_**", "mime": "text/markdown"}),
    ("list", "Lists have their depth.", [listed("bullet", "a", "b"), listed("bullet", "c", indent=1)], "• a\n• b\n    ◦ c", {"content": "- a\n- b\n    - c", "mime": "text/markdown"}),
    ("numbers", "A list goes on with its numbers.", [line(typed("see\n")), listed("ordered", "a", "b", offset=2)], "see\n3. a\n4. b", {"content": "see\n\n3. a\n4. b", "mime": "text/markdown"}),
    ("quote", "A quotation is quoted.", [{"type": "rich_text_quote", "elements": [typed("a\n# b")]}], "&gt; a\n&gt; # b", {"content": "> a\n> \\# b", "mime": "text/markdown"}),
    ("code", "A fence ends no sooner than the code.", [{"type": "rich_text_preformatted", "elements": [typed("x ``` <y>")]}], "```x ``` &lt;y&gt;```", {"content": "````\nx ``` <y>\n````", "mime": "text/markdown"}),
    ("link", "A link has a label.", [line({"type": "link", "url": "https://a.example/?b=1&c", "text": "d"})], "<https://a.example/?b=1&amp;c|d>", {"content": "[d](https://a.example/?b=1&c)", "mime": "text/markdown"}),
    ("notice", "Who is notified can be read.", [line({"type": "broadcast", "range": "here"}, typed(" a"))], "<!here> a", {"content": "@here a"}),
    ("emoji", "People see the character of an emoji, and the code of those of the workspace.", [line(typed("a "), {"type": "emoji", "name": "wave", "unicode": "1f44b-1f3fb"}, {"type": "emoji", "name": "party"})], "a :wave::skin-tone-2::party:", {"content": "a \U0001f44b\U0001f3fb:party:"}),
    ("date", "A date is in UTC.", [line(typed("on "), {"type": "date", "timestamp": 1392734382, "format": "{date} at {time}"})], "", {"content": "on 2014-02-18 at 14:39 UTC", "native_text": None}),
    ("typed-mention", "Whoever types a token mentions no one, and the text says so.", [line(typed("<@U2>"))], "&lt;@U2&gt;", {"content": "&lt;@U2>", "mime": "text/markdown"}),
)  # fmt: skip
"""Rich text: the name, the reason, the sections, the text that Slack sends, and what is read."""

BLOCKS: Final[tuple[tuple[str, str, list[Case], str], ...]] = (
    ("section", "A section has a text and fields.", [{"type": "section", "text": marked("*a*"), "fields": [plain("_b_"), marked("_c_")]}], "**a**\n\\_b\\_\n_c_"),
    ("accessory", "Beside a section there may be a picture or a button.", [{"type": "section", "text": plain("a"), "accessory": button("b")}, {"type": "section", "text": plain("c"), "accessory": IMAGE}], "a\n\\[b\\]\n\nc\n\\[image: a dog\\]"),
    ("header", "A header is a title.", [{"type": "header", "text": plain("a\n b")}], "# a  b"),
    ("context", "The small print is read, too.", [{"type": "context", "elements": [IMAGE, marked("*a*")]}], "\\[image: a dog\\] **a**"),
    ("table", "A table is a table.", [{"type": "table", "rows": [[{"type": "raw_text", "text": "a|b"}], [rich(line(typed("c", bold=True)))[0], {"type": "raw_number", "value": 7}]]}], "| a\\|b |  |\n| --- | --- |\n| **c** | 7 |"),
    ("image", "A picture has a title, and words instead of itself.", [{**IMAGE, "title": plain("Rex")}], "\\[image: Rex: a dog\\]"),
    ("video", "A video has words around it.", [{"type": "video", "video_url": "https://canary.example/", "thumbnail_url": "https://canary.example/", "alt_text": "alt", "title": plain("a"), "title_url": "https://a.example/", "author_name": "b", "provider_name": "c", "description": plain("d")}], "[a](https://a.example/)\nb\nc\nd\nalt"),
    ("file", "A file that a program shows has a name.", [{"type": "file", "source": "remote", "external_id": "canary", "file": {"title": "a"}}], "\\[file: a\\]"),
    ("input", "What is asked for can be read.", [{"type": "input", "label": plain("a"), "hint": plain("b"), "element": {"type": "plain_text_input", "placeholder": plain("c"), "initial_value": "d"}}], "a\n\\[c | d\\]\nb"),
    ("actions", "Buttons have labels, and menus choices.", [{"type": "actions", "elements": [button("a"), {"type": "static_select", "placeholder": plain("b"), "options": [{"text": plain("c"), "value": "canary"}, {"text": plain("d"), "description": plain("e")}]}]}], "\\[a\\] \\[b | c | d e\\]"),
    ("markdown", "Markdown is Markdown.", [{"type": "markdown", "text": "**a**"}, {"type": "divider"}], "**a**\n\n---"),
    ("call", "A call has a name, and no link that opens it.", [{"type": "call", "call_id": "canary", "call": {"v1": {"name": "a", "join_url": "https://canary.example/"}}}], "\\[call: a\\]"),
    ("card", "A card has a title, a text and buttons.", [{"type": "card", "title": marked("a"), "body": marked("b"), "actions": [button("c")]}], "a\nb\n\\[c\\]"),
    ("plan", "A plan has tasks.", [{"type": "plan", "title": "a", "tasks": [{"type": "task_card", "task_id": "canary", "title": "b", "status": "pending", "sources": [{"type": "url", "url": "https://a.example/", "text": "c"}]}]}], "a\nb\n[c](https://a.example/)"),
)  # fmt: skip
"""Blocks of a message without a text: the name, the reason, the blocks, and what is read."""

UNFURL: Final[Case] = {"from_url": "https://a.example/", "service_name": "News", "title": "Rain", "title_link": "https://a.example/", "text": "*Heavy* rain", "image_url": "https://canary.example/", "fallback": "umbrellas", "footer": "today"}  # fmt: skip
SHARED: Final[Case] = {
    "is_msg_unfurl": True,
    "is_share": True,
    "author_id": "U2",
    "author_name": "Bob",
    "author_link": "https://canary.example/",
    "channel_id": "C2",
    "channel_name": "general",
    "ts": "1795294300.000100",
    "text": "*late*",
    "fallback": "canary",
    "footer": "Posted in #general",
    "message_blocks": [{"team": "T1", "message": {"blocks": rich(line(typed("late", bold=True)))}}],
    "files": [{"id": "F2", "name": "plan.pdf", "url_private": "https://canary.example/"}],
}
LEGACY: Final[Case] = {"pretext": "a", "author_name": "b", "title": "c", "text": "d", "fields": [{"title": "e", "value": "*f*"}], "actions": [{"type": "button", "text": "g", "value": "canary"}], "footer": "h", "ts": 1795294300}  # fmt: skip
MAIL: Final[Case] = {
    "id": "F3",
    "filetype": "email",
    "mode": "email",
    "subject": "Rain",
    "from": [{"name": "Carol", "address": "canary@private.example", "original": "canary"}],
    "to": [{"name": "", "address": "list@a.example"}],
    "plain_text": "It will.\n",
    "headers": {"date": "Sat, 21 Nov 2026 20:56:00 +0000", "message_id": "canary"},
    "attachments": [{"filename": "map.png", "url": "https://canary.example/"}],
    "url_private": "https://canary.example/",
}
GROUPS: Final[Case] = {"CALL usergroups.list": {"ok": True, "usergroups": [{"id": "S1", "handle": "team"}]}}
LATE: Final = "**late**\n\n\\[file: plan.pdf\\]\nPosted in #general · <#C2> · 2026-11-21 20:51 UTC"
HEAVY: Final = "[Rain](https://a.example/)\n\n**Heavy** rain\n\n\\[image: umbrellas\\]\ntoday"


def one(name: str, why: str, event: Case, *parts: Case, settings: Case = SETTINGS, **more: Any) -> Case:
    return case(
        "slack-seen", name, why, unit(event, settings=settings), value=list(parts), **{"diagnostics": [], **more}
    )


def seen() -> Iterator[Case]:
    """What people see."""
    for name, why, sections, sent, made in LINES:
        content, mime = made["content"], made.get("mime", "text/plain")
        part = native(content, sent, mime) if sent and sent != content else text(content, mime)
        yield one(f"rich-{name}", why, said(sent, blocks=rich(*sections)), part)
    for name, why, blocks, content in BLOCKS:
        yield one(f"block-{name}", why, said(None, blocks=blocks), text(content, "text/markdown"))
    yield from both()
    yield from mentions()
    yield from of_others()
    yield from with_files()


def both() -> Iterator[Case]:
    """The text and the blocks of a message."""
    unknown = [{"type": "brand_new", "id": "canary", "heading": marked("*a*"), "rows": [{"cell": plain("b")}]}]
    why = "Of a block that is not known here the texts are read, and a diagnostic says so."
    yield one("block-unknown", why, said(None, blocks=unknown), text("**a**\nb", "text/markdown"), diagnostics=["part-unsupported"])  # fmt: skip
    shown = [{"type": "section", "text": plain("It rains in Seoul")}]
    why = "A text that says no more than the blocks is not repeated."
    yield one("text-says-less", why, said("It rains", blocks=shown), text("It rains in Seoul", "text/markdown"))
    why = "What only one of them says is not lost: both are read."
    yield one("text-says-other", why, said("Take *care*", blocks=shown), text("It rains in Seoul", "text/markdown"), native("Take **care**", "Take *care*", "text/markdown"))  # fmt: skip
    why = "A text that says all of the blocks, and more, is the text."
    yield one("text-says-more", why, said("It rains in Seoul, today", blocks=shown), text("It rains in Seoul, today"))
    why = "A mention may stand in the blocks alone."
    blocks = rich(line({"type": "user", "user_id": "UBOT"}, typed(" rain?")))
    event = said("", blocks=blocks, channel="C1", channel_type="channel")
    yield one("mention-in-blocks", why, event, text("<@UBOT> rain?", mentions={"<@UBOT>": "helper"}))


def mentions() -> Iterator[Case]:
    """Who and what is mentioned, by token and by name."""
    group = line({"type": "usergroup", "usergroup_id": "S1"}, typed(" in "), {"type": "channel", "channel_id": "C2"})
    sent, labels = "<!subteam^S1> in <#C2|general>", {"<!subteam^S1>": "team", "<#C2>": "general"}
    why = "A group has a name by one look-up, and a channel by what Slack wrote."
    yield one("mention-group", why, said(sent, blocks=rich(group)), native("<!subteam^S1> in <#C2>", sent, mentions=labels), world=GROUPS)  # fmt: skip
    why = "Markdown would swallow the token of a group, so that it is escaped, there and where it is named."
    yield one("mention-group-escaped", why, said("*a* <!subteam^S1>"), native("**a** \\<!subteam^S1>", "*a* <!subteam^S1>", "text/markdown", mentions={"\\<!subteam^S1>": "team"}), world=GROUPS)  # fmt: skip
    public = {"CALL conversations.info C2": {"ok": True, "channel": {"id": "C2", "name": "rain", "is_private": False}}}
    yield one("mention-channel", "A channel without a label is looked up.", said("see <#C2>"), text("see <#C2>", mentions={"<#C2>": "rain"}), world=public)  # fmt: skip
    private = {
        "CALL conversations.info C2": {"ok": True, "channel": {"id": "C2", "name": "canary", "is_private": True}}
    }
    why = "Whoever writes the id of a private channel does not learn its name."
    yield one("mention-private-channel", why, said("see <#C2>"), text("see <#C2>"), world=private, diagnostics=["lookup-unanswered"], flags=["attack"])  # fmt: skip


def of_others() -> Iterator[Case]:
    """What a message shows and its sender did not write."""
    bob = {"display_name": "Bob", "mention_token": "<@U2>"}
    shared = text(LATE, "text/markdown", mentions={"<#C2>": "general"}, written_by=bob)
    why = "A message that is shared has its own author, place and time, and is none of the sender's words."
    yield one("shared-message", why, said("look", attachments=[SHARED]), text("look"), shared)
    yield one("shared-alone", "A message that only shares another is read.", said("", attachments=[SHARED]), shared)
    page = text(HEAVY, "text/markdown", written_by={"display_name": "News"})
    why = "The preview of a page is no word of whoever sent the link."
    sent = "<https://a.example/>"
    yield one("unfurl", why, said(sent, attachments=[UNFURL]), native("https://a.example/", sent), page)
    why = "People write no attachments: what looks like an old one is not their word."
    yield one("attachment-of-a-person", why, said("a", attachments=[{"text": "b"}]), text("a"), text("b", "text/markdown", written_by={}), flags=["attack"])  # fmt: skip
    program = mention(user=None, team=None, bot_id="B2", app_id="A2", subtype="bot_message", attachments=[LEGACY])
    own = "a\nb\nc\n\nd\n\n**e**: **f**\n\n\\[g\\]\nh · 2026-11-21 20:51 UTC"
    hello = text("<@UBOT> hello", mentions={"<@UBOT>": "helper"})
    why = "What a program laid out with its message is its own."
    yield one("attachment-of-a-program", why, program, hello, text(own, "text/markdown"), diagnostics=["loop-risk", "evidence-withheld"])  # fmt: skip
    why = "Where an attachment has nothing else, its default text is read."
    yield one("attachment-default", why, said("a", attachments=[{"fallback": "b"}]), text("a"), text("b", "text/markdown", written_by={}))  # fmt: skip
    mail = "Subject: Rain\nFrom: Carol\nTo: list@a.example\nDate: Sat, 21 Nov 2026 20:56:00 +0000\n\nIt will.\n\n[file: map.png]"
    why = "A mail that was forwarded is read as it is shown; addresses only where there is no name."
    yield one("mail", why, said("look", files=[MAIL]), text("look"), text(mail, written_by={"display_name": "Carol"}))


def with_files() -> Iterator[Case]:
    """What people read of files without opening them."""
    gone = ["part-unsupported"]
    voice = {"id": "F1", "name": "voice.m4a", "subtype": "slack_audio", "vtt": "https://canary.example/", "transcription": {"status": "complete", "preview": {"content": "Will it rain?", "has_more": True}}}  # fmt: skip
    yield one("voice", "What was said is read.", said("", files=[voice]), text("Will it rain?"), diagnostics=gone * 2)
    titled = {"id": "F1", "name": "a.png", "title": "Rex", "alt_txt": "a dog"}
    why = "The title and the description of a file are read."
    yield one("file-title", why, said("", files=[titled]), text("a.png: Rex\na.png: a dog"), diagnostics=gone)
    snippet = {"id": "F1", "name": "a.py", "mode": "snippet", "preview": "x = 1", "preview_highlight": "<b>canary</b>"}
    yield one(
        "snippet", "The lines of a snippet are shown.", said("", files=[snippet]), text("x = 1"), diagnostics=gone
    )
    link = {"id": "F1", "name": "a", "title": "Plan", "mode": "external", "external_url": "https://drive.example/1"}
    part = {"kind": "link", "url": "https://drive.example/1", "title": "Plan", "description": "a"}
    yield one("file-elsewhere", "A file of another service is a link.", said("", files=[link]), part)
    why = "More parts than the limit are left out, and the message arrives."
    many = said("a", files=[titled, titled, titled])
    yield one("too-many", why, many, text("a"), common={"limits": {"parts": 1}}, diagnostics=["too-many-parts"])
    described = {"CALL files.info F1": {"ok": True, "file": {"id": "F1", "name": "a.png", "title": "Rex"}}}
    why = "Slack describes a file of another organization when it is asked."
    unseen = said("a", files=[{"id": "F1", "file_access": "check_file_info"}])
    yield one("file-of-another-company", why, unseen, text("a"), text("a.png: Rex"), world=described, diagnostics=gone)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "slack-seen", "slack.parts", "What people see of a message.", seen()
