"""Header fields of what is sent."""

from email.header import decode_header, make_header

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._read.header_section import Mailbox
from mentionable.mail._write.header_section import (
    encode_words,
    file_fields,
    folded,
    is_message_id,
    mailboxes_field,
    text_field,
)


def test_a_field_is_folded_between_words():
    assert folded("X", ["a", "b"]) == "X: a b"
    assert folded("X", ["a" * 40, "b" * 40, "c"]) == f"X: {'a' * 40}\r\n {'b' * 40} c"
    assert folded("X", ["a" * 36, "b" * 36]) == f"X: {'a' * 36} {'b' * 36}"
    assert folded("X", ["a" * 36, "b" * 37]) == f"X: {'a' * 36}\r\n {'b' * 37}"


def test_plain_text_stays_as_it_is():
    assert text_field("Subject", "Re: Hello  there") == "Subject: Re: Hello  there"
    long = text_field("Subject", " ".join(["word"] * 40))
    assert "=?" not in long
    assert max(map(len, long.split("\r\n"))) <= 76
    assert long.replace("\r\n", "") == "Subject: " + " ".join(["word"] * 40)


@pytest.mark.parametrize(
    "text", ["a =?utf-8?q?b?= c", "x" * 901, "two  blanks " * 20, "Zürich", "Re: Zürich"], ids=lambda text: text[:9]
)
def test_other_text_is_encoded(text):
    field = text_field("Subject", text)
    assert "=?utf-8?" in field
    assert max(map(len, field.split("\r\n"))) <= 76


def test_the_mark_of_an_answer_stays_readable():
    assert text_field("Subject", "Re: Zürich") == "Subject: Re: =?utf-8?q?Z=C3=BCrich?="


@pytest.mark.parametrize(
    ("mailbox", "shown"),
    [
        (Mailbox(None, "a@b.example"), "a@b.example"),
        (Mailbox("Alice B", "a@b.example"), "Alice B <a@b.example>"),
        (Mailbox('B., "Al\\', "a@b.example"), '"B., \\"Al\\\\" <a@b.example>'),
        (Mailbox("Two  blanks", "a@b.example"), '"Two  blanks" <a@b.example>'),
        (Mailbox("=?x", "a@b.example"), "=?utf-8?b?PT94?= <a@b.example>"),
        (Mailbox("Zoë", "a@b.example"), "=?utf-8?q?Zo=C3=AB?= <a@b.example>"),
    ],
)
def test_names_are_written_so_that_no_reader_takes_them_for_addresses(mailbox, shown):
    assert mailboxes_field("To", [mailbox]) == f"To: {shown}"


def test_long_lists_and_names_are_folded():
    field = mailboxes_field("To", [Mailbox("日本語" * 40, "a@b.example"), *[Mailbox("x" * 65, "b@c.example")] * 3])
    assert max(map(len, field.split("\r\n"))) <= 76
    assert field.count(",") == 3


@pytest.mark.parametrize("text", ["<a@b>", "<a>", "<a@b@c>", "<a.b+c=d@mail.example>", f"<{'a' * 890}@b>"])
def test_message_ids(text):
    assert is_message_id(text)


@pytest.mark.parametrize(
    "text", ["a@b", "<>", "<a@b> ", "<a b@c>", "<a@b>\r\nBcc: x@y.example", "<é@b>", "<a<b>", f"<{'a' * 900}@b>", ""]
)
def test_what_is_no_message_id(text):
    assert not is_message_id(text)


def test_a_file_without_a_name():
    assert file_fields("text/csv", None, content_id=None) == [
        "Content-Type: text/csv",
        "Content-Transfer-Encoding: base64",
        "Content-Disposition: attachment",
    ]


def test_a_plain_name_is_quoted():
    assert file_fields("text/csv", 'a "b".csv', content_id=None)[2] == (
        'Content-Disposition: attachment; filename="a \\"b\\".csv"'
    )


def test_another_name_is_extended_and_has_a_plain_one_beside_it():
    assert file_fields("text/csv", "Zürich 1/2.csv", content_id=None) == [
        'Content-Type: text/csv; name="Z_rich 1_2.csv"',
        "Content-Transfer-Encoding: base64",
        "Content-Disposition: attachment; filename*=utf-8''Z%C3%BCrich%201%2F2.csv",
    ]
    assert "filename*=utf-8''%3D%3Fx%3F%3D" in file_fields("text/csv", "=?x?=", content_id=None)[2]


def test_a_long_name_comes_in_pieces_of_whole_characters():
    field = file_fields("text/csv", "日" * 30, content_id=None)[2]
    first, *others = field.split(";\r\n ")
    assert first == "Content-Disposition: attachment"
    assert others[0].startswith("filename*0*=utf-8''%E6%97%A5")
    assert others[1].startswith("filename*1*=%E6%97%A5")
    assert len(others) == 5


def test_an_image_has_the_id_by_which_it_is_shown():
    fields = file_fields("image/png", "a.png", content_id="1@b.example")
    assert fields[2:] == ['Content-Disposition: inline; filename="a.png"', "Content-ID: <1@b.example>"]


@given(st.text(min_size=1, max_size=200).filter(lambda text: text.isprintable()))
def test_encoded_words_are_short_and_hold_whole_characters(text):
    words = encode_words(text, first=64)
    assert len(words[0]) <= 64
    assert all(len(word) <= 75 for word in words)
    assert "".join([str(make_header(decode_header(word))) for word in words]) == text


def test_mostly_ascii_is_readable_and_the_rest_is_short():
    assert encode_words("Müller") == ["=?utf-8?q?M=C3=BCller?="]
    assert encode_words("a_b c?") == ["=?utf-8?b?YV9iIGM/?="]
    assert encode_words("plain old words") == ["=?utf-8?q?plain_old_words?="]
    assert encode_words("日本") == ["=?utf-8?b?5pel5pys?="]
