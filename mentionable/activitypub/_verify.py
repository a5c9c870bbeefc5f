"""The entry point `verify`: who sent an activity. `receive` takes the same steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from .._crypto.verification import VerificationFailed, replay_key, transport_evidence
from .._errors.exceptions import WireError
from .._flow.asks import Fetch
from .._flow.flow import Flow, bounded
from .._flow.outcome import UNSIGNED, Verdict
from .._flow.settings import DEFAULTS, Limits, Settings, check_inputs
from .._model.diagnostic import Diagnostic
from .._transport.webfinger import Link, confirmed
from .._wire.address import Address
from .._wire.http import UNNAMED_HOST, HttpRequest, check_request
from ._auth.actor_keys import ActorKeys
from ._auth.proof import check_proof
from ._auth.signature import MAX_SIGNATURES, Signatures, read_signatures
from ._auth.signature_base import (
    SignedRequest,
    UnverifiedSignature,
    check_cavage,
    check_rfc9421,
    signed_request,
)
from ._read.documents import Actor, is_activitystreams
from ._read.object import ActivityHead, read_head

MAX_ASKS: Final = 4 * MAX_SIGNATURES + 4
"""How many documents a verification asks for at most: the actor and the keys, twice each, and two domains."""


class Authentication(NamedTuple):
    """What a verification returns.

    Attributes:
        verdict: The verdict.
        actor: The newest document of the actor that was asked for; None without any.
        diagnostics: A proof that failed where a signature of the request was valid.
    """

    verdict: Verdict
    actor: Actor | None
    diagnostics: tuple[Diagnostic, ...] = ()


def verify(request: HttpRequest, *, now: datetime, settings: Settings = DEFAULTS) -> Flow[Fetch, Verdict]:
    """Verifies who sent an activity of any kind, or says which step failed.

    `receive` does the same for what becomes a message. An activity is verified by an HTTP signature (draft-cavage-12 or
    RFC 9421) or by an object proof (FEP-8b32) on the activity itself, which outranks it; the address is verified by
    WebFinger. JSON-LD signatures never count. An activity that another server's actor signed is not verified.

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
    flow = _verify(request, now, settings.limits)
    return flow if settings.limits.asks >= MAX_ASKS else bounded(flow, remote=settings.limits.asks)


def _verify(request: HttpRequest, now: datetime, limits: Limits) -> Flow[Fetch, Verdict]:
    try:
        head = read_head(request.body, limits=limits)
    except WireError as error:
        return VerificationFailed(error.code, str(error)).verdict()
    signatures = read_signatures(request, head.document, head.document.get("object"))
    result = yield from authenticate(request, head, signatures, actor=None, now=now, limits=limits)
    return result.verdict


def authenticate(
    request: HttpRequest,
    head: ActivityHead,
    signatures: Signatures,
    *,
    actor: Actor | None,
    now: datetime,
    limits: Limits,
) -> Flow[Fetch, Authentication]:
    """Verifies that the actor of an activity sent it, by one of its signatures.

    Args:
        request: The request as it came.
        head: The id and the actor of the activity.
        signatures: Its signatures and proofs.
        actor: The actor's document, if it was asked for before.
        now: The time.
        limits: The bounds.
    """
    # For each signature, object proofs first, until one is valid:
    #   1. check what needs no key: coverage, time, digest, host    (no ask)
    #   2. find the key in the actor's own document, verify         (asks the actor, once again when it does not fit)
    #   3. confirm the address by WebFinger at its domain           (asks the domain)
    #   4. make the verdict
    # When all fail, the verdict names the failure that came furthest.
    if not signatures:
        return Authentication(verdict=UNSIGNED, actor=actor)
    seconds = int(now.timestamp())
    signed = signed_request(request)
    keys = ActorKeys(head, actor, now=seconds, limits=limits)
    failed: list[Verdict] = []
    for check in _checks(signatures, head, signed, seconds):
        steps: tuple[str, ...] = ()
        try:
            signature = check()
            steps = signature.steps
            actor = yield from keys.check(signature)
        except VerificationFailed as fault:
            steps += fault.steps
            if fault.code == "bad-signature" and "host" in signed.headers and not signed.is_for_host:
                # A proxy that rewrites Host is the usual reason, and an operator needs to see that.
                fault = VerificationFailed(
                    "host-mismatch", "the signature does not fit, and Host is not that of the URL"
                )
            failed.append(fault.verdict(steps))
            continue
        steps = (*steps, "key", "binding", "signature")
        try:
            address = yield from _confirm_address(actor, head, limits=limits)
        except VerificationFailed as fault:
            return Authentication(verdict=fault.verdict(steps), actor=actor)
        verdict = Verdict(
            method=signature.method,
            verified=True,
            address=address,
            key_id=signature.key_id,
            evidence=transport_evidence(
                signature.method,
                address,
                issuer=head.host,
                audience=signed.target.authority or UNNAMED_HOST,
                key_id=signature.key_id,
                now=now,
            ),
            steps=(*steps, "address"),
            replay=replay_key("activitypub", signature.signature, binding=head.id, until=signature.expires_at),
        )
        diagnostics = [Diagnostic(code=one.code or "bad-signature", at="/proof", detail=one.detail) for one in failed]
        return Authentication(verdict=verdict, actor=actor, diagnostics=tuple(diagnostics))
    if not failed:
        # A proof on the object verifies who wrote that; anybody may wrap it into an activity.
        nested = VerificationFailed("coverage-missing", "the proof is on the object, and not on the activity")
        return Authentication(verdict=nested.verdict(), actor=keys.actor)
    furthest = max(reversed(failed), key=lambda one: (one.temporary, len(one.steps)))
    return Authentication(verdict=furthest, actor=keys.actor)


def _checks(
    signatures: Signatures, head: ActivityHead, request: SignedRequest, now: int
) -> Iterator[Callable[[], UnverifiedSignature]]:
    """The check of each signature that needs no key, object proofs first: they outrank signatures of the request."""
    for proof in signatures.proofs[:MAX_SIGNATURES]:
        yield partial(check_proof, proof, head, host=request.target.authority, now=now)
    for declared in signatures.http:
        yield partial(check_cavage if declared.form == "cavage" else check_rfc9421, declared, request, now=now)


def _confirm_address(actor: Actor, head: ActivityHead, *, limits: Limits) -> Flow[Fetch, Address]:
    """The address of the actor, confirmed by the domain of the address."""

    def points(link: Link) -> bool:
        return link.rel == "self" and link.href == head.actor and is_activitystreams(link.type)

    return confirmed(Address(actor.sender.address), points=points, limits=limits)
