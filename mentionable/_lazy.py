"""Names of a package that are loaded when they are first used (PEP 562): few programs need all that a package has."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[dict[str, str], Callable[[str], Any]]:
    """The home of each name of a package, and what loads a name from there: its `__getattr__`.

    Args:
        package: The name of the package.
        homes: A module below `mentionable` → the names that it has, with blanks between them.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        member = getattr(import_module(f"mentionable.{home_of[name]}"), name)
        setattr(sys.modules[package], name, member)
        return member

    return home_of, load
