"""Questions in every dialect and binding, and short ways to answer them."""

import json
from datetime import UTC, datetime

from mentionable import Answers, HttpRequest, NormalizedResponse, a2a, drive, replace

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
FACTS = {"recipient": "@helper@agents.example", "now": NOW, "entropy": bytes(32)}
URL = "https://agents.example/helper"

_V1 = {"messageId": "q1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
_V03 = {
    "kind": "message",
    "messageId": "q1",
    "contextId": "c1",
    "role": "user",
    "parts": [{"kind": "text", "text": "Hi"}],
}
_REST = {"messageId": "q1", "contextId": "c1", "role": "ROLE_USER", "content": [{"text": "Hi"}]}

WAYS = {
    "1.0": (_V1, "SendMessage", "SendStreamingMessage"),
    "1.0-rest": (_V1, "/message:send", "/message:stream"),
    "0.3": (_V03, "message/send", "message/stream"),
    "0.3-rest": (_REST, "/v1/message:send", "/v1/message:stream"),
}
"""Name of a dialect and binding → a message of it, and its methods: for one answer, and for a stream."""


def request(way="1.0", *, stream=False, body=None, **members):
    """A request that asks in one of `WAYS`."""
    message, method, streaming = WAYS[way]
    message = {**message, **members}
    if stream:
        method = streaming
    headers = {"a2a-version": "1.0"} if way.startswith("1.0") else {}
    if method[0] == "/":
        body = {"message": message}
        return HttpRequest(method="POST", url=URL + method, headers=headers, body=json.dumps(body).encode())
    call = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {"message": message}}
    return HttpRequest(method="POST", url=URL, headers=headers, body=json.dumps(call).encode())


def question(way="1.0", *, stream=False, task_id=None, **members):
    """The message that such a request becomes."""
    asked = request(way, stream=stream, **members)
    return drive(a2a.receive(asked, task_id=task_id, **FACTS), Answers()).message


def bare(message=None, **facts):
    """The message that an SDK host hands over without any HTTP around it becomes."""
    return drive(a2a.receive(message or _V1, **{**FACTS, **facts}), Answers()).message


def answer(to, *parts, entropy=bytes(32), blobs=None, **members):
    """What `reply` makes of these parts."""
    response = replace(NormalizedResponse.to(to, *parts), **members)
    return a2a.reply(response, to=to, now=NOW, entropy=entropy, blobs=blobs)


def body_of(out):
    """The JSON of a response."""
    return json.loads(out.response.body)


def events_of(body):
    """The JSON of each event of a stream."""
    return [json.loads(event.removeprefix(b"data: ")) for event in body.split(b"\n\n") if event]
