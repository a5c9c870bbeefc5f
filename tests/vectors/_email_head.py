"""Cases of the header section: who is named as the sender, and whether it can be read in one way only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.vectors._email_rows import refused, shown, silent, zone
from tests.vectors._email_signing import MAIL, signed

if TYPE_CHECKING:
    from tests.vectors._email_rows import Case

GOOD = signed()
FROM = b"From: Alice <alice@a.example>\r\n"
CEO = b"From: Chief <ceo@a.example>\r\n"


def from_is(value: str) -> bytes:
    """The usual mail with another From."""
    return MAIL.replace(b"Alice <alice@a.example>", value.encode())


def after(line: bytes, raw: bytes = GOOD) -> bytes:
    """A signed mail with a line before its subject."""
    return raw.replace(b"\r\nSubject:", b"\r\n" + line + b"Subject:", 1)


def senders() -> list[Case]:
    """Whom From names."""
    section, none = "NM 5", "sender-unaddressable"
    several = "Two senders are none: readers take the one, and signatures cover the other."
    cases = [
        silent("sender/two-from-fields-top", none, several, CEO + GOOD, section=section),
        silent("sender/two-from-fields-bottom", none, several, after(CEO), section=section),
        silent(
            "sender/two-from-fields-one-with-a-blank",
            none,
            "Some readers skip a name with a blank before its colon, and some take it for a sender.",
            after(CEO.replace(b"From:", b"From :")),
            section=section,
        ),
    ]
    for name, value, why in (
        ("two-mailboxes", "alice@a.example, ceo@a.example", several),
        ("group-of-two", "Staff: alice@a.example, ceo@a.example;", several),
        (
            "list-with-semicolon",
            "alice@a.example; ceo@a.example",
            "Some programs split on semicolons, and most do not.",
        ),
        ("escaped-at-sign", r"ceo\@bank.example, <alice@a.example>", "Readers undo an escape sooner or later."),
        ("empty-group", "Staff:;", "A group without members names nobody."),
        ("two-at-signs", "alice@b.example@a.example", "Which of two domains is meant nobody can tell."),
        ("domain-literal", "alice@[192.0.2.1]", "An address of a host is no domain that can publish a key."),
        ("encoded-word-alone", "=?utf-8?q?alice=40a=2Eexample?=", "An encoded word is a name, whatever it decodes to."),
        ("ideographic-dot", "alice@a\u3002example", "Libraries for domain names split there, and mail does not."),
        ("fullwidth-dot", "alice@a\uff0eexample", "Libraries for domain names split there, and mail does not."),
        ("halfwidth-dot", "alice@a\uff61example", "Libraries for domain names split there, and mail does not."),
        ("fullwidth-letter", "alice@\uff41.example", "Letters are not folded into the ones they look like."),
    ):
        cases.append(silent(f"sender/{name}", none, why, signed(from_is(value)), section=section))
    return [*cases, *_odd_senders()]


def _odd_senders() -> list[Case]:
    section, doubt = "NM 5", "signature-ambiguous"
    cases = [
        silent(f"sender/{name}", doubt, why, signed(from_is(value)), section=section)
        for name, value, why in (
            ("group-of-one", "Staff: alice@a.example;", "Some readers take the group for the sender."),
            ("route", "Alice <@b.example:alice@a.example>", "Some readers take the first domain of a route."),
            ("escaped-comma", r"Alice\, Boss <alice@a.example>", "Some readers split at a comma that is escaped."),
            ("no-end", "Alice <alice@a.example", "Where the address ends is a guess."),
            ("text-after", "Alice <alice@a.example> ceo@bank.example", "Some readers take what stands last."),
            (
                "comment-with-address",
                "alice@a.example (ceo@bank.example)",
                "Some readers take addresses out of comments.",
            ),
            (
                "mailbox-of-one-label",
                "alice@a.example, bob@localhost",
                "Another reader takes the other mailbox for the sender.",
            ),
            (
                "at-sign-in-quotes",
                '"ceo@bank.example"@a.example',
                "Readers that drop the quotes see the address of a bank.",
            ),
        )
    ]
    cases += [
        shown(f"sender/{name}", why, signed(from_is(value)), section=section)
        for name, value, why in (
            ("bare-address", "alice@a.example", "A sender needs no name."),
            ("quoted-name", '"Alice, at work" <alice@a.example>', "A comma in quotes ends nothing."),
            ("name-in-comment", "alice@a.example (Alice)", "The old way to write a name, which nobody misreads."),
            (
                "encoded-name-with-address",
                "=?utf-8?q?ceo=40bank=2Eexample?= <alice@a.example>",
                "The address is the one in angle brackets, whatever the name decodes to.",
            ),
            (
                "quoted-name-with-address",
                '"ceo@bank.example" <alice@a.example>',
                "The address is the one in angle brackets, whatever the name looks like.",
            ),
            (
                "bare-address-as-name",
                "ceo@bank.example <alice@a.example>",
                "The address is the one in angle brackets, and never the name.",
            ),
            (
                "encoded-name-with-nul",
                "=?utf-8?q?ceo=40bank=2Eexample=00?= <alice@a.example>",
                "The address is the one in angle brackets, whatever the name decodes to.",
            ),
            ("raw-utf-8-name", "\u00c4lice <alice@a.example>", "Names have letters beyond ASCII."),
        )
    ]
    idn = "xn--bcher-kva.example"
    cyrillic = "xn--80a.example"
    return [
        *cases,
        shown(
            "sender/quoted-mailbox",
            "The domain that signed says who is there, whatever a local part looks like.",
            signed(from_is('"alice b"@a.example')),
            section="R79",
            address="@alice%20b@a.example",
        ),
        shown(
            "sender/internationalised-mailbox",
            "The domain that signed says who is there, in any script.",
            signed(from_is("\u7528\u6237@a.example")),
            section="R79",
            address="@%E7%94%A8%E6%88%B7@a.example",
        ),
        silent(
            "sender/underscore-domain",
            "signature-malformed",
            "Who may publish below a name such as _acme-challenge does not speak for its domain.",
            signed(from_is("alice@_x.example"), tags={"d": "_x.example"}),
            section="RFC 6376 3.5",
        ),
        shown(
            "sender/domain-case",
            "Domains have no case.",
            signed(from_is("alice@A.Example")),
            section="NM 7",
        ),
        shown(
            "sender/another-user-of-the-domain",
            "A signature shows the domain and never which of its users wrote: that is the domain's own affair.",
            signed(from_is("ceo@a.example"), tags={"i": "alice@a.example"}),
            section="RFC 6376 3.11",
            address="@ceo@a.example",
        ),
        shown(
            "sender/unicode-domain",
            "A Unicode domain is its A-labels, in From and in the address.",
            signed(from_is("alice@b\u00fccher.example"), tags={"d": idn}),
            zone(None, idn),
            section="R18",
            address=f"@alice@{idn}",
            key_id=f"s._domainkey.{idn}",
        ),
        shown(
            "sender/a-label-domain",
            "The same domain as its A-labels.",
            signed(from_is(f"alice@{idn}"), tags={"d": idn}),
            zone(None, idn),
            section="R18",
            address=f"@alice@{idn}",
            key_id=f"s._domainkey.{idn}",
        ),
        refused(
            "sender/letters-without-their-dots",
            "not-aligned",
            "Another domain, though some take accents off.",
            signed(from_is("alice@b\u00fccher.example"), tags={"d": "bucher.example"}),
            zone(None, "bucher.example"),
            section="R18",
        ),
        refused(
            "sender/homograph",
            "not-aligned",
            "A Cyrillic letter is another domain, however much it looks like the signer's.",
            signed(from_is("alice@\u0430.example")),
            zone(None, cyrillic),
            section="R18",
        ),
        refused(
            "sender/sender-field",
            "not-aligned",
            "Whoever is named in Sender or Resent-From did not write the mail.",
            signed(b"Sender: alice@a.example\r\nResent-From: alice@a.example\r\n" + from_is("bob@b.example")),
            section=section,
        ),
    ]


def doubtful() -> list[Case]:
    """Header sections that can be read in two ways."""
    doubt = "signature-ambiguous"
    rows = [
        ("blank-before-colon", after(b"X-Any : a\r\n"), "Signers skip such a field, and readers may not."),
        ("tab-before-colon", after(b"X-Any\t: a\r\n"), "Signers skip such a field, and readers may not."),
        ("from-with-a-blank", GOOD.replace(b"From:", b"From :"), "Readers that skip it see a mail without a sender."),
        ("folded-name", after(b"X-Any\r\n : a\r\n"), "Some readers unfold first and split afterwards."),
        ("blank-first", b" folded\r\n" + GOOD, "A fold of nothing hides what stands there from some readers."),
        ("mbox-line", b"From alice Sat Nov 21 20:56:00 2026\r\n" + GOOD, "Some readers take it for a field."),
        ("line-without-colon", after(b"no field\r\n"), "Some readers end the head there."),
        (
            "line-of-blanks-for-the-empty-line",
            GOOD.replace(b"\r\n\r\n", b"\r\n \r\n", 1),
            "Some readers end the head there, and signers do not.",
        ),
        (
            "line-of-blanks-that-was-signed",
            signed(MAIL.replace(b"\r\nSubject:", b"\r\n \r\nPay Eve\r\nSubject:", 1)),
            "What a signer took for fields is text to some readers.",
        ),
        ("byte-order-mark", b"\xef\xbb\xbf" + GOOD, "It hides the first field from some readers."),
        ("nul", after(b"X-Any: a\0b\r\n"), "Some readers end the line there."),
        (
            "escape-character",
            after(b"X-Any: a\x1bb\r\n"),
            "A control character is a blank, or nothing, to some readers.",
        ),
        (
            "delete-character",
            after(b"X-Any: a\x7fb\r\n"),
            "A control character is a blank, or nothing, to some readers.",
        ),
        ("bare-cr", after(b"X-Any: a\rFrom: ceo@a.example\r\n"), "Some readers see another field there."),
        ("bare-lf-in-head", after(b"X-Any: a\nX-More: b\r\n"), "Some readers see another field there."),
        ("bare-lf-in-body", GOOD.replace(b"Bye", b"By\ne"), "Where lines end is what a body's digest rests on."),
        ("not-utf-8", after(b"X-Any: \xe9\r\n"), "Every reader guesses another letter."),
        (
            "nul-in-domain",
            signed(tags={"d": "a.example\0.b.example"}),
            "Resolvers may stop at it and ask for another name.",
        ),
    ]
    cases = [silent(f"head/{name}", doubt, why, raw, section="RFC 6376 8.15") for name, raw, why in rows]
    for name in (
        "Subject",
        "To",
        "Cc",
        "Date",
        "Message-ID",
        "References",
        "In-Reply-To",
        "Reply-To",
        "Sender",
        "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
    ):
        field = name.encode()
        value = {"Content-Type": b"text/html", "MIME-Version": b"1.0"}.get(name, b"<x@a.example>")
        signer = MAIL if field + b":" in MAIL else field + b": " + value + b"\r\n" + MAIL
        raw = field + b": " + value + b"\r\n" + signed(signer)
        why = "A signature covers the last one of two fields, and readers show the first."
        cases.append(silent(f"head/two-{name.lower()}", doubt, why, raw, section="RFC 6376 8.15"))
    return [
        *cases,
        shown(
            "head/line-of-blanks-in-a-field",
            "Where a field goes on behind it, a line of blanks is a fold to every reader.",
            signed(after(b"X-Any: a\r\n \r\n", MAIL)),
            section="RFC 5322 4.2",
        ),
        silent(
            "head/no-signature",
            "unsigned",
            "Nobody vouches for it.",
            MAIL,
            section="NM 8",
        ),
        silent(
            "head/authentication-results",
            "unsigned",
            "Anybody can write what a server is said to have found.",
            b"Authentication-Results: mx.agents.example; dkim=pass header.d=a.example; dmarc=pass\r\n"
            b"ARC-Authentication-Results: i=1; mx.agents.example; dkim=pass header.d=a.example\r\n"
            b"Received-SPF: pass\r\n" + MAIL,
            section="NM 8",
        ),
        shown(
            "head/repeated-trace-fields",
            "Fields of the way are there once for each server.",
            signed(b"Received: by c\r\nReceived: by b\r\n" + MAIL, tags={"h": "received:received:from:subject"}),
            section="RFC 6376 5.4.2",
        ),
        shown("head/added-field", "Servers on the way add fields, which nobody signed.", after(b"X-Spam: no\r\n")),
        shown("head/other-fields-above", "Servers add their trace on top.", b"Received: by c\r\n" + GOOD),
        shown(
            "head/lf-file",
            "A file of LF lines is read as one of CRLF.",
            GOOD.replace(b"\r\n", b"\n"),
            section="RFC 5322 2.2",
        ),
    ]
