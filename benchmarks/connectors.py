"""From a signed event of a chat platform to its NormalizedMessage, beside `json.loads` and the bare check.

Measured is the whole way of each connector: `drive(slack.receive(HttpRequest(...)))`, with what the platform is asked
answered at once.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.common import ENTROPY, HELPER, NOW, message_of, posted, with_module
from benchmarks.timing import Claim, Effort, Function, Functions, Race
from mentionable import Answers, HistoryPolicy, HttpRequest, NormalizedResponse, SigningKey, drive
from mentionable.connectors import bluebubbles, discord, slack
from mentionable.testing import Peer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.figures import Result
    from mentionable import NormalizedMessage

TEXT: Final = "will it *rain* tomorrow in <https://weather.example/zurich|Zürich>? " * 4

_ALICE: Final = Peer.slack("U456", name="Alice")
_SLACK: Final = _ALICE.settings()
_SECONDS: Final = str(int(NOW.timestamp()))
_KEY: Final = SigningKey.from_seed(bytes(range(32)), key_id="discord")
_DISCORD: Final = discord.Settings(
    public_key=_KEY.public_raw.hex(),
    application_id="700",
    issuer="discord.agents.example",
    history=HistoryPolicy(max_messages=0),
)
_SECRET: Final = "a-secret-of-your-own-server"
_BLUEBUBBLES: Final = bluebubbles.Settings(secret=_SECRET, pseudonym_key=bytes(32), issuer="imessage.agents.example")


def world(*, user: dict[str, Any] | None = None) -> Answers:
    """A store that is empty, and a platform that answers at once."""
    return Answers(
        find_agent=lambda ask: HELPER,
        find_message=lambda ask: None,
        use_once=lambda ask: "first",
        call_api=lambda ask: user or [],
    )


def slack_event() -> HttpRequest:
    """Somebody mentions the bot in a channel."""
    return _ALICE.write(TEXT, now=NOW)


def slack_event_with_blocks() -> HttpRequest:
    """The same as a person types it: Slack gives its words a second time, as blocks of rich text."""
    body = json.loads(slack_event().body)
    words: list[dict[str, Any]] = [
        {"type": "text", "text": "will it "},
        {"type": "text", "text": "rain", "style": {"bold": True}},
        {"type": "text", "text": " tomorrow in "},
        {"type": "link", "url": "https://weather.example/zurich", "text": "Zürich"},
        {"type": "text", "text": "? "},
    ]
    line = [{"type": "user", "user_id": _ALICE.bot}, {"type": "text", "text": " "}, *words * 4]
    section = {"type": "rich_text_section", "elements": line}
    body["event"]["blocks"] = [{"type": "rich_text", "block_id": "b1", "elements": [section]}]
    return _ALICE.signed(json.dumps(body).encode(), now=NOW)


def discord_command() -> HttpRequest:
    """Somebody uses a command in a server."""
    user = {"id": "42", "username": "alice", "global_name": "Alice A"}
    body = {
        "id": "1310000000000000001",
        "application_id": "700",
        "type": 2,
        "token": "token-of-this-interaction",
        "version": 1,
        "guild_id": "300",
        "channel_id": "500",
        "member": {"nick": "Al", "roles": [], "user": user},
        "locale": "en-GB",
        "data": {"id": "1", "name": "ask", "type": 1, "options": [{"name": "prompt", "type": 3, "value": TEXT}]},
    }
    data = json.dumps(body).encode()
    signature = _KEY.sign(_SECONDS.encode() + data).hex()
    return posted(
        "https://discord.agents.example/", data, x_signature_ed25519=signature, x_signature_timestamp=_SECONDS
    )


def bluebubbles_event() -> HttpRequest:
    """Somebody writes by iMessage."""
    message = {
        "guid": "00000000-0000-4000-8000-000000000001",
        "text": TEXT,
        "subject": "",
        "handle": {"address": "+15550100", "service": "iMessage", "country": "us"},
        "chats": [{"guid": "iMessage;-;+15550100", "style": 45, "chatIdentifier": "+15550100"}],
        "attachments": [],
        "isFromMe": False,
        "dateCreated": int(NOW.timestamp()) * 1000,
        "itemType": 0,
    }
    body = json.dumps({"type": "new-message", "data": message}).encode()
    return posted(f"https://imessage.agents.example/hook?secret={_SECRET}", body)


def receiver(room: Any, request: HttpRequest, settings: Any, answers: Answers) -> Callable[[], NormalizedMessage]:
    """What a connector does with an event."""

    def receive() -> NormalizedMessage:
        return message_of(drive(room.receive(request, now=NOW, entropy=ENTROPY, settings=settings), answers))

    receive()
    return receive


def in_two_stages(room: Any, request: HttpRequest, settings: Any, answers: Answers) -> Callable[[], NormalizedMessage]:
    """The same in two stages, without a queue between them."""

    def receive() -> NormalizedMessage:
        claimed = drive(room.claim(request, now=NOW, settings=settings), answers)
        return message_of(drive(room.complete(claimed, now=NOW, entropy=ENTROPY, settings=settings), answers))

    receive()
    return receive


def slack_sdk(request: HttpRequest) -> Function | None:
    """The official library's check of the signature at that time, and the JSON."""

    def make(signature: Any) -> Function:
        clock = type("Then", (), {"now": staticmethod(NOW.timestamp)})()
        verifier = signature.SignatureVerifier(_ALICE.secret.decode(), clock)
        headers = dict(request.headers)
        if not verifier.is_valid_request(request.body, headers):
            raise AssertionError("the sample is refused")
        return lambda: verifier.is_valid_request(request.body, headers) and json.loads(request.body)

    return with_module(make, "slack_sdk.signature")


def nacl(request: HttpRequest) -> Function | None:
    """The check of a command that Discord's documentation shows, and the JSON."""

    def make(signing: Any) -> Function:
        key = signing.VerifyKey(_KEY.public_raw)
        signature = bytes.fromhex(request.header("x-signature-ed25519") or "")
        return lambda: (key.verify(_SECONDS.encode() + request.body, signature), json.loads(request.body))

    return with_module(make, "nacl.signing")


def results(effort: Effort) -> Iterator[Result]:
    """An event of each platform, and an answer in Slack."""
    event, command, webhook = slack_event(), discord_command(), bluebubbles_event()
    user = _ALICE.lookups["CALL users.info U456"]
    signed = b"v0:" + _SECONDS.encode() + b":" + event.body
    official, bare = "slack-sdk SignatureVerifier, json.loads", "HMAC and json.loads"
    received = receiver(slack, event, _SLACK, world(user=user))
    functions: Functions = {
        "Slack event": received,
        bare: lambda: (hmac.new(_ALICE.secret, signed, hashlib.sha256).hexdigest(), json.loads(event.body)),
        official: slack_sdk(event),
    }
    yield from Race("connectors", functions, (Claim("Slack event", bare, 80.0), Claim("Slack event", official))).run(
        effort
    )

    staged, rich = "Slack event in two stages", "Slack event with blocks"
    functions = {
        staged: in_two_stages(slack, event, _SLACK, world(user=user)),
        rich: receiver(slack, slack_event_with_blocks(), _SLACK, world(user=user)),
        "Slack event": received,
    }
    claims = (Claim(staged, "Slack event", 1.1), Claim(rich, "Slack event", 1.3))
    yield from Race("connectors", functions, claims).run(effort)

    peer, public, signature = "PyNaCl VerifyKey, json.loads", _KEY.native.public_key(), _KEY.sign(command.body)
    functions = {
        "Discord command": receiver(discord, command, _DISCORD, world()),
        "bare Ed25519 and json.loads": lambda: (public.verify(signature, command.body), json.loads(command.body)),
        peer: nacl(command),
    }
    claims = (Claim("Discord command", "bare Ed25519 and json.loads", 4.0), Claim("Discord command", peer))
    yield from Race("connectors", functions, claims).run(effort)

    functions = {
        "BlueBubbles webhook": receiver(bluebubbles, webhook, _BLUEBUBBLES, world()),
        "json.loads": partial(json.loads, webhook.body),
    }
    yield from Race("connectors", functions, (Claim("BlueBubbles webhook", "json.loads", 45.0),)).run(effort)

    question = received()
    answer = partial(slack.reply, NormalizedResponse.to(question, "It **will** rain.", "- at 9\n- at 12"), to=question)
    functions = {"Slack answer of 2 parts": answer, "json.dumps of it": partial(json.dumps, dict(answer().params))}
    yield from Race("connectors", functions, (Claim("Slack answer of 2 parts", "json.dumps of it", 70.0),)).run(effort)
