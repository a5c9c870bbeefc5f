import pytest

from mentionable import AddressingRelay, AgentChain, InlineRelay, NoRelay, RecipientCapabilities, RecipientFieldRelay
from mentionable.a2a._read.metadata import DEFAULT, hints_of, recipient_capabilities

AT = "/metadata/mentionable/recipient_capabilities"


def seen(metadata):
    return recipient_capabilities(hints_of(metadata))[0]


def places(metadata):
    """Where something was left out."""
    return [one.at for one in recipient_capabilities(hints_of(metadata))[1]]


def forwarded(relay=None, **others):
    return {"mentionable": {"recipient_capabilities": {"mention_relay": relay, **others}}}


@pytest.mark.parametrize(
    ("relay", "read"),
    [
        ({"kind": "inline"}, InlineRelay()),
        ({"kind": "none"}, NoRelay()),
        ({"kind": "inline", "fields": ["to"]}, InlineRelay()),
        (
            {"kind": "recipient-field", "fields": ["to", "cc", "to", "bcc"]},
            RecipientFieldRelay(fields=("to", "cc", "bcc")),
        ),
        (
            {"kind": "addressing", "envelope_fields": ["to", "cc"], "also_inline": True},
            AddressingRelay(envelope_fields=("to", "cc")),
        ),
    ],
)
def test_a_well_formed_relay_replaces_the_default(relay, read):
    assert seen(forwarded(relay)) == RecipientCapabilities(mention_relay=read)
    assert places(forwarded(relay)) == []


@pytest.mark.parametrize(
    "relay",
    [
        None,
        "inline",
        ["inline"],
        {},
        {"kind": "shout"},
        {"kind": ["inline"]},
        {"kind": "recipient-field"},
        {"kind": "recipient-field", "fields": []},
        {"kind": "recipient-field", "fields": ["to", "reply-to"]},
        {"kind": "recipient-field", "fields": ["to", 7]},
        {"kind": "recipient-field", "fields": "to"},
        {"kind": "addressing", "envelope_fields": ["to"]},
        {"kind": "addressing", "envelope_fields": ["to"], "also_inline": 1},
        {"kind": "addressing", "envelope_fields": ["bcc"], "also_inline": True},
    ],
)
def test_a_malformed_relay_leaves_the_default(relay):
    assert seen(forwarded(relay)) == DEFAULT
    assert places(forwarded(relay)) == ([] if relay is None else [f"{AT}/mention_relay"])


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        [],
        "x",
        {},
        {"mentionable": None},
        {"mentionable": []},
        {"mentionable": {}},
        {"mentionable": {"recipient_capabilities": []}},
    ],
    ids=str,
)
def test_every_level_must_be_an_object(metadata):
    assert seen(metadata) == DEFAULT


@pytest.mark.parametrize(
    "chain", [{"hop": 1, "max_hops": 3, "is_final": False}, {"hop": 1.0, "max_hops": 3.0, "is_final": False}]
)
def test_a_chain_is_read_also_from_floats(chain):
    read = seen(forwarded({"kind": "inline"}, agent_chain=chain))
    assert read == RecipientCapabilities(
        mention_relay=InlineRelay(), agent_chain=AgentChain(hop=1, max_hops=3, is_final=False)
    )
    assert (type(read.agent_chain.hop), type(read.agent_chain.max_hops)) == (int, int)


@pytest.mark.parametrize(
    "chain",
    [
        None,
        [],
        {},
        {"hop": 0, "max_hops": 3, "is_final": False},
        {"hop": 4, "max_hops": 3, "is_final": False},
        {"hop": True, "max_hops": 3, "is_final": False},
        {"hop": 1.5, "max_hops": 3, "is_final": False},
        {"hop": "1", "max_hops": 3, "is_final": False},
        {"hop": 1, "is_final": False},
        {"hop": 1, "max_hops": 3, "is_final": 0},
        {"hop": 1, "max_hops": 3},
        {"hop": 1, "max_hops": 2**53, "is_final": False},
        {"hop": 2**60, "max_hops": 2**60, "is_final": False},
        {"hop": 1, "max_hops": 1e300, "is_final": False},
    ],
)
def test_a_malformed_chain_is_left_out_alone(chain):
    read = seen(forwarded({"kind": "inline"}, agent_chain=chain))
    assert read == RecipientCapabilities(mention_relay=InlineRelay())
    noted = places(forwarded({"kind": "inline"}, agent_chain=chain))
    assert noted == ([] if chain is None else [f"{AT}/agent_chain"])


def test_a_chain_stays_beside_a_malformed_relay():
    chain = {"hop": 3, "max_hops": 3, "is_final": False}
    read = seen(forwarded("?", agent_chain=chain))
    assert read.mention_relay == NoRelay()
    assert read.agent_chain == AgentChain(hop=3, max_hops=3, is_final=False)


def test_a_chain_one_level_up_counts_when_there_is_no_other():
    chain, other = {"hop": 1, "max_hops": 2, "is_final": False}, {"hop": 2, "max_hops": 2, "is_final": True}
    assert seen({"mentionable": {"agent_chain": chain}}).agent_chain.hop == 1
    assert places({"mentionable": {"agent_chain": 7}}) == ["/metadata/mentionable/agent_chain"]
    both = forwarded({"kind": "inline"}, agent_chain=other)
    both["mentionable"]["agent_chain"] = chain
    assert seen(both).agent_chain.hop == 2
    both["mentionable"]["recipient_capabilities"]["agent_chain"] = None
    assert seen(both).agent_chain.hop == 1


def test_what_was_left_out_is_told_with_its_place(take, message):
    (diagnostic,) = take({"message": message(metadata=forwarded({"kind": "shout"}), contextId="c1")}).diagnostics
    assert (diagnostic.code, diagnostic.at) == ("member-dropped", f"/message{AT}/mention_relay")


def test_nothing_of_the_callers_object_is_kept(take, message):
    metadata = forwarded({"kind": "inline", "note": "x"}, more=1)
    got = take(message(metadata=metadata))
    assert got.message.recipient_capabilities == RecipientCapabilities(mention_relay=InlineRelay())
    assert got.message.recipient_capabilities.extra == {}


def test_metadata_of_another_shape_rejects_nothing(take, message):
    assert take(message(metadata=["x"])).message.recipient_capabilities == DEFAULT


def test_hints_are_the_mentionable_namespace_if_it_is_an_object():
    assert hints_of({"mentionable": {"kind": "link"}}) == {"kind": "link"}
    assert hints_of({"mentionable": "link"}) == {}
    assert hints_of(["mentionable"]) == {}
    assert hints_of(None) == {}
