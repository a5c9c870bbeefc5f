"""REST in both directions: a form is the question, and the client chooses the form of the answer.

`receive` takes the fields of a multipart/form-data request, as a web framework splits them, and gives a normalized
message; `fields_of` splits a body strictly for hosts that have none. `reply` answers in JSON, Markdown, HTML, plain
text or as a stream, `error_response` answers a rejected request. Nothing in a form proves who sent it, so there is no
`verify`: name the caller that your host authenticated, and trust the issuers of identity evidence.

`call` asks another agent. `result` reads its answer, `ResultStream` the same while it arrives.

Example:
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, HttpRequest, NormalizedResponse, directory, drive, rest
    >>> request = HttpRequest(method="POST", url="https://agents.example/helper", headers={"Accept": "text/markdown"})
    >>> form = [rest.Field("session", "s1"), rest.Field("user", "Hi")]
    >>> answers = Answers(find_agent=directory({"https://agents.example/helper": "@helper@agents.example"}))
    >>> now = datetime(2026, 11, 21, tzinfo=UTC)
    >>> got = drive(rest.receive(request, fields=form, now=now, entropy=bytes(32)), answers)
    >>> got.message.recipient, got.message.thread_id, got.message.parts[0].content
    (Address('@helper@agents.example'), 's1', 'Hi')
    >>> answer = NormalizedResponse.to(got.message, "Hello!")
    >>> out = rest.reply(answer, to=got.message, now=now, entropy=bytes(32))
    >>> out.response.status, out.response.body
    (200, b'Hello!')
    >>> rest.result(out.response, to=got.message).response.parts
    (TextPart(content='Hello!', mime='text/markdown'),)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._lazy import lazy_names

if TYPE_CHECKING:
    from .._transport.call import CallContext as CallContext
    from .._transport.caller import Caller as Caller
    from ._call import call as call
    from ._client.result_stream import ResultStream as ResultStream
    from ._error_response import error_response as error_response
    from ._read.accept import wants_stream as wants_stream
    from ._read.field import Field as Field
    from ._read.multipart import fields_of as fields_of
    from ._receive import RestAsk as RestAsk
    from ._receive import receive as receive
    from ._reply import Outgoing as Outgoing
    from ._reply import reply as reply
    from ._result import result as result

_HOME, _load = lazy_names(
    __name__,
    {
        "_transport.call": "CallContext",
        "_transport.caller": "Caller",
        "rest._call": "call",
        "rest._client.result_stream": "ResultStream",
        "rest._error_response": "error_response",
        "rest._read.accept": "wants_stream",
        "rest._read.field": "Field",
        "rest._read.multipart": "fields_of",
        "rest._receive": "RestAsk receive",
        "rest._reply": "Outgoing reply",
        "rest._result": "result",
    },
)

__all__ = [
    "CallContext",
    "Caller",
    "Field",
    "Outgoing",
    "RestAsk",
    "ResultStream",
    "call",
    "error_response",
    "fields_of",
    "receive",
    "reply",
    "result",
    "wants_stream",
]

if not TYPE_CHECKING:  # a type checker that saw it would take any name
    __getattr__ = _load


def __dir__() -> list[str]:
    return __all__
