"""Installs Python packages into an environment: with uv, which needs a tenth of the time, else with pip.

Usage: .venv/bin/python tests/install.py PYTHON REQUIREMENT ...

PYTHON is the interpreter of the environment, which needs no pip of its own. What is never imported is not compiled. The
environment that runs this program gets uv, once.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from setup_lock import alone

UV = "uv>=0.9"
QUIET = ("--quiet", "--disable-pip-version-check", "--no-compile")


def main(python: str, *requirements: str) -> int:
    """The exit status of the installer."""
    uv = Path(sys.executable).with_name("uv")
    with alone(Path(sys.prefix)):  # set-ups run side by side, and a program that is half there cannot be run
        if not uv.exists():
            subprocess.run([sys.executable, "-m", "pip", "install", *QUIET, UV], capture_output=True, check=False)
    if uv.exists():
        words = [str(uv), "pip", "install", "--quiet", "--python", python, *requirements]
        if not subprocess.run(words, capture_output=True, check=False).returncode:
            return 0
    # It may be configured to fetch packages from where uv does not look.
    words = [sys.executable, "-m", "pip", "--python", python, "install", *QUIET, *requirements]
    return subprocess.run(words, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
