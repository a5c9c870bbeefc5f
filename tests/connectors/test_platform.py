from datetime import UTC, datetime

import pytest

from mentionable import SenderProfile, Settings, WireError, encode
from mentionable.connectors._platform import (
    PLATFORM_ONLY,
    Account,
    account_address,
    evidence_of,
    sender_of,
)
from mentionable.connectors._receive_context import ReceiveContext
from mentionable.connectors._remote_file import RemoteFile, file_parts
from mentionable.connectors.files import FileKey

NOW = datetime(2026, 11, 21, tzinfo=UTC)
ADDRESS = account_address("U1", "T1", "tavern")
OBSERVED = {"issuer": "tavern.example", "audience": "@helper@agents.example", "event_id": "tavern:1", "now": NOW}


def account(profile=None):
    return Account(
        platform="tavern",
        address=ADDRESS,
        subject="tavern:T1/U1",
        method="urn:mentionable:auth:tavern-guest:v0.1",
        profile=profile,
    )


def test_an_account_has_an_address_where_nobody_can_be_written_to():
    assert ADDRESS == "@U1@t1.tavern.invalid"


@pytest.mark.parametrize("ids", [("U 1", "T1", "tavern"), ("U1", "", "tavern"), ("U1", "T.1", "tavern"), ("", "x")])
def test_ids_that_make_no_address_are_refused(ids):
    with pytest.raises(WireError, match="sender-unaddressable"):
        account_address(*ids)


def test_a_sender_has_the_evidence_of_its_account():
    profile = SenderProfile(display_name="Alice")
    sender = sender_of(account(profile), evidence_of(account(profile), **OBSERVED, channel=None))
    assert (sender.display_name, sender.profile, sender.verified) == ("Alice", profile, False)
    (evidence,) = sender.identities
    assert encode(evidence)["claims"] == {"profile": {"display_name": "Alice"}}
    assert encode(evidence)["source"] == {"transport": "tavern", "connector": "tavern-connector"}


def test_a_sender_without_evidence_has_no_identities():
    sender = sender_of(account())
    assert (sender.display_name, sender.identities) == (None, None)


def test_evidence_names_the_channel():
    evidence = evidence_of(account(), **OBSERVED, channel="C1")
    assert (evidence.claims, evidence.id, evidence.assurance) == (None, "tavern:1", "platform")
    assert encode(evidence)["source"] == {"transport": "tavern", "connector": "tavern-connector", "channel": "C1"}


def test_the_verdict_shows_no_address():
    assert (PLATFORM_ONLY.method, PLATFORM_ONLY.verified, PLATFORM_ONLY.code) == ("none", False, "platform-only")


def out(held, key):
    intake = ReceiveContext(now=NOW, entropy=bytes(32), settings=Settings(), issuer="tavern.example", files=key)
    facts = {"context": intake, "agent": "@helper@agents.example", "provider": "tavern", "turn": "tavern:C1/1"}
    return file_parts(held, **facts, place=("T1", "C1"))


def test_files_are_given_out_or_named():
    held = [
        RemoteFile.parse("F1", "/files/0", name="a/b.pdf", mime="application/pdf", size=3),
        RemoteFile.parse("F2", "/files/1", name=5, mime=5, size="x"),
    ]
    (first, second), notes = out(held, FileKey.from_secret(bytes(range(32)), key_id="k"))
    assert (first.name, first.mime, first.size_bytes) == ("b.pdf", "application/pdf", 3)
    assert (second.name, second.mime, second.size_bytes) == (None, "application/octet-stream", None)
    assert first.bytes_ref.url != second.bytes_ref.url
    assert notes == []
    parts, notes = out(held, None)
    assert parts == []
    assert [(note.code, note.at) for note in notes] == [
        ("part-unsupported", "/files/0"),
        ("part-unsupported", "/files/1"),
    ]
    assert notes[1].detail.startswith("a file (application/octet-stream)")
