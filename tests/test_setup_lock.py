"""Two set-ups of one folder never run at once."""

import subprocess
import sys

import pytest

from tests.setup_lock import alone

pytest.importorskip("fcntl")
TRY = """
import fcntl, sys
with open(sys.argv[1], "w") as file:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(7)
"""


def test_whoever_comes_second_waits_for_the_first(tmp_path):
    second = [sys.executable, "-c", TRY, str(tmp_path / "home" / ".lock")]
    with alone(tmp_path / "home"):
        assert subprocess.run(second, check=False).returncode == 7
    assert subprocess.run(second, check=False).returncode == 0
