import re

import pytest
from mentionable import (
    ArtifactPart,
    CallError,
    CarriedPolicy,
    DigestRef,
    FilePart,
    InlineRef,
    LinkPart,
    NormalizedResponse,
    ResponseError,
    Sender,
    TextPart,
    ToolCallPart,
    UnknownPart,
    UrlRef,
    UsageError,
    policy,
)
from operator_visits import TOKEN, call

from mentionable_host.operator import Operator, conversations, rendering
from mentionable_host.trace_viewer import TraceViewer

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=https://evil.example/pixel.png onerror=alert(1)>",
    "![pixel](https://evil.example/pixel.png)",
    "[here](javascript:alert(1)) and <javascript:alert(1)>",
    "<style>body{display:none}</style><iframe src=https://evil.example>",
    "</main></body></html>{{ 7*7 }} {% include 'x' %}",
    "\u202egnp.exe\u2066 \u200f\u0000\u0007",
    "x" * 10_000,
    "👩‍👩‍👧‍👦" * 500,
    "Z̸̢̛̜" * 200,
    "\ud83d",
]


def names(text):
    """What is in a page that a browser would load or run."""
    return re.findall(
        r"<(?:img|iframe|style|object|embed|form action=\"https?|svg|video|audio|base|meta http)[^>]*>", text
    )


def test_an_empty_host_says_that_nobody_has_written(page):
    assert "Nobody has written yet." in page.get("/operator").text


def test_conversations_of_all_transports_are_listed_the_newest_first(page, store):
    store(page.host, "Will it rain?", thread_id="t1", answer=("It will.",))
    store(page.host, "By mail", thread_id="t2", transport="email", sender="@bob@b.example")

    text = page.get("/operator").text

    assert text.index("@bob@b.example") < text.index("@alice@a.example")
    assert "It will." in text
    assert "2 messages and 1 answers in 2 conversations with 2 people" in " ".join(text.split())


def test_a_long_list_is_read_in_pieces(page, store):
    for number in range(53):
        store(page.host, f"Question {number}.", thread_id=f"t{number}")
    first = page.get("/operator").text
    older = re.search(r'rel="next" href="([^"]+)"', first)[1]
    second = page.get(older).text

    assert (first.count("Question "), second.count("Question ")) == (50, 3)
    assert 'rel="next"' not in second


def test_words_are_searched_for(page, store):
    store(page.host, "Will it rain?")
    store(page.host, "Is it <b>warm</b>?", thread_id="t2")

    found = page.get("/operator", params={"q": "WARM</b>"}).text

    assert "&lt;b&gt;warm" in found
    assert "rain" not in found
    assert "No message has these words." in page.get("/operator", params={"q": "%"}).text


def test_a_thread_shows_messages_verdicts_and_answers(page, store):
    sender = Sender(address="@mallory@m.example", display_name="Mallory", auth_method="none", verified=False)
    number = store(page.host, "**Who** am I?", sender=sender, answer=("You are *nobody*.",))

    text = page.get(f"/operator/threads/{number}").text

    assert "<strong>Who</strong>" in text
    assert "<em>nobody</em>" in text
    assert "not verified" in text
    assert "<bdi>Mallory</bdi>" in text
    assert "no answer so far" not in text


def test_an_answer_shows_its_tool_calls_and_leads_to_the_trace_viewer(page, store):
    failed = ToolCallPart(id="c2", name="fetch_page", args={}, error=CallError(message="no <b>"))
    answer = (call(duration_ms=412), failed, "Done.")
    number = store(page.host, answer=answer)

    text = page.get(f"/operator/threads/{number}").text

    assert "412 ms" in text
    assert "no &lt;b&gt;" in text
    assert "&#34;q&#34;: &#34;rain&#34;" in text
    assert 'href="https://agents.example/trace#' in text
    assert "Trace of 2 tool calls" in text


def test_a_trace_leads_to_the_viewer_of_this_host_where_it_has_one(make_host, visit, store):
    host = make_host(Operator, TraceViewer, operator={"token": TOKEN})
    number = store(host, answer=(call(),))

    assert 'href="/trace#' in visit(host).get(f"/operator/threads/{number}").text


def test_without_a_viewer_a_trace_has_no_link(make_host, visit, store):
    host = make_host(Operator, operator={"token": TOKEN}, server={"trace_viewer": "none"})
    number = store(host, answer=(call(),))
    text = visit(host).get(f"/operator/threads/{number}").text

    assert "web_search" in text
    assert "Trace of" not in text


def test_what_the_agent_of_a_sender_claims_is_said_to_be_a_claim(page, store):
    trace = NormalizedResponse(reply_to="x", parts=(call("send_money"),))
    number = store(page.host, received_trace=trace)

    text = page.get(f"/operator/threads/{number}").text

    assert "The sender’s agent says that it did this: 1 tool call, not proven" in text


def test_a_failed_answer_says_so(page, store):
    answer = NormalizedResponse(
        reply_to="m1",
        parts=(),
        status="error",
        error=ResponseError(code="agent-failed", message="Oh <no>", retriable=False),
    )
    number = store(page.host, answer=answer)

    text = page.get(f"/operator/threads/{number}").text

    assert "agent-failed" in text
    assert "Oh &lt;no&gt;" in text


def test_earlier_messages_of_a_long_thread_are_a_page_away(page, store):
    numbers = [store(page.host, f"Question {number}.") for number in range(60)]

    newest = page.get(f"/operator/threads/{numbers[0]}").text
    earlier = page.get(re.search(r'rel="prev" href="([^"]+)"', newest)[1]).text

    assert ("Question 59." in newest, "Question 9." in newest) == (True, False)
    assert ("Question 59." in earlier, "Question 9." in earlier) == (False, True)


def test_very_long_texts_are_rendered_as_far_as_it_does_not_take_long(page, store, monkeypatch):
    monkeypatch.setattr(conversations, "RENDERED", 10)
    numbers = [store(page.host, f"**Question** {number}.") for number in range(3)]

    text = page.get(f"/operator/threads/{numbers[0]}").text

    assert text.count("<strong>Question</strong>") == 1
    assert text.index("**Question** 1.") < text.index("<strong>Question</strong> 2.")


def test_demands_and_parts_of_later_versions_are_shown_as_json(page, store):
    demand = CarriedPolicy(policy=policy.Forbidden(message="Pay <first>."))
    number = store(page.host, parts=(UnknownPart(kind="hologram", extra={"depth": 3}),), answer=(demand,))

    text = page.get(f"/operator/threads/{number}").text

    assert "The agent demands something first: Pay &lt;first&gt;." in text
    assert "A part of another kind" in text
    assert "&#34;depth&#34;: 3" in text


def test_a_text_that_the_library_does_not_write_is_shown_as_it_was_typed(page, store, monkeypatch):
    def refuse(*_, **__):
        raise UsageError("canary")

    monkeypatch.setattr(rendering.rest, "reply", refuse)
    number = store(page.host, "**Bold** <b>")

    assert "Bold** &lt;b&gt;</p>" in page.get(f"/operator/threads/{number}").text


def test_a_message_that_no_model_can_read_is_shown_all_the_same(page, store, monkeypatch):
    def refuse(*_, **__):
        raise UsageError("canary <b>")

    monkeypatch.setattr(conversations.prompt, "render", refuse)
    number = store(page.host)

    assert "It cannot be rendered: canary &lt;b&gt;" in page.get(f"/operator/messages/{number}").text


def test_files_are_downloads_and_nothing_else(page, store):
    digest = "a" * 64
    parts = (
        FilePart.of(b"<script>alert(1)</script>", mime="text/html", name='a"\r\n.html'),
        FilePart(mime="image/png", name="b.png", bytes_ref=DigestRef(digest=digest)),
        FilePart(mime="image/png", name="gone.png", bytes_ref=DigestRef(digest="b" * 64)),
        FilePart(mime="image/png", name="c.png", bytes_ref=UrlRef(url="https://files.example/c.png")),
        ArtifactPart(mime="text/plain", bytes_ref=InlineRef(data_base64="aGk=")),
        LinkPart(url="https://a.example/?a=1&b=2", title="<b>"),
    )
    number = store(page.host, parts=parts, files={digest: b"png"})

    text = page.get(f"/operator/threads/{number}").text
    first = page.get(f"/operator/messages/{number}/files/0")
    statuses = [
        page.get(f"/operator/messages/{number}/files/{place}").status_code for place in (1, 2, 3, 4, 5, 6, "x", "²")
    ]

    assert names(text) == []
    assert text.count("Download") == 3
    assert "its bytes are not kept here" in text
    assert first.content == b"<script>alert(1)</script>"
    assert first.headers["content-type"] == "application/octet-stream"
    assert first.headers["content-disposition"].startswith('attachment; filename="a___.html"')
    assert "sandbox" in first.headers["content-security-policy"]
    assert statuses == [200, 404, 404, 200, 404, 404, 404, 404]


def test_a_message_shows_what_is_stored_and_what_a_model_reads(page, store):
    number = store(page.host, "Will it </pre> rain?")

    text = page.get(f"/operator/messages/{number}").text

    assert "(@alice@a.example)]: Will it &lt;/pre&gt; rain?" in text or "[@alice@a.example]: Will it" in text
    assert "&#34;thread_id&#34;: &#34;t1&#34;" in text
    assert "Will it </pre>" not in text


@pytest.mark.parametrize("mime", ["text/plain", "text/markdown", "text/html"])
def test_hostile_text_does_nothing(page, store, mime):
    for number, words in enumerate(HOSTILE[:-1]):
        part = TextPart(content=words, mime=mime)
        name = words[:200].replace("\0", "") or "x"
        sender = Sender(address="@eve@e.example", display_name=name, verified=True, auth_method="ap-http-signature")
        store(
            page.host,
            parts=(part,),
            sender=sender,
            thread_id=f"t{number}",
            answer=(words.replace("\0", ""), call(words[:50])),
        )
        for path in ("", f"/threads/{2 * number + 1}", f"/messages/{2 * number + 1}", "/people"):
            got = page.get(f"/operator{path}")
            assert got.status_code == 200, (path, words)
            assert names(got.text) == [], (path, words)
            assert got.text.count("<script") == 1, (path, words)
            assert not re.search(r"""(?:href|src|action)=["']?\s*(?:javascript|data|//|http:)""", got.text), (
                path,
                words,
            )
            assert "49" not in got.text.partition("{{")[0][-10:]
            assert "\u202e" not in got.text.partition("<pre")[0] or mime == "x", (path, words)


def test_a_name_shows_what_it_hides(page, store):
    sender = Sender(address="@eve@e.example", display_name="Eve\u202eecilA", verified=True, auth_method="email-dkim")
    number = store(page.host, sender=sender)

    assert '<bdi>Eve<span class="hidden-char">U+202E</span>ecilA</bdi>' in page.get(f"/operator/threads/{number}").text


def test_what_is_not_there_is_404(page):
    for path in (
        "/threads/1",
        "/messages/1",
        "/threads/x",
        "/threads/²",
        f"/threads/{'9' * 30}",
        "/messages/1/files/0",
    ):
        assert page.get(f"/operator{path}").status_code == 404, path
    for asked in ("before=x", "before=-1", f"before={'9' * 30}"):
        assert page.get(f"/operator?{asked}").status_code == 404, asked
