"""Who sent a message: whom a token shows, else the host's own word, else nobody.

Spec: Normalized Message §3.1 (sender.address), §5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..._model.base import trusted
from ..._model.sender import Avatar, Sender, SenderProfile
from ..._text.display_names import display_name
from ..._text.media import one_line
from ..._transport.caller import Caller, card_name, named_sender
from ..._wire.address import A2A_ANONYMOUS, Address, canonical
from ..._wire.http import is_web_url
from .._auth.claims import Party
from .parse_context import Reading

_MOST_CHARS: Final = 8_192

ANONYMOUS: Final = Sender(address=A2A_ANONYMOUS)
"""The sender of a message whose caller nobody knows."""

unverified: Final[Callable[[str], Sender]] = trusted(Sender, "address")
"""The sender under a canonical address, nothing about them shown."""


def sender_of(caller: Caller | None, peer: Address | None, party: Party | None, reading: Reading) -> Sender:
    """The sender, not yet marked verified: the peer whose result it is, else whom the token shows, else the caller.

    A caller whom the host names beside a token that shows another one is not believed, with a diagnostic.
    """
    if peer is not None:
        return unverified(peer)
    if party is not None:
        if caller is not None and canonical(caller.subject) != party.address:
            reading.note("caller-differs")
        return _profiled(party, card_name(caller, party.address, reading.notes), reading)
    return named_sender(caller, ANONYMOUS, reading.notes)


def _profiled(party: Party, name: str | None, reading: Reading) -> Sender:
    """Whom a token shows, with what it says of them. It is the issuer's word: for people to see, not to decide by.

    Args:
        party: Whom it shows.
        name: What their card calls them, which goes before the name in the token.
        reading: Takes the diagnostics.
    """
    claims = party.claims
    if name is None and (name := _text(claims, "name")) is not None:
        name = display_name(one_line(name), party.address, at="/auth/token_claims/name", notes=reading.notes)
    picture, locale, zone = _text(claims, "picture"), _text(claims, "locale", 100), _text(claims, "zoneinfo", 100)
    if picture is not None and not is_web_url(picture):
        reading.note("url-refused", "/auth/token_claims/picture")
        picture = None
    if name is None and picture is None and locale is None and zone is None:
        return unverified(party.address)
    avatar = None if picture is None else Avatar(url=picture)
    profile = SenderProfile(display_name=name, avatar=avatar, locale=locale, timezone=zone, provider="oauth")
    return Sender(address=party.address, display_name=name, profile=profile)


def _text(claims: dict[str, Any], name: str, longest: int = _MOST_CHARS) -> str | None:
    """A claim that is text; None when it is absent, empty, of another kind or far too long."""
    found = claims.get(name)
    return found if found.__class__ is str and 0 < len(found) <= longest else None
