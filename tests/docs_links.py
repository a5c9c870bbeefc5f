"""The links of Markdown files as a forge resolves them, and those of the built site."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from tests.packages import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINK: Final = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)")
DEFINED: Final = re.compile(r"(?m)^\[[^\]]+\]: *(\S+)")
FENCE: Final = re.compile(r"(?ms)^ *(`{3,}|~{3,}).*?^ *\1$")
CODE: Final = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
EXTERNAL: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def slug(heading: str) -> str:
    """The anchor of a heading, as the forges make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def slugs(text: str) -> set[str]:
    """The anchors of a Markdown text, as GitHub makes them: the second heading of one name gets `-1`."""
    found: set[str] = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))
    taken: dict[str, int] = {}
    for heading in re.findall(r"(?m)^#{1,6} +(.+?)(?: +#+)?$", FENCE.sub("", text)):
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = slug(words)
        found.add(anchor if anchor not in taken else f"{anchor}-{taken[anchor]}")
        taken[anchor] = taken.get(anchor, 0) + 1
    return found


def links(text: str) -> list[str]:
    """What a Markdown text links to; code links to nothing."""
    prose = CODE.sub("code", FENCE.sub("", text))
    return LINK.findall(prose) + DEFINED.findall(prose)


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a Markdown file."""
    return slugs(page.read_text(encoding="utf-8"))


def broken_in_markdown(page: Path) -> list[str]:
    """The links of a Markdown file that lead nowhere in the repository."""
    broken = []
    for target in links(page.read_text(encoding="utf-8")):
        if EXTERNAL.match(target):
            continue
        path, _, anchor = unquote(target).partition("#")
        there = (page.parent / path).resolve() if path else page
        is_known = there.exists() and there.is_relative_to(ROOT)
        if is_known and anchor and there.suffix == ".md":
            is_known = anchor in anchors(there)
        if not is_known:
            broken.append(target)
    return broken


class Found(NamedTuple):
    """What a page of HTML names: its ids, what it links to, and what a browser loads for it."""

    ids: set[str]
    links: list[str]
    loaded: list[str]


class Reader(HTMLParser):
    """Collects the ids and links of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.found = Found(set(), [], [])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value for name, value in attrs if value is not None}
        if name := told.get("id"):
            self.found.ids.add(name)
        if tag == "a" and "href" in told:
            self.found.links.append(told["href"])
        elif tag == "link" and told.get("rel") in ("stylesheet", "icon", "preload"):
            self.found.loaded.append(told["href"])
        elif "src" in told:
            self.found.loaded.append(told["src"])


def read_site(site: Path) -> dict[Path, Found]:
    """Each page of the site."""
    pages = {}
    for path in sorted(site.rglob("*.html")):
        reader = Reader()
        reader.feed(path.read_text(encoding="utf-8"))
        pages[path.resolve()] = reader.found
    return pages


def broken_on_site(site: Path) -> Iterator[str]:
    """The links of the built site that lead nowhere, and what it would load from elsewhere."""
    pages = read_site(site)
    for page, found in pages.items():
        for target in [*found.links, *found.loaded]:
            if EXTERNAL.match(target):
                if target in found.loaded and not target.startswith("data:"):
                    yield f"{page.name}: loads {target}"
                continue
            parts = urlsplit(target)
            there = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            anchor = unquote(parts.fragment)
            if not there.is_file() or (anchor and there in pages and anchor not in pages[there].ids):
                yield f"{page.relative_to(site.resolve())}: {target}"
