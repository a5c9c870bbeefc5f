"""Connects to a place for a moment: what a mail server offers, and how long a certificate is valid."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime
from typing import Final

from mentionable import Failed

from mentionable_host.world.world import Place

__all__ = ["certificate_end", "greeting"]

SECONDS: Final = 5
LINE_BYTES: Final = 1000
LINES: Final = 64


async def greeting(place: Place, *, seconds: float = SECONDS) -> list[str] | Failed:
    """What a mail server says first, and which extensions it offers (RFC 5321 §4.1.1.1)."""
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(*place, limit=LINE_BYTES)
            try:
                lines = [await reader.readline()]
                if lines[0].startswith(b"220 "):
                    writer.write(b"EHLO localhost\r\n")
                    while len(lines) < LINES and not lines[-1].startswith(b"250 ") and lines[-1]:
                        lines.append(await reader.readline())
            finally:
                writer.transport.abort()
    except TimeoutError:
        return Failed("it does not answer in time")
    except (OSError, ValueError) as error:  # ValueError: its line has no end
        return Failed(getattr(error, "strerror", None) or "it says too much")
    return [line.decode("latin-1").strip() for line in lines]


async def certificate_end(
    place: Place, host: str, *, tls: ssl.SSLContext | None = None, seconds: float = SECONDS
) -> datetime | Failed:
    """When the certificate of a host ends; it is verified as browsers do."""
    try:
        async with asyncio.timeout(seconds):
            context = tls or ssl.create_default_context()
            _, writer = await asyncio.open_connection(*place, ssl=context, server_hostname=host)
            try:
                certificate = writer.get_extra_info("peercert") or {}
            finally:
                writer.transport.abort()
    except TimeoutError:
        return Failed("it does not answer in time")
    except ssl.SSLCertVerificationError as error:
        return Failed(error.verify_message, temporary=False)
    except (OSError, ValueError) as error:
        return Failed(getattr(error, "strerror", None) or type(error).__name__)
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)
