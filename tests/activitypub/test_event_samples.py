"""Activities in the shape of the servers of the network, and those of public fixtures: each gives its typed event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest

from mentionable import (
    Answers,
    Fetch,
    Fetched,
    FindMessages,
    Rejected,
    SigningKey,
    StoredMessage,
    activitypub,
    directory,
    drive,
)
from mentionable.activitypub import ActivityType, ReceivedActivity
from tests.activitypub.servers import ENTROPY, HELPER, NOW, actor, fetched, private_pem
from tests.activitypub.signing import signed

AGENT = "@helper@agents.example"
FOLDER = Path(__file__).parent / "samples" / "events"
OWN, OTHERS = [SigningKey.from_pem(private_pem(), key_id="") for _ in range(2)]
"""Loaded once: that takes longer than a signature."""

PUBLIC_FIXTURES = Path(__file__).parents[2] / ".cache" / "corpora" / "federation" / "activitypub.py"


def samples() -> list[Any]:
    """Each sample, with the server that it is of."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        server = json.loads(path.read_text("utf-8"))
        for number, sample in enumerate(server.pop("samples")):
            name = f"{path.stem}-{sample['expect']['type']}-{number}"
            found.append(pytest.param({"id": server["actor"], **server, **sample}, id=name))
    return found


def received(sample: dict[str, Any], by: SigningKey = OWN) -> ReceivedActivity | Rejected:
    """What is received of a sample, signed by its actor."""
    activity, own = sample["activity"], sample["activity"]["actor"]
    key = attrs.evolve(OWN, key_id=f"{own}#main-key")
    username = sample.get("username", own.rpartition("/")[2])
    document = {
        **actor(own, preferredUsername=username, inbox=f"{own}/inbox", type=sample.get("kind", "Person")),
        "publicKey": {"id": key.key_id, "owner": own, "publicKeyPem": key.public_pem},
        **(sample["actor"] if isinstance(sample.get("actor"), dict) else {}),
    }
    host = own.split("/")[2]
    finger = f"https://{host}/.well-known/webfinger?resource=acct:{username}@{host}"
    pages = {own: document, **sample.get("documents", {})}
    descriptor = activitypub.webfinger(f"@{username}@{host}", url=own)

    def fetch(ask: Fetch) -> Fetched:
        if ask.url == finger:
            return fetched(descriptor, finger, content_type="application/jrd+json")
        return fetched(pages.get(ask.url, {}), ask.url, status=200 if ask.url in pages else 404)

    def find_messages(ask: FindMessages) -> dict[str, StoredMessage]:
        sender = sample.get("stored", {}).get(ask.native_id)
        row = {"id": "m1", "thread_id": "t", "auth_method": "ap-http-signature", "verified": True}
        return {} if sender is None else {AGENT: StoredMessage(sender=sender, **row)}

    lookups = Answers(fetch=fetch, find_agent=directory({HELPER: AGENT}), find_messages=find_messages)
    request = signed(activity, attrs.evolve(by, key_id=key.key_id))
    got = drive(activitypub.receive(request, now=NOW, entropy=ENTROPY), lookups)
    assert isinstance(got, ReceivedActivity | Rejected), got
    return got


@pytest.mark.parametrize("sample", samples())
def test_an_activity_of_each_server_gives_its_typed_event(sample: dict[str, Any]) -> None:
    got = received(sample)
    assert isinstance(got, ReceivedActivity), got
    assert {
        "type": got.type,
        "authority": got.authority,
        "object_id": got.object_id,
        **({} if got.target_id is None else {"target_id": got.target_id}),
        **({} if got.content is None else {"content": got.content}),
        **({} if got.inner is None else {"inner": got.inner.type}),
        **({} if not got.recipients else {"recipients": list(got.recipients)}),
    } == sample["expect"]
    assert got.actor.id == sample["id"]


@pytest.mark.parametrize("sample", samples())
def test_the_same_activity_by_another_key_gives_none(sample: dict[str, Any]) -> None:
    got = received(sample, OTHERS)
    assert isinstance(got, Rejected)
    assert got.verdict is not None
    code = "object-unknown" if sample["activity"]["type"] == "Delete" else "verification-required"
    assert (got.code, got.verdict.code) == (code, "bad-signature")


def test_every_type_has_a_sample() -> None:
    types = {sample.values[0]["expect"]["type"] for sample in samples()}
    assert set(get_args(ActivityType)) - types == {"Ignore", "Listen", "Offer", "Read"}, "these nobody sends"


FIXTURES = {
    "ACTIVITYPUB_FOLLOW": ("Follow", None),
    "ACTIVITYPUB_RETRACTION": ("Delete", None),
    "ACTIVITYPUB_RETRACTION_SHARE": ("Undo", "Announce"),
    "ACTIVITYPUB_SHARE": ("Announce", None),
    "ACTIVITYPUB_UNDO_FOLLOW": ("Undo", "Follow"),
}


@pytest.mark.parametrize("name", FIXTURES)
def test_an_activity_of_a_public_fixture_gives_its_typed_event(name: str) -> None:
    if not PUBLIC_FIXTURES.exists():
        pytest.skip("not fetched: python tests/setup_corpora.py")
    values: dict[str, Any] = {}
    exec(PUBLIC_FIXTURES.read_text(), values)
    activity = values[name]
    own, about = activity["actor"], activity["object"]
    stored = {about["id"]: f"@{own.rpartition('/')[2]}@{own.split('/')[2]}"} if name == "ACTIVITYPUB_RETRACTION" else {}
    if activity["type"] == "Follow":
        activity = {**activity, "object": HELPER}
    got = received({"activity": activity, "stored": stored})
    assert isinstance(got, ReceivedActivity), got
    assert (got.type, got.inner and got.inner.type) == FIXTURES[name]
