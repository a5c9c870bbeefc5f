"""Tests that walk the tree see the files of the project, and nothing that lies there for another reason."""

from __future__ import annotations

import pytest

from tests import packages
from tests.packages import project_files


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A project with one page, in a folder whose name is that of a folder of made things."""
    root = tmp_path / "build"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "page.md").write_text("# Page\n")
    monkeypatch.setattr(packages, "ROOT", root)
    return root


def test_files_are_found_by_their_ends_in_every_folder_or_in_some(tree):
    (tree / "README.md").write_text("# Read\n")
    (tree / ".ci").mkdir()
    (tree / ".ci" / "steps.md").write_text("# Steps\n")
    (tree / "docs" / "conf.py").write_text("")
    assert project_files(".md") == [tree / ".ci" / "steps.md", tree / "README.md", tree / "docs" / "page.md"]
    assert project_files(".py", tree / "docs", tree / ".ci") == [tree / "docs" / "conf.py"]


@pytest.mark.parametrize("name", [".venv", ".venv-debian", "env", "docs/python3.11"])
def test_a_virtual_environment_is_not_looked_into_whatever_its_name(tree, name):
    inside = tree / name / "lib" / "site-packages" / "other"
    inside.mkdir(parents=True)
    (inside / "README.md").write_text("[gone](gone.md)\n")
    (tree / name / "NOTES.md").write_text("[gone](gone.md)\n")
    assert len(project_files(".md")) == 3
    (tree / name / "pyvenv.cfg").write_text("home = /usr/bin\n")
    assert project_files(".md") == [tree / "docs" / "page.md"]
    assert project_files(".md", tree / name) == []


@pytest.mark.parametrize("name", [".cache", "node_modules", "docs/build", "mybot"])
def test_what_was_fetched_or_made_is_not_looked_into(tree, name):
    (tree / name / "inner").mkdir(parents=True)
    (tree / name / "inner" / "page.md").write_text("# Page\n")
    assert project_files(".md") == [tree / "docs" / "page.md"]
