from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import FilePart, HistoricalMessage, HistoryPolicy, LinkPart, Sender, TextPart, ToolCallPart
from mentionable._transport.history import max_json_chars, merge, trim, trim_merged
from mentionable._wire.strict_json import dump_line
from mentionable._wire.time import parse_time
from mentionable.testing import strategies
from tests.samples import EVIDENCE

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
ALICE = Sender(address="@alice@a.example")


def turn(name: str, timestamp: str = "2026-11-21T20:00:00Z", *parts) -> HistoricalMessage:
    return HistoricalMessage(role="user", sender=ALICE, parts=parts, timestamp=timestamp, id=name)


def kept(turns, **policy) -> str:
    return "".join(one.id for one in trim(turns, HistoryPolicy(**policy), now=NOW))


def test_turns_are_sorted_by_time_and_equal_times_stay_in_order():
    turns = [turn("c", "2026-11-21T20:00:02Z"), turn("a"), turn("b")]
    assert kept(turns) == "abc"
    assert kept([turn("a"), turn("b")]) == "ab"
    assert kept([]) == ""


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2026-11-21T20:00:00+09:00", "2026-11-21T12:00:00Z"),
        ("2026-11-21t20:00:00.000z", "2026-11-21T20:00:00.001Z"),
        ("2026-11-21t20:00:00Z", "2026-11-21T20:00:00.001Z"),
        ("2026-11-21T20:00:00Z", "2026-11-21 20:00:00.001Z"),
        ("2026-11-21T20:00:00.5Z", "2026-11-21T20:00:00.51Z"),
        ("2026-11-21T20:00:00Z", "2026-11-21T20:00:00.000001Z"),
        ("2026-11-21T20:00:00.9Z", "2026-11-21T20:00:01Z"),
    ],
)
def test_spellings_of_time_do_not_matter(earlier, later):
    assert kept([turn("b", later), turn("a", earlier)]) == "ab"


def test_the_newest_turns_stay():
    turns = [turn(name, f"2026-11-21T20:00:0{index}.000Z") for index, name in enumerate("abc")]
    assert kept(turns, max_messages=2) == "bc"
    assert kept(turns, max_messages=0) == ""
    assert kept(turns, max_messages=3) == "abc"


def test_turns_older_than_the_policy_allows_go():
    turns = [turn("a", "2026-11-21T19:55:59.999Z"), turn("b", "2026-11-21T19:56:00Z"), turn("c")]
    assert kept(turns, max_age=timedelta(hours=1)) == "bc"


def test_a_policy_may_choose_turns():
    assert kept([turn("a"), turn("b"), turn("c")], keep=lambda one: one.id != "b") == "ac"


def test_text_and_tool_calls_cost_and_files_do_not():
    time = "2026-11-21T20:00:00Z"
    turns = [
        turn("a", time, TextPart(content="12345")),
        turn("b", time, ToolCallPart(id="c", name="n", args=[1], result="é")),  # 3 and 3
        turn("c", time, ToolCallPart(id="c", name="n", args={})),  # 2
        turn("d", time, FilePart.of(b"x" * 1000, mime="text/plain")),
    ]
    for budget, expected in ((0, "d"), (1, "d"), (2, "cd"), (7, "cd"), (8, "bcd"), (12, "bcd"), (13, "abcd")):
        assert kept(turns, max_chars=budget) == expected


def test_what_is_read_of_a_file_costs():
    file = FilePart.of(b"", mime="message/rfc822")
    forwarded = FilePart(mime=file.mime, bytes_ref=file.bytes_ref, extra={"forwarded": {"text": "x" * 100}})
    turns = [turn("a"), turn("b", "2026-11-21T21:00:00Z", forwarded)]
    assert [kept(turns, max_chars=chars) for chars in (100, 1_000)] == ["", "ab"]


def test_what_is_said_of_a_link_costs():
    link = LinkPart(url="https://a.example/", description="12345")
    turns = [turn("a", "2026-11-21T20:00:00Z", link, LinkPart(url=link.url), ToolCallPart(id="c", name="n", args={}))]
    assert [kept(turns, max_chars=chars) for chars in (6, 7, 1_000)] == ["", "a", "a"]


def test_an_older_turn_that_would_fit_does_not_jump_the_queue():
    turns = [turn("a"), turn("b", "2026-11-21T20:00:00Z", TextPart(content="12345")), turn("c")]
    assert kept(turns, max_chars=4) == "c"


@given(st.lists(strategies.turns(), max_size=5), st.integers(0, 6), st.integers(0, 60))
def test_what_stays_is_the_sorted_end(turns, most, chars):
    everything = trim(turns, HistoryPolicy(max_messages=10, max_chars=10**9), now=NOW)
    assert list(everything) == sorted(turns, key=lambda one: parse_time(one.timestamp))
    some = trim(turns, HistoryPolicy(max_messages=most, max_chars=chars), now=NOW)
    assert some == everything[len(everything) - len(some) :]
    assert len(some) <= most


def test_a_claim_that_does_not_fit_goes_alone():
    def said_at(minute, length, name):
        return turn(name, f"2026-11-21T20:{minute:02}:00Z", TextPart(content="x" * length))

    turns = [said_at(1, 3, "a"), said_at(2, 9, "b"), said_at(3, 3, "c"), said_at(4, 9, "d")]
    policy = HistoryPolicy(max_chars=7)

    def seen(claims, **changes):
        found = trim(turns, attrs.evolve(policy, **changes), now=NOW, is_claim=lambda one: one.id in claims)
        return "".join(one.id for one in found)

    assert seen("bd") == "ac"
    assert seen("bd", max_messages=1) == "c"  # what is left out takes no place
    assert seen("bd", max_chars=12) == "cd"  # a claim that fits counts, and what comes behind it does not fit
    assert seen("d") == "c"
    assert seen("b") == ""
    assert kept(turns, max_chars=7) == ""


STORED = st.tuples(st.integers(0, 59), st.integers(0, 12))
"""When a turn was said, and in how many characters."""


@given(st.lists(STORED, max_size=8), st.lists(STORED, max_size=8), st.integers(0, 8), st.integers(0, 40))
def test_forwarded_turns_push_out_no_more_of_the_store_than_what_is_seen_of_them_takes(stored, forwarded, most, chars):
    """An attacker writes what they like; of the store no more is lost than the policy gives to what the agent sees."""
    proven = [
        said(f"s{n}", "s" * size, minute=minute, auth_method="email-dkim", verified=True)
        for n, (minute, size) in enumerate(stored)
    ]
    claims = [said(f"f{n}", "f" * size, minute=minute) for n, (minute, size) in enumerate(forwarded)]
    turns, policy = merged(claims, proven)[0], HistoryPolicy(max_messages=most, max_chars=chars)
    seen = trim(turns, policy, now=NOW, is_claim=lambda one: not one.sender.verified)
    lost = [one for one in trim(proven, policy, now=NOW) if one not in seen]
    if lost:
        cost = sum(len(one.parts[0].content) for one in seen)
        assert len(seen) == most or cost + len(lost[-1].parts[0].content) > chars
    without = trim(turns, attrs.evolve(policy, keep=lambda one: one.sender.verified), now=NOW)
    assert without == trim(proven, policy, now=NOW)


EXPENSIVE = [
    None,
    True,
    False,
    0,
    -1,
    2**40,
    -(2**200),
    1e-7,
    -1.2345678901234567e-300,
    "",
    "\x01" * 9,
    '"\\',
    "é😀",
    {},
    [],
]


@given(
    st.lists(
        st.recursive(
            st.sampled_from(EXPENSIVE) | st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        ),
        max_size=6,
    )
)
def test_the_estimate_is_never_below_what_json_takes(values):
    assert max_json_chars(values) >= len(dump_line(values))
    assert all(max_json_chars([value] * 7) >= 7 * len(dump_line(value)) for value in values)


def test_turns_within_the_estimate_and_at_the_limit_stay():
    time = "2026-11-21T20:00:00Z"
    turns = [turn("a", time, TextPart(content="1234")), turn("b", time, ToolCallPart(id="c", name="n", args={"q": 1}))]
    assert kept(turns, max_chars=1000) == "ab"
    assert kept(turns, max_chars=11) == "ab"
    assert kept(turns, max_chars=10) == "b"


HELPER = "@helper@agents.example"


def said(name: str | None, words: str, who: str = "@alice@a.example", minute: int = 0, **sender) -> HistoricalMessage:
    role = "assistant" if who == HELPER else "user"
    return HistoricalMessage(
        id=name,
        role=role,
        sender=Sender(address=who, **sender),
        parts=(TextPart(content=words),),
        timestamp=f"2026-11-21T20:{minute:02}:00.125Z",
    )


def merged(brought, stored, **more):
    turns, diagnostics = merge(brought, stored, agent=HELPER, **more)
    assert all(one.is_claim == any(one.turn is turn for turn in brought) for one in turns)
    return tuple(one.turn for one in turns), [one.code for one in diagnostics]


def seen_of(brought, stored, **policy):
    found, _ = merge(brought, stored, agent=HELPER)
    return trim_merged(found, HistoryPolicy(**policy), now=NOW)


def test_nothing_to_merge_is_what_is_there():
    turns = (said("a", "A"),)
    assert merged((), turns) == (turns, [])
    assert merged(turns, ()) == (turns, [])
    assert merged((), ()) == ((), [])


def test_turns_of_both_stand_there_once():
    mine, theirs = said("a", "A", minute=1), said("b", "B")
    assert merged((mine,), (theirs,)) == ((theirs, mine), [])


def test_the_same_id_is_the_same_turn_and_other_words_are_told():
    old, new = said("a", "A"), said("a", "B")
    assert merged((new,), (old,)) == ((new,), ["history-turn-dropped"])
    assert merged((said("a", "A", minute=9),), (old,)) == ((old,), [])


def test_a_claim_never_replaces_what_is_more():
    proven = said("a", "A", auth_method="email-dkim", verified=True)
    own = said("b", "B", HELPER)
    assert merged((said("a", "X"), said("b", "Y")), (proven, own)) == ((proven, own), ["history-turn-dropped"])


def test_the_id_of_somebody_elses_turn_is_no_claim_on_it():
    old = said("a", "A")
    for words in ("B", "A"):
        assert merged((said("a", words, "@mallory@m.example"),), (old,)) == ((old,), ["history-turn-dropped"])
        assert merged((said("b", words, "@mallory@m.example"),), (old,), stored_ids=("a",))[0] == (old,)


@pytest.mark.parametrize(
    "policy",
    [
        {"max_chars": 3},
        {"max_messages": 1},
        {"max_age": timedelta(minutes=50)},
        {"keep": lambda one: one.parts[0].content == "A"},
    ],
)
def test_a_claim_that_is_not_seen_leaves_the_stored_turn_where_it_was(policy):
    old, new = said("a", "A", minute=30), said("a", "BBBB")
    other = said("b", "A", minute=10)
    assert old in seen_of((new,), (other, old), **policy)
    assert seen_of((new,), (other, old)) == (new, other)


def test_claims_that_the_stored_turns_push_out_give_way_too():
    first, again = said("a", "A", minute=10), said("a", "X", minute=1)
    second, later = said("b", "B", minute=6), said("b", "Y", minute=2)
    other = said("c", "C", minute=5)
    assert seen_of((again, later), (first, second, other), max_messages=2) == (second, first)
    assert seen_of((again, later), (first, second), max_messages=2) == (again, later)


@given(
    st.lists(st.tuples(st.integers(0, 59), st.integers(0, 12)), max_size=8),
    st.lists(st.tuples(st.integers(0, 59), st.integers(0, 12)), max_size=8),
    st.integers(0, 8),
    st.integers(0, 40),
)
def test_every_stored_turn_that_a_claim_stands_for_could_be_seen_or_its_claim_is(stored, forwarded, most, chars):
    kept = [said(str(n), "s" * size, minute=minute) for n, (minute, size) in enumerate(stored)]
    claims = [said(str(n), "f" * size, minute=minute) for n, (minute, size) in enumerate(forwarded)]
    found, _ = merge(claims, kept, agent=HELPER)
    policy = HistoryPolicy(max_messages=most, max_chars=chars)
    seen = trim_merged(found, policy, now=NOW)
    rest = [one.turn if one.stored is None or one.turn in seen else one.stored for one in found]
    own = [one for one in rest if one in kept]
    assert seen == trim(rest, policy, now=NOW, is_claim=lambda one: one not in own)


def test_a_claim_never_replaces_what_evidence_was_brought_for():
    named = said("a", "A", identities=(EVIDENCE,))
    assert merged((said("a", "X"),), (named,)) == ((named,), ["history-turn-dropped"])


def test_words_tell_where_no_id_does_and_the_newest_first():
    first, again, other = said("a", "yes", minute=1), said("b", "yes", minute=2), said("c", "no", minute=3)
    assert merged((said(None, "yes", minute=9),), (again, first, other))[0] == (first, other, again)
    files = said(None, "")
    assert merged((files,), (said("d", ""),))[0] == (said("d", ""), files)


def test_ids_that_the_caller_knows_tell_before_all_others():
    mine, stored = said("https://a.example/1", "<p>A</p>"), said("m1", "A is it")
    assert merged((mine,), (stored,), stored_ids=("m1",)) == ((mine,), [])
    assert merged((mine,), (stored,), stored_ids=(None,)) == ((stored, mine), [])


def test_evidence_of_a_turn_is_not_lost():
    shown = said(None, "A")
    turn = attrs.evolve(shown, sender=attrs.evolve(shown.sender, identities=(EVIDENCE,)))
    assert merged((turn,), (said("a", "A"),))[0] == (turn,)


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_merging_loses_no_turn_and_makes_none(brought, stored):
    turns = [said(f"x{n}", words, minute=n % 60) for n, words in enumerate(brought)]
    kept = [said(f"y{n}", words, minute=n % 60) for n, words in enumerate(stored)]
    found = Counter(turn.parts[0].content for turn in merged(turns, kept)[0])
    assert found == Counter(brought) | Counter(stored)
