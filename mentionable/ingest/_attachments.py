"""Files and links that came with a message, as blocks of a row.

A file is `{"type": "file", "mediaType": …, "data": …, "filename": …}`: the one form of block, that of the AI SDK, in
which a file of any kind can lie inside or behind a URL. `lower` makes of it what each provider takes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .._errors.exceptions import UsageError
from .._model.parts import ArtifactPart, FilePart, InlineRef, Part, UrlRef
from .._text.media import url_of
from .._text.plain_text import part_text
from ._content import quote_headers


class Attached(NamedTuple):
    """What came with a message.

    Attributes:
        lines: What can only be named, as text.
        files: The blocks of files whose bytes or URL are at hand.
        unseen: The places of files of which neither is.
    """

    lines: list[str]
    files: list[dict[str, Any]]
    unseen: list[int]


def attached(parts: Iterable[Part], blobs: Mapping[str, bytes]) -> Attached:
    """The parts as blocks of files and lines of text.

    What can only be named stands in the text of its message, under the header of the sender, and is never a block of
    its own: whoever chooses a file name would speak without a header there.
    """
    found = Attached([], [], [])
    for place, part in enumerate(parts):
        is_file = isinstance(part, (FilePart, ArtifactPart))
        if isinstance(part, (FilePart, ArtifactPart)) and (data := _data(part, blobs)) is not None:
            named = {} if part.name is None else {"filename": part.name}
            found.files.append({"type": "file", "mediaType": part.mime, "data": data, **named})
        else:
            found.lines.append(quote_headers(part_text(part)))
            found.unseen.extend([place] if is_file else [])
    return found


def _data(part: FilePart | ArtifactPart, blobs: Mapping[str, bytes]) -> str | None:
    """The bytes of a file as base64, or the URL behind which they lie; None when neither is at hand."""
    reference = part.bytes_ref
    if isinstance(reference, InlineRef):
        return reference.data_base64
    if not isinstance(reference, UrlRef) and reference.digest in blobs:
        data: object = blobs[reference.digest]
        if not isinstance(data, bytes):
            raise UsageError("blobs is a mapping of bytes by their SHA-256 in hex")
        return b64encode(data).decode("ascii")
    return url_of(part)
