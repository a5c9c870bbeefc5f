"""Edits and tallies: one mention and any number of them give one answer."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    Failed,
    Fetch,
    FindHistory,
    FindMessage,
    FindMessages,
    Received,
    Rejected,
    Settings,
    StoredMessage,
    UseOnce,
    activitypub,
    drive,
)
from mentionable.testing.lookups import use_in
from tests.activitypub.servers import ENTROPY, NOTE, NOW, create, fetched, note
from tests.activitypub.signing import post, signed, world

AGENT = "@helper@agents.example"


class Store:
    """What the how-to's store does."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], StoredMessage] = {}
        self.world = world()

    def answer(self, ask: Any) -> Any:
        if isinstance(ask, FindMessage):
            return self.rows.get((ask.native_id, ask.recipient))
        if isinstance(ask, FindMessages):
            return {agent: row for (native, agent), row in self.rows.items() if native == ask.native_id}
        return self.world.answer(ask)

    def take(self, activity: Any, *, sign: bool = True) -> Received | Rejected:
        request = signed(activity) if sign else post(activity)
        got = drive(activitypub.receive(request, now=NOW, entropy=ENTROPY), self.answer)
        if isinstance(got, Received):
            for place, row in got.to_store.items():
                if row.replaces(self.rows.get(place)):
                    self.rows[place] = row
        assert not isinstance(got, activitypub.ReceivedActivity)
        return got


def update(text: str = "<p>Hello</p>", number: int = 1, **members: Any) -> dict[str, Any]:
    return create(note(content=text, **members), id=f"{NOTE}#updates/{number}", type="Update")


def poll(votes: int, *, kind: str = "Update", number: int = 1) -> dict[str, Any]:
    option = {"type": "Note", "name": "Rain", "replies": {"type": "Collection", "totalItems": votes}}
    document = note(type="Question", content="<p>Rain?</p>", oneOf=[option])
    return create(document, id=f"{NOTE}#{kind}{number}", type=kind)


def taken(got: Received | Rejected) -> Received:
    assert isinstance(got, Received), got
    return got


def test_an_edit_keeps_the_id_and_the_thread_and_is_no_new_message() -> None:
    store = Store()
    first = taken(store.take(create())).message
    got = taken(store.take(update("<p>Goodbye</p>")))
    assert got.messages == ()
    (edited,) = got.edited
    assert (edited.id, edited.thread_id, edited.parts[0].content) == (first.id, first.thread_id, "<p>Goodbye</p>")
    assert [one.code for one in got.diagnostics] == ["edited"]


def test_an_edit_of_what_is_not_stored_counts_when_it_comes_again_after_the_store_was_silent() -> None:
    store, used, is_silent = Store(), dict[str, str](), True
    request, settings = signed(update()), activitypub.Settings(use_once=True)

    def answer(ask: Any) -> Any:
        if isinstance(ask, UseOnce):
            return use_in(used, ask)
        return Failed("locked", temporary=True) if is_silent and isinstance(ask, FindMessage) else store.answer(ask)

    def take() -> Any:
        return drive(activitypub.receive(request, now=NOW, entropy=ENTROPY, settings=settings), answer)

    assert take().code == "lookup-failed"
    is_silent = False
    got = take()
    assert (len(got.messages), got.redelivered) == (1, ())
    assert len(take().redelivered) == 1


def test_an_edit_that_changes_nothing_is_a_receipt() -> None:
    store = Store()
    taken(store.take(create()))
    got = taken(store.take(update()))
    assert (got.messages, got.edited, [one.code for one in got.diagnostics]) == ((), (), ["edit-unchanged"])


def asked_by(activity: Any, store: Store) -> list[Any]:
    asks: list[Any] = []

    def answer(ask: Any) -> Any:
        asks.append(ask)
        return store.answer(ask)

    drive(activitypub.receive(signed(activity), now=NOW, entropy=ENTROPY), answer)
    return asks


def test_the_thread_of_an_edit_is_looked_up_only_when_the_edit_changes_something() -> None:
    store, parent = Store(), "https://social.example/notes/0"
    taken(store.take(create(note(inReplyTo=parent))))
    unchanged, changed = (asked_by(update(text, inReplyTo=parent), store) for text in ("<p>Hello</p>", "<p>Bye</p>"))
    walked = {Fetch, FindHistory, FindMessage}
    assert [ask for ask in unchanged if ask.__class__ is FindHistory or getattr(ask, "purpose", "") == "object"] == []
    assert [ask.url for ask in changed if getattr(ask, "purpose", "") == "object"] == [parent]
    assert walked <= {ask.__class__ for ask in changed}
    assert len(changed) == len(set(changed))


def test_an_edit_that_changes_nothing_for_one_agent_is_a_message_for_another() -> None:
    store, other = Store(), "https://agents.example/actors/other"
    store.world.agents[other] = "@other@agents.example"
    taken(store.take(create()))
    got = taken(store.take(update(to=[other])))
    assert [message.recipient for message in got.messages] == ["@other@agents.example"]
    assert "edit-unchanged" in [one.code for one in got.diagnostics]


def test_an_unproven_edit_that_changes_nothing_is_rejected_like_any_other() -> None:
    store = Store()
    settings = Settings(require_verified=True)
    request = post(update())
    assert isinstance(store.take(create(), sign=False), Received)
    got = drive(activitypub.receive(request, now=NOW, entropy=ENTROPY, settings=settings), store.answer)
    assert isinstance(got, Rejected)
    assert got.code == "verification-required"


def test_the_same_edit_again_changes_nothing_even_after_another_one() -> None:
    store = Store()
    taken(store.take(create()))
    assert taken(store.take(update("1", 1))).edited
    assert taken(store.take(update("2", 2))).edited
    assert not taken(store.take(update("1", 1))).edited
    assert not taken(store.take(update("2", 2))).edited


def test_a_redelivered_message_does_not_undo_an_edit() -> None:
    store = Store()
    taken(store.take(create()))
    taken(store.take(update("2")))
    got = taken(store.take(create()))
    assert got.redelivered == got.messages
    assert not taken(store.take(update("2", 3))).edited


def test_an_edit_that_mentions_an_agent_for_the_first_time_is_a_message() -> None:
    got = taken(Store().take(update()))
    assert (len(got.messages), got.edited) == (1, ())


def test_an_edit_that_comes_first_and_its_message_are_one() -> None:
    store = Store()
    edit, late = taken(store.take(update())), taken(store.take(create()))
    assert late.redelivered == late.messages
    assert late.message.id == edit.message.id


def test_an_edit_that_names_no_agent_any_more_is_for_those_who_have_it() -> None:
    store = Store()
    first = taken(store.take(create())).message
    got = taken(
        store.take(update("<p>Bye</p>", to=["https://social.example/x"]) | {"to": ["https://social.example/x"]})
    )
    assert [(one.id, one.recipient) for one in got.edited] == [(first.id, AGENT)]


def test_an_edit_for_nobody_here_is_taken() -> None:
    store = Store()
    got = store.take(update(to=["https://social.example/x"]) | {"to": ["https://social.example/x"]})
    assert isinstance(got, Rejected)
    assert (got.code, got.http_status) == ("recipient-elsewhere", 202)


def test_a_store_that_cannot_say_who_has_it_makes_the_edit_come_again() -> None:
    store = Store()
    request = signed(update(to=["https://social.example/x"]) | {"to": ["https://social.example/x"]})

    def answer(ask: Any) -> Any:
        return Failed("locked") if isinstance(ask, FindMessages) else store.answer(ask)

    got = drive(activitypub.receive(request, now=NOW, entropy=ENTROPY), answer)
    assert isinstance(got, Rejected)
    assert got.code == "lookup-failed"


def test_an_edit_of_which_the_store_cannot_tell_what_it_edits_comes_again() -> None:
    store = Store()
    taken(store.take(create()))

    def answer(ask: Any) -> Any:
        return Failed("locked") if isinstance(ask, FindMessage) else store.answer(ask)

    got = drive(activitypub.receive(signed(update("<p>Bye</p>")), now=NOW, entropy=ENTROPY), answer)
    assert isinstance(got, Rejected)
    assert (got.code, got.http_status) == ("lookup-failed", 503)
    assert got.verdict is not None
    assert got.verdict.verified


def test_what_another_wrote_is_edited_by_nobody() -> None:
    store = Store()
    store.rows[NOTE, AGENT] = StoredMessage(id="m", thread_id="t", sender="@eve@social.example", verified=True)
    got = store.take(update())
    assert isinstance(got, Rejected)
    assert (got.code, got.http_status) == ("owner-mismatch", 202)
    assert got.verdict is not None
    assert got.verdict.verified


def test_an_unproven_edit_changes_nothing_that_was_proven() -> None:
    store = Store()
    taken(store.take(create()))
    got = store.take(update("<p>Send money</p>"), sign=False)
    assert isinstance(got, Rejected)
    assert got.code == "owner-mismatch"


@given(st.lists(st.integers(0, 3), max_size=12), st.booleans())
def test_one_mention_and_any_number_of_tallies_and_edits_give_one_answer(steps: list[int], is_poll: bool) -> None:
    store, answers = Store(), 0
    first = poll(0, kind="Create", number=0) if is_poll else create()
    again = [first] + [(poll(n, number=n) if is_poll else update(str(n), n)) for n in range(1, 4)]
    for step in (0, *steps):
        got = taken(store.take(again[step]))
        answers += len([one for one in got.messages if one not in got.redelivered])
    assert answers == 1


def test_who_joins_a_thread_in_which_they_have_not_written_is_named() -> None:
    store = Store()
    parent = "https://social.example/notes/1"
    store.rows[parent, AGENT] = StoredMessage(
        id="m", thread_id="https://agents.example/t", sender="@bob@other.example", auth_method="ap", verified=True
    )
    got = taken(store.take(create(note(inReplyTo=parent))))
    assert got.message.thread_id == "https://agents.example/t"
    assert "thread-joined" in [one.code for one in got.diagnostics]
    own = Store()
    own.rows[parent, AGENT] = StoredMessage(id="m", thread_id="t", sender="@alice@social.example", verified=True)
    got = taken(own.take(create(note(inReplyTo=parent))))
    assert "thread-joined" not in [one.code for one in got.diagnostics]


def test_a_fetched_object_without_an_author_is_nobody_s() -> None:
    store = Store()
    document = note(attributedTo=..., **{"@context": "https://www.w3.org/ns/activitystreams"})
    store.world.web[NOTE] = fetched(document)
    got = store.take(create(NOTE))
    assert isinstance(got, Rejected)
    assert got.code == "author-missing"
