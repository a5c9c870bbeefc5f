"""A Delete by an actor who is gone: no key is left to verify it, so the actor's own server must confirm it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .._crypto.verification import VerificationFailed
from .._errors.exceptions import wire_error
from .._flow.asks import Fetch, Fetched, FindMessages
from .._flow.flow import Failed, Flow
from .._flow.outcome import Verdict
from .._flow.settings import Limits
from .._model.stored_message import StoredMessage
from .._transport.delivery import from_store
from ._read.documents import GONE, fetch
from ._read.json_ld import is_at
from ._read.object import ActivityHead
from ._write.recipients import Actor


class GoneActor(NamedTuple):
    """An actor who is gone, and what is stored of them.

    Attributes:
        actor: Who they were, by what is stored.
        stored: Agent → the stored message that is withdrawn.
        verdict: That no signature verifies it.
    """

    actor: Actor
    stored: Mapping[str, StoredMessage]
    verdict: Verdict


def says_gone(answer: Fetched | Failed, host: str) -> bool:
    """Whether the server at `host` says that a document is gone for good; a 404 does not say so."""
    return isinstance(answer, Fetched) and answer.status == GONE and is_at(answer.url, host)


def confirm_deletion(
    head: ActivityHead, deleted: str, rows: Mapping[str, StoredMessage], *, limits: Limits
) -> Flow[Fetch | FindMessages, GoneActor]:
    """What a Delete by an actor who is gone withdraws, where their server confirms that they are gone.

    Args:
        head: The id and the actor of the Delete.
        deleted: What is deleted: the actor, or something that they wrote.
        rows: Agent → the message that is stored under that id.
        limits: The bounds.

    Raises:
        WireError: `object-unknown`: nothing is stored. `owner-mismatch`: nothing shows that the actor wrote it.
            `lookup-failed`: that could not be asked just now.
    """
    #   1. what is stored of the actor: by that alone it is known what they wrote
    #   2. something of it is withdrawn
    #   3. the actor is gone, past any cache
    if not rows:
        raise wire_error("object-unknown", "/object", "nothing is stored of an actor who is gone")
    of_actor = rows
    if deleted != head.actor:
        of_actor = from_store((yield from FindMessages(native_id=head.actor)))
    senders = {row.sender: row for row in of_actor.values()}
    written = {agent: row for agent, row in rows.items() if row.sender in senders}
    if not written:
        raise wire_error("owner-mismatch", "/object", "nothing stored shows that the actor wrote it")
    if not says_gone((yield from fetch(head.actor, "actor", fresh=True, limits=limits)), head.host):
        raise wire_error("lookup-failed", "/actor", "the actor was gone, and is not past the cache")
    # The address that was verified, where one was. Nothing is delivered to an actor who is gone: so is their inbox.
    address = max(senders, key=lambda sender: senders[sender].verified is True)
    actor = Actor(address=address, id=head.actor, inbox=head.actor)
    verdict = VerificationFailed("sender-gone", "no key is left, but the actor's server says that they are gone")
    return GoneActor(actor, written, verdict.verdict(("origin",)))
