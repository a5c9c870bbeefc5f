"""Nothing that comes from outside makes an answer raise: a sample of what each night tries."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable.activitypub._read import object as objects
from mentionable.activitypub._write import recipients
from tests import replies
from tests.replies import Raised, tried


def test_no_changed_activity_makes_an_answer_raise() -> None:
    counts = tried(1_000, seed=1)
    assert counts["answered"] > 200
    assert {"id-refused", "wrong-type", "recipient-elsewhere"} <= counts.keys()


def test_changes_are_the_same_each_time() -> None:
    assert tried(60, seed=2) == tried(60, seed=2) != tried(60, seed=3)


def test_an_id_that_no_answer_can_name_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = objects.local_id

    def unchecked(value: Any, *where: str, **limits: Any) -> str:
        return value if isinstance(value, str) and value else checked(value, *where, **limits)

    monkeypatch.setattr(objects, "local_id", unchecked)
    with pytest.raises(Raised, match=r"object\.id is missing"):
        tried(3_000, seed=4)


def test_an_inbox_to_which_no_request_can_be_signed_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipients, "is_web_url", lambda _: True)
    with pytest.raises(Raised, match=r"request\.url"):
        tried(6_000, seed=2)


def test_the_program_says_what_came_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["replies", "--inputs", "20"])
    replies.main()
    assert capsys.readouterr().out.splitlines()[-1].split()[:2] == ["20", "activities,"]
