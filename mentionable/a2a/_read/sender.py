"""The sender of a message: the subject of its token, else the caller that the host names, else anonymous.

Spec: Normalized Message §3.1 (sender.address), §5.
"""

from __future__ import annotations

from typing import Any, Final

from ..._model.base import unchecked
from ..._model.sender import Avatar, Sender, SenderProfile
from ..._text.display_names import display_name
from ..._text.media import single_line
from ..._transport.caller import Caller, card_name, named_sender
from ..._wire.address import A2A_ANONYMOUS, Address, canonical
from ..._wire.http import is_web_url
from .._auth.claims import TokenSubject
from .parse_context import ParseContext

_MAX_CHARS: Final = 8_192

ANONYMOUS: Final = Sender(address=A2A_ANONYMOUS)
"""The sender of a message without a known caller."""

new_sender: Final = unchecked(Sender)


def read_sender(
    caller: Caller | None, *, remote_agent: Address | None, subject: TokenSubject | None, context: ParseContext
) -> Sender:
    """The sender, not yet marked verified: the agent that was called, else the subject of the token, else the caller.

    A caller whom the host names while the token is of another subject is not believed, with a diagnostic.
    """
    if remote_agent is not None:
        return new_sender(address=remote_agent)
    if subject is not None:
        if caller is not None and canonical(caller.subject) != subject.address:
            context.note("caller-differs")
        name, diagnostics = card_name(caller, subject.address)
        context.notes += diagnostics
        return _with_profile(subject, name, context)
    sender, diagnostics = named_sender(caller, ANONYMOUS)
    context.notes += diagnostics
    return sender


def _with_profile(subject: TokenSubject, name: str | None, context: ParseContext) -> Sender:
    """The subject of a token with the profile in its claims: the issuer's word, for people to see, not to decide by.

    Args:
        subject: The subject.
        name: The name on the subject's card, which counts before the name in the token.
        context: Takes the diagnostics.
    """
    claims = subject.claims
    if name is None and (name := _text(claims, "name")) is not None:
        name, diagnostics = display_name(single_line(name), subject.address, at="/auth/token_claims/name")
        context.notes += diagnostics
    picture, locale, zone = _text(claims, "picture"), _text(claims, "locale", 100), _text(claims, "zoneinfo", 100)
    if picture is not None and not is_web_url(picture):
        context.note("url-refused", "/auth/token_claims/picture")
        picture = None
    if name is None and picture is None and locale is None and zone is None:
        return new_sender(address=subject.address)
    avatar = None if picture is None else Avatar(url=picture)
    profile = SenderProfile(display_name=name, avatar=avatar, locale=locale, timezone=zone, provider="oauth")
    return Sender(address=subject.address, display_name=name, profile=profile)


def _text(claims: dict[str, Any], name: str, max_chars: int = _MAX_CHARS) -> str | None:
    """A claim that is text; None when it is absent, empty, of another kind or far too long."""
    value = claims.get(name)
    return value if value.__class__ is str and 0 < len(value) <= max_chars else None
