"""From the id of a key to the key: it is the actor's, by the actor's own document, or it is nobody's.

Key material is only ever taken from answers, never from what was received.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from ..._crypto.keys import PublicKey, public_key_of_multikey, public_key_of_pem
from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import WireError
from ..._flow.ask import Failed, Flow
from ..._flow.asks import Fetch, Fetched
from ..._flow.settings import Limits
from ..._wire.time import is_time, parse_time
from .._read.documents import ADDRESSLESS, Actor, Unreadable, fetch, read_actor, read_object_of
from .._read.json_ld import is_at, many, without_fragment
from .._read.object import Claim
from .signature_base import Signed

_MAX_KEYS: Final = 64
_REMEMBERED_CHARS: Final = 1_024
"""Only keys up to this length are remembered, so that hostile ones cannot fill the memory."""

_OF_REQUESTS: Final = ("publicKey", "assertionMethod")
_OF_PROOFS: Final = ("assertionMethod",)
_ELSEWHERE: Final = ("verificationMethod", "publicKey")
"""Where a key may stand that an actor only names by its id."""


class ActorKeys:
    """The keys of the actor of one activity. Nothing is asked twice, and past the caller's cache only once.

    Attributes:
        actor: The document in which the last key was found.
    """

    __slots__ = ("_answers", "_claim", "_limits", "_now", "actor")

    def __init__(self, claim: Claim, known: Actor | None, *, now: int, limits: Limits) -> None:
        self.actor = known
        self._claim = claim
        self._now = now
        self._limits = limits
        self._answers: dict[Fetch, Fetched | Failed] = {}

    def check(self, signed: Signed, steps: list[str]) -> Flow[Fetch, Actor]:
        """The actor, when `signed` is by one of their keys; `steps` takes what passed.

        When the key is not known or does not fit, it may have changed: then the document is asked for once more.

        Raises:
            Unproven: It is by no key of theirs, or that could not be found out.
        """
        key_id = signed.key_id
        if len(key_id) > self._limits.id_chars or not is_at(key_id, self._claim.host):
            raise VerificationFailed("key-mismatch", "the key is of another origin than the actor")
        members = _OF_REQUESTS if signed.method == "ap-http-signature" else _OF_PROOFS
        passed = len(steps)
        was_found = False
        for fresh in (False, True):
            actor = self.actor
            if actor is None or fresh:
                actor = yield from self._ask_actor(fresh=fresh)
            entry, is_named = _listed(actor.document, key_id, members)
            if entry is None and is_named:
                entry = yield from self._ask_key(key_id, fresh=fresh)
            if entry is None:
                continue
            was_found = True
            key = _public_key(entry, self._claim.actor, now=self._now)
            del steps[passed:]
            steps += ("key", "binding")
            if signed.kind is not None and key.kind != signed.kind:
                raise VerificationFailed("algorithm-refused", f"the key is of the kind {key.kind}")
            for text in signed.texts:
                if key.fits(signed.signature, text):
                    steps.append("signature")
                    self.actor = actor
                    return actor
        if was_found:
            raise VerificationFailed("bad-signature", "the signature does not fit")
        if without_fragment(key_id) != without_fragment(self._claim.actor):
            raise VerificationFailed("key-mismatch", "the key is not one of the actor")
        raise VerificationFailed("key-unknown", "the actor has no such key")

    def _ask_actor(self, *, fresh: bool) -> Flow[Fetch, Actor]:
        """The actor, out of the caller's cache or past it."""
        own = self._claim.actor
        answer = yield from self._ask(fetch(own, "actor", fresh=fresh, limits=self._limits))
        actor = read_actor(answer, own, limits=self._limits)
        if actor is ADDRESSLESS:
            raise VerificationFailed("address-unconfirmed", f"the actor document: {ADDRESSLESS.reason}")
        if isinstance(actor, Unreadable):
            raise _unresolved("the actor document", actor)
        self.actor = actor
        return actor

    def _ask_key(self, key_id: str, *, fresh: bool) -> Flow[Fetch, dict[str, Any] | None]:
        """The key in a document of its own, where the actor only names it."""
        url = without_fragment(key_id)
        if url == without_fragment(self._claim.actor):
            return None
        return self._entry_in((yield from self._ask(fetch(url, "key", fresh=fresh, limits=self._limits))), url, key_id)

    def _entry_in(self, answer: Fetched | Failed, url: str, key_id: str) -> dict[str, Any] | None:
        """The key in a document of its own; some servers wrap it into a short form of the actor."""
        found = read_object_of(answer, url, limits=self._limits)
        if isinstance(found, Unreadable):
            raise _unresolved("the document of the key", found)
        document, _ = found
        if document.get("id") == key_id:
            return document
        if document.get("id") == self._claim.actor:
            return _listed(document, key_id, _OF_REQUESTS)[0]
        return None

    def _ask(self, ask: Fetch) -> Flow[Fetch, Fetched | Failed]:
        if ask not in self._answers:
            self._answers[ask] = yield from ask
        return self._answers[ask]


def _unresolved(what: str, found: Unreadable) -> VerificationFailed:
    """Why there is no key, when the document that should have it cannot be used."""
    if found.is_gone:
        return VerificationFailed("key-unknown", f"{what}: {found.reason}")
    return VerificationFailed("key-unresolvable", f"{what}: {found.reason}", temporary=found.temporary)


def _listed(document: dict[str, Any], key_id: str, members: tuple[str, ...]) -> tuple[dict[str, Any] | None, bool]:
    """The key that `members` of a document list under `key_id`, and whether they list it at all."""
    is_named = False
    for member in members:
        found = document.get(member)
        if found.__class__ is dict and found.get("id") == key_id:  # what most servers have
            return found, True
        for entry in many(found)[:_MAX_KEYS]:
            if entry.__class__ is dict:
                if entry.get("id") == key_id:
                    return entry, True
            elif entry == key_id:
                is_named = True
    if is_named and members is not _ELSEWHERE:
        return _listed(document, key_id, _ELSEWHERE)[0], True
    return None, is_named


def _public_key(entry: dict[str, Any], actor: str, *, now: int) -> PublicKey:
    """The key in an entry that is the actor's own word: RSA in PEM, or Ed25519 as Multikey."""
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
