"""What an agent sends: an activity, its signed deliveries, and the documents to serve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from attrs import field

from .._model.base import frozen, replace
from .._model.diagnostic import Diagnostic
from .._wire.http import HttpRequest
from .._wire.strict_json import plain
from ._settings import Settings
from ._write.activity import Author, activity_of
from ._write.answer import write_activity
from ._write.context import context_of
from ._write.note import Body, Publication, ServedFile
from ._write.recipients import Actor, Addressees, deliveries_to, inboxes_of


@frozen
class Outgoing:
    """An activity, ready to go.

    Attributes:
        activity: The activity that is delivered.
        deliveries: One request for each inbox, to transmit as it is; `deliver` does so in the form that an inbox takes.
        serve: Id → document. Servers fetch these to check what they received, so serve them from now on, with
            `document_response`; a document replaces the one that you served under its id before. What does not name
            the public collection in `to` or `cc` is for its recipients alone.
        files: URL → file that a note refers to; serve them too.
        native_id: The id of the note, or of the activity where there is no new or changed note. Store an answer under
            `(native_id, agent)` as `StoredMessage`, with the thread of the question: replies to the answer name it.
        private_id: The id of the direct note with a policy, where there is public text, too: store the answer under it,
            as under `native_id`.
        diagnostics: What was odd: an address in the text that is no recipient's, a recipient without an inbox, a trace
            that had to be cut.
    """

    activity: dict[str, Any] = field(repr=False)
    deliveries: tuple[HttpRequest, ...]
    serve: dict[str, dict[str, Any]] = field(repr=False)
    files: dict[str, ServedFile]
    native_id: str
    private_id: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


def together(public: Outgoing, private: Outgoing) -> Outgoing:
    """A note, and behind it a direct note to one of those that it is for."""
    return replace(
        public,
        deliveries=(*public.deliveries, *private.deliveries),
        serve={**public.serve, **private.serve},
        files={**public.files, **private.files},
        private_id=private.native_id,
        diagnostics=(*public.diagnostics, *private.diagnostics),
    )


def outgoing_note(
    body: Body,
    publication: Publication,
    *,
    inboxes: Iterable[str],
    diagnostics: Iterable[Diagnostic],
    now: datetime,
    settings: Settings,
) -> Outgoing:
    """The Create or Update of a note, with its deliveries.

    Args:
        body: What the note says.
        publication: Its ids and times.
        inboxes: Where it is delivered.
        diagnostics: What was odd before; what is odd here comes last.
        now: The time.
        settings: The key that signs, and the bounds.

    Raises:
        UsageError: The activity is too large.
    """
    activity = write_activity(body, publication, now=now, settings=settings)
    written = activity.document["object"]
    return Outgoing(
        activity=activity.document,
        deliveries=deliveries_to(inboxes, activity.data, settings=settings, now=now),
        serve={
            publication.note_id: plain({"@context": context_of(written), **written}),
            publication.activity_id: plain(activity.document),
        },
        files=body.files,
        native_id=publication.note_id,
        diagnostics=(*diagnostics, *body.diagnostics, *activity.diagnostics),
    )


def outgoing(
    author: Author,
    kind: str,
    members: Mapping[str, Any],
    *,
    addressees: Addressees,
    to: Actor | Iterable[Actor | str],
    serve: Mapping[str, dict[str, Any]] | None = None,
) -> Outgoing:
    """An activity that is not about a new or changed note, with its deliveries.

    Args:
        author: The agent.
        kind: Its type.
        members: Its `object`, and what else it says.
        addressees: Its addressees.
        to: Where it is delivered.
        serve: Other documents to serve.

    Raises:
        UsageError: `to` names no inboxes, or the activity is too large.
    """
    inboxes = inboxes_of(to, visibility=addressees.visibility)
    activity = activity_of(author, kind, members, addressees)
    activity_id = activity.document["id"]
    return Outgoing(
        activity=activity.document,
        deliveries=deliveries_to(inboxes, activity.data, settings=author.settings, now=author.now),
        serve={**plain(serve or {}), activity_id: plain(activity.document)},
        files={},
        native_id=activity_id,
    )
