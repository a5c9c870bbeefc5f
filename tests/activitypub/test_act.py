"""Follow and Block: what an agent does in its own name."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import UsageError, activitypub
from mentionable.activitypub import Actor
from tests.activitypub.answering import INBOX
from tests.activitypub.building import AGENT, ALICE_ACTOR, call, event
from tests.activitypub.servers import ALICE, HELPER

BUILDERS = [("Follow", activitypub.follow), ("Block", activitypub.block)]


@pytest.mark.parametrize(("kind", "build"), BUILDERS)
def test_it_is_for_the_actor_alone(kind: str, build: Any) -> None:
    out = build(ALICE_ACTOR, **call())
    assert (out.activity["type"], out.activity["object"], out.activity["to"]) == (kind, ALICE, [ALICE])
    assert [post.url for post in out.deliveries] == [INBOX]
    assert activitypub.document_response(out.activity).status == 404
    got = event(out)
    assert (got.type, got.authority, got.object_id, got.recipients) == (kind, "own", ALICE, ("@alice@social.example",))


@pytest.mark.parametrize(("kind", "build"), BUILDERS)
def test_it_is_about_another(kind: str, build: Any) -> None:
    with pytest.raises(UsageError, match="the agent itself"):
        build(Actor(address=AGENT, id=HELPER, inbox=f"{HELPER}/inbox"), **call())
    with pytest.raises(UsageError, match="to must be Actor"):
        build(ALICE, **call())
