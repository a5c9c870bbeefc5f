from __future__ import annotations

import ast
import re
from datetime import UTC, datetime, timedelta

import attrs
import pytest

from mentionable import Failed, Sender, Settings, UsageError, UseOnce, Verdict, drive
from mentionable._crypto.verification import (
    ReplayCheck,
    VerificationFailed,
    check_replay,
    rejection_of,
    transport_evidence,
    verified_sender,
)
from tests.packages import modules

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
ONCE = Settings(use_once=True)
ALICE = "@alice@a.example"
HELPER = "@helper@agents.example"
EVIDENCE = transport_evidence("email-dkim", ALICE, issuer="a.example", audience="agents.example", key_id="k", now=NOW)
VERIFIED = Verdict(
    method="email-dkim",
    verified=True,
    address=ALICE,
    key_id="k",
    evidence=EVIDENCE,
    steps=("parse", "signature"),
    replays=(UseOnce(key="dkim:1 a.example", binding="<1@a.example> a.example", until=NOW + timedelta(days=1)),),
)


def test_a_success_becomes_evidence_of_the_transport():
    assert (EVIDENCE.subject, EVIDENCE.issuer, EVIDENCE.assurance) == (ALICE, "a.example", "domain")
    assert EVIDENCE.method == "urn:mentionable:auth:email-dkim:v0.1"
    assert EVIDENCE.issued_at == "2026-11-21T20:56:00Z"
    assert (EVIDENCE.proof.type, EVIDENCE.proof.verified_by, EVIDENCE.proof.key_id) == ("transport", "email", "k")


def test_the_sender_is_shown_with_evidence_for_the_recipient():
    shown = verified_sender(Sender(address="@alice@other.example", display_name="Alice"), VERIFIED, HELPER)
    assert (shown.address, shown.auth_method, shown.verified, shown.key_id) == (ALICE, "email-dkim", True, "k")
    assert shown.display_name == "Alice"
    assert shown.identities == (attrs.evolve(EVIDENCE, audience=HELPER),)


def test_a_method_that_does_not_verify_brings_no_identity():
    weak = Verdict(method="email-dmarc", verified=False, address=ALICE, code="unsigned")
    shown = verified_sender(Sender(address=ALICE), weak, HELPER)
    assert (shown.auth_method, shown.verified, shown.identities) == ("email-dmarc", False, None)


def test_a_sender_who_is_not_shown_stays_as_they_are():
    sender = Sender(address=ALICE)
    assert verified_sender(sender, VerificationFailed("bad-signature").verdict(), HELPER) is sender


@pytest.mark.parametrize(
    ("answer", "code", "temporary"),
    [
        ("first", None, False),
        ("same", None, False),
        ("other", "replayed", False),
        (Failed("down"), "replay-unknown", True),
        (Failed("no", temporary=False), "replay-unknown", False),
    ],
)
def test_a_signature_counts_for_one_unit(answer, code, temporary):
    checked = drive(check_replay(VERIFIED, ONCE, (HELPER,)), lambda ask: answer)
    verdict = checked.verdict
    assert checked.seen_by == ({HELPER} if answer == "same" else set())
    assert (verdict.code, verdict.temporary, verdict.verified) == (code, temporary, code is None)
    assert verdict.steps == VERIFIED.steps


def test_nothing_is_asked_where_nothing_can_be_used_again():
    weak = VerificationFailed("unsigned").verdict()
    checked = drive(check_replay(weak, ONCE, (HELPER,)), lambda ask: pytest.fail("asked"))
    assert checked == ReplayCheck(verdict=weak)


def test_nothing_is_asked_unless_it_is_wanted():
    checked = drive(check_replay(VERIFIED, Settings()), lambda ask: pytest.fail("asked"))
    assert checked == ReplayCheck(verdict=VERIFIED)


def test_the_outcome_of_a_refusal_says_whether_to_try_again():
    verdict = VerificationFailed("bad-signature", "RSA").verdict(("parse",))
    assert (verdict.detail, verdict.steps) == ("RSA", ("parse",))
    assert (rejection_of(verdict).code, rejection_of(verdict).http_status) == ("verification-required", 401)
    later = rejection_of(VerificationFailed("key-unresolvable", temporary=True).verdict())
    assert (later.code, later.temporary, later.verdict.code) == ("lookup-failed", True, "key-unresolvable")


@pytest.mark.parametrize(
    "members",
    [
        {"method": "none", "verified": True, "address": ALICE},
        {"method": "email-dkim", "verified": True},
        {"method": "email-dkim", "verified": False, "code": "bad-signature"},
        {"method": "email-dkim", "verified": True, "address": ALICE, "code": "bad-signature"},
        {"method": "none", "verified": False},
    ],
)
def test_a_verdict_that_contradicts_itself_cannot_be_made(members):
    with pytest.raises(UsageError):
        Verdict(**members)


def calls(name):
    """Where `name` is called in the library, with what it is given as `verified`."""
    for module in modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == name:
                said = [keyword.value for keyword in node.keywords if keyword.arg == "verified"]
                yield module.name, said


@pytest.mark.uncounted
def test_each_transport_makes_a_verified_verdict_in_one_function_and_nothing_else_does():
    made = set()
    for module in modules():
        for function in ast.walk(module.tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Verdict":
                    said = [keyword.value for keyword in node.keywords if keyword.arg == "verified"]
                    if said and getattr(said[0], "value", None) is not False:
                        made.add((module.name, function.name))
    assert sorted(name for name, _ in made) == ["a2a._verify", "activitypub._verify", "mail._verify"]


@pytest.mark.uncounted
def test_only_a_verdict_makes_a_sender_verified():
    assert [name for name, said in calls("Sender") if said] == ["testing._senders"]  # random values for tests
    text = {module.name: module.path.read_text() for module in modules()}
    stored = [name for name, code in text.items() if re.search(r"\btrusted\(\s*Sender,[^)]*\"verified\"", code)]
    assert stored == []
    # Constructors of `unchecked(Sender)`, by whatever name a module gives them or imports them.
    given = [name for code in text.values() for name in re.findall(r"(\w+)(?:: [^=\n]*)? = unchecked\(Sender\)", code)]
    assert sum(code.count("unchecked(Sender)") for code in text.values()) == len(given)
    names = set(given)
    storing = {
        module.name
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", "")) in names
        and any(keyword.arg in ("verified", None) for keyword in node.keywords)
    }
    assert storing == {"_crypto.verification"}
