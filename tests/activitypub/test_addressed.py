"""For whom an activity was signed, and what is granted on it."""

from typing import Any

import pytest

from mentionable import HttpRequest, Received, activitypub, identity
from tests.activitypub.servers import ALICE, ENTROPY, HELPER, NOW, World, codes, create, fetched, note, taken
from tests.activitypub.signing import post, proven, signed, verdict, world

SECOND = "https://agents.example/actors/second"
AGENTS = ("@helper@agents.example", "@second@agents.example")
ASIDE = create(note(to=[]), to=[f"{ALICE}/followers"], tag=[{"type": "Mention", "href": HELPER}])


def received(request: HttpRequest, where: World | None = None, **given: Any) -> Received:
    where = where or world()
    where.agents[SECOND] = AGENTS[1]
    return taken(where.drive(activitypub.receive(request, now=NOW, entropy=ENTROPY, **given)))


def audiences(outcome: Received) -> list[Any]:
    return [message.sender.identities[0].audience for message in outcome.messages if message.sender.identities]


def granted(outcome: Received) -> list[bool]:
    """Whether alice may command each of the agents."""
    methods = ("urn:mentionable:auth:ap-http-signature:v0.1", "urn:mentionable:auth:ap-object-integrity-proof:v0.1")
    alice = ("@alice@social.example",)
    grant = identity.Grant(role="commander", subjects=alice, issuers=("social.example",), methods=methods)
    acls = [identity.AgentACL(agent=agent, grants=(grant,)) for agent in AGENTS]
    return [acl.allows(outcome.identities, role="commander") for acl in acls]


def test_a_signature_of_the_request_is_for_every_agent_of_the_host() -> None:
    outcome = received(signed(create(to=[HELPER, SECOND])))
    assert audiences(outcome) == [*AGENTS]
    assert granted(outcome) == [True, True]
    assert codes(outcome.diagnostics) == []
    assert outcome.verdict.addressed == ()


@pytest.mark.parametrize(
    ("activity", "expected"),
    [
        (create(note(to=[]), to=[HELPER]), [True, False]),
        (create(note(to=[]), to=[HELPER, SECOND]), [True, True]),
        (create(note(to=[]), to=[SECOND], tag=[{"type": "Mention", "href": HELPER}]), [False, True]),
        (create(note(to=[HELPER]), to=[], cc=[SECOND]), [True, True]),
        (ASIDE, [False, False]),
    ],
)
def test_a_proof_is_for_whom_its_addressing_names(activity: Any, expected: list[bool]) -> None:
    outcome = received(post(proven(activity)))
    assert granted(outcome) == expected
    named = [agent for agent, is_named in zip(AGENTS, expected, strict=True) if is_named]
    assert [one for one in audiences(outcome) if one] == [*outcome.verdict.addressed] == named
    assert codes(outcome.diagnostics) == ["not-addressed"] * (len(outcome.messages) - len(named))
    assert all(message.sender.verified for message in outcome.messages)


def test_what_was_fetched_was_not_signed() -> None:
    where = world()
    where.web[note()["id"]] = fetched(note(to=[HELPER]) | {"@context": create()["@context"]})
    outcome = received(post(proven(create(note()["id"], to=[SECOND]))), where)
    assert sorted(message.recipient for message in outcome.messages) == [*AGENTS]
    assert granted(outcome) == [False, True]


def test_a_proof_for_our_domain_is_for_every_agent_of_it() -> None:
    outcome = received(post(proven(ASIDE, domain="agents.example")))
    assert audiences(outcome) == [AGENTS[0]]
    assert granted(outcome) == [True, True]


def test_where_the_host_names_the_recipient_nobody_looks_whom_the_addressing_names() -> None:
    outcome = received(post(proven(create(to=[HELPER]))), recipient=AGENTS[0])
    assert (audiences(outcome), outcome.identities, codes(outcome.diagnostics)) == ([()], (), ["not-addressed"])
    assert audiences(received(signed(create(to=[HELPER])), recipient=AGENTS[0])) == [AGENTS[0]]


@pytest.mark.parametrize(("request_", "expected"), [(post(proven()), ()), (signed(), "agents.example")])
def test_the_evidence_of_a_verdict_names_the_host_where_that_is_covered(request_: HttpRequest, expected: Any) -> None:
    evidence = verdict(request_).evidence
    assert evidence is not None
    assert evidence.audience == expected
