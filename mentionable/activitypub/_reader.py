"""The entry point `verify_reader`: who asks for a document, by a signed GET."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from .._crypto.verification import VerificationFailed
from .._errors.exceptions import UsageError
from .._flow.asks import Fetch
from .._flow.flow import Flow, bounded
from .._flow.outcome import UNSIGNED, Verdict
from .._flow.settings import DEFAULTS, Limits, Settings, check_inputs
from .._model.base import frozen
from .._wire.http import HttpRequest, check_request
from ._auth.signature import (
    MAX_SIGNATURES,
    SignatureInput,
    SignedRequest,
    UnverifiedSignature,
    read_signatures,
    signed_request,
)
from ._read.documents import ADDRESSLESS, Actor, Unreadable, fetch, read_actor, read_object_of
from ._read.json_ld import host_in, host_of, is_at, without_fragment
from ._verify import CHECKS, ActorKeys, failed_verdict, furthest, unresolved, verdict_of

MAX_ASKS: Final = 5 * MAX_SIGNATURES + 4
"""The maximum number of asks: the owner of each key, the actor and the key twice each, and two domains."""

READ_METHODS: Final = frozenset({"GET", "HEAD"})
"""The methods of a reader's request."""

_OF_THE_QUERY: Final = frozenset({"@target-uri", "@request-target", "@query"})


@frozen
class Reader:
    """Who asks for a document, for `document_response`.

    Attributes:
        verdict: How they were verified, or which step failed and why.
        id: The id of their actor; None unless they are verified.
    """

    verdict: Verdict
    id: str | None = None

    def __attrs_post_init__(self) -> None:
        verdict: Any = self.verdict
        if not isinstance(verdict, Verdict) or verdict.verified != (self.id is not None):
            raise UsageError("a Reader has an id exactly when its verdict is verified: verify_reader makes one")


def check_reader(reader: object) -> None:
    """Raises `UsageError` when an argument is no reader."""
    if reader is not None and not isinstance(reader, Reader):
        raise UsageError("reader must be what verify_reader returns, or None")


def verify_reader(request: HttpRequest, *, now: datetime, settings: Settings = DEFAULTS) -> Flow[Fetch, Reader]:
    """Verifies who asks for a document by a signed GET, as servers do for documents that are not public.

    A GET has no activity, so its key names the actor: the key, or the document that holds it, names its owner, whose
    own document must list the key. The address is verified as in `verify`. The signature must cover the whole URL with
    its query, because the query says which page is asked for.

    Answer public documents first, without this: other servers fetch the actor of your agent while they verify what it
    sends. Then verify whoever asks for the rest, also for a document that you do not have, or the look-ups that you
    make would show which documents exist.

    Args:
        request: The GET or HEAD as it came; its `url` is the public one.
        now: The time, aware.
        settings: Limits.

    Returns:
        A flow of the reader. Its `id` is None when the request is not signed or not verified.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: ActivityPub §3.2, §6 (Retrieving objects); draft-cavage-http-signatures-12; RFC 9421.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> request = HttpRequest(method="GET", url="https://agents.example/notes/1")
        >>> drive(verify_reader(request, now=datetime(2026, 11, 21, tzinfo=UTC)), Answers()).verdict.code
        'unsigned'
    """
    check_inputs(now, settings)
    check_request(request)
    flow = _verify_reader(request, now, settings.limits)
    return flow if settings.limits.asks >= MAX_ASKS else bounded(flow, remote=settings.limits.asks)


def _verify_reader(request: HttpRequest, now: datetime, limits: Limits) -> Flow[Fetch, Reader]:
    # For each signature of the request, so that the first valid one counts:
    #   1. check what needs no key: coverage, time, digest, host    (no ask)
    #   2. find the owner of the key                                (asks for the document of the key)
    #   3. find the key in the owner's own document, verify         (asks the actor, once again when it does not fit)
    #   4. confirm the address by WebFinger at its domain           (asks the domain)
    # When all fail, the verdict names the failure that came furthest.
    if request.method not in READ_METHODS:
        return Reader(verdict=VerificationFailed("host-mismatch", "a reader asks by GET or HEAD").verdict())
    signatures = read_signatures(request, {}).http
    if not signatures:
        return Reader(verdict=UNSIGNED)
    seconds, host = int(now.timestamp()), signer_host(signatures)
    signed = signed_request(request)
    failed: list[Verdict] = []
    for declared in signatures:
        steps: tuple[str, ...] = ()
        try:
            signature = _check_without_key(declared, signed, now=seconds)
            steps = signature.steps
            keys = yield from _keys_of(signature.key_id, host, now=seconds, limits=limits)
            actor = yield from keys.check(signature)
        except VerificationFailed as fault:
            failed.append(failed_verdict(fault, steps, signed))
            continue
        # The same GET again shows the same document to the same reader, so its signature need not count only once.
        verdict = yield from verdict_of(signature, actor, signed, replays=None, now=now, limits=limits)
        return Reader(verdict=verdict, id=actor.document["id"] if verdict.verified else None)
    return Reader(verdict=furthest(failed))


def signer_host(signatures: Iterable[SignatureInput]) -> str | None:
    """The host of the first key that could be asked for; None: there is none."""
    hosts = (host_in(one.key_id) for one in signatures if one.fault is None)
    return next((host for host in hosts if host is not None), None)


def _check_without_key(declared: SignatureInput, request: SignedRequest, *, now: int) -> UnverifiedSignature:
    """Check a signature as far as that needs no key. It must cover the query, which a delivery need not.

    Raises:
        VerificationFailed: As `check_cavage` and `check_rfc9421`.
    """
    signature = CHECKS[declared.form](declared, request, now=now)
    if declared.form == "cavage":
        return signature._replace(signature_bases=signature.signature_bases[:1])
    if request.target.query is not None and _OF_THE_QUERY.isdisjoint(declared.covered or ()):
        raise VerificationFailed("coverage-missing", "the query is not covered")
    return signature


def _keys_of(key_id: str, host: str | None, *, now: int, limits: Limits) -> Flow[Fetch, ActorKeys]:
    """The keys of the actor who owns a key, as far as the document of the key says so: their own must confirm it.

    All keys of a request are at `host`, which `peek` names: else it would have one host asked, and count for another.

    Raises:
        VerificationFailed: `key-refused`, `key-mismatch`, `key-unknown`, `key-unresolvable`, `address-unconfirmed`.
    """
    if len(key_id) > limits.id_chars or host is None or host_of(key_id) is None:
        raise VerificationFailed("key-refused", "the id of the key is no https URL that may be asked for")
    if host_of(key_id) != host:
        raise VerificationFailed("key-refused", "the key is of another host than that of the first signature")
    url = without_fragment(key_id)
    answer = yield from fetch(url, "key", limits=limits)
    actor = read_actor(answer, url, limits)
    if isinstance(actor, Actor):  # the usual case: the key is a fragment of the actor
        return ActorKeys(url, host, actor, now=now, limits=limits)
    if actor is ADDRESSLESS:
        raise VerificationFailed("address-unconfirmed", f"the actor document: {ADDRESSLESS.reason}")
    fetched = read_object_of(answer, url, limits)
    if isinstance(fetched, Unreadable):
        raise unresolved("the document of the key", fetched)
    document, _ = fetched
    owner = document.get("id")
    if owner == url != key_id:  # it names itself as the owner, and is no document of an actor
        raise unresolved("the actor document", actor)
    if owner == key_id:  # the key alone; otherwise a part of the actor with the key inside
        owner = document.get("owner") or document.get("controller")
    if owner.__class__ is not str or len(owner) > limits.id_chars or not is_at(owner, host):
        raise VerificationFailed("key-mismatch", "the document of the key names no owner of its origin")
    return ActorKeys(owner, host, None, now=now, limits=limits)
