"""The report of a run as a page: whole, safe against what a harness says, and the same for the same outcomes."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import mentionable_conformance as suite
import pytest
from mentionable_conformance import _html

from tests.harnesses import case, script, write_cases

if TYPE_CHECKING:
    from pathlib import Path

XHTML = "{http://www.w3.org/1999/xhtml}"
HOSTILE = (
    "</pre><script>alert(1)</script><img src=x onerror=alert(1)> &amp; ]]> \u202e\x1b[31m\x00 \ufffe \"'\nsecond line"
)


def result(outcome: str, case_id: str = "area/b/one", *, level: str = "MUST", **more: Any) -> suite.Result:
    breaks = outcome in ("fail", "error", "xpass") and level == "MUST"
    members = {"detail": "", "seconds": 0.5, "placeholders": 0, "breaks": breaks, **more}
    return suite.Result(case=case(level, case_id), outcome=outcome, **members)  # type: ignore[arg-type]


def report(*results: suite.Result, name: str = "t", **more: Any) -> suite.Report:
    ops = frozenset(more.pop("ops", ["text.echo"]))
    who = suite.Implementation(name=name, version="1", language=more.pop("language", ""), ops=ops)
    return suite.Report(**{"implementation": who, "strict": False, "results": results, "stale": (), **more})


def page(of: suite.Report) -> ElementTree.Element:
    """The page, read as XML: what is not well-formed cannot be."""
    return ElementTree.fromstring(_html.html(of))


def text(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def found(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return list(root.iter(XHTML + name))


def test_failures_come_first_and_say_what_is_wrong() -> None:
    root = page(
        report(
            result("pass", "a/b/passed"),
            result("fail", "a/b/mild", level="SHOULD", detail="value: expected 1, got 2"),
            result("fail", "z/b/wrong", detail="messages/0/parts: expected 1 items, got 2"),
            result("error", "a/b/dead", detail="no answer"),
        )
    )
    articles = found(root, "article")
    assert [one.get("id") for one in articles] == ["z/b/wrong", "a/b/dead", "a/b/mild"]
    assert text(articles[0]) == (
        "z/b/wrong MUST, project, answered wrongly, in text.echo. Because it is so. §1: §1 "
        "messages/0/parts: expected 1 items, got 2"
    )
    assert "It does not fail the run." in text(articles[2])
    assert articles[2].get("class") == "mild"
    assert [text(one) for one in found(root, "h2")] == [
        "Needs attention (3)",
        "Tiers and levels",
        "Areas and levels",
        "Passed (1)",
    ]


def test_areas_and_levels_are_counted() -> None:
    results = [result("pass", "a/b/c"), result("fail", "a/b/d"), result("skip", "b/c/d"), result("pass", "b/c/e")]
    root = page(report(*results, result("fail", "b/c/f", level="MAY", breaks=False)))
    rows = [[text(cell) for cell in row] for row in found(root, "tr")]
    assert rows == [
        ["Tier", "MUST", "SHOULD", "MAY", "Skipped"],
        ["project", "2/3 ✗", "–", "0/1 ✗", "1"],
        ["All", "2/3 ✗", "–", "0/1 ✗", "1"],
        ["Area", "MUST", "SHOULD", "MAY", "Skipped"],
        ["a", "1/2 ✗", "–", "–", "–"],
        ["b", "1/1", "–", "0/1 ✗", "1"],
        ["All", "2/3 ✗", "–", "0/1 ✗", "1"],
    ]
    assert {cell.get("scope") for row in found(root, "tr") for cell in row if cell.tag == XHTML + "th"} == {
        "col",
        "row",
    }


def test_what_needs_no_attention_is_folded_by_area() -> None:
    results = [result("pass", f"area-{n % 2}/b/{n}") for n in range(4)]
    root = page(report(*results, result("xfail", "x/b/c", breaks=False), result("skip", "y/b/c")))
    assert [text(one) for one in found(root, "summary")] == ["x (1)", "area-0 (2)", "area-1 (2)", "y (1)"]
    assert [text(one) for one in found(root, "h2")][2:] == ["Expected to fail (1)", "Passed (4)", "Skipped (1)"]
    assert not any("open" in one.attrib for one in found(root, "details"))


def test_operations_that_are_not_declared_are_counted_and_their_cases_not_listed() -> None:
    root = page(report(result("pass", "a/b/c"), result("skip", "y/b/c"), result("skip", "z/b/d"), ops=[]))
    assert [text(one) for one in found(root, "h2")][2:] == [
        "Passed (1)",
        "Not asked: operations that the harness does not declare (2)",
    ]
    assert [text(one) for one in found(root, "summary")] == ["a (1)", "operations (1)"]
    assert [text(one) for one in found(root, "li")] == ["a/b/c", "text.echo (2)"]


def test_of_very_many_failures_so_many_are_shown() -> None:
    root = page(report(*(result("fail", f"a/b/{n}", detail="d") for n in range(503))))
    assert len(found(root, "article")) == 500
    assert "More that need attention (3)" in [text(one) for one in found(root, "h2")]
    assert [text(one) for one in found(root, "li")] == ["a/b/500", "a/b/501", "a/b/502"]


def test_a_hostile_harness_writes_text_and_nothing_else() -> None:
    more = {"stale": (HOSTILE,), "unknown_ops": (HOSTILE,), "language": HOSTILE}
    of = report(result("fail", HOSTILE, detail=HOSTILE), result("pass", HOSTILE), name=HOSTILE, **more)
    root = page(of)
    known = {"html", "head", "meta", "title", "style", "body", "main", "section", "article", "h1", "h2", "h3", "p", "a"}
    known |= {"strong", "span", "code", "pre", "div", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"}
    assert {one.tag.removeprefix(XHTML) for one in root.iter()} <= known | {"details", "summary", "ul", "li"}
    assert not {name for one in root.iter() for name in one.attrib if name.startswith("on") or name in ("src", "style")}
    assert {one.get("href") for one in found(root, "a")} == {"#tiers", "#areas"}
    (pre,) = found(root, "pre")
    assert "".join(pre.itertext()) == HOSTILE.replace("\u202e", "\\u202e").replace("\x1b", "\\x1b").replace(
        "\x00", "\\x00"
    ).replace("\ufffe", "\\ufffe")
    assert set(filter(lambda one: not one.isprintable(), _html.html(of))) == {"\n"}


def test_the_page_allows_its_one_style_sheet_and_nothing_else() -> None:
    root = page(report(result("pass")))
    (policy,) = (one.get("content", "") for one in found(root, "meta") if one.get("http-equiv"))
    (style,) = found(root, "style")
    digest = base64.b64encode(hashlib.sha256("".join(style.itertext()).encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert re.search(r"url\(|@import|<|&", "".join(style.itertext())) is None
    assert "prefers-color-scheme: dark" in "".join(style.itertext())
    assert found(root, "html")[0].get("lang") == "en"
    assert len(found(root, "main")) == len(found(root, "h1")) == len(found(root, "title")) == 1


def test_a_document_is_linked_where_it_has_an_address() -> None:
    members = {name: getattr(case(), name) for name in suite.Case.__slots__}
    linked = suite.Case(**{**members, "section": "NM 5.3.1"})
    failed = suite.Result(case=linked, outcome="fail", detail="d", seconds=0.0, placeholders=0, breaks=True)
    assert 'NM 5.3.1: <a href="https://mentionable.dev">Normalized Message v0.1, section 5.3.1</a>' in _html.html(
        report(failed)
    )


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (report(result("pass")), "✓ conformant (1 passed)."),
        (report(result("fail")), "✗ not conformant (1 answered wrongly)."),
        (report(result("xpass")), "✗ not conformant (1 passed against expectation)."),
        (report(result("skip")), "✗ not conformant (1 skipped)."),
    ],
)
def test_the_verdict_comes_first(of: suite.Report, said: str) -> None:
    assert text(found(page(of), "p")[0]) == said


def test_what_else_there_is_to_say_is_said() -> None:
    said = text(page(report(result("pass"), strict=True, language="Ada", stale=("a/gone",), unknown_ops=("x.y",))))
    assert "Suite 0.1.0, 1 of 1 cases judged. Written in Ada. A failing SHOULD counts, too." in said
    assert "Expected failures that name no case: a/gone." in said
    assert "Declared, but unknown to the suite: x.y." in said


def test_the_same_outcomes_give_the_same_bytes(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases")
    command = script(tmp_path, "if ask['input'] == 2: answer['value'] = '<b>'")
    pages = []
    for name in ("one.html", "two.html"):
        words = ["run", "--cases", str(tmp_path / "cases"), "--html", str(tmp_path / name), "--", *command]
        assert suite.main(words) == 1
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]
    assert b"value: expected 2, got &#x27;&lt;b&gt;&#x27;" in pages[0]


def test_the_page_of_the_whole_suite_is_not_too_large() -> None:
    results = tuple(result("pass", f"area-{n % 20}/behaviour/variant-of-some-length-{n}") for n in range(10_000))
    assert len(_html.html(report(*results))) < 1_000_000
