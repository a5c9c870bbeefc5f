"""The programs of others, as these tests speak with them, and the count of what they said."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from tests import setup_interop
from tests.needed import missing

HERE = Path(__file__).resolve().parent
CHECKS: Counter[str] = Counter()
"""Suite → how many checks against code of others it has made."""

FLOORS: dict[str, int] = {}
"""Suite → how many such checks it makes at least."""


def needs(home: Path) -> None:
    """Skips a test when a part of the set-up is not there; in CI that is a failure."""
    if not setup_interop.is_made(home):
        missing(home.name)


class Foreign:
    """A program of others in a process of its own: one JSON object a line each way."""

    def __init__(self, *command: str | Path, **environment: str) -> None:
        self._process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **environment},
        )

    def __call__(self, op: str, **given: Any) -> Any:
        """What it says."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"op": op, **given}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"{op}: the program ended with {self._process.poll()}"
        found = json.loads(line)
        assert "failed" not in found, f"{op}: {found['failed']}"
        return found["answer"]

    def close(self) -> None:
        """Ends it."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(10)
