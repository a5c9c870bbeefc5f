"""An answer as the faces of a mail."""

import hashlib
from typing import Any

import pytest

from mentionable import (
    ArtifactPart,
    CallError,
    DigestRef,
    FilePart,
    Limits,
    LinkPart,
    NormalizedResponse,
    ResponseError,
    TextPart,
    ToolCallPart,
    UrlRef,
    UsageError,
    mail,
)
from mentionable.mail._write.compose import compose, tool_line
from mentionable.trace import read

SEED = bytes(range(32))
PNG = FilePart.of(b"\x89PNG", mime="image/png", name="sun 1.png")


def made(*parts: Any, blobs: Any = None, limits: Limits | None = None, **members: Any) -> tuple[Any, list[Any]]:
    """The faces of a response, and what was odd."""
    notes: list[Any] = []
    response = NormalizedResponse(reply_to="m1", parts=parts, **members)
    settings = mail.Settings(limits=limits or Limits())
    return compose(response, blobs=blobs or {}, seed=SEED, domain="b.example", settings=settings, notes=notes), notes


def body_of(html: str) -> str:
    return html.partition('sans-serif">\n')[2].removesuffix("\n</body>\n</html>\n")


def test_text_and_html_say_the_same_and_the_trace_all():
    faces, notes = made(TextPart(content="It **will**.", mime="text/markdown"))
    assert faces.text == "It **will**."
    assert body_of(faces.html) == "<p>It <strong>will</strong>.</p>"
    assert read(faces.trace).parts == (TextPart(content="It **will**.", mime="text/markdown"),)
    assert (faces.images, faces.files, notes) == ((), (), [])


def test_the_html_is_a_document_without_colours_and_boxes():
    html = made(TextPart(content="Hi"))[0].html
    assert html.startswith('<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n')
    assert not any(word in html for word in ("color:", "background", "border", "<details", "lang=", "<div"))


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        ({"result": [1]}, '✅ find({"q":"<x>"}) → [1]'),
        ({"error": CallError(message="no luck")}, '❌ find({"q":"<x>"}) → no luck'),
        ({}, '… find({"q":"<x>"}) → …'),
    ],
)
def test_a_tool_call_is_one_line(outcome, line):
    call = ToolCallPart(id="c1", name="find", args={"q": "<x>"}, **outcome)
    assert tool_line(call) == line
    shown = line.replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    assert body_of(made(call)[0].html) == f"<p>{shown}</p>"


def test_the_error_is_told_when_nothing_else_is():
    faces, _ = made(status="error", error=ResponseError(code="x", message="No <luck>\nat all", retriable=False))
    assert faces.text == "No <luck>\nat all"
    assert body_of(faces.html) == "<p>No &lt;luck&gt; at all</p>"


def test_files_go_along_under_safe_names():
    csv = FilePart.of(b"a,b\n", mime="text/csv", name="../../a\r\n.csv")
    digest = hashlib.sha256(b"big").hexdigest()
    big = ArtifactPart(mime="application/pdf", bytes_ref=DigestRef(digest=digest))
    faces, notes = made(csv, big, blobs={digest: b"big"})
    assert [file[:3] for file in faces.files] == [("text/csv", b"a,b\n", "a .csv"), ("application/pdf", b"big", None)]
    assert (faces.text, body_of(faces.html), notes) == ("", "", [])


def test_a_file_with_a_url_alone_is_a_link():
    far = FilePart(mime="text/csv", bytes_ref=UrlRef(url="https://a.example/x"), name="x.csv")
    faces, _ = made(far, LinkPart(url="https://a.example/", title="A"))
    assert faces.files == ()
    assert faces.text == "[x.csv (text/csv)] <https://a.example/x>\n\nA <https://a.example/>"
    assert '<a href="https://a.example/x"' in faces.html


def test_bytes_that_nobody_has_are_a_mistake_of_the_program():
    with pytest.raises(UsageError, match=r"parts\[1\].bytes_ref"):
        made(TextPart(content="Hi"), FilePart(mime="text/csv", bytes_ref=DigestRef(digest="0" * 64)))


@pytest.mark.parametrize("mime", ["multipart/mixed", "message/rfc822"])
def test_what_would_be_a_container_goes_out_as_bytes(mime):
    faces, notes = made(FilePart.of(b"x", mime=mime))
    assert faces.files[0].mime == "application/octet-stream"
    assert [(note.code, note.at, note.detail) for note in notes] == [("media-type-replaced", "/parts/0/mime", mime)]


@pytest.mark.parametrize(
    "text",
    [
        TextPart(content="![Sun](cid:sun%201.png)", mime="text/markdown"),
        TextPart(content="![Sun](<cid:sun 1.png>)", mime="text/markdown"),
        TextPart(content='<p><img src="cid:sun 1.png" alt="Sun"></p>', mime="text/html"),
    ],
)
def test_an_image_that_the_html_shows_stands_beside_it(text):
    csv = FilePart.of(b"x", mime="text/csv", name="a.csv")
    other = FilePart.of(b"y", mime="image/png", name="moon.png")
    faces, _ = made(text, PNG, csv, other)
    (image,) = faces.images
    assert image[:3] == ("image/png", b"\x89PNG", "sun 1.png")
    assert body_of(faces.html) == f'<p><img src="cid:{image.content_id}" alt="Sun"></p>'
    assert [file.name for file in faces.files] == ["a.csv", "moon.png"]
    assert [file.content_id for file in faces.files] == [None, None]


def test_an_image_may_be_shown_by_the_name_under_which_it_goes_out():
    png = FilePart.of(b"x", mime="image/png", name="charts/rain.png")
    for shown in ("cid:rain.png", "cid:charts/rain.png"):
        faces, _ = made(TextPart(content=f"![Rain]({shown})", mime="text/markdown"), png)
        assert [image.name for image in faces.images] == ["rain.png"]


@pytest.mark.parametrize(
    "file", [FilePart.of(b"x", mime="image/png"), FilePart.of(b"x", mime="text/html", name="sun.png")]
)
def test_what_has_no_name_or_is_no_image_is_attached(file):
    faces, _ = made(TextPart(content="![Sun](cid:sun.png)", mime="text/markdown"), file)
    assert (len(faces.images), len(faces.files)) == (0, 1)
    assert "<img" not in faces.html


def test_of_images_of_one_name_the_first_is_shown():
    again = FilePart.of(b"other", mime="image/png", name="sun 1.png")
    faces, _ = made(TextPart(content="![Sun](cid:sun%201.png)", mime="text/markdown"), PNG, again)
    assert [image.data for image in faces.images] == [b"\x89PNG"]
    assert [file.data for file in faces.files] == [b"other"]


def test_a_trace_over_its_budget_is_shortened_and_then_left_out():
    call = ToolCallPart(id="c1", name="find", args={}, result="x" * 900)
    faces, notes = made(call, limits=Limits(trace_bytes=800))
    assert [note.code for note in notes] == ["trace-shortened"]
    assert faces.trace is not None
    faces, notes = made(call, limits=Limits(trace_bytes=80))
    assert [note.code for note in notes] == ["trace-dropped"]
    assert faces.trace is None


def test_what_could_act_or_hide_is_neither_in_the_html_nor_lost_from_the_text():
    text = 'a\u202eb \x1b[0m <script>alert(1)</script> </a> [x](javascript:alert(1)) <img src="cid:x">'
    faces, _ = made(TextPart(content=text, mime="text/markdown"))
    assert faces.text == text
    assert not any(sign in faces.html for sign in ("<script", "\u202e", "\x1b", "<img", 'href="javascript'))


def test_a_media_type_with_more_parameters_than_a_field_holds_goes_without_them():
    mime = "text/csv; name=" + "x" * 300
    composed, notes = made(FilePart.of(b"a,b", mime=mime, name="a.csv"))
    assert [(note.code, note.at, note.detail) for note in notes] == [
        ("media-type-replaced", "/parts/0/mime", "without parameters")
    ]
    assert [file.mime for file in composed.files] == ["text/csv"]
