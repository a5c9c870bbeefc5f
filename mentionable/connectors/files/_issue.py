"""Issuing the URL under which one agent may fetch one file for a few minutes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from attrs import field

from ..._errors.exceptions import UsageError
from ..._flow.settings import check_entropy, check_kind, check_now
from ..._model.base import frozen
from ..._model.file_scope import Scope
from ..._model.parts import UrlRef
from ..._model.trust import check_issuer
from ..._wire.address import is_canonical
from ..._wire.base64 import base64url_encode
from ..._wire.ids import derive
from ..._wire.strict_json import dump_line
from ..._wire.time import format_time
from .._members import id_form
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

_is_provider: Final = id_form("[a-z0-9][a-z0-9-]{0,31}")
_SECOND: Final = timedelta(seconds=1)
_TOKEN_ID_BYTES: Final = 16  # 128 bits


@frozen
class FileGrant:
    """What the capability in a file URL allows: one agent, one file, one turn, so many bytes.

    Attributes:
        audience: The one agent that may fetch the file, as canonical `@agent@domain`.
        scope: The file.
        turn: The id of the message or request that the file came with: up to 256 visible ASCII characters.
        max_bytes: How many bytes may be sent in all. Fetches that broke off and ranges count, too: the size of the file
            lets the agent fetch it once.
    """

    audience: str
    scope: Scope
    turn: str
    max_bytes: int


@frozen
class FileUrl:
    """A capability as the agent gets it. The URL is a credential: keep it out of logs.

    Attributes:
        url: Where the agent fetches the file.
        expires_at: When the capability expires, as RFC 3339.
        token_id: The id under which it is revoked.
    """

    url: str = field(repr=False)
    expires_at: str
    token_id: str

    @property
    def ref(self) -> UrlRef:
        """The same as `bytes_ref` of a file part."""
        return UrlRef(url=self.url, expires_at=self.expires_at)


def issue_file_url(
    grant: FileGrant,
    *,
    key: FileKey,
    issuer: str,
    provider: str,
    now: datetime,
    entropy: bytes,
    lifetime: timedelta = DEFAULT_LIFETIME,
) -> FileUrl:
    """Issue the URL of one file for one agent and one turn: `https://<issuer>/api/<provider>/files/<token>`.

    Issue it when the message is made, not before, and one for each recipient. Nothing is stored.

    Args:
        grant: What the URL allows.
        key: The key of the connector for file capabilities.
        issuer: The host of the connector: a bare DNS name in lower case.
        provider: The platform as the path names it: `slack`, `discord`.
        now: The time, aware.
        entropy: At least 32 random bytes. The id of the token is derived from them, the file, the agent and the turn.
        lifetime: Whole seconds, at most 15 minutes.

    Raises:
        UsageError: An argument is of the wrong kind or out of bounds.

    Spec: Building a Connector (Lazy File Capabilities); Normalized Message §3.2; decisions C1.

    Example:
        >>> from datetime import UTC, datetime
        >>> key = FileKey.from_secret(b"a secret of thirty-two bytes ...", key_id="2026-11")
        >>> grant = FileGrant(
        ...     audience="@helper@agents.example", scope=Scope(workspace="T123", channel="C123", file="F123"),
        ...     turn="slack:T123/C123/1700000000.000100", max_bytes=12_345,
        ... )
        >>> issued = issue_file_url(
        ...     grant, key=key, issuer="connector.example", provider="slack", now=datetime(2026, 11, 21, tzinfo=UTC),
        ...     entropy=bytes(32),
        ... )
        >>> issued.url[:46], issued.expires_at
        ('https://connector.example/api/slack/files/eyJh', '2026-11-21T00:05:00Z')
    """
    check_now(now)
    check_entropy(entropy)
    check_kind(key, FileKey, "key")
    _check_grant(grant)
    check_issuer(issuer)
    if not _is_provider(provider):
        raise UsageError("provider is up to 32 lower-case letters, digits and hyphens")
    if not _is_lifetime(lifetime):
        raise UsageError("lifetime is whole seconds, at most 15 minutes")
    issued_at, expires_at = seconds(now), seconds(now) + lifetime // _SECOND
    if not is_seconds(issued_at) or not is_seconds(expires_at):
        raise UsageError("now is before 1970 or after 9999")
    scope = {"workspace": grant.scope.workspace, "channel": grant.scope.channel, "file": grant.scope.file}
    secret = derive("files.mint", entropy, issuer, provider, grant.audience, *scope.values(), grant.turn)
    token_id = base64url_encode(secret[:_TOKEN_ID_BYTES])
    claims = {
        "ver": VERSION,
        "iss": issuer,
        "aud": grant.audience,
        "iat": issued_at,
        "nbf": issued_at,
        "exp": expires_at,
        "jti": token_id,
        "turn": grant.turn,
        "scope": scope,
        "max_bytes": grant.max_bytes,
    }
    header = {"alg": key.algorithm, "kid": key.key_id, "typ": TYPE}
    signed = f"{base64url_encode(dump_line(header).encode())}.{base64url_encode(dump_line(claims).encode())}"
    token = f"{signed}.{base64url_encode(key.sign(signed.encode()))}"
    url = f"https://{issuer}/api/{provider}/files/{token}"
    return FileUrl(url=url, expires_at=format_time(moment_of(expires_at)), token_id=token_id)


def _check_grant(grant: object) -> None:
    """Raise `UsageError` when a member of the grant is out of bounds."""
    if not isinstance(grant, FileGrant):
        raise UsageError("grant is a files.FileGrant(audience=..., scope=..., turn=..., max_bytes=...)")
    audience: object = grant.audience
    if not isinstance(audience, str) or not is_canonical(audience):
        raise UsageError("audience is one agent as canonical @agent@domain")
    if not isinstance(grant.scope, Scope):
        raise UsageError("scope must be a Scope")
    if not is_turn(grant.turn):
        raise UsageError("turn is up to 256 visible ASCII characters")
    if not is_budget(grant.max_bytes):
        raise UsageError("max_bytes is an integer from 1 to 2^53-1")


def _is_lifetime(value: object) -> bool:
    return isinstance(value, timedelta) and _SECOND <= value <= MAX_LIFETIME and not value % _SECOND
