"""The check of links finds those that lead nowhere, and those alone."""

from __future__ import annotations

import pytest

from tests import docs_links
from tests.docs_links import broken_in_markdown, broken_on_site, links, slugs


def test_the_second_heading_of_one_name_is_counted():
    text = "# `mail.Settings`\n\n## Know [who](x.md) sent it?\n\n## Know who sent it?\n\n```\n# no heading\n```\n"
    assert slugs(text) == {"mailsettings", "know-who-sent-it", "know-who-sent-it-1"}


def test_links_in_code_are_none():
    assert links("[`a`](a.md) `[b](b.md)` ![c](c.png)\n\n```\n[d](d.md)\n```\n\n[e]: e.md\n") == [
        "a.md",
        "c.png",
        "e.md",
    ]


@pytest.mark.parametrize("target", ["gone.md", "page.md#gone", "../outside.md", "#gone"])
def test_a_link_that_leads_nowhere_is_found(tmp_path, monkeypatch, target):
    root = tmp_path / "repository"
    root.mkdir()
    monkeypatch.setattr(docs_links, "ROOT", root)
    (tmp_path / "outside.md").write_text("# Outside\n")
    page = root / "page.md"
    page.write_text(f"# Here\n\n[there]({target}) [here](#here) [self](page.md#here) [web](https://a.example/x#y)\n")
    assert broken_in_markdown(page) == [target]


def test_a_site_that_lacks_a_page_an_anchor_or_its_own_files_is_found(tmp_path):
    (tmp_path / "index.html").write_text(
        '<link rel="stylesheet" href="https://cdn.example/x.css"><a href="b.html#there">b</a>'
        '<a href="b.html#gone">b</a>'
        '<a href="gone.html">c</a><a href="#here" id="here">d</a><a href="https://a.example/">e</a><img src="gone.png">'
    )
    (tmp_path / "b.html").write_text('<p id="there">There</p>')
    assert list(broken_on_site(tmp_path)) == [
        "index.html: b.html#gone",
        "index.html: gone.html",
        "index.html: loads https://cdn.example/x.css",
        "index.html: gone.png",
    ]
