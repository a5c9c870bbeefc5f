"""ActivityPub: a delivery to an inbox becomes one message for each agent that it is for.

An activity is read strictly: ids, origin and author must hold together, or it is rejected. What is odd beside that
becomes a diagnostic. The room asks for the sender's actor document, for the ancestors of a reply, and for the object
where the activity only names it; it never asks for attachments. Of a signed delivery whose signature fits it also asks
WebFinger whether the sender's address is theirs; then `sender.verified` is true.

Example:
    >>> import json
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, Fetched, HttpRequest, activitypub, directory, drive
    >>> actor = {
    ...     "@context": "https://www.w3.org/ns/activitystreams",
    ...     "id": "https://social.example/users/alice",
    ...     "type": "Person",
    ...     "preferredUsername": "alice",
    ... }
    >>> note = {"id": "https://social.example/notes/1", "type": "Note", "content": "<p>Hello</p>"}
    >>> create = {
    ...     "@context": actor["@context"],
    ...     "id": "https://social.example/notes/1/activity",
    ...     "type": "Create",
    ...     "actor": actor["id"],
    ...     "to": ["https://agents.example/actors/helper"],
    ...     "object": note,
    ... }
    >>> def fetch(ask):
    ...     body = json.dumps(actor).encode()
    ...     return Fetched(url=ask.url, status=200, content_type="application/activity+json", body=body)
    >>> helper = {"https://agents.example/actors/helper": "@helper@agents.example"}
    >>> request = HttpRequest(method="POST", url="https://agents.example/inbox", body=json.dumps(create).encode())
    >>> world = Answers(fetch=fetch, find_agent=directory(helper))
    >>> got = drive(activitypub.receive(request, now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32)), world)
    >>> print(got.message.sender.address, got.message.recipient, got.message.parts[0].content)
    @alice@social.example @helper@agents.example <p>Hello</p>
"""

from __future__ import annotations

from ._receive import ActivityPubAsk, receive
from ._sign import SignatureForm, sign, sign_object
from ._verify import verify

__all__ = ["ActivityPubAsk", "SignatureForm", "receive", "sign", "sign_object", "verify"]
