"""The soak, in small: every kind of message comes through, and memory that grows is seen."""

from __future__ import annotations

import gc
import mmap
import sys

import pytest

from tests import soak

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Memory is looked at a few times only, and garbage is not looked for among the other tests, which takes long."""
    monkeypatch.setattr(soak, "SAMPLES", 5)
    gc.freeze()
    yield
    gc.unfreeze()


def test_every_kind_of_message_comes_through():
    soaked = soak.soak(1_000, warm=400)
    each = 1_000 // len(soak.KINDS)
    assert set(soaked.came) == {"verified", "received", "traced", "heard", "hostile"}
    assert all(count >= each for count in soaked.came.values())
    assert soaked.came["verified"] >= 3 * each
    assert soaked.growth < soak.MOST_GROWTH


def test_memory_that_grows_is_seen():
    kept = []

    def leak(turn):
        kept.append(mmap.mmap(-1, 200_000))  # of its own: where much was freed before, bytes would go into the gaps
        kept[-1].write(b"x" * 200_000)
        return "leaked"

    soaked = soak.soak(100, kinds=(leak,), warm=20)
    assert soaked.growth > soak.MOST_GROWTH
    assert len(kept) == 100


@pytest.mark.parametrize("growth", [soak.MOST_GROWTH, soak.MOST_GROWTH + 1])
def test_the_program_says_what_it_saw_and_fails_when_memory_grew(monkeypatch, tmp_path, capsys, growth):
    def seen(messages, *, say):
        row = (messages, 50 << 20, 300.0)
        say(soak.row_of(*row))
        return soak.Soaked([row], {"verified": messages}, growth)

    monkeypatch.setattr(soak, "soak", seen)
    path = tmp_path / "soak.md"
    assert soak.main(["--messages", "1000", "--report", str(path)]) == (growth > soak.MOST_GROWTH)
    assert "| 1,000 | 50.0 | 300 |" in capsys.readouterr().out
    assert path.read_text().startswith("# Soak\n\n| messages |")


def test_an_error_that_escapes_is_said(monkeypatch, capsys):
    def escaped(*_, **__):
        raise soak.UsageError("not documented")

    monkeypatch.setattr(soak, "soak", escaped)
    assert soak.main([]) == 1
    assert "something escaped: not documented" in capsys.readouterr().err
