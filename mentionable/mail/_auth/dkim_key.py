"""The key that a domain publishes for its signatures, out of the answer to a look-up, and whether a signature fits."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from ..._crypto.keys import PublicKey, public_key_of_der, public_key_of_raw
from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import WireError
from ..._flow.ask import Failed
from .dkim import Signature, data_to_sign, read_base64, read_tags

_MAX_BYTES: Final = 8_192
_KINDS: Final = ("rsa", "ed25519")


class OnlyTesting(VerificationFailed):
    """The key is published for tests: a signature by it counts as none, not as a false one."""


class _Published(NamedTuple):
    """A key record: the key, and whether it is for tests, and for the domain alone."""

    key: PublicKey
    testing: bool
    strict: bool


def published_key(answer: Any, signature: Signature) -> PublicKey:
    """The key that fits a signature, out of the answer to the look-up of its name.

    Args:
        answer: The TXT records, or `Failed`.
        signature: The signature.

    Raises:
        Unproven: `key-unresolvable`, `key-unknown`, `key-refused`, `algorithm-refused`.

    Spec: RFC 6376 §3.6.1; RFC 8301; RFC 8463.
    """
    if isinstance(answer, Failed):
        raise VerificationFailed("key-unresolvable", answer.reason, temporary=answer.temporary)
    records = [record for record in answer if _names_a_key(record)]
    if not records:
        raise VerificationFailed("key-unknown", "no key record")
    if len(records) > 1:
        raise VerificationFailed("key-refused", "more than one key record")
    published = _read_record(records[0])
    if published.key.kind != signature.kind:
        raise VerificationFailed("algorithm-refused", "a= is not for this kind of key")
    if published.testing:
        raise OnlyTesting("key-refused", "the domain is testing: its signatures count as none")
    if published.strict and signature.agent_domain != signature.domain:
        raise VerificationFailed("key-refused", "the key is not for the subdomain in i=")
    return published.key


def check_signature(signature: Signature, key: PublicKey, signed: bytes) -> None:
    """Raises unless the signature is one of the key over the signed bytes.

    Raises:
        Unproven: `bad-signature`.
    """
    if not key.fits(signature.value, data_to_sign(key.kind, signed)):
        raise VerificationFailed("bad-signature", "the signature does not fit the signed fields")


def _names_a_key(record: bytes) -> bool:
    """Whether a TXT record has a p= tag: other records may stand beside that of the key."""
    return any(piece.partition(b"=")[0].strip() == b"p" for piece in record[:_MAX_BYTES].split(b";"))


@lru_cache(256)
def _read_record(record: bytes) -> _Published:
    """The key in a record. Depends on its bytes alone, so that a domain's key is read once."""
    if len(record) > _MAX_BYTES:
        raise VerificationFailed("key-refused", f"a key record has at most {_MAX_BYTES} bytes")
    try:
        tags = read_tags(record.decode("latin-1"))
        data = read_base64(tags["p"], "p") if tags["p"] else b""
    except VerificationFailed as fault:
        raise VerificationFailed("key-refused", fault.detail) from None
    if tags.get("v", "DKIM1") != "DKIM1" or "v" in list(tags)[1:]:
        raise VerificationFailed("key-refused", "v= is DKIM1, and comes first")
    if not data:
        raise VerificationFailed("key-unknown", "the key was revoked")
    kind = tags.get("k", "rsa")
    if kind not in _KINDS:
        raise VerificationFailed("key-refused", "k= is rsa or ed25519")
    if "sha256" not in _list(tags.get("h", "sha256")):
        raise VerificationFailed("key-refused", "h= does not have sha256")
    if not {"*", "email"} & set(_list(tags.get("s", "*"))):
        raise VerificationFailed("key-refused", "s= does not have email")
    try:
        key = (public_key_of_der if kind == "rsa" else public_key_of_raw)(data)
    except WireError as error:
        raise VerificationFailed("key-refused", str(error)) from None
    if key.kind != kind:
        raise VerificationFailed("key-refused", "p= is not a key of the kind in k=")
    flags = _list(tags.get("t", ""))
    return _Published(key, "y" in flags, "s" in flags)


def _list(value: str) -> list[str]:
    """The words of a list with colons."""
    return [word.strip(" \t\r\n") for word in value.split(":")]
