"""The keys of file capabilities: a connector signs with them, and verifies its own signatures."""

from __future__ import annotations

import hmac
from functools import lru_cache
from typing import Any, Final, Literal, Self, TypeAlias

from attrs import field

from ..._crypto.keys import PublicKey, SigningKey, public_key_of_raw
from ..._errors.exceptions import UsageError, WireError
from ..._model.base import frozen
from .._members import id_form

FileAlgorithm: TypeAlias = Literal["HS256", "EdDSA"]

_MIN_SECRET: Final = 32
_is_key_id: Final = id_form("[A-Za-z0-9._-]{1,64}")
_PEM: Final = b"-----BEGIN "


@frozen
class FileKey:
    """A key of file capabilities. Which algorithm it goes with is a property of the key, never of a token.

    Use it for nothing else: not for attestations, not for sessions. After a change of keys take the old one along in
    `verify` until the last capability of it has expired, a quarter of an hour.

    Attributes:
        key_id: Stands in each token as `kid`.
        native: The secret bytes, a `SigningKey`, or the public half of one, which signs nothing.

    Raises:
        UsageError: The secret has less than 32 bytes or is a PEM text, the key is not Ed25519, or the id is not 1 to 64
            letters, digits, `.`, `_` and `-`.

    Spec: decisions C1.

    Example:
        >>> FileKey.from_secret(b"a secret of thirty-two bytes ...", key_id="2026-11").algorithm
        'HS256'
    """

    key_id: str
    native: Any = field(repr=False)

    def __attrs_post_init__(self) -> None:
        if not _is_key_id(self.key_id):
            raise UsageError("the id of a file key is 1 to 64 letters, digits, '.', '_' and '-'")
        if isinstance(self.native, bytes):
            if len(self.native) < _MIN_SECRET or _PEM in self.native:
                raise UsageError(f"the secret of a file key is {_MIN_SECRET} random bytes or more, and no PEM text")
        elif not isinstance(self.native, (PublicKey, SigningKey)) or self.native.kind != "ed25519":
            raise UsageError("a file key is made of secret bytes, or of an Ed25519 key")

    @classmethod
    def from_secret(cls, secret: bytes, *, key_id: str) -> Self:
        """The key of a connector that serves its files itself: HS256 with at least 32 random bytes."""
        return cls(key_id=key_id, native=secret)

    @classmethod
    def from_signing_key(cls, key: SigningKey) -> Self:
        """The key of a connector whose files are served by an edge: EdDSA, with an Ed25519 key and its id."""
        return cls(key_id=getattr(key, "key_id", ""), native=key)

    @classmethod
    def from_public_key(cls, raw: bytes, *, key_id: str) -> Self:
        """The same key as the edge has it, from its 32 bytes (`SigningKey.public_raw`): it verifies, and signs nothing.

        Raises:
            UsageError: They are no Ed25519 key, or one with which a signature fits many messages.
        """
        try:
            return cls(key_id=key_id, native=_public_half(raw))
        except (WireError, TypeError) as error:
            raise UsageError(f"raw is the 32 bytes of an Ed25519 key: {error}") from None

    @property
    def algorithm(self) -> FileAlgorithm:
        """What the key signs with, as `alg` of a token names it."""
        return "HS256" if isinstance(self.native, bytes) else "EdDSA"

    def sign(self, data: bytes) -> bytes:
        """The signature over `data`.

        Raises:
            UsageError: The key is a public one.
        """
        if isinstance(self.native, bytes):
            return hmac.digest(self.native, data, "sha256")
        if not hasattr(self.native, "sign"):
            raise UsageError("nothing can be minted with a public key")
        signature: bytes = self.native.sign(data)
        return signature

    def fits(self, signature: bytes, data: bytes) -> bool:
        """Whether `signature` is one of this key over `data`, compared in constant time for a secret."""
        if isinstance(self.native, bytes):
            return hmac.compare_digest(hmac.digest(self.native, data, "sha256"), signature)
        public = _public_half(self.native.public_raw) if hasattr(self.native, "public_raw") else self.native
        return public.fits(signature, data)


@lru_cache(16)
def _public_half(raw: bytes) -> PublicKey:
    """The public key of 32 bytes, read once."""
    return public_key_of_raw(raw)
