"""What every `reply` shares: whether a transport may send a response, where it goes, and its bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._flow.settings import Limits, Settings, check_entropy, check_inputs
from .._model.base import frozen
from .._model.message import NormalizedMessage, NormalizedResponse, ReceivedVia, check_is_response
from .._model.parts import ArtifactPart, CarriedPolicy, DigestRef, FilePart, InlineRef
from .._model.policy import PolicyPart
from .._model.rules import is_state
from .._text.media import bytes_of, inline_size
from .._wire.address import agent_address
from .._wire.strict_json import dig
from .url_binding import unbound_urls

NO_BLOBS: Final[Mapping[str, bytes]] = {}

_PACKAGES: Final[Mapping[str, str]] = {"activitypub": "activitypub", "a2a": "a2a", "email": "mail", "rest": "rest"}
"""The package that answers by each protocol."""

FIRST_CONTACT: Final = "first_contact"
"""The member of `raw` that only `first_contact` writes: no protocol has it at the top of `raw`."""


@frozen
class Destination:
    """Where a response goes.

    Attributes:
        channel: The protocol by which it goes.
        thread_ref: The thread that it goes to, as that protocol names it; None: a new one.
    """

    channel: ReceivedVia
    thread_ref: str | None = None


def destination(response: NormalizedResponse, *, to: NormalizedMessage) -> Destination:
    """Where a response goes: back to where the question came from, unless the response says otherwise.

    Args:
        response: The answer, whose `push_back` may name another protocol, another thread or both.
        to: The message that it answers.

    Spec: Normalized Message §4 (PushBackHint).

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, NormalizedResponse, PushBackHint, RecipientCapabilities
        >>> from mentionable import Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="a2a",
        ...     received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> destination(NormalizedResponse.to(question, "Hello!"), to=question)
        Destination(channel='a2a', thread_ref='t1')
    """
    _check_kinds(response, to)
    hint = response.push_back
    channel = to.received_via if hint is None or hint.channel is None else hint.channel
    if hint is not None and hint.thread_ref is not None:
        return Destination(channel=channel, thread_ref=hint.thread_ref)
    return Destination(channel=channel, thread_ref=to.thread_id if channel == to.received_via else None)


def _check_kinds(response: object, to: object) -> None:
    check_is_response(response)
    if not isinstance(to, NormalizedMessage):
        raise UsageError("to must be the NormalizedMessage that is answered")


def check_is_answer(response: NormalizedResponse, to: NormalizedMessage) -> None:
    """Raises unless these are a response and the message that it answers.

    Raises:
        UsageError: One of them is of the wrong kind, or `reply_to` names another message.
    """
    _check_kinds(response, to)
    if response.reply_to != to.id:
        raise UsageError(f"reply_to is {response.reply_to[:80]!r}; the message in `to` has the id {to.id[:80]!r}")


def check_reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    channel: ReceivedVia,
    now: datetime,
    entropy: bytes,
    settings: Settings,
) -> None:
    """Raises unless `response` is one that the transport of `channel` may send as an answer to `to`.

    Raises:
        UsageError: Names the member that is wrong, and the transport that is right.

    Spec: Normalized Message §4, §8.
    """
    check_inputs(now, settings)
    check_entropy(entropy)
    check_is_answer(response, to)
    if to.received_via != channel:
        right = _PACKAGES.get(to.received_via)
        raise UsageError(f"to was received via {to.received_via}" + (f": use {right}.reply" if right else ""))
    there = destination(response, to=to).channel
    if there != channel:
        raise UsageError(
            f"push_back.channel is {there!r}: answer a message of that thread that came that way,"
            f" with {_PACKAGES[there]}.reply; where none came, see first_contact"
        )
    check_parts(response, to, settings)


def check_parts(response: NormalizedResponse, to: NormalizedMessage | None, settings: Settings) -> None:
    """Raises when the parts cannot go out: too many, too large, or a policy in a place where it has none.

    What answers no message (`to` is None) has no policy: that is for who asks.
    """
    limits = settings.limits
    check_part_count(response, limits)
    for index, part in enumerate(response.parts):
        if isinstance(part, CarriedPolicy):
            if to is None:
                raise UsageError(f"parts[{index}]: a policy is for who asks, and goes out in an answer alone")
            if index + 1 != len(response.parts) or response.status == "partial":
                raise UsageError(f"parts[{index}]: a policy is the last part, in the final frame")
            _check_policy(part.policy, to, settings, f"/parts/{index}/policy")
        elif isinstance(part, (FilePart, ArtifactPart)):
            reference = part.bytes_ref
            if isinstance(reference, InlineRef):
                size = inline_size(reference.data_base64)
                if size >= limits.inline_bytes:
                    raise UsageError(
                        f"parts[{index}].bytes_ref: {size} bytes inline, less than {limits.inline_bytes} may be:"
                        " name them by a DigestRef and give them in blobs"
                    )


def check_part_count(response: NormalizedResponse, limits: Limits) -> None:
    """Raises when there are too many parts."""
    if len(response.parts) > limits.parts:
        raise UsageError(f"parts: {len(response.parts)} parts, at most {limits.parts}")


def _check_policy(policy: PolicyPart, to: NormalizedMessage, settings: Settings, at: str) -> None:
    """Raises when a policy leads people elsewhere than to the agent's hosts, or has a state that can be guessed.

    Spec: PolicyPart §Base Fields, §Kind-Specific Fields.
    """
    for place, rule in unbound_urls(policy, agent_address(to.recipient).domain, also=settings.policy_hosts):
        raise UsageError(f"{at}{place}: {rule}")
    state = getattr(policy, "state", None)
    if state is not None and not is_state(state):
        raise UsageError(f"{at}/state: not one of 128 random bits: policy.issue() gives one")


def check_siblings(siblings: object, *, most: int) -> tuple[Any, ...]:
    """`siblings` as a tuple. One string alone is a mistake that iteration would hide.

    Raises:
        UsageError: It is no list, or has more than `most` entries.
    """
    if isinstance(siblings, (str, bytes)) or not isinstance(siblings, Iterable):
        raise UsageError("siblings is a list, not one value alone")
    value = tuple(islice(siblings, most + 1))
    if len(value) > most:
        raise UsageError(f"siblings: more than {most}")
    return value


def check_whole(response: NormalizedResponse) -> None:
    """Raises for a frame of a stream that is not the last: mail and ActivityPub send whole answers.

    Raises:
        UsageError: The response is partial.

    Spec: Normalized Message §4 (Streaming).
    """
    if response.status == "partial":
        raise UsageError("status is 'partial': collect the frames with Assembler, and send what it makes of them")


def check_frame(response: NormalizedResponse, *, takes_stream: bool) -> None:
    """Raises unless a frame has its place in a stream, and the client takes frames.

    Raises:
        UsageError: Names the member that is wrong.

    Spec: Normalized Message §4 (Streaming).
    """
    streaming = response.streaming
    if streaming is None:
        if response.status == "partial":
            raise UsageError("streaming: a partial response must say where it stands in its stream")
    elif streaming.final != (response.status != "partial"):
        raise UsageError("status: a frame is 'partial' unless it is the final one")
    elif not takes_stream:
        raise UsageError("streaming: the client takes no stream; collect the frames with Assembler")


def check_size(data: bytes, *, most: int, what: str) -> None:
    """Raises when what would go out is larger than any peer need take.

    Args:
        data: What would go out.
        most: The bytes that it may have.
        what: What it is, as in `a mail`.

    Raises:
        UsageError: It is larger.
    """
    if len(data) > most:
        raise UsageError(f"parts: {what} of {len(data)} bytes, at most {most}: give files by their URL")


def is_first_contact(to: NormalizedMessage) -> bool:
    """Whether this stands for a message that never came, so that what goes out answers none."""
    return dig(to.raw, FIRST_CONTACT) is True


def content_of(part: FilePart | ArtifactPart, index: int, blobs: Mapping[str, bytes]) -> bytes | None:
    """The bytes of a part that go out with it; None when it has a URL where they lie.

    Args:
        part: The file or artifact.
        index: Its place, for the error.
        blobs: SHA-256 in hex → bytes.

    Raises:
        UsageError: It is named by a digest alone, and `blobs` does not have it, or has other bytes under it.
    """
    data, reference = bytes_of(part, blobs), part.bytes_ref
    if not isinstance(reference, DigestRef):
        return data
    if data is None:
        if reference.url is None:
            raise UsageError(f"parts[{index}].bytes_ref: neither a url nor bytes in blobs under {reference.digest}")
    elif sha256(data).hexdigest() != reference.digest:
        raise UsageError(f"parts[{index}].bytes_ref: blobs holds other bytes under {reference.digest}")
    return data
