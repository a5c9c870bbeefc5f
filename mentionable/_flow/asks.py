"""Work that needs the outside world: a flow yields batches of asks, its caller answers, and it returns a value.

An ask is a frozen, hashable value and the smallest flow: `answer = yield from LookupTxt(name=n)`. A flow never learns
who answers it, so the same code runs under threads, asyncio, trio, a queue or a table in a test.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar

from attrs import field, frozen

from .._errors.exceptions import UsageError
from .._model.base import record, value
from .._model.message import HistoricalMessage
from .._model.stored_message import Known
from .._wire.http import HttpRequest, is_fetchable_url

if TYPE_CHECKING:
    from datetime import datetime

    from ..connectors.files import CheckRevoked, Debit
    from ..policy import CheckConsent, CheckPayment, CountFailure, FindIssuance
    from .platform_call import PlatformCall

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


@value
class Fetched:
    """What an HTTPS GET brought.

    Attributes:
        url: The final URL after redirects, never the one that was asked for.
        status: The status code.
        content_type: The Content-Type header, empty when there is none.
        body: The bytes, after any content coding.
    """

    url: str
    status: int
    content_type: str
    body: bytes = field(repr=False)


@record
class Fetch(Ask[Fetched]):
    """GET this. The URL has passed the textual SSRF rules; checking addresses after DNS is yours.

    Attributes:
        url: https, default port, a DNS name.
        accept: What to send as Accept.
        purpose: What it is for: `actor`, `object`, `key`, `webfinger`, ….
        fresh: Go past your cache: the cached copy did not fit.
        max_bytes: Stop reading there.
    """

    url: str
    accept: str
    purpose: str
    fresh: bool = False
    max_bytes: int = 1_048_576
    _member: ClassVar[str] = "fetch"
    _wanted: ClassVar[str] = "Fetched(...)"

    def __attrs_post_init__(self) -> None:
        if not is_fetchable_url(self.url):
            raise UsageError("Fetch.url must be https on the default port of a DNS name")

    @staticmethod
    def _fits(answer: Any) -> bool:
        return isinstance(answer, Fetched)

    @property
    def request(self) -> HttpRequest:
        """The request to transmit."""
        return HttpRequest(method="GET", url=self.url, headers={"accept": self.accept})


@record
class LookupTxt(Ask[Sequence[bytes]]):
    """DNS TXT records of this name, the strings of each record joined; an empty sequence when there are none.

    Attributes:
        name: The DNS name, without a final dot.
    """

    name: str
    _member: ClassVar[str] = "lookup_txt"
    _wanted: ClassVar[str] = "a sequence of bytes, one item a record, empty for none"

    @staticmethod
    def _fits(answer: Any) -> bool:
        return isinstance(answer, (tuple, list)) and all(isinstance(item, bytes) for item in answer)


@record
class FindAgent(Ask["str | None"]):
    """Which agent do you serve under this name? Its `@agent@domain`, or None.

    Attributes:
        native_id: A mailbox, an actor IRI, a platform id, a request URL.
    """

    native_id: str
    _member: ClassVar[str] = "find_agent"
    _wanted: ClassVar[str] = "'@agent@domain' or None"

    @staticmethod
    def _fits(answer: Any) -> bool:
        return answer is None or isinstance(answer, str)


@record
class FindMessage(Ask["Known | None"]):
    """Did you store a message under this protocol id for this recipient?

    Attributes:
        native_id: As `Received.native_id` gave it.
        recipient: The agent.
    """

    native_id: str
    recipient: str
    _member: ClassVar[str] = "find_message"
    _wanted: ClassVar[str] = "Known(...) or None"

    @staticmethod
    def _fits(answer: Any) -> bool:
        return answer is None or isinstance(answer, Known)


@record
class FindHistory(Ask["Sequence[HistoricalMessage] | None"]):
    """The prior turns that you stored for this thread and recipient, in any order.

    Answer with turns that the sender may read: on A2A and REST the caller names the thread, and may name that of
    somebody else.

    Attributes:
        thread_id: The thread.
        recipient: The agent.
        sender: The address of who wrote the message for which it is asked; None for a caller without an address. Such
            callers are strangers to each other: answer with nothing, unless you know by other means who asks.
        verified: Whether the message proves that address, as `Received.verdict` says. False: it is only claimed, or a
            platform tells it. Anybody can write a mail in the name of another person and name the ids of a thread.
    """

    thread_id: str
    recipient: str
    sender: str | None = None
    verified: bool = False
    _member: ClassVar[str] = "find_history"
    _wanted: ClassVar[str] = "a sequence of HistoricalMessage, empty or None for none"

    @staticmethod
    def _fits(answer: Any) -> bool:
        if answer is None:  # of a program that keeps no memory, and answers None to whatever it does not know
            return True
        return isinstance(answer, (tuple, list)) and all(isinstance(item, HistoricalMessage) for item in answer)


@record
class UseOnce(YesOrNo):
    """Put `binding` under `key` if nothing is there, atomically. True: it was free, or held this very binding.

    Attributes:
        key: What must be used once.
        binding: By whom.
        until: When the entry may be forgotten.
    """

    key: str
    binding: str
    until: datetime
    _member: ClassVar[str] = "use_once"


AnyAsk: TypeAlias = (
    "Fetch | LookupTxt | FindAgent | FindMessage | FindHistory | UseOnce | PlatformCall"
    " | FindIssuance | CheckPayment | CheckConsent | CountFailure | CheckRevoked | Debit"
)
"""Every ask of the library."""

Flow: TypeAlias = "Generator[tuple[A, ...], tuple[Any, ...], R]"
"""Yields batches of asks of type A, takes as many answers, returns R."""


class Steps(Protocol[A_co, R_co]):
    """A flow, or an ask as the smallest flow."""

    def __iter__(self) -> Generator[tuple[A_co, ...], tuple[Any, ...], R_co]:
        """The flow itself."""
        ...


def ask_each(asks: Sequence[A]) -> Flow[A, tuple[Any, ...]]:
    """The answers to plain asks that all differ, in one batch: what `each` gives for them, for much less."""
    if not asks:
        return ()
    return checked(asks, (yield tuple(asks)))


def checked(asks: Sequence[Any], answers: tuple[Any, ...]) -> tuple[Any, ...]:
    """The answers to a batch, each of the kind that its ask wants.

    Raises:
        UsageError: One of them is not.
    """
    for ask, answer in zip(asks, answers, strict=True):
        if not ask._fits(answer):
            _checked(ask, answer)
    return answers


def each(flows: Iterable[Steps[A, R]]) -> Generator[tuple[A, ...], tuple[Any, ...], tuple[R, ...]]:
    """Goes forward with all flows at once: their asks come out in one batch, each ask once."""
    running = [iter(flow) for flow in flows]
    results: dict[int, R] = {}
    waiting: dict[int, tuple[A, ...]] = {}

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


def both(first: Steps[A1, R1], second: Steps[A2, R2]) -> Generator[tuple[A1 | A2, ...], tuple[Any, ...], tuple[R1, R2]]:
    """Goes forward with two flows of different kinds at once."""
    flows: Any = (first, second)
    results: Any = yield from each(flows)
    return results[0], results[1]


def bounded(flow: Flow[A, R], *, remote: int) -> Flow[A, R]:
    """The same flow, asking nothing twice and going to the network at most `remote` times.

    Past that, the answer to `Fetch` and `LookupTxt` is `Failed`. The other asks are local and cost nothing.
    """
    known: dict[A, Any] = {}
    left = remote
    try:
        batch = next(flow)
        while True:
            wanted: list[A] = []
            for ask in dict.fromkeys(batch):
                if ask in known:
                    continue
                if isinstance(ask, (Fetch, LookupTxt)):
                    left -= 1
                    if left < 0:
                        known[ask] = Failed("the budget of look-ups is spent", temporary=False)
                        continue
                wanted.append(ask)
            if wanted:
                known.update(zip(wanted, (yield tuple(wanted)), strict=True))
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
        >>> drive(iter(FindAgent(native_id="helper@agents.example")), lambda ask: "@helper@agents.example")
        '@helper@agents.example'
    """
    _check_not_ended(flow)

    def one(ask: A) -> object:
        try:
            return answer(ask)
        except catch as error:
            return Failed(f"{type(error).__name__}: {error}")
        except StopIteration as error:  # map would take it for the end of the batch
            raise RuntimeError(f"the answer to {ask} raised StopIteration") from error

    try:
        batch = next(flow)
        while True:
            batch = flow.send(tuple(map(one, batch)))
    except StopIteration as stop:
        result: R = stop.value
        return result
    finally:
        flow.close()


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
            batch = flow.send(tuple(await gather(*[one(ask) for ask in batch])))
    except StopIteration as stop:
        result: R = stop.value
        return result
    finally:
        flow.close()


@frozen
class Need(Generic[A]):
    """What must be known to go on.

    Attributes:
        asks: The asks that have no answer yet.
    """

    asks: tuple[A, ...]


def advance(flow: Flow[A, R], known: Mapping[A, object]) -> R | Need[A]:
    """Goes as far as `known` answers: the result, or what is missing.

    For queues and durable workflows: store the answers, start the flow anew with the same inputs, and advance again.
    """
    _check_not_ended(flow)
    try:
        batch = next(flow)
        while True:
            missing = tuple(ask for ask in batch if ask not in known)
            if missing:
                return Need(missing)
            batch = flow.send(tuple(known[ask] for ask in batch))
    except StopIteration as stop:
        result: R = stop.value
        return result
    finally:
        flow.close()
