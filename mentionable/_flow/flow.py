"""Flows: they yield batches of asks, a caller answers, and they return a value; and what runs and combines them.

An ask is a frozen, hashable value and the smallest flow: `answer = yield from LookupTxt(name=n)`. A flow does not know
who answers it, so the same code runs under threads, asyncio, trio, a queue or a table in a test.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from functools import partial
from types import NoneType
from typing import Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar, overload

from attrs import field, frozen

from .._errors.exceptions import UsageError

T = TypeVar("T")
R = TypeVar("R")
R1 = TypeVar("R1")
R2 = TypeVar("R2")
R_co = TypeVar("R_co", covariant=True)
A = TypeVar("A")
A1 = TypeVar("A1")
A2 = TypeVar("A2")
A_co = TypeVar("A_co", covariant=True)


@frozen
class Failed:
    """Your program could not find out. An empty answer is not a failure: answer None, `()` or a 404.

    Attributes:
        reason: In words, for logs.
        temporary: Whether asking again later may help.
    """

    reason: str
    temporary: bool = field(default=True, kw_only=True)


class Ask(Generic[T]):
    """One question to the caller; the type argument is what an answer looks like.

    `_member` names the function of `Answers` that answers it. `_expected` says in words what an answer is; an answer is
    of one of `_types`, and a sequence has items of `_items`. `_is_remote` says whether the answer comes from the
    network: `bounded` counts these.
    """

    __slots__ = ()
    _member: ClassVar[str]
    _expected: ClassVar[str]
    _types: ClassVar[tuple[type, ...]]
    _items: ClassVar[type | None] = None
    _is_remote: ClassVar[bool] = False

    def _fits(self, answer: Any) -> bool:
        fits, items = isinstance(answer, self._types), self._items
        if not fits or items is None or not answer:
            return fits
        return all(isinstance(item, items) for item in answer)

    def __iter__(self) -> Generator[tuple[Self, ...], tuple[Any, ...], T | Failed]:
        (answer,) = yield (self,)
        return _checked(self, answer)


class YesOrNo(Ask[bool]):
    """A question that is answered by True or False."""

    __slots__ = ()
    _expected: ClassVar[str] = "True or False"
    _types: ClassVar[tuple[type, ...]] = (bool,)


def _checked(ask: Ask[T], answer: Any) -> T | Failed:
    """The answer, if it is of the kind that the ask wants."""
    if ask._fits(answer) or isinstance(answer, Failed):
        fitting: T | Failed = answer
        return fitting
    if inspect.iscoroutine(answer):
        answer.close()
        raise UsageError(f"the answer to {ask} is a coroutine: use adrive()")
    raise UsageError(f"the answer to {ask} must be {ask._expected} or Failed(...), not {answer!r:.60}")


Flow: TypeAlias = "Generator[tuple[A, ...], tuple[Any, ...], R]"
"""Yields batches of asks of type A, takes as many answers, returns R."""


class Steps(Protocol[A_co, R_co]):
    """A flow, or an ask as the smallest flow."""

    def __iter__(self) -> Generator[tuple[A_co, ...], tuple[Any, ...], R_co]:
        """The flow itself."""
        ...


def ask_each(asks: Sequence[A]) -> Flow[A, tuple[Any, ...]]:
    """The answers to plain asks that all differ, in one batch: what `gather` gives for them, for much less.

    Raises:
        UsageError: An answer is not of the kind that its ask wants, or there are more or fewer of them.
    """
    if not asks:
        return ()
    answers = yield tuple(asks)
    if len(answers) != len(asks):
        raise UsageError(f"{len(asks)} asks need as many answers, not {len(answers)}")
    for index, ask in enumerate(asks):  # `zip` would read its keyword `strict` anew each time
        answer = answers[index]
        # The usual answer is that nothing is known, which needs no closer look.
        if not (answer is None and NoneType in ask._types) and not ask._fits(answer):  # type: ignore[attr-defined]
            _checked(ask, answer)  # type: ignore[arg-type]
    return answers


@overload
def gather(
    first: Steps[A1, R1], second: Steps[A2, R2], /
) -> Generator[tuple[A1 | A2, ...], tuple[Any, ...], tuple[R1, R2]]: ...


@overload
def gather(*flows: Steps[A, R]) -> Generator[tuple[A, ...], tuple[Any, ...], tuple[R, ...]]: ...


def gather(*flows: Steps[Any, Any]) -> Generator[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
    """Goes forward with all flows at once: their asks come out in one batch, each ask once.

    Returns:
        What each flow returned, in their order.
    """
    running = [iter(flow) for flow in flows]
    results: dict[int, Any] = {}
    waiting: dict[int, tuple[Any, ...]] = {}

    def step(index: int, answers: tuple[Any, ...] | None) -> None:
        try:
            waiting[index] = next(running[index]) if answers is None else running[index].send(answers)
        except StopIteration as stop:
            waiting.pop(index, None)
            results[index] = stop.value

    for index in range(len(running)):
        step(index, None)
    while waiting:
        batch = tuple(dict.fromkeys(ask for asks in waiting.values() for ask in asks))
        answers = dict(zip(batch, (yield batch), strict=True))
        for index, asks in list(waiting.items()):
            step(index, tuple(answers[ask] for ask in asks))
    return tuple(results[index] for index in range(len(running)))


def bounded(flow: Flow[A, R], *, remote: int) -> Flow[A, R]:
    """The same flow, asking nothing twice and going to the network at most `remote` times.

    Past that, the answer to `Fetch` and `LookupTxt` is `Failed`. The other asks are local and cost nothing.
    """
    known: dict[A, Any] = {}
    left = remote
    try:
        batch = next(flow)
        while True:
            new: list[A] = []
            for ask in dict.fromkeys(batch):
                if ask in known:
                    continue
                if getattr(ask, "_is_remote", False):
                    left -= 1
                    if left < 0:
                        known[ask] = Failed("the budget of look-ups is spent", temporary=False)
                        continue
                new.append(ask)
            if new:
                known.update(zip(new, (yield tuple(new)), strict=True))
            batch = flow.send(tuple(known[ask] for ask in batch))
    except StopIteration as stop:
        result: R = stop.value
        return result
    finally:
        flow.close()


def drive(
    flow: Flow[A, R],
    answer: Callable[[A], object],
    *,
    map: Callable[[Callable[[A], object], Sequence[A]], Iterable[object]] = map,
    catch: type[Exception] | tuple[type[Exception], ...] = (),
) -> R:
    """Runs a flow, answering its asks.

    Args:
        flow: What `receive`, `verify` or `reply` of a transport gave you.
        answer: Answers one ask; `Answers(...)` is such a function.
        map: How a batch is answered; `pool.map` of a thread pool answers it all at once.
        catch: Exceptions of `answer` that mean `Failed`.

    Returns:
        What the flow comes to, usually `Received | Rejected`.

    Raises:
        UsageError: An answer is not of the kind that its ask wants.

    Example:
        >>> from mentionable import FindAgent, drive
        >>> drive(iter(FindAgent(native_id="helper@agents.example")), lambda ask: "@helper@agents.example")
        '@helper@agents.example'
    """
    _check_not_ended(flow)
    one = partial(_caught, answer, catch) if catch else answer
    try:
        batch = next(flow)
        while True:
            answers = tuple(map(one, batch))
            if len(answers) < len(batch):  # map took a StopIteration for the end of the batch
                raise RuntimeError(
                    f"no answer to {batch[len(answers)]}: a function raised StopIteration, or `map` left it out"
                )
            batch = flow.send(answers)
    except StopIteration as stop:
        result: R = stop.value
        return result
    finally:
        flow.close()


def _caught(answer: Callable[[A], object], catch: type[Exception] | tuple[type[Exception], ...], ask: A) -> object:
    """What `answer` gives, or that it could not."""
    try:
        return answer(ask)
    except catch as error:
        return Failed(f"{type(error).__name__}: {error}")


def _check_not_ended(flow: Flow[A, R]) -> None:
    """Raises when a flow was driven to its end before: it has nothing left to say."""
    if getattr(flow, "gi_frame", flow) is None:
        raise UsageError("this flow has ended: call the function that gave it again")


async def _in_turn(*answers: Coroutine[Any, Any, object]) -> Sequence[object]:
    done: list[object] = []
    try:
        for answer in answers:
            done.append(await answer)
    finally:
        for answer in answers[len(done) + 1 :]:
            answer.close()
    return done


async def adrive(
    flow: Flow[A, R],
    answer: Callable[[A], Awaitable[object]],
    *,
    gather: Callable[..., Awaitable[Iterable[object]]] = _in_turn,
    catch: type[Exception] | tuple[type[Exception], ...] = (),
) -> R:
    """`drive` for any async framework.

    Args:
        flow: What `receive`, `verify` or `reply` of a transport gave you.
        answer: Answers one ask; `AsyncAnswers(...)` is such a function.
        gather: How a batch is answered; `asyncio.gather` answers it all at once. By default in turn.
        catch: Exceptions of `answer` that mean `Failed`.
    """
    _check_not_ended(flow)

    async def one(ask: A) -> object:
        try:
            waiting = answer(ask)
            if not inspect.isawaitable(waiting):
                raise UsageError(f"the answer to {ask} is not awaitable: use drive(), or AsyncAnswers")
            return await waiting
        except catch as error:
            return Failed(f"{type(error).__name__}: {error}")

    try:
        batch = next(flow)
        while True:
            if len(batch) == 1:  # the usual case, which needs no task
                batch = flow.send((await one(batch[0]),))
            else:
                batch = flow.send(tuple(await gather(*[one(ask) for ask in batch])))
    except StopIteration as stop:
        result: R = stop.value
        return result
    finally:
        flow.close()


@frozen
class Pending(Generic[A]):
    """What must be known to go on.

    Attributes:
        asks: The asks that have no answer yet.
    """

    asks: tuple[A, ...]


def resume(flow: Flow[A, R], known: Mapping[A, object]) -> R | Pending[A]:
    """Goes as far as `known` answers: the result, or what is missing.

    For queues and durable workflows: store the answers, start the flow anew with the same inputs, and resume it again.
    """
    _check_not_ended(flow)
    try:
        batch = next(flow)
        while True:
            missing = tuple(ask for ask in batch if ask not in known)
            if missing:
                return Pending(missing)
            batch = flow.send(tuple(known[ask] for ask in batch))
    except StopIteration as stop:
        result: R = stop.value
        return result
    finally:
        flow.close()
