"""Activities that are no messages: each type, by whoever may do it, and by whoever may not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mentionable import Failed, Fetch, FindMessages, Rejected, Settings, StoredMessage, activitypub, drive
from mentionable._model.base import replace
from mentionable.activitypub import ReceivedActivity
from tests.activitypub.servers import (
    ALICE,
    AS2,
    BOB,
    ENTROPY,
    HELPER,
    NOTE,
    NOW,
    World,
    actor,
    create,
    descriptor,
    fetched,
    finger,
    keyed,
    note,
)
from tests.activitypub.signing import changed, post, signed, world

EVE = "https://social.example/users/eve"
OURS = "https://agents.example/objects/1"
AGENT = "@helper@agents.example"
INBOX = f"{ALICE}/inbox"


def act(kind: str, about: Any = ..., **members: Any) -> dict[str, Any]:
    found = {
        "@context": AS2,
        "id": f"https://social.example/activities/{kind}",
        "type": kind,
        "actor": ALICE,
        "object": about,
    } | members
    return {name: member for name, member in found.items() if member is not ...}


def inner(kind: str, about: Any, by: str = ALICE, host: str = "social.example") -> dict[str, Any]:
    return {"id": f"https://{host}/activities/0", "type": kind, "actor": by, "object": about}


def somewhere(**documents: Any) -> World:
    found = world(keyed(inbox=INBOX))
    found.web |= {name: fetched(document) for name, document in documents.items()}
    return found


def row(sender: str = "@alice@social.example", **members: Any) -> dict[str, StoredMessage]:
    found = StoredMessage(id="m1", thread_id="t", sender=sender, auth_method="ap-http-signature", verified=True)
    return {AGENT: found} | members


def receive(activity: Any, where: World | None = None, recipient: str | None = None, **more: Any) -> Any:
    request = signed(activity)
    flow = activitypub.receive(request, recipient=recipient, now=NOW, entropy=ENTROPY, **more)
    return drive(flow, (where or somewhere()).answer)


def event(activity: Any, where: World | None = None, recipient: str | None = None) -> ReceivedActivity:
    found = receive(activity, where, recipient)
    assert isinstance(found, ReceivedActivity), found
    return found


def refused(activity: Any, where: World | None = None, **given: Any) -> str:
    found = receive(activity, where, **given)
    assert isinstance(found, Rejected), found
    return found.code


def test_a_follow_is_of_a_verified_actor_and_of_an_agent_here() -> None:
    found = event(act("Follow", HELPER))
    assert (found.type, found.authority, found.object_id, found.recipients) == ("Follow", "own", HELPER, (AGENT,))
    assert (found.actor.address, found.actor.id, found.actor.inbox) == ("@alice@social.example", ALICE, INBOX)
    assert (found.verdict.verified, found.document["id"]) == (True, found.id)
    assert refused(act("Follow", BOB)) == "recipient-elsewhere"
    assert event(act("Follow", HELPER), recipient=AGENT).recipients == (AGENT,)
    assert refused(act("Follow", [HELPER, BOB])) == "wrong-type"


def test_what_came_to_the_inbox_of_an_agent_must_be_about_that_agent() -> None:
    assert refused(act("Follow", BOB), recipient=AGENT) == "recipient-elsewhere"
    assert refused(act("Follow", HELPER), recipient="@other@agents.example") == "recipient-elsewhere"
    answered = {"type": "Follow", "id": f"{HELPER}/follows/1", "actor": HELPER, "object": ALICE}
    assert event(act("Accept", answered), recipient=AGENT).recipients == (AGENT,)
    assert refused(act("Accept", answered), recipient="@other@agents.example") == "recipient-elsewhere"


@pytest.mark.parametrize("kind", ["Join", "QuoteRequest"])
def test_what_is_asked_for_is_of_this_server(kind: str) -> None:
    post = {"instrument": "https://social.example/notes/2"}
    assert event(act(kind, OURS, **post)).object_id == OURS
    assert refused(act(kind, "https://other.example/notes/1", **post)) == "recipient-elsewhere"
    assert refused(act(kind, [OURS, f"{OURS}0"], **post)) == "wrong-type"


@pytest.mark.parametrize(
    "kind",
    ["Announce", "Dislike", "EmojiReact", "Flag", "Ignore", "Join", "Leave", "Like", "Listen", "Offer", "Read", "View"],
)
def test_what_is_done_in_the_actor_s_own_name_needs_no_more(kind: str) -> None:
    where = somewhere()
    where.everywhere[OURS] = row(AGENT)
    found = event(act(kind, OURS, to=[HELPER]), where)
    assert (found.type, found.authority, found.object_id, found.recipients) == (kind, "own", OURS, (AGENT,))
    assert found.stored == row(AGENT)


@pytest.mark.parametrize("kind", ["Block", "Invite"])
def test_a_block_is_of_an_agent_here(kind: str) -> None:
    assert event(act(kind, HELPER)).recipients == (AGENT,)
    assert refused(act(kind, BOB)) == "recipient-elsewhere"


def test_an_invitation_is_of_its_target() -> None:
    event_id = "https://social.example/events/1"
    found = event(act("Invite", event_id, target=HELPER))
    assert (found.object_id, found.target_id, found.recipients) == (event_id, HELPER, (AGENT,))
    assert refused(act("Invite", event_id, target=BOB)) == "recipient-elsewhere"
    assert refused(act("Invite", event_id)) == "recipient-elsewhere"


@pytest.mark.parametrize(
    ("activity", "content"),
    [
        (act("Like", OURS), None),
        (act("Like", OURS, content="👍"), "👍"),
        (act("Like", OURS, _misskey_reaction=":blob:"), ":blob:"),
        (act("EmojiReact", OURS, content=" 🎉\n"), "🎉"),
        (act("EmojiReact", OURS, content="x" * 1000), None),
        (act("EmojiReact", OURS, content=7), None),
        (act("Flag", [HELPER, OURS], content="<p>Spam</p>"), "Spam"),
        (act("Flag", [HELPER, OURS], content=["Spam"]), None),
        (act("Announce", OURS, content="x"), None),
    ],
)
def test_reports_have_words_and_reactions_an_emoji(activity: Any, content: str | None) -> None:
    assert event(activity).content == content


def test_a_report_names_all_that_it_is_about() -> None:
    assert event(act("Flag", [HELPER, {"id": OURS}, OURS])).object_ids == (HELPER, OURS)
    assert refused(act("Flag", [f"{OURS}/{n}" for n in range(101)])) == "too-many-parts"


def test_a_vote_is_an_event_and_no_message() -> None:
    vote = note(name="Rain", content=..., inReplyTo=OURS)
    found = event(create(vote))
    assert (found.type, found.object_id, found.content, found.recipients) == ("Vote", OURS, "Rain", (AGENT,))
    assert refused(create(vote | {"attributedTo": EVE})) == "author-mismatch"


@pytest.mark.parametrize(
    "members",
    [
        {"content": "<p>Hi</p>"},
        {"inReplyTo": ...},
        {"name": " "},
        {"name": 5},
        {"inReplyTo": [OURS, NOTE]},
        {"attachment": {"type": "Document", "url": "https://a.example/x"}},
        {"type": "Article"},
    ],
)
def test_what_is_more_than_a_vote_is_a_message_or_nothing(members: dict[str, Any]) -> None:
    found = receive(create(note(**{"name": "Rain", "content": ..., "inReplyTo": OURS} | members)))
    assert not isinstance(found, ReceivedActivity)


def test_an_actor_changes_and_deletes_itself_alone() -> None:
    assert event(act("Update", keyed())).authority == "self"
    assert event(act("Update", ALICE)).object_ids == (ALICE,)
    assert event(act("Delete", ALICE)).authority == "self"
    assert refused(act("Update", actor(EVE))) == "owner-mismatch"
    assert refused(act("Update", actor(BOB))) == "origin-mismatch"
    assert refused(act("Delete", EVE)) == "object-unknown"


@pytest.mark.parametrize("about", [NOTE, {"id": NOTE, "type": "Tombstone"}])
def test_a_delete_is_of_what_the_actor_wrote(about: Any) -> None:
    where = somewhere()
    where.everywhere[NOTE] = row()
    found = event(act("Delete", about), where)
    assert (found.authority, found.object_id, found.stored) == ("author", NOTE, row())


def test_a_delete_of_what_another_wrote_on_the_same_server_is_refused() -> None:
    where = somewhere()
    where.everywhere[NOTE] = row("@eve@social.example")
    assert refused(act("Delete", NOTE), where) == "owner-mismatch"
    theirs = row(**{"@other@agents.example": row("@eve@social.example")[AGENT]})
    where.everywhere[NOTE] = theirs
    assert event(act("Delete", NOTE), where).stored == row()


def test_a_delete_is_of_one_thing_lest_one_s_own_cover_another_s() -> None:
    where = somewhere()
    where.everywhere[NOTE] = row()
    assert refused(act("Delete", [NOTE, "https://social.example/notes/eve"]), where) == "wrong-type"
    assert refused(act("Delete", [ALICE, EVE]), where) == "wrong-type"


def test_who_has_an_address_at_another_domain_deletes_what_they_wrote() -> None:
    where = world(
        keyed(inbox=INBOX),
        finger(descriptor("acct:alice@vanity.example")),
        **{
            "https://vanity.example/.well-known/webfinger?resource=acct:alice@vanity.example": finger(
                descriptor("acct:alice@vanity.example"),
                "https://vanity.example/.well-known/webfinger?resource=acct:alice@vanity.example",
            )
        },
    )
    where.everywhere[NOTE] = row("@alice@vanity.example")
    assert event(act("Delete", NOTE), where).actor.address == "@alice@vanity.example"
    where.everywhere[NOTE] = row("@alice@social.example")
    assert refused(act("Delete", NOTE), where) == "owner-mismatch"
    where.everywhere[NOTE] = {AGENT: replace(row()[AGENT], verified=False)}
    assert event(act("Delete", NOTE), where).authority == "author"


def test_of_what_nobody_stored_nothing_is_looked_up() -> None:
    where = somewhere()
    assert refused(act("Delete", NOTE), where) == "object-unknown"
    assert where.urls == []


def test_a_store_that_cannot_answer_makes_it_come_again() -> None:
    where = somewhere()
    where.everywhere[NOTE] = Failed("locked")
    assert refused(act("Delete", NOTE), where) == "lookup-failed"


def test_an_undo_is_of_one_s_own() -> None:
    found = event(act("Undo", inner("Follow", HELPER), to=[HELPER]))
    assert found.inner is not None
    assert (found.authority, found.inner.type, found.inner.object_id) == ("author", "Follow", HELPER)
    assert refused(act("Undo", inner("Follow", HELPER, by=EVE))) == "owner-mismatch"


def test_an_undo_under_the_id_of_what_another_did_is_refused() -> None:
    where = somewhere()
    where.everywhere["https://social.example/activities/0"] = row("@eve@social.example")
    assert refused(act("Undo", inner("Follow", HELPER)), where) == "owner-mismatch"


def test_an_undo_under_an_id_of_another_origin_is_refused() -> None:
    assert refused(act("Undo", inner("Follow", HELPER, host="other.example"))) == "origin-mismatch"
    assert refused(act("Undo", inner("Follow", HELPER) | {"id": "tag:x,2026:1"})) == "origin-mismatch"
    named = event(act("Undo", inner("Like", OURS) | {"id": f"{ALICE}#likes/1"})).inner
    assert named is not None
    assert named.id == f"{ALICE}#likes/1"


def test_an_undo_that_only_names_it_is_looked_up() -> None:
    own = "https://social.example/activities/0"
    where = somewhere(**{own: inner("Like", OURS) | {"@context": AS2}})
    where.everywhere[OURS] = row(AGENT)
    found = event(act("Undo", own), where)
    assert found.inner is not None
    assert (found.inner.type, found.inner.actor_id) == ("Like", ALICE)
    assert refused(act("Undo", own), somewhere(**{own: inner("Like", OURS, by=EVE) | {"@context": AS2}})) == (
        "owner-mismatch"
    )
    assert refused(act("Undo", own + "#x"), somewhere(**{own: inner("Like", OURS) | {"@context": AS2}})) == (
        "authority-unproven"
    )
    assert refused(act("Undo", "https://other.example/1")) == "authority-unproven"
    assert refused(act("Undo", own)) == "lookup-failed"
    gone = somewhere()
    gone.web[own] = fetched({}, own, status=404)
    assert refused(act("Undo", own), gone) == "authority-unproven"


@pytest.mark.parametrize("kind", ["Undo", "Accept", "Reject", "TentativeAccept", "TentativeReject"])
@pytest.mark.parametrize("about", [{}, [{}], {"type": "Note", "content": "x"}, {"type": "Follow2"}])
def test_what_is_neither_a_known_activity_nor_has_an_id_is_refused(kind: str, about: Any) -> None:
    assert refused(act(kind, about)) == "missing-member"


ACCEPTS = ["Accept", "Reject", "TentativeAccept", "TentativeReject"]


@pytest.mark.parametrize("kind", ACCEPTS)
def test_a_follow_is_accepted_by_who_is_followed(kind: str) -> None:
    found = event(act(kind, inner("Follow", ALICE, by=HELPER, host="agents.example")))
    assert (found.type, found.authority, found.recipients) == (kind, "object", (AGENT,))
    assert refused(act(kind, inner("Follow", EVE, by=HELPER, host="agents.example"))) == "authority-unproven"
    assert refused(act(kind, inner("Follow", ALICE, by=BOB))) == "recipient-elsewhere"


def test_a_quote_is_accepted_by_who_wrote_what_is_quoted() -> None:
    where = somewhere()
    request = inner("QuoteRequest", NOTE, by=HELPER, host="agents.example")
    assert refused(act("Accept", request), where) == "authority-unproven"
    where.everywhere[NOTE] = row()
    assert event(act("Accept", request), where).stored == row()
    where.everywhere[NOTE] = row("@eve@social.example")
    assert refused(act("Accept", request), where) == "authority-unproven"


def test_an_accept_that_only_names_the_follow_asks_for_it() -> None:
    own = "https://agents.example/activities/0"
    follow = inner("Follow", ALICE, by=HELPER, host="agents.example") | {"@context": AS2}
    assert event(act("Accept", own), somewhere(**{own: follow})).recipients == (AGENT,)
    assert refused(act("Accept", own), somewhere(**{own: follow | {"actor": BOB}})) == "recipient-elsewhere"
    assert refused(act("Accept", own), somewhere(**{own: follow | {"actor": [BOB, ALICE]}})) == "recipient-elsewhere"
    assert refused(act("Accept", own), somewhere(**{own: follow | {"object": [ALICE, BOB]}})) == "authority-unproven"
    assert refused(act("Accept", "tag:x,2026:1")) == "authority-unproven"
    assert refused(act("Accept", [follow, follow])) == "wrong-type"


def test_what_is_asked_for_an_activity_comes_in_as_few_batches_as_for_its_signature_alone() -> None:
    where = somewhere()

    def batches(flow: Any) -> int:
        count, answers = 0, None
        try:
            while True:
                asks = flow.send(answers)
                count, answers = count + 1, tuple(map(where.answer, asks))
        except StopIteration:
            return count

    request = signed(act("Follow", HELPER))
    alone = batches(activitypub.verify(request, now=NOW))
    assert batches(activitypub.receive(request, now=NOW, entropy=ENTROPY)) == alone == 2


def test_a_delete_of_what_is_not_stored_asks_for_nothing_else() -> None:
    flow = activitypub.receive(signed(act("Delete", NOTE)), now=NOW, entropy=ENTROPY)
    assert next(flow) == (FindMessages(native_id=NOTE),)
    with pytest.raises(StopIteration) as end:
        flow.send(({},))
    assert end.value.value.code == "object-unknown"


def test_the_public_collection_is_nobody_who_can_follow() -> None:
    public = "https://www.w3.org/ns/activitystreams#Public"
    where = somewhere(**{public: actor(public)})
    follow = act("Follow", HELPER, id="https://www.w3.org/1", actor=public)
    assert refused(follow, where) == "sender-unresolvable"


NEW = "https://other.example/users/alice"


def test_a_move_is_said_by_both_accounts() -> None:
    old, new = keyed(inbox=INBOX, movedTo=NEW), actor(NEW, alsoKnownAs=[ALICE])
    move = act("Move", ALICE, target=NEW)

    def where(old: Any, new: Any) -> World:
        found = somewhere(**{NEW: new})
        found.web[ALICE] = fetched(old)
        return found

    found = event(move, where(old, new))
    assert (found.authority, found.target_id) == ("self", NEW)
    assert event(act("Move", target=NEW), where(old, new)).target_id == NEW
    assert refused(move, where(old, actor(NEW))) == "authority-unproven"
    assert refused(move, where(old, actor(NEW, alsoKnownAs=EVE))) == "authority-unproven"
    assert refused(move, where(keyed(inbox=INBOX), new)) == "authority-unproven"
    assert refused(move | {"object": EVE}, where(old, new)) == "owner-mismatch"
    assert refused(move | {"target": "tag:x,2026:1"}, where(old, new)) == "authority-unproven"
    assert refused(act("Move", ALICE)) == "missing-member"
    assert refused(move, somewhere()) == "lookup-failed"
    assert refused(move, where(old, {"@context": AS2, "id": NEW, "type": "Note"})) == "authority-unproven"


@pytest.mark.parametrize("kind", ["Add", "Remove"])
def test_a_collection_is_changed_by_its_owner(kind: str) -> None:
    where = world(keyed(inbox=INBOX, featured=f"{ALICE}/featured"))
    assert event(act(kind, NOTE, target=f"{ALICE}/featured"), where).authority == "collection"
    assert refused(act(kind, NOTE, target=f"{EVE}/featured"), where) == "authority-unproven"
    theirs = f"{BOB}/featured"  # an actor document may name anything
    assert refused(act(kind, NOTE, target=theirs), world(keyed(inbox=INBOX, featured=theirs))) == "authority-unproven"
    assert refused(act(kind, NOTE)) == "missing-member"
    assert refused(act(kind, NOTE, target=[])) == "missing-member"


def test_a_quote_is_asked_for_by_who_quotes() -> None:
    ask = act("QuoteRequest", OURS, instrument={"id": NOTE, "type": "Note", "attributedTo": ALICE})
    found = event(ask | {"to": [HELPER]})
    assert (found.object_id, found.target_id, found.authority) == (OURS, NOTE, "own")
    assert event(ask | {"type": "https://w3id.org/fep/044f#QuoteRequest"}).type == "QuoteRequest"
    assert event(ask | {"instrument": NOTE}).target_id == NOTE
    assert refused(ask | {"instrument": {"id": NOTE, "attributedTo": EVE}}) == "author-mismatch"
    assert refused(ask | {"instrument": "https://other.example/1"}) == "origin-mismatch"
    assert refused(ask | {"type": ["QuoteRequest", "Delete"]}) == "unsupported-activity"


def test_a_quote_under_the_id_of_what_another_wrote_is_refused() -> None:
    where = somewhere()
    where.everywhere[NOTE] = row("@eve@social.example")
    assert refused(act("QuoteRequest", OURS, instrument=NOTE), where) == "owner-mismatch"
    where.everywhere[NOTE] = row()
    assert event(act("QuoteRequest", OURS, instrument=NOTE), where).target_id == NOTE


def test_an_announce_carries_another_s_activity_which_is_not_its_word() -> None:
    passed_on = inner("Create", {"id": "https://other.example/notes/1"}, by=BOB, host="other.example")
    found = event(act("Announce", passed_on))
    assert found.inner is not None
    assert found.object_id == "https://other.example/activities/0"
    assert (found.inner.type, found.inner.actor_id) == ("Create", BOB)
    assert event(act("Announce", {"id": NOTE, "type": "Note"})).inner is None


def test_only_what_is_proven_is_an_event() -> None:
    for wrong in (
        post(act("Follow", HELPER)),
        changed(signed(act("Follow", HELPER)), date="Sat, 01 Nov 2025 00:00:00 GMT"),
    ):
        found = drive(activitypub.receive(wrong, now=NOW, entropy=ENTROPY), somewhere().answer)
        assert isinstance(found, Rejected)
        assert (found.code, found.http_status) == ("verification-required", 401)
        assert found.verdict is not None
        assert not found.verdict.verified


def test_what_cannot_be_proven_just_now_comes_again() -> None:
    where = somewhere()
    del where.web["https://social.example/.well-known/webfinger?resource=acct:alice@social.example"]
    found = receive(act("Follow", HELPER), where)
    assert (found.code, found.http_status, found.verdict.code) == ("lookup-failed", 503, "address-unresolvable")


@pytest.mark.parametrize(
    ("activity", "code"),
    [
        (act("Like"), "missing-member"),
        (act("Like", []), "missing-member"),
        (act("Like", 5), "wrong-type"),
        (act("Like", "javascript:alert(1)"), "id-refused"),
        (act("Like", {"type": "Note"}), "missing-member"),
        (act("Like", OURS, id=["https://social.example/1"]), "wrong-type"),
        (act("Like", OURS, **{"@context": [AS2, {"Like": "as:Delete"}]}), "json-ld-refused"),
        (act("EmojiReact", OURS, **{"@context": [AS2, {"EmojiReact": "as:Delete"}]}), "json-ld-refused"),
    ],
)
def test_what_cannot_be_read_is_refused(activity: Any, code: str) -> None:
    assert refused(activity) == code


def test_an_actor_without_an_inbox_cannot_be_answered() -> None:
    assert refused(act("Follow", HELPER), world()) == "missing-member"


def departed(**rows: Any) -> World:
    """Alice's server when she is gone, and what is stored under these ids."""
    where = somewhere()
    where.web[ALICE] = fetched({}, ALICE, status=410)
    where.everywhere |= rows
    return where


def test_an_actor_who_is_gone_says_nothing_any_more() -> None:
    for activity in (create(), act("Follow", HELPER), act("Undo", inner("Follow", HELPER)), act("Update", ALICE)):
        got = receive(activity, departed())
        assert (got.code, got.http_status) == ("sender-gone", 403)


def test_an_account_that_is_deleted_takes_along_what_is_stored_of_it() -> None:
    where = departed(**{ALICE: row()})
    found = event(act("Delete", ALICE), where)
    assert (found.authority, found.stored, found.object_ids) == ("gone", row(), (ALICE,))
    assert (found.actor.address, found.actor.id, found.actor.inbox) == ("@alice@social.example", ALICE, ALICE)
    assert (found.verdict.verified, found.verdict.method, found.verdict.code) == (False, "none", "sender-gone")
    assert [ask.fresh for ask in where.asked if isinstance(ask, Fetch)] == [False, True]


def test_an_actor_who_is_gone_deletes_what_is_stored_as_theirs() -> None:
    where = departed(**{ALICE: row(), NOTE: {**row(), "@second@agents.example": row("@eve@social.example")[AGENT]}})
    found = event(act("Delete", NOTE), where)
    assert (found.authority, found.stored) == ("gone", row())


def test_nothing_stored_of_an_actor_who_is_gone_is_nothing_to_do() -> None:
    got = receive(act("Delete", ALICE), departed())
    assert (got.code, got.http_status) == ("object-unknown", 202)
    assert refused(act("Delete", NOTE), departed()) == "object-unknown"


def test_what_another_wrote_outlives_an_actor_who_is_gone() -> None:
    theirs = row("@bob@social.example")
    assert refused(act("Delete", NOTE), departed(**{ALICE: row(), NOTE: theirs})) == "owner-mismatch"
    assert refused(act("Delete", NOTE), departed(**{NOTE: theirs})) == "owner-mismatch"


def test_the_address_of_an_actor_who_is_gone_is_the_verified_one() -> None:
    claimed = {"@a@agents.example": replace(row("@alice@old.example")[AGENT], verified=False)}
    other = {"@z@agents.example": replace(row("@alice@older.example")[AGENT], verified=None)}
    found = event(act("Delete", ALICE), departed(**{ALICE: {**claimed, **row(), **other}}))
    assert found.actor.address == "@alice@social.example"
    assert found.stored == {**claimed, **row(), **other}


@pytest.mark.parametrize(
    "fresh", [fetched(keyed()), fetched({}, ALICE, status=404), fetched({}, ALICE, status=503), Failed("timeout")]
)
def test_a_cache_alone_says_of_nobody_that_they_are_gone(fresh: Any) -> None:
    where = departed(**{ALICE: row()})

    def answer(ask: Any) -> Any:
        return fresh if isinstance(ask, Fetch) and ask.fresh else where.answer(ask)

    request = signed(act("Delete", ALICE))
    got = drive(activitypub.receive(request, now=NOW, entropy=ENTROPY), answer)
    assert (got.code, got.http_status) == ("lookup-failed", 503)  # type: ignore[union-attr]


def test_another_server_s_word_that_an_actor_is_gone_counts_for_nothing() -> None:
    where = departed(**{ALICE: row()})
    where.web[ALICE] = fetched({}, "https://other.example/gone", status=410)
    assert refused(act("Delete", ALICE), where) == "sender-gone"


def test_a_store_that_cannot_say_what_the_gone_wrote_makes_the_delete_come_again() -> None:
    where = departed(**{NOTE: row()})
    where.everywhere[ALICE] = Failed("locked")
    assert refused(act("Delete", NOTE), where) == "lookup-failed"


def test_where_verified_senders_are_wanted_the_gone_delete_nothing() -> None:
    got = receive(act("Delete", ALICE), departed(**{ALICE: row()}), settings=Settings(require_verified=True))
    assert (got.code, got.verdict.code) == ("object-unknown", "sender-gone")


def test_an_actor_who_is_not_gone_must_sign_the_delete() -> None:
    where = somewhere()
    where.everywhere[ALICE] = row()
    got = drive(activitypub.receive(post(act("Delete", ALICE)), now=NOW, entropy=ENTROPY), where.answer)
    assert isinstance(got, Rejected)
    assert got.code == "object-unknown"


def test_what_is_deleted_is_of_the_actor_s_own_host() -> None:
    assert refused(act("Delete", "https://other.example/notes/1")) == "origin-mismatch"


def test_secrets_and_blind_recipients_are_left_out_of_the_document() -> None:
    found = event(act("Like", OURS, bto=[BOB], access_token="s3cr3t"))
    assert "bto" not in found.document
    assert "s3cr3t" not in json.dumps(found.document)
