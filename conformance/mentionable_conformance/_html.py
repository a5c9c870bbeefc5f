"""A run as one page of HTML: no script, nothing that is fetched, the same bytes for the same outcomes.

What a harness says is hostile until shown otherwise: it is escaped, characters that cannot be seen are written out, and
the policy of the page allows its one style sheet and nothing else. The page is well-formed XML, too.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Final

from mentionable_conformance._cases import LEVELS, TIERS
from mentionable_conformance._documents import source
from mentionable_conformance._show import visible
from mentionable_conformance._version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mentionable_conformance._run import Report, Result

__all__ = ["html"]

_SHOWN: Final = 500
"""So many cases that need attention are shown with what is wrong; of more, the ids are."""
_PASSED: Final = ("pass", "xpass")
_WORDS: Final = {
    "fail": "answered wrongly",
    "error": "not answered",
    "xfail": "expected to fail",
    "xpass": "passed against expectation",
    "skip": "skipped",
    "pass": "passed",
}
_STYLE: Final = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --sunk: #f6f8fa;
  --good: #116329; --bad: #a40e26; --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --ink: #e6edf3; --soft: #9da7b3; --line: #30363d;
  --sunk: #161b22; --good: #56d364; --bad: #ff7b72; --link: #79c0ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; }
a { color: var(--link); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
pre { margin: .5rem 0 0; padding: .5rem .75rem; background: var(--sunk); white-space: pre-wrap; }
article { margin: .75rem 0; padding: .75rem; border: 1px solid var(--line); border-left: .25rem solid var(--bad); }
article.mild { border-left-color: var(--line); }
p { margin: .25rem 0; }
.soft { color: var(--soft); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: start; color: var(--soft); padding: .25rem 0; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: end; }
th:first-child { text-align: start; }
td.bad, tfoot { font-weight: 600; }
details { border-bottom: 1px solid var(--line); padding: .25rem 0; }
summary { cursor: pointer; }
details ul { columns: 22rem; margin: .5rem 0; padding-left: 1.25rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
"""


def html(report: Report) -> str:
    """The page: what needs attention with what is wrong, tiers and areas by levels, and the rest folded by areas."""
    name = _text(report.implementation.title)
    lines = [*_head(name), *_verdict(report, name)]
    lines += _attention([one for one in report.results if one.needs_attention])
    lines += _table(report.results, "tier", sorted({one.case.tier for one in report.results}, key=TIERS.index))
    lines += _table(report.results, "area", sorted({one.case.area for one in report.results}))
    quiet = [one for one in report.results if not one.needs_attention]
    for outcome in ("xfail", "pass", "skip"):
        lines += _folded([one for one in quiet if one.outcome == outcome and report.was_asked(one)], outcome)
    lines += _undeclared([one for one in quiet if not report.was_asked(one)])
    return "\n".join([*lines, "</main>", "</body>", "</html>"]) + "\n"


def _text(text: str) -> str:
    """Text of others, as text and nothing else."""
    return escape("\n".join(visible(line) for line in text.split("\n")))


def _head(name: str) -> list[str]:
    digest = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return [
        "<!DOCTYPE html>",
        '<html lang="en" xmlns="http://www.w3.org/1999/xhtml">',
        "<head>",
        '<meta charset="utf-8" />',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}" />',
        '<meta name="viewport" content="width=device-width, initial-scale=1" />',
        '<meta name="referrer" content="no-referrer" />',
        '<meta name="color-scheme" content="light dark" />',
        f"<title>{name}: conformance to Mentionable</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        "<main>",
    ]


def _verdict(report: Report, name: str) -> Iterator[str]:
    """The heading, and how it went in a few sentences."""
    yield f"<h1>{name}: conformance to Mentionable</h1>"
    kind, word = ("good", "✓ conformant") if report.ok else ("bad", "✗ not conformant")
    counts = ", ".join(f"{count:,} {_WORDS[outcome]}" for outcome, count in report.counts().items() if count)
    yield f'<p><strong class="{kind}">{word}</strong> ({counts}).</p>'
    sentences = [f"Suite {VERSION}, {report.judged:,} of {len(report.results):,} cases judged."]
    if report.implementation.language:
        sentences.append(f"Written in {_text(report.implementation.language)}.")
    if report.strict:
        sentences.append("A failing SHOULD counts, too.")
    sentences.append("<code>mentionable-conformance explain ID</code> says what a case is.")
    yield f'<p class="soft">{" ".join(sentences)} <a href="#tiers">Tiers</a>, <a href="#areas">areas</a></p>'
    if report.stale:
        yield f"<p>Expected failures that name no case: {_codes(report.stale)}.</p>"
    if report.unknown_ops:
        yield f"<p>Declared, but unknown to the suite: {_codes(report.unknown_ops)}.</p>"


def _codes(texts: Iterable[str]) -> str:
    return ", ".join(f"<code>{_text(text)}</code>" for text in texts)


def _attention(results: Sequence[Result]) -> Iterator[str]:
    """Every case that failed, those that break the run first."""
    if not results:
        return
    ordered = sorted(results, key=lambda one: (not one.breaks, LEVELS.index(one.case.level)))
    yield f'<section aria-labelledby="attention"><h2 id="attention">Needs attention ({len(results):,})</h2>'
    for result in ordered[:_SHOWN]:
        yield from _article(result)
    yield "</section>"
    yield from _folded(ordered[_SHOWN:], "more that need attention")


def _article(result: Result) -> Iterator[str]:
    case, where = result.case, source(result.case.section)
    title = f'<a href="{escape(where.url)}">{_text(where.title)}</a>' if where.url else _text(where.title)
    counts = "" if result.breaks else " It does not fail the run."
    mild = "" if result.breaks else ' class="mild"'
    yield f'<article id="{_text(case.id)}"{mild}>'
    yield f"<h3><code>{_text(case.id)}</code></h3>"
    yield f"<p>{case.level}, {case.tier}, {_WORDS[result.outcome]}, in <code>{_text(case.op)}</code>.{counts}</p>"
    yield f'<p>{_text(case.why)} <span class="soft">{_text(case.section)}: {title}</span></p>'
    yield f"<pre>{_text(result.detail)}</pre>"
    yield "</article>"


def _table(results: Sequence[Result], what: str, names: Sequence[str]) -> Iterator[str]:
    """Tiers or areas by levels: how many passed of those that were judged."""
    passed, judged, skipped = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[str]()
    for one in results:
        for name in (getattr(one.case, what), ""):
            if one.outcome == "skip":
                skipped[name] += 1
            else:
                judged[name, one.case.level] += 1
                passed[name, one.case.level] += one.outcome in _PASSED
    title = what.title()
    heads = "".join(f'<th scope="col">{name}</th>' for name in (title, *LEVELS, "Skipped"))
    yield f'<section aria-labelledby="{what}s"><h2 id="{what}s">{title}s and levels</h2><div class="wide"><table>'
    yield f"<caption>Passed of judged</caption><thead><tr>{heads}</tr></thead><tbody>"
    for name in [*names, ""]:
        cells = "".join(_cell(passed[name, level], judged[name, level]) for level in LEVELS)
        opened, closed = ("", "") if name else ("</tbody><tfoot>", "</tfoot>")
        row = f'<th scope="row">{_text(name) or "All"}</th>{cells}<td>{skipped[name] or "–"}</td>'
        yield f"{opened}<tr>{row}</tr>{closed}"
    yield "</table></div></section>"


def _cell(passed: int, judged: int) -> str:
    if not judged:
        return "<td>–</td>"
    return f"<td>{passed:,}/{judged:,}</td>" if passed == judged else f'<td class="bad">{passed:,}/{judged:,} ✗</td>'


def _folded(results: Sequence[Result], what: str) -> Iterator[str]:
    """The ids of cases, folded by their areas."""
    if not results:
        return
    word = _WORDS.get(what, what)
    yield f"<section><h2>{word[0].upper()}{word[1:]} ({len(results):,})</h2>"
    by_area: dict[str, list[str]] = {}
    for one in results:
        by_area.setdefault(one.case.area, []).append(one.case.id)
    for area, ids in sorted(by_area.items()):
        items = "".join(f"<li><code>{_text(one)}</code></li>" for one in ids)
        yield f"<details><summary>{_text(area)} ({len(ids):,})</summary><ul>{items}</ul></details>"
    yield "</section>"


def _undeclared(results: Sequence[Result]) -> Iterator[str]:
    """The operations that the harness does not declare, folded."""
    if not results:
        return
    ops = Counter(one.case.op for one in results)
    items = "".join(f"<li><code>{_text(op)}</code> ({count:,})</li>" for op, count in sorted(ops.items()))
    yield f"<section><h2>Not asked: operations that the harness does not declare ({len(results):,})</h2>"
    yield f"<details><summary>operations ({len(ops):,})</summary><ul>{items}</ul></details>"
    yield "</section>"
