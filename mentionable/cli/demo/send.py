"""Encodes a reply of the demo, and decodes it as the other side would."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, cast

from ..._crypto.keys import SigningKey
from ..._flow.flow import drive
from ..._flow.outcome import Received, Rejected
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._transport.webfinger import webfinger_url
from ..._wire.address import Address
from ..._wire.ids import derive
from ...testing.lookups import LookupTable


class Sent(NamedTuple):
    """A reply that was encoded and decoded again.

    Attributes:
        how: Describes what would be transmitted.
        data: The bytes that would be transmitted.
        received: Describes the verified sender, as the other side sees it.
        read: The decoded reply; None if the other side rejected it.
    """

    how: str
    data: bytes
    received: str
    read: NormalizedMessage | NormalizedResponse | None


def send(response: NormalizedResponse, message: NormalizedMessage, *, now: datetime, entropy: bytes) -> Sent:
    """Encode a reply for the transport of the message, and decode it as the other side."""
    return _SENDERS[message.received_via](response, message, now, entropy)


def sender_of(outcome: Received | Rejected) -> str:
    """Describe the sender of a message, and whether they are verified."""
    if isinstance(outcome, Rejected):
        return f"rejected, {outcome.code}"
    verdict = outcome.verdict
    result = f"verified, by {verdict.method}" if verdict.verified else f"not verified, {verdict.code}"
    return f"{outcome.message.sender.address}, {result}"


def _activitypub(response: NormalizedResponse, message: NormalizedMessage, now: datetime, entropy: bytes) -> Sent:
    """Deliver to the inbox of the sender, whose server verifies the HTTP signature."""
    from ... import activitypub

    local, domain = message.recipient[1:].split("@")
    url = f"https://{domain}/actors/{local}"
    key = SigningKey.from_seed(derive("demo key", entropy), key_id=f"{url}#main-key")
    settings = activitypub.Settings(key=key, form="rfc9421")
    out = activitypub.reply(response, to=message, base=f"https://{domain}", now=now, entropy=entropy, settings=settings)
    answers = LookupTable({
        f"GET {url}": _json_row("application/activity+json", activitypub.actor(message.recipient, url=url, keys=key)),
        f"GET {webfinger_url(Address(message.recipient))}": _json_row(
            "application/jrd+json", activitypub.webfinger(message.recipient, url=url)
        ),
        "MESSAGE *": None,
    })  # fmt: skip
    (post,) = out.deliveries
    outcome = drive(activitypub.receive(post, recipient=message.sender.address, now=now, entropy=entropy), answers)
    return _sent(f"{post.method} {post.url}, signed", post.body, cast("Received | Rejected", outcome))


def _email(response: NormalizedResponse, message: NormalizedMessage, now: datetime, entropy: bytes) -> Sent:
    """Send a mail to the sender, whose server verifies DKIM."""
    from ... import mail

    domain = message.recipient.rpartition("@")[2]
    key = SigningKey.from_seed(derive("demo key", entropy), key_id=f"demo._domainkey.{domain}")
    out = mail.reply(response, to=message, now=now, entropy=entropy, settings=mail.Settings(key=key))
    answers = LookupTable(
        {f"TXT {key.key_id}": [mail.dkim_record(key)], "TXT *": [], "MESSAGE *": None, "HISTORY *": []}
    )
    outcome = drive(mail.receive(out.data, recipient=message.sender.address, now=now, entropy=entropy), answers)
    return _sent(f"a mail to {' '.join(out.rcpt_to)}, signed", out.data, cast("Received | Rejected", outcome))


def _a2a(response: NormalizedResponse, message: NormalizedMessage, now: datetime, entropy: bytes) -> Sent:
    """Return an HTTP response. A2A needs no trace: its parts are the whole reply."""
    from ... import a2a

    http = a2a.reply(response, to=message, now=now, entropy=entropy).response
    reply = a2a.result(http, to=message)
    if isinstance(reply, Rejected):
        return Sent(f"HTTP {http.status}", http.body, f"rejected, {reply.code}", None)
    return Sent(f"HTTP {http.status}", http.body, "the response to its own request", reply.response)


def _sent(how: str, data: bytes, outcome: Received | Rejected) -> Sent:
    return Sent(how, data, sender_of(outcome), None if isinstance(outcome, Rejected) else outcome.message)


def _json_row(content_type: str, document: dict[str, Any]) -> dict[str, Any]:
    return {"content_type": content_type, "json": document}


_SENDERS: Final[Mapping[str, Callable[[NormalizedResponse, NormalizedMessage, datetime, bytes], Sent]]] = {
    "activitypub": _activitypub,
    "a2a": _a2a,
    "email": _email,
}
