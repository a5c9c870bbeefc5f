from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256

import pytest

from mentionable import (
    CODES,
    Diagnostic,
    FindMessage,
    LimitError,
    Problem,
    Received,
    Rejected,
    StoredMessage,
    UsageError,
    Verdict,
    WireError,
    activitypub,
    drive,
    replace,
)
from mentionable._errors.exceptions import error_of
from mentionable._flow.outcome import rejected
from mentionable.testing import Peer, answers
from tests.samples import SAMPLES

NOW, HELPER = datetime(2026, 11, 21, 20, 56, tzinfo=UTC), "https://agents.example/actors/helper"

UNSIGNED = Verdict(method="none", verified=False, code="unsigned")


def test_a_verdict_has_a_code_exactly_when_it_is_not_verified():
    Verdict(method="email-dkim", verified=True, address="@a@b.example")
    for verified, code in ((True, "unsigned"), (False, None)):
        with pytest.raises(UsageError, match="a verdict has a code exactly when it is not verified"):
            Verdict(method="email-dkim", verified=verified, code=code)
    with pytest.raises(UsageError, match="names the method"):
        Verdict(method="none", verified=True)


def test_only_a_verified_verdict_has_evidence():
    with pytest.raises(UsageError, match="only a verified verdict has evidence"):
        Verdict(method="none", verified=False, code="unsigned", evidence=SAMPLES["IdentityEvidence"])


@pytest.mark.parametrize("count", [0, 2])
def test_the_message_is_there_only_when_there_is_one(count):
    received = Received(messages=("m",) * count, native_id="<1@a.example>", verdict=UNSIGNED)
    with pytest.raises(UsageError, match=f"there are {count} messages, not one"):
        _ = received.message


def test_one_message_is_the_message():
    received = Received(messages=("m",), native_id="<1@a.example>", verdict=UNSIGNED, blobs={"00": b"secret"})
    assert received.message == "m"
    assert "secret" not in repr(received)


def test_what_is_to_be_stored_is_known_under_each_id_for_each_recipient():
    alice = Peer.activitypub("@alice@social.example")
    request = alice.write("Hello", to=HELPER, now=NOW)
    flow = activitypub.receive(request, recipient="@helper@agents.example", now=NOW, entropy=bytes(32))
    got = drive(flow, answers(alice))
    known = StoredMessage(
        id=got.message.id,
        thread_id=got.message.thread_id,
        sender="@alice@social.example",
        auth_method="ap-http-signature",
        verified=True,
        digest=sha256(b'[{"kind":"text","content":"<p>Hello</p>","mime":"text/html"}]').hexdigest(),
    )
    assert len(got.aliases) == 1
    assert got.to_store == {(one, "@helper@agents.example"): known for one in (got.native_id, *got.aliases)}
    two = replace(got, messages=(got.message, replace(got.message, recipient="@other@agents.example")))
    assert {recipient for _, recipient in two.to_store} == {"@helper@agents.example", "@other@agents.example"}

    again = answers(alice)
    stored = drive(
        activitypub.receive(request, recipient="@helper@agents.example", now=NOW, entropy=bytes([1]) * 32),
        lambda ask: got.to_store.get((ask.native_id, ask.recipient)) if isinstance(ask, FindMessage) else again(ask),
    )
    assert (stored.message.id, [note.code for note in stored.diagnostics]) == (got.message.id, ["redelivered"])


@pytest.mark.parametrize("code", [code for code, info in CODES.items() if info.kind == "note"])
def test_a_note_rejects_nothing(code):
    with pytest.raises(UsageError, match=f"{code} rejects nothing"):
        Rejected(code=code)


@pytest.mark.parametrize("code", [code for code, info in CODES.items() if info.kind != "note"])
def test_a_rejection_tells_each_protocol_what_to_answer(code):
    no, info = Rejected(code=code), CODES[code]
    assert (no.http_status, no.jsonrpc_code, no.temporary) == (info.http, info.jsonrpc, info.temporary)
    assert no.smtp_reply == f"{info.smtp} {info.text}"
    assert isinstance(no.error, WireError)


def test_a_rejection_comes_from_an_error_and_becomes_one():
    error = error_of("too-deep", [Problem("/a", "nested deeper than 64")])
    no = rejected(error)
    assert no == Rejected(code="too-deep", problems=(Problem("/a", "nested deeper than 64"),))
    assert type(no.error) is LimitError
    assert str(no) == str(error) == str(no.error) == "too-deep; /a: nested deeper than 64"


def test_the_peer_is_not_told_the_problems():
    no = Rejected(code="malformed", problems=(Problem("/token", "looks like hunter2"),))
    assert "hunter2" not in no.smtp_reply


def test_a_diagnostic_is_a_value():
    assert Diagnostic(code="unsigned") == Diagnostic(code="unsigned", at="", detail="", temporary=False)
    assert hash(Diagnostic(code="unsigned")) != hash(Diagnostic(code="unsigned", at="/x"))
