"""A store of what was used once, in memory and for one thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from mentionable import Used, UseOnce


def remembering(used: dict[str, str]) -> Callable[[UseOnce], Used]:
    """A `use_once` that remembers in `used`, key → binding."""

    def use_once(ask: UseOnce) -> Used:
        if ask.key not in used:
            used[ask.key] = ask.binding
            return "first"
        return "same" if used[ask.key] == ask.binding else "other"

    return use_once
