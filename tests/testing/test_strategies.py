"""The strategies of messages make what a store holds, and what anybody may send."""

import pytest
from hypothesis import Phase, given, settings

import mentionable
from mentionable import NormalizedMessage, anp, decode, decode_trusted, encode, policy
from mentionable._model import identity
from mentionable.testing import strategies

FORMS = {
    "agent_chains": mentionable.AgentChain,
    "agent_instructions": anp.AgentInstructions,
    "artifact_parts": mentionable.ArtifactPart,
    "avatars": mentionable.Avatar,
    "bytes_refs": mentionable.BytesRef,
    "carried_policies": mentionable.CarriedPolicy,
    "file_parts": mentionable.FilePart,
    "identity_evidence": mentionable.IdentityEvidence,
    "link_parts": mentionable.LinkPart,
    "mention_relays": mentionable.MentionRelayCapability,
    "parts": mentionable.Part,
    "policies": policy.PolicyPart,
    "policy_resolutions": mentionable.PolicyResolution,
    "profiles": mentionable.SenderProfile,
    "proofs": identity.Proof,
    "recipient_capabilities": mentionable.RecipientCapabilities,
    "responses": mentionable.NormalizedResponse,
    "routings": anp.Routing,
    "text_parts": mentionable.TextPart,
    "tool_call_parts": mentionable.ToolCallPart,
    "turns": mentionable.HistoricalMessage,
    "unknown_parts": mentionable.UnknownPart,
}
"""Strategy → the form of its values."""

SOME = {
    "verified": lambda message: message.sender.verified,
    "resolved": lambda message: message.policy_resolution is not None,
    "answered": lambda message: any(turn.role == "assistant" for turn in message.history or ()),
    "chained": lambda message: message.recipient_capabilities.agent_chain is not None,
}


@pytest.mark.parametrize("name", FORMS)
def test_the_values_of_each_strategy_are_decoded(name):
    @settings(max_examples=5)
    @given(getattr(strategies, name)())
    def check(value):
        assert decode_trusted(FORMS[name], encode(value)) == value

    check()


def test_answers_are_addressed_and_known_messages_are_stored():
    @settings(max_examples=5)
    @given(strategies.answers("m1"), strategies.known(), strategies.ingest_rows())
    def check(answer, stored, rows):
        assert answer.reply_to == "m1"
        assert decode_trusted(mentionable.StoredMessage, encode(stored)) == stored
        assert isinstance(rows, list)

    check()


@pytest.mark.uncounted
@settings(max_examples=20)
@given(strategies.messages())
def test_messages_of_a_store_are_restored(message):
    assert decode_trusted(NormalizedMessage, encode(message)) == message


@settings(max_examples=20)
@given(strategies.messages(trusted=False))
def test_messages_of_anybody_are_decoded(message):
    assert decode(NormalizedMessage, encode(message)) == message


@pytest.mark.uncounted
def test_all_that_matters_is_drawn():
    drawn = set()

    @settings(max_examples=80, phases=[Phase.generate], derandomize=True)
    @given(strategies.messages())
    def draw(message):
        drawn.update(name for name, holds in SOME.items() if holds(message))

    draw()
    assert drawn == set(SOME)
