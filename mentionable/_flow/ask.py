"""Work that needs the outside world: a flow yields batches of asks, its caller answers, and it returns a value.

An ask is a frozen, hashable value and the smallest flow: `answer = yield from LookupTxt(name=n)`. A flow never learns
who answers it, so the same code runs under threads, asyncio, trio, a queue or a table in a test.
"""

from __future__ import annotations

import inspect
from collections.abc import Generator
from typing import Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar

from attrs import field, frozen

from .._errors.exceptions import UsageError

T = TypeVar("T")
R = TypeVar("R")


R_co = TypeVar("R_co", covariant=True)


A = TypeVar("A")


A_co = TypeVar("A_co", covariant=True)


@frozen
class Failed:
    """The answer could not be had. That there is nothing is not a failure: answer None, `()` or a 404.

    Attributes:
        reason: In words, for logs.
        temporary: Whether asking again later may help.
    """

    reason: str
    temporary: bool = field(default=True, kw_only=True)


class Ask(Generic[T]):
    """One question to the caller; the type argument is what an answer looks like.

    `_member` names the function of `Answers` that answers it, `_wanted` says what an answer is.
    """

    __slots__ = ()
    _member: ClassVar[str]
    _wanted: ClassVar[str]

    @staticmethod
    def _fits(answer: Any) -> bool:
        raise NotImplementedError

    def __iter__(self) -> Generator[tuple[Self, ...], tuple[Any, ...], T | Failed]:
        (answer,) = yield (self,)
        return _checked(self, answer)


class YesOrNo(Ask[bool]):
    """A question that is answered by True or False."""

    __slots__ = ()
    _wanted: ClassVar[str] = "True or False"

    @staticmethod
    def _fits(answer: Any) -> bool:
        return isinstance(answer, bool)


def _checked(ask: Ask[T], answer: Any) -> T | Failed:
    """The answer, if it is of the kind that the ask wants."""
    if ask._fits(answer) or isinstance(answer, Failed):
        fitting: T | Failed = answer
        return fitting
    if inspect.iscoroutine(answer):
        answer.close()
        raise UsageError(f"the answer to {ask} is a coroutine: use adrive()")
    raise UsageError(f"the answer to {ask} must be {type(ask)._wanted} or Failed(...), not {answer!r:.60}")


Flow: TypeAlias = "Generator[tuple[A, ...], tuple[Any, ...], R]"
"""Yields batches of asks of type A, takes as many answers, returns R."""


class Steps(Protocol[A_co, R_co]):
    """A flow, or an ask as the smallest flow."""

    def __iter__(self) -> Generator[tuple[A_co, ...], tuple[Any, ...], R_co]:
        """The flow itself."""
        ...
