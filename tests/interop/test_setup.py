"""The set-up says what it fetches, and what is missing is never passed over in CI."""

from __future__ import annotations

import re

import pytest

from tests import setup_interop
from tests.interop import foreign


def test_the_readme_names_every_version():
    text = (foreign.HERE / "README.md").read_text()
    packages = setup_interop.PYTHON_PACKAGES + setup_interop.MODEL_PACKAGES + setup_interop.POSTGRES_PACKAGES
    packages += setup_interop.FRAMEWORK_PACKAGES + setup_interop.TOOL_PACKAGES + setup_interop.AGENT_PACKAGES
    packages += setup_interop.ADAPTER_PACKAGES
    pins = [re.sub(r"\[.*?\]", "", pin).replace("==", " ") for pin in packages]
    npm = setup_interop.NODE_PACKAGES | setup_interop.CHROMIUM_PACKAGES | setup_interop.AGENT_NODE_PACKAGES
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


NAMES = ("CHROMIUM", *[home.name.upper() for home in setup_interop.HOMES])


def pretend(monkeypatch, tmp_path, broken):
    """Parts that are made of nothing, but for one that cannot be had; what is made stands in the list."""
    made = []
    monkeypatch.setattr(setup_interop, "HOME", tmp_path)
    for name in NAMES:
        monkeypatch.setattr(setup_interop, f"{name}_HOME", tmp_path / name.lower())
        act = lambda name=name: made.append(name) is None and name != broken  # noqa: E731
        monkeypatch.setattr(setup_interop, f"_make_{name.lower()}", act)
    return made


def test_a_part_is_made_anew_only_when_its_list_changes(monkeypatch, tmp_path, capsys):
    made = pretend(monkeypatch, tmp_path, broken="DEBIAN")
    monkeypatch.setenv("CI", "true")
    assert setup_interop.main() == 1
    said = capsys.readouterr()
    assert said.err == "not set up: debian\n"
    lines = [f"interop/{name.lower()}: {'not ' * (name == 'DEBIAN')}there" for name in NAMES]
    assert sorted(said.out.splitlines()) == sorted(lines)
    assert sorted(made) == sorted(NAMES)
    assert made.index("PYTHON") < min(made.index("NODE"), made.index("CHROMIUM"), made.index("AGENTS"))
    made.clear()
    monkeypatch.setenv("CI", "")
    monkeypatch.setattr(setup_interop, "NODE_PACKAGES", {})
    assert setup_interop.main() == 0
    assert sorted(made) == ["DEBIAN", "NODE"]


def test_what_needs_a_part_that_cannot_be_had_is_not_tried(monkeypatch, tmp_path, capsys):
    made = pretend(monkeypatch, tmp_path, broken="PYTHON")
    monkeypatch.setenv("CI", "true")
    assert setup_interop.main() == 1
    assert capsys.readouterr().err == "not set up: python, node, chromium, agents\n"
    assert sorted(made) == [
        "ADAPTERS",
        "DEBIAN",
        "FRAMEWORKS",
        "GO",
        "MODELS",
        "POSTGRES",
        "PYTHON",
        "SOURCES",
        "TOOLS",
    ]
