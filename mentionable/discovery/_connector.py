"""The card of a connector: read, written and served.

What it means for evidence is decided where evidence is verified.

Spec: Building a Connector (Connector Card).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._crypto.connector_card import (
    CARD_MEMBERS,
    MAX_BYTES,
    TIMES,
    ConnectorCard,
    ConnectorKey,
    check_origin,
    load_card,
)
from .._crypto.keys import public_key_of_jwk
from .._errors.exceptions import UsageError, WireError, wire_error
from .._flow.settings import DEFAULTS, Settings, check_settings
from .._wire.http import HttpResponse
from .._wire.strict_json import dump_line, plain
from ._documents import json_of, public_response


def read_connector_card(
    document: bytes | Mapping[str, Any], *, url: str | None = None, settings: Settings = DEFAULTS
) -> ConnectorCard:
    """Read the card in a document. Of a key that cannot be used, `fault` says why; the others count.

    Args:
        document: The card, as bytes or as a JSON parser returned it.
        url: Where it came from in the end, redirects included. With it, it must be where the card of its issuer lies.
        settings: Limits.

    Raises:
        WireError: `card-invalid`, `card-origin-mismatch`, `card-private-key`, `key-ambiguous`.

    Spec: Building a Connector (Connector Card).

    Example:
        >>> key = {"kty": "OKP", "crv": "Ed25519", "kid": "2026-11", "x": "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg"}
        >>> read_connector_card({"issuer": "slack.agents.example", "keys": [key]}).keys[0].kid
        '2026-11'
    """
    check_settings(settings)
    loaded = load_card(_body(document, settings))
    if url is not None:
        check_origin(loaded, url)
    return loaded.card


def _body(document: bytes | Mapping[str, Any], settings: Settings) -> bytes:
    """The bytes of a card, which are what is remembered."""
    if isinstance(document, bytes):
        if len(document) > settings.limits.fetched_bytes:
            raise wire_error("card-invalid", "", f"more than {settings.limits.fetched_bytes} bytes")
        return document
    try:
        return dump_line(json_of(document, settings, max_bytes=MAX_BYTES)).encode()
    except WireError as error:
        raise wire_error("card-invalid", "", str(error)) from None


def write_connector_card(card: ConnectorCard) -> dict[str, Any]:
    """Your own card as JSON, for `/.well-known/adapter-card` at the host that is its issuer.

    Raises:
        UsageError: `card` is none, or a key of it is of no use. A revoked key stays, so that every reader learns of it.

    Spec: Building a Connector (Connector Card).

    Example:
        >>> from mentionable import SigningKey
        >>> key = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
        >>> card = ConnectorCard(issuer="slack.agents.example", keys=(ConnectorKey.of(key),))
        >>> write_connector_card(card)["keys"][0]["kid"]
        '2026-11'
    """
    if not isinstance(card, ConnectorCard):
        raise UsageError("card must be a ConnectorCard")
    members = {name: member for name in CARD_MEMBERS if (member := getattr(card, name))}
    return {**plain(members), "keys": [_jwk(key) for key in card.keys], **plain(card.extra)}


def connector_card_response(card: ConnectorCard) -> HttpResponse:
    """The response to a request for your own card: no redirects, public to everybody.

    Raises:
        UsageError: As `write_connector_card`.
    """
    return public_response(write_connector_card(card))


def _jwk(key: ConnectorKey) -> dict[str, Any]:
    """A key as JWK, with the times from when until when it counts."""
    times = {name: getattr(key, name) for name in TIMES if getattr(key, name) is not None}
    jwk = {"kty": "OKP", "crv": "Ed25519", "x": key.x, "kid": key.kid, "alg": "Ed25519", "use": "sig", **times}
    try:
        public_key_of_jwk(jwk)
    except WireError as error:
        raise UsageError(f"the key {key.kid} is of no use: {error}") from None
    if key.fault not in (None, "key-revoked"):  # every reader must learn of a revoked one
        raise UsageError(f"the key {key.kid} is of no use: {key.fault}")
    return jwk
