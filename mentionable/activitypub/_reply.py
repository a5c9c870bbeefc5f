"""The doors out: a response becomes a note that is delivered, or a note that was sent becomes another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from .._crypto.keys import SigningKey
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
    key: SigningKey | None = None,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    siblings: Iterable[Actor] = (),
    settings: Settings = DEFAULTS,
) -> Outgoing:
    """The Create of a note that answers a message, and whom to deliver it to.

    The note is as visible as the question was, never more. Who asked and every sibling is addressed, tagged and
    mentioned in its text. A trace of the whole response stands at the end of it.

    Args:
        response: What the agent answers: whole, not a frame of a stream.
        to: The message that it answers, with its `raw`.
        base: The `https://host` or `https://host/path` under which you serve documents, on the host of your actor. Ids
            are `<base>/objects/<uuid>`, files `<base>/files/<sha256>` and an extension.
        key: The key that signs; its `key_id` is the id of your actor and a fragment. Without a key the deliveries are
            not signed, which no server on the web takes.
        now: The time, aware.
        entropy: At least 32 random bytes; the same inputs give the same ids.
        blobs: SHA-256 in hex → bytes, for parts that are named by their digest alone.
        siblings: Whom else to bring in, from `find_actor`. Nobody is guessed from the text.
        settings: Limits, the trace viewer; `activitypub.Settings` for the form of signatures and for object proofs.

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
        key=key,
        now=now,
        entropy=entropy,
        blobs=blobs,
        siblings=siblings,
        settings=settings,
    )
    return created(answer)


def update(
    response: NormalizedResponse,
    *,
    note: Mapping[str, Any],
    to: NormalizedMessage,
    base: str,
    key: SigningKey | None = None,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    siblings: Iterable[Actor] = (),
    settings: Settings = DEFAULTS,
) -> Outgoing:
    """The Update of a note that was sent before: the same id, another text.

    Args:
        response: What it says from now on.
        note: The note as it is served: `out.serve[out.native_id]`.
        to: The message that it answers, the same as before.
        base: As for `reply`, and so the others; give the same siblings again, or they go on to see the old text.
        key: The key that signs.
        now: The time, aware.
        entropy: At least 32 random bytes, other ones than before.
        blobs: SHA-256 in hex → bytes.
        siblings: Whom else it is for.
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
        key=key,
        now=now,
        entropy=entropy,
        blobs=blobs,
        siblings=siblings,
        settings=settings,
    )
    return updated(answer, note)
