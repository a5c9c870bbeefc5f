"""What each provider is given."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError
from mentionable.ingest import Lowered, ModelDialect, assemble, lower
from tests.ingest.others import BEDROCK, LANGCHAIN, PYDANTIC_AI

DIALECTS = ("openai", "openai-responses", "anthropic", "gemini", "vercel")
ALTERNATE = ("anthropic", "gemini", "bedrock")
NOTHING_NEWER = "[There is no newer message.]"
PNG, PDF, WAV = "iVBORw0KGgo=", "JVBERi0x", "UklGRg=="
DATA_PDF = f"data:application/pdf;base64,{PDF}"
URL = "https://files.example/a"
OURS = {"type": "file", "mediaType": "application/pdf", "data": PDF, "filename": "a.pdf"}


def user(*blocks, dialect, **more):
    """The one message that a user turn with these blocks becomes, and the codes of what was noted."""
    lowered = lower([{"role": "user", "content": list(blocks), **more}], dialect=dialect)
    (message,) = lowered.messages
    return message


def codes(lowered: Lowered):
    return [(note.code, note.at) for note in lowered.diagnostics]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_text_stays_a_string_where_the_dialect_has_strings(dialect):
    rows = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    assert [tuple(message.values()) for message in lower(rows, dialect=dialect).messages[:2]] == (
        [("user", [{"text": "hi"}]), ("model", [{"text": "hello"}])]
        if dialect == "gemini"
        else [("user", "hi"), ("assistant", "hello")]
    )


IMAGE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
IMAGE_AT = {"inline_data": {"mime_type": "image/png", "data": PNG}}
WRITTEN = [
    # an image by its bytes
    (IMAGE_AT, "openai", IMAGE),
    (IMAGE, "openai-responses", {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"}),
    (IMAGE, "anthropic", {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}),
    (IMAGE, "gemini", IMAGE_AT),
    (IMAGE, "vercel", {"type": "file", "mediaType": "image/png", "data": PNG}),
    # an image by its URL
    ({"type": "image", "image": URL}, "openai", {"type": "image_url", "image_url": {"url": URL}}),
    ({"type": "image", "image": URL}, "openai-responses", {"type": "input_image", "image_url": URL, "detail": "auto"}),
    ({"type": "image", "image": URL}, "anthropic", {"type": "image", "source": {"type": "url", "url": URL}}),
    ({"type": "image", "image": URL}, "gemini", {"file_data": {"file_uri": URL}}),
    ({"type": "input_image", "image_url": URL}, "vercel", {"type": "file", "mediaType": "image/*", "data": URL}),
    # a PDF by its bytes
    (OURS, "openai", {"type": "file", "file": {"filename": "a.pdf", "file_data": DATA_PDF}}),
    (
        {**OURS, "filename": None},
        "openai-responses",
        {"type": "input_file", "filename": "file.pdf", "file_data": f"data:application/pdf;base64,{PDF}"},
    ),
    (
        OURS,
        "anthropic",
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": PDF},
            "title": "a.pdf",
        },
    ),
    (OURS, "gemini", {"inline_data": {"mime_type": "application/pdf", "data": PDF}}),
    (
        {"type": "input_file", "file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"},
        "vercel",
        OURS,
    ),
    # a PDF by its URL
    ({**OURS, "data": URL}, "openai-responses", {"type": "input_file", "file_url": URL}),
    (
        {**OURS, "data": URL, "filename": ""},
        "anthropic",
        {"type": "document", "source": {"type": "url", "url": URL}},
    ),
    ({**OURS, "data": URL}, "gemini", {"file_data": {"mime_type": "application/pdf", "file_uri": URL}}),
    ({"type": "file", "data": URL}, "gemini", {"file_data": {"file_uri": URL}}),
    # text
    (
        {"type": "file", "mediaType": "text/csv", "data": "w6k="},
        "anthropic",
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "é"}},
    ),
    (
        {"type": "document", "title": "t", "source": {"type": "text", "data": "é"}},
        "vercel",
        {"type": "file", "mediaType": "text/plain", "data": "w6k=", "filename": "t"},
    ),
    # a recording
    (
        {"type": "file", "mediaType": "audio/x-wav", "data": WAV},
        "openai",
        {"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}},
    ),
    ({"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}}, "gemini",
     {"inline_data": {"mime_type": "audio/wav", "data": WAV}}),
    # words
    ({"type": "input_text", "text": "a"}, "openai", {"type": "text", "text": "a"}),
    ({"type": "text", "text": "a"}, "openai-responses", {"type": "input_text", "text": "a"}),
    ({"text": "a"}, "anthropic", {"type": "text", "text": "a"}),
    ({"type": "refusal", "refusal": "a"}, "gemini", {"text": "a"}),
    ("a", "vercel", {"type": "text", "text": "a"}),
]  # fmt: skip


@pytest.mark.parametrize(("block", "dialect", "written"), WRITTEN)
def test_a_block_becomes_one_of_the_dialect(block, dialect, written):
    lowered = lower([{"role": "user", "content": [block]}], dialect=dialect)
    (message,) = lowered.messages
    assert (message["parts" if dialect == "gemini" else "content"], codes(lowered)) == ([written], [])


@pytest.mark.parametrize(("block", "dialect"), [(written, dialect) for _, dialect, written in WRITTEN])
def test_a_block_of_the_dialect_stays_with_all_that_it_has(block, dialect):
    key = {"openai": "detail", "anthropic": "cache_control", "vercel": "providerOptions"}.get(dialect, "more")
    block = {**block, key: {"x": [1]}, "_ours": 1}
    lowered = lower([{"role": "user", "content": [block]}], dialect=dialect)
    (message,) = lowered.messages
    (found,) = message["parts" if dialect == "gemini" else "content"]
    if (dialect, block.get("type")) == ("openai-responses", "input_image"):
        block["detail"] = "auto"
    if (dialect, block.get("type")) != ("openai", "text"):
        assert {**found, "_ours": 1} == block
    assert found.get(key) is not block[key]


UNSUPPORTED = [
    ({**OURS, "data": URL}, "openai", f"[a.pdf (application/pdf)] <{URL}>"),
    ({"type": "file", "mediaType": "x/y", "data": PDF, "filename": "b"}, "openai", "[b (x/y)]"),
    ({"type": "file", "mediaType": "x/y", "data": PDF}, "openai-responses", "[file (x/y)]"),
    ({"type": "image", "image": "AAAA"}, "openai", "[file (image/*)]"),
    ({"type": "document", "source": {"type": "file", "file_id": "f"}}, "openai", "[file (application/octet-stream)]"),
    ({"type": "image", "image": "AAAA"}, "openai-responses", "[file (image/*)]"),
    ({"type": "image", "image": "AAAA"}, "anthropic", "[file (image/*)]"),
    ({"type": "image", "image": "AAAA"}, "gemini", "[file (image/*)]"),
    ({"type": "file", "mediaType": "image/png", "data": "?"}, "openai", "[file (image/png)]"),
    ({"type": "file", "mediaType": "image/png", "data": "?"}, "openai-responses", "[file (image/png)]"),
    ({"type": "file", "mediaType": "image/png", "data": "?"}, "anthropic", "[file (image/png)]"),
    ({"type": "file", "mediaType": "application/pdf", "data": "?"}, "openai-responses", "[file (application/pdf)]"),
    ({"type": "file", "mediaType": "image/svg+xml", "data": PDF}, "anthropic", "[file (image/svg+xml)]"),
    ({"type": "file", "mediaType": "image/svg+xml", "data": URL}, "anthropic", f"[file (image/svg+xml)] <{URL}>"),
    ({"type": "file", "mediaType": "text/plain", "data": "/w=="}, "anthropic", "[file (text/plain)]"),
    ({"type": "file", "mediaType": "text/plain", "data": URL}, "anthropic", f"[file (text/plain)] <{URL}>"),
    ({"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}}, "anthropic", "[file (audio/wav)]"),
    ({"file_data": {"file_uri": "gs://b/a", "mime_type": "video/mp4"}}, "vercel", "[file (video/mp4)]"),
    ({"type": "search_result", "source": "x"}, "gemini", "[part (search_result)]"),
    ({"type": "tool_use", "id": "c", "name": "f", "input": {}}, "anthropic", "[part (tool_use)]"),
]


@pytest.mark.parametrize(("block", "dialect", "line"), UNSUPPORTED)
def test_what_cannot_be_said_becomes_a_line_and_is_noted(block, dialect, line):
    lowered = lower([{"role": "user", "content": ["hi", block]}], dialect=dialect)
    member = "parts" if dialect == "gemini" else "content"
    assert lowered.messages[0][member][1]["text"] == line
    assert codes(lowered) == [("part-unsupported", "/0/content/1")]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_a_model_of_others_thought_is_left_out_and_noted(dialect):
    thoughts = [
        {"type": "thinking", "thinking": "x", "signature": "s"},
        {"type": "reasoning", "text": "x"},
        {"text": "x", "thought": True},
        {"type": "thinking", "thinking": "x"},
    ]
    lowered = lower([{"role": "assistant", "content": [*thoughts, "hi"]}], dialect=dialect)
    own = {"anthropic": 0, "vercel": 1, "gemini": 2}.get(dialect)
    assert codes(lowered) == [("part-unsupported", f"/0/content/{n}") for n in range(4) if n != own]
    assert json.dumps(lowered.messages).count('"x"') == (own is not None)


def test_thoughts_of_the_provider_itself_stay_items():
    rows = [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
        {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "o"},
    ]
    assert list(lower(rows, dialect="openai-responses").messages) == rows
    assert codes(lower(rows, dialect="openai")) == [("part-unsupported", "/0")]


def test_an_item_that_the_provider_made_stays_as_it_is():
    said = [{"type": "output_text", "text": "a", "annotations": []}, {"type": "refusal", "refusal": "no"}]
    item = {"type": "message", "id": "m", "status": "completed", "role": "assistant", "content": said, "phase": "x"}
    call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
    rows = [item, call, {"type": "function_call_output", "call_id": "c", "output": "1"}]
    assert list(lower(rows, dialect="openai-responses").messages) == rows
    mixed = {**item, "content": [{"text": "b"}, *said]}
    assert [message["content"] for message in lower([mixed], dialect="openai-responses").messages] == ["b", "a", "no"]
    openai = lower(rows, dialect="openai").messages
    assert [block["type"] for block in openai[0]["content"]] == ["text", "refusal"]


def test_each_text_of_an_assistant_is_a_message_of_its_own_in_items():
    rows = [{"role": "assistant", "content": ["a", {"type": "output_text", "text": "b"}], "phase": "commentary"}]
    assert lower(rows, dialect="openai-responses").messages == (
        {"role": "assistant", "content": "a", "phase": "commentary"},
        {"role": "assistant", "content": "b", "phase": "commentary"},
    )


def test_an_assistant_shows_files_only_where_it_can():
    rows = [{"role": "user", "content": "draw"}, {"role": "assistant", "content": [IMAGE]}]
    for dialect in DIALECTS:
        written = json.dumps(lower(rows, dialect=dialect).messages)
        assert ("[file (image/png)]" in written) == (dialect not in ("gemini", "vercel"))


def test_members_that_a_dialect_does_not_know_are_gone():
    row = {
        "role": "assistant", "content": "hi", "name": "bot", "refusal": "no", "audio": {"id": "a"}, "id": "m",
        "providerOptions": {"x": {"y": 1}}, "_assembled": "turn", "_more": 1, "reasoning_content": "x", "phase": 5,
    }  # fmt: skip
    rows = [{"role": "user", "content": "a"}, row]
    kept = {dialect: lower(rows, dialect=dialect).messages[-1].keys() - {"role"} for dialect in DIALECTS}
    assert kept == {
        "openai": {"content", "name", "refusal", "audio"},
        "openai-responses": {"content"},
        "anthropic": {"content"},
        "gemini": {"parts"},
        "vercel": {"content", "providerOptions"},
    }


def test_a_refusal_and_a_recording_of_an_assistant_are_said_elsewhere_too():
    row = {"role": "assistant", "content": None, "refusal": "I cannot", "audio": {"id": "a"}}
    assert lower([row]).messages == (
        {"role": "assistant", "content": None, "refusal": "I cannot", "audio": {"id": "a"}},
    )
    lowered = lower([{"role": "user", "content": "a"}, row], dialect="gemini")
    assert lowered.messages[1]["parts"] == [{"text": "I cannot"}, {"text": "[part (audio)]"}]
    assert codes(lowered) == [("part-unsupported", "/1/audio")]


def test_system_rows_stay_or_become_the_system_text():
    rows = [
        {"role": "system", "content": "one"},
        {"role": "developer", "content": ["two", IMAGE, {"type": "thinking", "thinking": "x"}]},
        {"role": "user", "content": "hi"},
        {"role": "system", "content": "three"},
    ]
    text = "one\n\ntwo\n\n[file (image/png)]\n\nthree"
    for dialect in ("anthropic", "gemini"):
        lowered = lower(rows, dialect=dialect)
        assert (lowered.system, len(lowered.messages)) == (text, 1)
        assert codes(lowered) == [("part-unsupported", "/1/content/1"), ("part-unsupported", "/1/content/2")]
    for dialect in ("openai", "openai-responses", "vercel"):
        lowered = lower(rows, dialect=dialect)
        assert lowered.system is None
        developer = "system" if dialect == "vercel" else "developer"
        assert [message["role"] for message in lowered.messages] == ["system", developer, "user", "system"]
    assert lower(rows, dialect="vercel").messages[1]["content"] == "two\n\n[file (image/png)]"
    assert lower([{"role": "system", "content": " "}], dialect="anthropic").system is None


@pytest.mark.parametrize("dialect", ALTERNATE)
def test_messages_of_one_role_become_one_and_no_texts_are_joined(dialect):
    rows = [
        {"role": "user", "content": "[Bob]: a"},
        {"role": "user", "content": ["  ", "[Alice]: b"]},
        {"role": "user", "content": "\n"},
        {"role": "assistant", "content": "c"},
        {"role": "assistant", "content": "d"},
    ]
    lowered = lower(rows, dialect=dialect)
    member = "parts" if dialect == "gemini" else "content"
    texts = [[block["text"] for block in message[member]] for message in lowered.messages[:2]]
    assert texts == [["[Bob]: a", "[Alice]: b"], ["c", "d"]]
    assert codes(lowered) == [("turn-dropped", "/2")]


def test_a_user_speaks_first_where_a_provider_wants_it():
    rows = [{"role": "assistant", "content": "hello"}]
    first = "[Earlier messages are not shown.]"
    assert lower(rows, dialect="anthropic").messages[0] == {"role": "user", "content": first}
    assert lower(rows, dialect="gemini").messages[0] == {"role": "user", "parts": [{"text": first}]}
    assert lower(rows, dialect="bedrock").messages[0] == {"role": "user", "content": [{"text": first}]}
    for dialect in get_args(ModelDialect):
        assert lower([], dialect=dialect) == Lowered(messages=())


def test_a_user_speaks_last_where_a_provider_wants_it():
    rows = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello "}]
    assert lower(rows, dialect="anthropic").messages[2] == {"role": "user", "content": NOTHING_NEWER}
    assert lower(rows, dialect="gemini").messages[2] == {"role": "user", "parts": [{"text": NOTHING_NEWER}]}
    assert lower(rows, dialect="bedrock").messages[2] == {"role": "user", "content": [{"text": NOTHING_NEWER}]}
    for dialect in ALTERNATE:
        assert len(lower([*rows, {"role": "user", "content": "more"}], dialect=dialect).messages) == 3


def test_an_empty_part_that_carries_more_stays():
    row = {"role": "model", "parts": [{"text": "", "thought_signature": b"abc"}]}
    assert lower([row], dialect="gemini").messages[1]["parts"] == [{"text": "", "thought_signature": "YWJj"}]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("content", [None, []])
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_turn_that_says_nothing_is_left_out_and_noted(dialect, content, role):
    lowered = lower([{"role": role, "content": content}], dialect=dialect)
    assert (lowered.messages, codes(lowered)) == ((), [("turn-dropped", "/0")])


@pytest.mark.parametrize("dialect", ["openai", "openai-responses", "vercel"])
def test_a_system_row_that_says_nothing_is_left_out_and_noted(dialect):
    assert codes(lower([{"role": "system", "content": None}], dialect=dialect)) == [("turn-dropped", "/0")]


def test_messages_for_screens_have_parts_and_may_have_content_too():
    rows = [
        {"id": "1", "role": "user", "parts": [{"type": "text", "text": "a"}, {"type": "step-start"}], "content": "a"},
        {"id": "2", "role": "user", "parts": [], "content": "b"},
        {"id": "3", "role": "user", "parts": "c"},
    ]
    assert [message["content"] for message in lower(rows).messages] == [[{"type": "text", "text": "a"}], "b", "c"]


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        (5, "rows:"),
        (["hi"], r"rows\[0\]:"),
        ({"role": "user"}, r"rows\[0\]:"),
        (
            [{"role": "user", "content": "a"}, {"role": "user", "content": "a", "_metadata": None}],
            r"rows\[1\]\._metadata",
        ),
        ([{"content": "a"}], r"rows\[0\]\.role"),
        ([{"role": "function", "content": "a"}], r"rows\[0\]\.role"),
        ([{"role": ["user"], "content": "a"}], r"rows\[0\]\.role"),
        ([{"type": "text", "text": "a"}], r"rows\[0\]\.role"),
        ([{"role": "user", "content": 5}], r"rows\[0\]\.content"),
        ([{"role": "user", "parts": 5}], r"rows\[0\]\.parts"),
        ([{"role": "user", "content": ["a", 5]}], r"rows\[0\]\.content\[1\]"),
        ([{"role": "assistant", "tool_calls": 5}], r"rows\[0\]\.tool_calls"),
        ([{"role": "assistant", "tool_calls": [5]}], r"rows\[0\]\.tool_calls"),
    ],
)
def test_a_row_that_is_none_is_named(rows, place):
    with pytest.raises(UsageError, match=place):
        lower(rows)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"dialect": "cohere"}, "dialect"),
        ({"placement": "above"}, "placement"),
        ({"dialect": "anthropic", "placement": "inline"}, "'hoist' or 'user_block'"),
        ({"dialect": "gemini", "placement": "inline"}, "'hoist' or 'user_block'"),
        ({"dialect": "bedrock", "placement": "inline"}, "'hoist' or 'user_block'"),
    ],
)
def test_an_argument_that_is_none_is_named(arguments, words):
    with pytest.raises(UsageError, match=words):
        lower([], **arguments)


BLOCKS = [block for block, _, _ in WRITTEN] + [block for block, _, _ in UNSUPPORTED] + [
    {"type": "thinking", "thinking": "x", "signature": "s"},
    {"type": "step-start"},
    {"type": "tool_use", "id": "c", "name": "f", "input": {"a": [1]}},
    {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "t"}, OURS]},
    {"type": "tool-f", "toolCallId": "d", "input": {}, "state": "output-available", "output": {"o": 1}},
    {"functionCall": {"name": "g", "args": {}}},
    {"functionResponse": {"name": "g", "response": {}}},
    *[block for block, _, _ in BEDROCK + LANGCHAIN + PYDANTIC_AI],
]  # fmt: skip
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["system", "developer", "user", "assistant", "model", "tool"]),
            "content": st.none() | st.text(max_size=5) | st.lists(st.sampled_from(BLOCKS), max_size=4),
        },
        optional={"_assembled": st.sampled_from(["turn", "thread_context", "ambient"]), "tool_call_id": st.just("c")},
    ),
    max_size=8,
)


@given(ROWS, st.sampled_from(get_args(ModelDialect)), st.sampled_from([None, "hoist", "user_block"]))
def test_nothing_that_came_in_is_changed_or_shared_and_the_same_comes_out(rows, dialect, placement):
    before = copy.deepcopy(rows)
    first, second = (lower(rows, dialect=dialect, placement=placement) for _ in range(2))
    assert (rows, first) == (before, second)
    shared = identities(rows) & identities(first.messages)
    assert not shared
    assert not [name for name in members(first.messages) if name[0] == "_" and name != "__openai_role__"]
    if dialect in ALTERNATE:
        roles = [message["role"] for message in first.messages]
        assert roles[:1] == roles[-1:]
        assert roles[:1] in ([], ["user"])
        assert all(one != two for one, two in pairwise(roles))


@given(ROWS, st.sampled_from([*DIALECTS, "bedrock"]))
def test_lowering_once_more_changes_nothing(rows, dialect):
    first = lower(rows, dialect=dialect)
    again = lower(first.messages, dialect=dialect)
    if dialect == "openai-responses":  # items of one turn are turns of their own the next time, with results between
        first, again = again, lower(again.messages, dialect=dialect)
    assert (again.messages, again.system) == (first.messages, None)
    assert {note.code for note in again.diagnostics} <= {"call-unanswered"}


ODD = [5, None, True, 1.5, "", "x", "data:x", "\ud800", b"x", [], [5], {}, {"type": []}, ("a",), object()]


@st.composite
def broken(draw):
    """A block of which one member, at some depth, is anything."""
    block = copy.deepcopy(draw(st.sampled_from([block for block in BLOCKS if isinstance(block, dict)])))
    place = block
    while True:
        if isinstance(place, list):
            key = draw(st.integers(0, len(place) - 1))
        else:
            key = draw(st.sampled_from([*place, "type", "state", "output"]))
        inside = place[key] if isinstance(place, list) or key in place else None
        if isinstance(inside, (dict, list)) and inside and draw(st.booleans()):
            place = inside
            continue
        place[key] = draw(st.sampled_from(ODD))
        return block


@given(
    st.lists(broken(), max_size=3),
    st.sampled_from(["system", "user", "assistant", "tool"]),
    st.sampled_from(get_args(ModelDialect)),
)
def test_whatever_a_block_holds_only_a_usage_error_comes_of_it(blocks, role, dialect):
    with suppress(UsageError):
        written = lower([{"role": role, "content": blocks}, *blocks[:1]], dialect=dialect)
        json.dumps(written.messages).encode()
    with suppress(UsageError):
        written = lower([{"role": role, "content": blocks}], dialect=dialect)
        json.dumps(written.messages, ensure_ascii=False).encode()


def members(value):
    """The names of all members, at every depth."""
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list, tuple)):
            yield from members(item)
    if isinstance(value, dict):
        yield from value


def identities(value):
    found = set()
    if isinstance(value, dict):
        found.add(id(value))
    if isinstance(value, (dict, list, tuple)):
        found |= {id(value)} if isinstance(value, list) else set()
        for item in value.values() if isinstance(value, dict) else value:
            found |= identities(item)
    return found


@pytest.mark.parametrize("dialect", ["openai-responses", "vercel"])
def test_a_blank_text_beside_a_call_says_nothing(dialect):
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    rows = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": " ", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "1"},
    ]
    found = lower(rows, dialect=dialect)
    assert found.diagnostics == ()
    assert '" "' not in json.dumps(found.messages)


def test_what_was_assembled_can_be_lowered_as_it_is():
    assembled = assemble([{"role": "user", "content": "hi", "_metadata": {"sender_display_name": "Bob"}}])
    assert lower(assembled) == lower(assembled.rows)
