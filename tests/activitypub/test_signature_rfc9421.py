from base64 import b64decode
from datetime import timedelta
from hashlib import sha256

import pytest

from mentionable import HttpRequest, SigningKey
from mentionable._crypto.keys import public_key_of_der
from mentionable._crypto.verification import VerificationFailed
from mentionable._wire.base64 import base64_decode
from mentionable.activitypub._auth.signature import read_signatures, signature_base, signed_request
from tests.activitypub.servers import ALICE, EDDSA, NOW, RSA, actor
from tests.activitypub.signing import INBOX, SECONDS, changed, code, elsewhere, rfc9421, signed, verdict, world

KEY = f';keyid="{RSA.key_id}"'
GOOD = f";created={SECONDS}{KEY}"
USUAL = '"@method" "@target-uri" "content-digest"'
BARE = changed(signed(form="rfc9421"), signature=None, signature_input=None)


@pytest.mark.parametrize("key", [RSA, EDDSA], ids=["rsa", "ed25519"])
def test_a_signed_delivery_is_verified_step_by_step(key: SigningKey) -> None:
    found = verdict(signed(key=key, form="rfc9421"))
    assert (found.method, found.address, found.key_id) == ("ap-http-signature", "@alice@social.example", key.key_id)
    assert found.steps == (
        *("parse", "coverage", "time", "digest", "host"),
        *("key", "binding", "signature", "address"),
    )


@pytest.mark.parametrize(
    "components",
    [
        USUAL,
        '"@method" "@path" "@authority" "content-digest"',
        '"@method" "@path" "@query" "@authority" "content-digest" "content-type"',
        '"@method" "@request-target" "@scheme" "host" "content-digest" "date"',
    ],
)
@pytest.mark.parametrize("url", [INBOX, INBOX + "?a=1", INBOX + "?", "https://agents.example"])
def test_every_honest_form_is_taken(components: str, url: str) -> None:
    there = elsewhere(BARE, url)
    assert code(rfc9421(there, components, GOOD)) is None
    assert (
        code(rfc9421(there, components, GOOD + f';alg="rsa-v1_5-sha256";nonce="x";tag="y";expires={SECONDS}')) is None
    )


def test_a_body_that_is_not_covered_fails_before_anything_else_is_looked_at() -> None:
    found = verdict(rfc9421(BARE, '"@method" "@target-uri"', GOOD))
    assert (found.code, found.steps) == ("coverage-missing", ("parse",))


def test_a_query_that_is_not_there_is_a_question_mark() -> None:
    base = signature_base(["@query", "@path"], "()", signed_request(HttpRequest(method="GET", url="https://a.example")))
    assert base == b'"@query": ?\n"@path": /\n"@signature-params": ()'


@pytest.mark.parametrize(
    ("components", "parameters", "expected"),
    [
        ("", GOOD, "coverage-missing"),
        ('"@target-uri" "content-digest"', GOOD, "coverage-missing"),
        ('"@method" "content-digest"', GOOD, "coverage-missing"),
        ('"@method" "@path" "content-digest"', GOOD, "coverage-missing"),
        ('"@method" "@authority" "content-digest"', GOOD, "coverage-missing"),
        ('"@method" "@target-uri"', GOOD, "coverage-missing"),
        (USUAL + ' "@method"', GOOD, "signature-ambiguous"),
        (USUAL, KEY, "time-missing"),
        (USUAL, f';created="{SECONDS}"{KEY}', "signature-malformed"),
        (USUAL, f";created={SECONDS}", "signature-malformed"),
        (USUAL, f";created={SECONDS};keyid=x", "signature-malformed"),
        (USUAL, GOOD + KEY, "signature-ambiguous"),
        (USUAL, GOOD + ';alg="ed25519"', "algorithm-refused"),
        (USUAL, GOOD + ';alg="rsa-pss-sha512"', "algorithm-refused"),
        (USUAL, GOOD + ';alg="hmac-sha256"', "algorithm-refused"),
        (USUAL, GOOD + ";expires=1", "signature-malformed"),
        (USUAL, f";created={SECONDS - 50_000}{KEY}", "expired"),
        (USUAL, f";created={SECONDS - 9_000};expires={SECONDS - 4_000}{KEY}", "expired"),
        (USUAL, f";created={SECONDS + 4_000}{KEY}", "not-yet-valid"),
        (USUAL.replace('" "', '"\t"'), GOOD, "signature-malformed"),
        (USUAL, f"{GOOD};expires={SECONDS}.5", "signature-malformed"),
        (USUAL, f";created={SECONDS}.0{KEY}", "signature-malformed"),
        (USUAL, f"{GOOD};nonce=x", "signature-malformed"),
    ],
)
def test_what_must_be_covered_must_be_covered(components: str, parameters: str, expected: str) -> None:
    assert code(rfc9421(BARE, components, parameters)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"content-digest"', '"content-digest";req', "coverage-missing"),
        ('"content-digest"', '"content-digest";key="sha-256"', "coverage-missing"),
        ('"content-digest"', '"content-digest";sf', "bad-signature"),
        ('"content-digest"', '"content-digest" "content-type";sf', "signature-malformed"),
        ('"content-digest"', '"content-digest" "content-digest;sf"', "signature-malformed"),
        ('"content-digest"', '"content-digest" "@query-param";name="a"', "signature-malformed"),
        ('"content-digest"', '"content-digest" "@status"', "signature-malformed"),
        ('"content-digest"', '"content-digest" "X-Upper"', "signature-malformed"),
        ('"content-digest"', '"content-digest" "not-there"', "bad-signature"),
        ('"content-digest"', '"content-digest" token', "signature-malformed"),
        ("sig1=", "sig2=", "signature-malformed"),
        ("sig1=", "sig1 =", "signature-malformed"),
        ("sig1=", "Sig1=", "signature-malformed"),
    ],
)
def test_a_declaration_that_cannot_be_read_counts_for_nothing(old: str, new: str, expected: str) -> None:
    made = signed(form="rfc9421")
    assert code(changed(made, signature_input=(made.header("signature-input") or "").replace(old, new))) == expected


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("{0}, {0}", "signature-ambiguous"),
        ("{0},", "signature-malformed"),
        ("{0} x", "signature-malformed"),
        ("sig1=:AAAA=:", "signature-malformed"),
        ("", "signature-malformed"),
        (None, "signature-malformed"),
        ('keyId="x"', "signature-malformed"),
        ("sig1=:AAAA:", "bad-signature"),
    ],
)
def test_a_signature_that_cannot_be_read_counts_for_nothing(signature: str | None, expected: str) -> None:
    made = signed(form="rfc9421")
    header = None if signature is None else signature.format(made.header("signature"))
    assert code(changed(made, signature=header)) == expected


def labelled(*members: str) -> HttpRequest:
    """A delivery with several signatures; `good` stands for one that fits, anything else is the declaration."""
    made = signed(form="rfc9421")
    good, value = [(made.header(name) or "").partition("=")[2] for name in ("signature-input", "signature")]
    declared = [f"s{index}={good if member == 'good' else member}" for index, member in enumerate(members)]
    values = [f"s{index}={value}" for index, member in enumerate(members)]
    return changed(made, signature_input=", ".join(declared), signature=", ".join(values))


def test_one_good_signature_among_the_first_three_will_do() -> None:
    other = f'("@authority");created={SECONDS};keyid="x"'
    assert code(labelled("good")) is None
    assert code(labelled(other, "good")) is None
    assert code(labelled(other, other, "good")) is None
    assert code(labelled(other, other, other, "good")) == "coverage-missing"
    assert code(labelled(other, f'({USUAL}){GOOD};tag="x"')) == "bad-signature"


def test_several_signatures_ask_for_the_same_documents_once() -> None:
    where = world(actor())
    assert code(labelled("good", "good", "good"), where) == "key-unknown"
    assert [(ask.url, ask.fresh) for ask in where.asked] == [(ALICE, False), (ALICE, True)]


def test_the_same_label_twice_is_ambiguous() -> None:
    made = signed(form="rfc9421")
    declared = made.header("signature-input") or ""
    assert code(changed(made, signature_input=f"{declared}, {declared}")) == "signature-ambiguous"


def test_a_label_without_a_signature_is_passed_over() -> None:
    made = signed(form="rfc9421")
    declared = made.header("signature-input") or ""
    assert code(changed(made, signature_input=f'proxy=("@authority");created=1, {declared}')) is None


def test_another_body_url_or_method_is_never_verified() -> None:
    made = signed(form="rfc9421")
    assert code(elsewhere(made, INBOX, body=made.body + b" ")) == "digest-mismatch"
    assert code(elsewhere(made, INBOX + "2")) == "bad-signature"
    assert code(elsewhere(made, INBOX + "?a")) == "bad-signature"
    assert code(elsewhere(made, INBOX, method="PUT")) == "bad-signature"
    assert code(elsewhere(made, "https://other.example/inbox")) == "host-mismatch"
    assert code(changed(elsewhere(made, "https://other.example/inbox"), host=None)) == "bad-signature"
    assert code(elsewhere(made, "https:///inbox")) == "host-mismatch"
    assert code(rfc9421(changed(BARE, host="other.example"), '"@method" "@path" "host" "content-digest"', GOOD)) == (
        "host-mismatch"
    )


def test_every_digest_of_the_body_must_be_right() -> None:
    made = signed(form="rfc9421")
    assert code(changed(made, digest="SHA-256=AAAA")) == "digest-mismatch"
    assert code(changed(made, digest="MD5=AAAA")) is None
    assert code(rfc9421(changed(BARE, content_digest="sha-512=:AAAA:"), USUAL, GOOD)) == "digest-mismatch"
    assert code(rfc9421(changed(BARE, content_digest="md5=:AAAA:"), USUAL, GOOD)) == "coverage-missing"


def test_a_signature_counts_until_it_is_too_old_or_says_so() -> None:
    made = rfc9421(BARE, USUAL, GOOD + f";expires={SECONDS + 60}")
    found = verdict(made)
    assert found.replays[0].until == NOW + timedelta(minutes=61, seconds=1)
    assert code(made, now=NOW + timedelta(minutes=61, microseconds=999_999)) is None
    assert code(made, now=found.replays[0].until) == "expired"
    assert code(made, now=NOW + timedelta(minutes=62)) == "expired"
    replay = verdict(rfc9421(BARE, USUAL, GOOD)).replays[0]
    assert replay is not None
    assert replay.until == NOW + timedelta(hours=13, seconds=1)
    digest = sha256(BARE.body).hexdigest()
    assert replay.binding == f"https://social.example/notes/2/activity {digest} agents.example"
    assert replay.key.startswith("activitypub:")


def test_the_example_of_the_standard_fits() -> None:
    """RFC 9421, B.2.6."""
    key = "MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs="
    value = "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="
    request = HttpRequest(
        method="POST",
        url="https://example.com/foo?param=Value&Pet=dog",
        headers={
            "host": "example.com",
            "date": "Tue, 20 Apr 2021 02:07:55 GMT",
            "content-type": "application/json",
            "content-length": "18",
            "signature-input": 'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length")'
            ';created=1618884473;keyid="test-key-ed25519"',
            "signature": f"sig-b26=:{value}:",
        },
        body=b'{"hello": "world"}',
    )
    (found,) = read_signatures(request, {}).http
    base = signature_base(found.covered or (), found.parameters, signed_request(request))
    assert public_key_of_der(b64decode(key)).fits(base64_decode(found.signature or "") or b"", base)


def test_a_line_break_in_a_header_hides_nothing() -> None:
    request = HttpRequest(method="GET", url=ALICE, headers={"x": "a\nb"})
    with pytest.raises(VerificationFailed, match="signature-ambiguous"):
        signature_base(["x"], "()", signed_request(request))
