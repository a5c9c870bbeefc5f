"""Which event loop `serve` has."""

from __future__ import annotations

import asyncio
import sys

import pytest

from mentionable_host.cli.listening import fastest_loop


def test_it_is_that_of_uvloop_where_it_is_installed():
    uvloop = pytest.importorskip("uvloop")

    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        assert isinstance(runner.get_loop(), uvloop.Loop)


def test_it_is_that_of_python_elsewhere(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvloop", None)

    assert fastest_loop() is None
