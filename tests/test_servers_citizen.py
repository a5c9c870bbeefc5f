"""What the agent of `inbox.py` does and remembers, without a server around it."""

from __future__ import annotations

import json
import sqlite3
import sys
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from mentionable import (
    Answers,
    NormalizedResponse,
    Received,
    SigningKey,
    StoredMessage,
    UseOnce,
    activitypub,
    directory,
    drive,
    plain_text,
)
from tests.activitypub.servers import ALICE, BOB, EDDSA, HELPER, NOTE, NOW, PUBLIC, create, note
from tests.activitypub.signing import post, signed
from tests.activitypub.test_attacks import act, alone, by
from tests.activitypub.test_event_samples import received, samples
from tests.test_examples import load

if TYPE_CHECKING:
    from pathlib import Path

AGENT = "@helper@agents.example"
SETTINGS = activitypub.Settings(key=SigningKey.from_seed(bytes(32), key_id=f"{HELPER}#main-key"), use_once=True)
LATER = datetime.now(UTC) + timedelta(hours=1)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Any:
    module = load("inbox_store")
    monkeypatch.setitem(sys.modules, "inbox_store", module)
    monkeypatch.setitem(sys.modules, "outbox", load("outbox"))
    return module


class Site:
    """The agent with its file, and nobody who takes what it sends. Alice and Eve have one server, Bob another."""

    def __init__(self, folder: Path) -> None:
        self.path, self.web, self.deliveries = str(folder / "agent.sqlite"), alone().web, 0

        async def send(place: str, body: bytes) -> bool:
            raise AssertionError("nothing is sent here")

        self.outbox = sys.modules["outbox"].Outbox(self.path, send)
        facts = {"name": AGENT, "base": "https://agents.example", "settings": SETTINGS}
        self.citizen = load("citizen").Citizen(self.path, self.outbox, **facts)

    def answer(self, message: Any) -> NormalizedResponse:
        return NormalizedResponse.to(message, f"You wrote: {plain_text(message)}")

    def take(self, request: Any) -> Any:
        """What `inbox` does with a delivery."""
        self.deliveries += 1
        citizen = self.citizen
        answers = Answers(
            fetch=self.web.answer,  # type: ignore[arg-type]
            find_agent=directory({HELPER: AGENT}),
            find_message=lambda ask: citizen.messages.find(ask.native_id, ask.recipient),
            find_messages=lambda ask: citizen.find_all(ask.native_id, by=json.loads(request.body)["actor"]),
            use_once=citizen.uses.use,
        )
        entropy = sha256(str(self.deliveries).encode()).digest()
        got: Any = drive(activitypub.receive(request, now=NOW, entropy=entropy, settings=SETTINGS), answers)
        if isinstance(got, activitypub.ReceivedActivity):
            citizen.act(got)
        elif isinstance(got, Received):
            citizen.read(got, self.answer)
        return got

    @property
    def unsent(self) -> list[tuple[str, str]]:
        """Where what is still to be sent goes, and its type."""
        with sqlite3.connect(self.path) as database:
            rows = database.execute("SELECT place, body FROM unsent").fetchall()
        return [(place, json.loads(body)["type"]) for place, body in rows]


@pytest.fixture
def site(store: Any, tmp_path: Path) -> Site:
    return Site(tmp_path)


@pytest.fixture
def citizen(site: Site) -> Any:
    return site.citizen


def test_no_activity_of_any_server_is_too_much(citizen: Any) -> None:
    for sample in samples():
        got = received(*sample.values)
        assert isinstance(got, activitypub.ReceivedActivity)
        citizen.act(got)
    assert citizen.followers.keys() <= {sample.values[0]["id"] for sample in samples()}
    assert len(citizen.blocked_by) > 0


def test_a_table_is_a_dictionary_that_lasts(store: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "one.sqlite")
    table = store.Table(path, "things")
    table["b"], table["a"] = 1, {"x": [None, "ü"]}
    assert dict(store.Table(path, "things")) == {"b": 1, "a": {"x": [None, "ü"]}}
    assert list(table) == ["b", "a"]
    del table["b"]
    assert (len(table), table.get("b")) == (1, None)
    with pytest.raises(KeyError):
        del table["b"]


def row(number: int, sender: str = "@alice@social.example", *, verified: bool = True) -> StoredMessage:
    return StoredMessage(id=f"m{number}", thread_id="t", sender=sender, auth_method="x", verified=verified)


def test_messages_are_found_by_their_ids_and_by_their_actor(store: Any) -> None:
    messages = store.Messages(":memory:")
    messages.put({("n1", AGENT): row(1), ("n2", AGENT): row(1), ("n3", AGENT): row(2)}, actor="https://a.example/a")
    assert messages.find("n2", AGENT) == row(1)
    assert messages.find("n2", "@other@agents.example") is None
    assert messages.find_all("n3") == {AGENT: row(2)}
    assert messages.find_by("https://a.example/a")[AGENT].sender == "@alice@social.example"
    assert messages.find_by("https://a.example/b") == messages.find_all("https://a.example/a") == {}
    assert sorted(messages.native_ids("m1")) == ["n1", "n2"]
    assert sorted(messages.ids_by("@alice@social.example")) == ["m1", "m2"]
    messages.forget("m1")
    assert messages.ids_by("@alice@social.example") == ["m2"]


def test_a_row_stays_where_another_one_may_not_replace_it(store: Any) -> None:
    messages = store.Messages(":memory:")
    messages.put({("n1", AGENT): row(1)})
    messages.put({("n1", AGENT): row(2, "@mallory@other.example")})
    assert messages.find("n1", AGENT) == row(1)


def test_a_use_counts_once_until_it_may_be_forgotten(store: Any) -> None:
    uses = store.Uses(":memory:")
    ask = UseOnce(key="k", binding="b", until=LATER)
    assert [uses.use(ask), uses.use(ask)] == ["first", "same"]
    assert uses.use(UseOnce(key="k", binding="c", until=LATER)) == "other"
    assert uses.use(UseOnce(key="old", binding="b", until=LATER - timedelta(days=1))) == "first"
    assert uses.use(UseOnce(key="old", binding="c", until=LATER)) == "first"


def found(citizen: Any, actor: str, *, by: object) -> list[str]:
    """The senders that the store names under the id of an actor."""
    return [row.sender for row in citizen.find_all(actor, by=by).values()]


def test_an_account_that_follows_is_found_by_its_actor(citizen: Any) -> None:
    one = "https://a.example/a"
    citizen.followers[one] = {"address": "@a@a.example", "inbox": "i", "shared_inbox": None}
    assert found(citizen, one, by=one) == ["@a@a.example"]
    assert found(citizen, "https://a.example/b", by="https://a.example/b") == []
    citizen.forget_inbox("i")
    assert found(citizen, one, by=one) == []


@pytest.mark.parametrize("by", [None, BOB, [ALICE], {"id": ALICE}])
def test_of_an_actor_only_their_own_activity_learns_something(site: Site, by: object) -> None:
    site.take(signed(act("Follow", HELPER, ALICE)))
    assert (found(site.citizen, ALICE, by=by), found(site.citizen, ALICE, by=ALICE)) == ([], ["@alice@social.example"])
    site.take(signed(create()))
    assert (found(site.citizen, ALICE, by=by), found(site.citizen, ALICE, by=ALICE)) == ([], ["@alice@social.example"])


@pytest.mark.parametrize("kind", ["Follow", "Block"])
def test_what_is_undone_about_another_account_changes_nothing_here(site: Site, kind: str) -> None:
    site.take(signed(act(kind, HELPER, ALICE)))
    before = {**site.citizen.followers}, {**site.citizen.blocked_by}
    other = {"id": "https://social.example/acts/9", "type": kind, "actor": ALICE, "object": BOB}
    undo = act("Undo", other, ALICE, to=[BOB]) | {"id": "https://social.example/acts/10"}
    site.take(post(activitypub.sign_object(undo, key=EDDSA, now=NOW)))  # bob passes on what alice sent him
    assert ({**site.citizen.followers}, {**site.citizen.blocked_by}) == before


@pytest.mark.parametrize("kind", ["Follow", "Block"])
def test_what_is_undone_is_found_by_its_object_and_not_by_its_id(site: Site, kind: str) -> None:
    site.take(signed(act(kind, HELPER, ALICE)))
    same = {"id": "https://social.example/acts/9", "type": kind, "actor": ALICE, "object": HELPER}
    site.take(signed(act("Undo", same, ALICE) | {"id": "https://social.example/acts/10"}))
    assert ({**site.citizen.followers}, {**site.citizen.blocked_by}) == ({}, {})


def test_who_blocks_the_agent_is_known_by_their_actor_and_not_by_their_address(site: Site) -> None:
    site.take(signed(act("Block", HELPER, ALICE)))
    assert list(site.citizen.blocked_by) == [ALICE]
    site.take(signed(create()))
    assert site.outbox.answers == {}


def test_who_blocks_the_agent_stays_blocking_when_an_old_undo_comes_again(
    site: Site, store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "time", NOW.timestamp)
    block = act("Block", HELPER, ALICE)
    undo = signed(act("Undo", block, ALICE) | {"id": "https://social.example/acts/2"})
    again = signed(block | {"id": "https://social.example/acts/3"})
    for request in (signed(block), undo, again, undo):
        site.take(request)
    assert list(site.citizen.blocked_by) == [ALICE]


def test_what_waits_for_who_blocks_the_agent_is_not_sent_any_more(site: Site) -> None:
    site.take(signed(create()))
    assert site.unsent == [(f"{ALICE}/inbox", "Create")]
    site.take(signed(act("Block", HELPER, ALICE)))
    assert site.unsent == []


def test_what_waits_for_others_than_who_blocks_the_agent_is_sent(site: Site) -> None:
    site.take(by(BOB, act("Follow", HELPER, BOB)))
    site.take(signed(act("Block", HELPER, ALICE)))
    assert site.unsent == [(f"{BOB}/inbox", "Accept")]


def test_an_answer_that_is_withdrawn_is_not_sent_any_more(site: Site) -> None:
    site.take(signed(create()))
    site.take(signed(act("Delete", NOTE, ALICE)))
    assert site.unsent == [(f"{ALICE}/inbox", "Delete")]


@pytest.mark.parametrize("text", ["> " * 300_000, "http://a.b/ " * 70_000])
def test_a_question_whose_answer_grows_too_large_is_taken_and_not_answered(
    site: Site, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    site.take(signed(create(note(content=text))))
    assert site.citizen.messages.find(NOTE, AGENT) is not None
    assert (site.unsent, {**site.citizen.documents}) == ([], {})
    assert "@alice@social.example gets no answer: UsageError: 'parts: " in capsys.readouterr().out


def test_a_fault_of_the_agent_is_told_on_one_line(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    def answer(message: Any) -> NormalizedResponse:
        raise KeyError(f"a fault with {plain_text(message)}\n\x1b[2J")

    site.answer = answer  # type: ignore[method-assign]
    site.take(signed(create()))
    told = capsys.readouterr().out
    assert told.startswith("@alice@social.example gets no answer: KeyError: ")
    assert (told.count("\n"), "\x1b" in told) == (1, False)


def quoted(site: Site, note_id: str, number: int) -> list[tuple[str, str]]:
    """What bob gets when he asks to quote a note."""
    before = len(site.unsent)
    instrument = f"https://other.example/notes/{number}"
    request = act("QuoteRequest", note_id, BOB, instrument=instrument) | {"id": f"{instrument}/{site.deliveries}"}
    site.take(by(BOB, request))
    return site.unsent[before:]


def test_a_request_to_quote_does_not_say_whether_there_is_a_private_note(site: Site) -> None:
    site.take(signed(create()))
    private = next(iter(site.citizen.documents))
    assert quoted(site, private, 1) == quoted(site, f"{private}0", 2) == [(f"{BOB}/inbox", "Reject")]


def test_the_words_of_a_report_write_no_line_of_the_log(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    words = "x<br>@bob@other.example: Follow\u001b[2J"
    site.take(signed(act("Flag", ["https://agents.example/objects/1"], ALICE, content=words)))
    told = capsys.readouterr().out
    assert told.startswith("@alice@social.example reports ('https://agents.example/objects/1',): 'x")
    assert (told.count("\n"), "\u001b" in told) == (1, False)


def test_the_answers_to_follows_are_served_as_long_as_somebody_follows(site: Site) -> None:
    for number in range(3):
        site.take(signed(act("Follow", HELPER, ALICE) | {"id": f"https://social.example/follows/{number}"}))
    site.take(by(BOB, act("Follow", HELPER, BOB)))
    [alices, bobs] = site.citizen.documents.values()
    assert (alices["object"]["id"], bobs["object"]["actor"]) == ("https://social.example/follows/2", BOB)
    follow = {"type": "Follow", "actor": ALICE, "object": HELPER}
    site.take(signed(act("Undo", follow, ALICE) | {"id": "https://social.example/acts/9"}))
    assert [*site.citizen.documents.values()] == [bobs]
    site.citizen.forget_inbox(f"{BOB}/inbox")
    assert {**site.citizen.documents} == {}


@pytest.mark.parametrize("kind", ["Block", "Delete"])
def test_an_accept_is_forgotten_with_who_followed(site: Site, kind: str) -> None:
    site.take(signed(act("Follow", HELPER, ALICE)))
    site.take(signed(act(kind, HELPER if kind == "Block" else ALICE, ALICE) | {"id": "https://social.example/acts/9"}))
    assert ({**site.citizen.followers}, {**site.citizen.documents}) == ({}, {})


def test_what_is_rejected_leaves_nothing_behind(site: Site) -> None:
    site.take(signed(act("Block", HELPER, ALICE)))
    for number in range(3):
        site.take(signed(act("Follow", HELPER, ALICE) | {"id": f"https://social.example/follows/{number}"}))
        quoted(site, "https://agents.example/objects/1", number)
    assert len(site.unsent) == 6
    assert {**site.citizen.documents} == {}


def test_a_quote_that_is_asked_for_again_has_one_stamp(site: Site) -> None:
    site.take(signed(create(note(to=[HELPER, PUBLIC]), to=[HELPER, PUBLIC])))
    before = {*site.citizen.documents}
    public = next(one for one in before if not one.endswith("/activity"))
    for _ in range(3):
        quoted(site, public, 1)
    served = [site.citizen.documents[one]["type"] for one in site.citizen.documents if one not in before]
    assert sorted(served) == ["Accept", "QuoteAuthorization"]
