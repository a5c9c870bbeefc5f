"""What a client does with what comes in, by what it keeps of each event.

Effects happen at least once, and in any order where several workers carry them out. A client that follows
`receive_presentation` and `receive_settled` displays each event once, and finally its newest revision.

Keep one `Seen` for each event on each device: all tabs of a browser share it. What another device has displayed, this
one learns from `Settled`.

Spec: ANP §3.1 (channels A and B), §5.1 (DELIVERED), §6.3, §7.1.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from .._errors.exceptions import UsageError
from .._flow.settings import check_kind
from .._model.base import frozen, validated
from .._model.codec import dumps
from ._commands import Acknowledgement, ClientAck
from ._effects import EventEffect, Settled, Settlement
from ._presentation import Presentation
from ._routing import Surface

Showing: TypeAlias = Literal["show", "replace", "settle", "repeat", "stale"]
"""What a client does with what comes in."""


@validated
class Seen(EventEffect):
    """What a device keeps of an event that it has displayed, or that was settled.

    Attributes:
        surface: Where it is displayed.
        is_whole: Whether nothing of it was cut.
        settled: How it was settled under this lease; None: it was not.
    """

    surface: Surface
    is_whole: bool
    settled: Settlement | None = None


@frozen
class Reception:
    """What a client does with what comes in.

    Attributes:
        showing: `show` it; `replace` by it what is displayed of the event; `settle` it: nothing asks for attention any
            more, and what does is taken away; change nothing, it is a `repeat`; discard it, it is `stale`.
        seen: What to keep for the event from now on. Store it before you display it or play a sound.
        ack: What to send, with the id of the event, once the human has it before them; None: nothing. What was cut is
            not acknowledged before the rest is displayed.
    """

    showing: Showing
    seen: Seen
    ack: ClientAck | None


def receive_presentation(presentation: Presentation, seen: Seen | None) -> Reception:
    """What a client does with a presentation, by what it keeps for the event.

    Of an event it never takes a lower lease, nor under one lease an older revision, and it displays none twice. Under a
    lease that was settled it displays nothing any more. From the chat of a session that is gone an event goes to the
    inbox, and never back. What the client has displayed already it acknowledges again: the first acknowledgement may
    have been lost.

    Args:
        presentation: The presentation that came in.
        seen: What the client keeps for the event; None: nothing. Keep it for as long as effects may be repeated.

    Raises:
        UsageError: An argument is of a wrong type, or `seen` is of another event.

    Spec: ANP §6.3, §7.1.

    Example:
        >>> first = Presentation(
        ...     id="e1", revision=1, lease=1, surface="inbox", user_id="olivia", content="1 file", replaces=False
        ... )
        >>> second = Presentation(
        ...     id="e1", revision=2, lease=1, surface="inbox", user_id="olivia", content="2 files", replaces=True
        ... )
        >>> seen, did = None, []
        >>> for one in (first, first, second, first):
        ...     got = receive_presentation(one, seen)
        ...     seen = got.seen
        ...     did.append((got.showing, got.ack and got.ack.revision))
        >>> did
        [('show', 1), ('repeat', 1), ('replace', 2), ('stale', None)]
    """
    check_kind(presentation, Presentation, "presentation")
    _check_seen(seen, presentation)
    now = Seen(
        id=presentation.id,
        revision=presentation.revision,
        lease=presentation.lease,
        surface=presentation.surface,
        is_whole=not presentation.cut,
    )
    ack = acknowledge(presentation, user_id=presentation.user_id)
    if seen is None:
        return Reception(showing="show", seen=now, ack=ack if now.is_whole else None)
    here, there = _order(now), _order(seen)
    if here < there:
        return Reception(showing="stale", seen=seen, ack=None)
    if here == there and (seen.is_whole or not now.is_whole):
        return Reception(showing="repeat", seen=seen, ack=ack if seen.is_whole else None)
    showing: Showing = "show" if seen.settled is not None else "replace"  # what was settled is displayed no more
    return Reception(showing=showing, seen=now, ack=ack if now.is_whole else None)


def receive_settled(settled: Settled, seen: Seen | None) -> Reception:
    """What a client does where an event was settled: on another device, by another tab, or by the watchdog.

    Args:
        settled: What came in.
        seen: What the client keeps for the event; None: nothing. Keep the result all the same: a presentation under
            the same lease may come later than this.

    Raises:
        UsageError: An argument is of a wrong type, or `seen` is of another event.

    Spec: ANP §3, §6.3.

    Example:
        >>> shown = Seen(id="e1", revision=1, lease=1, surface="inbox", is_whole=True)
        >>> done = Settled(id="e1", revision=1, lease=1, how="acknowledged", surface="inbox", user_id="olivia")
        >>> got = receive_settled(done, shown)
        >>> got.showing, got.seen.settled, receive_settled(done, got.seen).showing
        ('settle', 'acknowledged', 'repeat')
    """
    check_kind(settled, Settled, "settled")
    _check_seen(seen, settled)
    now = Seen(
        id=settled.id,
        revision=settled.revision,
        lease=settled.lease,
        surface=settled.surface,
        is_whole=seen is None or seen.is_whole,
        settled=settled.how,
    )
    if seen is None or _order(seen) < _order(now):
        return Reception(showing="settle", seen=now, ack=None)
    is_repeated = seen.settled is not None and seen.lease == now.lease
    return Reception(showing="repeat" if is_repeated else "stale", seen=seen, ack=None)


def later_seen(one: Seen, other: Seen) -> Seen:
    """What to keep of an event where two tabs, or a tab and its service worker, keep something each.

    It does not matter in which order and how often they are put together.

    Args:
        one: What one of them stores of an event.
        other: What the other stores of the same event.

    Raises:
        UsageError: They are of two events, or an argument is of a wrong type.

    Example:
        >>> shown = Seen(id="e1", revision=2, lease=1, surface="inbox", is_whole=True)
        >>> from mentionable import replace
        >>> settled = replace(shown, revision=1, settled="seen")
        >>> later_seen(shown, settled) == later_seen(settled, shown) == settled
        True
    """
    check_kind(one, Seen, "one")
    _check_seen(other, one)
    return max(one, other, key=lambda seen: (*_order(seen), seen.is_whole, seen.settled or "", dumps(seen)))


def acknowledge(event: EventEffect, *, user_id: str, how: Acknowledgement | None = None) -> ClientAck:
    """The command that acknowledges an event that a human has seen, under its lease and in its revision.

    Args:
        event: What was displayed: a presentation, or the result of `presented_in`.
        user_id: Who has seen it, as the host has authenticated them.
        how: Whether it was rendered before them, or they clicked it.

    Raises:
        UsageError: An argument is of a wrong type.

    Spec: ANP §5.1 (DELIVERED).
    """
    if not isinstance(event, EventEffect):
        raise UsageError("event must be a Presentation, or name an event otherwise")
    return ClientAck(lease=event.lease, user_id=user_id, revision=event.revision, how=how)


def _check_seen(seen: Seen | None, event: EventEffect) -> None:
    """Checks that what is stored is of this event."""
    if seen is None:
        return
    check_kind(seen, Seen, "seen")
    if seen.id != event.id:
        raise UsageError(f"seen is of the event {seen.id[:80]!r}, not of {event.id[:80]!r}")


def _order(seen: Seen) -> tuple[int, bool, int, bool]:
    """What is settled under a lease is the last of it, whatever its words and its place."""
    return seen.lease, seen.settled is not None, seen.revision, seen.surface == "inbox"
