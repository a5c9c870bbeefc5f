"""What a client displays of an event.

Spec: ANP §3.1 (channels A and B), §7.1.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from .._errors.exceptions import UsageError
from .._flow.settings import check_kind
from .._model.base import validated
from .._model.rules import JsonObject, Name
from ._effects import Effect, EventEffect, Present, Update
from ._notification import Notification, Origin
from ._present import present
from ._routing import SURFACES, Surface
from ._wording import ENGLISH, Wording

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
