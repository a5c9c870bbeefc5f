"""Chains that others sealed are valid here, and what is no valid chain here is none to them."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

import pytest

from mentionable import drive, mail
from mentionable.testing import LookupTable
from tests.mutants._email import bytes_of
from tests.suite_cases import every_case
from tests.vectors import KEYS
from tests.vectors._email_sealing import CHANGED, EVIL, HOP, LIST, PASS, sealed
from tests.vectors._email_signing import RSA, record

FLOOR = 167
NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
RECORDS = {f"s._domainkey.{domain}": [record(RSA)] for domain in (LIST, HOP)} | {"s._domainkey.a.example": [record()]}
PEM = (KEYS / f"{RSA}.pem").read_text()
TRUSTED = mail.Settings(trusted_arc_sealers=(LIST, HOP))
CASES = [case for case in every_case() if "/verify-arc/" in case.id]
OTHERWISE = {
    "ed25519": {"perl"},  # it knows RSA alone in a chain
    "sealed-in-the-future": {"mailauth", "perl"},  # they compare no times of seals with the clock
    "signed-in-the-future": {"mailauth", "perl"},
    "seal-with-a-body": {"mailauth", "perl"},
    "key-testing": {"mailauth", "perl"},
    "two-subjects": {"mailauth", "perl"},  # what is ambiguous is not validated here
    "seal-names-fields": {"perl"},
    "from-unsigned": {"perl"},
    "too-many": {"perl"},
}
"""Chains of which others say something else. But for the first, they pass there and not here."""


def packed(raw):
    return base64.b64encode(raw).decode()


def verdict_of(raw, records=RECORDS, now=None):
    world = LookupTable({**{f"TXT {name}": found for name, found in records.items()}, "TXT *": []})
    return drive(mail.verify(raw, now=now or datetime.now(UTC), settings=TRUSTED), world)


def seal_by(peer, program, raw, domain, cv):
    more = {"results": PASS, "cv": cv, "records": RECORDS}
    return base64.b64decode(peer(f"{program}.seal", message=packed(raw), pem=PEM, domain=domain, selector="s", **more))


@pytest.mark.parametrize("program", ["mailauth", "perl"])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_a_chain_that_others_seal_verifies_here(node, perl, count, program, hops):
    raw, peer = CHANGED, {"mailauth": node, "perl": perl}[program]
    for hop in range(hops):
        raw = seal_by(peer, program, raw, (LIST, HOP)[hop % 2], "pass" if hop else "none")
    assert verdict_of(raw).verified
    assert not verdict_of(raw + b"x\r\n").verified
    assert not verdict_of(raw.replace(b"\r\nSubject:", b"\r\nSubject: not", 1)).verified
    count(3)


@pytest.mark.parametrize("hops", [1, 2, 5])
def test_chains_of_several_programs_verify_everywhere(node, perl, count, hops):
    raw = CHANGED
    for hop in range(hops):
        domain, cv = (LIST, HOP)[hop % 2], "pass" if hop else "none"
        raw = [
            lambda raw, domain, _: sealed(raw, domain),
            lambda raw, domain, cv: seal_by(node, "mailauth", raw, domain, cv),
            lambda raw, domain, cv: seal_by(perl, "perl", raw, domain, cv),
        ][hop % 3](raw, domain, cv)
    assert verdict_of(raw).verified
    asked = {"message": packed(raw), "records": RECORDS}
    assert node("mailauth.chain", **asked, now=datetime.now(UTC).isoformat()) == "pass"
    assert perl("perl.chain", **asked) == "pass"
    count(3)


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_others_say_of_each_chain_of_the_suite_what_is_said_here(node, perl, count, case):
    raw, rows = bytes_of(case.input), case.given["lookups"]
    records = {row[4:]: found for row, found in rows.items() if row[:4] == "TXT " and isinstance(found, list) and found}
    everybody = mail.Settings(trusted_arc_sealers=(LIST, HOP, EVIL, f"x.{LIST}"))
    flow = mail.receive(raw, recipient="@helper@agents.example", now=NOW, entropy=bytes(32), settings=everybody)
    ours = drive(flow, LookupTable({**rows, "MESSAGE *": None, "HISTORY *": []})).message.raw.get("arc", {})
    asked = {"message": packed(raw), "records": records}
    passes = {
        "mailauth": node("mailauth.chain", **asked, now=NOW.isoformat()) == "pass",
        "perl": perl("perl.chain", **asked) == "pass",
    }
    expected = ours.get("status") == "pass"
    otherwise = OTHERWISE.get(case.id.rpartition("/")[2], set())
    assert {name for name, passed in passes.items() if passed != expected} == otherwise
    count(2)
