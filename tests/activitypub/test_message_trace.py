from typing import Any

import pytest

from mentionable import NormalizedResponse, TextPart, ToolCallPart
from mentionable.activitypub._read.json_ld import many, read_node
from mentionable.activitypub._read.message import extract_trace
from mentionable.activitypub._read.object import Content
from mentionable.trace import write
from tests.activitypub.servers import World, codes, create, note, taken

RESPONSE = NormalizedResponse(
    reply_to="m1", parts=(ToolCallPart(id="c1", name="look", args={"q": 1}, result=[2]),), status="ok"
)
WRITTEN = write(RESPONSE)
ANCHOR = f"<p>{WRITTEN.html}</p>"


def read(**members: Any) -> tuple[Any, NormalizedResponse | None, list[str]]:
    content, trace, diagnostics = extract_trace(noted(note(**members)))
    document = content.node.raw
    if list(content.node.attachments) != list(many(document.get("attachment"))):
        document = {**document, "attachment": content.node.attachments}
    return document, trace and trace.response, codes(diagnostics)


def noted(document: dict[str, Any]) -> Content:
    return Content(node=read_node(document), id=document["id"], type="Note")


def test_a_trace_is_taken_out_of_the_text() -> None:
    document, trace, notes = read(content=f"<p>Hello</p>{ANCHOR}")
    assert (document["content"], trace, notes) == ("<p>Hello</p>", RESPONSE, [])


def test_the_object_that_came_is_not_changed() -> None:
    came = note(content=ANCHOR)
    extract_trace(noted(came))
    assert came["content"] == ANCHOR


def test_a_text_in_several_languages_has_it_in_the_first() -> None:
    texts = {"de": f"<p>Hallo</p>{ANCHOR}", "en": f"<p>Hello</p>{ANCHOR}"}
    document, trace, _ = read(content=..., contentMap=texts)
    assert document["contentMap"] == {"de": "<p>Hallo</p>", "en": texts["en"]}
    assert trace == RESPONSE


@pytest.mark.parametrize(
    "members",
    [
        {"content": ANCHOR, "mediaType": "text/plain"},
        {"content": [ANCHOR]},
        {"content": ..., "contentMap": {}},
        {"content": ..., "contentMap": [ANCHOR]},
        {"content": ..., "contentMap": {"en": None, "de": ANCHOR}},
        {"content": "<p>mentionable-trace</p>"},
        {"content": "&lt;a class=&quot;mentionable-trace&quot;&gt;"},
    ],
    ids=range(7),
)
def test_where_there_is_none_nothing_is_changed(members: dict[str, Any]) -> None:
    assert read(**members) == (note(**members), None, [])


def test_a_trace_that_cannot_be_read_stays_in_the_text() -> None:
    html = f'<p>Hello</p><a class="mentionable-trace" href="https://a.example/#%">x</a>{ANCHOR}'
    assert read(content=html) == (note(content=html), None, ["trace-malformed"])


def test_an_attachment_that_links_to_the_same_goes_too() -> None:
    other = {"type": "Image", "url": "https://a.example/a.png"}
    for member in ("href", "url"):
        twin = {"type": "Link", member: WRITTEN.href}
        assert read(content=ANCHOR, attachment=[twin, other, "x"])[0]["attachment"] == [other, "x"]
    assert read(content=ANCHOR, attachment=[other])[0]["attachment"] == [other]


def test_a_message_has_the_trace_beside_its_parts() -> None:
    message = taken(World().receive(create(note(content=f"<p>Hello</p>{ANCHOR}")))).message
    assert message.parts == (TextPart(content="<p>Hello</p>", mime="text/html"),)
    assert message.received_trace == RESPONSE
