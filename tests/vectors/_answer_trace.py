"""Traces as they are written: `conformance/v0.1/trace/write.json`, `address.json`, `anchor.json`, `budget.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import (
    DATA,
    DONE,
    FAILED,
    MARKDOWN,
    PLAIN,
    RUNNING,
    USUAL,
    VIEWER,
    Case,
    call,
    compact,
    response,
    row,
    standard,
)
from tests.vectors._own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKS = response({**PLAIN, "content": "???????????? >>>>>>>>>>>>"})
"""In base64 it has letters in which the alphabets differ, wherever it begins."""


def written(name: str, section: str, why: str, answer: Any, viewer: Any = ..., **more: Any) -> Case:
    """A response whose trace is written."""
    settings: Case = {} if viewer is ... else {"trace_viewer": viewer}
    if "limit" in more:
        settings["limits"] = {"trace_bytes": more.pop("limit")}
    facts = more.pop("facts")
    more.setdefault("diagnostics", [])
    given = {"settings": settings} if settings else None
    return row(f"trace/{name}", section, why, {"response": answer}, facts=facts, given=given, flags=["trace"], **more)


def kept(name: str, why: str, answer: Case, section: str = "NM 10.2", **more: Any) -> Case:
    """A response that its trace holds whole."""
    return written(f"write/{name}", section, why, answer, facts={"response": answer}, **more)


def payloads() -> Iterator[Case]:
    """What the payload is."""
    yield kept("text-and-call", "A program on the far side gets arguments and results, not only prose.", USUAL)
    yield kept("nothing-said", "An acknowledgement has a trace too.", response(), section="R33")
    yield kept("text-alone", "A response without calls has a trace too.", response(PLAIN), section="R33")
    yield kept(
        "letters",
        "The JSON is UTF-8; letters beyond ASCII and beyond the BMP come back.",
        response({**PLAIN, "content": "Grüße, 東京 🌧"}, call(args={"ciudad": "A Coruña"}, result="☔")),
    )
    yield kept(
        "results-null-and-false",
        "A result of null is a result; an absent one is not.",
        response(
            call(number="a", result=None),
            call(number="b", result=False),
            call(number="c", result=0),
            call(number="d", result=""),
            call(number="e"),
        ),
    )
    yield kept(
        "arguments-of-any-json",
        "Arguments are any JSON, not only objects.",
        response(
            call(number="a", args=[1, "two", None], result={}),
            call(number="b", args="text", result=[]),
            call(number="c", args=1.5, result=9007199254740991),
            call(number="d", args=False, result={"deep": [[[]]]}),
        ),
    )
    yield kept("failed-call", "Why a call failed travels along.", response(PLAIN, FAILED))
    yield kept(
        "all-members-of-a-call",
        "Timings travel along.",
        response(call(result=[], duration_ms=412.5, started_at="2026-11-21T20:55:59Z")),
    )
    yield kept(
        "other-parts",
        "Files, links and artifacts stand in the trace as they stand in the response.",
        response(
            {
                "kind": "file",
                "mime": "image/png",
                "name": "a.png",
                "size_bytes": 3,
                "bytes_ref": {"kind": "inline", "data_base64": "AAEC"},
            },
            {"kind": "link", "url": "https://a.example/", "title": "A", "description": "About"},
            {
                "kind": "artifact",
                "mime": "text/csv",
                "artifact_type": "table",
                "bytes_ref": {
                    "kind": "url",
                    "url": "https://files.example/t.csv",
                    "expires_at": "2026-12-01T00:00:00Z",
                },
            },
            {
                "kind": "file",
                "mime": "application/pdf",
                "bytes_ref": {"kind": "content_addressed", "algo": "sha256", "digest": "ab" * 32},
            },
        ),
    )
    yield kept(
        "status-error",
        "That it failed, and whether to try again, is for programs above all.",
        response(
            status="error", error={"code": "rate_limited", "message": "Try again in a minute.", "retriable": True}
        ),
    )
    yield kept(
        "push-back",
        "The payload is the response, and that is all of it.",
        response(PLAIN, push_back={"channel": "email", "thread_ref": "<t@a.example>"}),
    )
    yield kept(
        "members-not-known",
        "Members of a later version are passed on.",
        response({**PLAIN, "tone": "dry"}, {**DONE, "cost": {"usd": 0.01}}, usage={"tokens": 12}),
        section="R33",
    )
    yield kept(
        "markup-as-data",
        "Markup in arguments is data; nothing of it may end the link or the JSON.",
        response(
            call(args={"html": '</a><script>alert("1")</script>', "line": "a\r\nb\u2028c\u0000"}, result="<!-- -->")
        ),
    )


def addresses() -> Iterator[Case]:
    """Which address carries it."""
    own = "https://traces.example/show"

    def address(name: str, why: str, viewer: Any, before: str, answer: Case = USUAL, **more: Any) -> Case:
        section = more.pop("section", "NM 10.4")
        facts = {"address": before, "response": answer, **more.pop("facts", {})}
        return written(f"address/{name}", section, why, answer, viewer, facts=facts, **more)

    yield address("default", "Without a setting the trace opens in the viewer of the project.", ..., f"{VIEWER}#")
    yield address("own-viewer", "An operator who hosts a viewer gets links to it.", own, f"{own}#")
    yield address(
        "own-viewer-with-a-query", "A query of the viewer stays.", f"{own}?lang=ko&a=1", f"{own}?lang=ko&a=1#"
    )
    yield address(
        "own-viewer-with-a-fragment",
        "There is one fragment, and it is the payload.",
        f"{own}#old",
        f"{own}#",
        section="D B10",
    )
    yield address("no-viewer", "Who wants no third party gets the trace in the link itself.", None, DATA)
    yield address(
        "fragment-alphabet",
        "`+` and `/` are rewritten in addresses by mail programs and forms; `-` and `_` are not.",
        ...,
        f"{VIEWER}#",
        MARKS,
        section="NM 10.2",
        facts={"alphabet": "base64url"},
    )
    yield address(
        "data-alphabet",
        "A data: URI has the standard alphabet: decoders of browsers know no other.",
        None,
        DATA,
        MARKS,
        section="D B10",
        facts={"alphabet": "base64"},
        level="SHOULD",
    )
    for length in (1, 2, 3):
        answer = response({**PLAIN, "content": "x" * length})
        yield address(
            f"fragment-unpadded-{length}",
            "Padding in a fragment is percent-encoded by some.",
            ...,
            f"{VIEWER}#",
            answer,
            section="D B10",
            facts={"padded": False},
            level="SHOULD",
        )
        yield address(
            f"data-padded-{length}",
            "A data: URI without padding is not read by every browser.",
            None,
            DATA,
            answer,
            section="D B10",
            facts={"whole_groups": True},
            level="SHOULD",
        )


def anchors() -> Iterator[Case]:
    """The link in HTML, and its words."""

    def anchor(name: str, section: str, why: str, answer: Case, text: str, **more: Any) -> Iterator[Case]:
        for suffix, words, level in own_words(text):
            facts = {"anchor": {"class": "mentionable-trace", "data-version": "0.1", "href": True, "text": words}}
            yield written(f"anchor/{name}{suffix}", section, why, answer, facts=facts, level=level, **more)

    def says(name: str, why: str, text: str, *parts: Case, section: str = "NM 10.7") -> Case:
        return written(
            f"anchor/{name}", section, why, response(*parts), level="SHOULD", facts={"text": text, "fits": True}
        )

    yield from anchor(
        "as-the-text-has-it",
        "NM 10.3",
        "Class, version and address are what readers look for, double-quoted.",
        response(call(result=[], duration_ms=412)),
        "[trace: web_search ✓ 412ms]",
    )
    yield written(
        "anchor/attributes",
        "NM 10.3",
        "Class, version and address are what readers look for, whatever the words of the link are.",
        response(call(result=[], duration_ms=412)),
        facts={
            "has": {
                "html": {
                    'class="mentionable-trace"': True,
                    'data-version="0.1"': True,
                    'href="https://mentionable.dev/trace#': True,
                }
            }
        },
    )
    yield written(
        "anchor/double-quotes",
        "NM 10.3",
        "Only the double-quoted form is sure to be read.",
        USUAL,
        facts={"has": {"html": {'class="mentionable-trace"': True, "class='": False}}},
    )
    yield from anchor(
        "without-a-viewer",
        "NM 10.3",
        "The link is the same with a data: address.",
        response(PLAIN),
        "[trace: 1 part]",
        viewer=None,
    )
    yield from anchor(
        "address-with-an-ampersand",
        "NM 10.3",
        "An address stands in HTML: its `&` is escaped, or it is another.",
        response(PLAIN),
        "[trace: 1 part]",
        viewer="https://traces.example/show?a=1&copy",
    )
    yield from anchor(
        "name-with-markup",
        "NM 10.7",
        "A name of a tool never ends the link or begins another element.",
        response(call('</a><img src=x onerror="alert(1)">', result=[])),
        '[trace: </a><img src=x onerror="alert(1)"> ✓]',
    )
    yield says(
        "one-call",
        "Where the address is stripped the words still tell what happened.",
        "[trace: web_search ✓ 412ms]",
        DONE,
    )
    yield says(
        "no-duration", "A duration that nobody measured is not made up.", "[trace: web_search ✓]", call(result=[])
    )
    yield says(
        "three-calls",
        "Successes and failures are told apart.",
        "[trace: 3 tool calls — web_search ✓, file_write ✓, slow_lookup ✗]",
        call(result=[]),
        call("file_write", "c2", result=None),
        call("slow_lookup", "c3", error={"message": "timed out"}),
    )
    yield says("failed-call", "A failure is not shown as a success.", "[trace: slow_lookup ✗ 30s]", FAILED)
    yield says("running-call", "A call on its way is neither.", "[trace: file_write …]", RUNNING)
    yield says(
        "seconds", "Long calls are told in seconds.", "[trace: web_search ✓ 1.25s]", call(result=[], duration_ms=1250)
    )
    yield says(
        "negative-zero",
        "No time is written in one way, whichever zero it is.",
        "[trace: web_search ✓ 0ms]",
        call(result=[], duration_ms=-0.0),
        section="R33",
    )
    yield says("result-null", "A call that gave null has ended.", "[trace: web_search ✓]", call(result=None))
    parts = "A response without calls says how many parts it has."
    yield says("two-parts", parts, "[trace: 2 parts]", PLAIN, MARKDOWN, section="R33")
    yield says("one-part", "One is not plural.", "[trace: 1 part]", PLAIN, section="R33")
    yield says("no-parts", "Nothing is told as nothing.", "[trace: 0 parts]", section="R33")
    yield written(
        "anchor/tells-the-name",
        "NM 10.7",
        "The words mean something to people, whatever their form.",
        USUAL,
        facts={"has": {"text_face": {"web_search": True}}, "fits": True},
    )
    yield written(
        "anchor/line-break-in-a-name",
        "NM 10.7",
        "The words are one line.",
        response(call("web\r\n\u2028search")),
        facts={"has": {"text_face": {"\n": False, "\r": False, "\u2028": False, "web": True, "search": True}}},
    )
    many = [call(f"tool_{n:02}", f"c{n}", result=n) for n in range(40)]
    yield written(
        "anchor/forty-calls",
        "NM 10.7",
        "Forty names would be longer than the answer; the rest is counted.",
        response(*many),
        facts={"fits": True, "calls_told": 40, "has": {"text_face": {"tool_00 ✓": True}}},
        level="SHOULD",
    )
    for count in (5, 6, 7, 8, 12):
        yield written(
            f"anchor/{count}-calls",
            "NM 10.7",
            "The longest list that fits, and no call uncounted.",
            response(*many[:count]),
            facts={"fits": True, "calls_told": count},
        )
    yield written(
        "anchor/long-name",
        "NM 10.7",
        "One long name does not break the bound.",
        response(call("a" * 300, result=[])),
        facts={"fits": True, "calls_told": 2, "has": {"text_face": {"aaa": True}}},
        level="SHOULD",
    )
    yield written(
        "anchor/long-names",
        "NM 10.7",
        "Nor do several.",
        response(*(call(f"{letter * 119}", letter, result=[]) for letter in "abc")),
        facts={"fits": True},
    )


def side(value: Any) -> str:
    """What of arguments or of a result is left: 200 bytes of its JSON, `…` among them."""
    data = compact(value)
    return data.decode() if len(data) <= 200 else data[:197].decode(errors="ignore") + "…"


def cut(part: Case) -> Case:
    """A call as it is written when the whole is too large."""
    sides = ("args", "result")
    return {name: side(member) if name in sides else member for name, member in part.items()}


def budgets() -> Iterator[Case]:
    """What is left when there is too much."""

    def shortened(name: str, why: str, *parts: Case, section: str = "NM 10.5", **more: Any) -> Case:
        expected = response(*(cut(part) if part["kind"] == "tool_call" else part for part in parts))
        return written(
            f"budget/{name}",
            section,
            why,
            response(*parts),
            facts={"response": expected},
            diagnostics=["trace-shortened"],
            **more,
        )

    def dropped(name: str, why: str, *parts: Case, **more: Any) -> Case:
        facts = {"address": None, "anchor": None, **more.pop("facts", {})}
        return written(
            f"budget/{name}", "NM 10.5", why, response(*parts), facts=facts, diagnostics=["trace-dropped"], **more
        )

    long = "x" * 900
    yield shortened(
        "arguments-cut", "Most of what is large is arguments.", call(args={"q": long}, result=[]), limit=1000
    )
    yield shortened("result-cut", "Or it is results.", call(args={}, result=[long]), limit=1000)
    yield shortened("both-cut", "Each side has a budget of its own.", call(args={"q": long}, result=long), limit=1200)
    yield shortened(
        "every-call-cut",
        "One call over the bound, and all are cut: readers get one form.",
        call(number="a", args={"q": long}, result=[]),
        call(number="b", args={"n": 1}, result={"n": 2}),
        limit=1000,
        section="R33",
    )
    yield shortened(
        "cut-between-letters",
        "Half a letter is no UTF-8.",
        *(call(number=f"c{n}", args="x" * n + "é🌧" * 150, result=[]) for n in range(3)),
        limit=1600,
    )
    yield shortened(
        "text-never-cut",
        "What people read is not shortened on behalf of the trace.",
        {**PLAIN, "content": "y" * 600},
        call(args={"q": long}),
        limit=1400,
    )
    yield shortened(
        "error-never-cut",
        "Why it failed is told in full.",
        call(args={"q": long}, error={"message": "z" * 300}),
        limit=1000,
    )
    yield shortened("running-stays-running", "A call without a result gets none.", call(args={"q": long}), limit=700)
    yield shortened("null-is-a-result", "A result of null stays one.", call(args={"q": long}, result=None), limit=700)
    numbers = {**call(args={"q": long}, result=[2.0, 1e21]), "duration_ms": 412}
    yield written(
        "budget/numbers-as-in-a-line",
        "R57",
        "A number that was cut to text reads as in the line of its call, whichever language wrote it.",
        response(numbers),
        facts={"response": response({**cut(numbers), "result": "[2,1e+21]"})},
        diagnostics=["trace-shortened"],
        level="SHOULD",
        limit=800,
    )
    yield shortened(
        "by-default", "The encoded annotation fits in 64 KiB.", call(args={"q": "x" * 50000}, result="Rain")
    )
    yield written(
        "budget/what-fits-is-whole",
        "NM 10.5",
        "Nothing is cut while the whole fits.",
        response(call(args={"q": "x" * 30000}, result=[long])),
        facts={"response": response(call(args={"q": "x" * 30000}, result=[long]))},
    )
    yield dropped("text-too-long", "The answer goes out without its trace.", {**PLAIN, "content": long}, limit=1000)
    yield dropped(
        "too-many-calls",
        "Cut calls may be too many all the same.",
        *(call(number=f"c{n}", args={"q": long}, result=[]) for n in range(9)),
        limit=3000,
    )
    yield dropped(
        "by-default-dropped", "Nobody reads a larger one: servers cut it anywhere.", {**PLAIN, "content": "x" * 50000}
    )
    yield dropped(
        "words-remain",
        "What the answer did can be told all the same.",
        {**PLAIN, "content": long},
        DONE,
        limit=1000,
        facts={"has": {"text_face": {"web_search": True}}},
    )
    exact = response({**PLAIN, "content": "x" * 600})
    size = len(standard(exact))
    yield written(
        "budget/exactly-the-bound",
        "NM 10.5",
        "A trace of exactly the bound fits.",
        exact,
        limit=size,
        facts={"response": exact},
        level="SHOULD",
    )
    yield written(
        "budget/one-over-the-bound",
        "NM 10.5",
        "One more does not.",
        exact,
        limit=size - 1,
        facts={"address": None},
        diagnostics=["trace-dropped"],
        level="SHOULD",
    )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_trace.py; change that."
    yield "trace", "write", "trace.write", note, list(payloads())
    yield "trace", "address", "trace.write", note, list(addresses())
    yield "trace", "anchor", "trace.write", note, list(anchors())
    yield "trace", "budget", "trace.write", note, list(budgets())
