"""The agent of a program: one function that answers on every transport."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

from mentionable import Failed, NormalizedMessage, NormalizedResponse, Part, Streaming, TextPart, anp, policy, replace

from mentionable_host.agents.context import Context
from mentionable_host.agents.notice_context import NoticeContext
from mentionable_host.agents.threads import in_thread

__all__ = ["Agent", "Answer", "ConsentCheck", "Handler", "PaymentCheck", "Piece"]

Piece: TypeAlias = str | Part
"""What an agent says next: text continues the text before it."""

Answer: TypeAlias = str | NormalizedResponse | AsyncIterator[Piece] | Iterator[Piece] | None
"""What an agent gives back; None: it says nothing."""

Handler: TypeAlias = Callable[[NormalizedMessage, Context], Answer | Awaitable[Answer]]

PaymentStatus: TypeAlias = policy.PaymentStatus | Failed | None
ConsentStatus: TypeAlias = policy.ConsentStatus | Failed | None
PaymentCheck: TypeAlias = Callable[[policy.CheckPayment], PaymentStatus | Awaitable[PaymentStatus]]
ConsentCheck: TypeAlias = Callable[[policy.CheckConsent], ConsentStatus | Awaitable[ConsentStatus]]

NoticeHandler: TypeAlias = Callable[[anp.Notification, NoticeContext], str | Awaitable[str | None] | None]

H = TypeVar("H", bound=Handler)
N = TypeVar("N", bound=NoticeHandler)
P = TypeVar("P", bound=PaymentCheck)
C = TypeVar("C", bound=ConsentCheck)

_ENDED: Final = object()


class Agent:
    """One function, and what it is called with.

    Attributes:
        payment_check: What `@agent.check_payment` decorates.
        consent_check: What `@agent.check_consent` decorates.
        notice_handler: What `@agent.on_notice` decorates.

    Example:
        >>> agent = Agent()
        >>> @agent.on_message
        ... async def answer(message, context):
        ...     return f"You wrote: {context.text}"
    """

    def __init__(self) -> None:
        """It answers nothing yet."""
        self._handler: Handler | None = None
        self.payment_check: PaymentCheck | None = None
        self.consent_check: ConsentCheck | None = None
        self.notice_handler: NoticeHandler | None = None

    def on_message(self, handler: H) -> H:
        """Makes a function the one that answers. It may be async, a generator, or plain (then it has a thread).

        Args:
            handler: Takes the message and the context; returns text in Markdown, a `NormalizedResponse`, an iterator of
                pieces, or None to say nothing.

        Raises:
            TypeError: It is no function, or cannot be called with these two.
        """
        if not _takes_two(handler):
            raise TypeError("@agent.on_message is for a function of two: `async def answer(message, context)`")
        self._handler = handler
        return handler

    def on_notice(self, handler: N) -> N:
        """Makes a function the one that tells a person of an event when it comes, without having been asked.

        Without one, events wait for the next answer to the person. It may be async, or plain (then it has a thread).

        Args:
            handler: Takes the event and a `NoticeContext`; returns what to say in Markdown, or None to leave it to the
                host, which presents the event itself.

        Raises:
            TypeError: It is no function, or cannot be called with these two.
        """
        if not _takes_two(handler):
            raise TypeError("@agent.on_notice is for a function of two: `async def tell(notice, context)`")
        self.notice_handler = handler
        return handler

    async def tell(self, notice: anp.Notification, context: NoticeContext) -> str | None:
        """What the agent says of an event; None: nothing. What the function raises comes out of here.

        Raises:
            TypeError: The function returns something else.
        """
        if self.notice_handler is None:
            return None
        words = await _called(self.notice_handler, notice, context)
        if words is not None and not isinstance(words, str):
            raise TypeError(f"@agent.on_notice returns text or None, not {type(words).__name__}")
        return words

    @property
    def has_function(self) -> bool:
        """Whether there is a function that answers."""
        return self._handler is not None

    def check_payment(self, check: P) -> P:
        """Makes a function the one that says whether an offer was paid: it asks the facilitator, or the provider.

        Args:
            check: Takes a `policy.CheckPayment`; returns a `policy.PaymentStatus` with what it saw, never with what the
                payer claims, None when nothing was paid, `Failed` when it cannot tell just now.
        """
        self.payment_check = check
        return check

    def check_consent(self, check: C) -> C:
        """Makes a function the one that says whether consent was given, in place of the page of the host.

        Args:
            check: Takes a `policy.CheckConsent`; returns a `policy.ConsentStatus`, None or `Failed`.
        """
        self.consent_check = check
        return check

    async def frames(self, message: NormalizedMessage, context: Context) -> AsyncGenerator[NormalizedResponse, None]:
        """The answer as frames, the last of them `final`; one response without `streaming` where it came whole.

        Nothing comes where the agent says nothing. What the function raises comes out of here.
        """
        if self._handler is None:
            raise RuntimeError("the agent has no function: decorate one with @agent.on_message")
        answer = await _called(self._handler, message, context)
        if isinstance(answer, str):
            if answer.strip():
                yield NormalizedResponse.to(message, answer)
        elif isinstance(answer, NormalizedResponse):
            yield replace(answer, reply_to=message.id, streaming=None)
        elif answer is not None:
            async with aclosing(_pieces(answer)) as pieces:
                async for frame in _stream(message, pieces):
                    yield frame


def _takes_two(handler: Callable[..., object]) -> bool:
    """Whether it may be called with the message, or the event, and the context. Some builtins do not say."""
    try:
        inspect.signature(handler).bind(None, None)
    except TypeError:
        return False
    except ValueError:
        pass
    return True


async def _called(handler: Callable[..., Any], message: object, context: object) -> Any:
    """What the function gives; a plain one may take long, so it has a thread of its own."""
    is_async = inspect.isasyncgenfunction(handler) or inspect.iscoroutinefunction(handler)
    call = partial(handler, message, context)
    answer = call() if is_async else await in_thread(call)
    return await answer if inspect.isawaitable(answer) else answer


async def _pieces(answer: Any) -> AsyncGenerator[Piece, None]:
    """The pieces of an iterator; each step of a plain one has a thread."""
    if isinstance(answer, AsyncIterator):
        async for piece in answer:
            yield piece
    elif isinstance(answer, Iterator):
        while (piece := await in_thread(partial(next, answer, _ENDED))) is not _ENDED:
            yield piece
    else:
        hint = ": is an await missing?" if inspect.isawaitable(answer) else ""
        raise TypeError(
            f"an agent returns text, a NormalizedResponse, an iterator or None, not {type(answer).__name__}{hint}"
        )


async def _stream(message: NormalizedMessage, pieces: AsyncIterator[Piece]) -> AsyncIterator[NormalizedResponse]:
    """Pieces as frames; the last one is empty and ends the stream."""
    number = 0
    async for piece in pieces:
        if piece == "":
            continue
        if not isinstance(piece, str | Part):
            raise TypeError(f"an agent yields text or parts, as ToolCallPart, not {type(piece).__name__}")
        part = TextPart(content=piece, mime="text/markdown") if isinstance(piece, str) else piece
        place = Streaming(stream_id=message.id, seq=number, final=False)
        yield NormalizedResponse(reply_to=message.id, parts=(part,), status="partial", streaming=place)
        number += 1
    end = Streaming(stream_id=message.id, seq=number, final=True)
    yield NormalizedResponse(reply_to=message.id, parts=(), status="ok", streaming=end)
