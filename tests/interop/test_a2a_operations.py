"""Clients of others ask an agent of this library for tasks: they get them, watch them and cancel them."""

from __future__ import annotations

import pytest

from mentionable import StoredTask
from tests.interop.remembering import Remembering, serving

FLOOR = 144
BINDINGS = ("JSONRPC", "HTTP+JSON")
CLIENTS = [
    *[("sdk", version, binding) for version in ("1.0", "0.3") for binding in BINDINGS],
    *[("javascript", version, binding) for version in ("1.0", "0.3") for binding in BINDINGS],
    *[("javascript-0.3", "0.3", binding) for binding in BINDINGS],
]
EVERY_CLIENT = pytest.mark.parametrize(("client", "version", "binding"), CLIENTS)
METHODS = {
    "get": ("get_task", "getTask"),
    "list": ("list_tasks", "listTasks"),
    "watch": ("subscribe", "resubscribeTask"),
    "cancel": ("cancel_task", "cancelTask"),
}
"""What is asked for → the method in Python, and in JavaScript."""


def said(id, role, words, task_id):
    return {"messageId": id, "role": role, "contextId": "c1", "taskId": task_id, "parts": [{"text": words}]}


def task(id, state="input-required", owner="alice"):
    """A task that asked for the city after three messages, and has made something."""
    return StoredTask(
        id=id,
        context_id="c1",
        owner=owner,
        state=state,
        updated_at="2026-11-21T20:56:00Z",
        message=said("a1", "ROLE_AGENT", "Which city?", id),
        artifacts=({"artifactId": "r1", "name": "rain", "parts": [{"text": "Rain"}, {"data": {"n": 1}}]},),
        history=tuple(said(f"q{number}", "ROLE_USER", f"Hi {number}", id) for number in range(3)),
    )


@pytest.fixture
def ask(agents, node_agents):
    """What a client has of each operation: the agent has a task of its caller, an ended one, and one of another."""

    def all_of(client, version, binding, operations):
        agent = Remembering()
        agent.tasks = {"t1": task("t1"), "t2": task("t2", "completed"), "t3": task("t3", owner="bob")}
        is_node = client.startswith("javascript")
        named = [[METHODS[name][is_node], params] for name, params in operations]
        with serving(agent) as url:
            facts = {"client": client, "url": f"{url}/a2a", "version": version, "binding": binding}
            answers = (node_agents if is_node else agents)("operate", operations=named, **facts)
        assert agent.faults == []
        assert {one.caller for one in agent.asked} <= {"alice"}
        return answers

    return all_of


def state_of(found):
    return found["status"]["state"].removeprefix("TASK_STATE_").lower().replace("_", "-")


def texts(messages):
    return [message["parts"][0]["text"] for message in messages]


def error_of(answer):
    """The name of the error of a client, without the name of its transport."""
    name = answer["error"][0].removeprefix("JsonRpc").removeprefix("Rest")
    return name.replace("JSONRPC", "")


def unit(event):
    return event if "kind" in event else next(iter(event.values()))


def is_error_of_a_stream(client, binding):
    """Whether it is an error inside a stream: the SDK for JavaScript has one class for all of them."""
    return client.startswith("javascript") and binding == "JSONRPC"


@EVERY_CLIENT
def test_a_client_gets_a_task(ask, count, client, version, binding):
    wanted = [("get", {"id": "t1"}), ("get", {"id": "t1", "historyLength": 1}), ("get", {"id": "t2"})]
    whole, trimmed, ended = ask(client, version, binding, wanted)
    assert (whole["id"], whole["contextId"], state_of(whole)) == ("t1", "c1", "input-required")
    assert texts([whole["status"]["message"]]) == ["Which city?"]
    assert texts(whole["history"]) == ["Hi 0", "Hi 1", "Hi 2"]
    assert texts(trimmed["history"]) == ["Hi 2"]
    (artifact,) = whole["artifacts"]
    assert (artifact["artifactId"], artifact["name"]) == ("r1", "rain")
    assert [part.get("text") or part["data"] for part in artifact["parts"]] == ["Rain", {"n": 1}]
    assert state_of(ended) == "completed"
    count(3)


@EVERY_CLIENT
def test_the_task_of_somebody_else_is_none_for_a_client(ask, count, client, version, binding):
    for name in ("get", "cancel", "watch"):
        other, none = ask(client, version, binding, [(name, {"id": "t3"}), (name, {"id": "no-such-task"})])
        assert other == none
        if is_error_of_a_stream(client, binding) and name == "watch":
            assert "error" in none
        else:
            assert error_of(none) == "TaskNotFoundError"
        count(2)


@pytest.mark.parametrize(("client", "version", "binding"), [one for one in CLIENTS if one[1] == "1.0"])
def test_a_client_lists_its_tasks(ask, count, client, version, binding):
    (page,) = ask(client, version, binding, [("list", {"contextId": "c1"})])
    assert [(one["id"], state_of(one)) for one in page["tasks"]] == [("t1", "input-required"), ("t2", "completed")]
    count()


@EVERY_CLIENT
def test_a_client_watches_a_task_to_its_end(ask, count, client, version, binding):
    events, ended = ask(client, version, binding, [("watch", {"id": "t1"}), ("watch", {"id": "t2"})])
    first, last = map(unit, events)
    assert (first["id"], state_of(first), texts(first["history"])) == ("t1", "input-required", ["Hi 0", "Hi 1", "Hi 2"])
    assert (last["taskId"], state_of(last)) == ("t1", "completed")
    if is_error_of_a_stream(client, binding):
        assert "error" in ended
    else:
        assert error_of(ended) == "UnsupportedOperationError"
    count(2)


@EVERY_CLIENT
def test_a_client_cancels_a_task(ask, count, client, version, binding):
    canceled, again, ended = ask(client, version, binding, [("cancel", {"id": id}) for id in ("t1", "t1", "t2")])
    assert state_of(canceled) == "canceled"
    assert again == canceled
    assert error_of(ended) == "TaskNotCancelableError"
    count(3)
