"""How long it takes to read the HTML of a Note, against `json.loads` of the activity that carries it.

python benchmarks/html_text.py            print the table, with the peers that are installed
python benchmarks/html_text.py --check    exit 1 if a ratio is above its bound
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.timing import checked, table
from mentionable import html_to_markdown, html_to_text

if TYPE_CHECKING:
    from collections.abc import Callable

CREATE = Path(__file__).with_name("samples").joinpath("activitypub_create.json").read_bytes()
HTML: str = json.loads(CREATE)["object"]["content"]
BASE = f"json.loads, {len(CREATE):,} bytes"
BOUNDS = {"html_to_text": 1.5, "html_to_markdown": 3.0}

PEERS: dict[str, Callable[[Any], Callable[[], object]]] = {
    "lxml.html": lambda module: lambda: module.fromstring(HTML).text_content(),
    "nh3": lambda module: lambda: module.clean(HTML, tags=set()),
    "html2text": lambda module: lambda: module.html2text(HTML),
    "bs4": lambda module: lambda: module.BeautifulSoup(HTML, "html.parser").get_text(),
}


def functions(*, peers: bool) -> dict[str, Callable[[], object]]:
    measured: dict[str, Callable[[], object]] = {
        BASE: lambda: json.loads(CREATE),
        "html_to_text": lambda: html_to_text(HTML),
        "html_to_markdown": lambda: html_to_markdown(HTML),
    }
    for name, prepare in PEERS.items() if peers else ():
        try:
            measured[name] = prepare(import_module(name))
        except ImportError:
            print(f"{name} is not installed")
    return measured


def main() -> int:
    check = "--check" in sys.argv[1:]
    print(f"HTML of {len(HTML):,} characters, {HTML.count('<')} tags; bounds {BOUNDS}")
    timings, problems = checked(functions(peers=not check), BOUNDS)
    print(table(timings))
    print("\n".join(problems))
    return 1 if check and problems else 0


if __name__ == "__main__":
    sys.exit(main())
