from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mentionable import activitypub
from mentionable._crypto.keys import public_key_of_multikey
from mentionable.activitypub._auth.proof import check_proof, proof_text
from mentionable.activitypub._read.object import ActivityHead
from tests.activitypub.servers import ALICE, AS2, BOB, EDDSA, HELPER, NOW, RSA, create, keyed, note, taken
from tests.activitypub.signing import INBOX, SECONDS, changed, code, post, proven, resigned, signed, verdict, world

KEY = "z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2"
FEP = {
    "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/data-integrity/v2"],
    "id": "https://server.example/activities/1",
    "type": "Create",
    "actor": "https://server.example/users/alice",
    "object": {
        "id": "https://server.example/objects/1",
        "type": "Note",
        "attributedTo": "https://server.example/users/alice",
        "content": "Hello world",
        "location": {"type": "Place", "longitude": -71.184902, "latitude": 25.273962},
    },
    "proof": {
        "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/data-integrity/v2"],
        "type": "DataIntegrityProof",
        "cryptosuite": "eddsa-jcs-2022",
        "verificationMethod": "https://server.example/users/alice#ed25519-key",
        "proofPurpose": "assertionMethod",
        "proofValue": "z42ffGu6AUKPCFcFPiabmUvnGLPJzC7e4DGWC52NUasSSH37UMa9c58tdgVszUcZfytxa4fQ5TYHaJENCxUDe9SdL",
        "created": "2023-02-24T23:36:38Z",
    },
}
"""The example of FEP-8b32."""

CREDENTIAL = {
    "@context": ["https://www.w3.org/ns/credentials/v2", "https://www.w3.org/ns/credentials/examples/v2"],
    "id": "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33",
    "type": ["VerifiableCredential", "AlumniCredential"],
    "name": "Alumni Credential",
    "description": "A minimum viable example of an Alumni Credential.",
    "issuer": "https://vc.example/issuers/5678",
    "validFrom": "2023-01-01T00:00:00Z",
    "credentialSubject": {"id": "did:example:abcdefgh", "alumniOf": "The School of Examples"},
    "proof": {
        "type": "DataIntegrityProof",
        "cryptosuite": "eddsa-jcs-2022",
        "created": "2023-02-24T23:36:38Z",
        "verificationMethod": "https://vc.example/issuers/5678#z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2",
        "proofPurpose": "assertionMethod",
        "@context": ["https://www.w3.org/ns/credentials/v2", "https://www.w3.org/ns/credentials/examples/v2"],
        "proofValue": "z63t83Y53KfzJ5ZosfKTnqfMcKB2dmTrfjSaQjeNNjAD5srBowQfmWqeRb8rRjmeEuCBEsddF9LsVogtuTsijJKh4",
    },
}
"""The example of the W3C's EdDSA cryptosuites, B.2."""


def claim(document: dict[str, Any]) -> ActivityHead:
    return ActivityHead(document=document, id=document["id"], actor="https://vc.example", host="vc.example")


@pytest.mark.parametrize("document", [FEP, CREDENTIAL], ids=["FEP-8b32", "W3C"])
def test_the_published_examples_fit(document: dict[str, Any]) -> None:
    age = timedelta(days=9_999)
    found = check_proof(document["proof"], claim(document), host="agents.example", now=SECONDS, max_age=age)
    key = public_key_of_multikey(KEY)
    assert key.fits(found.signature, found.signature_bases[0])
    other = document | {"id": document["id"] + "2"}
    found = check_proof(document["proof"], claim(other), host="agents.example", now=SECONDS, max_age=age)
    assert not key.fits(found.signature, found.signature_bases[0])


def test_a_proof_shows_the_sender_wherever_it_comes_from() -> None:
    found = verdict(post(proven()))
    assert (found.method, found.key_id) == ("ap-object-integrity-proof", EDDSA.key_id)
    assert found.steps == ("parse", "coverage", "time", "host", "key", "binding", "signature", "address")
    assert code(post(proven(), url="https://hub.example/inbox")) is None


def test_a_proof_outranks_the_signature_of_the_request() -> None:
    assert verdict(signed(proven())).method == "ap-object-integrity-proof"
    forwarded = changed(signed(proven()), signature='keyId="https://hub.example/actor#key",signature="AAAA"')
    assert verdict(forwarded).method == "ap-object-integrity-proof"


def test_a_signature_counts_where_a_proof_does_not_and_the_proof_is_told_of() -> None:
    broken = proven() | {"to": [BOB, HELPER]}
    assert verdict(signed(broken)).method == "ap-http-signature"
    where = world()
    got = taken(where.receive(signed(broken).body, headers=dict(signed(broken).headers)))
    assert got.message.sender.auth_method == "ap-http-signature"
    assert [(one.code, one.at) for one in got.diagnostics] == [("bad-signature", "/proof")]
    unknown = create(proof={"type": "DataIntegrityProof", "cryptosuite": "eddsa-rdfc-2022"})
    assert verdict(signed(unknown)).method == "ap-http-signature"


def test_of_two_that_fail_the_one_that_came_further_says_why() -> None:
    broken = proven() | {"to": [HELPER, BOB]}
    assert code(post(broken)) == "bad-signature"
    assert code(changed(signed(broken), signature="")) == "bad-signature"
    forwarded = changed(signed(broken), signature=(signed(broken).header("signature") or "").replace(ALICE, BOB))
    assert code(forwarded) == "bad-signature"
    early = broken | {"proof": broken["proof"] | {"proofPurpose": "authentication"}}
    forwarded = changed(signed(early), signature=(signed(early).header("signature") or "").replace(ALICE, BOB))
    assert code(forwarded) == "key-mismatch"


@pytest.mark.parametrize("shape", ["list", "several", "signature"])
def test_honest_shapes_are_taken(shape: str) -> None:
    whole = proven()
    if shape == "list":
        whole["proof"] = [whole["proof"]]
    elif shape == "several":
        whole["proof"] = ["odd", whole["proof"] | {"cryptosuite": "x"}, whole["proof"]]
    else:
        whole["signature"] = {"type": "RsaSignature2017"}
    assert code(post(whole)) is None


def test_only_the_first_three_proofs_are_looked_at() -> None:
    whole = proven()
    assert code(post(whole | {"proof": ["odd", "odd", "odd", whole["proof"]]})) == "signature-malformed"
    assert code(post(whole | {"proof": []})) == "signature-malformed"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"type": "Ed25519Signature2020"}, "algorithm-refused"),
        ({"cryptosuite": "eddsa-rdfc-2022"}, "algorithm-refused"),
        ({"cryptosuite": ...}, "algorithm-refused"),
        ({"verificationMethod": 5}, "signature-malformed"),
        ({"previousProof": "urn:1"}, "signature-malformed"),
        ({"proofPurpose": "authentication"}, "purpose-refused"),
        ({"proofPurpose": ...}, "purpose-refused"),
        ({"created": "2026-11-21T22:00:00Z"}, "not-yet-valid"),
        ({"created": "yesterday"}, "signature-malformed"),
        ({"created": 5}, "signature-malformed"),
        ({"created": None}, "signature-malformed"),
        ({"created": ...}, "time-missing"),
        ({"created": ..., "expires": "2026-12-01T00:00:00Z"}, None),
        ({"created": "2026-10-22T19:56:00Z"}, None),
        ({"created": "2026-10-22T19:55:59Z"}, "expired"),
        ({"created": "2020-01-01T00:00:00+01:00", "expires": "2026-12-01T00:00:00Z"}, None),
        ({"expires": "2026-11-21T19:50:00Z"}, "expired"),
        ({"expires": "2026-11-21T20:00:00Z"}, None),
        ({"expires": "9999-12-31T23:59:59Z"}, None),
        ({"domain": "agents.example"}, None),
        ({"domain": ["x.example", "agents.example"]}, None),
        ({"domain": "other.example"}, "host-mismatch"),
        ({"challenge": "x", "nonce": 5}, None),
        ({"verificationMethod": RSA.key_id}, "key-unknown"),
        ({"verificationMethod": f"{BOB}#key"}, "key-mismatch"),
        ({"verificationMethod": "did:key:z6Mk"}, "key-mismatch"),
        ({"@context": ...}, None),
    ],
)
def test_every_option_is_looked_at_and_signed(options: dict[str, Any], expected: str | None) -> None:
    assert code(post(proven(**options))) == expected


@pytest.mark.parametrize(
    "change", [{"created": "2026-11-21T20:55:59Z"}, {"note": 1}, {"expires": "2030-01-01T00:00:00Z"}, {"nonce": None}]
)
def test_options_that_were_changed_do_not_fit(change: dict[str, Any]) -> None:
    whole = proven()
    assert code(post(whole | {"proof": whole["proof"] | change})) == "bad-signature"
    less = {name: value for name, value in whole["proof"].items() if name != "created"}
    assert code(post(whole | {"proof": less})) == "time-missing"


@pytest.mark.parametrize("value", ["", "z", "zz", "m" + "A" * 86, "z0" + "1" * 63, "z" + "1" * 200])
def test_a_value_that_is_no_signature_counts_for_nothing(value: str) -> None:
    whole = proven()
    assert code(post(whole | {"proof": whole["proof"] | {"proofValue": value}})) == "signature-malformed"
    assert code(post(whole | {"proof": whole["proof"] | {"proofValue": 5}})) == "signature-malformed"


def test_the_context_of_the_activity_may_only_go_on_behind_the_signed_one() -> None:
    whole = proven(create(**{"@context": [AS2, "https://a.example/c"]}))
    longer = whole | {"@context": [AS2, "https://a.example/c", "https://b.example/d"]}
    assert code(post(longer)) is None
    for context in (AS2, [AS2], ["https://a.example/c", AS2]):
        assert code(post(whole | {"@context": context})) == "signature-ambiguous"
    single = proven()
    assert code(post(single | {"@context": [AS2, "https://b.example/d"]})) is None
    without = resigned(single, lambda proof: {k: v for k, v in proof.items() if k != "@context"})
    assert code(post(without | {"@context": [AS2, "https://b.example/d"]})) == "bad-signature"


def test_a_proof_on_the_object_shows_who_wrote_it_and_not_who_sent_it() -> None:
    inner = proven(note(**{"@context": AS2}))
    assert code(post(create(inner))) == "coverage-missing"
    assert code(signed(create(inner))) is None


def test_a_number_without_a_canonical_form_is_told() -> None:
    whole = proven()
    odd = whole | {"x": {"y": float(2**70)}}
    assert code(post(odd)) == "bad-signature"
    with pytest.raises(Exception, match="not-canonical"):
        proof_text({"x": 2**60}, {})


def test_only_keys_for_assertions_count() -> None:
    multikey = keyed()["assertionMethod"][0]
    named = keyed(assertionMethod=[EDDSA.key_id], verificationMethod=[multikey])
    assert code(post(proven()), world(named)) is None
    elsewhere = keyed(assertionMethod=[], publicKey=multikey)
    assert code(post(proven()), world(elsewhere)) == "key-unknown"
    foreign = keyed(assertionMethod=[multikey | {"controller": BOB}])
    assert code(post(proven()), world(foreign)) == "key-mismatch"


def test_a_proof_counts_until_its_end() -> None:
    replay = verdict(post(proven(expires="2026-11-21T21:00:00Z"))).replays[0]
    assert replay is not None
    assert replay.until == NOW + timedelta(days=30, hours=2, seconds=1)  # another proof of the same may count so long
    late = verdict(post(proven(expires="2027-11-21T21:00:00Z"))).replays[0]
    assert late is not None
    assert late.until == datetime(2027, 11, 21, 22, 0, 1, tzinfo=UTC)
    assert verdict(post(proven(), url=INBOX)).verified


def test_a_proof_without_an_end_counts_as_long_as_its_use_is_remembered() -> None:
    made = post(proven(created="2026-11-01T00:00:00Z"))
    replay = verdict(made).replays[0]
    assert replay is not None
    assert replay.until == NOW + timedelta(days=30, hours=2, seconds=1)
    end = datetime(2026, 12, 1, 1, 0, 1, tzinfo=UTC)  # 30 days, and the hour by which clocks differ
    flow = activitypub.verify(made, now=NOW, settings=activitypub.Settings(max_proof_age=timedelta(days=1)))
    assert world().drive(flow).code == "expired"
    assert verdict(made, now=end - timedelta(seconds=1)).verified
    assert verdict(made, now=end).code == "expired"
