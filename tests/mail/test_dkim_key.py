"""The key out of a TXT record."""

import base64
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from mentionable import Failed
from mentionable._crypto.verification import VerificationFailed
from mentionable.mail._auth.dkim import Signature, check_signature, field_tags, published_key, read_signature
from tests.mail.signed import ED, record, rsa_key, signature_of, signed

RSA = rsa_key()


def signature(key: Any = ED, **tags: str | None) -> Signature:
    raw = signed(key=key, tags=tags).partition(b"\r\n")[0]
    return read_signature(raw, field_tags(raw), domain="a.example", selector="s")


def spki(key: Any) -> bytes:
    return base64.b64encode(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))


def refused(answer: Any, signature: Signature) -> tuple[str, bool]:
    with pytest.raises(VerificationFailed) as caught:
        published_key(answer, signature)
    assert caught.value.detail
    return caught.value.code, caught.value.temporary


PKCS1 = base64.b64encode(RSA.public_key().public_bytes(Encoding.DER, PublicFormat.PKCS1))


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (ED, record(ED)),
        (RSA, record(RSA)),
        (RSA, b"p=" + spki(RSA.public_key())),
        (RSA, b"k=rsa; t=; n=a note; p=" + PKCS1 + b"; ;x=1".replace(b" ;", b"")),
        (RSA, b" v = DKIM1 ; p = " + PKCS1[:20] + b" \r\n " + PKCS1[20:] + b" ; "),
        (RSA, record(RSA, "h=sha1:sha256; s=other : email; ")),
        (RSA, record(RSA, "s=*; g=*; t=x; n=caf\xe9; ")),
        (RSA, record(RSA, "t=s; ")),
    ],
)
def test_a_key_is_read(key: Any, text: bytes) -> None:
    found = published_key((text,), signature(key))
    assert found.fits(signature_of(key, b"data"), b"data") or found.kind == "ed25519"


def test_other_records_may_stand_beside_the_key() -> None:
    assert published_key([b"v=spf1 -all", record(ED), b"", b"\xff"], signature()).kind == "ed25519"


@pytest.mark.parametrize("temporary", [True, False])
def test_a_look_up_that_failed_is_no_key_that_is_missing(temporary: bool) -> None:
    assert refused(Failed("timeout", temporary=temporary), signature()) == ("key-unresolvable", temporary)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ((), "key-unknown"),
        ((b"v=spf1 -all",), "key-unknown"),
        ((b"v=DKIM1; k=ed25519; p=",), "key-unknown"),
        ((record(ED), record(ED)), "key-refused"),
        ((record(ED).removeprefix(b"v=DKIM1; ") + b"; v=DKIM1",), "key-refused"),
        ((record(ED).replace(b"DKIM1", b"DKIM2"),), "key-refused"),
        ((record(ED) + b"; p=AAAA",), "key-refused"),
        ((record(ED) + b"; nothing",), "key-refused"),
        ((record(ED, "h=sha1; "),), "key-refused"),
        ((record(ED, "h=; "),), "key-refused"),
        ((record(ED, "s=other; "),), "key-refused"),
        ((record(ED, "t=s:y; "),), "key-refused"),
        ((record(ED).replace(b"k=ed25519", b"k=ed448"),), "key-refused"),
        ((b"k=ed25519; p=AAAA",), "key-refused"),
        ((b"k=ed25519; p=" + base64.b64encode(bytes(32)),), "key-refused"),
        ((b"k=ed25519; p=A*AA",), "key-refused"),
        ((b"k=ed25519; p=\xe9AAA",), "key-refused"),
        ((record(ED) + b"; n=" + b"a" * 8_192,), "key-refused"),
        ((b"k=rsa; p=AAAA",), "key-refused"),
        ((b"k=rsa; p=" + spki(ED.public_key()),), "key-refused"),
        ((b"k=rsa; p=" + spki(ec.generate_private_key(ec.SECP256R1()).public_key()),), "key-refused"),
        ((record(RSA),), "algorithm-refused"),
    ],
)
def test_a_record_that_is_refused(answer: Any, code: str) -> None:
    assert refused(answer, signature()) == (code, False)


def test_an_rsa_signature_needs_an_rsa_key() -> None:
    assert refused((record(ED),), signature(RSA)) == ("algorithm-refused", False)


@pytest.mark.parametrize(("bits", "exponent"), [(512, 65_537), (768, 65_537), (16_384, 65_537), (2_048, 2**33 + 1)])
def test_a_weak_or_expensive_rsa_key_is_refused(bits: int, exponent: int) -> None:
    def length(size: int) -> bytes:
        return bytes((size,)) if size < 128 else b"\x82" + size.to_bytes(2, "big")

    def number(value: int) -> bytes:
        data = value.to_bytes(value.bit_length() // 8 + 1, "big")
        return b"\x02" + length(len(data)) + data

    body = number((1 << bits) - 1) + number(exponent)
    der = base64.b64encode(b"\x30" + length(len(body)) + body)
    assert refused((b"k=rsa; p=" + der,), signature(RSA)) == ("key-refused", False)


def test_1024_bits_are_the_least() -> None:
    key = rsa_key(1_024)
    assert published_key((record(key),), signature(key)).bits == 1_024


@pytest.mark.parametrize(("agent", "code"), [("@a.example", None), (None, None), ("@b.a.example", "key-refused")])
def test_a_strict_key_is_for_its_domain_alone(agent: str | None, code: str | None) -> None:
    answer = (record(ED, "t=s; "),)
    if code is None:
        assert published_key(answer, signature(i=agent))
    else:
        assert refused(answer, signature(i=agent)) == (code, False)


@pytest.mark.parametrize("key", [ED, RSA])
def test_a_signature_fits_what_was_signed_and_nothing_else(key: Any) -> None:
    made = signature(key)._replace(value=signature_of(key, b"data"))
    published = published_key((record(key),), made)
    check_signature(made, published, b"data")
    with pytest.raises(VerificationFailed) as caught:
        check_signature(made, published, b"other")
    assert caught.value.code == "bad-signature"


def test_an_rsa_signature_has_one_spelling() -> None:
    key: rsa.RSAPrivateKey = rsa_key(1_024)
    value = signature_of(key, b"data")
    published = published_key((record(key),), signature(key))
    modulus = key.public_key().public_numbers().n
    other = int.from_bytes(value, "big") + modulus
    for spelling in (b"\0" + value, value.lstrip(b"\0")[1:], other.to_bytes(129, "big"), b""):
        with pytest.raises(VerificationFailed) as caught:
            check_signature(signature(key)._replace(value=spelling), published, b"data")
        assert caught.value.code == "bad-signature"


def test_an_rsa_signature_is_smaller_than_the_modulus() -> None:
    key = rsa_key()
    modulus = key.public_key().public_numbers().n
    published = published_key((record(key),), signature(key))
    data = next(
        data
        for number in range(10_000)
        if int.from_bytes(signature_of(key, data := b"%d" % number), "big") + modulus < 1 << 2_048
    )
    other = (int.from_bytes(signature_of(key, data), "big") + modulus).to_bytes(256, "big")
    with pytest.raises(VerificationFailed):
        check_signature(signature(key)._replace(value=other), published, data)
