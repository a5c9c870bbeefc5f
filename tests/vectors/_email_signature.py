"""Cases of a DKIM-Signature field: what it covers, how it is spelled, when it counts, and what was changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._email_rows import KEY, refused, shown, silent, zone
from tests.vectors._email_signing import (
    BODY,
    ED_OTHER,
    HEAD,
    MAIL,
    NAMES,
    NOW,
    RSA,
    canonical_body,
    numbers,
    record,
    signed,
)

if TYPE_CHECKING:
    from tests.vectors._email_rows import Case

GOOD = signed()
BROKEN = "signature-malformed"


def coverage() -> list[Case]:
    """What a signature covers."""
    size = len(canonical_body(BODY.encode(), "relaxed"))
    missing, section = "coverage-missing", "RFC 6376 5.4"
    end = "What comes after the end of what was signed anybody may write."
    appended = signed(tags={"l": str(size)}) + b"<h1>Pay here</h1>\r\n"
    cases = [
        silent(
            f"coverage/{name}",
            missing,
            "A signature that does not cover the sender shows none.",
            signed(tags={"h": names}),
            section=section,
        )
        for name, names in (
            ("no-from", "to:subject:date"),
            ("nothing", ""),
            ("fields-like-from", "x-from:fromage:subject"),
        )
    ]
    cases += [
        silent(f"coverage/{name}", missing, end, raw, section="RFC 6376 8.2")
        for name, raw in (
            ("length-of-a-part", signed(tags={"l": "5"}, covered=5)),
            ("length-zero", signed(tags={"l": "0"}, covered=0)),
            ("length-past-the-end", signed(tags={"l": "9999"})),
            ("length-and-more-appended", appended),
        )
    ]
    whole = "A length that is the whole body leaves nothing open."
    simple = signed(tags={"l": str(len(canonical_body(BODY.encode(), "simple"))), "c": "simple/simple"})
    over = signed(tags={"h": f"{NAMES}:from:reply-to"})
    twice = signed(b"X-List: 1\r\nX-List: 2\r\n" + MAIL, tags={"h": f"{NAMES}:x-list"})
    cases += [
        shown("coverage/length-of-all", whole, signed(tags={"l": str(size)}), section="RFC 6376 3.4.5"),
        shown("coverage/length-of-all-simple", whole, simple, section="RFC 6376 3.4.5"),
        shown("coverage/from-alone", "The sender is what must be signed.", signed(tags={"h": "from"}), section=section),
        shown(
            "coverage/names-in-capitals",
            "Names of fields have no case.",
            signed(tags={"h": "FROM:Subject"}),
            section="RFC 6376 5.4",
        ),
        shown(
            "coverage/fields-that-are-not-there",
            "To sign what is not there keeps it away.",
            over,
            section="RFC 6376 5.4.2",
        ),
        refused(
            "coverage/absent-field-added",
            "bad-signature",
            "It was signed that there is none.",
            over.replace(b"\r\nSubject:", b"\r\nReply-To: eve@b.example\r\nSubject:"),
            section="RFC 6376 5.4.2",
        ),
        shown(
            "coverage/unsigned-subject-changed",
            "Who leaves a field out lets others change it; the sender is shown.",
            signed(tags={"h": "from:date"}).replace(b"Subject: Hi", b"Subject: Ho"),
            section=section,
        ),
        shown(
            "coverage/last-of-two", "Of two fields of a name the last one is signed.", twice, section="RFC 6376 5.4.2"
        ),
        shown(
            "coverage/first-of-two-changed",
            "Of two fields of a name the last one is signed.",
            twice.replace(b"X-List: 1", b"X-List: 9"),
            section="RFC 6376 5.4.2",
        ),
        refused(
            "coverage/last-of-two-changed",
            "bad-signature",
            "Of two fields of a name the last one is signed.",
            twice.replace(b"X-List: 2", b"X-List: 9"),
            section="RFC 6376 5.4.2",
        ),
    ]
    return cases


def changed() -> list[Case]:
    """What cannot be changed without being seen."""
    other = signed(f"{HEAD}\r\nPay here\r\n".encode())
    digest = other.partition(b"bh=")[2].partition(b";")[0]
    own = GOOD.partition(b"bh=")[2].partition(b";")[0]
    value = GOOD.partition(b" b=")[2].partition(b"\r\n")[0]
    flipped = value.replace(value[10:11], b"A" if value[10:11] != b"A" else b"B", 1)
    rows: list[tuple[str, str, str, bytes]] = [
        ("subject", "bad-signature", "A signed field is another one.", GOOD.replace(b"Subject: Hi", b"Subject: Ho")),
        ("sender", "bad-signature", "Another user of the domain is named.", GOOD.replace(b"alice@a", b"ceo@a")),
        ("sender-name", "bad-signature", "Another person is named.", GOOD.replace(b"From: Alice", b"From: Boss")),
        ("date", "bad-signature", "An old mail comes back as a new one.", GOOD.replace(b"20:56:00 +", b"20:57:00 +")),
        ("message-id", "bad-signature", "The same mail comes back under another id.", GOOD.replace(b"<m1@", b"<m2@")),
        ("field-removed", "bad-signature", "A signed field is gone.", GOOD.replace(b"Subject: Hi\r\n", b"")),
        (
            "tag-changed",
            "bad-signature",
            "The signature covers its own tags.",
            GOOD.replace(b"c=relaxed/relaxed;", b"c=relaxed/relaxed;  i=@a.example;"),
        ),
        ("signature-bit", "bad-signature", "One bit is not as it was signed.", GOOD.replace(value, flipped)),
        ("signature-cut", "bad-signature", "A signature has the length of its key.", GOOD.replace(value, value[:-4])),
        (
            "digest-and-body",
            "bad-signature",
            "Who changes the body and its digest has no key to sign with.",
            GOOD.replace(BODY.encode(), b"Pay here\r\n").replace(own, digest),
        ),
        (
            "of-somebody-else",
            "bad-signature",
            "Another key has signed in the name of the domain.",
            signed(private=ED_OTHER),
        ),
    ]
    cases = [refused(f"changed/{name}", code, why, raw, section="RFC 6376 6.1.3") for name, code, why, raw in rows]
    late = "A body that does not fit needs no key to be refused."
    for name, old, new in (
        ("body", b"Hello", b"hello"),
        ("body-appended", b"Bye\r\n", b"Bye\r\nPay here\r\n"),
        ("body-line-joined", b"helper \r\n\r\nBye", b"helper \r\nBye"),
        ("body-emptied", BODY.encode(), b""),
    ):
        raw = GOOD.replace(old, new)
        assert raw != GOOD
        cases.append(silent(f"changed/{name}", "digest-mismatch", late, raw, section="RFC 6376 6.1.3"))
    rsa = zone({KEY: record(RSA)})
    modulus = numbers(RSA).n

    def larger(found: bytes) -> bytes:
        return (int.from_bytes(found, "big") + modulus).to_bytes(256, "big")

    for name, why, raw in (
        (
            "rsa-leading-zero",
            "A signature of RSA has one spelling.",
            signed(private=RSA, made=lambda found: b"\0" + found),
        ),
        (
            "rsa-plus-modulus",
            "A number beyond the modulus is the same one to careless arithmetic.",
            signed(private=RSA, made=larger, wait=lambda found: int.from_bytes(found, "big") + modulus < 1 << 2_048),
        ),
        (
            "rsa-short",
            "A leading zero belongs to the signature.",
            signed(private=RSA, made=lambda found: found[1:], wait=lambda found: found[0] == 0),
        ),
    ):
        cases.append(refused(f"changed/{name}", "bad-signature", why, raw, rsa, section="RFC 8017 8.2.2"))
    return cases


def spelling() -> list[Case]:
    """How the field is written down."""
    two = "What can be read in two ways is not read."
    names = "Letters, digits and hyphens are what every resolver reads in the same way."
    ident = "The identity is inside the domain that signs, or it is nobody's."
    value = "What no signer writes is not guessed at."
    rows: list[tuple[str, str, dict[str, str | None]]] = [
        ("version-2", "Nobody knows what version 2 means.", {"v": "2"}),
        ("version-missing", "Every signature says its version.", {"v": None}),
        ("no-domain", "A signature says whose it is.", {"d": None}),
        ("no-selector", "A signature says by which key.", {"s": None}),
        ("no-fields", "A signature says what it covers.", {"h": None}),
        ("no-digest", "A signature says which body it covers.", {"bh": None}),
        ("no-algorithm", "A signature says how it was made.", {"a": None}),
        ("unknown-form", "A form that nobody knows cannot be made.", {"c": "nowsp"}),
        ("unknown-query", "A key that lies elsewhere is not looked for.", {"q": "https/txt"}),
        ("domain-quote", names, {"d": 'a.example".b.example'}),
        ("domain-blank", names, {"d": "a.example b.example"}),
        ("domain-trailing-dot", names, {"d": "a.example."}),
        ("domain-top-level", "A top-level domain signs for nobody below it.", {"d": "example"}),
        ("selector-blank", names, {"s": "s a"}),
        ("selector-quote", names, {"s": 's"'}),
        ("selector-empty", names, {"s": ""}),
        ("selector-empty-label", names, {"s": "s..a"}),
        ("identity-outside", ident, {"i": "alice@b.example"}),
        ("identity-suffix", ident, {"i": "alice@evila.example"}),
        ("identity-parent", ident, {"i": "alice@example"}),
        ("identity-without-at", ident, {"i": "a.example"}),
        ("fields-with-a-blank", value, {"h": "from:sub ject"}),
        ("time-negative", value, {"t": "-1"}),
        ("time-too-long", value, {"t": "1" * 13}),
        ("expiry-no-number", value, {"x": "soon"}),
        ("expiry-before-time", "It expired before it was made.", {"t": str(NOW), "x": str(NOW - 1)}),
        ("length-empty", value, {"l": ""}),
        ("digest-short", "A digest of SHA-256 has 32 bytes.", {"bh": "AAAA"}),
        ("digest-no-base64", value, {"bh": "A*AA"}),
        ("long", "A field without end costs time to everybody.", {"z": "a" * 8_192}),
    ]
    cases = [silent(f"spelling/{name}", BROKEN, why, signed(tags=tags)) for name, why, tags in rows]
    for name, why, raw in (
        ("two-domains", two, signed(spell=lambda text: text.replace("b={b}", "d=a.example; b={b}"))),
        ("two-signatures", two, signed(spell=lambda text: text.replace("b={b}", "b=AAAA; b={b}"))),
        ("tag-without-value", two, signed(spell=lambda text: text.replace("b={b}", "nothing; b={b}"))),
        ("empty-tag", two, signed(spell=lambda text: text.replace("b={b}", "; b={b}"))),
        ("signature-empty", "No signature is none.", signed(made=lambda _: b"")),
        ("signature-no-base64", value, signed(spell=lambda text: text.replace("b={b}", "b=*{b}"))),
        ("field-empty", value, b"DKIM-Signature:\r\n" + MAIL),
        ("field-rubbish", value, b"DKIM-Signature: rubbish\r\n" + MAIL),
    ):
        cases.append(silent(f"spelling/{name}", BROKEN, why, raw))
    return [*cases, *_odd_spelling()]


def _odd_spelling() -> list[Case]:
    order = ("b", "bh", "s", "h", "d", "v", "a", "c")
    mixed = signed(tags={"d": "A.Example", "s": "S"})
    rows: list[tuple[str, str, bytes]] = [
        ("tags-in-another-order", "Tags have no order.", signed(order=order)),
        (
            "folded",
            "Long fields are folded anywhere between words.",
            signed(spell=lambda text: text.replace("; ", ";\r\n\t")),
        ),
        ("folded-in-values", "Values are folded too.", signed(tags={"h": "from :\r\n to : subject"}, fold=40)),
        (
            "blanks-around-equals",
            "Blanks around tags mean nothing.",
            signed(spell=lambda text: text.replace("v=1", "v = 1 ")),
        ),
        ("no-blanks", "Blanks between tags are not needed.", signed(spell=lambda text: text.replace("; ", ";"))),
        ("last-semicolon", "A list may end with a semicolon.", signed(spell=lambda text: text + ";")),
        ("field-name-in-lower-case", "Names of fields have no case.", signed(name="dkim-signature")),
        ("unknown-tags", "Tags that nobody knows are passed over.", signed(tags={"z": "From:x", "x_new": "1"})),
        ("query-named", "The usual way to the key may be named.", signed(tags={"q": "dns/txt"})),
        ("query-list", "One way that is known is enough.", signed(tags={"q": "other : dns/txt"})),
        ("names-in-capitals", "Names of domains and keys have no case.", mixed),
        ("identity", "The identity may be the sender's.", signed(tags={"i": "alice@a.example"})),
        ("identity-without-user", "The identity need not name a user.", signed(tags={"i": "@a.example"})),
        (
            "identity-in-subdomain",
            "A subdomain belongs to the domain that signs.",
            signed(tags={"i": "alice@sub.a.example"}),
        ),
        (
            "signature-folded-in-simple",
            "Only the value of b= is taken out.",
            signed(tags={"c": "simple/simple"}, fold=20),
        ),
        (
            "signature-before-the-end-in-simple",
            "Only the value of b= is taken out.",
            signed(tags={"c": "simple/simple"}, order=order, fold=30),
        ),
    ]
    cases = [shown(f"spelling/{name}", why, raw) for name, why, raw in rows]
    dotted = {"s.2026._domainkey.a.example": record()}
    cases.append(
        shown(
            "spelling/selector-with-a-dot",
            "Selectors may have dots.",
            signed(tags={"s": "s.2026"}),
            zone(dotted),
            key_id="s.2026._domainkey.a.example",
        )
    )
    return cases


def times() -> list[Case]:
    """When a signature counts."""
    rows: list[tuple[str, str | None, str, dict[str, str | None]]] = [
        ("expired", "expired", "A signature counts until it expires.", {"x": str(NOW - 3_600)}),
        ("expired-just-now", "expired", "Clocks differ by five minutes at most.", {"x": str(NOW - 301)}),
        ("expired-long-ago", "expired", "Even one that says nothing of when it was made.", {"x": "1"}),
        ("from-the-future", "not-yet-valid", "Nobody signs tomorrow.", {"t": str(NOW + 3_600)}),
        ("from-the-near-future", "not-yet-valid", "Clocks differ by five minutes at most.", {"t": str(NOW + 301)}),
        ("within-slop-of-expiry", None, "Clocks differ by five minutes.", {"x": str(NOW - 300)}),
        ("within-slop-of-now", None, "Clocks differ by five minutes.", {"t": str(NOW + 300)}),
        ("old", None, "A signature without an end does not expire.", {"t": "1"}),
        ("far-end", None, "An end may be far away.", {"t": str(NOW), "x": "999999999999"}),
    ]
    return [
        shown(f"time/{name}", why, signed(tags=tags))
        if code is None
        else silent(f"time/{name}", code, why, signed(tags=tags))
        for name, code, why, tags in rows
    ]


def several() -> list[Case]:
    """Mails with more than one signature."""
    bad = b"DKIM-Signature: v=1\r\n"
    alone = "Each signature is judged alone."
    foreign = signed(GOOD, ED_OTHER, tags={"d": "b.example", "h": "from"}).replace(b"d=b.example", b"d=b.example; t=1")
    own_bad = signed(GOOD, ED_OTHER, tags={"s": "t"})
    rsa: Any = zone({KEY: record(), "r._domainkey.a.example": record(RSA)})
    both = signed(GOOD, RSA, tags={"s": "r"})
    many = signed(signed(signed(tags={"h": "from"}), tags={"h": "from:to"}), tags={"h": "from:subject"})
    skipped = "Nobody looks at signatures without end; five are enough."
    section = "RFC 6376 6.1"
    return [
        shown("several/broken-above", alone, b"DKIM-Signature: rubbish\r\n" + GOOD, section=section),
        shown("several/broken-foreign-above", alone, foreign, section=section),
        shown(
            "several/broken-own-above",
            alone,
            own_bad,
            zone({"t._domainkey.a.example": record()}),
            section=section,
        ),
        shown("several/key-missing-above", alone, own_bad, section=section),
        shown(
            "several/key-unresolvable-above",
            "A key that cannot be had now is no reason where another signature fits.",
            own_bad,
            zone({"t._domainkey.a.example": {"failed": "timeout"}}),
            section=section,
        ),
        shown(
            "several/both-algorithms",
            "Who cannot read the one reads the other; the first that fits is named.",
            both,
            rsa,
            section="RFC 8463 3",
            key_id="r._domainkey.a.example",
        ),
        shown("several/fifth-of-five", skipped, bad * 4 + GOOD, section=section),
        silent("several/sixth", BROKEN, skipped, bad * 5 + GOOD, section=section),
        silent("several/two-hundred", BROKEN, skipped, bad * 200 + GOOD, section=section),
        shown(
            "several/one-covers-the-other",
            "A signature may cover one that was there before.",
            signed(GOOD, RSA, tags={"s": "r", "h": "from:dkim-signature"}),
            rsa,
            section=section,
            key_id="r._domainkey.a.example",
        ),
        shown("several/one-key", "The same question is asked once.", many, section=section, max_asks=1),
        refused(
            "several/best-reason",
            "expired",
            "The signature that came furthest says why.",
            signed(signed(tags={"x": "1"}), tags={"v": "2"}),
            section=section,
            max_asks=0,
        ),
        refused(
            "several/own-reason",
            "expired",
            "A signature of the sender's domain says why, before one of others.",
            signed(signed(tags={"x": "1"}), tags={"d": "mailer.example"}),
            zone(None, "mailer.example"),
            section=section,
        ),
        refused(
            "several/temporary-reason",
            "key-unresolvable",
            "What another try may change is said first.",
            signed(signed(tags={"x": "1"}), tags={"s": "t"}),
            zone({"t._domainkey.a.example": {"failed": "timeout"}}),
            section=section,
            temporary=True,
        ),
    ]
