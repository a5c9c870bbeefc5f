"""Who a mail is from when no signature of the From domain shows it: DMARC, and which reason is given."""

from typing import Any

import pytest

from mentionable import Failed, Settings, mail
from tests.mail.receiving import receive
from tests.mail.signed import MAIL, Zone, code, record, signed, verify

GOOD = signed()
STEPS = ("header-section", "parse", "coverage", "time", "digest", "key", "signature", "alignment")
POLICY = [b"v=DMARC1; p=reject"]


def with_from(value: str) -> bytes:
    return MAIL.replace(b"Alice <alice@a.example>", value.encode())


@pytest.mark.parametrize(
    ("author", "domain", "records", "expected"),
    [
        ("hr.a.example", "a.example", {"_dmarc.a.example": POLICY}, None),  # D6
        ("hr.a.example", "a.example", {}, "not-aligned"),
        ("a.example", "mail.a.example", {"_dmarc.a.example": POLICY}, None),
        ("hr.a.example", "guest.a.example", {"_dmarc.a.example": POLICY}, None),  # D1
        ("hr.a.example", "guest.a.example", {"_dmarc.a.example": [b"v=DMARC1; p=none; adkim=s"]}, "not-aligned"),  # D2
        ("hr.a.example", "guest.a.example", {}, "not-aligned"),  # D3
        ("hr.a.example", "guest.a.example", {"_dmarc.a.example": POLICY * 2}, "not-aligned"),  # D4
        ("hr.a.example", "guest.a.example", {"_dmarc.a.example": Failed("timeout")}, "address-unresolvable"),
        ("bank.example", "evilbank.example", {"_dmarc.example": POLICY}, "not-aligned"),  # S13
        ("bank.org", "bank.org.attack.example", {"_dmarc.bank.org": POLICY}, "not-aligned"),
        ("alice.github.io", "eve.github.io", {"_dmarc.github.io": POLICY}, "not-aligned"),  # D7
        ("bank.co.uk", "co.uk", {"_dmarc.co.uk": POLICY}, "not-aligned"),
        ("a.example", "mailer.example", {"_dmarc.a.example": POLICY}, "not-aligned"),
    ],
)
def test_dmarc_by_dkim(author: str, domain: str, records: dict[str, Any], expected: str | None) -> None:
    zone = Zone({f"s._domainkey.{domain}": [record()], **records})
    verdict = verify(signed(with_from(f"alice@{author}"), domain=domain), zone)
    assert verdict.code == expected
    if expected is None:
        assert (verdict.method, verdict.verified) == ("email-dmarc", True)
        assert (verdict.address, verdict.key_id) == (f"@alice@{author}", f"s._domainkey.{domain}")
        assert verdict.evidence.issuer == domain
        assert verdict.steps == STEPS
    else:
        assert verdict.steps == STEPS[:-1]
        assert verdict.temporary == (expected == "address-unresolvable")


def test_a_domain_that_can_never_be_aligned_asks_for_no_policy() -> None:
    zone = Zone({"s._domainkey.mailer.example": [record()]})
    assert code(signed(domain="mailer.example"), zone) == "not-aligned"
    assert zone.asked == ["s._domainkey.mailer.example"]


def test_all_policies_are_asked_for_in_one_batch() -> None:
    zone = Zone({"s._domainkey.b.x.corp.example": [record()], "_dmarc.corp.example": POLICY})
    raw = signed(with_from("alice@a.x.corp.example"), domain="b.x.corp.example")
    envelope = mail.Envelope(mail_from="alice@c.x.corp.example", spf="pass")
    outcome = receive(raw, world=zone.world, recipient="@helper@agents.example", envelope=envelope)
    assert outcome.verdict.method == "email-dmarc"
    assert zone.asked[1:] == [
        f"_dmarc.{name}"
        for name in ("a.x.corp.example", "x.corp.example", "corp.example", "example", "b.x.corp.example",
                     "c.x.corp.example")
    ]  # fmt: skip
    assert outcome.message.raw["dmarc"] == {
        "status": "pass",
        "policy": "reject",
        "aligned": "dkim",
        "signer": "b.x.corp.example",
    }


SPF = mail.Envelope(mail_from="bounce+x=y@a.example", rcpt_to=["nobody", "helper@Agents.example"], spf="pass")
PUBLISHED = {"_dmarc.a.example": POLICY}


def test_dmarc_by_spf_alone_is_named_and_not_verified() -> None:  # D5
    verdict = verify(MAIL, Zone(PUBLISHED), envelope=SPF)
    assert (verdict.method, verdict.verified, verdict.code) == ("email-dmarc", False, "spf-only")
    assert verdict.steps == ("header-section", "spf", "alignment")
    assert (verdict.key_id, verdict.evidence, verdict.replays) == (None, None, ())
    outcome = receive(MAIL, world=Zone(PUBLISHED).world, recipient="@helper@agents.example", envelope=SPF)
    sender = outcome.message.sender
    assert (sender.auth_method, sender.verified, sender.identities) == ("email-dmarc", False, None)
    assert outcome.message.raw["dmarc"] == {"status": "pass", "policy": "reject", "aligned": "spf"}


def test_who_wants_it_gets_dmarc_by_spf_verified() -> None:
    settings = mail.Settings(spf_only_dmarc="verified")
    verdict = verify(MAIL, Zone(PUBLISHED), envelope=SPF, settings=settings)
    assert (verdict.method, verdict.verified, verdict.code) == ("email-dmarc", True, None)
    assert verdict.evidence.audience == "agents.example"
    assert (verdict.evidence.issuer, verdict.key_id, verdict.replays) == ("a.example", None, ())
    assert verify(MAIL, Zone(PUBLISHED), envelope=SPF, settings=Settings()).code == "spf-only"


@pytest.mark.parametrize(
    ("mail_from", "spf", "records"),
    [
        ("alice@a.example", "fail", PUBLISHED),
        ("alice@a.example", None, PUBLISHED),
        ("alice@b.example", "pass", PUBLISHED),
        ("alice@evila.example", "pass", PUBLISHED),
        ("alice@a.example", "pass", {}),
        ("alice@a.example", "pass", {"_dmarc.a.example": POLICY * 2}),
        ("alice@x.a.example", "pass", {"_dmarc.a.example": [b"v=DMARC1; p=none; aspf=s"]}),
        ("", "pass", PUBLISHED),
        (None, "pass", PUBLISHED),
        ("a.example", "pass", PUBLISHED),
        ("(any@a.example", "pass", PUBLISHED),
        ("eve@a.example(a.b.example", "pass", PUBLISHED),
        ("@b.example:eve@a.example", "pass", PUBLISHED),
        ("eve@b.example@a.example", "pass", PUBLISHED),
        ("eve\0@a.example", "pass", PUBLISHED),
    ],
)
def test_spf_that_shows_nothing_of_the_sender(mail_from: str | None, spf: Any, records: dict[str, Any]) -> None:
    verdict = verify(MAIL, Zone(records), envelope=mail.Envelope(mail_from=mail_from, spf=spf))
    assert (verdict.method, verdict.code) == ("none", "unsigned")


def test_a_policy_that_could_not_be_had_is_tried_again() -> None:
    verdict = verify(MAIL, Zone({"_dmarc.a.example": Failed("timeout")}), envelope=SPF)
    assert (verdict.method, verdict.code, verdict.temporary) == ("none", "address-unresolvable", True)


def test_spf_does_not_hide_a_key_that_could_not_be_had() -> None:
    zone = Zone({**PUBLISHED, "s._domainkey.a.example": Failed("timeout")})
    verdict = verify(GOOD, zone, envelope=SPF)
    assert (verdict.method, verdict.code, verdict.temporary) == ("email-dmarc", "key-unresolvable", True)
    assert verdict.address == "@alice@a.example"
    zone = Zone({**PUBLISHED, "s._domainkey.a.example": []})
    assert verify(GOOD, zone, envelope=SPF).code == "spf-only"


# Which reason is given


def test_a_temporary_reason_comes_first() -> None:
    raw = signed(GOOD.replace(b"Subject: Hi", b"Subject: Ho"), selector="t")
    raw = raw.replace(b"Subject: Ho", b"Subject: He")
    zone = Zone({"t._domainkey.a.example": Failed("timeout")})
    assert code(raw, zone) == "key-unresolvable"
    assert code(raw, Zone()) == "bad-signature"


def test_a_key_of_others_that_could_not_be_had_is_no_reason() -> None:
    zone = Zone({"s._domainkey.mailer.example": Failed("timeout")})
    assert code(signed(domain="mailer.example"), zone) == "not-aligned"
    zone = Zone({"s._domainkey.mail.a.example": Failed("timeout")})
    assert code(signed(domain="mail.a.example"), zone) == "key-unresolvable"


def test_the_signature_that_came_furthest_gives_the_reason() -> None:
    raw = signed(signed(signed(tags={"x": "1"}), tags={"a": "rsa-sha1"}), tags={"v": "2"})
    verdict = verify(raw)
    assert (verdict.code, verdict.steps) == ("expired", ("header-section", "parse", "coverage"))


def test_a_signature_of_the_sender_gives_the_reason_before_one_of_others() -> None:
    raw = signed(signed(tags={"x": "1"}), domain="mailer.example")
    assert code(raw, Zone({"s._domainkey.mailer.example": [record()]})) == "expired"


def test_an_envelope_of_others_asks_for_no_policy() -> None:
    zone = Zone({})
    verify(MAIL, zone, envelope=mail.Envelope(mail_from="eve@e.example", spf="pass"))
    assert zone.asked == []
