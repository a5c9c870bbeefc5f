"""Verifying a bearer token, beside the one RSA operation that cannot be spared.

Held to the bound is everything from the text of the token to the address of its sender: segments, base64, header, key,
signature, issuer, audience, time, use, subject. The key is one that was read before. Below stand the whole door, with
identity evidence and replay key, of a request without and with a message, and `jwt.decode` of PyJWT with its key parsed
before.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from jwt.algorithms import RSAAlgorithm

from benchmarks.timing import Claim, Effort, Function, Race
from mentionable import Answers, HttpRequest, a2a, drive
from mentionable.a2a import _verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result

_NOW: Final = datetime.now(UTC)  # PyJWT, which stands beside, reads the clock
_WORLD: Final = Answers()
_ISSUER: Final = "https://login.example/"
_AUDIENCE: Final = "https://agents.example"
_KID: Final = "2026-11"
_CLAIMS: Final = {
    "iss": _ISSUER,
    "sub": "@alice@a.example",
    "aud": _AUDIENCE,
    "iat": int(_NOW.timestamp()),
    "exp": int((_NOW + timedelta(hours=1)).timestamp()),
    "jti": "9b2f6c1e-7f0d-4c56-9d0a-0b1f6c2e7a11",
    "client_id": "agent-7",
    "scope": "message:send",
}
_BODY: Final = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "SendMessage",
        "params": {"message": {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}},
    }
).encode()


def functions() -> dict[str, Function]:
    """Raw RSA first, then what stands around it."""
    private = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    public = private.public_key()
    token = jwt.encode(_CLAIMS, private, algorithm="RS256", headers={"kid": _KID, "typ": "at+jwt"})
    signed, _, _ = token.rpartition(".")
    signature = RSAAlgorithm(RSAAlgorithm.SHA256).sign(signed.encode(), private)
    issuer = a2a.TokenIssuer(
        issuer=_ISSUER,
        keys={"keys": [{**RSAAlgorithm.to_jwk(public, as_dict=True), "kid": _KID, "use": "sig", "alg": "RS256"}]},
        audiences=(_AUDIENCE,),
        subject_domains=("a.example",),
    )
    settings = a2a.Settings(token_issuers=(issuer,))
    headers = (("content-type", "application/json"), ("authorization", f"Bearer {token}"))
    bare = HttpRequest(method="GET", url="https://agents.example/helper/tasks/t1", headers=headers)
    full = HttpRequest(method="POST", url="https://agents.example/helper", headers=headers, body=_BODY)

    def verify(request: HttpRequest) -> Any:
        verdict = drive(a2a.verify(request, now=_NOW, settings=settings), _WORLD)
        if not verdict.verified:
            raise AssertionError(verdict)
        return verdict

    def judge() -> Any:
        moment = _NOW.timestamp()
        return drive(_verify._verify_jwt(token, (issuer,), moment, settings.limits), _WORLD)

    return {
        "bare RSA-2048": partial(public.verify, signature, signed.encode(), padding.PKCS1v15(), SHA256()),
        "token (RS256) to address": judge,
        "a2a.verify": partial(verify, bare),
        "a2a.verify, with a message": partial(verify, full),
        "PyJWT decode": partial(jwt.decode, token, public, algorithms=["RS256"], audience=_AUDIENCE, issuer=_ISSUER),
    }


def results(effort: Effort) -> Iterator[Result]:
    """The token, and the whole door."""
    bare, token = "bare RSA-2048", "token (RS256) to address"
    claims = (
        Claim(token, bare, 2.1),
        Claim("a2a.verify", bare),
        Claim("a2a.verify, with a message", bare),
        Claim(token, "PyJWT decode"),
    )
    yield from Race("verify-a2a", functions(), claims).run(effort)
