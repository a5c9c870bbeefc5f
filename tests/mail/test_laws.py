"""What holds for any bytes: an outcome and never an exception, in work that grows with the size and no faster."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import CODES, Limits, Received, Rejected, Settings, decode_trusted, encode
from mentionable._model.message import NormalizedMessage
from tests.linearity import steps_grow_linearly, time_grows_linearly
from tests.mail.receiving import receive, received

FIELD_NAMES = st.sampled_from([
    "From", "To", "Cc", "Subject", "Date", "Message-ID", "References", "In-Reply-To", "Content-Type", "X-Other",
    "Content-Transfer-Encoding", "Content-Disposition", "Content-ID", "From ", "", "X-Mentionable-Policy",
])  # fmt: skip
SCRAPS = st.sampled_from([
    "a@x.example", "<b@y.example>", "multipart/mixed; boundary=b", "multipart/alternative; boundary=b", "text/plain",
    "; charset=gb2312", "; name*0*=utf-8''%C3", "base64", "quoted-printable", "attachment; filename=x", "=",
    "=?utf-8?q?=C3?=", "(", ")", '"', "\\", ",", ";", ":", "<", ">", "@", "[", "\0", "é", "\r", "\n", "\r\n ",
    "--b", "--b--", "\ud7ff",
])  # fmt: skip
LINES = st.lists(SCRAPS, max_size=6).map(" ".join)
MAILS = st.builds(
    lambda fields, body, end: (
        end.join(f"{name}: {value}" for name, value in fields) + end + end + end.join(body)
    ).encode(),
    st.lists(st.tuples(FIELD_NAMES, LINES), max_size=8),
    st.lists(LINES | st.just("--b") | st.just("") | st.just("Content-Type: text/html"), max_size=12),
    st.sampled_from(["\r\n", "\n"]),
)


@given(st.binary(max_size=400) | MAILS | MAILS.map(lambda mail: b"From: alice@a.example\r\n" + mail))
def test_any_bytes_give_an_outcome_that_is_json(raw: bytes) -> None:
    outcome = received(raw)
    if isinstance(outcome, Rejected):
        assert CODES[outcome.code].kind != "note"
        return
    assert isinstance(outcome, Received)
    assert all(CODES[note.code].kind == "note" for note in outcome.diagnostics)
    (message,) = outcome.messages
    assert message.sender.verified is False
    assert decode_trusted(NormalizedMessage, json.loads(json.dumps(encode(message)))) == message


@given(MAILS)
def test_lf_and_crlf_files_say_the_same(raw: bytes) -> None:
    lf = b"From: alice@a.example\n" + raw.replace(b"\r", b"")
    assert receive(lf) == receive(lf.replace(b"\n", b"\r\n"))


FROM = b"From: alice@a.example\r\n"
MIXED = FROM + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
LOOSE = Settings(
    limits=Limits(
        recipients=10**9,
        parts=10**9,
        mail_head_bytes=10**9,
        mail_fields=10**9,
        mail_field_bytes=10**9,
        mime_parameters=10**9,
        mail_bytes=10**9,
        mail_decoded_bytes=10**9,
    )
)


def nest(size: int) -> bytes:
    """Thirty multiparts inside each other over one long body of lines that look like delimiters."""
    levels = b"".join(b"--%d\r\nContent-Type: multipart/mixed; boundary=%d\r\n\r\n" % (n, n + 1) for n in range(30))
    return FROM + b"Content-Type: multipart/mixed; boundary=0\r\n\r\n" + levels + b"--30\r\n\r\n" + b"--x\r\n" * size


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "semicolons": lambda n: FROM + b"Content-Type: text/plain" + b";" * n + b"\r\n\r\nhi",
    "semicolons and names": lambda n: FROM + b"Content-Type: text/plain" + b"; a=" * n + b"\r\n\r\nhi",
    "open quotes": lambda n: FROM + b"Content-Type: text/plain" + b';a="\\"' * n + b"\r\n\r\nhi",
    "continuations": lambda n: (
        FROM + b"Content-Type: x/y" + b"".join(b";name*%d=a" % i for i in range(n)) + b"\r\n\r\n"
    ),
    "addresses": lambda n: FROM + b"To: " + b"a@x.example," * n + b"\r\n\r\nhi",
    "odd addresses": lambda n: FROM + b"To: ;" + b"a <b@x.example>," * n + b"\r\n\r\nhi",
    "comments": lambda n: FROM + b"To: " + b"(" * n + b"\r\n\r\nhi",
    "escaped quotes": lambda n: FROM + b'To: "' + b'\\"' * n + b"\r\n\r\nhi",
    "brackets": lambda n: FROM + b"To: [" + b"\\[" * n + b"\r\n\r\nhi",
    "blanks in an address": lambda n: FROM + b"To: ;" + b" a" * n + b" @ x.example\r\n\r\nhi",
    "angles": lambda n: FROM + b"To: " + b"<" * n + b"\r\n\r\nhi",
    "encoded words": lambda n: FROM + b"Subject: " + b"=?utf-8?q?a?= " * n + b"\r\n\r\nhi",
    "half encoded words": lambda n: FROM + b"Subject: " + b"=?utf-8?q?" * n + b"\r\n\r\nhi",
    "question marks": lambda n: FROM + b"Subject: " + b"=?" * n + b"\r\n\r\nhi",
    "ids": lambda n: FROM + b"References: " + b"<a@b> " * n + b"\r\n\r\nhi",
    "open ids": lambda n: FROM + b"References: " + b"<a@" * n + b"\r\n\r\nhi",
    "date": lambda n: FROM + b"Date: " + b"1 " * n + b"\r\n\r\nhi",
    "fields": lambda n: FROM + b"X: y\r\n" * n + b"\r\nhi",
    "different fields": lambda n: FROM + b"".join(b"X%d: y\r\n" % (i // 2) for i in range(n)) + b"\r\nhi",
    "folds": lambda n: FROM + b"X: y\r\n" + b" z\r\n" * n + b"\r\nhi",
    "lines without a colon": lambda n: FROM + b"y\r\n" * n + b"\r\nhi",
    "no end of the head": lambda n: FROM + b"x" * n,
    "parts": lambda n: MIXED + b"--b\r\n\r\nx\r\n" * n,
    "false delimiters": lambda n: MIXED + b"--b\r\n\r\n" + b"--bx\r\n" * n,
    "false delimiters in a line": lambda n: MIXED + b"--b\r\n\r\n" + b"--b" * n,
    "nested delimiters": nest,
    "blanks in a delimiter": lambda n: MIXED + b"--b" + b" " * n + b"\r\n\r\nx",
    "base64 lines": lambda n: FROM + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"a\r\n" * n,
    "base64 padding": lambda n: FROM + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=" * n,
    "base64 junk": lambda n: FROM + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"*" * n,
    "quoted-printable blanks": lambda n: FROM + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b" " * n,
    "quoted-printable equals": lambda n: FROM + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=" * n,
    "flowed": lambda n: FROM + b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"> a \r\n" * n,
    "flowed depth": lambda n: FROM + b"Content-Type: text/plain; format=flowed\r\n\r\n" + b">" * n,
    "line ends": lambda n: FROM + b"\r\n" + b"\r\n" * n,
    "bare line feeds": lambda n: FROM + b"\r\n" + b"\n\r" * n,
    "charset": lambda n: FROM + b"Content-Type: text/plain; charset=gb18030\r\n\r\n" + b"\x81" * n,
    "one long line": lambda n: FROM + b"\r\n" + b"x" * n,
}


@pytest.mark.parametrize("family", HOSTILE)
def test_work_grows_with_the_size_and_no_faster(family: str) -> None:
    make = HOSTILE[family]
    steps_grow_linearly(lambda raw: receive(raw, settings=LOOSE), make)
    for attempt in range(4):  # what is quadratic fails each time, a busy machine does not
        try:
            time_grows_linearly(lambda raw: receive(raw, settings=LOOSE), make)
        except AssertionError:
            if attempt == 3:
                raise
        else:
            break


@pytest.mark.parametrize("family", HOSTILE)
def test_the_default_limits_bound_it(family: str) -> None:
    outcome = receive(HOSTILE[family](60_000))
    assert isinstance(outcome, (Received, Rejected))


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (FROM + b"\r\n" + b"x" * 25_000_000, "too-large"),
        (FROM + b"X: " + b"y" * 262_144 + b"\r\n\r\n", "too-large"),
        (FROM + b"X: y\r\n" * 1_000 + b"\r\n", "too-many-fields"),
        (FROM + b"Subject: " + b"y" * 16_385 + b"\r\n\r\n", "too-large"),
        (FROM + b"To: " + b"a@x.example," * 1_001 + b"\r\n\r\n", "too-many-recipients"),
        (FROM + b"Content-Type: a/b" + b";" * 101 + b"\r\n\r\n", "too-many-fields"),
        (MIXED + b"--b\r\n\r\nx\r\n" * 1_001, "too-many-parts"),
    ],
)
def test_every_limit_is_there_by_default(raw: bytes, code: str) -> None:
    assert receive(raw).code == code
