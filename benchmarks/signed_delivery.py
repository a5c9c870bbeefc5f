"""A signed delivery of ActivityPub and the world that verifies it: keys, actor and WebFinger of its sender."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from benchmarks.common import ACTOR, CREATE, NOW, rsa_key
from mentionable import Fetched, HttpRequest, Limits, SigningKey, activitypub, drive
from mentionable._crypto.keys import public_key_of_multikey, public_key_of_pem
from mentionable._transport.webfinger import webfinger_url
from mentionable.activitypub._read import documents as _sender

if TYPE_CHECKING:
    from datetime import datetime

    from benchmarks.timing import Function

INBOX: Final = "https://agents.example/inbox"

SECONDS: Final = int(NOW.timestamp())
LIMITS: Final = Limits()
ALICE: Final = "https://social.example/users/alice"
RSA: Final = rsa_key(f"{ALICE}#main-key")
EDDSA: Final = SigningKey.from_seed(bytes(range(32)), key_id=f"{ALICE}#ed25519-key")
_KEYS: Final = {
    "publicKey": {"id": RSA.key_id, "owner": ALICE, "publicKeyPem": RSA.public_pem},
    "assertionMethod": [
        {
            "id": EDDSA.key_id,
            "type": "Multikey",
            "controller": ALICE,
            "publicKeyMultibase": EDDSA.public_multikey,
        }
    ],
}
DOCUMENT: Final = Fetched(
    url=ALICE,
    status=200,
    content_type="application/activity+json; charset=utf-8",
    body=json.dumps(json.loads(ACTOR) | _KEYS).encode(),
)
_LINK: Final = {"rel": "self", "type": "application/activity+json", "href": ALICE}


def actor() -> Any:
    """The actor, as it is remembered after the first delivery."""
    return _sender.read_actor(DOCUMENT, ALICE, limits=LIMITS)


DESCRIPTOR: Final = Fetched(
    url=webfinger_url(actor().sender.address),
    status=200,
    content_type="application/jrd+json",
    body=json.dumps({"subject": f"acct:{actor().sender.address[1:]}", "links": [_LINK]}).encode(),
)


def answer(ask: Any) -> object:
    """What a server with everything in memory answers."""
    return DOCUMENT if ask.url == ALICE else DESCRIPTOR


_HEADERS: Final = (
    ("user-agent", "http.rb/5.2.0 (Mastodon/4.5.0; +https://social.example/)"),
    ("content-type", "application/activity+json"),
    ("accept-encoding", "gzip"),
    ("connection", "keep-alive"),
)


def delivery(key: SigningKey, form: activitypub.SignatureForm, now: datetime = NOW) -> HttpRequest:
    """The delivery as a server sends it."""
    request = HttpRequest(method="POST", url=INBOX, headers=_HEADERS, body=CREATE)
    return activitypub.sign(request, key=key, now=now, form=form)


def whole(request: HttpRequest) -> Function:
    """The whole door."""
    assert drive(activitypub.verify(request, now=NOW), answer).verified
    return lambda: drive(activitypub.verify(request, now=NOW), answer)


def bare(key: SigningKey) -> Function:
    """The bare check of a signature over as many bytes as a signing string has."""
    data = bytes(200)
    signature = key.sign(data)
    public = public_key_of_pem(key.public_pem) if key.kind == "rsa" else public_key_of_multikey(key.public_multikey)
    return lambda: public.fits(signature, data)


def refused(number: int) -> Function:
    """A delivery with so many signatures of RFC 9421, none of which fits."""
    request = delivery(EDDSA, "rfc9421")
    headers = dict(request.headers)
    for name in ("signature-input", "signature"):
        member = headers[name].removeprefix("sig1=")
        headers[name] = ",".join(f"sig{one}={member}" for one in range(number))
    spoilt = request.url.replace("inbox", "another")
    unit = HttpRequest(method="POST", url=spoilt, headers=headers, body=request.body)
    if drive(activitypub.verify(unit, now=NOW), answer).verified:
        raise AssertionError("a signature of another URL fits")
    return lambda: drive(activitypub.verify(unit, now=NOW), answer)
