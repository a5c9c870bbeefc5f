"""The work for rows, names, texts and historic prefixes grows with their size and no faster."""

from datetime import timedelta
from time import process_time

import pytest

from mentionable import DecodeError, compose_attribution_prefix, compose_thread_context_block
from mentionable.ingest import (
    CONTRACT_SINCE,
    THREAD_HEADING,
    assemble,
    compose_thread_summary,
    read_metadata,
    strip_legacy,
)
from tests.ingest.people import OLIVIA, user
from tests.linearity import steps_grow_linearly, time_grows_linearly
from tests.samples import TURN


def call(number):
    block = {"type": "tool_use", "id": f"c{number}"}
    return {
        "role": "assistant",
        "content": [block, {"type": "text", "text": "hi"}],
        "_metadata": {"sender_id": "bot:b"},
    }


def result(number):
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{number}", "content": "1"}]}


ROWS = {
    "turns": lambda size: [user(f"hi {number}") for number in range(size)],
    "contexts": lambda size: [user("hi", thread_context=f"- a: {number}") for number in range(size)],
    "same-contexts": lambda size: [user("hi", thread_context="- a: b")] * size,
    "passive": lambda size: [user("hi", passive=True)] * size,
    "contexts-and-one-passive": lambda size: [user("a", passive=True), *[user("hi", thread_context="x")] * size],
    "context-alone": lambda size: [
        user("a", passive=True),
        *[{"role": "system", "content": "x", "_assembled": "thread_context"}] * size,
        user("b"),
    ],
    "names": lambda size: [user("hi", sender_display_name=f"{number} {'O' * 640}") for number in range(size)],
    "others": lambda size: [row for number in range(size) for row in (call(number), result(number))],
    "blocks": lambda size: [user([{"type": "text", "text": "a"}] * size)],
    "results-first": lambda size: [user([{"type": "tool_result", "tool_use_id": "c"}] * size)],
    "tool-calls": lambda size: [{**call(1), "tool_calls": [{"type": "function", "id": "c"}] * size}, result(1)],
}


@pytest.mark.parametrize("make", ROWS.values(), ids=ROWS)
def test_assembling_is_linear(make):
    def run(rows):
        return assemble(rows, agent="bot:a", repeats="drop", context="quoted", quote_body_headers=True)

    steps_grow_linearly(run, make)
    time_grows_linearly(run, make, largest=8_000)


def deep(size):
    block = {"type": "text", "text": "a", "_metadata": 1}
    for _ in range(90):
        block = {"type": "tool_result", "content": [block]}
    return [user([block] * size)]


def test_blocks_in_blocks_are_linear():
    steps_grow_linearly(assemble, deep, size=20)


TEXTS = {
    "brackets": "[",
    "lines-of-brackets": "\n[",
    "ends-of-tokens": " (<@U1>)]",
    "headers": "\n[Admin]: ",
    "own-headers": "[Olivia]: ",
    "lines-of-blanks": "\n" + " " * 40,
    "unseen": "\u200b",
    "blanks": " ",
    "lines": "\n",
    "long-names": "\n[" + "a" * 399,
    "controls": "\x00\u202e",
    "halves": "\ud800",
    "ends": "]",
    "slack": "\n\n[Slack channel:C user:",
    "slack-whole": "\n\n[Slack channel:C user:a (<@U1>)] ",
    "slack-near": "\n\n[Slack channel:C user:a (<@U",
}


def of_length(piece, size):
    return piece * (size // len(piece))


def written(text):
    """All that a text may be: words, a name, a token, a context, what was said in the channel."""
    hints = {"sender_display_name": f"a{text}", "mention_token": text, "thread_context": text}
    rows = [user(text, by=hints), {**user(text), "_legacy": True}, user(text, by=hints, passive=True)]
    compose_attribution_prefix(hints)
    compose_thread_context_block(hints)
    return assemble(rows, context="quoted"), assemble(rows, quote_body_headers=True)


@pytest.mark.parametrize("piece", TEXTS.values(), ids=TEXTS)
def test_any_text_is_linear(piece):
    steps_grow_linearly(written, lambda size: piece * size, size=600)
    time_grows_linearly(written, lambda size: of_length(piece, size), size=4_000)


BEFORE = CONTRACT_SINCE - timedelta(days=1)
HEADS = {
    "slack": "[Slack channel:C user:",
    "thread": THREAD_HEADING,
    "discord": "[Discord channel:1 user:",
    "bluebubbles": "[",
}


def stripped(content):
    source = {"[S": "slack", "[D": "discord", "[T": "slack"}.get(content[:2], "bluebubbles")
    return [strip_legacy(content, source, sender_name=name, created_at=BEFORE) for name in (None, "a", content[22:])]


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize("piece", TEXTS.values(), ids=TEXTS)
def test_stripping_is_linear(head, piece):
    steps_grow_linearly(stripped, lambda size: head + piece * size, size=600)
    time_grows_linearly(stripped, lambda size: head + of_length(piece, size), size=4_000)


METADATA = {
    "members": lambda size: {f"sender_displayname{number}": 1 for number in range(size)},
    "a-long-member": lambda size: {"sender_displayname" * size: 1},
    "a-long-id": lambda size: {"sender_id": "a" * size + ":1"},
    "an-id-without-namespace": lambda size: {"sender_id": "a" * size},
    "colons": lambda size: {"sender_id": "a" + ":" * size},
}


@pytest.mark.parametrize("make", METADATA.values(), ids=METADATA)
def test_reading_metadata_is_linear(make):
    def read(members):
        try:
            return read_metadata({**OLIVIA, **members})
        except DecodeError:
            return None

    steps_grow_linearly(read, make)
    time_grows_linearly(read, make, largest=1 << 15)


def test_a_summary_of_a_thread_is_linear():
    steps_grow_linearly(compose_thread_summary, lambda size: [TURN] * size)


def test_a_quarter_of_a_megabyte_is_done_in_a_moment():
    start = process_time()
    for piece in TEXTS.values():
        text = of_length(piece, 250_000)
        written(text)
        stripped(THREAD_HEADING + text)
    assert process_time() - start < 20
