"""The A2A payloads that are measured: the same content in v1.0 and in v0.3, as compact UTF-8 JSON."""

from __future__ import annotations

import base64
import json
import random
from typing import Any, Final

METADATA: Final = {
    "mentionable": {
        "recipient_capabilities": {
            "mention_relay": {"kind": "inline"},
            "agent_chain": {"hop": 1, "max_hops": 3, "is_final": False},
        }
    }
}
TOOL_EVENTS: Final = "https://mentionable.dev/ns/a2a-tool-events/v0.1"


def _part(number: int, *, v1: bool) -> dict[str, Any]:
    """One of four kinds of part in turn: two texts, a tool call, a file behind a URL."""
    kind = number % 4
    if kind in (0, 1):
        text = f"Turn {number}: the quick brown fox — jumps over the lazy dog. " * 3
        return {"text": text} if v1 else {"kind": "text", "text": text}
    if kind == 2:
        arguments = {"q": f"query {number}", "limit": 5, "nested": {"a": [1, 2, 3], "b": True}}
        data = {"toolCallId": f"call_{number}", "toolName": "web_search", "input": arguments}
        return {"data": data, "mediaType": "application/json"} if v1 else {"kind": "data", "data": data}
    url, name, mime = f"https://files.example/{number}.pdf", f"{number}.pdf", "application/pdf"
    if v1:
        return {"url": url, "filename": name, "mediaType": mime}
    return {"kind": "file", "file": {"uri": url, "name": name, "mimeType": mime}}


def _message(number: int, parts: int, *, v1: bool, role: str = "user") -> dict[str, Any]:
    message = {
        "messageId": f"m-{number:04d}-6f1c",
        "contextId": "ctx-1",
        "taskId": "task-1",
        "role": f"ROLE_{role.upper()}" if v1 else role,
        "parts": [_part(number + index, v1=v1) for index in range(parts)],
    }
    return message if v1 else {"kind": "message", **message}


def _task(turns: int, artifacts: int, *, v1: bool) -> dict[str, Any]:
    task = {
        "id": "task-1",
        "contextId": "ctx-1",
        "status": {
            "state": "TASK_STATE_INPUT_REQUIRED" if v1 else "input-required",
            "timestamp": "2026-01-02T03:04:05.678Z",
            "message": _message(999, 1, v1=v1, role="agent"),
        },
        "artifacts": [
            {
                "artifactId": f"a{number}",
                "name": f"artifact {number}",
                "parts": [_part(number + index, v1=v1) for index in range(3)],
                "extensions": [TOOL_EVENTS],
            }
            for number in range(artifacts)
        ],
        "history": [_message(number, 2, v1=v1, role="user" if number % 2 == 0 else "agent") for number in range(turns)],
    }
    return task if v1 else {"kind": "task", **task}


def _with_file(size: int, *, v1: bool) -> dict[str, Any]:
    """A message with one file inline; the bytes are the same in every run."""
    data = base64.b64encode(random.Random(1).randbytes(size)).decode()
    message = _message(1, 1, v1=v1)
    mime = "application/octet-stream"
    message["parts"].append(
        {"raw": data, "filename": "x.bin", "mediaType": mime}
        if v1
        else {"kind": "file", "file": {"bytes": data, "name": "x.bin", "mimeType": mime}}
    )
    return message


def _bytes(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def task(turns: int, *, v1: bool) -> bytes:
    """A task with so many turns of history and four artifacts."""
    return _bytes(_task(turns, 4, v1=v1))


def payloads(*, v1: bool) -> dict[str, bytes]:
    """The four payloads of one version, by name."""
    return {
        "task, 20 turns": task(20, v1=v1),
        "message, 1 part": _bytes({**_message(0, 1, v1=v1), "metadata": METADATA}),
        "message, 6 parts": _bytes({**_message(0, 6, v1=v1), "metadata": METADATA}),
        "message, 64 KiB inline": _bytes(_with_file(48 * 1024, v1=v1)),
    }
