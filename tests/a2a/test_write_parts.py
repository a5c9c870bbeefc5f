from base64 import b64encode
from hashlib import sha256

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
    TextPart,
    ToolCallPart,
    UnknownPart,
    UrlRef,
    UsageError,
    a2a,
)
from mentionable._model.parts import inline
from mentionable._model.policy import Forbidden
from mentionable.a2a._write.dialects import V03, V03_REST, V1
from mentionable.a2a._write.parts import write_nothing, write_parts
from tests.a2a.questions import NOW, WAYS, question
from tests.answered import response_in

BYTES = bytes(70_000)
DIGEST = sha256(BYTES).hexdigest()


def written(part, dialect=V1, blobs=None):
    (only,), _ = write_parts((part,), dialect, blobs or {})
    return only


def hints(part, dialect=V1):
    return written(part, dialect)["metadata"]["mentionable"]


@pytest.mark.parametrize(
    ("dialect", "plain", "markdown"),
    [
        (V1, {"text": "hi"}, {"text": "hi", "mediaType": "text/markdown"}),
        (
            V03,
            {"kind": "text", "text": "hi"},
            {"kind": "text", "text": "hi", "metadata": {"mimeType": "text/markdown"}},
        ),
        (V03_REST, {"text": "hi"}, {"text": "hi", "metadata": {"mimeType": "text/markdown"}}),
    ],
)
def test_text_says_its_type_where_its_dialect_has_a_place_for_it(dialect, plain, markdown):
    assert written(TextPart(content="hi"), dialect) == plain
    assert written(TextPart(content="hi", mime="text/markdown"), dialect) == markdown


def test_text_goes_out_in_canonical_form():
    assert written(TextPart(content="a\r\nb\0")) == {"text": "a\nb"}


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (V1, {"url": "https://f.example/a", "filename": "a.pdf", "mediaType": "application/pdf"}),
        (
            V03,
            {
                "kind": "file",
                "file": {"uri": "https://f.example/a", "name": "a.pdf", "mimeType": "application/pdf"},
            },
        ),
        (V03_REST, {"file": {"fileWithUri": "https://f.example/a", "name": "a.pdf", "mimeType": "application/pdf"}}),
    ],
)
def test_a_file_behind_a_url_is_named_by_it(dialect, expected):
    part = FilePart(mime="application/pdf", bytes_ref=UrlRef(url="https://f.example/a"), name="a.pdf")
    assert written(part, dialect) == expected


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (V1, {"raw": "aGk=", "filename": "a.png", "mediaType": "image/png"}),
        (V03, {"kind": "file", "file": {"bytes": "aGk=", "name": "a.png", "mimeType": "image/png"}}),
        (
            V03_REST,
            {
                "file": {"fileWithBytes": "aGk=", "name": "a.png", "mimeType": "image/png"},
                "metadata": {"mentionable": {"size_bytes": 2}},
            },
        ),
    ],
)
def test_bytes_inside_are_encoded_once(dialect, expected):
    assert written(FilePart.of(b"hi", mime="image/png", name="a.png"), dialect) == expected


@pytest.mark.parametrize("name", [None, "", "..", "/"])
def test_a_file_without_a_usable_name_has_none(name):
    part = FilePart(mime="image/png", bytes_ref=inline(b"hi"), name=name, size_bytes=2)
    assert written(part) == {"raw": "aGk=", "mediaType": "image/png"}
    assert "name" not in written(part, V03)["file"]


def test_a_name_leaves_its_folders_behind():
    assert written(FilePart.of(b"hi", mime="image/png", name="../../a.png"))["filename"] == "a.png"


def test_what_a_url_does_not_say_stands_beside_it():
    url = UrlRef(url="https://f.example/a", expires_at="2026-12-01T00:00:00Z")
    part = FilePart(mime="image/png", bytes_ref=url, size_bytes=9)
    assert hints(part) == {"expires_at": "2026-12-01T00:00:00Z", "size_bytes": 9}


def test_bytes_of_unknown_size_are_said_to_be_so():
    assert hints(FilePart(mime="image/png", bytes_ref=inline(b"hi"))) == {"unsized": True}


def test_a_digest_goes_out_as_its_url():
    part = FilePart(mime="image/png", bytes_ref=DigestRef(digest=DIGEST, url="https://f.example/a"))
    assert written(part, blobs={DIGEST: BYTES})["url"] == "https://f.example/a"
    assert hints(part) == {"sha256": DIGEST}


def test_a_digest_without_a_url_goes_out_as_its_bytes():
    part = FilePart(mime="image/png", bytes_ref=DigestRef(digest=DIGEST), size_bytes=70_000)
    assert written(part, blobs={DIGEST: BYTES}) == {
        "raw": b64encode(BYTES).decode(),
        "mediaType": "image/png",
        "metadata": {"mentionable": {"sha256": DIGEST}},
    }


def test_a_digest_without_its_bytes_is_refused():
    missing = FilePart(mime="image/png", bytes_ref=DigestRef(digest=DIGEST))
    with pytest.raises(UsageError, match=r"parts\[1\]\.bytes_ref"):
        write_parts((TextPart(content="a"), missing), V1)


def test_a_link_is_data():
    assert written(LinkPart(url="https://a.example/", title="A", description="B")) == {
        "data": {"url": "https://a.example/", "title": "A", "description": "B"},
        "mediaType": "application/json",
        "metadata": {"mentionable": {"kind": "link"}},
    }
    assert written(LinkPart(url="https://a.example/"), V03) == {
        "kind": "data",
        "data": {"url": "https://a.example/"},
        "metadata": {"mentionable": {"kind": "link"}},
    }


def test_a_part_of_an_unknown_kind_is_data():
    assert written(UnknownPart(kind="poll", extra={"choices": ["a"]}), V03_REST) == {
        "data": {"data": {"kind": "poll", "choices": ["a"]}},
        "metadata": {"mentionable": {"kind": "unknown"}},
    }


@pytest.mark.parametrize(
    ("ending", "type_", "rest"),
    [
        ({}, "tool-call", {}),
        ({"result": None}, "tool-result", {"output": None}),
        ({"result": [1]}, "tool-result", {"output": [1]}),
        ({"error": CallError(message="no")}, "tool-error", {"error": {"message": "no"}}),
    ],
)
def test_a_tool_call_is_an_event_of_its_extension(ending, type_, rest):
    part = ToolCallPart(id="c1", name="search", args={"q": 1}, **ending)
    assert written(part) == {
        "data": {"type": type_, "toolCallId": "c1", "toolName": "search", "input": {"q": 1}, **rest},
        "mediaType": "application/json",
        "metadata": {"mentionable": {"tool_event": "v0.1"}},
    }


def test_a_tool_call_says_when_it_was():
    part = ToolCallPart(id="c1", name="s", args={}, duration_ms=1.5, started_at="2026-12-01T00:00:00Z")
    assert hints(part) == {"tool_event": "v0.1", "duration_ms": 1.5, "started_at": "2026-12-01T00:00:00Z"}


@pytest.mark.parametrize(
    "part",
    [
        TextPart(content="hi", extra={"x": 1}),
        LinkPart(url="https://a.example/", extra={"x": 1}),
        FilePart(mime="image/png", bytes_ref=inline(b"hi"), extra={"x": 1}),
        ArtifactPart(mime="image/png", bytes_ref=inline(b"hi"), extra={"x": 1}),
        ToolCallPart(id="c1", name="s", args={}, extra={"x": 1}),
    ],
)
@pytest.mark.parametrize("dialect", [V1, V03, V03_REST])
def test_members_that_nobody_knows_go_along(part, dialect):
    assert hints(part, dialect)["extra"] == {"x": 1}


def test_an_artifact_says_that_it_is_one():
    assert hints(ArtifactPart(mime="image/png", bytes_ref=inline(b"hi"))) == {"kind": "artifact"}
    typed = ArtifactPart(mime="image/png", bytes_ref=UrlRef(url="https://f.example/a"), artifact_type="chart")
    assert hints(typed) == {"kind": "artifact", "artifact_type": "chart"}


def data(content, *, mime="application/json", name=None):
    return ArtifactPart(mime=mime, bytes_ref=inline(content), name=name, artifact_type="a2a.data")


def test_data_goes_out_as_data():
    assert written(data(b'{"a":1}', mime="application/geo+json", name="a.json")) == {
        "data": {"a": 1},
        "mediaType": "application/geo+json",
        "filename": "a.json",
        "metadata": {"mentionable": {"kind": "artifact", "artifact_type": "a2a.data"}},
    }
    assert written(data(b'{"a":1}', mime="application/geo+json"), V03) == {
        "kind": "data",
        "data": {"a": 1},
        "metadata": {
            "mimeType": "application/geo+json",
            "mentionable": {"kind": "artifact", "artifact_type": "a2a.data"},
        },
    }
    assert written(data(b'{"a":1}'), V03_REST)["data"] == {"data": {"a": 1}}


@pytest.mark.parametrize("name", ["", ".."])
def test_data_without_a_usable_name_has_none(name):
    assert "filename" not in written(data(b"[1]", name=name))


@pytest.mark.parametrize(
    ("part", "dialect"),
    [
        (data(b"null"), V1),
        (data(b'{"a": 1}'), V1),
        (data(b"{"), V1),
        (data(b'{"data":{}}'), V1),
        (data(b"{}", mime="text/plain"), V1),
        (data(b"{}", mime="application/pdf"), V1),
        (data(b"[1]"), V03),
        (data(b'{"a":1}', name="a.json"), V03),
    ],
)
def test_data_that_would_not_come_back_as_it_is_goes_out_as_bytes(part, dialect):
    sent = written(part, dialect)
    assert (sent.get("raw") or sent["file"]["bytes"]) == part.bytes_ref.data_base64


def test_data_elsewhere_is_named_by_its_url():
    reference = UrlRef(url="https://f.example/a")
    part = ArtifactPart(mime="application/json", bytes_ref=reference, artifact_type="a2a.data")
    assert written(part)["url"] == "https://f.example/a"


def test_a_policy_is_no_part_of_the_wire():
    policy = CarriedPolicy(policy=Forbidden(message="no"))
    with pytest.raises(UsageError, match=r"parts\[0\]: a policy is answered, not asked"):
        written(policy)


@pytest.mark.parametrize("dialect", [V1, V03, V03_REST])
def test_nothing_is_said_by_a_part_that_says_so(dialect):
    part = write_nothing(dialect)
    assert part["text"] == ""
    assert part["metadata"] == {"mentionable": {"kind": "none"}}


def test_inline_bytes_are_left_as_they_are():
    assert written(FilePart(mime="image/png", bytes_ref=InlineRef(data_base64=""), size_bytes=0))["raw"] == ""


@pytest.mark.parametrize("member", ["args", "result", "extra"])
def test_json_that_nobody_would_read_is_refused(member):
    deep = 1
    for _ in range(60):
        deep = {"a": deep}
    part = ToolCallPart(**{"id": "c1", "name": "s", "args": 1, member: deep})
    with pytest.raises(UsageError, match=rf"parts\[0\]\.{member}: nested too deeply"):
        written(part)


def test_json_as_deep_as_may_be_is_read_back():
    deep = 1
    for _ in range(52):
        deep = [deep]
    for way in WAYS:
        asked = question(way, stream=True, taskId="t1")
        part = ToolCallPart(id="c1", name="s", args=deep)
        out = a2a.reply(NormalizedResponse.to(asked, part), to=asked, now=NOW, entropy=bytes(32))
        assert response_in(a2a.result(out.response, to=asked)).parts == (part,)


def notes(part, dialect=V1, blobs=None):
    """Where a part had to be changed."""
    _, diagnostics = write_parts((TextPart(content="a"), part), dialect, blobs or {})
    assert {one.code for one in diagnostics} <= {"part-changed"}
    return [one.at for one in diagnostics]


@pytest.mark.parametrize("dialect", [V1, V03, V03_REST])
@pytest.mark.parametrize(
    ("part", "at"),
    [
        (TextPart(content="a\r\nb"), ["/parts/1/content"]),
        (TextPart(content="a\rb"), []),
        (FilePart.of(b"hi", mime="image/png", name="a/b.png"), ["/parts/1/name"]),
        (FilePart.of(b"hi", mime="image/png", name=".."), ["/parts/1/name"]),
        (FilePart.of(b"hi", mime="image/png", name=""), ["/parts/1/name"]),
        (FilePart.of(b"hi", mime="image/png", name="b.png"), []),
        (FilePart(mime="image/png", bytes_ref=inline(b"hi"), size_bytes=3), ["/parts/1/size_bytes"]),
        (ArtifactPart(mime="image/png", bytes_ref=inline(b"hi"), name="a/b.png"), ["/parts/1/name"]),
        (
            FilePart(mime="image/png", bytes_ref=UrlRef(url="https://a.example/", extra={"x": 1})),
            ["/parts/1/bytes_ref/extra"],
        ),
        (
            ToolCallPart(id="c", name="s", args={}, error=CallError(message="no", extra={"x": 1})),
            ["/parts/1/error/extra"],
        ),
    ],
)
def test_what_cannot_be_carried_is_noted(part, at, dialect):
    assert notes(part, dialect) == at


def test_data_that_cannot_be_carried_is_noted():
    reference = InlineRef(data_base64=b64encode(b'{"a":1}').decode(), extra={"x": 1})
    part = ArtifactPart(mime="application/json", bytes_ref=reference, name="a/b.json", artifact_type="a2a.data")
    assert written(part)["filename"] == "b.json"
    assert notes(part) == ["/parts/1/bytes_ref/extra", "/parts/1/name"]
    assert notes(part, V03) == ["/parts/1/name", "/parts/1/bytes_ref/extra"]
