"""What a client shows of an event, and how it tells what it has shown already.

Effects happen at least once, and in any order where several workers carry them out. A client that follows
`receive_presentation` shows each event once, and at last in its newest words.

Spec: ANP §3.1 (channels A and B), §5.1 (DELIVERED), §6.3, §7.1.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from .._errors.exceptions import UsageError
from .._model.base import frozen, validated
from .._model.rules import JsonObject, Name
from ._actions import sentence_of
from ._commands import ClientAck
from ._effects import Effect, EventEffect, Present, Update
from ._notification import Notification, Origin
from ._present import present
from ._routing import SURFACES, Surface

Showing: TypeAlias = Literal["show", "replace", "repeat", "stale"]
"""What a client does with a presentation."""

_SURFACES: Final = tuple(SURFACES.values())


@validated
class Presentation(EventEffect):
    """What a client shows of an event. As JSON it is what you send to clients.

    Attributes:
        surface: Where: in the inbox, or in the chat of the session.
        user_id: To whom.
        content: What to show.
        replaces: Whether it takes the place of the words of an earlier revision, where those stand.
        session_id: In which chat.
        origin: Who says it: a plugin, the agent, or the system.
        actions: What the agent did about it. To be shown beside the content: the human must be told.
        metadata: What else the plugin gave.
        cut: The members that were shortened or left out to save room. Fetch the event by its id to show the rest.

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

    @property
    def told(self) -> str:
        """What the agent did, in a sentence; empty when there is nothing to tell."""
        return sentence_of(self.actions or ())


@validated
class Seen(EventEffect):
    """What a client keeps of an event that it has shown.

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
        showing: `show` it; `replace` by it what is shown of the event; leave what is shown, it is a `repeat`; throw it
            away, it is `stale`.
        seen: What to keep for the event from now on, once it is shown.
        ack: What to send, with the id of the event, once the human has it before them; None: nothing. What was cut is
            not acknowledged before the rest is shown.
    """

    showing: Showing
    seen: Seen
    ack: ClientAck | None


Presentable: TypeAlias = "Presentation | Effect | Notification"
"""What a presentation can be made of."""


def presentation(what: Presentable) -> Presentation | None:
    """What a client shows of an effect, or of an event that waits for an acknowledgement.

    Use it on the effects of a decision, and when a client is back on the open events of its user.

    Args:
        what: An effect, or an event as it is stored.

    Returns:
        None where nothing is to be shown: for effects that are for the agent or for the host, for events that the agent
        handles, that wait in a lane, or that are delivered or failed.

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
        >>> shown = presentation(anp.decide(event, anp.Route(), now=now).effects[0])
        >>> shown.surface, shown.content
        ('inbox', 'Backup done.')
    """
    given: object = what
    if isinstance(given, Presentation):
        return given
    if isinstance(given, Notification):
        return presentation(present(given)) if given.is_shown else None
    if not isinstance(given, EventEffect):
        raise UsageError("expected an effect, a Notification or a Presentation")
    if isinstance(given, Update) and given.channel in _SURFACES:
        return _made(given, given.channel, None)
    return _made(given, given.channel, given.actions) if isinstance(given, Present) else None


def presented(what: Presentable) -> Presentation:
    """The same for what must go out.

    Raises:
        UsageError: Nothing of it is to be shown.
    """
    shown = presentation(what)
    if shown is None:
        raise UsageError("nothing of it is shown to a human: see whether presentation() gives something")
    return shown


def receive_presentation(shown: Presentation, seen: Seen | None) -> Reception:
    """What a client does with a presentation, given what it kept for the event when it last showed it.

    Of an event it never takes a lower lease, nor under one lease an older revision, and it shows none twice. From the
    chat of a session that is gone an event goes to the inbox, and never back. What the client has shown already it
    acknowledges again: the first acknowledgement may have been lost.

    Args:
        shown: What came.
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
        >>> for shown in (first, first, second, first):
        ...     got = receive_presentation(shown, seen)
        ...     seen = got.seen
        ...     did.append((got.showing, got.ack and got.ack.revision))
        >>> did
        [('show', 1), ('repeat', 1), ('replace', 2), ('stale', None)]
    """
    _check_seen(shown, seen)
    now = Seen(id=shown.id, revision=shown.revision, lease=shown.lease, surface=shown.surface, is_whole=not shown.cut)
    ack = acknowledge(shown, user_id=shown.user_id)
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


def _check_seen(shown: object, seen: object) -> None:
    if not isinstance(shown, Presentation) or not isinstance(seen, (Seen, type(None))):
        raise UsageError("expected a Presentation, and what was kept as Seen or None")
    if seen is not None and seen.id != shown.id:
        raise UsageError(f"seen is of the event {seen.id[:80]!r}, not of {shown.id[:80]!r}")


def acknowledge(shown: EventEffect, *, user_id: str) -> ClientAck:
    """The command that says that a human has seen what was shown, under its lease and in its revision.

    Args:
        shown: What was shown: a presentation, or what `presented_in` found.
        user_id: Who has seen it. The host puts there whom it has authenticated.

    Raises:
        UsageError: An argument is of a wrong type.

    Spec: ANP §5.1 (DELIVERED).
    """
    if not isinstance(shown, EventEffect):
        raise UsageError("shown must be a Presentation, or name an event otherwise")
    return ClientAck(lease=shown.lease, user_id=user_id, revision=shown.revision)


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
