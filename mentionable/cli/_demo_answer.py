"""How the demo answers a message: what its agent says, what goes out, and what the other side makes of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .._address import Address
from .._asks import drive
from .._ids import derive
from .._keys import SigningKey
from .._model.message import NormalizedResponse
from .._model.parts import ToolCallPart
from .._outcome import Rejected
from .._text import plain_text, serialize_tool_call_to_text, shorten
from .._webfinger import webfinger_url
from ..testing.lookups import LookupTable
from ._show import field_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from .._model.message import NormalizedMessage
    from .._outcome import Received


class _Sent(NamedTuple):
    """An answer that went out.

    Attributes:
        how: What was transmitted, in words.
        text: What people read of it.
        trace: The response that the other side reads back.
        shown: How the other side knows who sent it.
    """

    how: str
    text: str
    trace: NormalizedResponse | None
    shown: str


def answer_lines(message: NormalizedMessage, *, now: datetime, entropy: bytes) -> Iterator[str]:
    """The lines that tell how a message is answered, and whether the answer is read back as it was meant."""
    response = _answer(message)
    sent = _SENDERS[message.received_via](response, message, now, derive("demo answer", entropy))
    yield field_line("answer", sent.text)
    yield field_line("sent", sent.how)
    yield field_line("they read", sent.shown)
    if sent.trace != response:
        yield field_line("trace", "not the answer")
        return
    (call,) = [part for part in sent.trace.parts if isinstance(part, ToolCallPart)]
    yield field_line("trace", f"the whole answer, with {serialize_tool_call_to_text(call)}")


def _answer(message: NormalizedMessage) -> NormalizedResponse:
    """What the agent of the demo says: it counts words, with a tool."""
    text = plain_text(message)
    count = len(text.split())
    call = ToolCallPart(
        id="call-1", name="count_words", args={"text": shorten(text, 60)}, result={"words": count}, duration_ms=1
    )
    return NormalizedResponse.to(message, f"Your message has **{count} words**.", call)


def _activitypub(response: NormalizedResponse, message: NormalizedMessage, now: datetime, entropy: bytes) -> _Sent:
    """The delivery to the asker's inbox, as their server takes it."""
    from .. import activitypub

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
    return _received(f"{post.method} {post.url}, {len(post.body)} bytes, signed", got)


def _email(response: NormalizedResponse, message: NormalizedMessage, now: datetime, entropy: bytes) -> _Sent:
    """The mail, as the asker's mail server takes it."""
    from .. import mail

    domain = message.recipient.rpartition("@")[2]
    key = SigningKey.from_seed(derive("demo key", entropy), key_id=f"demo._domainkey.{domain}")
    out = mail.reply(response, to=message, key=key, now=now, entropy=entropy)
    world = LookupTable({f"TXT {key.key_id}": [mail.dkim_record(key)], "TXT *": [], "MESSAGE *": None, "HISTORY *": []})
    got = drive(mail.receive(out.data, recipient=message.sender.address, now=now, entropy=entropy), world)
    return _received(f"a mail to {', '.join(out.rcpt_to)}, {len(out.data)} bytes, signed", got)


def _a2a(response: NormalizedResponse, message: NormalizedMessage, now: datetime, entropy: bytes) -> _Sent:
    """The HTTP response, as the asker reads it. A2A needs no trace: its parts are the answer."""
    from .. import a2a

    out = a2a.reply(response, to=message, now=now, entropy=entropy)
    got = a2a.result(out.response, to=message)
    how = f"HTTP {out.response.status}, {len(out.response.body)} bytes"
    if isinstance(got, Rejected):
        raise AssertionError(got)
    return _Sent(how, _first_line(plain_text(got)), got, "the parts themselves, over their own connection")


def _received(how: str, got: Received | Rejected) -> _Sent:
    """What the other side makes of an answer."""
    if isinstance(got, Rejected):
        raise AssertionError(got)
    read, verdict = got.message, got.verdict
    shown = f"verified, by {verdict.method}" if verdict.verified else f"not verified, {verdict.code}"
    return _Sent(how, _first_line(plain_text(read)), read.received_trace, f"{read.sender.address}, {shown}")


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _json_row(content_type: str, document: dict[str, Any]) -> dict[str, Any]:
    return {"content_type": content_type, "json": document}


_SENDERS: Final[Mapping[str, Callable[[NormalizedResponse, NormalizedMessage, datetime, bytes], _Sent]]] = {
    "activitypub": _activitypub,
    "a2a": _a2a,
    "email": _email,
}
