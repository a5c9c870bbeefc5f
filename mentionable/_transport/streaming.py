"""Streams of frames: one response in pieces, put together and taken apart.

A frame adds to what came before. Its parts are appended; a tool call whose id is known brings that call up to date; and
text at the beginning of a frame goes on with the text at the end of the last, when both are of one kind.

Spec: Normalized Message §3.2 (tool_call), §4 (Streaming).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from .._errors.exceptions import UsageError, wire_error
from .._flow.settings import DEFAULTS, Limits
from .._model.base import UNSET, replace
from .._model.message import NormalizedResponse, Streaming, check_is_response, misplaced
from .._model.parts import ArtifactPart, FilePart, InlineRef, Part, TextPart, ToolCallPart
from .._wire.strict_json import dump_line


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

    __slots__ = ("_calls", "_last", "_limits", "_merger", "_size")

    def __init__(self, *, limits: Limits = DEFAULTS.limits) -> None:
        """Begins with nothing.

        Args:
            limits: Bounds the number of parts, and by `a2a_bytes` what they come to.
        """
        if not isinstance(limits, Limits):
            raise UsageError("limits must be Limits(...)")
        self._limits = limits
        self._merger = TextMerger()
        self._size = 0
        self._calls: dict[str, int] = {}
        self._last: NormalizedResponse | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the final frame came."""
        place = None if self._last is None else self._last.streaming
        return place is not None and place.final

    @property
    def parts(self) -> tuple[Part, ...]:
        """What has come so far."""
        return tuple(self._merger.parts())

    @property
    def count(self) -> int:
        """How many parts have come so far, which takes less than to look at them."""
        return len(self._merger)

    @property
    def response(self) -> NormalizedResponse:
        """The whole answer, which is no frame.

        Raises:
            UsageError: The final frame has not come.
        """
        if self._last is None or not self.is_complete:
            raise UsageError("the stream has not ended: see is_complete")
        return replace(self._last, parts=self.parts, streaming=None)

    def add(self, frame: NormalizedResponse) -> None:
        """Takes the next frame. A frame that is refused changes nothing.

        Raises:
            WireError: `frame-refused`: it says no place in a stream, belongs to another stream or answer, is late, came
                before, follows the final one, or changes a call that has ended. `too-many-parts`, `too-large`.
        """
        check_is_response(frame)
        fault = misplaced(frame, self._last)
        if fault is not None:
            raise wire_error("frame-refused", fault.at, fault.rule)
        self._check_size(frame)
        self._last = frame
        for index, part in enumerate(frame.parts):
            if isinstance(part, ToolCallPart):
                if part.id in self._calls:
                    self._merger.replace(self._calls[part.id], part)
                    continue
                self._calls[part.id] = len(self._merger)
            self._merger.add(part, continues=not index)

    def _check_size(self, frame: NormalizedResponse) -> None:
        """Raises when a call would change that has ended, or there would be too much."""
        count, size = len(self._merger), self._size
        if frame.parts and self._merger.goes_on(frame.parts[0]):
            count -= 1
        for index, part in enumerate(frame.parts):
            if isinstance(part, ToolCallPart) and part.id in self._calls:
                known = self._merger.part(self._calls[part.id])
                if isinstance(known, ToolCallPart) and known.state != "running" and known != part:
                    raise wire_error("frame-refused", f"/parts/{index}", "the tool call has ended before")
            else:
                count += 1
            size += _size_of(part)
        if count > self._limits.parts:
            raise wire_error("too-many-parts", "/parts", f"more than {self._limits.parts} parts")
        if size > self._limits.a2a_bytes:
            raise wire_error("too-large", "/parts", f"more than {self._limits.a2a_bytes} characters")
        self._size = size


class TextMerger:
    """Parts in order, of which text that comes in pieces is one.

    Pieces are joined when somebody looks, so that a text takes work that grows with its length alone.
    """

    __slots__ = ("_finish", "_parts", "_texts")

    def __init__(self, finish: Callable[[str], str] = str) -> None:
        """Begins with nothing. `finish` makes its last form of a text that came in pieces."""
        self._finish = finish
        self._parts: list[Part] = []
        self._texts: list[str] = []  # what the text at the end came in, once it goes on

    def __len__(self) -> int:
        return len(self._parts)

    def goes_on(self, part: Part) -> bool:
        """Whether `part` may go on with the text at the end."""
        return bool(self._parts) and goes_on(self._parts[-1], part)

    def add(self, part: Part, *, continues: bool) -> None:
        """Adds a part, to the text at the end if it `continues` and may go on with it."""
        if continues and self.goes_on(part):
            if not self._texts:
                self._texts.append(cast("TextPart", self._parts[-1]).content)
            self._texts.append(cast("TextPart", part).content)
        else:
            self._join()
            self._parts.append(part)

    def part(self, place: int) -> Part:
        """The part at a place, which is no text."""
        return self._parts[place]

    def replace(self, place: int, part: Part) -> None:
        """Puts another part in place of one that is no text."""
        self._parts[place] = part

    def parts(self) -> list[Part]:
        """What has come so far."""
        self._join()
        return self._parts

    def _join(self) -> None:
        if self._texts:
            text = self._finish("".join(self._texts))
            self._parts[-1] = replace(cast("TextPart", self._parts[-1]), content=text)
            self._texts.clear()


def _size_of(part: Part) -> int:
    """How much there is in a part, in characters, as far as it has no bound of its own."""
    match part:
        case TextPart():
            return len(part.content)
        case ToolCallPart():
            return len(dump_line(part.args)) + (0 if part.result is UNSET else len(dump_line(part.result)))
        case FilePart() | ArtifactPart() if isinstance(part.bytes_ref, InlineRef):
            return len(part.bytes_ref.data_base64)
        case _:
            return 0


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
    check_is_response(response)
    if response.streaming is not None or response.status == "partial":
        raise UsageError("response must be a whole answer, not a frame of one")
    if text_chars is not None and not (type(text_chars) is int and text_chars >= 1):
        raise UsageError("text_chars is 1 or more, or None")
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
    return (*frames, replace(response, parts=tuple(last), streaming=place))


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
        yield replace(part, result=UNSET, error=None, duration_ms=None)
    elif isinstance(part, TextPart) and text_chars is not None and not part.extra:
        for at in range(0, len(part.content) - text_chars, text_chars):
            yield replace(part, content=part.content[at : at + text_chars])
        part = replace(part, content=part.content[-(len(part.content) % text_chars or text_chars) :])
    yield part
