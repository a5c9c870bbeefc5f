"""What a reader sees of each part, as text."""

from __future__ import annotations

import json

import pytest

from tests.viewer.page import call, payload, response
from tests.viewer.samples import RESPONSE

DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
TEXT = {"kind": "text", "content": "Hello"}


def lines(page, selector: str) -> list[str]:
    """The texts of what fits, spaces as one."""
    return [" ".join(text.split()) for text in page.all(selector)]


def facts(page) -> dict[str, str]:
    """The facts of the only part."""
    return dict(zip(lines(page, ".parts dt"), lines(page, ".parts dd"), strict=True))


def test_the_overview_says_status_question_and_counts(page):
    page.open(payload(RESPONSE))
    assert lines(page, "#trace > section:first-child .pill") == ["ok"]
    assert lines(page, "#trace > section:first-child dd") == [
        RESPONSE["reply_to"],
        "6, with 3 tool calls: 2 ok, 1 failed",
    ]
    assert page.js("document.title") == "Trace: ok, 6 parts, 3 tool calls"


@pytest.mark.parametrize(("retriable", "sentence"), [(True, "Asking again may help."), (False, "is not said to help.")])
def test_an_error_is_told_with_whether_to_ask_again(page, retriable, sentence):
    error = {"code": "tool_down", "message": "The tool is down <b>now</b>.", "retriable": retriable}
    page.show(status="error", error=error)
    shown = page.one(".mistake")
    assert "tool_down" in shown
    assert "The tool is down <b>now</b>." in shown
    assert sentence in shown
    assert "The response has no parts." in page.text


def test_an_error_of_another_shape_is_shown_as_it_came(page):
    page.show(status="error", error="<b>down</b>")
    assert '{"error": "<b>down</b>"}' in page.one("#trace > section:first-child")


def test_the_place_in_a_stream_and_another_channel_are_shown(page):
    page.show(
        TEXT,
        status="partial",
        streaming={"stream_id": "s1", "seq": 3, "final": False},
        push_back={"channel": "email"},
        later=1,
    )
    text = page.one("#trace > section:first-child")
    assert '"stream_id": "s1", "seq": 3' in text
    assert '{"channel": "email"}' in text
    assert '{"later": 1}' in text


@pytest.mark.parametrize("mime", ["text/plain", "text/markdown", "text/html", "text/other", None])
def test_text_of_every_form_is_shown_as_it_was_written(page, mime):
    content = "<h1>One</h1>\n\n  **two** <img src=x onerror=alert(1)> &amp; [three](javascript:alert(1))"
    page.show({"kind": "text", "content": content} | ({} if mime is None else {"mime": mime}))
    assert page.one(".parts .text", "textContent") == content
    assert page.all(".parts .text *") == []


def test_parts_stand_in_their_order(page):
    page.show(TEXT, call("b"), {"kind": "link", "url": "https://a.example/"}, call("a"), TEXT)
    assert lines(page, ".parts h3") == ["Text", "Tool call: b", "Link", "Tool call: a", "Text"]


def test_a_file_inside_the_trace(page):
    ref = {"kind": "inline", "data_base64": "aGVsbG8="}
    page.show({"kind": "file", "mime": "text/plain", "name": "a.txt", "size_bytes": 5, "bytes_ref": ref})
    assert lines(page, ".parts h3") == ["File: a.txt"]
    assert facts(page) == {"Media type": "text/plain", "Size": "5 bytes", "Content": "inside this trace, 5 bytes"}


def test_a_file_behind_a_url(page):
    ref = {"kind": "url", "url": "https://files.example/a.pdf", "expires_at": "2026-11-28T00:00:00Z"}
    page.show({"kind": "file", "mime": "application/pdf", "size_bytes": 2_500_000, "bytes_ref": ref})
    assert facts(page) == {
        "Media type": "application/pdf",
        "Size": "2.5 MB",
        "Content": "at the URL",
        "URL": "https://files.example/a.pdf",
        "Site": "files.example",
        "Until": "2026-11-28T00:00:00Z",
    }


def test_an_artifact_named_by_its_digest(page):
    ref = {"kind": "content_addressed", "algo": "sha256", "digest": DIGEST, "url": "https://files.example/9f"}
    page.show({"kind": "artifact", "mime": "image/png", "name": "plot", "artifact_type": "chart", "bytes_ref": ref})
    assert lines(page, ".parts h3") == ["Artifact: plot"]
    found = facts(page)
    assert found["SHA-256"] == DIGEST
    assert found["Type"] == "chart"
    assert found["URL"] == "https://files.example/9f"


def test_bytes_of_a_kind_that_is_not_known_are_shown_as_json(page):
    page.show({"kind": "file", "mime": "text/plain", "bytes_ref": {"kind": "tape", "reel": 7}})
    assert facts(page)["Content"] == '{"kind": "tape", "reel": 7}'


@pytest.mark.parametrize("url", ["https://a.example/x?y=1", "http://a.example/"])
def test_a_link_of_the_web_can_be_followed_and_shows_where_it_leads(page, url):
    page.show({"kind": "link", "url": url, "title": "Bank", "description": "More"})
    assert lines(page, ".parts h3") == ["Link: Bank"]
    assert facts(page) == {"URL": url, "Site": "a.example", "Description": "More"}
    assert page.one(".parts a", "rel") == "noopener noreferrer nofollow"
    assert page.one(".parts a", "href") == url


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        " javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "file:///etc/passwd",
        "blob:https://a.example/1",
        "//a.example/",
        "",
        "mailto:a@a.example",
    ],
)
def test_no_other_url_can_be_followed(page, url):
    page.show({"kind": "link", "url": url}, {"kind": "file", "mime": "a/b", "bytes_ref": {"kind": "url", "url": url}})
    assert page.all("#trace a") == []
    assert len(page.all(".parts article")) == 2


def test_a_site_is_named_whatever_stands_before_it(page):
    page.show({"kind": "link", "url": "https://bank.example@evil.example/"})
    assert facts(page)["Site"] == "evil.example"


def test_a_policy_is_shown_and_leads_nowhere(page):
    policy = {"kind": "payment_required", "message": "Pay <b>now</b>", "url": "https://pay.example/"}
    page.show({"kind": "policy", "policy": policy})
    assert lines(page, ".parts h3") == ["Policy: payment_required"]
    assert facts(page)["Message"] == "Pay <b>now</b>"
    assert '"https://pay.example/"' in page.one(".parts article")
    assert page.all("#trace a") == []


@pytest.mark.parametrize("kind", ["poll", "constructor", "__proto__", "toString", "hasOwnProperty"])
def test_a_part_of_an_unknown_kind_is_shown_as_json(page, kind):
    page.show({"kind": kind, "question": "why"})
    assert lines(page, ".parts h3") == [f"Part: {kind}"]
    assert '"question": "why"' in page.one(".parts .json")


@pytest.mark.parametrize(
    "part",
    [
        {"kind": "text"},
        {"kind": "text", "content": ["a"]},
        {"kind": "file", "mime": "a/b"},
        {"kind": "file", "bytes_ref": {}},
        {"kind": "link", "url": None},
        {"kind": "policy", "policy": "pay"},
        {"kind": "tool_call", "id": "1", "name": "x"},
        {"kind": "tool_call", "id": 1, "name": "x", "args": {}},
    ],
)
def test_a_part_that_lacks_what_its_kind_needs_is_shown_as_json(page, part):
    page.show(part)
    assert "lacks what its kind needs" in page.one(".parts article")


def test_members_that_are_not_known_are_shown(page):
    page.show({**TEXT, "mood": "glad", "__proto__": 1})
    assert '{"mood": "glad", "__proto__": 1}' in page.one(".parts article")


def test_the_whole_is_there_as_json(page):
    page.open(payload(RESPONSE))
    page.js("document.querySelector('#raw').parentElement.querySelector('summary').click()")
    raw = page.one("section[aria-labelledby=raw] pre", "textContent")
    assert json.loads(raw) == RESPONSE


def test_a_thousand_parts_are_drawn_and_what_is_beyond_is_counted(page):
    page.open(payload(response(*[{"kind": "text", "content": str(n)} for n in range(1_000)])))
    assert len(page.all(".parts article")) == 1_000
    page.open(payload(response(*[{"kind": "a"}] * 1_003)))
    assert len(page.all(".parts article")) == 1_000
    assert "3 more parts in the raw JSON below." in page.text
