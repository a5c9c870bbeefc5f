"""Makes the environment in which the test kits of the A2A project run: `.cache/tck`, with what they require."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.packages import ROOT

KITS = ("v0.3", "v1.0-rc")
HOME = ROOT / ".cache" / "tck"
NEWER = ("grpcio-status", "proto-plus", "aiohttp", "pyOpenSSL", "python-dotenv")
"""What a kit imports and does not always say."""


def python(kits: Path) -> Path:
    """The interpreter of the environment for the kits in this folder; it is made when it is not there."""
    files = [tomllib.loads((kits / kit / "pyproject.toml").read_text()) for kit in KITS]
    wanted = sorted({*NEWER, *(one for file in files for one in file["project"]["dependencies"])})
    home = HOME / hashlib.sha256("\n".join(wanted).encode()).hexdigest()[:16]
    program = home / "bin" / "python"
    done = home / "done"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(home)], check=True)
        installing = [sys.executable, str(ROOT / "tests" / "install.py"), str(program), *wanted]
        subprocess.run(installing, check=True)
        done.touch()
    return program
