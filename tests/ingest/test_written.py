"""How the text of a row is written: the markup of its platform, and the names of who it mentions."""

import pytest

from mentionable import LinkPart, Sender, TextPart, decode_leniently
from mentionable._text.mentions import MAX_MENTIONS
from mentionable.ingest import IngestMessage, IngestMetadata, assemble, mention_tokens, read_metadata
from tests.ingest.people import HEADER, OLIVIA, assembled, user
from tests.prompt.talk import message

NAMES = {"<@1>": "Ash"}


def test_mrkdwn_becomes_markdown_and_mentions_get_their_names():
    assert assembled(user("*hi*", format="mrkdwn"))[-1]["content"] == f"{HEADER} **hi**"
    assert assembled(user("<@1>", mentions=NAMES))[-1]["content"] == f"{HEADER} @‹Ash› (<@1>)"
    assert assembled(user([{"text": "*a*"}, {"text": "*b*"}], format="mrkdwn"))[-1]["content"] == [
        {"text": f"{HEADER} **a**"},
        {"text": "**b**"},
    ]


@pytest.mark.parametrize(
    ("odd", "places"),
    [
        ({"mentions": []}, ["/0/_metadata/mentions"]),
        ({"mentions": {"<@1>": 5, "<@2>": "Jo"}}, ["/0/_metadata/mentions/<@1>"]),
        ({"format": 5}, ["/0/_metadata/format"]),
        ({"format": "wiki", "mentions": None}, []),
    ],
)
def test_what_does_not_fit_costs_itself(odd, places):
    found = assemble([user("<@1>", **odd)])
    assert found.rows[0]["content"] == f"{HEADER} <@1>"
    assert [(note.code, note.at) for note in found.diagnostics] == [("metadata-ignored", place) for place in places]


def test_metadata_are_read_without_what_does_not_fit():
    read = read_metadata({**OLIVIA, "mentions": {"<@1>": "Ash", "<@2>": 5}, "format": 5})
    assert (read.metadata.mentions, read.metadata.format) == (NAMES, None)
    assert [(note.code, note.at) for note in read.diagnostics] == [
        ("metadata-ignored", "/format"),
        ("metadata-ignored", "/mentions/<@2>"),
    ]
    assert decode_leniently(IngestMetadata, {**OLIVIA, "format": 5}).value.format is None


def test_only_so_many_names_are_read():
    many = {f"<@{number}>": "x" for number in range(MAX_MENTIONS + 5)}
    assert len(read_metadata({**OLIVIA, "mentions": many}).metadata.mentions) == MAX_MENTIONS


LINK = LinkPart(url="https://a.example/", title="A")


@pytest.mark.parametrize("blocks", [[], [{"type": "text", "text": "hi"}]])
def test_without_headers_in_blocks_what_is_attached_is_a_block_behind_the_text(blocks):
    line = {"type": "text", "text": "A <https://a.example/>"}
    row = {**user([*blocks, {"type": "image"}]), "_attached": line["text"]}
    assert assembled(row, multimodal="skip")[0]["content"] == [*blocks, line, {"type": "image"}]
    assert assembled({**user("hi"), "_attached": 5})[0]["content"] == f"{HEADER} hi"


def test_what_is_attached_to_a_passive_message_is_in_its_line():
    stored = IngestMessage(content="", metadata=IngestMetadata(**OLIVIA, passive=True), attachments=(LINK,))
    (block,) = assemble([stored]).rows
    assert block["content"].endswith("- Olivia (<@U06STGBF4Q0>): A <https://a.example/>")


def test_texts_without_a_mark_show_no_tokens():
    assert mention_tokens(message("hi", LINK, TextPart(content="x", extra={"a": 1}))) == ()


def test_a_sender_whose_account_is_not_verified_has_no_token():
    forged = message("hi", by=Sender(address="@U1@t1.slack.invalid"), received_via="email")
    assert mention_tokens(forged) == ()
