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

from typing import TYPE_CHECKING

from .._lazy import lazy_names

if TYPE_CHECKING:
    from ._accept import accept as accept
    from ._accept import reject as reject
    from ._act import announce as announce
    from ._act import block as block
    from ._act import follow as follow
    from ._act import like as like
    from ._activity import Authority as Authority
    from ._activity import ReceivedActivity as ReceivedActivity
    from ._actor_document import actor as actor
    from ._actor_document import webfinger as webfinger
    from ._auth.sign import SignatureForm as SignatureForm
    from ._auth.sign import sign as sign
    from ._auth.sign import sign_object as sign_object
    from ._collections import collection as collection
    from ._collections import collection_page as collection_page
    from ._collections import empty_collections as empty_collections
    from ._deliver import Delivered as Delivered
    from ._deliver import DeliveryOutcome as DeliveryOutcome
    from ._deliver import Post as Post
    from ._deliver import deliver as deliver
    from ._deliver import delivery_outcome as delivery_outcome
    from ._documents import document_response as document_response
    from ._move import move as move
    from ._move import with_aliases as with_aliases
    from ._outgoing import Outgoing as Outgoing
    from ._peek import Claimed as Claimed
    from ._peek import peek as peek
    from ._post import poll as poll
    from ._post import post as post
    from ._post import tally as tally
    from ._post import vote as vote
    from ._read.event import InnerActivity as InnerActivity
    from ._read.json_ld import ActivityType as ActivityType
    from ._reader import Reader as Reader
    from ._reader import verify_reader as verify_reader
    from ._receive import ActivityPubAsk as ActivityPubAsk
    from ._receive import receive as receive
    from ._receive_object import receive_object as receive_object
    from ._reply import reply as reply
    from ._reply import update as update
    from ._settings import QuotePolicy as QuotePolicy
    from ._settings import Quoter as Quoter
    from ._settings import Settings as Settings
    from ._synchronization import Synchronization as Synchronization
    from ._synchronization import SynchronizationState as SynchronizationState
    from ._synchronization import followers_digest as followers_digest
    from ._synchronization import synchronization_response as synchronization_response
    from ._synchronization import synchronize as synchronize
    from ._synchronization import with_synchronization as with_synchronization
    from ._verify import verify as verify
    from ._withdraw import delete as delete
    from ._withdraw import undo as undo
    from ._write.audience import Audience as Audience
    from ._write.find_actor import find_actor as find_actor
    from ._write.note import ServedFile as ServedFile
    from ._write.recipients import Actor as Actor
    from ._write.recipients import Visibility as Visibility

_HOME, _load = lazy_names(
    __name__,
    {
        "activitypub._accept": "accept reject",
        "activitypub._act": "announce block follow like",
        "activitypub._activity": "Authority ReceivedActivity",
        "activitypub._actor_document": "actor webfinger",
        "activitypub._auth.sign": "SignatureForm sign sign_object",
        "activitypub._collections": "collection collection_page empty_collections",
        "activitypub._deliver": "Delivered DeliveryOutcome Post deliver delivery_outcome",
        "activitypub._documents": "document_response",
        "activitypub._move": "move with_aliases",
        "activitypub._outgoing": "Outgoing",
        "activitypub._peek": "Claimed peek",
        "activitypub._post": "poll post tally vote",
        "activitypub._read.event": "InnerActivity",
        "activitypub._read.json_ld": "ActivityType",
        "activitypub._reader": "Reader verify_reader",
        "activitypub._receive": "ActivityPubAsk receive",
        "activitypub._receive_object": "receive_object",
        "activitypub._reply": "reply update",
        "activitypub._settings": "QuotePolicy Quoter Settings",
        "activitypub._synchronization": (
            "Synchronization SynchronizationState followers_digest synchronization_response synchronize"
            " with_synchronization"
        ),
        "activitypub._verify": "verify",
        "activitypub._withdraw": "delete undo",
        "activitypub._write.audience": "Audience",
        "activitypub._write.find_actor": "find_actor",
        "activitypub._write.note": "ServedFile",
        "activitypub._write.recipients": "Actor Visibility",
    },
)

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

if not TYPE_CHECKING:  # a type checker that saw it would take any name
    __getattr__ = _load


def __dir__() -> list[str]:
    return __all__
