"""Inputs for tests/differential.py: for each operation a grammar that reaches its edges, and mutations of its texts.

Everything comes from the `Random` that is given, so a seed and a number name an input for ever.
"""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any, Final

from mentionable import NormalizedResponse, ToolCallPart
from tests import differential_odd
from tests.differential_odd import spoilt
from tests.differential_texts import LETTERS, ODD, chance, mutated, word
from tests.differential_threads import a2a_thread, activity_thread, email_thread
from tests.odd_members import samples

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Given = dict[str, Any]
    Generator = Callable[[Random], tuple[Any, Given]]

NOW: Final = {"now": "2026-11-21T20:56:00Z", "entropy": "00" * 32, "lookups": {}}


# addresses

_LOCALS: Final = (
    "alice",
    "Alice.B",
    "a+b",
    "o'neil",
    "x_y",
    "a..b",
    ".a",
    "a.",
    "",
    '"a b"',
    "ä",
    "a" * 64,
    "a" * 65,
    "%41",
)
_LABELS: Final = (
    *("example", "EXAMPLE", "a", "x1", "1x", "0x1f", "123", "-a", "a-", "a--b", "xn--bcher-kva", "xn--", "xn--a"),
    *(
        "bücher",
        "BÜCHER",
        "straße",
        "ΣΊΣΥΦΟΣ",
        "σίσυφος",
        "漢字",
        "موقع",
        "अ",
        "é",
        "e\u0301",
        "a" * 63,
        "a" * 64,
        "münchen",
    ),
    *("日本", "παράδειγμα", "пример", "İstanbul", "ａ", "☃", "l·l", "a\u200db", "क्\u200dष", "\u0660\u06f0", "K"),
)
_MARKS: Final = (
    *ODD,
    "@",
    ".",
    "..",
    "-",
    "_",
    ":",
    "/",
    "[",
    "]",
    "%",
    "%40",
    "@@",
    "\u3002",
    "\uff0e",
    "ß",
    "acct:",
    "ͤ",
)


def address(random: Random) -> tuple[Any, Given]:
    prefix = random.choice(("", "", "@", "@", "acct:", "ACCT:", "Acct:", "@@", "acct:@", "mailto:"))
    local = random.choice(_LOCALS) if chance(random, 0.6) else word(random, 8, LETTERS + "!#$%&'*+/=?^_`{|}~-.")
    labels = [
        random.choice(_LABELS) if chance(random, 0.6) else word(random) for _ in range(random.choice((1, 2, 2, 3, 4)))
    ]
    labels += random.choice((["example"], ["org"], ["COM"], ["рф"], ["127"], []))
    text = f"{prefix}{local}@{'.'.join(labels)}"
    return {"text": mutated(random, text, _MARKS) if chance(random, 0.5) else text}, {}


# JSON

_NUMBERS: Final = (
    *(
        "0",
        "-0",
        "0.0",
        "-0.0",
        "1",
        "-1",
        "01",
        "1.",
        ".5",
        "+1",
        "1e5",
        "1E-7",
        "1e400",
        "-1e400",
        "5e-324",
        "1e-400",
    ),
    *(
        "9007199254740991",
        "9007199254740992",
        "-9007199254740991",
        "-9007199254740992",
        "00",
        "1e21",
        "1.5e300",
        "0x10",
    ),
    *("9007199254740993.0", "1e16", "123456789012345680000", "NaN", "Infinity", "-Infinity", "-", "1e", "1e+", "0.1"),
    *("100000000000000000000.5", "0.000001", "1e-7", "333333333.33333329", "4.50", "2e-3", "1" * 400),
)
_STRINGS: Final = (
    *(
        '"a"',
        '""',
        '"\\u0041"',
        '"\\ud83d\\ude00"',
        '"\\ud800"',
        '"\\udc00"',
        '"\\ude00\\ud83d"',
        '"\\\\ud800"',
        '"\\x"',
    ),
    *(
        '"\\u00"',
        '"\t"',
        '"\\n\\/\\b"',
        '"\u2028"',
        '"😀"',
        '"a',
        "'a'",
        '"\\uD83D\\uDE00x"',
        '"\\"',
        '"__proto__"',
        '"\x7f"',
    ),
)


def json_text(random: Random, depth: int = 0) -> str:
    kind = random.randrange(8 if depth < 5 else 4)
    blank = random.choice(("", "", "", " ", "\n", "\t", "\r", "\f", "\xa0")) if chance(random, 0.2) else ""
    if kind < 2:
        text = random.choice(_NUMBERS) if chance(random, 0.5) else str(random.randint(-(10**6), 10**6))
    elif kind == 2:
        text = random.choice(_STRINGS) if chance(random, 0.6) else json.dumps(word(random))
    elif kind == 3:
        text = random.choice(("true", "false", "null", "True", "nul", "undefined", "[]", "{}"))
    elif kind < 6:
        text = "[" + ",".join(json_text(random, depth + 1) for _ in range(random.randrange(4))) + "]"
    else:
        names = [
            random.choice(('"a"', '"a"', '"b"', '"\\u0061"', '"__proto__"', '""', "a", '"constructor"'))
            for _ in range(3)
        ]
        text = "{" + ",".join(f"{name}:{json_text(random, depth + 1)}" for name in names[: random.randrange(4)]) + "}"
    return blank + text + (blank if chance(random, 0.5) else "")


def json_loads(random: Random) -> tuple[Any, Given]:
    text = json_text(random)
    if chance(random, 0.1):
        levels = random.choice((1, 31, 62, 63, 64, 65, 66, 200))
        opens = "".join(random.choice(("[", '{"a":')) for _ in range(levels))
        text = opens + text + "".join("]" if char == "[" else "}" for char in reversed(opens.replace('{"a":', "{")))
    if chance(random, 0.5):
        text = mutated(random, text, ("[", "]", "{", "}", ",", ":", '"', "\\", "0", "-", ".", "e", "\ufeff", *ODD))
    data = text.encode()
    given: Given = {}
    if chance(random, 0.1):
        given = {
            "settings": {
                "limits": {"activitypub_bytes": max(0, len(data) + random.choice((-1, 0, 1))), "json_depth": 3}
            }
        }
    if chance(random, 0.15):
        at = random.randint(0, len(data))
        broken = random.choice(
            (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3", b"\xef\xbb\xbf", b"\x80")
        )
        data = data[:at] + broken + data[at:]
    if chance(random, 0.3) or not _is_utf8(data):
        return {"data": {"$base64": b64encode(data).decode()}}, given
    return {"data": data.decode()}, given


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


# the texts for models


def value(random: Random, depth: int = 0) -> Any:
    """A JSON value that both languages hold exactly."""
    kind = random.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return random.choice((None, True, False))
    if kind == 1:
        return random.choice(
            (
                0,
                1,
                -1,
                2**53 - 1,
                1 - 2**53,
                2**53 + 1,
                -(2**60),
                10**30,
                10**308,
                10**400,
                random.randint(-(10**15), 10**15),
            )
        )
    if kind == 2:
        size = random.choice((1.0, 1e-7, 1e-6, 1e20, 1e21, 1e22, 5e-324, 1e300, 0.1, -0.0, 123456.789))
        return random.choice(
            (size, random.uniform(-1, 1) * size, random.uniform(-1, 1) * 10.0 ** random.randint(-320, 300))
        )
    if kind < 6:
        return "".join(
            random.choice((*ODD, *LETTERS, '"', "/", "\u2029", "\x1f", "<", "\u0080"))
            for _ in range(random.randrange(12))
        )
    if kind == 6:
        return [value(random, depth + 1) for _ in range(random.randrange(4))]
    names = [
        random.choice(("q", "b", "1", "10", "2", "é", "😀", "__proto__", "", '"', "\n"))
        for _ in range(random.randrange(5))
    ]
    return {name: value(random, depth + 1) for name in names}


def text_of(random: Random) -> str:
    return "".join(
        random.choice((*ODD, *LETTERS, "→", "❌", "\u2029", "\x0b", "\x1c")) for _ in range(random.randint(1, 20))
    )


_CALLS: Final = samples(ToolCallPart)


def tool_call(random: Random) -> tuple[Any, Given]:
    part: dict[str, Any] = {"kind": "tool_call", "id": "c1", "name": text_of(random) or "f", "args": value(random)}
    if chance(random, 0.1):
        part["args"] = random.choice(("é", "漢", "😀", "\n")) * random.randint(60, 210)
    ended = random.randrange(3)
    if ended == 1:
        part["result"] = value(random)
    elif ended == 2:
        part["error"] = {"message": text_of(random)}
    if chance(random, 0.3):
        part = differential_odd.plain(spoilt(random, random.choice(_CALLS), 2))
    unit: dict[str, Any] = {"part": part}
    if chance(random, 0.4):
        unit["budget"] = random.choice((3, 4, 5, 10, 50, random.randint(3, 300)))
    return unit, {}


def relay(random: Random) -> dict[str, Any]:
    kind = random.choice(("inline", "recipient-field", "addressing", "none"))
    fields = ["to", "cc", "bcc"]
    random.shuffle(fields)
    if kind == "recipient-field":
        return {"kind": kind, "fields": fields[: random.randint(1, 3)]}
    if kind == "addressing":
        return {
            "kind": kind,
            "also_inline": True,
            "envelope_fields": [f for f in fields if f != "bcc"][: random.randint(1, 2)],
        }
    return {"kind": kind}


def chain(random: Random) -> dict[str, Any] | None:
    most = random.choice((1, 2, 3, 5, 10, 2**53 - 1))
    hop = random.choice((1, 2, most, max(most - 1, 1), most + 1, 0, -1, random.randint(1, 12)))
    made: dict[str, Any] = {"hop": hop, "max_hops": most, "is_final": chance(random, 0.5)}
    if chance(random, 0.2):
        made[random.choice(tuple(made))] = random.choice((None, "1", 1.5, 1, True, [], {}, 0))
    if chance(random, 0.05):
        del made[random.choice(tuple(made))]
    return made


def mention_relay(random: Random) -> tuple[Any, Given]:
    return {"capability": _maybe_odd(random, relay(random))}, {}


def _maybe_odd(random: Random, made: Any) -> Any:
    return differential_odd.plain(spoilt(random, made, 2)) if chance(random, 0.5) else made


def agent_chain(random: Random) -> tuple[Any, Given]:
    return {"chain": None if chance(random, 0.05) else _maybe_odd(random, chain(random))}, {}


def capabilities(random: Random) -> tuple[Any, Given]:
    made: dict[str, Any] = {"mention_relay": relay(random)}
    if chance(random, 0.7):
        made["agent_chain"] = chain(random)
    return {"capabilities": _maybe_odd(random, made)}, {}


def next_hop(random: Random) -> tuple[Any, Given]:
    return {"chain": _maybe_odd(random, chain(random))}, {}


# traces

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
    return differential_odd.text(random, spoilt(random, made))


def trace_read(random: Random) -> tuple[Any, Given]:
    made = odd_response(random) if chance(random, 0.7) else None
    if made is None:
        made = json.dumps(response(random), ensure_ascii=chance(random, 0.5))
    data = made.encode("utf-8", "surrogatepass")
    if not _is_utf8(data):
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


GENERATORS: Final[dict[str, Generator]] = {
    "address.parse": address,
    "json.loads": json_loads,
    "render.tool_call": tool_call,
    "render.mention_relay": mention_relay,
    "render.agent_chain": agent_chain,
    "render.capabilities": capabilities,
    "capabilities.next_hop": next_hop,
    "trace.read": trace_read,
    "trace.left_out": trace_read,
    "trace.viewer": trace_viewer,
    "email.thread_id": email_thread,
    "a2a.thread_id": a2a_thread,
    "activitypub.thread_id": activity_thread,
}
