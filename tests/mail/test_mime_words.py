"""Encoded words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._read.mime import clean_line, decode_words


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
