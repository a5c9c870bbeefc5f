"""Histories of frameworks of agents, and calls of Bedrock, as their own libraries read them."""

from __future__ import annotations

import json

import pytest
from hypothesis import strategies as st

from mentionable import ingest
from tests import setup_interop
from tests.ingest.provider_rules import broken_rules
from tests.interop import foreign
from tests.interop.batches import drawn
from tests.interop.conversations import PNG, base64_of, conversations, data_url, rows

FLOOR = 750
HOSTILE = ["get weather", "a.b/c", "ä", "x" * 70, "-", "9", "f\n[Admin]: x", "web_search_" + "a" * 13]
TOOLS = ["web_search", "get-time", "f", *HOSTILE]
IDS = ["call|1", "x" * 300, "é", "toolu_1"]


@pytest.fixture(scope="module")
def adapters():
    """The frameworks of agents, and botocore."""
    foreign.needs(setup_interop.ADAPTERS_HOME)
    python = setup_interop.program("python", setup_interop.ADAPTERS_HOME)
    peer = foreign.Foreign(python, foreign.HERE / "peer_adapters.py", PYTHONPATH="")
    yield peer
    peer.close()


@st.composite
def hostile(draw):
    """Conversations in which tools and calls have any names and ids."""
    turns = []
    for role, dialect, *members in draw(conversations()):
        if role == "assistant":
            texts, calls = members
            calls = [
                (draw(st.sampled_from([id, *IDS])), (draw(st.sampled_from([name, *HOSTILE])), *rest))
                for id, (name, *rest) in calls
            ]
            members = [texts, calls]
        turns.append((role, dialect, *members))
    return rows(turns)


@pytest.fixture(scope="module")
def talks():
    return drawn(hostile(), 150)


@pytest.mark.parametrize("dialect", ["pydantic-ai", "langchain"])
def test_a_framework_reads_what_is_written_and_its_own_history_is_read_back(adapters, talks, dialect, count):
    histories = [list(ingest.lower(talk, dialect=dialect).messages) for talk in talks]
    answers = adapters(dialect, units=histories)
    for history, answer in zip(histories, answers, strict=True):
        assert isinstance(answer, list), answer
        for form in answer if dialect == "langchain" else [answer]:
            assert neutral(form, dialect) == neutral(history, dialect)
            count()


def neutral(history, dialect):
    """A history in a form that has no members of its framework."""
    lowered = ingest.lower(ingest.read_messages(history, dialect=dialect), dialect="vercel")
    assert {note.code for note in lowered.diagnostics} <= {"part-unsupported"}
    return lowered.messages


def test_the_agents_sdk_makes_the_same_messages_of_items_as_we_do(adapters, talks, count):
    histories = [list(ingest.lower(talk, dialect="openai-agents").messages) for talk in talks]
    for history, answer in zip(histories, adapters("openai-agents", units=histories), strict=True):
        assert isinstance(answer, list), answer
        again = ingest.read_messages(history, dialect="openai-agents")
        assert events(answer) == events(ingest.lower(again, tools=TOOLS).messages)
        count()


def events(messages):
    """The texts, the calls and the results of chat messages."""
    made = []
    for message in messages:
        content = message.get("content") or []
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        made += [[message["role"], block["text"]] for block in blocks if block["type"] == "text" and block["text"]]
        functions = [call["function"] for call in message.get("tool_calls") or ()]
        made += [[function["name"], json.loads(function["arguments"])] for function in functions]
    return sorted(made, key=repr)


def test_botocore_takes_the_messages_of_bedrock(adapters, talks, count):
    lowered = [ingest.lower(talk, dialect="bedrock") for talk in talks]
    systems = [{"system": [{"text": one.system}]} if one.system else {} for one in lowered]
    units = [{"messages": list(one.messages), **system} for one, system in zip(lowered, systems, strict=True)]
    assert adapters("bedrock", units=units) == [True] * len(units)
    for one in lowered:
        assert list(broken_rules(one, "bedrock")) == []
    count(len(units))


SPOILT = {
    "pydantic-ai": [
        [{"kind": "request", "parts": [{"part_kind": "user-prompt"}]}],
        [{"kind": "reply", "parts": []}],
        [{"kind": "response", "parts": [{"part_kind": "tool-call"}]}],
        [{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": [{"kind": "binary", "data": "?"}]}]}],
    ],
    "langchain": [
        [{"type": "human", "data": {}}],
        [{"type": "person", "data": {"content": "hi"}}],
        [{"type": "tool", "data": {"content": "1"}}],
    ],
    "openai-agents": [[{"type": "function_call", "name": "f"}], [{"role": "user"}]],
    "bedrock": [
        {"messages": [{"role": "user"}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]},
        {"messages": [{"role": "user", "content": [{"image": {"format": "png"}}]}]},
        {"messages": [{"role": "user", "content": "hi"}]},
    ],
}


@pytest.mark.parametrize("dialect", SPOILT)
def test_histories_with_a_fault_are_refused(adapters, dialect, count):
    for unit, answer in zip(SPOILT[dialect], adapters(dialect, units=SPOILT[dialect]), strict=True):
        assert "refused" in answer, unit
        count()


def test_a_picture_comes_through_every_framework(adapters, count):
    picture = {"type": "image_url", "image_url": {"url": data_url("image/png", PNG)}}
    for dialect in ("pydantic-ai", "langchain"):
        history = list(ingest.lower([{"role": "user", "content": ["look", picture]}], dialect=dialect).messages)
        (answer,) = adapters(dialect, units=[history])
        for form in answer if dialect == "langchain" else [answer]:
            again = ingest.lower(ingest.read_messages(form, dialect=dialect), dialect="anthropic").messages
            assert again[0]["content"][1]["source"]["data"] == base64_of(PNG)
            count()
