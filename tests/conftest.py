"""What every test can import (the library and the conformance suite of this checkout), and the hypothesis profiles."""

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = [str(folder) for folder in (ROOT, ROOT / "conformance")]
sys.path[:0] = [folder for folder in FOLDERS if folder not in sys.path]

# Hundreds of Node programs are started, and most of a start was to compile what was compiled before.
os.environ.setdefault("NODE_COMPILE_CACHE", str(ROOT / ".cache" / "node-compiled"))

SLOW_BUT_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "ci", max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=SLOW_BUT_FINE
)
settings.register_profile(
    "brief", max_examples=10, deadline=None, derandomize=True, database=None, suppress_health_check=SLOW_BUT_FINE
)
settings.register_profile(
    "nightly", max_examples=20_000, deadline=None, database=None, suppress_health_check=SLOW_BUT_FINE
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

gc.set_threshold(50_000, 20, 20)
"""Garbage is looked for less often than by default: among tens of thousands of tests that takes a fifth of the time."""


class Figures:
    """Says at the end of the session what was measured."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self.lines:
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of npm."""
    from tests import suite_packages

    return suite_packages.tarball(tmp_path_factory.mktemp("npm"))


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of pip."""
    from tests import suite_packages

    return suite_packages.wheel(tmp_path_factory.mktemp("pip"))


@pytest.fixture(scope="session")
def report_of_node(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of all cases, by the harness in TypeScript."""
    from tests import whole_runs

    return whole_runs.of_node(tmp_path_factory.mktemp("node"))


@pytest.fixture(scope="session")
def report_of_python(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of all cases, by the harness of the library."""
    from tests import whole_runs

    return whole_runs.of_python(tmp_path_factory.mktemp("python"))


@pytest.fixture(scope="session")
def say(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Says a line at the end of the session, whether tests pass or fail."""
    figures = Figures()
    request.config.pluginmanager.register(figures)
    return figures.lines.append
