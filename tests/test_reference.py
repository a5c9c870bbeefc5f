"""docs/reference.md lists every public name once, and nothing else."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import mentionable
from tests.reference import ROOMS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference.md"
AGAIN = "write docs/reference.md anew: python tests/regenerate.py reference"


def listed(heading: str) -> list[str]:
    """The names in the tables of one second-level section."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## `{heading}`\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \| \S", section, re.MULTILINE)


def test_every_name_of_the_package_is_listed_once():
    rooms = [room for room in ROOMS if "." not in room]
    assert sorted([*listed("mentionable"), *rooms]) == mentionable.__all__, AGAIN


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_of_a_room_is_listed_once(room):
    assert sorted(listed(f"mentionable.{room}")) == sorted(import_module(f"mentionable.{room}").__all__), AGAIN
