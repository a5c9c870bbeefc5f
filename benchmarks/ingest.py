"""Assembling the turns of a conversation, beside the copies of their dicts that cannot be spared.

Rows with all the metadata that a connector of Slack gives: alternating with turns of the agent, all by people, all with
a block of prior messages, and with an image each. And 1,000, 2,000 and 4,000 of them, which must cost in proportion.

Usage: python benchmarks/ingest.py [--check]     --check exits 1 when a ratio is beyond its bound
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.timing import checked, table
from mentionable import ingest

if TYPE_CHECKING:
    from collections.abc import Callable

BOUNDS: Final = {
    "people and the agent": 30.0,
    "people alone": 30.0,
    "each with a thread": 45.0,
    "each with an image": 80.0,
}
GROWTH: Final = 2.2
TURNS: Final = 1_000

_CONTEXT: Final = f"{ingest.THREAD_HEADING}\n- Ash (<@U03>): are we still on?\n- Olivia (<@U06>): yeah, lemme confirm"
_IMAGE: Final = {"type": "image_url", "image_url": {"url": "https://files.example/1.png"}}


def row(number: int, **more: Any) -> dict[str, Any]:
    """What one of seven people says."""
    user = f"U{number % 7}"
    metadata = {
        "source": "slack",
        "sender_id": f"slack:{user}",
        "sender_display_name": f"Person {user}",
        "sender_type": "human",
        "channel_external_id": "C123",
        "mention_token": f"<@{user}>",
        **more,
    }
    return {"role": "user", "content": f"This is what I say, number {number}.", "_metadata": metadata}


def conversations(turns: int) -> dict[str, list[dict[str, Any]]]:
    """Name → rows."""
    answer = {"role": "assistant", "content": "This is what I answer.", "_metadata": {"sender_id": "bot:helper"}}
    people = [row(number) for number in range(turns)]
    return {
        "people and the agent": [one if number % 2 else answer for number, one in enumerate(people)],
        "people alone": people,
        "each with a thread": [row(number, thread_context=_CONTEXT) for number in range(turns)],
        "each with an image": [
            {**one, "content": [{"type": "text", "text": one["content"]}, _IMAGE]} for one in people
        ],
    }


def copies(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The floor."""
    return [dict(one) for one in rows]


def functions() -> dict[str, Callable[[], Any]]:
    """The copies first, then what is assembled."""
    cases = conversations(TURNS)
    people = cases["people alone"]
    first = ingest.assemble(people).rows[0]["content"]
    if first != "[Person U0 (<@U0>)]: This is what I say, number 0.":
        raise AssertionError(f"the sample is assembled as {first}")
    floor = {"[dict(row) for row in rows]": partial(copies, people)}
    assembled = {name: partial(ingest.assemble, rows) for name, rows in cases.items()}
    return {**floor, **assembled}


def growth() -> dict[str, Callable[[], Any]]:
    """The same conversation at one, two and four times its length."""
    lengths = (TURNS, 2 * TURNS, 4 * TURNS)
    return {f"{turns} turns": partial(ingest.assemble, conversations(turns)["people alone"]) for turns in lengths}


def main(arguments: list[str]) -> int:
    """Prints the tables; 1 when `--check` is given and a bound is broken."""
    timings, problems = checked(functions(), BOUNDS)
    print(
        f"assembling {TURNS} turns, at most {', '.join(f'{bound:.0f}' for bound in BOUNDS.values())}\n{table(timings)}"
    )
    longer = growth()
    grown, more = checked(longer, {"2000 turns": GROWTH, "4000 turns": GROWTH * GROWTH})
    print(f"\nlonger conversations, at most {GROWTH} for each doubling\n{table(grown)}")
    print("", *problems, *more, sep="\n")
    return 1 if (problems or more) and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
