"""Minting: the URL under which one agent may fetch one file for a few minutes."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from typing import Any, Final

from attrs import field

from ..._errors.exceptions import UsageError
from ..._flow.settings import check_entropy, check_now
from ..._model.base import record
from ..._model.file_scope import Scope
from ..._model.parts import UrlRef
from ..._model.trust import check_issuer
from ..._wire.address import is_canonical
from ..._wire.ids import derive
from ..._wire.strict_json import dump_line
from ..._wire.time import format_time
from ._capability import (
    DEFAULT_LIFETIME,
    MAX_LIFETIME,
    TYPE,
    VERSION,
    is_budget,
    is_seconds,
    is_turn,
    moment_of,
    seconds,
)
from ._key import FileKey

_PROVIDER: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}", re.ASCII).fullmatch
_SECOND: Final = timedelta(seconds=1)
_TOKEN_ID_BYTES: Final = 16  # 128 bits


@record
class FileUrl:
    """A capability as the agent gets it. Whoever has the URL may be let in: keep it out of logs.

    Attributes:
        url: Where the agent fetches the file.
        expires_at: Until when, as RFC 3339.
        token_id: What it is revoked by.
    """

    url: str = field(repr=False)
    expires_at: str
    token_id: str

    @property
    def ref(self) -> UrlRef:
        """The same as `bytes_ref` of a file part."""
        return UrlRef(url=self.url, expires_at=self.expires_at)


def issue_file_url(
    key: FileKey,
    *,
    issuer: str,
    provider: str,
    audience: str,
    scope: Scope,
    turn: str,
    max_bytes: int,
    now: datetime,
    entropy: bytes,
    lifetime: timedelta = DEFAULT_LIFETIME,
) -> FileUrl:
    """The capability for one file, one agent and one turn: `https://<issuer>/api/<provider>/files/<token>`.

    Mint when the message is made, not before, and for each recipient by itself. Nothing is stored.

    Args:
        key: The key of the connector for file capabilities.
        issuer: The host of the connector: a bare DNS name in lower case.
        provider: The platform, as it stands in the path: `slack`, `discord`.
        audience: The one agent that may fetch it, as canonical `@agent@domain`.
        scope: The file.
        turn: The id of the message, or of the unit, that the file came with: up to 256 visible ASCII characters.
        max_bytes: How many bytes may be sent in all. Fetches that broke off and ranges count, too: the size of the file
            lets the agent fetch it once.
        now: The time, aware.
        entropy: At least 32 random bytes. The id of the token is made of them, of the file, the agent and the turn.
        lifetime: Whole seconds, a quarter of an hour at most.

    Raises:
        UsageError: An argument is of the wrong kind or out of bounds.

    Spec: Building a Connector (Lazy File Capabilities); Normalized Message §3.2; decisions C1.

    Example:
        >>> from datetime import UTC, datetime
        >>> key = FileKey.from_secret(b"a secret of thirty-two bytes ...", key_id="2026-11")
        >>> minted = issue_file_url(
        ...     key, issuer="connector.example", provider="slack", audience="@helper@agents.example",
        ...     scope=Scope(workspace="T123", channel="C123", file="F123"), turn="slack:T123/C123/1700000000.000100",
        ...     max_bytes=12_345, now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32),
        ... )
        >>> minted.url[:46], minted.expires_at
        ('https://connector.example/api/slack/files/eyJh', '2026-11-21T00:05:00Z')
    """
    check_now(now)
    check_entropy(entropy)
    _check(key, provider, audience, scope, turn, max_bytes)
    check_issuer(issuer)
    _check_lifetime(lifetime)
    issued, ends = seconds(now), seconds(now) + lifetime // _SECOND
    if not is_seconds(issued) or not is_seconds(ends):
        raise UsageError("now is before 1970 or after 9999")
    named = {"workspace": scope.workspace, "channel": scope.channel, "file": scope.file}
    secret = derive("files.mint", entropy, issuer, provider, audience, *named.values(), turn)
    token_id = base64url(secret[:_TOKEN_ID_BYTES])
    claims = {
        "ver": VERSION,
        "iss": issuer,
        "aud": audience,
        "iat": issued,
        "nbf": issued,
        "exp": ends,
        "jti": token_id,
        "turn": turn,
        "scope": named,
        "max_bytes": max_bytes,
    }
    url = f"https://{issuer}/api/{provider}/files/{_token(key, claims)}"
    return FileUrl(url=url, expires_at=format_time(moment_of(ends)), token_id=token_id)


def _check(key: object, provider: object, audience: object, scope: object, turn: object, max_bytes: object) -> None:
    """Raises `UsageError` when an argument of `issue_file_url` is out of bounds."""
    if not isinstance(key, FileKey):
        raise UsageError("key must be a FileKey")
    if not isinstance(provider, str) or not _PROVIDER(provider):
        raise UsageError("provider is up to 32 lower-case letters, digits and hyphens")
    if not isinstance(audience, str) or not is_canonical(audience):
        raise UsageError("audience is one agent as canonical @agent@domain")
    if not isinstance(scope, Scope):
        raise UsageError("scope must be a Scope")
    if not is_turn(turn):
        raise UsageError("turn is up to 256 visible ASCII characters")
    if not is_budget(max_bytes):
        raise UsageError("max_bytes is an integer from 1 to 2^53-1")


def _check_lifetime(lifetime: object) -> None:
    if not isinstance(lifetime, timedelta) or not _SECOND <= lifetime <= MAX_LIFETIME or lifetime % _SECOND:
        raise UsageError("lifetime is whole seconds, a quarter of an hour at most")


def _token(key: FileKey, claims: dict[str, Any]) -> str:
    """The claims as a compact JWS."""
    header = {"alg": key.algorithm, "kid": key.key_id, "typ": TYPE}
    signed = f"{base64url(dump_line(header).encode())}.{base64url(dump_line(claims).encode())}"
    return f"{signed}.{base64url(key.sign(signed.encode()))}"


def base64url(data: bytes) -> str:
    """Bytes as base64url without padding."""
    return urlsafe_b64encode(data).decode("ascii").rstrip("=")
