"""Answers from a closed table, for conformance cases, tests and the command line."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple, assert_never, get_args

from .._errors.exceptions import UsageError, WireError
from .._flow.asks import (
    AnyAsk,
    Fetch,
    Fetched,
    FindAgent,
    FindHistory,
    FindMessage,
    FindMessages,
    FindTask,
    LookupTxt,
    PlatformCall,
    Used,
    UseOnce,
)
from .._flow.flow import Failed
from .._model.codec import decode_parsed_trusted
from .._model.issuance import Issuance
from .._model.message import HistoricalMessage
from .._model.stored_message import StoredMessage
from .._model.stored_task import StoredTask
from .._wire.address import canonical
from .._wire.strict_json import dump_line
from ..connectors.files import CheckRevoked, ConsumeBytes
from ..policy import CheckConsent, CheckPayment, ConsentStatus, CountFailure, FindIssuance, PaymentStatus

__all__ = ["LookupTable"]


class LookupTable:
    """A function that answers asks from a table, and remembers what it was asked.

    The keys are `TXT name`, `GET url`, `AGENT native-id`, `MESSAGE native-id`, `MESSAGES native-id`,
    `HISTORY thread-id`, `TASK task-id`, `ONCE key`, `ISSUANCE key`, `PAYMENT scheme`, `CONSENT scope-hash`,
    `COUNT key`, `CALL method`, `REVOKED token-id` and `DEBIT token-id`. `KIND *` answers every ask of that kind that
    has no row of its own, and `CALL method *` every call of that method. An ask without an answer is answered `Failed`;
    only `HISTORY` and `MESSAGES` are empty, `ONCE` is "first", then "same" or "other", `COUNT` counts from 1, and
    `DEBIT` sums up to the limit. Give each run its own table.

    Attributes:
        asked: Every ask so far, in order, as `GET https://…`, `TXT …` and so on.

    Raises:
        UsageError: The table has a row that no ask can have, or a row of the wrong shape.

    Example:
        >>> table = LookupTable({"AGENT helper@agents.example": "@helper@agents.example"})
        >>> table(FindAgent(native_id="helper@agents.example")), table.asked
        ('@helper@agents.example', ['AGENT helper@agents.example'])
    """

    def __init__(self, lookups: Mapping[str, Any]) -> None:
        self._answers = {row: _read(row, value) for row, value in lookups.items()}
        self._used: dict[str, str] = {}
        self._failures: dict[str, int] = {}
        self._debited: dict[str, int] = {}
        self.asked: list[str] = []

    def answer(self, ask: AnyAsk) -> object:
        """The answer to `ask`: a value of its type, or `Failed`."""
        kind, name = _key(ask)
        row = f"{kind} {name}"
        self.asked.append(row)
        answer = self._row(kind, name)
        if isinstance(ask, UseOnce):
            return self._use_once(ask) if answer is _MISSING or answer is True else answer
        if isinstance(ask, CountFailure) and answer is _MISSING:
            self._failures[ask.key] = self._failures.get(ask.key, 0) + 1
            return self._failures[ask.key]
        if isinstance(ask, ConsumeBytes) and (answer is _MISSING or answer is True):
            return self._debit(ask)
        if answer is _MISSING:
            if isinstance(ask, FindHistory):  # every message asks for it, whatever the table is about
                return ()
            if isinstance(ask, FindMessages):
                return {}
            return Failed(f"{row} is not in the table")
        if isinstance(ask, Fetch) and isinstance(answer, tuple):
            return _fetched(ask, answer)
        return answer

    __call__ = answer

    def _row(self, kind: str, name: str) -> object:
        """The answer of the most specific row: for the ask, for the called method, or for the kind."""
        method = [f"CALL {name.partition(' ')[0]} *"] if kind == "CALL" else []
        rows = (f"{kind} {name}", *method, f"{kind} *")
        return next((self._answers[row] for row in rows if row in self._answers), _MISSING)

    def _use_once(self, ask: UseOnce) -> Used:
        """What was bound to the key before."""
        return use_in(self._used, ask)

    def _debit(self, ask: ConsumeBytes) -> bool:
        """Whether the bytes are within the limit, together with those of earlier debits."""
        total = self._debited.get(ask.token_id, 0) + ask.amount
        if total <= ask.limit:
            self._debited[ask.token_id] = total
        return total <= ask.limit


class _Missing:
    """The type of `_MISSING`: there is no such row. A row may hold null."""


_MISSING: Final = _Missing()


class _Document(NamedTuple):
    """A row of `GET`; without a URL it has the URL of the ask."""

    url: str | None
    status: int
    content_type: str
    body: bytes


def row_of(ask: AnyAsk) -> str:
    """The row of an ask in a table."""
    return " ".join(_key(ask))


def use_in(used: dict[str, str], ask: UseOnce) -> Used:
    """The answer of a store in memory, key → binding, which remembers this use."""
    if ask.key not in used:
        used[ask.key] = ask.binding
        return "first"
    return "same" if used[ask.key] == ask.binding else "other"


def _key(ask: AnyAsk) -> tuple[str, str]:
    """The kind and the name of an ask in a table."""
    match ask:
        case Fetch():
            return "GET", ask.url
        case LookupTxt():
            return "TXT", ask.name
        case FindAgent():
            return "AGENT", ask.native_id
        case FindMessage():
            return "MESSAGE", ask.native_id
        case FindMessages():
            return "MESSAGES", ask.native_id
        case FindHistory():
            return "HISTORY", ask.thread_id
        case FindTask():
            return "TASK", ask.task_id
        case UseOnce():
            return "ONCE", ask.key
        case FindIssuance():
            return "ISSUANCE", ask.key
        case CheckPayment():
            return "PAYMENT", ask.scheme
        case CheckConsent():
            return "CONSENT", ask.scope_hash
        case CountFailure():
            return "COUNT", ask.key
        case PlatformCall():
            return "CALL", ask.name
        case CheckRevoked():
            return "REVOKED", ask.token_id
        case ConsumeBytes():
            return "DEBIT", ask.token_id
        case _:
            assert_never(ask)


def _read(row: str, value: Any) -> object:
    """Read a row of the table."""
    kind, blank, name = row.partition(" ")
    if kind not in _READERS or not blank or not name:
        raise UsageError(f"a look-up begins with {', '.join(sorted(_READERS))} and a blank, not {row[:80]!r}")
    try:
        return _failed(value) if _is_failure(value) else _READERS[kind](value)
    except KeyError as error:
        raise UsageError(f"the look-up {row[:80]!r} has the wrong shape: {error} is missing") from error
    except (TypeError, ValueError, WireError) as error:
        raise UsageError(f"the look-up {row[:80]!r} has the wrong shape: {error}") from error


def _is_failure(value: object) -> bool:
    return isinstance(value, Mapping) and "failed" in value


def _failed(value: Any) -> Failed:
    """`{"failed": reason, "temporary": bool}`, which any row may be."""
    return Failed(str(value["failed"]), temporary=value.get("temporary", True) is not False)


def _documents(value: Any) -> tuple[_Document | Failed, ...]:
    """A document; of a list the first, and then the one for asks that bypass the cache."""
    rows = value if isinstance(value, list) else [value]
    if not rows:
        raise ValueError("expected at least one document")
    return tuple(_failed(row) if _is_failure(row) else _document(row) for row in rows)


def _document(value: Any) -> _Document:
    if not isinstance(value, Mapping):
        raise TypeError("expected an object")
    status = value.get("status", 200)
    if type(status) is not int:
        raise TypeError("expected a number as status")
    kind = value.get("content_type", "application/json" if "json" in value else "")
    return _Document(_text_or_none(value.get("url")), status, _text(kind), _body(value))


def _fetched(ask: Fetch, documents: tuple[_Document | Failed, ...]) -> Fetched | Failed:
    """The document for an ask: the first, or the last if it bypasses the cache."""
    document = documents[min(int(ask.fresh), len(documents) - 1)]
    if isinstance(document, Failed):
        return document
    url, status, content_type, body = document
    return Fetched(url=ask.url if url is None else url, status=status, content_type=content_type, body=body)


def _body(row: Mapping[str, Any]) -> bytes:
    """The bytes of a document: `json`, `body` (text, or `$base64`), `$base64`, or none."""
    if "json" in row:
        return dump_line(row["json"]).encode()
    return case_bytes(row["body"]) if "body" in row else case_bytes(row) if "$base64" in row else b""


def case_bytes(value: object) -> bytes:
    """The bytes of a case: a string is UTF-8, `{"$base64": …}` is base64.

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


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, not {value!r:.40}")
    return value


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _text(value)


def _records(value: Any) -> list[bytes]:
    return [case_bytes(record) for record in _listed(value)]


def _agent(value: Any) -> str | None:
    if value is not None and (not isinstance(value, str) or canonical(value) is None):
        raise ValueError(f"expected an address of the form @agent@domain or null, not {value!r:.80}")
    return value


def _stored(value: Any) -> StoredMessage | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise TypeError("expected an object or null")
    return StoredMessage(
        id=value["id"],
        thread_id=value["thread_id"],
        sender=value["sender"],
        auth_method=value.get("auth_method", "none"),
        verified=value.get("verified"),
        digest=value.get("digest"),
    )


def _stored_by_agent(value: Any) -> dict[str, StoredMessage]:
    if not isinstance(value, Mapping):
        raise TypeError("expected an object")
    return {agent: stored for agent, row in value.items() if (stored := _stored(row)) is not None}


_BARE_TASK: Final[Mapping[str, Any]] = {"artifacts": [], "history": [], "metadata": {}}


def _task(value: Any) -> StoredTask | None:
    return None if value is None else decode_parsed_trusted(StoredTask, {**_BARE_TASK, **value})


def _history(value: Any) -> tuple[object, ...]:
    return tuple(decode_parsed_trusted(HistoricalMessage, turn) for turn in _listed(value))


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("expected a list")
    return value


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("expected true or false")
    return value


def _use(value: Any) -> Used | Literal[True]:
    """One of the three answers. `true` is as if there were no row, and `false` is "other": cases of 0.x wrote that."""
    if value is True:
        return True
    answer: Used = "other" if value is False else value
    if answer not in get_args(Used):
        raise TypeError("expected 'first', 'same' or 'other'")
    return answer


def _issuance(value: Any) -> Issuance | None:
    return None if value is None else decode_parsed_trusted(Issuance, value)


def _payment(value: Any) -> PaymentStatus | None:
    return None if value is None or value is False else PaymentStatus(**_verified(value))


def _consent(value: Any) -> ConsentStatus | None:
    return None if value is None or value is False else ConsentStatus(**_verified(value))


def _verified(value: Any) -> dict[str, Any]:
    """The result of a verifier: true, or an object with its members."""
    if value is True:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError("expected true, false or an object")
    return dict(value)


def _result(value: Any) -> Mapping[str, Any] | list[Any]:
    if not isinstance(value, (Mapping, list)):
        raise TypeError("expected an object or a list")
    return value


def _count(value: Any) -> int:
    if type(value) is not int:
        raise TypeError("expected a number")
    return value


_READERS: Final[Mapping[str, Callable[[Any], object]]] = {
    "GET": _documents,
    "TXT": _records,
    "AGENT": _agent,
    "MESSAGE": _stored,
    "MESSAGES": _stored_by_agent,
    "HISTORY": _history,
    "TASK": _task,
    "ONCE": _use,
    "ISSUANCE": _issuance,
    "PAYMENT": _payment,
    "CONSENT": _consent,
    "COUNT": _count,
    "CALL": _result,
    "REVOKED": _boolean,
    "DEBIT": _boolean,
}
