"""Conversations: the newest ones, those that have some words, and one with all that belongs to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import field, frozen
from mentionable import (
    ArtifactPart,
    FilePart,
    MentionableError,
    NormalizedMessage,
    NormalizedResponse,
    TextPart,
    ToolCallPart,
    bytes_of,
    encode,
    prompt,
)
from sqlalchemy import Connection, func, select
from starlette.responses import Response

from mentionable_host.operator import rendering
from mentionable_host.operator.responses import download
from mentionable_host.operator.visit import Page, Refused, Visit
from mentionable_host.store import conversations, listing, mailings, messages
from mentionable_host.store.tables import blobs
from mentionable_host.trace_viewer import PATH as VIEWER

__all__ = ["PAGES"]

AT_ONCE: Final = 50
RENDERED: Final = 200_000
"""So many characters of text are rendered on a page: hostile Markdown takes up to ten microseconds for each."""
MAX_SOURCE: Final = 200_000
"""So many characters of the JSON of a message are shown."""


@frozen(kw_only=True)
class _Turn:
    """A message or an answer, ready for a template.

    Attributes:
        calls: How many tool calls an answer has.
        trace: Its address in the trace viewer.
        claimed: The trace that came along with a message: what the agent of its sender says that it did.
        stored: Digests of files that are kept.
    """

    entry: messages.Entry
    parts: Sequence[rendering.ShownPart]
    calls: int = 0
    trace: str | None = None
    claimed: Sequence[rendering.ShownPart] = ()
    stored: Mapping[str, int] = field(factory=dict)


async def index(visit: Visit) -> Response:
    """The newest conversations, or the messages that have some words."""
    words, before, person = visit.asked("q").strip(), visit.before, visit.asked("person")
    queue = await visit.read(listing.queue)
    facts: dict[str, Any] = {"words": words, "person": person, "queue": queue, "before": before}
    if words:
        found = await visit.read(lambda db: conversations.search(db, words, before=before, limit=AT_ONCE + 1))
        last = found[AT_ONCE - 1].number if len(found) > AT_ONCE else None
        return visit.page("search.html", title="Search", at="", lines=found[:AT_ONCE], after=last, **facts)
    threads = await visit.read(
        lambda db: conversations.newest(db, before=before, limit=AT_ONCE + 1, person=person or None)
    )
    counts = await visit.read(conversations.counts)
    last = threads[AT_ONCE - 1].last.number if len(threads) > AT_ONCE else None
    names = await visit.read(lambda db: listing.names(db, [one.last.person for one in threads]))
    facts |= {"threads": threads[:AT_ONCE], "names": names, "after": last, "counts": counts}
    return visit.page("conversations.html", title="Conversations", at="", **facts)


async def thread(visit: Visit) -> Response:
    """The conversation that a message is in: its newest messages, or those before one of them."""
    number, before = visit.number, visit.before

    def read(db: Connection) -> dict[str, Any]:
        asked = messages.entry(db, number)
        if asked is None:
            raise Refused("This message is not there any more.")
        lines = conversations.lines(db, asked.thread_id, agent=asked.agent, before=before, limit=AT_ONCE + 1)
        entries = [messages.entry(db, line.number) for line in lines[-AT_ONCE:]]
        return {
            "asked": asked,
            "has_earlier": len(lines) > AT_ONCE,
            "entries": [one for one in entries if one is not None],
            "stored": {line.number: _stored(db, line.number) for line in lines},
            "person": listing.person(db, asked.person),
            "jobs": listing.jobs_of(db, asked.thread_id),
            "mailings": mailings.of_thread(db, asked.thread_id),
        }

    found = await visit.read(read)
    viewer = _viewer(visit)
    entries, stored = found.pop("entries"), found.pop("stored")
    turns = await asyncio.to_thread(_turns, entries, viewer=viewer, stored=stored)
    answered = {one.id for one in entries if one.role == "assistant"}
    found |= {"turns": turns, "answered": answered, "number": number, "before": before}
    return visit.page("thread.html", title="Conversation", at="", **found)


async def message(visit: Visit) -> Response:
    """One message as it is stored, and what a model reads of it."""
    number = visit.number
    found = await visit.read(lambda db: messages.entry(db, number))
    if found is None:
        raise Refused("This message is not there any more.")
    source = await asyncio.to_thread(rendering.json_text, encode(found.value), MAX_SOURCE)
    read = await _prompt(visit, found.value, number) if isinstance(found.value, NormalizedMessage) else ""
    return visit.page("message.html", title="Message", at="", entry=found, source=source, prompt=read)


async def file(visit: Visit) -> Response:
    """A file of a message, as a download."""
    number, place = visit.number, visit.request.path_params["place"]
    index = int(place) if place.isascii() and place.isdecimal() and len(place) < 6 else -1
    found = await visit.read(lambda db: messages.entry(db, number))
    parts = found.value.parts if found else ()
    part = parts[index] if 0 <= index < len(parts) else None
    if not isinstance(part, FilePart | ArtifactPart):
        raise Refused("This file is not there any more.")
    data = bytes_of(part, await visit.read(lambda db: messages.files_of(db, number)))
    if data is None:
        raise Refused("The bytes of this file are not kept here.")
    return download(data, name=part.name or "file")


PAGES: Final = (
    Page(path="", do=index),
    Page(path="/threads/{number}", do=thread),
    Page(path="/messages/{number}", do=message),
    Page(path="/messages/{number}/files/{place}", do=file),
)


def _viewer(visit: Visit) -> str | None:
    """The page that shows traces: that of this host under any name that it is reached by; None: there is none."""
    return VIEWER if "trace" in visit.host.transports else visit.host.config.trace_viewer


def _turns(
    entries: Sequence[messages.Entry], *, viewer: str | None, stored: Mapping[int, Mapping[str, int]]
) -> list[_Turn]:
    """The turns of a page: the newest ones are rendered, as many as that does not take long."""
    turns, characters = list[_Turn](), 0
    for entry in reversed(entries):
        is_plain = characters > RENDERED
        turns.append(_turn(entry, viewer=viewer, stored=stored.get(entry.number, {}), is_plain=is_plain))
        texts = (part.content for part in entry.value.parts if isinstance(part, TextPart))
        characters += sum(min(len(text), rendering.MAX_TEXT) for text in texts)
    return turns[::-1]


def _turn(entry: messages.Entry, *, viewer: str | None, stored: Mapping[str, int], is_plain: bool) -> _Turn:
    value = entry.value
    parts = rendering.shown(value.parts, is_plain=is_plain)
    if isinstance(value, NormalizedResponse):
        calls = sum(isinstance(part, ToolCallPart) for part in value.parts)
        link = rendering.trace_link(value, viewer=viewer) if calls else None
        return _Turn(entry=entry, parts=parts, calls=calls, trace=link, stored=stored)
    received = value.received_trace
    claimed = [] if received is None else [one for one in rendering.shown(received.parts) if one.kind == "tool_call"]
    link = rendering.trace_link(received, viewer=viewer) if received is not None else None
    return _Turn(entry=entry, parts=parts, claimed=claimed, trace=link, stored=stored)


def _stored(db: Connection, number: int) -> dict[str, int]:
    """Digest → size of the files that are kept of a message."""
    rows = db.execute(select(blobs.c.digest, func.length(blobs.c.data).label("size")).where(blobs.c.message == number))
    return {row.digest: row.size for row in rows}


async def _prompt(visit: Visit, asked: NormalizedMessage, number: int) -> str:
    """What a model reads of a message: the library renders it."""
    files = await visit.read(lambda db: messages.files_of(db, number))
    try:
        lowered = await asyncio.to_thread(prompt.render, asked, dialect="openai", blobs=files)
    except MentionableError as error:
        return f"It cannot be rendered: {error}"
    turns = [_words(one) for one in lowered.messages]
    return rendering.cut("\n\n".join([*([lowered.system] if lowered.system else []), *turns]), MAX_SOURCE)


def _words(turn: Mapping[str, Any]) -> str:
    content = turn.get("content")
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, default=str, indent=2)
    return f"{turn.get('role', '')}: {text}"
