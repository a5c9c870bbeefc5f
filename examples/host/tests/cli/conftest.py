"""A project as `new` writes it, with keys that were made before."""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mentionable_host import build, logs
from mentionable_host.cli import main, new


@pytest.fixture
def project(tmp_path: Path, key_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a new project, which is the working folder."""
    monkeypatch.setattr(new, "make_keys", lambda folder: shutil.copytree(key_folder / "keys", folder / "keys"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    folder = tmp_path / "mybot"
    new.write_project(folder)
    monkeypatch.chdir(folder)
    yield folder
    sys.modules.pop("agent", None)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command: its exit status, what it printed, and its errors."""

    def run(*words: str) -> tuple[int, str, str]:
        status = main([*words])
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def own_logs() -> Iterator[None]:
    """What `serve` does with the logs is undone."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("mentionable_host", "agent"):
        logging.getLogger(name).setLevel(logging.NOTSET)


@pytest.fixture
def no_internet(monkeypatch: pytest.MonkeyPatch, world: object) -> object:
    """The world of the tests in place of the Internet, and logs that stay as they are."""
    monkeypatch.setattr(build, "_internet", lambda *given: world)
    monkeypatch.setattr(logs, "set_up", lambda *given, **named: None)
    return world
