"""The files of the project, and the source of the library as syntax trees, for tests that look at how it is written."""

from __future__ import annotations

import ast
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "mentionable"
HOST = ROOT / "examples" / "host"

_NOT_OURS: Final = frozenset({
    *(".cache", ".git", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache"),
    *("__pycache__", "build", "dist", "node_modules"),
    "mybot",
})  # fmt: skip
"""Folders of what was fetched or made, whatever they lie in; `mybot` is made by the paste of the README."""


def project_files(suffix: str, *folders: Path) -> list[Path]:
    """The files of the project whose names end so, sorted: nothing that was fetched, made or installed.

    A virtual environment is known by its `pyvenv.cfg`, so it may have any name.

    Args:
        suffix: How their names end, such as `.py`.
        folders: Where to look; none: everywhere.
    """
    found = []
    for top in folders or (ROOT,):
        for folder, inner, names in os.walk(top):
            inner[:] = [] if "pyvenv.cfg" in names else [name for name in inner if name not in _NOT_OURS]
            if "pyvenv.cfg" not in names:
                found += [Path(folder, name) for name in names if name.endswith(suffix)]
    return sorted(found)


class Module(NamedTuple):
    """One module of the library.

    Attributes:
        name: Its dotted name below `mentionable`, empty for the package itself.
        path: Its file.
        tree: Its syntax tree.
    """

    name: str
    path: Path
    tree: ast.Module

    @property
    def folder(self) -> str:
        """The package that it is in, below `mentionable`; a package is in itself."""
        return self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]


@cache
def modules(package: Path = PACKAGE) -> tuple[Module, ...]:
    """Every module of the library, or of another package."""
    found = []
    for path in project_files(".py", package):
        parts = path.relative_to(package).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module(name, path, ast.parse(path.read_text(), str(path))))
    return tuple(found)


@cache
def names() -> frozenset[str]:
    """The dotted names of all modules."""
    return frozenset(module.name for module in modules())


@cache
def imports(module: Module, *, typing: bool = False) -> tuple[tuple[str, int], ...]:
    """Absolute names of what a module imports at run time, lazily included, with lines.

    Args:
        module: The module.
        typing: Whether to look under `if TYPE_CHECKING:` too.
    """
    return tuple(_imports(module, typing=typing))


def _imports(module: Module, *, typing: bool) -> Iterator[tuple[str, int]]:
    skipped: set[ast.AST] = set()
    if not typing:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                skipped.update(inner for statement in node.body for inner in ast.walk(statement))
    for node in ast.walk(module.tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((name, node.lineno) for name in _from(module, node))


def _from(module: Module, node: ast.ImportFrom) -> Iterator[str]:
    base = node.module or ""
    if node.level:
        package = ["mentionable", *filter(None, module.folder.split("."))]
        base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [base])])
    inside = base == "mentionable" or base.startswith("mentionable.")
    for alias in node.names:
        deeper = f"{base}.{alias.name}"
        yield deeper if inside and deeper.removeprefix("mentionable.") in names() else base
