"""Which modules the experiment with mypyc compiles, and that it sees an outcome that differs."""

from __future__ import annotations

import shutil

import pytest

from tests.compiled import OF_TRUST, OF_VALUES, REFUSED, chosen, compare
from tests.packages import PACKAGE, names

CHOSEN = {module.name for module in chosen()}


def test_no_module_of_trust_or_of_values_is_compiled():
    assert {"_wire.strict_json", "a2a._receive", "mail._read.mime"} <= CHOSEN
    assert not [name for name in CHOSEN if not (OF_TRUST | OF_VALUES).isdisjoint(name.split("."))]


def test_what_is_left_out_is_there():
    assert names() >= REFUSED
    assert {word for name in names() for word in name.split(".")} >= OF_TRUST | OF_VALUES


@pytest.mark.uncounted
def test_an_outcome_that_differs_is_seen(tmp_path, capsys):
    shutil.copytree(PACKAGE, tmp_path / "mentionable", ignore=shutil.ignore_patterns("__pycache__"))
    assert compare(tmp_path, "json", units=600, seed=1) == 0
    reader = tmp_path / "mentionable" / "_wire" / "strict_json.py"
    reader.write_text(reader.read_text().replace("        return int(number)\n", "        return number\n"))
    assert compare(tmp_path, "json", units=600, seed=1) == 1
    assert capsys.readouterr().out.splitlines() == [
        "json: 600 units, no difference",
        "json: an outcome differs in units 0 to 499, seed 1",
    ]
