"""Frames of an answer that is still being made. The last one is stored with the answer itself, in one transaction.

Each frame is stored, so that clients of any process see it. An agent may say a word a time, many times a second: what
comes quickly is gathered, and stored together.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from attrs import define, field
from mentionable import NormalizedMessage, NormalizedResponse, Part, Streaming, TextPart, replace

from mentionable_host.store.database import Conflict, StoreUnavailable

__all__ = ["ShownFrames"]

log = logging.getLogger(__name__)

MOST: Final = 1_000
"""Answers of which frames are remembered: more are not made at a time."""
GATHER_SECONDS: Final = 0.1
"""Frames of an answer are stored so far apart at least, where they are text."""

Write: TypeAlias = Callable[[NormalizedResponse, NormalizedMessage], Awaitable[None]]


@define
class _Shown:
    """What was shown of one answer.

    Attributes:
        newest: The newest frame; None: one could not be stored, so that what follows has no place.
        waiting: Frames that are stored together soon.
        written_at: When frames were stored.
    """

    newest: NormalizedResponse | None = None
    waiting: list[NormalizedResponse] = field(factory=list)
    written_at: float = float("-inf")
    writing: asyncio.Lock = field(factory=asyncio.Lock)
    later: asyncio.Task[None] | None = None


class ShownFrames:
    """The frames of the answers that are being made in this process."""

    def __init__(self, write: Write) -> None:
        """There are none.

        Args:
            write: Stores a frame.
        """
        self._write = write
        self._answers: dict[str, _Shown] = {}

    async def show(self, frame: NormalizedResponse, *, to: NormalizedMessage) -> None:
        """Takes the next frame. What is text may be stored a moment later; the last one is kept for `last`."""
        place = frame.streaming
        if place is None:
            return
        if place.seq == 0:
            self._begin(to.id)
        one = self._answers.get(to.id)
        if one is None or (one.newest is None and place.seq > 0):
            return
        one.newest = frame
        if place.final:
            return
        one.waiting.append(frame)
        pause = one.written_at + GATHER_SECONDS - asyncio.get_running_loop().time()
        if pause <= 0 or not _is_text(frame):
            await self._flush(one, to)
        elif one.later is None:
            one.later = asyncio.create_task(self._flush_later(one, to, pause))

    async def settle(self, to: NormalizedMessage) -> None:
        """Stores what waits of an answer."""
        one = self._answers.get(to.id)
        if one is not None:
            if one.later is not None:
                one.later.cancel()
                with suppress(asyncio.CancelledError):
                    await one.later
            await self._flush(one, to)

    def last(self, response: NormalizedResponse, *, to: NormalizedMessage) -> NormalizedResponse | None:
        """The frame that ends what was shown of an answer; None: the answer goes out whole.

        Where the answer is another one in the end, because the agent failed, it is that frame.
        """
        one = self._answers.get(to.id)
        if one is None or one.newest is None or one.newest.streaming is None:
            return None
        newest, place = one.newest, one.newest.streaming
        if place.final and response.status != "error":
            return replace(response, parts=newest.parts, streaming=place)
        seq = place.seq if place.final else place.seq + 1
        return replace(response, streaming=Streaming(stream_id=place.stream_id, seq=seq, final=True))

    def forget(self, message_id: str) -> None:
        """Forgets an answer that is stored."""
        self._answers.pop(message_id, None)

    def _begin(self, message_id: str) -> None:
        """Begins an answer, maybe once more."""
        self._answers.pop(message_id, None)
        while len(self._answers) >= MOST:  # what was canceled is never ended
            del self._answers[next(iter(self._answers))]
        self._answers[message_id] = _Shown()

    async def _flush_later(self, one: _Shown, to: NormalizedMessage, seconds: float) -> None:
        await asyncio.sleep(seconds)
        one.later = None
        await self._flush(one, to)

    async def _flush(self, one: _Shown, to: NormalizedMessage) -> None:
        """Stores what waits, in order. What cannot be stored does not end the answer."""
        async with one.writing:
            waiting, one.waiting = _gathered(one.waiting), []
            for frame in waiting:
                try:
                    await self._write(frame, to)
                except (StoreUnavailable, Conflict) as error:
                    log.warning("the answer to %r is not shown while it is made: %s", to.id, error)
                    one.newest = None
                    return
            one.written_at = asyncio.get_running_loop().time()


def _is_text(frame: NormalizedResponse) -> bool:
    return all(isinstance(part, TextPart) for part in frame.parts)


def _gathered(frames: Sequence[NormalizedResponse]) -> list[NormalizedResponse]:
    """The same in fewer frames: those of text become one, which has the place of the first."""
    gathered: list[NormalizedResponse] = []
    for frame in frames:
        if gathered and _is_text(frame) and _is_text(gathered[-1]):
            gathered[-1] = replace(gathered[-1], parts=_joined(gathered[-1].parts, frame.parts))
        else:
            gathered.append(frame)
    return gathered


def _joined(parts: Sequence[Part], more: Sequence[Part]) -> tuple[Part, ...]:
    """Parts, and those of the next frame, whose first text continues the last one of the same kind."""
    if not parts or not more:
        return (*parts, *more)
    before, after = parts[-1], more[0]
    if isinstance(before, TextPart) and isinstance(after, TextPart):  # noqa: SIM102 - the kinds come first
        if replace(before, content=after.content) == after:
            return (*parts[:-1], replace(before, content=before.content + after.content), *more[1:])
    return (*parts, *more)
