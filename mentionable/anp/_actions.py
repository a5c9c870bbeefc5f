"""Which tools of an agent a human must hear of: the host's registry, and the event that reports a call.

Spec: ANP §6.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, TypeVar

from .._errors.exceptions import UsageError
from .._flow.settings import check_kind
from .._wire.ascii import ascii_lower
from .._wire.ids import derive, uuid_of
from ._notification import Notification, Submission
from ._routing import Routing
from ._wording import ENGLISH, Wording

Classification: TypeAlias = Literal["internal", "external"]

F = TypeVar("F", bound="Callable[..., object]")


def classify(word: object) -> Classification:
    """What a classification means. All but `internal`, in any case, is external, and reported to the human.

    Spec: ANP §6.1.2.
    """
    return "internal" if isinstance(word, str) and ascii_lower(word.strip()) == "internal" else "external"


class Actions:
    """The classification of each tool. An unclassified tool is external, so that a human hears of it.

    The agent has no part in it: the host looks a tool up when it is called.

    Spec: ANP §6.1.2.

    Example:
        >>> actions = Actions()
        >>> @actions.internal
        ... def remember(fact: str) -> None: ...
        >>> @actions.external
        ... def send_mail(to: str) -> None: ...
        >>> actions.declare("search_web", "INTERNAL")
        >>> [actions.classify(name) for name in ("remember", "send_mail", "search_web", "format_disk")]
        ['internal', 'external', 'internal', 'external']
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, Classification] = {}

    def internal(self, function: F) -> F:
        """Declares a function, by its name, as one that touches only what the agent knows.

        Raises:
            UsageError: Its name was declared otherwise before.
        """
        self.declare(function.__name__, "internal")
        return function

    def external(self, function: F) -> F:
        """Declares a function, by its name, as one whose effects people can see.

        Raises:
            UsageError: Its name was declared otherwise before.
        """
        self.declare(function.__name__, "external")
        return function

    def declare(self, name: str, classification: str) -> None:
        """Declares a tool by name.

        Args:
            name: The tool.
            classification: `internal`, in any case; every other word is `external`.

        Raises:
            UsageError: The name is empty or no text, or was declared otherwise before.
        """
        check_kind(name, str, "the name of a tool")
        if not name:
            raise UsageError("the name of a tool is a text that is not empty")
        kind = classify(classification)
        if self._known.setdefault(name, kind) != kind:
            raise UsageError(f"{name} was declared {self._known[name]} before")

    def classify(self, name: str) -> Classification:
        """The classification of a tool, `external` for one that was not declared."""
        return self._known.get(name, "external")


def action_notice(
    action: str,
    *,
    user_id: str,
    session_id: str | None = None,
    cause: Notification | None = None,
    wording: Wording = ENGLISH,
) -> Submission:
    """The event that tells a human what the agent did outside any event that could.

    Args:
        action: The name of the tool.
        user_id: The human.
        session_id: In which session; None: in the inbox.
        cause: The event for which the agent did it.
        wording: In which language.

    Raises:
        UsageError: An argument is empty or of a wrong type.

    Spec: ANP §6.1.
    """
    check_kind(wording, Wording, "wording")
    routing = Routing(address="session" if session_id else "user", target="user", handler="system")
    return Submission(
        content=wording.actions_text([action]),
        user_id=user_id,
        routing=routing,
        session_id=session_id,
        metadata={"action": action},
        origin="system",
        causation_id=cause.id if cause else None,
        depth=cause.depth + 1 if cause else None,
    )


def notice_id(whose: str, action: str) -> str:
    """The id of the event that tells of an action: the same for the same tool of the same event or turn."""
    return uuid_of(derive("anp.action.notice", b"", whose, action))
