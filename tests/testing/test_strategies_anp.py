"""The strategies for notifications make what a ledger holds, what can happen to it and what is done about it."""

from typing import get_args

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

from mentionable import Sender, anp, decode, decode_trusted, dumps
from mentionable.testing import strategies

VALUES = {
    "submissions": (anp.Submission, strategies.submissions()),
    "notifications": (anp.Notification, strategies.notifications()),
    "commands": (anp.Command, strategies.commands()),
    "effects": (anp.Effect, strategies.effects()),
}


@pytest.mark.parametrize("name", VALUES)
def test_what_is_made_is_read_back(name):
    form, values = VALUES[name]

    @settings(max_examples=10)
    @given(values)
    def look(value):
        assert decode(form, dumps(value)) == value

    look()


SOME = {
    "takeover": lambda event: (event.status, event.owner_lease) == ("locked", 2),
    "claimed": lambda event: event.status == "locked" and event.holder is not None,
    "promoted": lambda event: event.routing.target != event.requested.target and event.routing.handler == "agent",
    "escalated": lambda event: event.status == "escalated",
    "demoted": lambda event: event.routing.address != event.requested.address,
    "withheld": lambda event: event.routing.handler != event.requested.handler and event.owner_lease == 1,
    "seen": lambda event: event.ack_at is not None,
    "spoken": lambda event: event.outcome in ("narrated", "spoke"),
    "hint": lambda event: event.urgency == "high",
    "fallback": lambda event: event.fallback != event.content,
    "internal": lambda event: event.visible_metadata != event.metadata,
    "unknown": lambda event: event.extra or event.routing.extra,
}


def drawn(values, count):
    """So many values of a strategy, the same in every run."""
    found = []

    @settings(max_examples=count, phases=[Phase.generate], suppress_health_check=list(HealthCheck), derandomize=True)
    @given(values)
    def look(value):
        found.append(value)

    look()
    return found


@pytest.mark.uncounted
def test_events_stand_wherever_an_event_can_stand():
    events = drawn(strategies.notifications(), 400)
    assert {event.status for event in events} == {
        *("pending", "dispatched", "locked", "delivered", "escalated", "failed")
    }
    assert {name for name, is_there in SOME.items() if any(is_there(event) for event in events)} == set(SOME)
    for event in events:
        assert (event.owner_lease == 2) == (event.escalation is not None)
        assert event.routing.handler == "system" or event.delivery_deadline is not None
        assert (event.status == "delivered") == (event.outcome is not None)


@pytest.mark.uncounted
def test_all_kinds_of_commands_and_effects_are_made():
    commands = drawn(strategies.commands(), 400)
    assert {type(command) for command in commands} == set(get_args(anp.Command))
    assert {type(effect) for effect in drawn(strategies.effects(), 600)} == set(get_args(anp.Effect))
    turns = [one for one in commands if isinstance(one, anp.CommitTurn)]
    assert {(bool(one.output), one.speaks) for one in turns} == {(False, False), (True, False), (True, True)}


@settings(max_examples=10)
@given(strategies.senders(trusted=False))
def test_a_sender_that_nobody_verified_is_one_that_anyone_may_write(sender):
    assert decode(Sender, dumps(sender)) == sender


def test_some_senders_of_the_own_store_are_verified():
    senders = drawn(strategies.senders(), 30)
    assert {sender.verified for sender in senders} == {True, False}
    assert any(sender.identities for sender in senders)
    assert all(decode_trusted(Sender, dumps(sender)) == sender for sender in senders)


def test_the_address_of_a_sender_may_be_given():
    senders = drawn(strategies.senders(address=strategies.addresses().map(lambda _: "@alice@a.example")), 5)
    assert {sender.address for sender in senders} == {"@alice@a.example"}


def test_turns_that_are_committed_say_something_or_nothing():
    for spoken in (True, False):
        command = find(
            strategies.commands(),
            lambda command, spoken=spoken: isinstance(command, anp.CommitTurn) and bool(command.output) is spoken,
            settings=settings(max_examples=2_000, database=None),
        )
        assert (command.narration_id is None) is not spoken
