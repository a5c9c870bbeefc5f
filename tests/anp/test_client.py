"""What a client does with presentations and with what was settled, by what it keeps of each event."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError, anp, decode_trusted, dumps, replace
from tests.anp import events
from tests.anp.events import OLIVIA
from tests.anp.test_presentation import shown


def settled(**members: Any) -> anp.Settled:
    given = {"id": "e1", "revision": 1, "lease": 1, "how": "seen", "surface": "inbox", "user_id": OLIVIA}
    return anp.Settled(**{**given, **members})


def seen(**members: Any) -> anp.Seen:
    return anp.Seen(**{"id": "e1", "revision": 1, "lease": 1, "surface": "inbox", "is_whole": True, **members})


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


# --- settled


def test_what_was_settled_elsewhere_is_taken_away_and_never_shown_again_under_its_lease():
    first = anp.receive_presentation(shown(), None)
    done = anp.receive_settled(settled(how="acknowledged"), first.seen)
    assert (done.showing, done.seen, done.ack) == ("settle", seen(settled="acknowledged"), None)
    for late in (shown(), shown(revision=2), shown(surface="chat", session_id="s1"), shown(cut=("content",))):
        assert anp.receive_presentation(late, done.seen) == anp.Reception(showing="stale", seen=done.seen, ack=None)
    assert anp.receive_settled(settled(), done.seen).showing == "repeat"


def test_what_was_settled_before_it_came_is_never_shown():
    done = anp.receive_settled(settled(revision=2), None)
    assert (done.showing, done.seen) == ("settle", seen(revision=2, settled="seen"))
    assert anp.receive_presentation(shown(revision=3), done.seen).showing == "stale"


def test_what_the_watchdog_took_over_is_shown_under_its_new_lease():
    taken = anp.receive_settled(settled(how="escalated"), None)
    shown_now = anp.receive_presentation(shown(lease=2), taken.seen)
    assert (shown_now.showing, shown_now.seen, shown_now.ack) == (
        "show",
        seen(lease=2),
        anp.ClientAck(lease=2, user_id=OLIVIA, revision=1),
    )
    assert anp.receive_settled(settled(how="escalated"), shown_now.seen).showing == "stale"


def test_what_was_cut_stays_cut_when_it_is_settled():
    part = anp.receive_presentation(shown(cut=("content",)), None)
    assert not anp.receive_settled(settled(), part.seen).seen.is_whole


ARRIVALS = [shown(), shown(revision=2), settled(revision=2, how="escalated"), shown(lease=2), settled(lease=2)]


@pytest.mark.parametrize("order", [*permutations(range(5)), *product(range(5), repeat=3)])
def test_in_any_order_nothing_is_shown_under_a_lease_that_was_settled(order):
    kept: anp.Seen | None = None
    over: set[int] = set()
    for one in (ARRIVALS[place] for place in order):
        got = (anp.receive_settled if isinstance(one, anp.Settled) else anp.receive_presentation)(one, kept)
        if got.showing in ("show", "replace"):
            assert not any(lease >= one.lease for lease in over)
        if isinstance(one, anp.Settled):
            over.add(one.lease)
            assert (got.showing == "settle") == (got.seen != kept)
        kept = got.seen
    assert kept is not None
    assert kept.lease == max(ARRIVALS[place].lease for place in order)
    assert (kept.settled is None) == (kept.lease not in over)


@pytest.mark.parametrize(
    ("what", "kept", "words"),
    [
        (shown(), None, "settled must be Settled"),
        (settled(), {"lease": 1}, "seen must be Seen"),
        (settled(), seen(id="e2"), "of the event 'e2', not of 'e1'"),
    ],
)
def test_only_what_is_of_one_event_is_settled(what, kept, words):
    with pytest.raises(UsageError, match=words):
        anp.receive_settled(what, kept)


# --- one store for all tabs

SEEN = st.builds(
    seen,
    revision=st.integers(1, 3),
    lease=st.integers(1, 2),
    surface=st.sampled_from(["inbox", "chat"]),
    is_whole=st.booleans(),
    settled=st.sampled_from([None, "seen", "acknowledged", "withdrawn", "escalated"]),
    extra=st.sampled_from([{}, {"x": 1}]),
)


@given(SEEN, SEEN, SEEN)
def test_tabs_may_put_together_what_they_keep_in_any_order_and_as_often_as_they_like(one, other, third):
    later = anp.later_seen
    assert later(one, one) == one
    assert later(one, other) == later(other, one)
    assert later(later(one, other), third) == later(one, later(other, third))
    assert later(one, other) in (one, other)


@given(SEEN, st.integers(1, 3), st.integers(1, 2), st.booleans())
def test_a_reception_never_goes_back(kept, revision, lease, is_settled):
    came = settled(revision=revision, lease=lease) if is_settled else shown(revision=revision, lease=lease)
    got = (anp.receive_settled if is_settled else anp.receive_presentation)(came, kept)
    assert anp.later_seen(got.seen, kept) == got.seen


def test_what_is_kept_comes_back_from_json_and_is_of_one_event():
    kept = seen(settled="withdrawn")
    assert decode_trusted(anp.Seen, dumps(kept)) == kept
    with pytest.raises(UsageError, match="of the event 'e2'"):
        anp.later_seen(seen(), seen(id="e2"))
    with pytest.raises(UsageError, match="one must be Seen"):
        anp.later_seen(None, seen())


def test_how_a_human_acknowledges_reaches_the_other_devices():
    record = events.routed("user", "user", "system")
    for how, told in (("clicked", "acknowledged"), ("rendered", "seen"), (None, "seen")):
        ack = anp.acknowledge(anp.presentation(record), user_id=OLIVIA, how=how)
        done = events.the(anp.Settled, events.decided(record, ack))
        assert (done.how, done.surface, done.user_id) == (told, "inbox", OLIVIA)
