"""Signing."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from mentionable import Answers, UsageError, drive, mail
from tests.mail.receiving import NOW
from tests.mail.signed import ED, MAIL, SECONDS, Zone, dkimpy_says, record, rsa_key, signing_key, verify


@pytest.mark.parametrize("kind", ["ed25519", "rsa"])
def test_what_is_signed_here_is_verified_here_and_there(kind: str) -> None:
    key = signing_key(kind)
    zone = Zone({key.key_id: [mail.dkim_record(key).encode()]})
    raw = mail.sign(MAIL, key=key, now=NOW, lifetime=timedelta(days=1))
    assert raw.endswith(b"\r\n" + MAIL)
    assert verify(raw, zone).verified
    assert dkimpy_says(raw, zone)


def test_what_a_signature_says() -> None:
    raw = mail.sign(MAIL, key=signing_key(), now=NOW, lifetime=timedelta(minutes=5))
    field = raw.removesuffix(MAIL).decode()
    text = field.replace("\r\n\t", " ")
    assert text.startswith("DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed; d=a.example; s=s; t=")
    assert f"t={SECONDS}; x={SECONDS + 300}; h=from:subject:date:to:message-id:from:to:cc:" in text
    assert max(map(len, field.split("\r\n"))) <= 78
    assert raw == mail.sign(MAIL, key=signing_key(), now=NOW, lifetime=timedelta(minutes=5))
    assert b"x=" not in mail.sign(MAIL, key=signing_key(), now=NOW)


def test_every_field_that_is_worth_it_is_signed() -> None:
    extra = b"".join(
        name + b": x\r\n"
        for name in (b"Resent-To", b"Received", b"X-Mentionable-Policy", b"Resent-To", b"List-Id", b"X-Other", b"Cc")
    )
    raw = mail.sign(extra + MAIL, key=signing_key(), now=NOW)
    field = raw.partition(b"bh=")[0].decode().replace("\r\n\t", "").replace(" ", "")
    names = field.partition("h=")[2].rstrip(";").split(":")
    assert names == [
        "from", "subject", "date", "to", "cc", "resent-to", "resent-to", "list-id", "message-id",
        "x-mentionable-policy",
        "from", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references", "reply-to",
        "mime-version", "content-type", "content-transfer-encoding", "content-disposition", "x-mentionable-policy",
    ]  # fmt: skip
    assert max(map(len, raw.split(b"\r\n\r\n")[0].split(b"\r\n"))) <= 78
    assert verify(raw).verified


@pytest.mark.parametrize(
    "field",
    [
        b"Content-Type: text/html",
        b"References: <1@b.example>",
        b"Subject: Ho",
        b"From: eve@e.example",
        b"X-Mentionable-Policy: e30=",
    ],
)
def test_nobody_can_add_a_field_that_shapes_the_message(field: bytes) -> None:
    raw = mail.sign(b"From: alice@a.example\r\n\r\nHello\r\n", key=signing_key(), now=NOW)
    assert verify(raw).verified
    assert not verify(field + b"\r\n" + raw).verified
    assert not verify(raw.replace(b"From:", field + b"\r\nFrom:")).verified


def test_a_mail_of_lf_lines_comes_back_as_it_is_sent() -> None:
    raw = mail.sign(MAIL.replace(b"\r\n", b"\n"), key=signing_key(), now=NOW)
    assert raw == mail.sign(MAIL, key=signing_key(), now=NOW)
    view: Any = memoryview(MAIL)
    assert raw == mail.sign(view, key=signing_key(), now=NOW)


@pytest.mark.parametrize("raw", [b"From: alice@a.example\r\n\r\n", b"From: alice@a.example\r\n"])
def test_a_mail_may_be_short(raw: bytes) -> None:
    assert verify(mail.sign(raw, key=signing_key(), now=NOW)).verified


def test_long_names_have_a_line_of_their_own() -> None:
    domain, selector = ".".join(["a" * 60] * 3), "b" * 50
    key = signing_key(key_id=f"{selector}._domainkey.{domain}")
    raw = mail.sign(b"From: alice@" + domain.encode() + b"\r\n\r\n", key=key, now=NOW)
    verdict = drive(mail.verify(raw, now=NOW), Answers(lookup_txt=lambda _: [record()]))
    assert (verdict.verified, verdict.key_id) == (True, key.key_id)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"no head",
        b"To: a@b.example\r\n\r\n",
        b"From: alice@a.example\r\n" + MAIL,
        b"Subject: x\r\n" + MAIL,
        b"X : y\r\n" + MAIL,
        b"\xef\xbb\xbf" + MAIL,
        MAIL + b"one\ntwo\r\n",
        b"X: a\x0bb\r\n" + MAIL,
    ],
)
def test_a_mail_that_can_be_read_in_two_ways_is_not_signed(raw: bytes) -> None:
    with pytest.raises(UsageError):
        mail.sign(raw, key=signing_key(), now=NOW)


def test_a_signature_that_nobody_would_read_is_not_made() -> None:
    with pytest.raises(UsageError, match="so many fields"):
        mail.sign(b"Resent-From: a\r\n" * 700 + MAIL, key=signing_key(), now=NOW)


@pytest.mark.parametrize("raw", ["From: x", None])
def test_only_bytes_are_signed(raw: Any) -> None:
    with pytest.raises(UsageError):
        mail.sign(raw, key=signing_key(), now=NOW)


@pytest.mark.parametrize("key", ["2026._domainkey.a.example", None])
def test_only_keys_sign(key: Any) -> None:
    with pytest.raises(UsageError, match="key must be a SigningKey"):
        mail.sign(MAIL, key=key, now=NOW)
    with pytest.raises(UsageError, match="key must be a SigningKey"):
        mail.dkim_record(key)


@pytest.mark.parametrize("key_id", ["s.a.example", "._domainkey.a.example", "s._domainkey.com", "https://a.example/k"])
def test_the_id_of_a_key_names_where_it_is_published(key_id: str) -> None:
    with pytest.raises(UsageError, match=r"<selector>\._domainkey\.<domain>"):
        mail.sign(MAIL, key=signing_key(key_id=key_id), now=NOW)
    with pytest.raises(UsageError):
        mail.dkim_record(signing_key(key_id=key_id))


@pytest.mark.parametrize("change", [{"now": datetime(2026, 1, 1)}, {"lifetime": timedelta(0)}])  # noqa: DTZ001
def test_a_wrong_time_is_the_callers_fault(change: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        mail.sign(MAIL, **{"key": signing_key(), "now": NOW, **change})


def test_the_record_is_what_the_key_is() -> None:
    assert mail.dkim_record(signing_key()).encode() == record(ED)
    assert mail.dkim_record(signing_key("rsa")).encode() == record(rsa_key())
