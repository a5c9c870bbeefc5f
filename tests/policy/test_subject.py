"""A demand to a person of a platform is bound to the evidence of who they are."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import IdentityEvidence, Rejected, drive, policy, replace
from mentionable._model.identity import TransportProof
from tests.connectors.discord_events import message as event
from tests.connectors.discord_events import received
from tests.policy.demands import ENTROPY, NOW, TURN, World, consent, payment, receipt

METHOD = "urn:mentionable:auth:slack-workspace-member:v0.1"


def evidence(subject: str = "slack:T1/U1", method: str = METHOD, assurance: str = "platform") -> IdentityEvidence:
    return IdentityEvidence(
        subject=subject,
        issuer="slack.agents.example",
        method=method,
        assurance=assurance,
        audience=TURN.recipient,
        issued_at="2026-11-21T20:55:00Z",
        proof=TransportProof(verified_by="slack"),
    )


def asked(*identities: IdentityEvidence) -> Any:
    return replace(TURN, sender=replace(TURN.sender, identities=identities or None))


ALICE = asked(evidence("mail:x", assurance="address"), evidence())


def test_the_subject_is_that_of_the_platforms_evidence() -> None:
    record = policy.issue(payment(), to=ALICE, now=NOW, entropy=ENTROPY).record
    assert (record.subject, record.subject_method) == ("slack:T1/U1", METHOD)


def test_a_subject_in_your_own_terms_goes_first() -> None:
    record = policy.issue(payment(), to=ALICE, subject="account-7", now=NOW, entropy=ENTROPY).record
    assert (record.subject, record.subject_method) == ("account-7", None)


def test_without_evidence_of_a_platform_there_is_no_subject() -> None:
    for to in (asked(), asked(evidence(assurance="address"))):
        record = policy.issue(payment(), to=to, now=NOW, entropy=ENTROPY).record
        assert (record.subject, record.subject_method) == (None, None)


def test_a_message_of_discord_has_its_subject() -> None:
    question = received(event()).message
    demand = replace(consent(question), url=None)
    made = policy.issue(demand, to=question, consent=policy.ConsentTerms(scope="x"), now=NOW, entropy=ENTROPY)
    assert made.record.subject == "discord:300/42"


OTHERS = [
    asked(evidence("slack:T1/U2")),
    asked(evidence(method="urn:mentionable:auth:other:v0.1")),
    asked(),
]


def accepted(made: Any, message: Any, **facts: Any) -> Any:
    flow = policy.accept(receipt(made), message=message, now=NOW, **facts)
    return drive(flow, World(made))


@pytest.mark.parametrize("other", OTHERS)
def test_another_subject_neither_completes_nor_resumes(other: Any) -> None:
    made = policy.issue(payment(), to=ALICE, now=NOW, entropy=ENTROPY)
    assert accepted(made, other).code == "subject-mismatch"
    done = accepted(made, ALICE)
    assert isinstance(done, policy.Accepted)
    for message, kind in ((other, Rejected), (ALICE, policy.Resumed)):
        turn = policy.with_resolution(message, done)
        assert isinstance(drive(policy.resume(turn, now=NOW, entropy=ENTROPY), World(made)), kind)


def test_a_callback_names_the_demand_by_its_state_and_the_turn_is_of_the_subject() -> None:
    made = policy.issue(payment(), to=ALICE, now=NOW, entropy=ENTROPY)
    done = accepted(made, None)
    turn = policy.next_turn(ALICE, done, now=NOW, entropy=ENTROPY)
    assert isinstance(drive(policy.resume(turn, now=NOW, entropy=ENTROPY), World(made)), policy.Resumed)
    assert accepted(made, None, subject="account-7").code == "subject-mismatch"
