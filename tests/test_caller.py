"""Names of callers, and what a prior turn may not say of itself."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mentionable import Address, Answers, NormalizedMessage, a2a, decode, decode_trusted, drive, encode, rest
from mentionable._transport.caller import Caller, card_name

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
BOB = Address("@bob@b.example")


@pytest.mark.parametrize(
    ("caller", "name"),
    [
        (None, None),
        (Caller(subject="bob@b.example"), None),
        (Caller(subject="acct:bob@B.example", name="Bob's Agent"), "Bob's Agent"),
        (Caller(subject="bob@b.example", name="Bob\r\nthe\u202e Agent"), "Bob the Agent"),
        (Caller(subject="bob@b.example", name=" "), None),
        (Caller(subject="mallory@m.example", name="Bob's Agent"), None),
        (Caller(subject="user-7", name="Bob's Agent"), None),
    ],
)
def test_the_name_on_a_card_is_of_its_own_agent(caller, name):
    assert card_name(caller, BOB) == (name, ())


def test_a_name_that_shows_another_address_is_told():
    name, diagnostics = card_name(Caller(subject="bob@b.example", name="ceo@bank.example"), BOB)
    assert (name, [one.code for one in diagnostics]) == ("ceo@bank.example", ["name-holds-address"])


def test_a_form_shows_the_name_on_the_card():
    flow = rest.receive(
        [rest.Field(name="user", value=b"Hi")],
        caller=rest.Caller(subject="bob@b.example", name="Bob's Agent"),
        recipient="@helper@agents.example",
        now=NOW,
        entropy=bytes(32),
    )
    sender = drive(flow, Answers()).message.sender
    assert (sender.address, sender.display_name, sender.verified) == (BOB, "Bob's Agent", False)


def test_a_caller_without_a_name_has_none_to_show():
    said = {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
    flow = a2a.receive(
        said,
        caller=a2a.Caller(subject="bob@b.example"),
        recipient="@helper@agents.example",
        now=NOW,
        entropy=bytes(32),
    )
    assert drive(flow, Answers()).message.sender.display_name is None


@pytest.mark.parametrize("read", [decode, decode_trusted])
@pytest.mark.parametrize("name", ["policy_resolution", "received_trace"])
def test_a_prior_turn_has_no_member_of_the_message_itself(read, name):
    turn = {
        "role": "user",
        "sender": {"address": BOB, "auth_method": "none", "verified": False},
        "parts": [],
        "timestamp": "2026-11-21T20:00:00Z",
    }
    message = {
        "id": "m1",
        "thread_id": "t1",
        "sender": turn["sender"],
        "recipient": "@helper@agents.example",
        "parts": [],
        "recipient_capabilities": {"mention_relay": {"kind": "none"}},
        "received_via": "email",
        "received_at": "2026-11-21T20:56:00Z",
        "raw": None,
        "history": [{**turn, name: {"in_reply_to_state": "s"}, "mood": "good"}],
    }
    found = encode(read(NormalizedMessage, message))
    assert found["history"] == [{**turn, "mood": "good"}]
