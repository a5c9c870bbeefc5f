"""Makes the environment of `mentionable-host` and of its tests in `.cache/host`.

Usage: python tests/setup_host.py

The environment has the host and the library from this checkout, what the host needs for PostgreSQL, and what its tests
speak with. It is made anew when that changes, and by another Python. Run the tests in `examples/host`:
`../../.cache/host/bin/python -m pytest -m "not storm"`.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.setup_interop import INSTALL, Part, in_ci, library_needs, make_part, program, succeeds  # noqa: E402
from tests.setup_lock import alone  # noqa: E402

HOME: Final = ROOT / ".cache" / "host"
HOST: Final = ROOT / "examples" / "host"
EXTRAS: Final = ("discord", "postgres", "test")
PACKAGES: Final = (
    "a2a-sdk[http-server]==1.3.0",
    "django==5.2.19",
    "fastapi==0.165.0",
    "langgraph==1.2.24",
    "openai-agents==0.24.0",
    "opentelemetry-exporter-prometheus==0.66b2",
    "opentelemetry-sdk==1.45.2",
    "playwright==1.65.2",
    "pydantic-ai-slim==2.68.0",
    "pyyaml==6.0.4",
    "slack-sdk==3.48.0",
)
"""What the tests speak with, mount the routes in, and drive a browser with; the browser is that of `setup_interop`."""


def needs() -> tuple[str, ...]:
    """What the host needs beside the library, with its extras."""
    project = tomllib.loads((HOST / "pyproject.toml").read_text())["project"]
    extras = [name for extra in EXTRAS for name in project["optional-dependencies"][extra]]
    return tuple(name for name in (*project["dependencies"], *extras) if name != "mentionable")


def make() -> bool:
    """The environment, with both distributions as they are in this checkout."""
    if not succeeds([sys.executable, "-m", "venv", "--without-pip", str(HOME)]):
        return False
    sources = ("-e", str(ROOT), "-e", str(HOST))
    return succeeds([*INSTALL, str(program("python", HOME)), *sources, *needs(), *PACKAGES])


def main() -> int:
    """Makes what is missing or out of date; in CI the exit status says whether it is there."""
    made = make_part(Part(HOME, (PACKAGES, needs(), library_needs(), sys.version_info[:2]), make))
    print(f"host: {'there' if made else 'not there'}")
    return 1 if not made and in_ci() else 0


if __name__ == "__main__":
    with alone(HOME.parent / "host-lock"):
        sys.exit(main())
