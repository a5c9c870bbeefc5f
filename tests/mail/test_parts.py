"""Leaves to parts."""

import hashlib
from typing import Any

import pytest

from mentionable import Limits, Settings
from tests.mail.receiving import receive

PNG = "iVBORw0KGgo="


def multipart(kind: str, *parts: str, boundary: str = "b") -> str:
    body = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{body}--{boundary}--\n'


def part(mime: str, body: str, *fields: str) -> str:
    return "\n".join((f"Content-Type: {mime}", *fields, "", body))


def mail(body: str) -> bytes:
    return f"From: Alice <alice@a.example>\nSubject: Subject\nMessage-ID: <m@a.example>\n{body}".replace(
        "\n", "\r\n"
    ).encode()


def shown(outcome: Any) -> list[tuple[Any, ...]]:
    """Text as (mime, content), files as (mime, name, size)."""
    return [
        (item.mime, item.content) if item.kind == "text" else (item.mime, item.name, item.size_bytes)
        for item in outcome.message.parts
    ]


ALTERNATIVES = [
    ((part("text/plain", "p"), part("text/html", "<p>h")), [("text/plain", "p")]),
    ((part("text/html", "<p>h"), part("text/plain", "p")), [("text/plain", "p")]),
    ((part("text/plain", " \n\t"), part("text/html", "<p>h")), [("text/html", "<p>h")]),
    ((part("text/plain", ""), part("text/html", "<p>h")), [("text/html", "<p>h")]),
    ((part("text/html", "<p>h"),), [("text/html", "<p>h")]),
    ((part("text/html", "<p>h"), part("text/markdown", "*m*")), [("text/markdown", "*m*")]),
    ((part("text/markdown", "*m*"), part("text/plain", "p")), [("text/plain", "p")]),
    ((part("text/plain", ""), part("text/html", " ")), [("text/plain", "Subject")]),
    ((part("text/plain", "1"), part("text/plain", "2")), [("text/plain", "1")]),
    (
        (part("text/plain", "p"), multipart("related", part("text/html", "h"), part("image/png", "x"), boundary="r")),
        [("text/plain", "p"), ("image/png", None, 1)],
    ),
    (
        (part("text/plain", ""), multipart("related", part("text/html", "h"), part("image/png", "x"), boundary="r")),
        [("text/html", "h"), ("image/png", None, 1)],
    ),
    (
        (
            multipart("alternative", part("text/plain", "in"), part("text/html", "h"), boundary="i"),
            part("text/html", "x"),
        ),
        [("text/plain", "in")],
    ),
    (
        (part("text/plain", ""), multipart("mixed", part("text/html", "1"), part("text/html", "2"), boundary="m")),
        [("text/html", "1"), ("text/html", "2")],
    ),
    (
        (part("text/plain", "p"), part("text/calendar; method=REQUEST", "BEGIN:VCALENDAR")),
        [("text/plain", "p"), ("text/calendar", None, 15)],
    ),
]


@pytest.mark.parametrize(("alternatives", "expected"), ALTERNATIVES)
def test_one_alternative_is_taken(alternatives: tuple[str, ...], expected: list[Any]) -> None:
    assert shown(receive(mail(multipart("alternative", *alternatives)))) == expected


def test_alternatives_that_were_not_taken_survive_in_raw() -> None:
    raw = mail(
        multipart("alternative", part("text/plain", "p"), part("text/markdown", "*m*"), part("text/html", "<p>h"))
    )
    parsed = receive(raw).message.raw["parsed"]
    assert (parsed["text"], parsed["markdown"], parsed["html"]) == ("p", "*m*", "<p>h")


def test_several_texts_stay_parts_in_order() -> None:
    raw = mail(
        multipart(
            "mixed",
            part("text/plain", "one"),
            part("image/png", PNG, "Content-Transfer-Encoding: base64", "Content-Disposition: inline; filename=a.png"),
            part("text/html", "<p>two"),
            part("text/plain", "  \n"),
            multipart("alternative", part("text/plain", "three"), part("text/html", "<p>three"), boundary="i"),
        )
    )
    outcome = receive(raw)
    assert shown(outcome) == [
        ("text/plain", "one"),
        ("image/png", "a.png", 8),
        ("text/html", "<p>two"),
        ("text/plain", "three"),
    ]
    assert outcome.message.raw["parsed"]["text"] == "one\n  \n\nthree"


@pytest.mark.parametrize(
    "fields",
    [
        ("Content-Disposition: attachment",),
        ("Content-Disposition: inline; filename=a.txt",),
        ("Content-Disposition: unheard-of",),
    ],
)
def test_text_with_a_file_name_or_to_be_attached_is_a_file(fields: tuple[str, ...]) -> None:
    outcome = receive(mail(multipart("mixed", part("text/plain", "body"), part("text/plain", "file", *fields))))
    assert [item.kind for item in outcome.message.parts] == ["text", "file"]


def test_a_mail_inside_a_mail_is_a_file_and_never_opened() -> None:
    inner = "From: eve@evil.example\nSubject: x\n\nInner"
    outcome = receive(mail(multipart("mixed", part("text/plain", "Outer"), part("message/rfc822", inner))))
    assert [item.mime for item in outcome.message.parts] == ["text/plain", "message/rfc822"]
    assert outcome.message.sender.address == "@alice@a.example"


def test_a_mail_with_nothing_but_a_subject_has_the_subject_as_text() -> None:
    assert shown(receive(mail("\n"))) == [("text/plain", "Subject")]
    assert shown(receive(mail("\n \n\t\n"))) == [("text/plain", "Subject")]


def test_a_mail_with_nothing_at_all_has_no_parts() -> None:
    assert receive(b"From: alice@a.example\r\n\r\n").message.parts == ()
    assert receive(b"From: alice@a.example\r\nSubject: \r\n\r\n").message.parts == ()


def test_a_subject_beside_a_file_stays_in_raw() -> None:
    outcome = receive(mail(part("image/png", "x")))
    assert shown(outcome) == [("image/png", None, 1)]
    assert outcome.message.raw["parsed"]["subject"] == "Subject"


def test_text_has_lf_line_ends_and_no_nul() -> None:
    assert shown(receive(mail("\na\0b\n\n c \n"))) == [("text/plain", "ab\n\n c \n")]


def test_flowed_text_is_put_together() -> None:
    body = part('text/plain; format="flowed"; delsp=no', "one \ntwo\n> q \n> r\n")
    assert shown(receive(mail(body))) == [("text/plain", "one two\n> q r\n")]


def test_flowed_text_beside_others_is_put_together() -> None:
    parts = "--b\nContent-Type: text/plain; charset=UTF-8; format=flowed\n\none \ntwo\n--b--\n"
    raw = b"From: alice@a.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" + parts.encode()
    assert shown(receive(raw.replace(b"\r\n", b"\n"))) == [("text/plain", "one two")]


def test_text_whose_lines_end_in_lf_inside_a_crlf_mail_is_noted() -> None:
    outcome = receive(mail("\n") + b"a\nb\r\n")
    assert shown(outcome) == [("text/plain", "a\nb\n")]
    assert [(note.code, note.detail) for note in outcome.diagnostics] == [("line-ends-mixed", "body part 0")]


def test_html_is_never_flowed() -> None:
    assert shown(receive(mail(part("text/html; format=flowed", "a \nb\n")))) == [("text/html", "a \nb\n")]


@pytest.mark.parametrize(
    ("fields", "body", "code", "text"),
    [
        ("Content-Type: text/plain; charset=x-nope\n", "hi", "charset-unknown", "hi"),
        ("Content-Transfer-Encoding: base64\n", "aGk=aG8=", "encoding-broken", "hiho"),
        ("Content-Transfer-Encoding: x-nope\n", "hi", "encoding-unknown", "hi"),
    ],
)
def test_broken_content_is_noted(fields: str, body: str, code: str, text: str) -> None:
    outcome = receive(mail(f"{fields}\n{body}"))
    assert shown(outcome) == [("text/plain", text)]
    assert [(note.code, note.detail) for note in outcome.diagnostics] == [(code, "body part 0")]


def test_small_files_travel_inside_the_message() -> None:
    outcome = receive(mail(part("image/png", PNG, "Content-Transfer-Encoding: base64")))
    assert outcome.message.parts[0].bytes_ref.data_base64 == PNG
    assert outcome.blobs == {}


def test_large_files_travel_beside_it() -> None:
    data = b"x" * 65_536
    outcome = receive(mail("Content-Type: a/b\n\n") + data)
    digest = hashlib.sha256(data).hexdigest()
    assert outcome.message.parts[0].bytes_ref.digest == digest
    assert outcome.blobs == {digest: data}
    assert receive(mail("Content-Type: a/b\n\n") + data[1:]).blobs == {}


TRACE = 'application/json; profile="https://mentionable.dev/ns/normalized-message/v0.1"'


def test_the_trace_of_a_response_is_no_file() -> None:
    raw = mail(multipart("alternative", part("text/plain", "p"), part(TRACE, "{}"), part(TRACE, "[]")))
    outcome = receive(raw)
    assert shown(outcome) == [("text/plain", "p"), ("application/json", None, 2)]
    assert len(outcome.message.raw["parsed"]["attachments"]) == 2


@pytest.mark.parametrize(
    "body",
    [
        multipart("alternative", part("text/plain", "p"), part("application/json", "{}")),
        multipart("alternative", part("text/plain", "p"), part('application/json; profile="other"', "{}")),
        multipart("alternative", part("text/plain", "p"), part(TRACE.replace("json", "xml"), "{}")),
    ],
)
def test_other_json_is_a_file(body: str) -> None:
    assert [item.kind for item in receive(mail(body)).message.parts] == ["text", "file"]


@pytest.mark.parametrize(("encoding", "size"), [("7bit", 101), ("base64", 136)])
def test_too_much_content_is_refused(encoding: str, size: int) -> None:
    settings = Settings(limits=Limits(mail_decoded_bytes=100))
    body = f"Content-Transfer-Encoding: {encoding}\n\n"
    assert receive(mail(body) + b"A" * size, settings=settings).code == "too-large"
    assert receive(mail(body) + b"A" * (100 if encoding == "7bit" else 132), settings=settings).message
