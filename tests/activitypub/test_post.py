"""Posts, polls and votes: what an agent publishes that answers no message."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from mentionable import (
    DigestRef,
    FilePart,
    Limits,
    TextPart,
    UsageError,
    activitypub,
    replace,
)
from mentionable.activitypub import Audience, Outgoing, QuotePolicy
from tests.activitypub.answering import ALICE, BOB_ACTOR, INBOX, SHARED, answer, note_in, received
from tests.activitypub.building import ALICE_ACTOR, SETTINGS, call, event
from tests.activitypub.servers import BOB, HELPER, NOW, PUBLIC
from tests.activitypub.test_policy import DEMAND

FOLLOWERS = f"{HELPER}/followers"
DIRECT = Audience(visibility="direct", actors=(ALICE_ACTOR,))
PUBLISHED = Audience(actors=(ALICE_ACTOR,), followers=(BOB_ACTOR,))
POLL = "https://social.example/polls/1"


def post(*parts: Any, audience: Any = PUBLISHED, **given: Any) -> Outgoing:
    return activitypub.post(*parts, audience=audience, **call(**given))


def poll(options: Any = ("Rain", "Sun"), **given: Any) -> Outgoing:
    given = {"audience": PUBLISHED, "ends": NOW + timedelta(days=1)} | given
    return activitypub.poll("Which *day*?", options, **call(**given))


def test_a_post_answers_nothing_and_mentions_its_actors() -> None:
    out = post("Hello, *all*")
    note = note_in(out)
    assert "inReplyTo" not in note
    assert "context" not in note
    assert (note["to"], note["cc"]) == (out.activity["to"], out.activity["cc"]) == ([PUBLIC, ALICE], [FOLLOWERS])
    assert note["tag"] == [{"type": "Mention", "href": ALICE, "name": "@alice@social.example"}]
    assert note["content"].endswith("Hello, <em>all</em></p>")
    assert note["source"] == {"content": "Hello, *all*", "mediaType": "text/markdown"}
    assert [post.url for post in out.deliveries] == [SHARED, "https://other.example/in"]
    assert [*out.serve] == [out.native_id, out.activity["id"]]
    assert out.diagnostics == ()


def test_a_post_has_no_trace() -> None:
    assert "mentionable-trace" not in note_in(post("Hello"))["content"]


def test_a_post_has_files() -> None:
    data = b"a,b"
    part = FilePart(mime="text/csv", name="t.csv", bytes_ref=DigestRef(digest=sha256(data).hexdigest()))
    out = post("Hello", part, blobs={sha256(data).hexdigest(): data})
    (url,) = out.files
    assert note_in(out)["attachment"] == [{"type": "Document", "mediaType": "text/csv", "url": url, "name": "t.csv"}]


def test_a_post_reads_as_a_message_of_the_agent() -> None:
    out = post("Hello", audience=DIRECT)
    message = received(out.deliveries[0]).message
    assert (message.sender.address, message.sender.verified) == ("@helper@agents.example", True)
    assert message.parts[0].content.endswith("Hello")


def test_a_post_is_deleted_where_it_went() -> None:
    out = post("Hello")
    inboxes = [post.url for post in out.deliveries]
    gone = activitypub.delete(out.serve[out.native_id], to=inboxes, **call())
    assert [post.url for post in gone.deliveries] == inboxes
    assert gone.serve[out.native_id]["type"] == "Tombstone"


def test_two_posts_with_the_same_entropy_have_two_ids() -> None:
    assert len({post(text, audience=who).native_id for text in ("a", "b") for who in (PUBLISHED, DIRECT)}) == 4


@pytest.mark.parametrize("parts", [(), ("",), (7,), (None,)])
def test_a_post_says_something(parts: Any) -> None:
    with pytest.raises(UsageError, match="say something"):
        post(*parts)


def test_a_post_has_no_policy() -> None:
    with pytest.raises(UsageError, match="in an answer alone"):
        post("Pay", DEMAND)


def test_a_post_is_bounded_as_an_answer_is() -> None:
    with pytest.raises(UsageError, match="at most 1"):
        post("a", TextPart(content="b"), settings=replace(SETTINGS, limits=Limits(parts=1)))


def test_a_poll_has_its_options_and_its_end() -> None:
    note = note_in(poll())
    assert (note["type"], note["endTime"], note["votersCount"]) == ("Question", "2026-11-22T20:56:00Z", 0)
    assert note["oneOf"][0] == {"type": "Note", "name": "Rain", "replies": {"type": "Collection", "totalItems": 0}}
    assert "anyOf" not in note
    assert "oneOf" not in note_in(poll(multiple=True))
    assert [option["name"] for option in note_in(poll(multiple=True))["anyOf"]] == ["Rain", "Sun"]


def test_a_poll_reads_as_a_message_with_its_options() -> None:
    text = "\n".join(part.content for part in received(poll(audience=DIRECT).deliveries[0]).message.parts)
    assert "Which *day*?" in text
    assert "Rain" in text
    assert "Sun" in text


def tally(served: Any, counts: Any = (3, 1), **given: Any) -> Outgoing:
    return activitypub.tally(served, counts, **{"voters": 4, "to": [INBOX]} | call() | given)


def test_a_tally_counts_the_votes_of_each_option() -> None:
    out = poll()
    counted = tally(out.serve[out.native_id])
    note = note_in(counted)
    assert counted.activity["type"] == "Update"
    assert [option["replies"]["totalItems"] for option in note["oneOf"]] == [3, 1]
    assert (note["votersCount"], note["id"]) == (4, out.native_id)
    assert (counted.activity["to"], counted.activity["cc"]) == (out.activity["to"], out.activity["cc"])
    assert note.keys().isdisjoint({"updated", "closed", "@context"})
    assert counted.serve[out.native_id] == {"@context": out.serve[out.native_id]["@context"], **note}
    assert out.serve[out.native_id]["votersCount"] == 0


def test_a_tally_after_the_end_closes_the_poll() -> None:
    out = poll(multiple=True)
    note = note_in(tally(out.serve[out.native_id], now=NOW + timedelta(days=1)))
    assert note["closed"] == note["endTime"]
    assert note["anyOf"][0]["replies"]["totalItems"] == 3


def test_a_tally_of_a_poll_that_goes_on_for_ever_closes_nothing() -> None:
    served = {name: one for name, one in poll().serve[poll().native_id].items() if name != "endTime"}
    assert "closed" not in note_in(tally(served))


@pytest.mark.parametrize(
    ("members", "given"),
    [
        ({"type": "Note"}, {}),
        ({"attributedTo": BOB}, {}),
        ({"oneOf": {"name": "Rain"}}, {}),
        ({}, {"counts": [1]}),
        ({}, {"counts": [1, -1]}),
        ({}, {"counts": [1, True]}),
        ({}, {"voters": "4"}),
    ],
)
def test_a_tally_is_of_an_own_poll(members: Any, given: Any) -> None:
    with pytest.raises(UsageError, match=r"poll|counts|voters"):
        tally(poll().serve[poll().native_id] | members, **given)


def test_a_poll_is_deleted_as_a_note_is() -> None:
    out = poll()
    gone = activitypub.delete(out.serve[out.native_id], to=(), **call())
    assert gone.serve[out.native_id]["formerType"] == "Question"


@pytest.mark.parametrize(
    "options", ["Rain", [], ["Rain"], ["Rain", "Rain"], ["Rain", " Rain"], ["Rain", ""], ["a", "b" * 501], ["a", 7]]
)
def test_a_poll_leaves_a_choice(options: Any) -> None:
    with pytest.raises(UsageError, match="options"):
        poll(options)


def test_a_poll_ends_later() -> None:
    with pytest.raises(UsageError, match="ends must be after now"):
        poll(ends=NOW)
    with pytest.raises(UsageError, match="question must be"):
        activitypub.poll(7, ["a", "b"], audience=PUBLISHED, ends=NOW, **call())  # type: ignore[arg-type]


def test_a_vote_is_for_the_author_of_the_poll_alone() -> None:
    out = activitypub.vote("Rain", on=POLL, to=ALICE_ACTOR, **call())
    note = note_in(out)
    assert (note["name"], note["inReplyTo"], note["to"]) == ("Rain", POLL, [ALICE])
    assert "content" not in note
    assert [post.url for post in out.deliveries] == [INBOX]
    got = event(out)
    assert (got.type, got.authority, got.object_id, got.content) == ("Vote", "own", POLL, "Rain")
    assert [*out.serve] == [note["id"], out.native_id]


@pytest.mark.parametrize(
    ("option", "given"), [(" ", {}), (7, {}), ("Rain", {"on": "polls/1"}), ("Rain", {"to": ALICE})]
)
def test_a_vote_names_an_option_of_a_poll(option: Any, given: Any) -> None:
    with pytest.raises(UsageError):
        activitypub.vote(option, **{"on": POLL, "to": ALICE_ACTOR} | call() | given)


@pytest.mark.parametrize(
    ("policy", "audience", "automatic", "manual"),
    [
        (QuotePolicy(), PUBLISHED, [HELPER], []),
        (QuotePolicy(automatic=("public",)), PUBLISHED, [PUBLIC], []),
        (QuotePolicy(manual=("public",)), PUBLISHED, [], [PUBLIC]),
        (QuotePolicy(automatic=("followers",), manual=("following",)), PUBLISHED, [FOLLOWERS], [f"{HELPER}/following"]),
        (QuotePolicy(automatic=("public",)), DIRECT, [HELPER], []),
        (QuotePolicy(manual=("public",)), DIRECT, [HELPER], []),
    ],
)
def test_a_note_says_who_may_quote_it(policy: Any, audience: Any, automatic: Any, manual: Any) -> None:
    settings = replace(SETTINGS, quote_policy=policy)
    out = post("Hello", audience=audience, settings=settings)
    expected = {"automaticApproval": automatic, "manualApproval": manual}
    assert note_in(out)["interactionPolicy"] == {"canQuote": expected}
    assert out.activity["@context"][-1]["canQuote"] == {"@id": "gts:canQuote", "@type": "@id"}


def test_an_answer_says_who_may_quote_it_too() -> None:
    settings = activitypub.Settings(quote_policy=QuotePolicy(automatic=("public",)))
    note = note_in(answer("Hello", settings=settings))
    assert note["interactionPolicy"] == {"canQuote": {"automaticApproval": [HELPER], "manualApproval": []}}
    assert "interactionPolicy" not in note_in(answer("Hello"))
