"""The body of an answer: the tree of its entities, its content, its encodings."""

import hashlib
import quopri
from base64 import b64decode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
)
from mentionable.mail._write.body import (
    Content,
    Entity,
    File,
    canonical_text,
    compose,
    encode_bytes,
    encode_text,
    multipart,
    tool_line,
    write_body,
)
from mentionable.trace import read

SEED = bytes(range(32))
IMAGE = File("image/png", b"\x89PNG", "sun.png", "1@b.example")
CSV = File("text/csv", b"a,b\n", "a.csv")


def outline(content: Content) -> list[str]:
    """The media types of a body in order, as its header fields name them."""
    fields, body = write_body(content, seed=SEED)
    lines = (fields + b"\r\n" + body).decode().split("\r\n")
    return [line.split(" ")[1].rstrip(";") for line in lines if line.startswith("Content-Type:")]


def test_text_html_and_trace_are_alternatives_in_this_order():
    assert outline(Content("Hi", "<p>Hi</p>", b"{}")) == [
        "multipart/alternative", "text/plain", "text/html", "application/json",
    ]  # fmt: skip


def test_a_trace_that_is_too_large_is_not_there():
    assert outline(Content("Hi", "<p>Hi</p>")) == ["multipart/alternative", "text/plain", "text/html"]


def test_images_are_related_to_the_html_and_files_mixed_with_all():
    assert outline(Content("Hi", "<p>Hi</p>", b"{}", (IMAGE,), (CSV, CSV))) == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
        "application/json", "text/csv", "text/csv",
    ]  # fmt: skip


def test_the_root_of_related_parts_is_named():
    assert b'multipart/related; type="text/html";' in write_body(Content("Hi", "Hi", None, (IMAGE,)), seed=SEED).body


def test_the_trace_is_base64_with_its_profile():
    body = write_body(Content("Hi", "Hi", b"{}"), seed=SEED).body
    assert (
        b"Content-Type: application/json;\r\n"
        b' profile="https://mentionable.dev/ns/normalized-message/v0.1"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\ne30=\r\n--"
    ) in body


def test_the_body_is_framed_by_its_boundary():
    head, body = write_body(Content("Hi", "<p>Hi</p>"), seed=SEED)
    boundary = head.partition(b'boundary="')[2].rstrip(b'"')
    assert body == (
        b"--%b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\nHi\r\n"
        b"--%b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n<p>Hi</p>\r\n--%b--"
    ) % (boundary, boundary, boundary)


def boundary_of(kind: str, *entities: Entity) -> bytes:
    """The boundary of a multipart of these entities."""
    return multipart(kind, entities, seed=SEED).fields.partition(b'boundary="')[2].rstrip(b'"')


def test_a_boundary_that_occurs_in_an_entity_is_passed_over():
    first = boundary_of("mixed")
    assert boundary_of("mixed", Entity(b"", b"Hi")) == first
    in_body = boundary_of("mixed", Entity(b"", b"--" + first))
    in_fields = boundary_of("mixed", Entity(first, b""))
    assert in_body == in_fields != first
    assert len({boundary_of(kind) for kind in ("mixed", "related", "alternative")}) == 3


def test_boundaries_hold_what_no_encoding_writes():
    assert boundary_of("mixed").startswith(b"=_")


# --- the content of an answer

PNG = FilePart.of(b"\x89PNG", mime="image/png", name="sun 1.png")


def composed(
    *parts: Any, blobs: Any = None, limits: Limits | None = None, **members: Any
) -> tuple[Any, tuple[Any, ...]]:
    """The content of a response, and what was odd."""
    response = NormalizedResponse(reply_to="m1", parts=parts, **members)
    return compose(response, blobs=blobs or {}, seed=SEED, domain="b.example", limits=limits or Limits())


def body_of(html: str) -> str:
    return html.partition('sans-serif">\n')[2].removesuffix("\n</body>\n</html>\n")


def test_text_and_html_say_the_same_and_the_trace_all():
    content, diagnostics = composed(TextPart(content="It **will**.", mime="text/markdown"))
    assert content.text == "It **will**."
    assert body_of(content.html) == "<p>It <strong>will</strong>.</p>"
    assert read(content.trace).parts == (TextPart(content="It **will**.", mime="text/markdown"),)
    assert (content.images, content.files, diagnostics) == ((), (), ())


def test_the_html_is_a_document_without_colours_and_boxes():
    html = composed(TextPart(content="Hi"))[0].html
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
    rendered = line.replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    assert body_of(composed(call)[0].html) == f"<p>{rendered}</p>"


def test_the_error_is_the_text_when_nothing_else_is():
    content, _ = composed(status="error", error=ResponseError(code="x", message="No <luck>\nat all", retriable=False))
    assert content.text == "No <luck>\nat all"
    assert body_of(content.html) == "<p>No &lt;luck&gt; at all</p>"


def test_files_go_along_under_safe_names():
    csv = FilePart.of(b"a,b\n", mime="text/csv", name="../../a\r\n.csv")
    digest = hashlib.sha256(b"big").hexdigest()
    big = ArtifactPart(mime="application/pdf", bytes_ref=DigestRef(digest=digest))
    content, diagnostics = composed(csv, big, blobs={digest: b"big"})
    assert [file[:3] for file in content.files] == [("text/csv", b"a,b\n", "a .csv"), ("application/pdf", b"big", None)]
    assert (content.text, body_of(content.html), diagnostics) == ("", "", ())


def test_a_file_with_a_url_alone_is_a_link():
    far = FilePart(mime="text/csv", bytes_ref=UrlRef(url="https://a.example/x"), name="x.csv")
    content, _ = composed(far, LinkPart(url="https://a.example/", title="A"))
    assert content.files == ()
    assert content.text == "[x.csv (text/csv)] <https://a.example/x>\n\nA <https://a.example/>"
    assert '<a href="https://a.example/x"' in content.html


def test_bytes_that_are_not_there_are_a_mistake_of_the_program():
    with pytest.raises(UsageError, match=r"parts\[1\].bytes_ref"):
        composed(TextPart(content="Hi"), FilePart(mime="text/csv", bytes_ref=DigestRef(digest="0" * 64)))


@pytest.mark.parametrize("mime", ["multipart/mixed", "message/rfc822"])
def test_what_would_be_a_container_goes_out_as_bytes(mime):
    content, diagnostics = composed(FilePart.of(b"x", mime=mime))
    assert content.files[0].mime == "application/octet-stream"
    assert [(diagnostic.code, diagnostic.at, diagnostic.detail) for diagnostic in diagnostics] == [
        ("media-type-replaced", "/parts/0/mime", mime)
    ]


@pytest.mark.parametrize(
    "text",
    [
        TextPart(content="![Sun](cid:sun%201.png)", mime="text/markdown"),
        TextPart(content="![Sun](<cid:sun 1.png>)", mime="text/markdown"),
        TextPart(content='<p><img src="cid:sun 1.png" alt="Sun"></p>', mime="text/html"),
    ],
)
def test_an_image_that_the_html_shows_is_related_to_it(text):
    csv = FilePart.of(b"x", mime="text/csv", name="a.csv")
    other = FilePart.of(b"y", mime="image/png", name="moon.png")
    content, _ = composed(text, PNG, csv, other)
    (image,) = content.images
    assert image[:3] == ("image/png", b"\x89PNG", "sun 1.png")
    assert body_of(content.html) == f'<p><img src="cid:{image.content_id}" alt="Sun"></p>'
    assert [file.name for file in content.files] == ["a.csv", "moon.png"]
    assert [file.content_id for file in content.files] == [None, None]


def test_an_image_may_be_shown_by_the_name_under_which_it_goes_out():
    png = FilePart.of(b"x", mime="image/png", name="charts/rain.png")
    for url in ("cid:rain.png", "cid:charts/rain.png"):
        content, _ = composed(TextPart(content=f"![Rain]({url})", mime="text/markdown"), png)
        assert [image.name for image in content.images] == ["rain.png"]


@pytest.mark.parametrize(
    "file", [FilePart.of(b"x", mime="image/png"), FilePart.of(b"x", mime="text/html", name="sun.png")]
)
def test_what_has_no_name_or_is_no_image_is_attached(file):
    content, _ = composed(TextPart(content="![Sun](cid:sun.png)", mime="text/markdown"), file)
    assert (len(content.images), len(content.files)) == (0, 1)
    assert "<img" not in content.html


def test_of_images_of_one_name_the_first_is_shown():
    again = FilePart.of(b"other", mime="image/png", name="sun 1.png")
    content, _ = composed(TextPart(content="![Sun](cid:sun%201.png)", mime="text/markdown"), PNG, again)
    assert [image.data for image in content.images] == [b"\x89PNG"]
    assert [file.data for file in content.files] == [b"other"]


def test_a_trace_over_its_budget_is_shortened_and_then_left_out():
    call = ToolCallPart(id="c1", name="find", args={}, result="x" * 900)
    content, diagnostics = composed(call, limits=Limits(trace_bytes=800))
    assert [diagnostic.code for diagnostic in diagnostics] == ["trace-shortened"]
    assert content.trace is not None
    content, diagnostics = composed(call, limits=Limits(trace_bytes=80))
    assert [diagnostic.code for diagnostic in diagnostics] == ["trace-dropped"]
    assert content.trace is None


def test_what_could_act_or_hide_is_neither_in_the_html_nor_lost_from_the_text():
    text = 'a\u202eb \x1b[0m <script>alert(1)</script> </a> [x](javascript:alert(1)) <img src="cid:x">'
    content, _ = composed(TextPart(content=text, mime="text/markdown"))
    assert content.text == text
    assert not any(sign in content.html for sign in ("<script", "\u202e", "\x1b", "<img", 'href="javascript'))


def test_a_media_type_with_more_parameters_than_a_field_holds_goes_without_them():
    mime = "text/csv; name=" + "x" * 300
    content, diagnostics = composed(FilePart.of(b"a,b", mime=mime, name="a.csv"))
    assert [(diagnostic.code, diagnostic.at, diagnostic.detail) for diagnostic in diagnostics] == [
        ("media-type-replaced", "/parts/0/mime", "without parameters")
    ]
    assert [file.mime for file in content.files] == ["text/csv"]


# --- transfer encodings: lines of seven-bit characters

TEXTS = st.text(st.sampled_from("ab =.é日🎉\t\n") | st.characters(codec="utf-8", exclude_characters="\r"), max_size=300)


def decoded(text: str) -> bytes:
    """What a reader makes of an encoded text: bytes with CRLF."""
    encoding, body = encode_text(text)
    if encoding == "base64":
        return b64decode(body)
    return quopri.decodestring(body) if encoding == "quoted-printable" else body


@given(TEXTS)
def test_any_text_comes_back_with_crlf(text):
    assert decoded(text) == text.replace("\n", "\r\n").encode()


@given(TEXTS | st.lists(st.sampled_from(["From x", ".", "x" * 75, "é" * 9, " "]), max_size=6).map("\n".join))
def test_lines_are_short_seven_bit_and_left_alone_on_the_way(text):
    encoding, body = encode_text(text)
    lines = body.split(b"\r\n")
    assert body.isascii()
    assert b"\0" not in body
    assert all(len(line) <= (998 if encoding == "7bit" else 76) for line in lines)
    assert not any(line.startswith(b"From ") or line == b"." or line != line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("", "7bit"),
        ("Hello\n\tworld\n", "7bit"),
        ("x" * 998, "7bit"),
        ("x" * 999, "quoted-printable"),
        ("x" * 600 + "\n" + "y" * 600, "7bit"),
        ("blank at the end ", "quoted-printable"),
        ("two  \nlines", "quoted-printable"),
        ("tab\t\n", "quoted-printable"),
        ("From here\n", "quoted-printable"),
        ("not From here\n", "7bit"),
        (".\n", "quoted-printable"),
        ("...\n", "7bit"),
        ("bell \a", "quoted-printable"),
        ("caf\u00e9 and a good deal of ASCII", "quoted-printable"),
        ("日本語", "base64"),
    ],
)
def test_the_shortest_encoding_that_survives_is_taken(text, encoding):
    assert encode_text(text).encoding == encoding


def test_a_long_line_from_the_start_stays_short():
    body = encode_text("From " + "é" + "x" * 90).body
    assert body.startswith(b"=46rom=\r\n =C3=A9xx")


def test_line_ends_become_one_kind_and_what_no_body_holds_is_left_out():
    assert canonical_text("\ufeff\0a\r\nb\rc\n") == "a\nb\nc\n"
    assert canonical_text("a\n") == "a\n"


@given(st.binary(max_size=300))
def test_any_bytes_come_back(data):
    body = encode_bytes(data)
    assert b64decode(body) == data
    assert all(len(line) <= 76 for line in body.split(b"\r\n"))
