"""Both runners of the suite, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Final

import mentionable_conformance as suite

from tests.node_programs import node

__all__ = ["RUNNERS", "both", "command_of", "environment", "outcome"]

RUNNERS: Final = ("python", "javascript")


def command_of(runner: str) -> list[str]:
    """How a runner is started."""
    if runner == "python":
        return [sys.executable, "-m", "mentionable_conformance"]
    return [node(), str(suite.root() / "judge" / "cli.mjs")]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(suite.root().parent), str(suite.root())])}


def outcome(runner: str, words: list[str], **more: Any) -> tuple[int, str, str]:
    """Status, output and errors of one runner."""
    how = {"env": environment(), "capture_output": True, "encoding": "utf-8", "check": False, "timeout": 60, **more}
    done = subprocess.run([*command_of(runner), *words], **how)
    return done.returncode, done.stdout, done.stderr


def both(words: list[str], **more: Any) -> list[tuple[int, str, str]]:
    """Status, output and errors of both runners."""
    return [outcome(runner, words, **more) for runner in RUNNERS]
