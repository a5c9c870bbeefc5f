"""What a release would break is told, of the public names and of the conformance cases."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.interop.foreign import needs
from tests.setup_interop import ROOT, TOOLS_HOME, program

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("tools")

PACKAGE = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from ._text import Part as Part
    from ._text import gone as gone
    from ._text import moved as moved
    from ._text import plain as plain
"""
TEXT = """
class Part:
    size: int = 1
    def cut(self, at): ...
def plain(message, *, width=80): ...
def gone(): ...
def moved(): ...
def _hidden(): ...
"""


@pytest.fixture(scope="module")
def tools():
    needs(TOOLS_HOME)


def case(name: str, **members: str) -> dict[str, str]:
    """A conformance case with a name."""
    return {"id": f"area/{name}", "section": "NM 3", "level": "MUST", "why": "w", "input": "", "value": "", **members}


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@t.example", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def released(tmp_path):
    """A checkout whose package was released as it is."""
    folder = tmp_path / "mentionable"
    folder.mkdir()
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "_text.py").write_text(TEXT)
    cases = tmp_path / "conformance" / "v0.1"
    cases.mkdir(parents=True)
    (cases.parent / "withdrawn.json").write_text('{"withdrawn": {"area/c": "It was wrong."}}')
    (cases / "area.json").write_text(json.dumps({"spec": "s", "op": "o", "cases": [case(name) for name in "abcd"]}))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "All")
    return tmp_path


def check(folder: Path, *words: str) -> tuple[int, str]:
    command = [program("python", TOOLS_HOME), ROOT / "tests" / "api.py", "--root", folder, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_before_the_first_release_nothing_can_be_broken(released):
    assert check(released) == (0, "nothing was released yet: there is nothing to break\n")


CHANGES = (
    ("_text.py", "def _hidden(): ...", "", None),
    ("_text.py", "width=80", "width=72, height=3", "plain(width): Parameter default was changed"),
    ("_text.py", "(message,", "(unit,", "plain(message): Parameter was removed"),
    ("_text.py", "def cut(self, at): ...", "", "Part.cut: Public object was removed"),
    ("__init__.py", "from ._text import gone as gone", "pass", "gone: Public object was removed"),
    ("_text.py", "def moved(", "def elsewhere(", "moved: is not there"),
)


def test_what_was_broken_since_the_release_is_told_and_nothing_else(released):
    git(released, "tag", "v1.0.0")
    for name, old, new, _ in CHANGES:
        path = released / "mentionable" / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
    status, printed = check(released)
    *lines, last = printed.splitlines()
    assert [word for *_, word in CHANGES if word and not any(word in line for line in lines)] == []
    assert (status, last) == (1, f"against v1.0.0: {len(lines)} broken")
    assert len(lines) == 6, "a renamed parameter is one that is gone and one that is new"


def test_a_case_that_is_gone_or_changed_since_the_release_is_told(released):
    git(released, "tag", "v1.0.0")
    cases = [case("a", why="Other words."), case("b", level="MAY"), case("e")]
    path = released / "conformance" / "v0.1" / "area.json"
    path.write_text(json.dumps({"spec": "s", "op": "o", "cases": cases}))
    lines = ["area/b: means something else", "area/d: is gone and was not withdrawn", "against v1.0.0: 2 broken"]
    assert check(released) == (1, "\n".join(lines) + "\n")
