"""The display profile in trusted evidence. Never authorize on it.

Spec: Normalized Message §3.1 (sender.profile); Building a Connector (Sender Profile Facts).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .._model.identity import VerifiedIdentity
from .._model.sender import Avatar, SenderProfile
from .._text.media import single_line
from .._text.redaction import redacted
from .._wire.http import is_web_url
from .._wire.time import utc_text

_TEXTS: Final = ("display_name", "username", "locale", "timezone", "provider")
_MAX_TEXT: Final = 1_024


def profile_of(identity: VerifiedIdentity) -> SenderProfile | None:
    """The profile in the claims of an identity; None without one. Members that cannot be displayed are left out.

    Spec: Normalized Message §3.1 (sender.profile).

    Example:
        >>> from mentionable import VerifiedIdentity, decode_trusted
        >>> identity = decode_trusted(VerifiedIdentity, {
        ...     "issuer": "slack.agents.example", "subject": "slack:T1/U1", "method": "urn:x", "assurance": "platform",
        ...     "audience": "@helper@agents.example", "issued_at": "2026-11-21T00:00:00Z", "principals": [],
        ...     "claims": {"profile": {"display_name": "Alice"}}, "source": {},
        ... })
        >>> profile_of(identity).display_name
        'Alice'
    """
    profile = identity.claims.get("profile")
    if profile.__class__ is not dict:
        return None
    members: dict[str, Any] = {name: _text(profile, name) for name in _TEXTS}
    url, extensions = profile.get("url"), profile.get("extensions")
    if url.__class__ is str and is_web_url(url):
        members["url"] = url
    members["fetched_at"] = utc_text(profile.get("fetched_at"))
    if profile.get("provider_subject") == identity.subject:
        members["provider_subject"] = identity.subject
    if extensions.__class__ is dict and extensions:
        members["extensions"] = redacted(extensions)
    members["avatar"] = _avatar(profile.get("avatar"))
    present = {name: member for name, member in members.items() if member is not None}
    return SenderProfile(**present) if present else None


def _text(profile: Mapping[str, Any], name: str) -> str | None:
    """A member that is one line of text; None when it is absent, empty, of another kind or far too long."""
    text = profile.get(name)
    return (single_line(text) or None) if text.__class__ is str and len(text) <= _MAX_TEXT else None


def _avatar(picture: Any) -> Avatar | None:
    """The picture, by its URL alone."""
    url = picture.get("url") if picture.__class__ is dict else None
    return Avatar(url=url) if url.__class__ is str and url[:8] == "https://" and is_web_url(url) else None
