"""Connector Cards: which keys sign for a connector, from when until when.

A card is what a connector says about itself. Trust never comes from it: that is the receiver's own policy.

Spec: Building a Connector (Connector Card); RFC 7517.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from .._errors.exceptions import Code, UsageError, WireError, wire_error
from .._model.annotation import InvalidMember
from .._model.base import EMPTY_DICT, validated
from .._model.rules import ExactTimestamp, JsonObject
from .._model.trust import Issuer, is_issuer
from .._wire.http import is_web_url
from .._wire.jwk import private_members
from .._wire.strict_json import loads, pointer
from .._wire.time import utc_time
from .keys import PublicKey, SigningKey, public_key_of_jwk, thumbprint

ACCEPT: Final = "application/json"
MAX_BYTES: Final = 65_536
"""How large a card may be."""

CARD_PATHS: Final = ("/.well-known/adapter-card", "/.well-known/connector-card")
"""Where a card lies. The first is the one that is asked for."""

_MAX_KEYS: Final = 16
_DEPTH: Final = 16
_REMEMBERED: Final = 64
_KEY_ID: Final = re.compile(r"[!-~]{1,128}", re.ASCII).fullmatch
_ALGORITHMS: Final = (None, "Ed25519", "EdDSA")
TIMES: Final = ("not_before", "not_after", "revoked_at")
CARD_MEMBERS: Final = ("issuer", "name", "version", "callbacks", "methods", "subject_prefixes", "expires_at")
_MEMBERS: Final = frozenset({*CARD_MEMBERS, "keys", "jwks"})
_KEY_MEMBERS: Final = frozenset({"kty", "crv", "x", "kid", "alg", "use", "key_ops", "fault", *TIMES})


def is_key_id(text: object) -> bool:
    """Whether something can name a key: 1 to 128 visible ASCII characters."""
    return text.__class__ is str and _KEY_ID(text) is not None


def card_url(issuer: str) -> str:
    """Where the card of an issuer lies."""
    return f"https://{issuer}{CARD_PATHS[0]}"


@validated
class ConnectorKey:
    """A key of a connector, as its card tells it.

    Attributes:
        kid: Its id.
        x: The public half in base64url; None when it is no Ed25519 key.
        not_before: Evidence issued before does not count.
        not_after: Nothing counts from then on. When keys change: the last use, and six minutes more.
        revoked_at: The key itself is revoked, under whatever id it stands.
        fault: Why it is of no use here, as a code; None when it may verify.
        extra: Members that this version does not know.
    """

    kid: str
    x: str | None
    not_before: ExactTimestamp | None = None
    not_after: ExactTimestamp | None = None
    revoked_at: ExactTimestamp | None = None
    fault: str | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if not is_key_id(self.kid):
            raise InvalidMember("kid is 1 to 128 visible ASCII characters")
        for name in TIMES:
            if getattr(self, name) is not None and utc_time(getattr(self, name)) is None:
                raise InvalidMember(f"{name} is a time in UTC: 2026-11-21T20:56:00Z")

    @classmethod
    def of(cls, key: SigningKey, *, not_before: str | None = None, not_after: str | None = None) -> ConnectorKey:
        """The public half of a key that signs evidence, under its `key_id`.

        Raises:
            UsageError: The key is not Ed25519, or a time is not one in UTC.
        """
        return cls(kid=key.key_id, x=key.public_jwk["x"], not_before=not_before, not_after=not_after)


@validated
class ConnectorCard:
    """What a connector publishes about itself.

    Attributes:
        issuer: Its host, which is also the issuer of its evidence.
        keys: Its keys, those of before as long as evidence of theirs may be under way.
        name: What it is called.
        version: Of the format.
        callbacks: Where payments and consents come back to: kind → https URLs.
        methods: Which methods it says that it uses. Nobody's trust follows from it.
        subject_prefixes: Of which subjects it says that it speaks. As before.
        expires_at: Until when the card may be used.
        extra: Members that this version does not know.

    Spec: Building a Connector (Connector Card).
    """

    issuer: Issuer
    keys: tuple[ConnectorKey, ...]
    name: str | None = None
    version: str | None = None
    callbacks: JsonObject | None = None
    methods: tuple[str, ...] | None = None
    subject_prefixes: tuple[str, ...] | None = None
    expires_at: ExactTimestamp | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if not 1 <= len(self.keys) <= _MAX_KEYS or len({key.kid for key in self.keys}) < len(self.keys):
            raise InvalidMember(f"a card has 1 to {_MAX_KEYS} keys, each with an id of its own")
        if self.expires_at is not None and utc_time(self.expires_at) is None:
            raise InvalidMember("expires_at is a time in UTC: 2026-11-21T20:56:00Z")
        for url in _urls(self.callbacks):
            if url.__class__ is not str or url[:8] != "https://" or not is_web_url(url):
                raise InvalidMember("callbacks are https URLs")

    @property
    def callback_urls(self) -> tuple[str, ...]:
        """Every registered callback, for `policy.ConsentTerms(callbacks=...)`."""
        return tuple(_urls(self.callbacks))


def _urls(callbacks: Mapping[str, Any] | None) -> Iterator[Any]:
    """What the callbacks of a card name: each kind one URL, or several."""
    for named in (callbacks or {}).values():
        yield from named if isinstance(named, (list, tuple)) else (named,)


class LoadedKey(NamedTuple):
    """A key of a card, loaded to verify with.

    Attributes:
        public: The key; None when it is of no use.
        fault: Why it is of no use.
        thumbprint: Its thumbprint (RFC 7638).
        not_before: Evidence issued before does not count.
        not_after: Nothing counts from then on.
    """

    public: PublicKey | None
    fault: Code | None
    thumbprint: str
    not_before: datetime | None
    not_after: datetime | None


class LoadedCard(NamedTuple):
    """A card with its keys loaded.

    Attributes:
        card: What it says.
        keys: By their ids.
        expires_at: Until when it may be used.
        places: Where it may lie.
    """

    card: ConnectorCard
    keys: dict[str, LoadedKey]
    expires_at: datetime | None
    places: tuple[str, ...]


def check_origin(loaded: LoadedCard, url: str) -> None:
    """Raises unless a card came from where that of its issuer must lie.

    Raises:
        WireError: `card-origin-mismatch`.
    """
    if url not in loaded.places:
        raise wire_error("card-origin-mismatch", "", f"the card of {loaded.card.issuer} lies elsewhere")


def load_card(body: bytes) -> LoadedCard:
    """The card in a document with its keys.

    Raises:
        WireError: `card-invalid`, `card-private-key`, `key-ambiguous`.
    """
    try:
        document = loads(body, max_bytes=MAX_BYTES, max_depth=_DEPTH)
    except WireError as error:
        raise wire_error("card-invalid", "", str(error)) from None
    if document.__class__ is not dict or not is_issuer(document.get("issuer")):
        raise wire_error("card-invalid", "/issuer", "a card is an object whose issuer is a bare host in lower case")
    jwks = _jwks(document)
    ids = [jwk["kid"] for jwk in jwks]
    if len(set(ids)) < len(ids):
        raise wire_error("key-ambiguous", "/keys", "two keys have the same id")
    revoked = {jwk["x"] for jwk in jwks if jwk.get("revoked_at") is not None and jwk.get("x").__class__ is str}
    loaded = {jwk["kid"]: _loaded_key(jwk, revoked) for jwk in jwks}
    try:
        card = _card(document, tuple([_connector_key(jwk, loaded[jwk["kid"]]) for jwk in jwks]))
    except UsageError as error:
        raise wire_error("card-invalid", "", str(error)) from None
    places = tuple([f"https://{card.issuer}{path}" for path in CARD_PATHS])
    return LoadedCard(card, loaded, utc_time(card.expires_at), places)


remembered_card = lru_cache(_REMEMBERED)(load_card)
"""The same card for the same bytes, for checks alone: a program that got it could change it for all others."""


def _jwks(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The keys of a card as they came: in `keys`, or in `jwks.keys`."""
    if "keys" in document and "jwks" in document:
        raise wire_error("card-invalid", "/jwks", "both keys and jwks")
    jwks = document.get("jwks")
    jwks_keys = document.get("keys") if jwks is None else jwks.get("keys") if jwks.__class__ is dict else None
    if jwks_keys.__class__ is not list or not 1 <= len(jwks_keys) <= _MAX_KEYS:
        raise wire_error("card-invalid", "/keys", f"a card has 1 to {_MAX_KEYS} keys")
    for index, jwk in enumerate(jwks_keys):
        if jwk.__class__ is not dict or not is_key_id(jwk.get("kid")):
            raise wire_error("card-invalid", pointer("keys", index), "a key is an object with a kid")
        if private_members(jwk):
            raise wire_error("card-private-key", pointer("keys", index), "it holds the private half")
    listed: list[dict[str, Any]] = jwks_keys
    return listed


def _loaded_key(jwk: dict[str, Any], revoked: set[str]) -> LoadedKey:
    """One key, or why it is of no use."""
    uses = jwk.get("key_ops")
    window = utc_time(jwk.get("not_before")), utc_time(jwk.get("not_after"))
    try:
        public = public_key_of_jwk(jwk)
    except WireError as error:
        return LoadedKey(None, error.code, "", *window)
    fault: Code | None = None
    if jwk.get("x") in revoked:
        fault = "key-revoked"
    elif jwk.get("alg") not in _ALGORITHMS:
        fault = "key-type-mismatch"
    elif jwk.get("use") not in (None, "sig") or not (uses is None or (uses.__class__ is list and "verify" in uses)):
        fault = "key-use-mismatch"
    return LoadedKey(public, fault, thumbprint(jwk["x"]), *window)


def _connector_key(jwk: dict[str, Any], loaded: LoadedKey) -> ConnectorKey:
    """A key as the card tells it. A time that cannot be read spoils the card: it might have ended the key."""
    x, extra = jwk.get("x"), {name: member for name, member in jwk.items() if name not in _KEY_MEMBERS}
    times = {name: jwk.get(name) for name in TIMES}
    return ConnectorKey(kid=jwk["kid"], x=x if loaded.public else None, fault=loaded.fault, extra=extra, **times)


def _card(document: dict[str, Any], keys: tuple[ConnectorKey, ...]) -> ConnectorCard:
    members: dict[str, Any] = {name: document.get(name) for name in CARD_MEMBERS}
    for name in ("methods", "subject_prefixes"):
        if members[name].__class__ is list:
            members[name] = tuple(members[name])
    extra = {name: member for name, member in document.items() if name not in _MEMBERS}
    return ConnectorCard(**members, keys=keys, extra=extra)
