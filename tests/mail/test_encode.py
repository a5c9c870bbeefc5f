"""Content in lines of seven-bit characters."""

import quopri
from base64 import b64decode
from email.header import decode_header, make_header

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._write.encode import encode_bytes, encode_text, encode_words, one_kind_of_line_end

TEXTS = st.text(st.sampled_from("ab =.é日🎉\t\n") | st.characters(codec="utf-8", exclude_characters="\r"), max_size=300)


def decoded(text: str) -> bytes:
    """What a reader makes of an encoded text: bytes with CRLF."""
    encoding, body = encode_text(text)
    if encoding == "base64":
        return b64decode(body)
    return quopri.decodestring(body) if encoding == "quoted-printable" else body


@given(TEXTS)
def test_any_text_comes_back_with_crlf(text):
    assert decoded(text) == text.replace("\n", "\r\n").encode()


@given(TEXTS | st.lists(st.sampled_from(["From x", ".", "x" * 75, "é" * 9, " "]), max_size=6).map("\n".join))
def test_lines_are_short_seven_bit_and_left_alone_on_the_way(text):
    encoding, body = encode_text(text)
    lines = body.split(b"\r\n")
    assert body.isascii()
    assert b"\0" not in body
    assert all(len(line) <= (998 if encoding == "7bit" else 76) for line in lines)
    assert not any(line.startswith(b"From ") or line == b"." or line != line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("", "7bit"),
        ("Hello\n\tworld\n", "7bit"),
        ("x" * 998, "7bit"),
        ("x" * 999, "quoted-printable"),
        ("x" * 600 + "\n" + "y" * 600, "7bit"),
        ("blank at the end ", "quoted-printable"),
        ("two  \nlines", "quoted-printable"),
        ("tab\t\n", "quoted-printable"),
        ("From here\n", "quoted-printable"),
        ("not From here\n", "7bit"),
        (".\n", "quoted-printable"),
        ("...\n", "7bit"),
        ("bell \a", "quoted-printable"),
        ("caf\u00e9 and a good deal of ASCII", "quoted-printable"),
        ("日本語", "base64"),
    ],
)
def test_the_shortest_encoding_that_survives_is_taken(text, encoding):
    assert encode_text(text).encoding == encoding


def test_a_long_line_from_the_start_stays_short():
    body = encode_text("From " + "é" + "x" * 90).body
    assert body.startswith(b"=46rom=\r\n =C3=A9xx")


def test_line_ends_become_one_kind_and_what_no_body_holds_is_left_out():
    assert one_kind_of_line_end("\ufeff\0a\r\nb\rc\n") == "a\nb\nc\n"
    assert one_kind_of_line_end("a\n") == "a\n"


@given(st.binary(max_size=300))
def test_any_bytes_come_back(data):
    body = encode_bytes(data)
    assert b64decode(body) == data
    assert all(len(line) <= 76 for line in body.split(b"\r\n"))


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
