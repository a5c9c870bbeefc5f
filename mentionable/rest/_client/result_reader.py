"""The events of an answer, put together.

Spec: REST transport (responses, SSE); decisions A5; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..._errors.exceptions import WireError, wire_error
from ..._flow.settings import Limits
from ..._model.base import replace
from ..._model.codec import decode_parsed_leniently
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import TEXT_MIMES, CarriedPolicy, Part, TextPart, ToolCallPart
from ..._text.plain_text import clean
from ..._transport.answer_stream import AnswerReader
from ..._transport.forwarded import canonical_part
from ..._transport.json_body import load_body
from ..._transport.policy_part import ParsedPolicy, read_policy
from ..._transport.streaming import TextMerger
from ..._wire.address import agent_address
from ..._wire.sse import Event
from .task_result import SECOND_POLICY, read_answer, utf8_text, with_own_extra, with_policy

_MARKDOWN: Final = "text/markdown"


class ResultReader(AnswerReader):
    """Reads the events of an answer."""

    def __init__(self, to: NormalizedMessage, limits: Limits) -> None:
        super().__init__(to, limits)
        self._merger = TextMerger()
        self._calls: dict[str, int] = {}
        self._next_text: tuple[Any, bool] = _MARKDOWN, True  # its media type, and whether it continues the last text
        self._policy: ParsedPolicy | None = None
        self._end: dict[str, Any] | None = None
        self._end_pointer = ""
        self._session: Any = None
        self._dropped = 0  # parts that were left out
        self._is_ours = False

    def take(self, event: Event, pointer: str) -> list[NormalizedResponse]:
        """Read the next event; other names than those of this transport mean nothing."""
        taker = _TAKERS.get(event.event)
        if taker is None:
            return []
        self._pointer = pointer
        frames = [self._frame([part], self._to.id) for part in taker(self, event)]
        self.has_content = True
        return frames

    def keep(self, event: Event) -> None:
        """Keep an event for `raw`, with its name."""
        self._events.append({"event": event.event, "data": event.data.decode("utf-8", "replace")})

    def lose(self, fault: WireError) -> None:
        """Go on without an event that cannot be read. A policy is never lost: without it all would seem well."""
        name = self._events[-1]["event"]
        if name == "policy":
            self._policy = ParsedPolicy(policy=None, diagnostics=())
            self.has_content = True
        elif name == "end":
            self._end, self.is_complete = {"status": "partial"}, True
        super().lose(fault)

    def response(self) -> NormalizedResponse:
        """The whole answer. Its policy is the last part; one that cannot be read makes it an error."""
        parts, end = self._merger.parts(), self._end
        if end is None:
            end = {"status": "partial"} if self._is_ours or self.fault is not None else {}
        response, odd = read_answer({**end, "parts": []}, self._to, self._limits)
        self._report(odd, self._end_pointer)
        response = replace(response, parts=tuple(parts))
        if self._policy is not None:
            response = with_policy(response, self._policy.policy)
        return with_own_extra(response, self._session)

    def _object(self, event: Event) -> dict[str, Any]:
        """The JSON object of an event."""
        document = load_body(event.data, self._limits)
        self._events[-1]["data"] = document
        if document.__class__ is not dict:
            raise wire_error("wrong-type", "", f"the event {event.event} holds an object")
        members: dict[str, Any] = document
        return members

    def _add(self, part: Part, *, continues: bool) -> list[Part]:
        if not (continues and self._merger.goes_on(part)):
            self._check_count(len(self._merger) + self._dropped + 1)
        self._merger.add(part, continues=continues)
        return [part]

    def _take_text(self, event: Event) -> list[Part]:
        """A piece of text: Markdown that continues the text before it, unless a `text` event announced another."""
        (mime, continues), self._next_text = self._next_text, (_MARKDOWN, True)
        return self._add(TextPart(content=clean(utf8_text(event.data)), mime=mime), continues=continues)

    def _take_text_type(self, event: Event) -> list[Part]:
        """The media type of the next piece of text."""
        members = self._object(event)
        mime = members.get("mime")
        if mime.__class__ is not str or mime not in TEXT_MIMES:
            raise wire_error("unknown-value", "/mime", "expected a media type of text")
        self._next_text = mime, members.get("continues") is True
        return []

    def _take_call(self, event: Event) -> list[Part]:
        """A tool call, new or after its next step; one that has ended never changes."""
        call, odd = decode_parsed_leniently(ToolCallPart, {"kind": "tool_call", **self._object(event)})
        self._report(odd, self._pointer)
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
        """A part as JSON, of a kind that has no event of its own."""
        members = self._object(event)
        if members.get("kind") in (CarriedPolicy.kind, ToolCallPart.kind):
            raise wire_error("unknown-value", "/kind", "this kind of part has an event of its own")
        parts, odd = decode_parsed_leniently(tuple[Part, ...], [members])
        self._report([replace(one, at=one.at.removeprefix("/0")) for one in odd], self._pointer)
        if not parts:
            self._check_count(len(self._merger) + self._dropped + 1)
            self._dropped += 1
        return [added for part in parts for added in self._add(canonical_part(part), continues=False)]

    def _take_policy(self, event: Event) -> list[Part]:
        """A policy. Of two none counts; a whole answer with two is rejected."""
        members = self._object(event)
        if self._policy is None:
            self._policy = read_policy(members, authority=agent_address(self._to.recipient).domain)
        else:
            second = Diagnostic(code="policy-malformed", detail=SECOND_POLICY)
            self._policy = ParsedPolicy(policy=None, diagnostics=(second,))
        self._report(self._policy.diagnostics, self._pointer)
        return []

    def _take_start(self, event: Event) -> list[Part]:
        """The beginning of a stream of this library, which has an `end`."""
        self._is_ours = True
        self._session = self._object(event).get("session")
        return []

    def _take_end(self, event: Event) -> list[Part]:
        """The status, and why the agent failed."""
        members = self._object(event)
        self._end = {name: members[name] for name in ("status", "error") if name in members}
        self._end_pointer = self._pointer
        self.is_complete = True
        return []


_TAKERS: Final[Mapping[str, Callable[[ResultReader, Event], list[Part]]]] = {
    "message": ResultReader._take_text,
    "text": ResultReader._take_text_type,
    "tool_call": ResultReader._take_call,
    "part": ResultReader._take_part,
    "policy": ResultReader._take_policy,
    "start": ResultReader._take_start,
    "end": ResultReader._take_end,
}
