"""`raw`: the native message and task as they came, without secrets.

Spec: Normalized Message §6.
"""

from __future__ import annotations

from typing import Any, Final

from .._text.redaction import redacted
from .._transport.caller import Caller
from .._wire.strict_json import without_null
from ._read.envelope import Envelope, known_members, other_members
from ._read.task import Conversation

_NAMES: Final = ("id", "taskId", "task_id", "contextId", "context_id")


def raw_of(
    envelope: Envelope, conversation: Conversation, *, caller: Caller | None, token: dict[str, Any] | None
) -> dict[str, Any]:
    """The native message: `task`, `message` and `auth` as the contract names them, and the envelope.

    The envelope has the task and the context of the conversation, where the host or its store names them.
    """
    message = envelope.message
    if message is None:
        message = envelope.task["status"].get("message")
    around = without_null({**known_members(envelope), **_unnamed(conversation, message, envelope.task)})
    others = other_members(envelope)
    if others:
        around["extra"] = others
    raw = redacted(without_null({"task": envelope.task, "message": message, "envelope": around}))
    if token is not None:
        raw["auth"] = {**token, "token_claims": redacted(token["token_claims"])}
    elif caller is not None:
        raw["auth"] = {"subject": caller.subject, "token_claims": redacted(caller.claims)}
    value: dict[str, Any] = raw
    return value


def _unnamed(conversation: Conversation, message: Any, task: Any) -> dict[str, str | None]:
    """The ids of a conversation that neither the message nor the task names."""
    named: set[Any] = set()
    for one in (message, task):
        if one.__class__ is dict:
            named.update(one.get(name) for name in _NAMES if one.get(name).__class__ is str)
    ids = {"task_id": conversation.task_id, "context_id": conversation.context_id}
    return {name: one for name, one in ids.items() if one not in named}
