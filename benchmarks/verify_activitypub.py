"""Verifying who sent an ActivityPub delivery, beside the bare check of its signature with `cryptography`.

The delivery is the Create of `benchmarks/activitypub.py`, signed in each form that servers use. Measured is everything
from the headers of the request, or from the parsed activity, to a signature that fits a key of its actor: parameters,
coverage, time, digest, host, binding. The actor document is one that was read before. Below stand the whole door,
JSON and WebFinger included, and the time beyond the bare check.

Usage: python benchmarks/verify_activitypub.py [--check]     --check exits 1 when a ratio is beyond its bound
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_public_key

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.timing import checked, measure, table
from mentionable import Fetched, HttpRequest, Limits, Settings, SigningKey, activitypub, drive
from mentionable._keys import public_key_of_multikey, public_key_of_pem
from mentionable._webfinger import webfinger_url
from mentionable.activitypub import _sender
from mentionable.activitypub._activity import read_claim
from mentionable.activitypub._actor_keys import ActorKeys
from mentionable.activitypub._cavage import check_cavage
from mentionable.activitypub._proof import check_proof
from mentionable.activitypub._rfc9421 import check_rfc9421
from mentionable.activitypub._signature import read_signatures
from mentionable.activitypub._signed import signed_request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.timing import Timing
    from mentionable.activitypub._activity import Claim

CAVAGE_BOUND: Final = 2.4
RFC9421_RSA_BOUND: Final = 2.5
RFC9421_EDDSA_BOUND: Final = 1.4
PROOF_BOUND: Final = 1.75
RECEIVE_BOUND: Final = 9.8

_SAMPLES: Final = Path(__file__).parent / "samples"
_NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
_SECONDS: Final = int(_NOW.timestamp())
_LIMITS: Final = Limits()
_SETTINGS: Final = Settings(limits=Limits(walk_depth=0))
_ALICE: Final = "https://social.example/users/alice"
_PEM: Final = rsa.generate_private_key(65_537, 2_048).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
_RSA: Final = SigningKey.from_pem(_PEM, key_id=f"{_ALICE}#main-key")
_EDDSA: Final = SigningKey.from_seed(bytes(range(32)), key_id=f"{_ALICE}#ed25519-key")
_KEYS: Final = {
    "publicKey": {"id": _RSA.key_id, "owner": _ALICE, "publicKeyPem": _RSA.public_pem},
    "assertionMethod": [
        {
            "id": _EDDSA.key_id,
            "type": "Multikey",
            "controller": _ALICE,
            "publicKeyMultibase": _EDDSA.public_multikey,
        }
    ],
}
_ACTOR: Final = Fetched(
    url=_ALICE,
    status=200,
    content_type="application/activity+json; charset=utf-8",
    body=json.dumps(json.loads((_SAMPLES / "activitypub_actor.json").read_bytes()) | _KEYS).encode(),
)
_LINK: Final = {"rel": "self", "type": "application/activity+json", "href": _ALICE}


def actor() -> Any:
    """The actor, as it is remembered after the first delivery."""
    return _sender.read_actor(_ACTOR, _ALICE, limits=_LIMITS)


_DESCRIPTOR: Final = Fetched(
    url=webfinger_url(actor().sender.address),
    status=200,
    content_type="application/jrd+json",
    body=json.dumps({"subject": f"acct:{actor().sender.address[1:]}", "links": [_LINK]}).encode(),
)


def answer(ask: Any) -> object:
    """What a server with everything in memory answers."""
    return _ACTOR if ask.url == _ALICE else _DESCRIPTOR


def delivery(key: SigningKey, form: activitypub.SignatureForm) -> HttpRequest:
    """The delivery as a server sends it."""
    headers = (
        ("user-agent", "http.rb/5.2.0 (Mastodon/4.5.0; +https://social.example/)"),
        ("content-type", "application/activity+json"),
        ("accept-encoding", "gzip"),
        ("connection", "keep-alive"),
    )
    body = (_SAMPLES / "activitypub_create.json").read_bytes()
    request = HttpRequest(method="POST", url="https://agents.example/inbox", headers=headers, body=body)
    return activitypub.sign(request, key=key, now=_NOW, form=form)


def claim_of(body: bytes) -> Claim:
    """What the activity says of itself."""
    return read_claim(body, limits=_LIMITS)


def of_request(request: HttpRequest) -> Callable[[], object]:
    """The check of the signature of a request, as far as it goes without JSON and WebFinger."""
    claim = claim_of(request.body)
    check = check_rfc9421 if request.header("signature-input") else check_cavage
    known = actor()

    def run() -> object:
        (found,) = read_signatures(request, claim.document).http
        steps: list[str] = []
        signed = check(found, signed_request(request), now=_SECONDS, steps=steps)
        return finished(ActorKeys(claim, known, now=_SECONDS, limits=_LIMITS).check(signed, steps))

    return run


def of_proof(body: bytes) -> Callable[[], object]:
    """The check of the proof on an activity that was parsed."""
    claim, known = claim_of(body), actor()
    bare = HttpRequest(method="POST", url="https://agents.example/inbox")

    def run() -> object:
        (proof,) = read_signatures(bare, claim.document).proofs
        steps: list[str] = []
        signed = check_proof(proof, claim, host="agents.example", now=_SECONDS, steps=steps)
        return finished(ActorKeys(claim, known, now=_SECONDS, limits=_LIMITS).check(signed, steps))

    return run


def finished(flow: Any) -> object:
    """What a flow comes to that asks nothing."""
    try:
        next(flow)
    except StopIteration as end:
        return end.value
    raise AssertionError("nothing needs to be asked")


def whole(request: HttpRequest) -> Callable[[], object]:
    """The whole door."""
    assert drive(activitypub.verify(request, now=_NOW), answer).verified
    return lambda: drive(activitypub.verify(request, now=_NOW), answer)


def received(request: HttpRequest) -> Callable[[], object]:
    """The whole `receive`: read, verified, delivered; actor and WebFinger come from memory."""
    facts = {"recipient": "@weather@agents.example", "now": _NOW, "entropy": bytes(32), "settings": _SETTINGS}
    asked = {_ALICE: _ACTOR, _DESCRIPTOR.url: _DESCRIPTOR}

    def run() -> Any:
        return drive(activitypub.receive(request, **facts), lambda ask: asked.get(getattr(ask, "url", "")))

    assert run().message.sender.verified
    return run


def beside_crypto(request: HttpRequest) -> list[str]:
    """Prints the whole `receive` as a multiple of `json.loads`, the bare check of its signature taken off."""
    rows = {
        "json.loads": partial(json.loads, request.body),
        "bare RSA-2048": bare(_RSA),
        "receive, draft-cavage": received(request),
    }
    timings = measure(rows)
    print(f"\n{table(timings)}")
    parsed, check, whole_way = (timing.best for timing in timings)
    ratio = (whole_way - check) / parsed
    print(f"  beside the bare check: {ratio:.2f} × json.loads, at most {RECEIVE_BOUND:.2f}")
    return [f"receive, draft-cavage: {ratio:.2f} × json.loads beside its crypto"] if ratio > RECEIVE_BOUND else []


def bare(key: SigningKey) -> Callable[[], object]:
    """The bare check of a signature over as many bytes as a signing string has."""
    data = bytes(200)
    signature = key.sign(data)
    public = public_key_of_pem(key.public_pem) if key.kind == "rsa" else public_key_of_multikey(key.public_multikey)
    return lambda: public.fits(signature, data)


def peers() -> tuple[dict[str, Callable[[], object]], dict[str, Callable[[], object]]]:
    """What apsig takes to check the same signature of a request, and the same proof; nothing where it is missing.

    It reads the clock, so it gets a delivery that was signed just now. Neither finds the key, nor who owns it.
    """
    try:
        draft, proofs = import_module("apsig.draft"), import_module("apsig")
    except ImportError:
        return {}, {}
    now = datetime.now(UTC)
    body = (_SAMPLES / "activitypub_create.json").read_bytes()
    request = HttpRequest(method="POST", url="https://agents.example/inbox", body=body)
    signed = activitypub.sign(request, key=_RSA, now=now)
    pem, headers = _RSA.public_pem, dict(signed.headers)
    document = activitypub.sign_object(json.loads(body), key=_EDDSA, now=now)
    public = load_pem_public_key(_EDDSA.public_pem.encode())
    of_request = partial(_apsig_request, draft.Verifier, pem, signed, headers)
    of_document = partial(_apsig_proof, proofs.ProofVerifier, public, document)
    assert of_request() == _RSA.key_id
    assert of_document() == _EDDSA.key_id
    return {"apsig, draft-cavage": of_request}, {"apsig, eddsa-jcs-2022": of_document}


def _apsig_request(verifier: Any, pem: str, request: HttpRequest, headers: dict[str, str]) -> object:
    return verifier(pem, request.method, request.url, headers, request.body).verify()


def _apsig_proof(verifier: Any, public: Any, document: dict[str, Any]) -> object:
    return verifier(public).verify({**document, "proof": {**document["proof"]}})  # it takes the value out


def shown(rows: Mapping[str, tuple[Callable[[], object], float | None]]) -> list[str]:
    """Prints the rows of one kind of key, and what each takes beyond the bare check; what is above its bound."""
    bounds = {name: bound for name, (_, bound) in rows.items() if bound is not None}
    timings, problems = checked({name: function for name, (function, _) in rows.items()}, bounds)
    print(table(timings), *_beyond(timings), sep="\n")
    return problems


def _beyond(timings: tuple[Timing, ...]) -> list[str]:
    return [f"  {timing.name}: {(timing.best - timings[0].best) * 1e6:.1f} µs beyond it" for timing in timings[1:]]


def main(arguments: list[str]) -> int:
    """Prints every row; 1 when `--check` is given and a bound is broken."""
    document = json.loads((_SAMPLES / "activitypub_create.json").read_bytes())
    proven = activitypub.sign_object(document, key=_EDDSA, now=_NOW)
    cavage, rfc9421, eddsa = delivery(_RSA, "cavage"), delivery(_RSA, "rfc9421"), delivery(_EDDSA, "rfc9421")
    of_requests, of_proofs = peers()
    body = json.dumps(proven).encode()
    passed_on = HttpRequest(method="POST", url=cavage.url, body=body)
    problems = shown(
        {
            "bare RSA-2048": (bare(_RSA), None),
            "draft-cavage, RSA": (of_request(cavage), CAVAGE_BOUND),
            "RFC 9421, RSA": (of_request(rfc9421), RFC9421_RSA_BOUND),
            "verify, draft-cavage": (whole(cavage), None),
            "verify, RFC 9421": (whole(rfc9421), None),
            **{name: (function, None) for name, function in of_requests.items()},
        }
    )
    problems += shown(
        {
            "bare Ed25519": (bare(_EDDSA), None),
            "RFC 9421, Ed25519": (of_request(eddsa), RFC9421_EDDSA_BOUND),
            "eddsa-jcs-2022": (of_proof(body), PROOF_BOUND),
            "verify, RFC 9421": (whole(eddsa), None),
            "verify, eddsa-jcs-2022": (whole(passed_on), None),
            **{name: (function, None) for name, function in of_proofs.items()},
        }
    )
    problems += beside_crypto(cavage)
    print(*problems, sep="\n")
    return 1 if problems and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
