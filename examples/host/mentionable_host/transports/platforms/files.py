"""Files that people send on a platform: fetched before the message is stored, since the platform keeps them for itself.

The connector names each file by a URL that only this host could serve. That is replaced by the bytes, or by a line that
says why there are none: the file is too large, or gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from mentionable import DigestRef, FilePart, Part, Received, TextPart, UrlRef, drive, replace
from mentionable.connectors.files import Capability, verify

from mentionable_host.queue.outcome import Retry

if TYPE_CHECKING:
    from mentionable_host.transports.platforms.platform import Platform

__all__ = ["fetched"]

FILE_BYTES: Final = 16_000_000
"""A file that is larger is named, and not fetched: `World.send` reads no larger answers."""
NAME: Final = 100


async def fetched(
    platform: Platform[Any, Any], got: Received, *, target: Mapping[str, Any], is_last: bool
) -> Received | Retry:
    """A message with its files.

    Args:
        platform: Where they are.
        got: The message.
        target: What was kept of the event: where Discord has its files.
        is_last: Whether a file that cannot be had just now is not tried again.
    """
    [message] = got.messages
    parts: list[Part] = []
    blobs, left = dict(got.blobs), platform.host.config.limits.file_bytes
    for part in message.parts:
        file = _own(platform, part, recipient=message.recipient)
        if file is None or not isinstance(part, FilePart):
            parts.append(part)
            continue
        limit = min(FILE_BYTES, left)
        if (part.size_bytes or 0) > limit:
            parts.append(_named(part, "too large"))
            continue
        data = await platform.file(file.scope.file, target=target)
        if isinstance(data, Retry) and not is_last:
            return data
        if data is None or isinstance(data, Retry):
            parts.append(_named(part, "not available"))
            continue
        if len(data) > limit:
            parts.append(_named(part, "too large"))
            continue
        digest = sha256(data).hexdigest()
        blobs[digest], left = data, left - len(data)
        parts.append(replace(part, bytes_ref=DigestRef(digest=digest), size_bytes=len(data)))
    if tuple(parts) == message.parts:
        return got
    return replace(got, messages=(replace(message, parts=tuple(parts)),), blobs=blobs)


def _own(platform: Platform[Any, Any], part: Part, *, recipient: str) -> Capability | None:
    """The file behind a URL of ours; None where the part has none."""
    if not isinstance(part, FilePart) or not isinstance(part.bytes_ref, UrlRef):
        return None
    token, now = part.bytes_ref.url.rpartition("/")[2], platform.host.world.now()
    keys, issuer = [platform.file_key], platform.issuer
    found = drive(
        verify(token, keys=keys, issuer=issuer, presenter=recipient, now=now, revocable=False), lambda ask: None
    )
    return found if isinstance(found, Capability) else None


def _named(part: FilePart, why: str) -> TextPart:
    return TextPart(content=f"[file: {(part.name or part.mime)[:NAME]}, {why}]", mime="text/plain")
