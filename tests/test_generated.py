from __future__ import annotations

import pytest

from tests import regenerate


@pytest.mark.parametrize("name", regenerate.WRITERS)
def test_generated_files_are_up_to_date(name):
    stale = [str(path.relative_to(regenerate.ROOT)) for path, _ in regenerate.stale([name])]
    assert stale == [], "run: python tests/regenerate.py"


def test_a_part_is_computed_when_those_before_it_are_written(tmp_path, monkeypatch):
    first, second = tmp_path / "first", tmp_path / "second"
    parts = {"first": lambda: iter([(first, "new")]), "second": lambda: iter([(second, first.read_text())])}
    monkeypatch.setattr(regenerate, "WRITERS", parts)
    monkeypatch.setattr(regenerate, "ROOT", tmp_path)
    first.write_text("old")
    assert regenerate.main([]) == 0
    assert second.read_text() == "new"
    assert regenerate.main(["--check"]) == 0


def test_no_schema_is_left_of_a_class_that_is_gone():
    wanted = {path for path, _ in regenerate.schemas()}
    folder = regenerate.ROOT / "conformance" / "schema" / "values"
    assert set(folder.glob("*.json")) == wanted
