"""Laws of the Slack connector: any bytes give an outcome, and any answer fits Slack's bounds."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from mentionable import CarriedPolicy, Handshake, Received, Rejected, decode, decode_trusted, encode, replace
from mentionable import NormalizedMessage as Message
from mentionable.connectors import slack
from mentionable.connectors.slack._write.rich_text import text_of
from mentionable.testing import strategies
from tests.connectors.slack_workspace import AGENT, envelope, mention, message, receive, request

QUESTION = message(mention())
LEAVES = st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=6) | st.sampled_from(["U1", "T9", "xoxb-1"])
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)
FORM = "application/x-www-form-urlencoded"
NAMES = st.sampled_from(
    ["type", "user", "team", "channel", "ts", "thread_ts", "text", "files", "subtype", "bot_id", "hidden"]
)
EVENTS = st.dictionaries(NAMES, JSON | st.sampled_from(["message", "U1", "T1", "C1", "B1", "1795294500.000100"]))


def runs(unit, **facts):
    found, _ = receive(unit, recipient=AGENT, **facts)
    assert isinstance(found, (Received, Rejected, Handshake))
    if isinstance(found, Received):
        assert decode_trusted(Message, encode(found.message)) == found.message
        decode(Message, encode(found.message))
    return found


@given(st.binary(max_size=200), st.sampled_from(["application/json", FORM]))
def test_any_bytes_give_an_outcome(body, kind):
    runs(request(body, kind=kind))


@given(EVENTS, st.dictionaries(st.sampled_from(["team_id", "authorizations", "event_id"]), JSON))
def test_any_event_gives_an_outcome(event, more):
    body = json.dumps(envelope({**mention(), **event}, **more))
    runs(request(body))


@given(JSON, JSON, st.dictionaries(st.sampled_from(["id", "team_id", "profile", "name", "tz"]), JSON))
def test_any_answer_of_slack_gives_an_outcome(user, messages, members):
    known = {"ok": True, "user": user if isinstance(user, dict) else {"id": "U1", **members}}
    replies = {"ok": True, "messages": messages, "response_metadata": user}
    world = {"CALL users.info U1": known, "CALL conversations.replies C1": replies}
    runs(request(json.dumps(envelope(mention(thread_ts="1795294400.000001")))), world=world)


@given(strategies.responses())
def test_any_answer_fits_slack(response):
    parts = tuple(part for part in response.parts if not isinstance(part, CarriedPolicy))
    made = replace(response, reply_to=QUESTION.id, parts=parts, push_back=None)
    for call in slack.reply(made, to=QUESTION).calls:
        json.dumps(call.params)
        if "blocks" not in call.params:  # of a file
            continue
        assert 0 < len(call.params["blocks"]) <= 50
        assert 0 < len(call.params["text"]) <= 3_000
        for block in call.params["blocks"]:
            shown = [block["text"]] if "text" in block else block["elements"]
            if block["type"] == "rich_text":
                (paragraph,) = shown
                shown = [{"text": "".join(map(str, map(text_of, paragraph["elements"])))}]
            assert all(0 < len(one["text"]) <= 3_000 for one in shown)
