"""The agent of a program: one function that answers on every transport."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import TypeAlias, TypeVar

from mentionable import NormalizedMessage, NormalizedResponse, Part, Streaming, TextPart

from mentionable_host.agents.context import Context

__all__ = ["Agent", "Answer", "Handler", "Piece"]

Piece: TypeAlias = str | Part
"""What an agent says next: text continues the text before it."""

Answer: TypeAlias = str | NormalizedResponse | AsyncIterator[Piece] | None
"""What an agent gives back; None: it says nothing."""

Handler: TypeAlias = Callable[[NormalizedMessage, Context], Answer | Awaitable[Answer]]

H = TypeVar("H", bound=Handler)


class Agent:
    """One function, and what it is called with.

    Example:
        >>> agent = Agent()
        >>> @agent.on_message
        ... async def answer(message, context):
        ...     return f"You wrote: {context.text}"
    """

    def __init__(self) -> None:
        """It answers nothing yet."""
        self._handler: Handler | None = None

    def on_message(self, handler: H) -> H:
        """Makes a function the one that answers. It may be async, an async generator, or plain (then it has a thread).

        Args:
            handler: Takes the message and the context; returns text in Markdown, a `NormalizedResponse`, an async
                iterator of pieces, or None to say nothing.
        """
        self._handler = handler
        return handler

    async def frames(self, message: NormalizedMessage, context: Context) -> AsyncIterator[NormalizedResponse]:
        """The answer as frames, the last of them `final`; one response without `streaming` where it came whole.

        Nothing comes where the agent says nothing. What the function raises comes out of here.
        """
        if self._handler is None:
            raise RuntimeError("the agent has no function: decorate one with @agent.on_message")
        answer = await _called(self._handler, message, context)
        if answer is None:
            return
        if isinstance(answer, str):
            yield NormalizedResponse.to(message, answer)
        elif isinstance(answer, NormalizedResponse):
            yield answer
        else:
            async for frame in _stream(message, answer):
                yield frame


async def _called(handler: Handler, message: NormalizedMessage, context: Context) -> Answer:
    """What the function gives; a plain one may take long, so it has a thread of its own."""
    is_async = inspect.isasyncgenfunction(handler) or inspect.iscoroutinefunction(handler)
    call = partial(handler, message, context)
    answer = call() if is_async else await asyncio.to_thread(call)
    return await answer if inspect.isawaitable(answer) else answer


async def _stream(message: NormalizedMessage, pieces: AsyncIterator[Piece]) -> AsyncIterator[NormalizedResponse]:
    """Pieces as frames; the last one is empty and ends the stream."""
    number = 0
    async for piece in pieces:
        part = TextPart(content=piece, mime="text/markdown") if isinstance(piece, str) else piece
        place = Streaming(stream_id=message.id, seq=number, final=False)
        yield NormalizedResponse(reply_to=message.id, parts=(part,), status="partial", streaming=place)
        number += 1
    end = Streaming(stream_id=message.id, seq=number, final=True)
    yield NormalizedResponse(reply_to=message.id, parts=(), status="ok", streaming=end)
