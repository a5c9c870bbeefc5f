"""From a key id to the key: it must belong to the actor, by the actor's own document.

Key material is only taken from answers, never from the received activity.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from ..._crypto.keys import PublicKey, public_key_of_multikey, public_key_of_pem
from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import WireError
from ..._flow.asks import Fetch, Fetched
from ..._flow.flow import Failed, Flow
from ..._flow.settings import Limits
from ..._wire.time import is_time, parse_time
from .._read.documents import ADDRESSLESS, Actor, Unreadable, fetch, read_actor, read_object_of
from .._read.json_ld import is_at, many, without_fragment
from .._read.object import ActivityHead
from .signature_base import UnverifiedSignature

_MAX_KEYS: Final = 64
_REMEMBERED_CHARS: Final = 1_024
"""Only keys up to this length are remembered, so that hostile ones cannot fill the memory."""

_OF_REQUESTS: Final = ("publicKey", "assertionMethod")
_OF_PROOFS: Final = ("assertionMethod",)
_ELSEWHERE: Final = ("verificationMethod", "publicKey")
"""The members that may hold a key that an actor document only names by its id."""


class ActorKeys:
    """The keys of the actor of one activity. Each document is asked for once, and past the caller's cache once more.

    Attributes:
        actor: The newest document of the actor; None before it is asked for.
    """

    __slots__ = ("_answers", "_head", "_limits", "_now", "actor")

    def __init__(self, head: ActivityHead, actor: Actor | None, *, now: int, limits: Limits) -> None:
        self.actor = actor
        self._head = head
        self._now = now
        self._limits = limits
        self._answers: dict[Fetch, Fetched | Failed] = {}

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
        if len(key_id) > self._limits.id_chars or not is_at(key_id, self._head.host):
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
                key = _public_key(entry, self._head.actor, now=self._now)
                steps = ("key", "binding")
                if signature.key_kind is not None and key.kind != signature.key_kind:
                    raise VerificationFailed("algorithm-refused", f"the key is of the kind {key.kind}")
                for base in signature.signature_bases:
                    if key.fits(signature.signature, base):
                        self.actor = actor
                        return actor
        except VerificationFailed as fault:
            fault.steps = steps
            raise
        if steps:
            misfit = VerificationFailed("bad-signature", "the signature does not fit")
            misfit.steps = steps
            raise misfit
        if without_fragment(key_id) != without_fragment(self._head.actor):
            raise VerificationFailed("key-mismatch", "the key is not one of the actor")
        raise VerificationFailed("key-unknown", "the actor has no such key")

    def _ask_actor(self, *, fresh: bool) -> Flow[Fetch, Actor]:
        """The actor, out of the caller's cache or past it."""
        own = self._head.actor
        answer = yield from self._ask(fetch(own, "actor", fresh=fresh, limits=self._limits))
        actor = read_actor(answer, own, limits=self._limits)
        if actor is ADDRESSLESS:
            raise VerificationFailed("address-unconfirmed", f"the actor document: {ADDRESSLESS.reason}")
        if isinstance(actor, Unreadable):
            raise _unresolved("the actor document", actor)
        self.actor = actor
        return actor

    def _ask_key(self, key_id: str, *, fresh: bool) -> Flow[Fetch, dict[str, Any] | None]:
        """The key in a document of its own, where the actor document only names it."""
        url = without_fragment(key_id)
        if url == without_fragment(self._head.actor):
            return None
        answer = yield from self._ask(fetch(url, "key", fresh=fresh, limits=self._limits))
        fetched = read_object_of(answer, url, limits=self._limits)
        if isinstance(fetched, Unreadable):
            raise _unresolved("the document of the key", fetched)
        document, _ = fetched
        if document.get("id") == key_id:
            return document
        if document.get("id") == self._head.actor:
            # GoToSocial and others serve a stub of the actor with the key inside.
            return _listed(document, key_id, _OF_REQUESTS)[0]
        return None

    def _ask(self, ask: Fetch) -> Flow[Fetch, Fetched | Failed]:
        if ask not in self._answers:
            self._answers[ask] = yield from ask
        return self._answers[ask]


def _unresolved(what: str, fault: Unreadable) -> VerificationFailed:
    """Why there is no key, when the document that should hold it cannot be used."""
    if fault.is_gone:
        return VerificationFailed("key-unknown", f"{what}: {fault.reason}")
    return VerificationFailed("key-unresolvable", f"{what}: {fault.reason}", temporary=fault.temporary)


def _listed(document: dict[str, Any], key_id: str, members: tuple[str, ...]) -> tuple[dict[str, Any] | None, bool]:
    """The key that `members` of a document list under `key_id`, and whether they list it at all."""
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
    owner, controller = entry.get("owner"), entry.get("controller")
    if actor not in (owner, controller) or owner not in (actor, None) or controller not in (actor, None):
        raise VerificationFailed("key-mismatch", "the key does not belong to the actor")
    for name in ("expires", "revoked"):
        if (end := entry.get(name)) is not None and not (
            end.__class__ is str and is_time(end) and parse_time(end).timestamp() > now
        ):
            raise VerificationFailed("key-refused", f"the key says {name}")
    pem, multikey = entry.get("publicKeyPem"), entry.get("publicKeyMultibase")
    try:
        if multikey is None and pem.__class__ is str:
            return _of_pem(pem) if len(pem) <= _REMEMBERED_CHARS else _read_pem(pem)
        if pem is None and multikey.__class__ is str:
            return _of_multikey(multikey) if len(multikey) <= _REMEMBERED_CHARS else _read_multikey(multikey)
    except WireError as error:
        raise VerificationFailed("key-refused", str(error)) from None
    raise VerificationFailed("key-refused", "the key is neither publicKeyPem nor publicKeyMultibase")


def _read_pem(text: str) -> PublicKey:
    key = public_key_of_pem(text)
    if key.kind != "rsa":
        raise VerificationFailed("key-refused", "a key in PEM is RSA here")
    return key


def _read_multikey(text: str) -> PublicKey:
    return public_key_of_multikey(text)


_of_pem: Final = lru_cache(256)(_read_pem)
_of_multikey: Final = lru_cache(256)(_read_multikey)
