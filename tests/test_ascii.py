import string

from hypothesis import given
from hypothesis import strategies as st

from mentionable._wire.ascii import ascii_lower


def test_the_letters_of_ascii_are_lowered():
    assert ascii_lower(string.printable + "É") == string.printable.lower() + "É"


def test_no_other_letter_becomes_one_of_ascii():
    assert ascii_lower("\u212aey \u0130d") == "\u212aey \u0130d"


@given(st.text())
def test_nothing_else_changes(text):
    lowered = ascii_lower(text)
    assert len(lowered) == len(text)
    assert all(low == one or one in string.ascii_uppercase for low, one in zip(lowered, text, strict=True))
