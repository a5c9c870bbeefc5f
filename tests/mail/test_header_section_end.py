"""Where the header section ends: at an empty line, or at a line of blanks with text behind it."""

from __future__ import annotations

import email
import email.policy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import LimitError, Limits
from mentionable.mail._read.header_section import read_header_section
from tests.mail.receiving import receive
from tests.mail.signed import MAIL, Zone, signed, verify

FROM = b"From: a@x.example\r\nSubject: Hi\r\n"


def split(raw: bytes, **bounds: int) -> tuple[list[str], bytes, list[str]]:
    """The names of the fields, the body, and what is odd."""
    headers = read_header_section(raw, limits=Limits(**bounds))
    body = headers.raw[headers.body :]
    return [*headers.first], body, [odd.detail for odd in headers.diagnostics]


@pytest.mark.parametrize("blanks", [b" ", b"\t", b" \t "])
@pytest.mark.parametrize(
    "body", [b"Hello there\r\n", b"Hello\r\n\r\nBye\r\n", b"Dear Bob: hello\r\n", b"<p id=1>: x\r\n"]
)
def test_a_line_of_blanks_before_text_ends_it(blanks: bytes, body: bytes) -> None:
    names, text, odd = split(FROM + blanks + b"\r\n" + body)
    assert (names, odd) == (["from", "subject"], ["a line of blanks ends it"])
    assert text == body


def test_a_file_of_lf_lines_is_read_alike() -> None:
    assert split(b"From: a@x.example\n \nHello\n")[:2] == (["from"], b"Hello\r\n")


@pytest.mark.parametrize(
    "rest",
    [b"X-Any: 1\r\n\r\nBody", b"X-Any : 1\r\n\r\nBody", b" more\r\n\r\nBody", b"\r\nBody", b" \r\n\r\nBody", b""],
)
def test_a_line_of_blanks_before_a_field_or_a_fold_is_a_fold(rest: bytes) -> None:
    names, text, odd = split(FROM + b" \r\n" + rest)
    assert set(names) <= {"from", "subject", "x-any"}
    assert text == (b"Body" if rest else b"")
    assert "a line of blanks ends it" not in odd


def test_an_odd_line_elsewhere_does_not_move_the_end() -> None:
    assert split(b"no field\r\n" + FROM + b" \r\n\r\nBody")[1] == b"Body"
    assert split(FROM + b" \r\nX: 1\r\nno field\r\n\r\nBody")[1] == b"Body"


def test_the_text_behind_a_line_of_blanks_is_no_header_section_however_long() -> None:
    raw = FROM + b" \r\n" + b"text\r\n" * 99
    assert split(raw, mail_head_bytes=60)[1] == b"text\r\n" * 99
    with pytest.raises(LimitError):
        split(raw, mail_head_bytes=20)


LINES = st.lists(st.sampled_from([b"", b" ", b"\t ", b"A: b", b" fold", b"text here"]), max_size=6)


@given(LINES)
def test_readers_of_python_find_the_same_end(lines: list[bytes]) -> None:
    raw = b"From: a@x.example\r\n" + b"\r\n".join(lines) + b"\r\n\r\nend text"
    _, text, odd = split(raw)
    if not odd or odd == ["a line of blanks ends it"]:  # else they end it at the line that is no field
        theirs = email.message_from_bytes(raw, policy=email.policy.compat32).get_payload()
        assert text.decode() == theirs


# --- DKIM: no signature counts where readers may see another end


def test_a_fold_of_blanks_that_was_signed_verifies() -> None:
    folded = MAIL.replace(b"Subject: Hi\r\n", b"Subject: Hi\r\n \r\n")
    outcome = receive(signed(folded), world=Zone().world, recipient="@helper@agents.example")
    assert outcome.verdict.verified
    assert outcome.message.parts[0].content.startswith("Hello")


@pytest.mark.parametrize("fold", [b"\r\n \r\n", b"\r\n\t \r\n"])
def test_a_fold_of_blanks_that_was_added_on_the_way_hides_nothing(fold: bytes) -> None:
    raw = signed()
    for at in range(raw[: raw.index(b"\r\n\r\n") + 2].count(b"\r\n")):
        lines = raw.split(b"\r\n", at + 1)
        changed = b"\r\n".join(lines[:-1]) + fold + lines[-1]
        outcome = receive(changed, world=Zone().world, recipient="@helper@agents.example")
        assert outcome.message.parts == receive(raw, recipient="@helper@agents.example").message.parts
        assert outcome.message.sender.address == "@alice@a.example"


def test_a_mail_whose_empty_line_got_blanks_is_read_but_not_verified() -> None:
    changed = signed().replace(b"\r\n\r\n", b"\r\n \r\n", 1)
    outcome = receive(changed, world=Zone().world, recipient="@helper@agents.example")
    assert outcome.message.parts[0].content.startswith("Hello")
    assert (outcome.verdict.verified, outcome.verdict.code) == (False, "signature-ambiguous")
    assert ("head-malformed", "a line of blanks ends it") in {(odd.code, odd.detail) for odd in outcome.diagnostics}


def test_a_signature_over_another_end_never_counts() -> None:
    # Signed as one header section up to the empty line; the line of blanks makes its second half the body.
    raw = signed(MAIL.replace(b"Subject: Hi\r\n", b"Subject: Hi\r\n \r\nPay to Eve\r\n"))
    zone = Zone()
    verdict = verify(raw, zone)
    assert (verdict.verified, verdict.code, zone.asked) == (False, "signature-ambiguous", [])
