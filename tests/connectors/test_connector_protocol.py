"""That the connectors have one shape: said by type checkers, and by their signatures."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from mentionable.connectors import StagedConnector
from tests.packages import ROOT

NAMES = [path.parent.name for path in sorted((ROOT / "mentionable" / "connectors").glob("*/_reply.py"))]
PROGRAM = ROOT / "tests" / "typing" / "connectors.py"
"""`tests/test_typing.py` has it checked by each type checker."""


@pytest.mark.parametrize("name", NAMES)
def test_type_checkers_are_asked_whether_it_is_a_connector(name):
    lines = PROGRAM.read_text("utf-8").splitlines()
    assert {f"takes({name})", f"stages({name})"} <= set(lines)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("function", ["receive", "claim", "complete", "attest", "reply"])
def test_each_takes_what_the_shape_says(name, function):
    shape = inspect.signature(getattr(StagedConnector, function)).parameters
    made = inspect.signature(getattr(import_module(f"mentionable.connectors.{name}"), function)).parameters
    keywords = {name for name, one in shape.items() if one.kind is one.KEYWORD_ONLY}
    assert keywords <= made.keys()
    own = [one for one in made.values() if one.name not in keywords][1:]
    assert all(one.kind is one.KEYWORD_ONLY and one.default is not one.empty for one in own)


def test_each_verifies_a_request_in_the_same_way():
    shapes = {inspect.signature(import_module(f"mentionable.connectors.{name}").verify) for name in NAMES}
    assert len(shapes) == 1
