"""The trace of a response in a mail."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from mentionable import NormalizedResponse, TextPart, ToolCallPart
from mentionable.trace import write
from tests.mail.receiving import receive
from tests.mail.test_parts import mail, multipart, part

CALL = ToolCallPart(id="c1", name="look", args={"q": "é"}, result=[2], duration_ms=5)
RESPONSE = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Hello"), CALL))
DATA = write(RESPONSE).data or b""
PROFILE = 'application/json; profile="https://mentionable.dev/ns/normalized-message/v0.1"'
ENCODED = "Content-Transfer-Encoding: base64"


def trace_part(data: bytes = DATA) -> str:
    return part(PROFILE, b64encode(data).decode(), ENCODED)


def received(*parts: str, kind: str = "alternative") -> Any:
    return receive(mail(multipart(kind, part("text/plain", "p"), part("text/html", "<p>p"), *parts)))


def codes(outcome: Any) -> list[str]:
    return [note.code for note in outcome.diagnostics if note.code.startswith("trace")]


def test_the_trace_is_read_and_is_no_part() -> None:
    outcome = received(trace_part())
    assert outcome.message.received_trace == RESPONSE
    assert outcome.message.parts == (TextPart(content="p"),)
    assert codes(outcome) == []


def test_json_without_any_encoding_is_read() -> None:
    ascii_only = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Hello"),))
    body = (write(ascii_only).data or b"").decode()
    assert received(part(PROFILE, body)).message.received_trace == ascii_only


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{}", "trace-malformed"),
        (b"{", "trace-malformed"),
        (b"", "trace-malformed"),
        (b'{"reply_to":"m1","parts":[],"status":"ok","x":"' + b"x" * 50_000 + b'"}', "trace-too-large"),
    ],
    ids=["shape", "json", "empty", "size"],
)
def test_a_trace_that_cannot_be_read_harms_nothing(data: bytes, code: str) -> None:
    outcome = received(trace_part(data))
    assert (outcome.message.received_trace, codes(outcome)) == (None, [code])
    assert outcome.message.parts == (TextPart(content="p"),)


def test_the_first_trace_counts_and_another_is_a_file() -> None:
    other = NormalizedResponse(reply_to="m2", parts=())
    outcome = received(trace_part(), trace_part(write(other).data or b""))
    assert outcome.message.received_trace == RESPONSE
    assert [item.kind for item in outcome.message.parts] == ["text", "file"]


def test_no_second_trace_is_read_when_the_first_cannot_be() -> None:
    assert received(trace_part(b"{}"), trace_part()).message.received_trace is None


@pytest.mark.parametrize(
    "attached",
    [
        part("application/json", b64encode(DATA).decode(), ENCODED),
        part(PROFILE.replace("v0.1", "v0.2"), b64encode(DATA).decode(), ENCODED),
        part(PROFILE.replace("json", "ld+json"), b64encode(DATA).decode(), ENCODED),
    ],
    ids=["no profile", "another version", "another type"],
)
def test_other_json_is_a_file(attached: str) -> None:
    outcome = received(attached)
    assert outcome.message.received_trace is None
    assert [item.kind for item in outcome.message.parts] == ["text", "file"]


def test_a_mail_without_trace_has_none() -> None:
    assert received().message.received_trace is None
