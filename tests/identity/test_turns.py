from __future__ import annotations

import pytest

from mentionable import (
    Fetch,
    HistoricalMessage,
    Limits,
    NoRelay,
    RecipientCapabilities,
    Sender,
    TextPart,
    drive,
    encode,
    identity,
    replace,
)
from mentionable._transport.delivery import IncomingMessage
from mentionable._transport.forwarded import ForwardedTurn
from mentionable.identity._forwarded import verify_turns, with_evidence
from tests.identity.world import NOW, SENDER, TRUST, World, forwarded, trusting
from tests.vectors._identity_rows import AGENT, BOT, ENTRY, changed, signed

FIRST = signed(id="slack:Ev1")


def turn(evidence, text="Hi", place=0):
    said = HistoricalMessage(
        role="user",
        sender=Sender(address="@alice@a.example"),
        parts=(TextPart(content=text),),
        timestamp="2026-11-21T20:00:00Z",
    )
    return ForwardedTurn(said, place, evidence)


def shown(turns, world=None):
    flow = verify_turns(turns, recipient=AGENT, caller=BOT, now=NOW, settings=TRUST)
    found, notes = drive(flow, (world or World()).answers)
    return found, [(note.code, note.at) for note in notes]


def test_evidence_shows_who_wrote_a_turn_and_verifies_nobody():
    (found, plain), notes = shown([turn([FIRST]), turn(None)])
    assert (found.sender.display_name, encode(found.sender.identities)) == ("Alice", [FIRST])
    assert (found.sender.verified, found.sender.address) == (False, "@alice@a.example")
    assert (plain, notes) == (turn(None).turn, [])


def test_refused_evidence_costs_itself():
    (found,), notes = shown([turn([changed(FIRST, claims={})])])
    assert found == turn(None).turn
    assert notes == [("evidence-refused", "/0/sender/identities/0")]


def test_refused_evidence_is_named_where_its_turn_came_in():
    _, notes = shown([turn([changed(FIRST, claims={})], place=3)])
    assert notes == [("evidence-refused", "/3/sender/identities/0")]


def test_the_newest_turns_with_evidence_are_looked_at():
    turns = [turn([signed(id=f"slack:Ev{n}")], str(n)) for n in range(6)]
    found, notes = shown([turn(None), *turns, turn([])])
    assert [one.sender.identities is not None for one in found] == [False, False, False, True, True, True, True, False]
    assert notes == [("evidence-omitted", "")]


def test_the_evidence_of_a_message_still_shows_it_as_a_prior_turn():
    world = World()
    parts = (TextPart(content="Hi"),)
    assert forwarded([FIRST], world, message_digest=identity.message_digest(parts)).identities
    (found,), _ = shown([turn([FIRST])], world)
    assert found.sender.identities
    (other,), notes = shown([turn([FIRST], "Pay Mallory")], world)
    assert other.sender.identities is None
    assert notes == [("evidence-refused", "/0/sender/identities/0")]


@pytest.mark.parametrize(("asks", "most"), [(40, 10), (5, 3), (2, 0), (0, 0)])
def test_the_look_ups_of_all_the_evidence_are_bounded_together(asks, most):
    names = [f"slack{number}.example" for number in range(20)]
    found = [signed(issuer=name) for name in names]
    settings = replace(
        trusting(*[{**ENTRY, "issuer": name, "forwarding": True} for name in names]), limits=Limits(asks=asks)
    )
    turns = [ForwardedTurn(turn(None, str(at)).turn, 0, found[at : at + 4]) for at in range(4, 20, 4)]
    draft = IncomingMessage(
        native_id="1",
        thread_id="1",
        sender=SENDER,
        parts=(),
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_via="rest",
        raw=dict,
    )
    world = World()
    flow = with_evidence(
        draft,
        found[:4],
        turns,
        at="",
        history_at="/history",
        recipient=AGENT,
        caller=None,
        now=NOW,
        settings=settings,
    )
    drive(flow, world.answers)
    assert sum(isinstance(ask, Fetch) for ask in world.asked) == most
