"""Requests that want an answer of their own, forms, and bodies that cannot be read."""

from __future__ import annotations

import json

import pytest

from mentionable import Handshake
from tests.connectors.slack_workspace import command_unit, form_unit, outcome, request


def challenge(found):
    return outcome(request(json.dumps({"type": "url_verification", "challenge": found, "token": "xoxb-canary"})))


def test_slack_finds_out_that_somebody_is_there():
    found = challenge("3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P")
    assert isinstance(found, Handshake)
    response = found.response
    assert (response.status, response.body) == (200, b"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P")
    assert response.header("content-type") == "text/plain"
    assert response.header("x-content-type-options") == "nosniff"


@pytest.mark.parametrize("wrong", ["", "a" * 257, "ä", "a\r\nb", 7, ["a"]])
def test_a_challenge_is_short_and_plain(wrong):
    assert challenge(wrong).code == "malformed"


def test_nobody_echoes_for_strangers():
    unit = request(json.dumps({"type": "url_verification", "challenge": "abc"}), signature="v0=" + "0" * 64)
    assert outcome(unit).code == "request-unverified"


def test_a_check_of_certificates_is_answered():
    assert outcome(form_unit(ssl_check="1", token="x")).response.status == 200


def click(payload):
    return outcome(form_unit(payload=json.dumps(payload)))


def test_clicks_on_our_buttons_are_taken_note_of():
    actions = [{"action_id": "mentionable:link", "type": "button"}, {"action_id": "mentionable:link#2"}]
    assert click({"type": "block_actions", "actions": actions}).response == type(
        click({"type": "block_actions", "actions": actions}).response
    )(status=200)


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "block_actions", "actions": []},
        {"type": "block_actions"},
        {"type": "block_actions", "actions": [{"action_id": "mentionable:link"}, {"action_id": "other"}]},
        {"type": "block_actions", "actions": [7]},
        {"type": "view_submission", "actions": [{"action_id": "mentionable:link"}]},
        {"type": "shortcut"},
    ],
)
def test_other_clicks_are_no_messages(payload):
    assert click(payload).code == "unsupported-event"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid-json"),
        (b"[]", "wrong-type"),
        (b"{", "invalid-json"),
        (b"\xff", "not-utf8"),
        (b'{"a":1,"a":2}', "duplicate-member"),
        (b"[" * 100 + b"]" * 100, "too-deep"),
        (b'{"type":"event_callback"}', "missing-member"),
    ],
)
def test_a_body_that_is_no_event_is_rejected(body, code):
    assert outcome(request(body)).code == code


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "unsupported-event"),
        (b"a=1&a=2", "duplicate-member"),
        (b"a=%FF", "not-utf8"),
        (b"%FF=1", "not-utf8"),
        (b"&".join(b"a%d=1" % number for number in range(101)), "too-many-fields"),
        (b"payload=", "invalid-json"),
        (b"payload=%5B%5D", "wrong-type"),
    ],
)
def test_a_form_that_is_broken_is_rejected(body, code):
    assert outcome(request(body, kind="application/x-www-form-urlencoded; charset=utf-8")).code == code


def test_empty_fields_and_plus_signs_are_read():
    unit = command_unit(text="a b")
    again = request(b"&" + unit.body + b"&", kind="application/x-www-form-urlencoded")
    assert b"a+b" in unit.body
    assert outcome(again).message.parts[0].content == "/rain a b"
