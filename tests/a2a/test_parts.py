import json
from base64 import b64decode, b64encode
from hashlib import sha256

import pytest

from mentionable import ArtifactPart, DigestRef, FilePart, InlineRef, LinkPart, Settings, TextPart, UnknownPart, UrlRef
from mentionable._flow.settings import Limits


@pytest.fixture
def one(take, message):
    """The one part that a message with this one part has."""

    def read(part, **members):
        (only,) = take(message(part, **members)).message.parts
        return only

    return read


@pytest.fixture
def refusal(take, message):
    """Code and place of the rejection of a message with this one part."""

    def read(part):
        got = take(message(part))
        return got.code, got.problems[0].at

    return read


@pytest.mark.parametrize(
    ("part", "mime"),
    [
        ({"text": "hi"}, "text/plain"),
        ({"kind": "text", "text": "hi"}, "text/plain"),
        ({"type": "text", "text": "hi"}, "text/plain"),
        ({"text": "hi", "mediaType": "text/markdown"}, "text/markdown"),
        ({"text": "hi", "mediaType": "Text/HTML; charset=utf-8"}, "text/html"),
        ({"text": "hi", "mediaType": "application/json"}, "text/plain"),
        ({"text": "hi", "mediaType": 7}, "text/plain"),
        ({"kind": "text", "text": "hi", "metadata": {"mimeType": "text/markdown"}}, "text/markdown"),
        ({"text": "hi", "mediaType": "text/html", "metadata": {"mimeType": "text/plain"}}, "text/html"),
        ({"kind": "text", "text": "hi", "metadata": None}, "text/plain"),
        ({"kind": "text", "text": "hi", "metadata": ["mimeType"]}, "text/plain"),
        ({"text": "hi", "data": None}, "text/plain"),
        ({"text": "hi", "url": None, "raw": None, "file": None}, "text/plain"),
    ],
)
def test_text_has_the_type_that_its_dialect_says(one, part, mime):
    assert one(part) == TextPart(content="hi", mime=mime)


@pytest.mark.parametrize("kind", [{}, {"kind": "text"}, {"mediaType": "text/plain"}])
def test_text_has_lf_line_ends_and_no_nul(one, kind):
    assert one({"text": "a\r\nb\0c\rd", **kind}).content == "a\nbc\rd"


@pytest.mark.parametrize(
    "part",
    [
        {"url": "https://f.example/a.pdf", "filename": "a.pdf", "mediaType": "application/pdf"},
        {"kind": "file", "file": {"uri": "https://f.example/a.pdf", "name": "a.pdf", "mimeType": "application/pdf"}},
        {"file": {"fileWithUri": "https://f.example/a.pdf", "name": "a.pdf", "mimeType": "application/pdf"}},
        {"kind": "file", "url": "https://f.example/a.pdf", "filename": "a.pdf", "mediaType": "application/pdf"},
    ],
)
def test_a_file_behind_a_url_is_the_same_in_all_dialects(one, part):
    assert one(part) == FilePart(mime="application/pdf", name="a.pdf", bytes_ref=UrlRef(url="https://f.example/a.pdf"))


@pytest.mark.parametrize(
    "part",
    [
        {"raw": "aGk=", "filename": "a.png", "mediaType": "image/png"},
        {"kind": "file", "file": {"bytes": "aGk=", "uri": None, "name": "a.png", "mimeType": "image/png"}},
        {"file": {"fileWithBytes": "aGk=", "name": "a.png", "mimeType": "image/png"}},
        {"file": {"fileWithBytes": b64encode(b"aGk=").decode(), "name": "a.png", "mimeType": "image/png"}},
    ],
)
def test_a_file_inside_is_the_same_in_all_dialects(one, part):
    expected = FilePart(mime="image/png", name="a.png", bytes_ref=InlineRef(data_base64="aGk="), size_bytes=2)
    assert one(part) == expected


def test_double_base64_is_kept_under_a_kind(one):
    twice = b64encode(b"aGk=").decode()
    part = one({"kind": "file", "file": {"fileWithBytes": twice, "mimeType": "image/png"}})
    assert part.bytes_ref == InlineRef(data_base64=twice)


def test_a_file_without_a_type_is_octets(one):
    assert one({"raw": ""}) == FilePart(
        mime="application/octet-stream", bytes_ref=InlineRef(data_base64=""), size_bytes=0
    )


def test_a_file_over_the_inline_bound_is_set_apart(take, message):
    got = take(message({"raw": b64encode(bytes(70_000)).decode()}))
    (part,) = got.message.parts
    assert isinstance(part.bytes_ref, DigestRef)
    assert part.size_bytes == 70_000
    assert got.blobs == {part.bytes_ref.digest: bytes(70_000)}


def test_hints_of_our_own_are_read_back(one):
    hints = {"size_bytes": 9.0, "expires_at": "2026-12-01T00:00:00Z"}
    part = one({"url": "https://f.example/a", "metadata": {"mentionable": hints}})
    assert part.size_bytes == 9
    assert part.bytes_ref == UrlRef(url="https://f.example/a", expires_at="2026-12-01T00:00:00Z")


@pytest.mark.parametrize(
    ("hints", "artifact_type"),
    [
        ({"artifact_type": "report"}, "report"),
        ({"kind": "artifact"}, None),
        ({"kind": "artifact", "artifact_type": 7}, None),
    ],
)
def test_a_file_that_an_agent_made_is_an_artifact(one, hints, artifact_type):
    part = one({"raw": "aGk=", "metadata": {"mentionable": hints}})
    assert part == ArtifactPart(
        mime="application/octet-stream", bytes_ref=InlineRef(data_base64="aGk="), artifact_type=artifact_type
    )


LINK = {"url": "https://a.example/", "title": "A", "description": "about"}
IS_LINK = {"mentionable": {"kind": "link"}}


def test_a_link_of_our_own_is_read_back(one):
    assert one({"data": LINK, "metadata": IS_LINK}) == LinkPart(
        url="https://a.example/", title="A", description="about"
    )
    assert one({"data": {"url": "https://a.example/", "title": 7}, "metadata": IS_LINK}) == LinkPart(
        url="https://a.example/"
    )


@pytest.mark.parametrize("data", [{"url": "javascript:alert(1)"}, {"url": 7}, {}])
def test_what_is_no_link_stays_data(one, data):
    assert isinstance(one({"data": data, "metadata": IS_LINK}), ArtifactPart)


@pytest.mark.parametrize("data", [None, True, 1, 1.5, "text", [1, None], {"a": {"b": 1}}])
def test_any_json_is_an_artifact(one, data):
    part = one({"data": data})
    assert (part.mime, part.artifact_type) == ("application/json", "a2a.data")
    assert json.loads(b64decode(part.bytes_ref.data_base64)) == data


@pytest.mark.parametrize(
    ("part", "mime"),
    [
        ({"mediaType": "application/geo+json"}, "application/geo+json"),
        ({"mediaType": "text/plain"}, "application/json"),
        ({"metadata": {"mimeType": "application/json+a2ui"}}, "application/json+a2ui"),
        ({"metadata": ["x"]}, "application/json"),
        ({"mediaType": 7}, "application/json"),
    ],
)
def test_data_keeps_its_json_type(one, part, mime):
    assert one({"data": {"a": 1}, **part}).mime == mime


def test_data_keeps_its_name_and_type(one):
    part = one({"data": 1, "filename": "a.json", "metadata": {"mentionable": {"artifact_type": "score"}}})
    assert (part.name, part.artifact_type) == ("a.json", "score")


def test_large_data_is_set_apart(take, message):
    got = take(message({"data": "x" * 70_000}))
    assert isinstance(got.message.parts[0].bytes_ref, DigestRef)
    assert len(got.blobs) == 1


def test_the_wrapper_of_v0_3_rest_is_taken_off(take):
    unit = {
        "messageId": "m",
        "role": "ROLE_USER",
        "content": [{"data": {"data": {"a": 1}}}, {"data": {"b": 1, "data": {}}}],
    }
    first, second = take(unit, task_id="t").message.parts
    assert b64decode(first.bytes_ref.data_base64) == b'{"a":1}'
    assert b64decode(second.bytes_ref.data_base64) == b'{"b":1,"data":{}}'


def test_data_named_data_stays_elsewhere(one):
    assert b64decode(one({"data": {"data": {"a": 1}}}).bytes_ref.data_base64) == b'{"data":{"a":1}}'
    assert b64decode(one({"kind": "data", "data": {"data": {}}}).bytes_ref.data_base64) == b'{"data":{}}'


@pytest.mark.parametrize(
    ("part", "code", "at"),
    [
        ({"text": "a", "url": "https://a.example/"}, "two-contents", "/parts/0"),
        ({"kind": "text", "text": "a", "raw": "aGk="}, "two-contents", "/parts/0"),
        ({"text": "a", "data": {}}, "two-contents", "/parts/0"),
        ({"url": "https://a.example/", "raw": "aGk=", "text": None}, "two-contents", "/parts/0"),
        ({"file": {"uri": "https://a.example/", "bytes": "aGk="}}, "two-contents", "/parts/0/file"),
        ({"file": {"fileWithUri": "https://a.example/", "uri": "https://a.example/"}}, "two-contents", "/parts/0/file"),
        ({}, "missing-member", "/parts/0"),
        ({"kind": "text"}, "missing-member", "/parts/0"),
        ({"text": None}, "missing-member", "/parts/0"),
        ({"metadata": {}}, "missing-member", "/parts/0"),
        ({"file": {"name": "a"}}, "missing-member", "/parts/0/file"),
        ("text", "wrong-type", "/parts/0"),
        ({"text": 7}, "wrong-type", "/parts/0/text"),
        ({"file": "a"}, "wrong-type", "/parts/0/file"),
        (
            {"file": {"uri": "https://a.example/", "mime_type": "a/b", "mimeType": "a/b"}},
            "duplicate-member",
            "/parts/0/file",
        ),
        ({"url": 7}, "wrong-type", "/parts/0"),
        ({"raw": "***"}, "bad-base64", "/parts/0"),
        ({"file": {"bytes": "a"}}, "bad-base64", "/parts/0"),
    ],
)
def test_a_broken_part_rejects_the_message(take, message, part, code, at):
    got = take({**message(), "parts": [part]})
    assert (got.code, got.problems[0].at) == (code, at)


@pytest.mark.parametrize(
    "part",
    [{"kind": "iframe", "src": "x"}, {"kind": "iframe", "text": "x"}, {"kind": 7, "text": "x"}, {"type": "iframe"}],
)
def test_a_part_of_an_unknown_kind_is_left_out(take, message, part):
    got = take(message("hi", part))
    assert len(got.message.parts) == 1
    assert [(note.code, note.at) for note in got.diagnostics] == [("part-unsupported", "/parts/1")]


def test_a_message_of_unknown_parts_alone_is_rejected(refusal):
    assert refusal({"kind": "iframe"}) == ("part-unsupported", "/parts")


def test_a_url_that_cannot_be_passed_on_costs_only_its_part(take, message):
    got = take(message("hi", {"url": "file:///etc/passwd"}))
    assert len(got.message.parts) == 1
    assert [(note.code, note.at) for note in got.diagnostics] == [("url-refused", "/parts/1")]


def test_nothing_but_refused_urls_is_rejected(refusal):
    assert refusal({"url": "file:///etc/passwd"})[0] == "part-unsupported"


def test_too_many_parts_are_rejected(take, message):
    few = Settings(limits=Limits(parts=2))
    assert take(message("a", "b"), settings=few).message.parts
    assert take(message("a", "b", "c"), settings=few).code == "too-many-parts"
    results = [{"toolCallId": f"c{n}", "content": n} for n in range(3)]
    assert take(message({"data": {"tool_results": results}}), settings=few).code == "too-many-parts"


def test_parts_keep_their_order(take, message):
    got = take(message("a", {"raw": "aGk="}, "b", {"data": 1}))
    assert [part.kind for part in got.message.parts] == ["text", "file", "text", "artifact"]


def test_parts_of_artifacts_become_artifacts(take, task):
    own = {"data": 1, "metadata": {"mentionable": {"artifact_type": "score"}}}
    parts = [{"text": "one"}, {"raw": "aGk="}, {"data": 1}, own, {"data": {"toolCallId": "c", "toolName": "t"}}]
    got = take(task(text=None, artifacts=[{"artifactId": "a1", "name": "n", "parts": parts}]))
    assert [part.kind for part in got.message.parts] == ["artifact"] * 4 + ["tool_call"]
    assert [part.artifact_type for part in got.message.parts[:4]] == ["a1", "a1", "a1", "score"]


def test_what_may_be_wrapped_is_noted(take, task, codes):
    got = take(task(text=None, artifacts=[{"artifactId": "a1", "parts": [{"data": {"data": {}}}]}]))
    assert codes(got) == ["dialect-unsure"]


def test_secrets_in_parts_are_marked_for_raw(take, message):
    secret = {"metadata": {"token": "x"}}
    got = take(message({"text": "a", **secret}, {"data": {"token": "x"}}, {"kind": "iframe", **secret}))
    assert "'x'" not in repr(got.message.raw)


SECRET = {"token": "canary"}
START = {"toolCallId": "c1", "toolName": "search", "input": {}}


@pytest.mark.parametrize(
    "part",
    [
        {"text": "a", "filename": SECRET},
        {"text": "a", "filename": [SECRET]},
        {"text": "a", "mediaType": SECRET},
        {"data": 1, "mediaType": SECRET},
        {"data": START, "mediaType": SECRET},
        {"data": START, "filename": SECRET},
    ],
    ids=str,
)
def test_secrets_in_members_of_another_type_are_marked_for_raw(take, message, part):
    assert "canary" not in repr(take(message(part)).message.raw)


def test_a_part_that_says_nothing_is_none(take, message):
    nothing = {"mentionable": {"kind": "none"}}
    assert take(message({"text": "", "metadata": nothing})).message.parts == ()
    assert take(message({"text": "a", "metadata": nothing})).message.parts == (TextPart(content="a"),)


@pytest.mark.parametrize(
    "part",
    [
        {"text": "a"},
        {"raw": "aGk="},
        {"url": "https://f.example/a"},
        {"data": {"a": 1}},
        {"data": {"type": "tool-call", "toolCallId": "c1", "toolName": "s", "input": {}}},
        {"data": {"url": "https://a.example/"}},
    ],
)
def test_members_that_nobody_knows_come_along(one, part):
    hints = {"kind": "link"} if "url" in str(part.get("data")) else {}
    assert one({**part, "metadata": {"mentionable": {**hints, "extra": {"x": [1]}}}}).extra == {"x": [1]}
    for bad in (7, {}, {"mime": "x", "content": "x", "args": 1, "url": 1}):
        assert one({**part, "metadata": {"mentionable": {**hints, "extra": bad}}}).extra == {}


def test_a_later_event_of_a_call_brings_its_members(take, message):
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "s", "input": {}}
    later = {"data": {**call, "type": "tool-result", "output": 1}, "metadata": {"mentionable": {"extra": {"x": 1}}}}
    (part,) = take(message({"data": call}, later)).message.parts
    assert (part.result, part.extra) == (1, {"x": 1})


def test_events_that_show_nothing_have_no_members(take, message):
    delta = {"type": "tool-input-delta", "toolCallId": "c1"}
    hints = {"mentionable": {"extra": {"x": 1}}}
    assert take(message("a", {"data": delta, "metadata": hints})).message.parts == (TextPart(content="a"),)


def test_a_part_of_an_unknown_kind_is_read_back(one):
    hints = {"mentionable": {"kind": "unknown"}}
    assert one({"data": {"kind": "poll", "a": 1}, "metadata": hints}) == UnknownPart(kind="poll", extra={"a": 1})
    for data in ({"kind": "text", "a": 1}, {"kind": 7}, {"a": 1}, {"kind": ""}, []):
        assert isinstance(one({"data": data, "metadata": hints}), ArtifactPart)


@pytest.mark.parametrize("hints", [{"tool_event": "v0.1"}, {"kind": "artifact"}, {"kind": "unknown"}])
def test_our_own_data_leaves_the_wrapper_of_v0_3_rest(one, hints):
    data = {"kind": "poll", "type": "tool-call", "toolCallId": "c1", "toolName": "s", "input": {}}
    plain, wrapped = (one({"data": d, "metadata": {"mentionable": hints}}) for d in (data, {"data": data}))
    assert plain == wrapped


@pytest.mark.parametrize("kind", [[], {}, ["link"]])
def test_a_hint_of_another_type_says_nothing_of_the_data(one, kind):
    data = {"data": {"data": {"a": 1}}}
    assert one({**data, "metadata": {"mentionable": {"kind": kind}}}) == one(data)


def test_data_that_is_said_to_be_an_artifact_is_no_call(one):
    data = {"type": "tool-call", "toolCallId": "c1", "toolName": "s", "input": {}}
    assert isinstance(one({"data": data, "metadata": {"mentionable": {"kind": "artifact"}}}), ArtifactPart)


def test_a_link_that_is_none_is_read_as_what_it_is(one):
    data = {"type": "tool-call", "toolCallId": "c1", "toolName": "s", "input": {}}
    assert one({"data": data, "metadata": {"mentionable": {"kind": "link"}}}).kind == "tool_call"


def test_bytes_are_named_as_the_sender_named_them(take, message):
    digest = sha256(b"hi").hexdigest()
    part = {"raw": "aGk=", "metadata": {"mentionable": {"sha256": digest, "unsized": True}}}
    got = take(message(part))
    assert got.message.parts == (FilePart(mime="application/octet-stream", bytes_ref=DigestRef(digest=digest)),)
    assert got.blobs == {digest: b"hi"}


@pytest.mark.parametrize("digest", ["0" * 64, 7, None])
def test_a_digest_that_is_not_of_the_bytes_counts_for_nothing(one, digest):
    part = one({"raw": "aGk=", "metadata": {"mentionable": {"sha256": digest}}})
    assert part.bytes_ref == InlineRef(data_base64="aGk=")


@pytest.mark.parametrize(("size", "data"), [(4, "YUdrPQ=="), (2, "aGk="), (None, "aGk="), ("4", "aGk=")])
def test_a_size_tells_whether_bytes_were_encoded_twice(one, size, data):
    file = {"fileWithBytes": b64encode(b"aGk=").decode(), "mimeType": "image/png"}
    part = one({"file": file, "metadata": {"mentionable": {"size_bytes": size}}})
    assert part.bytes_ref == InlineRef(data_base64=data)
