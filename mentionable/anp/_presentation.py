"""What a client displays of an event, and how it knows what it has displayed already.

Effects happen at least once, and in any order where several workers carry them out. A client that follows
`receive_presentation` displays each event once, and finally its newest revision.

Spec: ANP §3.1 (channels A and B), §5.1 (DELIVERED), §6.3, §7.1.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from .._errors.exceptions import UsageError
from .._flow.settings import check_kind
from .._model.base import frozen, validated
from .._model.rules import JsonObject, Name
from ._commands import ClientAck
from ._effects import Effect, EventEffect, Present, Update
from ._notification import Notification, Origin
from ._present import present
from ._routing import SURFACES, Surface
from ._wording import ENGLISH, Wording

Showing: TypeAlias = Literal["show", "replace", "repeat", "stale"]
"""What a client does with a presentation."""

_SURFACES: Final = tuple(SURFACES.values())


@validated
class Presentation(EventEffect):
    """What a client shows of an event. As JSON it is what you send to clients.

    Attributes:
        surface: Where: in the inbox, or in the chat of the session.
        user_id: The human.
        content: What to show.
        replaces: Whether it takes the place of the words of an earlier revision, where those stand.
        session_id: In which chat.
        origin: Who says it: a plugin, the agent, or the system.
        actions: What the agent did about it. Display it with the content: the human must hear of it.
        metadata: What else the plugin gave.
        cut: The members that were shortened or left out to save space. Fetch the event by its id to show the rest.

    Spec: ANP §3.1 (channels A and B).
    """

    surface: Surface
    user_id: Name
    content: str
    replaces: bool
    session_id: Name | None = None
    origin: Origin | None = None
    actions: tuple[Name, ...] | None = None
    metadata: JsonObject | None = None
    cut: tuple[Name, ...] | None = None

    def actions_text(self, wording: Wording = ENGLISH) -> str:
        """What the agent did, in a sentence; empty when it did nothing.

        Args:
            wording: In which language.

        Raises:
            UsageError: `wording` is of a wrong type.
        """
        check_kind(wording, Wording, "wording")
        return wording.actions_text(self.actions or ())


@validated
class Seen(EventEffect):
    """What a client keeps of an event that it has displayed.

    Attributes:
        surface: Where it stands.
        is_whole: Whether nothing of it was cut.
    """

    surface: Surface
    is_whole: bool


@frozen
class Reception:
    """What a client does with a presentation.

    Attributes:
        showing: `show` it; `replace` by it what is displayed of the event; change nothing, it is a `repeat`; discard
            it, it is `stale`.
        seen: What to keep for the event from now on, once it is displayed.
        ack: What to send, with the id of the event, once the human has it before them; None: nothing. What was cut is
            not acknowledged before the rest is displayed.
    """

    showing: Showing
    seen: Seen
    ack: ClientAck | None


Presentable: TypeAlias = "Presentation | Effect | Notification"
"""What a presentation can be made of."""


def presentation(what: Presentable) -> Presentation | None:
    """What a client displays of an effect, or of an event that waits for an acknowledgement.

    Use it on the effects of a decision, and when a client is back on the open events of its user.

    Args:
        what: An effect, or an event as it is stored.

    Returns:
        None where there is nothing to display: for effects that are for the agent or for the host, for events that the
        agent handles, that wait in a lane, or that are delivered or failed.

    Raises:
        UsageError: `what` is neither.

    Spec: ANP §3.1 (channels A and B), §5.1, §7.1.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import anp
        >>> flags = anp.Routing(address="user", target="user", handler="system")
        >>> submission = anp.Submission(content="Backup done.", user_id="olivia", routing=flags)
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> event = anp.decide(None, anp.Submit(submission=submission, id="e1"), now=now).record
        >>> notice = presentation(anp.decide(event, anp.Route(), now=now).effects[0])
        >>> notice.surface, notice.content
        ('inbox', 'Backup done.')
    """
    if isinstance(what, Presentation):
        return what
    if isinstance(what, Notification):
        return presentation(present(what)) if what.is_presented else None
    if not isinstance(what, EventEffect):
        raise UsageError("expected an effect, a Notification or a Presentation")
    if isinstance(what, Update) and what.channel in _SURFACES:
        return _made(what, what.channel, None)
    return _made(what, what.channel, what.actions) if isinstance(what, Present) else None


def presented(what: Presentable) -> Presentation:
    """The same for what must go out.

    Raises:
        UsageError: It is not presented to a human.
    """
    event = presentation(what)
    if event is None:
        raise UsageError("nothing of it is shown to a human: see whether presentation() returns something")
    return event


def receive_presentation(presentation: Presentation, seen: Seen | None) -> Reception:
    """What a client does with a presentation, by what it kept for the event when it last displayed it.

    Of an event it never takes a lower lease, nor under one lease an older revision, and it displays none twice. From
    the chat of a session that is gone an event goes to the inbox, and never back. What the client has displayed
    already it acknowledges again: the first acknowledgement may have been lost.

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
    if seen is not None:
        check_kind(seen, Seen, "seen")
    if seen is not None and seen.id != presentation.id:
        raise UsageError(f"seen is of the event {seen.id[:80]!r}, not of {presentation.id[:80]!r}")
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
    return Reception(showing="replace", seen=now, ack=ack if now.is_whole else None)


def _order(seen: Seen) -> tuple[int, int, bool]:
    return seen.lease, seen.revision, seen.surface == "inbox"


def acknowledge(event: EventEffect, *, user_id: str) -> ClientAck:
    """The command that acknowledges an event that a human has seen, under its lease and in its revision.

    Args:
        event: What was displayed: a presentation, or the result of `presented_in`.
        user_id: Who has seen it, as the host has authenticated them.

    Raises:
        UsageError: An argument is of a wrong type.

    Spec: ANP §5.1 (DELIVERED).
    """
    if not isinstance(event, EventEffect):
        raise UsageError("event must be a Presentation, or name an event otherwise")
    return ClientAck(lease=event.lease, user_id=user_id, revision=event.revision)


def _made(effect: Present | Update, surface: Surface, actions: tuple[str, ...] | None) -> Presentation:
    return Presentation(
        id=effect.id,
        revision=effect.revision,
        lease=effect.lease,
        surface=surface,
        user_id=effect.user_id,
        content=effect.content,
        replaces=effect.revision > 1,
        session_id=effect.session_id,
        origin=effect.origin,
        actions=actions,
        metadata=effect.metadata,
    )
