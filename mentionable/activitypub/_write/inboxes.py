"""To which inboxes an activity goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from ..._crypto.keys import SigningKey
from ..._model.diagnostic import Diagnostic
from ..._transport.webfinger import ACTIVITY_JSON
from ..._wire.http import HttpRequest
from .._auth.sign import SignatureForm, sign
from .audience import Visibility
from .people import Person

_SHARED: Final[frozenset[Visibility]] = frozenset({"public", "unlisted"})


def inboxes_for(people: Sequence[Person], visibility: Visibility, notes: list[Diagnostic]) -> list[str]:
    """Where to deliver, each inbox once.

    A shared inbox is for what is public. What is for a few goes to their own inboxes: there the server need not guess
    for whom it is (ActivityPub §7.1.3).
    """
    inboxes: dict[str, None] = {}
    for person in people:
        inbox = person.shared_inbox if visibility in _SHARED and person.shared_inbox else person.inbox
        if inbox is None:
            detail = f"the actor document of {person.address} names no inbox of its own host"
            notes.append(Diagnostic(code="undeliverable", at="/to", detail=detail))
        else:
            inboxes[inbox] = None
    return list(inboxes)


def deliveries_to(
    inboxes: Iterable[str], body: bytes, *, key: SigningKey | None, form: SignatureForm, now: datetime
) -> tuple[HttpRequest, ...]:
    """The POST for each inbox, signed when there is a key."""
    posts = [
        HttpRequest(method="POST", url=inbox, headers=(("content-type", ACTIVITY_JSON),), body=body)
        for inbox in inboxes
    ]
    return tuple(posts) if key is None else tuple([sign(post, key=key, now=now, form=form) for post in posts])
