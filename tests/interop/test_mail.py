"""Mail that others signed verifies here, and what is signed here verifies with them."""

from __future__ import annotations

import base64
import re
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from mentionable import SigningKey, drive, mail
from mentionable.testing import LookupTable
from tests import setup_interop
from tests.interop import foreign
from tests.interop.milter import signed_by_milter

FLOOR = 218
KEYS = Path(__file__).resolve().parents[2] / "conformance" / "keys"
NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
DOMAIN = "a.example"


class Key:
    def __init__(self, kind):
        self.kind, self.algorithm, self.selector = kind, f"{kind}-sha256", kind
        self.pem = (KEYS / f"mail-{kind}.pem").read_text()
        self.ours = SigningKey.from_pem(self.pem, key_id=f"{kind}._domainkey.{DOMAIN}")
        native = load_pem_private_key(self.pem.encode(), None)
        self.seed, self.pkcs1 = "", ""
        if kind == "ed25519":
            raw = native.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
            self.seed = base64.b64encode(raw).decode()
        else:
            traditional = native.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
            self.pkcs1 = traditional.decode()

    def __repr__(self):
        return self.kind

    @property
    def records(self):
        return {self.ours.key_id: [mail.dkim_record(self.ours)]}


RSA, ED25519 = Key("rsa"), Key("ed25519")
KEYS_OF_BOTH_KINDS = pytest.mark.parametrize("key", [RSA, ED25519], ids=repr)
HEAD = (
    b"From: Alice <alice@a.example>\r\nTo: helper@agents.example\r\nDate: Sat, 21 Nov 2026 20:55:00 +0000\r\n"
    b"Message-ID: <1@a.example>\r\nMIME-Version: 1.0\r\n"
)
MAILS = {
    "plain": HEAD + b"Subject: Hi\r\n\r\nHello\r\n",
    "folded": HEAD
    + b"Subject: a long\r\n\t subject  of\r\n   three lines \r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Transfer-Encoding: 8bit\r\n\r\nGr\xc3\xbc\xc3\x9fe  \t \r\n\r\n  x \t y\r\n\r\n\r\n",
    "empty": HEAD + b"Subject:\r\nReferences: <0@a.example>\r\n\t<2@b.example>\r\n\r\n",
    "long": HEAD + b"Subject: Many lines\r\n\r\n" + b"".join([b"line %d \t\r\n" % n for n in range(400)]),
    "parts": HEAD + b'Content-Type: multipart/alternative; boundary="=_b"\r\nX-Odd:  1\r\nSubject: Parts\r\n\r\n'
    b"--=_b\r\nContent-Type: text/plain\r\n\r\nHello\r\n--=_b\r\nContent-Type: text/html\r\n\r\n"
    b"<p>Hello</p>\r\n--=_b--\r\n",
}
FORMS = ("simple/simple", "simple/relaxed", "relaxed/simple", "relaxed/relaxed")
ALL_MAILS = pytest.mark.parametrize("name", list(MAILS))
ALL_FORMS = pytest.mark.parametrize("form", FORMS)


def packed(data):
    return base64.b64encode(data).decode()


def world(records):
    policy = {f"_dmarc.{DOMAIN}": ["v=DMARC1; p=reject"]}
    return LookupTable({f"TXT {name}": found for name, found in {**policy, **records}.items()})


def verdict_of(raw, records, now):
    return drive(mail.verify(raw, now=now), world(records))


def assert_shown(raw, key, now=NOW):
    """It verifies, and with another subject or another body it does not."""
    verdict = verdict_of(raw, key.records, now)
    assert (verdict.code, verdict.detail) == (None, "")
    assert (verdict.verified, verdict.method, verdict.address) == (True, "email-dkim", "@alice@a.example")
    assert verdict.key_id == key.ours.key_id
    forged = raw.replace(b"\r\nSubject:", b"\r\nSubject: not", 1)
    assert verdict_of(forged, key.records, now).code == "bad-signature"
    assert verdict_of(raw + b"x\r\n", key.records, now).code == "digest-mismatch"


@KEYS_OF_BOTH_KINDS
@ALL_FORMS
@ALL_MAILS
def test_mail_that_dkimpy_signs_verifies_here(other_python, count, key, form, name):
    facts = {"pem": key.pkcs1, "seed": key.seed, "domain": DOMAIN, "selector": key.selector, "algorithm": key.algorithm}
    fields = ["from", "to", "subject", "date", "message-id"]
    signed = other_python("dkimpy.sign", message=packed(MAILS[name]), canonicalization=form, fields=fields, **facts)
    assert_shown(base64.b64decode(signed), key, datetime.now(UTC))
    count()


@KEYS_OF_BOTH_KINDS
@ALL_FORMS
@ALL_MAILS
def test_mail_that_mailauth_signs_verifies_here(node, count, key, form, name):
    facts = {"pem": key.pem, "domain": DOMAIN, "selector": key.selector, "algorithm": key.algorithm}
    times = {"now": "2026-11-21T20:55:30Z", "expires": "2026-11-28T20:55:30Z"}
    signed = base64.b64decode(
        node("mailauth.sign", message=packed(MAILS[name]), canonicalization=form, **facts, **times)
    )
    assert_shown(signed, key)
    assert verdict_of(signed, key.records, NOW + timedelta(days=8)).code == "expired"
    count()


@ALL_FORMS
@ALL_MAILS
def test_mail_that_perl_signs_verifies_here(perl, count, form, name):
    facts = {"pem": RSA.pkcs1, "domain": DOMAIN, "selector": RSA.selector}
    signed = perl("perl.sign", message=packed(MAILS[name]), canonicalization=form, **facts)
    assert_shown(base64.b64decode(signed), RSA)
    count()


@pytest.fixture(scope="module")
def milter(tmp_path_factory):
    """A signer in Go, at a UNIX socket; it says on stderr when it listens."""
    foreign.needs(setup_interop.DEBIAN_HOME)
    path = tmp_path_factory.mktemp("milter") / "socket"
    program = setup_interop.DEBIAN_HOME / "usr/bin/dkim-milter"
    options = ["-l", f"unix://{path}", "-d", DOMAIN, "-s", RSA.selector, "-k", str(KEYS / "mail-rsa.pem")]
    with subprocess.Popen([str(program), *options], stderr=subprocess.PIPE) as process:
        try:
            assert b"listening" in process.stderr.readline()
            yield path
        finally:
            process.terminate()


# The milter protocol carries a field without the space after its colon, so a field without one is not what was signed.
@pytest.mark.parametrize("name", [name for name in MAILS if name != "empty"])
def test_mail_that_a_program_in_go_signs_verifies_here(milter, count, name):
    signed = signed_by_milter(milter, MAILS[name], mail_from="alice@a.example", rcpt_to="helper@agents.example")
    assert signed.startswith(b"DKIM-Signature:")
    assert_shown(signed, RSA, datetime.now(UTC))
    count()


@KEYS_OF_BOTH_KINDS
@pytest.mark.parametrize("lifetime", [None, timedelta(days=1)])
@ALL_MAILS
def test_mail_that_is_signed_here_verifies_with_others(other_python, node, perl, count, key, lifetime, name):
    signed = mail.sign(MAILS[name], key=key.ours, now=datetime.now(UTC), lifetime=lifetime)
    forged = signed.replace(b"\r\nSubject:", b"\r\nSubject: not", 1)
    later = (datetime.now(UTC) + timedelta(seconds=10)).isoformat()
    good, bad = ({"message": packed(raw), "records": key.records} for raw in (signed, forged))
    assert other_python("dkimpy.verify", **good) == [["pass", None]]
    assert other_python("dkimpy.verify", **bad) == [["fail", None]]
    assert node("mailauth.verify", **good, now=later) == [["pass", DOMAIN]]
    assert node("mailauth.verify", **bad, now=later) == [["fail", DOMAIN]]
    count(4)
    if key is RSA:  # Debian's Mail::DKIM knows RSA alone
        assert perl("perl.verify", **good) == [["pass", DOMAIN]]
        assert perl("perl.verify", **bad) == [["fail", DOMAIN]]
        count(2)


def test_a_mail_with_the_signatures_of_everybody_verifies_everywhere(other_python, node, perl, count):
    facts = {"domain": DOMAIN, "canonicalization": "relaxed/relaxed"}
    raw = packed(MAILS["folded"])
    raw = perl("perl.sign", message=raw, pem=RSA.pkcs1, selector="rsa", **facts)
    dates = {"now": datetime.now(UTC).isoformat(), "pem": ED25519.pem, "algorithm": "ed25519-sha256"}
    raw = node("mailauth.sign", message=raw, selector="ed25519", expires=None, **dates, **facts)
    raw = packed(mail.sign(base64.b64decode(raw), key=RSA.ours, now=datetime.now(UTC)))
    records = RSA.records | ED25519.records
    now = datetime.now(UTC) + timedelta(seconds=10)
    assert verdict_of(base64.b64decode(raw), records, now).verified
    got = drive(
        mail.receive(base64.b64decode(raw), recipient="@helper@agents.example", now=now, entropy=bytes(32)),
        LookupTable({"MESSAGE *": None, "HISTORY *": [], **{f"TXT {name}": found for name, found in records.items()}}),
    )
    assert [one["status"] for one in got.message.raw["dkim"]["results"]] == ["pass"] * 3
    found = node("mailauth.verify", message=raw, records=records, now=now.isoformat())
    assert [status for status, _ in found] == ["pass"] * 3
    assert [status for status, _ in other_python("dkimpy.verify", message=raw, records=records)] == ["pass"] * 3
    count(9)


SOURCES = setup_interop.SOURCES_HOME / "dkimpy"


def record_in(name, selector):
    """A key record as it stands in the tests of dkimpy: written over several lines, which a backslash joins."""
    text = (SOURCES / name).read_text()
    found = re.search(rf"'{re.escape(selector)}': \"\"\"((?:[^\"\\]|\\\n)+)\"\"\"", text)
    return found[1].replace("\\\n", "")


def fixtures():
    """File → the records of its time, and what comes of each of its signatures here."""
    if not setup_interop.is_made(setup_interop.SOURCES_HOME):
        foreign.needs(setup_interop.SOURCES_HOME)
    rfc8463 = {
        "brisbane._domainkey.football.example.com": [
            record_in("test_dkim_ed25519.py", "brisbane._domainkey.football.example.com.")
        ],
        "test._domainkey.football.example.com": [(SOURCES / "test.txt").read_text()],
    }
    gmail = {"20120113._domainkey.gmail.com": [record_in("test_dkim.py", "20120113._domainkey.gmail.com.")]}
    exim = {"sed._domainkey.test.ex": [(SOURCES / "eximtest.dns").read_text()]}
    return [
        ("rfc6376.signed.msg", rfc8463, ["pass", "pass"]),
        ("rfc6376.signed.rsa.msg", rfc8463, ["pass"]),
        ("test2.message", gmail, ["pass"]),
        ("ed25519test2.msg", exim, ["pass"]),
    ]


def test_the_signed_mails_of_dkimpy_come_out_here_as_they_do_there(other_python, count):
    for name, records, expected in fixtures():
        raw = (SOURCES / name).read_bytes()
        rows = {f"TXT {key}": found for key, found in records.items()}
        table = LookupTable({"MESSAGE *": None, "HISTORY *": [], "TXT *": [], **rows})
        facts = {"recipient": "@helper@agents.example", "now": NOW, "entropy": bytes(32)}
        got = drive(mail.receive(raw, **facts), table)
        assert [(one["status"], one.get("detail", "")) for one in got.message.raw["dkim"]["results"]] == [
            (status, "") for status in expected
        ], name
        theirs = other_python("dkimpy.verify", message=packed(raw), records=records)
        assert [status for status, _ in theirs] == expected, name
        assert got.message.sender.verified == name.startswith("rfc6376")
        count(len(expected))
