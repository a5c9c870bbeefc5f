"""The work for a form or an answer grows with its size and no faster."""

import json

import pytest

from mentionable import Answers, HttpResponse, Limits, Settings, WireError, drive, rest
from mentionable.rest import Field, fields_of
from mentionable.rest._read.accept import choose
from tests.answered import response_in
from tests.linearity import steps_grow_linearly, time_grows_linearly
from tests.rest.asking import BOUNDARY, FACTS, HELPER, body_of, message, named, posted

OPEN = Settings(limits=Limits(parts=10**9))


def split(body):
    try:
        return fields_of(posted(body), settings=OPEN)
    except WireError as error:
        return error.code


BODIES = {
    "fields": lambda size: body_of(*[(named(b"user"), b"a")] * size),
    "nearly-boundaries": lambda size: body_of((named(b"user"), b"\r\n--b0undar" * size)),
    "boundaries-in-a-row": lambda size: f"--{BOUNDARY}\r\n".encode() * size,
    "line-ends": lambda size: body_of((named(b"user"), b"\r\n" * size)),
    "dashes": lambda size: body_of((named(b"user"), b"\r\n--" * size), end=False) + b"--" * size,
    "blanks-at-the-end": lambda size: body_of() + b" \t\r\n" * size,
}


@pytest.mark.parametrize("make", BODIES.values(), ids=BODIES)
def test_splitting_is_linear(make):
    steps_grow_linearly(split, make)
    time_grows_linearly(split, make, size=2_000)


HEADS = {
    "quotes": lambda size: named(b"a", b'; filename="' + b'\\"' * size),
    "parameters": lambda size: named(b"a", b"".join(b"; p%d=1" % number for number in range(size))),
    "semicolons": lambda size: named(b"a", b"; " * size),
    "percents": lambda size: named(b"a", b'; filename="' + b"%22" * size + b'"'),
    "extended": lambda size: named(b"a", b"; filename*=utf-8''" + b"%C3" * size),
    "lines": lambda size: named(b"a") + b"".join(b"\r\nx%d: 1" % number for number in range(size)),
    "blanks": lambda size: named(b"a", b";" + b" " * size + b"=1"),
}


@pytest.mark.parametrize("make", HEADS.values(), ids=HEADS)
def test_reading_a_head_is_linear(make, monkeypatch):
    monkeypatch.setattr("mentionable.rest._read.multipart._MAX_HEADER", 10**9)

    def bodies(size):
        return body_of((make(size), b"Hi"))

    steps_grow_linearly(split, bodies)
    time_grows_linearly(split, bodies)


def read(fields):
    got = drive(rest.receive(fields, recipient=HELPER, settings=OPEN, **FACTS), Answers())
    return getattr(got, "messages", ()) and got.message.raw


def sidecar(name, item):
    return lambda size: [Field("user", "a"), Field(name, json.dumps([item] * size))]


TEXT = {"kind": "text", "mime": "text/plain", "content": "a"}
TURN = {"role": "user", "sender": {"address": "@b@b.example"}, "parts": [TEXT], "timestamp": "2026-11-21T20:00:00Z"}
TURN["sender"] |= {"auth_method": "none", "verified": False}
FORMS = {
    "turns": lambda size: (
        [Field(role, "a") for _ in range(size) for role in ("user", "assistant")] + [Field("user", "a")]
    ),
    "texts": lambda size: [Field("user", "a")] * size,
    "files": lambda size: [Field("user", b"a", "image/png", "a.png")] * size,
    "files-before": lambda size: [Field("f", b"%d" % number, None, "a") for number in range(size)],
    "unknown": lambda size: [Field("user", "a"), *[Field("x", "[]")] * size],
    "deep": lambda size: [Field("user", "a"), Field("x", "[" * size)],
    "parts": sidecar("parts", TEXT),
    "broken-parts": sidecar("parts", {}),
    "turns-as-json": sidecar("history", TURN),
}


@pytest.mark.parametrize("make", FORMS.values(), ids=FORMS)
def test_reading_a_form_is_linear(make):
    steps_grow_linearly(read, make, size=50)
    time_grows_linearly(read, make, size=100, largest=4_000)


@pytest.mark.parametrize("item", ["text/plain;q=0.1,", ";q=0.1", "a/b ;", ",", " ", "q=0"])
def test_negotiation_is_bounded(item):
    time_grows_linearly(choose, lambda size: item * size, largest=1 << 14)


def told(events):
    response = HttpResponse(status=200, headers={"content-type": "text/event-stream"}, body=events)
    return response_in(rest.result(response, to=message(), settings=OPEN))


CALL = b'event: tool_call\ndata: {"id":"c%d","name":"n","args":1}\n\n'
STREAMS = {
    "pieces": lambda size: b"data: a\n\n" * size,
    "texts": lambda size: b'event: text\ndata: {"mime":"text/plain"}\n\ndata: a\n\n' * size,
    "calls": lambda size: b"".join(CALL % number for number in range(size)),
    "one-call": lambda size: CALL % 1 * size,
}


@pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS)
def test_reading_a_stream_is_linear(make):
    steps_grow_linearly(told, make, size=50)
    time_grows_linearly(told, make, size=100, largest=4_000)
