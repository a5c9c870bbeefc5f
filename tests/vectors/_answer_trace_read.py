"""Traces as they are read, and the setting of their viewer: `conformance/v0.1/trace/read.json`, `viewer.json`."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import (
    DATA,
    PLAIN,
    USUAL,
    VIEWER,
    Case,
    call,
    compact,
    link,
    response,
    row,
    standard,
    url_safe,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
from tests.vectors._answer_trace import MARKS


def readings() -> Iterator[Case]:
    """What is read, and what is refused."""

    def reads(name: str, why: str, annotation: str, value: Any = USUAL, section: str = "NM 10.6", **more: Any) -> Case:
        unit = {"annotation": annotation}
        return row(f"trace/read/{name}", section, why, unit, value=value, flags=["trace"], **more)

    def refuses(name: str, why: str, annotation: str, code: str = "trace-malformed", **more: Any) -> Case:
        unit, refused = {"annotation": annotation}, {"code": code}
        section = more.pop("section", "NM 10.6")
        return row(f"trace/read/{name}", section, why, unit, rejected=refused, flags=["trace", "attack"], **more)

    def padded(length: int) -> Case:
        return response({**PLAIN, "content": "x" * length})

    yield reads("viewer-link", "A trace is read from the link that carries it.", link(USUAL))
    yield reads(
        "foreign-viewer",
        "Any viewer may be named: it is never asked.",
        link(USUAL, "https://v.example/t/"),
        section="D B10",
    )
    yield reads(
        "viewer-with-a-query",
        "The payload is the fragment, whatever stands before it.",
        link(USUAL, "https://v.example/t?a=1"),
        section="D B10",
    )
    yield reads(
        "viewer-of-a-unicode-host",
        "A viewer may be named in any script: the setting takes it, so its links are read.",
        link(USUAL, "https://spur.bücher.example/t"),
        section="D B10",
    )
    yield reads("data-link", "A trace without a viewer is read too.", DATA + standard(USUAL))
    even = padded(-len(compact(padded(0))) % 3)
    assert not set("+/=") & set(standard(even))
    yield reads(
        "data-link-of-whole-groups",
        "A payload that has the same letters in both alphabets.",
        DATA + standard(even),
        even,
    )
    yield reads(
        "data-link-in-capitals",
        "Schemes have no case.",
        "DATA:application/json;base64," + standard(USUAL),
        section="D B10",
    )
    yield reads("payload-alone", "Viewers hand over the fragment.", url_safe(USUAL), section="D B10")
    yield reads("json-itself", "Mail has it as it is.", compact(USUAL).decode(), section="NM 10.2")
    marks = "Senders differ in the alphabet; a reader takes both, everywhere."
    yield reads("standard-alphabet-in-a-fragment", marks, f"{VIEWER}#{standard(MARKS)}", MARKS, section="D B10")
    yield reads("url-alphabet-in-a-data-link", marks, DATA + url_safe(MARKS), MARKS, section="D B10")
    for length in (1, 2):
        answer = padded((length - len(compact(padded(0)))) % 3)
        whole = urlsafe_b64encode(compact(answer)).decode()
        assert whole.count("=") == 3 - length, whole
        yield reads(f"padded-fragment-{length}", "Padding is optional.", f"{VIEWER}#{whole}", answer, section="D B10")
        yield reads(
            f"unpadded-data-link-{length}",
            "Padding is optional.",
            DATA + standard(answer).rstrip("="),
            answer,
            section="D B10",
        )
    yield reads(
        "members-not-known",
        "A later version says more.",
        link({**USUAL, "usage": {"tokens": 3}}),
        {**USUAL, "usage": {"tokens": 3}},
        section="R33",
    )
    yield reads(
        "white-space-in-the-json",
        "JSON may be spaced and ordered freely.",
        f"{VIEWER}#{url_safe(json.dumps(USUAL, indent=1, sort_keys=True).encode())}",
    )
    yield reads(
        "exactly-64-kib",
        "What may be sent is read.",
        link(padded(49152 - len(compact(padded(0))))),
        padded(49152 - len(compact(padded(0)))),
        section="NM 10.5",
    )
    yield refuses(
        "over-64-kib",
        "A bound for senders is one for readers.",
        link(padded(49153 - len(compact(padded(0))))),
        "trace-too-large",
        section="NM 10.5",
    )
    yield refuses(
        "script-address", "Whatever else an address does, it is not read.", f"javascript:alert(1)#{url_safe(USUAL)}"
    )
    yield refuses(
        "other-data-type",
        "A data: URI of another type carries something else.",
        "data:text/html;base64," + standard(USUAL),
    )
    yield refuses("empty", "Nothing is not a trace.", "")
    yield refuses("no-fragment", "The address of a viewer alone carries nothing.", VIEWER)
    yield refuses("empty-fragment", "Nor does one with an empty fragment.", f"{VIEWER}#")
    yield refuses("not-base64", "Servers cut addresses and put marks in.", f"{link(USUAL)}%3D")
    yield refuses(
        "cut-in-a-letter",
        "A length of 4n + 1 is no base64.",
        f"{VIEWER}#{url_safe(USUAL)[: -(len(url_safe(USUAL)) % 4) or None][:41]}",
    )
    yield refuses("cut-short", "A cut address holds half a JSON.", f"{VIEWER}#{url_safe(USUAL)[:40]}")
    yield refuses("two-alphabets", "An encoder uses one alphabet.", f"{VIEWER}#{'+_' + url_safe(USUAL)[2:]}")
    yield refuses("padding-inside", "Padding ends a payload.", f"{VIEWER}#{url_safe(USUAL)[:8]}=={url_safe(USUAL)[8:]}")
    yield refuses(
        "wrong-padding",
        "Padding fills a group of four.",
        f"{VIEWER}#{url_safe(padded(1)).rstrip('=')}=",
        level="SHOULD",
    )
    yield refuses(
        "line-breaks",
        "65,536 characters without line breaks: nothing else is counted.",
        f"{VIEWER}#{url_safe(USUAL)[:60]}\n{url_safe(USUAL)[60:]}",
        section="R33",
        level="SHOULD",
    )
    yield refuses("not-json", "Base64 of anything is not a trace.", f"{VIEWER}#{url_safe(b'hello there')}")
    yield refuses("in-a-string", "A string in JSON is a string, and no response.", link(compact(USUAL).decode()))
    yield refuses(
        "not-utf-8", "JSON is UTF-8.", f"{VIEWER}#{url_safe(compact(USUAL).replace(b'rain', bytes([255]) * 4))}"
    )
    yield refuses(
        "member-twice",
        "Two readers would read two responses.",
        f"{VIEWER}#{url_safe(compact(USUAL)[:-1] + b',%sstatus%s:%serror%s}' % ((b'%c' % 34,) * 4))}",
    )
    yield refuses(
        "trailing-bytes",
        "What follows the JSON is not looked at by some.",
        f"{VIEWER}#{url_safe(compact(USUAL) + b'{}')}",
    )
    yield refuses("not-a-number", "NaN is not JSON.", f"{VIEWER}#{url_safe(compact(USUAL).replace(b'412', b'NaN'))}")
    yield refuses(
        "too-deep",
        "Deep nesting ends readers that recurse.",
        link(response(call(args=json.loads("[" * 200 + "]" * 200)))),
    )
    yield refuses("array", "A trace is a response.", link([USUAL]))
    for member in ("reply_to", "parts", "status"):
        yield refuses(
            f"without-{member.replace('_', '-')}",
            "What three members make a response is all that is asked.",
            link({name: value for name, value in USUAL.items() if name != member}),
        )
    yield refuses("unknown-status", "A status that nobody knows is not ok.", link({**USUAL, "status": "done"}))
    yield refuses(
        "lone-surrogate",
        "It cannot be written again.",
        f"{VIEWER}#{url_safe(json.dumps(response({**PLAIN, 'content': chr(0xD800)})).encode())}",
    )


def viewers() -> Iterator[Case]:
    """The operator's setting."""

    def means(name: str, why: str, value: str | None, viewer: str | None, *notes: str, **more: Any) -> Case:
        section = more.pop("section", "NM 10.4")
        return row(
            f"trace/viewer/{name}",
            section,
            why,
            {"value": value},
            value={"viewer": viewer},
            diagnostics=list(notes),
            flags=["trace"],
            **more,
        )

    typo = "An operator's slip is told, and the default counts."
    yield means("unset", "Without a setting traces open in the viewer of the project.", None, VIEWER)
    yield means("none", "No reliance on anybody else.", "none", None)
    yield means("empty", "An empty variable is a variable that says none.", "", None)
    yield means("own", "A viewer of one's own.", "https://my-trace.example/", "https://my-trace.example/")
    yield means("own-with-a-path", "With any path.", "https://my.example/a/b?c=d", "https://my.example/a/b?c=d")
    yield means("blanks-around", "Files of settings leave blanks.", " none\n", None, level="SHOULD")
    yield means("plain-http", typo, "http://my-trace.example/", VIEWER, "trace-viewer-invalid")
    yield means("no-scheme", typo, "my-trace.example", VIEWER, "trace-viewer-invalid")
    yield means("word", typo, "off", VIEWER, "trace-viewer-invalid")
    unnamed: Case = {"value": {"viewer": VIEWER}, "flags": ["trace"]}
    why = "Whatever is no address and not none means the default; how that is told is left open."
    yield row("trace/viewer/anything-else", "NM 10.4", why, {"value": "yes please"}, **unnamed)
    yield means("scheme-alone", typo, "https://", VIEWER, "trace-viewer-invalid")
    yield means("script", "A setting may come from elsewhere.", "javascript:alert(1)", VIEWER, "trace-viewer-invalid")
    yield means(
        "quote",
        "It stands in an attribute.",
        'https://my.example/" onclick="x',
        VIEWER,
        "trace-viewer-invalid",
        level="SHOULD",
    )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_trace_read.py; change that."
    yield "trace", "read", "trace.read", note, list(readings())
    yield "trace", "viewer", "trace.viewer", note, list(viewers())
