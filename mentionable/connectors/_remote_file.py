"""Files that a platform holds: named in the message, and fetched through the connector alone.

The platform's token or signed URL never leaves the connector. An agent gets a URL of the Connector Instance instead,
for this file, this agent and a few minutes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Self

from .._model.base import EMPTY_DICT, frozen
from .._model.diagnostic import Diagnostic
from .._model.parts import FilePart
from .._text.media import OCTET_STREAM, file_name, media_type
from .._wire.strict_json import whole_number
from ._receive_context import ReceiveContext
from .files import FileGrant, Scope, issue_file_url

_UNKNOWN_SIZE: Final = 26_214_400
"""The bytes that may be fetched of a file whose size is unknown."""


@frozen
class RemoteFile:
    """A file, as the platform names it.

    Attributes:
        id: The platform's id of it: letters, digits, `.`, `_` and `-`.
        at: Its JSON pointer in the request.
        name: Its name.
        mime: Its media type.
        size: Its bytes.
        extra: Members of ours that its part gets: frozen JSON.
    """

    id: str
    at: str
    name: str | None = None
    mime: str = OCTET_STREAM
    size: int | None = None
    extra: Mapping[str, Any] = EMPTY_DICT

    @classmethod
    def parse(cls, id: str, at: str, *, name: Any, mime: Any, size: Any) -> Self:
        """A file, with the platform's facts about it that are well-formed.

        Args:
            id: The platform's id of it: 1 to 64 letters, digits, `.`, `_` and `-`.
            at: Its JSON pointer in the request.
            name: Its name; a path becomes its last part.
            mime: Its media type; what is none becomes `application/octet-stream`.
            size: Its bytes.

        Example:
            >>> RemoteFile.parse("F1", "/files/0", name="../report.pdf", mime="application/pdf", size=3).name
            'report.pdf'
        """
        return cls(
            id=id,
            at=at,
            name=file_name(name) if isinstance(name, str) else None,
            mime=(media_type(mime) if isinstance(mime, str) else None) or OCTET_STREAM,
            size=whole_number(size),
        )


def file_parts(
    files: Iterable[RemoteFile],
    *,
    context: ReceiveContext,
    agent: str,
    provider: str,
    place: tuple[str, str],
    turn: str,
) -> tuple[list[FilePart], list[Diagnostic]]:
    """The files as parts, each behind a URL of the connector, and diagnostics of those that are left out.

    Args:
        files: The files that the platform holds.
        context: Has the key that signs the URLs, and the issuer whose host they name. Without either all files are left
            out.
        agent: The agent that may fetch them.
        provider: The platform.
        place: The workspace and the channel where they were shared.
        turn: The native id of the message that they came with.

    Spec: Building a Connector §Lazy File Capabilities.
    """
    parts, diagnostics = [], []
    for file in files:
        if context.files is None or context.issuer is None:
            detail = f"{file.name or 'a file'} ({file.mime}) is held by the platform, and no URL can be issued"
            diagnostics.append(Diagnostic(code="part-unsupported", at=file.at, detail=detail))
            continue
        grant = FileGrant(
            audience=agent,
            scope=Scope(workspace=place[0], channel=place[1], file=file.id),
            turn=turn,
            max_bytes=file.size or _UNKNOWN_SIZE,
        )
        issued = issue_file_url(
            grant,
            key=context.files,
            issuer=context.issuer,
            provider=provider,
            now=context.now,
            entropy=context.entropy,
        )
        ref, extra = issued.ref, file.extra
        parts.append(FilePart(mime=file.mime, name=file.name, size_bytes=file.size, bytes_ref=ref, extra=extra))
    return parts, diagnostics
