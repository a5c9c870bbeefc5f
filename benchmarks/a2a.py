"""From the bytes of an A2A message to its NormalizedMessage, compared with `json.loads` and the official parser; tasks.

Measured is the whole way: `drive(a2a.receive(HttpRequest(...)))`, with history. `raw` is made when it is read,
and has a row of its own.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.a2a_payloads import payloads
from benchmarks.common import FACTS, message_of, with_module
from benchmarks.timing import Claim, Effort, Function, Functions, Race
from mentionable import Answers, HttpRequest, HttpResponse, Rejected, Verdict, a2a, drive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result
    from mentionable import NormalizedMessage

BOUNDS: Final = {
    "task, 20 turns": (6.3, 4.5),
    "message, 1 part": (8.0, 4.2),
    "message, 6 parts": (6.6, 4.2),
    "message, 64 KiB inline": (2.6, None),
}
OFFICIAL: Final = {"task, 20 turns": (1 / 4, 0.18)}
"""Against the official parser of v1.0."""

_HEADERS: Final = (("content-type", "application/json"), ("a2a-version", "1.0"))
_WORLD: Final = Answers()


def receive(body: bytes) -> NormalizedMessage:
    """What a server does with a body."""
    request = HttpRequest(method="POST", url="https://agents.example/helper", headers=_HEADERS, body=body)
    return message_of(drive(a2a.receive(request, task_id="task-1", **FACTS), _WORLD))


def receive_with_raw(body: bytes) -> object:
    """The same, and `raw`, which is made only when somebody reads it."""
    return receive(body).raw


def official(body: bytes, kind: str, *, v1: bool) -> Function | None:
    """The parser of a2a-sdk 1.x for a payload of v1.0 or of v0.3."""
    if v1:
        return with_module(
            lambda types, json_format: lambda: json_format.Parse(body, getattr(types, kind)()),
            "a2a.types.a2a_pb2",
            "google.protobuf.json_format",
        )
    return with_module(lambda types: partial(getattr(types, kind).model_validate_json, body), "a2a.compat.v0_3.types")


def answers_of_tasks(effort: Effort) -> Iterator[Result]:
    """A stored task of 20 turns as the answer to GetTask, compared with `json.dumps` of that answer."""
    body = payloads(v1=True)["task, 20 turns"]
    operation = a2a.GetTask(task_id=json.loads(body)["id"])
    read = a2a.operation_result(HttpResponse(status=200, body=body), operation=operation)
    task = None if isinstance(read, Rejected) else read.value
    unsigned = Verdict(method="none", verified=False, code="unsigned")
    versions: tuple[a2a.CallDialect, ...] = ("1.0", "0.3")
    for dialect in versions:
        asked = a2a.ReceivedOperation(operation=operation, caller=None, verdict=unsigned, dialect=dialect, id=1)
        written, name = json.loads(a2a.operation_response(asked, task).body), f"v{dialect} GetTask, 20 turns"
        functions: Functions = {
            "json.dumps": partial(json.dumps, written),
            name: partial(a2a.operation_response, asked, task),
        }
        yield from Race("a2a", functions, (Claim(name, "json.dumps", 2.0),), rounds=100).run(effort)


def answers_of_peers(effort: Effort) -> Iterator[Result]:
    """A task of 20 turns as the answer to a call, and an answer in chunks, compared with `json.loads` of them."""
    question = receive(payloads(v1=True)["message, 1 part"])
    for v1 in (True, False):
        task, name = json.loads(payloads(v1=v1)["task, 20 turns"]), f"v{'1.0' if v1 else '0.3'} task, 20 turns"
        body = json.dumps({"jsonrpc": "2.0", "id": "1", "result": {"task": task} if v1 else task}).encode()
        read = partial(a2a.result, HttpResponse(status=200, body=body), to=question)
        functions: Functions = {
            "json.loads": partial(json.loads, body),
            name: read,
            f"{name}, history read": lambda read=read: read().history,
        }
        claims = (Claim(name, "json.loads", 7.0), Claim(f"{name}, history read", "json.loads"))
        yield from Race("a2a-result", functions, claims, rounds=100).run(effort)
    events = [json.dumps(one).encode() for one in _events(100)]
    functions = {
        "json.loads of each": lambda: [json.loads(one) for one in events],
        "v1.0 stream, 100 chunks": partial(_streamed, question, [b"data: %s\n\n" % one for one in events]),
    }
    yield from Race("a2a-result", functions, (Claim("v1.0 stream, 100 chunks", "json.loads of each"),)).run(effort)


def _events(count: int) -> Iterator[dict[str, Any]]:
    """The events of an answer whose text comes in chunks."""
    place = {"taskId": "t1", "contextId": "c1"}
    yield {"statusUpdate": {**place, "status": {"state": "TASK_STATE_WORKING"}}}
    for index in range(count):
        artifact = {"artifactId": "a1", "parts": [{"text": "word "}]}
        yield {"artifactUpdate": {**place, "artifact": artifact, "append": index > 0}}
    yield {"statusUpdate": {**place, "status": {"state": "TASK_STATE_COMPLETED"}}}


def _streamed(question: NormalizedMessage, chunks: list[bytes]) -> object:
    """What a client does with a stream."""
    stream = a2a.ResultStream(to=question)
    for chunk in chunks:
        stream.feed(chunk)
    return stream.close()


def results(effort: Effort) -> Iterator[Result]:
    """Four payloads in two versions, a task that is asked for, and one that answers a call."""
    yield from answers_of_tasks(effort)
    yield from answers_of_peers(effort)
    for v1 in (True, False):
        peer = "a2a-sdk json_format.Parse" if v1 else "a2a-sdk v0.3 types"
        for what, body in payloads(v1=v1).items():
            name, (bound, wanted) = f"v{'1.0' if v1 else '0.3'} {what}", BOUNDS[what]
            least: tuple[Any, Any] = OFFICIAL.get(what, (None, None)) if v1 else (None, None)
            functions: Functions = {
                "json.loads": partial(json.loads, body),
                name: partial(receive, body),
                f"{name}, raw read": partial(receive_with_raw, body),
                peer: official(body, "Task" if what.startswith("task") else "Message", v1=v1),
            }
            claims = (
                Claim(name, "json.loads", bound, wanted),
                Claim(f"{name}, raw read", "json.loads"),
                Claim(name, peer, *least),
            )
            yield from Race("a2a", functions, claims, rounds=100).run(effort)
