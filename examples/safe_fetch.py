"""`fetch` and `post` that may be let loose on the Internet: the steps of docs/security.md. Needs `pip install httpx`.

`slack_connector.py` and `agent_server.py` use them; `mentionable-host` has its own. Behind an egress proxy that checks
addresses itself, a plain client does.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx

from mentionable import (
    Failed,
    Fetch,
    Fetched,
    HttpRequest,
    HttpResponse,
    Limits,
    is_public_address,
    replace,
)

SECONDS = 10
REDIRECTS = 1
TLS = ssl.create_default_context()
NAMES = ThreadPoolExecutor(64, "names")  # of its own: a name that takes long keeps a thread, also when nobody waits
NO_ANSWER = (OSError, ValueError, httpx.HTTPError, httpx.InvalidURL)  # ValueError: text that is no URL, or no name


async def fetch(ask: Fetch, *, sign: Callable[[HttpRequest], HttpRequest] = lambda get: get) -> Fetched | Failed:
    """What a GET brings, within `SECONDS` for all of it. WebFinger alone may lead elsewhere, checked at each step."""
    try:
        async with asyncio.timeout(SECONDS):
            for left in range(REDIRECTS, -1, -1):
                got = await exchange(sign(ask.request), ask.max_bytes)
                location = got.header("location")
                if not left or ask.purpose != "webfinger" or not location or not 300 <= got.status < 400:
                    break
                ask = replace(ask, url=str(httpx.URL(ask.url).join(location)))  # raises for one that may not be asked
            kind = got.header("content-type") or ""
            return Fetched(url=ask.url, status=got.status, content_type=kind, body=got.body)
    except NO_ANSWER as error:
        return Failed(f"{type(error).__name__}: {error}")


async def post(request: HttpRequest, *, seconds: float = SECONDS) -> HttpResponse:
    """What an inbox or another agent answers, without redirects; 503 when nobody answered, since later somebody may."""
    try:
        async with asyncio.timeout(seconds):
            return await exchange(request, Limits().a2a_bytes)
    except NO_ANSWER as error:
        return HttpResponse(status=503, body=f"{type(error).__name__}: {error}".encode())


async def place(host: str) -> tuple[str, int]:
    """The address and the port of `host`; all addresses that it has must be public."""
    ask = partial(socket.getaddrinfo, host, 443, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(NAMES, ask)
    addresses = [str(one[0]) for *_, one in found]
    if not (addresses and all(map(is_public_address, addresses))):
        raise OSError(f"{host} leads to an address that is not public")
    return addresses[0], 443


async def exchange(request: HttpRequest, max_bytes: int) -> HttpResponse:
    """The answer to one request, from the address that was checked and no other."""
    url = httpx.URL(request.url)
    if url.scheme != "https" or url.port not in (None, 443):
        raise OSError("only https on its own port is asked")
    host = url.raw_host.decode()
    address, port = await place(host)
    # Bytes that are not packed cannot swell: whoever packs them nevertheless is read as what he sent.
    headers = {**dict(request.headers), "host": host, "accept-encoding": "identity"}
    names = {"sni_hostname": host}  # the certificate must be that of the name
    there, body = url.copy_with(host=address, port=port), bytearray()
    # A client for each exchange keeps no cookies; `trust_env` would let in proxies and the passwords of .netrc.
    async with (
        httpx.AsyncClient(verify=TLS, trust_env=False, follow_redirects=False) as client,
        client.stream(request.method, there, headers=headers, content=request.body, extensions=names) as answer,
    ):
        async for chunk in answer.aiter_raw(65_536):
            body += chunk
            if len(body) > max_bytes:
                break
        return HttpResponse(status=answer.status_code, headers=dict(answer.headers), body=bytes(body))
