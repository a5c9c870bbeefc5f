from __future__ import annotations

import pytest

from mentionable import (
    UNSET,
    ArtifactPart,
    CallError,
    CarriedPolicy,
    DigestRef,
    FilePart,
    InlineRef,
    LinkPart,
    TextPart,
    ToolCallPart,
    UnknownPart,
    UrlRef,
    UsageError,
    encode,
    policy,
)
from mentionable._model.parts import KINDS, TEXT_MIMES, inline


def test_text_has_one_of_three_media_types():
    for mime in TEXT_MIMES:
        assert TextPart(content="", mime=mime).mime == mime
    with pytest.raises(UsageError, match=r"TextPart\.mime: expected 'text/plain' or 'text/markdown' or 'text/html'"):
        TextPart(content="", mime="text/css")


def test_a_file_of_bytes_carries_them_inline_with_their_size():
    part = FilePart.of(b"hi", mime="text/plain", name="a.txt")
    assert part == FilePart(mime="text/plain", bytes_ref=inline(b"hi"), name="a.txt", size_bytes=2)
    assert encode(part) == {
        "kind": "file",
        "mime": "text/plain",
        "bytes_ref": {"kind": "inline", "data_base64": "aGk="},
        "name": "a.txt",
        "size_bytes": 2,
    }


def test_inline_bytes_are_not_shown():
    assert "aGk=" not in repr(FilePart.of(b"hi", mime="text/plain"))


@pytest.mark.parametrize("make", [FilePart, ArtifactPart])
def test_bytes_are_referred_to_in_three_ways_and_no_other(make):
    for ref in (InlineRef(data_base64=""), UrlRef(url="https://a.example/"), DigestRef(digest="0" * 64)):
        assert make(mime="text/plain", bytes_ref=ref).bytes_ref is ref
    with pytest.raises(UsageError, match="expected InlineRef, UrlRef or DigestRef, not str"):
        make(mime="text/plain", bytes_ref="https://a.example/")


def test_a_digest_is_of_sha256():
    assert encode(DigestRef(digest="0" * 64))["algo"] == "sha256"
    with pytest.raises(UsageError, match=r"DigestRef\.algo: expected 'sha256'"):
        DigestRef(digest="0" * 64, algo="md5")


def test_a_tool_call_is_running_then_ok_or_failed():
    call = {"id": "c", "name": "search", "args": {"q": 1}}
    running = ToolCallPart(**call)
    assert (running.state, running.result) == ("running", UNSET)
    assert ToolCallPart(**call, result=None).state == "ok"
    assert ToolCallPart(**call, error=CallError(message="")).state == "failed"


def test_a_result_and_an_error_exclude_each_other():
    with pytest.raises(UsageError, match="ToolCallPart: result and error exclude each other"):
        ToolCallPart(id="c", name="n", args={}, result=None, error=CallError(message="x"))


def test_arguments_and_results_are_json():
    with pytest.raises(UsageError, match=r"ToolCallPart\.args: expected JSON"):
        ToolCallPart(id="c", name="n", args=b"x")
    with pytest.raises(UsageError, match=r"ToolCallPart\.result: expected UNSET or expected JSON"):
        ToolCallPart(id="c", name="n", args={}, result=object())


@pytest.mark.parametrize("member", ["id", "name"])
def test_a_tool_call_is_named(member):
    with pytest.raises(UsageError, match=rf"ToolCallPart\.{member}: expected a non-empty string"):
        ToolCallPart(**{"id": "c", "name": "n", "args": {}, member: ""})


def test_a_known_kind_cannot_be_unknown():
    for kind in KINDS:
        with pytest.raises(UsageError, match=f"UnknownPart: {kind} has a class of its own"):
            UnknownPart(kind=kind)
    assert UnknownPart(kind="poll", extra={"options": [1]}).extra == {"options": [1]}


def test_the_sixth_kind_of_part_carries_a_policy():
    part = CarriedPolicy(policy=policy.Forbidden(message="No"))
    assert encode(part) == {"kind": "policy", "policy": {"kind": "forbidden", "message": "No"}}
    with pytest.raises(UsageError, match=r"CarriedPolicy\.policy: expected Unauthorized, .* or UnknownPolicy, not str"):
        CarriedPolicy(policy="no")


def test_a_link_has_a_url():
    assert encode(LinkPart(url="https://a.example/", title="A")) == {
        "kind": "link",
        "url": "https://a.example/",
        "title": "A",
    }
