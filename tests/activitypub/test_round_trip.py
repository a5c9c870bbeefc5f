"""What an agent answers, another agent reads: the trace equals the response, also through servers that clean HTML."""

from __future__ import annotations

import html
import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import nh3
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import (
    CarriedPolicy,
    DigestRef,
    LinkPart,
    NormalizedResponse,
    Received,
    TextPart,
    ToolCallPart,
    UsageError,
    activitypub,
    html_to_text,
    replace,
)
from mentionable._html.tokens import attribute, tags
from mentionable.testing import strategies
from tests.activitypub.answering import MESSAGE, answer, asked, content, note_in, received, rewritten
from tests.activitypub.servers import HELPER, PUBLIC, World, codes, taken
from tests.activitypub.test_laws import JSON, changed, places
from tests.activitypub.test_samples import SAMPLES
from tests.linearity import time_grows_linearly

if TYPE_CHECKING:
    from pathlib import Path

BLOB = b"what a digest names"
DIGEST = sha256(BLOB).hexdigest()
PUBLIC_QUESTION = asked(to=[PUBLIC, HELPER], conversation="tag:social.example,2026:1")

GOTOSOCIAL = nh3.Cleaner(
    tags={"a", "p", "br", "span", "strong", "em", "b", "i", "u", "s", "del", "code", "pre", "blockquote", "ul", "ol"}
    | {"li", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "table", "thead", "tbody", "tr", "th", "td", "sub", "sup"},
    attributes={"a": {"href", "class"}, "span": {"class"}, "ol": {"start"}},
    url_schemes={"http", "https", "mailto"},
    link_rel="nofollow noreferrer noopener",
    set_tag_attribute_values={"a": {"target": "_blank"}},
)
"""Keeps every class, drops `data-version`, adds `rel` and `target`."""

MASTODON = nh3.Cleaner(
    tags={"p", "br", "span", "a", "del", "s", "pre", "blockquote", "code", "b", "strong", "u", "i", "em", "ul", "ol"}
    | {"li", "ruby", "rt", "rp"},
    attributes={"a": {"href", "translate"}, "span": {"translate"}, "ol": {"start", "reversed"}, "li": {"value"}},
    allowed_classes={
        name: {"h-card", "u-url", "mention", "hashtag", "ellipsis", "invisible", "quote-inline"}
        for name in ("a", "span", "p")
    },
    url_schemes={"http", "https", "dat", "dweb", "ipfs", "ipns", "ssb", "gopher", "xmpp", "magnet", "gemini"},
    link_rel="nofollow noopener noreferrer",
    set_tag_attribute_values={"a": {"target": "_blank"}},
)
"""Empties every class but those of microformats and mentions."""


def whole(response: NormalizedResponse) -> NormalizedResponse:
    """The response as one that may go out: whole, to the question, with bytes for its digests, its policy last."""
    parts = [part for part in response.parts if not isinstance(part, CarriedPolicy)]
    policies = [part for part in response.parts if isinstance(part, CarriedPolicy)][:1]
    for index, part in enumerate(parts):
        reference = getattr(part, "bytes_ref", None)
        if isinstance(reference, DigestRef) and reference.url is None:
            parts[index] = replace(part, bytes_ref=replace(reference, digest=DIGEST))
    status = "ok" if response.status == "partial" else response.status
    streaming = response.streaming and replace(response.streaming, final=True)
    return replace(
        response,
        reply_to=PUBLIC_QUESTION.id,
        parts=(*parts, *policies),
        status=status,
        streaming=streaming,
        push_back=None,
    )


def sent(response: NormalizedResponse) -> activitypub.Outgoing:
    return answer(whole(response), to=PUBLIC_QUESTION, blobs={DIGEST: BLOB}, key=None)


def traced(got: Received) -> NormalizedResponse | None:
    assert [code for code in codes(got.diagnostics) if code.startswith("trace-")] == []
    return got.message.received_trace


@settings(deadline=None)
@given(strategies.responses())
def test_the_trace_that_arrives_is_the_response(response: NormalizedResponse) -> None:
    out = sent(response)
    assert set(codes(out.diagnostics)) <= {"sibling-unresolved", "part-changed"}
    for request in (out.deliveries[0], rewritten(out.deliveries[0], GOTOSOCIAL)):
        assert traced(received(request)) == whole(response)


@settings(deadline=None)
@given(strategies.responses())
def test_a_server_that_empties_classes_leaves_address_and_text_of_the_trace(response: NormalizedResponse) -> None:
    out = sent(response)
    request = rewritten(out.deliveries[0], MASTODON)
    assert traced(received(request)) is None
    text = request.body.decode()
    (href,) = re.findall(r'href="(https://mentionable\.dev/trace#[^"]*)', note_in(out)["content"])
    assert href in text
    assert "[trace: " in html.unescape(text)


PARTS = (
    TextPart(content="# Weather\n\nIt **rains** in `Oslo`.", mime="text/markdown"),
    ToolCallPart(id="c1", name="web_search", args={"q": "rain"}, result=[1, 2], duration_ms=412),
    LinkPart(url="https://weather.example/oslo", title="Oslo"),
)


def test_the_text_without_the_trace_is_what_people_read() -> None:
    message = received(answer(*PARTS).deliveries[0]).message
    (body,) = message.parts
    assert isinstance(body, TextPart)
    assert body.content == content(*PARTS)
    assert html_to_text(body.content) == (
        "@alice@social.example\n\nWeather\n\nIt rains in Oslo.\n\n"
        '🔧 web_search({"q":"rain"}) → [1,2]\n\nOslo (https://weather.example/oslo)'
    )
    assert message.in_reply_to == MESSAGE.raw["activity"]["object"]["id"]


def test_markdown_arrives_as_it_was_written() -> None:
    message = received(answer("*One*\n", "Two").deliveries[0]).message
    assert message.parts == (TextPart(content="*One*\n\n\nTwo", mime="text/markdown"),)


@settings(deadline=None)
@given(strategies.responses())
def test_nothing_of_an_agent_is_more_than_text(response: NormalizedResponse) -> None:
    html_of_note = note_in(sent(response))["content"]
    shown = [(name, attributes) for name, attributes, _, _ in tags(html_of_note) if attributes]
    classes = [attribute(attributes, "class") for _, attributes in shown if attribute(attributes, "class")]
    assert classes == ["h-card", "u-url mention", "mentionable-trace"]
    allowed = {"a", "span", "ol"}
    assert {name for name, _ in shown} <= allowed
    assert all(
        (attribute(text, "href") or "https:").lower().startswith(("https:", "http:", "mailto:")) for _, text in shown
    )


@settings(deadline=None)
@given(st.sampled_from(places(PUBLIC_QUESTION.raw)), JSON | st.just(...))
def test_a_question_of_any_form_is_answered_or_named_as_unfit(path: tuple[Any, ...], new: Any) -> None:
    raw = changed(PUBLIC_QUESTION.raw, path, new)
    try:
        out = answer("Hello", to=replace(PUBLIC_QUESTION, raw=raw), key=None)
    except UsageError:
        return
    assert out.activity["to"] == note_in(out)["to"]
    assert set(out.activity["to"]) <= {PUBLIC, out.activity["object"]["tag"][0]["href"]}
    assert [post.url for post in out.deliveries if not post.url.startswith("https://social.example/")] == []


def test_the_thread_is_kept() -> None:
    question = asked(context="https://social.example/c/1")
    got = received(answer("Hello", to=question).deliveries[0])
    assert got.message.thread_id == question.thread_id == "https://social.example/c/1"


@pytest.mark.uncounted
@pytest.mark.parametrize(
    "make",
    [
        lambda size: "word " * size,
        lambda size: "@a@b.example " * size,
        lambda size: "<a class=" * size,
        lambda size: "`a` <b>" * size,
    ],
    ids=range(4),
)
@pytest.mark.parametrize("mime", ["text/plain", "text/html", "text/markdown"])
def test_answering_is_linear(make: Any, mime: Any) -> None:
    def written(text: str) -> object:
        return answer(TextPart(content=text, mime=mime), key=None)

    time_grows_linearly(written, make, size=200, largest=1_500)


@pytest.mark.parametrize("path", SAMPLES, ids=[path.stem for path in SAMPLES])
def test_a_delivery_of_each_server_can_be_answered(path: Path) -> None:
    sample = json.loads(path.read_text("utf-8"))
    activity, who = sample["activity"], sample["actor"]
    out = answer("Hello", to=taken(World(who).receive(activity)).message)
    note, question = note_in(out), activity["object"]
    assert (PUBLIC in note["to"]) == (PUBLIC in question["to"])
    assert note["inReplyTo"] == question["id"]
    assert [post.url for post in out.deliveries] == ([who["inbox"]] if "inbox" in who else [])
