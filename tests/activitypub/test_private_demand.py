"""A demand on ActivityPub reaches the person asked alone, whoever reads the answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import CarriedPolicy, NormalizedResponse, UnanswerableError, UsageError, activitypub, policy
from mentionable._wire.strict_json import loads
from tests.activitypub.answering import ASKER, BASE, BOB_ACTOR, FOLLOWERS, INBOX, KEY, SHARED, answer, asked, received
from tests.activitypub.servers import ALICE, ENTROPY, HELPER, NOW, actor, codes

PUBLIC = "https://www.w3.org/ns/activitystreams#Public"
DEMAND = CarriedPolicy(
    policy=policy.ConsentRequired(
        message="May I see your calendar?",
        url="https://agents.example/consent",
        state="s" * 43,
        return_to="https://agents.example/done",
    )
)
REFUSAL = CarriedPolicy(policy=policy.Forbidden(message="No."))
ASKED = asked(to=[PUBLIC, HELPER])


def sent(out: activitypub.Outgoing) -> list[tuple[str, dict[str, Any]]]:
    """The inboxes of the deliveries, and the notes that go there."""
    return [(post.url, loads(post.body, max_bytes=10**6, max_depth=64)["object"]) for post in out.deliveries]


def test_a_demand_to_a_public_question_is_a_direct_note_alone() -> None:
    out = answer(DEMAND, to=ASKED)
    [(inbox, note)] = sent(out)
    assert (inbox, note["to"], note["cc"]) == (INBOX, [ALICE], [])
    assert (out.activity["to"], out.private_id) == ([ALICE], None)


def test_public_text_and_a_demand_are_two_notes() -> None:
    out = answer("First:", DEMAND, to=ASKED, siblings=[BOB_ACTOR])
    notes = sent(out)
    assert [inbox for inbox, _ in notes] == [SHARED, BOB_ACTOR.shared_inbox, INBOX]
    public, direct = notes[0][1], notes[-1][1]
    assert PUBLIC in public["to"]
    assert (direct["to"], direct["cc"]) == ([ALICE], [])
    assert "calendar" not in repr(public)
    assert "mentionablePolicy" not in public
    assert direct["mentionablePolicy"]["state"] == "s" * 43
    assert (public["id"], direct["id"]) == (out.native_id, out.private_id)
    assert set(out.serve) >= {public["id"], direct["id"]}


def test_a_trace_in_the_public_note_says_nothing_of_the_demand() -> None:
    out = answer("First:", DEMAND, to=ASKED)
    public, direct = (received(post).message for post in out.deliveries)
    assert public.received_trace == NormalizedResponse.to(ASKED, "First:")
    assert direct.received_trace == NormalizedResponse.to(ASKED, DEMAND)
    assert direct.parts[-1] == DEMAND


def test_a_demand_to_followers_is_a_direct_note() -> None:
    out = answer(DEMAND, to=asked(to=[FOLLOWERS], cc=[HELPER]))
    assert [note["to"] + note["cc"] for _, note in sent(out)] == [[ALICE]]


def test_a_demand_goes_to_no_sibling() -> None:
    out = answer("First:", DEMAND, siblings=[BOB_ACTOR])
    assert [(inbox, "calendar" in repr(note)) for inbox, note in sent(out)] == [
        (INBOX, False),
        (BOB_ACTOR.inbox, False),
        (INBOX, True),
    ]


def test_a_direct_answer_to_the_asker_alone_stays_one_note() -> None:
    assert len(answer("First:", DEMAND).deliveries) == 1


def test_a_policy_that_others_may_read_stays_public() -> None:
    [(inbox, note)] = sent(answer("First:", REFUSAL, to=ASKED))
    assert (inbox, PUBLIC in note["to"]) == (SHARED, True)


def test_a_demand_without_an_inbox_of_the_asker_goes_nowhere() -> None:
    question = asked(who=actor(inbox="https://elsewhere.example/in"), to=[PUBLIC, HELPER])
    with pytest.raises(UnanswerableError) as raised:
        answer("First:", DEMAND, to=question)
    assert raised.value.reason == "no-private-way"
    assert codes(answer("First:", to=question).diagnostics) == ["undeliverable"]


def changed(note: Any, *parts: Any) -> activitypub.Outgoing:
    return activitypub.update(
        NormalizedResponse.to(ASKED, *parts),
        note,
        to=ASKED,
        base=BASE,
        now=NOW,
        entropy=ENTROPY,
        settings=activitypub.Settings(key=KEY),
    )


def test_a_public_note_that_changes_never_takes_a_demand() -> None:
    before = answer("First:", to=ASKED)
    out = changed(before.serve[before.native_id], "Now:", DEMAND)
    (_, public), (inbox, direct) = sent(out)
    assert (public["id"], "calendar" in repr(public)) == (before.native_id, False)
    assert (inbox, direct["to"], direct["id"]) == (INBOX, [ALICE], out.private_id)
    only = changed(before.serve[before.native_id], DEMAND)
    assert (only.activity["type"], only.activity["to"]) == ("Create", [ALICE])


def test_a_direct_note_with_a_demand_changes_as_it_is() -> None:
    before = answer(DEMAND, to=ASKED)
    out = changed(before.serve[before.native_id], "Please:", DEMAND)
    assert (out.activity["type"], out.native_id, out.activity["to"]) == ("Update", before.native_id, [ALICE])


def test_what_changes_is_a_note() -> None:
    with pytest.raises(UsageError, match="note"):
        changed("note", "Now:", DEMAND)


@settings(deadline=None)
@given(
    st.sampled_from([[PUBLIC, HELPER], [FOLLOWERS, HELPER], [HELPER]]),
    st.booleans(),
    st.sampled_from([(DEMAND,), ("First:", DEMAND), ("First:",), ("First:", REFUSAL)]),
)
def test_whoever_else_gets_a_note_never_reads_a_demand(to: Any, with_sibling: bool, parts: Any) -> None:
    out = answer(*parts, to=asked(who=ASKER, to=to), siblings=[BOB_ACTOR] if with_sibling else [])
    for inbox, note in sent(out):
        is_private = inbox == INBOX and note["to"] == [ALICE] and not note["cc"]
        assert is_private or "calendar" not in repr(note)
    assert any("calendar" in repr(note) for _, note in sent(out)) == (DEMAND in parts)
