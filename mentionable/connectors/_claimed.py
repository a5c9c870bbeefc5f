"""The value of a claimed event, which a queue can hold: how it is written down, and read back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast

from attrs import field

from .._errors.exceptions import UsageError
from .._model.base import EMPTY_DICT, lazy_member, maker_of, unchecked, validated
from .._model.rules import CanonicalAddress, JsonObject, Name, Timestamp
from .._wire.http import HttpResponse

EventType: TypeAlias = Literal["edited", "deleted", "reaction-added", "reaction-removed"]
"""What happened to a message on a platform."""

ClaimedType: TypeAlias = Literal["message", "edited", "deleted", "reaction-added", "reaction-removed"]
"""What a claimed event is: a message for the agent, or something that happened to one."""

Drop: TypeAlias = Callable[[dict[str, Any], str], Collection[str]]
"""Names the credentials among the members of an object, which is the member of that name, or in its array."""

T = TypeVar("T")
E = TypeVar("E")


@validated
class Retry:
    """What a platform says of a delivery that it makes again. It is not signed: for logs, never for decisions.

    Attributes:
        number: Which retry it is.
        reason: Why, in the platform's words: `http_timeout`.
        extra: Members that this version does not know.
    """

    number: int
    reason: str | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Claimed:
    """An event of a platform that was verified and claimed. Answer the platform, and make the message of it later.

    `dumps` writes it, and `decode_trusted(Claimed, data)` reads it back. What is read back is worth what your store is
    worth: whoever can write there can write events. It holds no credential: where an interaction can be answered
    (`slack.response_url`, the `token` of Discord) you keep yourself, next to it. It holds what people wrote, and of
    BlueBubbles phone numbers.

    Attributes:
        platform: `slack`, `discord`, ….
        type: What it is.
        event_id: The platform's own id of the event, behind its name: `slack:Ev0123`.
        native_id: The id of the message, or of the message that it is about.
        key: The key of your queue, the same for all deliveries of the event. None: the platform gives such an event no
            id, so that nothing was claimed.
        is_new: Whether this delivery is the first one.
        claimed_at: When it was claimed.
        document: The event as the platform sent it, without credentials.
        recipient: The agent that the caller of `claim` named.
        retry: What the platform says of a retry.
        answer: The JSON that the platform wants at once; None: it wants status 200 alone.
        extra: Members that this version does not know.
    """

    platform: Name
    type: ClaimedType
    event_id: Name
    native_id: Name
    key: Name | None = None
    is_new: bool
    claimed_at: Timestamp
    document: JsonObject = field(repr=False, hash=False)
    recipient: CanonicalAddress | None = None
    retry: Retry | None = None
    answer: str | None = None
    extra: JsonObject = EMPTY_DICT

    @property
    def response(self) -> HttpResponse:
        """What to answer to the platform, at once."""
        if self.answer is None:
            return HttpResponse(status=200)
        return HttpResponse(status=200, headers={"content-type": "application/json"}, body=self.answer.encode())


lazy_member(Claimed, "document")
new_claimed: Final = unchecked(Claimed)


class ParsedEvent:
    """An event that was read in this process: `complete` need not read it again.

    As a function it makes the document that a queue holds, a fresh copy without credentials.
    """

    __slots__ = ("_document", "_drop", "_settings", "event")

    def __init__(
        self,
        event: object,
        document: dict[str, Any],
        settings: object,
        drop: Drop,
    ) -> None:
        self.event, self._document, self._settings, self._drop = event, document, settings, drop

    def __call__(self) -> dict[str, Any]:
        made: dict[str, Any] = stripped(self._document, self._drop)
        return made

    def is_by(self, settings: object) -> bool:
        """Whether it was read with these very settings."""
        return self._settings is settings


def event_in_claimed(claimed: Claimed, settings: T, read: Callable[[Mapping[str, Any], T], E]) -> E:
    """The event of a claimed one: as `claim` read it a moment ago, else read from its document.

    Raises:
        WireError: The document does not hold an event.
    """
    reading = maker_of(claimed, "document")
    if isinstance(reading, ParsedEvent) and reading.is_by(settings):
        return cast("E", reading.event)
    return read(claimed.document, settings)


def stripped(value: Any, drop: Drop, under: str = "") -> Any:
    """A copy of JSON without some members, wherever they stand.

    Args:
        value: JSON that a reader has bounded in its depth.
        drop: The names of the members that an object must not have.
        under: The name of the member that holds the value, or the array that it is in.
    """
    if isinstance(value, dict):
        names = drop(value, under)
        return {name: stripped(member, drop, name) for name, member in value.items() if name not in names}
    return [stripped(item, drop, under) for item in value] if isinstance(value, list) else value


def check_claimed(claimed: object, platform: str) -> None:
    """Raise `UsageError` unless an event was claimed by the same connector."""
    if not isinstance(claimed, Claimed) or claimed.platform != platform:
        raise UsageError(f"claimed must be what claim of {platform} gave")
