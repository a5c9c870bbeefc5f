from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import MappingProxyType

import pytest

from mentionable import Failed, Rejected, Settings, UsageError, VerifiedIdentity, drive, identity
from mentionable._model.base import FrozenDict
from mentionable.identity import _verify
from tests.identity.issuer import NOW, TRUST, World, as_bytes, trusting, verified
from tests.vectors._identity_rows import AGENT, ALICE, BOT, KID, changed, entry, signed
from tests.vectors._identity_rows import identity as expected

GOOD = signed(id="slack:Ev1")


def test_an_identity_says_what_was_signed_and_by_whom():
    found = verified(GOOD)
    want = expected(GOOD)
    assert isinstance(found, VerifiedIdentity)
    assert (found.issuer, found.subject, found.audience, found.key_id) == (GOOD["issuer"], ALICE, AGENT, KID)
    assert (found.digest, found.replay_key, found.entry, found.id) == (
        want["digest"],
        want["replay_key"],
        0,
        "slack:Ev1",
    )
    assert found.claims == GOOD["claims"]
    assert found.source == GOOD["source"]


def test_its_claims_cannot_be_changed():
    assert isinstance(verified(GOOD).claims, FrozenDict)
    with pytest.raises(TypeError):
        verified(GOOD).claims["admin"] = True


def test_evidence_is_bytes_or_what_a_parser_made_of_it():
    facts = {"recipient": AGENT, "caller": BOT, "message_digest": b"Hi", "now": NOW, "settings": TRUST}
    for evidence in (as_bytes(GOOD), GOOD, MappingProxyType(GOOD)):
        assert drive(identity.verify(evidence, **facts), World().answers) == verified(GOOD)


@pytest.mark.parametrize(
    ("odd", "code"),
    [
        ({"x": {1}}, "json-malformed"),
        ({7: 1}, "json-malformed"),
        ({"n": float("nan")}, "number-out-of-range"),
        ({"x": "\ud800"}, "lone-surrogate"),
        ({"\ud800": 1}, "lone-surrogate"),
        ({"n": 10**5_000}, "number-out-of-range"),
    ],
)
def test_what_is_no_json_in_a_mapping_is_refused(odd, code):
    flow = identity.verify({**GOOD, **odd}, recipient=AGENT, caller=BOT, message_digest=b"", now=NOW, settings=TRUST)
    found = drive(flow, World().answers)
    assert (found.step, found.code) == ("json", code)


def test_a_mapping_that_is_far_too_deep_is_refused():
    deep = {}
    for _ in range(3_000):
        deep = {"a": deep}
    flow = identity.verify(deep, recipient=AGENT, caller=BOT, message_digest=b"", now=NOW, settings=TRUST)
    assert drive(flow, World().answers).step == "json"


def test_nobody_is_trusted_by_default():
    world = World()
    assert verified(GOOD, world, settings=Settings()).code == "issuer-untrusted"
    assert world.asked == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"evidence": "{}"},
        {"evidence": bytearray(b"{}")},
        {"evidence": [GOOD]},
        {"recipient": "helper"},
        {"recipient": None},
        {"caller": b"x"},
        {"message_digest": "Hi"},
        {"now": datetime(2026, 11, 21)},  # noqa: DTZ001
        {"settings": TRUST.trust},
    ],
)
def test_an_argument_of_the_wrong_kind_is_the_callers_fault(wrong):
    right = {
        "evidence": as_bytes(GOOD),
        "recipient": AGENT,
        "caller": BOT,
        "message_digest": b"",
        "now": NOW,
        "settings": TRUST,
    }
    facts = {**right, **wrong}
    with pytest.raises(UsageError):
        identity.verify(facts.pop("evidence"), **facts)


def test_evidence_counts_for_one_message_and_for_a_retry_of_it():
    world = World()
    assert verified(GOOD, world) == verified(GOOD, world)
    assert verified(GOOD, world, message_digest=b"Pay Mallory").code == "replayed"
    assert verified(signed(id="slack:Ev2"), world, message_digest=b"And you?").subject == ALICE


def test_an_event_may_be_for_several_agents():
    world, other = World(), "@other@agents.example"
    assert verified(GOOD, world).subject == ALICE
    assert verified(signed(id="slack:Ev1", audience=other), world, recipient=other).audience == other


def test_the_entry_of_the_guard_may_be_forgotten_when_the_evidence_has_ended():
    world = World()
    verified(GOOD, world)
    used = world.asked[-1]
    assert used.until == datetime(2026, 11, 21, 21, 0, tzinfo=UTC)
    assert verified(GOOD, world, now=used.until).code == "expired"
    assert verified(GOOD, world, now=used.until - timedelta(microseconds=1)).subject == ALICE


def test_who_cannot_remember_lets_nothing_pass():
    found = verified(GOOD, World(free=Failed("down")))
    assert (found.step, found.code, found.temporary) == ("replay", "replay-store-unavailable", True)
    assert verified(GOOD, World(free="other")).code == "replayed"


def test_an_id_may_be_wanted():
    wanted = trusting(entry(require_id=True))
    assert verified(GOOD, settings=wanted).id == "slack:Ev1"
    assert verified(signed(), settings=wanted).code == "replay-id-missing"


def test_what_is_not_signed_uses_nothing_up():
    world = World()
    assert verified(changed(GOOD, claims={}), world).code == "signature-invalid"
    assert len(world.asked) == 1


def test_an_operator_may_say_that_the_proof_is_not_signed():
    removed = signed(removed=True)
    loose = trusting(entry(proof_removed=True))
    assert verified(removed).code == "signature-invalid"
    assert verified(removed, settings=loose).subject == ALICE
    assert verified(signed(), settings=loose).code == "signature-invalid"


def test_a_refusal_never_leaves_as_an_exception():
    found = verified(b"{")
    assert isinstance(found, Rejected)
    assert str(found).startswith("json-malformed")
    assert _verify._NO_TRUST.entries == ()
