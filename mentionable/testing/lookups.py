"""Answers out of a closed table: how conformance cases, tests and the command line stand in for the world."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, assert_never

from .._errors.exceptions import UsageError, WireError
from .._flow.asks import AnyAsk, Fetch, Fetched, FindAgent, FindHistory, FindMessage, LookupTxt, PlatformCall, UseOnce
from .._flow.flow import Failed
from .._model.codec import decode_parsed_trusted
from .._model.issuance import Issuance
from .._model.message import HistoricalMessage
from .._model.stored_message import StoredMessage
from .._wire.address import canonical
from .._wire.strict_json import dump_line
from ..connectors.files import CheckRevoked, ConsumeBytes
from ..policy import CheckConsent, CheckPayment, ConsentStatus, CountFailure, FindIssuance, PaymentStatus

__all__ = ["LookupTable"]


class LookupTable:
    """A function that answers asks from a table, and remembers what it was asked.

    The keys are `TXT name`, `GET url`, `AGENT native-id`, `MESSAGE native-id`, `HISTORY thread-id`, `ONCE key`,
    `ISSUANCE key`, `PAYMENT scheme`, `CONSENT scope-hash`, `COUNT key`, `CALL method`, `REVOKED token-id` and
    `DEBIT token-id`. `KIND *` answers every ask of that kind that has no row of its own, and `CALL method *` every
    call of that method. An ask without an answer is answered `Failed`; only `HISTORY` is empty, `ONCE` is true the
    first time, `COUNT` counts from 1, and `DEBIT` sums up to the limit. Give each run its own table.

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
        self._answers = {row: _read(row, found) for row, found in lookups.items()}
        self._used: dict[str, str] = {}
        self._failures: dict[str, int] = {}
        self._debited: dict[str, int] = {}
        self.asked: list[str] = []

    def answer(self, ask: AnyAsk) -> object:
        """The answer to `ask`: a value of the kind it wants, or `Failed`."""
        kind, name = _key(ask)
        row = f"{kind} {name}"
        self.asked.append(row)
        found = self._found(kind, name)
        if isinstance(ask, UseOnce):
            return self._use_once(ask) if found is _MISSING or found is True else found
        if isinstance(ask, CountFailure) and found is _MISSING:
            self._failures[ask.key] = self._failures.get(ask.key, 0) + 1
            return self._failures[ask.key]
        if isinstance(ask, ConsumeBytes) and (found is _MISSING or found is True):
            return self._debit(ask)
        if found is _MISSING:
            if isinstance(ask, FindHistory):  # asked with every message, whatever the table is about
                return ()
            return Failed(f"{row} is not in the table")
        if isinstance(ask, Fetch) and isinstance(found, tuple):
            return _fetched(ask, found)
        return found

    __call__ = answer

    def _found(self, kind: str, name: str) -> object:
        """What the best row says: that of the ask, of the method that is called, or of its kind."""
        method = [f"CALL {name.partition(' ')[0]} *"] if kind == "CALL" else []
        rows = (f"{kind} {name}", *method, f"{kind} *")
        return next((self._answers[row] for row in rows if row in self._answers), _MISSING)

    def _use_once(self, ask: UseOnce) -> bool:
        """Whether the key was free, or held this very binding."""
        return self._used.setdefault(ask.key, ask.binding) == ask.binding

    def _debit(self, ask: ConsumeBytes) -> bool:
        """Whether the bytes fit under the limit, together with those that were debited before."""
        total = self._debited.get(ask.token_id, 0) + ask.amount
        if total <= ask.limit:
            self._debited[ask.token_id] = total
        return total <= ask.limit


class _Missing:
    """The type of `_MISSING`: there is no such row. A row may hold null."""


_MISSING: Final = _Missing()


class _Document(NamedTuple):
    """A row of `GET`, read; without a URL it lies where it was asked for."""

    url: str | None
    status: int
    content_type: str
    body: bytes


def row_of(ask: AnyAsk) -> str:
    """The row under which a table has an ask."""
    return " ".join(_key(ask))


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


def _read(row: str, found: Any) -> object:
    """What a row of the table answers."""
    kind, blank, name = row.partition(" ")
    if kind not in _READERS or not blank or not name:
        raise UsageError(f"a look-up begins with {', '.join(sorted(_READERS))} and a blank, not {row[:80]!r}")
    try:
        return _failed(found) if _is_failure(found) else _READERS[kind](found)
    except KeyError as error:
        raise UsageError(f"the look-up {row[:80]!r} has the wrong shape: {error} is missing") from error
    except (TypeError, ValueError, WireError) as error:
        raise UsageError(f"the look-up {row[:80]!r} has the wrong shape: {error}") from error


def _is_failure(found: object) -> bool:
    return isinstance(found, Mapping) and "failed" in found


def _failed(found: Any) -> Failed:
    """`{"failed": reason, "temporary": bool}`, which may stand anywhere."""
    return Failed(str(found["failed"]), temporary=found.get("temporary", True) is not False)


def _documents(found: Any) -> tuple[_Document | Failed, ...]:
    """A document, or, from a list, the first one and then the one past the cache."""
    rows = found if isinstance(found, list) else [found]
    if not rows:
        raise ValueError("expected at least one document")
    return tuple(_failed(row) if _is_failure(row) else _document(row) for row in rows)


def _document(found: Any) -> _Document:
    if not isinstance(found, Mapping):
        raise TypeError("expected an object")
    status = found.get("status", 200)
    if type(status) is not int:
        raise TypeError("expected a number as status")
    kind = found.get("content_type", "application/json" if "json" in found else "")
    return _Document(_text_or_none(found.get("url")), status, _text(kind), _body(found))


def _fetched(ask: Fetch, documents: tuple[_Document | Failed, ...]) -> Fetched | Failed:
    """The document for an ask: the first, or the last when it goes past the cache."""
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


def _text(found: Any) -> str:
    if not isinstance(found, str):
        raise TypeError(f"expected text, not {found!r:.40}")
    return found


def _text_or_none(found: Any) -> str | None:
    return None if found is None else _text(found)


def _records(found: Any) -> list[bytes]:
    return [case_bytes(record) for record in _listed(found)]


def _agent(found: Any) -> str | None:
    if found is not None and (not isinstance(found, str) or canonical(found) is None):
        raise ValueError(f"expected an address of the form @agent@domain or null, not {found!r:.80}")
    return found


def _known(found: Any) -> StoredMessage | None:
    if found is None:
        return None
    if not isinstance(found, Mapping):
        raise TypeError("expected an object or null")
    return StoredMessage(
        id=found["id"],
        thread_id=found["thread_id"],
        sender=found["sender"],
        auth_method=found.get("auth_method", "none"),
        verified=found.get("verified"),
    )


def _history(found: Any) -> tuple[object, ...]:
    return tuple(decode_parsed_trusted(HistoricalMessage, turn) for turn in _listed(found))


def _listed(found: Any) -> list[Any]:
    if not isinstance(found, list):
        raise TypeError("expected a list")
    return found


def _free(found: Any) -> bool:
    if not isinstance(found, bool):
        raise TypeError("expected true or false")
    return found


def _issuance(found: Any) -> Issuance | None:
    return None if found is None else decode_parsed_trusted(Issuance, found)


def _paid(found: Any) -> PaymentStatus | None:
    return None if found is None or found is False else PaymentStatus(**_seen(found))


def _granted(found: Any) -> ConsentStatus | None:
    return None if found is None or found is False else ConsentStatus(**_seen(found))


def _seen(found: Any) -> dict[str, Any]:
    """What a verifier saw: true, or an object with what it tells."""
    if found is True:
        return {}
    if not isinstance(found, Mapping):
        raise TypeError("expected true, false or an object")
    return dict(found)


def _said(found: Any) -> Mapping[str, Any] | list[Any]:
    if not isinstance(found, (Mapping, list)):
        raise TypeError("expected an object or a list")
    return found


def _count(found: Any) -> int:
    if type(found) is not int:
        raise TypeError("expected a number")
    return found


_READERS: Final[Mapping[str, Callable[[Any], object]]] = {
    "GET": _documents,
    "TXT": _records,
    "AGENT": _agent,
    "MESSAGE": _known,
    "HISTORY": _history,
    "ONCE": _free,
    "ISSUANCE": _issuance,
    "PAYMENT": _paid,
    "CONSENT": _granted,
    "COUNT": _count,
    "CALL": _said,
    "REVOKED": _free,
    "DEBIT": _free,
}
