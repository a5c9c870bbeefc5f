"""An activity acts once, however often and with however many of its signatures it comes."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from mentionable import Answers, Failed, HttpRequest, Rejected, UseOnce, activitypub, directory, drive
from mentionable.activitypub import ReceivedActivity
from tests.activitypub.guide import AGENT
from tests.activitypub.servers import ALICE, EDDSA, HELPER, NOTE, NOW, actor, fetched, keyed
from tests.activitypub.signing import post, signed
from tests.activitypub.test_attacks import act, alone


class Inbox:
    """An inbox that remembers which signatures were used."""

    def __init__(self) -> None:
        self.web = alone().web
        self.used: dict[str, str] = {}
        self.deliveries = 0

    def _use(self, ask: UseOnce) -> Any:
        if ask.key not in self.used:
            self.used[ask.key] = ask.binding
            return "first"
        return "same" if self.used[ask.key] == ask.binding else "other"

    def take(self, request: HttpRequest) -> ReceivedActivity:
        self.deliveries += 1
        flow = activitypub.receive(
            request,
            now=NOW,
            entropy=sha256(str(self.deliveries).encode()).digest(),
            settings=activitypub.Settings(use_once=True),
        )
        answers = Answers(
            fetch=self.web.answer,  # type: ignore[arg-type]
            find_agent=directory({HELPER: AGENT}),
            find_messages=lambda ask: {},
            use_once=self._use,
        )
        got: Any = drive(flow, answers)
        assert not isinstance(got, Rejected), got
        assert isinstance(got, ReceivedActivity)
        return got


FOLLOW = {"id": "https://social.example/follows/1", "type": "Follow", "actor": ALICE, "object": HELPER}
BLOCK = FOLLOW | {"id": "https://social.example/blocks/1", "type": "Block"}


@pytest.mark.parametrize(
    ("kind", "about"),
    [
        ("Undo", FOLLOW),
        ("Undo", BLOCK),
        ("Like", "https://agents.example/objects/1"),
        ("Announce", NOTE),
        ("Flag", ["https://agents.example/objects/1"]),
        ("Update", ALICE),
        ("Delete", ALICE),
    ],
)
def test_the_same_bytes_again_are_a_redelivery_also_where_the_activity_names_no_agent(kind: str, about: Any) -> None:
    inbox, request = Inbox(), signed(act(kind, about, ALICE))
    assert [inbox.take(request).redelivered for _ in range(2)] == [False, True]


@pytest.mark.parametrize(
    ("use", "code"), [("other", "verification-required"), (Failed("locked", temporary=True), "lookup-failed")]
)
def test_a_signature_that_was_used_for_something_else_or_maybe_was_counts_for_nothing(use: Any, code: str) -> None:
    inbox = Inbox()
    inbox._use = lambda ask: use  # type: ignore[method-assign]
    with pytest.raises(AssertionError, match=code):
        inbox.take(signed(act("Follow", HELPER, ALICE)))


def test_an_activity_that_could_not_be_checked_just_now_comes_again_and_counts() -> None:
    inbox, moved = Inbox(), "https://other.example/users/alice"
    request = signed(act("Move", ALICE, ALICE, target=moved))
    inbox.web.web[moved] = Failed("down", temporary=True)
    with pytest.raises(AssertionError, match="lookup-failed"):
        inbox.take(request)
    inbox.web.web[ALICE] = fetched(keyed(inbox=f"{ALICE}/inbox", movedTo=moved))
    inbox.web.web[moved] = fetched(actor(moved, inbox=f"{moved}/inbox", alsoKnownAs=[ALICE]))
    assert [inbox.take(request).redelivered for _ in range(2)] == [False, True]


def test_an_activity_with_two_proofs_acts_once_whichever_of_them_come_along() -> None:
    inbox, activity = Inbox(), act("Follow", HELPER, ALICE, to=[HELPER])
    first, second = (
        activitypub.sign_object(activity, key=EDDSA, now=NOW - timedelta(seconds=age))["proof"] for age in (0, 1)
    )
    assert not inbox.take(post(activity | {"proof": [first, second]})).redelivered
    assert inbox.take(post(activity | {"proof": [second]})).redelivered  # whoever saw it may leave one out
