"""The canonical forms."""

import pytest
from dkim.canonicalization import Relaxed, Simple
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._auth.dkim import Body, relaxed_body, relaxed_field, signed_fields, simple_body, split_fields
from tests.linearity import steps_grow_linearly, time_grows_linearly

BODIES = st.lists(st.sampled_from([b" ", b"\t", b"\r\n", b"a", b"  ", b"\r", b"x ", b"\n", b"\xff"]), max_size=14).map(
    b"".join
)


@given(BODIES)
def test_bodies_are_those_of_dkimpy(body: bytes) -> None:
    assert relaxed_body(body) == Relaxed.canonicalize_body(body)
    assert simple_body(body) == Simple.canonicalize_body(body)


@given(st.lists(st.sampled_from([b" ", b"\t", b"\r\n ", b"a", b"B:", b"\xc3\xa9"]), max_size=10).map(b"".join))
def test_fields_are_those_of_dkimpy(value: bytes) -> None:
    ((name, expected),) = Relaxed.canonicalize_headers([(b"Subject", value)])
    assert relaxed_field(b"Subject:" + value) + b"\r\n" == name + b":" + expected


@pytest.mark.parametrize("odd", [b"\x0b", b"\x0c"])
def test_what_is_no_blank_stays(odd: bytes) -> None:
    assert relaxed_field(b"Subject: " + odd + b"a\t " + odd + b"\r\n b") == b"subject:" + odd + b"a " + odd + b" b"


def test_relaxing_twice_changes_nothing() -> None:
    once = relaxed_body(b" a\t b \r\n\r\n  \r\n")
    assert relaxed_body(once) == once == b" a b\r\n"


def test_fields_keep_their_folds_and_their_order() -> None:
    fields = split_fields(b"From: a\r\nX: 1\r\n\t2\r\nx: 3\r\n\r\n")
    assert fields == {b"from": [b"From: a"], b"x": [b"X: 1\r\n\t2", b"x: 3"]}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([b"x"], b"x:3"),
        ([b"x", b"x"], b"x:3\r\nx:1"),
        ([b"x", b"x", b"x", b"y"], b"x:3\r\nx:1"),
    ],
)
def test_repeated_names_are_taken_from_the_bottom(names: list[bytes], expected: bytes) -> None:
    fields = {b"x": [b"X: 1", b"X:3"]}
    assert signed_fields(fields, names, b"Own: b=", relaxed=True) == expected + b"\r\nown:b="


def test_simple_fields_stay_as_they_are() -> None:
    assert signed_fields({b"x": [b"X:  1 "]}, [b"x"], b"Own:  b=", relaxed=False) == b"X:  1 \r\nOwn:  b="


def test_each_form_of_a_body_is_made_once() -> None:
    body = Body(b"a  b\r\n\r\n")
    assert body.digest(relaxed=True)[0] == len(b"a b\r\n")
    assert body.digest(relaxed=True) is body.digest(relaxed=True)
    assert body.digest(relaxed=False)[0] == len(b"a  b\r\n")


FAMILIES = {
    "blanks": lambda n: b" " * n + b"x\r\n",
    "tabs": lambda n: b"\t" * n + b"x\r\n",
    "blanks and tabs": lambda n: b" \t" * n + b"x\r\n",
    "empty lines": lambda n: b"x" + b"\r\n" * n,
    "lines of blanks": lambda n: b" \r\n" * n,
    "broken line ends": lambda n: b"\r\r\n" * n,
    "short runs": lambda n: b"word \t " * n,
    "carriage returns": lambda n: b"\r" * n,
}


@pytest.mark.uncounted
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("form", [relaxed_body, simple_body])
def test_bodies_cost_what_they_are_long(form, family: str) -> None:  # type: ignore[no-untyped-def]
    steps_grow_linearly(form, FAMILIES[family])
    time_grows_linearly(form, FAMILIES[family], largest=1 << 16)
