"""Cases of the key that a domain publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.serialization import PublicFormat

from tests.vectors._email_rows import KEY, refused, shown, silent, zone
from tests.vectors._email_signing import (
    ED,
    RSA,
    RSA_1024,
    RSA_4096,
    Numbers,
    b64,
    numbers,
    public,
    record,
    signed,
)

if TYPE_CHECKING:
    from tests.vectors._email_rows import Case

GOOD = signed()
RECORD = "RFC 6376 3.6.1"


def algorithms() -> list[Case]:
    """By which algorithm, and with which kind of key."""
    refusal, section = "algorithm-refused", "RFC 8301 3"
    rsa = numbers(RSA)
    mixed = zone({KEY: record(RSA)})
    return [
        silent("algorithm/sha-1", refusal, "SHA-1 is broken.", signed(private=rsa, digest="sha1"), section=section),
        silent(
            "algorithm/unknown", refusal, "What nobody knows proves nothing.",
            signed(private=RSA, tags={"a": "rsa-sha512"}), section=section,
        ),
        silent("algorithm/none", refusal, "No algorithm is none.", signed(tags={"a": "none"}), section=section),
        refused(
            "algorithm/ed25519-with-rsa-key", refusal, "The kind of the key decides, not the mail.",
            GOOD, mixed, section="RFC 8463 4",
        ),
        refused(
            "algorithm/rsa-with-ed25519-key", refusal, "The kind of the key decides, not the mail.",
            signed(private=RSA), section="RFC 8463 4",
        ),
        refused(
            "algorithm/named-otherwise", refusal, "A signature by the key of the record, under another name.",
            signed(private=RSA, tags={"a": "ed25519-sha256"}), mixed, section="RFC 8463 4",
        ),
    ]  # fmt: skip


def missing() -> list[Case]:
    """Keys that are not there, or cannot be had."""
    section = "RFC 6376 6.1.2"
    return [
        refused("key/none", "key-unknown", "The domain publishes no such key.", GOOD, {"TXT *": []}, section=section),
        refused(
            "key/other-records", "key-unknown", "Other records are no keys.", GOOD,
            zone({KEY: ["v=spf1 -all", "any"]}), section=section,
        ),
        refused(
            "key/revoked", "key-unknown", "An empty key was revoked.", GOOD,
            zone({KEY: "v=DKIM1; k=ed25519; p="}), section=RECORD,
        ),
        refused(
            "key/of-another-name", "key-unknown", "Only the key that is named counts.",
            signed(tags={"s": "t"}), section=section,
        ),
        refused(
            "key/unresolvable", "key-unresolvable", "A key that cannot be had now may be had later.", GOOD,
            zone({KEY: {"failed": "timeout"}}), section=section, temporary=True,
        ),
        refused(
            "key/unresolvable-for-good", "key-unresolvable", "A name that is broken is not asked for again.", GOOD,
            zone({KEY: {"failed": "the answer is too long", "temporary": False}}), section=section,
        ),
        refused(
            "key/of-a-parent-unresolvable", "key-unresolvable", "A parent's key might have shown the sender by DMARC.",
            signed(tags={"d": "mail.a.example"}),
            zone({"s._domainkey.mail.a.example": {"failed": "timeout"}}), section=section, temporary=True,
        ),
        refused(
            "key/of-others-unresolvable", "not-aligned", "Somebody else's key would not have shown the sender.",
            signed(tags={"d": "mailer.example"}),
            zone({"s._domainkey.mailer.example": {"failed": "timeout"}}), section=section,
        ),
    ]  # fmt: skip


def _two() -> list[str]:
    return [record(), record("mail-ed25519-other")]


def unfit() -> list[Case]:
    """Keys that prove nothing."""
    refusal = "key-refused"
    rows: list[tuple[str, str, Any]] = [
        ("two-records", "Which of two keys is meant nobody can tell.", _two()),
        ("two-keys-in-one", "Which of two keys is meant nobody can tell.", record() + "; p=AAAA"),
        ("other-hash", "The domain does not sign by this hash.", record(ED, "h=sha1; ")),
        ("other-service", "The key is not for mail.", record(ED, "s=tlsrpt; ")),
        ("version-2", "Nobody knows what version 2 means.", record().replace("DKIM1", "DKIM2")),
        (
            "version-last",
            "The version comes first, or it is another record.",
            record().removeprefix("v=DKIM1; ") + "; v=DKIM1",
        ),
        ("unknown-kind", "A kind that nobody knows is no key.", record().replace("k=ed25519", "k=ed448")),
        ("no-base64", "A key that cannot be read is none.", record().replace("p=", "p=*")),
        ("ed25519-too-short", "A key of Ed25519 has 32 bytes.", "v=DKIM1; k=ed25519; p=AAAA"),
        ("ed25519-small-order", "A point on which every signature fits.", f"v=DKIM1; k=ed25519; p={b64(bytes(32))}"),
        ("testing", "A domain that tests says that its signatures count as none.", record(ED, "t=y; ")),
        ("testing-and-strict", "A domain that tests says that its signatures count as none.", record(ED, "t=s:y; ")),
        ("too-long", "A record without end costs time to everybody.", record() + "; n=" + "a" * 8_192),
    ]
    cases = [refused(f"key/{name}", refusal, why, GOOD, zone({KEY: text}), section=RECORD) for name, why, text in rows]
    strict = "The domain says that its key is not for subdomains."
    cases += [
        refused(
            "key/strict-and-subdomain", refusal, strict, signed(tags={"i": "alice@sub.a.example"}),
            zone({KEY: record(ED, "t=s; ")}), section=RECORD,
        ),
        shown(
            "key/strict-and-same-domain", strict, signed(tags={"i": "alice@a.example"}),
            zone({KEY: record(ED, "t=s; ")}), section=RECORD,
        ),
    ]  # fmt: skip
    sizes: list[tuple[str, str, Any]] = [
        ("rsa-512-bits", "Anybody can break it.", numbers("mail-rsa-512")),
        ("rsa-768-bits", "Anybody can break it.", numbers("mail-rsa-768")),
        ("rsa-5120-bits", "Keys without end cost time to everybody.", numbers(RSA, "mail-rsa-4096")),
        ("rsa-exponent-1", "With the exponent 1 everybody can sign.", numbers(RSA, e=1)),
        ("rsa-large-exponent", "Large exponents cost time to everybody.", numbers(RSA, e=_exponent())),
    ]
    for name, why, private in sizes:
        raw, text = signed(private=private), zone({KEY: record(private)})
        cases.append(refused(f"key/{name}", refusal, why, raw, text, section="RFC 8301 3.2"))
    return cases


def _exponent() -> int:
    """A large exponent that goes with the key."""
    found: Numbers = numbers(RSA)
    for exponent in range(2**33 + 1, 2**33 + 999, 2):
        try:
            for prime in found.primes:
                pow(exponent, -1, prime - 1)
        except ValueError:
            continue
        return exponent
    raise AssertionError


def fit() -> list[Case]:
    """Records as domains write them."""
    pkcs1 = public(RSA, PublicFormat.PKCS1)
    rows: list[tuple[str, str, Any, Any]] = [
        ("no-version", "Old records name no version.", ED, record().removeprefix("v=DKIM1; ")),
        ("no-kind", "A key that names no kind is RSA.", RSA, f"v=DKIM1; p={public(RSA)}"),
        ("key-alone", "A record may be a key and nothing else.", RSA, f"p={public(RSA)}"),
        ("bare-rsa", "Old tools publish the bare key.", RSA, f"v=DKIM1; k=rsa; p={pkcs1}"),
        ("hash-list", "One hash of several is enough.", ED, record(ED, "h=sha1:sha256; ")),
        ("service-list", "One service of several is enough.", ED, record(ED, "s=other : email; ")),
        ("any-service", "The star is for every service.", ED, record(ED, "s=*; ")),
        ("unknown-flags", "Flags that nobody knows are passed over.", ED, record(ED, "t=x; ")),
        ("empty-flags", "A list of flags may be empty.", ED, record(ED, "t=; ")),
        ("notes", "Notes are for people.", ED, record(ED, "n=ask the postmaster; g=*; ")),
        ("blanks", "Blanks around tags and in the key mean nothing.", ED, _spread(record())),
        ("last-semicolon", "A list may end with a semicolon.", ED, record() + ";"),
        ("beside-others", "Other records stand under the same name.", ED, ["v=spf1 -all", record(), ""]),
        ("rsa-1024-bits", "Old keys are still in use.", RSA_1024, record(RSA_1024)),
        ("rsa-4096-bits", "Large keys are in use.", RSA_4096, record(RSA_4096)),
    ]
    return [
        shown(f"key/{name}", why, signed(private=private), zone({KEY: text}), section=RECORD)
        for name, why, private, text in rows
    ]


def _spread(text: str) -> str:
    head, _, key = text.partition("p=")
    return f" {head.replace('=', ' = ').replace(';', ' ;')}p = {key[:9]} {key[9:]} ; "
