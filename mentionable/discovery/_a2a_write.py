"""Writing A2A cards: v0.3, v1.0, or one document that is both."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

from .._errors.exceptions import UsageError
from .._model.codec import encode
from .._wire.http import HttpResponse
from ._a2a_card import A2ACard
from ._a2a_names import CAMEL, TOP_LEVEL_ALIKE, WRAPPERS
from ._documents import public_response

CardVersion: TypeAlias = Literal["1.0", "0.3", "hybrid"]
"""Which version of A2A a card is written in; `hybrid` is one document for clients of both."""

Json = dict[str, Any]


def write_a2a_card(card: A2ACard, *, form: CardVersion = "1.0") -> Json:
    """A card as JSON, for `/.well-known/agent-card.json`.

    Args:
        card: The card.
        form: In which version. v1.0 lists every interface; v0.3 those of version 0.3 that are no tenant's, which there
            must be for it and for `hybrid`.

    Raises:
        UsageError: Your program's fault: `card` is none, or has no interface for the form.

    Spec: A2A 1.0 §4.4.1, A2A 0.3 §5.5.

    Example:
        >>> from mentionable.discovery import read_a2a_card
        >>> old = {"name": "Helper", "url": "https://agents.example/a2a", "protocolVersion": "0.3.0"}
        >>> [one["protocolVersion"] for one in write_a2a_card(read_a2a_card(old))["supportedInterfaces"]]
        ['0.3.0']
    """
    if not isinstance(card, A2ACard):
        raise UsageError("card must be an A2ACard")
    if form not in get_args(CardVersion):
        raise UsageError("form is 1.0, 0.3 or hybrid")
    members: Json = encode(card)
    interfaces: list[Json] = members.pop("interfaces")
    written: Json = {}
    if form != "1.0":
        written |= _legacy(interfaces)
    if form != "0.3":
        written["supportedInterfaces"] = [_wire(one) for one in interfaces]
    capabilities = members["capabilities"]
    extended = capabilities.get("extended_agent_card")
    if form != "1.0" and extended is not None:
        written["supportsAuthenticatedExtendedCard"] = extended
    members["capabilities"] = _wire(_without(capabilities, form))
    members["skills"] = [_wire(_with_security(skill, form)) for skill in members["skills"]]
    if "security_schemes" in members:
        schemes = members["security_schemes"]
        members["security_schemes"] = {name: _scheme(scheme, form) for name, scheme in schemes.items()}
    apart = {name: members.pop(name) for name in TOP_LEVEL_ALIKE if name in members}
    return {**_wire(_with_security(members, form)), **apart, **written}


def a2a_card_response(card: A2ACard | Json, *, form: CardVersion = "1.0") -> HttpResponse:
    """The response to a request for `/.well-known/agent-card.json`, public to everybody.

    Args:
        card: The card, or its JSON as `sign_card` gave it.
        form: As for `write_a2a_card`.

    Raises:
        UsageError: As `write_a2a_card`.
    """
    return public_response(card if isinstance(card, dict) else write_a2a_card(card, form=form))


def _wire(members: Json) -> Json:
    """Members by their names on the wire."""
    return {CAMEL.get(name, name): member for name, member in members.items()}


def _without(capabilities: Json, form: CardVersion) -> Json:
    """Capabilities without what the form has no place for."""
    unknown = {"1.0": "state_transition_history", "0.3": "extended_agent_card"}.get(form)
    return {name: member for name, member in capabilities.items() if name != unknown}


def _legacy(interfaces: list[Json]) -> Json:
    """What v0.3 has instead of a list: one URL, and additional interfaces."""
    old = [one for one in interfaces if one["protocol_version"].startswith("0.3") and not one.get("tenant")]
    if not old:  # v0.3 has no word for a tenant: whoever read its interface would call another one
        raise UsageError("v0.3 needs an interface of version 0.3 without a tenant")
    first, *others = old
    version = first["protocol_version"]
    written = {
        "url": first["url"],
        "preferredTransport": first["protocol_binding"],
        "protocolVersion": "0.3.0" if version == "0.3" else version,
    }
    if others:
        also = [{"url": one["url"], "transport": one["protocol_binding"]} for one in others]
        written["additionalInterfaces"] = also
    return written


def _with_security(holder: Json, form: CardVersion) -> Json:
    """A card or skill with what callers need in the form of v0.3, of v1.0, or of both."""
    needed = holder.get("security")
    if needed is None:
        return holder
    written = dict(holder)
    if form != "0.3":
        newer = [{"schemes": {name: {"list": scopes} for name, scopes in one.items()}} for one in needed]
        written["security_requirements"] = newer
    if form == "1.0":
        del written["security"]
    return written


def _scheme(scheme: Json, form: CardVersion) -> Json:
    """A security scheme: flat in v0.3, in a member of its own in v1.0, and in both ways for both."""
    if form == "0.3":
        return scheme
    kind = scheme["type"]
    members = {name: member for name, member in scheme.items() if name != "type"}
    if kind == "apiKey" and "in" in members:
        members["location"] = members.pop("in")
    newer = {WRAPPERS.get(kind, kind): members}
    return newer if form == "1.0" else {**scheme, **newer}
