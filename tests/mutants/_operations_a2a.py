"""Mutants of A2A's task operations and of push notifications, on both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.mutants import MUTANTS, Mutant

if TYPE_CHECKING:
    from collections.abc import Callable

AREA: Final = "a2a"
RECEIVED, ANSWERED = "a2a.receive_operation", "a2a.operation_response"
RESULT, TAKEN = "a2a.operation_result", "a2a.receive_push_notification"


def _asks(op: str, name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """A mutant that answers another question than the one that it was asked."""

    def wrong(honest: Any, asked: str, given: dict[str, Any], unit: Any) -> Any:
        return honest(asked, *change(given, unit))

    MUTANTS.append(Mutant(f"operation-{name}", AREA, rule, wrong, ops=(op,)))


def _says(op: str, name: str, rule: str, change: Callable[[Any], Any]) -> None:
    """A mutant that changes the answer."""

    def wrong(honest: Any, asked: str, given: dict[str, Any], unit: Any) -> Any:
        return change(honest(asked, given, unit))

    MUTANTS.append(Mutant(f"operation-{name}", AREA, rule, wrong, ops=(op,)))


def _owned(given: Any, unit: Any) -> tuple[Any, Any]:
    task = unit["answer"].get("task")
    return given, {**unit, "caller": {"subject": task["owner"]}} if task and task.get("owner") else unit


_asks(ANSWERED, "shows-foreign-tasks", "Shows a task to whoever names it.", _owned)


def _unlimited(given: Any, unit: Any) -> tuple[Any, Any]:
    return {**given, "settings": {}}, unit


_asks(ANSWERED, "unlimited-history", "Sends a whole history, however large it is.", _unlimited)


def _oldest(given: Any, unit: Any) -> tuple[Any, Any]:
    task = unit["answer"].get("task")
    return given, {**unit, "answer": {"task": {**task, "history": task["history"][:1]}}} if task else unit


_asks(ANSWERED, "oldest-messages", "Shows the oldest messages of a history that is too large.", _oldest)


def _renamed(code: str, other: str) -> Callable[[Any], Any]:
    return lambda got: {**got, "rejected": {"code": other}} if got.get("rejected") == {"code": code} else got


def _status(status: int, number: int, other: int) -> Callable[[Any], Any]:
    """Changes the status of a response that has a number in its JSON-RPC error or its REST error."""

    def change(got: Any) -> Any:
        body = got["value"]["body"]
        error = body.get("error") if isinstance(body, dict) else None
        is_meant = isinstance(error, dict) and number in (error.get("code"), body.get("code"))
        return {"value": {**got["value"], "status": status}} if is_meant and got["value"]["status"] == other else got

    return change


_says(ANSWERED, "always-200", "Answers an error over REST with 200.", _status(200, 404, 404))
_says(
    RECEIVED,
    "method-without-id",
    "Calls an unknown method an invalid request.",
    _renamed("method-unsupported", "invalid-request"),
)
_says(RECEIVED, "reads-any-url", "Takes webhooks of any host.", _renamed("url-refused", "missing-member"))
_says(RESULT, "other-task", "Takes the answer of another task.", _renamed("task-mismatch", "wrong-type"))


def _strict(got: Any) -> Any:
    return {"rejected": {"code": "wrong-type"}} if "member-dropped" in got.get("diagnostics", ()) else got


_says(RESULT, "strict-task", "Rejects a task with something odd in it.", _strict)


def _all_or_nothing(got: Any) -> Any:
    is_page = isinstance(got.get("value"), dict) and "tasks" in got["value"]
    return {"rejected": {"code": "wrong-type"}} if is_page and got["diagnostics"] else got


_says(RESULT, "strict-page", "Rejects a page with something odd in it.", _all_or_nothing)


def _without_token(given: Any, unit: Any) -> tuple[Any, Any]:
    token = unit["config"].get("token")
    sent = [pair for pair in unit["headers"] if pair[0].lower() != "x-a2a-notification-token"]
    return given, {**unit, "headers": [*sent, ["x-a2a-notification-token", token]]} if token else unit


_asks(TAKEN, "takes-any-token", "Compares no token of a notification.", _without_token)


def _without_task(given: Any, unit: Any) -> tuple[Any, Any]:
    return given, {**unit, "config": {name: one for name, one in unit["config"].items() if name != "task_id"}}


_asks(TAKEN, "takes-any-task", "Takes a notification about any task.", _without_task)
