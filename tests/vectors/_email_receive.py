"""Cases of what a mail that was verified looks like in the message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._email_dmarc import SPF, by
from tests.vectors._email_rows import ALICE, KEY, POLICY, as_raw, zone
from tests.vectors._email_signing import ED_OTHER, HEAD, MAIL, NAMES, public, signed

if TYPE_CHECKING:
    from tests.vectors._email_rows import Case

GOOD = signed()
ANY = {"$any": "json"}
HELPER = "@helper@agents.example"
STORE: Case = {"AGENT helper@agents.example": HELPER, "MESSAGE *": None, "HISTORY *": []}
STORED = "019ab1c2-0000-7000-8000-000000000002"
NOBODY = {"method": "none", "verified": False, "address": None, "key_id": None, "temporary": False}


def sender(method: str = "none", key_id: str | None = None, issuer: str = "a.example", **members: Any) -> Case:
    """The sender of a message, with the evidence where they are verified."""
    local = members.get("address", ALICE)[1:]
    found: Case = {
        "address": ALICE,
        "auth_method": method,
        "verified": method != "none",
        "display_name": "Alice",
        "profile": {"display_name": "Alice", "provider": "email", "provider_subject": f"email:{local}"},
    } | {name: value for name, value in members.items() if name != "audience"}
    if key_id is not None:
        found["key_id"] = key_id
    if found["verified"]:
        proof = {"type": "transport", "verified_by": "email"}
        found["identities"] = [
            {
                "subject": found["address"],
                "issuer": issuer,
                "method": f"urn:mentionable:auth:{method}:v0.1",
                "assurance": "domain",
                "audience": members.get("audience", HELPER),
                "issued_at": "2026-11-21T20:56:00Z",
                "proof": proof if key_id is None else {**proof, "key_id": key_id},
            }
        ]
    return found


def message(who: Case, recipient: str = HELPER, **members: Any) -> Case:
    """The usual message."""
    return {
        "id": {"$any": "uuid7"},
        "thread_id": "<m1@a.example>",
        "sender": who,
        "recipient": recipient,
        "parts": [{"kind": "text", "mime": "text/plain", "content": "Hello,  helper \n\nBye\n\n"}],
        "recipient_capabilities": {"mention_relay": {"kind": "recipient-field", "fields": ["to", "cc"]}},
        "received_via": "email",
        "received_at": "2026-11-21T20:56:00Z",
        "raw": ANY,
    } | members


def raw_is(**members: Any) -> Case:
    """What `raw` says of signatures, and whatever it says of the rest."""
    return {"headers": ANY, "parsed": ANY, "dkim": {"results": []}} | members


def result(code: str | None = None, status: str = "pass", domain: str | None = "a.example", **members: Any) -> Case:
    """What `raw` says of one signature."""
    read = {"domain": domain, "selector": "s", "algorithm": "ed25519-sha256", "signed_fields": NAMES.split(":")}
    failed = {"code": code, "detail": ANY}
    return {"status": status} | (read if domain else {}) | (failed if code else {}) | members


def receive_case(
    name: str, section: str, why: str, raw: bytes, outcome: Case, lookups: Case | None = None, **beside: Any
) -> Case:
    """A mail, and what becomes of it."""
    unit: Case = {"raw": as_raw(raw)}
    given: Case = {"lookups": {**STORE, **(zone() if lookups is None else lookups)}}
    if "envelope" in beside:
        unit["envelope"] = beside.pop("envelope")
    if "settings" in beside:
        given["settings"] = beside.pop("settings")
    if "messages" in outcome:
        beside.setdefault("diagnostics", [])
    return (
        {
            "id": f"email/verify-receive/{name}",
            "section": section,
            "level": "MUST",
            "why": why,
            "flags": ["email", "receive"],
            "given": given,
            "input": unit,
        }
        | outcome
        | beside
    )


def one(who: Case, **members: Any) -> Case:
    """The outcome of one message."""
    return {"messages": [message(who, **members)]}


def received() -> list[Case]:
    """Whole messages."""
    return [*_shown(), *_results(), *_settings(), *_stored()]


SHOWN = sender("email-dkim", KEY)
VERDICT = {"method": "email-dkim", "verified": True, "address": ALICE, "key_id": KEY, "code": None, "temporary": False}


def _shown() -> list[Case]:
    policy = zone(None, "guest.corp.example", corp_example=POLICY)
    key_id, author = "s._domainkey.guest.corp.example", "@alice@hr.corp.example"
    dmarc = sender("email-dmarc", key_id, issuer="guest.corp.example", address=author)
    aligned = {"status": "pass", "policy": "reject", "aligned": "dkim", "signer": "guest.corp.example"}
    both = HEAD.replace("To: Helper <helper@agents.example>", "To: helper@agents.example, writer@agents.example")
    writer = "@writer@agents.example"
    return [
        receive_case(
            "shown-typed",
            "NM 5",
            "Whoever reads the message sees who was shown, how, and by which key.",
            GOOD,
            one(SHOWN, raw=raw_is(dkim={"results": [result()]})),
            verdict=VERDICT,
        ),
        receive_case(
            "shown-to-two",
            "R23",
            "Evidence is for one audience: the agent that gets it.",
            signed(f"{both}\r\nHello,  helper \r\n\r\nBye\r\n\r\n".encode()),
            {"messages": [message(SHOWN), message(sender("email-dkim", KEY, audience=writer), recipient=writer)]},
            {**zone(), "AGENT writer@agents.example": writer},
            verdict=VERDICT,
        ),
        receive_case(
            "shown-by-dmarc-typed",
            "NM 5.3.2",
            "The parent's signature stands for the sender by DMARC, and raw says so.",
            by("guest.corp.example"),
            one(dmarc, raw=raw_is(dkim={"results": [result(domain="guest.corp.example")]}, dmarc=aligned)),
            policy,
        ),
        receive_case(
            "unsigned-fields-typed",
            "RFC 6376 8.5",
            "What is not signed anybody on the way may have written: raw tells which is.",
            signed(tags={"h": "from:date"}).replace(b"Subject: Hi", b"Subject: Ho"),
            one(SHOWN, raw=raw_is(dkim={"results": [result(signed_fields=["from", "date"])]})),
            diagnostics=["field-unsigned"],
        ),
        receive_case(
            "unsigned-disposition",
            "RFC 6376 8.5",
            "A field that makes a file of signed text anybody on the way may have added.",
            b"Content-Disposition: attachment; filename=n.txt\r\n" + GOOD,
            one(
                SHOWN,
                parts=[{"kind": "file", "mime": "text/plain", "name": "n.txt", "bytes_ref": ANY, "size_bytes": ANY}],
            ),
            diagnostics=["field-unsigned"],
        ),
        receive_case(
            "not-shown-typed",
            "R21",
            "A fault of a signature costs verification and not the mail.",
            GOOD.replace(b"Subject: Hi", b"Subject: Ho"),
            one(sender(), raw=raw_is(dkim={"results": [result("bad-signature", "fail")]})),
            verdict={**NOBODY, "code": "bad-signature"},
        ),
        receive_case(
            "not-shown-now-typed",
            "R21",
            "A key that cannot be had now is said to be so, and never taken for none.",
            GOOD,
            one(sender(), raw=raw_is(dkim={"results": [result("key-unresolvable", "none", result="temperror")]})),
            zone({KEY: {"failed": "timeout"}}),
            verdict={**NOBODY, "code": "key-unresolvable", "temporary": True},
        ),
        receive_case(
            "nobody-served",
            "R24",
            "Nothing is looked up for a mail that is for nobody here.",
            GOOD,
            {"rejected": {"code": "no-served-recipient"}},
            {**zone(), "AGENT helper@agents.example": None},
            must_not_ask=["TXT *"],
        ),
    ]


def _results() -> list[Case]:
    testing = zone({"t._domainkey.a.example": "v=DKIM1; k=ed25519; t=y; p=" + public(ED_OTHER)})
    three = b"DKIM-Signature: rubbish\r\n" + signed(GOOD, ED_OTHER, tags={"s": "t"})
    results = [
        result("signature-malformed", "fail", None),
        result("key-refused", "none", selector="t"),
        result(),
    ]
    skipped = [result("signature-malformed", "fail", None)] * 5 + [{"status": "none", "code": "signature-skipped"}] * 2
    doubt = [result("signature-ambiguous", "none", None)]
    envelope = {"mail_from": SPF["mail_from"], "rcpt_to": ["helper@agents.example"]}
    spf = {"spf": {"status": "pass"}, "envelope": envelope}
    dmarc = {"status": "pass", "policy": "reject", "aligned": "spf"}
    failed = {"status": "none", "result": "temperror"}
    stranger = sender(address="@alice@hr.corp.example")
    signer = "guest.corp.example"
    twice = b"Subject: x\r\n" + GOOD
    return [
        receive_case(
            "result-of-each-typed",
            "NM 6",
            "What came of each signature is there to be read.",
            three,
            one(SHOWN, raw=raw_is(dkim={"results": results})),
            testing,
        ),
        receive_case(
            "results-skipped-typed",
            "RFC 6376 6.1",
            "Signatures that nobody looked at are said to be so.",
            b"DKIM-Signature: v=1\r\n" * 6 + GOOD,
            one(sender(), raw=raw_is(dkim={"results": skipped})),
        ),
        receive_case(
            "result-ambiguous-typed",
            "RFC 6376 8.15",
            "What can be read in two ways is delivered, and shows nobody.",
            twice,
            one(sender(), raw=raw_is(dkim={"results": doubt})),
            diagnostics=["field-repeated"],
            verdict={**NOBODY, "code": "signature-ambiguous"},
            must_not_ask=["TXT *"],
        ),
        receive_case(
            "spf-alone-typed",
            "R22",
            "The method is named, and the sender is not verified.",
            MAIL,
            one(sender("email-dmarc", verified=False), raw=raw_is(**spf, dmarc=dmarc)),
            zone(None, a_example=POLICY),
            envelope=SPF,
            settings={"spf_only_dmarc": "unverified"},
            verdict={"method": "email-dmarc", "verified": False, "code": "spf-only", "address": ALICE},
        ),
        receive_case(
            "spf-alone-trusted-typed",
            "R22",
            "Who trusts servers gets the sender verified, by no key.",
            MAIL,
            one(sender("email-dmarc"), raw=raw_is(**spf, dmarc=dmarc)),
            zone(None, a_example=POLICY),
            envelope=SPF,
            settings={"spf_only_dmarc": "verified"},
            verdict={"method": "email-dmarc", "verified": True, "key_id": None},
        ),
        receive_case(
            "spf-failed-typed",
            "NM 6",
            "What the server found is in raw, whatever it was.",
            MAIL,
            one(sender(), raw=raw_is(spf={"status": "fail"}, envelope=envelope)),
            envelope={**SPF, "spf": "fail"},
            verdict={**NOBODY, "code": "unsigned"},
            must_not_ask=["TXT *"],
        ),
        *[
            receive_case(
                f"spf-{word}",
                "NM 6",
                "A word that the contract does not know is none, and stands next to it.",
                MAIL,
                one(sender(), raw=raw_is(spf={"status": "none", "result": word}, envelope=envelope)),
                envelope={**SPF, "spf": word},
                verdict={**NOBODY, "code": "unsigned"},
                must_not_ask=["TXT *"],
            )
            for word in ("temperror", "permerror")
        ],
        receive_case(
            "dmarc-not-known-typed",
            "R21",
            "A record that cannot be had now is said to be so.",
            by(signer),
            one(stranger, raw=raw_is(dkim={"results": [result(domain=signer)]}, dmarc=failed)),
            zone(None, signer, hr_corp_example={"failed": "timeout"}),
            verdict={**NOBODY, "code": "address-unresolvable", "temporary": True},
        ),
    ]


def _settings() -> list[Case]:
    wanted, once = {"require_verified": True}, {"use_once": True}
    refused = {"rejected": {"code": "verification-required"}}
    down = {"failed": "timeout"}
    return [
        receive_case(
            "wanted-and-shown", "R21", "A mail that shows its sender is taken.", GOOD, one(SHOWN), settings=wanted
        ),
        receive_case(
            "wanted-and-unsigned",
            "R21",
            "Who takes verified mail alone gets no other.",
            MAIL,
            refused,
            settings=wanted,
            verdict={**NOBODY, "code": "unsigned"},
        ),
        receive_case(
            "wanted-and-forged",
            "R21",
            "Who takes verified mail alone gets no other.",
            GOOD.replace(b"Hello", b"hello"),
            refused,
            settings=wanted,
            verdict={**NOBODY, "code": "digest-mismatch"},
        ),
        receive_case(
            "wanted-and-spf-alone",
            "R22",
            "SPF alone verifies nobody.",
            MAIL,
            refused,
            zone(None, a_example=POLICY),
            envelope=SPF,
            settings={**wanted, "spf_only_dmarc": "unverified"},
            verdict={"verified": False, "code": "spf-only"},
        ),
        receive_case(
            "wanted-and-not-known-now",
            "R21",
            "A mail whose key cannot be had now is to come again, not to be lost.",
            GOOD,
            {"rejected": {"code": "lookup-failed"}},
            zone({KEY: down}),
            settings=wanted,
            verdict={**NOBODY, "code": "key-unresolvable", "temporary": True},
        ),
        receive_case(
            "once-and-new", "R25", "A signature counts for the mail that it came with.", GOOD, one(SHOWN), settings=once
        ),
        receive_case(
            "once-and-taken",
            "R25",
            "The same signature under another mail is a copy.",
            GOOD,
            one(sender()),
            {**zone(), "ONCE *": False},
            settings=once,
            verdict={**NOBODY, "code": "replayed"},
        ),
        receive_case(
            "once-and-same",
            "R70",
            "The same mail comes again: it is a redelivery, also where no message is stored.",
            GOOD,
            one(SHOWN),
            {**zone(), "ONCE *": "same"},
            settings=once,
            diagnostics=["redelivered"],
        ),
        receive_case(
            "once-and-other",
            "R70",
            "The same signature under another mail is a copy.",
            GOOD,
            one(sender()),
            {**zone(), "ONCE *": "other"},
            settings=once,
            verdict={**NOBODY, "code": "replayed"},
        ),
        receive_case(
            "once-and-not-known",
            "R25",
            "Whether it is a copy cannot be told now.",
            GOOD,
            one(sender()),
            {**zone(), "ONCE *": down},
            settings=once,
            verdict={**NOBODY, "code": "replay-unknown", "temporary": True},
        ),
        receive_case(
            "once-and-wanted",
            "R25",
            "A copy shows nobody, and who takes verified mail alone refuses it.",
            GOOD,
            refused,
            {**zone(), "ONCE *": False},
            settings={**once, **wanted},
            verdict={**NOBODY, "code": "replayed"},
        ),
        receive_case(
            "once-and-unsigned",
            "R25",
            "What shows nobody uses nothing up.",
            MAIL,
            one(sender()),
            settings=once,
            verdict={**NOBODY, "code": "unsigned"},
            must_not_ask=["ONCE *"],
        ),
        receive_case(
            "copies-are-not-asked-for",
            "R25",
            "Mails come twice for honest reasons: whether copies count is a setting.",
            GOOD,
            one(SHOWN),
            {**zone(), "ONCE *": False},
            must_not_ask=["ONCE *"],
        ),
    ]


def _stored() -> list[Case]:
    def known(method: str) -> Case:
        stored = {"id": STORED, "thread_id": "<m1@a.example>", "sender": ALICE, "auth_method": method}
        return {**zone(), "MESSAGE <m1@a.example>": stored}

    other_words = known("none")
    other_words["MESSAGE <m1@a.example>"] |= {"verified": False, "digest": "0" * 64}
    weaker = "A weaker copy of a verified mail must not take its place."
    kept = {"id": STORED}
    forged = GOOD.replace(b"Hello", b"hello")
    parts = [{"kind": "text", "mime": "text/plain", "content": "hello,  helper \n\nBye\n\n"}]
    policy = zone(None, a_example=POLICY)
    reused, again = ["native-id-reused"], ["redelivered"]
    spf = sender("email-dmarc", verified=False)
    unverified = {"spf_only_dmarc": "unverified"}
    chosen = {"id": STORED, "thread_id": "<t@evil.example>", "sender": "@eve@evil.example", "verified": False}
    return [
        receive_case(
            "attack-thread-of-an-unverified-parent",
            "R74",
            "A verified mail does not follow an unverified one into a thread that an attacker may have chosen.",
            b"In-Reply-To: <p@a.example>\r\n" + GOOD,
            one(SHOWN, thread_id="<p@a.example>", in_reply_to=STORED),
            {**zone(), "MESSAGE <p@a.example>": chosen, "HISTORY <t@evil.example>": []},
            diagnostics=["field-unsigned", "thread-unproven"],
            must_not_ask=["HISTORY <t@evil.example>"],
        ),
        receive_case(
            "again",
            "NM 3.1",
            "A mail that comes twice keeps its id.",
            GOOD,
            one(SHOWN, **kept),
            known("email-dkim"),
            diagnostics=again,
        ),
        receive_case(
            "again-with-a-stronger-proof",
            "NM 3.1",
            "A better proof of the same mail is the same mail.",
            GOOD,
            one(SHOWN, **kept),
            known("none"),
            diagnostics=again,
        ),
        receive_case(
            "again-after-other-words-that-were-not-verified",
            "R4",
            "Whoever knows an id beforehand must not keep a verified mail from its answer.",
            GOOD,
            one(SHOWN),
            other_words,
            diagnostics=reused,
        ),
        receive_case(
            "again-without-its-signature",
            "NM 3.1",
            weaker,
            MAIL,
            one(sender()),
            known("email-dkim"),
            diagnostics=reused,
        ),
        receive_case(
            "again-forged",
            "NM 3.1",
            weaker,
            forged,
            one(sender(), parts=parts),
            known("email-dkim"),
            diagnostics=reused,
        ),
        receive_case(
            "again-by-spf-alone",
            "NM 3.1",
            weaker,
            MAIL,
            one(spf),
            {**policy, **known("email-dkim")},
            diagnostics=reused,
            envelope=SPF,
            settings=unverified,
        ),
        receive_case(
            "again-by-spf-after-nothing",
            "NM 3.1",
            "A better proof of the same mail is the same mail.",
            MAIL,
            one(spf, **kept),
            {**policy, **known("none")},
            diagnostics=again,
            envelope=SPF,
            settings=unverified,
        ),
    ]
