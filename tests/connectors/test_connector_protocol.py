"""That the connectors have one shape: said by a type checker, and by their signatures."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module

import pytest

from mentionable.connectors import StagedConnector
from tests.packages import ROOT

NAMES = [path.parent.name for path in sorted((ROOT / "mentionable" / "connectors").glob("*/_reply.py"))]
PROGRAM = """
from typing import Any
from mentionable import AnyAsk
from mentionable.connectors import Connector, StagedConnector, {names}

def takes(one: Connector[AnyAsk, Any, Any]) -> None: ...
def stages(one: StagedConnector[AnyAsk, Any, Any]) -> None: ...
{calls}
a: Connector[discord.DiscordAsk, discord.Settings, discord.Outgoing] = discord
b: Connector[bluebubbles.BlueBubblesAsk, bluebubbles.Settings, bluebubbles.Outgoing] = bluebubbles
"""


def test_a_type_checker_takes_each_for_a_connector(tmp_path):
    file = tmp_path / "connectors.py"
    file.write_text(
        PROGRAM.format(names=", ".join(NAMES), calls="\n".join(f"takes({name})\nstages({name})" for name in NAMES))
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", f"--cache-dir={tmp_path / 'c'}", file]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("function", ["receive", "claim", "complete", "attest", "reply"])
def test_each_takes_what_the_shape_says(name, function):
    shape = inspect.signature(getattr(StagedConnector, function)).parameters
    made = inspect.signature(getattr(import_module(f"mentionable.connectors.{name}"), function)).parameters
    keywords = {name for name, one in shape.items() if one.kind is one.KEYWORD_ONLY}
    assert keywords <= made.keys()
    own = [one for one in made.values() if one.name not in keywords][1:]
    assert all(one.kind is one.KEYWORD_ONLY and one.default is not one.empty for one in own)
