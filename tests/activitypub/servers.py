"""What the tests of ActivityPub share: alice's server, our agents, and a record of what was asked."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mentionable import (
    Failed,
    Fetch,
    Fetched,
    FindAgent,
    FindHistory,
    FindMessage,
    FindMessages,
    HistoricalMessage,
    HttpRequest,
    Received,
    Rejected,
    Settings,
    SigningKey,
    StoredMessage,
    activitypub,
    drive,
)

AS2 = "https://www.w3.org/ns/activitystreams"
PUBLIC = f"{AS2}#Public"
ALICE = "https://social.example/users/alice"
BOB = "https://other.example/users/bob"
HELPER = "https://agents.example/actors/helper"
NOTE = "https://social.example/notes/2"
NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
ENTROPY = bytes(32)


def actor(actor_id: str = ALICE, **members: Any) -> dict[str, Any]:
    name = actor_id.rpartition("/")[2]
    return {
        "@context": AS2,
        "id": actor_id,
        "type": "Person",
        "preferredUsername": name,
        "name": name.title(),
    } | members


def note(note_id: str = NOTE, **members: Any) -> dict[str, Any]:
    found = {"id": note_id, "type": "Note", "attributedTo": ALICE, "to": [HELPER], "content": "<p>Hello</p>"} | members
    return {name: member for name, member in found.items() if member is not ...}


def create(document: Any = None, **members: Any) -> dict[str, Any]:
    found = {
        "@context": AS2,
        "id": f"{NOTE}/activity",
        "type": "Create",
        "actor": ALICE,
        "to": [HELPER],
        "object": note() if document is None else document,
    } | members
    return {name: member for name, member in found.items() if member is not ...}


def ancestor(number: int, **members: Any) -> dict[str, Any]:
    """A document of alice's server that can be fetched and shown."""
    published = f"2026-11-20T08:{number:02}:00Z"
    return note(f"https://social.example/notes/a{number}", published=published, **{"@context": AS2}) | members


def fetched(
    document: Any, url: str | None = None, *, status: int = 200, content_type: str = "application/activity+json"
) -> Fetched:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return Fetched(url=url or document["id"], status=status, content_type=content_type, body=body)


def private_pem() -> bytes:
    """A new RSA key."""
    return rsa.generate_private_key(65_537, 2_048).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


RSA = SigningKey.from_pem(private_pem(), key_id=f"{ALICE}#main-key")
EDDSA = SigningKey.from_seed(bytes(range(32)), key_id=f"{ALICE}#ed25519-key")


def keyed(actor_id: str = ALICE, **members: Any) -> dict[str, Any]:
    """Alice's actor document with her two keys."""
    rsa = {"id": RSA.key_id, "owner": actor_id, "publicKeyPem": RSA.public_pem}
    multikey = {
        "id": EDDSA.key_id,
        "type": "Multikey",
        "controller": actor_id,
        "publicKeyMultibase": EDDSA.public_multikey,
    }
    return actor(actor_id, publicKey=rsa, assertionMethod=[multikey]) | members


FINGER = "https://social.example/.well-known/webfinger?resource=acct:alice@social.example"


def descriptor(subject: str = "acct:alice@social.example", href: str = ALICE, **members: Any) -> dict[str, Any]:
    link = {"rel": "self", "type": "application/activity+json", "href": href}
    return {"subject": subject, "links": [{"rel": "http://webfinger.net/rel/profile-page"}, link]} | members


def finger(document: Any = None, url: str = FINGER, **facts: Any) -> Fetched:
    facts = {"content_type": "application/jrd+json; charset=utf-8"} | facts
    return fetched(descriptor() if document is None else document, url, **facts)


class World:
    """Answers asks from tables and keeps the batches in order."""

    def __init__(self, *documents: dict[str, Any], answers: dict[str, Fetched | Failed] | None = None) -> None:
        self.web: dict[str, Fetched | Failed] = {ALICE: fetched(actor())}
        self.web |= {document["id"]: fetched(document) for document in documents}
        self.web |= answers or {}
        self.agents: dict[str, Any] = {HELPER: "@helper@agents.example"}
        self.messages: dict[str, StoredMessage | Failed] = {}
        self.everywhere: dict[str, dict[str, StoredMessage] | Failed] = {}
        self.history: tuple[HistoricalMessage, ...] | Failed = ()
        self.asked: list[Any] = []

    def answer(self, ask: Any) -> object:
        self.asked.append(ask)
        if isinstance(ask, Fetch):
            return self.web.get(ask.url) or Failed("nobody is there")
        if isinstance(ask, FindAgent):
            return self.agents.get(ask.native_id)
        if isinstance(ask, FindHistory):
            return self.history
        if isinstance(ask, FindMessages):
            return self.everywhere.get(ask.native_id, {})
        assert isinstance(ask, FindMessage)
        return self.messages.get(ask.native_id)

    def drive(self, flow: Any) -> Any:
        return drive(flow, self.answer)

    def receive(
        self,
        activity: Any,
        *,
        headers: dict[str, str] | None = None,
        recipient: str | None = None,
        settings: Settings | None = None,
    ) -> Received | Rejected:
        body = activity if isinstance(activity, bytes) else json.dumps(activity).encode()
        request = HttpRequest(method="POST", url="https://agents.example/inbox", headers=headers or {}, body=body)
        flow = activitypub.receive(
            request, recipient=recipient, now=NOW, entropy=ENTROPY, settings=settings or Settings()
        )
        found: Received | Rejected = self.drive(flow)
        return found

    @property
    def urls(self) -> list[str]:
        return [ask.url for ask in self.asked if isinstance(ask, Fetch)]


def taken(outcome: Received | Rejected) -> Received:
    assert isinstance(outcome, Received), outcome
    return outcome


def refused(outcome: Received | Rejected) -> str:
    assert isinstance(outcome, Rejected), outcome
    return outcome.code


def codes(notes: Any) -> list[str]:
    return [note.code for note in notes]
