"""Records the asks and answers of one run, and replays them."""

from __future__ import annotations

import base64
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from .._errors.exceptions import UsageError
from .._flow.asks import AnyAsk, Fetch, Fetched, FindHistory, FindMessages, LookupTxt, UseOnce
from .._flow.flow import Failed
from .._model.codec import encode
from .._model.issuance import Issuance
from .._model.stored_message import StoredMessage
from .._model.stored_task import StoredTask
from ..connectors.files import ConsumeBytes
from ..policy import ConsentStatus, CountFailure, PaymentStatus
from .lookups import LookupTable, row_of
from .peers import AnyPeer

__all__ = ["answers", "record", "script"]


def answers(
    *peers: AnyPeer, agents: Mapping[str, str] | None = None, lookups: Mapping[str, Any] | None = None
) -> LookupTable:
    """A function for `drive` that knows some peers and has an empty store.

    Args:
        peers: The peers.
        agents: Your agents: native id → `@agent@domain`.
        lookups: More rows, which replace those of the peers; see `LookupTable`.

    Example:
        >>> from mentionable import FindMessage, drive
        >>> drive(iter(FindMessage(native_id="<1@a.example>", recipient="@helper@agents.example")), answers()) is None
        True
    """
    table: dict[str, Any] = {"MESSAGE *": None, "HISTORY *": [], "AGENT *": None}
    for peer in peers:
        table |= peer.lookups
    table |= {f"AGENT {native_id}": agent for native_id, agent in (agents or {}).items()}
    return LookupTable({**table, **(lookups or {})})


class Recorder:
    """The result of `record`."""

    def __init__(self, answer: Callable[[Any], object]) -> None:
        self._answer = answer
        self._rows: dict[tuple[str, bool], Any] = {}
        self._changed: set[str] = set()
        # Some asks are answered by a table that has no row for them, which counts: where it gives these answers, no row
        # is written, since a row gives one answer for ever.
        self._without_rows, self._counted = LookupTable({}), set[str]()

    @property
    def lookups(self) -> dict[str, Any]:
        """A row for each ask; the second answer, for an ask that bypasses the cache, follows the first.

        An ask that a table answers by counting has no row where it would give the same answers.

        Raises:
            UsageError: An ask got two answers, which no row can give: record each run with a recorder of its own.
        """
        if self._changed:
            raise UsageError(f"record: {min(self._changed)} got two answers; record each run with its own recorder")
        lookups: dict[str, Any] = {}
        for (row, is_fresh), written in self._rows.items():
            lookups[row] = [self._rows.get((row, False), written), written] if is_fresh else lookups.get(row, written)
        return lookups

    def __call__(self, ask: AnyAsk) -> Any:
        """The answer to `ask`, awaitable if the recorded function is asynchronous."""
        answer = self._answer(ask)
        return self._awaited(ask, answer) if inspect.isawaitable(answer) else self._recorded(ask, answer)

    async def _awaited(self, ask: AnyAsk, answer: Awaitable[object]) -> object:
        return self._recorded(ask, await answer)

    def _recorded(self, ask: AnyAsk, answer: object) -> object:
        row, written = row_of(ask), _written(ask, answer)
        place = (row, isinstance(ask, Fetch) and ask.fresh)
        is_counted = isinstance(ask, (UseOnce, CountFailure, ConsumeBytes)) and place not in self._rows
        if is_counted and self._without_rows(ask) == answer:
            self._counted.add(row)
            return answer
        if row in self._counted or self._rows.setdefault(place, written) != written:
            self._changed.add(row)
        return answer


def record(answer: Callable[[Any], object]) -> Recorder:
    """Wrap a function that answers asks, so that its answers can be replayed without a network.

    Returns:
        A function with the same answers. Its `lookups` are the answers so far, as rows of a `LookupTable`. They raise
        `UsageError` where an ask got two answers that differ: record each run with its own recorder.

    Example:
        >>> from mentionable import LookupTxt, drive
        >>> recorder = record(lambda ask: [b"v=DKIM1"])
        >>> drive(iter(LookupTxt(name="s._domainkey.a.example")), recorder), recorder.lookups
        ([b'v=DKIM1'], {'TXT s._domainkey.a.example': ['v=DKIM1']})
    """
    return Recorder(answer)


def script(steps: Iterable[tuple[AnyAsk, object]]) -> Callable[[AnyAsk], object]:
    """A function for `drive` that expects these asks in this order, and returns these answers.

    Raises:
        AssertionError: When it is called with another ask than the next one, or after the last one.

    Example:
        >>> from mentionable import FindAgent, drive
        >>> ask = FindAgent(native_id="helper@agents.example")
        >>> drive(iter(ask), script([(ask, "@helper@agents.example")]))
        '@helper@agents.example'
    """
    left = iter(steps)

    def answer(ask: AnyAsk) -> object:
        expected, result = next(left, (None, None))
        if ask != expected:
            raise AssertionError(f"asked {ask}, the script has {expected or 'ended'}")
        return result

    return answer


def _written(ask: AnyAsk, answer: object) -> Any:
    """An answer as a row of a table."""
    if isinstance(answer, Failed):
        return {"failed": answer.reason, "temporary": answer.temporary}
    if isinstance(answer, Fetched):
        return {
            "url": answer.url,
            "status": answer.status,
            "content_type": answer.content_type,
            "body": _text_or_base64(answer.body),
        }
    if isinstance(ask, LookupTxt):
        records: Any = answer
        return [_text_or_base64(one) for one in records]
    if isinstance(ask, FindHistory):
        return encode(answer)
    if isinstance(answer, StoredMessage):
        return _stored(answer)
    if isinstance(answer, (PaymentStatus, ConsentStatus, Issuance, StoredTask)):
        return encode(answer)
    if isinstance(ask, FindMessages):
        by_agent: Any = answer
        return {agent: _stored(row) for agent, row in by_agent.items()}
    return answer


def _stored(row: StoredMessage) -> dict[str, Any]:
    names = ("id", "thread_id", "sender", "auth_method", "verified", "digest")
    return {name: value for name in names if (value := getattr(row, name)) is not None}


def _text_or_base64(data: bytes) -> Any:
    """Bytes as text if they are UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"$base64": base64.b64encode(data).decode("ascii")}
