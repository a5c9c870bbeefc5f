"""How long a fact stands in prompts: through one turn, or as long as the host and the plugin say."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mentionable import UsageError, anp, parse_time
from tests.anp.events import NO_SESSION, NOW, OLIVIA, PASSIVE, at, decided, refusal, routed, submission
from tests.anp.turns import PASSIVE as FACT
from tests.anp.turns import Host

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
KEPT = anp.Rules(context_ttl=10 * MINUTE)
READ = anp.ContextCommitted(lease=1, revision=1)


def until(hint: object, **rules: timedelta) -> timedelta:
    """For how long a fact stands in prompts."""
    event = routed("user", "agent", "system", metadata={"context_ttl": hint} if hint is not None else None)
    found = anp.Rules(**rules).context_expires_at(event)
    return parse_time(found) - NOW


@pytest.mark.parametrize(
    ("hint", "ttl", "seconds"),
    [
        (None, 0, 0),
        (None, 60, 60),
        (90, 0, 90),
        (90.5, 60, 90.5),
        (30, 60, 60),
        (0, 60, 60),
        (-5, 60, 60),
        (3_599, 0, 3_599),
        (3_600, 0, 3_600),
        (10**400, 0, 3_600),
        (1.5e300, 0, 3_600),
        (1e-300, 60, 60),
        (True, 0, 0),
        ("600", 0, 0),
        ([600], 60, 60),
    ],
    ids=repr,
)
def test_the_longer_of_what_host_and_plugin_say_counts_within_the_cap(hint, ttl, seconds):
    assert until(hint, context_ttl=timedelta(seconds=ttl)) == timedelta(seconds=seconds)


def test_the_longest_cap_there_is_holds_too():
    assert until(8.64e13 - 1, cap=timedelta.max) > timedelta(days=10**6)
    assert until(10**20, cap=timedelta.max) > timedelta(days=10**6)


@pytest.mark.parametrize("wrong", [-MINUTE, HOUR + MINUTE, 60, None, True], ids=str)
def test_the_time_of_the_host_is_from_zero_to_the_cap(wrong):
    with pytest.raises(UsageError, match="context_ttl"):
        anp.Rules(context_ttl=wrong)
    assert anp.Rules(context_ttl=HOUR).context_ttl == HOUR


@pytest.mark.parametrize("route", PASSIVE, ids="-".join)
def test_a_turn_that_read_it_within_its_time_stores_nothing(route):
    event = routed(*route)
    for seconds in (0, 1, 599.999):
        decision = decided(event, READ, now=at(seconds), rules=KEPT)
        assert (decision.record, decision.path, decision.effects) == (event, ("dispatched",), ())
    ended = decided(event, READ, now=at(600), rules=KEPT)
    assert (ended.path, ended.record.outcome) == (("dispatched", "delivered"), "read")


def test_a_clock_that_went_back_delivers_nothing_early():
    assert not decided(routed(*FACT), READ, now=at(-3_600), rules=KEPT).changes


def test_it_stands_in_every_prompt_until_then_and_in_one_after():
    host = Host(KEPT)
    host.add("f1", FACT)
    read = []
    for place, seconds in enumerate((1, 300, 599, 600, 601)):
        turn = host.begin(id=f"t{place}", now=at(seconds))
        host.end(turn, now=at(seconds))
        read.append([fact.id for fact in turn.facts])
    assert read == [["f1"], ["f1"], ["f1"], ["f1"], []]
    assert (host.event("f1").outcome, host.event("f1").version) == ("read", 3)


def test_a_fact_that_nobody_read_in_its_time_is_read_once():
    host = Host(KEPT)
    host.add("f1", FACT)
    turn = host.begin(now=at(10**5))
    host.end(turn, now=at(10**5))
    assert ([fact.id for fact in turn.facts], host.event("f1").status) == (["f1"], "delivered")


def test_a_turn_that_began_in_its_time_and_ended_after_it_delivers_it():
    host = Host(KEPT)
    host.add("f1", FACT)
    host.end(host.begin(now=at(599)), now=at(600))
    assert host.event("f1").status == "delivered"


def test_a_turn_that_failed_delivers_nothing():
    host = Host(KEPT)
    host.add("f1", FACT)
    host.fail(host.begin(now=at(10**4)), now=at(10**4))
    assert host.event("f1").status == "dispatched"


def renewed(event: anp.Notification, seconds: float, rules: anp.Rules = KEPT) -> anp.Notification:
    """The event with new words."""
    again = submission(*FACT, content="It failed again.", deduplication_key="k")
    return decided(event, anp.Submit(submission=again, id=f"e-{seconds}"), now=at(seconds), rules=rules).record


def test_new_words_take_its_place_though_it_was_read_and_their_time_begins_anew():
    event = routed(*FACT, deduplication_key="k")
    assert not decided(event, READ, now=at(1), rules=KEPT).changes
    later = renewed(event, 500)
    assert (later.id, later.revision, later.status) == ("e1", 2, "dispatched")
    assert refusal(later, READ, now=at(700), rules=KEPT) == "stale-revision"
    both = anp.ContextCommitted(lease=1, revision=2)
    assert not decided(later, both, now=at(1_099), rules=KEPT).changes
    assert decided(later, both, now=at(1_100), rules=KEPT).record.status == "delivered"


def test_new_words_keep_a_fact_no_longer_than_the_cap_from_when_it_was_submitted():
    event = renewed(routed(*FACT, deduplication_key="k"), 3_500)
    both = anp.ContextCommitted(lease=1, revision=2)
    assert not decided(event, both, now=at(3_599), rules=KEPT).changes
    assert decided(event, both, now=at(3_600), rules=KEPT).record.status == "delivered"
    late = renewed(event, 9_000)
    third = anp.ContextCommitted(lease=1, revision=3)
    assert decided(late, third, now=at(9_000), rules=KEPT).record.status == "delivered"


def test_out_of_a_session_that_is_gone_it_stands_beyond_all_sessions():
    event = routed("session", "agent", "system")
    moved = decided(event, anp.Reconnect(user_id=OLIVIA), now=at(300), facts=NO_SESSION, rules=KEPT).record
    assert not decided(moved, READ, now=at(899), rules=KEPT).changes
    assert decided(moved, READ, now=at(900), rules=KEPT).record.status == "delivered"


def test_the_watchdog_has_nothing_to_do_with_it():
    event = routed(*FACT)
    assert anp.next_deadline([event]) is None
    ticked = decided(event, anp.Tick(), now=at(10**6), rules=KEPT)
    assert (ticked.changes, ticked.effects) == (False, ())


def test_it_changes_nothing_for_what_is_no_fact():
    alert = routed("user", "user", "system")
    assert refusal(alert, READ, rules=KEPT) == "transition-refused"
    assert refusal(routed(*FACT), anp.ContextCommitted(lease=2), rules=KEPT) == "stale-lease"


def test_facts_that_stay_leave_room_for_newer_ones():
    host = Host(anp.Rules(context_ttl=10 * MINUTE, max_facts=2))
    read = []
    for place in range(4):
        host.add(f"f{place}", FACT, now=at(place))
        turn = host.begin(id=f"t{place}", now=at(place))
        host.end(turn, now=at(place))
        read.append([fact.id for fact in turn.facts])
    assert read == [["f0"], ["f0", "f1"], ["f1", "f2"], ["f2", "f3"]]
