"""What must never be passed on: credentials, identity evidence and policy resolutions, known by their names.

Spec: Normalized Message §6; decisions B3, B13.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

REDACTED: Final = "[redacted]"

_FILLING: Final = re.compile(r"[^a-z0-9]++")
_NAME: Final = re.compile(
    r"(?:bearer|passwd|jwt|credential|secret|identities)\Z"
    r"|.*(?:authorization|credentials|cookie|identityevidence|policyresolution|verifiablecredential"
    r"|x402paymentpayload|ap2mandatespaymentmandate|(?:access|refresh|id|bearer|auth|session)token|token\Z|sessionid\Z|client(?:secret|assertion)"
    r"|pass(?:word|phrase)|(?:api|private)key)"
).match
_SCHEME: Final = re.compile(
    r"\s*+(?:bearer|basic|dpop)\s++[A-Za-z0-9._~+/=-]{8,}+\s*+\Z", re.ASCII | re.IGNORECASE
).match
_SCHEME_STARTS: Final = frozenset("bBdD \t\r\n\v\f")
_REMEMBERED: Final = 64
"""Only names up to this length are remembered, so that hostile ones cannot fill the memory."""

_ATTESTATION: Final = "signed-attestation"
_PROSE: Final = frozenset({"text", "content"})
"""Members of people's words. They may speak of tokens, and the message carries them anyhow."""


def is_secret_name(name: str) -> bool:
    """Whether the name of a member says that its value authorizes somebody, however it is spelled.

    Case, punctuation, blanks and characters that nobody sees make no difference.
    """
    return _remembered(name) if len(name) <= _REMEMBERED else _is_secret_name(name)


def _is_secret_name(name: str) -> bool:
    return _NAME(_FILLING.sub("", name.lower())) is not None


_remembered: Final = lru_cache(4096)(_is_secret_name)


def is_secret_text(text: str) -> bool:
    """Whether text is a credential as it stands in a header: a scheme, and one token up to the end."""
    return text[:1] in _SCHEME_STARTS and _SCHEME(text) is not None


def redacted(value: Any) -> Any:
    """A copy of a JSON value without secrets; it shares no array and no object with `value`."""
    kind = value.__class__
    if kind is str:
        return REDACTED if is_secret_text(value) else value
    if kind is dict:
        known = {
            name: REDACTED if is_secret_name(name) else redacted(member) if _is_judged(name, member) else member
            for name, member in value.items()
        }
        if value.get("type") == _ATTESTATION and "value" in value:  # evidence, wherever it stands
            known["value"] = REDACTED
        return known
    if kind is list:
        return [value[0], REDACTED] if _is_header(value) else [redacted(item) for item in value]
    return value


def _is_judged(name: str, member: Any) -> bool:
    """Whether a member may be a credential by what it says: people's words are none."""
    return member.__class__ is not str or name not in _PROSE


def _is_header(items: list[Any]) -> bool:
    """Whether an array is a secret header as a pair of name and value."""
    return len(items) == 2 and items[0].__class__ is str and is_secret_name(items[0])
