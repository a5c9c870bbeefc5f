"""`format=flowed`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._read.flowed import unflow


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("one \ntwo\n", "one two\n"),
        ("one\ntwo\n", "one\ntwo\n"),
        ("one \ntwo", "one two"),
        ("one \n", "one \n"),
        ("", ""),
        ("\n", "\n"),
        (" >not quoted\n", ">not quoted\n"),
        (" From here\n", "From here\n"),
        ("> a \n> b\n", "> a b\n"),
        (">a \n>b\n", "> a b\n"),
        ("> a \n>> b\nc\n", "> a \n>> b\nc\n"),
        (">>> deep \n>>> er\n>\n", ">>> deep er\n>\n"),
        ("me \n-- \nAlice\n", "me \n-- \nAlice\n"),
        ("> x\n> -- \n> Bob\n", "> x\n> -- \n> Bob\n"),
    ],
)
def test_soft_line_breaks_are_taken_out(sent: str, read: str) -> None:
    assert unflow(sent, delete_space=False) == read


def test_delsp_takes_the_blank_too() -> None:
    assert unflow("日本 \n語\n", delete_space=True) == "日本語\n"


@given(st.text(alphabet="> a\n-", max_size=60))
def test_fixed_lines_stay_as_they_are(text: str) -> None:
    fixed = "".join(f"{line.strip('> ')}\n" for line in text.split("\n"))
    assert unflow(fixed, delete_space=False) == fixed
