"""The two packages of the suite, and the commands that install and run it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import mentionable_conformance as suite
import pytest

from tests import setup_interop
from tests.needed import missing
from tests.node_programs import node

__all__ = ["CRATES", "environment", "follow", "programs", "run", "tarball", "the_step", "wheel"]

GO: Final = setup_interop.GO_HOME / "go" / "bin" / "go"
CRATES: Final = setup_interop.DEBIAN_HOME / "usr" / "share" / "cargo" / "registry"


def run(command: list[str], folder: Path, **environment: str) -> str:
    # where npm is, Node is too; in its own folder npm does not run
    path = os.pathsep.join([str(Path(node("npm")).parent), os.environ["PATH"]])
    where = {**os.environ, "PATH": path, "npm_config_cache": str(folder / "cache"), **environment}
    done = subprocess.run(command, cwd=folder, env=where, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tarball(folder: Path) -> Path:
    """The package of npm, packed in a folder."""
    checkout = folder / "conformance"
    shutil.copytree(suite.root(), checkout, ignore=shutil.ignore_patterns("__pycache__", "manifest.json"))
    run([node("npm"), "pack", "--silent", "--pack-destination", str(folder)], checkout)
    assert not (checkout / "manifest.json").exists(), "what npm packs is not left in a checkout"
    (found,) = folder.glob("*.tgz")
    return found


def wheel(folder: Path) -> Path:
    """The package of pip, built in a folder."""
    if find_spec("hatchling") is None:
        pytest.skip("the back end that builds the package is not there")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=suite.root(), check=True, capture_output=True, timeout=120)
    (found,) = folder.glob("*.whl")
    return found


def the_step() -> str:
    """The shell step of the action."""
    text = (suite.root() / "action.yml").read_text()
    return "\n".join(line[8:] for line in text.partition("      run: |\n")[2].splitlines())


def programs(name: str) -> list[str]:
    """The folders of the programs that a template needs."""
    found = [str(Path(sys.base_prefix) / "bin")]
    if name in ("javascript", "typescript"):
        found.insert(0, str(Path(node("npm")).parent))
    if name == "go":
        go = str(GO) if GO.exists() else shutil.which("go")
        found.insert(0, str(Path(go).parent) if go else missing("Go"))
    if name == "rust":
        cargo = shutil.which("cargo")
        if cargo is None:
            pytest.skip("there is no cargo here")
        found.insert(0, str(Path(cargo).parent) if CRATES.exists() else missing("serde_json"))
    return found


def environment(name: str, folder: Path) -> dict[str, str]:
    """What the programs need to be told where there is no network."""
    return {
        **{key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        "PATH": os.pathsep.join([*programs(name), "/usr/bin", "/bin"]),
        "PIP_NO_INDEX": "1",
        "npm_config_cache": str(folder / "cache"),
        "npm_config_offline": "true",
        "CARGO_NET_OFFLINE": "true",
        "GOCACHE": str(setup_interop.GO_HOME / "cache"),
        "GOTOOLCHAIN": "local",
    }


def follow(script: str, name: str, folder: Path, *packages: Path) -> subprocess.CompletedProcess[str]:
    """Runs commands of a page in a folder, with the packages in place of their name."""
    for kind, package in zip(("npm install", "pip install"), packages, strict=True):
        script = script.replace(f"{kind} mentionable-conformance", f"{kind} '{package}'")
    command = ["sh", "-e", "-c", script]
    where = environment(name, folder.parent)
    return subprocess.run(command, cwd=folder, env=where, capture_output=True, text=True, check=False, timeout=300)
