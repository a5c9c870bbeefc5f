"""Fetches an interpreter of each claimed version, as old as can be had, into `.cache/pythons/`.

Usage: python -m tests.setup_pythons

An interpreter of the machine is taken where it is as old as what Debian ships; else Debian's packages are unpacked,
with the C library that they need, and not installed. apt fetches them, with lists of its own, and verifies Debian's
signature. Each interpreter gets an environment with what the library needs; the library is run from the checkout.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from tests.setup_interop import INSTALL, Part, in_ci, is_made, library_needs, make_part, succeeds
from tests.setup_lock import alone

ROOT: Final = Path(__file__).resolve().parents[1]
HOME: Final = ROOT / ".cache" / "pythons"
KEYRING: Final = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
MIRROR: Final = "http://deb.debian.org/debian"
PIP: Final = "pip==26.3"
TEST_PACKAGES: Final = (
    *("dkimpy[ed25519]>=1.1.8", "dnspython>=2.8", "httpx>=0.28", "hypothesis>=6.140", "jsonschema>=4.25", "pytest>=9"),
    *("referencing>=0.36", "rfc8785>=0.1.4", "trio>=0.31"),
)
"""What the tests need that run on several interpreters."""

APT: Final = """\
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
APT::Sandbox::User "root";
Dir::Cache "{folder}/cache";
Dir::Etc::Parts "/dev/null";
Dir::Etc::SourceList "{folder}/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State "{folder}/state";
Dir::State::status "{folder}/status";
"""
"""An apt of its own. A mirror may be older than its signature allows: what was signed is signed all the same."""

LAUNCHER: Final = """\
#!/bin/sh
exec "{root}/usr/lib64/ld-linux-x86-64.so.2" --argv0 "$0" --library-path "{root}/usr/lib/x86_64-linux-gnu" \\
  "{root}/usr/bin/python{minor}" "$@"
"""
"""Runs an unpacked interpreter with the C library that it was made for, which is newer than that of the machine."""


class Interpreter(NamedTuple):
    """A version that the library claims.

    Attributes:
        minor: The version without its patch release.
        suite: The release of Debian that ships it; None where no release does.
        patch: The patch release that this release has, or had first; none of the machine may be newer.
    """

    minor: str
    suite: str | None
    patch: int

    @property
    def home(self) -> Path:
        """Where it is kept."""
        return HOME / self.minor

    @property
    def python(self) -> Path:
        """The program, in an environment with what the library needs."""
        return self.home / "env" / "bin" / "python"


INTERPRETERS: Final = (
    Interpreter("3.11", "bookworm", 2),
    Interpreter("3.12", None, 3),
    Interpreter("3.13", "trixie", 5),
    Interpreter("3.14", "forky", 8),
    Interpreter("3.15", "forky", 0),
)
"""Oldest first. 3.12 is in no release of Debian: 3.12.3 is what Ubuntu 24.04 has."""


def main() -> int:
    """Make what is missing or out of date; in CI the exit status says whether all are there."""
    wanted = (library_needs(), extras("cli"), TEST_PACKAGES, PIP)
    with ThreadPoolExecutor(2) as pool:
        parts = [Part(one.home, (one, *wanted), lambda one=one: _make(one)) for one in INTERPRETERS]
        list(pool.map(make_part, parts))
    missing = [one.minor for one in INTERPRETERS if not is_made(one.home)]
    for one in INTERPRETERS:
        print(f"pythons/{one.minor}: {version_of(one.python) if is_made(one.home) else 'not there'}")
    if missing:
        print(f"no interpreter, as old as Debian ships it, of: {', '.join(missing)}", file=sys.stderr)
    return 1 if missing and in_ci() else 0


def extras(name: str) -> tuple[str, ...]:
    """What the library needs for an extra."""
    return tuple(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][name])


def version_of(python: Path | str) -> str | None:
    """The version of an interpreter, `3.11.2`; None when it does not run, or is no CPython."""
    words = "import platform; print(platform.python_implementation(), platform.python_version())"
    try:
        done = subprocess.run([str(python), "-c", words], capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    kind, _, version = done.stdout.strip().partition(" ")
    return version if done.returncode == 0 and kind == "CPython" else None


def on_the_machine(minor: str) -> list[tuple[int, Path]]:
    """The interpreters of one version that the machine has, with their patch releases, the oldest first."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    places = [Path("/usr/bin") / f"python{minor}", *pyenv.glob(f"versions/{minor}.*/bin/python{minor}")]
    on_path = shutil.which(f"python{minor}")
    places += [Path(on_path)] if on_path else []
    versions = [(version_of(place), place) for place in places]
    return sorted(
        (int(version.rpartition(".")[2]), place)
        for version, place in versions
        if version is not None and version.rpartition(".")[0] == minor and version.rpartition(".")[2].isdecimal()
    )


def _make(wanted: Interpreter) -> bool:
    """The interpreter, and an environment with what the library and its tests need."""
    old_enough = [place for patch, place in on_the_machine(wanted.minor) if patch <= wanted.patch]
    python = old_enough[0] if old_enough else _from_debian(wanted)
    env = wanted.home / "env"
    if python is None or not succeeds([str(python), "-m", "venv", "--without-pip", str(env)]):
        return False
    packages = [*library_needs(), *extras("cli"), *TEST_PACKAGES]
    if succeeds([*INSTALL, str(wanted.python), *packages]):
        return True
    # a pip that is as new as the interpreter: the one that comes with an older Python cannot run on it
    quiet = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    site = env / "lib" / f"python{wanted.minor}" / "site-packages"
    own_pip = [sys.executable, "-m", "pip", "install", *quiet, "--target", str(site), PIP]
    return succeeds(own_pip) and succeeds([str(wanted.python), "-m", "pip", "install", *quiet, *packages])


def _from_debian(wanted: Interpreter) -> Path | None:
    """The interpreter out of Debian's packages, unpacked; None when there is none to be had."""
    tools = all(shutil.which(name) for name in ("apt-get", "dpkg-deb"))
    if wanted.suite is None or not tools or not KEYRING.exists() or platform.machine() != "x86_64":
        return None
    root = wanted.home / "root"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for inside in ("state/lists/partial", "cache/archives/partial"):
            (folder / inside).mkdir(parents=True)
        (folder / "status").touch()  # as if nothing were installed: all that the interpreter needs comes with it
        (folder / "sources.list").write_text(f"deb [signed-by={KEYRING}] {MIRROR} {wanted.suite} main\n")
        (folder / "apt.conf").write_text(APT.format(folder=folder))
        apt = ["env", f"APT_CONFIG={folder}/apt.conf", "apt-get", "--quiet"]
        fetch = ["install", "--yes", "--no-install-recommends", "--download-only", f"python{wanted.minor}"]
        if not succeeds([*apt, "update"]) or not succeeds([*apt, *fetch]):
            return None
        archives = sorted(folder.glob("cache/archives/*.deb"))
        if not all(succeeds(["dpkg-deb", "-x", str(archive), str(root)]) for archive in archives):
            return None
    launcher = root / "usr" / "bin" / "python"
    launcher.write_text(LAUNCHER.format(root=root, minor=wanted.minor))
    launcher.chmod(0o755)
    return launcher


if __name__ == "__main__":
    with alone(HOME):
        sys.exit(main())
