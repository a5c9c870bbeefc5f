"""The header section."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import DecodeError, LimitError, Limits
from mentionable.mail._read.header_section import HeaderSection, read_header_section

if TYPE_CHECKING:
    pass


def read(raw: bytes, **bounds: int) -> tuple[HeaderSection, list[tuple[str, str, str]]]:
    headers = read_header_section(raw, limits=Limits(**bounds))
    return headers, [(note.code, note.at, note.detail) for note in headers.diagnostics]


def test_fields_keep_their_order_and_spelling() -> None:
    head, notes = read(b"From: a@x.example\r\nSUBJECT:  Hi \r\n\r\nBody")
    assert head.fields == [
        ("from", "From", "a@x.example"),
        ("subject", "SUBJECT", "Hi"),
    ]
    assert head.first == {"from": "a@x.example", "subject": "Hi"}
    assert head.raw[head.body :] == b"Body"
    assert notes == []


def test_folds_are_taken_out() -> None:
    head, _ = read(b"References: <a@b>\r\n <c@d>\r\n\t<e@f>\r\n\r\n")
    assert head.first["references"] == "<a@b> <c@d>\t<e@f>"


def test_a_mail_of_lf_lines_is_read_as_one_of_crlf_lines() -> None:
    head, notes = read(b"From: a@x.example\n\nBody\n")
    assert head.raw == b"From: a@x.example\r\n\r\nBody\r\n"
    assert notes == []


def test_mixed_line_ends_are_noted() -> None:
    head, notes = read(b"From: a@x.example\nSubject: x\r\n\nBody\r\n")
    assert head.first == {"from": "a@x.example", "subject": "x"}
    assert head.raw[head.body :] == b"Body\r\n"
    assert notes == [("line-ends-mixed", "/headers", "")]


@pytest.mark.parametrize("end", [b"\nTo: b@x.example", b"\n\r\nBody"])
def test_as_many_bare_line_ends_as_lines_are_seen(end: bytes) -> None:
    head, notes = read(b"From: a@x.example\r\nSubject: x\rTo: c@x.example" + end)
    assert head.first == {"from": "a@x.example", "subject": "x To: c@x.example"} | (
        {} if b"Body" in end else {"to": "b@x.example"}
    )
    assert [code for code, _, _ in notes] == ["line-ends-mixed", "head-malformed"]


def test_a_head_may_end_with_the_file() -> None:
    head, notes = read(b"From: a@x.example\r\nSubject: x")
    assert head.first == {"from": "a@x.example", "subject": "x"}
    assert head.raw[head.body :] == b""
    assert notes == []


def test_the_first_of_doubled_fields_counts() -> None:
    head, notes = read(b"Subject: 1\r\nReceived: a\r\nSubject: 2\r\nReceived: b\r\n\r\n")
    assert head.first["subject"] == "1"
    assert head.repeated == {"subject", "received"}
    assert notes == [("field-repeated", "/headers/subject", "the first one counts")]


@pytest.mark.parametrize(
    ("raw", "detail"),
    [
        (b"From alice Sat Nov 21\r\nFrom: a@x.example\r\n\r\n", "line 1: an mbox line"),
        (b">From alice Sat Nov 21\r\nFrom: a@x.example\r\n\r\n", "line 1: an mbox line"),
        (b"From: a@x.example\r\nno field\r\n\r\n", "line 2: a line that is no field"),
        (b"From: a@x.example\r\nnofield\r\nTo: x\r\nTo: y\r\n\r\n", "line 2: a line that is no field"),
        (b"From: a@x.example\r\n: empty\r\n\r\n", "line 2: a line that is no field"),
        (b" folded into nothing\r\nFrom: a@x.example\r\n\r\n", "line 1: a line that is no field"),
        (b"From : a@x.example\r\n\r\n", "line 1: a blank before a colon"),
        (b"From\r\n : a@x.example\r\n\r\n", "line 1: a blank before a colon"),
        (b"From: a@x.example\r\nX: a\0b\r\n\r\n", "line 2: a control character"),
        (b"From: a@x.example\r\nX: a\rb\r\n\r\n", "line 2: a control character"),
        (b"From: a@x.example\r\nX\xc3\xa9: b\r\n\r\n", "line 2: a line that is no field"),
        (b"\xef\xbb\xbfFrom: a@x.example\r\n\r\n", "a byte order mark before it"),
        (b"From: a@x.example\r\nX: caf\xe9\r\n\r\n", "bytes that are not UTF-8"),
    ],
)
def test_odd_heads_are_read_and_noted(raw: bytes, detail: str) -> None:
    head, notes = read(raw)
    assert head.first["from"] == "a@x.example"
    assert ("head-malformed", "/headers", detail) in notes


def test_utf8_in_a_head_is_regular() -> None:
    head, notes = read("Subject: café\r\n\r\n".encode())
    assert (head.first["subject"], notes) == ("café", [])


@pytest.mark.parametrize("raw", [b"", b"\r\n", b"\r\nFrom: a@x.example\r\n\r\n", b"no head at all", b"\n\nx", b"\0"])
def test_a_file_without_a_head_is_refused(raw: bytes) -> None:
    with pytest.raises(DecodeError) as caught:
        read(raw)
    assert caught.value.code == "malformed"


@pytest.mark.parametrize(
    ("raw", "bounds", "code"),
    [
        (b"A: " + b"b" * 60 + b"\r\n\r\n", {"mail_bytes": 50}, "too-large"),
        (b"A: " + b"b" * 60 + b"\r\n\r\n", {"mail_head_bytes": 50}, "too-large"),
        (b"A: " + b"b" * 60, {"mail_head_bytes": 50}, "too-large"),
        (b"A: b\r\nC: d\r\n\r\n", {"mail_fields": 1}, "too-many-fields"),
        (b"Subject: " + b"b" * 60 + b"\r\n\r\n", {"mail_field_bytes": 50}, "too-large"),
    ],
)
def test_a_head_over_a_limit_is_refused(raw: bytes, bounds: dict[str, int], code: str) -> None:
    with pytest.raises(LimitError) as caught:
        read(raw, **bounds)
    assert caught.value.code == code


def test_of_several_fields_over_a_limit_the_first_is_named() -> None:
    raw = b"".join(name + b": " + b"b" * 60 + b"\r\n" for name in (b"X-Any", b"To", b"From", b"Cc", b"Date"))
    with pytest.raises(LimitError) as caught:
        read(raw + b"\r\n", mail_field_bytes=50)
    assert [problem.at for problem in caught.value.problems] == ["/headers/to"]


def test_a_long_head_of_short_fields_is_fine() -> None:
    assert len(read(b"Subject: b\r\n" * 9 + b"\r\n", mail_field_bytes=50)[0].fields) == 9


def test_a_field_that_is_merely_kept_may_be_long() -> None:
    head, _ = read(b"X-Long: " + b"b" * 60 + b"\r\n\r\n", mail_field_bytes=50)
    assert len(head.first["x-long"]) == 60


FIELDS = st.lists(
    st.tuples(st.from_regex(r"[A-Za-z][A-Za-z-]{0,8}", fullmatch=True), st.text(alphabet="ab cé:;", max_size=10)),
    min_size=1,
    max_size=8,
)


@given(FIELDS)
def test_what_was_written_is_read_back(fields: list[tuple[str, str]]) -> None:
    raw = "".join(f"{name}: {value}\r\n" for name, value in fields).encode() + b"\r\n"
    head, notes = read(raw)
    assert [(name, value) for _, name, value in head.fields] == [(name, value.strip()) for name, value in fields]
    assert all(code == "field-repeated" for code, _, _ in notes)


def test_a_name_beyond_ascii_that_lower_case_makes_ascii_is_no_field() -> None:
    headers, notes = read("From: a@a.example\r\nD\u212aIM-Signature: x\r\n\r\n".encode())
    assert "dkim-signature" not in headers.first
    assert [code for code, _, _ in notes] == ["head-malformed"]
