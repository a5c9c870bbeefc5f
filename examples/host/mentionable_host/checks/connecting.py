"""Connects to a place for a moment: what it greets with, and how long its certificate is valid."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime
from typing import Final

from mentionable import Failed

from mentionable_host.world.world import Place

__all__ = ["certificate_end", "greeting"]

SECONDS: Final = 5
GREETING_BYTES: Final = 1000


async def greeting(place: Place, *, seconds: float = SECONDS) -> bytes | Failed:
    """What a server says first."""
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(*place, limit=GREETING_BYTES)
            try:
                return await reader.readline()
            finally:
                writer.transport.abort()
    except TimeoutError:
        return Failed("it does not answer in time")
    except (OSError, ValueError) as error:  # ValueError: its line has no end
        return Failed(getattr(error, "strerror", None) or "it says too much")


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
