"""How an answer of the demo goes out, and what the other side makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from ..._crypto.keys import SigningKey
from ..._flow.flow import drive
from ..._flow.outcome import Received, Rejected
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._transport.webfinger import webfinger_url
from ..._wire.address import Address
from ..._wire.ids import derive
from ...testing.lookups import LookupTable


class Sent(NamedTuple):
    """An answer that went out.

    Attributes:
        how: What was transmitted, in words.
        data: What was transmitted.
        shown: How the other side knows who sent it.
        read: What the other side makes of it; None when it takes nothing of it.
        trusted: How they must know it, in the words of `shown`.
    """

    how: str
    data: bytes
    shown: str
    read: NormalizedMessage | NormalizedResponse | None
    trusted: str

    @property
    def trace(self) -> NormalizedResponse | None:
        """The whole response as the other side has it."""
        return self.read if isinstance(self.read, NormalizedResponse | None) else self.read.received_trace


def send(response: NormalizedResponse, message: NormalizedMessage, *, now: datetime, entropy: bytes) -> Sent:
    """Answers a message where it came from."""
    return _SENDERS[message.received_via](response, message, now, entropy)


def _activitypub(response: NormalizedResponse, message: NormalizedMessage, now: datetime, entropy: bytes) -> Sent:
    """The delivery to the asker's inbox, as their server takes it."""
    from ... import activitypub

    local, domain = message.recipient[1:].split("@")
    url = f"https://{domain}/actors/{local}"
    key = SigningKey.from_seed(derive("demo key", entropy), key_id=f"{url}#main-key")
    settings = activitypub.Settings(form="rfc9421")
    out = activitypub.reply(
        response, to=message, base=f"https://{domain}", key=key, now=now, entropy=entropy, settings=settings
    )
    world = LookupTable({
        f"GET {url}": _json_row("application/activity+json", activitypub.actor(message.recipient, url=url, keys=key)),
        f"GET {webfinger_url(Address(message.recipient))}": _json_row(
            "application/jrd+json", activitypub.webfinger(message.recipient, url=url)
        ),
        "MESSAGE *": None,
    })  # fmt: skip
    (post,) = out.deliveries
    got = drive(activitypub.receive(post, recipient=message.sender.address, now=now, entropy=entropy), world)
    how = f"{post.method} {post.url}, {len(post.body)} bytes, signed"
    return _sent(how, post.body, got, f"{message.recipient}, verified, by ap-http-signature")


def _email(response: NormalizedResponse, message: NormalizedMessage, now: datetime, entropy: bytes) -> Sent:
    """The mail, as the asker's mail server takes it."""
    from ... import mail

    domain = message.recipient.rpartition("@")[2]
    key = SigningKey.from_seed(derive("demo key", entropy), key_id=f"demo._domainkey.{domain}")
    out = mail.reply(response, to=message, key=key, now=now, entropy=entropy)
    world = LookupTable({f"TXT {key.key_id}": [mail.dkim_record(key)], "TXT *": [], "MESSAGE *": None, "HISTORY *": []})
    got = drive(mail.receive(out.data, recipient=message.sender.address, now=now, entropy=entropy), world)
    how = f"a mail to {' '.join(out.rcpt_to)}, {len(out.data)} bytes, signed"
    return _sent(how, out.data, got, f"{message.recipient}, verified, by email-dkim")


def _a2a(response: NormalizedResponse, message: NormalizedMessage, now: datetime, entropy: bytes) -> Sent:
    """The HTTP response, as the asker reads it. A2A needs no trace: its parts are the answer."""
    from ... import a2a

    out = a2a.reply(response, to=message, now=now, entropy=entropy)
    got = a2a.result(out.response, to=message)
    how = f"HTTP {out.response.status}, {len(out.response.body)} bytes"
    trusted = "the parts themselves, over their own connection"
    if isinstance(got, Rejected):
        return Sent(how, out.response.body, f"rejected, {got.code}", None, trusted)
    return Sent(how, out.response.body, trusted, got, trusted)


def _sent(how: str, data: bytes, got: Received | Rejected, trusted: str) -> Sent:
    """What the other side makes of an answer that is delivered to it."""
    if isinstance(got, Rejected):
        return Sent(how, data, f"rejected, {got.code}", None, trusted)
    verdict = got.verdict
    shown = f"verified, by {verdict.method}" if verdict.verified else f"not verified, {verdict.code}"
    return Sent(how, data, f"{got.message.sender.address}, {shown}", got.message, trusted)


def _json_row(content_type: str, document: dict[str, Any]) -> dict[str, Any]:
    return {"content_type": content_type, "json": document}


_SENDERS: Final[Mapping[str, Callable[[NormalizedResponse, NormalizedMessage, datetime, bytes], Sent]]] = {
    "activitypub": _activitypub,
    "a2a": _a2a,
    "email": _email,
}
