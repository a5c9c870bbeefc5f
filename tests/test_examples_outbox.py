"""What the examples have still to send, in one process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.test_examples import load

if TYPE_CHECKING:
    from pathlib import Path


def test_inboxes_that_do_not_answer_hold_no_other_one_up(tmp_path: Path) -> None:
    outbox, sent = load("outbox"), []

    async def run() -> None:
        came, never = asyncio.Event(), asyncio.Event()

        async def send(place: str, body: bytes) -> bool:
            sent.append(place)
            if place == "quick":
                came.set()
            else:
                await never.wait()
            return True

        box = outbox.Outbox(str(tmp_path / "outbox.sqlite"), send)
        slow = [(f"slow {number}", b"") for number in range(outbox.AT_ONCE)]
        box.put("first", "", [*slow, ("quick", b"")])
        async with box.working():
            box.put("second", "", [])
            await asyncio.wait_for(came.wait(), 10)

    asyncio.run(run())
    assert len(sent) == len(set(sent)) == outbox.AT_ONCE + 1
