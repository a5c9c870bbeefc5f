"""The entry points `reply` and `update`: a response as a note to deliver, and as an edit of a note."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from .._flow.settings import DEFAULTS, own_settings
from .._flow.settings import Settings as BaseSettings
from .._model.codec import dumps
from .._model.message import NormalizedMessage, NormalizedResponse
from .._transport.reply import NO_BLOBS, check_reply, check_whole
from .._wire.ids import derive
from ..trace import write
from ._outgoing import Outgoing, outgoing_note
from ._settings import Settings
from ._write.activity import check_base
from ._write.answer import author_of, created, updated
from ._write.audience import quote_policy_of
from ._write.note import attachments_of, body_of
from ._write.question import question_of, thread_of
from ._write.recipients import Actor, addressees_of_answer, inboxes_for, recipients_of


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
    """The answer as a new note, or as what `note` says from now on."""
    #   1. check the response, read the question from `raw`
    #   2. who it is from and for: the agent's actor, the asker, the siblings
    #   3. what it says: text, mentions, attachments, trace, policy
    #   4. its ids, new ones or those of the note that changes
    #   5. the activity, cut to size and signed
    #   6. a delivery to each inbox
    check_reply(response, to=to, channel="activitypub", now=now, entropy=entropy, settings=settings)
    check_whole(response)
    limits, ours = settings.limits, own_settings(Settings, settings)
    base, host = check_base(base)
    question = question_of(to, limits=limits)

    author, author_diagnostics = author_of(question, ours, agent=to.recipient, host=host)
    recipients = recipients_of(to, question, siblings, own=author, limits=limits)

    trace = write(response, viewer=settings.trace_viewer, limit=limits.trace_bytes)
    hint = response.push_back
    thread = thread_of(question, None if hint is None else hint.thread_ref, limits=limits)
    addressees = addressees_of_answer(question, recipients)
    body = body_of(
        attachments_of(response, base=base, blobs=blobs, limits=limits),
        {
            **({} if question.object_id is None else {"inReplyTo": question.object_id}),
            **thread,
            **quote_policy_of(ours.quote_policy, author=author, visibility=addressees.visibility),
        },
        author=author,
        agent=to.recipient,
        addressees=addressees,
        recipients=recipients,
        trace=trace,
        limits=limits,
    )

    # The ids depend on the whole answer, so that two answers made with the same entropy never share one.
    whole = trace.data if trace.data is not None and trace.diagnostic is None else dumps(response)
    ids = "\n".join([person.id for person in recipients])
    seed = derive("activitypub.reply", entropy, to.id, author, ids, whole)
    if note is None:
        publication = created(base, now=now, seed=seed)
    else:
        publication = updated(note, question, author=author, host=host, now=now, seed=seed)

    inboxes, inbox_diagnostics = inboxes_for(recipients, body.addressees.visibility)
    return outgoing_note(
        body,
        publication,
        inboxes=inboxes,
        diagnostics=(
            *(() if trace.diagnostic is None else (trace.diagnostic,)),
            *author_diagnostics,
            *inbox_diagnostics,
        ),
        now=now,
        settings=ours,
    )
