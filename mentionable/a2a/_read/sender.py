"""The sender of a message: the subject of its token, else the caller that the host names, else anonymous.

Spec: Normalized Message §3.1 (sender.address), §5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..._model.base import unchecked
from ..._model.diagnostic import Diagnostic
from ..._model.sender import Avatar, Sender, SenderProfile
from ..._text.display_names import display_name
from ..._text.media import single_line
from ..._transport.caller import Caller, card_name, named_sender
from ..._wire.address import A2A_ANONYMOUS, Address, canonical
from ..._wire.http import is_web_url
from .._auth.claims import TokenSubject

_MAX_CHARS: Final = 8_192

ANONYMOUS_SENDER: Final = Sender(address=A2A_ANONYMOUS)
"""The sender of a message whose caller is unknown."""

new_sender: Final = unchecked(Sender)


def read_sender(
    caller: Caller | None, *, remote_agent: Address | None, subject: TokenSubject | None
) -> tuple[Sender, Sequence[Diagnostic]]:
    """The sender, not yet marked verified: the agent that was called, else the subject of the token, else the caller.

    A token takes precedence over a caller with another address, with a diagnostic.
    """
    if remote_agent is not None:
        return new_sender(address=remote_agent), ()
    if subject is not None:
        return _with_profile(subject, caller)
    return named_sender(caller, ANONYMOUS_SENDER)


def _with_profile(subject: TokenSubject, caller: Caller | None) -> tuple[Sender, Sequence[Diagnostic]]:
    """The subject of a token with the profile in its claims, which the issuer states: for display, not for decisions.

    The name on the subject's card counts before the name in the token.
    """
    claims = subject.claims
    diagnostics: list[Diagnostic] = []
    if caller is not None and canonical(caller.subject) != subject.address:
        diagnostics.append(Diagnostic(code="caller-differs"))
    name, odd = card_name(caller, subject.address)
    diagnostics += odd
    if name is None and (name := _text(claims, "name")) is not None:
        name, odd = display_name(single_line(name), subject.address, at="/auth/token_claims/name")
        diagnostics += odd
    picture, locale, zone = _text(claims, "picture"), _text(claims, "locale", 100), _text(claims, "zoneinfo", 100)
    if picture is not None and not is_web_url(picture):
        diagnostics.append(Diagnostic(code="url-refused", at="/auth/token_claims/picture"))
        picture = None
    if name is None and picture is None and locale is None and zone is None:
        return new_sender(address=subject.address), diagnostics
    avatar = None if picture is None else Avatar(url=picture)
    profile = SenderProfile(display_name=name, avatar=avatar, locale=locale, timezone=zone, provider="oauth")
    return Sender(address=subject.address, display_name=name, profile=profile), diagnostics


def _text(claims: dict[str, Any], name: str, max_chars: int = _MAX_CHARS) -> str | None:
    """A claim that is text; None when it is absent, empty, of another kind or far too long."""
    value = claims.get(name)
    return value if value.__class__ is str and 0 < len(value) <= max_chars else None
