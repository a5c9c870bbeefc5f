"""All cases of the suite by both implementations that it ships, as its pages say: they are run once for all tests.

A case that fails is no error here: the tests of a report name it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import mentionable_conformance as suite
import pytest

from tests.node_programs import node

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["of_node", "of_python"]

ROOT = suite.root()


def commands() -> list[str]:
    """The commands of the page that run the harness in TypeScript."""
    blocks = re.findall(r"(?ms)^```sh\n(.*?)^```$", (ROOT / "README.md").read_text())
    (block,) = [one for one in blocks if "harness/node.mjs" in one]
    return block.splitlines()


def of_node(folder: Path) -> dict[str, Any]:
    """What the command of the page reports; its report is kept in a folder."""
    install, run = commands()
    assert install == "pip install ./conformance"
    python, dash, module, *words = run.split()
    assert (python, dash, module) == ("python", "-m", "mentionable_conformance")
    place = words.index("--") + 1
    assert words[place:] == ["node", "conformance/harness/node.mjs"]
    path = folder / "report.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT.parent)
        suite.main([*words[: place - 1], "--strict", "--json", str(path), "--", node(), words[place + 1]])
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def of_python(folder: Path) -> dict[str, Any]:
    """What the runner reports of the harness that it starts by itself; its report is kept in a folder."""
    path = folder / "report.json"
    program = "import sys, mentionable_conformance as s; sys.exit(s.main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "run", "--validate", "--json", str(path)]
    where = {"PYTHONPATH": os.pathsep.join([str(ROOT.parent), str(ROOT)]), "PYTHONHASHSEED": "7"}
    subprocess.run(command, env=where, check=False, timeout=300)
    found: dict[str, Any] = json.loads(path.read_text())
    return found
