"""Frames of an answer that is still being made. The last one is stored with the answer itself, in one transaction."""

from __future__ import annotations

from typing import Final

from mentionable import NormalizedMessage, NormalizedResponse, Streaming, replace

__all__ = ["ShownFrames"]

MOST: Final = 1_000
"""Answers of which frames are remembered: more are not made at a time."""


class ShownFrames:
    """The newest frame of each answer that is being made in this process."""

    def __init__(self) -> None:
        """There is none."""
        self._newest: dict[str, NormalizedResponse | None] = {}

    def add(self, frame: NormalizedResponse, *, to: NormalizedMessage) -> bool:
        """Notes a frame; whether to show it now: the last one waits until the answer is stored."""
        begins = frame.streaming is not None and frame.streaming.seq == 0
        if self._newest.pop(to.id, frame) is None and not begins:
            self._newest[to.id] = None
            return False
        while len(self._newest) >= MOST:  # what was canceled is never ended
            del self._newest[next(iter(self._newest))]
        self._newest[to.id] = frame
        return not (frame.streaming and frame.streaming.final)

    def break_off(self, message_id: str) -> None:
        """Notes that a frame could not be shown: what follows has no place, and the answer goes out whole."""
        self._newest[message_id] = None

    def last(self, response: NormalizedResponse, *, to: NormalizedMessage) -> NormalizedResponse | None:
        """The frame that ends what was shown of an answer; None: nothing of it was shown.

        Where the answer is another one in the end, because the agent failed, it is that frame.
        """
        newest = self._newest.get(to.id)
        if newest is None or newest.streaming is None:
            return None
        place = newest.streaming
        if place.final and response.status != "error":
            return replace(response, parts=newest.parts, streaming=place)
        seq = place.seq if place.final else place.seq + 1
        return replace(response, streaming=Streaming(stream_id=place.stream_id, seq=seq, final=True))

    def forget(self, message_id: str) -> None:
        """Forgets an answer that is stored."""
        self._newest.pop(message_id, None)
