"""What people read of a response."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    ArtifactPart,
    CallError,
    CarriedPolicy,
    DigestRef,
    FilePart,
    LinkPart,
    NormalizedResponse,
    TextPart,
    ToolCallPart,
    UnknownPart,
    UrlRef,
    policy,
)
from mentionable._model.message import ResponseError
from mentionable._text.response_text import render_response_html, render_response_text
from mentionable.testing import strategies
from tests.test_html_sanitize import HOSTILE, allowed_only

X = "https://x.example/"
REL = ' rel="nofollow noopener noreferrer"'
CALL = ToolCallPart(id="c1", name="look", args={"q": "<b>"}, result=[1])
FAILED = ToolCallPart(id="c2", name="look", args={}, error=CallError(message="a\nb\u202e"))
RUNNING = ToolCallPart(id="c3", name="look", args={})
BEHIND = UrlRef(url=X + "a.pdf")


def response(*parts, **members):
    return NormalizedResponse(reply_to="m1", parts=parts, **members)


def demand(**members):
    return CarriedPolicy(policy=policy.Forbidden(message="Not <you>", **members))


@pytest.mark.parametrize(
    ("part", "text", "html"),
    [
        (TextPart(content="*a* <b>"), "*a* <b>", "<p>*a* &lt;b&gt;</p>"),
        (TextPart(content="*a*", mime="text/markdown"), "*a*", "<p><em>a</em></p>"),
        (TextPart(content="<p>a<i>b", mime="text/html"), "ab", "<p>a<i>b</i></p>"),
        (LinkPart(url=X), X, f'<p><a href="{X}"{REL}>{X}</a></p>'),
        (
            LinkPart(url=X, title="a\n<b>", description="c\u202ed"),
            f"a\n<b> <{X}>\ncd",
            f'<p><a href="{X}"{REL}>a &lt;b&gt;</a><br>cd</p>',
        ),
        (LinkPart(url=X, title="\u200b"), f"\u200b <{X}>", f'<p><a href="{X}"{REL}>{X}</a></p>'),
        (FilePart.of(b"x", mime="text/csv"), "[file (text/csv)]", "<p>file (text/csv)</p>"),
        (
            FilePart(mime="image/png", bytes_ref=BEHIND, name="<a>"),
            f"[‹a› (image/png)] <{X}a.pdf>",
            f'<p><a href="{X}a.pdf"{REL}>&lt;a&gt;</a> (image/png)</p>',
        ),
        (
            ArtifactPart(mime="text/csv", bytes_ref=DigestRef(digest="0" * 64), name="t"),
            "[t (text/csv)]",
            "<p>t (text/csv)</p>",
        ),
        (CALL, '🔧 look({"q":"<b>"}) → [1]', "<p>🔧 look({&quot;q&quot;:&quot;&lt;b&gt;&quot;}) → [1]</p>"),
        (FAILED, "🔧 look({}) → ❌ a b\u202e", "<p>🔧 look({}) → ❌ a b</p>"),
        (RUNNING, "🔧 look({}) → …", "<p>🔧 look({}) → …</p>"),
        (demand(), "Not <you>", "<p>Not &lt;you&gt;</p>"),
        (demand(url=X), f"Not <you>\n{X}", f'<p>Not &lt;you&gt;</p><p><a href="{X}"{REL}>{X}</a></p>'),
        (
            demand(url=X, action_label="Pay\n<now>"),
            f"Not <you>\nPay <now>: {X}",
            f'<p>Not &lt;you&gt;</p><p><a href="{X}"{REL}>Pay &lt;now&gt;</a> (x.example)</p>',
        ),
        (UnknownPart(kind="x", extra={"y": 1}), "", ""),
    ],
)
def test_each_part_has_a_text_and_an_html(part, text, html):
    assert render_response_text(response(part)) == text
    assert render_response_html(response(part)) == html


def test_parts_are_set_apart_and_those_that_say_nothing_leave_no_gap():
    whole = response(TextPart(content="a"), UnknownPart(kind="x"), TextPart(content=""), TextPart(content="b"))
    assert render_response_text(whole) == "a\n\nb"
    assert render_response_html(whole) == "<p>a</p>\n<p>b</p>"


def test_parts_that_go_along_are_not_named():
    whole = response(FilePart.of(b"x", mime="text/csv"), TextPart(content="a"))
    assert render_response_text(whole, attached={0}) == "a"
    assert render_response_html(whole, attached={0}) == "<p>a</p>"


def test_a_room_may_have_its_own_line_for_tool_calls():
    assert (
        render_response_html(response(CALL), tool_line=lambda part: f"✅ {part.name}\n<x>")
        == "<p>✅ look &lt;x&gt;</p>"
    )
    assert render_response_html(response(CALL), tool_line=lambda _: "") == ""


@pytest.mark.parametrize("mime", ["text/markdown", "text/html"])
def test_images_that_go_along_are_shown_in_the_text(mime):
    text = "![a](cid:a.png)" if mime == "text/markdown" else "<img src='cid:a.png' alt=a>"
    html = render_response_html(response(TextPart(content=text, mime=mime)), images={"a.png": "cid:1@h.example"})
    assert '<img src="cid:1@h.example" alt="a">' in html


ERROR = ResponseError(code="x", message="It <failed>\nagain", retriable=True)


@pytest.mark.parametrize("parts", [(), (UnknownPart(kind="x"),), (TextPart(content="\n"),)])
def test_an_answer_that_says_nothing_else_says_why_it_failed(parts):
    whole = response(*parts, status="error", error=ERROR)
    assert render_response_text(whole) == "It <failed>\nagain"
    assert render_response_html(whole) == "<p>It &lt;failed&gt; again</p>"


def test_an_answer_that_says_something_does_not():
    whole = response(TextPart(content="a"), status="error", error=ERROR)
    assert (render_response_text(whole), render_response_html(whole)) == ("a", "<p>a</p>")


def test_nothing_is_nothing():
    assert (render_response_text(response()), render_response_html(response())) == ("", "")


@given(strategies.responses())
def test_every_response_has_faces_and_its_html_holds_nothing_else(whole):
    text = render_response_text(whole)
    plain = [part for part in whole.parts if isinstance(part, TextPart) and part.mime == "text/plain"]
    assert all(part.content.strip("\n") in text for part in plain)
    allowed_only(render_response_html(whole))


@given(HOSTILE.filter(str.strip), st.sampled_from(["text/plain", "text/markdown", "text/html"]))
def test_hostile_words_anywhere_in_a_response_stay_words(words, mime):
    allowed_only(
        render_response_html(
            response(
                TextPart(content=words, mime=mime),
                LinkPart(url=X, title=words, description=words),
                FilePart(mime="text/csv", bytes_ref=BEHIND, name=words),
                ToolCallPart(id="1", name=words, args=words, result=words),
                ToolCallPart(id="2", name=words, args=words, error=CallError(message=words)),
                CarriedPolicy(policy=policy.Forbidden(message=words, url=X, action_label=words)),
            )
        )
    )


@pytest.mark.uncounted
def test_markup_beyond_what_is_rendered_of_a_response_is_text():
    long = TextPart(content="*a* " * 20_000, mime="text/markdown")
    html = render_response_html(
        response(long, TextPart(content="<b>b</b> " * 8_000, mime="text/html"), TextPart(content="c"))
    )
    assert html.count("<em>a</em>") == 20_000
    assert "<b>" not in html
    assert html.count("b ") >= 7_999
    assert html.endswith("<p>c</p>")
