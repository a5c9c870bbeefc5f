from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from mentionable import UsageError, WireError
from mentionable._crypto.keys import (
    SigningKey,
    check_signing_key,
    public_key_of_der,
    public_key_of_jwk,
    public_key_of_multikey,
    public_key_of_pem,
    public_key_of_raw,
    thumbprint,
)
from mentionable._wire.base58 import base58_decode, base58_encode

RSA = rsa.generate_private_key(65537, 2048)
ED = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def pem(key, password=None):
    encryption = NoEncryption() if password is None else BestAvailableEncryption(password)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption).decode()


def public_pem(key):
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def public_der(key, form=PublicFormat.SubjectPublicKeyInfo):
    return key.public_key().public_bytes(Encoding.DER, form)


def refused(read, data):
    with pytest.raises(WireError) as caught:
        read(data)
    assert caught.value.code == "key-refused"


@pytest.mark.parametrize("key", [RSA, ED], ids=["rsa", "ed25519"])
def test_what_a_signing_key_signs_its_public_half_confirms(key):
    signing = SigningKey.from_pem(pem(key), key_id="k")
    public = public_key_of_pem(signing.public_pem)
    signature = signing.sign(b"data")
    assert signing.sign(b"data") == signature
    assert (signing.key_id, signing.kind) == ("k", public.kind)
    assert public.fits(signature, b"data")
    assert not public.fits(signature, b"Data")
    assert not public.fits(b"", b"data")


def test_a_signing_key_is_read_from_bytes_with_a_password_or_from_a_seed():
    signing = SigningKey.from_pem(pem(ED, b"pw").encode(), key_id="k", password=b"pw")
    same = SigningKey.from_seed(bytes(range(32)), key_id="k")
    assert signing.sign(b"x") == same.sign(b"x")
    assert repr(same) == "SigningKey(key_id='k', kind='ed25519')"


@pytest.mark.parametrize(
    "make",
    [
        lambda: SigningKey.from_pem("nothing", key_id="k"),
        lambda: SigningKey.from_pem(pem(ED, b"pw"), key_id="k"),
        lambda: SigningKey.from_pem(pem(rsa.generate_private_key(65537, 1024)), key_id="k"),
        lambda: SigningKey.from_pem(pem(ec.generate_private_key(ec.SECP256R1())), key_id="k"),
        lambda: SigningKey.from_seed(b"short", key_id="k"),
        lambda: SigningKey.from_pem(pem(RSA), key_id="k").public_multikey,
    ],
    ids=["no key", "no password", "weak", "another kind", "short", "multikey of rsa"],
)
def test_a_signing_key_that_is_none_is_the_callers_fault(make):
    with pytest.raises(UsageError):
        make()


@pytest.mark.parametrize("form", [PublicFormat.SubjectPublicKeyInfo, PublicFormat.PKCS1])
def test_an_rsa_key_is_read_in_both_forms_of_der(form):
    public = public_key_of_der(public_der(RSA, form))
    assert (public.kind, public.bits) == ("rsa", 2048)


def test_the_public_half_is_written_as_actor_documents_and_dns_hold_it():
    signing = SigningKey.from_seed(bytes(range(32)), key_id="k")
    assert signing.public_multikey == "z6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd"
    assert public_key_of_multikey(signing.public_multikey) == public_key_of_pem(signing.public_pem)
    assert signing.public_base64 == "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="
    assert SigningKey.from_pem(pem(RSA), key_id="k").public_base64.startswith("MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A")


@pytest.mark.parametrize("text", ["", "nothing", public_pem(ec.generate_private_key(ec.SECP256R1())), "x" * 9000])
def test_a_pem_that_is_no_usable_key_is_refused(text):
    refused(public_key_of_pem, text)


@pytest.mark.parametrize("data", [b"", b"\x30\x00", b"x" * 9000])
def test_der_that_is_no_key_is_refused(data):
    refused(public_key_of_der, data)


def rsa_der(bits, exponent):
    """An RSA key with any numbers, as nobody would make it."""

    def integer(number):
        data = number.to_bytes(number.bit_length() // 8 + 1, "big")
        return b"\x02" + length(len(data)) + data

    def length(size):
        data = size.to_bytes((size.bit_length() + 7) // 8, "big")
        return bytes([size]) if size < 128 else bytes([128 | len(data)]) + data

    body = integer((1 << bits - 1) | 1) + integer(exponent)
    return b"\x30" + length(len(body)) + body


@pytest.mark.parametrize(
    ("bits", "exponent"), [(1023, 3), (512, 65537), (4097, 65537), (16384, 65537), (2048, 2**33 + 1)]
)
def test_a_weak_or_expensive_rsa_key_is_refused(bits, exponent):
    refused(public_key_of_der, rsa_der(bits, exponent))


@pytest.mark.parametrize("bits", [1024, 2048, 4096])
def test_an_rsa_key_of_a_usual_size_is_taken(bits):
    assert public_key_of_der(rsa_der(bits, 65537)).bits == bits


FIELD = 2**255 - 19


@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize("y", [0, 1, FIELD - 1, FIELD, FIELD + 1])
def test_an_ed25519_key_of_small_order_is_refused(y, sign):
    refused(public_key_of_raw, (y | sign << 255).to_bytes(32, "little"))


@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize(
    "point",
    [
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ],
)
def test_an_ed25519_key_of_order_eight_is_refused(point, sign):
    data = bytearray.fromhex(point)
    data[31] |= sign << 7
    refused(public_key_of_raw, bytes(data))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "z",
        "6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd",
        "zz6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd",
        "z6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvV0",
        "z" + base58_encode(b"\x12\x05" + bytes(range(32))),
        "z" + "1" * 10_000,
    ],
)
def test_a_multikey_that_is_none_is_refused(text):
    refused(public_key_of_multikey, text)


def test_a_raw_key_has_32_bytes():
    refused(public_key_of_raw, bytes(31))


@pytest.mark.parametrize("data", [b"", b"\0", b"\0\0\1", b"Hello World!", bytes(range(64))])
def test_base58_goes_both_ways(data):
    text = base58_encode(data)
    assert base58_decode(text, size=len(data)) == data
    assert base58_decode(text, size=len(data) + 1) is None
    assert base58_decode("1" + text, size=len(data)) is None
    assert base58_decode(text + "0", size=len(data)) is None


def test_base58_is_that_of_the_draft():
    assert base58_encode(b"Hello World!") == "2NEpo7TZRRrLZSi2U"
    assert base58_decode("111z", size=2) is None


# --- JWK


JWK = {"kty": "OKP", "crv": "Ed25519", "x": "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg"}
PRIVATE = {**JWK, "d": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "kid": "k1"}


def test_a_key_is_read_from_a_private_jwk():
    key = SigningKey.from_jwk(PRIVATE)
    assert (key.key_id, key.public_raw) == ("k1", SigningKey.from_seed(bytes(range(32)), key_id="x").public_raw)
    assert SigningKey.from_jwk(PRIVATE, key_id="k2").key_id == "k2"
    assert SigningKey.from_jwk({name: PRIVATE[name] for name in ("kty", "crv", "d", "kid")}).key_id == "k1"


@pytest.mark.parametrize(
    "changes",
    [
        {"kty": "RSA"},
        {"crv": "X25519"},
        {"d": None},
        {"d": 7},
        {"d": "AAEC"},
        {"d": PRIVATE["d"] + "="},
        {"d": PRIVATE["d"][:-1] + "9"},
        {"kid": None},
        {"kid": ""},
        {"kid": 7},
        {"x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},
        {"x": None},
    ],
)
def test_a_private_jwk_that_is_none_is_the_callers_fault(changes):
    with pytest.raises(UsageError):
        SigningKey.from_jwk({**PRIVATE, **changes})


def test_the_public_half_is_written_as_jwk():
    key = SigningKey.from_seed(bytes(range(32)), key_id="k1")
    assert key.public_jwk == {**JWK, "kid": "k1", "alg": "Ed25519", "use": "sig"}
    assert public_key_of_jwk(key.public_jwk).fits(key.sign(b"Hi"), b"Hi")
    with pytest.raises(UsageError, match="only Ed25519"):
        _ = SigningKey(key_id="r", kind="rsa", native=RSA).public_jwk


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"kty": "EC"}, "key-type-mismatch"),
        ({"crv": "Ed448"}, "key-type-mismatch"),
        ({"x": None}, "key-type-mismatch"),
        ({"x": []}, "key-type-mismatch"),
        ({"x": JWK["x"] + "\n"}, "key-type-mismatch"),
        ({"x": JWK["x"][:-1] + "h"}, "key-type-mismatch"),
        ({"x": "A" * 43}, "key-weak"),
        ({"x": "7f" + "_" * 39 + "38"}, "key-weak"),
        ({"x": "__" + "_" * 39 + "_8"}, "key-weak"),
    ],
)
def test_a_jwk_that_is_no_strong_key_is_refused(changes, code):
    with pytest.raises(WireError) as caught:
        public_key_of_jwk({**JWK, **changes})
    assert caught.value.code == code


def test_the_thumbprint_is_that_of_the_rfc():
    assert thumbprint("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo") == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


@pytest.mark.parametrize("key", [None, "secret", ED, JWK])
def test_nothing_but_a_signing_key_signs(key):
    with pytest.raises(UsageError, match="SigningKey"):
        check_signing_key(key)
