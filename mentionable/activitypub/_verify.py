"""The door that says who did an activity, and the steps that it shares with `receive`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from .._crypto.verification import VerificationFailed, minted, replay_of
from .._errors.exceptions import WireError
from .._flow.ask import Flow
from .._flow.asks import Fetch
from .._flow.drive import bounded
from .._flow.outcome import UNSIGNED, Verdict
from .._flow.settings import DEFAULTS, Limits, Settings, check_inputs
from .._model.diagnostic import Diagnostic
from .._transport.webfinger import Link, confirmed
from .._wire.address import Address
from .._wire.http import UNNAMED_HOST, HttpRequest, check_request
from ._auth.actor_keys import ActorKeys
from ._auth.proof import check_proof
from ._auth.signature import MAX_SIGNATURES, Signatures, read_signatures
from ._auth.signature_base import Signed, SignedRequest, check_cavage, check_rfc9421, signed_request
from ._read.documents import Actor, is_activitystreams
from ._read.object import Claim, read_claim

MOST_ASKS: Final = 4 * MAX_SIGNATURES + 4
"""How many documents a verification asks for at most: the actor and the keys, twice each, and two domains."""


class Authentication(NamedTuple):
    """What was found out about who sent an activity.

    Attributes:
        verdict: The verdict.
        actor: The newest document of the actor that was asked for; None without any.
    """

    verdict: Verdict
    actor: Actor | None


def verify(request: HttpRequest, *, now: datetime, settings: Settings = DEFAULTS) -> Flow[Fetch, Verdict]:
    """Who sent an activity of any kind, and how that was shown; or which step failed.

    `receive` does the same for what becomes a message. An activity is shown by an HTTP signature (draft-cavage-12 or
    RFC 9421) or, which is worth more, by an object proof (FEP-8b32) on the activity itself; and its address by
    WebFinger. JSON-LD signatures never count. What another server's actor signed is honestly not verified.

    Args:
        request: The POST as it came; its `url` is the public one, its body byte for byte.
        now: The time, aware.
        settings: Limits.

    Returns:
        A flow of the verdict. Where the activity itself cannot be read, its code is that of the rejection.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Normalized Message §5 (ActivityPub), §8; FEP-fe34.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> body = b'{"@context": "https://www.w3.org/ns/activitystreams", "id": "https://a.example/1", "actor": "https://a.example/u"}'
        >>> request = HttpRequest(method="POST", url="https://agents.example/inbox", body=body)
        >>> drive(verify(request, now=datetime(2026, 11, 21, tzinfo=UTC)), Answers()).code
        'unsigned'
    """
    check_inputs(now, settings)
    check_request(request)
    flow = _verified(request, now, settings.limits)
    return flow if settings.limits.asks >= MOST_ASKS else bounded(flow, remote=settings.limits.asks)


def _verified(request: HttpRequest, now: datetime, limits: Limits) -> Flow[Fetch, Verdict]:
    try:
        claim = read_claim(request.body, limits=limits)
    except WireError as error:
        return VerificationFailed(error.code, str(error)).verdict()
    signatures = read_signatures(request, claim.document, claim.document.get("object"))
    found = yield from authenticate(request, claim, signatures, None, now=now, limits=limits, notes=[])
    return found.verdict


def authenticate(
    request: HttpRequest,
    claim: Claim,
    signatures: Signatures,
    known: Actor | None,
    *,
    now: datetime,
    limits: Limits,
    notes: list[Diagnostic],
) -> Flow[Fetch, Authentication]:
    """Whether one of `signatures` shows that the actor of `claim` sent it.

    A proof outranks the signatures of the request. Of several the first that is good counts; of several that all fail
    the one that came furthest says why.

    Args:
        request: As it came.
        claim: Who did what, as the activity says.
        signatures: What it came with.
        known: The actor's document, if it was asked for before.
        now: The time.
        limits: The bounds.
        notes: Takes a proof that failed where a signature of the request was good.
    """
    if not signatures:
        return Authentication(UNSIGNED, known)
    seconds = int(now.timestamp())
    seen = signed_request(request)
    keys = ActorKeys(claim, known, now=seconds, limits=limits)
    failed: list[Verdict] = []
    for check in _checks(signatures, claim, seen, seconds):
        steps: list[str] = []
        try:
            signed = check(steps=steps)
            actor = yield from keys.check(signed, steps)
        except VerificationFailed as fault:
            failed.append(_told(fault, seen, steps))
            continue
        try:
            address = yield from _address_of(actor, claim, limits=limits)
        except VerificationFailed as fault:
            return Authentication(fault.verdict(tuple(steps)), actor)
        steps.append("address")
        notes += [Diagnostic(code=one.code or "bad-signature", at="/proof", detail=one.detail) for one in failed]
        return Authentication(_shown(signed, claim, seen, address, tuple(steps), now), actor)
    if not failed:
        nested = VerificationFailed("coverage-missing", "the proof is on the object, and not on the activity")
        return Authentication(nested.verdict(), keys.actor)
    best = max(reversed(failed), key=lambda one: (one.temporary, len(one.steps)))
    return Authentication(best, keys.actor)


def _checks(signatures: Signatures, claim: Claim, request: SignedRequest, now: int) -> Iterator[Callable[..., Signed]]:
    """What looks at each signature as far as that needs no key, the weightiest first."""
    for proof in signatures.proofs[:MAX_SIGNATURES]:
        yield partial(check_proof, proof, claim, host=request.target.authority, now=now)
    for found in signatures.http:
        yield partial(check_cavage if found.form == "cavage" else check_rfc9421, found, request, now=now)


def _told(fault: VerificationFailed, request: SignedRequest, steps: list[str]) -> Verdict:
    """The verdict on a signature that failed; one that does not fit here may have been made for the host it names."""
    if fault.code == "bad-signature" and "host" in request.headers and not request.is_for_host:
        fault = VerificationFailed("host-mismatch", "Host is not the host of the URL, and the signature does not fit")
    return fault.verdict(tuple(steps))


def _address_of(actor: Actor, claim: Claim, *, limits: Limits) -> Flow[Fetch, Address]:
    """The address of the actor, confirmed by its domain."""

    def points(link: Link) -> bool:
        return link.rel == "self" and link.href == claim.actor and is_activitystreams(link.type)

    return confirmed(Address(actor.sender.address), points=points, limits=limits)


def _shown(
    signed: Signed, claim: Claim, request: SignedRequest, address: Address, steps: tuple[str, ...], now: datetime
) -> Verdict:
    """The verdict on an activity whose sender is shown: every step was passed."""
    return Verdict(
        method=signed.method,
        verified=True,
        address=address,
        key_id=signed.key_id,
        evidence=minted(
            signed.method,
            address,
            issuer=claim.host,
            audience=request.target.authority or UNNAMED_HOST,
            key_id=signed.key_id,
            now=now,
        ),
        steps=steps,
        replay=replay_of("activitypub", signed.signature, binding=claim.id, until=signed.until),
    )
