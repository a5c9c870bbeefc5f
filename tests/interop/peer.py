"""Does with other Python libraries what it is asked to: a JSON object a line comes in, a JSON object a line goes out.

It runs in the environment of `tests/setup_interop.py`, and not in that of the tests.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import sys
import traceback
import warnings
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import peer_a2a  # stands beside this file
import peer_connectors
import peer_events
import peer_x402

warnings.simplefilter("ignore")
logging.disable()


def private_key(pem: str):
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    return load_pem_private_key(pem.encode(), None)


def public_key(pem: str):
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    return load_pem_public_key(pem.encode())


def versions(packages):
    from importlib.metadata import version

    return [version(name) for name in packages]


# -- bovine


def bovine_sign_request(request, key):
    """What its client would transmit; the session that it posts with only keeps it."""
    from bovine.clients.signed_http_methods import signed_get, signed_post
    from bovine.crypto.helper import content_digest_sha256
    from bovine.crypto.types import CryptographicSecret

    kept = {}

    class Session:
        async def post(self, url, *, data, headers):
            kept.update(method="POST", url=url, headers=headers, body=data)

        async def get(self, url, *, headers, **options):
            kept.update(method="GET", url=url, headers=headers, body="")

    secret = CryptographicSecret.from_pem(key["id"], key["pem"])
    if request["method"] == "GET":
        asyncio.run(signed_get(Session(), secret, request["url"]))
    else:
        digest = lambda body: ("digest", content_digest_sha256(body))  # noqa: E731
        asyncio.run(signed_post(Session(), secret, request["url"], request["body"], digest))
    return kept


def bovine_verify_request(request, publicPem, owner):
    from bovine.crypto.signature_checker import SignatureChecker
    from bovine.crypto.types import CryptographicIdentifier

    async def retrieve(key_id):
        return CryptographicIdentifier.from_pem(publicPem, owner)

    async def body():
        return request["body"].encode()

    checker = SignatureChecker(key_retriever=retrieve)
    checking = checker.validate_signature(request["method"], request["url"], request["headers"], body)
    return asyncio.run(checking)


def bovine_sign_document(document, key):
    from bovine.crypto.types import CryptographicSecret

    return CryptographicSecret(key["id"], private_key(key["pem"])).sign_document(document)


# -- apsig


def apsig_sign_draft(request, key):
    from apsig.draft import Signer

    headers = {"Content-Type": "application/activity+json"}
    signer = Signer(
        headers, private_key(key["pem"]), request["method"], request["url"], key["id"], request["body"].encode()
    )
    return {**request, "headers": signer.sign()}


def apsig_verify_draft(request, publicPem):
    from apsig.draft import Verifier

    return Verifier(publicPem, request["method"], request["url"], request["headers"], request["body"].encode()).verify()


def apsig_sign_rfc9421(request, key, digest):
    from apsig.draft.tools import calculate_digest
    from apsig.rfc9421 import RFC9421Signer

    body = request["body"].encode()
    headers = {"Content-Type": "application/activity+json"}
    signer = RFC9421Signer(private_key(key["pem"]), key["id"])
    if digest:
        headers["Content-Digest"] = "sha-256=:" + calculate_digest(body).partition("=")[2] + ":"
        signer.sign_headers = [*signer.sign_headers, "content-digest"]
    url = urlsplit(request["url"])
    signed = signer.sign(request["method"], url.path, url.netloc, headers, body)
    if digest:
        signed["content-digest"] = headers["Content-Digest"]
    return {**request, "headers": signed}


def apsig_sign_proof(document, key, now):
    from apsig import ProofSigner

    options = {
        "type": "DataIntegrityProof",
        "cryptosuite": "eddsa-jcs-2022",
        "verificationMethod": key["id"],
        "proofPurpose": "assertionMethod",
        "created": now,
    }
    return ProofSigner(private_key(key["pem"])).sign(document, options)


def apsig_verify_proof(document, publicPem):
    from apsig import ProofVerifier

    return ProofVerifier(public_key(publicPem)).verify(document)


# -- http-message-signatures


def _hms(key):
    from http_message_signatures import HTTPSignatureKeyResolver
    from http_message_signatures.algorithms import ED25519, RSA_V1_5_SHA256

    class Keys(HTTPSignatureKeyResolver):
        def resolve_private_key(self, key_id):
            return private_key(key["pem"])

        def resolve_public_key(self, key_id):
            return public_key(key["publicPem"])

    return {"signature_algorithm": ED25519 if key["kind"] == "ed25519" else RSA_V1_5_SHA256, "key_resolver": Keys()}


def _prepared(request):
    import requests

    given = requests.Request(
        request["method"], request["url"], headers=request["headers"], data=request["body"].encode()
    )
    return given.prepare()


def sf_dictionary(text):
    """A dictionary of structured fields in its one form; None where it is none."""
    from http_sf import parse, ser

    try:
        return ser(parse(text.encode(), tltype="dictionary"))
    except ValueError:  # its own errors are of that kind
        return None


def hms_sign_request(request, key, now, covered, label):
    import hashlib

    from http_message_signatures import HTTPMessageSigner

    prepared = _prepared(request)
    digest = base64.b64encode(hashlib.sha256(request["body"].encode()).digest()).decode()
    prepared.headers["Content-Digest"] = f"sha-256=:{digest}:"
    created = datetime.fromisoformat(now)
    HTTPMessageSigner(**_hms(key)).sign(
        prepared,
        key_id=key["id"],
        created=created,
        expires=created + timedelta(minutes=5),
        covered_component_ids=covered,
        label=label,
        use_existing_digest=True,
    )
    return {**request, "headers": dict(prepared.headers)}


def hms_verify_request(request, key):
    from http_message_signatures import HTTPMessageVerifier

    verifier = HTTPMessageVerifier(**_hms(key))
    return [result.parameters["keyid"] for result in verifier.verify(_prepared(request), max_age=timedelta(hours=1))]


# -- dkimpy


def dkimpy_sign(message, pem, seed, domain, selector, algorithm, canonicalization, fields):
    import dkim

    header, _, body = canonicalization.partition("/")
    key = pem.encode() if algorithm == "rsa-sha256" else seed.encode()
    raw = base64.b64decode(message)
    signature = dkim.sign(
        raw,
        selector.encode(),
        domain.encode(),
        key,
        canonicalize=(header.encode(), (body or header).encode()),
        signature_algorithm=algorithm.encode(),
        include_headers=[name.encode() for name in fields],
    )
    return base64.b64encode(signature + raw).decode()


def dkimpy_verify(message, records):
    import dkim

    raw = base64.b64decode(message)

    def answer(name, timeout=5):
        found = records.get(name.decode().rstrip("."))
        return found and found[0].encode()

    found = dkim.DKIM(raw)
    count = sum(name.lower() == b"dkim-signature" for name, _ in found.headers)

    def holds(at):
        try:
            return dkim.DKIM(raw).verify(idx=at, dnsfunc=answer)
        except dkim.ValidationError:  # another body than the one that was signed
            return False

    return [["pass" if holds(at) else "fail", None] for at in range(count)]


# -- joserfc, authlib


def joserfc_token(pem, alg, header, claims):
    from joserfc import jwk, jwt

    kind = {"R": jwk.RSAKey, "P": jwk.RSAKey, "ES": jwk.ECKey}.get(alg[:1] if alg[:1] in "RP" else alg[:2], jwk.OKPKey)
    key = kind.import_key(pem, {"kid": header["kid"], "use": "sig", "alg": alg})
    token = jwt.encode({**header, "alg": alg}, claims, key, algorithms=[alg])
    keys = jwk.KeySet([key]).as_dict(private=False)
    return {"token": token, "jwks": keys}


def authlib_token(pem, alg, header, claims):
    from authlib.jose import JsonWebKey, JsonWebToken

    key = JsonWebKey.import_key(pem, {"kid": header["kid"], "use": "sig"})
    token = JsonWebToken([alg]).encode({**header, "alg": alg}, claims, pem)
    return {"token": token.decode(), "jwks": {"keys": [key.as_dict(is_private=False)]}}


DOES = {
    **peer_a2a.DOES,
    **peer_connectors.DOES,
    **peer_events.DOES,
    **peer_x402.DOES,
    "versions": versions,
    "bovine.sign_request": bovine_sign_request,
    "bovine.verify_request": bovine_verify_request,
    "bovine.sign_document": bovine_sign_document,
    "apsig.sign_draft": apsig_sign_draft,
    "apsig.verify_draft": apsig_verify_draft,
    "apsig.sign_rfc9421": apsig_sign_rfc9421,
    "apsig.sign_proof": apsig_sign_proof,
    "apsig.verify_proof": apsig_verify_proof,
    "http_sf.dictionary": sf_dictionary,
    "hms.sign_request": hms_sign_request,
    "hms.verify_request": hms_verify_request,
    "dkimpy.sign": dkimpy_sign,
    "dkimpy.verify": dkimpy_verify,
    "joserfc.token": joserfc_token,
    "authlib.token": authlib_token,
}


def main() -> None:
    for line in sys.stdin:
        given = json.loads(line)
        try:
            answer = {"answer": DOES[given.pop("op")](**given)}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
