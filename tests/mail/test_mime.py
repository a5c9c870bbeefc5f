"""The part tree."""

import pytest

from mentionable import LimitError, Limits
from mentionable.mail._read.header_section import read_header_section
from mentionable.mail._read.mime import Tree, walk


def tree(raw: str | bytes, **bounds: int) -> tuple[Tree, bytes, list[tuple[str, str]]]:
    limits = Limits(**bounds)
    data = raw.replace("\n", "\r\n").encode() if isinstance(raw, str) else raw
    headers = read_header_section(data, limits=limits)
    parsed = walk(headers.raw, headers.body, headers.first, limits=limits)
    odd = [(note.code, note.detail) for note in (*headers.diagnostics, *parsed.diagnostics)]
    return parsed, headers.raw, odd


def body_parts(raw: str | bytes, **bounds: int) -> list[tuple[str, bytes]]:
    found, data, _ = tree(raw, **bounds)
    return [(part.header.mime, data[part.start : part.end]) for part in found.body_parts]


MIXED = "Content-Type: multipart/mixed; boundary=b\n\n"


def test_a_plain_mail_is_one_body_part() -> None:
    assert body_parts("Subject: x\n\nBody\n") == [("text/plain", b"Body\r\n")]


def test_parts_stand_between_delimiter_lines() -> None:
    raw = MIXED + "preamble\n--b\n\none\n--b\nContent-Type: text/html\n\n<p>two\n\n--b--\nepilogue\n"
    assert body_parts(raw) == [("text/plain", b"one"), ("text/html", b"<p>two\r\n")]


def test_the_last_delimiter_may_be_missing() -> None:
    assert body_parts(MIXED + "--b\n\none\n--b\n\ntwo") == [("text/plain", b"one"), ("text/plain", b"two")]


def test_a_delimiter_line_may_end_in_blanks() -> None:
    assert body_parts(MIXED + "--b \t\n\none\n--b-- \n") == [("text/plain", b"one")]


def test_a_delimiter_may_be_the_last_line() -> None:
    assert body_parts(MIXED + "--b\n\none\n--b") == [("text/plain", b"one"), ("text/plain", b"")]


def test_a_line_that_only_looks_like_a_delimiter_is_text() -> None:
    raw = MIXED + "--b\n\none\n--bc\n--b-\n --b\nx--b\n--b--\n"
    assert body_parts(raw) == [("text/plain", b"one\r\n--bc\r\n--b-\r\n --b\r\nx--b")]


def test_boundaries_that_begin_alike_are_told_apart() -> None:
    raw = MIXED + "--b\nContent-Type: multipart/mixed; boundary=bb\n\n--bb\n\nin\n--bb--\n--b\n\nout\n--b--\n"
    assert body_parts(raw) == [("text/plain", b"in"), ("text/plain", b"out")]


def test_an_inner_multipart_that_never_ends_ends_with_its_part() -> None:
    raw = MIXED + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nin\n--b\n\nout\n--b--\n"
    assert body_parts(raw) == [("text/plain", b"in"), ("text/plain", b"out")]


def test_lf_lines_inside_a_crlf_mail_are_read() -> None:
    raw = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\nContent-Type: text/html;\n charset=x\n\nhi\n--b--\n"
    found, data, notes = tree(raw)
    (part,) = found.body_parts
    assert (part.header.mime, part.header.charset, data[part.start : part.end]) == ("text/html", "x", b"hi")
    assert notes == [("line-ends-mixed", "body part 0: in its header")]


def test_the_parts_of_a_digest_are_mails_by_default() -> None:
    raw = "Content-Type: multipart/digest; boundary=b\n\n--b\n\nFrom: x\n--b\nContent-Type: text/plain\n\nhi\n--b--\n"
    assert [mime for mime, _ in body_parts(raw)] == ["message/rfc822", "text/plain"]


def test_a_part_may_have_no_header() -> None:
    found, data, notes = tree(MIXED + "--b\njust text\n\nmore\n--b--\n")
    assert [data[part.start : part.end] for part in found.body_parts] == [b"just text\r\n\r\nmore"]
    assert notes == [("head-malformed", "body part 0: a part without a header")]


def test_a_part_may_have_nothing_but_a_head() -> None:
    assert body_parts(MIXED + "--b\nContent-Type: image/png\n--b--\n") == [("image/png", b"")]


def test_everything_that_a_head_says_is_there() -> None:
    raw = (
        MIXED + '--b\nContent-Type: Text/Plain; charset="UTF-8"; format=Flowed; delsp=Yes; profile=p; name=a.txt\n'
        "Content-Transfer-Encoding: Base64 (yes)\nContent-Disposition: INLINE\nContent-ID: <i@x>\nX-Other: y\n"
        "\nhi\n--b--\n"
    )
    head = tree(raw)[0].body_parts[0].header
    assert head._asdict() == {
        "mime": "text/plain",
        "charset": "utf-8",
        "boundary": "",
        "profile": "p",
        "flowed": True,
        "delete_space": True,
        "disposition": "inline",
        "name": "a.txt",
        "encoding": "base64",
        "content_id": "<i@x>",
        "parameters": {"charset": "UTF-8", "format": "Flowed", "delsp": "Yes", "profile": "p", "name": "a.txt"},
        "faults": (),
    }


@pytest.mark.parametrize(
    ("parameter", "member", "value"),
    [
        ("format=flowed", "flowed", True),
        ("format=flowed; delsp=yes", "delete_space", True),
        ("profile=p", "profile", "p"),
        ("boundary=c", "boundary", "c"),
    ],
)
def test_the_line_end_behind_the_last_parameter_is_no_part_of_it(parameter: str, member: str, value: object) -> None:
    (part,) = tree(MIXED + f"--b\nContent-Type: text/plain; charset=utf-8; {parameter}\n\nhi\n--b--\n")[0].body_parts
    assert getattr(part.header, member) == value


def test_empty_fields_say_nothing() -> None:
    head = tree("Content-Type:\nContent-Transfer-Encoding: ()\nContent-ID:\n\nhi")[0].body_parts[0].header
    assert (head.mime, head.encoding, head.content_id) == ("text/plain", "", None)


@pytest.mark.parametrize("value", ["(7 bits) base64", "base64;", "base64; x=y", "Base64(y (z))"])
def test_an_encoding_is_read_without_comments_and_parameters(value: str) -> None:
    assert tree(f"Content-Transfer-Encoding: {value}\n\nhi")[0].body_parts[0].header.encoding == "base64"


def test_a_long_head_is_read_like_a_short_one() -> None:
    long = "y" * 400
    raw = f"Content-Type: multipart/mixed; boundary=b; x={long}\n\n--b\nX: {long}\nContent-Type: a/b\n\nhi\n--b--\n"
    assert body_parts(raw) == [("a/b", b"hi")]


@pytest.mark.parametrize(
    ("raw", "notes"),
    [
        ("Content-Type: multipart/mixed\n\nhi", [("boundary-missing", "body part 0: no boundary parameter")]),
        (MIXED + "hi", [("boundary-missing", "body part 0: no such delimiter line")]),
        ("Content-Type: text\n\nhi", [("content-type-malformed", "body part 0: not a media type: read as text")]),
        (
            "Content-Type: text/plain; charset=a; charset=b\n\nhi",
            [("field-repeated", "body part 0: a parameter twice: the first one counts")],
        ),
    ],
)
def test_bodies_that_cannot_be_split_are_text(raw: str, notes: list[tuple[str, str]]) -> None:
    found, data, noted = tree(raw)
    assert [(part.header.mime, data[part.start : part.end]) for part in found.body_parts] == [("text/plain", b"hi")]
    assert noted == notes


def test_parts_behind_a_closing_line_count() -> None:
    found, data, notes = tree(MIXED + "--b\n\none\n--b--\nepilogue\n--b\n\ntwo\n--b--\n")
    assert [data[part.start : part.end] for part in found.body_parts] == [b"one", b"two"]
    assert notes == [("boundary-missing", "body part 0: parts behind its closing delimiter line")]


def test_a_disposition_that_is_no_word_is_none() -> None:
    found, _, _ = tree("Content-Disposition: =?utf-8?q?x?=\n\none")
    assert found.body_parts[0].header.disposition == ""


def test_a_doubled_boundary_is_noted_and_the_first_counts() -> None:
    found, _, notes = tree("Content-Type: multipart/mixed; boundary=b; boundary=c\n\n--b\n\none\n--c\n\ntwo\n--b--\n")
    assert len(found.body_parts) == 1
    assert notes == [("field-repeated", "body part 0: a parameter twice: the first one counts")]


def test_a_doubled_field_of_a_part_is_noted_and_the_first_counts() -> None:
    found, _, notes = tree(MIXED + "--b\nContent-Type: a/b\nContent-Type: c/d\n\nhi\n--b--\n")
    assert found.body_parts[0].header.mime == "a/b"
    assert notes == [("field-repeated", "body part 0: the first one counts")]


def test_alternatives_know_their_group_and_branch() -> None:
    raw = (
        "Content-Type: multipart/alternative; boundary=a\n\n--a\n\nplain\n--a\n"
        "Content-Type: multipart/related; boundary=r\n\n--r\nContent-Type: text/html\n\nhtml\n--r\n"
        "Content-Type: multipart/alternative; boundary=i\n\n--i\n\ninner\n--i--\n--r--\n--a--\n"
    )
    found, _, _ = tree(raw)
    assert found.groups == [(0, 0), (0, 0), (1, 1)]
    assert [(part.group, part.branch, part.related) for part in found.body_parts] == [
        (1, 0, False),
        (1, 1, True),
        (2, 0, False),
    ]


def nested(depth: int) -> str:
    levels = "".join(f"--{n}\nContent-Type: multipart/mixed; boundary={n + 1}\n\n" for n in range(depth - 1))
    return f"Content-Type: multipart/mixed; boundary=0\n\n{levels}--{depth - 1}\n\nbottom"


def test_nesting_is_bounded() -> None:
    assert body_parts(nested(32)) == [("text/plain", b"bottom")]
    with pytest.raises(LimitError) as caught:
        tree(nested(33))
    assert caught.value.code == "too-deep"


@pytest.mark.parametrize(
    ("raw", "bounds", "code"),
    [
        (MIXED + "--b\n\nx\n" * 6, {"parts": 4}, "too-many-parts"),
        (MIXED + "--b\n\nx\n" * 4, {"parts": 4}, "too-many-parts"),
        (nested(3), {"parts": 3}, "too-many-parts"),
        (MIXED + "--b\nX: " + "y" * 90 + "\n\nx\n--b--", {"mail_head_bytes": 80}, "too-large"),
        (MIXED + "--b\nContent-ID: " + "y" * 90 + "\n\nx\n--b--", {"mail_field_bytes": 80}, "too-large"),
        (MIXED + "--b\nContent-Type: a/b;;;;\n\nx\n--b--", {"mime_parameters": 3}, "too-many-fields"),
    ],
)
def test_parts_over_a_limit_are_refused(raw: str, bounds: dict[str, int], code: str) -> None:
    with pytest.raises(LimitError) as caught:
        tree(raw, **bounds)
    assert caught.value.code == code


def test_a_line_in_the_header_of_a_part_that_is_no_field_is_a_diagnostic() -> None:
    _, _, notes = tree(
        "From: a@a.example\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/plain\nnot a field\n\nHello\n--b--\n"
    )
    assert notes == [("head-malformed", "body part 0: a line of its header is no field")]


def test_the_same_fault_of_a_header_is_named_once_however_often_it_is_there() -> None:
    lines = "no field\nContent-Type: text/html\n" * 2_000
    _, _, notes = tree(
        "From: a@a.example\nContent-Type: multipart/mixed; boundary=b\n\n"
        f"--b\nContent-Type: text/plain\n{lines}\nHello\n--b--\n"
    )
    assert notes == [
        ("head-malformed", "body part 0: a line of its header is no field"),
        ("field-repeated", "body part 0: the first one counts"),
    ]


def test_raw_bytes_in_the_header_of_a_part_are_read_and_noted() -> None:
    mixed = MIXED.replace("\n", "\r\n").encode()
    parsed, _, odd = tree(mixed + b'--b\r\nContent-Type: text/csv; name="caf\xe9.csv"\r\n\r\na\r\n--b--\r\n')
    assert parsed.body_parts[0].header.name == "café.csv"
    assert odd == [("head-malformed", "body part 0: bytes in its header that are not UTF-8")]
