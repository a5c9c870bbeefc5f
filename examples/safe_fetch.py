"""A `fetch` that may be let loose on the Internet: the five steps of docs/security.md. Needs `pip install httpx`.

`fastapi_inbox.py` uses it. Behind an egress proxy that checks addresses itself, a plain GET does.
"""

import asyncio
import socket
import ssl

import httpx

from mentionable import Failed, Fetch, Fetched, UsageError, evolve, is_public_address

SECONDS = 10
REDIRECTS = 3
TLS = ssl.create_default_context()


async def fetch(ask: Fetch) -> Fetched | Failed:
    """What a GET brings, within `SECONDS` for all of it. WebFinger alone may lead elsewhere, checked at each step."""
    try:
        async with asyncio.timeout(SECONDS):
            for _ in range(REDIRECTS + 1):
                url = httpx.URL(ask.url)
                got, location = await get(ask, url, await public_address(url.raw_host.decode()))
                if not location or ask.purpose != "webfinger":
                    break
                ask = evolve(ask, url=str(url.join(location)))  # raises for a URL that may not be asked for
            return got
    except (OSError, UsageError, httpx.HTTPError, httpx.InvalidURL) as error:
        return Failed(f"{type(error).__name__}: {error}")


async def public_address(host: str) -> str:
    """An address of `host`; all that it has must be public."""
    found = await asyncio.get_running_loop().getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    addresses = [str(place[0]) for *_, place in found]
    if not all(map(is_public_address, addresses)):
        raise OSError(f"{host} leads to an address that is not public")
    return addresses[0]


async def get(ask: Fetch, url: httpx.URL, address: str) -> tuple[Fetched, str]:
    """The document, from that address and no other; and where it says that it is, when it redirects."""
    host = url.raw_host.decode()
    # Bytes that are not packed cannot swell: whoever packs them nevertheless is read as what he sent.
    headers = {"host": host, "accept": ask.accept, "accept-encoding": "identity"}
    names = {"sni_hostname": host}  # the certificate must be that of the name
    body = bytearray()
    # A client for each GET keeps no cookies; `trust_env` would let in proxies and the passwords of .netrc.
    async with (
        httpx.AsyncClient(verify=TLS, trust_env=False, follow_redirects=False) as client,
        client.stream("GET", url.copy_with(host=address), headers=headers, extensions=names) as answer,
    ):
        async for chunk in answer.aiter_raw(65_536):
            body += chunk
            if len(body) > ask.max_bytes:
                break
        kind = answer.headers.get("content-type", "")
        location = answer.headers.get("location", "") if 300 <= answer.status_code < 400 else ""
    return Fetched(url=ask.url, status=answer.status_code, content_type=kind, body=bytes(body)), location
