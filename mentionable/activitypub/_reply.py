"""The entry points `reply` and `update`: a response as a note to deliver, and as an edit of a note."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from .._flow.settings import DEFAULTS, own_settings
from .._flow.settings import Settings as BaseSettings
from .._model.base import replace
from .._model.codec import dumps
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedMessage, NormalizedResponse
from .._model.parts import CarriedPolicy
from .._transport.policy_part import has_private_policy, no_private_way
from .._transport.reply import NO_BLOBS, check_reply, check_whole
from .._wire.ids import derive
from ..trace import write
from ._outgoing import Outgoing, outgoing_note, together
from ._settings import Settings
from ._write.activity import check_base
from ._write.answer import author_of, created, updated
from ._write.audience import quote_policy_of
from ._write.note import attachments_of, body_of
from ._write.question import Question, question_of, thread_of
from ._write.recipients import Actor, Addressees, Recipient, addressees_of_answer, inboxes_for, is_for, recipients_of


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    base: str,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    siblings: Iterable[Actor] = (),
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """Makes the Create of a note that answers a message, and its deliveries.

    The note is as visible as the message, never more. The asker and every sibling is addressed, tagged and mentioned in
    its text. A trace of the whole response is at the end of the text.

    A policy with a state, a link to pay or sign in, or a question of consent is a direct note to the asker alone; what
    else there is to say is in another note. Both are in `deliveries` and in `serve`.

    Args:
        response: What the agent answers: whole, not a frame of a stream.
        to: The message that it answers, with its `raw`.
        base: The `https://host` or `https://host/path` under which you serve documents, on the host of your actor. Ids
            are `<base>/objects/<uuid>`, files `<base>/files/<sha256>` and an extension.
        now: The time, aware.
        entropy: At least 32 random bytes; the same inputs give the same ids.
        blobs: SHA-256 in hex → bytes, for parts that are named by their digest alone.
        siblings: Others to bring in, from `find_actor`. Recipients are never guessed from the text.
        settings: `activitypub.Settings` with the key that signs; limits, the trace viewer, object proofs.

    Raises:
        UnanswerableError: `no-private-way`: there is a private policy, and the asker has no inbox of their own.
        UsageError: The response may not go out, or something to make the note of is missing; it says which.

    Spec: Normalized Message §3.3.1, §4, §10; ActivityPub §6.2, §7.1.
    """
    return _reply(
        response,
        None,
        to=to,
        base=base,
        now=now,
        entropy=entropy,
        blobs=blobs,
        siblings=siblings,
        settings=settings,
    )


def update(
    response: NormalizedResponse,
    note: Mapping[str, Any],
    *,
    to: NormalizedMessage,
    base: str,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    siblings: Iterable[Actor] = (),
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """Makes the Update of a note that was sent before: the same id, another text.

    A private policy is a new direct note to the asker, unless `note` is for the asker alone.

    Args:
        response: What it says from now on.
        note: The note as it is served: `out.serve[out.native_id]`.
        to: The message that it answers, the same as before.
        base: As for `reply`, and so the others; give the same siblings again, or they go on to see the old text.
        now: The time, aware.
        entropy: At least 32 random bytes, other ones than before.
        blobs: SHA-256 in hex → bytes.
        siblings: Its other recipients.
        settings: As for `reply`.

    Raises:
        UsageError: As `reply`; `note` is not a note by this agent that answers `to`.

    Spec: ActivityPub §6.3, §7.3.
    """
    return _reply(
        response,
        note,
        to=to,
        base=base,
        now=now,
        entropy=entropy,
        blobs=blobs,
        siblings=siblings,
        settings=settings,
    )


def _reply(
    response: NormalizedResponse,
    note: Mapping[str, Any] | None,
    *,
    to: NormalizedMessage,
    base: str,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes],
    siblings: Iterable[Actor],
    settings: BaseSettings,
) -> Outgoing:
    """The answer as a new note, or as what `note` says from now on; a private policy as a direct note of its own."""
    #   1. check the response, read the question from `raw`
    #   2. who it is from and for: the agent's actor, the asker, the siblings
    #   3. what all of them may read, and what the asker alone may read
    #   4. each note with its ids and its activity, and a delivery to each inbox
    check_reply(response, to=to, channel="activitypub", now=now, entropy=entropy, settings=settings)
    check_whole(response)
    ours = own_settings(Settings, settings)
    base, host = check_base(base)
    question = question_of(to, limits=settings.limits)

    author, diagnostics = author_of(question, ours, agent=to.recipient, host=host)
    recipients = recipients_of(to, question, siblings, own=author, limits=settings.limits)
    addressees = addressees_of_answer(question, recipients)
    context = _Context(
        to=to,
        question=question,
        author=author,
        base=base,
        host=host,
        now=now,
        entropy=entropy,
        blobs=blobs,
        settings=settings,
        own=ours,
        diagnostics=tuple(diagnostics),
    )
    whole = _Written(response, recipients, addressees)
    if not has_private_policy(response) or addressees == Addressees.direct(question.asker):
        return _note(whole, note, context)

    private = _Written(response, recipients[:1], Addressees.direct(question.asker))
    if recipients[0].inbox is None:
        raise no_private_way(f"the actor document of {recipients[0].address} names no inbox of its own host")
    if isinstance(note, Mapping) and is_for(note, question.asker):
        return _note(private, note, context)
    private_parts = tuple([part for part in response.parts if isinstance(part, CarriedPolicy)])
    if len(private_parts) == len(response.parts):
        return _note(private, None, context)
    others = tuple([part for part in response.parts if not isinstance(part, CarriedPolicy)])
    public = _note(whole._replace(response=replace(response, parts=others)), note, context)
    apart = private._replace(response=replace(response, parts=private_parts))
    direct = _note(apart, None, context._replace(diagnostics=()))
    return together(public, direct)


class _Context(NamedTuple):
    """What every note of an answer is made with."""

    to: NormalizedMessage
    question: Question
    author: str
    base: str
    host: str
    now: datetime
    entropy: bytes
    blobs: Mapping[str, bytes]
    settings: BaseSettings
    own: Settings
    diagnostics: tuple[Diagnostic, ...]


class _Written(NamedTuple):
    """What a note says, and its addressees."""

    response: NormalizedResponse
    recipients: list[Recipient]
    addressees: Addressees


def _note(written: _Written, note: Mapping[str, Any] | None, context: _Context) -> Outgoing:
    """A new note, or what `note` says from now on."""
    #   1. what it says: text, mentions, attachments, trace, policy
    #   2. its ids, new ones or those of the note that changes
    #   3. the activity, cut to size and signed, and a delivery to each inbox
    response, recipients, addressees = written
    question, author, now, limits = context.question, context.author, context.now, context.settings.limits
    trace = write(response, viewer=context.settings.trace_viewer, limit=limits.trace_bytes)
    hint = response.push_back
    thread = thread_of(question, None if hint is None else hint.thread_ref, limits)
    body = body_of(
        attachments_of(response, base=context.base, blobs=context.blobs, limits=limits),
        {
            **({} if question.object_id is None else {"inReplyTo": question.object_id}),
            **thread,
            **quote_policy_of(context.own.quote_policy, author=author, visibility=addressees.visibility),
        },
        author=author,
        agent=context.to.recipient,
        addressees=addressees,
        recipients=recipients,
        trace=trace,
        limits=limits,
    )

    # The ids depend on the whole answer, so that two answers made with the same entropy never share one.
    whole = trace.data if trace.data is not None and trace.diagnostic is None else dumps(response)
    ids = "\n".join([person.id for person in recipients])
    seed = derive("activitypub.reply", context.entropy, context.to.id, author, ids, whole)
    if note is None:
        publication = created(context.base, now=now, seed=seed)
    else:
        publication = updated(note, question, author=author, host=context.host, now=now, seed=seed)

    inboxes, inbox_diagnostics = inboxes_for(recipients, body.addressees.visibility)
    return outgoing_note(
        body,
        publication,
        inboxes=inboxes,
        diagnostics=(
            *(() if trace.diagnostic is None else (trace.diagnostic,)),
            *context.diagnostics,
            *inbox_diagnostics,
        ),
        now=now,
        settings=context.own,
    )
