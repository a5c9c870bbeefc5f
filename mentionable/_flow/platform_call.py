"""What only connectors have: a kind of call of their platform, and an outcome that is the platform's own affair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from .._model.base import record
from .asks import Ask

if TYPE_CHECKING:
    from .._wire.http import HttpResponse


class PlatformCall(Ask[Mapping[str, Any] | Sequence[Any]]):
    """A call of the API of a platform, made with the credentials of its connector. Each connector has its own kind.

    `Answers(call_api=...)` answers them all: with what the platform said, as its JSON, or `Failed`.
    """

    __slots__ = ()
    _member: ClassVar[str] = "call_api"
    _wanted: ClassVar[str] = "the JSON object or array of the platform"

    @staticmethod
    def _fits(answer: Any) -> bool:
        return isinstance(answer, (Mapping, list, tuple))

    @property
    def name(self) -> str:
        """What is called, in one line: for logs, and for tables of answers."""
        raise NotImplementedError


@record
class Handshake:
    """The request is no message: the platform wants exactly this response, and nothing else comes of it.

    Attributes:
        response: What to answer.
    """

    response: HttpResponse
