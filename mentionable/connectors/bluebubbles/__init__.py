"""iMessage by BlueBubbles: webhooks of your own server become messages, and answers calls of its API.

BlueBubbles signs nothing; a secret in the URL of the webhook shows your server. Phone numbers and mail addresses never
pass on: agents see pseudonyms, made with a key of yours. No agent can be brought in by a mention (`mention_relay` is
`none`).

Example:
    >>> import json
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, HttpRequest, NormalizedResponse, directory, drive
    >>> from mentionable.connectors import bluebubbles
    >>> settings = bluebubbles.Settings(secret="a-secret-of-your-own-server", pseudonym_key=bytes(32))
    >>> body = json.dumps({"type": "new-message", "data": {
    ...     "guid": "00000000-0000-4000-8000-000000000001", "text": "Will it rain?", "isFromMe": False,
    ...     "handle": {"address": "+15550100", "service": "iMessage"}, "chats": [{"guid": "iMessage;-;+15550100"}],
    ... }}).encode()
    >>> url = "https://imessage.example/hook?secret=a-secret-of-your-own-server"
    >>> request = HttpRequest(method="POST", url=url, body=body)
    >>> answers = Answers(
    ...     find_agent=directory({"bluebubbles:home": "@helper@agents.example"}), use_once=lambda ask: "first",
    ... )
    >>> now = datetime(2026, 11, 21, tzinfo=UTC)
    >>> got = drive(bluebubbles.receive(request, now=now, entropy=bytes(32), settings=settings), answers)
    >>> got.message.sender.address
    Address('@a4b12336dafb3cec1dfe30920d6d09bd@bluebubbles.invalid')
    >>> chat = bluebubbles.chats(request, settings=settings)[got.message.thread_id]
    >>> out = bluebubbles.reply(NormalizedResponse.to(got.message, "It will."), to=got.message, chat_guid=chat)
    >>> [(post.path, post.params["chatGuid"], post.params["message"]) for post in out.calls]
    [('/api/v1/message/text', 'iMessage;-;+15550100', 'It will.')]

Spec: Building a Connector.
"""

from __future__ import annotations

from .._api import Outgoing
from .._attest import attest
from ._chats import chats, direct_chat
from ._claim import claim
from ._presence import mark_read, react, typing, unreact
from ._receive import METHOD, BlueBubblesAsk, complete, receive
from ._reply import native_id, reply
from ._settings import Settings
from ._verify import verify

__all__ = [
    "METHOD",
    "BlueBubblesAsk",
    "Outgoing",
    "Settings",
    "attest",
    "chats",
    "claim",
    "complete",
    "direct_chat",
    "mark_read",
    "native_id",
    "react",
    "receive",
    "reply",
    "typing",
    "unreact",
    "verify",
]
