"""Verifying who sent an ActivityPub delivery, beside the bare check of its signature with `cryptography`.

The delivery is the Create of `benchmarks/activitypub.py`, signed in each form that servers use. Measured is everything
from the headers of the request, or from the parsed activity, to a signature that fits a key of its actor: parameters,
coverage, time, digest, host, binding. The actor document is one that was read before. Below stands the whole door, JSON
and WebFinger included.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks import signature_peers as peers
from benchmarks.activitypub import SETTINGS, WEATHER
from benchmarks.common import CREATE, ENTROPY, NOW, message_of
from benchmarks.signed_delivery import (
    ALICE,
    DESCRIPTOR,
    DOCUMENT,
    EDDSA,
    INBOX,
    LIMITS,
    RSA,
    SECONDS,
    actor,
    bare,
    delivery,
    whole,
)
from benchmarks.timing import Claim, Claims, Effort, Function, Functions, Race
from mentionable import HttpRequest, activitypub, drive
from mentionable.activitypub._auth.proof import check_proof
from mentionable.activitypub._auth.signature import check_cavage, check_rfc9421, read_signatures, signed_request
from mentionable.activitypub._read.object import read_head
from mentionable.activitypub._verify import ActorKeys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result
    from mentionable.activitypub._read.object import ActivityHead


def claim_of(body: bytes) -> ActivityHead:
    """What the activity says of itself."""
    return read_head(body, limits=LIMITS)


def of_request(request: HttpRequest) -> Function:
    """The check of the signature of a request, as far as it goes without JSON and WebFinger."""
    claim = claim_of(request.body)
    check = check_rfc9421 if request.header("signature-input") else check_cavage
    known = actor()

    def run() -> object:
        (found,) = read_signatures(request, claim.document).http
        signed = check(found, signed_request(request), now=SECONDS)
        return finished(ActorKeys(claim.actor, claim.host, known, now=SECONDS, limits=LIMITS).check(signed))

    return run


def of_proof(body: bytes) -> Function:
    """The check of the proof on an activity that was parsed."""
    claim, known = claim_of(body), actor()
    unsigned = HttpRequest(method="POST", url=INBOX)

    def run() -> object:
        (proof,) = read_signatures(unsigned, claim.document).proofs
        signed = check_proof(proof, claim, host="agents.example", now=SECONDS)
        return finished(ActorKeys(claim.actor, claim.host, known, now=SECONDS, limits=LIMITS).check(signed))

    return run


def finished(flow: Any) -> object:
    """What a flow comes to that asks nothing."""
    try:
        next(flow)
    except StopIteration as end:
        return end.value
    raise AssertionError("nothing needs to be asked")


def received(request: HttpRequest) -> Function:
    """The whole `receive`: read, verified, delivered; actor and WebFinger come from memory."""
    facts: Any = {"recipient": WEATHER, "now": NOW, "entropy": ENTROPY, "settings": SETTINGS}
    asked = {ALICE: DOCUMENT, DESCRIPTOR.url: DESCRIPTOR}

    def run() -> Any:
        return message_of(drive(activitypub.receive(request, **facts), lambda ask: asked.get(getattr(ask, "url", ""))))

    assert run().sender.verified
    return run


def results(effort: Effort) -> Iterator[Result]:
    """The forms by two kinds of key, and the whole `receive`."""
    cavage, rfc9421, eddsa = delivery(RSA, "cavage"), delivery(RSA, "rfc9421"), delivery(EDDSA, "rfc9421")
    body = json.dumps(activitypub.sign_object(json.loads(CREATE), key=EDDSA, now=NOW)).encode()
    passed_on = HttpRequest(method="POST", url=INBOX, body=body)
    floor, now = "bare RSA-2048", datetime.now(UTC)  # peers read the clock
    functions: Functions = {
        floor: bare(RSA),
        "draft-cavage, RSA": of_request(cavage),
        "verify, draft-cavage, RSA": whole(cavage),
        "apsig draft.Verifier": peers.apsig_cavage(delivery(RSA, "cavage", now), RSA),
        "bovine HTTP signature": peers.bovine_cavage(delivery(RSA, "cavage", now), RSA, ALICE),
    }
    claims: Claims = (
        Claim("draft-cavage, RSA", floor, 2.4, 2.2),
        Claim("verify, draft-cavage, RSA", floor),
        Claim("draft-cavage, RSA", "apsig draft.Verifier"),
        Claim("draft-cavage, RSA", "bovine HTTP signature"),
    )
    yield from Race("verify-activitypub", functions, claims).run(effort)
    for name, key, request, limits in (
        ("RFC 9421, RSA", RSA, rfc9421, (2.5, 2.3)),
        ("RFC 9421, Ed25519", EDDSA, eddsa, (1.4, None)),
    ):
        floor = "bare RSA-2048" if key is RSA else "bare Ed25519"
        functions = {
            floor: bare(key),
            name: of_request(request),
            f"verify, {name}": whole(request),
        }
        claims = (Claim(name, floor, *limits), Claim(f"verify, {name}", floor))
        if key is RSA:
            functions["apsig RFC9421Verifier"] = peers.apsig_rfc9421(RSA)
            claims = (*claims, Claim(name, "apsig RFC9421Verifier"))
        yield from Race("verify-activitypub", functions, claims).run(effort)
    functions = {
        floor: bare(EDDSA),
        "eddsa-jcs-2022, parsed": of_proof(body),
        "verify, eddsa-jcs-2022": whole(passed_on),
        "apsig ProofVerifier": peers.apsig_proof(EDDSA),
    }
    claims = (
        Claim("eddsa-jcs-2022, parsed", floor, 1.75),
        Claim("verify, eddsa-jcs-2022", floor),
        Claim("eddsa-jcs-2022, parsed", "apsig ProofVerifier"),
    )
    yield from Race("verify-activitypub", functions, claims).run(effort)
    functions = {
        "json.loads": partial(json.loads, CREATE),
        "bare RSA-2048": bare(RSA),
        "receive, draft-cavage": received(cavage),
    }
    claims = (Claim("receive, draft-cavage", "json.loads", 9.8, 4.5, less="bare RSA-2048"),)
    yield from Race("verify-activitypub", functions, claims).run(effort)
