"""What a client shows of an event."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import UsageError, anp, decode, dumps
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
