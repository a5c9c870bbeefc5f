"""A2A messages and tasks for tests/differential, some of their members odd."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.differential.stored import HELPER, stored_message
from tests.differential.texts import chance

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    Given = dict[str, Any]

_A2A_IDS: Final = ("t1", "t2", "c1", "m1", "x" * 40, "é")
_ODD_IDS: Final = ("", None, 5, True, [], {}, ["t1"], "x" * 2048, "x" * 2049, "😀" * 2048, " ", 0, False, 1.5)
_A2A_ROLES: Final = (
    "user",
    "agent",
    "ROLE_USER",
    "ROLE_AGENT",
    "1",
    1,
    2,
    1.0,
    3,
    "USER",
    "",
    None,
    True,
    [],
    "ROLE_UNSPECIFIED",
)
_A2A_PARTS: Final = (None, [], {}, "hi", 5)
_A2A_STATES: Final = (
    *(
        "working",
        "TASK_STATE_WORKING",
        "TASK_STATE_INPUT_REQUIRED",
        "input-required",
        1,
        8,
        9,
        0,
        "8",
        "unknown",
        "WORKING",
    ),
    *("TASK_STATE_CANCELLED", "TASK_STATE_UNKNOWN", "", None, True, [], {}),
)


def _a2a_member(random: Random, made: Any, name: str, odd: Sequence[Any], share: float = 0.1) -> None:
    """Makes a member odd, or leaves it out, or writes it in snake_case, or in both spellings."""
    if chance(random, share):
        made[name] = random.choice(odd)
    if chance(random, 0.03):
        made.pop(name, None)
    if name in made and chance(random, 0.05):
        snake = "".join(f"_{char.lower()}" if char.isupper() else char for char in name)
        made[snake] = made[name]
        if chance(random, 0.7):
            del made[name]


def _a2a_message(random: Random) -> Any:
    made: Any = {"messageId": random.choice(_A2A_IDS), "role": "ROLE_USER", "parts": [{"text": "hi"}]}
    for name in ("taskId", "contextId"):
        if chance(random, 0.5):
            made[name] = random.choice((*_A2A_IDS, ""))
        _a2a_member(random, made, name, _ODD_IDS)
    _a2a_member(random, made, "messageId", _ODD_IDS, 0.05)
    _a2a_member(random, made, "role", _A2A_ROLES)
    if chance(random, 0.1):
        made["content"] = made["parts"] if chance(random, 0.5) else random.choice(_A2A_PARTS)
        if chance(random, 0.5):
            made["parts"] = None
    _a2a_member(random, made, "parts", _A2A_PARTS, 0.03)
    if chance(random, 0.2):
        made[random.choice(("metadata", "kind", "extensions", "x"))] = None
    return made


def _a2a_task(random: Random) -> Any:
    made: Any = {"id": random.choice(_A2A_IDS), "status": {"state": "TASK_STATE_WORKING"}}
    if chance(random, 0.6):
        made["contextId"] = random.choice(_A2A_IDS)
    _a2a_member(random, made, "id", _ODD_IDS, 0.05)
    _a2a_member(random, made, "contextId", _ODD_IDS)
    _a2a_member(random, made["status"], "state", _A2A_STATES)
    if chance(random, 0.3):
        made["status"]["message"] = random.choice((None, _a2a_message(random)))
    _a2a_member(random, made, "status", (None, 5, [], {}), 0.03)
    for name in ("artifacts", "history"):
        if chance(random, 0.1):
            made[name] = random.choice((None, [], {}, 5, "x"))
    return made


def _a2a_body(random: Random) -> Any:
    """A message in a request, of JSON-RPC or REST."""
    message = _a2a_message(random)
    if chance(random, 0.3):
        return random.choice(
            ({"message": message}, {"request": message}, {"message": None, "request": message}, message)
        )
    methods = (
        "message/send",
        "message/stream",
        "SendMessage",
        "SendStreamingMessage",
        "tasks/send",
        "tasks/get",
        5,
        None,
    )
    body: Any = {"jsonrpc": "2.0", "id": random.choice((1, "x", None, 1.5)), "method": random.choice(methods[:4])}
    body["params"] = random.choice(({"message": message}, {"message": message, "metadata": None}))
    _a2a_member(random, body, "method", methods)
    _a2a_member(random, body, "jsonrpc", ("2.0", "1.0", None, 2.0), 0.05)
    _a2a_member(random, body, "id", (None, "x", 0, [], {}, True), 0.05)
    _a2a_member(random, body, "params", (None, [], {}, {"message": None}, {"message": 5}), 0.05)
    return body


def a2a_thread(random: Random) -> tuple[Any, Given]:
    given: Given = {"recipient": HELPER, "lookups": {"MESSAGE *": None, "HISTORY *": []}}
    if chance(random, 0.3):
        request: Given = {"url": "https://agents.example/a2a", "headers": [["content-type", "application/json"]]}
        return {**request, "body": _a2a_body(random)}, given
    unit: Given = {"message": _a2a_message(random)}
    if chance(random, 0.3):
        unit["task"] = _a2a_task(random)
    elif chance(random, 0.1):
        unit = {"task": _a2a_task(random)}
    elif chance(random, 0.4):
        unit["task_id"] = random.choice(_A2A_IDS)
    if chance(random, 0.3):
        unit["context_id"] = random.choice(_A2A_IDS)
    who = random.choice((None, *_CALLERS))
    if who is not None:
        unit["caller"] = {"subject": who, "claims": {}}
    given["lookups"] |= _a2a_rows(random)
    if chance(random, 0.3):
        given["settings"] = {"stored_tasks": True}
    return unit, given


_CALLERS: Final = ("@alice@a.example", "bob@b.example", "bob", "b b!%é", "@anonymous@a2a.invalid")
_OWNERS: Final = ("@alice@a.example", "@bob@b.example", "bob", "b%20b%21%25%C3%A9", "@anonymous@a2a.invalid")


def _a2a_rows(random: Random) -> Given:
    """What is stored of conversations and tasks."""
    rows: Given = {}
    for one in _A2A_IDS:
        for owner in _OWNERS:
            for kind in ("task", "context"):
                if chance(random, 0.2):
                    rows[f"MESSAGE {kind} {owner} {one}"] = stored_message(random)
        if chance(random, 0.7):
            rows[f"TASK {one}"] = _a2a_stored_task(random, one)
    return rows


def _a2a_stored_task(random: Random, task_id: str) -> Any:
    if chance(random, 0.1):
        return random.choice((None, {"failed": "down", "temporary": True}))
    state = random.choice(("working", "input-required", "auth-required", "completed", "failed", "canceled", "rejected"))
    made = {"id": task_id, "context_id": random.choice(_A2A_IDS), "state": state}
    made["owner"] = random.choice((None, "@alice@a.example", "@bob@b.example", "bob", "b b!%é"))
    return {**made, "updated_at": "2026-11-21T20:00:00Z"}
