"""What the agent of `fastapi_inbox.py` does and remembers, without a server around it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from mentionable import SigningKey, StoredMessage, UseOnce, activitypub
from tests.activitypub.test_event_samples import received, samples
from tests.test_examples import load

if TYPE_CHECKING:
    from pathlib import Path

ACTOR, AGENT = "https://agents.example/actors/helper", "@helper@agents.example"
LATER = datetime.now(UTC) + timedelta(hours=1)


class Outbox:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.answers: dict[str, str] = {}
        self.posts: list[tuple[str, bytes]] = []

    def put(self, question: str, answer: str, posts: list[tuple[str, bytes]]) -> None:
        assert question not in self.answers
        self.answers[question] = answer
        self.posts += posts


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Any:
    module = load("inbox_store")
    monkeypatch.setitem(sys.modules, "inbox_store", module)
    monkeypatch.setitem(sys.modules, "outbox", load("outbox"))
    return module


@pytest.fixture
def citizen(store: Any, tmp_path: Path) -> Any:
    settings = activitypub.Settings(key=SigningKey.from_seed(bytes(32), key_id=f"{ACTOR}#main-key"))
    facts = {"name": AGENT, "base": "https://agents.example", "settings": settings}
    return load("citizen").Citizen(str(tmp_path / "agent.sqlite"), Outbox(), **facts)


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
    assert messages.find_all("https://a.example/a")[AGENT].sender == "@alice@social.example"
    assert messages.find_all("https://a.example/b") == {}
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


def test_an_account_that_follows_is_found_by_its_actor(citizen: Any) -> None:
    citizen.followers["https://a.example/a"] = {"address": "@a@a.example", "inbox": "i", "shared_inbox": None}
    assert citizen.find_all("https://a.example/a")[AGENT].sender == "@a@a.example"
    assert citizen.find_all("https://a.example/b") == {}
    citizen.forget_inbox("i")
    assert citizen.find_all("https://a.example/a") == {}
