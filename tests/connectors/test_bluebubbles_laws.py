"""Whatever comes, an outcome comes of it; and of what is not named, nothing passes on: no number above all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import NormalizedResponse, Received, Rejected, SigningKey, dumps, encode
from mentionable.connectors import bluebubbles
from tests.connectors.bluebubbles_events import AGENT, CHAT, FILES, NOW, PHONE, posted, received, settings, told
from tests.connectors.canaries import places

KEY = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**60) | st.text(max_size=8) | st.sampled_from([PHONE, CHAT]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "data", "guid", "handle", "address", "chats"]), inner, max_size=4)
    ),
    max_leaves=10,
)
NAMES = (
    "attributedBody",
    "chatIdentifier",
    "participants",
    "displayName",
    "groupTitle",
    "uncanonicalizedId",
    "originalROWID",
    "payloadData",
    "messageSummaryInfo",
    "password",
    "email",
    "phone",
    "blurhash",
    "metadata",
    "unheard_of",
)


@pytest.mark.parametrize("canary", ["+15550100", "canary@private.example", "xoxb-canary", "iMessage;-;+15550100"])
def test_what_is_not_named_never_passes_on(canary):
    unit: dict[str, Any] = json.loads(json.dumps(told(attachments=[{"guid": "A1", "transferName": "a.pdf"}])))
    for found in places(unit):
        found |= {name: [canary, {"inner": canary}] if name == "participants" else canary for name in NAMES}
    own = settings(files=FILES)
    got = received(unit, own=own)
    said = got.message
    (badge,) = bluebubbles.attest(said, audience=AGENT, key=KEY, settings=own, now=NOW)
    out = bluebubbles.reply(NormalizedResponse.to(said, "Yes."), to=said)
    everything = [dumps(said).decode(), repr(said), repr(got), dumps(badge).decode(), repr(out), json.dumps(said.raw)]
    everything += [json.dumps(post.params) for post in out.calls]
    everything += [repr([encode(one) for one in got.identities])]
    forbidden = (canary, "5550100", "canary")
    assert [text for text in everything if any(word in text for word in forbidden)] == []


@pytest.mark.parametrize(
    "changes",
    [{"guid": PHONE}, {"handle": {"address": PHONE + "x" * 400}}, {"chats": [{"guid": CHAT + "x" * 400}]}, {"text": 5}],
)
def test_what_is_rejected_names_nobody_either(changes):
    assert "5550100" not in repr(received(told(**changes)))


@pytest.mark.parametrize("odd", [[], {}, [[]], None, 1.5, True, "", -1, "\u0000", 10**30])
def test_any_member_may_be_anything(odd):
    whole = json.dumps(told(attachments=[{"guid": "A1", "transferName": "a.pdf"}], replyToGuid="x"))
    for place in range(len(places(json.loads(whole)))):
        for name in places(json.loads(whole))[place]:
            unit = json.loads(whole)
            places(unit)[place][name] = odd
            assert isinstance(received(unit, own=settings(files=FILES)), (Received, Rejected))


@given(st.binary(max_size=60))
def test_any_bytes_have_an_outcome(data):
    assert isinstance(received(posted(data)), (Received, Rejected))


@given(JSON)
def test_any_json_has_an_outcome(value):
    assert isinstance(received(posted(value)), (Received, Rejected))


@given(st.data())
def test_any_change_of_a_webhook_has_an_outcome(data):
    unit = json.loads(json.dumps(told(attachments=[{"guid": "A1"}], replyToGuid="x")))
    for _ in range(data.draw(st.integers(1, 3))):
        found = data.draw(st.sampled_from([one for one in places(unit) if one]))
        found[data.draw(st.sampled_from(sorted(found)))] = data.draw(JSON)
    outcome = received(unit, own=settings(files=FILES, groups=True))
    assert isinstance(outcome, (Received, Rejected))
    if isinstance(outcome, Received):
        assert bluebubbles.reply(NormalizedResponse.to(outcome.message, "Yes."), to=outcome.message).calls


@given(st.text(max_size=30))
def test_any_url_shows_the_secret_or_not(query):
    url = posted(told(), "?" + query.encode("ascii", "replace").decode())
    assert isinstance(received(url), (Received, Rejected))
