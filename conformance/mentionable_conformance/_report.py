"""A run as JSON, JUnit XML, Markdown and a badge."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import escape, quoteattr

from mentionable_conformance._cases import LEVELS, TIERS
from mentionable_conformance._show import in_a_log, visible
from mentionable_conformance._version import PROTOCOL, VERSION

if TYPE_CHECKING:
    from mentionable_conformance._run import Report, Result

__all__ = ["as_json", "badge", "junit", "markdown", "summary"]

_NOT_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKDOWN_ROWS: Final = 200


def as_json(report: Report) -> str:
    """The whole report; `report.schema.json` describes it."""
    who = report.implementation
    document: dict[str, Any] = {
        "suite": VERSION,
        "protocol": PROTOCOL,
        "specs": sorted({result.case.spec for result in report.results}),
        "implementation": {"name": who.name, "version": who.version, "language": who.language, **who.more},
        "ops": sorted(who.ops),
        "strict": report.strict,
        "ok": report.ok,
        "counts": {level: report.counts(level) for level in LEVELS},
        "tiers": {tier: {level: report.counts(level, tier) for level in LEVELS} for tier in TIERS},
        "stale_expected_failures": list(report.stale),
        "unknown_ops": list(report.unknown_ops),
        "results": [_result(result) for result in report.results],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _result(result: Result) -> dict[str, Any]:
    """One case in the JSON report."""
    return {
        "id": result.case.id,
        "op": result.case.op,
        "level": result.case.level,
        "tier": result.case.tier,
        "section": result.case.section,
        "outcome": result.outcome,
        "breaks": result.breaks,
        "detail": result.detail,
        "placeholders": result.placeholders,
        "seconds": round(result.seconds, 6),
    }


def junit(report: Report) -> str:
    """JUnit XML, one test case a case that was asked, for the pages that continuous integration shows."""
    results = [result for result in report.results if report.was_asked(result)]
    seconds = sum(result.seconds for result in results)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="mentionable-conformance" tests="{len(results)}" '
        f'failures="{sum(r.breaks and r.outcome != "error" for r in results)}" '
        f'errors="{sum(r.breaks and r.outcome == "error" for r in results)}" '
        f'skipped="{sum(r.outcome != "pass" and not r.breaks for r in results)}" time="{seconds:.3f}">',
        f'  <properties><property name="undeclared" value="{len(report.results) - len(results)}"/></properties>',
    ]
    lines += [_testcase(result) for result in results]
    lines.append("</testsuite>")
    return "\n".join(lines) + "\n"


def _testcase(result: Result) -> str:
    """One case in the JUnit report."""
    area, _, name = result.case.id.partition("/")
    head = f"  <testcase classname={quoteattr(area)} name={quoteattr(name)} time={quoteattr(f'{result.seconds:.3f}')}"
    if result.outcome == "pass":
        return head + "/>"
    kind = "skipped" if not result.breaks else "error" if result.outcome == "error" else "failure"
    note = _xml(f"{result.outcome} ({result.case.level}, {result.case.tier}, {result.case.section}): {result.detail}")
    return f"{head}><{kind} message={quoteattr(note)}>{escape(_xml(result.case.why))}</{kind}></testcase>"


def markdown(report: Report) -> str:
    """A summary for people: counts by tier and level, then what needs attention."""
    lines = [
        f"# {_code(report.implementation.title)}: {'conformant' if report.ok else 'not conformant'}",
        "",
        f"Suite {VERSION}, {report.judged} of {len(report.results)} cases judged.",
        "",
        "| tier | level | pass | fail | error | expected failure | unexpected pass | skipped |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for tier in TIERS:
        for level in LEVELS:
            counts = report.counts(level, tier)
            if any(counts.values()):
                lines.append(f"| {tier} | {level} | {' | '.join(map(str, counts.values()))} |")
    open_points = [result for result in report.results if result.outcome not in ("pass", "skip")]
    if open_points:
        lines += ["", "| case | level | tier | section | outcome | detail |", "|---|---|---|---|---|---|"]
        lines += [
            f"| {_code(r.case.id)} | {r.case.level} | {r.case.tier} | {_code(r.case.section)} | {r.outcome} | "
            f"{_code(r.detail)} |"
            for r in open_points[:_MARKDOWN_ROWS]
        ]
        if len(open_points) > _MARKDOWN_ROWS:
            lines += ["", f"… and {len(open_points) - _MARKDOWN_ROWS} more."]
    if report.stale:
        lines += ["", "Expected failures that name no case: " + ", ".join(map(_code, report.stale))]
    if report.unknown_ops:
        lines += ["", "Declared, but unknown to the suite: " + ", ".join(map(_code, report.unknown_ops))]
    return "\n".join(lines) + "\n"


def badge(report: Report) -> str:
    """A badge for an endpoint, such as `v0.1 published 412/412, project 80/81`: the MUST cases of each tier.

    Cases that were skipped are not in the second number, and a tier without any judged is left out. Where no MUST case
    was judged, the badge is grey.
    """
    counts = {tier: report.counts("MUST", tier) for tier in TIERS}
    judged = {tier: sum(one.values()) - one["skip"] for tier, one in counts.items()}
    passed = {tier: one["pass"] + one["xpass"] for tier, one in counts.items()}
    color = "brightgreen" if report.ok and passed == judged else "yellow" if report.ok else "red"
    scores = ", ".join(f"{tier} {passed[tier]}/{judged[tier]}" for tier in TIERS if judged[tier])
    message, color = (f"v0.1 {scores}", color) if scores else ("v0.1 no MUST case", "lightgrey")
    document = {"schemaVersion": 1, "label": "mentionable", "message": message, "color": color}
    return json.dumps(document) + "\n"


def summary(report: Report) -> str:
    """What a terminal shows: every case that needs attention, then one line of counts."""
    lines = [
        f"{one.outcome.upper():5} {one.case.level:6} {one.case.tier:9} {visible(one.case.id)}: {in_a_log(one.detail)}"
        for one in report.results
        if one.needs_attention
    ]
    lines += [f"STALE expected failure {in_a_log(pattern)}: names no case" for pattern in report.stale]
    counts = ", ".join(f"{count} {outcome}" for outcome, count in report.counts().items() if count)
    lines.append(f"{in_a_log(report.implementation.title)}: {'ok' if report.ok else 'FAILED'} ({counts})")
    return "\n".join(lines)


def _xml(text: str) -> str:
    """Text without the characters XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def _code(text: str) -> str:
    """Text in which nothing acts, no link, image, mention or bar of a table: as code. Nothing, where there is none."""
    cell = visible(" ".join(text.split()))[:600].replace("`", "'").replace("|", "\u00a6")
    return f"`{cell}`" if cell else ""
