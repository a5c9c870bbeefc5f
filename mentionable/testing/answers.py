"""Answers out of a closed table: how conformance cases, tests and the command line stand in for the world."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, assert_never

from .._asks import Failed, Fetch, Fetched, FindAgent, FindHistory, FindMessage, Known, LookupTxt, UseOnce
from .._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._asks import AnyAsk

__all__ = ["LookupTable", "table_answers"]


class LookupTable:
    """A function that answers asks from a table, and remembers what it was asked.

    The keys are `TXT name`, `GET url`, `AGENT native-id`, `MESSAGE native-id`, `HISTORY thread-id` and `ONCE key`.
    `KIND *` answers every ask of that kind that has no row of its own. An ask without an answer is answered
    `Failed`; only `ONCE` is true the first time. Give each run its own table.

    Attributes:
        asked: Every ask so far, in order, as `GET https://…`, `TXT …` and so on.

    Raises:
        UsageError: The table has a row that no ask can have, or, when it is asked for, a row of the wrong shape.

    Example:
        >>> table = LookupTable({"AGENT helper@agents.example": "@helper@agents.example"})
        >>> table(FindAgent(native_id="helper@agents.example")), table.asked
        ('@helper@agents.example', ['AGENT helper@agents.example'])
    """

    def __init__(self, lookups: Mapping[str, Any]) -> None:
        for row in lookups:
            kind, blank, name = row.partition(" ")
            if kind not in _KINDS or not blank or not name:
                raise UsageError(f"a look-up begins with {', '.join(sorted(_KINDS))} and a blank, not {row[:80]!r}")
        self._lookups = dict(lookups)
        self._used: dict[str, str] = {}
        self.asked: list[str] = []

    def answer(self, ask: AnyAsk) -> object:
        """The answer to `ask`: a value of the kind it wants, or `Failed`."""
        kind, name = _key(ask)
        row = f"{kind} {name}"
        self.asked.append(row)
        found = self._lookups.get(row, self._lookups.get(f"{kind} *", _MISSING))
        if _is_failure(found):
            return _failed(found)
        if isinstance(ask, UseOnce):
            return self._use_once(ask, True if found is _MISSING else found)
        if found is _MISSING:
            return Failed(f"{row} is not in the table")
        try:
            return _READERS[type(ask)](ask, found)
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"the look-up {row!r} has the wrong shape: {error}") from error

    __call__ = answer

    def _use_once(self, ask: UseOnce, free: object) -> object:
        """Whether the key was free, or held this very binding."""
        if free is not True:
            return False
        return self._used.setdefault(ask.key, ask.binding) == ask.binding


def table_answers(lookups: Mapping[str, Any]) -> LookupTable:
    """A function for `drive` that answers from a table; see `LookupTable`.

    Example:
        >>> from mentionable import drive
        >>> drive(iter(LookupTxt(name="s._domainkey.a.example")), table_answers({"TXT *": ["v=DKIM1"]}))
        [b'v=DKIM1']
    """
    return LookupTable(lookups)


class _Missing:
    """The type of `_MISSING`: there is no such row. A row may hold null."""


_MISSING: Final = _Missing()
_KINDS: Final = frozenset({"TXT", "GET", "AGENT", "MESSAGE", "HISTORY", "ONCE", "ISSUANCE", "PAYMENT", "COUNT", "CALL"})


def _key(ask: AnyAsk) -> tuple[str, str]:
    """The kind and the name under which the table has an ask."""
    match ask:
        case Fetch():
            return "GET", ask.url
        case LookupTxt():
            return "TXT", ask.name
        case FindAgent():
            return "AGENT", ask.native_id
        case FindMessage():
            return "MESSAGE", ask.native_id
        case FindHistory():
            return "HISTORY", ask.thread_id
        case UseOnce():
            return "ONCE", ask.key
        case _:
            assert_never(ask)


def _is_failure(row: object) -> bool:
    return isinstance(row, Mapping) and "failed" in row


def _failed(row: Any) -> Failed:
    """`{"failed": reason, "temporary": bool}`, which may stand anywhere."""
    return Failed(str(row["failed"]), temporary=row.get("temporary", True) is not False)


def _fetched(ask: Fetch, row: Any) -> Fetched | Failed:
    """A document, or, from a list, the first one and then the one past the cache."""
    if isinstance(row, list):
        row = row[min(int(ask.fresh), len(row) - 1)]
        if _is_failure(row):
            return _failed(row)
    if not isinstance(row, Mapping):
        raise TypeError("expected an object")
    kind = row.get("content_type", "application/json" if "json" in row else "")
    return Fetched(url=row.get("url", ask.url), status=row.get("status", 200), content_type=kind, body=_body(row))


def _body(row: Mapping[str, Any]) -> bytes:
    """The bytes of a document: `json`, `body` (text, or `$base64`), `$base64`, or none."""
    if "json" in row:
        return json.dumps(row["json"], ensure_ascii=False, separators=(",", ":")).encode()
    return case_bytes(row["body"]) if "body" in row else case_bytes(row) if "$base64" in row else b""


def case_bytes(value: object) -> bytes:
    """The bytes that a case means: a string stands for its UTF-8, `{"$base64": …}` for what it encodes.

    Raises:
        ValueError: It is neither.
    """
    if isinstance(value, str):
        return value.encode()
    encoded = value.get("$base64") if isinstance(value, Mapping) else None
    if not isinstance(encoded, str):
        raise ValueError("expected text or {'$base64': ...}")
    try:
        return base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise ValueError(f"not base64: {error}") from error


def _records(_ask: LookupTxt, row: Any) -> list[bytes]:
    return [case_bytes(record) for record in _listed(row)]


def _agent(_ask: FindAgent, row: Any) -> str | None:
    if row is not None and not isinstance(row, str):
        raise TypeError("expected an address or null")
    return row


def _known(_ask: FindMessage, row: Any) -> Known | None:
    if row is None:
        return None
    return Known(
        id=row["id"], thread_id=row["thread_id"], sender=row["sender"], auth_method=row.get("auth_method", "none")
    )


def _history(_ask: FindHistory, row: Any) -> tuple[object, ...]:
    from .._codec import restore
    from .._model.message import HistoricalMessage

    return tuple(restore(HistoricalMessage, turn) for turn in _listed(row))


def _listed(row: Any) -> list[Any]:
    if not isinstance(row, list):
        raise TypeError("expected a list")
    return row


_READERS: Final[Mapping[type, Callable[[Any, Any], object]]] = {
    Fetch: _fetched,
    LookupTxt: _records,
    FindAgent: _agent,
    FindMessage: _known,
    FindHistory: _history,
}
