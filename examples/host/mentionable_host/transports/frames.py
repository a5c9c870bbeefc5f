"""Frames of an answer that is still being made. The last one is stored with the answer itself, in one transaction."""

from __future__ import annotations

from typing import Final

from mentionable import NormalizedMessage, NormalizedResponse, Streaming, replace

__all__ = ["ShownFrames"]

MOST: Final = 1_000
"""Answers of which frames are remembered: more are not made at a time."""


class ShownFrames:
    """Which frames of each answer were shown, in this process."""

    def __init__(self) -> None:
        """None was."""
        self._newest: dict[str, NormalizedResponse] = {}

    def add(self, frame: NormalizedResponse, *, to: NormalizedMessage) -> bool:
        """Notes a frame; whether to show it now: the last one waits until the answer is stored."""
        self._newest.pop(to.id, None)
        while len(self._newest) >= MOST:  # what was canceled is never ended
            del self._newest[next(iter(self._newest))]
        self._newest[to.id] = frame
        return not (frame.streaming and frame.streaming.final)

    def end(self, response: NormalizedResponse, *, to: NormalizedMessage) -> NormalizedResponse:
        """What ends the answer: its last frame; the response itself where no frame was shown, or it is another one."""
        newest = self._newest.pop(to.id, None)
        if newest is None or newest.streaming is None:
            return response
        if newest.streaming.final and response.status != "error":
            # `extra` and a policy may have been added to the whole
            return replace(newest, status=response.status, extra={**newest.extra, **response.extra})
        return response


def last_frame(response: NormalizedResponse, *, seq: int, to: NormalizedMessage) -> NormalizedResponse:
    """A whole response as the last frame of a stream."""
    return replace(response, streaming=Streaming(stream_id=to.id, seq=seq, final=True))
