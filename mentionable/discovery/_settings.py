"""Which agent cards must be signed, and by which keys: the settings of this package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from attrs import field

from .._crypto.jwt import Algorithm, public_key_set
from .._flow.settings import Settings as BaseSettings
from .._model.annotation import InvalidMember, Rule
from .._model.base import EMPTY_DICT, validated
from .._model.rules import JsonObject, is_domain

_ALGORITHMS: Final[tuple[Algorithm, ...]] = ("ES256", "ES384", "EdDSA", "Ed25519", "RS256", "PS256")


@validated
class Settings(BaseSettings):
    """What stays the same from request to request, with the keys of agent cards.

    Attributes:
        card_keys: Domain → JWKS: the cards of this domain's agents must be signed by one of these keys. You have them
            from the domain itself, on another way than the card: a key that a card names shows nothing.
        card_algorithms: Which signature algorithms are taken.
        require_signed_cards: Whether agents of all other domains are refused.
    """

    card_keys: Mapping[str, JsonObject] = field(default=EMPTY_DICT, repr=False)
    card_algorithms: Annotated[tuple[Algorithm, ...], Rule("one or more algorithms", bool, {})] = _ALGORITHMS
    require_signed_cards: bool = False

    def _check(self) -> None:
        keys = {}
        for domain, document in self.card_keys.items():
            path = ("card_keys", domain)
            if not is_domain(domain):
                raise InvalidMember("the names of card_keys are domains, in lower case and A-labels", path)
            keys[domain] = public_key_set(document, f"the card_keys of {domain}", path)
        object.__setattr__(self, "card_keys", keys)
