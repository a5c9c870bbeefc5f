from __future__ import annotations

import pytest

from tests import regenerate
from tests.marks import between_marks

MARKED = "a\n<!-- b -->\nc\n<!-- /b -->\nd\n"


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


def test_between_its_marks_a_page_is_written_anew():
    assert between_marks(MARKED, "b", ["e", "f"]) == "a\n<!-- b -->\ne\nf\n<!-- /b -->\nd\n"


@pytest.mark.parametrize("gone", ["<!-- b -->\n", "<!-- /b -->\n"])
def test_a_page_without_a_mark_is_not_written(gone):
    with pytest.raises(AssertionError, match="there are no marks for b"):
        between_marks(MARKED.replace(gone, ""), "b", [])


def test_no_schema_is_left_of_a_class_that_is_gone():
    wanted = {path for path, _ in regenerate.schemas()}
    folder = regenerate.ROOT / "conformance" / "schema" / "values"
    assert set(folder.glob("*.json")) == wanted
