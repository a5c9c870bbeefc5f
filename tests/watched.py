"""Runs every conformance case while all doors to the world are watched; fails when one opens.

The clock and every source of chance raise from the start, and an audit hook refuses sockets, files and processes while
a case runs. A case in which something is loaded lazily touches files: it may, once, and then runs again, watched.
"""

from __future__ import annotations

import datetime
import json
import logging  # noqa: F401 - it reads the clock when it is loaded, which a library of others does
import os
import random
import secrets
import socket
import subprocess
import sys
import time
import uuid
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "conformance")]

REFUSED = ("socket.", "subprocess.", "os.", "open", "shutil.", "tempfile.", "glob.", "time.sleep", "urllib.", "http.")


class TouchedTheWorld(BaseException):
    """Not an Exception, so that nobody catches it."""


def refuse(*_: Any, **__: Any) -> NoReturn:
    raise TouchedTheWorld("this touches the world: the clock or chance")


class Clock(datetime.datetime):
    """`datetime` without the time of day."""

    now = utcnow = today = refuse


_is_watched = [False]


@contextmanager
def watching() -> Iterator[None]:
    """Refuses what touches the world."""
    _is_watched[0] = True
    try:
        yield
    finally:
        _is_watched[0] = False


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _is_watched[0] and event.startswith(REFUSED):
        raise TouchedTheWorld(f"this touches the world: {event} {arguments!r:.200}")


def blind() -> None:
    """Takes the clock and chance away."""
    datetime.datetime = Clock
    for module, names in (
        (time, "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns sleep gmtime localtime strftime"),
        (random, "random randint randrange choice choices shuffle sample getrandbits randbytes uniform seed"),
        (secrets, "token_bytes token_hex token_urlsafe randbits choice"),
        (os, "urandom getrandom"),
        (uuid, "uuid1 uuid4 getnode"),
    ):
        for name in names.split():
            if hasattr(module, name):
                setattr(module, name, refuse)


DEEDS = {
    "socket": lambda: socket.socket(),
    "open": lambda: open(__file__),  # noqa: SIM115
    "subprocess": lambda: subprocess.run(["true"], check=False),
    "listdir": lambda: os.listdir("/"),
    "now": lambda: datetime.datetime.now(datetime.UTC),
    "time": lambda: time.time(),
    "random": lambda: random.random(),
    "urandom": lambda: os.urandom(1),
    "uuid": lambda: uuid.uuid4(),
}


def caught() -> list[str]:
    """The names of the deeds that are refused."""
    names = []
    for name, deed in DEEDS.items():
        try:
            deed()
        except TouchedTheWorld:
            names.append(name)
    return names


def asked(case: Any) -> tuple[Any, ...]:
    """What a case asks, in objects of its own."""
    return (case.op, *json.loads(json.dumps([case.given, case.input])))


def watched(perform: Any, case: Any) -> None:
    """Performs a case while all ways to the world are watched."""
    question = asked(case)
    with watching():
        perform(*question)


def main() -> tuple[int, list[str]]:
    """How many cases ran without touching the world, and which deeds were refused: they prove that it is noticed."""
    blind()
    import mentionable_conformance as suite

    from tests.mutants import harness
    from tests.packages import modules

    cases = suite.cases()
    perform = harness().perform
    for module in modules():
        if module.name.split(".")[0] not in {"cli", "__main__"}:
            import_module(f"mentionable.{module.name}".rstrip("."))
    sys.addaudithook(watch)
    for case in cases:
        try:
            watched(perform, case)
        except TouchedTheWorld:
            perform(*asked(case))
            watched(perform, case)
    with watching():
        return len(cases), caught()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main()) + "\n")
