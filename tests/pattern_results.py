"""What this interpreter's `re` makes of generated strings: plans on standard input, one JSON line for each on output.

Usage: python -m tests.pattern_results CHUNKS          a digest of all results for each chunk
       python -m tests.pattern_results CHUNK details   every string of one chunk with its results

Standard library only, so that any interpreter can run it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from tests.pattern_strings import Plan, strings

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_FOUND: Final = 20
"""How many matches of one string are looked at."""


def results(pattern: re.Pattern[Any], text: str | bytes) -> str:
    """Where a pattern matches, with its groups, in the three ways; an exception is a result too."""
    try:
        one = [match and match.regs for match in (pattern.match(text), pattern.fullmatch(text))]
        return repr((one, [match.regs for match in islice(pattern.finditer(text), _FOUND)]))
    except Exception as error:
        return type(error).__name__


def digest(plan: Plan, pattern: re.Pattern[Any], chunk: int) -> list[str]:
    """The digest of the strings of a chunk, and that of all results. The first must be the same everywhere."""
    texts, found = hashlib.sha256(), hashlib.sha256()
    for text in strings(plan, chunk):
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        texts.update(b"%d:" % len(data) + data)
        found.update(results(pattern, text).encode())
    return [texts.hexdigest(), found.hexdigest()]


def lines(plans: list[Plan], chunks: int, *, details: bool) -> Iterator[Any]:
    """What is to be printed for each plan."""
    for plan in plans:
        try:
            pattern = plan.compile()
        except Exception as error:
            yield type(error).__name__
            continue
        if details:
            yield [[repr(text), results(pattern, text)] for text in strings(plan, chunks)]
        else:
            yield [digest(plan, pattern, chunk) for chunk in range(chunks)]


def main(arguments: list[str]) -> int:
    """Prints the results of all plans."""
    plans = [Plan(*row) for row in json.load(sys.stdin)]
    for line in lines(plans, int(arguments[0]), details=arguments[1:] == ["details"]):
        print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
