"""The door with its usual arguments, and small builders of forms, questions and bodies."""

import json
from datetime import UTC, datetime

from mentionable import Answers, HttpRequest, NoRelay, NormalizedMessage, RecipientCapabilities, Sender, drive, rest
from mentionable.rest import Field

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
URL = "https://agents.example/helper"
HELPER = "@helper@agents.example"
FACTS = {"now": NOW, "entropy": bytes(32)}
BOUNDARY = "b0undary"


def take(*fields, answers=None, request=None, **facts):
    """What comes of fields, each a `Field` or the text of the user."""
    form = [Field("user", one) if isinstance(one, str) else one for one in fields]
    facts = {"recipient": HELPER, **FACTS, **facts}
    flow = rest.receive(form, **facts) if request is None else rest.receive(request, fields=form, **facts)
    return drive(flow, answers or Answers())


def as_json(name, value):
    """A field of JSON."""
    return Field(name, json.dumps(value), "application/json")


def asked(accept=None, **headers):
    """A request without a body of its own, as it stands beside fields."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    if accept is not None:
        given["accept"] = accept
    return HttpRequest(method="POST", url=URL, headers=given)


def question(accept=None, **facts):
    """A question that came by REST."""
    return take("Hi", Field("session", "s1"), Field("message_id", "q1"), request=asked(accept), **facts).message


def codes(got):
    """The diagnostics of an outcome by their codes."""
    return [note.code for note in got.diagnostics]


def body_of(*pieces, end=True):
    """A multipart body of raw pieces, each a head and its data."""
    whole = b"".join(b"--%b\r\n%b\r\n\r\n%b\r\n" % (BOUNDARY.encode(), head, data) for head, data in pieces)
    return whole + (b"--%b--\r\n" % BOUNDARY.encode() if end else b"")


def posted(body, content_type=f"multipart/form-data; boundary={BOUNDARY}", **headers):
    """A request with a body."""
    given = {"content-type": content_type, **headers}
    return HttpRequest(method="POST", url=URL, headers=given, body=body)


def named(name, rest=b""):
    """The head of a field."""
    return b'Content-Disposition: form-data; name="%b"%b' % (name, rest)


def message(*parts, **members):
    """A message to ask with."""
    facts = {
        "id": "m1",
        "thread_id": "t1",
        "sender": Sender(address="@alice@a.example"),
        "recipient": HELPER,
        "recipient_capabilities": RecipientCapabilities(mention_relay=NoRelay()),
        "received_via": "email",
        "received_at": "2026-11-21T20:00:00Z",
        "raw": {"secret": "canary-raw"},
    }
    return NormalizedMessage(**{**facts, "parts": parts, **members})
