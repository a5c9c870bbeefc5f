"""`mentionable viewer`: the page that shows traces."""

from __future__ import annotations

import sys
from importlib.resources import files


def run() -> int:
    """Prints the page; the exit status."""
    page = files("mentionable.trace").joinpath("viewer.html").read_text(encoding="utf-8")
    sys.stdout.write(page)
    return 0
