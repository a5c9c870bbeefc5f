"""What must never be passed on: credentials, identity evidence and policy resolutions, known by their names.

Spec: Normalized Message §6; decisions B3, B13.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

REDACTED: Final = "[redacted]"

_FILLING: Final = re.compile(r"[^a-z0-9]++")
_NAME: Final = re.compile(
    r"(?:bearer|passwd|jwt|credential|secret)\Z"
    r"|.*(?:authorization|credentials|cookie|identityevidence|policyresolution|verifiablecredential"
    r"|(?:access|refresh|id|bearer|auth|session)token|token\Z|sessionid\Z|client(?:secret|assertion)"
    r"|pass(?:word|phrase)|(?:api|private)key)"
).match
_SCHEME: Final = re.compile(
    r"\s*+(?:bearer|basic|dpop)\s++[A-Za-z0-9._~+/=-]{8,}+\s*+\Z", re.ASCII | re.IGNORECASE
).match
_SCHEME_STARTS: Final = frozenset("bBdD \t\r\n\v\f")
_INNOCENT: Final[set[str]] = set()
"""Names that were judged and may stay: a cache, so that one look judges all names of an object."""
_are_known_innocent: Final = _INNOCENT.issuperset

_CACHED_NAMES: Final = 4096
_CACHED_LENGTH: Final = 64
_PROSE: Final = frozenset({"text", "content"})
"""Members of people's words. They may speak of tokens, and the message carries them anyhow."""


def is_secret_name(name: str) -> bool:
    """Whether the name of a member says that its value authorizes somebody, however it is spelled.

    Case, punctuation, blanks and characters that nobody sees make no difference.
    """
    return _NAME(_FILLING.sub("", name.lower())) is not None


def is_secret_text(text: str) -> bool:
    """Whether text is a credential as it stands in a header: a scheme, and one token up to the end."""
    return text[:1] in _SCHEME_STARTS and _SCHEME(text) is not None


def holds_secret(value: Any) -> bool:
    """Whether anything in a JSON value has to be redacted."""
    kind = value.__class__
    if kind is dict:
        if not _are_known_innocent(value) and not _are_innocent(value):
            return True
        for member in value.values():
            kind = member.__class__
            if kind is str:
                if member[:1] in _SCHEME_STARTS and is_secret_text(member) and _has_secret_text(value):
                    return True
            elif (kind is dict or kind is list) and holds_secret(member):
                return True
        return False
    if kind is list:
        if len(value) == 2 and _is_header(value):
            return True
        for item in value:
            kind = item.__class__
            if kind is str:
                if item[:1] in _SCHEME_STARTS and is_secret_text(item):
                    return True
            elif (kind is dict or kind is list) and holds_secret(item):
                return True
        return False
    return kind is str and is_secret_text(value)


def _has_secret_text(members: dict[str, Any]) -> bool:
    """Whether a member other than people's words is a credential. It is asked at most once for each of these words."""
    return any(
        name not in _PROSE and member.__class__ is str and is_secret_text(member) for name, member in members.items()
    )


def _are_innocent(names: Iterable[str]) -> bool:
    """Whether no name of an object is that of a secret."""
    for name in names:
        if is_secret_name(name):
            return False
        if len(name) <= _CACHED_LENGTH:
            if len(_INNOCENT) >= _CACHED_NAMES:
                _INNOCENT.clear()  # else one sender of many names would fill it for good
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
