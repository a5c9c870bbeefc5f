"""What peers take to verify a delivery of ActivityPub. They read the clock, so they get what was signed just now.

Each is None where its package is not installed. None finds the key, nor who owns it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from benchmarks.common import CREATE, with_module
from mentionable import activitypub

if TYPE_CHECKING:
    from benchmarks.timing import Function
    from mentionable import HttpRequest, SigningKey


def apsig_cavage(signed: HttpRequest, key: SigningKey) -> Function | None:
    """Apsig with a signature of draft-cavage."""

    def make(draft: Any) -> Function:
        public, headers = key.native.public_key(), dict(signed.headers)

        def run() -> None:
            if draft.Verifier(public, "POST", signed.url, headers, signed.body).verify() != key.key_id:
                raise AssertionError("the sample is refused")

        return run

    return with_module(make, "apsig.draft")


def apsig_rfc9421(key: SigningKey) -> Function | None:
    """Apsig with a signature of RFC 9421, over the components that it signs itself."""

    def make(rfc9421: Any) -> Function:
        signer, public = rfc9421.RFC9421Signer(key.native, key.key_id), key.native.public_key()
        where = ("POST", "/inbox", "agents.example")
        headers = signer.sign(*where, {"content-type": "application/activity+json"}, CREATE)

        def run() -> None:
            if rfc9421.RFC9421Verifier(public, *where, headers, CREATE).verify() != key.key_id:
                raise AssertionError("the sample is refused")

        return run

    return with_module(make, "apsig.rfc9421")


def apsig_proof(key: SigningKey) -> Function | None:
    """Apsig with a proof on an activity that was parsed."""

    def make(apsig: Any) -> Function:
        document = activitypub.sign_object(json.loads(CREATE), key=key, now=datetime.now(UTC))
        public = key.native.public_key()

        def run() -> None:  # it takes the value out of the proof
            verified = apsig.ProofVerifier(public).verify({**document, "proof": {**document["proof"]}})
            if verified != key.key_id:
                raise AssertionError("the sample is refused")

        return run

    return with_module(make, "apsig")


def bovine_cavage(signed: HttpRequest, key: SigningKey, owner: str) -> Function | None:
    """Bovine with a signature of draft-cavage, its coroutines driven without a loop."""

    def make(crypto: Any, types: Any) -> Function:
        headers, known = dict(signed.headers), types.CryptographicIdentifier.from_pem(key.public_pem, owner)

        async def retrieved(key_id: str) -> Any:
            return known

        async def body() -> bytes:
            return signed.body

        validate = crypto.build_validate_http_signature_raw(retrieved)

        def run() -> None:
            try:
                validate("POST", signed.url, headers, body).send(None)
            except StopIteration as end:
                if end.value != owner:
                    raise AssertionError("the sample is refused") from None

        return run

    return with_module(make, "bovine.crypto", "bovine.crypto.types")
