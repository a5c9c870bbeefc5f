"""What the clients of a person receive, item after item: framing for Server-Sent Events and WebSocket, and resumption.

Each item has a place in the stream of its person. Places grow in the order in which a host stores things, so a client
that was away names the last place that it has read, and gets what came after it.

Spec: ANP §3.1 (channels A and B); HTML Standard §9.2 (Server-sent events); RFC 6455 (WebSocket).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, Literal, TypeAlias

from .._errors.exceptions import UsageError, WireError, wire_error
from .._flow.settings import check_count, check_kind
from .._model.annotation import InvalidMember
from .._model.base import EMPTY_DICT, frozen, validated
from .._model.codec import decode_parsed, encode
from .._model.rules import Count, Json, JsonObject
from .._wire.sse import EventReader, write_event
from .._wire.strict_json import MAX_SAFE_INTEGER, dump_line, loads, whole_number
from ._effects import Settled
from ._notification import ShortName
from ._presentation import Presentation

MAX_BYTES: Final = 1_048_576
"""How long one item may be that a client reads. No item is longer than a snapshot."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}").fullmatch
_DIGITS: Final = re.compile(r"[0-9]{1,16}").fullmatch


@validated
class Snapshot:
    """Everything that is presented to a person now and not acknowledged. It comes first where a client cannot resume.

    What a client displays and does not find here was settled while it was away: it takes that off the screen. It
    settles nothing by that: a presentation may be under way that is newer than the snapshot.

    Attributes:
        presentations: What is presented, in the order in which it was.
        omitted: How many more there are. Where there are some, nothing is taken off the screen.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["snapshot"]] = "snapshot"
    presentations: tuple[Presentation, ...]
    omitted: Count = 0
    extra: JsonObject = EMPTY_DICT

    def closed(self, displayed: Iterable[str]) -> tuple[str, ...]:
        """The ids of events that a client displays and that are open no more.

        Args:
            displayed: The ids of all events that it displays as open.
        """
        open_now = {one.id for one in self.presentations}
        return () if self.omitted else tuple(id for id in displayed if id not in open_now)


@validated
class HostItem:
    """An item of the host's own, that the protocol does not know: a message of a chat, a greeting.

    Attributes:
        name: What it is called on the stream: small letters, digits and `_`.
        data: What it says, as JSON.

    Raises:
        UsageError: The name is none, or one of the protocol.
    """

    name: ShortName
    data: Json = None

    def _check(self) -> None:
        if not _NAME(self.name) or self.name in _CLASSES:
            raise InvalidMember("a name is of small letters, digits and _, and none of the protocol's own")


Item: TypeAlias = Presentation | Settled | Snapshot | HostItem
"""What a place of a stream holds."""

_CLASSES: Final[Mapping[str, type[Presentation | Settled | Snapshot]]] = {
    "presentation": Presentation,
    "settled": Settled,
    "snapshot": Snapshot,
}
_NAMES: Final[Mapping[type, str]] = {cls: name for name, cls in _CLASSES.items()}


@frozen
class StreamItem:
    """An item with its place.

    Attributes:
        item: The item.
        place: Its place in the stream of the person, from 1; that of a snapshot is the last one that it includes, from
            0. None: it has none, and a client does not resume from it.

    Raises:
        UsageError: A member is of a wrong type.
    """

    item: Item
    place: int | None = None

    def __attrs_post_init__(self) -> None:
        if self.item.__class__ not in (*_NAMES, HostItem):
            raise UsageError("item must be a Presentation, Settled, Snapshot or HostItem")
        if self.place is not None and not (self.place.__class__ is int and 0 <= self.place <= MAX_SAFE_INTEGER):
            raise UsageError("place is a number from 0")

    @property
    def name(self) -> str:
        """What it is called on the stream: `presentation`, `settled`, `snapshot`, or as the host calls it."""
        return self.item.name if isinstance(self.item, HostItem) else _NAMES[self.item.__class__]

    @property
    def data(self) -> Any:
        """What it says, as JSON."""
        return self.item.data if isinstance(self.item, HostItem) else encode(self.item)


def to_event_stream(item: StreamItem) -> bytes:
    r"""An item as one event of Server-Sent Events, whose id is its place.

    Args:
        item: The item.

    Raises:
        UsageError: It is something else.

    Spec: HTML Standard §9.2 (Server-sent events).

    Example:
        >>> to_event_stream(StreamItem(place=7, item=Snapshot(presentations=())))
        b'event: snapshot\nid: 7\ndata: {"kind":"snapshot","presentations":[],"omitted":0}\n\n'
    """
    check_kind(item, StreamItem, "item")
    return write_event(dump_line(item.data), event=item.name, id=None if item.place is None else str(item.place))


def to_web_socket(item: StreamItem) -> str:
    """An item as one text frame of WebSocket: a JSON object of `place`, `event` and `data`.

    Args:
        item: The item.

    Raises:
        UsageError: It is something else.

    Spec: RFC 6455 §5.6.

    Example:
        >>> to_web_socket(StreamItem(item=HostItem(name="ready", data={"agent": "@helper@agents.example"})))
        '{"event":"ready","data":{"agent":"@helper@agents.example"}}'
    """
    check_kind(item, StreamItem, "item")
    place = {} if item.place is None else {"place": item.place}
    return dump_line({**place, "event": item.name, "data": item.data})


class StreamReader:
    """Reads a stream of Server-Sent Events in chunks of any size, as a client that is no browser does.

    Attributes:
        place: The last place that was read, for `Last-Event-ID` of the next connection; None: none yet.

    Example:
        >>> reader = StreamReader()
        >>> sent = to_event_stream(StreamItem(place=3, item=HostItem(name="message", data="Hello")))
        >>> reader.feed(sent[:20]), [one.item.data for one in reader.feed(sent[20:])], reader.place
        ((), ['Hello'], 3)
    """

    __slots__ = ("_error", "_events", "place")

    def __init__(self) -> None:
        """Begins at the start of a connection."""
        self._events = EventReader(max_bytes=MAX_BYTES, is_endless=True)
        self._error: tuple[WireError, int | None] | None = None
        self.place: int | None = None

    def feed(self, chunk: bytes) -> tuple[StreamItem, ...]:
        """The items that end in this chunk.

        A malformed one ends the reader: what came before it is returned first, and the next call raises the error.
        `place` is then that of the malformed item: connect again from there, with another reader.

        Raises:
            DecodeError: One of them is malformed.
            LimitError: One of them is too long.
            UsageError: `chunk` is no bytes.
        """
        items: list[StreamItem] = []
        for event in self._events.feed(chunk) if self._error is None else ():
            place = _place(event.id)
            place = self.place if place is None else place  # an event without an id has that of the last one
            try:
                item = _read(event.event, loads(event.data, max_bytes=MAX_BYTES))
            except WireError as problem:
                self._error = problem, place
                break
            items.append(StreamItem(item=item, place=place if place != self.place else None))
            self.place = place
        if self._error is not None and not items:
            error, self.place = self._error
            raise error
        return tuple(items)


def read_web_socket(frame: str) -> StreamItem:
    """An item out of a text frame of WebSocket.

    Args:
        frame: The frame.

    Raises:
        DecodeError: It is malformed.
        LimitError: It is too long, or nested too deeply.
        UsageError: It is no text.

    Example:
        >>> read_web_socket('{"place": 4, "event": "message", "data": "Hello"}').place
        4
    """
    check_kind(frame, str, "frame")
    members = loads(frame.encode("utf-8", "surrogatepass"), max_bytes=MAX_BYTES)
    if not isinstance(members, dict) or not isinstance(members.get("event"), str):
        raise wire_error("malformed", "/event", "expected an object with the name of an event")
    place = members.get("place")
    if place is not None and (place := whole_number(place)) is None:
        raise wire_error("malformed", "/place", "expected a number from 0")
    return StreamItem(item=_read(members["event"], members.get("data")), place=place)


def resume(last_event_id: str | None, *, oldest: int, newest: int) -> int | None:
    """After which place a stream goes on for a client that was away.

    Args:
        last_event_id: What the client names: the header field `Last-Event-ID`, or the parameter of a URL.
        oldest: The place of the oldest item that the host keeps for the person; 0 where it keeps none.
        newest: The place of the newest item that it ever had; 0 where there was none.

    Returns:
        A place. None: the stream begins with a `Snapshot`. The client named no place, one whose successors are gone,
        or one that was never reached: then the database is older than the client.

    Raises:
        UsageError: An argument is of a wrong type.

    Spec: HTML Standard §9.2.4 (`Last-Event-ID`).

    Example:
        >>> [resume(given, oldest=5, newest=9) for given in ("7", "4", "9", "3", "10", "x", None)]
        [7, 4, 9, None, None, None, None]
    """
    check_kind(last_event_id, (str, type(None)), "last_event_id")
    check_count(oldest, "oldest")
    check_count(newest, "newest")
    place = _place(last_event_id)
    return place if place is not None and max(oldest - 1, 0) <= place <= newest else None


def _place(text: str | None) -> int | None:
    """A place as it is written; None: it is none."""
    return int(text) if text is not None and _DIGITS(text) and int(text) <= MAX_SAFE_INTEGER else None


def _read(name: str, data: Any) -> Item:
    """An item by its name."""
    cls = _CLASSES.get(name)
    if cls is not None:
        return decode_parsed(cls, data)
    if not _NAME(name):
        raise wire_error("malformed", "/event", "expected a name of small letters, digits and _")
    return HostItem(name=name, data=data)
