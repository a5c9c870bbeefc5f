"""An answer as a note, the activity that carries it, and the requests that deliver it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from attrs import field

from ..._crypto.keys import SigningKey, check_signing_key
from ..._errors.exceptions import UsageError
from ..._flow.settings import Settings as BaseSettings
from ..._flow.settings import own_settings
from ..._model.base import frozen
from ..._model.codec import dumps
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._wire.http import HttpRequest
from ..._wire.ids import derive, uuid7
from ..._wire.strict_json import dump_line, plain
from ..._wire.time import format_time, normal_time
from ...trace import write
from .._auth.sign import sign_object
from .._read.json_ld import host_in, is_at, without_fragment
from .._settings import Settings
from .note import ActivityKind, Body, ServedFile, activity_of, body_of, context_of, note_of
from .question import Question, addressed_as, question_of, thread_of
from .recipients import Actor, Person, deliveries_to, inboxes_for, people_of

_PROOF_BYTES: Final = 4_096
"""Room that is left for a proof."""


class Answer(NamedTuple):
    """An answer before it has ids."""

    body: Body
    base: str
    host: str
    question: Question
    people: list[Person]
    seed: bytes
    now: datetime
    settings: Settings
    notes: list[Diagnostic]

    def new_id(self, label: str) -> str:
        return uuid7(self.now, self.seed, label)


def write_answer(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    base: str,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes],
    siblings: Iterable[Actor],
    settings: BaseSettings,
) -> Answer:
    """What the answer says and whom it is for. The arguments are those of `reply`, and the first has been checked.

    Raises:
        UsageError: See `reply`.
    """
    limits, ours = settings.limits, own_settings(Settings, settings)
    base, host = _base_of(base)
    question = question_of(to, limits=limits)
    author = _author(ours.key, ours.object_key, question, to.recipient, host)
    people = people_of(to, question, siblings, own=author, limits=limits)
    trace = write(response, viewer=settings.trace_viewer, limit=limits.trace_bytes)
    notes = [] if trace.diagnostic is None else [trace.diagnostic]
    asked = addressed_as(question, to.recipient, host)
    if asked not in (None, author):
        notes.append(Diagnostic(code="key-mismatch", at="/actor", detail="the question was for another actor here"))
    hint = response.push_back
    body = body_of(
        response,
        to,
        author=author,
        base=base,
        question=question,
        thread=thread_of(question, None if hint is None else hint.thread_ref, limits=limits),
        people=people,
        blobs=blobs,
        trace=trace,
        limits=limits,
        notes=notes,
    )
    named = "\n".join([person.id for person in people])
    whole = trace.data if trace.data is not None and trace.diagnostic is None else dumps(response)
    seed = derive("activitypub.reply", entropy, to.id, author, named, whole)
    return Answer(body, base, host, question, people, seed, now, ours, notes)


def created(answer: Answer) -> Outgoing:
    """The answer as a new note.

    Raises:
        UsageError: It is too large.
    """
    note_id = f"{answer.base}/objects/{answer.new_id('activitypub object')}"
    published = format_time(answer.now)
    return _finished(answer, "Create", note_id, f"{note_id}/activity", published=published, updated=None)


def updated(answer: Answer, note: Mapping[str, Any]) -> Outgoing:
    """The answer as what `note` says from now on.

    Raises:
        UsageError: It is too large, or `note` is no note of this agent that answers the question.
    """
    note_id, published = _served(note, answer)
    activity_id = f"{note_id}/updates/{answer.new_id('activitypub update')}"
    return _finished(answer, "Update", note_id, activity_id, published=published, updated=format_time(answer.now))


def _base_of(base: str) -> tuple[str, str]:
    """The base without a slash at its end, and its host."""
    host = host_in(base)
    if host is None or "?" in base or "#" in base:
        raise UsageError("base must be the https URL under which you serve documents: https://host/path")
    return base.rstrip("/"), host


def _author(key: SigningKey | None, object_key: SigningKey | None, question: Question, agent: str, host: str) -> str:
    """The id of the agent's actor."""
    keys = [one for one in (key, object_key) if one is not None]
    for one in keys:
        check_signing_key(one)
        if "#" not in one.key_id or not is_at(one.key_id, host):
            raise UsageError(f"key_id must be the id of your actor on {host} with a fragment, such as #main-key")
    named = {without_fragment(one.key_id) for one in keys}
    if len(named) > 1:
        raise UsageError("Settings.key and Settings.object_key must be of the same actor")
    if named:
        return named.pop()
    found = addressed_as(question, agent, host)
    if found is None:
        raise UsageError("Settings.key is needed: the question does not tell the id of your actor")
    return found


def _served(note: Mapping[str, Any], answer: Answer) -> tuple[str, str]:
    """The id of a note that was served, and since when it is."""
    if not isinstance(note, Mapping):
        raise UsageError("note must be the document that is served: out.serve[out.native_id]")
    note_id, published = note.get("id"), note.get("published")
    if not isinstance(note_id, str) or not is_at(note_id, answer.host) or normal_time(published) is None:
        raise UsageError("note has no id of the host of base, or no time of publication")
    if note.get("type") != "Note" or note.get("attributedTo") != answer.body.author:
        raise UsageError("note is not a note by this agent")
    if note.get("inReplyTo") != answer.question.object_id:
        raise UsageError("note answers another message than `to`")
    return note_id, str(published)


def _finished(
    answer: Answer, kind: ActivityKind, note_id: str, activity_id: str, *, published: str, updated: str | None
) -> Outgoing:
    """The answer with its ids, proven, served and delivered."""
    activity, data = _fitting(answer, kind, note_id, activity_id, published, updated)
    note, settings = activity["object"], answer.settings
    if settings.object_key is not None:
        activity = sign_object(activity, key=settings.object_key, now=answer.now)
        data = _bytes(activity)
    inboxes = inboxes_for(answer.people, answer.body.audience.visibility, answer.notes)
    return Outgoing(
        activity=activity,
        deliveries=deliveries_to(inboxes, data, key=settings.key, form=settings.form, now=answer.now),
        serve={note_id: plain({"@context": context_of(note), **note}), activity_id: plain(activity)},
        files=answer.body.files,
        native_id=note_id,
        diagnostics=tuple(answer.notes),
    )


def _fitting(
    answer: Answer, kind: ActivityKind, note_id: str, activity_id: str, published: str, updated: str | None
) -> tuple[dict[str, Any], bytes]:
    """The activity, and its bytes, no more than any server takes: what only some readers use goes first."""
    body, object_key = answer.body, answer.settings.object_key
    most = answer.settings.limits.activitypub_bytes - (0 if object_key is None else _PROOF_BYTES)
    for with_source, with_trace in ((True, True), (False, True), (False, False)):
        note = note_of(
            body, note_id, published=published, updated=updated, with_source=with_source, with_trace=with_trace
        )
        activity = activity_of(kind, note, activity_id, published=updated or published, proven=object_key is not None)
        data = _bytes(activity)
        if len(data) <= most:
            if not with_trace and body.trace.href is not None:
                detail = f"the activity would have more than {most} bytes"
                answer.notes.append(Diagnostic(code="trace-dropped", at="/object/content", detail=detail))
            return activity, data
    raise UsageError(f"parts: the activity would have {len(data)} bytes, at most {most}")


def _bytes(document: dict[str, Any]) -> bytes:
    return dump_line(document).encode()


@frozen
class Outgoing:
    """An answer, ready to go.

    Attributes:
        activity: The activity that is delivered.
        deliveries: One request for each inbox, to transmit as it is; `deliver` does so in the form that an inbox takes.
        serve: Id → document. Servers fetch these to check what they received, so serve them from now on, with
            `document_response`: what does not name the public collection in `to` or `cc` is for those whom it
            addresses, who got it whole, and for others it is not there.
        files: URL → file that the note refers to; serve them too.
        native_id: The id of the note. Store the answer under `(native_id, agent)` as `StoredMessage`, with the thread
            of the
            question: replies to the answer name it.
        diagnostics: What was odd: an address in the text that is nobody's who was given, somebody without an inbox, a
            trace that had to be cut.
    """

    activity: dict[str, Any] = field(repr=False)
    deliveries: tuple[HttpRequest, ...]
    serve: dict[str, dict[str, Any]] = field(repr=False)
    files: dict[str, ServedFile]
    native_id: str
    diagnostics: tuple[Diagnostic, ...] = ()
