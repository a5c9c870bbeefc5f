from __future__ import annotations

import pytest

from mentionable import Answers, Failed, PlatformCall, UsageError, drive
from mentionable._model.base import frozen


@frozen
class Ring(PlatformCall):
    """A platform with one method."""

    whom: str

    @property
    def name(self):
        return f"ring {self.whom}"


@frozen
class Nameless(PlatformCall):
    """A call whose author forgot to name it."""


@pytest.mark.parametrize("said", [{"ok": True}, [{"id": 1}], Failed("down")])
def test_a_call_is_answered_with_what_the_platform_says(said):
    assert drive(iter(Ring(whom="alice")), Answers(call_api=lambda ask: said)) == said


def test_anything_else_is_no_answer():
    with pytest.raises(UsageError, match="JSON object or array"):
        drive(iter(Ring(whom="alice")), Answers(call_api=lambda ask: "ok"))


def test_every_kind_of_call_has_a_name():
    assert Ring(whom="alice").name == "ring alice"
    with pytest.raises(NotImplementedError):
        _ = Nameless().name
