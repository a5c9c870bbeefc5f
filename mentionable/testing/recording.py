"""Asks and answers of one run, written down to be answered again."""

from __future__ import annotations

import base64
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from .._flow.asks import AnyAsk, Fetch, Fetched, FindHistory, LookupTxt
from .._flow.flow import Failed
from .._model.codec import encode
from .lookups import LookupTable, row_of
from .peers import AnyPeer

__all__ = ["answers", "record", "script"]


def answers(
    *peers: AnyPeer, agents: Mapping[str, str] | None = None, lookups: Mapping[str, Any] | None = None
) -> LookupTable:
    """A function for `drive` that answers for some peers and for an empty store.

    Args:
        peers: Who is known.
        agents: Whom you serve: native id → `@agent@domain`.
        lookups: More rows, in place of these; see `LookupTable`.

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
    """What `record` gives.

    Attributes:
        lookups: A row for each ask; a second answer for `fresh` stands behind the first.
    """

    def __init__(self, answer: Callable[[Any], object]) -> None:
        self._answer = answer
        self.lookups: dict[str, Any] = {}

    def __call__(self, ask: AnyAsk) -> Any:
        """The answer to `ask`, awaitable when the other function's is."""
        found = self._answer(ask)
        return self._awaited(ask, found) if inspect.isawaitable(found) else self._kept(ask, found)

    async def _awaited(self, ask: AnyAsk, found: Awaitable[object]) -> object:
        return self._kept(ask, await found)

    def _kept(self, ask: AnyAsk, found: object) -> object:
        row, written = row_of(ask), _written(ask, found)
        if isinstance(ask, Fetch) and ask.fresh:
            written = [self.lookups.get(row, written), written]
        self.lookups[row] = written
        return found


def record(answer: Callable[[Any], object]) -> Recorder:
    """Wraps what answers asks, so that the same answers can be given again without a network.

    Returns:
        A function that answers as before. Its `lookups` are what was answered so far, as rows of a `LookupTable`.

    Example:
        >>> from mentionable import LookupTxt, drive
        >>> recorder = record(lambda ask: [b"v=DKIM1"])
        >>> drive(iter(LookupTxt(name="s._domainkey.a.example")), recorder), recorder.lookups
        ([b'v=DKIM1'], {'TXT s._domainkey.a.example': ['v=DKIM1']})
    """
    return Recorder(answer)


def script(steps: Iterable[tuple[AnyAsk, object]]) -> Callable[[AnyAsk], object]:
    """A function for `drive` that wants these asks in this order, and gives these answers.

    Raises:
        AssertionError: When it is called: another ask came than the next one of the script, or one after its end.

    Example:
        >>> from mentionable import FindAgent, drive
        >>> ask = FindAgent(native_id="helper@agents.example")
        >>> drive(iter(ask), script([(ask, "@helper@agents.example")]))
        '@helper@agents.example'
    """
    left = iter(steps)

    def answer(ask: AnyAsk) -> object:
        expected, found = next(left, (None, None))
        if ask != expected:
            raise AssertionError(f"asked {ask}, the script has {expected or 'ended'}")
        return found

    return answer


def _written(ask: AnyAsk, found: object) -> Any:
    """An answer as a row of a table."""
    if isinstance(found, Failed):
        return {"failed": found.reason, "temporary": found.temporary}
    if isinstance(found, Fetched):
        return {
            "url": found.url,
            "status": found.status,
            "content_type": found.content_type,
            "body": _text_or_base64(found.body),
        }
    if isinstance(ask, LookupTxt):
        records: Any = found
        return [_text_or_base64(one) for one in records]
    if isinstance(ask, FindHistory):
        return encode(found)
    if hasattr(found, "thread_id"):
        known: Any = found
        return {name: getattr(known, name) for name in ("id", "thread_id", "sender", "auth_method", "verified")}
    return found


def _text_or_base64(data: bytes) -> Any:
    """Bytes as text where they are UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"$base64": base64.b64encode(data).decode("ascii")}
