"""Who may import whom, and how large things may grow."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from graphlib import TopologicalSorter

import pytest

from tests.packages import PACKAGE, ROOT, imports, modules, names

MODULES = modules()
LAYERS = (
    ("_code",),
    ("_codes",),
    ("_errors",),
    ("_json", "_time", "_ids", "_address", "_http", "_value", "_base58", "_base64", "_canonical", "_keys"),
    ("_model",),
    (
        "_settings",
        "_files",
        "_names",
        "_secrets",
        "_outcome",
        "_known",
        "_asks",
        "_answers",
        "_strict",
        "_structure",
        "_codec",
        "_history",
        "_text",
        "_html*",
        "_verification",
        "_webfinger",
        "_tokens",
        "_delivery",
        "_markup",
        "_bound_url",
        "_carried",
        "_caller",
        "_platform_call",
        "_connector_card",
        "_forwarded",
        "_policy_words",
        "_faces",
        "_reply",
        "_stream",
        "_sse",
        "_asking",
    ),
    ("anp", "discovery", "identity", "ingest", "policy", "trace"),
    ("prompt",),
    ("mail", "activitypub", "a2a", "rest"),
    ("connectors", "_contact"),
    ("testing",),
    ("cli", "__main__"),
)
"""From the top: a module imports only from its own layer or one above it."""

TRANSPORTS = {"mail", "activitypub", "a2a", "rest"}
ONLY = {
    "cattrs": {"_codec"},
    "cryptography": {"_keys"},
    "hypothesis": {f"testing.{name}" for name in ("_leaves", "_notifications", "_policies", "_senders", "strategies")},
    "idna": {"_address"},
    "jcs": {"_canonical"},
    "jwt": {"_tokens"},
    "markdown_it": {"_markup"},
    "nh3": {"_markup"},
    "publicsuffixlist": {"mail._public_suffix"},
}
"""Third-party package → the modules that may import it."""

IMPORTED_AS = {"dnspython": "dns", "markdown_it_py": "markdown_it", "pyjwt": "jwt"}
"""Names of distributions whose module is called otherwise."""


def layer(name: str) -> int:
    top = name.split(".")[0]
    for rank, members in enumerate(LAYERS):
        if any(top == member or (member[-1] == "*" and top.startswith(member[:-1])) for member in members):
            return rank
    raise AssertionError(f"mentionable.{name} is in no layer: add it to LAYERS in this file and to the architecture")


def inner(module) -> list[tuple[str, int]]:
    """The modules of the library that a module imports, by their names below `mentionable`."""
    return [
        (name.removeprefix("mentionable").removeprefix("."), line)
        for name, line in imports(module)
        if name.split(".")[0] == "mentionable"
    ]


def ids(module):
    return module.name or "mentionable"


@pytest.mark.parametrize("module", [m for m in MODULES if m.name], ids=ids)
def test_a_module_imports_only_what_stands_above_it(module):
    wrong = [f"{name}:{line}" for name, line in inner(module) if name and layer(name) > layer(module.name)]
    assert wrong == []


def test_no_module_imports_itself_by_a_detour():
    graph = {m.name: {name for name, _ in inner(m) if name != m.folder and name != m.name} for m in MODULES if m.name}
    assert list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_transports_never_import_each_other(module):
    own = module.name.split(".")[0]
    others = TRANSPORTS - {own} if own in TRANSPORTS else set()
    assert [name for name, _ in inner(module) if name.split(".")[0] in others] == []


READ_TEXT = {"identity._forwarded": "_codec.restore", "trace._payload": "_codec.decode", "cli._encode": "_codec.decode"}
"""What reads bytes of its own with the readers that parse. All others have JSON that was parsed already."""


@pytest.mark.parametrize("module", [m for m in MODULES if m.name], ids=ids)
def test_what_was_parsed_is_not_parsed_again(module):
    imported = {
        f"{node.module}.{name.name}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for name in node.names
    }
    assert imported & {"_codec.decode", "_codec.restore"} == {READ_TEXT.get(module.name)} - {None}


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_private_modules_stay_inside_their_folder(module):
    wrong = []
    for name, line in inner(module):
        folder, _, last = name.rpartition(".")
        if folder and last.startswith("_") and not (f"{module.folder}.").startswith(f"{folder}."):
            wrong.append(f"{name}:{line}")
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


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_no_file_is_over_500_lines_and_no_function_over_50(module):
    assert len(module.path.read_text().splitlines()) <= 500
    long = [
        f"{node.name}: {length}"
        for node in ast.walk(module.tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and (length := lines_of(node)) > 50
    ]
    assert long == []


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    skipped = first.end_lineno - first.lineno + 1 if documented else 0
    return function.end_lineno - function.lineno + 1 - skipped


def test_a_module_is_named_after_what_it_knows():
    banned = {"utils", "util", "helpers", "helper", "common", "misc", "types", "typing"}
    assert {name for name in names() if banned & set(name.replace("_", ".").split("."))} == set()


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_every_module_says_what_it_is_for(module):
    assert (ast.get_docstring(module.tree) or "").strip()


def test_the_contract_has_an_empty_package():
    assert len(ast.parse((PACKAGE / "_model" / "__init__.py").read_text()).body) == 1


def test_a_detour_and_a_long_function_would_be_seen():
    with pytest.raises(AssertionError, match="is in no layer"):
        layer("somewhere")
    long = ast.parse("def f():\n    'doc'\n" + "    x = 1\n" * 50).body[0]
    assert lines_of(long) == 51
