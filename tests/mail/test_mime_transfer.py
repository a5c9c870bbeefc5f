"""Transfer encodings: what bodies stand for."""

import base64
import quopri

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._read.mime import decode_base64, decode_transfer


@pytest.mark.parametrize("encoding", ["", "7bit", "8bit", "binary"])
def test_a_plain_encoding_changes_nothing(encoding: str) -> None:
    assert decode_transfer(b"a=3D\xff", encoding) == (b"a=3D\xff", None)


def test_an_unknown_encoding_changes_nothing_and_is_noted() -> None:
    assert decode_transfer(b"begin 644 x", "x-uuencode") == (b"begin 644 x", "encoding-unknown")


def test_quoted_printable_joins_soft_breaks() -> None:
    assert decode_transfer(b"caf=C3=A9 =\r\nau lait=20\r\n", "quoted-printable") == ("café au lait \r\n".encode(), None)


@pytest.mark.parametrize(
    ("body", "data"),
    [
        (b"aGk=\r\n", b"hi"),
        (b"aGVs\r\nbG8=\r\n", b"hello"),
        (b"aGVs\nbG8=\n", b"hello"),
        (b" aGVs bG8=\t\r\n\r\n", b"hello"),
        (b"", b""),
    ],
)
def test_base64_may_be_broken_into_lines_and_blanks(body: bytes, data: bytes) -> None:
    assert decode_transfer(body, "base64") == (data, None)


@pytest.mark.parametrize(
    ("body", "data"),
    [
        (b"aGk=aG8=", b"hi"),
        (b"aGVsbG8", b"hello"),
        (b"aGVsbG8hx", b"hello!"),
        (b"aGVs*bG8=", b"hel"),
        (b"\xff\xfe", b""),
        (b"a", b""),
    ],
)
def test_what_stands_before_a_fault_in_base64_is_kept(body: bytes, data: bytes) -> None:
    assert decode_base64(body) == (data, "encoding-broken")


@given(st.binary(max_size=300), st.sampled_from([b"\r\n", b"\n", b" "]))
def test_base64_that_was_written_is_read_back(data: bytes, separator: bytes) -> None:
    body = base64.encodebytes(data).replace(b"\n", separator)
    assert decode_base64(body) == (data, None)


@given(st.binary(max_size=300))
def test_quoted_printable_that_was_written_is_read_back(data: bytes) -> None:
    assert decode_transfer(quopri.encodestring(data), "quoted-printable") == (data, None)


@given(st.binary(), st.sampled_from(["base64", "quoted-printable", "x"]))
def test_any_bytes_decode_to_something(body: bytes, encoding: str) -> None:
    assert isinstance(decode_transfer(body, encoding)[0], bytes)


def test_blanks_before_a_line_end_are_no_part_of_quoted_printable() -> None:
    assert decode_transfer(b"ab= \t\r\ncd \r\n=20\r\n", "quoted-printable") == (b"abcd\r\n \r\n", None)
