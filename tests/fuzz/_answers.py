"""The answers as an input describes them: documents and records are foreign bytes too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mentionable import (
    Failed,
    Fetch,
    Fetched,
    FindAgent,
    FindHistory,
    FindMessage,
    FindMessages,
    Limits,
    LookupTxt,
    StoredMessage,
    UseOnce,
    parse_time,
)
from tests.samples import TURN

if TYPE_CHECKING:
    from datetime import datetime

    from mentionable import Settings

NOW: Final[datetime] = parse_time("2026-11-21T20:56:00Z")
HELPER: Final = "@helper@agents.example"
BETWEEN: Final = b"\n\xff\xff\n"
"""What separates a unit from the documents that come with it."""

ORDINARY: Final = b"@"
"""The first byte of an input whose facts are the usual ones."""

SMALL: Final = Limits(
    parts=3, recipients=2, tags=3, attachments=1, inline_bytes=16, mail_fields=12, mime_depth=3, mime_parameters=4,
    id_chars=64, asks=3, walk_depth=1, json_depth=8, mail_field_bytes=256, mail_decoded_bytes=512, trace_bytes=400,
)  # fmt: skip


class Input(NamedTuple):
    """The bytes of an input, taken apart.

    Attributes:
        unit: The unit.
        documents: What the world answers, in the order in which it is asked.
        flags: Bits that say what else is the case.
    """

    unit: bytes
    documents: list[bytes]
    flags: int


def taken_apart(data: bytes) -> Input:
    """An input as its unit, its documents and its flags."""
    unit, *documents = data[1:].split(BETWEEN)
    return Input(unit, documents, data[0] if data else 0)


def put_together(unit: bytes, documents: list[bytes], flags: bytes = ORDINARY) -> bytes:
    """The input that is taken apart into these."""
    return flags + BETWEEN.join([unit, *documents])


def facts(flags: int, settings: Settings) -> dict[str, Any]:
    """What a door is given beside its unit: the recipient or not, usual limits or tight ones, use once or not."""
    from mentionable import replace

    limits = SMALL if flags & 2 else settings.limits
    chosen = replace(settings, limits=limits, use_once=bool(flags & 4))
    return {"recipient": None if flags & 1 else HELPER, "now": NOW, "entropy": bytes(32), "settings": chosen}


class World:
    """Answers asks with the documents of an input, one after the other; then it knows nothing.

    Attributes:
        remote: How many asks went out into the network.
    """

    def __init__(self, documents: list[bytes]) -> None:
        self._left = iter(documents)
        self.remote = 0

    def __call__(self, ask: Any) -> Any:
        """The answer to an ask."""
        if isinstance(ask, (Fetch, LookupTxt)):
            self.remote += 1
            document = next(self._left, None)
            if document is None:
                return Failed("there is no more", temporary=False)
            return _fetched(ask, document) if isinstance(ask, Fetch) else document.split(b"\n\xff\n")
        if isinstance(ask, FindAgent):
            return HELPER if "helper" in ask.native_id else None
        if isinstance(ask, FindMessage):
            return _known(ask)
        if isinstance(ask, FindMessages):
            row = _known(ask)
            return {} if row is None else {HELPER: row}
        if isinstance(ask, FindHistory):
            return (TURN,) * (len(ask.thread_id) % 3)
        if isinstance(ask, UseOnce):
            return ("first", "same")[len(ask.binding) % 2]
        return None


def _fetched(ask: Fetch, document: bytes) -> Fetched:
    kind = "application/jrd+json" if "webfinger" in ask.url else "application/activity+json"
    return Fetched(url=ask.url, status=200, content_type=kind, body=document)


def _known(ask: FindMessage | FindMessages) -> StoredMessage | None:
    method = ("none", "own", "email-dkim", None)[len(ask.native_id) % 4]
    return method and StoredMessage(id="m0", thread_id="t0", sender="@alice@a.example", auth_method=method)
