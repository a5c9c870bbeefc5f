"""Somebody new sees an agent mentioned, and its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.test_examples_mail import tried

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("text", ["Will it rain?", "Or <b>snow</b>, *perhaps*?"])
def test_somebody_new_sees_a_mention_answered(tmp_path: Path, text: str) -> None:
    status, out = tried("try_mention.py", text, folder=tmp_path)
    assert (status, out.splitlines()[-1]) == (0, f"You wrote: @helper@agents.example {text}")
    assert "@helper@agents.example (ap-http-signature) answers https://social.example/notes/" in out


def test_somebody_new_sees_that_a_forged_note_is_not_answered(tmp_path: Path) -> None:
    status, out = tried("try_mention.py", "--forged", folder=tmp_path)
    assert (status, out.splitlines()[-1]) == (1, "No answer came.")
    assert "@alice@social.example (not verified: digest-mismatch) to @helper@agents.example:" in out
    assert "The agent's server says: 202" in out
