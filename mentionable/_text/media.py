"""Media types, file names and bytes from outside, in the form in which parts may hold them."""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode
from binascii import b2a_base64
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from .._flow.settings import Limits
from .._model.base import unchecked
from .._model.parts import ArtifactPart, BytesRef, DigestRef, FilePart, InlineRef
from .._model.rules import is_media_type

OCTET_STREAM: Final = "application/octet-stream"
"""The media type of bytes of which nothing is known."""

MAX_FILE_NAME: Final = 255
"""Characters of a file name that is not prose; of a longer one the end counts, where the extension is."""

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]++")
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]++"
)
"""Characters that show nothing and hide, turn or carry others. The joiners stay: scripts and emoji need them."""
_LOOK_ALIKE: Final = str.maketrans({"/": "\u2215", "\\": "\u2216"})

_inline_ref = unchecked(InlineRef)
_digest_ref = unchecked(DigestRef)


def media_type(text: str) -> str | None:
    """A media type in lower case without parameters, or None when `text` is none.

    Spec: Normalized Message §7 (canonicalization).
    """
    return _remembered(text) if len(text) <= 256 else _bare_media_type(text)


def _bare_media_type(text: str) -> str | None:
    bare = text.partition(";")[0].strip().lower()
    return bare if is_media_type(bare) else None


_remembered: Final = lru_cache(512)(_bare_media_type)


def single_line(text: str) -> str:
    """`text` as one line that shows what it holds: no controls, nothing invisible that turns or hides characters."""
    if not text.isprintable():
        text = _CONTROLS.sub(" ", text)  # of which none is printable
    return (text if text.isascii() else _INVISIBLE.sub("", text)).strip()


def file_name(text: str, *, is_prose: bool = False) -> str | None:
    """A name that is safe to give to a file: one line, no folders, nothing invisible; None when nothing is left.

    Args:
        text: The name as it came.
        is_prose: Whether it may be a description instead of a name. Then slashes between words become characters
            that look alike and separate nothing.
    """
    line = single_line(text)
    if "/" in line or "\\" in line:
        if is_prose and " " in line:
            return line.translate(_LOOK_ALIKE)
        line = line.replace("\\", "/").rpartition("/")[2].strip()
    if len(line) > MAX_FILE_NAME and not is_prose:
        line = line[-MAX_FILE_NAME:].lstrip()
    return None if line in ("", ".", "..") else line


def artifact_name(text: str) -> str | None:
    """The name of an artifact, which may be a description, without what no file name may have; or None."""
    described = file_name(text, is_prose=True)
    if described is None or len(described) <= MAX_FILE_NAME:
        return described
    return file_name(described)  # no longer than other names


def store_blob(data: bytes, *, limits: Limits, blobs: dict[str, bytes], digest: str | None = None) -> BytesRef:
    """A reference to `data`: the bytes themselves under the limit, else their digest, and the bytes go to `blobs`.

    Args:
        data: The bytes.
        limits: Has the limit.
        blobs: Takes bytes that are too many.
        digest: SHA-256 of the bytes in hex, when it is known already.

    Spec: Normalized Message §3.2 (BytesRef).
    """
    if len(data) < limits.inline_bytes:
        return _inline_ref(data_base64=b2a_base64(data, newline=False).decode("ascii"))
    digest = digest or hashlib.sha256(data).hexdigest()
    blobs[digest] = data
    return _digest_ref(digest=digest)


def inline_size(data_base64: str) -> int:
    """The number of bytes that standard padded base64 stands for."""
    return len(data_base64) // 4 * 3 - data_base64.count("=", -2)


def url_of(part: FilePart | ArtifactPart) -> str | None:
    """Where the bytes of a file or artifact lie, as far as it says so."""
    return None if isinstance(part.bytes_ref, InlineRef) else part.bytes_ref.url


def bytes_of(part: FilePart | ArtifactPart, blobs: Mapping[str, bytes] | None = None) -> bytes | None:
    """The bytes of a file or artifact, or None when they lie behind a URL or are not in `blobs`.

    Args:
        part: The file or artifact.
        blobs: `Received.blobs`, or your own store: SHA-256 in hex → bytes.

    Example:
        >>> from mentionable import FilePart
        >>> bytes_of(FilePart.of(b"hi", mime="text/plain"))
        b'hi'
    """
    match part.bytes_ref:
        case InlineRef(data_base64=data):
            return b64decode(data)
        case DigestRef(digest=digest):
            return (blobs or {}).get(digest)
        case _:
            return None
