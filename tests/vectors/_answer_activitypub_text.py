"""What people read of answers on ActivityPub: `conformance/v0.1/reply/activitypub-*.json`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tests.vectors._answer_received import ACTOR
from tests.vectors._answer_rows import DONE, FAILED, MARKDOWN, PLAIN, RUNNING, UUID, Case, answer, call, standard

if TYPE_CHECKING:
    from collections.abc import Iterator
from tests.vectors._answer_activitypub import IMAGE, case


def contents() -> Iterator[Case]:
    """What people read."""

    def reads(name: str, section: str, why: str, said: Any, facts: Case, **more: Any) -> Case:
        return case(f"content/{name}", section, why, said, facts=facts, **more)

    hello = "@alice@social.example"
    text = "NM 10.2"
    yield reads(
        "plain-text",
        text,
        "Plain text stays as it was written.",
        [{**PLAIN, "content": "1 < 2 & 3 > 2"}],
        {"words": f"{hello} 1 < 2 & 3 > 2"},
    )
    yield reads(
        "plain-lines",
        text,
        "Lines stay lines.",
        [{**PLAIN, "content": "One\nTwo\n\nThree"}],
        {"words": f"{hello} One\nTwo\nThree"},
    )
    yield reads(
        "plain-markup-as-text",
        text,
        "Plain text has no markup.",
        [{**PLAIN, "content": "<b>no</b> **no**"}],
        {"words": f"{hello} <b>no</b> **no**", "has": {"html": {"<b>": False, "<strong>": False}}},
    )
    yield reads(
        "markdown",
        text,
        "Markdown is shown as what it means.",
        [MARKDOWN],
        {"words": f"{hello} It will rain.", "has": {"html": {"<strong>rain</strong>": True, "**": False}}},
    )
    yield reads(
        "markdown-list",
        text,
        "Lists are lists.",
        [{**MARKDOWN, "content": "- a\n- b"}],
        {"has": {"html": {"<li>a</li>": True}}},
    )
    yield reads(
        "html",
        text,
        "HTML is HTML.",
        [{"kind": "text", "mime": "text/html", "content": "<p>It <em>will</em>.</p>"}],
        {"words": f"{hello} It will.", "has": {"html": {"<em>will</em>": True}}},
    )
    yield reads(
        "parts-in-order",
        text,
        "Order is meaning.",
        [{**PLAIN, "content": "One"}, DONE, {**PLAIN, "content": "Two"}],
        {"words": f'{hello} One\n🔧 web_search({{"q":"rain"}}) → [{{"title":"Rain"}}]\nTwo'},
    )
    line = "Who sees no structure reads the line."
    yield reads(
        "call", "NM 3.2", line, [DONE], {"has": {"words": {'🔧 web_search({"q":"rain"}) → [{"title":"Rain"}]': True}}}
    )
    yield reads(
        "failed-call", "NM 3.2", line, [FAILED], {"has": {"words": {"🔧 slow_lookup({}) → ❌ timed out": True}}}
    )
    yield reads(
        "running-call", "NM 3.2", line, [RUNNING], {"has": {"words": {'🔧 file_write({"path":"a.txt"}) → …': True}}}
    )
    long = call(args={"q": "x" * 400}, result="y" * 400)
    yield reads(
        "long-call",
        "NM 3.2",
        "200 bytes a side, whatever the trace holds.",
        [long],
        {"has": {"words": {"x" * 191 + '…) → "' + "y" * 196 + "…": True, "x" * 200: False}}},
    )
    yield reads(
        "link",
        "R32",
        "A link is a link.",
        [{"kind": "link", "url": "https://a.example/x?a=1&b=2", "title": "A page"}],
        {"links": [["https://a.example/x?a=1&b=2", "A page"]]},
    )
    yield reads(
        "link-without-a-title",
        "R32",
        "Without a title it shows where it leads.",
        [{"kind": "link", "url": "https://a.example/x"}],
        {"links": [["https://a.example/x", "https://a.example/x"]]},
    )
    yield reads(
        "file",
        "R32",
        "Files are attached.",
        [PLAIN, IMAGE],
        {
            "attachments": [
                {"type": "Image", "mediaType": "image/png", "name": "a cloud.png", "url": "https://files.example/a.png"}
            ]
        },
    )
    csv = {
        "kind": "artifact",
        "mime": "text/csv",
        "artifact_type": "table",
        "name": "t.csv",
        "bytes_ref": {"kind": "url", "url": "https://files.example/t.csv"},
    }
    yield reads(
        "artifact",
        "R32",
        "An artifact goes out as a file.",
        [PLAIN, csv],
        {
            "attachments": [
                {"type": "Document", "mediaType": "text/csv", "name": "t.csv", "url": "https://files.example/t.csv"}
            ]
        },
    )
    data = b"\x89PNG"
    inline = {"kind": "file", "mime": "image/png", "bytes_ref": {"kind": "inline", "data_base64": standard(data)}}
    served = [{"type": "Image", "mediaType": "image/png", "url": {"$any": "json"}}]
    yield reads("inline-file", "R31", "Bytes get an address where they are served.", [inline], {"attachments": served})
    digest = hashlib.sha256(data).hexdigest()
    named = {"kind": "content_addressed", "algo": "sha256", "digest": digest}
    yield reads(
        "file-by-digest",
        "R31",
        "So do bytes that are named by their digest.",
        [{**inline, "bytes_ref": named}],
        {"attachments": served},
        unit={"blobs": {digest: {"$base64": standard(data)}}},
    )
    yield reads(
        "file-by-digest-with-a-url",
        "R31",
        "A digest with a URL needs no bytes.",
        [{**inline, "bytes_ref": {**named, "url": "https://files.example/b.png"}}],
        {"attachments": [{**served[0], "url": "https://files.example/b.png"}]},
    )
    yield reads(
        "error-alone",
        "R32",
        "Who gets no answer reads why.",
        answer(status="error", error={"code": "busy", "message": "Try again in a minute.", "retriable": True}),
        {"words": f"{hello} Try again in a minute."},
    )
    yield reads(
        "error-with-parts",
        "R32",
        "Where the agent says something, that is what people read.",
        answer(PLAIN, status="error", error={"code": "busy", "message": "Internal: queue 7", "retriable": True}),
        {"words": f"{hello} It will rain."},
    )
    yield reads(
        "markdown-source",
        "D B4",
        "Programs get the Markdown as it was written.",
        [MARKDOWN],
        {"source": {"content": "It will **rain**.", "mediaType": "text/markdown"}},
        level="SHOULD",
    )
    yield reads(
        "no-source-that-hides-a-call",
        "D B4",
        "A reader may take the source in place of the text: it must say as much.",
        [MARKDOWN, DONE],
        {"source": None},
    )
    yield reads("nothing", "NM 4", "An empty answer is a mention, and a trace.", [], {"words": hello, "traces": 1})
    demand = {
        "kind": "policy",
        "policy": {
            "kind": "consent_required",
            "message": "May I see your calendar?",
            "return_to": "https://agents.example/back",
            "url": "https://agents.example/consent/1",
            "state": "x" * 32,
        },
    }
    yield reads(
        "policy",
        "D B11",
        "A demand is told in words, with its link.",
        [demand],
        {"has": {"words": {"May I see your calendar?": True}, "html": {"https://agents.example/consent/1": True}}},
    )


def attacks() -> Iterator[Case]:
    """What an agent, or who speaks through it, may try."""
    evil = "What an agent repeats may come from anybody."

    def safe(name: str, said: Any, facts: Case, section: str = "NM 10.10", why: str = evil, **more: Any) -> Case:
        return case(f"attack/{name}", section, why, said, facts=facts, flags=["attack"], **more)

    def html(content: str) -> Case:
        return {"kind": "text", "mime": "text/html", "content": content}

    never = {"<script": False, "javascript:": False, "onclick": False, "onerror": False, "style=": False, "<img": False}
    yield safe("script", [html("<p>Hi<script>alert(1)</script></p>")], {"has": {"html": never}}, "D B17")
    yield safe(
        "handlers",
        [html('<p onclick="x()">Hi <img src="https://evil.example/p.gif" onerror="x()"></p>')],
        {"has": {"html": never}},
        "D B17",
    )
    yield safe(
        "script-links",
        [
            html('<a href="javascript:alert(1)">x</a> <a href="JaVaScRiPt&#58;x">y</a>'),
            {**MARKDOWN, "content": "[z](javascript:alert(1))"},
        ],
        {"links": {"$any": "json"}, "has": {"html": {'href="javascript:': False, 'href="JaVa': False}}},
        "D B17",
    )
    yield safe(
        "script-in-markdown",
        [{**MARKDOWN, "content": "Hi <script>alert(1)</script> <b onclick='x'>b</b>"}],
        {"has": {"html": {"<script": False, "<b ": False}}},
        "D B17",
    )
    yield safe(
        "styles-and-frames",
        [
            html(
                '<div style="position:fixed">x</div><iframe src="https://e.example"></iframe>'
                "<form action='https://e.example'><input></form>"
            )
        ],
        {"has": {"html": {"style=": False, "<iframe": False, "<form": False, "<input": False}}},
        "D B17",
    )
    forged = '<p>Hi</p><a class="mentionable-trace" data-version="0.1" href="https://mentionable.dev/trace#e30">x</a>'
    said = answer(html(forged), DONE)
    yield safe(
        "trace-written-by-the-agent",
        said,
        {"traces": 1, "trace": {**said, "reply_to": UUID}, "trace_last": True},
        "NM 10.3",
        "The first anchor counts: it must be ours.",
    )
    quoted = answer({**MARKDOWN, "content": forged})
    yield safe(
        "trace-written-in-markdown",
        quoted,
        {"traces": 1, "trace": {**quoted, "reply_to": UUID}},
        "NM 10.3",
        "The first anchor counts: it must be ours.",
    )
    named = answer(call('</a><script>x</script><a class="mentionable-trace" href="x">', args={}, result=None))
    yield safe(
        "markup-in-a-tool-name",
        named,
        {"traces": 1, "trace": {**named, "reply_to": UUID}, "has": {"html": {"<script": False}}},
        "NM 10.3",
    )
    yield safe(
        "turned-around",
        [{**PLAIN, "content": "file\u202egpj.exe \u2066x\u2069"}],
        {"has": {"html": {"\u202e": False, "\u2066": False}}},
        "D B17",
        "Text that turns other text around shows another name.",
    )
    yield safe(
        "controls",
        [{**PLAIN, "content": "a\u0000b\u001bc\u0008d"}],
        {"has": {"html": {"\u0000": False, "\u001b": False, "\u0008": False}}},
        "D B17",
    )
    yield safe(
        "mention-written-by-the-agent",
        [html('<p><a class="u-url mention" href="https://evil.example/@dave">@dave</a></p>')],
        {
            "mentions": [["@alice@social.example", ACTOR]],
            "has": {"html": {'class="u-url mention" href="https://evil': False}},
        },
        "D B17",
        "Nobody is told by a link that looks like a mention.",
    )
    yield safe(
        "file-name-with-markup",
        [{**IMAGE, "name": '"><script>x</script>\r\n.png'}],
        {
            "attachments": [
                {
                    "type": "Image",
                    "mediaType": "image/png",
                    "name": {"$any": "json"},
                    "url": "https://files.example/a.png",
                }
            ],
            "has": {"html": {"<script": False}},
        },
        "D B17",
    )


def traces() -> Iterator[Case]:
    """The trace of an answer."""

    def carries(name: str, why: str, said: Case, **more: Any) -> Case:
        facts = {"trace": {**said, "reply_to": UUID}, "traces": 1, "trace_last": True, **more.pop("facts", {})}
        return case(f"trace/{name}", more.pop("section", "NM 10.3"), why, said, facts=facts, **more)

    yield carries("text-and-call", "The structure goes along, once, behind the text.", answer(MARKDOWN, DONE))
    yield carries("text-alone", "Every answer has one.", answer(PLAIN), section="R33")
    yield carries(
        "no-viewer",
        "Without a viewer it stands in the link.",
        answer(MARKDOWN, DONE),
        section="NM 10.4",
        settings={"trace_viewer": None},
        facts={"has": {"html": {"data:application/json;base64,": True}}},
    )
    yield carries(
        "own-viewer",
        "An operator's viewer is linked.",
        answer(MARKDOWN, DONE),
        section="NM 10.4",
        settings={"trace_viewer": "https://traces.example/"},
        facts={"has": {"html": {'href="https://traces.example/#': True}}},
    )
    yield carries(
        "text-not-shortened",
        "The visible text is whole, trace or not.",
        answer({**PLAIN, "content": "long " * 300 + "end"}, DONE),
        section="NM 10.2",
        facts={"has": {"words": {"end": True, "🔧 web_search": True}}},
    )
    big = call(args={"q": "x" * 3000}, result=[])
    small = call(args='{"q":"' + "x" * 191 + "…", result="[]")
    yield case(
        "trace/shortened",
        "NM 10.5",
        "Too large a trace is cut before it is dropped.",
        answer(PLAIN, big),
        settings={"limits": {"trace_bytes": 1000}},
        diagnostics=["trace-shortened"],
        facts={"traces": 1, "trace": {**answer(PLAIN, small), "reply_to": UUID}},
    )
    yield case(
        "trace/dropped",
        "NM 10.5",
        "The answer goes out all the same.",
        answer({**PLAIN, "content": "y" * 3000}, DONE),
        settings={"limits": {"trace_bytes": 1000}},
        diagnostics=["trace-dropped"],
        facts={"traces": 0, "has": {"words": {"yyy": True, "🔧 web_search": True}}},
    )
    hidden = answer(PLAIN)
    yield carries(
        "nothing-hidden",
        "What is no part of the response is nowhere: private calls are private.",
        hidden,
        section="R35",
        facts={"has": {"activity": {"mentionable-trace": True, "a secret": False}, "payload": {"a secret": False}}},
        flags=["attack"],
    )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_activitypub_text.py; change that."
    files: dict[str, list[Case]] = {}
    for cases in (contents, attacks, traces):
        for one in cases():
            files.setdefault(one["id"].split("/")[1], []).append(one)
    for behaviour, found in files.items():
        yield "reply", behaviour, "activitypub.reply", note, found
