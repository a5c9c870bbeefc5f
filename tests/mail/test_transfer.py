"""Transfer encodings: what bodies stand for."""

import base64
import binascii
import quopri

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._read.transfer import decode_base64, decode_transfer


@pytest.mark.parametrize("encoding", ["", "7bit", "8bit", "binary"])
def test_a_plain_encoding_changes_nothing(encoding: str) -> None:
    assert decode_transfer(b"a=3D\xff", encoding) == (b"a=3D\xff", None)


def test_an_unknown_encoding_changes_nothing_and_is_noted() -> None:
    assert decode_transfer(b"=ybegin", "x-yencode") == (b"=ybegin", "encoding-unknown")


def test_quoted_printable_joins_soft_breaks() -> None:
    assert decode_transfer(b"caf=C3=A9 =\r\nau lait=20\r\n", "quoted-printable") == ("café au lait \r\n".encode(), None)


@pytest.mark.parametrize(
    ("encoding", "body", "data"),
    [
        ("base64", b"aGk=\r\n", b"hi"),
        ("base64", b"aGVs\r\nbG8=\r\n", b"hello"),
        ("base64", b"aGVs\nbG8=\n", b"hello"),
        ("base64", b" aGVs bG8=\t\r\n\r\n", b"hello"),
        ("base64", b"", b""),
        # blanks before a line end were added on the way
        ("quoted-printable", b"ab= \t\r\ncd \r\n=20\r\n", b"abcd\r\n \r\n"),
        # an equals sign that codes nothing stays
        ("quoted-printable", b"a == b", b"a == b"),
        ("quoted-printable", b"a==3D", b"a=="),
        ("quoted-printable", b"100=% sure, caf=c3=a9", b"100=% sure, caf\xc3\xa9"),
        ("quoted-printable", b"a=\rb c\nd", b"a=\rb c\nd"),
        ("quoted-printable", b"a=\r\nb=\rc", b"ab=\rc"),
        ("quoted-printable", b"at the end =", b"at the end "),
        ("quoted-printable", b"a == b =", b"a == b "),
        # blanks at the end get lost, and some lines have a check sum there
        ("x-uuencode", b"begin 644 a b.txt\r\n#:&D \r\n`\r\nend\r\n", b"hi\0"),
        ("x-uuencode", b"begin 0644 a\n#:&D\n \nend", b"hi\0"),
        ("x-uuencode", b"begin 644 a\n#:&D X\n\nend\n", b"hi\0"),
        ("x-uuencode", b'begin 644 a\n#:&D@"\n`\nend\n', b"hi "),
        ("x-uuencode", b"\n\nbegin 644 a\n#:&D@\nend\n\n", b"hi "),
    ],
)
def test_what_many_programs_write_is_read_without_a_note(encoding: str, body: bytes, data: bytes) -> None:
    assert decode_transfer(body, encoding) == (data, None)


@pytest.mark.parametrize(
    ("encoding", "body", "data"),
    [
        ("base64", b"aGk=aG8=", b"hiho"),
        ("base64", b"aGk=\r\naGVsbG8=\r\n", b"hihello"),
        ("base64", b"aA==aQ==", b"hi"),
        ("base64", b"aGk==", b"hi"),
        ("base64", b"aGVs=bG8=", b"hello"),
        ("base64", b"a=GVsbG8=", b"hello"),
        ("base64", b"=aGVsbG8=", b"hello"),
        ("base64", b"aGVsbG8", b"hello"),
        ("base64", b"aGVsbG8hx", b"hello!"),
        ("base64", b"aGVs*bG8=", b"hello"),
        ("base64", b"\xef\xbb\xbfaGVsbG8=", b"hello"),
        ("base64", b"aGV!sbG8=\r\naGk=", b"hellohi"),
        ("base64", b"\xff\xfe", b""),
        ("base64", b"a", b""),
        ("x-uuencode", b"begin 644 a\n#:&D@\n", b"hi "),
        ("x-uuencode", b"begin 644 a\n#:&D@\n#\xff\xff\xff\xff\n#:&D@\nend\n", b"hi hi "),
        ("x-uuencode", b"Hello\nbegin 644 a\n#:&D@\nend\n", b"hi "),
        ("x-uuencode", b"begin 644 a\n#:&D@\nend\nbegin 644 b\n#:&D@\nend\n", b"hi "),
        ("x-uuencode", b"#:&D@\n", b"#:&D@\n"),
    ],
)
def test_a_fault_costs_itself_and_is_noted(encoding: str, body: bytes, data: bytes) -> None:
    assert decode_transfer(body, encoding) == (data, "encoding-broken")


@given(st.binary(max_size=300), st.sampled_from([b"\r\n", b"\n", b" "]))
def test_base64_that_was_written_is_read_back(data: bytes, separator: bytes) -> None:
    body = base64.encodebytes(data).replace(b"\n", separator)
    assert decode_base64(body) == (data, None)


@given(st.binary(max_size=300))
def test_quoted_printable_that_was_written_is_read_back(data: bytes) -> None:
    assert decode_transfer(quopri.encodestring(data), "quoted-printable") == (data, None)


@given(st.binary(), st.sampled_from(["base64", "quoted-printable", "x-uuencode", "x"]))
def test_any_bytes_decode_to_something(body: bytes, encoding: str) -> None:
    assert isinstance(decode_transfer(body, encoding)[0], bytes)


def uuencoded(data: bytes) -> bytes:
    lines = [binascii.b2a_uu(data[start : start + 45]) for start in range(0, len(data), 45)]
    return b"begin 644 report.pdf\n" + b"".join(lines) + b"`\nend\n"


@given(st.binary(max_size=300), st.sampled_from(["x-uuencode", "uuencode", "x-uue", "uue"]))
def test_uuencode_that_was_written_is_read_back(data: bytes, encoding: str) -> None:
    assert decode_transfer(uuencoded(data), encoding) == (data, None)
    assert decode_transfer(uuencoded(data).replace(b" ", b"`").replace(b"begin`644`", b"begin 644 "), encoding) == (
        data,
        None,
    )
