"""A trace that means harm is text on the page, and the page stays as quick as it is."""

from __future__ import annotations

import json
import time

import pytest

from tests.viewer.page import call, packed, payload, response

HOSTILE = (
    "<script>window.harmed = 1</script>",
    "</script><script>window.harmed = 1</script>",
    "</pre></body></html><script>window.harmed = 1</script>",
    "<img src=x onerror='window.harmed = 1'>",
    "<svg/onload=window.harmed=1>",
    "<iframe srcdoc='<script>parent.harmed = 1</script>'></iframe>",
    "<style>body { display: none }</style>",
    "<base href='https://evil.example/'><form action=https://evil.example/>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<a href='javascript:window.harmed=1'>click</a>",
    "javascript:window.harmed=1",
    "\"><img src='https://evil.example/x.png'>",
    "{{constructor.constructor('window.harmed=1')()}}${window.harmed=1}`",
    "<!-- --!> <![CDATA[ ]]> &lt;b&gt; &#0; %3Cscript%3E",
    "@import 'https://evil.example/x.css'; url(https://evil.example/)",
)
TAGS = {
    *("SECTION", "H2", "H3", "H4", "DIV", "P", "DL", "DT", "DD", "OL", "LI", "ARTICLE", "PRE", "CODE", "SPAN", "BDI"),
    *("DETAILS", "SUMMARY", "BUTTON", "A"),
}
ATTRIBUTES = {"class", "id", "dir", "href", "rel", "tabindex", "type", "aria-label", "aria-labelledby", "aria-hidden"}


def everywhere(text: str) -> dict:
    """A response that holds a text wherever a text may stand."""
    ref = {"kind": "url", "url": text, "expires_at": text}
    odd = {text: {text: [text]}}
    parts = [
        *(
            {"kind": "text", "mime": mime, "content": text}
            for mime in ("text/plain", "text/markdown", "text/html", text)
        ),
        {"kind": "file", "mime": text, "name": text, "size_bytes": 1, "bytes_ref": ref},
        {"kind": "file", "mime": text, "name": text, "bytes_ref": {"kind": "inline", "data_base64": text}},
        {
            "kind": "artifact",
            "mime": text,
            "artifact_type": text,
            "bytes_ref": {"kind": "content_addressed", "digest": text},
        },
        {"kind": "artifact", "mime": text, "bytes_ref": {"kind": text}},
        {"kind": "link", "url": text, "title": text, "description": text},
        {"kind": "link", "url": f"https://a.example/{text}", "title": text},
        {"kind": "policy", "policy": {"kind": text, "message": text, "url": text}},
        {"kind": "tool_call", "id": text, "name": text, "args": odd, "result": text, "started_at": text},
        {"kind": "tool_call", "id": text, "name": text, "args": text, "error": {"message": text, text: text}},
        {"kind": text, text: text},
    ]
    error = {"code": text, "message": text, "retriable": text}
    hint = {"channel": text, "thread_ref": text}
    return {**response(*parts, status="error", error=error, push_back=hint), "reply_to": text, text: text}


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_is_text_wherever_it_stands(page, text):
    page.open(payload(everywhere(text)))
    assert page.problem == ""
    assert set(page.all("#trace *", "tagName")) <= TAGS
    assert set(page.js("Array.from(document.querySelectorAll('#trace *'), (e) => e.getAttributeNames()).flat()")) <= (
        ATTRIBUTES | {"open", "style"}
    )
    assert page.all(".parts .text", "textContent") == [text] * 4
    assert page.all(".mistake .plain", "textContent") == [text] * 2
    assert page.js("window.harmed") is None
    assert page.js("document.scripts.length + document.styleSheets.length") == 2
    assert [href for href in page.all("#trace a", "href") if not href.startswith("https://a.example/")] == []


def test_markup_is_text_in_what_is_pasted_too(page):
    page.open()
    for text in HOSTILE:
        page.paste(json.dumps(everywhere(text)))
        assert page.problem == ""
        page.paste(text)
        assert page.problem
    assert page.js("window.harmed") is None


def test_members_called_like_those_of_every_object_are_only_members(page):
    odd = '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "hasOwnProperty": 1}'
    page.open(
        packed(
            f'{{"reply_to":"m","status":"ok","__proto__":{{"status":"error","polluted":1}},"parts":['
            f'{{"kind":"tool_call","id":"1","name":"x","args":{odd},"__proto__":{{"result":1,"error":{{"message":"no"}}}}}},'
            f'{{"kind":"text","__proto__":{{"content":"inherited"}}}}]}}'.encode()
        )
    )
    assert page.js("({}).polluted") is None
    assert page.all(".parts .pill") == ["running"]
    assert '"__proto__": {"polluted": 1}' in page.all(".parts article")[0]
    assert "lacks what its kind needs" in page.all(".parts article")[1]
    assert page.all("#trace > section:first-child .pill") == ["ok"]


@pytest.mark.parametrize(
    "control", ["\u202e", "\u2066", "\u200f", "\u200b", "\u0000", "\u001b", "\u2028", "\U000e0041"]
)
def test_characters_that_hide_or_turn_others_are_written_out_in_names(page, control):
    name = f"invoice{control}fdp.exe"
    escape = json.dumps(control)[1:-1]
    ref = {"kind": "url", "url": f"https://a.example/{control}x"}
    page.show({"kind": "file", "mime": "a/b", "name": name, "bytes_ref": ref}, call(name, args={control: control}))
    assert page.all(".parts h3") == [f"File: invoice{escape}fdp.exe", f"Tool call: invoice{escape}fdp.exe"]
    assert page.one(".parts a") == f"https://a.example/{escape}x"
    assert page.all(".parts .json") == [f'{{"{escape}": "{escape}"}}']


def test_text_in_another_direction_turns_nothing_around_it(page):
    text = "\u202eabc \u05d0\u05d1\u05d2"
    page.show({"kind": "text", "content": text}, call("\u05d0\u05d1", error={"message": text}))
    assert page.one(".parts .text", "textContent") == text
    style = "Array.from(document.querySelectorAll('{}'), (e) => getComputedStyle(e).unicodeBidi)"
    assert page.js(style.format(".parts .text, .parts .plain")) == ["plaintext", "plaintext"]
    assert set(page.js(style.format("#trace bdi"))) == {"isolate"}


def test_lone_surrogates_do_no_harm(page):
    page.open(packed(json.dumps(everywhere("a\ud800b\udfff")).encode()))
    assert page.problem == ""
    assert page.all(".parts h3")[0] == "Text"
    assert r"Tool call: a\ud800b\udfff" in page.all(".parts h3")


def test_numbers_are_shown_as_they_were_written(page):
    numbers = ["12345678901234567890123", "-9007199254740993", "1e400", "-1E+999", "9007199254740991", "0.1", "true"]
    args = ",".join(f'"n{i}":{number}' for i, number in enumerate(numbers))
    page.open(
        packed(
            f'{{"reply_to":"m","status":"ok","parts":[{{"kind":"tool_call","id":"1","name":"x","args":{{{args}}},'
            f'"duration_ms":1e999}},{{"kind":"file","mime":"a/b","bytes_ref":{{}},"size_bytes":1e999}}]}}'.encode()
        )
    )
    assert page.problem == ""
    shown = page.all(".parts .json")[0]
    assert [f'"n{i}": {number}' in shown for i, number in enumerate(numbers)] == [True] * len(numbers)
    assert page.all(".parts .end") == ["duration unknown"]


def test_two_calls_with_one_id_are_both_shown(page):
    ours = ["main", "problem", "trace", "form", "part-0"]
    page.show(*[{**call(f"c{n}", result=n), "id": of} for of in ours for n in range(2)])
    assert len(page.all(".parts article")) == 10
    assert (
        page.js("(ids => ids.length - new Set(ids).size)(Array.from(document.querySelectorAll('[id]'), e => e.id))")
        == 0
    )


LARGE = {
    "one long word": response({"kind": "text", "content": "x" * 49_000}),
    "many small parts": response(*[{"kind": "a"}] * 3_300),
    "many small calls": response(*[{"kind": "tool_call", "id": str(n), "name": "n", "args": n} for n in range(800)]),
    "one list of many": response(call(result=[0] * 16_000)),
    "one object of many": response(call(result={str(n): n for n in range(2_800)})),
    "many lists in lists": response(call(result=[[]] * 12_000)),
    "deep lists again and again": response(*[call(str(n), args=json.loads("[" * 60 + "]" * 60)) for n in range(200)]),
    "quotes and backslashes": response({"kind": "text", "content": '\\"' * 12_000}),
    "a long name": response(call("n" * 24_000)),
    "a long address": response({"kind": "link", "url": "https://a.example/" + "%2e" * 16_000}),
}


@pytest.mark.parametrize("what", LARGE)
def test_the_largest_traces_are_drawn_at_once_and_fit(page, what):
    page.size(320, 640, mobile=True)
    fragment = packed(json.dumps(LARGE[what], separators=(",", ":")).encode())
    assert len(fragment) <= 65_536
    started = time.monotonic()
    page.open(fragment)
    assert page.problem == ""
    assert page.overflow() == 0
    assert time.monotonic() - started < 25  # what is not drawn at once takes minutes


@pytest.mark.parametrize("depth", [1_000, 24_000, 100_000])
def test_arrays_of_any_depth_end_in_a_sentence(page, depth):
    page.open(packed(b"[" * depth + b"]" * depth))
    assert "too large" in page.problem or "nested too deeply" in page.problem
    page.open()
    page.paste("[" * depth + "]" * depth)
    assert "too large" in page.problem or "nested too deeply" in page.problem


def test_the_deepest_value_that_is_allowed_is_shown(page):
    page.show(call(args=json.loads("[" * 60 + "1" + "]" * 60)))
    assert page.problem == ""
    assert (
        page.js("document.querySelector('.parts .json').textContent.replace(/\\s/g, '')") == "[" * 60 + "1" + "]" * 60
    )


GUARDS = {
    "an image": "document.body.append(Object.assign(document.createElement('img'), {src: 'https://evil.example/x.png'}))",
    "a fetch": "fetch('https://evil.example/').catch(() => 0)",
    "a script": "document.body.append(Object.assign(document.createElement('iframe'), {src: 'https://evil.example/'}))",
    "an attribute": "document.body.setAttribute('style', 'color: red')",
}


@pytest.mark.parametrize("what", GUARDS)
def test_the_policy_of_the_page_would_stop_it_and_the_tests_would_see_it(page, what):
    page.open()
    page.js(f"void ({GUARDS[what]})")
    page.settle()
    page.settle()
    assert "Content Security Policy" in " ".join(page.troubles)
    assert [trouble for trouble in page.troubles if trouble.startswith("request") and "evil" not in trouble] == []
    page.troubles.clear()


def test_markup_cannot_be_made_of_text_at_all(page):
    page.open()
    done = page.ask("Runtime.evaluate", expression="document.body.innerHTML = '<b>x</b>'")
    assert "TrustedHTML" in str(done["exceptionDetails"])
    page.settle()
    page.troubles.clear()
