"""The entry points `reply` and `update`: a response as a note to deliver, and as an edit of a note."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from .._flow.settings import DEFAULTS, Settings
from .._model.message import NormalizedMessage, NormalizedResponse
from .._transport.reply import NO_BLOBS, check_reply, check_whole
from ._write.answer import Outgoing, created, updated, write_answer
from ._write.recipients import Actor


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    base: str,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    siblings: Iterable[Actor] = (),
    settings: Settings = DEFAULTS,
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
    check_reply(response, to=to, channel="activitypub", now=now, entropy=entropy, settings=settings)
    check_whole(response)
    answer = write_answer(
        response,
        to=to,
        base=base,
        now=now,
        entropy=entropy,
        blobs=blobs,
        siblings=siblings,
        settings=settings,
    )
    return created(answer)


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
    settings: Settings = DEFAULTS,
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
    check_reply(response, to=to, channel="activitypub", now=now, entropy=entropy, settings=settings)
    check_whole(response)
    answer = write_answer(
        response,
        to=to,
        base=base,
        now=now,
        entropy=entropy,
        blobs=blobs,
        siblings=siblings,
        settings=settings,
    )
    return updated(answer, note)
