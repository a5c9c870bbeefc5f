"""Which module may import which."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.layers import LAYERS
from tests.packages import PACKAGE, ROOT, imports, modules, names

MODULES = modules()
TWO_SCREENS = 2 * 62
"""Lines of a page that fits on two screens."""

TRANSPORTS = {"mail", "activitypub", "a2a", "rest"}
ONLY = {
    "cattrs": {"_model.codec"},
    "cryptography": {"_crypto.keys"},
    "hypothesis": {
        f"testing.{name}" for name in ("_leaves", "_notifications", "_policies", "_senders", "_values", "strategies")
    },
    "idna": {"_wire.address"},
    "jcs": {"_wire.canonical_json"},
    "jwt": {"_crypto.jwt"},
    "markdown_it": {"_html.sanitize"},
    "nh3": {"_html.sanitize"},
    "publicsuffixlist": {"_wire.public_suffix"},
}
"""Third-party package → the modules that may import it."""

IMPORTED_AS = {"dnspython": "dns", "markdown_it_py": "markdown_it", "pyjwt": "jwt"}
"""Names of distributions whose module is called otherwise."""


def layer(name: str) -> int:
    top = name.split(".")[0]
    for rank, members in enumerate(LAYERS):
        if top in members:
            return rank
    raise AssertionError(f"mentionable.{name} is in no layer: add it to LAYERS in tests/layers.py")


def inner(module, *, typing: bool = False) -> list[tuple[str, int]]:
    """The modules of the library that a module imports, by their names below `mentionable`."""
    return [
        (name.removeprefix("mentionable").removeprefix("."), line)
        for name, line in imports(module, typing=typing)
        if name.split(".")[0] == "mentionable"
    ]


def ids(module):
    return module.name or "mentionable"


@pytest.mark.parametrize("module", [m for m in MODULES if m.name], ids=ids)
def test_a_module_imports_nothing_of_a_higher_layer(module):
    wrong = [f"{name}:{line}" for name, line in inner(module) if name and layer(name) > layer(module.name)]
    assert wrong == []


def circles(arrows: dict[str, set[str]]) -> list[str]:
    """The names on one circle of arrows; empty when there is none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def block(module) -> str:
    """What a module is part of: a private folder as a whole, else the module itself."""
    parts = module.split(".")
    for at, part in enumerate(parts):
        if part.startswith("_") and (PACKAGE / Path(*parts[: at + 1])).is_dir():
            return ".".join(parts[: at + 1])
    return module


def test_no_module_imports_itself_by_a_detour_not_even_for_annotations():
    arrows = {m.name: {name for name, _ in inner(m, typing=True)} - {"", m.name} for m in MODULES if m.name}
    assert circles(arrows) == []


def test_no_folder_imports_itself_by_a_detour():
    arrows: dict[str, set[str]] = {}
    for module in MODULES:
        if module.name:
            found = {block(name) for name, _ in inner(module, typing=True) if name}
            arrows.setdefault(block(module.name), set()).update(found - {block(module.name)})
    assert circles(arrows) == []


def test_a_circle_would_be_seen():
    assert circles({"a": {"b"}, "b": {"a"}})
    assert block("mail._read.mime") == "mail._read"
    assert block("_wire.http") == "_wire"
    assert block("mail._receive") == "mail._receive"


LAZY = {"", "__main__", "a2a", "activitypub", "identity", "mail", "rest", "testing"}
"""Modules that import others when they are asked for a name."""


@pytest.mark.parametrize("module", [m for m in MODULES if m.name not in LAZY and not m.name.startswith("cli")], ids=ids)
def test_modules_of_the_library_are_imported_at_the_top(module):
    own = [
        ast.unparse(node)
        for function in ast.walk(module.tree)
        if isinstance(function, (ast.FunctionDef, ast.If))
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert own == []


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_transports_never_import_each_other(module):
    own = module.name.split(".")[0]
    others = TRANSPORTS - {own} if own in TRANSPORTS else set()
    assert [name for name, _ in inner(module) if name.split(".")[0] in others] == []


READ_TEXT = {"identity._forwarded": "decode_trusted", "trace._payload": "decode", "cli._encode": "decode"}
"""What reads bytes of its own with the readers that parse. All others have JSON that was parsed already."""


@pytest.mark.parametrize("module", [m for m in MODULES if m.name], ids=ids)
def test_what_was_parsed_is_not_parsed_again(module):
    imported = {
        name.name
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("_model.codec")
        for name in node.names
    }
    assert imported & {"decode", "decode_trusted"} == {READ_TEXT.get(module.name)} - {None}


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_private_modules_stay_inside_their_folder(module):
    def owners(name):
        parts = name.split(".")
        return [".".join(parts[:at]) for at, part in enumerate(parts) if at and part.startswith("_")]

    wrong = [
        f"{name}:{line}"
        for name, line in inner(module)
        for owner in owners(name)
        if not f"{module.name}.".startswith(f"{owner}.")
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ONLY)
def test_a_library_has_one_module_that_knows_it(package):
    users = {m.name for m in MODULES for name, _ in imports(m, typing=True) if name.split(".")[0] == package}
    assert users <= ONLY[package]


def test_every_package_that_is_imported_is_a_dependency():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + [
        line for name in extras for line in extras[name] if name not in {"lint", "test"}
    ]
    declared = {re.split(r"[<>=\[]", line)[0].replace("-", "_") for line in wanted}
    declared |= {IMPORTED_AS[name] for name in declared & IMPORTED_AS.keys()}
    used = {name.split(".")[0] for m in MODULES for name, _ in imports(m, typing=True)}
    ours = {"mentionable", "mentionable_conformance"}
    assert used - set(sys.stdlib_module_names) - ours - declared == set()


def test_a_module_is_named_after_what_it_knows():
    banned = {"utils", "util", "helpers", "helper", "common", "misc", "types", "typing"}
    assert {name for name in names() if banned & set(name.replace("_", ".").split("."))} == set()


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_every_module_says_what_it_is_for(module):
    assert (ast.get_docstring(module.tree) or "").strip()


def test_the_contract_has_an_empty_package():
    assert len(ast.parse((PACKAGE / "_model" / "__init__.py").read_text()).body) == 1


def test_a_module_without_a_layer_would_be_seen():
    with pytest.raises(AssertionError, match="is in no layer"):
        layer("somewhere")


def test_the_page_of_the_architecture_fits_on_two_screens():
    assert len((ROOT / "docs" / "architecture.md").read_text().splitlines()) <= TWO_SCREENS
