"""Dictionaries of structured fields: every legal spelling is read, and written in the one form."""

from __future__ import annotations

import string
from base64 import b64encode
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable._wire.structured_fields import Value, dictionary_text, read_dictionary
from tests.linearity import steps_grow_linearly, time_grows_linearly

PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))
TOKEN = string.ascii_letters + string.digits + "!#$%&'*+-.^_`|~:/"
BLANKS = st.sampled_from(["", " ", "   "])

# Each strategy below gives a spelling, and the one form of the same value (RFC 9651 §4.1).


def zeros(digits: int) -> st.SearchStrategy[str]:
    return st.integers(0, digits).map("0".__mul__)


@st.composite
def integers(draw: Any, sign: str = "", most: int = 10**15 - 1) -> tuple[str, str]:
    number = draw(st.integers(-most, most))
    digits = str(abs(number))
    spelled = ("-" if number < 0 else "") + draw(zeros(15 - len(digits))) + digits
    return sign + spelled, f"{sign}{number}"


@st.composite
def decimals(draw: Any) -> tuple[str, str]:
    thousandths = draw(st.integers(-(10**15 - 1), 10**15 - 1))
    number = Decimal(thousandths).scaleb(-3)
    whole, _, fraction = f"{abs(number):.3f}".partition(".")
    short = fraction.rstrip("0") or "0"
    sign = "-" if thousandths < 0 else ""
    spelled = sign + draw(zeros(12 - len(whole))) + whole + "." + short + draw(zeros(3 - len(short)))
    return spelled, f"{sign}{whole}.{short}"


def quoted(text: str) -> tuple[str, str]:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"', f'"{escaped}"'


def same(text: str) -> tuple[str, str]:
    return text, text


@st.composite
def displays(draw: Any) -> tuple[str, str]:
    data = draw(st.text(max_size=5)).encode("utf-8", "ignore")
    one = "".join(chr(b) if chr(b) in PRINTABLE and b not in b'%"' else f"%{b:02x}" for b in data)
    escaped = [draw(st.booleans()) for _ in data]
    parts = [f"%{b:02x}" if is_escaped or chr(b) not in PRINTABLE or b in b'%"' else chr(b)
             for b, is_escaped in zip(data, escaped, strict=True)]  # fmt: skip
    return '%"' + "".join(parts) + '"', f'%"{one}"'


BARE = st.one_of(
    integers(),
    decimals(),
    st.text(PRINTABLE, max_size=8).map(quoted),
    st.builds(str.__add__, st.sampled_from(string.ascii_letters + "*"), st.text(TOKEN, max_size=6)).map(same),
    st.binary(max_size=7).map(lambda data: same(f":{b64encode(data).decode()}:")),
    st.sampled_from([("?0", "?0"), ("?1", "?1")]),
    integers("@", most=62_135_596_799),  # back to the year 1, which is as far as dates go
    displays(),
)
KEYS = st.builds(
    str.__add__,
    st.sampled_from(string.ascii_lowercase + "*"),
    st.text(string.ascii_lowercase + string.digits + "_-.*", max_size=70),
)


@st.composite
def parameters(draw: Any) -> tuple[str, str]:
    spelled, one = "", ""
    for name in draw(st.lists(KEYS, max_size=3, unique=True)):
        value, written = draw(BARE)
        is_flag = written == "?1" and draw(st.booleans())
        spelled += f";{draw(BLANKS)}{name}" + ("" if is_flag else f"={value}")
        one += f";{name}" if written == "?1" else f";{name}={written}"
    return spelled, one


@st.composite
def items(draw: Any) -> tuple[str, str]:
    (value, written), (more, more_written) = draw(BARE), draw(parameters())
    return value + more, written + more_written


@st.composite
def inner_lists(draw: Any) -> tuple[str, str]:
    listed = draw(st.lists(items(), max_size=3))
    spelled = draw(BLANKS)
    for number, (value, _) in enumerate(listed):
        spelled += (draw(BLANKS) + " " if number else "") + value
    more, more_written = draw(parameters())
    return f"({spelled}{draw(BLANKS)}){more}", f"({' '.join(one for _, one in listed)}){more_written}"


@st.composite
def dictionaries(draw: Any) -> tuple[str, str]:
    spelled, one = [], []
    for name in draw(st.lists(KEYS, max_size=4, unique=True)):
        value, written = draw(items() | inner_lists())
        is_flag = value[:2] == "?1" and draw(st.booleans())
        spelled.append(name + (value[2:] if is_flag else f"={value}"))
        one.append(name + written[2:] if written[:2] == "?1" else f"{name}={written}")
    blank = draw(st.sampled_from(["", " ", "\t", " \t "]))
    return draw(BLANKS) + f"{blank},{blank}".join(spelled) + draw(BLANKS), ", ".join(one)


@given(dictionaries())
def test_every_spelling_has_one_form(made: tuple[str, str]) -> None:
    spelled, one = made
    members, is_whole = read_dictionary(spelled)
    assert is_whole
    assert dictionary_text(members) == one
    assert read_dictionary(one) == (members, True)


@given(dictionaries(), st.integers(0, 10_000), st.sampled_from(PRINTABLE + "\t\né\x7f"))
def test_whatever_is_read_whole_has_one_form(made: tuple[str, str], place: int, new: str) -> None:
    text = made[0]
    place %= len(text) + 1
    members, is_whole = read_dictionary(text[:place] + new + text[place + 1 :])
    if is_whole:
        assert read_dictionary(dictionary_text(members)) == (members, True)


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("", ""),
        ("  a  ", "a"),
        ("a=?1;b=?1;c=?0", "a;b;c=?0"),
        ("a=-0, b=-0.0, c=0.50, d=-01.500", "a=0, b=0.0, c=0.5, d=-1.5"),
        ("a=@-007", "a=@-7"),
        ('a=%"%41%c3%bc%25"', 'a=%"A%c3%bc%25"'),
        ("a=::", "a=::"),
        ("a=(  )", "a=()"),
        ('a=( "x";y=1   b )', 'a=("x";y=1 b)'),
        ("a=1, a=2;b;b", "a=1, a=2;b;b"),
    ],
)
def test_of_each_kind_the_one_form_is_written(text: str, one: str) -> None:
    members, is_whole = read_dictionary(text)
    assert is_whole
    assert dictionary_text(members) == one


@pytest.mark.parametrize(
    "text",
    [
        *("a,", "a,,b", ",a", "A=1", "1=1", "a =1", "a= 1", "a=", "a b", "a;", "a;B", "a; =1", "a;\tb"),
        *('a="', 'a="é"', 'a="\\x"', 'a="\t"', "a=1234567890123456", "a=1.", "a=.1", "a=1.2345", "a=1234567890123.1"),
        *("a=1.2.3", "a=--1", "a=?2", "a=?", "a=@", "a=@1.5", "a=:AAA:", "a=:AAB=:", "a=:A-_A:", "a=:AAAA", "a=é"),
        *('a=%"%C3%BC"', 'a=%"%c3"', 'a=%"ü"', "a=%x", 'a=%"%4"', "a=(", 'a=("x""y")', "a=(1\t2)", "a=((1))"),
        *("a=(1,2)", "a=1;b=(1)", "a=1;b=:A:", "a=(1;b=:A:)", "a=(:A:)", "a=1;b=", "a\nb", "a=1;b=%x"),
    ],
)  # fmt: skip
def test_what_is_no_dictionary_is_not_read_whole(text: str) -> None:
    assert not read_dictionary(text)[1]
    assert not read_dictionary(f"ok=1, {text}")[1]


def test_what_comes_before_the_fault_is_read() -> None:
    assert read_dictionary("a=1, b=(2 3), c=") == (
        [
            ("a", Value("integer", "1")),
            ("b", Value("list", "(2 3)", (), (Value("integer", "2"), Value("integer", "3")))),
            ("c", Value("boolean", "?1")),
        ],
        False,
    )


def test_the_content_of_a_string_has_no_escapes() -> None:
    [(_, value)], _ = read_dictionary(r'a="x\"\\y"')
    assert (value.string, value.text) == (r'x"\y', r'"x\"\\y"')
    [(_, value)], _ = read_dictionary("a=token;b")
    assert (value.string, value.written) == ("token", "token;b")


@pytest.mark.uncounted
@pytest.mark.parametrize("text", ["a,", "a=(", ";a", 'a="\\', "a=(1 ", "a=1;b=1", ":", "a=%", "a=0000", " ", "a=(;"])
def test_dictionaries_are_read_in_linear_time(text: str) -> None:
    steps_grow_linearly(read_dictionary, lambda size: "x=1" + text * size, size=200)
    time_grows_linearly(read_dictionary, lambda size: "x=1" + text * size, size=2_000, largest=64_000)
