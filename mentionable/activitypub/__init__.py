"""ActivityPub: a delivery to an inbox becomes one message for each agent, and its answer a note that is delivered.

An activity is read strictly: ids, origin and author must hold together, or it is rejected. What else is odd
becomes a diagnostic. The library asks for the sender's actor document, for the ancestors of a reply, and for the object
where the activity only names it; it never asks for attachments. Of a signed delivery whose signature fits it also asks
WebFinger whether the sender's address is theirs; then `sender.verified` is true.

An answer is a note, as visible as the question was and no more. Its recipients are in the addressing, in the tags and
in the text, because servers differ in which of these notifies a person.

Example:
    >>> import json
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, Fetched, HttpRequest, NormalizedResponse, SigningKey, activitypub
    >>> from mentionable import directory, drive
    >>> actor = {
    ...     "@context": "https://www.w3.org/ns/activitystreams",
    ...     "id": "https://social.example/users/alice",
    ...     "type": "Person",
    ...     "preferredUsername": "alice",
    ...     "inbox": "https://social.example/users/alice/inbox",
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
    >>> answers = Answers(fetch=fetch, find_agent=directory(helper))
    >>> now, entropy = datetime(2026, 11, 21, tzinfo=UTC), bytes(32)
    >>> message = drive(activitypub.receive(request, now=now, entropy=entropy), answers).message
    >>> print(message.sender.address, message.recipient, message.parts[0].content)
    @alice@social.example @helper@agents.example <p>Hello</p>

    >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/actors/helper#main-key")
    >>> out = activitypub.reply(
    ...     NormalizedResponse.to(message, "Hello, *alice*!"),
    ...     to=message, base="https://agents.example", now=now, entropy=entropy,
    ...     settings=activitypub.Settings(key=key),
    ... )
    >>> out.activity["object"]["inReplyTo"], [post.url for post in out.deliveries]
    ('https://social.example/notes/1', ['https://social.example/users/alice/inbox'])
"""

from __future__ import annotations

from ._accept import accept, reject
from ._act import announce, block, follow, like
from ._activity import Authority, ReceivedActivity
from ._actor_document import actor, webfinger
from ._auth.sign import SignatureForm, sign, sign_object
from ._collections import collection, collection_page, empty_collections
from ._deliver import Delivered, DeliveryOutcome, Post, deliver, delivery_outcome
from ._documents import document_response
from ._move import move, with_aliases
from ._outgoing import Outgoing
from ._peek import Claimed, peek
from ._post import poll, post, tally, vote
from ._read.event import InnerActivity
from ._read.json_ld import ActivityType
from ._reader import Reader, verify_reader
from ._receive import ActivityPubAsk, receive
from ._receive_object import receive_object
from ._reply import reply, update
from ._settings import QuotePolicy, Quoter, Settings
from ._synchronization import (
    Synchronization,
    SynchronizationState,
    followers_digest,
    synchronization_response,
    synchronize,
    with_synchronization,
)
from ._verify import verify
from ._withdraw import delete, undo
from ._write.audience import Audience
from ._write.find_actor import find_actor
from ._write.note import ServedFile
from ._write.recipients import Actor, Visibility

__all__ = [
    "ActivityPubAsk",
    "ActivityType",
    "Actor",
    "Audience",
    "Authority",
    "Claimed",
    "Delivered",
    "DeliveryOutcome",
    "InnerActivity",
    "Outgoing",
    "Post",
    "QuotePolicy",
    "Quoter",
    "Reader",
    "ReceivedActivity",
    "ServedFile",
    "Settings",
    "SignatureForm",
    "Synchronization",
    "SynchronizationState",
    "Visibility",
    "accept",
    "actor",
    "announce",
    "block",
    "collection",
    "collection_page",
    "delete",
    "deliver",
    "delivery_outcome",
    "document_response",
    "empty_collections",
    "find_actor",
    "follow",
    "followers_digest",
    "like",
    "move",
    "peek",
    "poll",
    "post",
    "receive",
    "receive_object",
    "reject",
    "reply",
    "sign",
    "sign_object",
    "synchronization_response",
    "synchronize",
    "tally",
    "undo",
    "update",
    "verify",
    "verify_reader",
    "vote",
    "webfinger",
    "with_aliases",
    "with_synchronization",
]
