"""Forms that a browser sends: fields, and the text of a file that was picked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import HTTP
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

__all__ = ["MAX_BYTES", "FormError", "read_form"]

MAX_BYTES: Final = 8_000_000
"""A list of blocks has so many bytes at most, and nothing else comes near."""
MAX_FIELDS: Final = 40
SECONDS: Final = 60
"""So long a browser has to send one."""


class FormError(Exception):
    """A form that cannot be read. Its message is for the browser."""


async def read_form(request: Request, *, limit: int = MAX_BYTES) -> Mapping[str, str]:
    """Field → text; of several fields of a name the last one.

    Args:
        request: The request.
        limit: So many bytes at most.

    Raises:
        FormError: It is too large, or no form.
    """
    kind, body = request.headers.get("content-type", ""), await _body(request, limit)
    if kind.startswith("application/x-www-form-urlencoded"):
        try:
            pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_FIELDS)
        except ValueError as error:  # a UnicodeDecodeError is one too
            raise FormError("the form cannot be read") from error
        return dict(pairs)
    if kind.startswith("multipart/form-data") and kind.isascii() and "\n" not in kind:
        return _parts(kind, body)
    raise FormError("this is no form")


async def _body(request: Request, limit: int) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise FormError(f"the form is too large: {limit:,} bytes at most")
    except TimeoutError as error:
        raise FormError("the form did not come in time") from error
    except ClientDisconnect as error:
        raise FormError("the form did not come whole") from error
    return bytes(body)


def _parts(kind: str, body: bytes) -> dict[str, str]:
    try:
        message = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + body, policy=HTTP)
    except RecursionError as error:  # parts in parts in parts
        raise FormError("the form cannot be read") from error
    found: dict[str, str] = {}
    parts = message.get_payload() if message.is_multipart() else []
    for part in [*parts][:MAX_FIELDS]:
        name = part.get_param("name", header="content-disposition") if isinstance(part, EmailMessage) else None
        data = part.get_payload(decode=True) if isinstance(part, EmailMessage) else None
        if isinstance(name, str) and isinstance(data, bytes):
            found[name] = data.decode("utf-8", "replace")
    if not found:
        raise FormError("the form cannot be read")
    return found
