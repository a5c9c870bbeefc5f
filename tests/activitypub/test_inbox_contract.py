"""What an inbox answers to a peer, and what of a peer's goes on: the contract that peers can live with."""

from __future__ import annotations

import ast
from typing import Any, Final

import pytest

from mentionable import (
    CODES,
    Failed,
    HistoricalMessage,
    Received,
    Rejected,
    Sender,
    Settings,
    StoredMessage,
    TextPart,
    UseOnce,
    activitypub,
    drive,
)
from mentionable.activitypub import delivery_outcome
from tests.activitypub.servers import ENTROPY, HELPER, NOTE, NOW, World, ancestor, codes, create, note, taken
from tests.activitypub.signing import FINGER, signed, world
from tests.activitypub.test_receive_activity import act
from tests.packages import PACKAGE

AGENT: Final = "@helper@agents.example"

ANSWERS: Final = {
    202: (
        *("authority-unproven", "object-unknown", "own-message", "owner-mismatch", "recipient-elsewhere"),
        *("unsupported-activity", "unsupported-object"),
    ),
    403: ("author-mismatch", "author-missing", "origin-mismatch", "sender-gone"),
    401: ("verification-required",),
    413: ("too-large",),
    422: (
        *("duplicate-member", "id-refused", "id-too-long", "invalid-json", "json-ld-refused", "lone-surrogate"),
        *("malformed", "missing-member", "not-utf8", "object-unresolvable", "sender-unaddressable", "too-deep"),
        *(
            "too-many-attachments",
            "too-many-parts",
            "too-many-recipients",
            "too-many-tags",
            "unsafe-number",
            "wrong-type",
        ),
    ),
    503: ("lookup-failed", "sender-unresolvable"),
}
"""Status → the codes with which `receive` and `receive_object` reject."""

SOURCES: Final = (
    *(
        "activitypub/_authority.py",
        "activitypub/_gone.py",
        "activitypub/_receive.py",
        "activitypub/_receive_activity.py",
    ),
    *(
        "activitypub/_receive_message.py",
        "activitypub/_receive_object.py",
        "activitypub/_sender.py",
        "activitypub/_read",
    ),
    *("_crypto/verification.py", "_wire/strict_json.py", "_transport/delivery.py"),
)
"""Where rejections are made."""


def named_codes() -> set[str]:
    """Every code of a rejection that stands in `SOURCES`."""
    paths = [path for name in SOURCES for path in ([*(PACKAGE / name).glob("*.py")] or [PACKAGE / name])]
    texts = [node.value for path in paths for node in ast.walk(ast.parse(path.read_text())) if _is_text(node)]
    return {text for text in texts if text in CODES and CODES[text].kind != "note"}


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_each_code_has_a_status_with_which_peers_can_live() -> None:
    assert {code: CODES[code].http for code in sorted(named_codes() - ELSEWHERE)} == {
        code: status for status, those in ANSWERS.items() for code in those
    }


ELSEWHERE: Final = {"no-served-recipient", "part-unsupported", "replayed", "url-refused"}
"""Codes that other transports reject with, and those of verdicts and diagnostics."""


@pytest.mark.parametrize("status", ANSWERS)
def test_no_answer_makes_a_peer_forget_this_server(status: int) -> None:
    assert delivery_outcome(status, both_tried=True) in ("done", "retry", "refused")
    for code in ANSWERS[status]:
        assert CODES[code].temporary == (status == 503)
        assert Rejected(code=code).http_status == status  # type: ignore[arg-type]


def receive(where: World, activity: Any, **settings: Any) -> Received | Rejected:
    chosen = activitypub.Settings(**settings)
    outcome: Received | Rejected = drive(
        activitypub.receive(signed(activity), now=NOW, entropy=ENTROPY, settings=chosen), where.answer
    )
    return outcome


@pytest.mark.parametrize("activity", [create(), act("Follow", HELPER), act("Like", NOTE)])
@pytest.mark.parametrize("silent", ["actor", "domain"])
def test_what_failed_for_the_moment_comes_again(activity: Any, silent: str) -> None:
    where = world()
    where.web["https://social.example/users/alice" if silent == "actor" else FINGER] = Failed("timeout")
    got = receive(where, activity)
    assert isinstance(got, Rejected)
    assert got.http_status == 503


def test_what_the_store_cannot_say_comes_again() -> None:
    where = world()
    where.agents[HELPER] = Failed("locked")
    assert receive(where, create()).http_status == 503  # type: ignore[union-attr]


def test_a_store_that_cannot_say_whether_a_signature_was_used_makes_it_come_again() -> None:
    where = world()

    def answer(ask: Any) -> Any:
        return Failed("locked") if isinstance(ask, UseOnce) else where.answer(ask)

    for defers, kind in ((True, Rejected), (False, Received)):
        chosen = activitypub.Settings(use_once=True, defer_unproven=defers)
        got = drive(activitypub.receive(signed(), now=NOW, entropy=ENTROPY, settings=chosen), answer)
        assert isinstance(got, kind)
        assert got.verdict is not None
        assert got.verdict.code == "replay-unknown"


def test_a_reply_to_the_agent_that_does_not_name_it_is_for_others() -> None:
    reply = create(note(to=["https://social.example/users/carol"], inReplyTo="https://agents.example/objects/1"))
    got = receive(world(), reply | {"to": ["https://social.example/users/carol"]})
    assert isinstance(got, Rejected)
    assert (got.code, got.http_status) == ("recipient-elsewhere", 202)


# -- who joins a thread is named, whichever way they name it

BOBS: Final = StoredMessage(id="m", thread_id="https://agents.example/t", sender="@bob@other.example", verified=True)


def joined(where: World, **members: Any) -> bool:
    got = taken(where.receive(create(note(**members)), settings=Settings(stored_history=True)))
    return "thread-joined" in codes(got.diagnostics)


def test_who_joins_by_the_parent_is_named() -> None:
    where = World()
    where.messages["https://social.example/notes/a1"] = BOBS
    assert joined(where, inReplyTo="https://social.example/notes/a1")


def test_who_joins_by_an_ancestor_is_named_although_their_own_server_shows_posts_between() -> None:
    above = ancestor(2, inReplyTo="https://social.example/notes/a1")
    where = World(above, ancestor(1))
    where.messages["https://social.example/notes/a1"] = BOBS
    assert joined(where, inReplyTo=above["id"])


@pytest.mark.parametrize("member", ["context", "conversation"])
def test_who_joins_by_the_thread_of_the_parent_is_named(member: str) -> None:
    where = World()
    where.messages["https://social.example/notes/a1"] = BOBS
    assert joined(where, **{member: BOBS.thread_id, "inReplyTo": "https://social.example/notes/a1"})


@pytest.mark.parametrize("member", ["context", "conversation"])
def test_who_joins_by_the_thread_alone_is_named(member: str) -> None:
    root = "https://other.example/notes/1/activity"
    where = World()
    where.messages[root] = StoredMessage(id="m", thread_id=root, sender="@bob@other.example", verified=True)
    assert joined(where, **{member: root})
    where.messages[root] = StoredMessage(id="m", thread_id=root, sender="@alice@social.example", verified=True)
    assert not joined(where, **{member: root})


@pytest.mark.parametrize("member", ["context", "conversation"])
def test_who_joins_a_thread_with_stored_turns_is_named(member: str) -> None:
    where = World()
    part = TextPart(content="Hello")
    sender = Sender(address="@bob@other.example")
    where.history = (
        HistoricalMessage(role="user", sender=sender, parts=(part,), timestamp="2026-11-20T08:00:00Z", id="m"),
    )
    assert joined(where, **{member: "tag:other.example,2026:t"})


def test_who_wrote_in_the_thread_before_is_not_named_whatever_they_answer() -> None:
    where = World()
    where.messages["https://social.example/notes/a1"] = BOBS
    part, sender = TextPart(content="Hello"), Sender(address="@alice@social.example")
    where.history = (
        HistoricalMessage(role="user", sender=sender, parts=(part,), timestamp="2026-11-20T08:00:00Z", id="m0"),
    )
    assert not joined(where, inReplyTo="https://social.example/notes/a1")


def test_who_begins_a_thread_joins_none() -> None:
    assert not joined(World())
    assert not joined(World(), context="https://social.example/contexts/1")
