"""Settings as JSON: how conformance cases and the command line name them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import attrs

from .._codec import decode
from .._errors import DecodeError, UsageError
from .._model.trust import TrustPolicy
from .._settings import HistoryPolicy, Limits, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_settings(named: Mapping[str, Any], kind: Any = Settings) -> Settings:
    """The settings that JSON names.

    Args:
        named: Members of the settings class by their names; `history.max_age` in seconds, `token_issuers` as objects,
            `trust` as the array of a trust policy.
        kind: The settings class: that of a room, or that of all.

    Raises:
        UsageError: There is no such member, or it has another shape.
    """
    members = dict(named)
    known = {a.name for a in attrs.fields(kind)}
    if unknown := sorted(members.keys() - known):
        raise UsageError(f"unknown setting {unknown[0]!r} (known: {', '.join(sorted(known))})")
    try:
        members["limits"] = Limits(**members.get("limits", {}))
        history = dict(members.get("history", {}))
        if history.get("max_age") is not None:
            history["max_age"] = timedelta(seconds=history["max_age"])
        members["history"] = HistoryPolicy(**history)
        if isinstance(members.get("policy_hosts"), list):
            members["policy_hosts"] = tuple(members["policy_hosts"])
        if "trust" in members:
            members["trust"] = decode(TrustPolicy, members["trust"])
        if "token_issuers" in members:
            if not isinstance(members["token_issuers"], list):
                raise UsageError("token_issuers is a list of objects")
            members["token_issuers"] = tuple(_issuer(one) for one in members["token_issuers"])
        made: Settings = kind(**members)
    except (TypeError, DecodeError) as error:
        raise UsageError(f"not settings: {error}") from None
    return made


def _issuer(named: Mapping[str, Any]) -> object:
    """A token issuer of the A2A room, whose lists are tuples."""
    from ..a2a import TokenIssuer

    members: dict[str, Any] = {
        name: tuple(found) if isinstance(found, list) else found for name, found in named.items()
    }
    return TokenIssuer(**members)
