"""What a release would break: the public names and the conformance cases of this checkout against another version's.

Usage: python tests/api.py [--against REF] [--root FOLDER]

`REF` is a commit or tag of git, by default the newest tag of a release. It prints one line for each name, parameter,
value or base that callers may miss, and for each conformance case that is gone or means something else. It exits with 1
when there is one. Needs griffe: `.cache/interop/tools`.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import griffe

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "conformance"))
NAME = "mentionable"


def main() -> int:
    """The exit status: 1 when something is broken."""
    parser = argparse.ArgumentParser(description="What a release would break.")
    parser.add_argument("--against", metavar="REF", help="a commit or tag of git; by default the newest release")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout")
    arguments = parser.parse_args()
    against = arguments.against or newest_release(arguments.root)
    if against is None:
        print("nothing was released yet: there is nothing to break")
        return 0
    how = {"allow_inspection": False, "resolve_aliases": True}
    old = griffe.load_git(NAME, ref=against, repo=arguments.root, **how)
    new = griffe.load(NAME, search_paths=[arguments.root], try_relative_path=False, **how)
    lines = sorted({*broken(public(old), public(new)), *broken_cases(arguments.root, against)})
    print(*lines, f"against {against}: {len(lines)} broken", sep="\n")
    return 1 if lines else 0


def newest_release(root: Path) -> str | None:
    """The newest tag that is a version, before this commit."""
    command = ["git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


def public(package: griffe.Module) -> griffe.Module:
    """The package with the names of its lazy table, which type checkers see as imports, marked as public."""
    for name in lazy(package):
        package.members[name].public = True
    return package


def lazy(package: griffe.Module) -> Iterator[str]:
    """The names of the lazy table."""
    for name, member in package.members.items():
        if isinstance(member, griffe.Alias) and member.target_path.startswith(f"{NAME}."):
            yield name


def broken(old: griffe.Module, new: griffe.Module) -> Iterator[str]:
    """What callers of the old package may miss in the new one."""
    for breakage in griffe.find_breaking_changes(old, new):
        yield re.sub(r"\x1b\[\d*m", "", breakage.explain(style=griffe.ExplanationStyle.ONE_LINE))
    for name in lazy(new):
        try:
            _ = new[name].final_target
        except griffe.AliasResolutionError as error:
            yield f"{name}: is not there: {error}"


def broken_cases(root: Path, against: str) -> Iterator[str]:
    """The conformance cases of another version that are gone without being withdrawn, or mean something else."""
    from mentionable_conformance._manifest import broken as broken_promises
    from mentionable_conformance._manifest import manifest

    command = ["git", "archive", "--format=tar", against, "conformance"]
    archive = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    with TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extraction_filter = getattr(tarfile, "data_filter", None)  # CPython 3.11.2 has no filters
            files.extractall(folder)
        before = manifest(Path(folder) / "conformance" / "v0.1")
    withdrawn = json.loads((root / "conformance" / "withdrawn.json").read_text())["withdrawn"]
    return broken_promises(before, manifest(root / "conformance" / "v0.1"), withdrawn)


if __name__ == "__main__":
    sys.exit(main())
