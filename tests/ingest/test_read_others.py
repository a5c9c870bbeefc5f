"""Blocks of Bedrock, LangChain and pydantic-ai are read, and stay as they are in their own dialect."""

from __future__ import annotations

import pytest

from mentionable.ingest import lower
from mentionable.ingest._blocks import read_block
from mentionable.ingest._neutral import File, Text
from tests.ingest.others import BEDROCK, LANGCHAIN, PDF, PNG, PYDANTIC_AI, URL

CASES = [
    (dialect, *case)
    for dialect, cases in (("bedrock", BEDROCK), ("langchain", LANGCHAIN), ("pydantic-ai", PYDANTIC_AI))
    for case in cases
]


@pytest.mark.parametrize(("dialect", "block", "kind", "stays"), CASES)
def test_a_block_is_read_as_its_kind(dialect, block, kind, stays):
    (found,) = read_block(block, "/0/content/0")
    assert type(found).__name__ == kind
    assert (dialect in found.dialects) == stays


FILES = [
    ({"image": {"format": "png", "source": {"bytes": PNG}}}, "image/png", PNG, None, None),
    ({"image": {"source": {"bytes": PNG}}}, "application/octet-stream", PNG, None, None),
    ({"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}}, "application/pdf", PDF, None, "a"),
    ({"document": {"format": "html", "name": "a", "source": {"bytes": PDF}}}, "text/html", PDF, None, "a"),
    ({"video": {"format": "three_gp", "source": {"bytes": PNG}}}, "video/3gpp", PNG, None, None),
    ({"type": "image", "url": URL}, "image/*", None, URL, None),
    ({"type": "image", "source_type": "base64", "data": PNG, "mime_type": "image/png"}, "image/png", PNG, None, None),
    ({"type": "file", "url": URL, "mime_type": "application/pdf"}, "application/pdf", None, URL, None),
    ({"type": "file", "base64": PDF, "extras": {"filename": "b"}}, "application/pdf", PDF, None, "b"),
    ({"type": "video", "url": URL}, "video/*", None, URL, None),
    ({"type": "text-plain", "base64": "w6k=", "mime_type": "text/plain"}, "text/plain", "w6k=", None, None),
    ({"kind": "binary", "data": "-_8=", "media_type": "IMAGE/png"}, "image/png", "+/8=", None, None),
    ({"kind": "binary", "data": b"\x89PNG", "media_type": "x"}, "application/octet-stream", "iVBORw==", None, None),
    ({"kind": "image-url", "url": URL}, "image/*", None, URL, None),
    ({"kind": "document-url", "url": f"{URL}.pdf"}, "application/pdf", None, f"{URL}.pdf", None),
    ({"kind": "document-url", "url": URL}, "application/octet-stream", None, URL, None),
    ({"part_kind": "file", "content": {"kind": "binary", "data": PNG, "media_type": "a/b"}}, "a/b", PNG, None, None),
]


@pytest.mark.parametrize(("block", "media_type", "data", "url", "name"), FILES)
def test_a_file_is_read_with_its_type_and_its_bytes(block, media_type, data, url, name):
    (found,) = read_block(block, "")
    assert isinstance(found, File)
    assert (found.media_type, found.data, found.url, found.name) == (media_type, data, url, name)


TEXTS = [
    ({"document": {"name": "b", "source": {"text": "words"}}}, "words", "text/plain"),
    ({"document": {"format": "md", "name": "b", "source": {"text": "words"}}}, "words", "text/markdown"),
    ({"type": "text-plain", "text": "a\ud800", "mime_type": "text/plain", "title": "t"}, "a?", "text/plain"),
]


@pytest.mark.parametrize(("block", "text", "media_type"), TEXTS)
def test_a_file_of_text_is_read_whole(block, text, media_type):
    (found,) = read_block(block, "")
    assert (found.text, found.media_type) == (text, media_type)


def test_text_with_sources_is_text_elsewhere():
    (found,) = read_block({"citationsContent": {"content": [{"text": "a"}, 5, {"text": "b"}]}}, "")
    assert isinstance(found, Text)
    assert found.text == "ab"


RESULTS = [
    ({"toolResult": {"toolUseId": "t", "content": [{"json": {"a": 1}}]}}, {"a": 1}, False),
    ({"toolResult": {"toolUseId": "t", "content": [{"text": "x"}], "status": "error"}}, "x", True),
    ({"part_kind": "tool-return", "tool_name": "f", "content": {"a": [1]}}, {"a": [1]}, False),
    ({"part_kind": "tool-return", "tool_name": "f", "content": ["a"], "outcome": "denied"}, ["a"], True),
    ({"part_kind": "tool-return", "tool_name": "f", "content": None}, "", False),
    ({"part_kind": "retry-prompt", "tool_name": "f", "content": "again"}, "again", True),
]


@pytest.mark.parametrize(("block", "output", "is_error"), RESULTS)
def test_a_result_is_read_as_text_or_json(block, output, is_error):
    (found,) = read_block(block, "")
    assert (found.output, found.is_error) == (output, is_error)


def test_a_result_of_several_blocks_is_blocks():
    content = [{"text": "a"}, {"json": [1]}, {"image": {"format": "png", "source": {"bytes": PNG}}}, 5, {"x": 1}]
    (found,) = read_block({"toolResult": {"toolUseId": "t", "content": content}}, "/0/content/0")
    assert [type(block).__name__ for block in found.output] == ["Text", "Text", "File", "Opaque", "Opaque"]
    assert [block.at for block in found.output][2] == "/0/content/0/toolResult/content/2"
    assert found.output[1].text == "[1]"
    items = ["a", {"kind": "image-url", "url": URL}]
    (found,) = read_block({"part_kind": "tool-return", "tool_name": "f", "content": items}, "/0")
    assert [type(block).__name__ for block in found.output] == ["Text", "File"]


def own_blocks(dialect, *members):
    """Blocks that stay as they are in a dialect, but for calls and results, which change their place."""
    return [
        block
        for name, block, kind, stays in CASES
        if name == dialect and stays and kind not in ("Call", "Result") and (not members or block.keys() & set(members))
    ]


def test_what_langchain_wrote_stays_as_it_is_for_it():
    blocks = own_blocks("langchain")
    lowered = lower([{"role": "assistant", "content": blocks}], dialect="langchain")
    expected = [{**block, "text": "a?"} if block.get("text") == "a\ud800" else block for block in blocks]
    assert lowered.messages[0]["data"]["content"] == expected
    assert lowered.diagnostics == ()


def test_files_become_blocks_of_langchain():
    files = [
        {"type": "document", "title": "t", "source": {"type": "text", "data": "words"}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
        {"type": "file", "mediaType": "application/pdf", "data": URL},
        {"type": "input_audio", "input_audio": {"data": PNG, "format": "wav"}},
        {"type": "image", "source": {"type": "file", "file_id": "f"}},
    ]
    lowered = lower([{"role": "user", "content": files}], dialect="langchain")
    assert lowered.messages[0]["data"]["content"] == [
        {"type": "text-plain", "mime_type": "text/plain", "text": "words", "extras": {"filename": "t"}},
        {"type": "image", "base64": PNG, "mime_type": "image/png"},
        {"type": "file", "url": URL, "mime_type": "application/pdf"},
        {"type": "audio", "base64": PNG, "mime_type": "audio/wav"},
        {"type": "text", "text": "[file (image/*)]"},
    ]
    assert [note.at for note in lowered.diagnostics] == ["/0/content/4"]


def test_what_pydantic_ai_wrote_stays_as_it_is_for_it():
    parts = own_blocks("pydantic-ai", "part_kind")
    lowered = lower([{"role": "assistant", "content": parts}], dialect="pydantic-ai")
    assert (lowered.messages[0]["parts"], lowered.diagnostics) == (parts, ())
    items = own_blocks("pydantic-ai", "kind")
    expected = [{**item, "data": "iVBORw=="} if isinstance(item.get("data"), bytes) else item for item in items]
    lowered = lower([{"role": "user", "content": items}], dialect="pydantic-ai")
    assert (lowered.messages[0]["parts"][0]["content"], lowered.diagnostics) == (expected, ())


def test_what_bedrock_wrote_stays_as_it_is_for_it():
    user = [
        {"text": "see"},
        {"image": {"format": "png", "source": {"bytes": PNG}}},
        {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}, "context": "x"}},
        {"document": {"name": "b", "source": {"text": "words"}}},
        {"cachePoint": {"type": "default"}},
    ]
    agent = [
        {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
        {"text": "so"},
        {"toolUse": {"toolUseId": "t1", "name": "f", "input": {"a": 1}}},
    ]
    result = [{"toolResult": {"toolUseId": "t1", "content": [{"json": {"a": 1}}]}}]
    rows = [
        {"role": "user", "content": user},
        {"role": "assistant", "content": agent},
        {"role": "user", "content": result},
    ]
    assert list(lower(rows, dialect="bedrock").messages) == rows
