import json
from typing import Any

import pytest

from mentionable import FilePart, LinkPart, NormalizedResponse, ResponseError, TextPart, ToolCallPart
from mentionable.activitypub._write.context import context_of
from mentionable.trace import find_anchor
from tests.activitypub.answering import BASE, MESSAGE, OBJECTS, answer, asked, content, note_in
from tests.activitypub.servers import ALICE, AS2, HELPER, NOTE, PUBLIC

LINK = f'<span class="h-card"><a class="u-url mention" href="{ALICE}">@<span>alice@social.example</span></a></span>'


def plain(text: str) -> TextPart:
    return TextPart(content=text)


def html(text: str) -> TextPart:
    return TextPart(content=text, mime="text/html")


def test_the_members_of_a_note() -> None:
    message = asked(to=[PUBLIC], cc=[HELPER], context="https://social.example/c/1", conversation="tag:social.example:1")
    note = note_in(answer("Hello **there**", to=message))
    assert note.pop("id").startswith(f"{BASE}/objects/")
    assert note.pop("content").startswith(f"<p>{LINK} Hello <strong>there</strong></p><p><a class=")
    assert note == {
        "type": "Note",
        "attributedTo": HELPER,
        "inReplyTo": NOTE,
        "context": "https://social.example/c/1",
        "conversation": "tag:social.example:1",
        "to": [PUBLIC, ALICE],
        "cc": [],
        "attachment": [],
        "tag": [{"type": "Mention", "href": ALICE, "name": "@alice@social.example"}],
        "published": "2026-11-21T20:56:00Z",
        "source": {"content": "Hello **there**", "mediaType": "text/markdown"},
    }


def test_the_activity_is_addressed_as_its_note() -> None:
    out = answer("Hello", to=asked(to=[HELPER], cc=[PUBLIC]))
    activity, note = out.activity, note_in(out)
    assert {name: activity[name] for name in ("@context", "id", "type", "actor", "published", "to", "cc")} == {
        "@context": AS2,
        "id": f"{note['id']}/activity",
        "type": "Create",
        "actor": HELPER,
        "published": note["published"],
        "to": note["to"],
        "cc": note["cc"],
    }


def test_the_context_defines_every_word() -> None:
    assert context_of({}) == AS2
    found: Any = context_of({"conversation": "x"}, proven=True)
    assert found[:2] == [AS2, "https://w3id.org/security/data-integrity/v1"]
    assert found[2]["conversation"] == "ostatus:conversation"


def test_parts_are_shown_in_order() -> None:
    call = ToolCallPart(id="c1", name="look", args={"q": "<b>"}, result=[1])
    link = LinkPart(url="https://a.example/?a=1&b=2", title="A")
    file = FilePart.of(b"x", mime="text/plain", name="a.txt")
    assert content(plain("One\nTwo"), call, link, file, html("<p>Three <i>four</i></p>")) == (
        f"<p>{LINK} One<br>Two</p>\n"
        "<p>🔧 look({&quot;q&quot;:&quot;&lt;b&gt;&quot;}) → [1]</p>\n"
        '<p><a href="https://a.example/?a=1&amp;b=2" rel="nofollow noopener noreferrer">A</a></p>\n'
        "<p>Three <i>four</i></p>"
    )


def test_the_source_is_there_when_all_of_the_text_is_markdown() -> None:
    def source(*parts: Any) -> Any:
        return note_in(answer(*parts)).get("source", {}).get("content")

    file = FilePart.of(b"x", mime="text/plain")
    assert source("# One\r\n", file, "Two\0") == "# One\n\n\nTwo"
    assert source("One", plain("Two")) is None
    assert source("One", ToolCallPart(id="c1", name="look", args={}, result=1)) is None
    assert source("One", LinkPart(url="https://a.example/")) is None
    assert source(" \n") is source(file) is source() is None


def test_an_error_without_parts_says_why() -> None:
    why = ResponseError(code="x", message="I am\nout of <words>", retriable=True)
    assert content(NormalizedResponse(reply_to=MESSAGE.id, parts=(), status="error", error=why)) == (
        f"<p>{LINK} I am out of &lt;words&gt;</p>"
    )


def test_an_answer_without_words_mentions_all_the_same() -> None:
    assert content() == f"<p>{LINK}</p>"


FORGED = '<a class="mentionable-trace" data-version="0.1" href="https://evil.example/#e30">[trace: x]</a>'


@pytest.mark.parametrize(
    "part",
    [
        html(FORGED),
        html(f"<p>{FORGED}</p><a CLASS='mentionable-trace' href='data:application/json;base64,e30'>x</a>"),
        TextPart(content=FORGED, mime="text/markdown"),
        TextPart(content=f"`x`\n\n<div>\n{FORGED}\n</div>", mime="text/markdown"),
        plain(FORGED),
        ToolCallPart(id="c1", name=FORGED, args={"x": FORGED}, result=FORGED),
        LinkPart(url="https://a.example/", title=FORGED, description=FORGED),
        FilePart.of(b"x", mime="text/plain", name=FORGED),
    ],
    ids=range(8),
)
def test_the_only_anchor_of_a_trace_is_our_own(part: Any) -> None:
    out = answer(part)
    whole = note_in(out)["content"]
    anchor = find_anchor(whole)
    assert anchor is not None
    assert anchor.href.startswith("https://mentionable.dev/trace#")
    assert anchor.end == len(whole)
    assert find_anchor(whole[: anchor.start]) is None


@pytest.mark.parametrize(
    "part",
    [
        plain("a\x00b\x1b\x85"),
        TextPart(content="a\x00b\x1b[x](javascript:alert(1))\u202ecod", mime="text/markdown"),
        html("a\x00b\u202e<script>alert(1)</script><a href='javascript:alert(1)'>x</a><img src=x onerror=alert(1)>"),
        html("</p></div></a><a href='data:text/html,x'>x</a><style>p{}</style>"),
        html("<p style='x' onclick='alert(1)' class='mention'>x</p><iframe src='https://a.example/'></iframe>"),
        LinkPart(url="https://a.example/", title="</a><script>alert(1)</script>\u202e"),
        FilePart.of(b"x", mime="text/html", name="</a>\r\n\u202e<b>"),
        ToolCallPart(id="c", name="</a>\n\u202e", args={"</p>": "<script>"}, result="\x1b"),
    ],
    ids=range(8),
)
def test_hostile_text_is_text(part: Any) -> None:
    shown = content(part)
    assert not any(ord(char) < 32 and char != "\n" for char in shown)
    assert "\u202e" not in shown
    assert "\u202e" not in json.dumps(note_in(answer(part))["attachment"], ensure_ascii=False)
    assert "<script" not in shown
    assert 'href="javascript' not in shown
    assert 'href="data' not in shown
    for word in ("onerror=", "onclick=", "style=", "<style", "<iframe", "<img"):
        assert word not in shown
    assert shown.count("<a ") == shown.count("</a>")
    assert shown.count("class=") == 2


def test_a_line_break_of_a_name_reaches_no_attachment() -> None:
    (entry,) = note_in(answer(FilePart.of(b"x", mime="text/plain", name="a\r\nb\u202e")))["attachment"]
    assert entry["name"] == "a b"


def test_a_proof_brings_its_context_along() -> None:
    from mentionable import activitypub

    out = answer("Hello", settings=activitypub.Settings(object_key=OBJECTS))
    assert out.activity["@context"] == [AS2, "https://w3id.org/security/data-integrity/v1"]
    assert out.activity["proof"]["verificationMethod"] == OBJECTS.key_id
