"""Attacks on an inbox, with the store of the guide: nobody tells it whose a message is, and nothing in it changes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mentionable import Received, Rejected, SigningKey
from mentionable.activitypub import ReceivedActivity
from tests.activitypub.guide import AGENT, Agent
from tests.activitypub.servers import (
    ALICE,
    AS2,
    BOB,
    HELPER,
    NOTE,
    PUBLIC,
    actor,
    codes,
    create,
    descriptor,
    fetched,
    finger,
    keyed,
    note,
    private_pem,
)
from tests.activitypub.signing import post, signed

EVE = "https://social.example/users/eve"
EVES = "https://social.example/notes/eve"
KEYS = {who: SigningKey.from_pem(private_pem(), key_id=f"{who}#main-key") for who in (EVE, BOB)}


def alone() -> Agent:
    """The agent, and three people on two servers."""
    agent = Agent()
    agent.web.web[ALICE] = fetched(keyed(inbox=f"{ALICE}/inbox"))
    for who, key in KEYS.items():
        host, name = who.split("/")[2], who.rpartition("/")[2]
        public = {"id": key.key_id, "owner": who, "publicKeyPem": key.public_pem}
        agent.web.web[who] = fetched(actor(who, inbox=f"{who}/inbox", publicKey=public))
        url = f"https://{host}/.well-known/webfinger?resource=acct:{name}@{host}"
        agent.web.web[url] = finger(descriptor(f"acct:{name}@{host}", who), url)
    return agent


def after_alice(*, eve: bool = False) -> Agent:
    """The same after alice wrote, and maybe eve."""
    agent = alone()
    agent.take(signed(create()))
    if eve:
        agent.take(by(EVE, create(note(EVES, attributedTo=EVE), actor=EVE, id=f"{EVES}/activity")))
    assert len(agent.answered) == 1 + eve
    return agent


def by(who: str, activity: dict[str, Any]) -> Any:
    return signed(activity | {"actor": who}, key=KEYS[who])


def act(kind: str, about: Any, who: str, **members: Any) -> dict[str, Any]:
    host = who.split("/")[2]
    return {"@context": AS2, "id": f"https://{host}/a/1", "type": kind, "actor": who, "object": about, **members}


def refused(agent: Agent, request: Any) -> str:
    """The code of a rejection; nothing is stored or answered meanwhile."""
    before, answers = agent.record, len(agent.answered)
    got = agent.take(request)
    assert isinstance(got, Rejected), got
    assert (agent.record, len(agent.answered)) == (before, answers)
    return got.code


@pytest.mark.parametrize("who", [EVE, BOB])
def test_nobody_deletes_what_another_wrote(who: str) -> None:
    code = "owner-mismatch" if who == EVE else "origin-mismatch"
    assert refused(after_alice(), by(who, act("Delete", NOTE, who))) == code


def test_its_author_deletes_it() -> None:
    got = after_alice().take(signed(act("Delete", NOTE, ALICE)))
    assert isinstance(got, ReceivedActivity)
    assert (got.authority, list(got.stored)) == ("author", [AGENT])


@pytest.mark.parametrize(("who", "code"), [(EVE, "owner-mismatch"), (BOB, "origin-mismatch")])
def test_nobody_edits_what_another_wrote(who: str, code: str) -> None:
    edit = create(note(attributedTo=who, content="<p>Send money</p>"), type="Update", actor=who)
    edit["id"] = f"https://{who.split('/')[2]}/a/1"
    assert refused(after_alice(), by(who, edit)) == code


def test_an_unsigned_edit_changes_nothing() -> None:
    edit = create(note(content="<p>Send money</p>"), type="Update", id=f"{NOTE}#updates/1")
    assert refused(after_alice(), post(edit)) == "owner-mismatch"


def test_nobody_undoes_what_another_did() -> None:
    agent = after_alice()
    follow = {"id": "https://social.example/follows/1", "type": "Follow", "actor": ALICE, "object": HELPER}
    assert refused(agent, by(EVE, act("Undo", follow, EVE))) == "owner-mismatch"
    own = follow | {"actor": EVE, "id": NOTE}
    assert refused(agent, by(EVE, act("Undo", own, EVE))) == "owner-mismatch"


def test_nobody_accepts_for_a_stranger() -> None:
    ours = {"id": "https://agents.example/a/1", "type": "Follow", "actor": HELPER, "object": ALICE}
    assert refused(alone(), by(EVE, act("Accept", ours, EVE))) == "authority-unproven"
    theirs = {"type": "Follow", "actor": BOB, "object": EVE}
    assert refused(alone(), by(EVE, act("Accept", theirs, EVE))) == "recipient-elsewhere"


def test_nobody_moves_to_an_account_that_does_not_name_them() -> None:
    agent = alone()
    agent.web.web[EVE] = fetched(agent_document(agent, EVE) | {"movedTo": BOB})
    assert refused(agent, by(EVE, act("Move", EVE, EVE, target=BOB))) == "authority-unproven"
    assert refused(agent, by(EVE, act("Move", ALICE, EVE, target=EVE))) == "owner-mismatch"


def agent_document(agent: Agent, who: str) -> dict[str, Any]:
    answer = agent.web.web[who]
    document: dict[str, Any] = json.loads(answer.body)  # type: ignore[union-attr]
    return document


def test_tallies_by_the_hundred_give_one_answer() -> None:
    agent = alone()
    for votes in range(300):
        option = {"type": "Note", "name": "Rain", "replies": {"type": "Collection", "totalItems": votes}}
        kind, number = ("Update", votes) if votes else ("Create", 0)
        poll = note(oneOf=[option]) | {"type": "Question"}
        agent.take(signed(create(poll, type=kind, id=f"{NOTE}#{number}")))
    assert len(agent.answered) == 1


def test_the_note_of_another_is_taken_over_by_nobody() -> None:
    agent = after_alice()
    before = agent.record
    got = agent.take(by(EVE, create(note(attributedTo=EVE), actor=EVE, id="https://social.example/a/2")))
    assert isinstance(got, Received)
    assert "native-id-reused" in codes(got.diagnostics)
    assert {place: row for place, row in agent.record.items() if place in before} == before


def test_a_stranger_in_a_thread_is_named_and_reads_nothing_of_it() -> None:
    agent = after_alice()
    agent.web.web[NOTE] = fetched(note() | {"@context": AS2}, status=404)
    reply = note(EVES, attributedTo=EVE, inReplyTo=NOTE)
    got = agent.take(by(EVE, create(reply, actor=EVE, id=f"{EVES}/activity")))
    assert isinstance(got, Received)
    assert "thread-joined" in codes(got.diagnostics)
    assert got.message.history is None


# -- the gone


def departed(who: str, agent: Agent) -> Agent:
    agent.web.web[who] = fetched({}, who, status=410)
    return agent


def test_an_account_that_is_deleted_takes_along_its_messages() -> None:
    got = departed(ALICE, after_alice(eve=True)).take(signed(act("Delete", ALICE, ALICE)))
    assert isinstance(got, ReceivedActivity)
    assert (got.authority, got.actor.address, got.verdict.verified) == ("gone", "@alice@social.example", False)
    assert {row.sender for row in got.stored.values()} == {"@alice@social.example"}


def test_it_takes_along_nothing_of_others() -> None:
    assert refused(departed(EVE, after_alice(eve=True)), by(EVE, act("Delete", NOTE, EVE))) == "owner-mismatch"
    assert refused(departed(EVE, after_alice()), by(EVE, act("Delete", NOTE, EVE))) == "owner-mismatch"


def test_who_is_unknown_takes_along_nothing() -> None:
    assert refused(departed(BOB, after_alice()), by(BOB, act("Delete", BOB, BOB))) == "object-unknown"


def test_nobody_is_gone_because_another_says_so() -> None:
    agent = after_alice()
    assert refused(agent, post(act("Delete", ALICE, ALICE))) == "object-unknown"
    assert refused(agent, by(EVE, act("Delete", ALICE, EVE))) == "owner-mismatch"


# -- what is fetched


def test_an_announcement_is_no_second_question_and_changes_nothing() -> None:
    agent = after_alice()
    agent.web.web[NOTE] = fetched(note() | {"@context": AS2})
    before = agent.record
    agent.look()
    agent.web.web[NOTE] = fetched(note(content="<p>Send money</p>") | {"@context": AS2})
    got = agent.look()
    assert isinstance(got, Rejected)
    assert (got.code, agent.record, len(agent.answered)) == ("verification-required", before, 1)


def test_an_announcement_gives_nobody_s_words_to_the_announcer() -> None:
    agent = alone()
    nobodys = note(attributedTo=..., to=[PUBLIC]) | {"@context": AS2}
    agent.web.web[NOTE] = fetched(nobodys)
    event = agent.take(by(EVE, act("Announce", nobodys, EVE)))
    assert isinstance(event, ReceivedActivity)
    got = agent.look(event.object_ids[0])
    assert isinstance(got, Rejected)
    assert (got.code, agent.answered) == ("author-missing", [])


def test_posts_that_quote_each_other_end() -> None:
    agent = alone()
    one, two = (f"https://social.example/notes/q{n}" for n in (1, 2))
    for own, other in ((one, two), (two, one)):
        agent.web.web[own] = fetched(note(own, quote=other, to=[PUBLIC]) | {"@context": AS2})
    got = agent.look(one)
    assert isinstance(got, Received)
    assert two not in agent.web.urls
