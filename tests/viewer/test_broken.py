"""A trace that cannot be shown gets a sentence, and nothing else."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest

from tests.viewer.page import packed, payload, response

GOOD = response({"kind": "text", "content": "Hello"})

BROKEN = {
    "too many characters": (
        "A" * 65_537,
        "This trace is too large: 65,537 characters, and at most 65,536 are allowed.",
    ),
    "not base64": ("!!!", "This is not a trace: it is not base64."),
    "a length that base64 never has": ("AAAAA", "This is not a trace: it is not base64."),
    "padding in the middle": ("AA==AAAA", "This is not a trace: it is not base64."),
    "a bad escape": ("%zz", "This is not a trace: it is not base64."),
    "not UTF-8": (packed(b"\xff\xfe{}"), "what it holds is not UTF-8 text."),
    "a byte order mark": (packed(b"\xef\xbb\xbf" + json.dumps(GOOD).encode()), "what it holds is not JSON."),
    "not JSON": (packed(b"Hello"), "what it holds is not JSON. It may have been cut off."),
    "cut off": (payload(GOOD)[:-8], "what it holds is not JSON. It may have been cut off."),
    "NaN": (packed(b'{"reply_to": NaN}'), "what it holds is not JSON."),
    "nested too deeply": (packed(b"[" * 20_000 + b"]" * 20_000), "nested too deeply: at most 64 levels"),
    "never closed": (packed(b'{"a":' * 9_000), "nested too deeply: at most 64 levels"),
    "the same member twice": (packed(b'{"reply_to":"a","reply_to":"b","parts":[],"status":"ok"}'), "same member twice"),
    "a list": (payload([]), "not a response: it is not an object."),
    "a number": (payload(1e300), "not a response: it is not an object."),
    "no reply_to": (payload({"parts": [], "status": "ok"}), "“reply_to” is missing or is no text."),
    "no status": (payload({"parts": [], "reply_to": "m"}), "“status” must be ok, partial or error."),
    "a status of objects": (payload(response(status="constructor")), "“status” must be ok, partial or error."),
    "no parts": (payload({"reply_to": "m", "status": "ok"}), "“parts” is missing or is no list."),
    "a part that is no object": (payload({**GOOD, "parts": ["Hello"]}), "a part of it has no kind."),
    "a part without a kind": (payload(response({"content": "Hello"})), "a part of it has no kind."),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_wrong_is_said_in_a_sentence(page, what):
    fragment, sentence = BROKEN[what]
    page.open(fragment)
    assert sentence in page.problem
    assert page.problem.endswith(".")
    assert page.roles("alert") in ([], [page.problem])
    assert page.one("#trace", "childElementCount") == 0


def test_a_large_json_is_too_large_in_bytes(page):
    page.open()
    page.paste(json.dumps(response({"kind": "text", "content": "ä" * 25_000}), ensure_ascii=False))
    assert page.problem == "This trace is too large: at most 49,152 bytes of JSON are allowed."


@pytest.mark.parametrize(
    "pasted",
    [
        f"https://mentionable.dev/trace#{payload(GOOD)}",
        f"file:///tmp/trace.html#{payload(GOOD)}",
        f"data:application/json;base64,{b64encode(json.dumps(GOOD).encode()).decode()}",
        f"DATA:application/json;charset=utf-8;base64,{payload(GOOD)}",
        payload(GOOD),
        b64encode(json.dumps(GOOD).encode()).decode(),
        "\n".join(payload(GOOD)[at : at + 40] for at in range(0, 400, 40)),
        json.dumps(GOOD, indent=2),
        f"  #{payload(GOOD)}\n",
    ],
)
def test_whatever_holds_a_trace_can_be_pasted(page, pasted):
    page.open()
    page.paste(pasted)
    assert page.problem == ""
    assert page.all(".parts .text") == ["Hello"]


@pytest.mark.parametrize(
    ("pasted", "sentence"),
    [
        ("https://mentionable.dev/trace", "There is no trace in this address: nothing follows a # in it."),
        ("data:text/plain,Hello", "There is no trace in this address: nothing follows a # in it."),
        ("https://mentionable.dev/trace#", "what it holds is not JSON."),
        ("{", "what it holds is not JSON."),
        ("[]", "it is not an object."),
        ("Hello there!", "it is not base64."),
        ("A" * 70_000, "This trace is too large"),
    ],
)
def test_what_was_pasted_wrongly_is_told(page, pasted, sentence):
    page.open()
    page.paste(pasted)
    assert sentence in page.problem


def test_a_good_trace_takes_the_place_of_a_broken_one_and_the_other_way(page):
    page.open(payload(GOOD))
    page.js("location.hash = '#!'")
    page.settle()
    assert page.problem
    assert page.all(".parts") == []
    assert page.js("document.title") == "Trace viewer"
    page.js(f"location.hash = '#{payload(GOOD)}'")
    page.settle()
    assert page.problem == ""
    assert page.all(".parts .text") == ["Hello"]


def test_without_a_fragment_the_page_is_empty_again(page):
    page.open(payload(GOOD))
    page.js("location.hash = ''")
    page.settle()
    assert page.problem == ""
    assert page.one("#trace", "childElementCount") == 0
    assert "Open a trace" in page.text


@pytest.mark.parametrize("alphabet", ["base64url", "base64", "padded", "escaped"])
def test_a_fragment_may_be_in_either_alphabet(page, alphabet):
    data = json.dumps(response({"kind": "text", "content": "ÿþ~~~???>>>"}), ensure_ascii=False).encode()
    standard = b64encode(data).decode()
    assert set("+/") & set(standard)
    fragment = {
        "base64url": packed(data),
        "base64": standard.rstrip("="),
        "padded": standard,
        "escaped": standard.replace("+", "%2B").replace("/", "%2f").replace("=", "%3D"),
    }
    page.open(fragment[alphabet])
    assert page.all(".parts .text") == ["ÿþ~~~???>>>"]


def test_what_is_pasted_does_not_stay_under_the_address_of_another_trace(page):
    page.open(payload(GOOD))
    page.paste(json.dumps(response({"kind": "text", "content": "Other"})))
    assert page.all(".parts .text") == ["Other"]
    assert page.js("location.hash") == ""
