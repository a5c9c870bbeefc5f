"""How Sphinx makes the site of these pages: `python tests/docs_site.py` builds and checks it.

The pages are plain Markdown, to be read on a forge as they are. What a site needs beside is made here: the table of
contents out of the lists of links in index.md, and a form of blocks that only forges can draw.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent

project = "mentionable"
release = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]["version"]
author = "The mentionable authors"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["_static"]
nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # blocks may leave something out with an ellipsis

myst_heading_anchors = 4
myst_links_external_new_tab = False

html_theme = "furo"
html_title = f"mentionable {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_permalinks_icon = "#"

linkcheck_anchors = False
linkcheck_timeout = 20
linkcheck_ignore = [r"https?://([\w-]+\.)*(example|invalid|localhost|test)(\.\w+)?([:/]|$)"]
"""Names that stand for somebody (RFC 2606) lead nowhere."""

SECTION = re.compile(r"(?ms)^## (.+?)\n(.*?)(?=^## |\Z)")
PAGE = re.compile(r"\]\(((?!\.\./)[\w/.-]+)\.md\)")
OUTSIDE = re.compile(r"\[([^\[\]]+)\]\((\.\./[^)\s#]+)(?:#[^)\s]*)?\)")
DRAWN = re.compile(r"(?s)```mermaid\n.*?\n```\n\n(The same in words:\n\n)?")


def toctree(caption: str, pages: list[str]) -> str:
    """A hidden table of contents of some pages."""
    head = f":caption: {caption}\n" if caption else ""
    return "\n```{toctree}\n:hidden:\n" + head + "\n" + "\n".join(dict.fromkeys(pages)) + "\n```\n"


def outside(found: re.Match[str], page: Path) -> str:
    """A link: one to a program of the repository becomes a download, one to a page or folder there is told in words."""
    there = (page.parent / found[2]).resolve()
    if there.is_relative_to(HERE) or (there.is_file() and there.suffix != ".md"):
        return found[0]
    return f"{found[1]} (`{there.relative_to(HERE.parent)}` in the repository)"


def read_for_the_site(app: Sphinx, name: str, source: list[str]) -> None:
    """Changes the text of a page as the site needs it."""
    page = Path(app.env.doc2path(name))
    text = OUTSIDE.sub(lambda found: outside(found, page), DRAWN.sub("", source[0]))
    if name == "index":
        text += "".join(toctree(title, PAGE.findall(body)) for title, body in SECTION.findall(text))
    if name == "reference":
        text += toctree("", [f"reference/{page.stem}" for page in sorted((HERE / "reference").glob("*.md"))])
    source[0] = text


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", read_for_the_site)
