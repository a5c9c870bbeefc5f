"""A note as an activity: who it is from, its ids, and its size."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from ..._errors.exceptions import UsageError
from ..._model.diagnostic import Diagnostic
from ..._wire.ids import uuid7
from ..._wire.time import format_time, normal_time
from .._read.json_ld import is_at
from .._settings import Settings
from .activity import bytes_left, new_activity, own_actor, with_proof
from .note import Body, Publication, note_of
from .question import Question, addressed_as


def author_of(question: Question, settings: Settings, *, agent: str, host: str) -> tuple[str, list[Diagnostic]]:
    """The id of the agent's actor, by its keys or else by the question; and a diagnostic when these differ.

    Raises:
        UsageError: A key is of another host or of another actor, or nothing names the actor.
    """
    own, addressed = own_actor(settings, host=host), addressed_as(question, agent, host)
    author = own or addressed
    if author is None:
        raise UsageError("Settings.key is needed: the question does not tell the id of your actor")
    if addressed in (None, author):
        return author, []
    return author, [Diagnostic(code="key-mismatch", at="/actor", detail="the question was for another actor here")]


def created(base: str, *, now: datetime, seed: bytes) -> Publication:
    """The ids and times of a new note."""
    note_id = f"{base}/objects/{uuid7(now, seed, 'activitypub object')}"
    return Publication("Create", f"{note_id}/activity", note_id, format_time(now))


def updated(
    note: Mapping[str, Any], question: Question, *, author: str, host: str, now: datetime, seed: bytes
) -> Publication:
    """The ids and times of `note` when it changes.

    Raises:
        UsageError: It is not a note by `author` that answers the question.
    """
    if not isinstance(note, Mapping):
        raise UsageError("note must be the document that is served: out.serve[out.native_id]")
    note_id, published = note.get("id"), note.get("published")
    if not isinstance(note_id, str) or not is_at(note_id, host) or normal_time(published) is None:
        raise UsageError("note has no id of the host of base, or no time of publication")
    if note.get("type") != "Note" or note.get("attributedTo") != author:
        raise UsageError("note is not a note by this agent")
    if note.get("inReplyTo") != question.object_id:
        raise UsageError("note answers another message than `to`")
    activity_id = f"{note_id}/updates/{uuid7(now, seed, 'activitypub update')}"
    return Publication("Update", activity_id, note_id, str(published), format_time(now))


class WrittenActivity(NamedTuple):
    """An activity, ready to be delivered.

    Attributes:
        document: The activity, with a proof where there is a key for one.
        data: Its bytes.
        diagnostics: The trace, when it did not fit.
    """

    document: dict[str, Any]
    data: bytes
    diagnostics: list[Diagnostic]


def write_activity(body: Body, publication: Publication, *, now: datetime, settings: Settings) -> WrittenActivity:
    """The activity that carries a note, addressed just as the note is, and no larger than any server takes.

    What only some readers use is left out first: the Markdown, then the trace.

    Raises:
        UsageError: It is too large even so.
    """
    max_bytes = bytes_left(settings)
    for with_source, with_trace in ((True, True), (False, True), (False, False)):
        note = note_of(body, publication, with_source=with_source, with_trace=with_trace)
        activity = new_activity(
            publication.kind,
            {"object": note},
            body.addressees,
            activity_id=publication.activity_id,
            actor=body.author,
            published=publication.updated or publication.published,
            settings=settings,
        )
        if len(activity.data) <= max_bytes:
            break
    else:
        raise UsageError(f"parts: the activity would have {len(activity.data)} bytes, at most {max_bytes}")
    diagnostics = []
    if not with_trace and body.trace.href is not None:
        detail = f"the activity would have more than {max_bytes} bytes"
        diagnostics = [Diagnostic(code="trace-dropped", at="/object/content", detail=detail)]
    return WrittenActivity(*with_proof(activity, settings=settings, now=now), diagnostics)
