"""Signatures that others made: the examples of the RFCs, and the mails that dkimpy and authheaders are tested with."""

from typing import Final

import pytest

from tests.mail.signed import Zone, dkimpy_says, verify
from tests.mail.test_corpora import CORPORA
from tests.vectors import _email_published as published
from tests.vectors._email_published import BY_ED25519, BY_RSA, RFC6376, RSA, TEXT, crlf

ZONE: Final = {
    "test._domainkey.example.com": [RSA.encode()],
    **{ask.removeprefix("TXT "): [text.encode() for text in texts] for ask, texts in published.ZONE.items() if texts},
}


def test_the_example_of_rfc_6376() -> None:
    """Appendix A.2: the parent domain signs, so that it counts by DMARC, where there is a policy."""
    zone = Zone({**ZONE, "_dmarc.example.com": [b"v=DMARC1; p=none"]})
    verdict = verify(crlf(RFC6376), zone)
    assert (verdict.method, verdict.key_id) == ("email-dmarc", "brisbane._domainkey.example.com")
    assert verdict.address == "@joe@football.example.com"
    assert dkimpy_says(crlf(RFC6376), zone)
    unpublished = verify(crlf(RFC6376), Zone(ZONE))
    assert (unpublished.code, unpublished.steps[-1]) == ("not-aligned", "signature")
    assert verify(crlf(RFC6376.replace("game.", "same.")), zone).code == "not-aligned"


@pytest.mark.parametrize(
    ("signatures", "key_id"),
    [
        (BY_ED25519, "brisbane._domainkey.football.example.com"),
        (BY_RSA, "test._domainkey.football.example.com"),
        (BY_ED25519 + BY_RSA, "brisbane._domainkey.football.example.com"),
    ],
)
def test_the_examples_of_rfc_8463(signatures: str, key_id: str) -> None:
    raw = crlf(signatures + TEXT)
    verdict = verify(raw, Zone(ZONE))
    assert (verdict.method, verdict.verified, verdict.key_id) == ("email-dkim", True, key_id)
    assert all(dkimpy_says(raw, Zone(ZONE), index) for index in range(signatures.count("DKIM-Signature")))
    assert verify(raw.replace(b"lost", b"won"), Zone(ZONE)).code == "digest-mismatch"
    assert verify(raw.replace(b"dinner", b"supper"), Zone(ZONE)).code == "bad-signature"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("dkimpy/rfc6376.signed.msg", None),
        ("dkimpy/rfc6376.signed.rsa.msg", None),
        ("dkimpy/rfc6376.signed.no_t.msg", "bad-signature"),
        ("dkimpy/rfc6376.msg", "unsigned"),
        ("dkimpy/ed25519test2.msg", "not-aligned"),
        ("dkimpy/test.message.baddomain", "signature-malformed"),
        ("dkimpy/message.mbox", "key-unknown"),
        ("authheaders/test.message_signed", None),
        ("authheaders/test.message_multi", "sender-unaddressable"),
        ("authheaders/test.message_sub", "not-aligned"),
    ],
)
def test_the_mails_of_dkimpy_and_authheaders(name: str, code: str | None) -> None:
    path = CORPORA / name
    if not path.exists():
        pytest.skip("run python tests/setup_corpora.py")
    raw = path.read_bytes()
    zone = Zone(ZONE)
    assert verify(raw, zone).code == code
    assert dkimpy_says(raw, zone) == (code is None)
