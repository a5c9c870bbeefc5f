import contextlib
import pickle

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from hypothesis import example, given
from hypothesis import strategies as st

from mentionable._crypto.jwt import KeySet, check_signature, read_key_set, read_token
from mentionable._crypto.verification import VerificationFailed
from mentionable._errors.exceptions import WireError
from tests.a2a.tokens import (
    CLAIMS,
    ED,
    ED_448,
    GONE,
    HEADER,
    KEYS,
    P256,
    P384,
    RSA,
    RSA_2,
    RSA_1024,
    as_bytes,
    b64,
    changed,
    jwk,
    signed,
    token,
)
from tests.linearity import steps_grow_linearly, time_grows_linearly

GOOD = token()


def numbered(*texts):
    """Parameters whose names do not hold the whole token."""
    return [pytest.param(text, id=str(number)) for number, text in enumerate(texts)]


def fault(function, *arguments):
    """The code with which a step fails."""
    with pytest.raises(VerificationFailed) as caught:
        function(*arguments)
    return caught.value.code


def check(text, *keys):
    """Reads a token and checks its signature."""
    found = read_token(text)
    check_signature(found, KeySet({"keys": list(keys)} if keys else KEYS).signing_key(found.header))
    return found


def test_a_token_is_read_and_fits():
    found = check(GOOD)
    assert found.header == ("RS256", "k1", "at+jwt")
    assert found.claims() == CLAIMS


@pytest.mark.parametrize(
    ("kid", "algorithm", "key"),
    [
        ("any-rsa", "RS256", RSA),
        ("any-rsa", "RS512", RSA),
        ("any-rsa", "PS256", RSA),
        ("p256", "ES256", P256),
        ("p384", "ES384", P384),
        ("ed", "EdDSA", ED),
    ],
)
def test_every_algorithm_fits(kid, algorithm, key):
    assert check(token({"kid": kid, "alg": algorithm}, key, algorithm)).header.algorithm == algorithm


def test_ed25519_is_a_name_of_its_own():
    assert check(signed({"alg": "Ed25519", "kid": "ed"}, CLAIMS, ED, "EdDSA")).header.type == ""


def test_a_key_may_have_either_name():
    for alg, of_key in (("EdDSA", "Ed25519"), ("Ed25519", "EdDSA")):
        assert check(signed({"alg": alg, "kid": "k1"}, CLAIMS, ED, "EdDSA"), jwk(ED, "k1", alg=of_key))


@pytest.mark.parametrize("kind", ["at+jwt", "AT+JWT", "application/at+jwt", "application/AT+jwt"])
def test_a_type_is_compared_in_lower_case_and_short(kind):
    assert read_token(token({"typ": kind})).header.type == "at+jwt"


HEAD, PAYLOAD, SIGNATURE = GOOD.split(".")


@pytest.mark.parametrize(
    "text",
    numbered(
        "",
        ".",
        "..",
        "a.b",
        f"{HEAD}.{PAYLOAD}",
        f"{GOOD}.",
        f"{GOOD}.{SIGNATURE}.{SIGNATURE}",
        f"{HEAD}..{SIGNATURE}",
        f".{PAYLOAD}.{SIGNATURE}",
        f"{HEAD}=.{PAYLOAD}.{SIGNATURE}",
        f"{HEAD}.{PAYLOAD}=.{SIGNATURE}",
        f"{GOOD}==",
        f"{GOOD}\n",
        f" {GOOD}",
        f"{HEAD}.{PAYLOAD}.{SIGNATURE[:-1]}*",
        f"{HEAD}.{PAYLOAD}.+/{SIGNATURE[2:]}",
        f"{HEAD}.{PAYLOAD}.\u0661{SIGNATURE[1:]}",
        f"{HEAD}.{PAYLOAD}.A",
        f"{HEAD}.{PAYLOAD}.AB",
        f"{HEAD}.{PAYLOAD}.AAB",
        '{"payload":"e30","signatures":[]}',
        f"{b64(b'[]')}.{PAYLOAD}.{SIGNATURE}",
        f"{b64(b'{')}.{PAYLOAD}.{SIGNATURE}",
        f"{b64(bytes([255]))}.{PAYLOAD}.{SIGNATURE}",
        f"{b64(b'[' * 11_000)}.{PAYLOAD}.",
        f"{b64(b'{' * 40)}.{PAYLOAD}.",
        signed({**HEADER, "kid": ["k1"]}, CLAIMS),
        signed({**HEADER, "kid": 7}, CLAIMS),
    ),
)
def test_what_is_no_token_is_refused(text):
    assert fault(read_token, text) == "signature-malformed"


@pytest.mark.parametrize("text", numbered("a" * 2_000_000, f"{HEAD}.{PAYLOAD}.{'A' * 16_384}", "." * 2_000_000))
def test_a_long_token_is_refused_before_it_is_looked_at(text):
    assert fault(read_token, text) == "too-large"


@pytest.mark.parametrize("algorithm", ["none", "nOnE", "HS256", "ES256K", "RS1", "rs256", "", None, 7, ["RS256"], GONE])
def test_only_public_key_algorithms_are_read(algorithm):
    text = signed(changed(HEADER, {"alg": algorithm}), CLAIMS)
    assert fault(read_token, text) == "algorithm-refused"
    assert fault(read_token, text.rpartition(".")[0] + ".") == "algorithm-refused"


@pytest.mark.parametrize(
    "members",
    [
        {"jwk": jwk(RSA_2, "k1")},
        {"jku": "https://evil.example/"},
        {"x5u": "https://evil.example/"},
        {"x5c": []},
        {"crit": ["exp"]},
        {"crit": []},
        {"b64": False},
    ],
)
def test_a_header_must_not_bring_keys_or_rules_along(members):
    assert fault(read_token, token(members)) == "header-forbidden"


def test_a_type_must_be_text():
    assert fault(read_token, token({"typ": 7})) == "token-type-refused"


@pytest.mark.parametrize("kid", [GONE, None])
def test_a_header_must_name_its_key(kid):
    assert fault(read_token, token({"kid": kid})) == "key-unknown"


def test_no_member_is_there_twice():
    assert fault(read_token, signed('{"alg":"RS256","alg":"RS256","kid":"k1"}', CLAIMS)) == "duplicate-member"
    assert fault(read_token(signed(HEADER, '{"sub":"a","sub":"b"}')).claims) == "duplicate-member"


@pytest.mark.parametrize(
    "payload", ["[]", "7", "null", "{", "x", '{"exp":NaN}', '{"a":1e400}', b"\xff", '{"a":"\\ud800"}']
)
def test_the_payload_must_be_a_strict_object(payload):
    assert fault(check(signed(HEADER, payload)).claims) == "claim-malformed"


@pytest.mark.parametrize(
    "kid",
    ["k2", "K1", "k1 ", "../k1", "' or 1=1", "k1\n", "https://evil.example/jwks", "secret", "", "k\u0131"],
)
def test_a_key_id_is_only_compared(kid):
    assert fault(check, token({"kid": kid})) == "key-unknown"


@pytest.mark.parametrize(
    "keys",
    [
        [jwk(RSA, "k1"), jwk(RSA_2, "k1")],
        [jwk(RSA, "k1"), jwk(RSA, "k1"), jwk(RSA_2, "k1")],
        [jwk(RSA, "k1", use="enc")],
        [jwk(RSA, "k1", use=7)],
        [jwk(RSA, "k1", key_ops=["encrypt"])],
        [jwk(RSA, "k1", key_ops=[])],
        [jwk(RSA, "k1", key_ops="verify")],
        [jwk(RSA, ["k1"])],
        [{"kty": "oct", "kid": "k1", "k": "AAAA"}],
        ["k1", None, 7, []],
    ],
)
def test_there_must_be_one_key_that_may_sign(keys):
    assert fault(check, GOOD, *keys) == "key-unknown"


def test_the_same_key_twice_counts_once():
    check(GOOD, jwk(RSA, "k1"), jwk(RSA, "k1", alg="RS256"), jwk(RSA, "k1", use="sig"))
    assert fault(check, GOOD, jwk(RSA, "k1"), jwk(RSA, "k1", d="AQAB")) == "key-refused"
    assert fault(check, GOOD, jwk(RSA, "k1", n=["x"]), jwk(RSA, "k1", n=["x"])) == "key-refused"


@pytest.mark.parametrize(
    ("header", "keys"),
    [
        ({}, [jwk(P256, "k1")]),
        ({}, [jwk(RSA, "k1", alg="PS256")]),
        ({}, [jwk(RSA, "k1", kty="rsa")]),
        ({"alg": "PS256"}, [jwk(RSA, "k1", alg="RS256")]),
        ({"alg": "ES256"}, [jwk(RSA, "k1")]),
        ({"alg": "ES256"}, [jwk(P384, "k1")]),
        ({"alg": "EdDSA"}, [jwk(ED_448, "k1")]),
    ],
)
def test_a_key_must_be_one_for_the_algorithm(header, keys):
    assert fault(check, token(header), *keys) == "algorithm-refused"


def test_keys_of_other_kinds_may_share_an_id():
    keys = [jwk(P256, "k1"), jwk(RSA, "k1", use="enc"), jwk(RSA, "k1")]
    assert check(GOOD, *keys).header.key_id == "k1"


WEAK_POINT = b64(bytes(32))


@pytest.mark.parametrize(
    ("algorithm", "key"),
    [
        ("RS256", jwk(RSA_1024, "k1")),
        ("RS256", jwk(RSA, "k1", n=None)),
        ("RS256", jwk(RSA, "k1", n="")),
        ("RS256", jwk(RSA, "k1", n=7)),
        ("RS256", jwk(RSA, "k1", n="A" * 1_401)),
        ("RS256", jwk(RSA, "k1", n="/" * 40)),
        ("RS256", jwk(RSA, "k1", e="AA")),
        ("RS256", jwk(RSA, "k1", e="AQ")),
        ("RS256", jwk(RSA, "k1", e=b64(b"\x7f" * 16))),
        ("RS256", jwk(RSA, "k1", d="AQ")),
        ("RS256", jwk(RSA, "k1", n="\u0131" * 40)),
        ("ES256", jwk(P256, "k1", x=b64(bytes(32)))),
        ("ES256", jwk(P256, "k1", x=b64(bytes(31)))),
        ("EdDSA", jwk(ED, "k1", x=WEAK_POINT)),
        ("EdDSA", jwk(ED, "k1", x=b64(bytes(31)))),
    ],
)
def test_a_key_that_proves_nothing_is_refused(algorithm, key):
    assert fault(check, token({"alg": algorithm}), key) == "key-refused"


def test_a_key_of_8192_bits_is_refused():
    number = rsa.RSAPublicNumbers(65_537, (1 << 8_191) + 1).public_key().public_numbers().n
    key = jwk(RSA, "k1", n=b64(number.to_bytes(1_024, "big")))
    assert fault(check, GOOD, key) == "key-refused"


def resigned(signature, header=(), key=RSA, algorithm="RS256"):
    return token(header, key, algorithm).rpartition(".")[0] + "." + b64(signature)


@pytest.mark.parametrize(
    "text",
    numbered(
        resigned(b""),
        resigned(b"\x00" * 256),
        resigned(b"\x00" * 2_000),
        token(key=RSA_2),
        token(key=RSA, algorithm="PS256"),
        token({"kid": "any-rsa", "alg": "PS256"}),
        resigned(bytes(64), {"kid": "p256", "alg": "ES256"}, P256, "ES256"),
        resigned(bytes(63), {"kid": "p256", "alg": "ES256"}, P256, "ES256"),
        resigned(P256.sign(b"x", ec.ECDSA(SHA256())), {"kid": "p256", "alg": "ES256"}, P256, "ES256"),
        resigned(ED.sign(b"x")[:63], {"kid": "ed", "alg": "EdDSA"}, ED, "EdDSA"),
        resigned(bytes(64), {"kid": "ed", "alg": "EdDSA"}, ED, "EdDSA"),
    ),
)
def test_a_signature_that_does_not_fit_is_bad(text):
    assert fault(check, text) == "bad-signature"


@given(
    st.integers(0, len(GOOD) - 1), st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=")
)
def test_a_changed_character_never_fits(place, character):
    text = GOOD[:place] + character + GOOD[place + 1 :]
    if text != GOOD:
        with pytest.raises(VerificationFailed):
            check(text)


@given(st.text() | st.text("abcXYZ019-_.=", max_size=60))
@example("e30.e30.")
def test_nothing_but_a_refusal_comes_of_hostile_text(text):
    with pytest.raises(VerificationFailed):
        check(text)


@given(
    st.dictionaries(
        st.sampled_from(["alg", "kid", "typ", "crit", "x"]), st.none() | st.booleans() | st.text() | st.lists(st.text())
    )
)
def test_nothing_but_a_refusal_comes_of_a_hostile_header(header):
    with pytest.raises(VerificationFailed):
        check(signed(header, CLAIMS, RSA_2))


MEMBERS = st.none() | st.integers() | st.text(max_size=50) | st.lists(st.text(max_size=3), max_size=3)
NAMES = st.sampled_from(["kty", "kid", "n", "e", "crv", "x", "y", "use", "key_ops", "alg", "d", "k"])


@given(st.dictionaries(NAMES, MEMBERS), st.sampled_from(["RS256", "ES256", "EdDSA"]))
def test_nothing_but_a_refusal_comes_of_a_hostile_key(members, algorithm):
    kinds = {"RS256": jwk(RSA_2, "k1"), "ES256": jwk(P256, "k1"), "EdDSA": jwk(ED, "k1")}
    with pytest.raises(VerificationFailed):
        check(token({"alg": algorithm}), {**kinds[algorithm], **members})


def test_a_key_set_is_read_once_from_its_bytes():
    body = as_bytes(KEYS)
    assert read_key_set(body) is read_key_set(bytes(body))


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"keys":{}}', b'{"keys":[],"keys":[]}', b"\xff", b" " * 262_145])
def test_what_is_no_key_set_is_refused(body):
    with pytest.raises(WireError):
        read_key_set(body)


def test_a_key_set_cannot_be_changed_and_can_be_copied():
    keys = KeySet(KEYS)
    with pytest.raises(TypeError):
        keys["keys"] = []
    copy = pickle.loads(pickle.dumps(keys))
    assert (copy, type(copy)) == (KEYS, KeySet)
    header = read_token(GOOD).header
    assert copy.signing_key(header) is copy.signing_key(header)


def long(character):
    """Tokens with one segment of so many characters, as far as they are read."""
    return lambda size: f"{HEAD}.{character * size}.{SIGNATURE}"


@pytest.mark.uncounted
@pytest.mark.parametrize(
    "make", numbered(long("A"), long("."), long("="), lambda size: "." * size, lambda size: "A" * size)
)
def test_reading_a_token_is_linear(make):
    def read(text):
        with contextlib.suppress(VerificationFailed):
            read_token(text)

    steps_grow_linearly(read, make)
    time_grows_linearly(read, make)


@pytest.mark.uncounted
@pytest.mark.parametrize(
    "make",
    numbered(
        lambda size: b"[" * size,
        lambda size: b'{"a":' * size,
        lambda size: b'{"a":"' + b"\\\\" * size + b'"}',
        lambda size: b"{" + b",".join(b'"%d":1' % number for number in range(size)) + b"}",
        lambda size: b'{"exp":' + b"9" * size + b"}",
    ),
)
def test_reading_claims_is_linear(make):
    blank = read_token(GOOD)

    def read(payload):
        with contextlib.suppress(VerificationFailed):
            blank._replace(payload=payload).claims()

    steps_grow_linearly(read, make)
    time_grows_linearly(read, make, largest=1 << 14)


@pytest.mark.uncounted
def test_choosing_a_key_is_linear():
    header = read_token(GOOD).header

    def choose(document):
        with contextlib.suppress(VerificationFailed):
            KeySet(document).signing_key(header)

    for key in (jwk(RSA, "k1"), jwk(P256, "k1"), jwk(RSA, "k2"), {}):
        steps_grow_linearly(choose, lambda size, key=key: {"keys": [key] * size})


@pytest.mark.parametrize(
    "respelled",
    [
        lambda x: f"{x[:5]}!!!!{x[5:]}",
        lambda x: f"{x}=",
        lambda x: f"{x}\n",
        lambda x: f" {x}",
        lambda x: f"{x[:-1]}{chr(ord(x[-1]) + 1)}",
        lambda x: "",
        lambda x: None,
        lambda x: x * 40,
    ],
    ids=["skipped", "padded", "line-end", "space", "last-bits", "empty", "missing", "long"],
)
def test_a_key_has_one_spelling(respelled):
    good = jwk(ED, "ed")
    odd = {**good, "x": respelled(good["x"])}
    text = token({"alg": "EdDSA", "kid": "ed"}, ED, algorithm="EdDSA")
    assert check(text, good)
    for keys in ([odd], [good, odd], [odd, good]):
        assert fault(check, text, *keys) == "key-refused"
