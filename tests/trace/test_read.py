"""Taking a trace out of the body that it came in."""

from __future__ import annotations

import nh3
import pytest
from hypothesis import given

from mentionable import NormalizedResponse, TextPart, ToolCallPart, UsageError, WireError, html_to_text, replace
from mentionable.testing import strategies
from mentionable.trace import ExtractedTrace, extract, read, read_leniently, write

CALL = ToolCallPart(id="c1", name="web_search", args={"q": "rain"}, result=[], duration_ms=412)
RESPONSE = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Hello"), CALL))


@pytest.mark.parametrize("viewer", [None, "https://traces.example/"])
def test_a_trace_is_taken_out_and_read(viewer):
    written = write(RESPONSE, viewer=viewer)
    found = extract(f"<p>Hello</p><p>{written.html}</p>")
    assert found == ExtractedTrace(html="<p>Hello</p>", response=RESPONSE, href=written.href)


@given(strategies.responses())
def test_every_response_comes_back_from_a_body(whole):
    found = extract("<p>Hello</p>" + write(whole).html)
    assert (found.html, found.response) == ("<p>Hello</p>", whole)


def test_a_body_without_trace_is_left_as_it_is():
    assert extract("<p>Hello</p>") == ExtractedTrace(html="<p>Hello</p>")


@pytest.mark.parametrize(
    ("start", "code"),
    [
        ('<a class="mentionable-trace" href="https://mentionable.dev/trace#e30">', "trace-malformed"),
        ('<a class="mentionable-trace">', "trace-malformed"),
        pytest.param('<a class="mentionable-trace" href="' + "A" * 70_000 + '">', "trace-too-large", id="too-large"),
        (write(RESPONSE).html.partition("[")[0].replace('"0.1"', '"0.2"'), "trace-version-unsupported"),
    ],
)
def test_a_trace_that_cannot_be_read_stays_and_no_second_one_is_looked_for(start, code):
    html = f"<p>Hello {start}[trace]</a></p>{write(RESPONSE).html}"
    found = extract(html)
    assert (found.html, found.response, found.href, found.diagnostics[0].code) == (html, None, None, code)


GENTLE = nh3.Cleaner(
    tags={"a", "p"},
    attributes={"a": {"href", "class", "data-version"}},
    url_schemes={"https"},
    link_rel="nofollow noreferrer noopener",
    set_tag_attribute_values={"a": {"target": "_blank"}},
)
STRICT = nh3.Cleaner(tags={"a", "p"}, attributes={"a": {"href"}}, allowed_classes={"a": {"mention"}})


def test_a_trace_survives_a_server_that_keeps_classes_and_adds_attributes():
    cleaned = GENTLE.clean(f"<p>Hello</p><p>{write(RESPONSE).html}</p>")
    assert 'target="_blank"' in cleaned
    found = extract(cleaned)
    assert (found.html, found.response) == ("<p>Hello</p>", RESPONSE)


def test_behind_a_server_that_empties_the_class_there_is_a_link_and_no_trace():
    written = write(RESPONSE)
    cleaned = STRICT.clean(f"<p>Hello</p>{written.html}")
    assert written.href in cleaned
    assert "[trace: web_search ✓ 412ms]" in cleaned
    assert extract(cleaned) == ExtractedTrace(html=cleaned)


@pytest.mark.parametrize("lead", ["<scr", "<!-", "1 <", "&am", "&#1", "a <b", "<a title='x"])
def test_what_stood_apart_is_not_joined(lead):
    words = "ipt>VISIBLE TO PEOPLE</script> p;08; <p>All of it</p>"
    found = extract(lead + write(RESPONSE).html + words)
    assert found.response == RESPONSE
    assert html_to_text(found.html) == html_to_text(lead + "<!---->" + words)
    assert "All of it" in html_to_text(found.html)


def test_words_that_are_more_than_those_of_an_anchor_stay():
    start = write(RESPONSE).html.partition(">")[0] + ">"
    found = extract(f"{start}Please send 1000 EUR. {'x' * 200}</a>")
    assert found.response == RESPONSE
    assert "Please send 1000 EUR." in html_to_text(found.html)


def test_what_was_noted_of_the_task_of_another_agent_is_not_passed_on():
    noted = replace(RESPONSE, extra={"a2a": {"task_id": "secret"}, "other": 1})
    assert read(write(noted).href) == replace(RESPONSE, extra={"other": 1})


@pytest.mark.parametrize("wrong", [None, 5, {"reply_to": "m1"}])
def test_a_trace_is_read_from_text_or_bytes(wrong):
    with pytest.raises(UsageError, match="text or bytes"):
        read(wrong)


@pytest.mark.parametrize("head", ["", "\udc80"])
def test_a_text_with_half_of_a_surrogate_pair_is_no_trace(head):
    text = f'{head}{{"reply_to": "m1", "parts": [], "status": "ok", "x": "\ud800"}}'
    with pytest.raises(WireError) as caught:
        read_leniently(text)
    assert caught.value.code == "trace-malformed"
