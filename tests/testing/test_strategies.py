"""The strategies of messages make what a store holds, and what anybody may send."""

from hypothesis import Phase, given, settings

from mentionable import NormalizedMessage, decode, decode_trusted, encode
from mentionable.testing import strategies

SOME = {
    "verified": lambda message: message.sender.verified,
    "resolved": lambda message: message.policy_resolution is not None,
    "answered": lambda message: any(turn.role == "assistant" for turn in message.history or ()),
    "chained": lambda message: message.recipient_capabilities.agent_chain is not None,
}


@settings(max_examples=20)
@given(strategies.messages())
def test_messages_of_a_store_are_restored(message):
    assert decode_trusted(NormalizedMessage, encode(message)) == message


@settings(max_examples=20)
@given(strategies.messages(trusted=False))
def test_messages_of_anybody_are_decoded(message):
    assert decode(NormalizedMessage, encode(message)) == message


def test_all_that_matters_is_drawn():
    drawn = set()

    @settings(max_examples=80, phases=[Phase.generate], derandomize=True)
    @given(strategies.messages())
    def draw(message):
        drawn.update(name for name, holds in SOME.items() if holds(message))

    draw()
    assert drawn == set(SOME)
