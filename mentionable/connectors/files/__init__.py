"""Lazy file capabilities: an agent gets a URL instead of a file, and the connector streams the file when it is fetched.

A platform gives a file to any bearer of its token. A connector never forwards that token, nor the platform's URLs: it
issues a URL of its own, for one file, one agent, one turn, a few minutes and so many bytes. `verify` checks each fetch,
and `ByteQuota` counts the bytes before each write.

Example:
    >>> from datetime import UTC, datetime
    >>> from mentionable import FilePart, drive
    >>> from mentionable.connectors import files
    >>> now = datetime(2026, 11, 21, tzinfo=UTC)
    >>> key = files.FileKey.from_secret(b"a secret of thirty-two bytes ...", key_id="2026-11")
    >>> grant = files.FileGrant(
    ...     audience="@helper@agents.example", scope=files.Scope(workspace="T123", channel="C123", file="F123"),
    ...     turn="m1", max_bytes=12_345,
    ... )
    >>> issued = files.issue_file_url(
    ...     grant, key=key, issuer="connector.example", provider="slack", now=now, entropy=bytes(32),
    ... )
    >>> part = FilePart(mime="application/pdf", name="report.pdf", size_bytes=12_345, bytes_ref=issued.ref)
    >>> flow = files.verify(
    ...     part.bytes_ref.url.rpartition("/")[2], keys=[key], issuer="connector.example",
    ...     presenter="@helper@agents.example", now=now,
    ... )
    >>> drive(flow, lambda ask: False).scope.file
    'F123'

Spec: Building a Connector (Lazy File Capabilities); Normalized Message §3.2.
"""

from ..._flow.asks import CheckRevoked, ConsumeBytes, FilesAsk
from ..._model.file_scope import Scope
from ._capability import DEFAULT_LIFETIME, MAX_LIFETIME, Capability
from ._issue import FileGrant, FileUrl, issue_file_url
from ._key import FileKey
from ._quota import ByteQuota
from ._response import RESPONSE_HEADERS, error_response, response_headers
from ._verify import ExpectedFile, verify

__all__ = [
    "DEFAULT_LIFETIME",
    "MAX_LIFETIME",
    "RESPONSE_HEADERS",
    "ByteQuota",
    "Capability",
    "CheckRevoked",
    "ConsumeBytes",
    "ExpectedFile",
    "FileGrant",
    "FileKey",
    "FileUrl",
    "FilesAsk",
    "Scope",
    "error_response",
    "issue_file_url",
    "response_headers",
    "verify",
]
