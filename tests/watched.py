"""Runs every conformance case while all doors to the world are watched; fails when one opens.

The clock and every source of chance raise from the start. After one pass that loads whatever is loaded lazily, an audit
hook refuses sockets, files and processes, and the cases run once more.
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
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

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


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith(REFUSED):
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


def main(*, prove: bool) -> str:
    """How many cases ran without touching the world; or, to prove that a touch is noticed, which deeds were refused."""
    blind()
    import mentionable_conformance as suite

    from tests.mutants import harness
    from tests.packages import modules

    cases = () if prove else suite.cases()
    perform = harness().perform
    for module in modules():
        if module.name.split(".")[0] not in {"cli", "__main__"}:
            import_module(f"mentionable.{module.name}".rstrip("."))
    for watched in (False, True):
        if watched:
            sys.addaudithook(watch)
        for case in cases:
            perform(case.op, *json.loads(json.dumps([case.given, case.input])))
    return " ".join(caught()) if prove else str(len(cases))


if __name__ == "__main__":
    sys.stdout.write(main(prove="prove" in sys.argv) + "\n")
