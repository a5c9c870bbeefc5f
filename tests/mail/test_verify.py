"""Who a mail is from, and how that is shown."""

import gc
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mentionable import Answers, Failed, Limits, UsageError, drive, identity, mail
from mentionable._crypto.keys import SigningKey
from mentionable._crypto.verification import verified_identities
from mentionable.mail._auth.dkim import Body
from tests.mail.receiving import NOW, receive
from tests.mail.signed import ED, MAIL, NAMES, SECONDS, Zone, code, dkimpy_says, record, rsa_key, signed, verify
from tests.used import remembering

GOOD = signed()
STEPS = ("header-section", "parse", "coverage", "time", "digest", "key", "signature", "alignment")


def results(raw: bytes, zone: Zone | None = None, **arguments: Any) -> Any:
    """`raw.dkim.results` of the message."""
    zone = zone or Zone()
    return receive(raw, world=zone.world, recipient="@helper@agents.example", **arguments).message.raw["dkim"][
        "results"
    ]


def with_from(value: str) -> bytes:
    return MAIL.replace(b"Alice <alice@a.example>", value.encode())


def test_a_signature_of_the_from_domain_shows_the_sender() -> None:
    zone = Zone()
    verdict = verify(GOOD, zone)
    assert (verdict.method, verdict.verified, verdict.code) == ("email-dkim", True, None)
    assert verdict.address == "@alice@a.example"
    assert verdict.key_id == "s._domainkey.a.example"
    assert verdict.steps == STEPS
    assert verdict.evidence.subject == "@alice@a.example"
    assert (verdict.evidence.issuer, verdict.evidence.assurance) == ("a.example", "domain")
    assert verdict.evidence.audience == ()
    assert verdict.evidence.method == "urn:mentionable:auth:email-dkim:v0.1"
    assert zone.asked == ["s._domainkey.a.example"]


@pytest.mark.parametrize("rcpt_to", [None, (), ("helper",)])
def test_evidence_of_a_mail_whose_envelope_names_no_host_authorizes_no_sender(rcpt_to) -> None:
    envelope = None if rcpt_to is None else mail.Envelope(rcpt_to=rcpt_to)
    verdict = verify(GOOD, envelope=envelope)
    assert (verdict.verified, verdict.evidence.audience) == (True, ())
    assert verified_identities([verdict.evidence], verdict.addressed) == ()


def test_evidence_of_a_mail_is_for_the_host_that_its_envelope_names() -> None:
    verdict = verify(GOOD, envelope=mail.Envelope(rcpt_to=("helper", "helper@Agents.example")))
    assert verdict.evidence.audience == "agents.example"
    assert verdict.replays[0].binding == "<m@a.example> agents.example"


def test_who_verifiably_wrote_to_two_agents_has_a_role_with_both() -> None:
    zone = Zone()
    world = Answers(lookup_txt=zone.world.lookup_txt, find_agent=lambda ask: f"@{ask.native_id}")
    to = ("helper@agents.example", "weather@agents.example")
    received = receive(GOOD, world=world, envelope=mail.Envelope(rcpt_to=to))
    assert [message.recipient for message in received.messages] == ["@helper@agents.example", "@weather@agents.example"]
    for message in received.messages:
        assert [one.audience for one in message.sender.identities] == [message.recipient]
        by_mail = {"subjects": ("@alice@a.example",), "methods": ("urn:mentionable:auth:email-dkim:v0.1",)}
        acl = identity.AgentACL(agent=message.recipient, grants=(identity.Grant(role="user", **by_mail),))
        assert acl.roles(received.identities) == {"user"}


def test_receive_finds_out_the_same() -> None:
    zone = Zone()
    outcome = receive(GOOD, world=zone.world, recipient="@helper@agents.example")
    assert outcome.verdict.verified
    sender = outcome.message.sender
    assert (sender.auth_method, sender.verified, sender.key_id) == ("email-dkim", True, "s._domainkey.a.example")
    assert [evidence.audience for evidence in sender.identities] == ["@helper@agents.example"]
    assert zone.asked == ["s._domainkey.a.example"]
    assert outcome.diagnostics == ()
    assert "dmarc" not in outcome.message.raw
    assert outcome.message.raw["dkim"] == {
        "results": [
            {
                "domain": "a.example",
                "selector": "s",
                "status": "pass",
                "algorithm": "ed25519-sha256",
                "signed_fields": list(NAMES),
            }
        ]
    }


@pytest.mark.parametrize("key", [ED, rsa_key()])
@pytest.mark.parametrize("form", ["relaxed/relaxed", "relaxed/simple", "simple/relaxed", "simple/simple"])
def test_both_algorithms_and_all_forms_are_verified(key: Any, form: str) -> None:
    zone = Zone({"s._domainkey.a.example": [record(key)]})
    raw = signed(key=key, form=form)
    assert verify(raw, zone).verified
    assert dkimpy_says(raw, zone)


def test_a_file_of_lf_lines_is_verified() -> None:
    assert verify(GOOD.replace(b"\r\n", b"\n")).verified


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"Hello", b"hello", "digest-mismatch"),
        (b"Subject: Hi", b"Subject: Ho", "bad-signature"),
        (b"From: Alice <", b"From: Bob <", "bad-signature"),
        (b"alice@a", b"bob@a", "bad-signature"),
        (b"d=a.example", b"d=b.example", "not-aligned"),
        (b"s=s;", b"s=t;", "key-unknown"),
        (b"To: Helper", b"X: y\r\nTo: Helper", None),
        (b"Subject: Hi", b"SUBJECT:   Hi  ", None),
        (b"Hello,  helper ", b"Hello, helper", None),
        (b"Bye\r\n\r\n", b"Bye\r\n", None),
    ],
)
def test_what_is_signed_cannot_be_changed(old: bytes, new: bytes, expected: str | None) -> None:
    assert GOOD.count(old) == 1
    assert code(GOOD.replace(old, new)) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (signed(names=("to", "subject")), "coverage-missing"),  # S1
        (signed(names=()), "coverage-missing"),
        (signed(names=("fromage", "x-from")), "coverage-missing"),
        (signed(covered=5, tags={"l": "5"}), "coverage-missing"),  # S2
        (signed(covered=0, tags={"l": "0"}), "coverage-missing"),
        (signed(tags={"l": "9999"}), "coverage-missing"),
        (signed(tags={"l": ""}), "signature-malformed"),
        (signed(tags={"l": str(len(b"Hello, helper\r\n\r\nBye\r\n"))}), None),
        (signed(tags={"a": "rsa-sha1"}), "algorithm-refused"),  # S5
        (signed(tags={"a": "rsa-sha256"}), "algorithm-refused"),  # S11
        (signed(tags={"d": "a.example\0.b.example"}), "signature-ambiguous"),  # S14
        (signed(tags={"d": 'a.example".b.example'}), "signature-malformed"),
        (signed(tags={"s": "s a"}), "signature-malformed"),
        (signed(tags={"d": "a.example."}), "signature-malformed"),
        (signed(tags={"i": "@b.example"}), "signature-malformed"),  # S15
        (signed(tags={"i": "a.example"}), "signature-malformed"),
        (signed(tags={"i": "alice@sub.a.example"}), None),
        (signed(tags={"v": "2"}), "signature-malformed"),  # S16
        (signed(tags={"q": "dns/other"}), "signature-malformed"),
        (signed(tags={"c": "nowsp"}), "signature-malformed"),
        (signed(extra="d=a.example;"), "signature-malformed"),
        (signed(tags={"x": str(SECONDS - 301)}), "expired"),  # S17
        (signed(tags={"x": str(SECONDS - 300)}), None),
        (signed(tags={"t": str(SECONDS + 301)}), "not-yet-valid"),
        (signed(tags={"t": str(SECONDS + 300)}), None),
        (signed(tags={"t": str(SECONDS), "x": str(SECONDS - 1)}), "signature-malformed"),
        (signed(tags={"t": "0", "x": "999999999999"}), None),
        (signed(extra="z=" + "a" * 8_192 + ";"), "signature-malformed"),  # S18
        (b"DKIM-Signature: rubbish\r\n" + GOOD, None),  # S19
        (signed(GOOD, domain="broken.example"), None),
    ],
)
def test_a_signature_is_judged_strictly_and_alone(raw: bytes, expected: str | None) -> None:
    assert code(raw) == expected


@pytest.mark.parametrize(
    ("answer", "expected", "status"),
    [
        ([], "key-unknown", "fail"),
        ([b"v=DKIM1; k=ed25519; p="], "key-unknown", "fail"),
        ([record(), record()], "key-refused", "fail"),  # S10
        ([record(ED, "h=sha1; ")], "key-refused", "fail"),
        ([record(ED, "s=tlsrpt; ")], "key-refused", "fail"),
        ([record(ED, "t=y; ")], "key-refused", "none"),  # S8
        ([record(rsa_key())], "algorithm-refused", "fail"),  # S11
        ([record(ED).replace(b"DKIM1", b"DKIM2")], "key-refused", "fail"),
        ([record(SigningKey.from_seed(bytes(32), key_id="x").native)], "bad-signature", "fail"),
        (Failed("timeout"), "key-unresolvable", "none"),  # S23
    ],
)
def test_the_key_decides(answer: Any, expected: str, status: str) -> None:
    zone = Zone({"s._domainkey.a.example": answer})
    verdict = verify(GOOD, zone)
    assert (verdict.code, verdict.temporary) == (expected, expected == "key-unresolvable")
    assert verdict.detail
    (result,) = results(GOOD, zone)
    assert (result["status"], result["code"]) == (status, expected)
    assert result.get("result") == ("temperror" if expected == "key-unresolvable" else None)


def test_a_strict_key_does_not_serve_a_subdomain() -> None:  # S9
    zone = Zone({"s._domainkey.a.example": [record(ED, "t=s; ")]})
    assert code(signed(tags={"i": "alice@sub.a.example"}), zone) == "key-refused"
    assert code(signed(tags={"i": "alice@a.example"}), zone) is None


DOUBTFUL = {
    "a blank before a colon": GOOD.replace(b"Subject:", b"X-Any : a\r\nSubject:"),  # F2
    "a folded name": GOOD.replace(b"Subject:", b"X-Any\r\n : a\r\nSubject:"),  # F3
    "a blank at the start": b" folded\r\n" + GOOD,
    "an mbox line": b"From alice Sat Nov 21\r\n" + GOOD,
    "a line that is no field": GOOD.replace(b"Subject:", b"no field\r\nSubject:"),
    "a group": signed(with_from("Team: alice@a.example;")),  # F4
    "two mailboxes": signed(with_from("alice@a.example, Bob")),
    "a route": signed(with_from("<@b.example:alice@a.example>")),  # F5
    "text after the address": signed(with_from("<alice@a.example> Alice")),
    "an address in a comment": signed(with_from("alice@a.example (bob@b.example)")),  # F6
    "an at sign in quotes": signed(with_from('"ceo@bank.example"@a.example')),
    "a quoted pair": signed(with_from("alice@a.example (a\\,b)")),
    "a comment inside": signed(with_from("alice(x)@a.example")),
    "a NUL": GOOD.replace(b"Subject:", b"X: a\0b\r\nSubject:"),  # F9
    "a bare CR": GOOD.replace(b"Subject:", b"X: a\rFrom: b\r\nSubject:"),
    "a control character": signed(MAIL.replace(b"Subject: Hi", b"Subject: Hi\x7f")),
    "a vertical tab": signed(MAIL.replace(b"Alice <", b"Alice\x0b<")),
    "a line that begins with a form feed": GOOD.replace(b"Subject:", b"\x0cFrom: bob@b.example\r\nSubject:"),
    "a line that begins with a blank of Unicode": GOOD.replace(b"Subject:", b"\xc2\xa0, bob@b.example\r\nSubject:"),
    "a bare LF in the head": GOOD.replace(b"Subject:", b"X: a\nSubject:"),
    "a bare LF in the body": signed(MAIL + b"one\ntwo\r\n"),
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,  # F10
    "bytes that are not UTF-8": GOOD.replace(b"Subject:", b"X: \xe9\r\nSubject:"),
    **{  # S3
        f"two {name}": name.encode() + b": x\r\n" + GOOD.replace(b"Subject:", name.encode() + b": y\r\nSubject:", 1)
        for name in (
            "Subject", "To", "Date", "Message-ID", "References", "Content-Type", "Content-Transfer-Encoding",
            "MIME-Version", "Cc", "Reply-To", "Sender",
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("name", DOUBTFUL)
def test_what_can_be_read_in_two_ways_shows_nobody(name: str) -> None:
    zone = Zone()
    envelope = mail.Envelope(mail_from="alice@a.example", spf="pass")
    verdict = verify(DOUBTFUL[name], zone, envelope=envelope)
    assert (verdict.method, verdict.code, verdict.verified) == ("none", "signature-ambiguous", False)
    assert verdict.detail
    assert zone.asked == []
    assert {(found["status"], found["code"]) for found in results(DOUBTFUL[name])} == {("none", "signature-ambiguous")}


@pytest.mark.parametrize(
    "value",
    [
        "alice@a.example (Alice)",
        "alice@a.example",
        '"Alice, at work" <alice@a.example>',
        "=?utf-8?q?alice=40bank=2Eexample?= <alice@a.example>",  # F7
        '"admin@bank.example" <alice@a.example>',  # F8
        "Älice <alice@a.example>",
    ],
)
def test_odd_but_honest_senders_are_verified(value: str) -> None:
    verdict = verify(signed(with_from(value)))
    assert (verdict.verified, verdict.address) == (True, "@alice@a.example")


@pytest.mark.parametrize(
    ("mailbox", "address"),
    [('"a b"@a.example', "@a%20b@a.example"), ("älice@a.example", "@%C3%A4lice@a.example")],  # F11
)
def test_the_domain_of_a_mailbox_that_is_percent_encoded_verifies_it(mailbox: str, address: str) -> None:
    verdict = verify(signed(with_from(mailbox)))
    assert (verdict.verified, verdict.address) == (True, address)


def test_a_domain_with_an_underscore_signs_nothing() -> None:
    zone = Zone({"s._domainkey.a_b.example": [record()]})
    verdict = verify(signed(with_from("alice@a_b.example"), domain="a_b.example"), zone)
    assert (verdict.verified, verdict.code) == (False, "signature-malformed")
    assert not any("_domainkey" in name for name in zone.asked)


def test_other_fields_never_name_the_sender() -> None:  # F12
    raw = signed(b"Sender: eve@a.example\r\nResent-From: eve@a.example\r\n" + with_from("bob@b.example"))
    assert code(raw) == "not-aligned"


def test_results_in_the_mail_are_never_trusted() -> None:  # F14
    raw = b"Authentication-Results: mx.agents.example; dkim=pass header.d=a.example; dmarc=pass\r\n" + MAIL
    assert code(raw) == "unsigned"


def test_a_unicode_domain_is_shown_as_its_a_labels() -> None:  # F13
    zone = Zone({"s._domainkey.xn--bcher-kva.example": [record()]})
    raw = signed(with_from("alice@bücher.example"), domain="xn--bcher-kva.example")
    verdict = verify(raw, zone)
    assert (verdict.verified, verdict.address) == (True, "@alice@xn--bcher-kva.example")
    assert code(signed(with_from("alice@bücher.example"), tags={"d": "bucher.example"}), zone) == "not-aligned"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"From: alice@a.example\r\n" + GOOD, "sender-unaddressable"),  # F1
        (MAIL.replace(b"From:", b"X:"), "sender-unaddressable"),
        (signed(with_from("alice@a\u3002example")), "sender-unaddressable"),
        (b"", "malformed"),
        (b"x" * 51, "too-large"),
    ],
)
def test_a_mail_that_is_rejected_has_the_code_of_that(raw: bytes, expected: str) -> None:
    settings = mail.Settings(limits=Limits(mail_bytes=50)) if expected == "too-large" else mail.Settings()
    verdict = verify(raw, settings=settings)
    assert (verdict.code, verdict.verified, verdict.method) == (expected, False, "none")
    assert verdict.detail


def test_an_unsigned_mail_asks_nothing() -> None:
    zone = Zone()
    assert verify(MAIL, zone).code == "unsigned"
    assert zone.asked == []
    assert receive(MAIL).message.raw["dkim"] == {"results": []}


def test_five_signatures_are_looked_at() -> None:  # S18
    bad = b"DKIM-Signature: v=1\r\n"
    assert code(bad * 4 + GOOD) is None
    assert code(bad * 5 + GOOD) == "signature-malformed"
    found = results(bad * 200 + GOOD)
    assert [result["code"] for result in found] == ["signature-malformed"] * 5 + ["signature-skipped"] * 196
    assert {result["status"] for result in found[5:]} == {"none"}


def test_all_keys_are_asked_for_in_one_batch_and_once() -> None:
    raw = signed(signed(signed(domain="b.example"), domain="b.example"), selector="t")
    flow = mail.verify(raw, now=NOW)
    batch = next(flow)
    assert [ask.name for ask in batch] == ["t._domainkey.a.example", "s._domainkey.b.example"]
    flow.close()


def test_a_signature_that_cannot_fit_any_more_asks_for_no_key() -> None:
    zone = Zone()
    assert code(GOOD.replace(b"Hello", b"hello"), zone) == "digest-mismatch"
    assert zone.asked == []


def test_a_signature_counts_for_one_mail() -> None:
    one, two = verify(GOOD).replays[0], verify(GOOD.replace(b"b=", b"b=\r\n ")).replays[0]
    assert one == two
    assert one.key.startswith("mail:")
    assert one.key[69:] == " host.invalid"
    assert one.binding == "<m@a.example> host.invalid"
    assert one.until.year == 9999
    assert verify(signed(names=("from",))).replays[0].key != one.key


@pytest.mark.parametrize(
    ("expires", "until"),
    [
        (SECONDS + 60, NOW + timedelta(seconds=361)),
        (SECONDS + 60 * 86_400, NOW + timedelta(days=60, seconds=301)),
        (999_999_999_999, datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_a_signature_is_remembered_as_long_as_it_verifies(expires: int, until: datetime) -> None:
    assert verify(signed(tags={"x": str(expires)})).replays[0].until == until


def test_a_signature_that_was_used_for_another_mail_shows_nobody() -> None:
    zone = Zone()
    settings = mail.Settings(use_once=True)
    for before, expected in (("first", None), ("same", None), ("other", "replayed")):
        world = Answers(lookup_txt=zone.answer, use_once=lambda _, before=before: before)
        outcome = receive(GOOD, world=world, recipient="@helper@agents.example", settings=settings)
        assert outcome.verdict.code == expected


def test_a_mail_that_is_signed_twice_counts_once_whichever_signature_is_taken_off() -> None:
    world = Answers(lookup_txt=Zone().answer, use_once=remembering({}))
    names = ("from", "to", "date")
    lower = signed(names=names)
    both = signed(lower, names=names, tags={"t": str(SECONDS)})
    upper = both.replace(lower[: lower.index(b"From:")], b"")
    assert both.count(b"DKIM-Signature") == 2

    def got(raw: bytes) -> Any:
        settings = mail.Settings(use_once=True)
        outcome = receive(raw, world=world, recipient="@helper@agents.example", settings=settings)
        return outcome.verdict.code, [one.code for one in outcome.diagnostics if one.code != "field-unsigned"]

    assert got(both) == (None, [])
    for raw in (both, lower, upper):
        assert got(raw) == (None, ["redelivered"])
        assert got(raw.replace(b"<m@a.example>", b"<n@a.example>")) == ("replayed", [])


def test_signatures_of_other_organisations_and_invalid_ones_are_not_used_up() -> None:
    own = verify(GOOD).replays
    assert len(own) == 1
    assert verify(signed(tags={"d": "b.example"}).removesuffix(MAIL) + GOOD).replays == own
    assert verify(signed(MAIL.replace(b"Bye", b"bye")).removesuffix(MAIL.replace(b"Bye", b"bye")) + GOOD).replays == own


def test_only_who_is_shown_may_be_wanted() -> None:
    settings = mail.Settings(require_verified=True)
    assert receive(MAIL, settings=settings).code == "verification-required"
    assert receive(GOOD, world=Zone().world, recipient="@h@agents.example", settings=settings).verdict.verified


def test_no_name_is_asked_for_a_mail_that_is_for_nobody() -> None:
    zone = Zone()
    world = Answers(lookup_txt=zone.answer, find_agent=lambda _: None)
    assert receive(GOOD, world=world).code == "no-served-recipient"
    assert zone.asked == []


def test_the_budget_of_look_ups_holds() -> None:
    settings = mail.Settings(limits=Limits(asks=1))
    zone = Zone({"s._domainkey.mail.a.example": [record()], "_dmarc.a.example": [b"v=DMARC1; p=reject"]})
    verdict = verify(signed(domain="mail.a.example"), zone, settings=settings)
    assert (verdict.code, verdict.temporary) == ("address-unresolvable", False)
    assert len(zone.asked) == 1


@pytest.mark.parametrize("change", [{"now": datetime(2026, 1, 1)}, {"settings": None}, {"envelope": "a@b.example"}])  # noqa: DTZ001
def test_a_wrong_argument_is_the_callers_fault(change: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        mail.verify(**{"raw": GOOD, "now": NOW, **change})  # type: ignore[arg-type]


def test_only_bytes_are_a_mail() -> None:  # S22
    text: Any = "From: alice@a.example"
    with pytest.raises(UsageError):
        mail.verify(text, now=NOW)


@pytest.mark.parametrize("wrong", ["yes", None, True])
def test_the_option_has_two_words(wrong: Any) -> None:
    with pytest.raises(UsageError):
        mail.Settings(spf_only_dmarc=wrong)
    with pytest.raises(UsageError):
        mail.Settings(limits=wrong)


def test_the_same_mail_gives_the_same_verdict() -> None:
    assert drive(mail.verify(GOOD, now=NOW), Zone().world) == verify(GOOD)
    assert verify(GOOD, now=NOW.astimezone(UTC)) == verify(GOOD)


@pytest.mark.uncounted
def test_a_message_does_not_keep_the_mail_in_memory() -> None:
    raw = signed(tags={"x": "1"}) + b"\r\n" * 5
    before = sum(type(thing) is Body for thing in gc.get_objects())
    outcomes = [receive(raw, world=Zone().world, recipient="@helper@agents.example") for _ in range(3)]
    gc.collect()
    assert sum(type(thing) is Body for thing in gc.get_objects()) == before
    assert outcomes[0].verdict.code == "expired"
