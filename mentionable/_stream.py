"""Streams of frames: one response in pieces, put together and taken apart.

A frame adds to what came before. Its parts are appended; a tool call whose id is known brings that call up to date; and
text at the beginning of a frame goes on with the text at the end of the last, when both are of one kind.

Spec: Normalized Message §3.2 (tool_call), §4 (Streaming).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ._errors import UsageError, wire_error
from ._model.message import NormalizedResponse, Streaming
from ._model.parts import TextPart, ToolCallPart
from ._settings import DEFAULTS
from ._value import UNSET, evolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._model.parts import Part
    from ._settings import Limits

MAX_TEXT: Final = 16_777_216
"""How many characters of text one stream may come to."""


class Assembler:
    """Puts the frames of one stream together.

    Example:
        >>> from mentionable import NormalizedResponse, TextPart, split
        >>> whole = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Hello"),))
        >>> assembler = Assembler()
        >>> for frame in split(whole, stream_id="s1"):
        ...     assembler.add(frame)
        >>> assembler.response == whole
        True
    """

    __slots__ = ("_calls", "_chars", "_final", "_last", "_limits", "_parts", "_pieces", "_text")

    def __init__(self, *, limits: Limits = DEFAULTS.limits) -> None:
        """Begins with nothing.

        Args:
            limits: Bounds the number of parts.
        """
        self._limits = limits
        self._parts: list[Part] = []
        self._text: TextPart | None = None  # the last part while it is text, of which `_pieces` came
        self._pieces: list[str] = []
        self._chars = 0
        self._calls: dict[str, int] = {}
        self._last: NormalizedResponse | None = None
        self._final: NormalizedResponse | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the final frame came."""
        return self._final is not None

    @property
    def parts(self) -> tuple[Part, ...]:
        """What has come so far."""
        return (*self._parts, *self._open_text())

    @property
    def response(self) -> NormalizedResponse:
        """The whole answer, which is no frame.

        Raises:
            UsageError: The final frame has not come.
        """
        if self._final is None:
            raise UsageError("the stream has not ended: see is_complete")
        return evolve(self._final, parts=self.parts, streaming=None)

    def add(self, frame: NormalizedResponse) -> None:
        """Takes the next frame. A frame that is refused changes nothing.

        Raises:
            WireError: `frame-refused`: it says no place in a stream, belongs to another stream or answer, is late, came
                before, follows the final one, or changes a call that has ended. `too-many-parts`, `too-large`.
        """
        place = self._place_of(frame)
        goes_on_with = self._text is not None and bool(frame.parts) and goes_on(self._text, frame.parts[0])
        self._check_room(frame, goes_on_with=goes_on_with)
        self._last = frame
        for index, part in enumerate(frame.parts):
            if isinstance(part, TextPart):
                if index or not goes_on_with:
                    self._parts += self._open_text()
                    self._text, self._pieces = part, []
                self._pieces.append(part.content)
            elif isinstance(part, ToolCallPart) and part.id in self._calls:
                self._parts[self._calls[part.id]] = part
            else:
                self._parts += self._open_text()
                self._text = None
                if isinstance(part, ToolCallPart):
                    self._calls[part.id] = len(self._parts)
                self._parts.append(part)
        if place.final:
            self._final = frame

    def _open_text(self) -> tuple[TextPart, ...]:
        """The text at the end, as one part; empty when another part stands there."""
        if self._text is None:
            return ()
        if len(self._pieces) > 1:
            self._text = TextPart(content="".join(self._pieces), mime=self._text.mime)
            self._pieces = [self._text.content]
        return (self._text,)

    def _place_of(self, frame: NormalizedResponse) -> Streaming:
        """Where the frame stands, when it is the next one."""
        place, last = frame.streaming, self._last
        if place is None:
            raise wire_error("frame-refused", "/streaming", "a frame says where it stands in its stream")
        if self._final is not None:
            raise wire_error("frame-refused", "/streaming", "the stream has ended")
        if last is None or last.streaming is None:
            if place.seq:
                raise wire_error("frame-refused", "/streaming/seq", "the first frame has the number 0")
        elif place.stream_id != last.streaming.stream_id or frame.reply_to != last.reply_to:
            raise wire_error("frame-refused", "/streaming/stream_id", "the frame is of another stream")
        elif place.seq <= last.streaming.seq:
            raise wire_error("frame-refused", "/streaming/seq", "the frame is late, or came before")
        return place

    def _check_room(self, frame: NormalizedResponse, *, goes_on_with: bool) -> None:
        """Raises when a call would change that has ended, or there would be too much."""
        new, chars = -int(goes_on_with), self._chars
        for index, part in enumerate(frame.parts):
            if isinstance(part, ToolCallPart) and part.id in self._calls:
                known = self._parts[self._calls[part.id]]
                if isinstance(known, ToolCallPart) and known.state != "running" and known != part:
                    raise wire_error("frame-refused", f"/parts/{index}", "the tool call has ended before")
                continue
            new += 1
            if isinstance(part, TextPart):
                chars += len(part.content)
        if len(self._parts) + (self._text is not None) + new > self._limits.parts:
            raise wire_error("too-many-parts", "/parts", f"more than {self._limits.parts} parts")
        if chars > MAX_TEXT:
            raise wire_error("too-large", "/parts", f"more than {MAX_TEXT} characters of text")
        self._chars = chars


def goes_on(last: Part, first: Part) -> bool:
    """Whether text at the beginning of a frame goes on with the text at the end of what came before."""
    return (
        isinstance(last, TextPart)
        and isinstance(first, TextPart)
        and last.mime == first.mime
        and not last.extra
        and not first.extra
    )


def split(
    response: NormalizedResponse, *, stream_id: str, text_chars: int | None = None
) -> tuple[NormalizedResponse, ...]:
    """The frames of a whole answer: a part at a time, each tool call first as running, then as it ended.

    Args:
        response: The answer.
        stream_id: What groups the frames.
        text_chars: Send text in pieces of at most so many characters; None: whole.

    Raises:
        UsageError: `response` is a frame itself.

    Spec: Normalized Message §4 (Streaming).

    Example:
        >>> from mentionable import NormalizedResponse, TextPart
        >>> whole = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Hello"),))
        >>> [frame.parts[0].content for frame in split(whole, stream_id="s1", text_chars=3)]
        ['Hel', 'lo']
    """
    if response.streaming is not None or response.status == "partial":
        raise UsageError("response must be a whole answer, not a frame of one")
    if text_chars is not None and text_chars < 1:
        raise UsageError("text_chars is 1 or more")
    *before, last = _groups(response, text_chars)
    frames = [
        NormalizedResponse(
            reply_to=response.reply_to,
            parts=tuple(parts),
            status="partial",
            streaming=Streaming(stream_id=stream_id, seq=seq, final=False),
            push_back=response.push_back,
        )
        for seq, parts in enumerate(before)
    ]
    place = Streaming(stream_id=stream_id, seq=len(before), final=True)
    return (*frames, evolve(response, parts=tuple(last), streaming=place))


def _groups(response: NormalizedResponse, text_chars: int | None) -> list[list[Part]]:
    """The parts of each frame. Text that must not go on with the text before it stands in the same frame."""
    groups: list[list[Part]] = []
    for part in response.parts:
        first, *others = _pieces(part, text_chars)
        if groups and goes_on(groups[-1][-1], part):
            groups[-1].append(first)
        else:
            groups.append([first])
        groups += [[other] for other in others]
    return groups or [[]]


def _pieces(part: Part, text_chars: int | None) -> Iterator[Part]:
    """What of a part stands in each of its frames."""
    if isinstance(part, ToolCallPart) and part.state != "running":
        yield evolve(part, result=UNSET, error=None, duration_ms=None)
    elif isinstance(part, TextPart) and text_chars is not None and not part.extra:
        for at in range(0, len(part.content) - text_chars, text_chars):
            yield evolve(part, content=part.content[at : at + text_chars])
        part = evolve(part, content=part.content[-(len(part.content) % text_chars or text_chars) :])
    yield part
