"""A verified request of Slack, parsed: what its body holds, and which kind of event that is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, TypeGuard

from ...._errors.exceptions import wire_error
from ...._flow.outcome import Handshake
from ...._wire.http import HttpRequest, HttpResponse
from ..._deliver import object_of_body
from ..._members import object_of
from .._ids import required
from .._settings import Settings
from .change import CHANGES, Change, read_change
from .event import Event, event_in, read_command
from .form import is_form, read_form
from .interaction import read_interaction

Document: TypeAlias = "dict[str, Any]"
"""What a body holds, under what it is: `event`, `command` or `interaction`. No body can be read as two of them."""

SECRETS: Final = frozenset(
    (
        *("token", "bot_access_token", "response_url", "response_urls"),
        *("url_private", "url_private_download", "permalink_public"),
    )
)
"""Members that authorize whoever has them, or open a file. No queue needs them."""

_MAX_CHALLENGE: Final = 256
_NO_SNIFFING: Final = (("content-type", "text/plain"), ("x-content-type-options", "nosniff"))


def read_document(request: HttpRequest, settings: Settings) -> Document:
    """What the body of a verified request holds.

    Raises:
        WireError: It is malformed or too large.
    """
    if not is_form(request):
        return {"event": object_of_body(request.body, settings=settings, max_bytes=settings.body_bytes)}
    fields = read_form(request.body)
    if "payload" not in fields:
        return {"command": fields}
    payload = fields["payload"].encode()
    return {"interaction": object_of_body(payload, settings=settings, max_bytes=settings.body_bytes)}


def read_event(document: Mapping[str, Any]) -> Event | Change | Handshake:
    """The event of a document, or the handshake that Slack expects.

    Raises:
        WireError: It is malformed, or nothing that becomes a message or an event (`unsupported-event`).
    """
    if "interaction" in document:
        return read_interaction(object_of(document["interaction"]))
    if "command" in document:
        fields = object_of(document["command"])
        return Handshake(response=HttpResponse(status=200)) if "ssl_check" in fields else read_command(fields)
    envelope = object_of(document.get("event"))
    kind = envelope.get("type")
    if kind == "url_verification":
        challenge = required(envelope, "challenge", _is_challenge)
        return Handshake(response=HttpResponse(status=200, headers=_NO_SNIFFING, body=challenge.encode()))
    if kind != "event_callback":
        raise wire_error("unsupported-event", "/type", "it is no event")
    event = object_of(envelope.get("event"))
    if event.get("type") in CHANGES or event.get("subtype") in CHANGES:
        return read_change(envelope, event)
    return event_in(envelope)


def _is_challenge(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= _MAX_CHALLENGE and value.isascii() and value.isprintable()
