"""The examples of RFC 6376 (appendix A) and RFC 8463 (appendix A): signatures that nobody here made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.vectors._email_rows import refused, shown

if TYPE_CHECKING:
    from tests.vectors._email_rows import Case

RSA = (
    "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOK"
    "b2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBf"
    "O2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB"
)
ED25519 = "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
BRISBANE = (
    "v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCj"
    "xOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcW"
    "ToIMmPSPDdQPNUYckcQ2QIDAQAB"
)
ZONE = {
    "TXT brisbane._domainkey.example.com": [BRISBANE],
    "TXT brisbane._domainkey.football.example.com": [ED25519],
    "TXT test._domainkey.football.example.com": [RSA],
    "TXT *": [],
}
FIELDS = (
    "From: Joe SixPack <joe@football.example.com>\n"
    "To: Suzie Q <suzie@shopping.example.net>\n"
    "Subject: Is dinner ready?\n"
    "Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\n"
    "Message-ID: <20030712040037.46341.5F8J@football.example.com>\n"
)
RFC6376 = (
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
BY_ED25519 = (
    "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;\n"
    " d=football.example.com; i=@football.example.com;\n"
    " q=dns/txt; s=brisbane; t=1528637909; h=from : to :\n"
    " subject : date : message-id : from : subject : date;\n"
    " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\n"
    " b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus\n"
    " Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==\n"
)
BY_RSA = (
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\n"
    " d=football.example.com; i=@football.example.com;\n"
    " q=dns/txt; s=test; t=1528637909; h=from : to : subject :\n"
    " date : message-id : from : subject : date;\n"
    " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\n"
    " b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3\n"
    " DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz\n"
    " dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=\n"
)
TEXT = f"{FIELDS}\nHi.\n\nWe lost the game.  Are you hungry yet?\n\nJoe.\n"
JOE = "@joe@football.example.com"


def crlf(text: str) -> bytes:
    """The bytes of a mail."""
    return text.replace("\n", "\r\n").encode()


def published() -> list[Case]:
    """Each example, whole and changed."""
    policy = {**ZONE, "TXT _dmarc.example.com": ["v=DMARC1; p=none"]}
    old, new = "RFC 6376", "RFC 8463"
    example = "What the RFC shows must verify."
    other = "One word is another one."
    ed_key, rsa_key = "brisbane._domainkey.football.example.com", "test._domainkey.football.example.com"
    return [
        shown("published/rfc-6376", f"{example} The parent signs, so that it counts by DMARC.", crlf(RFC6376), policy,
              section=old, method="email-dmarc", address=JOE, key_id="brisbane._domainkey.example.com"),
        refused("published/rfc-6376-without-a-policy", "not-aligned", "Without a record a parent shows nobody.",
                crlf(RFC6376), ZONE, section=old),
        refused("published/rfc-6376-changed", "not-aligned", f"{other} No signature of the sender's domain is there.",
                crlf(RFC6376.replace("dinner", "supper")), policy, section=old),
        shown("published/rfc-8463-ed25519", example, crlf(BY_ED25519 + TEXT), ZONE, section=new, address=JOE,
              key_id=ed_key),
        shown("published/rfc-8463-rsa", example, crlf(BY_RSA + TEXT), ZONE, section=new, address=JOE, key_id=rsa_key),
        shown("published/rfc-8463-both", example, crlf(BY_ED25519 + BY_RSA + TEXT), ZONE, section=new, address=JOE,
              key_id=ed_key),
        refused("published/rfc-8463-body-changed", "digest-mismatch", other,
                crlf(BY_ED25519 + BY_RSA + TEXT.replace("lost", "won")), ZONE, section=new),
        refused("published/rfc-8463-field-changed", "bad-signature", other,
                crlf(BY_ED25519 + BY_RSA + TEXT.replace("dinner", "supper")), ZONE, section=new),
        shown("published/rfc-8463-field-added", "The second Date was signed as absent; a new field was not.",
              crlf(BY_ED25519 + "X-Spam: no\n" + TEXT), ZONE, section=new, address=JOE, key_id=ed_key),
    ]  # fmt: skip
