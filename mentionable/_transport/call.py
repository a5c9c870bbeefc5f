"""What A2A and REST share when they ask other agents: the arguments of `call`, and the stream of an answer."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Final

from attrs import field

from .._errors.exceptions import UsageError, WireError, wire_error, with_prefix
from .._flow.outcome import Rejected, rejected
from .._flow.settings import Settings, check_settings
from .._model.base import EMPTY_DICT, InvalidMember, replace, validated
from .._model.diagnostic import MAX_NOTES, Diagnostic, bounded_notes
from .._model.identity import IdentityEvidence
from .._model.message import HistoricalMessage, NormalizedMessage, NormalizedResponse
from .._model.rules import JsonObject
from .._wire.http import is_web_url
from .._wire.sse import Event, EventReader

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*", re.ASCII).fullmatch
_SAFE: Final = re.compile(r"(?i:https://|http://(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|\Z))").match
"""URLs to which a token may go: it is encrypted on the way, or stays on this machine."""


@validated
class CallContext:
    """Who asks another agent, and what goes along with the message.

    Attributes:
        evidence: Who asks, signed for the other agent.
        token: A bearer token for the other agent. It goes over https alone, or to this machine (`localhost`).
        history: Prior turns for the other agent: `message.history or ()` for all of them. Each goes along with the
            profile of its author; with their evidence only where that is for the same agent as `evidence`.
        receipt: The receipt for a policy of the other agent: `policy.receipt(...)` or `policy.x402_submission(...)`.

    Example:
        >>> CallContext(token="abc").history
        ()
    """

    evidence: tuple[IdentityEvidence, ...] = ()
    token: str | None = field(default=None, repr=False)
    history: tuple[HistoricalMessage, ...] = ()
    receipt: JsonObject = field(default=EMPTY_DICT, repr=False)

    def _check(self) -> None:
        if self.token is not None and not _TOKEN(self.token):
            raise InvalidMember("token must be a bearer token (RFC 6750 §2.1)", ("token",))


NO_CONTEXT: Final = CallContext()


def check_call(message: object, *, url: object, context: object) -> None:
    """Raises `UsageError` when an argument of a `call` is of the wrong kind, or a token would go in the clear."""
    if not isinstance(message, NormalizedMessage):
        raise UsageError("message must be a NormalizedMessage")
    if not isinstance(url, str) or not is_web_url(url) or "#" in url:
        raise UsageError("url must be the http or https URL of the other agent, without a fragment")
    if not isinstance(context, CallContext):
        raise UsageError("context must be a CallContext(...)")
    if context.token is not None and not _SAFE(url):
        raise UsageError("token: over http anybody on the way could read it; url must begin with https://")


def check_asked(to: object, settings: object) -> None:
    """Raises `UsageError` unless these are a message, of which an answer can be read, and settings."""
    if not isinstance(to, NormalizedMessage):
        raise UsageError("to must be the NormalizedMessage that was asked")
    check_settings(settings)


class LeftOut:
    """What had to be left out of an answer: as many diagnostics as one unit gives, and how many more there were."""

    __slots__ = ("_more", "_notes")

    def __init__(self) -> None:
        self._notes: list[Diagnostic] = []
        self._more = 0

    def add(self, notes: Iterable[Diagnostic], at: str = "") -> None:
        """Takes diagnostics whose places are relative to `at`."""
        for note in notes:
            if len(self._notes) < MAX_NOTES:
                self._notes.append(replace(note, at=at + note.at))
            else:
                self._more += 1

    def members(self) -> dict[str, Any]:
        """The member `dropped`, for the member of `extra` in which a transport speaks; empty for nothing."""
        notes = bounded_notes(self._notes, self._more)
        return (
            {"dropped": [{"code": note.code, "at": note.at, "detail": note.detail} for note in notes]} if notes else {}
        )


class AnswerStream(ABC):
    """Reads the stream that an agent answers a call with. A room says what its events mean.

    A place in a stream begins with `/events/<n>`, the number of the event; the rest of it is the place in the JSON of
    that event.
    """

    __slots__ = ("_answer", "_at", "_count", "_events", "_fault", "_limits", "_to")

    def __init__(self, to: NormalizedMessage, settings: Settings) -> None:
        check_asked(to, settings)
        self._to = to
        self._limits = settings.limits
        self._at, self._count = "", 0  # where the event at hand stands, and how many came
        self._events = EventReader(max_bytes=settings.limits.a2a_bytes)
        self._fault: Rejected | None = None
        self._answer: NormalizedResponse | Rejected | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the agent said its last word, or what cannot be read: nothing that comes changes the answer."""
        return self._fault is not None or self._is_over()

    def feed(self, chunk: bytes) -> tuple[NormalizedResponse, ...]:
        """The frames that end in this chunk. Nothing that a peer sends makes it raise.

        Args:
            chunk: Bytes as they came, in pieces of any size.

        Raises:
            UsageError: `chunk` is no bytes, or the stream is closed.
        """
        if self._answer is not None:
            raise UsageError("the stream is closed")
        if not isinstance(chunk, bytes):
            raise UsageError("a chunk of a stream must be bytes")
        frames: list[NormalizedResponse] = []
        if not self.is_complete:
            try:
                for event in self._events.feed(chunk):
                    frames += self._take_next(event)
            except WireError as error:
                self._fault = rejected(error)
        return tuple(frames)

    def close(self) -> NormalizedResponse | Rejected:
        """The whole answer, as `result` gives it; the same each time.

        A stream that broke off gives what came as `partial`, where anybody can tell; `Rejected` when nothing came.
        """
        if self._answer is None:
            self._answer = self._fault or self._closed()
        return self._answer

    def _closed(self) -> NormalizedResponse | Rejected:
        try:
            last = self._events.close()
            if last is not None:
                self._take_next(last)
            if not self._said_anything():
                raise wire_error("not-a-message", "", "the stream ended before anything was said")
            return self._response()
        except WireError as error:
            return rejected(error)

    def _take_next(self, event: Event) -> list[NormalizedResponse]:
        """The frames of the next event."""
        self._at = f"/events/{self._count}"
        self._count += 1
        try:
            return self._take(event)
        except WireError as error:
            raise with_prefix(error, self._at) from None

    @abstractmethod
    def _take(self, event: Event) -> list[NormalizedResponse]:
        """Takes one event, which stands at `_at`; the frames that it gives.

        What comes after the last word counts for nothing.

        Raises:
            WireError: It cannot be read; the places are relative to it.
        """

    @abstractmethod
    def _is_over(self) -> bool:
        """Whether the agent said its last word."""

    @abstractmethod
    def _said_anything(self) -> bool:
        """Whether anything came that means something."""

    @abstractmethod
    def _response(self) -> NormalizedResponse:
        """All that was said."""
