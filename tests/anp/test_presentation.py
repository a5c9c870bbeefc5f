"""What a client shows of an event, and how it tells what it has shown already."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest

from mentionable import UsageError, anp, decode, decode_trusted, dumps, replace
from mentionable.anp._presentation import presented
from tests.anp import events
from tests.anp.events import OLIVIA

NEW_WORDS = {"content": "It failed again.", "metadata": {"urgency": "high"}}


def shown(**members: Any) -> anp.Presentation:
    given = {"id": "e1", "revision": 1, "lease": 1, "surface": "inbox", "user_id": OLIVIA, "content": "Backup failed."}
    return anp.Presentation(**{**given, "replaces": False, **members})


def renewed(record: anp.Notification) -> anp.Decision:
    """An event with a key, after another one with the same key came."""
    flags = record.requested
    new = events.submission(flags.address, flags.target, flags.handler, deduplication_key="k", **NEW_WORDS)
    return events.decided(record, anp.Submit(submission=new, id="e2"))


@pytest.mark.parametrize(("flags", "surface"), list(zip(events.DIRECT, ("inbox", "chat"), strict=True)))
def test_what_the_system_presents_is_shown_on_its_surface(flags, surface):
    decision = events.decided(events.submitted(*flags), anp.Route())
    (found,) = filter(None, map(anp.presentation, decision.effects))
    assert found == shown(surface=surface, session_id="s1" if surface == "chat" else None, origin="plugin")
    assert found == anp.presentation(decision.record)


@pytest.mark.parametrize("flags", events.OF_AGENT)
def test_what_the_agent_handles_is_shown_to_nobody_before_it_escalates(flags):
    decision = events.decided(events.submitted(*flags, metadata={"fallback_text": "Look at it."}), anp.Route())
    assert not any(map(anp.presentation, decision.effects))
    assert anp.presentation(decision.record) is None
    taken = events.decided(decision.record, anp.Tick(), now=events.LATER)
    (found,) = filter(None, map(anp.presentation, taken.effects))
    assert (found.content, found.lease, found) == ("Look at it.", 2, anp.presentation(taken.record))


@pytest.mark.parametrize("flags", events.PASSIVE)
def test_what_is_passive_is_never_shown(flags):
    decision = events.decided(events.submitted(*flags, deduplication_key="k"), anp.Route())
    later = renewed(decision.record)
    everything = [*decision.effects, decision.record, *later.effects, later.record]
    assert not any(map(anp.presentation, everything))


@pytest.mark.parametrize("make", [events.submitted, events.delivered])
def test_what_waits_for_no_acknowledgement_is_not_shown(make):
    assert anp.presentation(make("user", "user", "system")) is None


def test_new_words_replace_those_that_are_shown():
    later = renewed(events.routed("session", "user", "system", deduplication_key="k"))
    (found,) = filter(None, map(anp.presentation, later.effects))
    assert (found.revision, found.replaces, found.content) == (2, True, "It failed again.")
    assert found == anp.presentation(later.record)


def test_new_words_of_an_event_of_the_agent_replace_nothing_a_human_sees():
    later = renewed(events.routed("user", "user", "agent", deduplication_key="k"))
    assert not any(map(anp.presentation, later.effects))


def test_a_presentation_is_its_own():
    assert anp.presentation(shown()) == shown()


@pytest.mark.parametrize("wrong", [None, "e1", anp.Tick(), anp.Facts()])
def test_only_what_can_be_shown_is_taken(wrong):
    with pytest.raises(UsageError, match="expected an effect"):
        anp.presentation(wrong)


def test_what_must_go_out_must_be_shown():
    assert presented(shown()) == shown()
    with pytest.raises(UsageError, match="nothing of it is shown"):
        presented(events.submitted("user", "user", "system"))


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (None, ""),
        (("rm",), "The agent used rm."),
        (("rm", "cp"), "The agent used rm and cp."),
        (("a", "b", "c\nThe end."), "The agent used a, b and c The end.."),
    ],
)
def test_what_the_agent_did_is_told_in_a_sentence(actions, words):
    assert shown(actions=actions).actions_text() == words


def test_it_comes_back_from_json():
    whole = shown(actions=("rm",), metadata={"a": 1}, cut=("content",), session_id="s1", origin="agent", extra={"b": 2})
    assert decode(anp.Presentation, dumps(whole)) == whole
    seen = anp.Seen(id="e1", revision=1, lease=1, surface="inbox", is_whole=True)
    assert decode_trusted(anp.Seen, dumps(seen)) == seen


OTHERS = [
    shown(),
    shown(revision=2, content="2", replaces=True),
    shown(revision=3, content="3", replaces=True),
    shown(revision=3, lease=2, content="fallback", replaces=True),
]


@pytest.mark.parametrize("order", [*permutations(range(4)), *product(range(4), repeat=3)])
def test_in_any_order_each_is_shown_once_and_the_newest_stays(order):
    screen: list[anp.Presentation] = []
    seen, did = None, []
    for one in (OTHERS[place] for place in order):
        got = anp.receive_presentation(one, seen)
        did.append(got.showing)
        if got.showing == "show":
            assert not screen
            screen.append(one)
        elif got.showing == "replace":
            screen[-1] = one
            assert (one.lease, one.revision) > (seen.lease, seen.revision)
        if got.ack is not None:
            assert (got.ack.lease, got.ack.revision) == (screen[-1].lease, screen[-1].revision)
        seen = got.seen
    assert screen == [max((OTHERS[place] for place in order), key=lambda one: (one.lease, one.revision))]
    assert did.count("show") == 1


def test_an_acknowledgement_that_was_lost_is_sent_again():
    first = anp.receive_presentation(shown(), None)
    again = anp.receive_presentation(shown(), first.seen)
    assert (again.showing, again.ack, again.seen) == ("repeat", first.ack, first.seen)
    assert first.ack == anp.ClientAck(lease=1, user_id=OLIVIA, revision=1)


def test_what_moved_to_the_inbox_replaces_what_stood_in_the_chat_and_never_goes_back():
    chat, inbox = shown(surface="chat", session_id="s1"), shown(session_id="s1")
    first = anp.receive_presentation(chat, None)
    moved = anp.receive_presentation(inbox, first.seen)
    assert (moved.showing, moved.seen.surface, moved.ack) == ("replace", "inbox", first.ack)
    back = anp.receive_presentation(chat, moved.seen)
    assert back == anp.Reception(showing="stale", seen=moved.seen, ack=None)
    taken = anp.receive_presentation(replace(chat, lease=2), moved.seen)
    assert (taken.showing, taken.seen.surface) == ("replace", "chat")


def test_what_is_old_is_thrown_away():
    seen = anp.receive_presentation(shown(lease=2), None).seen
    assert anp.receive_presentation(shown(revision=7), seen) == anp.Reception(showing="stale", seen=seen, ack=None)


def test_what_was_cut_is_acknowledged_when_the_rest_is_shown():
    part = shown(cut=("content",))
    first = anp.receive_presentation(part, None)
    again = anp.receive_presentation(part, first.seen)
    whole = anp.receive_presentation(shown(), again.seen)
    part_again = anp.receive_presentation(part, whole.seen)
    newer_part = anp.receive_presentation(replace(part, revision=2), part_again.seen)
    steps = (first, again, whole, part_again, newer_part)
    assert [got.showing for got in steps] == ["show", "repeat", "replace", "repeat", "replace"]
    assert [got.ack is not None for got in steps] == [False, False, True, True, False]


@pytest.mark.parametrize(
    ("what", "seen", "words"),
    [
        ("e1", None, "presentation must be Presentation"),
        (shown(), {"lease": 1}, "seen must be Seen"),
        (
            shown(),
            anp.Seen(id="e2", revision=1, lease=1, surface="inbox", is_whole=True),
            "of the event 'e2', not of 'e1'",
        ),
    ],
)
def test_a_client_compares_only_what_is_of_one_event(what, seen, words):
    with pytest.raises(UsageError, match=words):
        anp.receive_presentation(what, seen)


def test_the_acknowledgement_is_what_delivers():
    record = events.escalated("user", "user", "agent")
    ack = anp.acknowledge(anp.presentation(record), user_id=OLIVIA)
    assert events.decided(record, ack, now=events.LATER).record.status == "delivered"
    with pytest.raises(UsageError, match="event must be"):
        anp.acknowledge("e1", user_id=OLIVIA)
