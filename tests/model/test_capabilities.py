from __future__ import annotations

import pytest

from mentionable import (
    AddressingRelay,
    AgentChain,
    InlineRelay,
    NoRelay,
    RecipientCapabilities,
    RecipientFieldRelay,
    UsageError,
    encode,
)


@pytest.mark.parametrize(
    ("relay", "data"),
    [
        (InlineRelay(), {"kind": "inline"}),
        (RecipientFieldRelay(fields=("to", "cc")), {"kind": "recipient-field", "fields": ["to", "cc"]}),
        (
            AddressingRelay(envelope_fields=("to", "cc")),
            {"kind": "addressing", "envelope_fields": ["to", "cc"], "also_inline": True},
        ),
        (NoRelay(), {"kind": "none"}),
    ],
)
def test_the_four_ways_of_relaying_a_mention(relay, data):
    assert encode(relay) == data
    assert encode(RecipientCapabilities(mention_relay=relay)) == {"mention_relay": data}


@pytest.mark.parametrize("fields", [(), ("to", "to")])
def test_fields_are_some_and_different(fields):
    with pytest.raises(UsageError, match=r"RecipientFieldRelay\.fields: expected a non-empty list without repeats"):
        RecipientFieldRelay(fields=fields)
    with pytest.raises(UsageError, match=r"AddressingRelay\.envelope_fields: expected a non-empty list without"):
        AddressingRelay(envelope_fields=fields)


def test_fields_are_those_of_the_platform():
    RecipientFieldRelay(fields=("bcc",))
    with pytest.raises(UsageError, match=r"\[0\]: expected 'to' or 'cc'"):
        AddressingRelay(envelope_fields=("bcc",))
    with pytest.raises(UsageError, match=r"\[1\]: expected 'to' or 'cc' or 'bcc'"):
        RecipientFieldRelay(fields=("to", "from"))


def test_addressing_always_needs_the_mention_too():
    with pytest.raises(UsageError, match=r"AddressingRelay\.also_inline: expected True"):
        AddressingRelay(envelope_fields=("to",), also_inline=False)


@pytest.mark.parametrize(("hop", "most"), [(0, 1), (1, 0), (-1, 2)])
def test_hops_are_counted_from_one(hop, most):
    with pytest.raises(UsageError, match="expected an integer from 1"):
        AgentChain(hop=hop, max_hops=most, is_final=False)


def test_a_hop_beyond_the_last_is_refused():
    with pytest.raises(UsageError, match="AgentChain: hop must not be beyond max_hops"):
        AgentChain(hop=3, max_hops=2, is_final=True)


def test_is_final_is_the_word_of_the_sender():
    assert not AgentChain(hop=2, max_hops=2, is_final=False).is_final
    with pytest.raises(UsageError, match=r"AgentChain\.is_final: expected true or false"):
        AgentChain(hop=1, max_hops=2, is_final=1)


def test_the_next_hop_knows_when_it_is_the_last():
    first = AgentChain(hop=1, max_hops=3, is_final=False)
    second = first.next()
    assert second == AgentChain(hop=2, max_hops=3, is_final=False)
    assert second.next() == AgentChain(hop=3, max_hops=3, is_final=True)
    assert second.next().next() is None
