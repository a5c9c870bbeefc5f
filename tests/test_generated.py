from __future__ import annotations

import pytest

from tests import regenerate


@pytest.mark.parametrize("name", regenerate.WRITERS)
def test_generated_files_are_up_to_date(name):
    stale = [str(path.relative_to(regenerate.ROOT)) for path, _ in regenerate.stale([name])]
    assert stale == [], "run: python tests/regenerate.py"


def test_no_schema_is_left_of_a_class_that_is_gone():
    wanted = {path for path, _ in regenerate.schemas()}
    folder = regenerate.ROOT / "conformance" / "schema" / "values"
    assert set(folder.glob("*.json")) == wanted
