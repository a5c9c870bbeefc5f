"""Cases of the four canonical forms of a signature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.vectors._email_rows import KEY, refused, shown, zone
from tests.vectors._email_signing import HEAD, RSA, record, signed

if TYPE_CHECKING:
    from tests.vectors._email_rows import Case

GOOD = signed()


def forms() -> list[Case]:
    """The four canonical forms, and what each lets servers change on the way."""
    cases: list[Case] = []
    for form in ("relaxed/relaxed", "relaxed/simple", "simple/relaxed", "simple/simple"):
        for private, kind in (("mail-ed25519", "ed25519"), (RSA, "rsa")):
            name = f"form/{form.replace('/', '-')}-{kind}"
            why = "Senders use both algorithms in every form."
            lookups = zone({KEY: record(private)})
            cases.append(shown(name, why, signed(private=private, tags={"c": form}), lookups, section="RFC 6376 3.4"))
    relaxed, simple = GOOD, signed(tags={"c": "simple/simple"})
    both = (("relaxed", relaxed), ("simple", simple))
    changes = [
        ("field-case", b"Subject:", b"SUBJECT:", "bad-signature", "Servers write names of fields in their own way."),
        ("field-blanks", b"Subject: Hi", b"Subject:   Hi \t", "bad-signature", "Servers add and take away blanks."),
        ("field-folded", b"Helper <", b"Helper\r\n <", "bad-signature", "Servers fold long fields."),
        ("body-blanks", b"Hello,  helper \r\n", b"Hello, helper\r\n", "digest-mismatch", "Servers strip blanks."),
        ("body-tab", b"Hello,  helper", b"Hello,\thelper", "digest-mismatch", "A tab is a blank."),
    ]
    for kind, raw in both:
        for name, old, new, code, why in changes:
            assert old in raw
            changed, label = raw.replace(old, new, 1), f"form/{kind}-{name}"
            if kind == "relaxed":
                cases.append(shown(label, why, changed, section="RFC 6376 3.4"))
            else:
                why = "Who signs in simple form lets nobody change a byte."
                cases.append(refused(label, code, why, changed, section="RFC 6376 3.4"))
        more = raw.replace(b"Bye\r\n\r\n", b"Bye\r\n\r\n\r\n\r\n")
        why = "Empty lines at the end come and go."
        cases.append(shown(f"form/{kind}-more-empty-lines", why, more, section="RFC 6376 3.4"))
    return [*cases, *_bodies()]


def _bodies() -> list[Case]:
    cases = []
    for form in ("relaxed", "simple"):
        for name, body, why in (
            ("empty", "", "Some mails are all subject."),
            ("empty-lines-only", "\r\n\r\n", "A body of empty lines is an empty one."),
            ("no-last-line-end", "Hello", "A last line without an end has one when it is signed."),
            ("blank-line-within", "Hello\r\n \r\n\r\nBye\r\n", "Empty lines inside stay."),
        ):
            raw = signed(f"{HEAD}\r\n{body}".encode(), tags={"c": f"{form}/{form}"})
            cases.append(shown(f"form/{form}-body-{name}", why, raw, section="RFC 6376 3.4"))
    blanks = f"{HEAD}\r\nHello{' ' * 9_000}helper{chr(9) * 999}\r\n".encode()
    cases.append(
        shown("form/relaxed-long-run-of-blanks", "A run of blanks is one.", signed(blanks), section="RFC 6376 3.4.4")
    )
    lines = f"{HEAD}\r\nHello{chr(13) + chr(10)}{' ' * 9}{(chr(13) + chr(10)) * 3_000}".encode()
    why = "A run of empty lines at the end is none."
    cases.append(shown("form/relaxed-long-run-of-empty-lines", why, signed(lines), section="RFC 6376 3.4.4"))
    why = "A body is bytes, and signed as they are."
    cases.append(shown("form/body-of-any-bytes", why, signed(f"{HEAD}\r\n".encode() + b"Gr\xfc\xdfe\0\xff\r\n")))
    cases.append(shown("form/no-body-at-all", "A head may be all that there is.", signed(HEAD.encode())))
    unix = signed(tags={"c": "simple/simple"}).replace(b"\r\n", b"\n")
    why = "A file of LF lines is read as one of CRLF."
    cases.append(shown("form/simple-lf-file", why, unix, section="RFC 5322 2.2"))
    default = signed(tags={"c": None})
    why = "Without c= both forms are simple."
    cases.append(shown("form/none-named", why, default, section="RFC 6376 3.5"))
    changed = default.replace(b"Subject: Hi", b"Subject:  Hi")
    cases.append(refused("form/none-named-changed", "bad-signature", why, changed, section="RFC 6376 3.5"))
    one = signed(tags={"c": "relaxed"})
    why = "One form alone is that of the head; the body is simple."
    cases.append(shown("form/one-named", why, one, section="RFC 6376 3.5"))
    changed = one.replace(b"helper \r\n", b"helper\r\n")
    cases.append(refused("form/one-named-changed", "digest-mismatch", why, changed, section="RFC 6376 3.5"))
    return cases
