"""JSON values for tests/differential that both languages hold exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.differential.texts import LETTERS, ODD

if TYPE_CHECKING:
    from random import Random


def value(random: Random, depth: int = 0) -> Any:
    """A JSON value that both languages hold exactly."""
    kind = random.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return random.choice((None, True, False))
    if kind == 1:
        return random.choice(
            (
                0,
                1,
                -1,
                2**53 - 1,
                1 - 2**53,
                2**53 + 1,
                -(2**60),
                10**30,
                10**308,
                10**400,
                random.randint(-(10**15), 10**15),
            )
        )
    if kind == 2:
        size = random.choice((1.0, 1e-7, 1e-6, 1e20, 1e21, 1e22, 5e-324, 1e300, 0.1, -0.0, 123456.789))
        return random.choice(
            (size, random.uniform(-1, 1) * size, random.uniform(-1, 1) * 10.0 ** random.randint(-320, 300))
        )
    if kind < 6:
        return "".join(
            random.choice((*ODD, *LETTERS, '"', "/", "\u2029", "\x1f", "<", "\u0080"))
            for _ in range(random.randrange(12))
        )
    if kind == 6:
        return [value(random, depth + 1) for _ in range(random.randrange(4))]
    names = [
        random.choice(("q", "b", "1", "10", "2", "é", "😀", "__proto__", "", '"', "\n"))
        for _ in range(random.randrange(5))
    ]
    return {name: value(random, depth + 1) for name in names}
