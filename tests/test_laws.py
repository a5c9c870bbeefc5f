"""The laws of the library: nothing is lost, nothing unexpected is raised, the same inputs give the same output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mentionable
from mentionable import (
    Address,
    Answers,
    BytesRef,
    Fetched,
    HttpRequest,
    IdentityEvidence,
    MentionRelayCapability,
    NormalizedMessage,
    NormalizedResponse,
    Part,
    PolicyResolution,
    Received,
    Rejected,
    Sender,
    WireError,
    a2a,
    activitypub,
    anp,
    decode,
    decode_trusted,
    drive,
    dumps,
    encode,
    identity,
    ingest,
    mail,
    policy,
)
from mentionable.testing import Peer, answers, strategies

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)

VALUES = {
    "message": (NormalizedMessage, strategies.messages()),
    "response": (NormalizedResponse, strategies.responses()),
    "turn": (mentionable.HistoricalMessage, strategies.turns()),
    "sender": (Sender, strategies.senders()),
    "part": (Part, strategies.parts()),
    "reference": (BytesRef, strategies.bytes_refs()),
    "relay": (MentionRelayCapability, strategies.mention_relays()),
    "capabilities": (mentionable.RecipientCapabilities, strategies.recipient_capabilities()),
    "policy": (policy.PolicyPart, strategies.policies()),
    "resolution": (PolicyResolution, strategies.policy_resolutions()),
    "evidence": (IdentityEvidence, strategies.identity_evidence()),
    "proof": (identity.Proof, strategies.proofs()),
    "ingest_message": (ingest.IngestMessage, strategies.ingest_messages()),
    "ingest_metadata": (ingest.IngestMetadata, strategies.ingest_metadata()),
    "submission": (anp.Submission, strategies.submissions()),
    "notification": (anp.Notification, strategies.notifications()),
    "command": (anp.Command, strategies.commands()),
    "effect": (anp.Effect, strategies.effects()),
}


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_law_1_what_is_written_is_read_back(name, data):
    form, values = VALUES[name]
    value = data.draw(values)
    written = encode(value)
    assert decode_trusted(form, written) == value
    assert decode_trusted(form, dumps(value)) == value
    assert encode(decode_trusted(form, written)) == written == json.loads(dumps(value))


def without_trust(value):
    """`value` as anyone may say it: no sender is verified, nothing is resolved."""
    if isinstance(value, Sender):
        return attrs.evolve(value, auth_method="none", verified=False, key_id=None, identities=None)
    if isinstance(value, mentionable.HistoricalMessage):
        return attrs.evolve(value, sender=without_trust(value.sender))
    history = value.history and tuple(map(without_trust, value.history))
    return attrs.evolve(value, sender=without_trust(value.sender), history=history, policy_resolution=None)


@pytest.mark.parametrize("name", ["message", "turn", "sender"])
@given(data=st.data())
def test_law_1_what_anyone_says_is_the_same_but_for_trust(name, data):
    form, values = VALUES[name]
    value = data.draw(values)
    assert decode(form, dumps(value)) == without_trust(value)


FROM_ANYONE = ("response", "part", "reference", "relay", "capabilities", "policy", "proof", "submission", "command")


@pytest.mark.parametrize("name", FROM_ANYONE)
@given(data=st.data())
def test_law_1_what_carries_no_trust_is_the_same_from_anyone(name, data):
    form, values = VALUES[name]
    value = data.draw(values)
    assert decode(form, dumps(value)) == value


@given(strategies.messages(trusted=False))
def test_law_1_a_message_without_trust_is_the_same_from_anyone(message):
    assert decode(NormalizedMessage, dumps(message)) == message


def read(form, data):
    """The value, or the error that documents say."""
    try:
        return decode_trusted(form, data)
    except WireError as error:
        return error


@pytest.mark.parametrize("name", VALUES)
@given(data=st.binary(max_size=200) | strategies.json_values())
def test_law_2_any_data_give_a_value_or_a_documented_error(name, data):
    got = read(VALUES[name][0], data if isinstance(data, bytes) else json.dumps(data))
    if isinstance(got, WireError):
        assert got.code in mentionable.CODES
    else:
        assert encode(got) == json.loads(dumps(got))


def mutilated(draw, data):
    """JSON data with one member, anywhere, exchanged for something else."""
    if isinstance(data, (dict, list)) and data and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(data) if isinstance(data, dict) else range(len(data))))
        copy = data.copy()
        copy[key] = mutilated(draw, data[key])
        return copy
    return draw(strategies.json_values())


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_law_2_a_value_with_one_wrong_member_is_a_value_or_a_decode_error(name, data):
    form, values = VALUES[name]
    got = read(form, json.dumps(mutilated(data.draw, encode(data.draw(values)))))
    if isinstance(got, WireError):
        assert got.code == "malformed"
        assert got.problems
    else:
        assert decode_trusted(form, encode(got)) == got


A2A = (
    b'{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"m1",'
    b'"role":"user","parts":[{"kind":"text","text":"Hi"}]}}}'
)
CREATE = (
    b'{"@context":"https://www.w3.org/ns/activitystreams","id":"https://social.example/1","type":"Create",'
    b'"actor":"https://social.example/alice","object":{"id":"https://social.example/2","type":"Note","content":"<p>Hi"}}'
)
MAIL = (
    b"From: Alice <alice@a.example>\r\nTo: helper@agents.example\r\n"
    b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\nHi\r\n--b--\r\n'
)
ACTOR = (
    b'{"@context":"https://www.w3.org/ns/activitystreams","id":"https://social.example/alice","type":"Person",'
    b'"preferredUsername":"alice"}'
)


def fetch(ask):
    return Fetched(url=ask.url, status=200, content_type="application/activity+json", body=ACTOR)


WORLD = Answers(fetch=fetch)
FACTS = {"now": NOW, "entropy": bytes(32), "recipient": "@helper@agents.example"}


def doors(body: bytes) -> Iterator[Received | Rejected]:
    request = HttpRequest(method="POST", url="https://agents.example/inbox", body=body)
    yield drive(mail.receive(body, **FACTS), WORLD)
    yield drive(a2a.receive(request, **FACTS), WORLD)
    yield drive(activitypub.receive(request, **FACTS), WORLD)


def edited(draw):
    """An honest unit with some bytes cut out, doubled or exchanged."""
    unit = draw(st.sampled_from([A2A, CREATE, MAIL]))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(unit)))
        end = min(len(unit), start + draw(st.integers(0, 12)))
        unit = unit[:start] + draw(st.sampled_from([b"", unit[start:end] * 2]) | st.binary(max_size=4)) + unit[end:]
    return unit


@given(st.binary(max_size=200) | st.composite(edited)())
def test_law_2_any_bytes_are_received_or_rejected(body):
    for outcome in doors(body):
        assert isinstance(outcome, (Received, Rejected))
        if isinstance(outcome, Rejected):
            assert outcome.code in mentionable.CODES
        else:
            assert {note.code for note in outcome.diagnostics} <= set(mentionable.CODES)
            assert not any(message.sender.verified for message in outcome.messages)
            for message in outcome.messages:
                assert decode_trusted(NormalizedMessage, dumps(message)) == message


def test_honest_units_are_received_by_their_doors():
    expected = {MAIL: 0, A2A: 1, CREATE: 2}
    for unit, door in expected.items():
        assert isinstance(list(doors(unit))[door], Received)


@given(st.composite(edited)())
def test_law_3_the_same_inputs_give_the_same_outcome(body):
    assert list(doors(body)) == list(doors(body))


EVERY = "5"
"""Of the conformance cases; `.ci/nightly seeds` looks at all, under more seeds."""


def test_law_3_also_in_other_processes_with_another_hash_seed():
    program = Path(__file__).with_name("law_three.py")
    digests = {}
    for seed in ("0", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, str(program), EVERY]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr
        digests[seed] = done.stdout
    assert len(set(digests.values())) == 1, digests
    assert len(digests["0"].splitlines()) >= 3


@settings(max_examples=20)
@given(strategies.messages())
def test_strategies_make_what_the_public_constructors_take(message):
    members = {a.name: getattr(message, a.name) for a in attrs.fields(NormalizedMessage)}
    assert NormalizedMessage(**members) == message


PEERS = {
    "cavage": Peer.activitypub("@alice@social.example"),
    "rfc9421": Peer.activitypub("@alice@social.example"),
    "proof": Peer.activitypub("@alice@social.example"),
    "email": Peer.mail("@alice@a.example"),
    "a2a": Peer.a2a("@bot@b.example"),
}


def signed(form):
    """A unit that a peer signed, as one text of bytes, and the way to receive such bytes."""
    peer = PEERS[form]
    facts = {"recipient": "@helper@agents.example", "now": NOW, "entropy": bytes(32)}
    if form == "email":
        return peer.write("Hello", to="@helper@agents.example", now=NOW), lambda raw: mail.receive(raw, **facts)
    if form == "a2a":
        request, door = peer.write("Hello", now=NOW), a2a.receive
        facts["settings"] = a2a.Settings(token_issuers=(peer.trusted(),))
    else:
        request, door = peer.write("Hello", to="https://agents.example/a", now=NOW, form=form), activitypub.receive
    head = "\n".join(f"{name}: {value}" for name, value in request.headers).encode()

    def receive(unit):
        lines, _, body = unit.partition(b"\n\n")
        headers = [line.partition(": ")[::2] for line in lines.decode("latin-1").split("\n")]
        return door(HttpRequest(method="POST", url=request.url, headers=headers, body=body), **facts)

    return head + b"\n\n" + request.body, receive


def what_it_says(message):
    """Sender and words: DKIM does not cover how many blanks and empty lines there are."""
    return message.sender.address, [part.content.split() for part in message.parts], message.in_reply_to


@pytest.mark.parametrize("form", PEERS)
def test_law_5_without_the_key_in_an_answer_nobody_is_verified(form):
    unit, receive = signed(form)
    assert drive(receive(unit), answers(PEERS[form])).message.sender.verified
    keys = [row for row in PEERS[form].lookups if "jwks" in row or "_domainkey" in row or "/users/" in row]
    missing = {row: {"failed": "not there"} for row in keys}
    other = {
        row: found for row, found in type(PEERS[form])(address=Address("@eve@e.example")).lookups.items() if row in keys
    }
    for lookups in (missing, {**missing, **other}):
        outcome = drive(receive(unit), answers(PEERS[form], lookups=lookups))
        assert isinstance(outcome, Rejected) or not outcome.message.sender.verified


@pytest.mark.parametrize("form", PEERS)
@given(data=st.data())
def test_law_5_what_was_changed_is_not_verified_as_something_else(form, data):
    unit, receive = signed(form)
    at = data.draw(st.integers(0, len(unit) - 1))
    changed = unit[:at] + data.draw(st.binary(max_size=2)) + unit[at + 1 :]
    outcome = drive(receive(changed), answers(PEERS[form]))
    if isinstance(outcome, Received) and outcome.message.sender.verified:
        honest = drive(receive(unit), answers(PEERS[form])).message
        if form == "a2a":  # a token covers who calls, and nothing of the body
            assert outcome.message.sender.address == honest.sender.address
        else:
            assert what_it_says(outcome.message) == what_it_says(honest)
