"""Answering asks with one function a kind: the first door for users."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from ._asks import Failed, Fetch, FindAgent, FindHistory, FindMessage, LookupTxt, UseOnce
from ._errors import UsageError
from ._value import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ._asks import AnyAsk, Fetched, Known
    from ._model.message import HistoricalMessage

T = TypeVar("T")
Maybe: TypeAlias = Awaitable[T | Failed] | T | Failed
"""An answer, at once or awaited."""


@record
class Answers:
    """One function a kind of ask, for `drive`. `Answers()` answers offline.

    A kind without a function: messages are not known, there is no history, everything else is `Failed`, and
    `find_agent` must be given unless every door is told its recipient.

    Attributes:
        fetch: Does an HTTPS GET.
        lookup_txt: Looks DNS TXT records up.
        find_agent: Knows whom you serve; see `directory`.
        find_message: Knows what you stored.
        find_history: Knows the prior turns.
        use_once: An atomic put-if-absent.

    Example:
        >>> from mentionable import Answers, FindMessage
        >>> Answers()(FindMessage(native_id="<1@a.example>", recipient="@helper@agents.example")) is None
        True
    """

    fetch: Callable[[Fetch], Fetched | Failed] | None = None
    lookup_txt: Callable[[LookupTxt], Sequence[bytes] | Failed] | None = None
    find_agent: Callable[[FindAgent], str | Failed | None] | None = None
    find_message: Callable[[FindMessage], Known | Failed | None] | None = None
    find_history: Callable[[FindHistory], Sequence[HistoricalMessage] | Failed] | None = None
    use_once: Callable[[UseOnce], bool | Failed] | None = None

    def __attrs_post_init__(self) -> None:
        _check_functions(self)

    def __call__(self, ask: AnyAsk) -> object:
        """The answer to `ask`."""
        return _answer(self, ask)


@record
class AsyncAnswers:
    """`Answers` for `adrive`: each function may be async or plain.

    Attributes:
        fetch: Does an HTTPS GET.
        lookup_txt: Looks DNS TXT records up.
        find_agent: Knows whom you serve; see `directory`.
        find_message: Knows what you stored.
        find_history: Knows the prior turns.
        use_once: An atomic put-if-absent.
    """

    fetch: Callable[[Fetch], Maybe[Fetched]] | None = None
    lookup_txt: Callable[[LookupTxt], Maybe[Sequence[bytes]]] | None = None
    find_agent: Callable[[FindAgent], Maybe[str | None]] | None = None
    find_message: Callable[[FindMessage], Maybe[Known | None]] | None = None
    find_history: Callable[[FindHistory], Maybe[Sequence[HistoricalMessage]]] | None = None
    use_once: Callable[[UseOnce], Maybe[bool]] | None = None

    def __attrs_post_init__(self) -> None:
        _check_functions(self)

    async def __call__(self, ask: AnyAsk) -> object:
        """The answer to `ask`."""
        answer = _answer(self, ask)
        return await answer if inspect.isawaitable(answer) else answer


_MEMBERS: Final[Mapping[type, tuple[str, Any]]] = {
    Fetch: ("fetch", Failed("fetch= was not given")),
    LookupTxt: ("lookup_txt", Failed("lookup_txt= was not given")),
    FindAgent: ("find_agent", UsageError),
    FindMessage: ("find_message", None),
    FindHistory: ("find_history", ()),
    UseOnce: ("use_once", Failed("use_once= was not given")),
}


def _check_functions(answers: Answers | AsyncAnswers) -> None:
    for name, _ in _MEMBERS.values():
        function = getattr(answers, name)
        if function is not None and not callable(function):
            raise UsageError(
                f"{name} must be a function, not {type(function).__name__}: directory() makes one of a table"
            )


def _answer(answers: Answers | AsyncAnswers, ask: AnyAsk) -> object:
    name, otherwise = _MEMBERS[type(ask)]
    function = getattr(answers, name)
    if function is not None:
        return function(ask)
    if otherwise is UsageError:
        raise UsageError(f"{ask} cannot be answered: {type(answers).__name__}({name}=...) was not given")
    return otherwise
