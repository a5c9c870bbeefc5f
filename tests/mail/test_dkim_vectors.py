"""Signatures that others made: the examples of the RFCs, and the mails that dkimpy and authheaders are tested with."""

from typing import Final

import pytest

from tests.mail.signed import Zone, dkimpy_says, verify
from tests.mail.test_corpora import CORPORA

RSA: Final = (
    b"v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOK"
    b"b2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBf"
    b"O2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB"
)
ED25519: Final = b"v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
RFC6376: Final = (
    b"v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCj"
    b"xOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcW"
    b"ToIMmPSPDdQPNUYckcQ2QIDAQAB"
)
ZONE: Final = {
    "brisbane._domainkey.example.com": [RFC6376],
    "brisbane._domainkey.football.example.com": [ED25519],
    "test._domainkey.example.com": [RSA],
    "test._domainkey.football.example.com": [RSA],
}
FIELDS: Final = (
    "From: Joe SixPack <joe@football.example.com>\n"
    "To: Suzie Q <suzie@shopping.example.net>\n"
    "Subject: Is dinner ready?\n"
    "Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\n"
    "Message-ID: <20030712040037.46341.5F8J@football.example.com>\n"
)
RFC6376_A: Final = (
    "DKIM-Signature: v=1; a=rsa-sha256; s=brisbane; d=example.com;\n"
    "      c=simple/simple; q=dns/txt; i=joe@football.example.com;\n"
    "      h=Received : From : To : Subject : Date : Message-ID;\n"
    "      bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\n"
    "      b=AuUoFEfDxTDkHlLXSZEpZj79LICEps6eda7W3deTVFOk4yAUoqOB\n"
    "        4nujc7YopdG5dWLSdNg6xNAZpOPr+kHxt1IrE+NahM6L/LbvaHut\n"
    "        KVdkLLkpVaVVQPzeRDI009SO2Il5Lu7rDNH6mZckBdrIx0orEtZV\n"
    "        4bmp/YzhwvcubU4=;\n"
    "Received: from client1.football.example.com  [192.0.2.1]\n"
    "      by submitserver.example.com with SUBMISSION;\n"
    "      Fri, 11 Jul 2003 21:01:54 -0700 (PDT)\n"
    f"{FIELDS}\n"
    "Hi.\n\nWe lost the game. Are you hungry yet?\n\nJoe.\n"
)
RFC8463_ED25519: Final = (
    "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;\n"
    " d=football.example.com; i=@football.example.com;\n"
    " q=dns/txt; s=brisbane; t=1528637909; h=from : to :\n"
    " subject : date : message-id : from : subject : date;\n"
    " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\n"
    " b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus\n"
    " Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==\n"
)
RFC8463_RSA: Final = (
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\n"
    " d=football.example.com; i=@football.example.com;\n"
    " q=dns/txt; s=test; t=1528637909; h=from : to : subject :\n"
    " date : message-id : from : subject : date;\n"
    " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\n"
    " b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3\n"
    " DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz\n"
    " dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=\n"
)
RFC8463_MAIL: Final = f"{FIELDS}\nHi.\n\nWe lost the game.  Are you hungry yet?\n\nJoe.\n"


def crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


def test_the_example_of_rfc_6376() -> None:
    """Appendix A.2: the parent domain signs, so that it counts by DMARC, where there is a policy."""
    zone = Zone({**ZONE, "_dmarc.example.com": [b"v=DMARC1; p=none"]})
    verdict = verify(crlf(RFC6376_A), zone)
    assert (verdict.method, verdict.key_id) == ("email-dmarc", "brisbane._domainkey.example.com")
    assert verdict.address == "@joe@football.example.com"
    assert dkimpy_says(crlf(RFC6376_A), zone)
    unpublished = verify(crlf(RFC6376_A), Zone(ZONE))
    assert (unpublished.code, unpublished.steps[-1]) == ("not-aligned", "signature")
    assert verify(crlf(RFC6376_A.replace("game.", "same.")), zone).code == "not-aligned"


@pytest.mark.parametrize(
    ("signatures", "key_id"),
    [
        (RFC8463_ED25519, "brisbane._domainkey.football.example.com"),
        (RFC8463_RSA, "test._domainkey.football.example.com"),
        (RFC8463_ED25519 + RFC8463_RSA, "brisbane._domainkey.football.example.com"),
    ],
)
def test_the_examples_of_rfc_8463(signatures: str, key_id: str) -> None:
    raw = crlf(signatures + RFC8463_MAIL)
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
