"""The set-up says what it fetches, and what is missing is never passed over in CI."""

from __future__ import annotations

import re

import pytest

from tests import setup_interop
from tests.interop import foreign


def test_the_readme_names_every_version():
    text = (foreign.HERE / "README.md").read_text()
    pins = [re.sub(r"\[.*?\]", "", pin).replace("==", " ") for pin in setup_interop.PYTHON_PACKAGES]
    npm = setup_interop.NODE_PACKAGES | setup_interop.CHROMIUM_PACKAGES
    pins += [f"{name} {version.rpartition('@')[2]}" for name, version in npm.items()]
    pins += [f"{source.package} {source.version}" for source in setup_interop.SOURCES]
    assert [pin for pin in pins if pin not in text] == []


@pytest.mark.parametrize(("value", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_what_is_missing_is_skipped_and_in_ci_a_failure(monkeypatch, tmp_path, value, outcome):
    monkeypatch.setenv("CI", value)
    with pytest.raises(outcome, match="setup_interop"):
        foreign.needs(tmp_path)
    (tmp_path / ".made-of").touch()
    foreign.needs(tmp_path)


def test_a_part_is_made_anew_only_when_its_list_changes(monkeypatch, tmp_path, capsys):
    made = []
    monkeypatch.setattr(setup_interop, "HOME", tmp_path)
    for name in ("PYTHON", "NODE", "DEBIAN", "SOURCES", "CHROMIUM"):
        monkeypatch.setattr(setup_interop, f"{name}_HOME", tmp_path / name.lower())
        act = lambda name=name: made.append(name) is None and name != "DEBIAN"  # noqa: E731
        monkeypatch.setattr(setup_interop, f"_make_{name.lower()}", act)
    monkeypatch.setenv("CI", "true")
    assert setup_interop.main() == 1
    assert capsys.readouterr().err == "not set up: debian\n"
    monkeypatch.setenv("CI", "")
    monkeypatch.setattr(setup_interop, "NODE_PACKAGES", {})
    assert setup_interop.main() == 0
    assert made == ["PYTHON", "NODE", "DEBIAN", "SOURCES", "CHROMIUM", "NODE", "DEBIAN"]
