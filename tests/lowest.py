"""Prints the lowest versions of what the library needs, as constraints for pip.

python tests/lowest.py [EXTRA ...] > lowest.txt && python -m pip install -c lowest.txt -e '.[EXTRA]'

Those of the extras that are named come with those of the library itself.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = Path(__file__).resolve().parents[1]


def lowest(project: dict[str, Any], extras: Sequence[str]) -> list[str]:
    """Each lower bound as a pin."""
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    return pins(wanted)


def pins(requirements: Iterable[str]) -> list[str]:
    """`name>=1.2` as `name==1.2`; extras in brackets have no place in a constraint.

    Raises:
        ValueError: A requirement has no lower bound.
    """
    found = []
    for requirement in requirements:
        bound = re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?>=([0-9.]+)", requirement)
        if bound is None:
            raise ValueError(f"no lower bound: {requirement}")
        found.append(f"{bound[1]}=={bound[2]}")
    return found


if __name__ == "__main__":
    print("\n".join(lowest(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"], sys.argv[1:])))
