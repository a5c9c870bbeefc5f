"""Looks at what `.ci/release` made: `python tests/released.py FOLDER`. Tells what is wrong, and exits with 1 then.

The version of each distribution has a heading in its changelog. A wheel holds the package and nothing else, as the
source distribution has it. The SBOM names every package that the library needs.
"""

from __future__ import annotations

import json
import re
import sys
import tarfile
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
HOMES = {
    "mentionable": ROOT,
    "mentionable_conformance": ROOT / "conformance",
    "mentionable_host": ROOT / "examples" / "host",
}
DATA = "mentionable_conformance/data/"
"""Where the wheel of the suite has what lies at the top of its source distribution, the manifest among it."""


def main(folder: Path) -> int:
    """The exit status: 1 when something is wrong."""
    found = list(faults(folder))
    print(*found, f"{folder}: {len(found)} faults", sep="\n")
    return 1 if found else 0


def faults(folder: Path) -> Iterator[str]:
    """What is wrong with a release."""
    for name, home in HOMES.items():
        version = project(home)["version"]
        wheel, source = folder / f"{name}-{version}-py3-none-any.whl", folder / f"{name}-{version}.tar.gz"
        packed, sources = files_of_wheel(wheel), files_of_source(source)
        if not re.search(rf"^## {re.escape(version)}\b", (home / "CHANGELOG.md").read_text(), re.MULTILINE):
            yield f"{home.name}/CHANGELOG.md: no heading for {version}"
        if outside := [path for path in packed if not path.startswith((f"{name}/", f"{name}-{version}.dist-info/"))]:
            yield f"{wheel.name}: {outside[:3]} are not of the package"
        own = {path: digest for path, digest in packed.items() if path.startswith(f"{name}/")}
        if other := [path for path, digest in own.items() if sources.get(path.removeprefix(DATA)) != digest]:
            yield f"{wheel.name}: {other[:3]} are not as in {source.name}"
        if f"{name}/py.typed" not in packed:
            yield f"{wheel.name}: no py.typed"
    components = json.loads((folder / "mentionable.cdx.json").read_text())["components"]
    listed = {one["name"].lower().replace("_", "-") for one in components}
    needed = {re.split(r"[<>=\[]", line)[0].lower() for line in project(ROOT)["dependencies"]}
    if missing := sorted(needed - listed):
        yield f"mentionable.cdx.json: {missing} are not there"


def project(home: Path) -> dict[str, Any]:
    """What a distribution says of itself."""
    found: dict[str, Any] = tomllib.loads((home / "pyproject.toml").read_text())["project"]
    return found


def files_of_wheel(path: Path) -> dict[str, str]:
    """The files of a wheel with the digests of their bytes."""
    with zipfile.ZipFile(path) as archive:
        return {name: sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


def files_of_source(path: Path) -> dict[str, str]:
    """The files of a source distribution below its folder, with the digests of their bytes."""
    found: dict[str, str] = {}
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            data = archive.extractfile(member) if member.isfile() else None
            if data is not None:
                found[member.name.partition("/")[2]] = sha256(data.read()).hexdigest()
    return found


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
