"""Saying in an agent card that an agent knows policies, and seeing that one does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._errors.exceptions import UsageError
from .._model.policy import EXTENSION
from .._wire.strict_json import plain


def declare(card: Mapping[str, Any]) -> dict[str, Any]:
    """A fresh copy of an agent card that declares the extension, for callers to know that they can pay or consent.

    It goes into `capabilities.extensions`, where A2A looks, and into `a2a.capabilities.extensions`; what is missing
    on the way is made. An entry that is there already stays as it is, as does everything else.

    Raises:
        UsageError: The card is not JSON, or has something else than objects and arrays in these places.

    Spec: PolicyPart §Agent Capability Declaration.

    Example:
        >>> declare({"name": "Helper"})["capabilities"]
        {'extensions': [{'uri': 'https://mentionable.dev/ns/policy/v0.1'}]}
    """
    if not isinstance(card, Mapping):
        raise UsageError("an agent card is a JSON object")
    declared: dict[str, Any] = plain(card)
    for section, name in ((declared, "the card"), (_section(declared, "a2a", "the card"), "a2a")):
        capabilities = _section(section, "capabilities", name)
        extensions = capabilities.get("extensions")
        if extensions is None:
            extensions = capabilities["extensions"] = []
        if not isinstance(extensions, list):
            raise UsageError(f"capabilities.extensions of {name} is not an array")
        if not _names_it(extensions):
            extensions.append({"uri": EXTENSION})
    return declared


def is_declared(card: object) -> bool:
    """Whether an agent card declares the extension, in either place. False for whatever is no card; never raises.

    Spec: PolicyPart §Agent Capability Declaration.

    Example:
        >>> is_declared({"a2a": {"capabilities": {"extensions": [{"uri": EXTENSION}]}}}), is_declared([])
        (True, False)
    """
    return any(
        _names_it(_member(_member(section, "capabilities"), "extensions")) for section in (card, _member(card, "a2a"))
    )


def _section(holder: dict[str, Any], member: str, name: str) -> dict[str, Any]:
    """The object in a member of `holder`, made when there is none."""
    section = holder.get(member)
    if section is None:
        section = holder[member] = {}
    if not isinstance(section, dict):
        raise UsageError(f"{member} of {name} is not an object")
    return section


def _member(holder: object, name: str) -> object:
    return holder.get(name) if isinstance(holder, Mapping) else None


def _names_it(extensions: object) -> bool:
    """Whether an array of extensions has ours."""
    if not isinstance(extensions, (list, tuple)):
        return False
    return any(_member(extension, "uri") == EXTENSION for extension in extensions)
