"""Clicks on choices: each is a message of the person who clicked."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from mentionable import Handshake, NormalizedResponse, Received, Rejected
from mentionable.connectors import Choice, slack
from tests.connectors.slack_workspace import TS, notes, outcome, receive, request

URL = "https://hooks.slack.example/actions/T1/1/secret"
TRIGGER = "13345224609.738474920.8088930838d88f008e0"
BUTTON = {
    "type": "button",
    "action_id": "mentionable:choice#1",
    "block_id": "b1",
    "text": {"type": "plain_text", "text": "Yes &amp; *now*", "emoji": False},
    "value": "y",
    "action_ts": "1795294560.100000",
}
MENU = {
    "type": "static_select",
    "action_id": "mentionable:choice",
    "block_id": "b1",
    "selected_option": {"text": {"type": "plain_text", "text": "Rain", "emoji": False}, "value": "r"},
    "placeholder": {"type": "plain_text", "text": "Choose"},
    "action_ts": "1795294560.100000",
}


def payload(*actions, **more):
    return {
        "type": "block_actions",
        "user": {"id": "U1", "username": "alice", "name": "alice", "team_id": "T1"},
        "api_app_id": "A1",
        "token": "xoxb-canary",
        "container": {"type": "message", "message_ts": TS, "channel_id": "C1", "is_ephemeral": False},
        "trigger_id": TRIGGER,
        "team": {"id": "T1", "domain": "canary"},
        "channel": {"id": "C1", "name": "canary"},
        "message": {"type": "message", "user": "UBOT", "ts": TS, "text": "canary", "thread_ts": "1795294400.000001"},
        "response_url": URL,
        "actions": list(actions or [BUTTON]),
        **more,
    }


def click(*actions, **more):
    body = urlencode({"payload": json.dumps(payload(*actions, **more))})
    return request(body, kind="application/x-www-form-urlencoded")


def test_a_click_is_a_message_of_who_clicked():
    found = outcome(click())
    assert isinstance(found, Received)
    (part,) = found.message.parts
    assert (part.content, part.mime, part.extra) == ("Yes & *now*", "text/plain", {"choice": "y"})
    assert found.message.thread_id == "slack:T1/C1/1795294400.000001"
    assert found.native_id == f"slack:T1/C1/{TRIGGER}"
    assert found.identities[0].subject == "slack:T1/U1"
    assert found.message.raw["parent_ts"] == TS
    assert "canary" not in repr(found)
    assert "secret" not in repr(found)


def test_a_choice_of_a_menu_is_a_click_too():
    (part,) = outcome(click(MENU)).message.parts
    assert (part.content, part.extra) == ("Rain", {"choice": "r"})


def test_the_parent_of_a_click_is_the_message_with_the_choices():
    _, asked = receive(click())
    assert any(TS in str(ask) for ask in asked)


def test_the_first_message_of_a_thread_may_have_the_choices():
    found = outcome(click(message=None))
    assert found.message.thread_id == f"slack:T1/C1/{TS}"


def test_the_container_names_the_thread_of_an_ephemeral_message():
    container = {"message_ts": TS, "channel_id": "C1", "is_ephemeral": True, "thread_ts": "1795294400.000001"}
    found = outcome(click(container=container, message=None)).message
    assert (found.thread_id, found.raw["is_ephemeral"]) == ("slack:T1/C1/1795294400.000001", True)


def test_the_answer_to_a_private_click_is_private():
    container = {"message_ts": TS, "channel_id": "C1", "is_ephemeral": True}
    found = outcome(click(container=container, message=None)).message
    assert slack.reply(NormalizedResponse.to(found, "Done."), to=found).method == "chat.postEphemeral"


def test_a_click_counts_once():
    first = outcome(click())
    assert "redelivered" not in notes(first)
    again = outcome(click(), world={"ONCE *": "same"})
    assert "redelivered" in notes(again)


def test_whoever_sees_a_choice_may_pick_it():
    world = {"CALL users.info U2": {"ok": True, "user": {"id": "U2", "team_id": "T1", "name": "bob", "profile": {}}}}
    found = outcome(click(user={"id": "U2", "team_id": "T1"}), world=world)
    assert found.identities[0].subject == "slack:T1/U2"


def test_a_person_of_another_workspace_has_no_evidence():
    assert "evidence-withheld" in notes(outcome(click(user={"id": "U1", "team_id": "T9"})))
    assert "evidence-withheld" in notes(outcome(click(user={"id": "U1"})))


def test_an_app_of_an_organization_is_clicked_in_the_workspace_of_the_person():
    assert outcome(click(team=None)).message.thread_id.startswith("slack:T1/")


@pytest.mark.parametrize(
    "more",
    [
        {"type": "view_submission"},
        {"type": "shortcut"},
        {"actions": []},
        {"actions": [BUTTON, BUTTON]},
        {"actions": [{**BUTTON, "action_id": "other"}]},
        {"actions": [BUTTON, {"action_id": "mentionable:link"}]},
    ],
)
def test_other_interactions_are_no_messages(more):
    found = outcome(click(**more))
    assert isinstance(found, Rejected)
    assert found.code == "unsupported-event"


@pytest.mark.parametrize(
    "more",
    [
        {"trigger_id": "x"},
        {"team": {"id": "x"}},
        {"user": {"id": "x", "team_id": "T1"}},
        {"user": None},
        {"container": None},
        {"container": {"message_ts": "x", "channel_id": "C1"}},
        {"actions": [{**BUTTON, "value": None}]},
        {"actions": [{**BUTTON, "value": ""}]},
        {"actions": [{**BUTTON, "value": "v" * 2_001}]},
        {"actions": [{**BUTTON, "value": "a\0b"}]},
        {"actions": [{**BUTTON, "text": None}]},
        {"actions": [{**MENU, "selected_option": None}]},
    ],
)
def test_a_click_of_another_form_is_rejected(more):
    found = outcome(click(**more))
    assert isinstance(found, Rejected)
    assert found.code in ("malformed", "missing-member")


def test_a_link_has_done_its_work():
    assert isinstance(outcome(click({**BUTTON, "action_id": "mentionable:link"})), Handshake)


def test_a_click_may_be_answered_at_its_response_url():
    assert slack.response_url(click()) == URL
    assert slack.response_url(click(response_url=None)) is None
    assert slack.response_url(request("payload=%7B", kind="application/x-www-form-urlencoded")) is None


def test_what_reply_offers_comes_back():
    asked = outcome(click()).message
    choice = Choice(label="<b> & ``` :x:", value="v & w")
    post = slack.reply(NormalizedResponse.to(asked, "So?"), to=asked, choices=[choice])
    (button,) = post.params["blocks"][-1]["elements"]
    (part,) = outcome(click({**button, "block_id": "b"})).message.parts
    assert (part.content, part.extra) == (choice.label, {"choice": choice.value})
