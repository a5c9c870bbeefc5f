"""Where blocks of context go."""

from __future__ import annotations

import json

import pytest

from mentionable.ingest import lower

LINE = "[Context — not written by the sender of this message]\n"
HOST = {"role": "system", "content": "be kind"}
LATE = {"role": "system", "content": "be quick"}
THREAD = {"role": "system", "content": "- Ash: hi", "_assembled": "thread_context"}
AMBIENT = {"role": "system", "content": "- Eve: rain", "_assembled": "ambient"}
BOB = {"role": "user", "content": "[Bob]: yes", "_assembled": "turn"}
ALICE = {"role": "user", "content": "[Alice]: no", "_assembled": "turn"}
BOT = {"role": "assistant", "content": "ok"}
ROWS = [HOST, THREAD, BOB, BOT, LATE, AMBIENT, THREAD, ALICE]


def said(messages):
    """Roles with texts."""
    made = []
    for message in messages:
        content = message.get("parts") or message["content"]
        texts = content if isinstance(content, str) else [block["text"] for block in content]
        made.append((message["role"], texts))
    return made


@pytest.mark.parametrize("dialect", ["openai", "openai-responses", "vercel"])
@pytest.mark.parametrize("placement", [None, "inline"])
def test_inline_a_block_stands_above_its_turn(dialect, placement):
    lowered = lower(ROWS, dialect=dialect, placement=placement)
    assert said(lowered.messages) == [(row["role"], row["content"]) for row in ROWS]
    assert (lowered.system, lowered.diagnostics) == (None, ())


@pytest.mark.parametrize("dialect", ["openai", "openai-responses", "vercel"])
def test_hoisted_all_blocks_stand_in_one_leading_message(dialect):
    lowered = lower(ROWS, dialect=dialect, placement="hoist")
    head = "be kind\n\n- Ash: hi\n\n- Eve: rain\n\n- Ash: hi"
    assert said(lowered.messages) == [
        ("system", head),
        ("user", "[Bob]: yes"),
        ("assistant", "ok"),
        ("system", "be quick"),
        ("user", "[Alice]: no"),
    ]
    assert lowered.system is None


@pytest.mark.parametrize("dialect", ["anthropic", "gemini"])
def test_hoisted_all_blocks_stand_in_the_system_text(dialect):
    lowered = lower([THREAD, *ROWS], dialect=dialect, placement="hoist")
    assert lowered.system == "be kind\n\n- Ash: hi\n\n- Ash: hi\n\nbe quick\n\n- Eve: rain\n\n- Ash: hi"
    assert [message["role"] for message in lowered.messages][-1] == "user"
    assert "Ash" not in json.dumps(lowered.messages)


def test_where_nothing_is_hoisted_the_rows_stay_as_they_are():
    rows = [HOST, {"role": "developer", "content": [{"type": "text", "text": "x"}]}, BOB]
    assert lower(rows, placement="hoist").messages == lower(rows).messages


def test_a_hoisted_head_has_the_role_of_what_led():
    developer = {"role": "developer", "content": "be kind"}
    assert said(lower([developer, THREAD, BOB], placement="hoist").messages)[0] == (
        "developer",
        "be kind\n\n- Ash: hi",
    )
    assert said(lower([THREAD, BOB], placement="hoist").messages)[0] == ("system", "- Ash: hi")
    blank = {**THREAD, "content": " "}
    lowered = lower([blank, BOB], placement="hoist")
    assert said(lowered.messages) == [("user", "[Bob]: yes")]
    assert [(note.code, note.at) for note in lowered.diagnostics] == [("turn-dropped", "/0")]


@pytest.mark.parametrize(
    ("dialect", "placement"),
    [
        ("openai", "user_block"),
        ("openai-responses", "user_block"),
        ("vercel", "user_block"),
        ("anthropic", "user_block"),
        ("anthropic", None),
        ("gemini", "user_block"),
        ("gemini", None),
    ],
)
def test_in_the_turn_a_block_says_that_its_sender_did_not_write_it(dialect, placement):
    lowered = lower(ROWS, dialect=dialect, placement=placement)
    turns = [texts for role, texts in said(lowered.messages) if role == "user"]
    assert turns == [
        [f"{LINE}- Ash: hi", "[Bob]: yes"],
        [f"{LINE}- Eve: rain", f"{LINE}- Ash: hi", "[Alice]: no"],
    ]
    assert lowered.system == ("be kind\n\nbe quick" if dialect in ("anthropic", "gemini") else None)


@pytest.mark.parametrize("placement", [None, "hoist", "user_block"])
@pytest.mark.parametrize("dialect", ["openai", "openai-responses", "vercel", "anthropic", "gemini"])
def test_a_block_with_no_turn_below_it_is_never_lost(dialect, placement):
    lowered = lower([BOB, BOT, AMBIENT], dialect=dialect, placement=placement)
    if dialect in ("anthropic", "gemini"):
        assert lowered.system == "- Eve: rain"
    else:
        place = 0 if placement == "hoist" else -1
        assert said(lowered.messages)[place] == ("system", "- Eve: rain")


def test_a_block_never_comes_between_a_call_and_its_result():
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = [{"type": "tool_result", "tool_use_id": "c1", "content": "x"}, {"type": "text", "text": "[Bob]: yes"}]
    rows = [BOB, asked, THREAD, {"role": "user", "content": answer}]
    assert [message["role"] for message in lower(rows).messages] == ["user", "assistant", "tool", "system", "user"]
    content = lower(rows, dialect="anthropic").messages[2]["content"]
    assert [block.get("text") for block in content] == [None, f"{LINE}- Ash: hi", "[Bob]: yes"]


def test_only_a_system_message_can_be_a_block_of_context():
    assert said(lower([{**BOB, "_assembled": "ambient"}], placement="hoist").messages) == [("user", "[Bob]: yes")]
