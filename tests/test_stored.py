"""Whatever the pages tell a program to store is written and read back by one call each, and listed with its columns."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    HistoricalMessage,
    IdentityEvidence,
    NormalizedMessage,
    NormalizedResponse,
    StoredMessage,
    UsageError,
    VerifiedIdentity,
    anp,
    decode,
    decode_trusted,
    dumps,
    encode,
    ingest,
    policy,
)
from mentionable.testing import strategies
from tests.samples import IDENTITY

PAGE = Path(__file__).parent.parent / "docs" / "how-to" / "store-and-redeliver.md"
DIGESTS = st.binary(min_size=32, max_size=32).map(bytes.hex)


def issuances() -> st.SearchStrategy[policy.Issuance]:
    return st.builds(
        policy.Issuance,
        key=DIGESTS,
        kind=st.just("consent_required"),
        agent=strategies.addresses(),
        threads=st.lists(strategies.names(), max_size=2).map(tuple),
        principal=strategies.addresses(),
        principal_verified=st.booleans(),
        message_id=strategies.names(),
        issued_at=strategies.timestamps(),
        expires_at=strategies.timestamps(),
        aliases=st.lists(DIGESTS, max_size=2).map(tuple),
        subject=st.none() | strategies.names(),
        scope_hash=DIGESTS,
        failures=st.integers(0, 9),
        consumed=st.booleans(),
        extra=strategies.extra(),
    )


def lanes() -> st.SearchStrategy[anp.Lane]:
    number = st.integers(0, 10**6)
    turn = st.builds(
        anp.RunningTurn,
        id=strategies.names(),
        deadline=strategies.timestamps(),
        trigger=st.none() | strategies.names(),
        lease=st.none() | st.integers(1, 9),
        revision=st.none() | st.integers(1, 9),
        holder=st.none() | strategies.names(),
        extra=strategies.extra(),
    )
    return st.builds(
        anp.Lane,
        id=strategies.names(),
        version=number,
        turn=st.none() | turn,
        waiting=st.lists(strategies.names(), max_size=3).map(tuple),
        cursor=number,
        cursors=st.dictionaries(strategies.names(), number, max_size=2),
        extra=strategies.extra(),
    )


def seen() -> st.SearchStrategy[anp.Seen]:
    return st.builds(
        anp.Seen,
        id=strategies.names(),
        revision=st.integers(1, 9),
        lease=st.integers(1, 9),
        surface=st.sampled_from(["chat", "inbox"]),
        is_whole=st.booleans(),
        settled=st.sampled_from([None, "seen", "acknowledged", "withdrawn", "escalated"]),
        extra=strategies.extra(),
    )


def devices() -> st.SearchStrategy[anp.Device]:
    keys = anp.PushKeys(p256dh="B" + "A" * 86, auth="A" * 22)
    push = anp.PushSubscription(endpoint="https://push.example.net/1", keys=keys)
    return st.builds(
        anp.Device,
        id=strategies.names(),
        user_id=strategies.names(),
        cursor=st.integers(0, 2**53 - 1),
        push=st.sampled_from([None, push]),
        extra=strategies.extra(),
    )


def identities() -> st.SearchStrategy[VerifiedIdentity]:
    words = st.tuples(strategies.names(), strategies.names(), strategies.json_objects())
    shown = encode(IDENTITY)
    return words.map(
        lambda one: decode_trusted(VerifiedIdentity, {**shown, "issuer": one[0], "subject": one[1], "claims": one[2]})
    )


STORED: dict[Any, st.SearchStrategy[Any]] = {
    StoredMessage: strategies.known(),
    NormalizedMessage: strategies.messages(),
    HistoricalMessage: strategies.turns(),
    NormalizedResponse: strategies.responses(),
    IdentityEvidence: strategies.identity_evidence(),
    VerifiedIdentity: identities(),
    policy.Issuance: issuances(),
    ingest.IngestMessage: strategies.ingest_messages(),
    ingest.IngestMetadata: strategies.ingest_metadata(),
    anp.Notification: strategies.notifications(),
    anp.Effect: strategies.effects(),
    anp.Command: strategies.commands(),
    anp.Lane: lanes(),
    anp.Seen: seen(),
    anp.Device: devices(),
}
"""What the pages tell a program to store."""


def name_of(form: Any) -> str:
    return getattr(form, "__name__", None) or {anp.Effect: "Effect", anp.Command: "Command"}[form]


@pytest.mark.uncounted
@pytest.mark.parametrize("form", STORED, ids=name_of)
@given(data=st.data())
def test_what_a_host_stores_is_written_and_read_by_one_call_each(form: Any, data: st.DataObject) -> None:
    value = data.draw(STORED[form])
    row = dumps(value)
    again = decode_trusted(form, row)
    assert again == value
    assert dumps(again) == row


def test_the_page_lists_all_of_it_with_its_columns() -> None:
    table = PAGE.read_text().partition("## Everything that you store")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    listed = {name.rpartition(".")[2] for row in rows for name in re.findall(r"`([\w.]+)`", row.split("|")[1])}
    assert {name_of(form) for form in STORED} <= listed
    columns = {name: set(re.findall(r"`(\w+)`", row.split("|")[2])) for row in rows for name in [row.split("`")[1]]}
    for form, name in ((StoredMessage, "StoredMessage"), (policy.Issuance, "policy.Issuance"), (anp.Lane, "anp.Lane")):
        assert columns[name] == {a.name for a in attrs.fields(form)} - {"extra"}


def test_what_was_stored_is_nobodys_word() -> None:
    with pytest.raises(UsageError, match=r"from your own store alone, .*: restore\(\)"):
        decode(StoredMessage, {"id": "m", "thread_id": "t", "sender": "@a@a.example", "verified": True})
