"""What a message leads the agent to that somebody wrote: notes alone that its sender may read too.

The agent may fetch what others may not: its own private notes, and by its signature what is addressed to it. Whoever
names such a note in `inReplyTo` would else learn from the agent what it says.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from mentionable import Fetched, MentionableError, activitypub

__all__ = ["may_read", "nothing_at"]

_HIDDEN: Final = 404
_READERS: Final = ("to", "cc", "audience", "attributedTo")


def may_read(found: Fetched, actor: str | None, *, member_of: Collection[str] = ()) -> bool:
    """Whether a document is for everyone, or for the actor who claims to deliver what leads to it.

    That is a claim yet; what they did not sign is refused later, and no one sees what was fetched for it.

    Args:
        found: What was fetched.
        actor: The id of the actor; None: no actor.
        member_of: The ids of collections that they are in.
    """
    if found.status != 200:
        return True  # nothing can be read of it
    try:
        document = json.loads(found.body)
        if not isinstance(document, dict) or activitypub.document_response(document).status != _HIDDEN:
            return True
    except (ValueError, RecursionError, MentionableError):
        return False
    names = [name for name in (actor, *member_of) if name is not None]
    named = [document.get(member) for member in _READERS]
    return any(one in names for value in named for one in (value if isinstance(value, list) else [value]))


def nothing_at(url: str) -> Fetched:
    """What is answered in place of a document that must not be read: the same as of one that is not there."""
    return Fetched(url=url, status=_HIDDEN, content_type="", body=b"")
