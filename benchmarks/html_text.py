"""Reading the HTML of a Note of 757 characters, beside `json.loads` of its activity and beside peers."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Final

from benchmarks.common import CREATE, with_module
from benchmarks.timing import Claim, Effort, Functions, Race
from mentionable import html_to_markdown, html_to_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result

HTML: Final[str] = json.loads(CREATE)["object"]["content"]
BASE: Final = "json.loads of its Create"


def results(effort: Effort) -> Iterator[Result]:
    """As text and as Markdown, each beside what does the same."""
    functions: Functions = {
        BASE: partial(json.loads, CREATE),
        "HTML as text": partial(html_to_text, HTML),
        "HTML as Markdown": partial(html_to_markdown, HTML),
        "lxml text_content": with_module(lambda html: lambda: html.fromstring(HTML).text_content(), "lxml.html"),
        "nh3 without tags": with_module(lambda nh3: partial(nh3.clean, HTML, tags=set()), "nh3"),
        "beautifulsoup4 get_text": with_module(
            lambda bs4: lambda: bs4.BeautifulSoup(HTML, "html.parser").get_text(), "bs4"
        ),
        "html2text": with_module(lambda module: partial(module.html2text, HTML), "html2text"),
    }
    claims = (
        Claim("HTML as text", BASE, 1.5),
        Claim("HTML as text", "lxml text_content"),
        Claim("HTML as text", "nh3 without tags"),
        Claim("HTML as text", "beautifulsoup4 get_text"),
        Claim("HTML as Markdown", BASE, 3.0),
        Claim("HTML as Markdown", "html2text"),
    )
    yield from Race("html", functions, claims).run(effort)
