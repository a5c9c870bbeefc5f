"""Accept and Reject: what an agent answers to requests, and what the asking server makes of it."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import UsageError, activitypub, replace
from tests.activitypub.answering import BASE, INBOX
from tests.activitypub.building import QUOTED, QUOTING, call, event, refused, request, row
from tests.activitypub.servers import ALICE, BOB, HELPER, PUBLIC

FOLLOW = request("Follow", HELPER, to=[HELPER], bto=[BOB], published="2026-11-20T00:00:00Z")
QUOTE = request("QuoteRequest", QUOTED, instrument=QUOTING, to=[HELPER])
JOIN = request("Join", QUOTED, to=[HELPER])
OFFER = request("Offer", "https://social.example/things/1", target=HELPER, to=[HELPER])
INVITE = request("Invite", "https://social.example/events/1", target=HELPER)
BUILDERS = [activitypub.accept, activitypub.reject]


@pytest.mark.parametrize("build", BUILDERS)
def test_a_follow_is_answered_to_the_inbox_of_the_follower_alone(build: Any) -> None:
    out = build(FOLLOW, **call())
    assert out.activity["to"] == [ALICE]
    assert out.activity["cc"] == []
    assert [post.url for post in out.deliveries] == [INBOX]
    assert out.native_id.startswith(f"{BASE}/activities/")
    assert out.serve == {out.native_id: out.activity}


@pytest.mark.parametrize("build", BUILDERS)
def test_the_request_is_named_by_what_its_server_looks_for_and_by_nothing_else(build: Any) -> None:
    assert build(FOLLOW, **call()).activity["object"] == {
        "id": FOLLOW.id,
        "type": "Follow",
        "actor": ALICE,
        "object": HELPER,
    }


@pytest.mark.parametrize("build", BUILDERS)
@pytest.mark.parametrize("received", [FOLLOW])
def test_the_asking_server_reads_the_answer_of_the_object_of_its_request(build: Any, received: Any) -> None:
    out = build(received, **call())
    got = event(out)
    assert (got.type, got.authority) == (out.activity["type"], "object")
    assert got.inner is not None
    assert (got.inner.id, got.inner.actor_id, got.inner.object_id) == (received.id, ALICE, HELPER)


@pytest.mark.parametrize("received", [JOIN, OFFER, INVITE, QUOTE, FOLLOW])
def test_every_request_can_be_answered(received: Any) -> None:
    for build in BUILDERS:
        assert build(received, **call()).activity["object"]["type"] == received.type


def test_an_invitation_keeps_its_target_and_a_quote_its_post() -> None:
    assert activitypub.reject(INVITE, **call()).activity["object"]["target"] == HELPER
    assert activitypub.reject(QUOTE, **call()).activity["object"]["instrument"] == QUOTING


def test_an_approved_quote_has_a_stamp_that_everyone_may_fetch() -> None:
    out = activitypub.accept(QUOTE, **call())
    stamp = out.serve[out.activity["result"]]
    assert {name: member for name, member in stamp.items() if name != "@context"} == {
        "id": out.activity["result"],
        "type": "QuoteAuthorization",
        "attributedTo": HELPER,
        "interactingObject": QUOTING,
        "interactionTarget": QUOTED,
    }
    assert activitypub.document_response(stamp).status == 200
    assert activitypub.document_response(out.activity).status == 404


def test_the_words_of_quotes_are_defined() -> None:
    out = activitypub.accept(QUOTE, **call())
    assert out.activity["@context"][1] == {"QuoteRequest": "https://w3id.org/fep/044f#QuoteRequest"}
    assert out.serve[out.activity["result"]]["@context"][1]["interactionTarget"] == {
        "@id": "gts:interactionTarget",
        "@type": "@id",
    }


def test_a_refused_quote_has_no_stamp() -> None:
    out = activitypub.reject(QUOTE, **call())
    assert "result" not in out.activity
    assert list(out.serve) == [out.native_id]


def test_a_stamp_is_withdrawn_as_a_note_is() -> None:
    accepted = activitypub.accept(QUOTE, **call())
    stamp = accepted.serve[accepted.activity["result"]]
    out = activitypub.delete(stamp, to=[INBOX], **call())
    assert [*out.serve] == [stamp["id"], out.native_id]
    assert activitypub.document_response(out.serve[stamp["id"]]).status == 410


@pytest.mark.parametrize(
    "received",
    [
        replace(FOLLOW, object_ids=(BOB,)),
        replace(FOLLOW, object_ids=(HELPER, BOB)),
        replace(INVITE, target_id=BOB),
        replace(JOIN, object_ids=("https://other.example/events/1",)),
        replace(OFFER, document={**OFFER.document, "target": BOB, "to": [PUBLIC]}),
        replace(QUOTE, object_ids=("https://other.example/notes/1",)),
        replace(QUOTE, object_ids=(QUOTED, f"{QUOTED}1")),
    ],
)
@pytest.mark.parametrize("build", BUILDERS)
def test_what_is_asked_of_another_is_not_answered(build: Any, received: Any) -> None:
    with pytest.raises(UsageError, match="not for this agent to answer"):
        build(received, **call())


def test_a_like_is_no_request() -> None:
    with pytest.raises(UsageError, match="received is a Like"):
        activitypub.accept(request("Like", QUOTED, to=[HELPER]), **call())
    with pytest.raises(UsageError, match="received must be ReceivedActivity"):
        activitypub.accept({"type": "Follow"}, **call())  # type: ignore[arg-type]


@pytest.mark.parametrize("build", BUILDERS)
def test_the_answer_to_a_quote_counts_where_the_quoted_note_is_known_as_the_agent_s(build: Any) -> None:
    out = build(QUOTE, **call())
    got = event(out, **{QUOTED: row()})
    assert (got.type, got.authority) == (out.activity["type"], "object")
    assert refused(out.deliveries[0], **{QUOTED: row("@bob@other.example")}) == "authority-unproven"
