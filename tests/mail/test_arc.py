"""ARC: chains that are validated, who must be trusted, and what is asked for them."""

from typing import Any

import pytest

from mentionable import Failed, Limits, UsageError, drive, mail
from mentionable.mail._auth.arc import dkim_signers, verify_chain
from mentionable.mail._auth.dkim import Body, split_fields
from tests.mail.receiving import NOW, receive
from tests.mail.signed import SECONDS, Zone, dkimpy_passes
from tests.vectors._email_sealing import CHANGED, EVIL, FOOTER, HOP, LIST, LIST_KEY, sealed
from tests.vectors._email_signing import MAIL, RSA, record, signed

KEYS = {"s._domainkey.a.example": [record().encode()]} | {
    f"s._domainkey.{domain}": [record(RSA).encode()] for domain in (LIST, HOP, EVIL)
}
ALL = (LIST, HOP, EVIL)
TRUSTED = mail.Settings(trusted_arc_sealers=(LIST, HOP))


def chain(raw: bytes, zone: Zone | None = None, trusted: Any = ALL) -> Any:
    """The result of ARC."""
    zone = zone or Zone(KEYS)
    head, _, body = raw.partition(b"\r\n\r\n")
    return drive(verify_chain(split_fields(head), Body(body), trusted=trusted, now=SECONDS), zone.world)


def outcome(raw: bytes, zone: Zone | None = None, settings: Any = TRUSTED) -> Any:
    zone = zone or Zone(KEYS)
    return receive(raw, world=zone.world, recipient="@helper@agents.example", settings=settings)


def test_a_chain_of_one_seal_passes() -> None:
    got = chain(sealed())
    assert (got.status, got.sealers, got.signers, got.fault) == ("pass", (LIST,), ("a.example",), None)
    assert got.signature.key_name == LIST_KEY


@pytest.mark.parametrize("hops", range(1, 6))
def test_dkimpy_passes_what_passes_here(hops: int) -> None:
    raw = CHANGED
    for hop in range(hops):
        raw = sealed(raw, (LIST, HOP)[hop % 2], fold=(0, 60)[hop % 2])
    assert chain(raw, Zone(KEYS)).status == "pass"
    assert dkimpy_passes(raw, Zone(KEYS))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"The list", b"A thief"),
        (b"i=1; mx.lists", b"i=1; mx.lasts"),
        (b"i=2; mx.forward", b"i=2; mx.farward"),
        (b"Subject: Hi", b"Subject: Pay"),
        (b"cv=pass", b"cv=fail"),
        (b"cv=none", b"cv=pass"),
        (b"c=relaxed/relaxed; d=lists", b"c=relaxed/simple; d=lists"),
    ],
)
def test_what_was_changed_fails_here_and_with_dkimpy(old: bytes, new: bytes) -> None:
    raw = sealed(sealed(), HOP).replace(old, new)
    assert chain(raw, Zone(KEYS)).status == "fail"
    assert not dkimpy_passes(raw, Zone(KEYS))


def test_fifty_sets_pass_and_one_more_fails_without_an_ask() -> None:
    raw = CHANGED
    for _ in range(50):
        raw = sealed(raw)
    zone = Zone(KEYS)
    assert chain(raw, zone).status == "pass"
    assert zone.asked == [LIST_KEY, LIST_KEY]
    zone = Zone(KEYS)
    assert chain(sealed(raw), zone).status == "fail"
    assert zone.asked == []


def test_a_thousand_seals_are_not_read() -> None:
    fields = {b"arc-seal": [b"not even a seal"] * 1_000}
    got = drive(verify_chain(fields, Body(b""), trusted=ALL, now=SECONDS), Zone().world)  # type: ignore[arg-type]
    assert (got.status, got.fault.detail) == ("fail", "a chain of more than 50 sets")


def test_a_mail_with_a_thousand_sets_is_refused_or_read_whole_as_its_limits_say() -> None:
    zone, one = Zone(KEYS), sealed()[: -len(CHANGED)]
    raw = b"".join(one.replace(b"i=1;", b"i=%d;" % number) for number in range(1_000, 0, -1)) + CHANGED
    assert outcome(raw, zone).code == "too-large"
    wide = Limits(mail_fields=10_000, mail_head_bytes=10_000_000)
    got = outcome(raw, zone, mail.Settings(trusted_arc_sealers=(LIST,), limits=wide))
    assert got.message.raw["arc"]["status"] == "fail"
    assert (got.message.parts, got.message.sender.verified) == (outcome(CHANGED).message.parts, False)
    assert zone.asked == []


def test_without_the_setting_no_key_is_asked_for() -> None:
    zone = Zone(KEYS)
    got = outcome(sealed(), zone, mail.Settings())
    assert not got.message.sender.verified
    assert "arc" not in got.message.raw
    assert zone.asked == []


def test_an_unsigned_mail_without_the_setting_stays_unsigned() -> None:
    assert outcome(sealed(MAIL), settings=mail.Settings()).verdict.code == "unsigned"


def test_an_unsigned_mail_is_verified_by_a_trusted_sealer() -> None:
    assert outcome(sealed(MAIL)).verdict.verified


def test_keys_of_a_chain_are_asked_for_with_those_of_dkim_in_one_batch() -> None:
    batches: list[list[str]] = []

    def one_batch(answer: Any, asks: Any) -> Any:
        batches.append([ask.name for ask in asks])
        return [answer(ask) for ask in asks]

    flow = mail.verify(sealed(signed()), now=NOW, settings=TRUSTED)
    assert drive(flow, Zone(KEYS).world, map=one_batch).method == "email-dkim"
    assert batches == [["s._domainkey.a.example", LIST_KEY]]


def test_a_signature_that_fits_counts_more_than_a_seal() -> None:
    got = outcome(sealed(signed()))
    assert (got.verdict.method, got.verdict.key_id) == ("email-dkim", "s._domainkey.a.example")
    assert got.message.raw["arc"]["status"] == "pass"
    assert got.diagnostics == ()


def test_a_sender_who_is_verified_by_a_forwarder_has_no_evidence() -> None:
    got = outcome(sealed())
    assert (got.verdict.method, got.verdict.verified, got.verdict.key_id) == ("email-dmarc", True, LIST_KEY)
    assert got.verdict.steps[-3:] == ("signature", "chain", "alignment")
    assert got.verdict.evidence is None
    assert got.identities == ()
    assert got.message.sender.identities is None
    assert got.message.sender.verified
    assert [one.detail for one in got.diagnostics if one.code == "trusted-forwarder"] == [LIST]
    assert {one.at for one in got.diagnostics if one.code == "field-unsigned"} == {"/headers/message-id"}


def test_a_forged_chain_in_the_name_of_a_trusted_sealer_costs_one_ask() -> None:
    raw = CHANGED
    for domain in ("b.example", "c.example", "d.example", LIST):
        raw = sealed(raw, domain, private="mail-rsa-4096")
    zone = Zone(KEYS)
    got = outcome(raw, zone)
    assert not got.verdict.verified
    assert zone.asked == [LIST_KEY]


def test_a_key_that_cannot_be_asked_for_now_is_a_reason_to_come_again() -> None:
    zone = Zone({**KEYS, LIST_KEY: Failed("SERVFAIL")})
    got = outcome(sealed(), zone, mail.Settings(trusted_arc_sealers=(LIST,), require_verified=True))
    assert got.code == "lookup-failed"
    assert (got.verdict.code, got.verdict.temporary) == ("key-unresolvable", True)


def test_the_reason_of_dkim_stays_when_both_are_temporary() -> None:
    zone = Zone({**KEYS, LIST_KEY: Failed("list"), "s._domainkey.a.example": Failed("author")})
    assert outcome(sealed(signed()), zone).verdict.detail == "author"


def test_the_seal_of_one_mail_counts_for_no_other() -> None:
    once = mail.Settings(trusted_arc_sealers=(LIST,), use_once=True)
    zone, asked = Zone(KEYS), []

    def answer(ask: Any) -> Any:
        if hasattr(ask, "binding"):
            asked.append(ask.binding)
            return "first"
        return zone.world(ask)

    got = receive(sealed(), world=answer, recipient="@helper@agents.example", settings=once)
    assert got.message.sender.verified
    assert asked == ["<m1@a.example> @helper@agents.example"]


def test_a_trusted_sealer_is_a_domain_in_lower_case() -> None:
    with pytest.raises(UsageError):
        mail.Settings(trusted_arc_sealers=("Lists.Example",))
    with pytest.raises(UsageError):
        mail.Settings(trusted_arc_sealers=("localhost",))


@pytest.mark.parametrize(
    ("results", "signers"),
    [
        (b"X: i=1; mx; dkim=pass header.d=a.example", ("a.example",)),
        (b"X: i=1; mx; dkim/1=pass header.d=a.example", ("a.example",)),
        (b"X: i=1; mx; dkim=pass header.i=alice@a.example", ("a.example",)),
        (b"X: i=1; mx; dkim=pass (1 (2) \\) 3) header.d = A.example (4)", ("a.example",)),
        (b'X: i=1; mx; dkim=pass reason="a\\"; b" header.d=a.example', ("a.example",)),
        (b'X: i=1; mx; dkim=pass header.d="a.example"', ()),
        (b"X: i=1; mx; dkim/2=pass header.d=a.example", ()),
        (b"X: i=1; dkim=pass header.d=a.example", ()),
        (b"X: i=1; mx; ; dkim", ()),
        (b"X: i=1; mx; (dkim=pass header.d=a.example", ()),
        (b"X: i=1; mx; ) dkim=pass header.d=a.example", ()),
        (b'X: i=1; mx; "dkim=pass header.d=a.example', ()),
        (b"X: i=1; mx; dkim=pass header.d=a.example \\", ()),
        (b"X: i=1; mx; (\\", ()),
        (b"X: i=1; mx; dkim=pass header.d=\xc3\xa4.example", ()),
        (b"X", ()),
    ],
)
def test_the_results_of_another_server_are_read_strictly(results: bytes, signers: tuple[str, ...]) -> None:
    assert dkim_signers(results) == signers


def test_a_field_of_results_that_is_too_long_is_no_part_of_a_chain() -> None:
    assert chain(sealed(results="dkim=pass header.d=a.example (" + "x" * 9_000 + ")")).status == "fail"


def test_a_sealer_after_whom_an_untrusted_one_had_the_mail_vouches_for_nothing() -> None:
    raw = sealed(sealed(sealed(), EVIL, "none"), HOP, "none")
    got = chain(raw, trusted=(LIST, HOP))
    assert (got.status, got.signers) == ("pass", ())
    assert not outcome(raw).verdict.verified


def test_a_changed_body_is_found_before_a_key_is_asked_for() -> None:
    zone = Zone(KEYS)
    assert chain(sealed().replace(FOOTER.encode(), b"Pay\r\n"), zone).fault.code == "digest-mismatch"
    assert zone.asked == []


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (sealed(message={"h": "from:arc-seal"}), "signature-malformed"),
        (sealed(message={"h": "subject"}), "coverage-missing"),
        (sealed(seal={"h": "from"}), "signature-malformed"),
        (sealed(seal={"i": "x"}), "signature-malformed"),
        (sealed(seal={"cv": "pass"}), "bad-signature"),
        (sealed(domain="other.example"), "sealer-untrusted"),
    ],
)
def test_a_chain_that_is_refused_says_why_and_asks_for_nothing(raw: bytes, code: str) -> None:
    zone = Zone(KEYS)
    assert chain(raw, zone).fault.code == code
    assert zone.asked == []
