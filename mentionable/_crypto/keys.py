"""Keys: read strictly, refused when weak, and asked whether a signature fits.

The only module that imports `cryptography`. It takes long to load, so each function that works with a key imports what
it needs of it, and reading a message without a signature loads none of it.
"""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64decode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypeAlias

from attrs import field

from .._errors.exceptions import UsageError, WireError, wire_error
from .._model.base import frozen
from .._wire.base58 import base58_decode, base58_encode
from .._wire.base64 import base64url_decode, base64url_encode

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

KeyKind: TypeAlias = Literal["rsa", "ed25519"]

_MULTIKEY: Final = b"\xed\x01"  # multicodec ed25519-pub
_MAX_TEXT: Final = 8_192
_X: Final = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", re.ASCII).fullmatch
"""32 bytes in base64url, in the one spelling."""
STRONG_BITS: Final = 2_048
"""The size of an RSA key that proves enough by itself; a smaller one is accepted with a diagnostic."""

_LEAST_BITS: Final = 1_024
_MAX_BITS: Final = 4_096
_MAX_EXPONENT: Final = 2**33
_FIELD: Final = 2**255 - 19
_ORDER_8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER: Final = frozenset({0, 1, _FIELD - 1, _FIELD, _FIELD + 1, _ORDER_8, _FIELD - _ORDER_8})
"""The y coordinates of points with which a signature fits many messages, other spellings of the same included."""


@cache
def _rsa_scheme() -> tuple[object, object]:
    """RSA PKCS #1 v1.5 with SHA-256, as `cryptography` takes it."""
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.hashes import SHA256

    return PKCS1v15(), SHA256()


def _invalid_signature() -> type[Exception]:
    """What `cryptography` raises for a signature that does not fit: imported only where something was raised."""
    from cryptography.exceptions import InvalidSignature

    return InvalidSignature


@frozen
class PublicKey:
    """A public key that is fit to verify with.

    Attributes:
        kind: `rsa` or `ed25519`.
        bits: The size of the modulus, 256 for Ed25519.
        native: The key as `cryptography` has it.
    """

    kind: KeyKind
    bits: int
    native: Any = field(repr=False)

    def fits(self, signature: bytes, data: bytes) -> bool:
        """Whether `signature` is one of this key over `data`: RSA PKCS #1 v1.5 with SHA-256, or pure Ed25519."""
        try:
            if self.kind == "rsa":
                self.native.verify(signature, data, *_rsa_scheme())
            else:
                self.native.verify(signature, data)
        except _invalid_signature():
            return False
        return True


def public_key_of_pem(text: str) -> PublicKey:
    """The key in a PEM text. Reading takes longer than a signature: whoever reads keys again and again remembers them.

    Raises:
        WireError: `key-refused`.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    if len(text) > _MAX_TEXT:
        raise wire_error("key-refused", "", "the key is too long")
    try:
        return _checked(load_pem_public_key(text.encode()))
    except (ValueError, UnsupportedAlgorithm):
        raise wire_error("key-refused", "", "not a public key in PEM") from None


def public_key_of_der(data: bytes) -> PublicKey:
    """The key in DER, as SubjectPublicKeyInfo or as the bare RSA key of PKCS #1.

    Raises:
        WireError: `key-refused`.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    if len(data) > _MAX_TEXT:
        raise wire_error("key-refused", "", "the key is too long")
    try:
        return _checked(load_der_public_key(data))
    except (ValueError, UnsupportedAlgorithm):
        raise wire_error("key-refused", "", "not a public key in DER") from None


def public_key_of_raw(data: bytes) -> PublicKey:
    """The Ed25519 key of 32 bytes.

    Raises:
        WireError: `key-refused`: another length, or a point with which a signature fits many messages.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if len(data) != 32:
        raise wire_error("key-refused", "", "an Ed25519 key has 32 bytes")
    if int.from_bytes(data, "little") & (1 << 255) - 1 in _SMALL_ORDER:
        raise wire_error("key-refused", "", "an Ed25519 key of small order")
    try:
        return PublicKey(kind="ed25519", bits=256, native=Ed25519PublicKey.from_public_bytes(data))
    except ValueError:  # pragma: no cover - a build of OpenSSL that looks whether it is a point at all
        raise wire_error("key-refused", "", "not an Ed25519 key") from None


def public_key_of_jwk(jwk: Mapping[str, Any]) -> PublicKey:
    """The Ed25519 key in a JWK (RFC 8037): `kty` OKP, `crv` Ed25519, and `x` in its one spelling.

    Raises:
        WireError: `key-type-mismatch`: a key of another kind, or an `x` that is none; `key-weak`: a point with which
            a signature fits many messages.
    """
    x = jwk.get("x")
    data = base64url_decode(x) if isinstance(x, str) and _X(x) else None
    if jwk.get("kty") != "OKP" or jwk.get("crv") != "Ed25519" or data is None:
        raise wire_error("key-type-mismatch", "", "not an Ed25519 key as JWK")
    if int.from_bytes(data, "little") & (1 << 255) - 1 >= _FIELD:
        raise wire_error("key-weak", "/x", "not the one way to write this point")
    try:
        return public_key_of_raw(data)
    except WireError as error:
        raise wire_error("key-weak", "/x", str(error)) from None


def thumbprint(x: str) -> str:
    """The thumbprint (RFC 7638) of the Ed25519 key whose public half is `x` in base64url."""
    digest = sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode()).digest()
    return base64url_encode(digest)


def public_key_of_multikey(text: str) -> PublicKey:
    """The Ed25519 key in a Multikey (`publicKeyMultibase`, `did:key`): base58btc of the multicodec and 32 bytes.

    Raises:
        WireError: `key-refused`.
    """
    data = base58_decode(text[1:], size=34) if text[:1] == "z" else None
    if data is None or data[:2] != _MULTIKEY:
        raise wire_error("key-refused", "", "not an Ed25519 key as Multikey")
    return public_key_of_raw(data[2:])


def _checked(key: Any) -> PublicKey:
    """The key, when it is of a kind and a size that proves something and does not cost too much."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    if isinstance(key, Ed25519PublicKey):
        return public_key_of_raw(key.public_bytes(Encoding.Raw, PublicFormat.Raw))
    if not isinstance(key, RSAPublicKey):
        raise wire_error("key-refused", "", "neither RSA nor Ed25519")
    check_rsa(key)
    return PublicKey(kind="rsa", bits=key.key_size, native=key)


def check_rsa(key: RSAPublicKey) -> None:
    """Raises unless an RSA key has a size and an exponent that are neither weak nor expensive.

    Raises:
        WireError: `key-refused`.
    """
    if not _LEAST_BITS <= key.key_size <= _MAX_BITS:
        raise wire_error("key-refused", "", f"an RSA key has {_LEAST_BITS} to {_MAX_BITS} bits")
    exponent = key.public_numbers().e
    if not 3 <= exponent < _MAX_EXPONENT or exponent % 2 == 0:
        raise wire_error("key-refused", "", "the exponent of an RSA key is odd and from 3 to 2^33")


@frozen
class SigningKey:
    """A private key, and the id under which others find its public half.

    Attributes:
        key_id: For ActivityPub the URL of the key; for mail `<selector>._domainkey.<domain>`.
        kind: `rsa` or `ed25519`.
        native: The key as `cryptography` has it.
    """

    key_id: str
    kind: KeyKind
    native: Any = field(repr=False)

    @classmethod
    def from_pem(cls, pem: str | bytes, *, key_id: str, password: bytes | None = None) -> Self:
        """The key in a PEM text: RSA of at least 2048 bits, or Ed25519.

        Raises:
            UsageError: It is no such key, or the password is wrong: your program's fault.
        """
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            key = load_pem_private_key(pem.encode() if isinstance(pem, str) else pem, password)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise UsageError(f"not a private key in PEM: {error}") from None
        return cls._of(key, key_id)

    @classmethod
    def from_seed(cls, seed: bytes, *, key_id: str) -> Self:
        """The Ed25519 key of 32 secret bytes.

        Raises:
            UsageError: `seed` has another length.
        """
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if len(seed) != 32:
            raise UsageError("the seed of an Ed25519 key has 32 bytes")
        return cls._of(Ed25519PrivateKey.from_private_bytes(seed), key_id)

    @classmethod
    def from_jwk(cls, jwk: Mapping[str, Any], *, key_id: str | None = None) -> Self:
        """The Ed25519 key in a private JWK (RFC 8037), under the id that it names unless another is given.

        Raises:
            UsageError: It is no such key, its halves do not belong together, or it has no id.
        """
        named, d = jwk.get("kid") if key_id is None else key_id, jwk.get("d")
        if jwk.get("kty") != "OKP" or jwk.get("crv") != "Ed25519" or not (isinstance(d, str) and _X(d)):
            raise UsageError("not a private Ed25519 key as JWK: kty OKP, crv Ed25519, d of 43 characters")
        if not isinstance(named, str) or not named:
            raise UsageError("the JWK has no kid: key_id= is needed")
        key = cls.from_seed(urlsafe_b64decode(f"{d}="), key_id=named)
        if jwk.get("x", key.public_jwk["x"]) != key.public_jwk["x"]:
            raise UsageError("x of the JWK is not the public half of its d")
        return key

    @classmethod
    def _of(cls, key: object, key_id: str) -> Self:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

        if isinstance(key, Ed25519PrivateKey):
            return cls(key_id=key_id, kind="ed25519", native=key)
        if not isinstance(key, RSAPrivateKey) or key.key_size < STRONG_BITS:
            raise UsageError("a signing key is RSA of at least 2048 bits, or Ed25519")
        return cls(key_id=key_id, kind="rsa", native=key)

    def sign(self, data: bytes) -> bytes:
        """The signature over `data`: RSA PKCS #1 v1.5 with SHA-256, or pure Ed25519. The same data, the same bytes."""
        if self.kind == "rsa":
            signature: bytes = self.native.sign(data, *_rsa_scheme())
        else:
            signature = self.native.sign(data)
        return signature

    @property
    def public_pem(self) -> str:
        """The public half as PEM, as `publicKeyPem` of an actor document holds it."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        pem: bytes = self.native.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return pem.decode("ascii")

    @property
    def public_multikey(self) -> str:
        """The public half as Multikey, as `publicKeyMultibase` holds it.

        Raises:
            UsageError: The key is not Ed25519.
        """
        return "z" + base58_encode(_MULTIKEY + self.public_raw)

    @property
    def public_base64(self) -> str:
        """The public half in base64, as `p=` of a DKIM record holds it."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        if self.kind == "ed25519":
            return b64encode(self.public_raw).decode("ascii")
        der: bytes = self.native.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return b64encode(der).decode("ascii")

    @property
    def public_raw(self) -> bytes:
        """The 32 bytes of the public half, as `x` of a JWK holds them in base64url.

        Raises:
            UsageError: The key is not Ed25519.
        """
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        if self.kind != "ed25519":
            raise UsageError("only Ed25519 keys have a raw form")
        raw: bytes = self.native.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return raw

    @property
    def public_jwk(self) -> dict[str, str]:
        """The public half as JWK, as `keys` of a Connector Card holds it.

        Raises:
            UsageError: The key is not Ed25519.
        """
        x = base64url_encode(self.public_raw)
        return {"kty": "OKP", "crv": "Ed25519", "x": x, "kid": self.key_id, "alg": "Ed25519", "use": "sig"}


def check_signing_key(key: object) -> None:
    """Raises `UsageError` when something else than a key is to sign."""
    if not isinstance(key, SigningKey):
        raise UsageError("key must be a SigningKey")
