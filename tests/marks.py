"""What stands between the marks of a page: `<!-- name -->` and `<!-- /name -->`, each on a line of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["between_marks"]


def between_marks(text: str, name: str, lines: Iterable[str]) -> str:
    """The text of a page with these lines between the marks of a name.

    Raises:
        AssertionError: A mark is not there: what is written would never be looked at again, or the page would end here.
    """
    head, mark, rest = text.partition(f"<!-- {name} -->\n")
    _, end, tail = rest.partition(f"<!-- /{name} -->\n")
    if not mark or not end:
        raise AssertionError(f"there are no marks for {name}")
    return "".join([head, mark, *(f"{line}\n" for line in lines), end, tail])
