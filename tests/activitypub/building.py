"""What the tests of the builders share: the agent that acts, and the server of alice, who gets what it makes."""

from __future__ import annotations

from typing import Any

from mentionable import HttpRequest, Rejected, Settings, StoredMessage, activitypub, drive
from mentionable.activitypub import Actor, Outgoing, ReceivedActivity
from tests.activitypub.answering import BASE, INBOX, KEY, SHARED, helper_web
from tests.activitypub.servers import ALICE, AS2, ENTROPY, HELPER, NOW, World, keyed
from tests.activitypub.signing import signed, world

ALICE_ACTOR = Actor(address="@alice@social.example", id=ALICE, inbox=INBOX, shared_inbox=SHARED)
SETTINGS = activitypub.Settings(key=KEY)
AGENT = "@helper@agents.example"
QUOTED = f"{BASE}/objects/1"
QUOTING = "https://social.example/notes/9"


def call(**given: Any) -> dict[str, Any]:
    """The arguments that all builders share."""
    return {"base": BASE, "now": NOW, "entropy": ENTROPY, "settings": SETTINGS} | given


def request(kind: str, about: Any, **members: Any) -> ReceivedActivity:
    """An activity of alice, as the agent's server received it."""
    activity = {"@context": AS2, "id": f"https://social.example/activities/{kind}", "type": kind, "actor": ALICE}
    where = world(keyed(inbox=INBOX, endpoints={"sharedInbox": SHARED}))
    flow = activitypub.receive(signed(activity | {"object": about} | members), now=NOW, entropy=ENTROPY)
    found = drive(flow, where.answer)
    assert isinstance(found, ReceivedActivity), found
    return found


def at_alice(delivery: HttpRequest, settings: Settings | None = None, **stored: dict[str, StoredMessage]) -> Any:
    """What the server of alice, who is an agent there, makes of a delivery."""
    there = World(answers=helper_web())
    there.agents = {ALICE: "@alice@social.example"}
    there.everywhere |= stored
    flow = activitypub.receive(delivery, now=NOW, entropy=ENTROPY, settings=settings or activitypub.Settings())
    return drive(flow, there.answer)


def event(out: Outgoing, **stored: dict[str, StoredMessage]) -> ReceivedActivity:
    """The activity that the server of alice gets by the one delivery that there is."""
    (delivery,) = out.deliveries
    found = at_alice(delivery, **stored)
    assert isinstance(found, ReceivedActivity), found
    assert (found.id, found.actor.id, found.verdict.verified) == (out.activity["id"], HELPER, True)
    return found


def row(sender: str = AGENT) -> dict[str, StoredMessage]:
    """What the server of alice stored as written by `sender`."""
    return {"@alice@social.example": StoredMessage(id="m1", thread_id="t", sender=sender)}


def refused(delivery: HttpRequest, **stored: dict[str, StoredMessage]) -> str:
    found = at_alice(delivery, **stored)
    assert isinstance(found, Rejected), found
    return found.code
