from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mentionable import SigningKey, UsageError, encode, identity, replace
from mentionable._crypto.verification import transport_evidence
from mentionable._model.identity import AttestationProof, BearerProof
from tests.identity.issuer import KEY, NOW, SHOWN, attested, verified
from tests.policy.demands import TURN
from tests.vectors._identity_rows import AGENT, ALICE, HOST, METHOD

SECRET = "xoxb-1234567890-canary"


def test_what_is_attested_verifies():
    claims = {"profile": {"display_name": "Zoë"}, "n": [1, 1.5, 2.0, True, None]}
    made = attested(id="slack:Ev1", claims=claims, source={"transport": "slack"})
    assert isinstance(made.proof, AttestationProof)
    found = verified(encode(made))
    assert (found.subject, found.id, found.claims, found.audience) == (ALICE, "slack:Ev1", claims, AGENT)


def test_a_statement_is_attested():
    with pytest.raises(UsageError, match=r"identity\.Statement"):
        identity.attest({"subject": ALICE}, issuer=HOST, audience=AGENT, key=KEY, now=NOW)


def test_evidence_holds_for_five_minutes_unless_another_time_is_said():
    assert attested().expires_at == "2026-11-21T21:01:00.000Z"
    assert attested(lifetime=timedelta(seconds=1)).expires_at == "2026-11-21T20:56:01.000Z"
    assert attested(lifetime=timedelta(hours=1)).expires_at == "2026-11-21T21:56:00.000Z"


def test_what_is_not_said_is_absent():
    assert attested().on_behalf_of is None
    assert encode(attested()).keys().isdisjoint({"id", "claims", "source", "on_behalf_of", "not_before"})
    assert attested(on_behalf_of=("slack:T123/U1",)).on_behalf_of == ("slack:T123/U1",)


@pytest.mark.parametrize("member", ["claims", "source"])
@pytest.mark.parametrize("said", [{"profile": {"extensions": {"slack": {"k": SECRET}}}}, {"a": [{SECRET: 1}]}])
def test_credentials_are_not_signed_and_not_repeated(member, said):
    with pytest.raises(UsageError, match=rf"^/{member}/[a-z/0-9]+: looks like a token") as caught:
        attested(**{member: said})
    assert SECRET not in str(caught.value)


RSA = SigningKey.from_pem(
    rsa.generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), key_id="r"
)


@pytest.mark.parametrize(
    "wrong",
    [
        {"subject": "alice"},
        {"subject": 7},
        {"subject": []},
        {"method": ""},
        {"method": None},
        {"assurance": ""},
        {"assurance": 7},
        {"assurance": []},
        {"assurance": "delegated"},
        {"issuer": "https://a.example"},
        {"issuer": None},
        {"issuer": "slack.internal"},
        {"audience": "helper@agents.example"},
        {"audience": (AGENT,)},
        {"key": "secret"},
        {"key": RSA},
        {"key": replace(KEY, key_id="my key")},
        {"now": datetime(2026, 11, 21)},  # noqa: DTZ001
        {"lifetime": 300},
        {"lifetime": timedelta(milliseconds=999)},
        {"lifetime": timedelta(hours=1, seconds=1)},
        {"on_behalf_of": "slack:T123/U1"},
        {"on_behalf_of": ("alice",)},
        {"on_behalf_of": (ALICE,)},
        {"on_behalf_of": ("slack:T1/U1", "slack:T1/U1")},
        {"on_behalf_of": ([],)},
        {"id": ""},
        {"id": 7},
        {"claims": []},
        {"claims": {"n": float("nan")}},
        {"claims": {"n": 2**53}},
        {"claims": {"x": "x" * 16_384}},
        {"claims": {7: "x"}},
        {"claims": {"x": "\ud800"}},
        {"source": "slack"},
    ],
)
def test_evidence_that_nobody_takes_is_the_callers_fault(wrong):
    with pytest.raises(UsageError):
        attested(**wrong)


PLATFORM = transport_evidence("email-dkim", ALICE, issuer=HOST, audience=AGENT, key_id=None, now=NOW)
PLATFORM = replace(PLATFORM, method=METHOD, assurance="platform", id="slack:Ev1", source={"channel": "C1"})


def message(*evidence):
    return replace(TURN, sender=replace(TURN.sender, identities=evidence or None))


def attest_sender(unit):
    return identity.attest_sender(unit, audience=AGENT, key=KEY, issuer=HOST, now=NOW)


def test_a_connector_signs_what_its_room_verified():
    (made,) = attest_sender(message(PLATFORM))
    assert (made.subject, made.id, made.method, made.source) == (ALICE, "slack:Ev1", METHOD, {"channel": "C1"})
    assert verified(encode(made)).subject == ALICE


@pytest.mark.parametrize(
    "evidence",
    [
        (),
        (replace(PLATFORM, issuer="other.example"),),
        (replace(PLATFORM, proof=BearerProof(verified_by="slack")),),
        (attested(),),
    ],
)
def test_a_connector_signs_nothing_that_its_room_did_not_verify(evidence):
    assert attest_sender(message(*evidence)) == ()


@pytest.mark.parametrize("wrong", [{"issuer": "slack.internal"}, {"audience": "helper"}, {"now": None}, {"key": None}])
def test_what_the_program_says_wrong_is_told_even_when_nobody_was_shown(wrong):
    with pytest.raises(UsageError):
        identity.attest_sender(message(), **{"audience": AGENT, "key": KEY, "issuer": HOST, "now": NOW, **wrong})


@pytest.mark.parametrize("wrong", [None, {}, "hello"])
def test_only_a_message_has_a_sender_to_attest(wrong):
    with pytest.raises(UsageError, match="message must be NormalizedMessage"):
        attest_sender(wrong)


def test_signing_input_is_what_verify_hashes():
    from hashlib import sha256

    assert SHOWN.digest != sha256(identity.signing_input(encode(attested()))).hexdigest()
    made = encode(attested())
    assert verified(made).digest == sha256(identity.signing_input(made)).hexdigest()
