"""A store of what was used once, in memory and for one thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mentionable.testing.lookups import use_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from mentionable import Used, UseOnce


def remembering(used: dict[str, str]) -> Callable[[UseOnce], Used]:
    """A `use_once` that remembers in `used`, key → binding."""

    return partial(use_in, used)
