"""What must never be passed on: credentials, identity evidence and policy resolutions, known by their names.

Spec: Normalized Message §6; decisions B3, B13.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

REDACTED: Final = "[redacted]"

_NAME: Final = re.compile(
    r"(?:token|secret|bearer|passwd|jwt|credential)\Z"
    r"|.*(?:authorization|credentials|cookie|identity[_.-]?evidence|policy[_.-]?resolution|verifiable[_.-]?credential"
    r"|(?:access|refresh|id|bearer|auth|session)[_.-]?token|client[_.-]?secret|pass[_.-]?word"
    r"|(?:api|private)[_.-]?key)",
    re.ASCII | re.IGNORECASE | re.DOTALL,
).match
_SCHEME: Final = re.compile(r"\s*+(?:bearer|basic|dpop)\s++\S", re.ASCII | re.IGNORECASE).match
_SCHEME_STARTS: Final = frozenset("bBdD \t\r\n\v\f")
_INNOCENT: Final[set[str]] = set()
"""Names that were judged and may stay: a cache, so that one look judges all names of an object."""

_CACHED_NAMES: Final = 4096
_CACHED_LENGTH: Final = 64
_PROSE: Final = frozenset({"text", "content"})
"""Members of people's words. They may speak of tokens, and the message carries them anyhow."""


def is_secret_name(name: str) -> bool:
    """Whether the name of a member says that its value authorizes somebody, however it is spelled."""
    return _NAME(name) is not None


def is_secret_text(text: str) -> bool:
    """Whether text is a credential as it stands in a header: a scheme with something after it."""
    return text[:1] in _SCHEME_STARTS and _SCHEME(text) is not None


def holds_secret(value: Any) -> bool:
    """Whether anything in a JSON value has to be redacted."""
    kind = value.__class__
    if kind is dict:
        if not _INNOCENT.issuperset(value) and not _are_innocent(value):
            return True
        for member in value.values():
            kind = member.__class__
            if kind is str:
                if member[:1] in _SCHEME_STARTS and is_secret_text(member) and not _is_prose(member, value):
                    return True
            elif (kind is dict or kind is list) and holds_secret(member):
                return True
        return False
    if kind is list:
        if len(value) == 2 and _is_header(value):
            return True
        for item in value:
            kind = item.__class__
            if (kind is dict or kind is list or kind is str) and holds_secret(item):
                return True
        return False
    return kind is str and is_secret_text(value)


def _is_prose(text: str, members: dict[str, Any]) -> bool:
    return any(members.get(name) is text for name in _PROSE)


def _are_innocent(names: Iterable[str]) -> bool:
    """Whether no name of an object is that of a secret."""
    for name in names:
        if is_secret_name(name):
            return False
        if len(name) <= _CACHED_LENGTH and len(_INNOCENT) < _CACHED_NAMES:
            _INNOCENT.add(name)
    return True


def redacted(value: Any) -> Any:
    """`value` without secrets; itself when it has none. Only the way down to a secret is copied."""
    kind = value.__class__
    if kind is dict:
        return _redacted_object(value)
    if kind is list:
        if _is_header(value):
            return [value[0], REDACTED]
        clean = [redacted(item) for item in value]
        return clean if any(new is not old for new, old in zip(clean, value, strict=True)) else value
    return REDACTED if kind is str and is_secret_text(value) else value


def _redacted_object(members: dict[str, Any]) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    for name, member in members.items():
        if name in _PROSE and member.__class__ is str:
            continue
        clean = REDACTED if is_secret_name(name) else redacted(member)
        if clean is not member:
            changed[name] = clean
    return {**members, **changed} if changed else members


def _is_header(items: list[Any]) -> bool:
    """Whether an array is a secret header as a pair of name and value."""
    return len(items) == 2 and items[0].__class__ is str and is_secret_name(items[0])
