"""A small push service: it subscribes browsers, takes messages as RFC 8030 has it, and reads them as a browser would.

It decrypts with code of its own, so that it finds what the host does wrong.
"""

from __future__ import annotations

import asyncio
import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from hmac import digest as hmac_of

import jwt
from attrs import define, field
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from mentionable import Failed, HttpRequest, HttpResponse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

__all__ = ["ORIGIN", "Browser", "PushService", "decrypted", "unpadded"]

ORIGIN = "https://push.example"
MAX_BYTES = 4_096


def unpadded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def raw(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def decrypted(body: bytes, *, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """What a browser reads: RFC 8188 §2.1 and RFC 8291 §3.4, step by step."""
    salt, record, length = body[:16], int.from_bytes(body[16:20]), body[20]
    other, sealed = body[21 : 21 + length], body[21 + length :]
    if length != 65 or len(sealed) > record:
        raise ValueError("this is not one record with a key of P-256")
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), other))
    secret = hmac_of(hmac_of(auth, shared, sha256), b"WebPush: info\0" + point(key) + other + b"\1", sha256)
    begun = hmac_of(salt, secret, sha256)
    content_key = hmac_of(begun, b"Content-Encoding: aes128gcm\0\1", sha256)[:16]
    nonce = hmac_of(begun, b"Content-Encoding: nonce\0\1", sha256)[:12]
    padded = AESGCM(content_key).decrypt(nonce, sealed, None).rstrip(b"\0")
    if not padded.endswith(b"\2"):
        raise ValueError("this is not the last record")
    return padded[:-1]


@define
class Browser:
    """A browser that is subscribed: what came, by topic as it waits, and all of it in order."""

    path: str
    key: ec.EllipticCurvePrivateKey = field(factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(factory=lambda: os.urandom(16))
    answer: Callable[[HttpRequest], HttpResponse | Failed] = lambda _: HttpResponse(status=201)
    max_bytes: int = MAX_BYTES
    seconds: float = 0
    requests: list[HttpRequest] = field(factory=list)
    messages: list[dict] = field(factory=list)

    @property
    def endpoint(self) -> str:
        return f"{ORIGIN}{self.path}"

    @property
    def subscription(self) -> dict:
        """What `PushSubscription.toJSON` gives."""
        keys = {"p256dh": unpadded(point(self.key)), "auth": unpadded(self.auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}


class PushService:
    """The service. In tests of one process it is `world.responses`; under a server, `app` is the same."""

    def __init__(self) -> None:
        self.browsers: dict[str, Browser] = {}

    def browser(self, name: str = "phone", **more: object) -> Browser:
        browser = Browser(path=f"/send/{name}", **more)
        self.browsers[browser.path] = browser
        return browser

    def __call__(self, request: HttpRequest) -> HttpResponse | Failed:
        browser = self.browsers.get(request.url.removeprefix(ORIGIN))
        if browser is None or request.method != "POST":
            return HttpResponse(status=404)
        browser.requests.append(request)
        if len(request.body) > browser.max_bytes:
            return HttpResponse(status=413)
        self.check(request)
        answer = browser.answer(request)
        if isinstance(answer, HttpResponse) and answer.status == 201:
            browser.messages.append(json.loads(decrypted(request.body, key=browser.key, auth=browser.auth)))
        return answer

    def check(self, request: HttpRequest) -> None:
        """What every push service looks at: RFC 8030 §5, RFC 8292 §2 and §3."""
        assert request.header("content-encoding") == "aes128gcm"
        assert int(request.header("ttl")) >= 0
        assert request.header("urgency") in ("very-low", "low", "normal", "high")
        assert len(request.header("topic")) <= 32
        token, key = vapid_of(request)
        own = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(key))
        options = {"verify_exp": False, "require": ["aud", "exp", "sub"]}
        jwt.decode(token, own, algorithms=["ES256"], audience=ORIGIN, options=options)

    @property
    def app(self) -> Starlette:
        """The same for a real server."""

        async def send(request: Request) -> Response:
            asked = HttpRequest.from_asgi(request.scope, await request.body(), origin=ORIGIN)
            browser = self.browsers.get(request.url.path)
            await asyncio.sleep(browser.seconds if browser else 0)
            answer = self(asked)
            assert isinstance(answer, HttpResponse)
            return Response(answer.body, answer.status, dict(answer.headers))

        return Starlette(routes=[Route("/send/{name}", send, methods=["POST"])])


def vapid_of(request: HttpRequest) -> tuple[str, str]:
    """The token and the key in `Authorization: vapid t=…, k=…`."""
    scheme, _, fields = request.header("authorization").partition(" ")
    assert scheme == "vapid"
    values = dict(one.strip().split("=", 1) for one in fields.split(","))
    return values["t"], values["k"]
