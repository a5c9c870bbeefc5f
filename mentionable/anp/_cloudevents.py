"""Events, effects and presentations as CloudEvents, and CloudEvents as what plugins submit and clients show.

A `CloudEvent` is a value like any other: `dumps` writes it in structured mode, `headers` and `body` in binary mode.

Spec: CloudEvents 1.0.2 §3; JSON Event Format 1.0.2; HTTP Protocol Binding 1.0.2 §3.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, TypeVar
from urllib.parse import quote, unquote_to_bytes

from .._errors.exceptions import DecodeError, Problem, UsageError, WireError, wire_error, with_prefix
from .._model.annotation import InvalidMember, Rule
from .._model.base import EMPTY_DICT, validated
from .._model.codec import decode_parsed, encode
from .._model.rules import Base64, Json, JsonObject, Timestamp
from .._text.media import media_type
from .._wire.ascii import ascii_lower
from .._wire.http import HttpRequest
from .._wire.ids import derive, uuid_of
from .._wire.strict_json import STORED_DEPTH, dump_line, loads, plain, whole_number
from .._wire.time import format_time
from ._effects import Effect, EventEffect, Present, Update
from ._notification import Notification, Submission
from ._presentation import Presentation, presentation
from ._read import read_submission

if TYPE_CHECKING:
    T = TypeVar("T")

CLOUD_EVENT: Final = "application/cloudevents+json"
"""The media type of a CloudEvent in structured mode."""

TYPES: Final = "dev.mentionable.anp."
"""What every `type` begins with: then comes the kind of an effect, `presentation`, `notification` or `submission`."""

MAX_BYTES: Final = 1_048_576
"""A CloudEvent may be so long."""

_JSON: Final = "application/json"
_ATTRIBUTE: Final = re.compile(r"[a-z0-9]{1,64}+").fullmatch
_NO_CHARACTERS: Final = "".join(
    map(chr, [end for plane in range(17) for end in (plane << 16 | 0xFFFE, plane << 16 | 0xFFFF)])
)
_PLAIN: Final = re.compile(rf"[^\x00-\x1f\x7f-\x9f\ufdd0-\ufdef{_NO_CHARACTERS}]++").fullmatch
_UNENCODED: Final = r"[A-Za-z0-9._~:/?@!$&'()*+,;=\[\]-]*+"
_OF_REFERENCE: Final = rf"{_UNENCODED}(?:%[0-9A-Fa-f]{{2}}{_UNENCODED})*"
_REFERENCE: Final = re.compile(rf"(?=.){_OF_REFERENCE}(?:#{_OF_REFERENCE})?").fullmatch
_QUOTED: Final = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*)"', re.DOTALL).fullmatch
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_SAFE: Final = "".join(map(chr, range(0x21, 0x7F))).translate({ord('"'): None, ord("%"): None})
_MAX_INTEGER: Final = 2**31

Plain: TypeAlias = Annotated[
    str, Rule("a text without control characters", lambda text: _PLAIN(text) is not None, {"minLength": 1})
]
"""The text of an attribute. Spec: CloudEvents §3.1 (String)."""

Reference: TypeAlias = Annotated[
    str, Rule("a URI reference", lambda text: _REFERENCE(text) is not None, {"minLength": 1, "format": "uri-reference"})
]
"""The URI reference of an attribute. Spec: CloudEvents §3.1 (URI-reference)."""

ContentType: TypeAlias = Annotated[
    str, Rule("a media type", lambda text: media_type(text) is not None and _PLAIN(text) is not None, {"minLength": 3})
]
"""The media type of the data, maybe with parameters."""


@validated
class CloudEvent:
    """A CloudEvent. As JSON it is what structured mode transmits.

    Attributes:
        id: With `source` it identifies the event: a receiver of both again may discard it.
        source: Where it happened.
        type: What happened.
        specversion: The version of CloudEvents.
        subject: What it happened to: here the id of an event.
        time: When it happened.
        datacontenttype: The media type of the data.
        data: Its content, as JSON.
        data_base64: The same where it is no JSON.
        extra: Extension attributes, by names of small letters and digits: texts, booleans and integers of 32 bits.

    Raises:
        UsageError: A member is missing or of a wrong type; there are two kinds of data; an extension is not one.

    Spec: CloudEvents 1.0.2 §3.
    """

    id: Plain
    source: Reference
    type: Plain
    specversion: Literal["1.0"] = "1.0"
    subject: Plain | None = None
    time: Timestamp | None = None
    datacontenttype: ContentType | None = None
    data: Json = None
    data_base64: Base64 | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.data is not None and self.data_base64 is not None:
            raise InvalidMember("data and data_base64 exclude each other")
        for name, member in self.extra.items():
            if not _ATTRIBUTE(name) or not _is_attribute(member):
                raise InvalidMember(f"{name[:80]!r} is no extension attribute")

    @property
    def key(self) -> str:
        """An id made of `source` and `id`: for `Submit`, so that what is transmitted twice is submitted once.

        Whoever may name a source can keep others of that source out: see that plugins name their own.
        """
        return uuid_of(derive("anp.cloudevents.key", b"", self.source, self.id))

    @property
    def headers(self) -> dict[str, str]:
        """The header fields of binary mode.

        Spec: CloudEvents HTTP Binding §3.1.
        """
        written = {name: member for name, member in encode(self).items() if name not in _NO_HEADERS}
        texts = {name: str(one).lower() if isinstance(one, bool) else str(one) for name, one in written.items()}
        fields = {f"ce-{name}": quote(text, safe=_SAFE) for name, text in texts.items()}
        # without a type a reader would take the body for bytes, although `data` is JSON (JSON Event Format §3.1)
        kind = self.datacontenttype or (None if self.data is None else _JSON)
        return fields if kind is None else {**fields, "content-type": kind}

    @property
    def body(self) -> bytes:
        """The body of binary mode: the data as it is.

        Spec: CloudEvents HTTP Binding §3.1.
        """
        if self.data_base64 is not None:
            return _bytes(self.data_base64)
        return b"" if self.data is None else dump_line(self.data).encode()


_NO_HEADERS: Final = ("data", "data_base64", "datacontenttype")
_KINDS: Final[Mapping[type, str]] = {
    Notification: "notification",
    Presentation: "presentation",
    Submission: "submission",
}
_PRESENTED: Final[Mapping[str, type[Presentation | Present | Update]]] = {
    f"{TYPES}presentation": Presentation,
    f"{TYPES}{Present.kind}": Present,
    f"{TYPES}{Update.kind}": Update,
}


def cloud_event(
    what: Effect | Presentation | Notification | Submission,
    *,
    source: str,
    at: datetime | None = None,
    id: str | None = None,
) -> CloudEvent:
    """An effect, a presentation, an event as it is stored, or one to submit, as a CloudEvent.

    The same gives the same id: it is made of the event, its revision and its lease, of the kind of the CloudEvent, and
    of all that it says. A broker that discards repetitions so discards what is presented again at a reconnection:
    set `id` then.

    Args:
        what: What it tells.
        source: Who tells it, as a URI reference: `/hosts/1`.
        at: When it happened; None: for an event as it is stored, when it changed; else absent.
        id: Its id. A submission needs one, the same when it is submitted again; for anything else one is made.

    Raises:
        UsageError: `what` is something else, an argument is of a wrong form, or a submission has no id.

    Spec: CloudEvents 1.0.2 §3.

    Example:
        >>> notice = Presentation(
        ...     id="e1", revision=1, lease=1, surface="inbox", user_id="olivia", content="Backup done.", replaces=False
        ... )
        >>> event = cloud_event(notice, source="/hosts/1")
        >>> event.type, event.subject, event.data["content"]
        ('dev.mentionable.anp.presentation', 'e1', 'Backup done.')
        >>> presentation_of(event) == notice
        True
    """
    if not isinstance(at, (datetime, type(None))):
        raise UsageError("at must be a datetime or None")
    kind = _KINDS.get(what.__class__) or getattr(what, "kind", None)
    if kind is None or not isinstance(what, (EventEffect, Notification, Submission)):
        raise UsageError("expected an effect, a Presentation, a Notification or a Submission")
    data = encode(what)
    subject, time = None, None if at is None else format_time(at)
    if not isinstance(what, Submission):
        lease = what.owner_lease if isinstance(what, Notification) else what.lease
        names = (kind, what.id, str(what.revision), str(lease), dump_line(data))
        id = id or uuid_of(derive("anp.cloudevents.id", b"", *names))
        subject = what.id if _PLAIN(what.id) else None
        if time is None and isinstance(what, Notification):
            time = what.changed_at
    elif id is None:
        raise UsageError("a submission needs an id: the same when it is submitted again")
    return CloudEvent(
        id=id, source=source, type=TYPES + kind, subject=subject, time=time, datacontenttype=_JSON, **_carried(data)
    )


def _carried(data: Any) -> dict[str, Any]:
    """JSON as data; as bytes where it is nested deeper than a member of a value can be."""
    try:
        return {"data": plain(data)}
    except UsageError:
        return {"data_base64": _base64(dump_line(data).encode())}


def read_cloud_event(data: HttpRequest | bytes | str | Mapping[str, Any]) -> CloudEvent:
    """A CloudEvent from anyone.

    Args:
        data: The HTTP request that carries it, in binary or structured mode; or its JSON.

    Raises:
        DecodeError: It is not one; `.problems` names each fault.
        UnsupportedError: `media-type-unsupported`: it is a batch, or in another format than JSON.
        LimitError: It is too long or nested too deeply.
        UsageError: `data` is something else.

    Spec: CloudEvents JSON Format 1.0.2 §2, §3; HTTP Binding §3.

    Example:
        >>> text = '{"specversion": "1.0", "id": "1", "source": "/disks", "type": "com.example.full"}'
        >>> read_cloud_event(text).source
        '/disks'
    """
    if isinstance(data, HttpRequest):
        kind = data.header("content-type") or ""
        if not ascii_lower(kind.strip()).startswith("application/cloudevents"):
            return decode_parsed(CloudEvent, _attributes(data, kind))
        if media_type(kind) != CLOUD_EVENT:
            raise wire_error("media-type-unsupported", "", "one CloudEvent as JSON, or in binary mode, is read here")
        data = data.body
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    members = _loaded(data) if isinstance(data, bytes) else data
    if not isinstance(members, Mapping):
        if members is data:
            raise UsageError("expected an HttpRequest, or a CloudEvent as JSON")
        raise DecodeError("malformed", [Problem("", "expected an object")])
    return decode_parsed(CloudEvent, {name: _read(name, one) for name, one in members.items() if one is not None})


def submission_of(event: CloudEvent, *, user_id: str | None = None, cause: Notification | None = None) -> Submission:
    """The event that a plugin submits as a CloudEvent of the type `dev.mentionable.anp.submission`.

    Submit it under `event.key`.

    Args:
        event: The CloudEvent, from anyone.
        user_id: Whose it is, where the host knows and the plugin need not say.
        cause: The event that led to it, where the agent's own doing did.

    Raises:
        DecodeError: It is of another type, or its data is no submission, as `read_submission` has it.
        UnsupportedError: `media-type-unsupported`: its data is no JSON.
        LimitError: Its data is too long or nested too deeply.
        UsageError: An argument is of a wrong type.

    Spec: ANP §8.1.
    """
    data = _data(event, (f"{TYPES}submission",))
    return _inside(lambda: read_submission(data, user_id=user_id, cause=cause))


def presentation_of(event: CloudEvent) -> Presentation:
    """What a client shows of a CloudEvent that brings a presentation, or an effect that shows something.

    Args:
        event: The CloudEvent. Whoever sends it decides what the human reads: see that it is your host.

    Raises:
        DecodeError: It is of another type, its data is malformed, or it is not presented to a human.
        UnsupportedError: `media-type-unsupported`: its data is no JSON.
        LimitError: Its data is too long or nested too deeply.
        UsageError: `event` is something else.

    Spec: ANP §3.1 (channels A and B).
    """
    data = _data(event, tuple(_PRESENTED))
    cls = _PRESENTED[event.type]
    presented = presentation(_inside(lambda: decode_parsed(cls, data)))
    if presented is None:
        raise wire_error("unknown-value", "/data/channel", "nothing of it is shown to a human")
    return presented


def _data(event: object, types: tuple[str, ...]) -> Mapping[str, Any]:
    """The data of a CloudEvent of one of these types, which is a JSON object."""
    if not isinstance(event, CloudEvent):
        raise UsageError("expected a CloudEvent: read_cloud_event reads one")
    if event.type not in types:
        raise wire_error("unknown-value", "/type", f"expected {' or '.join(types)}")
    if not _is_json(event.datacontenttype or _JSON):
        raise wire_error("media-type-unsupported", "/datacontenttype", "expected JSON")
    data = event.data
    if event.data_base64 is not None:
        data = _inside(lambda: _loaded(_bytes(event.data_base64 or "")), "/data_base64")
    if not isinstance(data, Mapping):
        raise DecodeError("malformed", [Problem("/data", "expected an object")])
    return data


def _inside(read: Callable[[], T], at: str = "/data") -> T:
    """What is read of the data; its faults with their place in the whole."""
    try:
        return read()
    except WireError as error:
        raise with_prefix(error, at) from None


def _attributes(request: HttpRequest, kind: str) -> dict[str, Any]:
    """A CloudEvent in binary mode, as JSON."""
    if len(request.body) > MAX_BYTES:
        raise wire_error("too-large", "", f"{len(request.body)} bytes, at most {MAX_BYTES}")
    attributes: dict[str, Any] = {"datacontenttype": kind} if kind else {}
    for header, text in request.headers:
        if header.startswith("ce-"):
            name = header[3:]
            if name in attributes or name in _NO_HEADERS:
                raise DecodeError("malformed", [Problem(f"/{name}", "no header field, or only one, says this")])
            attributes[name] = _from_header(name, text)
    if kind and _is_json(kind):
        attributes |= _carried(_inside(lambda: _loaded(request.body)))
    elif request.body:
        attributes["data_base64"] = _base64(request.body)
    return attributes


def _from_header(name: str, text: str) -> str:
    quoted = _QUOTED(text.strip())
    bare = _ESCAPED.sub(r"\1", quoted[1]) if quoted else text.strip()
    try:
        return unquote_to_bytes(bare).decode()
    except UnicodeDecodeError:
        raise DecodeError("malformed", [Problem(f"/{name}", "expected UTF-8")]) from None


def _read(name: str, member: Any) -> Any:
    """A member as it came; an attribute of 2.0 is an integer, since JSON has one kind of number."""
    if name == "data" or not isinstance(member, float):
        return member
    whole = whole_number(member, least=-_MAX_INTEGER)
    return member if whole is None else whole


def _is_attribute(member: object) -> bool:
    if isinstance(member, str):
        return not member or _PLAIN(member) is not None
    return isinstance(member, bool) or (isinstance(member, int) and -_MAX_INTEGER <= member < _MAX_INTEGER)


def _is_json(kind: str) -> bool:
    return (media_type(kind) or "").endswith(("/json", "+json"))


def _loaded(data: bytes) -> Any:
    return loads(data, max_bytes=MAX_BYTES, max_depth=STORED_DEPTH, safe_integers=False)


def _base64(data: bytes) -> str:
    return b64encode(data).decode()


def _bytes(text: str) -> bytes:
    """Bytes of base64; also where its last character has bits that count for nothing."""
    return b64decode(text)
