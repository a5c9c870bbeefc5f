"""Conversations of ten turns with agents and clients of the frameworks: what counts the turns is never ours."""

from __future__ import annotations

import json
import time

import pytest

from mentionable import (
    Answered,
    ArtifactPart,
    HttpRequest,
    NoRelay,
    NormalizedMessage,
    RecipientCapabilities,
    Sender,
    TextPart,
    ToolCallPart,
    a2a,
)
from mentionable._text.media import bytes_of
from tests.interop.loopback import transmit

FLOOR = 900
TURNS = 10
ENDED = {"completed", "canceled", "failed", "rejected"}

EVERY = ("1.0", "1.0-rest", "0.3", "0.3-rest")
SERVERS = {
    "sdk": (EVERY, ("task", "message", "asks", "mixed")),
    "javascript": (EVERY, ("task", "message", "asks", "mixed")),
    "javascript-0.3": (("0.3", "0.3-rest"), ("task", "message", "asks", "mixed")),
    "adk": (("1.0", "0.3"), ("task",)),
    "adk-newer": (("1.0", "0.3"), ("task",)),
    "fasta2a": (("1.0",), ("task",)),
}
"""Server → the dialects that it has, and how it is asked."""

ASKED = [
    pytest.param(server, dialect, how, stream, id=f"{server}-{dialect}-{how}-{'stream' if stream else 'one'}")
    for server, (dialects, hows) in SERVERS.items()
    for dialect in dialects
    for how in hows
    for stream in (False, True)
]


def questions(how):
    """The words of ten questions: nine after which a task waits, and one that ends it; or all of one kind."""
    return {
        "asks": ["asks"] * (TURNS - 1) + ["ends"],
        "mixed": ["message", "task", "asks", "asks", "ends", "message", "asks", "ends", "task", "message"],
    }.get(how, [how] * TURNS)


@pytest.fixture(scope="module")
def urls(agents, node_agents):
    """Server → its URL."""
    python = ("sdk", "adk", "adk-newer", "fasta2a")
    ports = {name: agents("serve", framework=name) for name in python}
    ports |= {name: node_agents("serve", framework=name) for name in SERVERS if name not in python}
    yield {name: f"http://127.0.0.1:{port}" for name, port in ports.items()}
    for name, port in ports.items():
        assert (agents if name in python else node_agents)("stop", port=port)


def url_of(urls, server, dialect):
    if server.startswith(("adk", "fasta2a")):
        return f"{urls[server]}/"
    return urls[server] + ("/rest" if dialect.endswith("rest") else "/rpc")


def question(words, number):
    return NormalizedMessage(
        id=f"m{number}",
        thread_id="t1",
        sender=Sender(address="@alice@a.example"),
        recipient="@helper@agents.example",
        parts=(TextPart(content=words),),
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_via="email",
        received_at="2026-11-21T00:00:00Z",
        raw=None,
    )


def words_of(response):
    """All texts of an answer, those of artifacts included."""
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    return texts + [bytes_of(part).decode() for part in response.parts if isinstance(part, ArtifactPart)]


def read_in_pieces(answered, message):
    """What an answer is that arrives seven bytes at a time."""
    stream = a2a.ResultStream(to=message)
    for start in range(0, len(answered.body), 7):
        stream.feed(answered.body[start : start + 7])
    return stream.close()


def asked_until_it_ended(url, got, message):
    """A server that answers before it begins is asked for the task."""
    for _ in range(200):
        if got.response.extra["a2a"]["state"] not in ("submitted", "working"):
            break
        time.sleep(0.01)
        body = {"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": got.response.extra["a2a"]["task_id"]}}
        headers = {"content-type": "application/json", "a2a-version": "1.0"}
        answered = transmit(HttpRequest(method="POST", url=url, headers=headers, body=json.dumps(body).encode()))
        got = a2a.result(answered, to=message)
    return answered, got


@pytest.mark.parametrize(("server", "dialect", "how", "stream"), ASKED)
def test_ten_turns_with_an_agent_are_one_conversation(urls, count, server, dialect, how, stream):
    url = url_of(urls, server, dialect)
    contexts, tasks, place = set(), [], {}
    for number, words in enumerate(questions(how), 1):
        message = question(words, number)
        entropy = bytes([number]) * 32
        answered = transmit(a2a.call(message, url=url, entropy=entropy, dialect=dialect, stream=stream, **place))
        got = a2a.result(answered, to=message)
        count()
        if server == "fasta2a" and not stream:
            answered, got = asked_until_it_ended(url, got, message)
        assert isinstance(got, Answered), got
        if stream:
            assert read_in_pieces(answered, message) == got
        said = got.response.extra["a2a"]
        assert "".join(words_of(got.response)) == f"This is answer {number}."
        assert_kind(said, words)
        if server == "adk-newer":
            assert [part.name for part in got.response.parts if isinstance(part, ToolCallPart)] == ["count"]
        contexts.add(said["context_id"])
        waits = said.get("state") not in {None, *ENDED}
        place = {"context_id": said["context_id"], **({"task_id": said["task_id"]} if waits else {})}
        tasks.append(said.get("task_id"))
    assert len(contexts) == 1
    assert len(set(tasks)) == {"task": TURNS, "message": 1, "asks": 1, "mixed": 5}[how]


def assert_kind(said, words):
    state = {"task": "completed", "message": None, "asks": "input-required", "ends": "completed"}[words]
    assert said.get("state") == state
    assert ("task_id" in said) == (words != "message")
