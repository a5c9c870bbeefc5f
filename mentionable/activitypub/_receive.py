"""The entry point `receive`: from an inbox delivery to messages, or to one activity that your server may act on."""

from __future__ import annotations

from datetime import datetime
from typing import Final, TypeAlias

from .._errors.exceptions import WireError
from .._flow.asks import Fetch, FindAgent, FindHistory, FindMessage, FindMessages, UseOnce
from .._flow.flow import Flow, bounded
from .._flow.outcome import Received, Rejected, rejected
from .._flow.settings import DEFAULTS, Settings, check_entropy, check_inputs
from .._model.base import unchecked
from .._wire.address import agent_address
from .._wire.http import HttpRequest, check_request
from . import _authority
from ._activity import ReceivedActivity
from ._delivery import Delivery
from ._read.event import event_in
from ._read.object import read_activity
from ._receive_activity import receive_activity
from ._receive_message import receive_message
from ._verify import MAX_ASKS

ActivityPubAsk: TypeAlias = Fetch | FindAgent | FindMessage | FindMessages | FindHistory | UseOnce
"""Every ask that this transport makes."""

_new_delivery: Final = unchecked(Delivery)


def receive(
    request: HttpRequest,
    *,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Flow[ActivityPubAsk, Received | ReceivedActivity | Rejected]:
    """Reads a delivery to an inbox: one message for each agent that it is for, or one activity.

    A Create or Update of something that people read becomes messages. Any other activity that is known here becomes a
    `ReceivedActivity`, but only when its actor is verified and may do what it says: then your server may act on it.
    Everything else is rejected with a code whose `http_status` suits an inbox. The Delete of an actor who is gone
    cannot be verified: it has the authority `gone`. What an Announce names is not fetched here: see `receive_object`.

    The sender is verified as `verify` does it. An invalid signature leaves `sender.verified` of a message False; the
    message is still delivered. Where a signature cannot be checked just now, the delivery is rejected with
    `lookup-failed`, and comes again. The actor document is always asked for: answer from your cache. Replies name
    objects, so store messages under `Received.aliases` too.

    An Update of what you stored gives `Received.edited`, and no new message: answer one mention once.

    Args:
        request: The POST as it came; its body byte for byte.
        recipient: The agent that it is for, when you know; then the addressing is not looked up. What is for an agent
            alone, such as a Follow or its Accept, is looked up all the same, and must be about this agent.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each delivery; the same give the same ids.
        settings: Limits and history policy. `Limits(walk_depth=0)` asks for no ancestors, and so gives no history.

    Returns:
        A flow of `Received`, of `ReceivedActivity`, or of `Rejected` with a code that says why. What is merely odd is a
        diagnostic.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Normalized Message §5 (ActivityPub), §5.1, §5.1.1, §5.4, §6, §8; ActivityPub §7.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> like = HttpRequest(method="POST", url="https://agents.example/inbox", body=b'{"type": "Arrive"}')
        >>> no = drive(receive(like, now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32)), Answers())
        >>> no.code, no.http_status
        ('unsupported-activity', 202)
    """
    check_inputs(now, settings)
    check_entropy(entropy)
    check_request(request)
    recipients = None if recipient is None else (agent_address(recipient),)
    limits = settings.limits
    flow = _receive(_new_delivery(request=request, recipients=recipients, now=now, entropy=entropy, settings=settings))
    # The object, the ancestors and their authors, what the verification asks for, and the authority.
    if limits.asks >= 2 * limits.walk_depth + 1 + MAX_ASKS + _authority.MAX_ASKS:
        return flow
    return bounded(flow, remote=limits.asks)


def _receive(delivery: Delivery) -> Flow[ActivityPubAsk, Received | ReceivedActivity | Rejected]:
    """The flow of `receive`. Every fault of the peer ends in `Rejected`."""
    #   1. read the activity: type, ids, origin
    #   2. what people read becomes messages, what happened an activity
    limits = delivery.settings.limits
    try:
        activity = read_activity(delivery.request.body, limits)
        event = event_in(activity, limits)
        if event is None:
            return (yield from receive_message(delivery, activity))
        return (yield from receive_activity(delivery, activity, event))
    except WireError as error:
        return rejected(error)
