"""Which agent cards must be signed, and by which keys: the settings of this room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from attrs import field

from .._address import canonical_domain
from .._errors import UsageError, WireError
from .._settings import Settings as BaseSettings
from .._tokens import Algorithm, KeySet
from .._value import NO_MEMBERS, record

if TYPE_CHECKING:
    from .._model.rules import JsonObject

_ALGORITHMS: Final[tuple[Algorithm, ...]] = ("ES256", "ES384", "EdDSA", "Ed25519", "RS256", "PS256")


@record
class Settings(BaseSettings):
    """What stays the same from unit to unit, with the keys of agent cards.

    Attributes:
        card_keys: Domain → JWKS: the cards of this domain's agents must be signed by one of these keys. You have them
            from the domain itself, on another way than the card: a key that a card names shows nothing.
        card_algorithms: Which signature algorithms are taken.
        require_signed_cards: Whether agents of all other domains are refused.
    """

    card_keys: Mapping[str, Mapping[str, Any]] = field(default=NO_MEMBERS, repr=False)
    card_algorithms: tuple[Algorithm, ...] = _ALGORITHMS
    require_signed_cards: bool = False

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        keys, algorithms = cast("tuple[object, object]", (self.card_keys, self.card_algorithms))
        if not isinstance(keys, Mapping) or not all(map(is_domain, keys)):
            raise UsageError("Settings.card_keys maps domains, in lower case and A-labels, to a JWKS each")
        object.__setattr__(self, "card_keys", {domain: _key_set(domain, keys[domain]) for domain in keys})
        if not isinstance(algorithms, tuple) or not algorithms or not set(algorithms) <= set(get_args(Algorithm)):
            raise UsageError(f"Settings.card_algorithms is a tuple of {', '.join(get_args(Algorithm))}")


def is_domain(text: object) -> bool:
    """Whether something is a domain in lower case and A-labels."""
    return isinstance(text, str) and canonical_domain(text) == text


def _key_set(domain: str, document: JsonObject) -> KeySet:
    """A JWKS of public keys."""
    if isinstance(document, KeySet):
        return document
    try:
        keys = KeySet(document)
    except WireError:
        raise UsageError(f"the card_keys of {domain} are no JWKS: an object with an array of keys") from None
    if any(isinstance(key, dict) and "d" in key for key in keys["keys"]):
        raise UsageError(f"the card_keys of {domain} hold a private key: only the public half belongs here")
    return keys


def card_settings(settings: BaseSettings) -> Settings:
    """The settings of this room; those of every room name no keys."""
    return settings if isinstance(settings, Settings) else Settings(limits=settings.limits)
