"""What is only named, by an Announce or a quote: read from the server of its author, as theirs and nobody else's."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import (
    Failed,
    Fetch,
    LinkPart,
    NormalizedResponse,
    Received,
    Rejected,
    Settings,
    StoredMessage,
    UsageError,
    activitypub,
)
from mentionable._flow.settings import Limits
from mentionable.activitypub import receive_object
from tests.activitypub.servers import (
    ALICE,
    AS2,
    BOB,
    ENTROPY,
    FINGER,
    HELPER,
    NOTE,
    NOW,
    PUBLIC,
    World,
    codes,
    create,
    descriptor,
    fetched,
    finger,
    keyed,
    note,
    refused,
    taken,
)
from tests.activitypub.signing import proven, world

AGENT = "@helper@agents.example"
ADDRESS = "@alice@social.example"
CREATE = f"{NOTE}/activity"
LEAVE_OUT: Any = ...


def public(note_id: str = NOTE, **members: Any) -> dict[str, Any]:
    """A note that everybody may read."""
    return note(note_id, **({"to": [PUBLIC], "@context": AS2} | members))


def around(*documents: dict[str, Any], **answers: Any) -> World:
    found = world(**answers)
    found.web |= {document["id"]: fetched(document) for document in documents}
    return found


def read(where: World, object_id: str = NOTE, settings: Settings | None = None) -> Received | Rejected:
    flow = receive_object(object_id, recipient=AGENT, now=NOW, entropy=ENTROPY, settings=settings or Settings())
    got: Received | Rejected = where.drive(flow)
    return got


def row(**members: Any) -> StoredMessage:
    made = {"id": "m1", "thread_id": "t", "sender": ADDRESS, "auth_method": "ap-http-signature", "verified": True}
    return StoredMessage(**(made | members))


# -- whose it is


def test_an_object_without_a_proof_is_confirmed_by_its_origin_and_not_verified() -> None:
    where = around(public())
    got = taken(read(where))
    assert (got.verdict.verified, got.verdict.method, got.verdict.code) == (False, "none", "origin-only")
    assert got.verdict.steps == ("origin", "address")
    assert (got.message.sender.address, got.message.sender.verified) == (ADDRESS, False)
    assert got.message.sender.auth_method == "none"
    assert (got.identities, got.message.recipient, got.native_id) == ((), AGENT, NOTE)
    assert [part.content for part in got.message.parts if part.kind == "text"] == ["<p>Hello</p>"]
    assert where.urls == [NOTE, ALICE, FINGER]


def test_the_sender_has_the_address_that_their_domain_confirms() -> None:
    jrd = finger(descriptor("acct:alice@a.example"))
    own = finger(
        descriptor("acct:alice@a.example"), "https://a.example/.well-known/webfinger?resource=acct:alice@a.example"
    )
    where = around(public(), **{own.url: own, FINGER: jrd})
    assert taken(read(where)).message.sender.address == "@alice@a.example"


@pytest.mark.parametrize(
    ("jrd", "code"),
    [(finger(descriptor(href=BOB)), "address-unconfirmed"), (finger(status=404), "address-unconfirmed")],
)
def test_an_address_that_is_not_confirmed_is_told(jrd: Any, code: str) -> None:
    got = taken(read(around(public(), **{FINGER: jrd})))
    assert (got.verdict.code, got.verdict.steps, got.message.sender.verified) == (code, ("origin",), False)


def test_where_the_domain_does_not_answer_it_can_be_asked_again() -> None:
    where = around(public(), **{FINGER: Failed("timeout")})
    assert refused(read(where)) == "lookup-failed"
    got = taken(read(where, settings=activitypub.Settings(defer_unproven=False)))
    assert got.verdict.code == "address-unresolvable"


def test_a_proof_on_the_object_verifies_its_author() -> None:
    where = around(proven(public()))
    got = taken(read(where))
    assert (got.verdict.verified, got.verdict.method) == (True, "ap-object-integrity-proof")
    assert (got.message.sender.address, got.message.sender.verified) == (ADDRESS, True)
    assert got.verdict.addressed == ()
    assert codes(got.diagnostics) == ["not-addressed"]


def test_a_proof_on_a_create_verifies_its_actor() -> None:
    where = around(proven(create(public(), to=[PUBLIC, HELPER])))
    got = taken(read(where, CREATE))
    assert (got.verdict.verified, got.native_id, got.aliases) == (True, CREATE, (NOTE,))
    assert got.verdict.addressed == (AGENT,)


def test_a_proof_on_the_object_inside_a_create_verifies_its_author() -> None:
    got = taken(read(around(create(proven(public()))), CREATE))
    assert (got.verdict.verified, got.native_id, got.aliases) == (True, NOTE, ())


def test_a_proof_without_a_context_of_its_own_verifies_nobody() -> None:
    inside = {name: member for name, member in proven(public()).items() if name != "@context"}
    got = taken(read(around(create(inside, to=[PUBLIC])), CREATE))
    assert got.verdict.code == "coverage-missing"


def test_a_proof_that_fails_is_not_made_good_by_the_origin() -> None:
    got = taken(read(around(proven(public()) | {"content": "<p>Other</p>"})))
    assert (got.verdict.verified, got.verdict.code) == (False, "bad-signature")


def test_a_proof_for_another_domain_verifies_nobody() -> None:
    assert taken(read(around(proven(public(), domain="other.example")))).verdict.code == "host-mismatch"
    assert taken(read(around(proven(public(), domain="agents.example")))).verdict.verified


def test_a_json_ld_signature_counts_for_nothing() -> None:
    got = taken(read(around(public(signature={"type": "RsaSignature2017"}))))
    assert got.verdict.code == "origin-only"


def test_what_wants_a_verified_sender_takes_no_object_without_a_proof() -> None:
    got = read(around(public()), settings=Settings(require_verified=True))
    assert refused(got) == "verification-required"
    assert refused(read(around(public()), settings=Settings(require_verified=True, use_once=True))) == refused(got)
    assert taken(read(around(proven(public())), settings=Settings(require_verified=True))).verdict.verified


@pytest.mark.parametrize(
    ("authors", "code"),
    [
        (LEAVE_OUT, "author-missing"),
        ([], "author-missing"),
        (BOB, "author-mismatch"),
        ([ALICE, "https://social.example/users/eve"], "author-mismatch"),
        (7, "author-mismatch"),
        ([{"id": 7}], "author-mismatch"),
        (f"https://social.example/{'x' * 3000}", "author-mismatch"),
        ([{"type": "Group", "id": "https://social.example/channels/1"}], "author-mismatch"),
    ],
)
def test_an_object_has_one_author_of_its_own_origin(authors: Any, code: str) -> None:
    where = around(public(attributedTo=authors))
    assert refused(read(where)) == code
    assert where.urls == [NOTE]


def test_a_video_is_by_its_author_and_not_by_its_channel() -> None:
    channel = {"type": "Group", "id": "https://social.example/channels/1"}
    video = public(type="Video", name="Rain", attributedTo=[{"type": "Person", "id": ALICE}, channel])
    assert taken(read(around(video))).message.sender.address == ADDRESS


def test_an_author_who_is_gone_or_silent_is_named_so() -> None:
    where = around(public(), **{ALICE: fetched({}, ALICE, status=410)})
    assert refused(read(where)) == "sender-gone"
    where = around(public(), **{ALICE: Failed("timeout")})
    assert refused(read(where)) == "sender-unresolvable"


def test_what_an_agent_here_wrote_is_read_by_none() -> None:
    where = around(public())
    where.agents[ALICE] = "@alice@agents.example"
    assert refused(read(where)) == "own-message"


# -- for whom it is


@pytest.mark.parametrize(
    "members",
    [
        {"to": [HELPER]},
        {"to": ["https://social.example/users/alice/followers"], "cc": [PUBLIC]},
        {"to": "as:Public"},
        {"to": [], "bto": [HELPER]},
    ],
)
def test_it_is_public_or_for_the_agent(members: Any) -> None:
    assert taken(read(around(public(**members)))).message.recipient == AGENT


@pytest.mark.parametrize(
    "members",
    [
        {"to": []},
        {"to": ["https://social.example/users/alice/followers"]},
        {"to": [BOB], "audience": PUBLIC},
        {"to": [BOB], "tag": [{"type": "Mention", "href": HELPER}]},
    ],
)
def test_what_is_neither_is_not_read(members: Any) -> None:
    got = read(around(public(**members)))
    assert (refused(got), got.http_status) == ("recipient-elsewhere", 202)  # type: ignore[union-attr]


def test_the_narrower_of_create_and_object_decides() -> None:
    assert refused(read(around(create(public(to=[BOB]), to=[PUBLIC])), CREATE)) == "recipient-elsewhere"
    assert refused(read(around(create(public(), to=[BOB])), CREATE)) == "recipient-elsewhere"
    assert taken(read(around(create(public(to=LEAVE_OUT), to=[PUBLIC])), CREATE)).message


def test_where_it_cannot_be_said_whom_it_is_for_it_can_be_asked_again() -> None:
    where = around(public())
    where.agents[ALICE] = Failed("locked")
    assert refused(read(where)) == "lookup-failed"


# -- which document it is


def test_what_stands_under_another_url_is_read_under_its_own_id() -> None:
    page = "https://social.example/@alice/2"
    where = around(public(), **{page: fetched(public(), page)})
    assert taken(read(where, page)).native_id == NOTE
    assert where.urls[:2] == [page, NOTE]


def test_a_redirect_to_the_id_needs_no_second_fetch() -> None:
    page = "https://social.example/@alice/2"
    where = around(**{page: fetched(public())})
    assert taken(read(where, page)).native_id == NOTE
    assert where.urls[:2] == [page, ALICE]


@pytest.mark.parametrize(
    "own", ["https://other.example/notes/2", "http://social.example/notes/2", 7, None, [NOTE], "x" * 3000]
)
def test_no_document_speaks_for_an_id_elsewhere(own: Any) -> None:
    where = around(**{NOTE: fetched(public() | {"id": own}, NOTE)})
    assert refused(read(where)) == "object-unresolvable"
    assert where.urls == [NOTE]


def test_only_one_step_is_taken_to_the_id() -> None:
    one, two, three = (f"https://social.example/notes/{n}" for n in (1, 2, 3))
    where = around(**{one: fetched(public(two), one), two: fetched(public(three), two), three: fetched(public(three))})
    assert refused(read(where, one)) == "object-unresolvable"
    assert where.urls == [one, two]


@pytest.mark.parametrize(
    ("object_id", "code"),
    [
        ("http://social.example/notes/1", "id-refused"),
        ("https://127.0.0.1/notes/1", "id-refused"),
        ("javascript:alert(1)", "id-refused"),
        ("", "id-refused"),
        ("https://social.example/\ud800", "id-refused"),
        ("https://social.example/\n", "id-refused"),
        (f"https://social.example/{'x' * 3000}", "id-too-long"),
    ],
)
def test_a_hostile_id_is_refused_before_anything_is_asked(object_id: str, code: str) -> None:
    where = around()
    assert refused(read(where, object_id)) == code
    assert where.asked == []


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Failed("timeout"), "lookup-failed"),
        (fetched({}, NOTE, status=503), "lookup-failed"),
        (fetched({}, NOTE, status=404), "object-unresolvable"),
        (fetched({}, NOTE, status=410), "object-unresolvable"),
        (fetched(public(), content_type="text/html"), "object-unresolvable"),
        (fetched(public(), "https://other.example/notes/2"), "object-unresolvable"),
    ],
)
def test_what_cannot_be_fetched_is_not_read(answer: Any, code: str) -> None:
    assert refused(read(around(**{NOTE: answer}))) == code


@pytest.mark.parametrize("kind", ["Person", "Tombstone", "OrderedCollection", "Key", None])
def test_what_is_no_content_is_not_read(kind: Any) -> None:
    assert refused(read(around(public(type=kind)))) in ("unsupported-object", "missing-member")


def test_a_vote_is_not_read() -> None:
    vote = public(name="Rain", content=LEAVE_OUT, inReplyTo="https://social.example/notes/1")
    assert refused(read(around(vote))) == "unsupported-object"


# -- activities


def test_a_create_is_read_through_to_its_object() -> None:
    got = taken(read(around(create(public(), to=[PUBLIC])), CREATE))
    assert (got.native_id, got.aliases, got.verdict.code) == (CREATE, (NOTE,), "origin-only")


def test_an_object_that_a_create_only_names_is_read_from_its_own_place() -> None:
    where = around(create(NOTE, to=[PUBLIC]), public())
    assert taken(read(where, CREATE)).aliases == (NOTE,)
    assert where.urls[:2] == [CREATE, NOTE]
    assert refused(read(around(create("https://other.example/1")), CREATE)) == "origin-mismatch"
    assert refused(read(around(create(public(attributedTo=LEAVE_OUT))), CREATE)) == "author-missing"
    eve = public(attributedTo="https://social.example/users/eve")
    assert refused(read(around(create(eve)), CREATE)) == "author-mismatch"


@pytest.mark.parametrize("kind", ["Announce", "Like", "Delete", "Undo"])
def test_an_activity_that_names_another_is_not_followed(kind: str) -> None:
    activity = create(NOTE, id=CREATE, type=kind)
    where = around(activity, public())
    assert refused(read(where, CREATE)) == "unsupported-activity"
    assert where.urls == [CREATE]


def test_the_document_of_an_actor_that_is_updated_is_no_message() -> None:
    assert refused(read(around(create(ALICE, type="Update")), CREATE)) in ("author-missing", "unsupported-object")


# -- what was received before


def test_what_was_received_before_keeps_its_id_and_thread() -> None:
    first = around(public(to=[HELPER]))
    stored = row(digest=next(iter(taken(read(first)).to_store.values())).digest)
    where = around(public(to=[HELPER]))
    where.messages[NOTE] = stored
    got = taken(read(where))
    assert (got.redelivered, got.message.id, got.message.thread_id) == (got.messages, "m1", "t")
    assert codes(got.diagnostics) == ["redelivered"]
    kept = got.to_store[NOTE, AGENT]
    assert not kept.replaces(stored)


def test_what_reads_otherwise_than_what_was_proven_needs_a_proof() -> None:
    where = around(public())
    where.messages[NOTE] = row(digest="0" * 64)
    assert refused(read(where)) == "verification-required"
    where = around(proven(public()))
    where.messages[NOTE] = row(digest="0" * 64)
    got = taken(read(where))
    assert (got.messages, [one.id for one in got.edited]) == ((), ["m1"])


def test_what_was_only_fetched_before_is_edited_by_its_origin() -> None:
    where = around(public())
    where.messages[NOTE] = row(digest="0" * 64, auth_method="none", verified=False)
    got = taken(read(where))
    assert (got.messages, [one.id for one in got.edited], codes(got.diagnostics)) == ((), ["m1"], ["edited"])


def test_a_fetched_update_is_what_its_object_says_now() -> None:
    where = around(create(public(), type="Update", to=[PUBLIC]))
    assert len(taken(read(where, CREATE)).messages) == 1
    where.messages[CREATE] = row(digest="0" * 64, auth_method="none", verified=False)
    assert [one.id for one in taken(read(where, CREATE)).edited] == ["m1"]


def test_what_another_stored_under_the_id_is_another_message() -> None:
    where = around(public())
    where.messages[NOTE] = row(sender="@eve@social.example")
    got = taken(read(where))
    assert got.message.id != "m1"
    assert codes(got.diagnostics) == ["native-id-reused"]


def test_where_the_store_is_silent_it_can_be_asked_again() -> None:
    where = around(public())
    where.messages[NOTE] = Failed("locked")
    assert refused(read(where)) == "lookup-failed"


# -- bounds


def test_two_posts_that_quote_each_other_are_one_fetch_each() -> None:
    other = "https://social.example/notes/1"
    where = around(public(quoteUrl=other), public(other, quoteUrl=NOTE))
    (link,) = [part for part in taken(read(where)).message.parts if isinstance(part, LinkPart)]
    assert link.url == other
    assert where.urls == [NOTE, ALICE, FINGER]
    assert taken(read(where, link.url)).native_id == other
    assert where.urls[3:] == [other, ALICE, FINGER]


def test_a_reply_that_is_fetched_has_its_thread_and_history() -> None:
    parent = public("https://social.example/notes/1", published="2026-11-20T08:00:00Z")
    got = taken(read(around(public(inReplyTo=parent["id"]), parent)))
    assert (got.message.thread_id, got.message.in_reply_to) == (parent["id"], parent["id"])
    assert [turn.id for turn in got.message.history or ()] == [parent["id"]]


def test_look_ups_are_bounded() -> None:
    where = around(public(inReplyTo="https://social.example/notes/1"))
    got = read(where, settings=Settings(limits=Limits(asks=2)))
    assert sum(isinstance(ask, Fetch) for ask in where.asked) <= 2
    assert isinstance(got, (Received, Rejected))


def test_the_id_is_text() -> None:
    with pytest.raises(UsageError, match="object_id"):
        receive_object(7, recipient=AGENT, now=NOW, entropy=ENTROPY)  # type: ignore[arg-type]


def test_an_answer_to_it_goes_to_its_author() -> None:
    inbox = f"{ALICE}/inbox"
    where = around(public(to=[PUBLIC, HELPER]), **{ALICE: fetched(keyed(inbox=inbox))})
    message = taken(read(where)).message
    out = activitypub.reply(
        NormalizedResponse.to(message, "Yes."), to=message, base="https://agents.example", now=NOW, entropy=ENTROPY
    )
    assert (out.activity["object"]["inReplyTo"], [one.url for one in out.deliveries]) == (NOTE, [inbox])
