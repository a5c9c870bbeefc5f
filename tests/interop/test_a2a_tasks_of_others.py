"""Agents of others are asked for their tasks: these are seen, listed, watched and canceled."""

from __future__ import annotations

from contextlib import contextmanager
from http.client import HTTPConnection
from secrets import token_bytes
from urllib.parse import urlsplit

import pytest

from mentionable import HttpResponse, Rejected, a2a
from tests.interop.loopback import transmit
from tests.interop.test_a2a_talks import question, words_of

FLOOR = 78


def texts(messages):
    return [message["parts"][0]["text"] for message in messages]


EVERY = ("1.0", "1.0-rest", "0.3", "0.3-rest")
SERVERS = {"sdk": EVERY, "javascript": EVERY, "javascript-0.3": EVERY[2:]}
UNKNOWN_TASK = {"sdk": "peer-task-not-found", "javascript": "peer-task-not-found", "javascript-0.3": "peer-error"}
"""Server → what its error for a task that it does not have is."""

EVERY_SERVER = pytest.mark.parametrize(
    ("server", "dialect"), [(server, dialect) for server, dialects in SERVERS.items() for dialect in dialects]
)


@pytest.fixture(scope="module")
def urls(agents, node_agents):
    """Server → its URL."""
    peers = {"sdk": agents, "javascript": node_agents, "javascript-0.3": node_agents}
    ports = {name: peer("serve", framework=name) for name, peer in peers.items()}
    yield {name: f"http://127.0.0.1:{port}" for name, port in ports.items()}
    for name, port in ports.items():
        assert peers[name]("stop", port=port)


@pytest.fixture
def agent(urls, server, dialect):
    """An agent of another, as it is asked in one dialect."""
    url = urls[server] + ("/rest" if dialect.endswith("rest") else "/rpc")
    return Other(url, dialect, UNKNOWN_TASK[server])


class Other:
    """Asks, each time with other random bytes."""

    def __init__(self, url, dialect, unknown_task):
        self.facts = {"url": url, "dialect": dialect}
        self.unknown_task = unknown_task
        self.message = question("asks", 1)

    def call(self, words, **facts):
        self.message = question(words, 1)
        return a2a.call(self.message, entropy=token_bytes(32), **self.facts, **facts)

    def asks(self):
        """The task and the context of a question that waits for more."""
        said = a2a.result(transmit(self.call("asks")), to=self.message).response.extra["a2a"]
        return said["task_id"], said["context_id"]

    def operate(self, operation):
        request = a2a.call_operation(operation, entropy=token_bytes(32), **self.facts)
        got = a2a.operation_result(transmit(request), operation=operation, request=request)
        return got if isinstance(got, Rejected) else got.value

    def watch(self, task_id):
        request = a2a.call_operation(a2a.SubscribeToTask(task_id=task_id), entropy=token_bytes(32), **self.facts)
        return a2a.result(transmit(request), to=self.message)


@EVERY_SERVER
def test_a_task_of_an_agent_is_seen(agent, count):
    task_id, context_id = agent.asks()
    task = agent.operate(a2a.GetTask(task_id=task_id, history_length=9))
    assert (task.id, task.context_id, task.state, task.owner) == (task_id, context_id, "input-required", None)
    assert texts([task.message]) == ["This is answer 1."]
    assert texts(task.history)[0] == "asks"
    assert agent.operate(a2a.GetTask(task_id="no-such-task")).code == agent.unknown_task
    count(2)


@EVERY_SERVER
def test_a_task_of_an_agent_is_canceled(agent, count):
    task_id, context_id = agent.asks()
    task = agent.operate(a2a.CancelTask(task_id=task_id))
    assert (task.id, task.context_id, task.state) == (task_id, context_id, "canceled")
    assert agent.operate(a2a.GetTask(task_id=task_id)).state == "canceled"
    assert agent.operate(a2a.CancelTask(task_id="no-such-task")).code == agent.unknown_task
    count(3)


@pytest.mark.parametrize(("server", "dialect"), [(one, way) for one in ("sdk", "javascript") for way in EVERY[:2]])
def test_tasks_of_an_agent_are_listed(agent, count):
    task_id, context_id = agent.asks()
    page = agent.operate(a2a.ListTasks(context_id=context_id))
    assert [(task.id, task.state) for task in page.tasks] == [(task_id, "input-required")]
    assert agent.operate(a2a.ListTasks(context_id="no-such-context")).tasks == ()
    count(2)


@EVERY_SERVER
def test_a_task_of_an_agent_is_watched_to_its_end(agent, count):
    with begun(agent.call("slow", stream=True)) as first:
        said = a2a.result(first, to=agent.message).response.extra["a2a"]
        got = agent.watch(said["task_id"]).response
    assert "".join(words_of(got)) == "This is answer 1."
    assert (got.extra["a2a"]["state"], got.extra["a2a"]["task_id"]) == ("completed", said["task_id"])
    count(2)


@contextmanager
def begun(request):
    """What a server answers up to its first event, while it goes on."""
    where = urlsplit(request.url)
    connection = HTTPConnection(where.hostname, where.port, timeout=20)
    try:
        connection.request(request.method, where.path, body=request.body, headers=dict(request.headers))
        answered = connection.getresponse()
        lines = [answered.readline()]
        while lines[-1].strip():
            lines.append(answered.readline())
        headers = [(name.lower(), value) for name, value in answered.getheaders()]
        yield HttpResponse(status=answered.status, headers=headers, body=b"".join(lines))
    finally:
        connection.close()
