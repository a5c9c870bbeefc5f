"""The content of files: base64 text, URLs, media types and file names of A2A parts."""

from __future__ import annotations

from binascii import a2b_base64
from hashlib import sha256
from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._model.base import unchecked
from ..._model.parts import BytesRef, DigestRef, InlineRef, UrlRef, inline
from ..._text import media as _files
from ..._text.media import OCTET_STREAM, inline_size
from ..._wire.http import is_web_url
from ..._wire.strict_json import whole_number
from ..._wire.time import utc_text
from .parse_context import ParseContext

_ALPHABET: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_FROM_URL_SAFE: Final = bytes.maketrans(b"-_", b"+/")
_TEXTUAL: Final = ("json", "xml", "yaml", "javascript", "x-www-form-urlencoded", "x-pem-file", "pkcs8", "pgp-")
_HEX: Final = frozenset("0123456789abcdef")

_new_inline: Final = unchecked(InlineRef)
_new_url: Final = unchecked(UrlRef)
_new_digest: Final = unchecked(DigestRef)


def media_type(text: Any) -> str:
    """A media type in lower case without parameters; `application/octet-stream` when there is no usable one."""
    if text is None:
        return OCTET_STREAM
    if text.__class__ is not str:
        raise wire_error("wrong-type", "", "a media type must be a string")
    return _files.media_type(text) or OCTET_STREAM


def file_name(text: Any) -> str | None:
    """A safe file name, or None."""
    if text is None:
        return None
    if text.__class__ is not str:
        raise wire_error("wrong-type", "", "a file name must be a string")
    return _files.file_name(text)


def read_url(url: Any, hints: dict[str, Any]) -> BytesRef | None:
    """The reference to a URL, or None for a URL that is not safe to pass on."""
    if url.__class__ is not str:
        raise wire_error("wrong-type", "", "a URL must be a string")
    if not is_web_url(url):
        return None
    if not hints:
        return _new_url(url=url)
    digest = hints.get("sha256")
    if digest.__class__ is str and len(digest) == 64 and _HEX.issuperset(digest):
        return _new_digest(digest=digest, url=url)
    return _new_url(url=url, expires_at=utc_text(hints.get("expires_at")))


def declared_size(hints: dict[str, Any]) -> int | None:
    """The size of the content of a URL, as the sender states it; None when that is no size."""
    return whole_number(hints.get("size_bytes"))


def read_base64(text: Any, context: ParseContext) -> tuple[BytesRef, int]:
    """The reference to bytes in base64, and their number.

    Standard and URL-safe alphabets are accepted, with or without padding, as in ProtoJSON; nothing else is.

    Raises:
        WireError: `bad-base64`, `wrong-type`.
    """
    if text.__class__ is not str:
        raise wire_error("wrong-type", "", "base64 must be a string")
    standard = standard_base64(text)
    if standard is None:
        raise wire_error("bad-base64", "", "neither standard nor URL-safe base64")
    size = inline_size(standard)
    if size >= context.limits.inline_bytes and context.blobs is not None:
        return refer_to(a2b_base64(standard), context), size
    return _new_inline(data_base64=standard), size


def named_by_digest(reference: BytesRef, hints: dict[str, Any], context: ParseContext) -> BytesRef:
    """Replace inline bytes by their digest where the sender states it; a wrong digest changes nothing."""
    digest = hints.get("sha256")
    if not (context.blobs is not None and isinstance(reference, InlineRef) and digest.__class__ is str):
        return reference
    data = a2b_base64(reference.data_base64)
    if sha256(data).hexdigest() != digest:
        return reference
    context.blobs[digest] = data
    return _new_digest(digest=digest)


def is_of_size(text: Any, size: int | None) -> bool:
    """Whether `text` is base64 of `size` bytes."""
    standard = standard_base64(text) if size is not None and text.__class__ is str else None
    return standard is not None and inline_size(standard) == size


def standard_base64(text: str) -> str | None:
    """`text` as standard padded base64, or None when it is not base64."""
    if not text.isascii():
        return None
    others = text.encode("ascii").translate(None, _ALPHABET)
    if others in (b"", b"=", b"==") and len(text) % 4 == 0 and text.endswith(others.decode("ascii")):
        return text
    digits = text.rstrip("=")
    padding = len(text) - len(digits)
    if (padding and (padding > 2 or len(text) % 4)) or len(digits) % 4 == 1:
        return None
    if others.translate(None, b"-_").strip(b"=") or b"=" in others[: len(others) - padding]:
        return None
    if others.strip(b"="):
        if "+" in digits or "/" in digits:  # both alphabets at once: neither
            return None
        digits = digits.encode("ascii").translate(_FROM_URL_SAFE).decode("ascii")
    return digits + "=" * (-len(digits) % 4)


def refer_to(data: bytes, context: ParseContext) -> BytesRef:
    """The reference to bytes: inline, or to a blob when they are too many and there is a store for them."""
    if context.blobs is None:
        return inline(data)
    return _files.store_blob(data, limits=context.limits, blobs=context.blobs)


def double_base64(text: Any, mime: str) -> str | None:
    """The inner base64 of bytes that were encoded twice, as one SDK's v0.3 REST binding does; else None.

    A file that is text may consist of base64 digits, so only other files are checked, and the inner text must be
    base64 to the letter.
    """
    if text.__class__ is not str or mime.startswith(("text/", "message/")) or any(word in mime for word in _TEXTUAL):
        return None
    outer = standard_base64(text)
    if not outer:
        return None
    inner = a2b_base64(outer)
    if len(inner) % 4 or inner.rstrip(b"=").translate(None, _ALPHABET) or len(inner) - len(inner.rstrip(b"=")) > 2:
        return None
    return inner.decode("ascii")
