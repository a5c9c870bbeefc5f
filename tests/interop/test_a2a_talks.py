"""Conversations of ten turns with agents and clients of the frameworks: what counts the turns is never ours."""

from __future__ import annotations

import time

import pytest

from mentionable import (
    Answered,
    ArtifactPart,
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
from tests.interop.remembering import Remembering, serving
from tests.interop.test_a2a_wire import texts_in

FLOOR = 1424
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
        operation = a2a.GetTask(task_id=got.response.extra["a2a"]["task_id"])
        answered = transmit(a2a.call_operation(operation, url=url, entropy=bytes(32)))
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
        if server.startswith("adk"):
            calls = [part for part in got.response.parts if isinstance(part, ToolCallPart)]
            assert [(call.name, call.result, call.state) for call in calls] == [("count", {"turn": number}, "ok")]
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


# the answering side


BINDINGS = ("JSONRPC", "HTTP+JSON")
CLIENTS = [
    *[
        (client, version, binding)
        for client in ("sdk", "javascript")
        for version in ("1.0", "0.3")
        for binding in BINDINGS
    ],
    *[("javascript-0.3", "0.3", binding) for binding in BINDINGS],
    *[("adk", version, "JSONRPC") for version in ("1.0", "0.3")],
]
EVERY_CLIENT = pytest.mark.parametrize(("client", "version", "binding"), CLIENTS)
WHOLE_AND_STREAM = pytest.mark.parametrize("stream", [False, True], ids=["one", "stream"])


@pytest.fixture
def talk(agents, node_agents):
    """Has a conversation with a client of this name."""

    def one(client, url, **facts):
        peer = node_agents if client.startswith("javascript") else agents
        return peer("talk", client=client, url=url, **facts)

    return one


@pytest.fixture
def show_task(agents, node_agents):
    """Gets a task with a client; google-adk has no method for that, and the SDK below it has."""

    def one(client, task_id, **facts):
        is_node = client.startswith("javascript")
        operations = [["getTask" if is_node else "get_task", {"id": task_id}]]
        (task,) = (node_agents if is_node else agents)("operate", client=client, operations=operations, **facts)
        return task

    return one


def heard(events):
    """The words of an answer as a client has them, and the context and the task that it names."""
    if "words" in events[0]:
        words = "".join(word for event in events for word in event["words"])
        return words, events[-1]["context_id"], events[-1]["task_id"]
    units = [next(iter(event.values())) for event in events]
    # A stream begins with the task as it was before.
    words = "".join(text for unit in units[len(units) > 1 :] for text in texts_in(unit))
    task_id = next((unit.get("taskId") or unit.get("id") for unit in units if "messageId" not in unit), None)
    return words, units[-1]["contextId"], task_id


def assert_one_conversation(agent, turns):
    """One thread, and a history that grows by a question and its answer each turn."""
    assert agent.faults == []
    assert len({message.thread_id for message in agent.messages}) == 1
    assert [len(message.history or ()) for message in agent.messages] == list(range(0, 2 * turns, 2))


@EVERY_CLIENT
@WHOLE_AND_STREAM
def test_ten_turns_of_a_client_are_one_conversation(talk, count, client, version, binding, stream):
    agent = Remembering()
    with serving(agent) as url:
        facts = {"questions": ["Hello"] * TURNS, "version": version, "binding": binding, "stream": stream}
        answers = talk(client, f"{url}/a2a", **facts)
    got = [heard(events) for events in answers]
    assert [words for words, _, _ in got] == [f"This is answer {number}." for number in range(1, TURNS + 1)]
    assert len({context for _, context, _ in got}) == 1
    assert len({task for _, _, task in got}) == (TURNS if stream else 1)
    assert_one_conversation(agent, TURNS)
    count(TURNS)


@WHOLE_AND_STREAM
def test_ten_turns_of_a_client_with_units_of_its_own_are_read(talk, count, stream):
    """It calls methods of v0.3 with units of v1.0, and reads no answer but in the same mixture."""
    agent = Remembering()
    with serving(agent) as url:
        talk("fasta2a", f"{url}/", questions=["Hello"] * TURNS, stream=stream)
    assert_one_conversation(agent, TURNS)
    assert all(message.parts == (TextPart(content="Hello"),) for message in agent.messages)
    count(TURNS)


@EVERY_CLIENT
@WHOLE_AND_STREAM
def test_ten_turns_of_a_client_in_tasks_are_one_conversation(talk, show_task, count, client, version, binding, stream):
    """Each answer is a task, and a task that asks for more goes on with the next question."""
    agent = Remembering(keeps_tasks=True)
    waits = 0 if client == "adk" else 5  # it takes a task that asks for more for a call of a tool
    asked = ["asks"] * waits + ["ends"] + ["task"] * (TURNS - 1 - waits)
    with serving(agent) as url:
        facts = {"url": f"{url}/a2a", "version": version, "binding": binding}
        answers = talk(client, questions=asked, stream=stream, **facts)
        shown = show_task(client, next(iter(agent.tasks)), **facts)
    got = [heard(events) for events in answers]
    assert [words for words, _, _ in got] == [f"This is answer {number}." for number in range(1, TURNS + 1)]
    assert len({context for _, context, _ in got}) == 1
    assert_one_conversation(agent, TURNS)
    first, *others = agent.tasks.values()
    assert [task for _, _, task in got] == [first.id] * (waits + 1) + [task.id for task in others]
    assert {(task.state, task.owner) for task in agent.tasks.values()} == {("completed", "alice")}
    for history in (first.history, shown["history"]):
        by_user = [turn for turn in history if turn["role"] in ("ROLE_USER", "user")]
        assert [turn["parts"][0]["text"] for turn in by_user] == asked[: waits + 1]
    assert shown["id"] == first.id
    count(TURNS + 1)
