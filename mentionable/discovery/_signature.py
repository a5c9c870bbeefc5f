"""Signatures on A2A cards: JWS over the canonical form of a part of the card.

A signature covers the members that the schema knows, and those alone. Others, such as the URL for clients of v0.3 on a
card of v1.0, may have been added by an attacker. So `verify_card` returns the covered part only.

Spec: A2A 1.0 §8.4; RFC 7515.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from .._crypto.jwt import Header, KeySet, Token, check_signature, protected_header
from .._crypto.keys import SigningKey, check_signing_key
from .._crypto.verification import VerificationFailed
from .._errors.exceptions import Code, Problem, UsageError, WireError, wire_error
from .._flow.outcome import Rejected, rejected
from .._flow.settings import DEFAULTS, check_settings, own_settings
from .._flow.settings import Settings as BaseSettings
from .._model.base import frozen
from .._model.rules import JsonObject, is_domain
from .._wire.ascii import ascii_lower
from .._wire.base64 import base64url_decode, base64url_encode
from .._wire.strict_json import loads, plain
from ._a2a_card import A2ACard
from ._a2a_read import decode_a2a_card
from ._a2a_write import write_a2a_card
from ._agent_card import card_document
from ._covered import CanonicalForm, Covered, covered, empty_members
from ._settings import Settings

_MAX_SIGNATURES: Final = 8
_MAX_CHARACTERS: Final = 8_192
_FORBIDDEN: Final = frozenset({"jwk", "x5c", "x5u", "crit", "b64"})
"""Header members that bring a key along, or change how the signature is to be read. `jku` is not followed."""

_CODES: Final[Mapping[str, Code]] = {
    "key-unknown": "agent-card-key-unknown",
    "algorithm-refused": "agent-card-algorithm-refused",
    "key-refused": "agent-card-key-refused",
}
_ORDER: Final[tuple[Code, ...]] = (
    "agent-card-signature-malformed",
    "agent-card-header-forbidden",
    "agent-card-type-refused",
    "agent-card-algorithm-refused",
    "agent-card-key-unknown",
    "agent-card-key-refused",
    "agent-card-signature-invalid",
)
"""In the order of the checks: of several signatures, the one that came furthest says why the card is refused."""


@frozen
class VerifiedCard:
    """The part of an A2A card that a key of its domain signed.

    Attributes:
        card: That part, as a value. Call no other interface than these.
        document: The same as JSON.
        domain: Whose keys were looked at.
        key_id: Which of them signed it.
        algorithm: By which algorithm.
        form: In which canonical form.
    """

    card: A2ACard
    document: JsonObject
    domain: str
    key_id: str
    algorithm: str
    form: CanonicalForm


class _Signature(NamedTuple):
    """A signature of a card that can be read.

    Attributes:
        header: What its protected header says.
        protected: The same as on the card.
        value: Its bytes.
    """

    header: Header
    protected: str
    value: bytes


def sign_card(card: A2ACard | Mapping[str, Any], *, key: SigningKey) -> dict[str, Any]:
    """The card as JSON with one signature more, ready to be served.

    The signature covers what v1.0 knows, in the form of both official libraries. A document for clients of v0.3 too,
    or one that is also an `AgentCard`, may be signed; what only these know is not covered.

    Args:
        card: The card, or its JSON of v1.0.
        key: An Ed25519 key (`EdDSA`) or an RSA key (`RS256`). Publish its public half under its `key_id`.

    Raises:
        UsageError: Your program's fault: no card of v1.0, a required member that is empty or missing (verifiers do not
            agree on these: write a description, a tag, `streaming=False`), or a number that has no canonical form.

    Spec: A2A 1.0 §8.4.2.

    Example:
        >>> from mentionable import SigningKey
        >>> from mentionable.discovery import A2AInterface, A2ASkill, Capabilities, Settings
        >>> rpc = A2AInterface(url="https://agents.example/a2a", protocol_binding="JSONRPC", protocol_version="1.0")
        >>> skill = A2ASkill(id="rain", name="Rain", description="Knows whether it will rain.", tags=("weather",))
        >>> card = A2ACard(
        ...     name="Helper", description="Helps.", version="1.0.0", interfaces=(rpc,), skills=(skill,),
        ...     capabilities=Capabilities(streaming=True), default_input_modes=("text/plain",),
        ...     default_output_modes=("text/plain",),
        ... )
        >>> key = SigningKey.from_seed(bytes(range(32)), key_id="card-1")
        >>> keys = {"agents.example": {"keys": [key.public_jwk]}}
        >>> signed = sign_card(card, key=key)
        >>> verify_card(signed, domain="agents.example", settings=Settings(card_keys=keys)).key_id
        'card-1'
    """
    check_signing_key(key)
    document: Any = write_a2a_card(card) if isinstance(card, A2ACard) else plain(card)
    if not isinstance(document, dict) or "supportedInterfaces" not in document:
        raise UsageError("a card that is signed is one of v1.0: a JSON object with supportedInterfaces")
    try:
        decode_a2a_card(document, lenient=False)
        empty = empty_members(document)
        form = next(covered(document))
    except WireError as error:
        raise UsageError(f"the card cannot be signed: {error}") from None
    if empty:
        raise UsageError(f"the card cannot be signed: {', '.join(empty[:5])} must not be empty")
    protected = protected_header(key, "JOSE")
    signature = {"protected": protected, "signature": base64url_encode(key.sign(_signed(protected, form)))}
    return {**document, "signatures": [*(document.get("signatures") or ()), signature]}


def verify_card(
    document: bytes | Mapping[str, Any], *, domain: str, settings: BaseSettings = DEFAULTS
) -> VerifiedCard | Rejected:
    """The part of an A2A card that is signed by a key of its domain; or why there is none.

    The keys are those that you pinned for the domain: `Settings.card_keys`. Nothing is fetched, whatever the header of
    a signature says, and its `kid` only tells which of your keys to try. One signature that fits is enough.

    Args:
        document: The card, as bytes or as a JSON parser gave it.
        domain: Whose card it is: the domain of the agent's address, or the host that you have it from.
        settings: The keys, the algorithms and the limits.

    Returns:
        The covered part, or `Rejected`: `agent-card-unsigned`, `agent-card-signature-malformed`,
        `agent-card-header-forbidden`, `agent-card-type-refused`, `agent-card-algorithm-refused`,
        `agent-card-key-unknown`, `agent-card-key-refused`, `agent-card-signature-invalid`, `not-canonical`, or why it
        is no card.

    Raises:
        UsageError: `domain` is none in lower case and A-labels.

    Spec: A2A 1.0 §8.4.3.
    """
    check_settings(settings)
    if not is_domain(domain):
        raise UsageError("domain must be a domain in lower case and A-labels")
    own = own_settings(Settings, settings)
    try:
        card = card_document(document, settings)
        if not card.get("signatures"):
            raise wire_error("agent-card-unsigned", "/signatures", "there is none")
        return _verified(card, domain, own)
    except WireError as error:
        return rejected(error)


def _verified(document: dict[str, Any], domain: str, settings: Settings) -> VerifiedCard:
    """The covered part of a card.

    Raises:
        WireError: No signature fits.
    """
    entries = document["signatures"]
    if entries.__class__ is not list or len(entries) > _MAX_SIGNATURES:
        raise wire_error("agent-card-signature-malformed", "/signatures", f"expected 1 to {_MAX_SIGNATURES} of them")
    forms = tuple(covered(document))
    keys: Any = settings.card_keys.get(domain)
    faults: list[WireError] = []
    for index, entry in enumerate(entries):
        try:
            signature = _read(entry, settings)
            form = _fitting(signature, forms, keys, domain)
        except WireError as error:
            faults.append(WireError(error.code, [Problem(f"/signatures/{index}", rule) for _, rule in error.problems]))
            continue
        algorithm, key_id, _ = signature.header
        return VerifiedCard(
            card=decode_a2a_card(form.document, lenient=False).value,
            document=form.document,
            domain=domain,
            key_id=key_id,
            algorithm=algorithm,
            form=form.form,
        )
    furthest = max(faults, key=lambda fault: _ORDER.index(fault.code))
    raise wire_error(furthest.code, *furthest.problems[0])


def _read(entry: Any, settings: Settings) -> _Signature:
    """A signature as the card has it; its unprotected header counts for nothing.

    Raises:
        WireError: `agent-card-signature-malformed`, `agent-card-header-forbidden`, `agent-card-type-refused`,
            `agent-card-algorithm-refused`.
    """
    texts: list[Any] = [entry.get(name) if entry.__class__ is dict else None for name in ("protected", "signature")]
    if not all(text.__class__ is str and 0 < len(text) <= _MAX_CHARACTERS for text in texts):
        raise wire_error("agent-card-signature-malformed", "", "protected and signature are strings")
    protected, signature = texts
    head, value = _decoded(protected), _decoded(signature)
    try:
        header = loads(head, max_bytes=_MAX_CHARACTERS, max_depth=8, safe_integers=False)
    except WireError as error:
        raise wire_error("agent-card-signature-malformed", "", f"the protected header: {error}") from None
    key_id = header.get("kid") if header.__class__ is dict else None
    if key_id.__class__ is not str or not key_id:
        raise wire_error("agent-card-signature-malformed", "", "the protected header is no object with a kid")
    if not _FORBIDDEN.isdisjoint(header):
        raise wire_error("agent-card-header-forbidden", "", f"it has {', '.join(sorted(_FORBIDDEN & header.keys()))}")
    kind, algorithm = header.get("typ"), header.get("alg")
    if kind is not None and (kind.__class__ is not str or ascii_lower(kind) != "jose"):
        raise wire_error("agent-card-type-refused", "", "typ is not JOSE: it was made for something else")
    if algorithm.__class__ is not str or algorithm not in settings.card_algorithms:
        raise wire_error("agent-card-algorithm-refused", "", "alg is missing or not one that is taken")
    return _Signature(Header(algorithm, key_id, ""), protected, value)


def _decoded(text: str) -> bytes:
    """The bytes of base64url in its one spelling."""
    data = base64url_decode(text) if text.isascii() and set(text).isdisjoint("+/=") else None
    if not data:
        raise wire_error("agent-card-signature-malformed", "", "not canonical base64url without padding")
    return data


def _fitting(signature: _Signature, forms: tuple[Covered, ...], keys: KeySet | None, domain: str) -> Covered:
    """The form of the card that a signature is over.

    Raises:
        WireError: `agent-card-key-unknown`, `agent-card-key-refused`, `agent-card-algorithm-refused`,
            `agent-card-signature-invalid`.
    """
    if keys is None:
        raise wire_error("agent-card-key-unknown", "", f"no keys are pinned for {domain}")
    try:
        key = keys.signing_key(signature.header)
    except VerificationFailed as fault:
        raise wire_error(_CODES[fault.code], "", fault.detail) from None
    for form in forms:
        token = Token(signature.header, _signed(signature.protected, form), b"", signature.value)
        try:
            check_signature(token, key)
        except VerificationFailed:
            continue
        return form
    raise wire_error("agent-card-signature-invalid", "", "it is over something else, or by another key")


def _signed(protected: str, form: Covered) -> bytes:
    """What a signature is over (RFC 7515 §5.1)."""
    return f"{protected}.{base64url_encode(form.signed)}".encode("ascii")
