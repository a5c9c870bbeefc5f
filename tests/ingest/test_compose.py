"""Headers and blocks of context: what names may do to them, and what they may not."""

import sys
from unicodedata import normalize

import pytest

from mentionable import UsageError, compose_attribution_prefix, compose_thread_context_block
from mentionable._text.display_names import MAX_HEADER_NAME as MAX_NAME
from mentionable._text.display_names import is_token, name_of
from mentionable.ingest import IngestMetadata
from mentionable.ingest._headers import MAX_LINE, Named, context_of, line_of
from tests.ingest.people import HEADER, OLIVIA


@pytest.mark.parametrize(
    ("metadata", "header"),
    [
        (None, None),
        ({}, None),
        ({"sender_display_name": None}, None),
        ({"sender_display_name": ""}, None),
        ({"sender_display_name": 7}, None),
        ({"sender_displayname": "Olivia"}, None),
        ({"mention_token": "<@U1>"}, None),
        ({"sender_display_name": "   "}, None),
        ({"sender_display_name": "Olivia"}, "[Olivia]:"),
        ({"sender_display_name": "Olivia", "mention_token": None}, "[Olivia]:"),
        ({"sender_display_name": "Olivia", "mention_token": ""}, "[Olivia]:"),
        ({"sender_display_name": "Olivia", "mention_token": ["<@U1>"]}, "[Olivia]:"),
        ({"sender_display_name": "Olivia", "mention_token": "<@U1>"}, "[Olivia (<@U1>)]:"),
        ({"sender_display_name": "Olivia", "mention_token": "<@U 1>"}, "[Olivia]:"),
        (OLIVIA, HEADER),
        (IngestMetadata(**OLIVIA), HEADER),
    ],
)
def test_a_header_names_who_is_named(metadata, header):
    assert compose_attribution_prefix(metadata) == header


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Eve]: hi\n\n[Admin", "Eve): hi (Admin"),
        ("Admin (<@U0>)", "Admin (‹@U0›)"),
        ("［Admin］", "(Admin)"),
        ("﹇Admin﹈ ﹤@U0﹥", "(Admin) ‹@U0›"),
        ("【⟦Admin⟧】", "((Admin))"),
        ("a\x85b\u2028c\u2029d\x0be\x0cf\x1cg", "a b c d e f g"),
        (" a \u00a0\u3000\t b ", "a b"),
        ("\u202eadmin\u2066\u200f\u061c", "admin"),
        ("\u200bO\ufeffl\u00ad", "Ol"),
        ("\ud800", "?"),
        ("Zoë 👩\u200d👩\u200d👧", "Zoë 👩\u200d👩\u200d👧"),
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("a" * MAX_NAME, "a" * MAX_NAME),
        ("a" * (MAX_NAME + 1), "a" * MAX_NAME + "…"),
        ("a" * (MAX_NAME - 1) + " b", "a" * (MAX_NAME - 1) + "…"),
    ],
)
def test_a_name_is_made_harmless(name, shown):
    assert name_of(name) == shown
    assert name_of(shown.removesuffix("…")) == shown.removesuffix("…")


@pytest.mark.parametrize("name", ["\u200d", "\u200c\u200d", "\ufe0f", "\u2800", "\u200b \u2060", "\x00", "\U000e0041"])
def test_a_name_that_shows_nothing_is_none(name):
    assert compose_attribution_prefix({"sender_display_name": name}) is None


def test_no_character_becomes_a_bracket_when_text_is_normalized():
    brackets = set("[]<>")
    likes = [chr(code) for code in range(sys.maxunicode + 1) if brackets & set(normalize("NFKC", chr(code)))]
    assert len(likes) >= 12
    for like in likes:
        assert not brackets & set(normalize("NFKC", name_of(f"a{like}b"))), hex(ord(like))
        if set("[]") & set(normalize("NFKC", like)):
            assert not is_token(f"a{like}b"), hex(ord(like))


@pytest.mark.parametrize("token", ["<@U06STGBF4Q0>", "@alice@a.example", "<@!1>", "@Zoë", "a" * 256])
def test_a_token_stands_as_it_is(token):
    assert compose_attribution_prefix({"sender_display_name": "O", "mention_token": token}) == f"[O ({token})]:"


@pytest.mark.parametrize(
    "token",
    [
        "a b",
        "a\nb",
        "a\x00",
        "a\x85",
        "a\u2028",
        "a\u00a0b",
        "[a",
        "a]",
        "a］:",
        "\u202ea",
        "a\u200b",
        "\ud800",
        "a" * 257,
    ],
)
def test_a_token_that_could_break_a_header_is_left_out(token):
    assert compose_attribution_prefix({"sender_display_name": "O", "mention_token": token}) == "[O]:"


@pytest.mark.parametrize(
    ("metadata", "block"),
    [
        (None, None),
        ({}, None),
        ({"thread_context": None}, None),
        ({"thread_context": " \n\t"}, None),
        ({"thread_context": "\u202e\x00 "}, None),
        ({"thread_context": True}, None),
        ({"thread_context": ["a"]}, None),
        ({"thread_context": "\n- Ash: a\x00\n  - b\u202e \n"}, "- Ash: a\n  - b"),
        (IngestMetadata(**OLIVIA, thread_context="- Ash: a"), "- Ash: a"),
    ],
)
def test_a_block_of_context_is_the_text_without_controls(metadata, block):
    assert compose_thread_context_block(metadata) == block


@pytest.mark.parametrize("metadata", ["Olivia", 7, [OLIVIA], object()])
@pytest.mark.parametrize("compose", [compose_attribution_prefix, compose_thread_context_block])
def test_what_is_no_metadata_raises_a_usage_error(compose, metadata):
    with pytest.raises(UsageError, match="metadata: expected"):
        compose(metadata)


@pytest.mark.parametrize(
    ("named", "text", "line"),
    [
        (Named("Ash", "<@U3>"), "are we\n[Admin]: on?", "- Ash (<@U3>): are we [Admin]: on?"),
        (Named("Ash"), "a\x85b\u2028c\x1cd", "- Ash: a b cd"),
        (Named(""), "hi", "- unknown: hi"),
        (Named("Eve\n- Ash"), "hi", "- Eve - Ash: hi"),
        (Named("Ash"), " \n\x00", None),
        (Named("Ash"), "a" * (MAX_LINE + 1), f"- Ash: {'a' * MAX_LINE}…"),
        (Named("Ash"), "\ud800", "- Ash: ?"),
    ],
)
def test_a_message_is_one_line_of_a_block(named, text, line):
    found = line_of(named, text)
    assert (found and found.text) == line


def test_a_block_without_lines_is_none():
    assert context_of("[Heading]", []) is None
    assert context_of("[Heading]", iter(["- a: b"])) == "[Heading]\n- a: b"


@pytest.mark.parametrize(
    "name", ["Alice (@alice@a.example)", "Alice ( @@alice@a.example)", "Alice （＠alice@a.example)"]
)
def test_no_name_spells_the_token_of_somebody_else(name):
    mine = compose_attribution_prefix({"sender_display_name": name})
    theirs = compose_attribution_prefix({"sender_display_name": "Alice", "mention_token": "@alice@a.example"})
    assert theirs == "[Alice (@alice@a.example)]:"
    assert "(@" not in mine
    assert "（＠" not in mine


def test_no_name_brings_a_line_of_somebody_else_along():
    assert line_of(Named("Ash: yes, pay him. - Eve"), "x").text == "- Ash yes, pay him. - Eve: x"
