"""Files and artifacts of a response → attachments of a note, and the files that its server must serve for them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from attrs import field

from ..._flow.settings import Limits
from ..._model.base import record, replace
from ..._model.message import NormalizedResponse
from ..._model.parts import ArtifactPart, DigestRef, FilePart, UrlRef
from ..._model.rules import bare_type
from ..._text.media import one_line, url_of
from ..._transport.reply import content_of

_TYPES: Final[Mapping[str, str]] = {"image": "Image", "audio": "Audio", "video": "Video"}
_EXTENSIONS: Final[Mapping[str, str]] = {
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/zip": ".zip",
    "audio/flac": ".flac",
    "audio/mpeg": ".mp3",
    "audio/ogg": ".ogg",
    "audio/wav": ".wav",
    "image/avif": ".avif",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
    "text/csv": ".csv",
    "text/markdown": ".md",
    "text/plain": ".txt",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
}
"""Media type → what its URL ends in, for servers that go by the name."""

_ACTIVE: Final = frozenset({"image/svg+xml"})
"""Pictures that may act when they are opened by themselves."""


@record
class ServedFile:
    """A file that you serve from now on, under the URL that stands beside it in `Outgoing.files`.

    Attributes:
        mime: Its media type.
        data: Its bytes.
    """

    mime: str
    data: bytes = field(repr=False)

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The headers to serve it with: nothing of it acts in the name of your host, whatever it holds."""
        is_media = self.mime.partition("/")[0] in _TYPES and bare_type(self.mime) not in _ACTIVE
        return (
            ("content-type", self.mime),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; sandbox"),
            ("content-disposition", "inline" if is_media else "attachment"),
        )


class Attachments(NamedTuple):
    """What becomes of the files of a response.

    Attributes:
        entries: The attachments of the note.
        places: The parts that they stand for.
        files: URL → what to serve there.
        response: The response; where a file is more than a note may have, its URL is in its place.
    """

    entries: list[dict[str, Any]]
    places: frozenset[int]
    files: dict[str, ServedFile]
    response: NormalizedResponse


def attachments_of(
    response: NormalizedResponse, *, base: str, blobs: Mapping[str, bytes], limits: Limits
) -> Attachments:
    """The attachments of a note. What has a URL keeps it; other bytes are served under `base`, by their SHA-256.

    Links are no attachments: they stand in the text. Files beyond `limits.attachments` are linked there too.

    Raises:
        UsageError: Bytes are missing in `blobs`, or are others than their digest says.

    Spec: Normalized Message §3.2 (BytesRef); ActivityStreams 2.0 Vocabulary (`attachment`).
    """
    entries: list[dict[str, Any]] = []
    places: set[int] = set()
    files: dict[str, ServedFile] = {}
    linked: dict[int, FilePart | ArtifactPart] = {}
    for index, part in enumerate(response.parts):
        if not isinstance(part, (FilePart, ArtifactPart)):
            continue
        url = _url(part, index, base, blobs, files)
        if len(entries) < limits.attachments:
            places.add(index)
            entries.append(_entry(part, url))
        else:
            linked[index] = replace(part, bytes_ref=UrlRef(url=url))
    if linked:
        response = replace(response, parts=tuple([linked.get(at, part) for at, part in enumerate(response.parts)]))
    return Attachments(entries, frozenset(places), files, response)


def _url(
    part: FilePart | ArtifactPart, index: int, base: str, blobs: Mapping[str, bytes], files: dict[str, ServedFile]
) -> str:
    """Where the bytes of a part can be had; `files` takes what must be served for that."""
    known, reference = url_of(part), part.bytes_ref
    if known is not None:
        return known
    data = content_of(part, index, blobs) or b""
    digest = reference.digest if isinstance(reference, DigestRef) else sha256(data).hexdigest()
    file = ServedFile(mime=part.mime, data=data)
    url = f"{base}/files/{digest}{_EXTENSIONS.get(bare_type(part.mime), '')}"
    if files.setdefault(url, file).mime != part.mime:  # the same bytes as another type
        url = f"{base}/files/{digest}-{sha256(part.mime.encode()).hexdigest()[:8]}"
        files[url] = file
    return url


def _entry(part: FilePart | ArtifactPart, url: str) -> dict[str, Any]:
    entry = {"type": _TYPES.get(part.mime.partition("/")[0], "Document"), "mediaType": part.mime, "url": url}
    name = one_line(part.name or "")
    return {**entry, "name": name} if name else entry
