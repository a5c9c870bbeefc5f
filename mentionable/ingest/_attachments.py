"""Converts the files and links of a message to blocks of a row.

A file is `{"type": "file", "mediaType": …, "data": …, "filename": …}`, the block of the AI SDK: the one form that can
hold a file of any kind, or its URL. `lower` converts it for each provider.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .._errors.exceptions import UsageError
from .._model.parts import ArtifactPart, FilePart, InlineRef, Part, TextPart, UrlRef
from .._text.enclosed_text import described, enclosed_text
from .._text.fold import quote_imitations
from .._text.headers import is_of_others
from .._text.media import url_of
from .._text.plain_text import part_text


class Attached(NamedTuple):
    """The attachments of a message.

    Attributes:
        lines: Those that only text can represent.
        files: Blocks of the files whose bytes or URL are known.
        missing: The indexes of the files of which neither is known.
    """

    lines: list[str]
    files: list[dict[str, Any]]
    missing: list[int]


def attached(parts: Iterable[Part], blobs: Mapping[str, bytes]) -> Attached:
    """Convert parts to blocks of files and lines of text.

    What a file says beyond its name, such as an invitation, is lines too, and the file stays a block. Text that others
    wrote is lines under their name, each after `> `.

    The lines belong in the text of the message, after the header of its sender, and are never blocks of their own: an
    attacker who chooses a file name would speak without a header there.
    """
    attachments = Attached([], [], [])
    for place, part in enumerate(parts):
        is_block = False
        if isinstance(part, (FilePart, ArtifactPart)):
            if (data := _data(part, blobs)) is None:
                attachments.missing.append(place)
            else:
                is_block = True
                filename = {} if part.name is None else {"filename": part.name}
                attachments.files.append({"type": "file", "mediaType": part.mime, "data": data, **filename})
        if isinstance(part, TextPart) and is_of_others(part):
            attachments.lines.append(part_text(part))
        elif not is_block or (isinstance(part, FilePart) and enclosed_text(part)):
            attachments.lines.append(quote_imitations(described(part)))
    return attachments


def _data(part: FilePart | ArtifactPart, blobs: Mapping[str, bytes]) -> str | None:
    """The bytes of a file as base64, or its URL; None if neither is known."""
    reference = part.bytes_ref
    if isinstance(reference, InlineRef):
        return reference.data_base64
    if not isinstance(reference, UrlRef) and reference.digest in blobs:
        data: object = blobs[reference.digest]
        if not isinstance(data, bytes):
            raise UsageError("blobs is a mapping of bytes by their SHA-256 in hex")
        return b64encode(data).decode("ascii")
    return url_of(part)
