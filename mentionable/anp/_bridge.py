"""Between events and conversations: a notification over a transport, a message as an event, an answer as a narration.

Spec: ANP §3.1, §4.1; Normalized Message §3, §4.
"""

from __future__ import annotations

from collections.abc import Mapping
from hmac import compare_digest, digest
from typing import Any, Final

from .._errors.exceptions import UsageError, WireError, wire_error
from .._flow.settings import check_kind
from .._model.base import replace
from .._model.codec import decode_parsed
from .._model.message import NormalizedMessage, NormalizedResponse, check_is_response
from .._model.parts import TextPart, ToolCallPart
from .._text.plain_text import plain_text
from .._transport.reply import check_whole
from .._wire.ids import derive
from .._wire.strict_json import is_text
from ._effects import EventEffect
from ._notification import MAX_CHARACTERS, Submission, shows_something
from ._output import MAX_IDS, AgentOutput, read_output
from ._presentation import Presentable, presented
from ._routing import Routing
from ._wording import ENGLISH, Wording

MARK: Final = "anp"
"""The member of a text part that names the event whose words it has."""

MIN_SECRET: Final = 16
"""How many bytes an attacker cannot guess."""


def to_response(
    what: Presentable, *, to: NormalizedMessage, secret: bytes, wording: Wording = ENGLISH
) -> NormalizedResponse:
    """An event as a response to a message of its user, to be sent by the transport of that message.

    So a notification goes out by mail, ActivityPub or A2A, in the thread of that message. The text of the agent is
    Markdown, that of a plugin plain text. Store the response with its ids: when the user answers it, `presented_in` the
    stored response says what they have seen.

    Args:
        what: What to show, whole.
        to: A message of that user, as `receive` gave it: of an event of a session one of that session.
        secret: At least 16 random bytes of yours, always the same. They seal the mark that names the event, so that
            only what was sent can be acknowledged.
        wording: In which language it says what the agent did.

    Raises:
        UsageError: It is not presented to a human, something of it was cut, or an argument is of a wrong type.

    Spec: ANP §3.1; Normalized Message §4.

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender, anp
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@olivia@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> notice = anp.Presentation(
        ...     id="e1", revision=1, lease=1, surface="inbox", user_id="olivia", content="Backup done.", replaces=False
        ... )
        >>> response = to_response(notice, to=question, secret=bytes(16))
        >>> response.parts[0].content
        'Backup done.'
        >>> anp.acknowledge(presented_in(response, user_id="olivia", secret=bytes(16)), user_id="olivia").lease
        1
        >>> presented_in(response, user_id="eve", secret=bytes(16)) is None
        True
    """
    event = presented(what)
    if event.cut:
        raise UsageError(f"{', '.join(event.cut)[:200]} was cut: give the event itself")
    check_secret(secret)
    seal = _seal(event, event.user_id, secret)
    text = TextPart(
        content=event.content,
        mime="text/markdown" if event.origin == "agent" else "text/plain",
        extra={MARK: {"id": event.id, "revision": event.revision, "lease": event.lease, "seal": seal}},
    )
    actions = event.actions_text(wording)
    return NormalizedResponse.to(to, text, *([TextPart(content=actions)] if actions else []))


def presented_in(carrier: NormalizedResponse | NormalizedMessage, *, user_id: str, secret: bytes) -> EventEffect | None:
    """Which event a response shows that `to_response` made for a user, with the same secret.

    Give it to `acknowledge` when that user has seen it. An attacker can write such a mark into a message, but cannot
    seal it: what an agent or a sender makes up names no event.

    Args:
        carrier: The response as you stored it; or a message that carries it, alone or as its trace.
        user_id: Who has seen it, as the host has authenticated them.
        secret: That of `to_response`.

    Returns:
        The event, its revision and its lease; None where it shows none.

    Raises:
        UsageError: An argument is of a wrong type.
    """
    if not isinstance(carrier, (NormalizedResponse, NormalizedMessage)):
        raise UsageError("expected a NormalizedResponse or a NormalizedMessage")
    check_kind(user_id, str, "user_id")
    if not is_text(user_id):
        raise UsageError("user_id must be a text")
    check_secret(secret)
    if isinstance(carrier, NormalizedMessage) and carrier.received_trace is not None:
        carrier = carrier.received_trace
    events = (_opened(part.extra[MARK], user_id, secret) for part in carrier.parts if MARK in part.extra)
    return next((event for event in events if event is not None), None)


def _opened(mark: Any, user_id: str, secret: bytes) -> EventEffect | None:
    """The event that a mark names, if we have sealed it for this user."""
    seal = mark.get("seal") if isinstance(mark, Mapping) else None
    if not isinstance(seal, str) or not seal.isascii():
        return None
    try:
        event = decode_parsed(EventEffect, {name: mark.get(name) for name in ("id", "revision", "lease")})
    except WireError:
        return None
    return event if compare_digest(seal, _seal(event, user_id, secret)) else None


def _seal(event: EventEffect, user_id: str, secret: bytes) -> str:
    what = derive("anp.mark", b"", user_id, event.id, str(event.revision), str(event.lease))
    return digest(secret, what, "sha256").hex()


def check_secret(secret: object) -> None:
    """Raises `UsageError` unless a secret is too long to be guessed."""
    if not isinstance(secret, bytes) or len(secret) < MIN_SECRET:
        raise UsageError(f"secret is at least {MIN_SECRET} random bytes")


def to_submission(
    message: NormalizedMessage,
    *,
    user_id: str,
    routing: Routing,
    session_id: str | None = None,
    deduplication_key: str | None = None,
    wording: Wording = ENGLISH,
) -> Submission:
    """A message of whatever transport as an event to submit: new mail for the user, word of another agent.

    Submit it under the id of the message. Its metadata names the message and its sender; what does not fit into the
    content is cut, and `cut` in the metadata says so. Nothing of the message becomes an instruction for the model.

    Args:
        message: The message, as `receive` gave it.
        user_id: Whose event it is.
        routing: Where it should go.
        session_id: The session that it belongs to.
        deduplication_key: Under this key it replaces an event of the same user that has no owner yet.
        wording: With which mark the content ends where it was cut.

    Raises:
        DecodeError: The message has no visible text.
        UsageError: An argument is of a wrong type.

    Spec: ANP §8.1; Normalized Message §3.
    """
    if not isinstance(message, NormalizedMessage):
        raise UsageError("expected a NormalizedMessage")
    check_kind(wording, Wording, "wording")
    text = plain_text(message)
    if not shows_something(text):
        raise wire_error("malformed", "/parts", "there is nothing that can be shown")
    sender, is_long = message.sender, len(text) > MAX_CHARACTERS
    about = {
        "id": message.id,
        "thread_id": message.thread_id,
        "received_via": message.received_via,
        "sender": sender.address,
        "sender_name": sender.display_name,
        "sender_verified": sender.verified,
    }
    about = {name: member for name, member in about.items() if member is not None}
    return Submission(
        content=text[: MAX_CHARACTERS - len(wording.ellipsis)] + wording.ellipsis if is_long else text,
        user_id=user_id,
        routing=routing,
        session_id=session_id,
        deduplication_key=deduplication_key,
        metadata={"message": about, **({"cut": ["content"]} if is_long else {})},
    )


def narration_of(response: NormalizedResponse) -> AgentOutput:
    """What an agent that answers by responses gives back at the end of a turn, for `commit_turn`.

    Its words are what a person would read of it; the calls of its tools are not, and a response that failed says
    nothing: give that turn to `fail_turn`. What it acknowledges stands in `acknowledged_ids`, in `extra` of the
    response or in its text, where that is an object as `read_output` reads it.

    Args:
        response: The response, whole.

    Raises:
        UsageError: It is a frame of a stream, or no response.

    Spec: ANP §4.1 (Mediated Presentation), §5.1 (DELIVERED).

    Example:
        >>> from mentionable import NormalizedResponse, TextPart
        >>> parts = (TextPart(content="Your backup failed.", mime="text/markdown"),)
        >>> narration_of(NormalizedResponse(reply_to="m1", parts=parts, extra={"acknowledged_ids": ["e1"]}))
        AgentOutput(output='Your backup failed.', acknowledged_ids=('e1',), diagnostics=())
    """
    check_is_response(response)
    check_whole(response)
    if response.status == "error":
        return AgentOutput(None)
    spoken = tuple(part for part in response.parts if not isinstance(part, ToolCallPart))
    text = read_output(plain_text(replace(response, parts=spoken)))
    extra = read_output({"acknowledged_ids": response.extra.get("acknowledged_ids")})
    ids = tuple(dict.fromkeys([*text.acknowledged_ids, *extra.acknowledged_ids]))
    return AgentOutput(text.output, ids[:MAX_IDS], (*text.diagnostics, *extra.diagnostics))
