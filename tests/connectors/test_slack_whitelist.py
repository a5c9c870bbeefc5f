"""Of Slack's JSON only what is named passes on: canaries are planted wherever a member may stand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import NormalizedResponse, SigningKey, encode
from mentionable.connectors import slack
from tests.connectors.slack_workspace import (
    AGENT,
    ALICE,
    FILES,
    ISSUER,
    NOW,
    SECRET,
    command_unit,
    envelope,
    mention,
    receive,
    request,
)

CANARIES = (
    "xoxb-1234-canary",
    "xapp-canary",
    "canary@private.example",
    "+82-10-canary",
    "https://files.slack.example/files-pri/T1-F1/canary.pdf",
    "Bearer canary-canary",
)
SETTINGS = slack.Settings(signing_secret=SECRET, issuer=ISSUER, files=FILES)
ROOT = "1795294400.000001"

SHOWN = {
    "text",
    "name",
    "display_name",
    "real_name",
    "image_72",
    "locale",
    "tz",
    "title",
    "content",
    "subject",
    "plain_text",
    "mimetype",
}
"""Members whose text people see anyhow."""

FILE = {
    "id": "F1",
    "name": "a.pdf",
    "mimetype": "application/pdf",
    "size": 5,
    "url_private": "https://files.slack.example/a",
}
VOICE = {
    **FILE,
    "transcription": {"status": "complete", "preview": {"content": "a"}},
    "vtt": "https://files.slack.example/",
}
MAIL = {
    **FILE,
    "filetype": "email",
    "subject": "a",
    "from": [{"name": "Bob", "address": "bob@private.example", "original": "Bob <bob@private.example>"}],
    "plain_text": "a",
    "headers": {"message_id": "<canary@private.example>"},
}
SHARED = {
    "is_share": True,
    "author_id": "U2",
    "channel_id": "C2",
    "text": "a",
    "image_url": "https://files.slack.example/a",
    "message_blocks": [{"message": {"blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "a"}}]}}],
    "files": [VOICE, MAIL],
}
BUTTON = {"type": "button", "text": {"type": "plain_text", "text": "a"}, "value": "1", "action_id": "a"}
BLOCKS = [
    {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "user", "user_id": "U2"}]}]},
    {"type": "section", "block_id": "b1", "accessory": BUTTON},
    {"type": "image", "image_url": "https://files.slack.example/a", "title": {"type": "plain_text", "text": "a"}},
    {"type": "call", "call_id": "R1", "call": {"v1": {"join_url": "https://files.slack.example/a"}}},
    {"type": "contact_card", "user_id": "U2", "user": {"email": "bob@private.example"}},
    {"type": "brand_new", "id": "a", "parts": [BUTTON]},
]
CONTENT = {"blocks": BLOCKS, "attachments": [SHARED], "files": [FILE, VOICE, MAIL]}
EVENT = envelope(mention(thread_ts=ROOT, **CONTENT))
TURN = {"type": "message", "user": "U2", "team": "T1", "ts": ROOT, "thread_ts": ROOT, "text": "before", **CONTENT}
BOB = {**ALICE, "id": "U2", "name": "bob", "profile": {"display_name": "Bob", "email": "bob@private.example"}}

MORE = (
    "token",
    "email",
    "phone",
    "status_text",
    "url_private",
    "skype",
    "access_token",
    "fields",
    "thumb_360",
    "user_profile",
)


def planted(value: Any, draw: Any, name: str = "") -> Any:
    """The value with canaries: in place of texts that are not shown, and as members that nobody named."""
    if isinstance(value, dict):
        made = {member: planted(found, draw, member) for member, found in value.items()}
        extra = draw(st.sampled_from([(), MORE, MORE[:3]]))
        return {**{one: draw(st.sampled_from(CANARIES)) for one in extra}, **made}
    if isinstance(value, list):
        return [planted(item, draw, name) for item in value]
    if isinstance(value, str) and name not in SHOWN and draw(st.integers(0, 11)) == 0:
        return draw(st.sampled_from(CANARIES))
    return value


def every_text(outcome: Any) -> str:
    """All that comes out of an outcome, in every form that it takes."""
    texts = [repr(outcome)]
    for message in getattr(outcome, "messages", ()):
        texts += [json.dumps(encode(message)), repr(message), json.dumps(encode(message.raw))]
        texts += [json.dumps(encode(one)) for one in outcome.identities]
        post = slack.reply(NormalizedResponse.to(message, "Hello."), to=message)
        texts += [repr(post), json.dumps(post.params)]
        if message.sender.identities:
            key = SigningKey.from_seed(bytes(32), key_id="1")
            (badge,) = slack.attest(message, audience=AGENT, key=key, settings=SETTINGS, now=NOW)
            texts += [json.dumps(encode(badge)), repr(badge)]
    return "\n".join(texts)


@pytest.mark.uncounted
@settings(max_examples=40)
@given(st.data())
def test_no_canary_comes_out_of_an_event(data):
    body = json.dumps(planted(EVENT, data.draw))
    world = {
        "CALL users.info U1": planted({"ok": True, "user": ALICE}, data.draw),
        "CALL users.info U2": planted({"ok": True, "user": BOB}, data.draw),
        "CALL conversations.replies C1": planted({"ok": True, "messages": [TURN]}, data.draw),
        "CALL conversations.info C2": planted({"ok": True, "channel": {"id": "C2", "name": "a"}}, data.draw),
        "CALL *": planted({"ok": True, "usergroups": [{"id": "S1", "handle": "a"}]}, data.draw),
    }
    found, asked = receive(request(body), world=world, settings=SETTINGS, recipient=AGENT)
    text = every_text(found) + "\n".join(asked)
    assert not [canary for canary in (*CANARIES, "private.example", "files.slack.example") if canary in text]


def test_the_property_sees_what_it_should():
    found, _ = receive(request(json.dumps(EVENT)), settings=SETTINGS, recipient=AGENT)
    assert "Alice" in every_text(found)
    assert "canary" in every_text(receive(request(json.dumps(envelope(mention("canary")))), recipient=AGENT)[0])


def test_no_credential_of_a_command_comes_out():
    found = receive(command_unit(), settings=SETTINGS)[0]
    assert "hooks.slack.example" not in every_text(found)
    assert "canary" not in every_text(found)
