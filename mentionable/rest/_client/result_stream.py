"""The answer to a call that comes as a stream, read as it arrives.

Spec: REST transport (responses, SSE); decisions A5; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._flow.settings import DEFAULTS, Settings
from ..._model.base import replace
from ..._model.codec import decode_parsed
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse, ResponseError, Streaming
from ..._model.parts import TEXT_MIMES, CarriedPolicy, Part, TextPart, ToolCallPart
from ..._text.plain_text import clean
from ..._transport.call import AnswerStream, LeftOut
from ..._transport.forwarded import canonical_part
from ..._transport.policy_part import read_policy
from ..._transport.streaming import TextMerger
from ..._wire.address import agent_address
from ..._wire.sse import Event
from ..._wire.strict_json import loads
from .task_result import read_answer, text_in, unread, with_own_extra

_MARKDOWN: Final = "text/markdown"


class ResultStream(AnswerStream):
    """Reads the stream that an agent answers a call with.

    `feed` takes chunks as they come and gives frames, all of them `partial`, to show what is new. `close` gives the
    answer as `result` would. A stream of this library that broke off stays `partial`; of any other nobody can tell.

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> stream = ResultStream(to=question)
        >>> [frame.parts[0].content for frame in stream.feed(b"data: Hel" + bytes([10, 10]) + b"data: lo")]
        ['Hel']
        >>> stream.close().parts
        (TextPart(content='Hello', mime='text/markdown'),)
    """

    __slots__ = (
        "_calls",
        "_demand",
        "_end",
        "_end_at",
        "_is_anything",
        "_is_ours",
        "_left_out",
        "_lost",
        "_merger",
        "_next",
        "_odd",
        "_seq",
        "_session",
    )

    def __init__(self, *, to: NormalizedMessage, settings: Settings = DEFAULTS) -> None:
        """Begins at the start of a stream.

        Args:
            to: The message that was asked.
            settings: Has the limits: of the stream as a whole, of each event, and of the number of parts.

        Raises:
            UsageError: An argument is of the wrong kind.
        """
        super().__init__(to, settings)
        self._merger = TextMerger()
        self._calls: dict[str, int] = {}
        self._next: tuple[Any, bool] = _MARKDOWN, True  # what the next text is, and whether it goes on with the last
        self._demand: tuple[CarriedPolicy | None] | None = None
        self._end: dict[str, Any] | None = None
        self._end_at = ""
        self._session: Any = None
        self._left_out = LeftOut()
        self._odd: list[Diagnostic] = []  # what of the event at hand does not fit
        self._lost = 0  # parts that were left out
        self._seq = 0
        self._is_ours = False
        self._is_anything = False

    def _is_over(self) -> bool:
        return self._end is not None

    def _said_anything(self) -> bool:
        return self._is_anything

    def _frame(self, part: Part) -> NormalizedResponse:
        place = Streaming(stream_id=self._to.id, seq=self._seq, final=False)
        self._seq += 1
        return NormalizedResponse(reply_to=self._to.id, parts=(part,), status="partial", streaming=place)

    def _response(self) -> NormalizedResponse:
        """All that was said."""
        parts = self._merger.parts()
        end = self._end
        if end is None:
            end = {"status": "partial"} if self._is_ours else {}
        said = read_answer({**end, "parts": []}, self._to, self._limits, self._left_out, at=self._end_at)
        status, error = said.status, said.error
        if self._demand is not None:
            (demand,) = self._demand
            if demand is not None:
                parts.append(demand)
            elif status != "error":
                status, error = "error", _unread(parts)
        said = replace(said, parts=tuple(parts), status=status, error=error)
        return with_own_extra(said, {"session": self._session}, self._left_out)

    def _take(self, event: Event) -> list[NormalizedResponse]:
        taker = _TAKERS.get(event.event)
        if self._end is not None or taker is None:
            return []
        self._is_anything = True
        parts = taker(self, event)
        self._left_out.add(self._odd, self._at)
        self._odd.clear()
        return [self._frame(part) for part in parts]

    def _json(self, event: Event) -> dict[str, Any]:
        """The JSON object of an event."""
        limits = self._limits
        document = loads(event.data, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
        if not isinstance(document, dict):
            raise wire_error("wrong-type", "", f"the event {event.event} holds an object")
        return document

    def _check_room(self) -> None:
        """Raises when the stream has as many parts as it may, those that were left out included."""
        if len(self._merger) + self._lost >= self._limits.parts:
            raise wire_error("too-many-parts", "", f"more than {self._limits.parts} parts")

    def _add(self, part: Part, *, continues: bool) -> list[Part]:
        if not (continues and self._merger.goes_on(part)):
            self._check_room()
        self._merger.add(part, continues=continues)
        return [part]

    def _take_text(self, event: Event) -> list[Part]:
        """A piece of text: Markdown that goes on, unless the event before it says otherwise."""
        (mime, continues), self._next = self._next, (_MARKDOWN, True)
        return self._add(TextPart(content=clean(text_in(event.data)), mime=mime), continues=continues)

    def _take_mime(self, event: Event) -> list[Part]:
        """What the next piece of text is."""
        told = self._json(event)
        mime = told.get("mime")
        if mime.__class__ is not str or mime not in TEXT_MIMES:
            raise wire_error("unknown-value", "/mime", "expected a media type of text")
        self._next = mime, told.get("continues") is True
        return []

    def _take_call(self, event: Event) -> list[Part]:
        """A tool call; one that is known is brought up to date, and one that has ended never changes."""
        call = decode_parsed(ToolCallPart, {"kind": "tool_call", **self._json(event)}, notes=self._odd)
        place = self._calls.get(call.id)
        if place is None:
            self._calls[call.id] = len(self._merger)
            return self._add(call, continues=False)
        known = self._merger.part(place)
        if isinstance(known, ToolCallPart) and known.state != "running":
            return []
        self._merger.replace(place, call)
        return [call]

    def _take_part(self, event: Event) -> list[Part]:
        """A part as JSON, which is none of those that have events of their own."""
        told = self._json(event)
        if told.get("kind") in (CarriedPolicy.kind, ToolCallPart.kind):
            raise wire_error("unknown-value", "/kind", "this kind of part has an event of its own")
        odd = list[Diagnostic]()
        parts = decode_parsed(tuple[Part, ...], [told], notes=odd)
        self._odd += [replace(note, at=note.at.removeprefix("/0")) for note in odd]
        if not parts:
            self._check_room()
            self._lost += 1
        return [added for part in parts for added in self._add(canonical_part(part), continues=False)]

    def _take_policy(self, event: Event) -> list[Part]:
        """A demand. Of two none counts, as in an answer that comes as a whole."""
        told = self._json(event)
        if self._demand is not None:
            self._demand = (None,)
            self._odd.append(Diagnostic(code="policy-malformed", detail="a second demand: none of them counts"))
            return []
        value = read_policy(told, authority=agent_address(self._to.recipient).domain)
        self._odd += value.diagnostics
        self._demand = (None if value.policy is None else CarriedPolicy(policy=value.policy),)
        return []

    def _take_start(self, event: Event) -> list[Part]:
        """Whose answer it is: one of this library, which says when it has ended."""
        told = self._json(event)
        self._is_ours = True
        self._session = told.get("session")
        return []

    def _take_end(self, event: Event) -> list[Part]:
        """How it ended."""
        told = self._json(event)
        self._end = {name: told[name] for name in ("status", "error") if name in told}
        self._end_at = self._at
        return []


def _unread(parts: list[Part]) -> ResponseError:
    return unread("\n\n".join(part.content for part in parts if isinstance(part, TextPart)))


_TAKERS: Final[Mapping[str, Callable[[ResultStream, Event], list[Part]]]] = {
    "message": ResultStream._take_text,
    "text": ResultStream._take_mime,
    "tool_call": ResultStream._take_call,
    "part": ResultStream._take_part,
    "policy": ResultStream._take_policy,
    "start": ResultStream._take_start,
    "end": ResultStream._take_end,
}
