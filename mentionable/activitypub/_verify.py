"""The entry point `verify`: who sent an activity. `receive` takes the same steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache, partial
from typing import Any, Final, cast

from attrs import define, field

from .._crypto.keys import STRONG_BITS, PublicKey, public_key_of_multikey, public_key_of_pem
from .._crypto.verification import NO_AUDIENCE, VerificationFailed, replay_ask, transport_evidence
from .._errors.exceptions import WireError
from .._flow.asks import Fetch, Fetched, UseOnce
from .._flow.flow import Failed, Flow, bounded
from .._flow.outcome import UNSIGNED, Verdict
from .._flow.settings import DEFAULTS, Limits, Settings, check_inputs, own_settings
from .._model.base import Lazy, frozen, unchecked
from .._model.diagnostic import Diagnostic
from .._transport.webfinger import Link, confirmed
from .._wire.address import Address
from .._wire.http import UNNAMED_HOST, HttpRequest, check_request
from .._wire.time import is_time, parse_time
from ._auth.proof import check_proof
from ._auth.signature import (
    MAX_SIGNATURES,
    SKEW,
    SignatureInput,
    Signatures,
    SignedRequest,
    UnverifiedSignature,
    check_cavage,
    check_rfc9421,
    read_signatures,
    signed_request,
)
from ._read.documents import ADDRESSLESS, Actor, Unreadable, fetch, is_activitystreams, read_actor, read_object_of
from ._read.json_ld import host_of, is_at, many, without_fragment
from ._read.object import ActivityHead, read_head
from ._settings import Settings as ActivityPubSettings

MAX_ASKS: Final = 4 * MAX_SIGNATURES + 4
"""How many documents a verification asks for at most: the actor and the keys, twice each, and two domains."""


_MAX_KEYS: Final = 64
_REMEMBERED_CHARS: Final = 1_024
"""Only keys up to this length are remembered, so that hostile ones cannot fill the memory."""

CHECKS: Final = {"cavage": check_cavage, "rfc9421": check_rfc9421}
"""What checks a signature of a request, by its form, as far as that needs no key."""

_NO_AGE: Final = timedelta(0)
"""Where there is no proof, nothing depends on the age of one."""

_OF_REQUESTS: Final = ("publicKey", "assertionMethod")
_OF_PROOFS: Final = ("assertionMethod",)
_ELSEWHERE: Final = ("verificationMethod", "publicKey")
"""The members that may hold a key that an actor document only names by its id."""


@frozen
class Authentication:
    """What a verification returns.

    Attributes:
        verdict: The verdict.
        actor: The newest document of the actor that was asked for; None without any.
        diagnostics: A proof that failed where a signature of the request was valid; an RSA key that is short.
    """

    verdict: Verdict
    actor: Actor | None
    diagnostics: tuple[Diagnostic, ...] = ()


_new_authentication: Final = unchecked(Authentication)


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
    flow = _verify(request, now, settings)
    return flow if settings.limits.asks >= MAX_ASKS else bounded(flow, remote=settings.limits.asks)


def _verify(request: HttpRequest, now: datetime, settings: Settings) -> Flow[Fetch, Verdict]:
    try:
        head = read_head(request.body, limits=settings.limits)
    except WireError as error:
        return VerificationFailed(error.code, str(error)).verdict()
    signatures = read_signatures(request, head.document, head.document.get("object"))
    result = yield from authenticate(request, head, signatures, actor=None, now=now, settings=settings)
    return result.verdict


def authenticate(
    request: HttpRequest,
    head: ActivityHead,
    signatures: Signatures,
    *,
    actor: Actor | None,
    now: datetime,
    settings: Settings,
) -> Flow[Fetch, Authentication]:
    """Verifies that the actor of an activity sent it, by one of its signatures."""
    # For each signature, object proofs first, because they outrank signatures of the request, until one is valid:
    #   1. check what needs no key: coverage, time, digest, host    (no ask)
    #   2. find the key in the actor's own document, verify         (asks the actor, once again when it does not fit)
    #   3. confirm the address by WebFinger at its domain           (asks the domain)
    #   4. make the verdict
    # When all fail, the verdict names the failure that came furthest.
    if not signatures:
        return _new_authentication(verdict=UNSIGNED, actor=actor)
    seconds, limits = int(now.timestamp()), settings.limits
    signed = signed_request(request)
    max_age = own_settings(ActivityPubSettings, settings).max_proof_age if signatures.proofs else _NO_AGE
    keys = ActorKeys(head.actor, head.host, actor, now=seconds, limits=limits)
    failed: list[Verdict] = []
    for declared in (*signatures.proofs[:MAX_SIGNATURES], *signatures.http):
        steps: tuple[str, ...] = ()
        try:
            if isinstance(declared, SignatureInput):
                signature = CHECKS[declared.form](declared, signed, now=seconds)
            else:  # a proof is any JSON
                signature = check_proof(declared, head, host=signed.target.authority, now=seconds, max_age=max_age)
            steps = signature.steps
            actor = yield from keys.check(signature)
        except VerificationFailed as fault:
            failed.append(failed_verdict(fault, steps, signed))
            continue
        proofs_end = seconds + int(max_age.total_seconds()) + 2 * SKEW
        replays = partial(_replay_asks, head.id, head.actor, signature, signed.target.authority, proofs_end)
        verdict = yield from verdict_of(signature, actor, signed, replays=replays, now=now, limits=limits)
        if not verdict.verified:
            return Authentication(verdict=verdict, actor=actor)
        diagnostics = [Diagnostic(code=one.code or "bad-signature", at="/proof", detail=one.detail) for one in failed]
        if keys.weak_bits:
            diagnostics.append(Diagnostic(code="key-weak-rsa", detail=f"{keys.weak_bits} bits: {signature.key_id}"))
        return Authentication(verdict=verdict, actor=actor, diagnostics=tuple(diagnostics))
    if not failed:
        # A proof on the object verifies who wrote that; any server may wrap it into an activity.
        nested = VerificationFailed("coverage-missing", "the proof is on the object, and not on the activity")
        return Authentication(verdict=nested.verdict(), actor=keys.actor)
    return Authentication(verdict=furthest(failed), actor=keys.actor)


def _replay_asks(
    activity_id: str, actor_id: str, signature: UnverifiedSignature, authority: str, proofs_end: int
) -> tuple[UseOnce]:
    """The ask that lets a signature count for one activity only. It keeps nothing of the body.

    Of a proof it is about what it shows, since one that passes an activity on may leave out some of its proofs. Another
    proof of the same may be accepted up to `proofs_end`.
    """
    used, last = signature.signature, signature.accepted_until
    if signature.method != "ap-http-signature":
        used, last = actor_id.encode() + signature.digest, max(last, proofs_end)
    ask = replay_ask(
        "activitypub",
        used,
        binding=f"{activity_id} {signature.digest.hex()}",
        recipient=authority or UNNAMED_HOST,
        until=last + 1,  # that is the last second at which it is accepted
    )
    return (ask,)


def failed_verdict(fault: VerificationFailed, steps: tuple[str, ...], request: SignedRequest) -> Verdict:
    """The verdict on a request of which one signature failed after `steps`."""
    steps += fault.steps
    if fault.code == "bad-signature" and "host" in request.headers and not request.is_for_host:
        # A proxy that rewrites Host is the usual reason, and an operator needs to see that.
        fault = VerificationFailed("host-mismatch", "the signature does not fit, and Host is not that of the URL")
    return fault.verdict(steps)


def furthest(failed: Sequence[Verdict]) -> Verdict:
    """The verdict when every signature failed: that of the one that came furthest."""
    return max(reversed(failed), key=lambda one: (one.temporary, len(one.steps)))


def verdict_of(
    signature: UnverifiedSignature,
    actor: Actor,
    request: SignedRequest,
    *,
    replays: Callable[[], tuple[UseOnce, ...]] | None,
    now: datetime,
    limits: Limits,
) -> Flow[Fetch, Verdict]:
    """The verdict on a request that a key of `actor` signed: verified when the domain confirms their address.

    `replays` makes the ask that lets the signature count once, for those who read it.
    """
    lazy_replays: Any = () if replays is None else Lazy(replays)
    steps = (*signature.steps, "key", "binding", "signature")
    try:
        address = yield from confirm_address(actor, limits)
    except VerificationFailed as fault:
        return fault.verdict(steps)
    return Verdict(
        method=signature.method,
        verified=True,
        address=address,
        key_id=signature.key_id,
        evidence=transport_evidence(
            signature.method,
            address,
            issuer=cast("str", host_of(actor.document["id"])),  # it was asked for
            audience=(request.target.authority or UNNAMED_HOST) if signature.covers_host else NO_AUDIENCE,
            key_id=signature.key_id,
            now=now,
        ),
        steps=(*steps, "address"),
        replays=lazy_replays,
    )


def confirm_address(actor: Actor, limits: Limits) -> Flow[Fetch, Address]:
    """The address of an actor, confirmed by the domain of the address: its WebFinger names the actor.

    Raises:
        VerificationFailed: It does not.
    """
    actor_id = actor.document["id"]

    def points(link: Link) -> bool:
        return link.rel == "self" and link.href == actor_id and is_activitystreams(link.type)

    address = cast("Address", actor.sender.address)  # as `read_actor` made it
    address, _ = yield from confirmed(address, points=points, limits=limits)
    return address


@define
class ActorKeys:
    """The keys of one actor, whose own document must list each of them.

    Keys are only taken from answers, never from the received activity. Each document is asked for once, and past the
    caller's cache once more.

    Attributes:
        actor_id: The id of the actor.
        host: The host of that id.
        actor: The newest document of the actor; None before it is asked for.
        now: The time in seconds.
        limits: The bounds.
        weak_bits: The size of the RSA key that fitted, where it is smaller than keys should be; else 0.
    """

    actor_id: str
    host: str
    actor: Actor | None
    now: int = field(kw_only=True)
    limits: Limits = field(kw_only=True)
    weak_bits: int = field(default=0, init=False)
    _answers: dict[Fetch, Fetched | Failed] = field(factory=dict, init=False)

    def check(self, signature: UnverifiedSignature) -> Flow[Fetch, Actor]:
        """The actor, when one of their keys made the signature. The steps are `key`, `binding` and `signature`.

        Raises:
            VerificationFailed: No key of the actor fits, or their documents could not be fetched. Its `steps` are those
                that passed.
        """
        #   1. the key is of the actor's origin, so no other server is asked
        #   2. key: the actor's document lists it, or names a document that holds it
        #   3. binding: its owner is the actor; it is neither expired nor revoked
        #   4. signature: it fits one of the signature bases
        # Actors rotate keys: an unknown key and a signature that does not fit are tried again with fresh documents.
        key_id = signature.key_id
        if len(key_id) > self.limits.id_chars or not is_at(key_id, self.host):
            raise VerificationFailed("key-mismatch", "the key is of another origin than the actor")
        members = _OF_REQUESTS if signature.method == "ap-http-signature" else _OF_PROOFS
        steps: tuple[str, ...] = ()
        try:
            for fresh in (False, True):
                actor = self.actor
                if actor is None or fresh:
                    actor = yield from self._ask_actor(fresh=fresh)
                entry, is_named = _listed(actor.document, key_id, members)
                if entry is None and is_named:
                    entry = yield from self._ask_key(key_id, fresh=fresh)
                if entry is None:
                    continue
                steps = ("key",)
                key = _public_key(entry, self.actor_id, now=self.now)
                steps = ("key", "binding")
                if signature.key_kind is not None and key.kind != signature.key_kind:
                    raise VerificationFailed("algorithm-refused", f"the key is of the kind {key.kind}")
                for base in signature.signature_bases:
                    if key.fits(signature.signature, base):
                        self.actor = actor
                        self.weak_bits = key.bits if key.kind == "rsa" and key.bits < STRONG_BITS else 0
                        return actor
        except VerificationFailed as fault:
            fault.steps = steps
            raise
        if steps:
            misfit = VerificationFailed("bad-signature", "the signature does not fit")
            misfit.steps = steps
            raise misfit
        if without_fragment(key_id) != without_fragment(self.actor_id):
            raise VerificationFailed("key-mismatch", "the key is not one of the actor")
        raise VerificationFailed("key-unknown", "the actor has no such key")

    def _ask_actor(self, *, fresh: bool) -> Flow[Fetch, Actor]:
        """The actor, out of the caller's cache or past it."""
        answer = yield from self._ask(fetch(self.actor_id, "actor", fresh=fresh, limits=self.limits))
        actor = read_actor(answer, self.actor_id, limits=self.limits)
        if actor is ADDRESSLESS:
            raise VerificationFailed("address-unconfirmed", f"the actor document: {ADDRESSLESS.reason}")
        if isinstance(actor, Unreadable):
            raise unresolved("the actor document", actor)
        self.actor = actor
        return actor

    def _ask_key(self, key_id: str, *, fresh: bool) -> Flow[Fetch, dict[str, Any] | None]:
        """The key in a document of its own, where the actor document only names it."""
        url = without_fragment(key_id)
        if url == without_fragment(self.actor_id):
            return None
        answer = yield from self._ask(fetch(url, "key", fresh=fresh, limits=self.limits))
        fetched = read_object_of(answer, url, limits=self.limits)
        if isinstance(fetched, Unreadable):
            raise unresolved("the document of the key", fetched)
        document, _ = fetched
        if document.get("id") == key_id:
            return document
        if document.get("id") == self.actor_id:
            # GoToSocial and others serve a stub of the actor with the key inside.
            return _listed(document, key_id, _OF_REQUESTS)[0]
        return None

    def _ask(self, ask: Fetch) -> Flow[Fetch, Fetched | Failed]:
        if ask not in self._answers:
            self._answers[ask] = yield from ask
        return self._answers[ask]


def unresolved(what: str, fault: Unreadable) -> VerificationFailed:
    """Why there is no key, when the document that should hold it cannot be used."""
    if fault.is_gone:
        return VerificationFailed("key-unknown", f"{what}: {fault.reason}")
    return VerificationFailed("key-unresolvable", f"{what}: {fault.reason}", temporary=fault.temporary)


def _listed(document: dict[str, Any], key_id: str, members: tuple[str, ...]) -> tuple[dict[str, Any] | None, bool]:
    """The entry of the key `key_id` in `members` of a document, and whether they name it.

    A member may name a key by its id alone; then the entry is looked for in the other members that hold keys.
    """
    is_named = False
    for member in members:
        listed = document.get(member)
        if listed.__class__ is dict and listed.get("id") == key_id:  # what most servers have
            return listed, True
        for entry in many(listed)[:_MAX_KEYS]:
            if entry.__class__ is dict:
                if entry.get("id") == key_id:
                    return entry, True
            elif entry == key_id:
                is_named = True
    if is_named and members is not _ELSEWHERE:
        return _listed(document, key_id, _ELSEWHERE)[0], True
    return None, is_named


def _public_key(entry: dict[str, Any], actor: str, *, now: int) -> PublicKey:
    """The key in an entry of the actor document: RSA in PEM, or Ed25519 as Multikey."""
    # A Multikey has `controller`, a `publicKey` has `owner`: one must name the actor, and neither another one.
    owner, controller = entry.get("owner"), entry.get("controller")
    if actor not in (owner, controller) or owner not in (actor, None) or controller not in (actor, None):
        raise VerificationFailed("key-mismatch", "the key does not belong to the actor")
    for name in ("expires", "revoked"):
        if (time := entry.get(name)) is not None and not (
            time.__class__ is str and is_time(time) and parse_time(time).timestamp() > now
        ):
            raise VerificationFailed("key-refused", f"the key says {name}")
    pem, multikey = entry.get("publicKeyPem"), entry.get("publicKeyMultibase")
    try:
        if multikey is None and pem.__class__ is str:
            return (_remembered_pem if len(pem) <= _REMEMBERED_CHARS else _read_pem)(pem)
        if pem is None and multikey.__class__ is str:
            return (_remembered_multikey if len(multikey) <= _REMEMBERED_CHARS else public_key_of_multikey)(multikey)
    except WireError as error:
        raise VerificationFailed("key-refused", str(error)) from None
    raise VerificationFailed("key-refused", "the key is neither publicKeyPem nor publicKeyMultibase")


def _read_pem(text: str) -> PublicKey:
    key = public_key_of_pem(text)
    if key.kind != "rsa":
        raise VerificationFailed("key-refused", "a key in PEM is RSA here")
    return key


_remembered_pem: Final = lru_cache(256)(_read_pem)
_remembered_multikey: Final = lru_cache(256)(public_key_of_multikey)
