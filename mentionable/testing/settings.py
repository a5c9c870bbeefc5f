"""Settings as JSON: how conformance cases and the command line name them."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import attrs

from .._codec import decode
from .._errors import DecodeError, UsageError
from .._json import pointer
from .._model.trust import TrustPolicy
from .._settings import HistoryPolicy, Limits, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def read_settings(named: Mapping[str, Any], kind: Any = Settings) -> Settings:
    """The settings that JSON names.

    Args:
        named: Members of the settings class by their names; `history.max_age` in seconds, `token_issuers` as objects,
            `trust` as the array of a trust policy.
        kind: The settings class: that of a room, or that of all.

    Raises:
        UsageError: There is no such member, or it has another shape; the text begins with its JSON Pointer.
    """
    members = dict(named)
    known = {a.name for a in attrs.fields(kind)}
    if unknown := sorted(members.keys() - known):
        raise UsageError(f"{pointer(unknown[0])}: unknown setting {unknown[0]!r} (known: {', '.join(sorted(known))})")
    for name, read in _READERS.items():
        if name in members:
            with _at(f"/{name}"):
                members[name] = read(members[name])
    with _at(""):
        made: Settings = kind(**members)
    return made


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Names the member whose fault it is."""
    try:
        yield
    except (AttributeError, TypeError, ValueError, DecodeError) as error:  # a UsageError is a ValueError
        raise UsageError(
            f"{place}{': ' if place else ''}not settings: {str(error).replace('__init__() ', '')}"
        ) from None


def _history(named: Mapping[str, Any]) -> HistoryPolicy:
    members = dict(named)
    if members.get("max_age") is not None:
        members["max_age"] = timedelta(seconds=members["max_age"])
    return HistoryPolicy(**members)


def _issuers(named: list[Mapping[str, Any]]) -> tuple[object, ...]:
    if not isinstance(named, list):
        raise UsageError("token_issuers is a list of objects")
    return tuple([_issuer(one) for one in named])


def _secret(named: str | list[str]) -> bytes | tuple[bytes, ...]:
    """A secret, or several, which JSON has as text."""
    return named.encode() if isinstance(named, str) else tuple([one.encode() for one in named])


def _tuple(named: Any) -> Any:
    return tuple(named) if isinstance(named, list) else named


def _issuer(named: Mapping[str, Any]) -> object:
    """A token issuer of the A2A room, whose lists are tuples."""
    from ..a2a import TokenIssuer

    members: dict[str, Any] = {
        name: tuple(found) if isinstance(found, list) else found for name, found in named.items()
    }
    return TokenIssuer(**members)


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "limits": lambda named: Limits(**named),
    "history": _history,
    "policy_hosts": _tuple,
    "teams": _tuple,
    "trust": lambda named: decode(TrustPolicy, named),
    "token_issuers": _issuers,
    "signing_secret": _secret,
}
"""Member → what makes of its JSON what the settings take."""
