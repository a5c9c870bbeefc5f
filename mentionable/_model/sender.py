"""Who sent a message, how that is known, and how to show them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from .annotation import InvalidMember
from .base import EMPTY_DICT, validated
from .identity import IdentityEvidence
from .rules import CanonicalAddress, Count, JsonObject, MediaType, Timestamp, WebUrl

AuthMethod: TypeAlias = Literal[
    "ap-http-signature", "ap-object-integrity-proof", "a2a-jwt", "a2a-oauth", "email-dkim", "email-dmarc", "none"
]
"""How the sender's address was verified. Spec: Normalized Message §3."""


@validated
class Avatar:
    """A picture of somebody.

    Attributes:
        url: Where it is.
        mime_type: Its media type.
        width: In pixels.
        height: In pixels.
        extra: Members that this version does not know.
    """

    url: WebUrl
    mime_type: MediaType | None = None
    width: Count | None = None
    height: Count | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class SenderProfile:
    """How to show somebody. Never a ground for a decision: authorize on `sender.identities`.

    Attributes:
        display_name: What they call themselves.
        username: Their name on the platform.
        url: A page about them.
        avatar: Their picture.
        locale: BCP 47 language tag.
        timezone: IANA time zone.
        provider: The platform: `activitypub`, `email`, `slack`, `oauth`, ….
        provider_subject: Who they are there, for example `slack:T123/U456`.
        fetched_at: When this was fetched.
        extensions: Whitelisted facts of the provider, under its name.
        extra: Members that this version does not know.

    Spec: Normalized Message §3.1 (sender.profile).
    """

    display_name: str | None = None
    username: str | None = None
    url: WebUrl | None = None
    avatar: Avatar | None = None
    locale: str | None = None
    timezone: str | None = None
    provider: str | None = None
    provider_subject: str | None = None
    fetched_at: Timestamp | None = None
    extensions: JsonObject | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Sender:
    """Who sent a message.

    Attributes:
        address: Canonical `@local@domain`.
        auth_method: How the address was verified.
        verified: True only when the address was verified cryptographically.
        display_name: What they call themselves.
        profile: How to show them.
        key_id: Which key verified the address.
        identities: Verified evidence of who they are elsewhere.
        extra: Members that this version does not know.

    Spec: Normalized Message §3.1.
    """

    address: CanonicalAddress
    auth_method: AuthMethod = "none"
    verified: bool = False
    display_name: str | None = None
    profile: SenderProfile | None = None
    key_id: str | None = None
    identities: tuple[IdentityEvidence, ...] | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.verified and self.auth_method == "none":
            raise InvalidMember("verified needs an auth_method other than 'none'")
        if not self.verified and self.auth_method not in ("none", "email-dmarc"):
            raise InvalidMember(f"auth_method {self.auth_method!r} needs verified=True")
