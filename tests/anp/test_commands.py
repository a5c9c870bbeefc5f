"""What can happen to an event, and what is done about it: two closed unions with a tag for each kind."""

from __future__ import annotations

from typing import get_args

import pytest

from mentionable import DecodeError, UsageError, anp, decode, encode
from mentionable.anp._notification import MAX_CHARACTERS, MAX_NAME
from tests.anp.events import AT, submission

COMMANDS = {
    "submit": anp.Submit(submission=submission("user", "user", "system"), id="e1"),
    "route": anp.Route(),
    "client_ack": anp.ClientAck(lease=1, user_id="olivia", revision=2),
    "delivery_failed": anp.DeliveryFailed(lease=2, user_id="olivia", is_final=True),
    "reconnect": anp.Reconnect(user_id="olivia"),
    "context_committed": anp.ContextCommitted(lease=1, revision=1),
    "claim": anp.Claim(lease=1, holder="w1"),
    "action": anp.Action(name="send_mail", lease=1, classification="external", holder="w1"),
    "commit_turn": anp.CommitTurn(lease=1, output="It failed.", acknowledged=True, is_trigger=True, narration_id="n1"),
    "turn_failed": anp.TurnFailed(lease=1, revision=1, holder="w1"),
    "extend": anp.Extend(lease=1, until=AT),
    "tick": anp.Tick(),
    "abandon": anp.Abandon(),
}
SAME = {"id": "e1", "revision": 1, "lease": 1}
EFFECTS = {
    "audit": anp.Audit(what="submitted", **SAME),
    "dispatch": anp.Dispatch(**SAME),
    "queue": anp.Queue(**SAME),
    "address_demoted": anp.AddressDemoted(session_id="s1", **SAME),
    "turn_withheld": anp.TurnWithheld(depth=3, **SAME),
    "present": anp.Present(channel="inbox", user_id="olivia", content="x", actions=("rm",), **SAME),
    "update": anp.Update(channel="context", user_id="olivia", content="x", **SAME),
    "settled": anp.Settled(how="acknowledged", surface="chat", user_id="olivia", session_id="s1", **SAME),
    "add_fact": anp.AddFact(scope="global", user_id="olivia", content="x", **SAME),
    "grant": anp.Grant(**SAME),
    "inject_context": anp.InjectContext(scope="session", must_narrate=True, user_id="olivia", content="x", **SAME),
    "start_turn": anp.StartTurn(turn="proactive", scope="session", **SAME),
    "wake_at": anp.WakeAt(at=AT, **SAME),
    "agent_aware": anp.AgentAware(awareness="user_seen", user_id="olivia", content="x", **SAME),
    "allow": anp.Allow(action="rm", **SAME),
    "must_surface": anp.MustSurface(action="rm", **SAME),
    "present_narration": anp.PresentNarration(
        narration_id="n1", narration=submission("user", "user", "system"), **SAME
    ),
    "fence_turn": anp.FenceTurn(**SAME),
    "dead_letter": anp.DeadLetter(reason="deadline", **SAME),
}


@pytest.mark.parametrize(("union", "samples"), [(anp.Command, COMMANDS), (anp.Effect, EFFECTS)], ids=["in", "out"])
def test_a_union_is_closed_and_its_tags_tell_its_kinds_apart(union, samples):
    assert {kind: type(sample) for kind, sample in samples.items()} == {cls.kind: cls for cls in get_args(union)}
    assert [decode(union, encode(sample)) for sample in samples.values()] == list(samples.values())
    assert [encode(sample)["kind"] for sample in samples.values()] == list(samples)
    with pytest.raises(DecodeError, match="/kind: expected"):
        decode(union, {"kind": "explode", **SAME})


@pytest.mark.parametrize("kind", EFFECTS)
def test_an_effect_names_the_event_its_revision_and_its_lease(kind):
    written = encode(EFFECTS[kind])
    assert SAME.items() <= written.items()
    for name in SAME:
        with pytest.raises(DecodeError, match=f"/{name}: required"):
            decode(anp.Effect, {key: member for key, member in written.items() if key != name})


@pytest.mark.parametrize(
    "kind", ["client_ack", "delivery_failed", "context_committed", "claim", "action", "commit_turn", "turn_failed"]
)
def test_a_lease_that_is_not_named_is_read_as_none(kind):
    """So that it is refused where the event is known, and not where the bytes are read."""
    written = encode(COMMANDS[kind])
    written.pop("lease")
    assert decode(anp.Command, written).lease is None


@pytest.mark.parametrize("lease", ["1", 1.5, True, [1]])
def test_a_lease_is_an_integer(lease):
    with pytest.raises(DecodeError, match="/lease"):
        decode(anp.Command, {**encode(COMMANDS["claim"]), "lease": lease})


def test_a_lease_may_be_spelt_as_a_float():
    assert decode(anp.Command, {**encode(COMMANDS["claim"]), "lease": 1.0}).lease == 1


@pytest.mark.parametrize(("output", "speaks"), [(None, False), ("", False), (" \n\t", False), ("Hm", True)])
def test_blank_output_says_nothing(output, speaks):
    assert anp.CommitTurn(output=output, narration_id="n1").speaks is speaks


def test_what_is_said_has_an_id():
    assert not anp.CommitTurn(output=" \n").speaks
    with pytest.raises(UsageError, match="output has a narration_id"):
        anp.CommitTurn(output="Hm")
    with pytest.raises(DecodeError, match="output has a narration_id"):
        decode(anp.Command, {"kind": "commit_turn", "output": "Hm", "acknowledged": True, "is_trigger": True})


def test_what_an_agent_says_and_names_has_a_length():
    assert anp.CommitTurn(output="x" * MAX_CHARACTERS, narration_id="n1").speaks
    assert anp.Action(name="x" * MAX_NAME).name
    assert anp.Submit(submission=submission("user", "user", "system"), id="x" * MAX_NAME).id
    for wrong in (
        lambda: anp.CommitTurn(output="x" * (MAX_CHARACTERS + 1), narration_id="n1"),
        lambda: anp.Action(name="x" * (MAX_NAME + 1)),
        lambda: anp.Action(name=""),
        lambda: anp.Submit(submission=submission("user", "user", "system"), id="x" * (MAX_NAME + 1)),
        lambda: anp.Submit(submission=submission("user", "user", "system"), id=""),
    ):
        with pytest.raises(UsageError, match="expected"):
            wrong()


@pytest.mark.parametrize("kind", [*COMMANDS, *EFFECTS])
def test_members_that_nobody_knows_survive(kind):
    union, sample = (anp.Command, COMMANDS[kind]) if kind in COMMANDS else (anp.Effect, EFFECTS[kind])
    written = {**encode(sample), "later": [1]}
    assert encode(decode(union, written)) == written
