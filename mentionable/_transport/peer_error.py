"""The error that a peer answers with, as one of our codes: what it means, whether to try again, and its words.

Spec: A2A 0.3 §8; A2A 1.0 §5.4, §9.5, §11.6; RFC 9457; AIP-193.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .._errors.exceptions import CODES, Code, WireError, wire_error
from .._flow.settings import Limits
from .._text.media import media_type
from .._text.redaction import looks_like_credential
from .._wire.http import HttpResponse
from .json_body import load_body

_MAX_WORDS: Final = 300
"""How many characters of a peer's words remain."""

_MAX_DETAILS: Final = 20
"""How many details of an error are looked at."""

PEER_ERRORS: Final = frozenset(code for code in CODES if code.startswith("peer-"))
"""The codes of the errors of peers."""

_STATUSES: Final[Mapping[int, Code]] = {
    401: "peer-unauthorized",
    402: "peer-payment-required",
    403: "peer-forbidden",
    404: "peer-not-found",
    408: "peer-busy",
    410: "peer-not-found",
    425: "peer-busy",
    429: "peer-busy",
    502: "peer-busy",
    503: "peer-busy",
    504: "peer-busy",
}
"""HTTP status → code. A server that failed (500) fails again: that is no reason to try again."""

_NUMBERS: Final[Mapping[int, Code]] = {
    -32001: "peer-task-not-found",
    -32009: "peer-version-unsupported",
    -32601: "peer-version-unsupported",
    **_STATUSES,
}
"""Number of a JSON-RPC error → code. The versions of A2A have other methods; some servers put an HTTP status here."""

_NAMES: Final[Mapping[str, Code]] = {
    "TASK_NOT_FOUND": "peer-task-not-found",
    "TaskNotFoundError": "peer-task-not-found",
    "task-not-found": "peer-task-not-found",
    "VERSION_NOT_SUPPORTED": "peer-version-unsupported",
    "VersionNotSupportedError": "peer-version-unsupported",
    "version-unsupported": "peer-version-unsupported",
    "UNAUTHENTICATED": "peer-unauthorized",
    "PERMISSION_DENIED": "peer-forbidden",
    "NOT_FOUND": "peer-not-found",
    "RESOURCE_EXHAUSTED": "peer-busy",
    "UNAVAILABLE": "peer-busy",
    "DEADLINE_EXCEEDED": "peer-busy",
    "ABORTED": "peer-busy",
}
"""Name of an error → code: reasons of A2A, kinds of v0.3, codes of this library, and names of `google.rpc.Code`."""


def code_of_status(status: int) -> Code:
    """What an HTTP status of no success means where nothing else is known of the error."""
    return _STATUSES.get(status, "peer-error")


def error_of_response(response: HttpResponse, limits: Limits) -> WireError:
    """The error that a response with an HTTP status of no success is."""
    try:
        document = load_body(response.body, limits)
    except WireError:
        document = None
        if media_type(response.header("content-type") or "text/plain") == "text/plain":
            document = response.body[: 4 * _MAX_WORDS].decode("utf-8", "replace")
    return peer_error(document, f"HTTP status {response.status}", code_of_status(response.status))


def peer_error(error: Any, what: str = "error", usual: Code = "peer-error", *, at: str = "") -> WireError:
    """The exception for the error of a peer.

    Args:
        error: The JSON or the text that came: an error, or an object with the member `error`.
        what: What the peer answered with, in words.
        usual: The code where the error says nothing more exact.
        at: JSON Pointer to the error.
    """
    errors = _errors_in(error)
    numbers = [one["code"] for one in errors if one.get("code").__class__ is int]
    by_number = next((_NUMBERS[number] for number in numbers if number in _NUMBERS), usual)
    codes = [_code_of(name) for one in errors for name in _names_in(one)]
    code: Code = next((code for code in codes if code is not None), by_number)
    number = next((f" {number}" for number in numbers if what == "error" and abs(number) < 100_000), "")
    words = _line_of(error if error.__class__ is str else _words_in(errors))
    return wire_error(code, at, f"the peer answered with {what}{number}{words and f': {words}'}")


def _errors_in(value: Any) -> list[dict[str, Any]]:
    """The objects that may describe the error: the member `error` before the object around it."""
    if value.__class__ is not dict:
        return []
    inner = value.get("error")
    return [inner, value] if inner.__class__ is dict else [value]


def _names_in(error: dict[str, Any]) -> Iterator[str]:
    """The names of an error, the more exact ones first: its details, its kind, its status."""
    for member in ("data", "details"):
        details = error.get(member)
        for detail in details[:_MAX_DETAILS] if details.__class__ is list else (details,):
            if detail.__class__ is dict:
                metadata = detail.get("metadata")
                yield from _texts(detail.get("reason"), detail.get("code"))
                if metadata.__class__ is dict:
                    yield from _texts(metadata.get("code"))
    yield from _texts(error.get("type"), error.get("code"), error.get("status"))


def _texts(*values: Any) -> Iterator[str]:
    return (value for value in values if value.__class__ is str)


def _code_of(name: str) -> Code | None:
    """What a name means: one of the table, or a code of this library, from the side of the one who asked."""
    if name in _NAMES:
        return _NAMES[name]
    info = CODES.get(name)  # type: ignore[call-overload]
    if info is None:
        return None
    return "peer-busy" if info.temporary else _STATUSES.get(info.http)


def _words_in(errors: list[dict[str, Any]]) -> str:
    """The words of an error: those for people before any others."""
    texts = [text for one in errors for text in _texts(*map(one.get, ("message", "detail", "title", "error")))]
    return next((text for text in texts if text), "")


def _line_of(words: str) -> str:
    """Words in one short line; none when they hold a credential."""
    words = words[: 4 * _MAX_WORDS]
    if looks_like_credential(words):
        return ""
    line = " ".join("".join([letter if letter.isprintable() else " " for letter in words]).split())
    return line if len(line) <= _MAX_WORDS else f"{line[: _MAX_WORDS - 1]}…"
