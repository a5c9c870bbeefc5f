"""Traces for tests/differential: annotations of responses, and the addresses of viewers."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any, Final

from mentionable import NormalizedResponse
from tests.differential.json_texts import is_utf8
from tests.differential.spoilt import spoilt, written
from tests.differential.texts import ODD, chance, mutated, text_of, word
from tests.differential.values import value
from tests.odd_members import samples

if TYPE_CHECKING:
    from random import Random

    Given = dict[str, Any]

_VIEWERS: Final = (
    "https://mentionable.dev/trace",
    "http://a.example/t",
    "HTTPS://A.EXAMPLE",
    "https://",
    "ftp://a.example",
    "x",
    "",
)

_TIMES: Final = (
    *(
        "2026-11-21T20:56:00Z",
        "2026-11-21T20:56:00.5Z",
        "2026-11-21T20:56:00.120+02:00",
        "2026-11-21T20:56:00.1234567Z",
    ),
    *(
        "2026-11-21T20:56:00-23:59",
        "2024-02-29T00:00:00Z",
        "2026-11-21t20:56:00.000z",
        "2000-01-01 00:00:00.999999+00:00",
    ),
    *("2016-12-31T23:59:60Z", "2026-02-29T00:00:00Z", "0001-01-01T00:00:00+00:01", "2026-11-21T20:56:00", "2026-11-21"),
)
"""Timestamps, most of them in a spelling of their own, some of them none."""


def _part(random: Random) -> dict[str, Any]:
    made: dict[str, Any] = random.choice(
        (
            {
                "kind": "text",
                "mime": random.choice(("text/plain", "text/markdown", "text/html")),
                "content": text_of(random),
            },
            {"kind": "link", "url": "https://a.example/x", "title": text_of(random)},
            {
                "kind": "file",
                "mime": "image/png",
                "bytes_ref": {"kind": "inline", "data_base64": "AAAA"},
                "size_bytes": 3,
            },
            {"kind": "file", "mime": "image/png", "bytes_ref": {"kind": "url", "url": "https://a.example/f"}},
            {
                "kind": "artifact",
                "mime": "a/b",
                "bytes_ref": {"kind": "content_addressed", "algo": "sha256", "digest": "0" * 64},
            },
            {
                "kind": "tool_call",
                "id": word(random, 2),
                "name": "f",
                "args": value(random),
                "duration_ms": random.choice((0, 412, 1.5)),
            },
            {
                "kind": "tool_call",
                "id": word(random, 2),
                "name": "f",
                "args": {},
                "result": value(random),
                "started_at": random.choice(_TIMES),
            },
            {"kind": "weather", "sky": value(random)},
        )
    )
    return dict(made)


def response(random: Random) -> dict[str, Any]:
    made: dict[str, Any] = {
        "reply_to": word(random),
        "parts": [_part(random) for _ in range(random.randrange(4))],
        "status": random.choice(("ok", "partial", "error")),
    }
    if chance(random, 0.2):
        made["error"] = {"code": "x", "message": "m", "retriable": chance(random, 0.5)}
    if chance(random, 0.2):
        made["streaming"] = {"stream_id": "s", "seq": random.randrange(3), "final": chance(random, 0.5)}
    if chance(random, 0.2):
        made["unknown"] = value(random)
    return made


_RESPONSE: Final = samples(NormalizedResponse)[0]
_PARTS: Final = _RESPONSE["parts"]


def odd_response(random: Random) -> str:
    """The JSON of a response that has every member, some of them odd."""
    made = {**_RESPONSE, "parts": [random.choice(_PARTS) for _ in range(random.randint(1, 4))]}
    if chance(random, 0.3):
        made["parts"] = _PARTS
    if chance(random, 0.02):
        made["parts"] = [random.choice((5, None, {"kind": "link", "url": "x"}))] * random.choice((99, 100, 101, 150))
    return written(random, spoilt(random, made))


def trace_read(random: Random) -> tuple[Any, Given]:
    made = odd_response(random) if chance(random, 0.7) else None
    if made is None:
        made = json.dumps(response(random), ensure_ascii=chance(random, 0.5))
    data = made.encode("utf-8", "surrogatepass")
    if not is_utf8(data):
        return {"annotation": made}, {}
    if chance(random, 0.1):
        text = mutated(random, data.decode(), ("[", "]", "{", "}", ",", ":", '"', "0", "e"))
        data = text.encode()
    if chance(random, 0.5):
        return {"annotation": random.choice(("", " ", "\n")) + data.decode() + random.choice(("", "\n"))}, {}
    encode = random.choice((b64encode, urlsafe_b64encode))
    payload = encode(data).decode()
    payload = payload.rstrip("=") if chance(random, 0.5) else payload
    head = random.choice(
        ("data:application/json;base64,", "DATA:application/json;base64,", "#", "", *(f"{one}#" for one in _VIEWERS))
    )
    text = head + payload
    if chance(random, 0.1):
        text = mutated(random, text, ("#", "=", "+", "/", "-", "_", "A", "%", *ODD))
    return {"annotation": text}, {}


def trace_viewer(random: Random) -> tuple[Any, Given]:
    if chance(random, 0.05):
        return {"value": None}, {}
    host = random.choice(
        ("a.example", "A.example", "a.example:8443", "[::1]", "127.0.0.1", "localhost", "", "bücher.example")
    )
    path = random.choice(("", "/", "/trace", "/t?x=1", "/t#x", "/ü", "/a b", '/"', "/<", "/{x}", "/%zz"))
    text = random.choice(("https://", "https://", "http://", "HTTPS://", "", "none", "https:")) + host + path
    text = random.choice(("", " ", "none", "None", "https://")) if chance(random, 0.1) else text
    return {"value": mutated(random, text) if chance(random, 0.4) else text}, {}
