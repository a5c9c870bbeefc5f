"""The envelope of a message: JSON-RPC, REST bodies and bare objects of four dialects, distinguished by their members.

The version that a request names does not decide how it is read. Peers mix the dialects (a v0.3 method around v1.0
parts, v1.0 enums with `kind`), so each object is read by the members that it has.

Spec: A2A 0.3 §7, A2A 1.0 §3.6 and §9; Normalized Message §5.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias, cast

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.base import tuple_maker
from ..._model.diagnostic import Diagnostic
from ..._transport.peer_error import peer_error
from ..._wire.http import HttpRequest, query_of, without_query
from .._protocol import CALL_IDS, REST_SEND, REST_STREAM, SEND, STREAM, Version
from .message import is_agents
from .parse_context import DialectName, camel

SENDING: Final[Mapping[str, Version]] = {
    method: version for methods in (SEND, STREAM) for version, method in methods.items()
}
"""JSON-RPC method that sends a message → the version that it is of."""

STREAMING: Final = frozenset({*STREAM.values(), REST_STREAM})
"""The methods, of JSON-RPC and of REST, whose answer is a stream."""

_BEFORE_0_3: Final = frozenset({"tasks/send", "tasks/sendSubscribe", "tasks/sendSubscription"})
_EVENTS: Final = frozenset({"status-update", "artifact-update"})
_WRAPPED: Final = frozenset({"message", "request", "task"})
_REST_PATHS: Final = ("/v1/message:", "/v1/tasks")
_USUAL_LABELS: Final[dict[str, DialectName]] = {"1.0": "1.0", "0.3": "0.3"}
_VERSION: Final = re.compile(r"(\d{1,4})(?:\.(\d{1,4}))?(?:\.\d{1,4})?", re.ASCII).fullmatch


class Call(NamedTuple):
    """The members of JSON-RPC or of a REST body around the message or task."""

    binding: str | None
    version: DialectName | None
    is_request: bool
    method: Any = None
    id: Any = None
    configuration: Any = None
    metadata: Any = None


class Envelope(NamedTuple):
    """The message or task of a request, and its envelope.

    Attributes:
        message: The message as it came, unless there is only a task.
        message_at: JSON Pointer to it.
        task: The task as it came, if there is one.
        task_at: JSON Pointer to it.
        dialect: How the request is written.
        is_certain: Whether marks in the request prove that.
        label_disagrees: Whether the request names another version.
        call: The members of the envelope.
        document: The whole document, for its other members.
    """

    message: Any
    message_at: str
    task: Any
    task_at: str
    dialect: DialectName
    is_certain: bool
    label_disagrees: bool
    call: Call
    document: Any = None


_Content: TypeAlias = tuple[Any, str, Any, str]
"""The message and its pointer, the task and its pointer, before their dialect is known; None for what is not there."""

_new_call: Final = tuple_maker(Call)
_new_envelope: Final = tuple_maker(Envelope)

VERSION_DISAGREES: Final = Diagnostic(
    code="version-disagrees", detail="the request is of another A2A version than the one that it asks for"
)
"""What is odd about a request whose `A2A-Version` names another version."""

_BARE: Final = Call(None, None, is_request=False)


def open_envelope(document: Any, *, request: HttpRequest | None) -> Envelope:
    """The message or task in a JSON document.

    Args:
        document: The parsed body, or a mapping of the host in plain form.
        request: The request that carried it; None for a mapping.

    Raises:
        WireError: `invalid-request`, `not-a-message`, `method-unsupported`, `version-unsupported`, `stream-event`,
            `peer-error`, `two-contents`, `wrong-type`, `missing-member`, `duplicate-member`.
    """
    if document.__class__ is not dict:
        is_jsonrpc = request is not None and rest_method(request.url) is None
        raise wire_error("invalid-request" if is_jsonrpc else "wrong-type", "", "the request must be an object")
    members: dict[str, Any] = document
    label = None if request is None else version_label(request)
    if "jsonrpc" in members or "method" in members:
        content, call = _in_jsonrpc(members)
    else:
        content, call = _in_body(camel(members), request)
    message, message_at, task, task_at = content
    dialect, is_certain = _dialect(message, task, call.version, label, request)
    disagrees = call.is_request and request is not None and _disagrees(label or "0.3", call.version, dialect)
    return _new_envelope(message, message_at, task, task_at, dialect, is_certain, disagrees, call, document)


def known_members(envelope: Envelope) -> dict[str, Any]:
    """What is known of the envelope, for `raw`."""
    call = envelope.call
    return {
        "binding": call.binding,
        "dialect": envelope.dialect,
        "method": call.method,
        "id": call.id,
        "configuration": call.configuration,
        "metadata": call.metadata,
    }


def other_members(envelope: Envelope) -> dict[str, Any]:
    """The members around the message or task that nothing here reads."""
    inner, others = envelope.document, {}
    if "jsonrpc" in inner or "method" in inner:
        others = {name: member for name, member in inner.items() if name not in _OF_CALL}
        inner = inner.get("params") if "method" in inner else inner.get("result")
    if inner.__class__ is dict and inner is not envelope.message and inner is not envelope.task:
        others |= {name: member for name, member in inner.items() if name not in _OF_PARAMS}
    return others


_OF_CALL: Final = frozenset({"jsonrpc", "id", "method", "params", "result"})
_OF_PARAMS: Final = frozenset({"message", "request", "task", "configuration", "metadata"})
"""The members of JSON-RPC, and of the parameters of a call, that are elsewhere in `raw`."""


def rest_method(url: str) -> str | None:
    """The method at the end of a REST path."""
    path = without_query(url)
    return next((method for method in (REST_SEND, REST_STREAM) if path.endswith("/" + method)), None)


def _object(value: Any, at: str, what: str) -> dict[str, Any]:
    if value.__class__ is not dict:
        raise wire_error("wrong-type", at, f"{what} must be an object")
    members: dict[str, Any] = value
    return members


def version_label(request: HttpRequest) -> DialectName | None:
    """The version that a request names; None when it names none, which means 0.3."""
    text = request.header("a2a-version")
    if text is None and "?" in request.url:
        pairs = query_of(request.url).split("&")
        text = next((pair.partition("=")[2] for pair in pairs if pair.startswith("A2A-Version=")), None)
    if not text:
        return None
    if text in _USUAL_LABELS:
        return _USUAL_LABELS[text]
    match = _VERSION(text)
    if match is not None and match[1] == "1":
        return "1.0"
    if match is not None and match[1] == "0" and match[2] in ("2", "3"):
        return "0.3"
    raise wire_error("version-unsupported", "", "the A2A version must be 0.3 or 1.x")


def _in_jsonrpc(members: dict[str, Any]) -> tuple[_Content, Call]:
    """The content of a JSON-RPC request or result."""
    method, call_id = read_method(members), members.get("id")
    if method is not None:
        return _in_call(method, call_id, members.get("params") or {})
    refuse_errors(members)
    result = camel(_object(members.get("result"), "/result", "a result"))
    content = _in_object(result, "/result", may_hold_both=False)
    is_bare = content[0] is result or content[2] is result
    return content, Call("jsonrpc", "0.3" if is_bare else "1.0", is_request=False, id=call_id)


def read_method(members: dict[str, Any]) -> str | None:
    """The method of a JSON-RPC request; None for a response.

    Raises:
        WireError: `invalid-request`: it is neither.

    Spec: JSON-RPC 2.0 §4, §5.
    """
    method, params = members.get("method"), members.get("params")
    fault = None
    if members.get("jsonrpc") != "2.0":
        fault = ("/jsonrpc", "must be 2.0")
    elif members.get("id") is not None and members["id"].__class__ not in CALL_IDS:
        fault = ("/id", "must be a string, a number or null")
    elif "result" in members or "error" in members:
        fault = ("", "is both a request and a response") if "method" in members else None
    elif method.__class__ is not str:
        fault = ("/method", "must be a string")
    elif params is not None and params.__class__ is not dict:
        fault = ("/params", "must be an object")
    if fault is not None:
        raise wire_error("invalid-request", *fault)
    return cast("str | None", method)


def read_call_id(members: dict[str, Any]) -> Any:
    """The id of a JSON-RPC request or result, which must be of version 2.0."""
    if members.get("jsonrpc") != "2.0":
        raise wire_error("malformed", "/jsonrpc", "must be 2.0")
    call_id = members.get("id")
    if call_id is not None and call_id.__class__ not in CALL_IDS:
        raise wire_error("wrong-type", "/id", "must be a string, a number or null")
    return call_id


def check_call_id_length(call_id: Any, limits: Limits) -> None:
    """Raises `id-too-long` for an id that would leave no place for anything else in the answer, which repeats it."""
    if call_id.__class__ is str and len(call_id) > limits.id_chars:
        raise wire_error("id-too-long", "/id", f"an id has at most {limits.id_chars} characters")


def refuse_errors(members: dict[str, Any]) -> None:
    """Raises when a body is the error of a JSON-RPC call or of a REST request.

    Raises:
        WireError: `peer-error`, or a more exact code of an error of a peer.
    """
    error = members.get("error")
    if error is not None:
        raise peer_error(error, at="/error")


def _in_call(method: str, call_id: Any, params: dict[str, Any]) -> tuple[_Content, Call]:
    """The message of a JSON-RPC request that sends one."""
    version = SENDING.get(method)
    if version is None:
        check_not_before_0_3(method)
        raise wire_error("method-unsupported", "/method", "the method does not send a message")
    message = params.get("message")
    if message is None:
        raise wire_error("missing-member", "/params/message", "there is no message")
    call = _new_call("jsonrpc", version, True, method, call_id, params.get("configuration"), params.get("metadata"))
    return (message, "/params/message", None, ""), call


def check_not_before_0_3(method: str) -> None:
    """Raises `version-unsupported` for the methods that sent messages in versions before v0.3."""
    if method in _BEFORE_0_3:
        raise wire_error("version-unsupported", "/method", "tasks/send is of A2A 0.1 and 0.2, before message/send")


def _in_body(members: dict[str, Any], request: HttpRequest | None) -> tuple[_Content, Call]:
    """The content of a REST body, or a bare object."""
    if members.get("error") is not None and "message" not in members and "task" not in members:
        refuse_errors(members)
    content = message, _, task, _ = _in_object(members, "", may_hold_both=request is None)
    if message is members or task is members:
        return content, _BARE
    # A body with a message is a request, unless an agent wrote the message: then it is an answer.
    is_request = task is None and not is_agents(message)
    binding, method = (None, None) if request is None else ("rest", rest_method(request.url))
    around = members.get
    return content, _new_call(
        binding, None, is_request, method, configuration=around("configuration"), metadata=around("metadata")
    )


def _in_object(members: dict[str, Any], at: str, *, may_hold_both: bool) -> _Content:
    """The message or task that an object wraps, or that it is."""
    if not _WRAPPED.isdisjoint(members):
        message, task, message_at = members.get("message"), members.get("task"), f"{at}/message"
        if message is None and members.get("request") is not None:
            message, message_at = members["request"], f"{at}/request"  # v0.3 REST allows this name too
        if message is not None or task is not None:
            if message is not None and task is not None and not may_hold_both:
                raise wire_error("two-contents", at, "has both a message and a task")
            return message, message_at, task, f"{at}/task"
    kind = members.get("kind")
    if kind == "task" or (kind is None and "status" in members and "id" in members):
        return None, "", members, at
    has_parts = "parts" in members or "content" in members
    if kind == "message" or "messageId" in members or ("role" in members and has_parts):
        return members, at, None, ""
    if "statusUpdate" in members or "artifactUpdate" in members or (kind.__class__ is str and kind in _EVENTS):
        raise wire_error("stream-event", at, "a frame of a stream is no message by itself")
    raise wire_error("not-a-message", at, "holds neither a message nor a task")


def _dialect(
    message: Any, task: Any, version: DialectName | None, label: DialectName | None, request: HttpRequest | None
) -> tuple[DialectName, bool]:
    """The dialect of the request, and whether its own marks prove it."""
    mark = None if message is None else message_mark(message)
    if task is not None:
        of_task = task_mark(task)
        mark = of_task if mark is None or mark == of_task else "mixed" if of_task is not None else mark
    if mark is not None:
        return (mark if version is None or version == mark else "mixed"), True
    if version is not None:
        return version, True
    # Only artifacts, or nothing at all: v1.0 and v0.3 REST write these alike.
    if label is not None:
        return ("1.0" if label == "1.0" else "0.3-rest"), True
    if request is not None and any(path in request.url for path in _REST_PATHS):
        return "0.3-rest", True
    return "1.0", False


def message_mark(message: Any) -> DialectName | None:
    """The dialect of a message, by its members and its first part; None when they do not show it."""
    if message.__class__ is not dict:
        return None
    if "content" in message and "parts" not in message:
        return "0.3-rest"
    parts = message.get("parts")
    first = parts[0] if parts.__class__ is list and parts else None
    has_kind = first.__class__ is dict and "kind" in first
    if message.get("role") in ("user", "agent"):
        return "0.3" if has_kind else "mixed"
    return "mixed" if has_kind or "kind" in message else "1.0"


def task_mark(task: Any) -> DialectName | None:
    """The dialect of a task, by its first message, its state, or its files; None when they do not show it."""
    if task.__class__ is not dict:
        return None
    status, history = task.get("status"), task.get("history")
    status = status if status.__class__ is dict else {}
    message = status.get("message")
    if message.__class__ is not dict and history.__class__ is list and history:
        message = history[0]
    mark = message_mark(message)
    state = status.get("state")
    if mark is not None:
        is_lower = state.__class__ is str and not state.startswith("TASK_STATE_")
        return "mixed" if is_lower != (mark == "0.3") and state is not None else mark
    if "kind" in task or (state.__class__ is str and state.islower()):
        return "0.3"
    if state == "TASK_STATE_CANCELLED" or _has_rest_file(task.get("artifacts")):
        return "0.3-rest"
    return None


def _has_rest_file(artifacts: Any) -> bool:
    """Whether the first artifact has a file as v0.3 REST writes it."""
    first = artifacts[0] if artifacts.__class__ is list and artifacts else None
    parts = first.get("parts") if first.__class__ is dict else None
    return parts.__class__ is list and any(
        part.__class__ is dict
        and "kind" not in part
        and part.get("file").__class__ is dict
        and ("fileWithUri" in part["file"] or "fileWithBytes" in part["file"])
        for part in parts
    )


def _disagrees(label: DialectName, version: str | None, dialect: DialectName) -> bool:
    """Whether a request is of another version than the one that it names."""
    if version is None:
        version = "0.3" if dialect == "0.3-rest" else dialect
    return version in ("0.3", "1.0") and version != label
