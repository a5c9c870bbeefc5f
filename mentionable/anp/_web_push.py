"""Presentations as messages of Web Push: the header fields, and the bytes to be encrypted.

Encryption (RFC 8291), the proof of who sends (VAPID, RFC 8292) and the request are the matter of a library of yours.

Spec: RFC 8030 §5.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from bisect import bisect_right
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TypeAlias

from attrs import field

from .._errors.exceptions import UsageError
from .._flow.settings import check_kind, check_now
from .._model.base import frozen
from .._model.codec import encode
from .._wire.ascii import ascii_lower
from .._wire.ids import derive
from .._wire.strict_json import dump_line
from .._wire.time import parse_time
from ._bridge import check_secret
from ._effects import Settled
from ._notification import Notification
from ._presentation import Presentable, Presentation, presented
from ._wording import ENGLISH, Wording

PushUrgency: TypeAlias = Literal["very-low", "low", "normal", "high"]
"""How much a push may cost the battery of a device. Spec: RFC 8030 §5.3."""

MAX_PAYLOAD: Final = 3_993
"""How many bytes fit into the one record of 4096 that every push service accepts. Spec: RFC 8291 §4."""

MAX_TTL: Final = timedelta(weeks=4)
"""No push service in wide use keeps a message longer."""

_URGENCIES: Final[Mapping[PushUrgency, tuple[str, ...]]] = {
    "very-low": ("very-low", "verylow", "lowest", "min", "minimal", "background", "debug", "trivial"),
    "low": ("low", "minor", "passive", "info", "information", "informational", "notice", "quiet", "silent"),
    "normal": ("normal", "default", "medium", "moderate", "active", "standard", "warning", "warn"),
    "high": (
        *("high", "urgent", "critical", "emergency", "immediate", "important", "max", "highest", "very-high"),
        *("veryhigh", "time-sensitive", "timesensitive", "alert", "alarm", "severe", "major", "error", "fatal", "asap"),
    ),
}
_URGENCY_OF: Final = {word: urgency for urgency, words in _URGENCIES.items() for word in words}

_TOPIC_BYTES: Final = 24
_MIN_CONTENT: Final = 256
"""Below so many bytes for the content the actions go first."""

_IDS: Final = ("id", "revision", "lease", "surface", "user_id", "content", "replaces", "session_id", "origin")
_ESSENTIAL: Final = (*_IDS, "actions")
"""The members that are dropped last: metadata goes first, and members of other versions."""


@frozen
class WebPush:
    """A message of Web Push, before it is encrypted.

    Attributes:
        ttl: So many seconds the push service keeps it for a device that is away.
        urgency: How much it may cost the battery of the device.
        topic: A message of the same topic that still waits is replaced by this one.
        payload: The bytes to encrypt: a `Presentation` as JSON, or a `Settled`, which alone has a `kind`.
        is_cut: Whether something was shortened or left out; `cut` in the payload says what.
    """

    ttl: int
    urgency: PushUrgency
    topic: str
    payload: bytes = field(repr=False)
    is_cut: bool

    @property
    def headers(self) -> dict[str, str]:
        """The header fields of the request to the push service, without those of your library."""
        return {"TTL": str(self.ttl), "Urgency": self.urgency, "Topic": self.topic}


def push_urgency(hint: object) -> PushUrgency:
    """The urgency that a plugin means by its hint, in its many words; `normal` where it gives none that is known.

    Spec: RFC 8030 §5.3.

    Example:
        >>> push_urgency("Critical"), push_urgency("very_low"), push_urgency(None)
        ('high', 'very-low', 'normal')
    """
    word = ascii_lower(hint.strip()).replace("_", "-").replace(" ", "-") if isinstance(hint, str) else ""
    return _URGENCY_OF.get(word, "normal")


def to_web_push(
    what: Presentable | Settled,
    *,
    now: datetime,
    ttl: timedelta = MAX_TTL,
    secret: bytes | None,
    max_bytes: int = MAX_PAYLOAD,
    wording: Wording = ENGLISH,
) -> WebPush:
    """The message of Web Push that shows an event on a device, or takes it away where it was settled elsewhere.

    What does not fit is cut: first the metadata, then the end of the content, then the actions. The payload then names
    in `cut` what is not whole, and by its id, lease and revision the event to fetch. Give the pushes of an event to the
    push service in their order: it replaces what waits by what comes last.

    Args:
        what: What to show, or what was settled: that replaces what still waits. Of an event as it is stored the
            deadline bounds the time that the push service keeps it.
        now: The time, aware.
        ttl: How long the push service may keep it at most.
        secret: 16 random bytes of yours or more, always the same: whoever knows an id cannot tell its topic. None only
            where the ids of your events cannot be guessed.
        max_bytes: How many bytes the payload may have.
        wording: With which mark the content ends where it was cut.

    Raises:
        UsageError: It is not presented to a human, an argument is of a wrong kind, or not even the ids fit.

    Spec: RFC 8030 §5.2, §5.3, §5.4; RFC 8291 §4.

    Example:
        >>> from datetime import UTC, datetime
        >>> notice = Presentation(
        ...     id="e1", revision=1, lease=1, surface="inbox", user_id="olivia", content="Disk full.", replaces=False,
        ...     metadata={"urgency": "CRITICAL"},
        ... )
        >>> push = to_web_push(notice, now=datetime(2026, 11, 21, tzinfo=UTC), secret=bytes(16), ttl=timedelta(hours=1))
        >>> push.ttl, push.urgency, len(push.topic), push.is_cut
        (3600, 'high', 32, False)
    """
    check_now(now)
    check_kind(ttl, timedelta, "ttl")
    if secret is not None:
        check_secret(secret)
    check_kind(wording, Wording, "wording")
    if max_bytes.__class__ is not int:
        raise UsageError("max_bytes is a number of bytes")
    event = what if isinstance(what, Settled) else presented(what)
    deadline = what.delivery_deadline if isinstance(what, Notification) else None
    until = parse_time(deadline) - now if deadline is not None else ttl
    lifetime = max(min(ttl, until, MAX_TTL), timedelta())
    digest = derive("anp.web_push.topic", secret or b"", event.user_id, event.id)
    payload, is_cut = _payload(event, max_bytes, wording.ellipsis)
    hint = "quiet" if isinstance(event, Settled) else (event.metadata or {}).get("urgency")
    return WebPush(
        ttl=lifetime // timedelta(seconds=1),
        urgency=push_urgency(hint),
        topic=urlsafe_b64encode(digest[:_TOPIC_BYTES]).decode("ascii"),
        payload=payload,
        is_cut=is_cut,
    )


def _payload(event: Presentation | Settled, max_bytes: int, ellipsis: str) -> tuple[bytes, bool]:
    """A presentation as JSON of at most `max_bytes`, and whether something was cut for that."""
    whole: dict[str, Any] = encode(event)
    data = _written(whole)
    if len(data) <= max_bytes:
        return data, isinstance(event, Presentation) and bool(event.cut)
    if isinstance(event, Settled):
        raise UsageError(f"the ids of the event do not fit into {max_bytes} bytes")
    for names, min_content in ((_ESSENTIAL, _MIN_CONTENT), (_IDS, 0)):
        body = {name: whole[name] for name in names if name in whole}
        already = event.cut or ()
        body["cut"] = list(dict.fromkeys([*already, *(name for name in whole if name not in body and name != "cut")]))
        data = _written(body)
        if len(data) <= max_bytes:
            return data, True
        body |= {"content": ellipsis, "cut": list(dict.fromkeys([*body["cut"], "content"]))}
        size = max_bytes - len(_written(body))
        if size >= min_content:
            body["content"] = _start(event.content, size) + ellipsis
            return _written(body), True
    raise UsageError(f"the ids of the event leave no room for anything else in {max_bytes} bytes")


def _start(text: str, size: int) -> str:
    """As much of a text as fits, as JSON, into `size` bytes."""
    text = text[:size]
    length = bisect_right(range(len(text) + 1), size, key=lambda end: len(dump_line(text[:end]).encode()) - 2)
    return text[: length - 1]


def _written(body: Mapping[str, Any]) -> bytes:
    return dump_line(body).encode()
