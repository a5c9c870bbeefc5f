"""Signed deliveries for the tests of verification, and what a server says of them."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any, Literal

from mentionable import Fetched, HttpRequest, SigningKey, Verdict, activitypub
from mentionable._wire.base58 import base58_encode
from mentionable.activitypub._auth.proof import proof_text
from mentionable.activitypub._auth.signature import SignatureInput, signature_base, signed_request, signing_string
from tests.activitypub.servers import ALICE, EDDSA, FINGER, NOW, RSA, World, create, fetched, finger, keyed

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

INBOX = "https://agents.example/inbox"
SECONDS = int(NOW.timestamp())
Form = Literal["cavage", "rfc9421"]


def post(activity: Any = None, url: str = INBOX, **headers: str) -> HttpRequest:
    body = activity if isinstance(activity, bytes) else json.dumps(create() if activity is None else activity).encode()
    return HttpRequest(
        method="POST", url=url, headers={"content-type": "application/activity+json", **headers}, body=body
    )


def signed(activity: Any = None, key: SigningKey = RSA, form: Form = "cavage", now: datetime = NOW) -> HttpRequest:
    return activitypub.sign(post(activity), key=key, now=now, form=form)


def changed(request: HttpRequest, **headers: str | None) -> HttpRequest:
    """The request with headers replaced, or left out where they are None; underscores stand for hyphens."""
    new = {name.replace("_", "-"): value for name, value in headers.items()}
    kept = [(name, value) for name, value in request.headers if name not in new]
    kept += [(name, value) for name, value in new.items() if value is not None]
    return HttpRequest(method=request.method, url=request.url, headers=kept, body=request.body)


def elsewhere(request: HttpRequest, url: str, method: str = "POST", body: bytes | None = None) -> HttpRequest:
    return HttpRequest(method=method, url=url, headers=request.headers, body=request.body if body is None else body)


def cavage(
    request: HttpRequest, names: str, *, key: SigningKey = RSA, target: str = "/inbox", **parameters: str
) -> HttpRequest:
    """`request` with a draft-cavage signature over `names`, made with what stands there; `parameters` as they are."""
    found = SignatureInput(form="cavage", created=parameters.get("created"), expires=parameters.get("expires"))
    text = signing_string(names.split(), found, signed_request(request), target)
    given = {"keyId": f'"{key.key_id}"', "headers": f'"{names}"', **parameters, "signature": f'"{base64(key, text)}"'}
    return changed(request, signature=",".join(f"{name}={value}" for name, value in given.items()))


def rfc9421(request: HttpRequest, components: str, parameters: str, *, key: SigningKey = RSA) -> HttpRequest:
    """`request` with an RFC 9421 signature over `components`, in quotes, with `parameters`."""
    declared = f"({components}){parameters}"
    names = [name.strip('"') for name in components.split()]
    text = signature_base(names, declared, signed_request(request))
    return changed(request, signature_input=f"sig1={declared}", signature=f"sig1=:{base64(key, text)}:")


def base64(key: SigningKey, text: bytes) -> str:
    return b64encode(key.sign(text)).decode()


def world(actor: Any = None, jrd: Fetched | None = None, **answers: Any) -> World:
    """A world in which alice's server publishes her keys and confirms her address."""
    return World(answers={ALICE: fetched(keyed() if actor is None else actor), FINGER: jrd or finger(), **answers})


def verdict(request: HttpRequest, where: World | None = None, now: datetime = NOW) -> Verdict:
    found: Verdict = (where or world()).drive(activitypub.verify(request, now=now))
    return found


def code(request: HttpRequest, where: World | None = None, now: datetime = NOW) -> str | None:
    found = verdict(request, where, now)
    assert found.verified == (found.code is None)
    return found.code


def proven(document: Any = None, **options: Any) -> dict[str, Any]:
    """A create with a proof whose options are changed before it is signed; `...` leaves one out."""
    whole = activitypub.sign_object(create() if document is None else document, key=EDDSA, now=NOW)
    if not options:
        return whole
    proof = {name: value for name, value in (whole["proof"] | options).items() if value is not ...}
    return resigned(whole, lambda _: proof)


def resigned(whole: dict[str, Any], change: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    """The document with its proof changed and made anew."""
    proof = {name: value for name, value in change(dict(whole["proof"])).items() if name != "proofValue"}
    text = proof_text(whole, proof)
    return whole | {"proof": proof | {"proofValue": "z" + base58_encode(EDDSA.sign(text))}}
