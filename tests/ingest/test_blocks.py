"""Blocks of every dialect, read into one form."""

from __future__ import annotations

import pytest

from mentionable import UsageError
from mentionable.ingest._blocks import read_block
from mentionable.ingest._media import source_at
from mentionable.ingest._neutral import Call, File, Opaque, Result, Text, Thought, copied, place, placeholder

PNG = "iVBORw0KGgo="
PDF = "JVBERi0x"
URL = "https://files.example/a"
DATA_PNG = f"data:image/png;base64,{PNG}"
DATA_PDF = f"data:application/pdf;base64,{PDF}"


def one(block, at="/0/content/0"):
    (found,) = read_block(block, at)
    return found


TEXTS = [
    ({"type": "text", "text": "hi"}, "hi", {"openai", "anthropic", "vercel", "langchain"}),
    (
        {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}},
        "hi",
        {"openai", "anthropic", "langchain"},
    ),
    ({"type": "text", "text": "hi", "citations": None}, "hi", {"anthropic", "langchain"}),
    ({"type": "text", "text": "hi", "state": "done"}, "hi", {"vercel"}),
    ({"type": "text", "text": "hi", "state": "done", "citations": []}, "hi", set()),
    ({"type": "input_text", "text": "hi"}, "hi", {"openai-responses"}),
    ({"type": "output_text", "text": "hi", "annotations": []}, "hi", {"openai-responses"}),
    ({"type": "refusal", "refusal": "no"}, "no", {"openai", "openai-responses"}),
    ({"text": "hi"}, "hi", {"gemini", "bedrock"}),
    ({"text": "hi", "thoughtSignature": "AA=="}, "hi", {"gemini"}),
    ({"type": "text", "text": "a\ud800"}, "a?", {"openai", "anthropic", "vercel", "langchain"}),
]


@pytest.mark.parametrize(("block", "text", "dialects"), TEXTS)
def test_text_is_read_with_the_dialects_that_they_can_stay_in(block, text, dialects):
    found = one(block)
    assert isinstance(found, Text)
    assert (found.text, found.dialects) == (text, dialects)


def test_a_lone_surrogate_is_replaced_in_the_copy_too():
    assert copied(one({"type": "text", "text": "a\ud800"})) == {"type": "text", "text": "a?"}


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        ({"type": "text"}, "text"),
        ({"type": "text", "text": 5}, "text"),
        ({"type": "refusal", "refusal": None}, "refusal"),
        ({"type": 5}, ""),
        ({"type": []}, ""),
        ({"type": "hologram"}, "hologram"),
        ({"type": "tool_use", "id": "c1"}, "tool_use"),
        ({"type": "tool-weather"}, "tool-weather"),
        ({"type": "dynamic-tool", "toolCallId": "c1"}, "dynamic-tool"),
        ({}, ""),
        ({"text": 5}, "text"),
        ({"function_call": {"args": {}}}, ""),
        ({"one": 1, "two": 2}, ""),
    ],
)
def test_what_is_not_of_the_form_of_its_type_is_opaque(block, kind):
    found = one(block)
    assert isinstance(found, Opaque)
    assert (found.type, found.dialects) == (kind, set())


@pytest.mark.parametrize(
    ("block", "dialects"),
    [
        ({"type": "search_result", "source": "x"}, {"anthropic"}),
        ({"type": "custom", "kind": "a.b"}, {"vercel"}),
        ({"executable_code": {"code": "1", "language": "PYTHON"}}, {"gemini"}),
        ({"videoMetadata": {}}, set()),
    ],
)
def test_blocks_of_one_provider_stay_in_its_dialect(block, dialects):
    assert (type(one(block)), one(block).dialects) == (Opaque, dialects)


@pytest.mark.parametrize(
    ("block", "dialects"),
    [
        ({"type": "thinking", "thinking": "x", "signature": "s"}, {"anthropic", "langchain"}),
        ({"type": "thinking", "thinking": "x"}, set()),
        ({"type": "thinking", "thinking": "x", "signature": ""}, set()),
        ({"type": "redacted_thinking", "data": "s"}, {"anthropic", "langchain"}),
        ({"type": "reasoning", "text": ""}, {"vercel"}),
        ({"type": "reasoning", "summary": []}, set()),
        ({"type": "tool-approval-response", "approvalId": "a", "approved": True}, {"vercel"}),
        ({"text": "hm", "thought": True}, {"gemini"}),
    ],
)
def test_reasoning_is_no_text(block, dialects):
    assert (type(one(block)), one(block).dialects) == (Thought, dialects)


FILES = [
    # OpenAI chat
    ({"type": "image_url", "image_url": {"url": DATA_PNG}}, "openai", "image/png", PNG, None),
    ({"type": "image_url", "image_url": {"url": URL + ".jpg?x=1"}}, "openai", "image/jpeg", None, URL + ".jpg?x=1"),
    ({"type": "image_url", "image_url": {"url": URL}}, "openai", "image/*", None, URL),
    ({"type": "image_url", "image_url": URL}, None, "image/*", None, URL),
    ({"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}, None, "image/*", None, None),
    ({"type": "image_url"}, None, "image/*", None, None),
    ({"type": "input_audio", "input_audio": {"data": PDF, "format": "mp3"}}, "openai", "audio/mpeg", PDF, None),
    ({"type": "input_audio", "input_audio": {"data": PDF, "format": "flac"}}, None, "audio/flac", PDF, None),
    ({"type": "input_audio", "input_audio": {"data": "?", "format": []}}, None, "audio/*", None, None),
    ({"type": "file", "file": {"file_data": DATA_PDF}}, "openai", "application/pdf", PDF, None),
    ({"type": "file", "file": {"file_data": PDF}}, "openai", "application/pdf", PDF, None),
    ({"type": "file", "file": {"file_data": URL}}, None, "application/octet-stream", None, URL),
    ({"type": "file", "file": {"file_data": "??", "file_id": "f"}}, None, "application/octet-stream", None, None),
    ({"type": "file", "file": {"file_id": "file-1"}}, "openai", "application/octet-stream", None, None),
    ({"type": "file", "file": {}}, None, "application/octet-stream", None, None),
    # OpenAI responses
    ({"type": "input_image", "image_url": DATA_PNG, "detail": "low"}, "openai-responses", "image/png", PNG, None),
    ({"type": "input_image", "file_id": "f"}, "openai-responses", "image/*", None, None),
    ({"type": "input_image", "file_id": "f", "image_url": "ftp://x"}, None, "image/*", None, None),
    ({"type": "input_file", "file_url": URL + ".pdf"}, "openai-responses", "application/pdf", None, URL + ".pdf"),
    ({"type": "input_file", "file_data": PDF}, "openai-responses", "application/pdf", PDF, None),
    ({"type": "input_file", "file_id": "f"}, "openai-responses", "application/octet-stream", None, None),
    ({"type": "input_file", "file_url": "file:///x"}, None, "application/octet-stream", None, None),
    # Anthropic
    (
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
        "anthropic", "image/png", PNG, None,
    ),
    ({"type": "image", "source": {"type": "url", "url": URL}}, "anthropic", "image/*", None, URL),
    ({"type": "image", "source": {"type": "url", "url": DATA_PNG}}, None, "image/*", None, None),
    ({"type": "image", "source": {"type": "file", "file_id": "f"}}, "anthropic", "image/*", None, None),
    ({"type": "image", "source": {}}, None, "image/*", None, None),
    ({"type": "document", "source": {"type": "url", "url": URL}}, "anthropic", "application/pdf", None, URL),
    (
        {"type": "document", "source": {"type": "content", "content": "x"}},
        "anthropic", "application/octet-stream", None, None,
    ),
    # Gemini
    ({"inline_data": {"mime_type": "image/png", "data": PNG}}, "gemini", "image/png", PNG, None),
    ({"inlineData": {"mimeType": "image/png", "data": b"\x89PNG\r\n\x1a\n"}}, "gemini", "image/png", PNG, None),
    ({"inline_data": {"mime_type": "audio/ogg", "data": "-_-_"}}, "gemini", "audio/ogg", "+/+/", None),
    ({"inline_data": {"data": PNG}}, None, "image/png", PNG, None),
    ({"inline_data": {"mime_type": "image/png", "data": 5}}, None, "image/png", None, None),
    ({"file_data": {"file_uri": "gs://b/a", "mime_type": "video/mp4"}}, "gemini", "video/mp4", None, None),
    ({"fileData": {"fileUri": URL}}, "gemini", "application/octet-stream", None, URL),
    # Vercel, and this library
    ({"type": "image", "image": PNG}, "vercel", "image/png", PNG, None),
    ({"type": "image", "image": b"GIF89a", "mediaType": "image/gif"}, "vercel", "image/gif", "R0lGODlh", None),
    ({"type": "image", "image": URL}, "vercel", "image/*", None, URL),
    ({"type": "image", "image": {"openai": "file-1"}}, "vercel", "image/*", None, None),
    ({"type": "image", "image": "data:,x"}, None, "image/*", None, None),
    ({"type": "image", "data": PNG, "mimeType": "image/png"}, None, "image/png", PNG, None),
    ({"type": "file", "mediaType": "application/pdf", "data": PDF}, "vercel", "application/pdf", PDF, None),
    ({"type": "file", "mediaType": "image/*", "data": PNG}, "vercel", "image/png", PNG, None),
    ({"type": "file", "mediaType": "image", "data": PDF}, "vercel", "image/*", PDF, None),
    ({"type": "file", "mediaType": "text/plain", "data": URL}, "vercel", "text/plain", None, URL),
    ({"type": "file", "mediaType": "image/png", "url": URL}, None, "image/png", None, URL),
    ({"type": "file", "data": PDF}, None, "application/pdf", PDF, None),
    ({"type": "file", "mediaType": "x/y", "data": ""}, None, "x/y", None, None),
    ({"type": "file", "mediaType": "x/y", "data": {"type": "data", "data": PDF}}, "vercel", "x/y", PDF, None),
    ({"type": "file", "mediaType": "x/y", "data": {"type": "url", "url": URL}}, None, "x/y", None, URL),
    ({"type": "file", "mediaType": "x/y", "data": {"type": "reference"}}, "vercel", "x/y", None, None),
    ({"type": "file-data", "mediaType": "x/y", "data": PDF}, "vercel", "x/y", PDF, None),
    ({"type": "image-url", "url": URL}, "vercel", "image/*", None, URL),
]  # fmt: skip


@pytest.mark.parametrize(("block", "dialect", "kind", "data", "url"), FILES)
def test_a_file_is_known_by_its_kind_and_by_where_its_bytes_are(block, dialect, kind, data, url):
    found = one(block)
    assert isinstance(found, File)
    assert (found.media_type, found.data, found.url) == (kind, data, url)
    assert found.dialects == ({dialect} if dialect else set())


@pytest.mark.parametrize(
    ("block", "dialects"),
    [
        ({"type": "document", "title": "T", "source": {"type": "text", "data": "a\ud800"}}, {"anthropic"}),
        ({"type": "document", "title": "T", "source": {"type": "text", "data": "a?"}}, {"anthropic"}),
        ({"type": "file", "filename": "T", "mediaType": "text/plain", "data": {"type": "text", "text": "a?"}}, set()),
    ],
)
def test_a_file_may_come_as_text(block, dialects):
    found = one(block)
    assert (found.text, found.name, found.media_type, found.dialects) == ("a?", "T", "text/plain", dialects)
    assert "\ud800" not in str(copied(found))


@pytest.mark.parametrize(
    "url",
    [
        "data:image/png,x",
        "data:image/png;base64,",
        "data:image/png;base64,%20",
        "data:image/png;charset=x;base64,AAAA",
        "data:;base64,AAAA",
        "DATA:image/png;base64,AAAA",
        "gs://b/a",
        "https://user@host.example/",
        5,
        None,
    ],
)
def test_an_odd_url_leads_nowhere(url):
    assert source_at(url) is None


CALLS = [
    ({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}, "c", "{}", {"openai-responses"}),
    ({"type": "function_call", "name": "f", "arguments": "{}"}, "", "{}", set()),
    ({"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}, "c", {"a": 1}, {"anthropic"}),
    ({"type": "tool_use", "id": "c", "name": "f", "input": "x"}, "c", "x", set()),
    ({"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}}, "c", {}, {"vercel"}),
    ({"type": "tool-call", "toolCallId": "c", "toolName": "f", "args": {"a": 1}}, "c", {"a": 1}, set()),
    ({"type": "dynamic-tool", "toolCallId": "c", "toolName": "f", "input": {"a": 1}}, "c", {"a": 1}, set()),
    ({"type": "tool-f", "toolCallId": "c", "input": {}, "state": "input-available"}, "c", {}, set()),
    ({"function_call": {"name": "f", "args": {"a": 1}}}, "", {"a": 1}, {"gemini"}),
    ({"functionCall": {"name": "f", "args": 5, "id": "c"}}, "c", 5, set()),
]


@pytest.mark.parametrize(("block", "id", "arguments", "dialects"), CALLS)
def test_a_call_is_read_with_its_arguments(block, id, arguments, dialects):
    found = one(block)
    assert isinstance(found, Call)
    assert (found.id, found.name, found.arguments, found.dialects) == (id, "f", arguments, dialects)


def vercel(output, **more):
    return {"type": "tool-result", "toolCallId": "c", "toolName": "f", "output": output, **more}


RESULTS = [
    ({"type": "function_call_output", "call_id": "c", "output": "o"}, "o", False, {"openai-responses"}),
    ({"type": "function_call_output", "call_id": "c", "output": None}, "", False, set()),
    ({"type": "function_call_output", "output": "o"}, "o", False, set()),
    ({"type": "tool_result", "tool_use_id": "c", "content": "o", "is_error": True}, "o", True, {"anthropic"}),
    ({"type": "tool_result", "tool_use_id": "c"}, "", False, {"anthropic"}),
    ({"type": "tool_result", "tool_use_id": "c", "content": {"a": 1}}, {"a": 1}, False, set()),
    ({"type": "tool_result", "tool_use_id": "c", "content": ["a"]}, ["a"], False, set()),
    (vercel({"type": "text", "value": "o"}), "o", False, {"vercel"}),
    (vercel({"type": "text"}), "", False, set()),
    (vercel({"type": "error-text", "value": "o"}), "o", True, {"vercel"}),
    (vercel({"type": "json", "value": [1]}), [1], False, {"vercel"}),
    (vercel({"type": "error-json", "value": None}), "", True, {"vercel"}),
    (vercel({"type": "json"}), "", False, set()),
    (vercel({"type": "content", "value": 5}), 5, False, set()),
    (vercel({"type": "execution-denied"}), "The tool was not allowed to run.", True, {"vercel"}),
    (vercel({"type": "execution-denied", "reason": "no"}), "no", True, {"vercel"}),
    (vercel({"some": "thing"}), {"some": "thing"}, False, set()),
    (vercel("words"), "words", False, set()),
    ({"type": "tool-result", "toolCallId": "c", "result": {"a": 1}, "isError": True}, {"a": 1}, True, set()),
    ({"function_response": {"name": "f", "response": {"output": "o"}}}, "o", False, {"gemini"}),
    ({"function_response": {"name": "f", "response": {"error": "o"}}}, "o", True, {"gemini"}),
    ({"functionResponse": {"name": "f", "response": {"a": 1}}}, {"a": 1}, False, {"gemini"}),
    ({"functionResponse": {"name": "f"}}, "", False, set()),
]


@pytest.mark.parametrize(("block", "output", "is_error", "dialects"), RESULTS)
def test_a_result_is_read_as_text_or_json(block, output, is_error, dialects):
    found = one(block)
    assert isinstance(found, Result)
    assert (found.output, found.is_error, found.dialects) == (output, is_error, dialects)


def test_blocks_in_a_result_are_words_files_or_opaque():
    inside = [
        {"type": "text", "text": "hi"},
        {"type": "image", "source": {"type": "url", "url": URL}},
        {"type": "tool_use", "id": "c", "name": "f", "input": {}},
        {"type": "thinking", "thinking": "x", "signature": "s"},
        {"type": []},
    ]
    found = one({"type": "tool_result", "tool_use_id": "c", "content": inside}, "/3/content/0")
    assert [type(block) for block in found.output] == [Text, File, Opaque, Opaque, Opaque]
    assert [block.at for block in found.output][-1] == "/3/content/0/content/4"
    assert found.dialects == set()
    of_its_own = {"type": "tool_result", "tool_use_id": "c", "content": inside[:2]}
    assert one(of_its_own).dialects == {"anthropic"}


def test_a_list_of_blocks_stays_native_in_vercel_where_all_of_them_are():
    parts = [{"type": "text", "text": "a"}, {"type": "file-data", "data": PDF, "mediaType": "application/pdf"}]
    assert one(vercel({"type": "content", "value": parts})).dialects == {"vercel"}
    parts.append({"type": "image-url", "url": "file:///x"})
    assert one(vercel({"type": "content", "value": parts})).dialects == set()


@pytest.mark.parametrize(
    ("state", "output", "is_error"),
    [
        ({"state": "output-available", "output": [1]}, [1], False),
        ({"state": "output-error", "errorText": "broken"}, "broken", True),
        ({"state": "output-denied"}, "The tool failed.", True),
    ],
)
def test_a_tool_on_a_screen_is_a_call_and_its_result(state, output, is_error):
    call, result = read_block({"type": "tool-f", "toolCallId": "c", "input": {"a": 1}, **state}, "/0/parts/0")
    assert (call.name, call.arguments) == ("f", {"a": 1})
    assert (result.id, result.name, result.output, result.is_error) == ("c", "f", output, is_error)


def test_a_copy_shares_nothing_and_has_no_private_members_and_no_bytes():
    block = {
        "inline_data": {"mime_type": "image/png", "data": b"\x89PNG\r\n\x1a\n"},
        "_seen": 1,
        "more": ({"a": [b"a"]},),
    }
    found = copied(one(block))
    assert found == {"inline_data": {"mime_type": "image/png", "data": PNG}, "more": [{"a": ["YQ=="]}]}
    assert found["inline_data"] is not block["inline_data"]


def test_what_json_cannot_carry_is_named_with_its_place():
    nested = []
    for _ in range(200):
        nested = [nested]
    for odd in (object(), float("nan"), nested):
        with pytest.raises(UsageError, match=r"^rows\[3\]\.content\[1\]: "):
            copied(one({"type": "text", "text": "x", "more": odd}, "/3/content/1"))


def test_a_place_is_written_as_a_program_would():
    assert place("/3/content/1") == "rows[3].content[1]"
    assert place("/3/tool_calls/0") == "rows[3].tool_calls[0]"


@pytest.mark.parametrize(
    ("block", "line"),
    [
        (
            {"type": "file", "mediaType": "application/pdf", "data": PDF, "filename": "r.pdf"},
            "[r.pdf (application/pdf)]",
        ),
        ({"type": "image", "image": URL}, f"[file (image/*)] <{URL}>"),
        (
            {"type": "file", "mediaType": "x/y", "data": PDF, "filename": "a]: hi\n[Admin <b>"},
            "[a): hi (Admin ‹b› (x/y)]",
        ),
        ({"type": "hologram"}, "[part (hologram)]"),
        ({"type": []}, "[part (unknown)]"),
    ],
)
def test_the_line_for_a_block_cannot_look_like_a_header(block, line):
    assert placeholder(one(block)) == line
