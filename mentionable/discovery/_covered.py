"""What a signature on an A2A card covers: a part of the card, in one of the canonical forms that are in use.

Three forms are met. The official libraries leave out whatever is empty. The text of v1.0 keeps members that are
required even when they are empty. And the library of v0.3 for Python leaves out what equals its default, and escapes
as Python does. A form is tried on the card as it came, so the answer is always a part of that card.

Spec: A2A 1.0 §8.4.1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from .._errors.exceptions import wire_error
from .._wire.canonical_json import canonical_json
from .._wire.strict_json import pointer
from ._a2a_read import is_a2a_card
from ._schema import V03, V1, Member

CanonicalForm: TypeAlias = Literal["without-empties", "with-required-empties", "without-defaults"]
"""How the signed bytes are made: as both official libraries do, as the text says, as the Python library of v0.3 did."""

_DEFAULTS: Final[Mapping[str, str]] = {"preferredTransport": "JSONRPC", "protocolVersion": "0.3.0"}
_SCHEME_TYPES: Final = ("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS")
_TYPED_BY: Final = (("flows", "oauth2"), ("openIdConnectUrl", "openIdConnect"), ("in", "apiKey"), ("scheme", "http"))
"""A member that only one type of security scheme has → that type."""

_LEAVES: Final[Mapping[str, type]] = {"text": str, "flag": bool}


class Covered(NamedTuple):
    """A part of a card that may be what was signed.

    Attributes:
        form: In which form.
        signed: The bytes that would have been signed.
        document: The same as a card. Nothing else of the card counts.
    """

    form: CanonicalForm
    signed: bytes
    document: dict[str, Any]


def covered(document: dict[str, Any]) -> Iterator[Covered]:
    """The parts of a card that may be signed, one a form.

    Raises:
        WireError: `malformed`: it is no card, or a member is of another type than it must be; `not-canonical`.
    """
    if not is_a2a_card(document):
        raise wire_error("malformed", "", "neither supportedInterfaces nor url with protocolVersion")
    table = V1 if "supportedInterfaces" in document else V03
    known = _known(document, table, "AgentCard", "")
    bare = _cleaned(known) or {}
    yield Covered("without-empties", canonical_json(bare), bare)
    whole = _with_required(known, table, "AgentCard")
    yield Covered("with-required-empties", canonical_json(whole), whole)
    if table is V03:
        less = _without_defaults(bare)
        signed = json.dumps(less, separators=(",", ":"), sort_keys=True, allow_nan=False).encode()
        yield Covered("without-defaults", signed, _with_defaults(less))


def empty_members(document: dict[str, Any]) -> list[str]:
    """Where required members of a v1.0 card are missing or empty, as pointers: there the forms differ."""
    return list(_empty(_known(document, V1, "AgentCard", ""), "AgentCard", ""))


def _known(value: Any, table: Mapping[str, Mapping[str, Member]], message: str, at: str) -> dict[str, Any]:
    """The members of an object that the table knows, without those that are null, each of its type."""
    if value.__class__ is not dict:
        raise wire_error("malformed", at, "expected an object")
    members = table[message]
    known: dict[str, Any] = {}
    for name, item in value.items():
        member = members.get(name)
        if member is None or item is None or (item is False and not member.has_presence):
            continue
        place = at + pointer(name)
        if member.shape == "one":
            known[name] = _one(item, table, member.form, place)
        elif member.shape == "many":
            array = _of(item, list, place, "an array")
            known[name] = [_one(one, table, member.form, f"{place}/{index}") for index, one in enumerate(array)]
        else:
            entries = _of(item, dict, place, "an object").items()
            known[name] = {key: _one(entry, table, member.form, place + pointer(key)) for key, entry in entries}
    return known


def _of(value: Any, kind: type, at: str, words: str) -> Any:
    if value.__class__ is not kind:
        raise wire_error("malformed", at, f"expected {words}")
    return value


def _one(value: Any, table: Mapping[str, Mapping[str, Member]], form: str, at: str) -> Any:
    if form == "json":
        return value
    if form in _LEAVES:
        return _of(value, _LEAVES[form], at, "a string" if form == "text" else "true or false")
    return _known(value, table, form, at)


def _cleaned(value: Any) -> Any:
    """A value without anything empty in it; None when nothing is left."""
    if value.__class__ is dict:
        return {name: left for name, item in value.items() if (left := _cleaned(item)) is not None} or None
    if value.__class__ is list:
        return [left for item in value if (left := _cleaned(item)) is not None] or None
    return None if value == "" else value


def _with_required(known: dict[str, Any], table: Mapping[str, Mapping[str, Member]], message: str) -> dict[str, Any]:
    """The same object without the empty members that are not required and have no presence."""
    remaining: dict[str, Any] = {}
    for name, value in known.items():
        member = table[message][name]
        if member.form in table:
            if member.shape == "one":
                value = _with_required(value, table, member.form)
            elif member.shape == "many":
                value = [_with_required(item, table, member.form) for item in value]
            else:
                value = {key: _with_required(item, table, member.form) for key, item in value.items()}
        is_absent = value == "" if member.shape == "one" and not member.has_presence else value in ([], {})
        is_message = member.shape == "one" and member.form not in _LEAVES
        if member.required or is_message or not is_absent:
            remaining[name] = value
    return remaining


def _empty(known: dict[str, Any], message: str, at: str) -> Iterator[str]:
    for name, member in V1[message].items():
        place, value = f"{at}/{name}", known.get(name)
        if member.required and _cleaned(value) is None:
            yield place
        elif value is not None and member.form in V1:
            inner = (
                {"": value} if member.shape == "one" else dict(enumerate(value)) if member.shape == "many" else value
            )
            for key, item in inner.items():
                yield from _empty(item, member.form, place if member.shape == "one" else place + pointer(key))


def _without_defaults(bare: dict[str, Any]) -> dict[str, Any]:
    """A v0.3 card without what equals its default."""
    less = {name: value for name, value in bare.items() if _DEFAULTS.get(name) != value}
    schemes = less.get("securitySchemes", {})
    untyped = {
        name: {key: value for key, value in scheme.items() if key != "type" or value not in _SCHEME_TYPES}
        if scheme.__class__ is dict
        else scheme
        for name, scheme in schemes.items()
    }
    if untyped:
        less["securitySchemes"] = untyped
    remaining: dict[str, Any] = _cleaned(less) or {}
    return remaining


def _with_defaults(less: dict[str, Any]) -> dict[str, Any]:
    """The same card with the defaults in place: of security schemes by the members that only one type has."""
    whole = {**_DEFAULTS, **less}
    for name, scheme in less.get("securitySchemes", {}).items():
        if scheme.__class__ is dict and "type" not in scheme:
            kind = next((kind for mark, kind in _TYPED_BY if mark in scheme), "mutualTLS")
            whole["securitySchemes"] = {**whole["securitySchemes"], name: {**scheme, "type": kind}}
    return whole
