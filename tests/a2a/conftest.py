"""The door with its usual arguments, and small builders of wire objects."""

import json
from datetime import UTC, datetime

import pytest

from mentionable import Answers, HttpRequest, a2a, drive
from mentionable._flow.settings import Limits
from mentionable.a2a._read.parse_context import ParseContext

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
URL = "https://agents.example/helper"


def _take(unit, *, answers=None, headers=(), url=URL, **facts):
    """What comes of a unit: a mapping of the host, or bytes or JSON text as the body of a request."""
    if isinstance(unit, (bytes, str)):
        body = unit if isinstance(unit, bytes) else unit.encode()
        unit = HttpRequest(method="POST", url=url, headers=headers, body=body)
    facts = {"recipient": "@helper@agents.example", "now": NOW, "entropy": bytes(32), **facts}
    return drive(a2a.receive(unit, **facts), answers or Answers())


def _message(*parts, **members):
    """A v1.0 message; strings are text parts."""
    spelled = [{"text": part} if isinstance(part, str) else part for part in parts or ("hi",)]
    return {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "parts": spelled, **members}


def _call(message, method="SendMessage", **params):
    """A JSON-RPC request as bytes."""
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {"message": message, **params}}
    return json.dumps(body).encode()


@pytest.fixture(scope="session")
def take():
    return _take


@pytest.fixture
def message():
    return _message


@pytest.fixture
def call():
    return _call


@pytest.fixture
def codes():
    return lambda got: [note.code for note in got.diagnostics]


@pytest.fixture
def context():
    return ParseContext(Limits(), blobs={})


@pytest.fixture(scope="session")
def task():
    def made(state="TASK_STATE_COMPLETED", text="done", **members):
        status = {"state": state}
        if text is not None:
            status["message"] = {"messageId": "s1", "role": "ROLE_AGENT", "parts": [{"text": text}]}
        return {"id": "t1", "contextId": "c1", "status": status, **members}

    return made
