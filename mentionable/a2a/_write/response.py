"""An answer as an HTTP response: in the binding of its question, whole or as a stream of events.

Spec: A2A 0.3 §7, §3.2; A2A 1.0 §9, §11.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..._flow.outcome import Rejected
from ..._wire import sse as _sse
from ..._wire.http import HttpResponse
from ..._wire.strict_json import dump_line
from .._protocol import JSON_TYPE, VERSION_HEADER, Json
from .dialects import Dialect
from .error import write_error
from .question import Question

_OK: Final = 200

_LINE_ENDS: Final = str.maketrans({char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"})
"""Characters at which some readers of event streams end a line against the standard: JSON may escape them."""


_STREAM_HEADERS: Final = (("content-type", _sse.MEDIA_TYPE), ("cache-control", "no-cache"))


def respond(question: Question, *, result: Json, kind: str, extensions: Sequence[str]) -> HttpResponse:
    """The response with one result; `kind` is `message` or `task`."""
    dialect = question.dialect
    if question.binding == "rest":
        # Bare objects are of JSON-RPC alone; the REST binding wraps them in each version.
        body = {kind: result}
        media_type = dialect.rest_type
    else:
        body, media_type = _in_jsonrpc(question, dialect.event(kind, result)), JSON_TYPE
    return HttpResponse(
        status=_OK,
        headers=(("content-type", media_type), *_headers(dialect, extensions)),
        body=dump_line(body).encode(),
    )


def respond_result(question: Question, result: Any) -> HttpResponse:
    """The response with what an operation gives, which no binding wraps."""
    media_type = question.dialect.rest_type if question.binding == "rest" else JSON_TYPE
    return HttpResponse(
        status=_OK,
        headers=(("content-type", media_type), *_headers(question.dialect, ())),
        body=dump_line(_in_jsonrpc(question, result)).encode(),
    )


def respond_events(question: Question, *, events: Sequence[Json], extensions: Sequence[str]) -> HttpResponse:
    """The response with events, or the next piece of one."""
    written = [_sse.write_event(as_line(_in_jsonrpc(question, event))) for event in events]
    headers = (*_STREAM_HEADERS, *_headers(question.dialect, extensions))
    return HttpResponse(status=_OK, headers=headers, body=b"".join(written))


def respond_error(question: Question, rejected: Rejected) -> HttpResponse:
    """The response with an error.

    Over JSON-RPC it is the one event of a stream where the client asked for one: such a client reads nothing else.
    """
    is_rest, version = question.binding == "rest", question.dialect.version
    error = write_error(rejected, version=version, is_rest=is_rest, call_id=question.id)
    if is_rest or not question.is_stream or error.status != _OK:
        return error
    headers = [(name, value) for name, value in error.headers if name != "content-type"]
    body = _sse.write_event(error.body.decode().translate(_LINE_ENDS))
    return HttpResponse(status=error.status, headers=[*_STREAM_HEADERS, *headers], body=body)


def as_line(event: Any) -> str:
    """JSON that is one line for every reader."""
    text = dump_line(event)
    return text if text.isascii() else text.translate(_LINE_ENDS)


def _in_jsonrpc(question: Question, result: Any) -> Any:
    """The result of a JSON-RPC call; itself where there is no call."""
    return {"jsonrpc": "2.0", "id": question.id, "result": result} if question.binding == "jsonrpc" else result


def _headers(dialect: Dialect, extensions: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The header fields for the version and the extensions of a body."""
    version: tuple[tuple[str, str], ...] = ((VERSION_HEADER, "1.0"),) if dialect.version == "1.0" else ()
    return (*version, (dialect.extensions_header, ",".join(extensions))) if extensions else version
