"""Which implementation passes how many cases: `python -m tests.implementations` runs both and writes the counts.

A file of `conformance/implementations/` has the counts of one implementation by area and tier. The page of the matrix,
docs/implementations.md, is made of these files (`python tests/regenerate.py implementations`).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "conformance")]

from tests.marks import between_marks  # noqa: E402

FOLDER: Final = ROOT / "conformance" / "implementations"
PAGE: Final = ROOT / "docs" / "implementations.md"
TITLES: Final = {"python": "Python library", "node": "Node example"}
TIERS: Final = ("published", "project", "hardening")


def summarized(report: dict[str, Any]) -> str:
    """The counts of a report, by area and tier: how many cases pass, and how many there are."""
    cases: Counter[tuple[str, str]] = Counter()
    passed: Counter[tuple[str, str]] = Counter()
    for one in report["results"]:
        place = (one["id"].partition("/")[0], one["tier"])
        cases[place] += 1
        passed[place] += one["outcome"] == "pass"
    areas: dict[str, dict[str, dict[str, int]]] = {}
    for area, tier in sorted(cases, key=lambda place: (place[0], TIERS.index(place[1]))):
        areas.setdefault(area, {})[tier] = {"pass": passed[area, tier], "cases": cases[area, tier]}
    document = {"suite": report["suite"], "operations": len(report["ops"]), "areas": areas}
    return json.dumps(document, indent=2) + "\n"


def page() -> str:
    """docs/implementations.md with the matrix of the files."""
    return between_marks(PAGE.read_text(), "matrix", ["", matrix()])


def matrix() -> str:
    """A table: a row for each area, and for each implementation a column for each tier."""
    found = {name: json.loads((FOLDER / f"{name}.json").read_text())["areas"] for name in TITLES}
    areas = sorted({area for each in found.values() for area in each})
    span = len(TIERS)
    lines = ["<table>", "<caption>Cases that pass, of all cases, by area and tier</caption>", "<thead>"]
    titles = "".join(f'<th scope="colgroup" colspan="{span}">{title}</th>' for title in TITLES.values())
    lines.append(f'<tr><th scope="col" rowspan="2">area</th>{titles}</tr>')
    heads = "".join(f'<th scope="col">{tier}</th>' for _ in TITLES for tier in TIERS)
    lines.append(f"<tr>{heads}</tr>")
    lines += ["</thead>", "<tbody>"]
    for area in areas:
        cells = "".join(f"<td>{cell(found[name].get(area, {}).get(tier))}</td>" for name in TITLES for tier in TIERS)
        lines.append(f'<tr><th scope="row">{area}</th>{cells}</tr>')
    sums = "".join(f"<td>{cell(total(found[name], tier))}</td>" for name in TITLES for tier in TIERS)
    return "\n".join([*lines, f'<tr><th scope="row">all</th>{sums}</tr>', "</tbody>", "</table>", ""])


def total(areas: dict[str, dict[str, dict[str, int]]], tier: str) -> dict[str, int]:
    """The counts of a tier in all areas."""
    counts = [each[tier] for each in areas.values() if tier in each]
    return {key: sum(one[key] for one in counts) for key in ("pass", "cases")}


def cell(counts: dict[str, int] | None) -> str:
    """What a reader sees of the counts."""
    return f"{counts['pass']} of {counts['cases']}" if counts and counts["cases"] else "no cases"


def main() -> int:
    from tests import whole_runs  # for a run alone: tests/regenerate.py reads the files only

    FOLDER.mkdir(exist_ok=True)
    for name, run in (("python", whole_runs.of_python), ("node", whole_runs.of_node)):
        with TemporaryDirectory() as folder:
            (FOLDER / f"{name}.json").write_text(summarized(run(Path(folder))))
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
