from typing import Any

import pytest

from mentionable import HttpRequest
from mentionable.activitypub import _raw
from mentionable.activitypub._auth.signature import read_signatures, signed_request

CAVAGE = (
    'keyId="https://social.example/users/alice#main-key",algorithm="rsa-sha256",'
    'headers="(request-target) host date digest",signature="c2ln"'
)
INPUT = (
    'sig1=("@method" "@target-uri" "content-digest" "@query-param";name="x");created=1703066400;'
    'keyid="https://social.example/users/alice#main-key";alg="rsa-v1_5-sha256"'
)
PROOF = {
    "type": "DataIntegrityProof",
    "cryptosuite": "eddsa-jcs-2022",
    "verificationMethod": "https://a.example/#k",
    "proofValue": "z1",
}


def request(**headers: str) -> HttpRequest:
    pairs = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpRequest(method="POST", url="https://agents.example/inbox", headers=pairs)


def described(sent: HttpRequest, activity: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    return _raw._signatures(read_signatures(sent, activity, document))["signature"]


@pytest.mark.parametrize(
    ("sent", "activity", "document", "expected"),
    [
        (request(), {}, {}, False),
        (request(host="agents.example", digest="x", authorization="Bearer x"), {}, {}, False),
        (request(signature=CAVAGE), {}, {}, True),
        (request(signature_input=INPUT), {}, {}, True),
        (request(signature=""), {}, {}, True),
        (request(), {"proof": PROOF}, {}, True),
        (request(), {}, {"proof": []}, True),
        (request(), {"signature": {"type": "RsaSignature2017"}}, {}, False),
    ],
)
def test_signed_is_what_carries_an_http_signature_or_a_proof(
    sent: HttpRequest, activity: dict[str, Any], document: dict[str, Any], expected: bool
) -> None:
    found = read_signatures(sent, activity, document)
    assert bool(found) is expected


def test_a_cavage_signature_is_described() -> None:
    assert described(request(signature=CAVAGE), {}, {}) == {
        "keyId": "https://social.example/users/alice#main-key",
        "algorithm": "rsa-sha256",
        "headers": ["(request-target)", "host", "date", "digest"],
        "signature": "c2ln",
    }


def test_bare_values_blanks_and_repeats_are_read() -> None:
    found = described(request(signature='keyId="k" , created=1703066400, keyId="other"'), {}, {})
    assert found == {"keyId": "k"}


def test_an_rfc_9421_signature_is_described() -> None:
    assert described(request(signature_input=INPUT, signature="other=:AAAA:, sig1=:c2ln:"), {}, {}) == {
        "keyId": "https://social.example/users/alice#main-key",
        "algorithm": "rsa-v1_5-sha256",
        "signature": "c2ln",
        "label": "sig1",
        "headers": ["@method", "@target-uri", "content-digest", '@query-param;name="x"'],
        "created": 1703066400,
    }


@pytest.mark.parametrize(
    ("declared", "signature", "label", "created"),
    [
        ("nonsense", "sig1=:c2ln:", "nonsense", None),
        ("?", "sig1=:c2ln:", None, None),
        ('sig1=("@method")', "sig2=:c2ln:", "sig1", None),
        ('sig1=("@method");created=x', "", "sig1", None),
        ('sig1=("@method");created=1111111111111111', "sig1=c2ln", "sig1", None),
        ('sig1=();expires=5;created="7"', "", "sig1", 7),
    ],
)
def test_a_broken_rfc_9421_pair_is_described_as_far_as_it_goes(
    declared: str, signature: str, label: str | None, created: int | None
) -> None:
    found = described(request(signature_input=declared, signature=signature), {}, {})
    assert (found.get("label"), found.get("created"), found.get("signature")) == (label, created, None)


def test_an_input_without_its_signature_is_described() -> None:
    assert "signature" not in described(request(signature_input=INPUT), {}, {})


def test_a_proof_has_a_member_of_its_own() -> None:
    proof = {"cryptosuite": "eddsa-jcs-2022", "verificationMethod": "https://a.example/#k", "proofValue": "z1"}

    def both(*unit: Any) -> dict[str, Any]:
        return _raw._signatures(read_signatures(*unit))

    assert both(request(), {"proof": PROOF}, {}) == both(request(), {}, {"proof": [PROOF]}) == {"proof": proof}
    assert both(request(signature=CAVAGE), {}, {"proof": PROOF}).keys() == {"signature", "proof"}
    assert both(request(), {"proof": {"cryptosuite": 5}}, {}) == {"proof": {}}
    assert both(request(), {"proof": "x"}, {}) == both(request(), {}, {}) == {}


def test_of_several_signatures_the_one_that_showed_the_sender_is_described() -> None:
    declared = ", ".join(f'{label}=("@method");created=1;keyid="{label}"' for label in ("proxy", "own"))
    sent = HttpRequest(
        method="POST",
        url="https://agents.example/inbox",
        headers={"signature-input": declared, "signature": "proxy=:AAAA:, own=:AAAA:"},
    )
    signatures = read_signatures(sent, {})
    assert [_raw._signatures(signatures, key)["signature"]["keyId"] for key in (None, "own", "other")] == [
        "proxy",
        "own",
        "proxy",
    ]


def test_many_fields_of_one_name_are_joined_in_linear_time() -> None:
    headers = [("x", "a")] * 200_000
    sent = HttpRequest(method="POST", url="https://agents.example/inbox", headers=headers)
    assert len(signed_request(sent).headers["x"]) == 3 * 200_000 - 2


def test_headers_that_are_too_long_together_are_not_read() -> None:
    half = "x" * 8_193
    [found] = read_signatures(request(signature=half, signature_input=half), {}).http
    assert (found.form, found.fault) == ("rfc9421", ("signature-malformed", "longer than any honest signature"))
    [found] = read_signatures(request(signature=half * 2), {}).http
    assert (found.form, found.fault) == ("cavage", ("signature-malformed", "longer than any honest signature"))


def test_of_several_signatures_the_first_that_can_be_read_is_described() -> None:
    inner = '("@method");created=1703066400;keyid='
    several = request(signature="b=:c2ln:", signature_input=f'a={inner}"first", b={inner}"second"')
    told = _raw._signatures(read_signatures(several, {}))["signature"]
    assert (told["keyId"], told["label"]) == ("second", "b")
