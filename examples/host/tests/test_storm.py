"""A short storm on each database; `.ci/nightly storm` has the long ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HOST = Path(__file__).parents[1]
WORDS = ("--messages", "240", "--every", "3", "--seconds", "900")


def begin(*words: str) -> subprocess.Popen[str]:
    place = os.pathsep.join([str(HOST), str(HOST.parents[1]), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-m", "storm", *WORDS, *words],
        cwd=HOST,
        env={**os.environ, "PYTHONPATH": place},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.storm
def test_nothing_is_lost_or_answered_twice_on_sqlite():
    storm = begin()
    said, _ = storm.communicate(timeout=1_000)

    assert storm.returncode == 0, said
    assert "no faults" in said


@pytest.mark.storm
def test_nothing_is_lost_or_answered_twice_on_postgresql_which_is_killed_too(postgres):
    storm, restarts = begin("--postgres", postgres.new_database()), 0
    while storm.poll() is None and restarts < 3:
        try:
            storm.wait(timeout=8)
        except subprocess.TimeoutExpired:
            postgres.stop()
            postgres.start()
            restarts += 1
    said, _ = storm.communicate(timeout=1_000)

    assert storm.returncode == 0, said
    assert "no faults" in said
    assert restarts > 0
