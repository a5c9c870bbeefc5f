"""Cases of DMARC: domains that are shown by DKIM or SPF, and whether the sender's is one of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._email_head import from_is
from tests.vectors._email_rows import POLICY, refused, shown, zone
from tests.vectors._email_signing import MAIL, record, signed

if TYPE_CHECKING:
    from tests.vectors._email_rows import Case

WALK = "RFC 9989 4.10"


def by(domain: str, author: str = "hr.corp.example", **tags: str) -> bytes:
    """A mail from `author` that `domain` signed."""
    return signed(from_is(f"Alice <alice@{author}>"), tags={"d": domain, **tags})


def aligned() -> list[Case]:
    """Domains that belong together."""
    rows: list[tuple[str, str, str, str, Case]] = [
        (
            "parent-signs",
            "hr.corp.example",
            "corp.example",
            "Firms sign with their own domain for all below it.",
            {"corp_example": POLICY},
        ),
        (
            "child-signs",
            "corp.example",
            "mail.corp.example",
            "A server below signs for its firm.",
            {"corp_example": POLICY},
        ),
        (
            "siblings",
            "hr.corp.example",
            "guest.corp.example",
            "The firm says that all below it belong together.",
            {"corp_example": POLICY},
        ),
        (
            "policy-none",
            "hr.corp.example",
            "corp.example",
            "What to do with what fails is no matter here.",
            {"corp_example": "v=DMARC1; p=none"},
        ),
        (
            "no-policy-but-reports",
            "hr.corp.example",
            "corp.example",
            "A record that wants reports asks for nothing else.",
            {"corp_example": "v=DMARC1; rua=mailto:dmarc@corp.example"},
        ),
        (
            "relaxed-named",
            "hr.corp.example",
            "corp.example",
            "Relaxed is the default.",
            {"corp_example": "v=DMARC1; p=reject; adkim=r"},
        ),
        (
            "strict-spf-alone",
            "hr.corp.example",
            "corp.example",
            "aspf is for SPF.",
            {"corp_example": "v=DMARC1; p=reject; aspf=s"},
        ),
        (
            "public-suffix-named",
            "hr.corp.example",
            "guest.corp.example",
            "What stands below a suffix is one firm.",
            {"example": "v=DMARC1; p=none; psd=y"},
        ),
        (
            "organisation-named",
            "a.hr.corp.example",
            "b.hr.corp.example",
            "The walk ends where a domain says that it is no suffix.",
            {"hr_corp_example": "v=DMARC1; p=none; psd=n"},
        ),
        (
            "other-records",
            "hr.corp.example",
            "corp.example",
            "Other records stand under the same name.",
            {"corp_example": ["v=spf1 -all", POLICY]},
        ),
        (
            "odd-record",
            "hr.corp.example",
            "corp.example",
            "What is wrong in a record does not count.",
            {"corp_example": "v = DMARC1 ;P=Reject;nothing;pct=50"},
        ),
        (
            "inside-a-shared-suffix",
            "x.alice.github.io",
            "alice.github.io",
            "Below a shared suffix each name is a firm of its own.",
            {"alice_github_io": POLICY},
        ),
    ]
    cases = [
        shown(
            f"dmarc/{name}",
            why,
            by(domain, author),
            zone(None, domain, **records),
            section=WALK,
            method="email-dmarc",
            address=f"@alice@{author}",
            key_id=f"s._domainkey.{domain}",
        )
        for name, author, domain, why, records in rows
    ]
    deep = "1.2.3.4.5.6.7.8.corp.example"
    two = signed(by("guest.corp.example"), tags={"d": "mailer.example"})
    return [
        *cases,
        shown(
            "dmarc/deep-domain",
            "A walk asks for eight names at most.",
            by("corp.example", deep),
            zone(None, "corp.example", corp_example=POLICY),
            section=WALK,
            method="email-dmarc",
            address=f"@alice@{deep}",
            key_id="s._domainkey.corp.example",
            max_asks=9,
            must_not_ask=["TXT _dmarc.2.3.4.5.6.7.8.corp.example"],
        ),
        shown(
            "dmarc/beside-another-signature",
            "The one that is aligned counts.",
            two,
            zone(None, "guest.corp.example", "mailer.example", corp_example=POLICY),
            section=WALK,
            method="email-dmarc",
            address="@alice@hr.corp.example",
            key_id="s._domainkey.guest.corp.example",
        ),
        shown(
            "dmarc/own-signature-needs-none",
            "A signature of the very domain shows it, whatever DMARC says.",
            by("hr.corp.example"),
            zone(None, "hr.corp.example", corp_example="v=DMARC1; p=reject; adkim=s"),
            section="NM 5.3.2",
            address="@alice@hr.corp.example",
            key_id="s._domainkey.hr.corp.example",
            max_asks=1,
            must_not_ask=["TXT _dmarc.*"],
        ),
    ]


def apart() -> list[Case]:
    """Domains that do not belong together."""
    none = "not-aligned"
    trick = "A name that ends alike is another domain."
    suffix = "Under a public suffix everybody has a domain."
    strict = "The domain wants signatures of its very own."
    two = "Of two records none counts."
    rows: list[tuple[str, str, str, str, Case]] = [
        ("no-record", "hr.corp.example", "corp.example", "Without a record nobody says that they belong together.", {}),
        ("siblings-without-record", "hr.corp.example", "guest.corp.example", "Without a record nobody says so.", {}),
        ("strict", "hr.corp.example", "corp.example", strict, {"corp_example": "v=DMARC1; p=none; adkim=s"}),
        (
            "strict-own-record",
            "hr.corp.example",
            "corp.example",
            strict,
            {"hr_corp_example": "v=DMARC1; p=none; adkim=s", "corp_example": POLICY},
        ),
        ("two-records", "hr.corp.example", "corp.example", two, {"corp_example": [POLICY, POLICY]}),
        (
            "lower-case-version",
            "hr.corp.example",
            "corp.example",
            "The version is written in capitals.",
            {"corp_example": "v=dmarc1; p=reject"},
        ),
        (
            "version-not-first",
            "hr.corp.example",
            "corp.example",
            "The version comes first.",
            {"corp_example": "p=reject; v=DMARC1"},
        ),
        (
            "no-policy",
            "hr.corp.example",
            "corp.example",
            "A record that asks for nothing is none.",
            {"corp_example": "v=DMARC1"},
        ),
        (
            "child-apart",
            "hr.corp.example",
            "guest.corp.example",
            "A domain that says that it is no suffix is a firm of its own.",
            {"hr_corp_example": "v=DMARC1; p=none; psd=n", "corp_example": POLICY},
        ),
        (
            "below-a-named-suffix",
            "hr.corp.example",
            "guest.corp.example",
            "What stands below a suffix are firms of their own.",
            {"corp_example": "v=DMARC1; p=none; psd=y"},
        ),
        (
            "suffix-trick",
            "bank.example",
            "evilbank.example",
            trick,
            {"example": POLICY, "bank_example": POLICY, "evilbank_example": POLICY},
        ),
        ("prefix-trick", "bank.example", "bank.example.attack.example", trick, {"bank_example": POLICY}),
        ("other-domain", "a.example", "mailer.example", "Another firm has signed.", {"a_example": POLICY}),
        ("shared-suffix", "alice.github.io", "eve.github.io", suffix, {"github_io": POLICY}),
        ("shared-suffix-signs", "alice.github.io", "github.io", suffix, {"github_io": POLICY}),
        ("country-suffix", "bank.co.uk", "evil.co.uk", suffix, {"co_uk": POLICY, "uk": POLICY}),
        ("country-suffix-signs", "bank.co.uk", "co.uk", suffix, {"co_uk": POLICY, "bank_co_uk": POLICY}),
    ]
    cases = [
        refused(f"dmarc/{name}", none, why, by(domain, author), zone(None, domain, **records), section=WALK)
        for name, author, domain, why, records in rows
    ]
    later = "What cannot be had now may be had later."
    down = {"failed": "timeout"}
    wrong = by("guest.corp.example").replace(b"Subject: Hi", b"Subject: Ho")
    broken = zone({"s._domainkey.guest.corp.example": record()}, corp_example=POLICY)
    return [
        *cases,
        refused(
            "dmarc/record-unresolvable",
            "address-unresolvable",
            later,
            by("guest.corp.example"),
            zone(None, "guest.corp.example", hr_corp_example=down),
            section=WALK,
            temporary=True,
        ),
        refused(
            "dmarc/walk-unresolvable",
            "address-unresolvable",
            later,
            by("guest.corp.example"),
            zone(None, "guest.corp.example", hr_corp_example=POLICY, corp_example=down),
            section=WALK,
            temporary=True,
        ),
        refused(
            "dmarc/record-unresolvable-for-good",
            "address-unresolvable",
            "A name that is broken is not asked for again.",
            by("guest.corp.example"),
            zone(None, "guest.corp.example", hr_corp_example={"failed": "no", "temporary": False}),
            section=WALK,
        ),
        refused(
            "dmarc/signature-does-not-fit",
            none,
            "A signature that does not fit shows no domain.",
            wrong,
            broken,
            section=WALK,
            must_not_ask=["TXT _dmarc.*"],
        ),
        refused(
            "dmarc/nothing-to-find",
            none,
            "For a domain that can never be aligned no record is asked.",
            by("mailer.example", "a.example"),
            zone(None, "mailer.example", a_example=POLICY),
            section=WALK,
            must_not_ask=["TXT _dmarc.*"],
            max_asks=1,
        ),
        refused(
            "dmarc/budget",
            "address-unresolvable",
            "A mail cannot make a server ask without end.",
            by("corp.example"),
            zone(None, "corp.example", corp_example=POLICY),
            section="R24",
            settings={"limits": {"asks": 1}},
            max_asks=1,
        ),
    ]


SPF = {"mail_from": "bounce+x=y@a.example", "rcpt_to": ["helper@agents.example"], "spf": "pass"}


def spf() -> list[Case]:
    """DMARC that rests on SPF, which shows a server and not a mail."""
    published = zone(None, a_example=POLICY)
    why = "Who trusts the server of the domain may take it for the domain; nothing in the mail shows it."
    alone = {"address": "@alice@a.example", "method": "email-dmarc"}
    either = refused("spf/alone", "spf-only", why, MAIL, published, section="R22", **alone)
    told = either.pop("value")
    either["any_of"] = [{"value": told}, {"value": {**told, "verified": True, "code": None}}]
    trusting = {"spf_only_dmarc": "verified"}
    cases = [
        either,
        refused(
            "spf/not-trusted",
            "spf-only",
            why,
            MAIL,
            published,
            section="R22",
            envelope=SPF,
            settings={"spf_only_dmarc": "unverified"},
            **alone,
        ),
        shown(
            "spf/trusted",
            why,
            MAIL,
            published,
            section="R22",
            envelope=SPF,
            settings=trusting,
            method="email-dmarc",
            key_id=None,
        ),
        shown(
            "spf/trusted-parent",
            "SPF of the firm's domain is aligned.",
            from_mail("hr.a.example"),
            published,
            section=WALK,
            envelope=SPF,
            settings=trusting,
            method="email-dmarc",
            address="@alice@hr.a.example",
            key_id=None,
        ),
    ]
    either["input"]["envelope"] = SPF
    idn = "xn--bcher-kva.example"
    cases.append(
        shown(
            "spf/trusted-unicode-path",
            "A Unicode domain is its A-labels, in the reverse path too.",
            from_mail("b\u00fccher.example"),
            zone({f"_dmarc.{idn}": POLICY}),
            section="R18",
            envelope={**SPF, "mail_from": "bounce@b\u00fccher.example"},
            settings=trusting,
            method="email-dmarc",
            address=f"@alice@{idn}",
            key_id=None,
        )
    )
    path = "A reverse path that is not plainly a mailbox shows nothing: server and signer may read it differently."
    rows: list[tuple[str, str, Case, Any]] = [
        ("failed", "What SPF refuses it does not show.", {"spf": "fail"}, POLICY),
        ("soft", "A soft failure is none that shows anything.", {"spf": "softfail"}, POLICY),
        ("not-asked", "What nobody asked shows nothing.", {"spf": None}, POLICY),
        ("other-domain", "SPF has shown another domain.", {"mail_from": "eve@b.example"}, POLICY),
        ("domain-that-ends-alike", "SPF has shown another domain.", {"mail_from": "eve@evila.example"}, POLICY),
        ("no-record", "Without a record nothing rests on it.", {}, []),
        ("two-records", "Of two records none counts.", {}, [POLICY, POLICY]),
        ("strict", "The domain wants SPF of its very own.", {"mail_from": "b@x.a.example"}, "v=DMARC1; p=none; aspf=s"),
        ("empty-path", "A bounce has no sender.", {"mail_from": ""}, POLICY),
        ("path-without-at", path, {"mail_from": "a.example"}, POLICY),
        ("path-with-bracket", path, {"mail_from": "(any@a.example"}, POLICY),
        ("path-with-comment", path, {"mail_from": "eve@a.example(a.b.example"}, POLICY),
        ("path-with-route", path, {"mail_from": "@b.example:eve@a.example"}, POLICY),
        ("path-with-two-at-signs", path, {"mail_from": "eve@b.example@a.example"}, POLICY),
        ("path-with-nul", path, {"mail_from": "eve\0@a.example"}, POLICY),
    ]
    for name, why, members, answer in rows:
        cases.append(
            refused(
                f"spf/{name}",
                "unsigned",
                why,
                MAIL,
                zone(None, a_example=answer),
                section="RFC 9989 4.4",
                envelope={**SPF, **members},
                settings=trusting,
            )
        )
    down = {"failed": "timeout"}
    return [
        *cases,
        refused(
            "spf/record-unresolvable",
            "address-unresolvable",
            "What cannot be had now may be had later.",
            MAIL,
            zone(None, a_example=down),
            section=WALK,
            envelope=SPF,
            settings=trusting,
            temporary=True,
        ),
        refused(
            "spf/key-unresolvable",
            "key-unresolvable",
            "SPF does not hide that a signature may fit later.",
            signed(),
            zone({"s._domainkey.a.example": down}, a_example=POLICY),
            section="R21",
            envelope=SPF,
            temporary=True,
            **alone,
        ),
        shown(
            "spf/beside-a-signature",
            "A signature shows more than SPF.",
            signed(),
            published,
            section="NM 5.3.2",
            envelope=SPF,
            max_asks=1,
        ),
        refused(
            "spf/ambiguous",
            "signature-ambiguous",
            "What can be read in two ways SPF does not show either.",
            b"Subject: x\r\n" + MAIL,
            published,
            section="RFC 6376 8.15",
            envelope=SPF,
            settings=trusting,
            must_not_ask=["TXT *"],
        ),
    ]


def from_mail(author: str) -> bytes:
    """An unsigned mail of somebody at `author`."""
    return from_is(f"Alice <alice@{author}>")
