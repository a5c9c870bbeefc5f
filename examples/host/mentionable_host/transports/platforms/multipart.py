"""Forms with files, as the APIs of platforms take them (RFC 7578)."""

from __future__ import annotations

from collections.abc import Mapping

import httpx
from mentionable.connectors import Upload

__all__ = ["multipart"]


def multipart(fields: Mapping[str, str], files: Mapping[str, Upload]) -> tuple[str, bytes]:
    """The media type and the body of a form."""
    parts = {name: (one.name, one.data, one.mime) for name, one in files.items()}
    request = httpx.Request("POST", "https://form.invalid/", data=dict(fields), files=parts)
    return request.headers["content-type"], request.read()
