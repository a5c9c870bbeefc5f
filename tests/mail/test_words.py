"""Encoded words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._read.words import clean_line, decode_fields, decode_words


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("=?utf-8?q?caf=C3=A9_noir?=", "café noir"),
        ("=?UTF-8?B?Y2Fmw6k=?=", "café"),
        ("=?utf-8?b?Y2Fmw6k?=", "café"),
        ("=?utf-8*fr?q?caf=C3=A9?=", "café"),
        ("Re: =?utf-8?q?caf=C3=A9?= now", "Re: café now"),
        ("=?utf-8?q?a?= =?utf-8?q?b?=", "ab"),
        ("=?utf-8?q?a?=\t =?iso-8859-1?q?=E9?=", "aé"),
        ("=?utf-8?q?a?= and =?utf-8?q?b?=", "a and b"),
        ("=?utf-8?q?caf=C3?= =?utf-8?q?=A9?=", "café"),
        ("=?utf-8?B?4oKs?= =?utf-8?Q?=E2=82=AC?=", "€€"),
        ("=?utf-8?q?two words?=", "two words"),
        ("=?utf-7?q?+ADw-script+AD4-?=", "+ADw-script+AD4-"),
        ("=?utf-8?q?unfinished", "=?utf-8?q?unfinished"),
        ("=?utf-8?x?a?=", "=?utf-8?x?a?="),
        ("=?iso-2022-jp?B?GyRCRnxLXBsoQg==?= =?iso-2022-jp?B?GyRCOGwbKEI=?=", "日本語"),
        ("=?iso-2022-jp?B?GyRCRnxL?= =?iso-2022-jp?B?XDhsGyhC?=", "日本語"),
        ("=?iso-2022-jp?B?GyRCRnxLXA==?= =?iso-2022-jp?B?GyRCOGwbKEI=?=", "日本語"),
        ("=?shift_jis?Q?=93=FA=96?= =?shift_jis?Q?=7B?=", "日本"),
        ("=?utf-8?b?Y2F!mw6k=?=", "café"),
        ("=?utf-8?q?a=3Db =3D?=", "a=b ="),
        ("=?utf-8?q?=C3=28é?=", "\ufffd(é"),
        ("plain", "plain"),
    ],
)
def test_encoded_words_are_decoded(text: str, plain: str) -> None:
    assert decode_words(text) == plain


def test_control_characters_become_blanks() -> None:
    assert clean_line("a\x00b\r\nc\x85d\te") == "a b  c d e"


def test_a_line_that_is_safe_is_left_alone() -> None:
    assert clean_line("non\xa0breaking \u200b 🙂") == "non\xa0breaking \u200b 🙂"


@given(st.text(alphabet="=?utf-8qQbB_ \t\r\nAé"))
def test_any_text_decodes(text: str) -> None:
    assert isinstance(decode_words(text), str)


# --- header fields with bytes that are not UTF-8


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"Subject: caf\xe9\r\nTo: Gr\xc3\xbc\xc3\x9fe\r\n", "Subject: café\r\nTo: Grüße\r\n"),
        (b"Subject: a\r\n caf\xe9\r\n\tb\r\nX: \xc3\xa9", "Subject: a\r\n café\r\n\tb\r\nX: é"),
        ("Subject: 日本語の".encode() + b"\xe6\x97", "Subject: 日本語の\ufffd"),
        (b"Subject: =?shift_jis?Q?\x93\xfa\x96{?= caf\xc3\xa9", "Subject: =?shift_jis?Q?=93=FA=96{?= café"),
        (b"A: =?koi8-r?B?8NLJ18XU?=\r\nSubject: \xf0\xd2\xc9", "A: =?koi8-r?B?8NLJ18XU?=\r\nSubject: При"),
        (
            b"Content-Type: text/plain;\r\n charset=Shift_JIS\r\nSubject: \x83\x5c\x83@",
            "Content-Type: text/plain;\r\n charset=Shift_JIS\r\nSubject: ソァ",
        ),
        (
            b'Content-Type: text/plain; charset="gb2312"\r\nTo: \xc4\xe3 <a@x.example>',
            'Content-Type: text/plain; charset="gb2312"\r\nTo: 你 <a@x.example>',
        ),
    ],
)
def test_a_field_that_is_not_utf8_is_read_by_itself(data: bytes, text: str) -> None:
    assert decode_fields(data) == text


@pytest.mark.parametrize("charset", ["shift_jis", "utf-16", "utf-7", "iso-2022-jp", "x-no-such"])
def test_no_character_set_makes_an_address(charset: str) -> None:
    field = b"From: \x83@a.example <b@x.example>\xff"
    text = decode_fields(b"Content-Type: text/plain; charset=" + charset.encode() + b"\r\n" + field)
    assert text.partition("\r\n")[2] == field.decode("cp1252")


def test_a_field_that_is_read_strictly_is_not_guessed() -> None:
    assert decode_fields(b"X-Mentionable-Policy: {\xff}\r\nA: \xff") == "X-Mentionable-Policy: {\ufffd}\r\nA: ÿ"


def test_a_subject_is_not_read_in_a_set_that_has_no_ascii() -> None:
    data = b"Content-Type: text/plain; charset=utf-16\r\nSubject: caf\xe9 "
    assert decode_fields(data).endswith("Subject: café ")


def test_a_set_that_is_named_often_counts_once() -> None:
    words = b"X: =?koi8-u?q?a?=\r\n" * 5
    assert decode_fields(words + b"A: =?shift_jis?q?a?=\r\nSubject: \xb3\xff\xfc").endswith("Subject: ЁЪЭ")


def test_few_of_the_named_sets_are_tried() -> None:
    words = b"".join([b"X: =?cp%d?q?a?=\r\n" % number for number in range(10)])
    assert decode_fields(words + b"A: =?koi8-r?q?a?=\r\nSubject: \xf0\xd2").endswith("Subject: ðÒ")


@given(st.binary())
def test_any_bytes_of_a_field_give_text(data: bytes) -> None:
    decode_fields(data).encode()
