"""Prints which case kills which mutant, which cases kill the same ones, and which MUST cases kill none."""

from __future__ import annotations

import sys

from tests.mutants import area_cases, equal_kill_sets, killers, registry
from tests.suite_cases import every_case


def main() -> int:
    """The report, as Markdown."""
    kills = {f"{one.area}/{one.name}": killers(one) for one in registry()}
    print("| mutant | area | does wrong | killed by |\n|---|---|---|---|")
    for one in registry():
        killed = kills[f"{one.area}/{one.name}"]
        shown = ", ".join(killed[:4]) + (f" … {len(killed)} in all" if len(killed) > 4 else "")
        print(f"| {one.name} | {one.area} | {one.rule} | {shown or '**nobody**'} |")
    print("\n## Cases with equal kill sets\n")
    for names, ids in sorted(equal_kill_sets(kills).items(), key=lambda item: item[1]):
        print(f"- {', '.join(ids)}: {', '.join(sorted(names))}")
    killing = {case_id for ids in kills.values() for case_id in ids}
    idle = [case.id for case in every_case() if case.level == "MUST" and case.id not in killing]
    print(f"\n## MUST cases that kill no mutant: {len(idle)}\n")
    for case_id in idle:
        print(f"- {case_id}")
    areas = {one.area for one in registry()}
    print("\nCases by area: " + ", ".join(f"{area} {len(area_cases(area))}" for area in sorted(areas)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
