from __future__ import annotations

from datetime import datetime

import pytest

from mentionable import (
    Fetch,
    HistoricalMessage,
    Limits,
    NoRelay,
    RecipientCapabilities,
    Sender,
    SenderProfile,
    Settings,
    TextPart,
    UsageError,
    drive,
    encode,
    identity,
    replace,
)
from mentionable._transport.delivery import IncomingMessage
from mentionable._transport.forwarded import ForwardedTurn
from mentionable.identity._forwarded import verify_turns, with_evidence
from tests.identity.issuer import NOW, SENDER, TRUST, World, forwarded, trusting
from tests.linearity import time_grows_linearly
from tests.vectors._identity_rows import AGENT, ALICE, BOT, ENTRY, GONE, PROFILE, changed, signed

FIRST = signed(id="slack:Ev1")
SECOND = signed(id="slack:Ev2", subject="slack:T123/U1", claims=GONE)


def notes(found):
    return sorted((note.code, note.at) for note in found.diagnostics)


def test_each_evidence_is_judged_by_itself():
    found = forwarded([FIRST, changed(FIRST, subject="slack:T123/U2"), SECOND])
    assert [one.subject for one in found.identities] == [ALICE, "slack:T123/U1"]
    assert encode(found.sender.identities) == [FIRST, SECOND]
    assert encode(found.sender.profile) == PROFILE
    assert notes(found) == [("evidence-refused", "/1")]
    assert found.diagnostics[0].detail == "signature: signature-invalid"


def test_one_evidence_may_stand_alone():
    assert forwarded(FIRST).identities == forwarded([FIRST]).identities
    assert notes(forwarded({})) == [("evidence-refused", "")]


@pytest.mark.parametrize("nothing", [None, []])
def test_nothing_comes_of_nothing(nothing):
    assert forwarded(nothing) == identity.VerifiedEvidence(sender=SENDER)


@pytest.mark.parametrize("odd", [0, False, "", "x", {}, 1.5, [None], [[]], [0], [""], [{}]])
def test_whatever_came_is_an_outcome(odd):
    assert [note.code for note in forwarded(odd).diagnostics] == ["evidence-refused"]


def deep(levels):
    found = []
    for _ in range(levels):
        found = [found]
    return found


@pytest.mark.parametrize(
    "odd",
    [
        {"n": float("nan")},
        {"x": "\ud800"},
        {"n": 10**5_000},
        {1: 2, (1,): 3},
        {"x": {1}},
        deep(50_000),
        deep(100),
        object(),
    ],
    ids=["nan", "half", "long", "names", "set", "deep", "deeper", "object"],
)
def test_what_no_strict_parser_made_is_an_outcome_too(odd):
    found = forwarded([odd, FIRST])
    assert notes(found) == [("evidence-refused", "/0")]
    assert [one.subject for one in found.identities] == [ALICE]


def test_four_are_looked_at_and_no_more():
    four = [signed(id=f"slack:Ev{n}") for n in range(4)]
    found = forwarded([*four, SECOND, SECOND])
    assert len(found.identities) == 4
    assert [(note.code, note.at, note.detail) for note in found.diagnostics] == [("evidence-omitted", "/4", "2 of 6")]


def test_they_may_be_so_large_together():
    found = forwarded([FIRST, {"x": "x" * 65_536}, SECOND])
    assert notes(found) == [("evidence-omitted", "/1")]


def test_the_same_evidence_is_looked_at_once():
    world = World()
    assert len(forwarded([FIRST, FIRST], world).identities) == 1
    assert len(world.asked) == 2


def test_the_same_evidence_with_its_members_in_another_order_is_the_same():
    found = forwarded([FIRST, dict(reversed(FIRST.items()))])
    assert (len(found.identities), len(found.sender.identities), found.diagnostics) == (1, 1, ())


def test_the_card_of_an_issuer_is_asked_for_once():
    world = World()
    assert len(forwarded([FIRST, SECOND], world).identities) == 2
    assert [type(ask).__name__ for ask in world.asked] == ["Fetch", "UseOnce", "UseOnce"]


def test_look_ups_are_bounded():
    world = World()
    tight = replace(TRUST, limits=Limits(asks=0))
    assert notes(forwarded([FIRST], world, settings=tight)) == [("evidence-refused", "/0")]
    assert world.asked == []


def test_a_refusal_says_whether_to_try_again():
    assert forwarded([FIRST], World(free="other")).diagnostics[0].temporary is False
    untrusted = forwarded([FIRST], settings=Settings())
    assert notes(untrusted) == [("evidence-refused", "/0")]


@pytest.mark.parametrize(
    "wrong",
    [
        {"recipient": "helper"},
        {"caller": 7},
        {"message_digest": "Hi"},
        {"sender": "@bot@slack.agents.example"},
        {"now": datetime(2026, 11, 21)},  # noqa: DTZ001
        {"settings": None},
    ],
)
def test_an_argument_of_the_wrong_kind_is_the_callers_fault(wrong):
    right = {"sender": SENDER, "recipient": AGENT, "caller": BOT, "message_digest": b"", "now": NOW, "settings": TRUST}
    with pytest.raises(UsageError):
        identity.verify_all([FIRST], **{**right, **wrong})


def test_the_sender_is_shown_with_evidence_and_profile():
    found = forwarded([FIRST])
    shown = found.sender
    assert (shown.display_name, shown.profile.username, encode(shown.identities)) == ("Alice", "alice", [FIRST])
    assert (shown.address, shown.verified, shown.auth_method, found.diagnostics) == (SENDER.address, False, "none", ())


def test_what_the_sender_has_already_stays():
    own = replace(SENDER, display_name="Bot", profile=SenderProfile(username="bot"))
    shown = forwarded([FIRST], sender=own).sender
    assert (shown.display_name, shown.profile) == ("Bot", own.profile)
    named = forwarded([FIRST], sender=replace(SENDER, display_name="Bot")).sender
    assert (named.display_name, named.profile.display_name) == ("Bot", "Alice")
    twice = forwarded([SECOND], sender=shown).sender
    assert len(twice.identities) == 2


def test_a_profile_without_a_name_names_nobody():
    silent = signed(id="slack:Ev4", claims={"profile": {"provider": "slack"}})
    shown = forwarded([silent]).sender
    assert (shown.display_name, shown.profile.provider) == (None, "slack")


def test_a_name_that_shows_another_address_is_told_of():
    named = signed(claims={"profile": {"display_name": "alice@bank.example"}})
    assert notes(forwarded(named)) == [("name-holds-address", "/claims/profile/display_name")]
    found = forwarded([changed(FIRST, claims={}), named])
    assert notes(found) == [("evidence-refused", "/0"), ("name-holds-address", "/1/claims/profile/display_name")]


def test_a_sender_without_evidence_stays_as_they_are():
    assert forwarded(None).sender is SENDER
    assert forwarded([{}]).sender is SENDER


@pytest.mark.uncounted
def test_carriers_are_read_in_linear_time():
    def run(carrier):
        return forwarded(carrier)

    time_grows_linearly(run, lambda size: [{"x": "a," * size}] * 4, largest=1 << 13)
    time_grows_linearly(run, lambda size: [{"x": "[" * size}] * size, largest=1 << 10)


def test_what_anybody_may_forward_counts_for_the_first_who_does():
    settings = trusting({**ENTRY, "forwarding": True})
    world = World()
    for caller, counts in {"@one@a.example": True, "@two@a.example": False, None: False}.items():
        found = forwarded([FIRST], world, caller=caller, settings=settings)
        assert bool(found.identities) is counts
    assert forwarded([FIRST], world, caller="@one@a.example", settings=settings).identities


def test_callers_who_are_not_authenticated_count_as_one():
    settings, world = trusting({**ENTRY, "forwarding": True}), World()
    for caller, counts in ((None, True), (None, True), ("@one@a.example", False)):
        assert bool(forwarded([FIRST], world, caller=caller, settings=settings).identities) is counts


# --- prior turns


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
    incoming = IncomingMessage(
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
        incoming,
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
