"""The library does no I/O, reads no clock and rolls no die: in its text, and while it runs every conformance case."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packages import Module, imports, modules

PURE = [m for m in modules() if m.name.split(".")[0] not in {"cli", "__main__"}]
BANNED_IMPORTS = [
    "aiohttp",
    "anyio",
    "asyncio",
    "ctypes",
    "dbm",
    "dkim",
    "dns",
    "email.parser",
    "email.utils",
    "fcntl",
    "fileinput",
    "ftplib",
    "getpass",
    "glob",
    "html.parser",
    "http",
    "http.client",
    "httpx",
    "imaplib",
    "io",
    "logging",
    "mmap",
    "multiprocessing",
    "os",
    "pathlib",
    "platform",
    "poplib",
    "queue",
    "random",
    "requests",
    "sched",
    "secrets",
    "select",
    "selectors",
    "shelve",
    "shutil",
    "signal",
    "smtplib",
    "socket",
    "socketserver",
    "sqlite3",
    "ssl",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "trio",
    "urllib.error",
    "urllib.request",
    "urllib3",
    "uuid",
    "webbrowser",
    "xmlrpc",
]
BANNED_CALLS = frozenset({"breakpoint", "eval", "exec", "input", "open", "print", "__import__"})
BANNED_METHODS = frozenset({"now", "today", "utcnow", "getenv", "urandom", "sleep", "read_text", "write_text"})
ALLOWED = {("_model.base", "exec")}
"""Module and call: `exec` builds constructors out of the names of our own members."""


def faults(module: Module) -> list[str]:
    """What a module has that it may not have."""
    found = [
        f"import {name}:{line}"
        for name, line in imports(module, typing=True)
        if name in BANNED_IMPORTS or name.split(".")[0] in BANNED_IMPORTS
    ]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name) and function.id in BANNED_CALLS:
                if (module.name, function.id) not in ALLOWED:
                    found.append(f"{function.id}():{node.lineno}")
            elif isinstance(function, ast.Attribute) and function.attr in BANNED_METHODS:
                found.append(f".{function.attr}():{node.lineno}")
    return found


@pytest.mark.parametrize("module", PURE, ids=lambda m: m.name or "mentionable")
def test_the_text_of_the_library_holds_no_io_no_clock_and_no_chance(module):
    assert faults(module) == []


@pytest.mark.parametrize(
    "text",
    [
        "import socket",
        "from urllib.request import urlopen",
        "import http.client",
        "def f():\n    import random",
        "if TYPE_CHECKING:\n    import ssl",
        "open('x')",
        "print(1)",
        "datetime.now(UTC)",
        "datetime.datetime.utcnow()",
        "path.read_text()",
        "exec('')",
    ],
)
def test_a_fault_would_be_seen(text):
    assert faults(Module("mail._sample", Path("mail/_sample.py"), ast.parse(text))) != []


@pytest.fixture(scope="module")
def watched() -> tuple[int, list[str]]:
    """How many cases ran while all ways to the world were watched, and which deeds were refused after them."""
    program = Path(__file__).with_name("watched.py")
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    cases, refused = json.loads(done.stdout)
    return cases, refused


def test_no_conformance_case_touches_the_world(watched):
    cases, _ = watched
    assert cases > 50


def test_a_case_that_touched_the_world_would_be_caught(watched):
    _, refused = watched
    assert refused == [
        "socket",
        "open",
        "subprocess",
        "listdir",
        "now",
        "time",
        "random",
        "urandom",
        "uuid",
    ]
