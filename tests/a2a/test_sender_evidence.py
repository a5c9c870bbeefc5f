from __future__ import annotations

import json

import pytest

from mentionable import a2a, drive, dumps, encode
from mentionable._flow.outcome import UNSIGNED, Verdict
from mentionable._transport.caller import authenticated
from tests.identity.issuer import NOW, TRUST, World
from tests.vectors._identity_rows import AGENT, BOT, HOST, PROFILE, changed, signed

FIRST = signed(id="slack:Ev1")
CANARY = "canary-7f3a"


def received(metadata, world=None, *, caller=BOT, settings=TRUST, **more):
    said = {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
    unit = {**said, "metadata": {"mentionable": metadata}}
    who = a2a.Caller(subject=caller) if isinstance(caller, str) else caller
    flow = a2a.receive(unit, recipient=AGENT, caller=who, now=NOW, entropy=bytes(32), settings=settings, **more)
    answers = (world or World()).answers
    return drive(flow, lambda ask: None if type(ask).__name__ == "FindMessage" else answers(ask))


def turn(evidence):
    part = {"kind": "text", "mime": "text/plain", "content": "Before"}
    sender = {"address": "@alice@a.example", "auth_method": "none", "verified": False, "identities": evidence}
    return {"role": "user", "sender": sender, "parts": [part], "timestamp": "2026-11-21T20:00:00Z"}


def notes(found):
    return [(note.code, note.at) for note in found.diagnostics]


def test_evidence_of_a_trusted_issuer_shows_the_sender():
    found = received({"identity_evidence": [FIRST]})
    (who,) = found.identities
    sender = found.message.sender
    assert (who.subject, who.audience) == ("slack:T123/U456", AGENT)
    assert (sender.address, sender.verified, sender.auth_method, sender.display_name) == (BOT, False, "none", "Alice")
    assert (encode(sender.profile), encode(sender.identities), notes(found)) == (PROFILE, [FIRST], [])


@pytest.mark.parametrize("carrier", [7, "x", {}, [None], [changed(FIRST, claims={})], {"proof": {"type": "transport"}}])
def test_refused_evidence_costs_itself(carrier):
    found = received({"identity_evidence": carrier})
    assert (found.identities, found.message.sender.identities) == ((), None)
    at = "/metadata/mentionable/identity_evidence" + "/0" * isinstance(carrier, list)
    assert notes(found) == [("evidence-refused", at)]


def test_only_the_issuer_brings_it():
    assert received({"identity_evidence": FIRST}, caller=None).identities == ()
    assert received({"identity_evidence": FIRST}, caller="@bot@other.example").identities == ()
    assert received({"identity_evidence": FIRST}, caller=HOST).identities


def test_who_is_shown_by_a_token_calls_and_else_whom_the_host_names():
    shown = Verdict(method="a2a-jwt", verified=True, address=BOT)
    named = a2a.Caller(subject="acct:bot@Other.example")
    assert authenticated(shown, named) == BOT
    assert authenticated(UNSIGNED, named) == "@bot@other.example"
    assert authenticated(UNSIGNED, a2a.Caller(subject=HOST)) == HOST
    assert authenticated(UNSIGNED, None) is None


def test_evidence_at_a_prior_turn_shows_who_wrote_it_and_authorizes_nobody():
    found = received({"history": [turn([FIRST]), turn([changed(FIRST, claims={})])]})
    first, second = found.message.history
    assert (first.sender.display_name, encode(first.sender.identities)) == ("Alice", [FIRST])
    assert (first.sender.verified, second.sender.identities, found.identities) == (False, None, ())
    assert notes(found) == [("evidence-refused", "/metadata/mentionable/history/1/sender/identities/0")]


def test_the_answer_of_a_peer_brings_no_evidence():
    world = World()
    hints = {"identity_evidence": [FIRST], "history": [turn([FIRST])]}
    found = received(hints, world, caller=a2a.RemoteAgent(address=BOT))
    assert (found.identities, found.message.sender.identities, world.asked) == ((), None, [])


def test_a_message_without_evidence_asks_nobody():
    world = World()
    assert received({}, world).identities == ()
    assert world.asked == []


def test_several_evidences_show_several():
    found = received({"identity_evidence": [FIRST, signed(id="slack:Ev2", subject="slack:T123/U1")]})
    assert [one.subject for one in found.identities] == ["slack:T123/U456", "slack:T123/U1"]


NAMED = signed(id="slack:Ev3", claims={"profile": {"display_name": "alice@bank.example"}})


def test_a_name_that_shows_another_address_is_told_of_where_it_stands():
    found = received({"identity_evidence": [changed(FIRST, claims={}), NAMED]})
    at = "/metadata/mentionable/identity_evidence"
    assert notes(found) == [
        ("evidence-refused", f"{at}/0"),
        ("name-holds-address", f"{at}/1/claims/profile/display_name"),
    ]
    found = received({"history": [turn(None), turn([NAMED])]})
    at = "/metadata/mentionable/history/1/sender/identities/0"
    assert notes(found) == [("name-holds-address", f"{at}/claims/profile/display_name")]


def test_a_turn_with_the_address_of_the_agent_is_noted():
    own = turn(None)
    found = received({"history": [{**own, "sender": {**own["sender"], "address": AGENT}}]})
    assert notes(found) == [("history-role", "/metadata/mentionable/history")]
    assert found.message.history[0].role == "assistant"


def test_no_signature_is_passed_on_in_what_came():
    spoiled = changed(FIRST, proof={"value": CANARY})
    found = received({"identity_evidence": [spoiled], "history": [turn([spoiled])]})
    assert CANARY not in dumps(found.message).decode()
    assert CANARY not in json.dumps([note.detail for note in found.diagnostics])
