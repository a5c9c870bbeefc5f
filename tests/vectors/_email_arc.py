"""Cases of ARC: the word of forwarders that the settings trust, and of all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._email_receive import ANY, NOBODY, one, raw_is, receive_case, result, sender
from tests.vectors._email_rows import ALICE, refused, shown, silent, zone
from tests.vectors._email_sealing import CHANGED, EVIL, FOOTER, HOP, LIST, LIST_KEY, PASS, sealed
from tests.vectors._email_signing import ED, MAIL, RSA, RSA_4096, fields_of, record

if TYPE_CHECKING:
    from tests.vectors._email_rows import Case

VALIDATION = "RFC 8617 5.2"
POLICY = "RFC 8617 7.2.1"
RESULTS = "RFC 8601 2.2"
TRUSTED = {"trusted_arc_sealers": [LIST]}
BOTH = {"trusted_arc_sealers": [LIST, HOP]}


def sealers(*domains: str, **records: Any) -> Case:
    """Look-ups: the sender's key, those of these sealers, and further records by name."""
    keys = {f"s._domainkey.{domain}": record(RSA) for domain in domains}
    return zone({**keys, **records})


ZONE = sealers(LIST, HOP, EVIL)
_TWO_SETS = sealed(sealed(domain=HOP), LIST)


def _by_list(name: str, why: str, raw: bytes, *, section: str = POLICY, **more: Any) -> Case:
    """A mail that is verified by the word of the list."""
    case: Case = {"method": "email-dmarc", "key_id": LIST_KEY, "settings": TRUSTED, "level": "SHOULD", **more}
    return shown(f"arc/{name}", why, raw, case.pop("lookups", ZONE), section=section, **case)


def _not(
    name: str, why: str, raw: bytes, code: str = "digest-mismatch", *, section: str = VALIDATION, **more: Any
) -> Case:
    """A mail that stays unverified, for the reason that holds without ARC."""
    case: Case = {"settings": TRUSTED, **more}
    return refused(f"arc/{name}", code, why, raw, case.pop("lookups", ZONE), section=section, **case)


def _silent(name: str, why: str, raw: bytes) -> Case:
    """A mail for which nothing is asked, since its newest seal is not of the list."""
    return silent(f"arc/{name}", "digest-mismatch", why, raw, section=POLICY, settings=TRUSTED)


def _without(raw: bytes, name: str, number: int = 1) -> bytes:
    """The mail without one field of a set."""
    doomed = next(one for one in fields_of(raw) if one.startswith(f"{name}: i={number};".encode()))
    return raw.replace(doomed + b"\r\n", b"")


def arc() -> list[Case]:
    """All of them."""
    return [*_believed(), *_whom(), *_chains(), *_sets(), *_results(), *_keys()]


def _believed() -> list[Case]:
    removed = MAIL.replace(b"Bye", b"Bye, says the list")
    odd = (
        "spf=none (no record; dkim=fail) smtp.mailfrom=a.example;\r\n\tDKIM = Pass (good \\) key) header.D = A.Example"
    )
    return [
        _by_list("trusted", "The list verified the sender before it added its lines.", sealed()),
        _by_list(
            "ed25519",
            "The algorithms are those of DKIM.",
            sealed(private=ED),
            lookups=sealers(**{LIST_KEY: record()}),
            section="RFC 8463 3",
        ),
        _by_list("folded", "Signatures are folded, and of each form.", sealed(fold=40, message={"c": "simple/simple"})),
        _by_list("signature-removed", "The list took the signature of the sender out.", sealed(removed)),
        _by_list("two-trusted", "Both who had the mail are trusted.", _TWO_SETS, settings=BOTH),
        _by_list(
            "untrusted-before",
            "Who had it before the list saw the signature valid matters not.",
            sealed(sealed(domain=EVIL)),
        ),
        _by_list(
            "first-of-two",
            "The second one saw what the first one had changed.",
            sealed(sealed(domain=HOP), LIST, "dkim=fail header.d=a.example; arc=pass"),
            settings=BOTH,
        ),
        _by_list(
            "by-identity",
            "Some name the identity alone.",
            sealed(results="dkim=pass header.i=@a.example"),
            section=RESULTS,
        ),
        _by_list(
            "comments-and-case", "Comments say nothing, and case does not matter.", sealed(results=odd), section=RESULTS
        ),
        _by_list(
            "one-of-several",
            "One valid signature of the domain is enough.",
            sealed(results=f"dkim=fail header.d=a.example; dkim=pass header.d=b.example; {PASS}"),
            section=RESULTS,
        ),
    ]


def _whom() -> list[Case]:
    return [
        silent(
            "arc/none-trusted",
            "digest-mismatch",
            "By default no seal counts, and no key is asked for.",
            sealed(),
            section=POLICY,
        ),
        _silent("other-trusted", "Another domain than the trusted one sealed.", sealed(domain=EVIL)),
        _silent("trusted-then-other", "Whoever sealed last may have written it.", sealed(sealed(), EVIL)),
        _silent("parent-is-trusted", "Domains are compared whole.", sealed(domain=f"x.{LIST}")),
        _silent(
            "message-signature-of-another",
            "Both signatures of the newest set are of trusted domains.",
            sealed(message={"d": EVIL}),
        ),
        _not(
            "other-between",
            "An untrusted one had it between two that are trusted.",
            sealed(sealed(sealed(), EVIL), HOP, "dkim=fail header.d=a.example; arc=pass"),
            section=POLICY,
            settings=BOTH,
        ),
        _not("forged-in-its-name", "The key of another signed in the name of the list.", sealed(private=RSA_4096)),
        _not("only-spf", "SPF verifies no mail.", sealed(results="spf=pass smtp.mailfrom=a.example"), section="R22"),
        _not(
            "only-dmarc",
            "DMARC may rest on SPF alone.",
            sealed(results="dmarc=pass header.from=a.example; spf=pass smtp.mailfrom=a.example"),
            section="R22",
        ),
        _not(
            "other-domain",
            "The list verified another domain than that of From.",
            sealed(results="dkim=pass header.d=b.example"),
        ),
        _not(
            "subdomain", "A domain below that of From is another one.", sealed(results="dkim=pass header.d=x.a.example")
        ),
    ]


def _chains() -> list[Case]:
    late = {"t": "1800000000"}
    return [
        _not(
            "body-changed", "Another body than the one that was sealed.", sealed().replace(FOOTER.encode(), b"Pay!\r\n")
        ),
        _not(
            "from-changed",
            "Another From than the one that was sealed.",
            sealed(results="dkim=pass header.d=b.example").replace(b"alice@a.example", b"alice@b.example"),
            code="not-aligned",
        ),
        _not(
            "results-changed",
            "Other results than those that were sealed.",
            sealed(results="dkim=fail header.d=a.example").replace(b"dkim=fail", b"dkim=pass"),
        ),
        _not(
            "chain-of-another-mail",
            "The sets of one mail on another.",
            sealed()[: -len(CHANGED)] + CHANGED.replace(b"Hello", b"Pay"),
        ),
        _not("broken-before", "A sealer found the chain broken.", sealed(sealed(), seal={"cv": "fail"})),
        _not("broken-at-first", "The first seal says that the chain was broken.", sealed(sealed(seal={"cv": "fail"}))),
        _not("none-in-the-middle", "A second chain begins on top of the first.", sealed(sealed(), seal={"cv": "none"})),
        _not("pass-at-first", "There was no chain before the first seal.", sealed(seal={"cv": "pass"})),
        _not("no-cv", "A seal says how the chain was.", sealed(seal={"cv": None})),
        _not(
            "earlier-seal-changed", "Every seal is verified.", sealed(sealed(seal={"n": "1"})).replace(b"n=1", b"n=2")
        ),
        _not(
            "earlier-seal-forged",
            "A first seal in the name of a trusted one, by the key of another.",
            sealed(sealed(domain=HOP, private=RSA_4096), LIST, "dkim=fail header.d=a.example; arc=pass"),
            settings=BOTH,
        ),
        _not("sealed-in-the-future", "A seal from the future.", sealed(seal=late)),
        _not("signed-in-the-future", "A message signature from the future.", sealed(message=late)),
        _not("expired", "The newest message signature has expired.", sealed(message={"x": "1600000000"})),
    ]


def _sets() -> list[Case]:
    one = sealed()
    top = fields_of(one)[0]
    several = sealed()
    for _ in range(50):
        several = sealed(several)
    return [
        _not("first-set-missing", "The chain begins with instance 1.", sealed(instance=2)),
        _not("instance-missing", "No instance is left out.", sealed(one, instance=3)),
        _not("instance-zero", "Instances begin with 1.", sealed(instance=0, seal={"cv": "none"})),
        _not("instance-with-zero", "A number has one spelling.", one.replace(b"i=1;", b"i=01;")),
        _not("instance-twice", "A set is there once.", top + b"\r\n" + one),
        _not(
            "results-twice",
            "A set has one field of results.",
            one.replace(
                b"ARC-Authentication-Results:",
                b"ARC-Authentication-Results: i=1; mx.evil.example; none\r\nARC-Authentication-Results:",
            ),
        ),
        _not("no-results", "A set has a field of results.", _without(one, "ARC-Authentication-Results")),
        _not("no-message-signature", "A set has a message signature.", _without(one, "ARC-Message-Signature")),
        _not("no-seal", "A set has a seal.", _without(one, "ARC-Seal")),
        _not("last-seal-missing", "Each set has a seal.", _without(sealed(one), "ARC-Seal", 2)),
        _not("too-many", "A chain has at most 50 sets.", several, section="RFC 8617 4.2.1"),
        _not(
            "seal-is-signed",
            "A message signature does not cover seals.",
            sealed(message={"h": "from:subject:arc-seal"}),
            section="RFC 8617 4.1.2",
        ),
        _not(
            "from-unsigned",
            "A message signature covers From.",
            sealed(message={"h": "to:subject"}),
            section="RFC 8617 4.1.2",
        ),
        _not(
            "a-part-of-the-body",
            "A message signature covers the whole body.",
            sealed(message={"l": "5"}),
            section="RFC 8617 4.1.2",
        ),
        _not(
            "seal-names-fields",
            "A seal covers the sets, and chooses nothing.",
            sealed(seal={"h": "from"}),
            section="RFC 8617 4.1.3",
        ),
        _not(
            "seal-with-a-body",
            "A seal covers no body.",
            sealed(seal={"bh": "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}),
            section="RFC 8617 4.1.3",
        ),
        _not("sha-1", "SHA-1 is refused.", sealed(seal={"a": "rsa-sha1"}), section="RFC 8301 3.1"),
        _not(
            "two-subjects",
            "What is ambiguous verifies no sender.",
            b"Subject: Pay\r\n" + one,
            "signature-ambiguous",
            must_not_ask=["TXT *"],
        ),
    ]


def _results() -> list[Case]:
    rows = [
        ("failed", "The list found the signature invalid.", "dkim=fail header.d=a.example"),
        ("none", "The list verified nothing.", "none"),
        ("in-a-comment", "A comment is no result.", f"dkim=none (x; {PASS})"),
        ("in-a-string", "A quoted string is no result.", f'dkim=none reason="x; {PASS}"'),
        ("comment-without-end", "A comment that does not end leaves nothing to read.", f"{PASS} (x"),
        ("string-without-end", "A quoted string that does not end leaves nothing to read.", f'{PASS} reason="x'),
        ("stray-parenthesis", "What is odd is not read.", f"spf=none x) ; {PASS}"),
        ("property-twice", "Two domains of one result are none.", f"{PASS} header.d=b.example"),
        ("no-property", "A result without its domain says nothing of one.", "dkim=pass"),
        ("other-method", "Another method is not DKIM.", "x-dkim=pass header.d=a.example"),
        ("policy-result", "A domain that is not DNS's is none.", "dkim=pass header.d=a"),
        ("beyond-ascii", "What is beyond ASCII is not read.", f"spf=none (é); {PASS}"),
    ]
    return [_not(f"results-{name}", why, sealed(results=text), section=RESULTS) for name, why, text in rows]


def _keys() -> list[Case]:
    gone = {"failed": "SERVFAIL"}
    return [
        _not("key-missing", "The list publishes no key.", sealed(), lookups=zone()),
        _not("key-testing", "The list is testing.", sealed(), lookups=sealers(**{LIST_KEY: record(RSA, "t=y; ")})),
        _not(
            "key-unresolvable",
            "A key that cannot be asked for now.",
            sealed(),
            "key-unresolvable",
            temporary=True,
            lookups=sealers(**{LIST_KEY: gone}),
            section="NM 8",
        ),
        _not(
            "earlier-key-missing",
            "A key of an earlier seal is missing.",
            _TWO_SETS,
            settings=BOTH,
            lookups=sealers(LIST),
        ),
        _by_list(
            "message-key-of-its-own",
            "Both signatures have keys of their own.",
            sealed(message={"s": "other"}),
            key_id=f"other._domainkey.{LIST}",
            lookups=sealers(LIST, **{f"other._domainkey.{LIST}": record(RSA)}),
        ),
    ]


def sealed_messages() -> list[Case]:
    """Whole messages."""
    who = {name: one for name, one in sender("email-dmarc", LIST_KEY).items() if name != "identities"}
    failed = {**result("digest-mismatch", "fail"), "detail": ANY}
    text = "Hello,  helper \n\nBye\n\n-- \nThe list\n"
    parts = [{"kind": "text", "mime": "text/plain", "content": text}]
    passed = {"status": "pass", "sealers": [HOP, LIST], "signers": ["a.example"]}
    untrusted = {"status": "none", "code": "sealer-untrusted", "detail": ANY, "sealers": [EVIL], "signers": []}
    demand = b"X-Mentionable-Policy: {}\r\n" + sealed()
    unsigned = {**NOBODY, "code": "digest-mismatch"}

    def row(name: str, why: str, raw: bytes, outcome: Case, **more: Any) -> Case:
        made = receive_case(name, POLICY, why, raw, outcome, ZONE, **{"settings": TRUSTED, **more})
        return {**made, "level": "SHOULD"}

    return [
        row(
            "by-forwarder-typed",
            "The sender is verified by the seal of the list, without evidence; raw and a diagnostic say so.",
            _TWO_SETS,
            one(who, parts=parts, raw=raw_is(dkim={"results": [failed]}, arc=passed)),
            settings=BOTH,
            diagnostics=["field-unsigned", "trusted-forwarder"],
            verdict={"method": "email-dmarc", "verified": True, "address": ALICE, "key_id": LIST_KEY, "code": None},
        ),
        row(
            "forwarder-not-trusted-typed",
            "raw says that nothing was asked, and why.",
            sealed(domain=EVIL),
            one(sender(), parts=parts, raw=raw_is(dkim={"results": [failed]}, arc=untrusted)),
            verdict=unsigned,
            must_not_ask=["TXT *"],
        ),
        row(
            "arc-of-none-typed",
            "Without a setting there is no result of ARC.",
            sealed(),
            one(sender(), parts=parts, raw=raw_is(dkim={"results": [failed]})),
            settings={},
            verdict=unsigned,
        ),
        row(
            "by-forwarder-with-policy",
            "The forwarder does not say that the sender wrote the policy requirement.",
            demand,
            one(who, parts=parts),
            diagnostics=["field-unsigned", "field-unsigned", "trusted-forwarder"],
            verdict={"verified": True},
        ),
    ]
