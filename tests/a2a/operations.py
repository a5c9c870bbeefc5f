"""Operations of A2A for tests: requests for them, and a task to answer with."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from mentionable import Answers, HttpRequest, Rejected, a2a, drive
from mentionable._model.stored_task import StoredTask
from mentionable.discovery import A2ACard, A2AInterface, A2ASkill

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
TIME = "2026-11-21T20:56:00Z"
URL = "https://agents.example/helper"
DIALECTS = ("1.0", "1.0-rest", "0.3", "0.3-rest")
ENTROPY = bytes(range(32))

CONFIG = a2a.PushNotificationConfig(
    url="https://hooks.example/a2a",
    id="c1",
    task_id="t1",
    token="secret-token",
    authentication=a2a.PushAuthentication(scheme="Bearer", credentials="secret-credentials"),
)
MESSAGE = {
    "messageId": "m1",
    "contextId": "c1",
    "taskId": "t1",
    "role": "ROLE_USER",
    "parts": [
        {"text": "Hello"},
        {"text": "**Hi**", "mediaType": "text/markdown", "metadata": {"a": 1}},
        {"url": "https://files.example/a.pdf", "filename": "a.pdf", "mediaType": "application/pdf"},
        {"raw": "aGVsbG8=", "mediaType": "image/png"},
        {"raw": "aGVsbG8=", "x-unknown": 1},
        {"data": {"n": 1}},
        {"data": [1, "x", None], "mediaType": "application/geo+json", "filename": "map.json"},
    ],
    "metadata": {"k": "v"},
    "extensions": ["https://example.com/ext"],
}
ANSWER = {"messageId": "m2", "contextId": "c1", "taskId": "t1", "role": "ROLE_AGENT", "parts": [{"text": "Which day?"}]}
ARTIFACT = {"artifactId": "a1", "name": "Plan", "parts": [{"text": "Go"}], "metadata": {"x": 1}}


def stored(**members: Any) -> StoredTask:
    """A task with all members, of alice."""
    usual: dict[str, Any] = {
        "id": "t1",
        "context_id": "c1",
        "owner": "alice",
        "state": "input-required",
        "updated_at": TIME,
        "message": ANSWER,
        "artifacts": (ARTIFACT,),
        "history": (MESSAGE, ANSWER),
        "metadata": {"m": True},
    }
    return StoredTask(**{**usual, **members})


CARD = A2ACard(
    name="Helper",
    description="Helps.",
    version="1.0.0",
    interfaces=(
        A2AInterface(url="https://agents.example/a2a", protocol_binding="JSONRPC", protocol_version="1.0"),
        A2AInterface(url="https://agents.example/a2a", protocol_binding="JSONRPC", protocol_version="0.3.0"),
    ),
    default_input_modes=("text/plain",),
    default_output_modes=("text/plain",),
    skills=(A2ASkill(id="help", name="Help", description="Helps.", tags=("help",)),),
)


def take(request: HttpRequest, caller: str | None = "alice", **more: Any) -> a2a.ReceivedOperation | Rejected | None:
    """What `receive_operation` makes of a request."""
    known = None if caller is None else a2a.Caller(subject=caller)
    return drive(a2a.receive_operation(request, caller=known, now=NOW, **more), Answers())


def rpc(method: Any, params: Any = None, call_id: Any = 7, **headers: str) -> HttpRequest:
    """A JSON-RPC request."""
    body = {"jsonrpc": "2.0", "id": call_id, "method": method, "params": params}
    return HttpRequest(method="POST", url=URL, headers=headers, body=json.dumps(body).encode())


def rest(method: str, path: str, body: Any = None, **headers: str) -> HttpRequest:
    """A REST request."""
    data = b"" if body is None else json.dumps(body).encode()
    return HttpRequest(method=method, url=f"https://agents.example{path}", headers=headers, body=data)


def asked(operation: Any, dialect: Any = "1.0", caller: str | None = "alice") -> a2a.ReceivedOperation:
    """An operation as its server receives it from `call_operation`."""
    if dialect == "0.3" and isinstance(operation, a2a.ListTasks):
        got = take(rpc("tasks/list", {}), caller)
        assert isinstance(got, a2a.ReceivedOperation)
        return a2a.ReceivedOperation(
            operation=operation, caller=got.caller, verdict=got.verdict, dialect=got.dialect, id=got.id
        )
    request = a2a.call_operation(operation, url=URL, entropy=ENTROPY, dialect=dialect)
    got = take(request, caller)
    assert isinstance(got, a2a.ReceivedOperation)
    return got
