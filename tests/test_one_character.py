"""A change of one character in a signed delivery is refused, or changes no fact: a sample of what each night tries."""

import pytest

from mentionable.activitypub import _verify
from mentionable.activitypub._auth import proof, signature
from tests import one_character
from tests.one_character import Broken, deliveries, tried


@pytest.mark.uncounted
def test_no_change_of_one_character_changes_what_is_verified() -> None:
    counts = tried(2_700, seed=1)
    assert {name.partition(",")[0] for name in counts} == deliveries().keys()
    assert all(counts[f"{name}, refused"] and counts[f"{name}, the same"] for name in deliveries())


def test_changes_are_the_same_each_time() -> None:
    assert tried(90, seed=2) == tried(90, seed=2) != tried(90, seed=3)


def test_a_digest_that_is_not_compared_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signature, "check_digests", lambda *_: b"")
    with pytest.raises(Broken, match="cavage"):
        tried(2_000, seed=4)


def test_a_proof_that_leaves_out_a_member_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "_UNSIGNED", {*proof._UNSIGNED, "object"})
    deliveries.cache_clear()
    try:
        with pytest.raises(Broken, match="proof"):
            tried(2_000, seed=5)
    finally:
        deliveries.cache_clear()


def test_a_delivery_that_is_not_verified_as_it_stands_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_verify.CHECKS, "cavage", _verify.check_rfc9421)
    with pytest.raises(Broken, match="as it stands"):
        tried(9, seed=6)


def test_the_program_says_how_often_each_came_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["one_character", "--changes", "18"])
    one_character.main()
    assert capsys.readouterr().out.splitlines()[-1].split()[:2] == ["18", "changes,"]
