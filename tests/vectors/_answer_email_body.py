"""The body of answers by mail: `conformance/v0.1/reply/email-*.json`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tests.vectors import _answer_shared as shared
from tests.vectors._answer_rows import DONE, FAILED, MARKDOWN, PLAIN, RUNNING, UUID, Case, answer, call, standard

if TYPE_CHECKING:
    from collections.abc import Iterator
from tests.vectors._answer_email import (
    ALICE,
    ALTERNATIVE,
    HELPER,
    HOSTED,
    IMAGE,
    MID,
    PICTURE,
    asked,
    case,
    html,
    refused,
)


def bodies() -> Iterator[Case]:
    """The parts, and what people read in them."""
    rule = "NM 10.3"

    def of(name: str, section: str, why: str, said: Any, facts: Case, **more: Any) -> Case:
        return case(f"body/{name}", section, why, said, facts=facts, **more)

    tree = "Programs take the last alternative that they know; the trace is shown by none."
    yield of("three-alternatives", rule, tree, [MARKDOWN, DONE], {"tree": ALTERNATIVE})
    yield of(
        "beside-a-file",
        rule,
        "Files stand around all that.",
        [MARKDOWN, IMAGE],
        {"tree": ["multipart/mixed", ALTERNATIVE, "image/png"]},
    )
    shown = {
        "tree": ["multipart/alternative", "text/plain", ["multipart/related", "text/html", "image/png"], "the trace"],
        "images": [True],
    }
    yield of(
        "image-in-html",
        "RFC 2387 3",
        "An image that the text shows stands beside it.",
        [html('<p>Look: <img src="cid:cloud.png" alt="a cloud"></p>'), IMAGE],
        shown,
        level="SHOULD",
    )
    yield of(
        "image-in-markdown",
        "RFC 2387 3",
        "Also in Markdown.",
        [{**MARKDOWN, "content": "Look: ![a cloud](cid:cloud.png)"}, IMAGE],
        shown,
        level="SHOULD",
    )
    yield of(
        "trace",
        rule,
        "Base64, once, and the whole response.",
        answer(MARKDOWN, DONE),
        {"trace": {**answer(MARKDOWN, DONE), "reply_to": UUID}, "traces": 1, "trace_encoding": "base64"},
    )
    yield of(
        "trace-without-a-viewer",
        "NM 10.4",
        "Mail carries the trace whatever the viewer is.",
        answer(DONE),
        {"trace": {**answer(DONE), "reply_to": UUID}, "tree": ALTERNATIVE},
        settings={"trace_viewer": None},
    )
    yield of(
        "trace-beside-an-own-viewer",
        "NM 10.4",
        "Mail carries the trace whatever the viewer is.",
        answer(DONE),
        {"trace": {**answer(DONE), "reply_to": UUID}, "tree": ALTERNATIVE},
        settings={"trace_viewer": "https://traces.example/"},
    )
    big = call(args={"q": "x" * 3000}, result=[])
    small = call(args='{"q":"' + "x" * 191 + "…", result="[]")
    yield of(
        "trace-shortened",
        "NM 10.5",
        "Too large a trace is cut before it is dropped.",
        answer(PLAIN, big),
        {"trace": {**answer(PLAIN, small), "reply_to": UUID}},
        settings={"limits": {"trace_bytes": 1000}},
        diagnostics=["trace-shortened"],
    )
    yield of(
        "trace-dropped",
        "NM 10.5",
        "The answer goes out all the same.",
        answer({**PLAIN, "content": "y" * 3000}),
        {"tree": ["multipart/alternative", "text/plain", "text/html"], "text": "y" * 3000},
        settings={"limits": {"trace_bytes": 1000}},
        diagnostics=["trace-dropped"],
    )
    for name, why, said, facts in (
        (
            "trace-over-64-kib",
            "What does not fit into 64 KiB is left out, and the answer goes out all the same.",
            answer({**PLAIN, "content": "y" * 60_000}),
            {"traces": 0, "has": {"text": {"y" * 70: True}}},
        ),
        (
            "trace-that-fits-when-cut",
            "A result that makes a trace too large is cut, and the trace stays.",
            answer(call(result="y" * 60_000)),
            {"traces": 1},
        ),
    ):
        unnamed = of(name, "NM 10.5", why, said, facts, diagnostics=[])
        del unnamed["diagnostics"]
        yield unnamed

    text = "NM 10.3"
    yield of(
        "plain-text",
        text,
        "Text stays as it was written.",
        [{**PLAIN, "content": "1 < 2\n\n- a\n- b"}],
        {"text": "1 < 2\n\n- a\n- b", "words": "1 < 2\n- a\n- b"},
    )
    yield of(
        "markdown",
        text,
        "Markdown is readable as it is, and shown as what it means.",
        [MARKDOWN],
        {"text": "It will **rain**.", "words": "It will rain.", "has": {"html": {"<strong>rain</strong>": True}}},
    )
    yield of(
        "html",
        text,
        "HTML has a face of text too.",
        [html("<p>It <b>will</b>.</p><p>Soon.</p>")],
        {"text": "It will.\n\nSoon.", "words": "It will.\nSoon."},
    )
    yield of(
        "parts-in-order",
        "NM 3.1",
        "Order is meaning.",
        [{**PLAIN, "content": "One"}, DONE, {**PLAIN, "content": "Two"}],
        {
            "text": 'One\n\n🔧 web_search({"q":"rain"}) → [{"title":"Rain"}]\n\nTwo',
            "words": 'One\n✅ web_search({"q":"rain"}) → [{"title":"Rain"}]\nTwo',
        },
    )
    for name, part, line, mark in (
        (
            "call",
            DONE,
            '🔧 web_search({"q":"rain"}) → [{"title":"Rain"}]',
            '✅ web_search({"q":"rain"}) → [{"title":"Rain"}]',
        ),
        ("failed-call", FAILED, "🔧 slow_lookup({}) → ❌ timed out", "❌ slow_lookup({}) → timed out"),
        ("running-call", RUNNING, '🔧 file_write({"path":"a.txt"}) → …', '… file_write({"path":"a.txt"}) → …'),
    ):
        yield of(f"{name}-as-text", "NM 3.2", "Who sees no structure reads the line.", [part], {"text": line})
        section = rule if name == "call" else "R32"
        yield of(
            f"{name}-as-html",
            section,
            "A mail like a normal mail: a paragraph, no box, nothing to unfold.",
            [part],
            {"words": mark, "has": {"html": {f"<p>{mark[:12]}": True, "<details": False, "border": False}}},
        )
    scalar = {**DONE, "args": None, "result": 1}
    why = "The line has one form where arguments and result are no structures."
    yield of("scalar-call-as-text", "NM 3.2", why, [scalar], {"text": "🔧 web_search(null) → 1"})
    has = {"html": {"<p>✅ web_search(null) → 1</p>": True, "<details": False, "border": False}}
    yield of("scalar-call-as-html", rule, why, [scalar], {"has": has})
    link = {"kind": "link", "url": "https://a.example/x?a=1&b=2", "title": "A page"}
    yield of(
        "link",
        "R32",
        "A link leads somewhere in both faces.",
        [link],
        {"text": "A page <https://a.example/x?a=1&b=2>", "links": [["https://a.example/x?a=1&b=2", "A page"]]},
    )
    yield of(
        "link-description",
        "R32",
        "What is said of a link is in both faces.",
        [{**link, "description": "By the hour"}],
        {
            "text": "A page <https://a.example/x?a=1&b=2>\nBy the hour",
            "links": [["https://a.example/x?a=1&b=2", "A page"]],
            "has": {"html": {"By the hour": True}},
        },
    )
    yield of(
        "error-alone",
        "R32",
        "Who gets no answer reads why.",
        answer(status="error", error={"code": "busy", "message": "Try again in a minute.", "retriable": True}),
        {"text": "Try again in a minute.", "words": "Try again in a minute."},
    )
    file = {
        "mime": "image/png",
        "name": "cloud.png",
        "size": 8,
        "sha256": hashlib.sha256(PICTURE).hexdigest(),
        "shown": False,
    }
    yield of("file", "R32", "A file goes along, byte for byte.", [PLAIN, IMAGE], {"files": [file]})
    artifact = {
        "kind": "artifact",
        "mime": "text/csv",
        "name": "t.csv",
        "artifact_type": "table",
        "bytes_ref": {"kind": "inline", "data_base64": standard(b"a,b\n")},
    }
    yield of(
        "artifact",
        "R32",
        "An artifact goes out as a file.",
        [PLAIN, artifact],
        {
            "files": [
                {**file, "mime": "text/csv", "name": "t.csv", "size": 4, "sha256": hashlib.sha256(b"a,b\n").hexdigest()}
            ]
        },
    )
    digest = hashlib.sha256(PICTURE).hexdigest()
    yield of(
        "file-by-digest",
        "R31",
        "Bytes that are named by their digest go along.",
        [PLAIN, {**IMAGE, "bytes_ref": {"kind": "content_addressed", "algo": "sha256", "digest": digest}}],
        {"files": [file]},
        unit={"blobs": {digest: {"$base64": standard(PICTURE)}}},
    )
    yield of(
        "file-by-url",
        "D B17",
        "What lies elsewhere is linked, not fetched.",
        [PLAIN, HOSTED],
        {
            "files": [],
            "links": [["https://files.example/far.png", "far.png"]],
            "has": {"text": {"https://files.example/far.png": True}},
        },
    )
    yield of(
        "container-as-file",
        "D B17",
        "A mail inside a mail is opened by programs on the way.",
        [PLAIN, {**IMAGE, "mime": "message/rfc822", "name": "a.eml"}],
        {"files": [{**file, "mime": "application/octet-stream", "name": "a.eml"}]},
        diagnostics=["media-type-replaced"],
        level="SHOULD",
    )
    name = "Grüße 東京.png"
    yield of(
        "file-name-beyond-ascii",
        "RFC 2231 4",
        "Names of all scripts come through.",
        [PLAIN, {**IMAGE, "name": name}],
        {"files": [{**file, "name": name}], "wire": {"crlf": True, "short_lines": True, "ascii": True, "nul": False}},
    )
    demand = {"kind": "policy", "policy": {"kind": "forbidden", "message": "No.", "url": "https://agents.example/why"}}
    yield of(
        "policy",
        "D B11",
        "A demand is told in words, with its link.",
        [demand],
        {"has": {"text": {"No.": True, "https://agents.example/why": True}, "words": {"No.": True}}},
    )

    fine = {"crlf": True, "short_lines": True, "ascii": True, "nul": False}
    for name, content in (
        ("long-line", "word " * 600 + "end"),
        ("one-long-word", "x" * 5000),
        ("letters", "Grüße 東京 🌧\n" * 40 + "."),
        ("from-and-dots", "From me\n.\n..\n>From\n-- \nend"),
        ("blanks-at-the-end", "a \n\tb\t\n  c  \nend"),
        ("equals-signs", "a=3D=\n==20 =?utf-8?Q?x?= end"),
    ):
        yield of(
            f"wire-{name}",
            "RFC 5322 2.1.1",
            "Servers cut and rewrite what is not 7-bit and short.",
            [{**PLAIN, "content": content}],
            {"wire": fine, "text": content},
        )
    yield of(
        "wire-controls",
        "RFC 5322 2.3",
        "A bare CR, a NUL: servers refuse the mail or rewrite it.",
        [{**PLAIN, "content": "a\rb\u0000c\r\nd"}],
        {"wire": fine},
    )


def attacks() -> Iterator[Case]:
    """What an agent, or who speaks through it, may try."""

    def safe(name: str, why: str, said: Any, facts: Case, section: str = "D B17", **more: Any) -> Case:
        return case(f"attack/{name}", section, why, said, facts=facts, flags=["attack"], **more)

    evil = "What an agent repeats may come from anybody."
    yield safe(
        "script",
        evil,
        [html('<p onclick="x()">Hi<script>x()</script><img src="https://e.example/p.gif"></p>')],
        {"has": {"html": {"<script": False, "onclick": False, "<img": False}}},
    )
    yield safe(
        "script-links",
        evil,
        [html('<a href="javascript:x()">a</a>'), {**MARKDOWN, "content": "[b](javascript:x())"}],
        {"has": {"html": {'href="javascript:': False}}},
    )
    yield safe(
        "markup-in-a-tool-call",
        evil,
        [call("</p><script>x()</script>", args={"a": "<img src=x>"}, result="</body>")],
        {"has": {"html": {"<script": False, "<img": False, '"</body>"': False}, "text": {"<script>": True}}},
    )
    yield safe(
        "markup-in-a-link",
        evil,
        [{"kind": "link", "url": "https://a.example/?a=1&b='x'", "title": "<b>t</b></a><script>x()</script>"}],
        {"has": {"html": {"<script": False, "<b>": False}}},
    )
    yield safe(
        "image-that-is-not-there",
        "A cid: that names no part may name one of another mail.",
        [html('<img src="cid:other@evil.example" alt="x">'), IMAGE],
        {"images": [], "has": {"html": {"evil": False}}},
    )
    yield safe(
        "turned-around",
        "Text that turns other text around shows another name.",
        [{**MARKDOWN, "content": "file\u202egpj.exe"}],
        {"has": {"html": {"\u202e": False}}},
    )
    yield safe(
        "line-breaks-in-a-file-name",
        "A name of a file never becomes another field.",
        [PLAIN, {**IMAGE, "name": 'a"\r\nBcc: evil@evil.example\r\n\r\n.png'}],
        {
            "people": [ALICE],
            "tree": ["multipart/mixed", ALTERNATIVE, "image/png"],
            "has": {"mail": {"\r\nBcc:": False}},
        },
    )
    yield safe(
        "path-in-a-file-name",
        "A name of a file is no path.",
        [PLAIN, {**IMAGE, "name": "../../etc/passwd"}],
        {
            "files": [
                {
                    "mime": "image/png",
                    "name": "passwd",
                    "size": 8,
                    "shown": False,
                    "sha256": hashlib.sha256(PICTURE).hexdigest(),
                }
            ]
        },
        level="SHOULD",
    )
    inject = "=?utf-8?Q?A=0D=0ABcc:_evil@evil.example?="
    yield safe(
        "line-breaks-in-a-name",
        "A name never becomes another field.",
        [PLAIN],
        {"people": [ALICE], "bcc": [], "has": {"head": {"\r\nBcc:": False}}},
        raw=asked(From=f"{inject} <{ALICE}>"),
    )
    spoof = f"=?utf-8?Q?=22Bank=22_=3Cbank=40b.example=3E=2C?= <{ALICE}>"
    yield safe(
        "address-in-a-name",
        "A name never becomes another recipient.",
        [PLAIN],
        {"people": [ALICE], "to": [ALICE]},
        raw=asked(From=spoof),
    )
    yield safe(
        "question-not-quoted",
        "Nothing of the question is sent on.",
        [PLAIN],
        {"has": {face: {"a secret": False} for face in ("mail", "text", "html", "payload")}},
        "R35",
    )
    yield safe(
        "trace-written-by-the-agent",
        "The trace is ours: JSON that an agent attached is a file.",
        answer(PLAIN, {**IMAGE, "mime": "application/json", "name": "trace.json"}),
        {"traces": 1, "tree": ["multipart/mixed", ALTERNATIVE, "application/json"]},
        "NM 10.3",
    )
    yield refused(
        "attack/line-breaks-in-a-media-type",
        "RFC 2045 5.1",
        "A media type never becomes another field.",
        [PLAIN, {**IMAGE, "mime": "image/png\r\nBcc: evil@evil.example"}],
        flags=["attack"],
    )
    yield refused(
        "attack/line-breaks-in-a-thread",
        "RFC 5322 2.2",
        "A thread never becomes another field.",
        answer(PLAIN, push_back={"thread_ref": "<t@a.example>\r\nBcc: evil@evil.example"}),
        flags=["attack"],
    )
    yield refused(
        "attack/line-breaks-in-a-sibling",
        "RFC 5322 2.2",
        "A recipient never becomes another field.",
        [PLAIN],
        unit={"siblings": ["@bob@other.example\r\nBcc: evil@evil.example"]},
        flags=["attack"],
    )
    yield refused(
        "attack/line-breaks-in-a-sender",
        "RFC 5322 2.2",
        "A sender never becomes another field.",
        [PLAIN],
        unit={"sender": f"Helper\r\nBcc: evil@evil.example <{HELPER}>"},
        flags=["attack"],
    )


def round_trips() -> Iterator[Case]:
    """What the far side receives."""

    def comes_back(name: str, why: str, said: Case, **more: Any) -> Case:
        facts = {
            "received_trace": {**said, "reply_to": UUID},
            "in_reply_to": MID,
            "received_via": "email",
            "recipient": "@alice@a.example",
            **more.pop("facts", {}),
        }
        section = more.pop("section", "NM 10.6")
        return case(f"round-trip/{name}", section, why, said, facts=facts, **more)

    yield from shared.trips(comes_back, IMAGE, HOSTED, no_viewer="Whatever the viewer is.")
    yield comes_back(
        "thread",
        "The thread is the same on both sides.",
        answer(MARKDOWN),
        section="NM 5.3.1",
        raw=asked(References="<r@a.example>"),
        facts={"thread_id": "<r@a.example>"},
    )
    yield comes_back(
        "first-thread", "The question began the thread.", answer(MARKDOWN), section="NM 5.3.1", facts={"thread_id": MID}
    )
    yield comes_back(
        "visible-parts",
        "The text comes as a text, the file as a file, the trace as neither.",
        answer(PLAIN, IMAGE),
        section="NM 10.8",
        facts={"parts": [PLAIN, {**IMAGE, "size_bytes": 8}]},
    )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_email_body.py; change that."
    files: dict[str, list[Case]] = {}
    for cases in (bodies, attacks):
        for one in cases():
            files.setdefault(one["id"].split("/")[1], []).append(one)
    for behaviour, found in files.items():
        yield "reply", behaviour, "email.reply", note, found
    yield "reply", "email-round-trip", "email.round_trip", note, list(round_trips())
