"""Answering asks with one function for each kind."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar, cast

import attrs

from .._errors.exceptions import UsageError
from .._model.base import EMPTY_DICT, frozen
from .._model.issuance import Issuance
from .._model.message import HistoricalMessage
from .._model.stored_message import StoredMessage
from .._model.stored_task import StoredTask
from .._wire.address import agent_address, written_address
from .asks import (
    AnyAsk,
    CheckConsent,
    CheckPayment,
    CheckRevoked,
    ConsentStatus,
    ConsumeBytes,
    CountFailure,
    Fetch,
    Fetched,
    FindAgent,
    FindHistory,
    FindIssuance,
    FindMessage,
    FindMessages,
    FindTask,
    LookupTxt,
    PaymentStatus,
    Used,
    UseOnce,
)
from .flow import Failed

T = TypeVar("T")
Maybe: TypeAlias = Awaitable[T | Failed] | T | Failed
"""An answer, at once or awaited."""


@frozen
class Answers:
    """One function a kind of ask, for `drive`. `Answers()` answers offline.

    A kind without a function: messages are not known, there is no history, everything else is `Failed`, and
    `find_agent` is required unless every call names its recipient.

    Attributes:
        fetch: Does an HTTPS GET.
        lookup_txt: Looks DNS TXT records up.
        find_agent: Knows the agents that you serve; see `directory`.
        find_message: Knows what you stored.
        find_messages: Knows for which agents you stored something, under the id of a message or of an actor.
        find_history: Knows the prior turns.
        find_task: Knows the A2A tasks that you stored.
        use_once: An atomic put-if-absent, which says what was there before.
        find_issuance: Knows the policy requirements that you stored.
        check_payment: Sees whether something was paid.
        check_consent: Knows whether consent was given.
        count_failure: Counts receipts that do not fit.
        call_api: Calls the API of the platform of a connector.
        check_revoked: Knows which file capabilities were taken back.
        debit: An atomic ledger of the bytes that were sent for file capabilities.

    Example:
        >>> from mentionable import Answers, FindMessage
        >>> Answers()(FindMessage(native_id="<1@a.example>", recipient="@helper@agents.example")) is None
        True
    """

    fetch: Callable[[Fetch], Fetched | Failed] | None = None
    lookup_txt: Callable[[LookupTxt], Sequence[bytes] | Failed] | None = None
    find_agent: Callable[[FindAgent], str | Failed | None] | None = None
    find_message: Callable[[FindMessage], StoredMessage | Failed | None] | None = None
    find_messages: Callable[[FindMessages], Mapping[str, StoredMessage] | Failed] | None = None
    find_history: Callable[[FindHistory], Sequence[HistoricalMessage] | Failed | None] | None = None
    find_task: Callable[[FindTask], StoredTask | Failed | None] | None = None
    use_once: Callable[[UseOnce], Used | Failed] | None = None
    find_issuance: Callable[[FindIssuance], Issuance | Failed | None] | None = None
    check_payment: Callable[[CheckPayment], PaymentStatus | Failed | None] | None = None
    check_consent: Callable[[CheckConsent], ConsentStatus | Failed | None] | None = None
    count_failure: Callable[[CountFailure], int | Failed] | None = None
    call_api: Callable[[Any], Mapping[str, Any] | Sequence[Any] | Failed] | None = None
    check_revoked: Callable[[CheckRevoked], bool | Failed] | None = None
    debit: Callable[[ConsumeBytes], bool | Failed] | None = None

    def __attrs_post_init__(self) -> None:
        _check_functions(self)

    def __call__(self, ask: AnyAsk) -> object:
        """The answer to `ask`."""
        function = getattr(self, ask._member)
        return _unanswered(self, ask) if function is None else function(ask)


@frozen
class AsyncAnswers:
    """`Answers` for `adrive`: each function may be async or plain.

    Attributes:
        fetch: Does an HTTPS GET.
        lookup_txt: Looks DNS TXT records up.
        find_agent: Knows the agents that you serve; see `directory`.
        find_message: Knows what you stored.
        find_messages: Knows for which agents you stored something, under the id of a message or of an actor.
        find_history: Knows the prior turns.
        find_task: Knows the A2A tasks that you stored.
        use_once: An atomic put-if-absent, which says what was there before.
        find_issuance: Knows the policy requirements that you stored.
        check_payment: Sees whether something was paid.
        check_consent: Knows whether consent was given.
        count_failure: Counts receipts that do not fit.
        call_api: Calls the API of the platform of a connector.
        check_revoked: Knows which file capabilities were taken back.
        debit: An atomic ledger of the bytes that were sent for file capabilities.
    """

    fetch: Callable[[Fetch], Maybe[Fetched]] | None = None
    lookup_txt: Callable[[LookupTxt], Maybe[Sequence[bytes]]] | None = None
    find_agent: Callable[[FindAgent], Maybe[str | None]] | None = None
    find_message: Callable[[FindMessage], Maybe[StoredMessage | None]] | None = None
    find_messages: Callable[[FindMessages], Maybe[Mapping[str, StoredMessage]]] | None = None
    find_history: Callable[[FindHistory], Maybe[Sequence[HistoricalMessage] | None]] | None = None
    find_task: Callable[[FindTask], Maybe[StoredTask | None]] | None = None
    use_once: Callable[[UseOnce], Maybe[Used]] | None = None
    find_issuance: Callable[[FindIssuance], Maybe[Issuance | None]] | None = None
    check_payment: Callable[[CheckPayment], Maybe[PaymentStatus | None]] | None = None
    check_consent: Callable[[CheckConsent], Maybe[ConsentStatus | None]] | None = None
    count_failure: Callable[[CountFailure], Maybe[int]] | None = None
    call_api: Callable[[Any], Maybe[Mapping[str, Any] | Sequence[Any]]] | None = None
    check_revoked: Callable[[CheckRevoked], Maybe[bool]] | None = None
    debit: Callable[[ConsumeBytes], Maybe[bool]] | None = None

    def __attrs_post_init__(self) -> None:
        _check_functions(self)

    async def __call__(self, ask: AnyAsk) -> object:
        """The answer to `ask`."""
        function = getattr(self, ask._member)
        answer = _unanswered(self, ask) if function is None else function(ask)
        return await answer if inspect.isawaitable(answer) else answer


_OTHERWISE: Final[Mapping[str, Any]] = {
    "find_agent": UsageError,
    "find_message": None,
    "find_messages": EMPTY_DICT,
    "find_history": (),
}
"""The answer to asks without a function, where that is not `Failed`."""


def _check_functions(answers: Answers | AsyncAnswers) -> None:
    for name in (a.name for a in attrs.fields(cast("type[attrs.AttrsInstance]", type(answers)))):
        function = getattr(answers, name)
        if function is not None and not callable(function):
            raise UsageError(
                f"{name} must be a function, not {type(function).__name__}: directory() makes one of a table"
            )


def _unanswered(answers: Answers | AsyncAnswers, ask: AnyAsk) -> object:
    """The answer to an ask that no function answers."""
    name = ask._member
    otherwise = _OTHERWISE.get(name, Failed)
    if otherwise is Failed:
        return Failed(f"{name}= was not given")
    if otherwise is UsageError:
        raise UsageError(f"{ask} cannot be answered: {type(answers).__name__}({name}=...) was not given")
    return otherwise


def directory(agents: Mapping[str, str]) -> Callable[[FindAgent], str | None]:
    """A `find_agent` from a table: mailbox, `acct:`, `@mention`, actor IRI or request URL → agent address.

    Addresses are compared without regard to case; IRIs and platform ids exactly.

    Example:
        >>> from mentionable import FindAgent
        >>> directory({"helper@agents.example": "@helper@agents.example"})(FindAgent(native_id="Helper@Agents.example"))
        Address('@helper@agents.example')
    """
    table: dict[str, str] = {}
    for native_id, agent in agents.items():
        address = agent_address(agent)
        if table.setdefault(_folded(native_id), address) != address:
            raise UsageError(f"two agents under {native_id!r}: addresses are compared without regard to case")
    return lambda ask: table.get(_folded(ask.native_id))


def _folded(native_id: str) -> str:
    address = written_address(native_id)
    return native_id if address is None else address.lower()
