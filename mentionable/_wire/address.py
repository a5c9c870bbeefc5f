"""Canonical addresses: `@local@domain`, the one form in which people and agents are compared."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Self

from .._errors.exceptions import UsageError
from .mailbox import ATEXT, MAX_BYTES, decode_local, encode_local, read_local, write_local

_LOCAL: Final = re.compile(rf"(?=.{{1,{MAX_BYTES}}}\Z)[{ATEXT}]++(?:\.[{ATEXT}]++)*", re.ASCII).fullmatch
_DOMAIN: Final = re.compile(
    r"(?=.{3,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?!0x[0-9a-f]*\Z)[a-z0-9-]*[a-z][a-z0-9-]*(?<!-)",
    re.ASCII,
).fullmatch
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII).fullmatch
_AT_SIGNS: Final = re.compile(r"[@\uff20\ufe6b]").split
_DOTS: Final = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61\u2024", "."))
_MAX_CHARS: Final = 1_100  # "acct:", three characters for each byte, "@", 253 octets, and a margin for Unicode
_MAX_DOMAIN_CHARS: Final = 400  # what is longer is no domain, and is not read to its end
_JOINERS: Final = frozenset("\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")
_FOREIGN_DOTS: Final = frozenset("\u3002\uff0e\uff61")  # IDNA libraries split on these; a mail domain never has them


class Address(str):
    """A canonical `@local@domain`: a string in every respect, with its halves.

    Takes `@alice@example.org`, `alice@example.org` and `acct:alice@example.org`. The local part keeps its case; the
    domain is lower-cased, and a Unicode domain becomes its A-labels (`xn--`).

    Without a mark in front it is a mailbox as mail writes it: its local part may be quoted, and need not be ASCII. The
    other two forms percent-encode such a local part. A `%` of a mailbox is `%25`.

    Raises:
        UsageError: The text is not such an address: one label only, an IP address, a bare `%` behind a mark.

    Spec: Normalized Message §3.1, §7 (canonicalization); RFC 6532; RFC 7565 §4.

    Example:
        >>> Address("acct:Alice@Example.ORG")
        Address('@Alice@example.org')
        >>> Address('"john doe"@example.org')
        Address('@john%20doe@example.org')
        >>> Address("@john%20doe@example.org").mailbox
        '"john doe"@example.org'
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        address = canonical(text) or _read_mailbox(text)
        if address is None:
            raise UsageError(f"not an address of the form @local@domain: {text[:80]!r}")
        return super().__new__(cls, address)

    def __repr__(self) -> str:
        return f"Address({str.__repr__(self)})"

    @property
    def local(self) -> str:
        """The part before the domain, percent-encoded, in the case in which it came."""
        return self[1:].partition("@")[0]

    @property
    def domain(self) -> str:
        """The domain in lower case, as A-labels."""
        return self.rpartition("@")[2]

    @property
    def mailbox(self) -> str:
        """The address as mail writes it: `local@domain`, the local part decoded, and quoted where it must be."""
        local, _, domain = self[1:].partition("@")
        return self[1:] if "%" not in local else f"{write_local(decode_local(local) or '')}@{domain}"


def canonical(text: str) -> Address | None:
    """The canonical address that `text` names in a form that every protocol has, or None.

    Its local part is plain, or percent-encoded behind `@` or `acct:`. Quotes are read in mail alone: elsewhere somebody
    could choose `"alice"` as a name and be taken for alice.
    """
    return _read(text) if len(text) <= _MAX_CHARS else None


def canonical_mailbox(mailbox: str) -> Address | None:
    """The canonical address of a mailbox as mail writes it, or None.

    Spec: RFC 5321 §4.1.2; RFC 6531 §3.3.
    """
    has_mark = mailbox[:1] == "@" or ":" in mailbox
    return (None if has_mark else canonical(mailbox)) or _read_mailbox(mailbox)


def written_address(text: str) -> Address | None:
    """The canonical address that a program or a person wrote in any form, that of mail included, or None."""
    return canonical(text) or _read_mailbox(text)


def address_of_name(name: str, host: str) -> Address | None:
    """The canonical address of an account by its name, in which a percent sign is a percent sign; or None."""
    return canonical(f"@{name.replace('%', '%25')}@{host}")


def agent_address(text: object) -> Address:
    """The canonical address of an agent, as the caller's program gave it.

    Raises:
        UsageError: It is not of the form `@agent@domain`.
    """
    address = written_address(text) if isinstance(text, str) else None
    if address is None:
        raise UsageError(f"not an agent address of the form @agent@domain: {str(text)[:80]!r}")
    return address


def is_canonical(text: str) -> bool:
    """Whether `text` is a canonical address already."""
    return canonical(text) == text


def canonical_domain(text: str, *, has_underscores: bool = False) -> str | None:
    """A domain name in lower case and A-labels, or None when it is not a DNS name of two labels or more.

    Args:
        text: The name.
        has_underscores: Whether a label but the last may have a `_`. Hosts have none, and no name that signs or is
            trusted has: whoever may publish below `_acme-challenge.bank.example` does not speak for the bank.
    """
    if text.isascii():
        domain = text.lower()
    else:
        ascii_form = _to_ascii(text)
        if ascii_form is None:
            return None
        domain = ascii_form
    if "_" in domain and not has_underscores:
        return None
    # The pattern leaves hyphens in the last label to this check: a second bounded repeat there would be slow.
    return domain if _DOMAIN(domain) and _LABEL(domain.rpartition(".")[2]) else None


def shows_other_domain(text: str, address: Address) -> bool:
    """Whether text for people, such as a display name, holds an address of another domain than `address`.

    What looks like an at sign or a dot counts as one, and blanks around an at sign do not hide it.
    """
    if text.isascii() and "@" not in text:
        return False
    return any(_is_elsewhere(after, address.domain) for after in _AT_SIGNS(text)[1:])


def _is_elsewhere(text: str, domain: str) -> bool:
    """Whether `text`, which stands behind an at sign, begins with another domain."""
    words = text[:_MAX_DOMAIN_CHARS].split(None, 1)
    visible = words[0].translate(_DOTS).strip("<>()[]\"',;:.").lower() if words else ""
    return "." in visible and visible != domain


@lru_cache(1024)
def _read(text: str) -> Address | None:
    is_bare = False
    if text[:1] == "@":
        text = text[1:]
    elif text[:5].lower() == "acct:":
        text = text[5:]
    else:
        is_bare = True
    local, at, host = text.rpartition("@")
    if not at or not (_LOCAL(local) or (not is_bare and decode_local(local) is not None)):
        return None
    domain = canonical_domain(host, has_underscores=True)
    return None if domain is None else str.__new__(Address, f"@{local}@{domain}")


def _read_mailbox(text: str) -> Address | None:
    """The canonical form of a mailbox whose local part is quoted, not ASCII, or has a percent sign or odd dots."""
    name, at, host = text.rpartition("@")
    local = read_local(name) if at and len(text) <= _MAX_CHARS else None
    encoded = None if local is None else encode_local(local)
    domain = None if encoded is None else canonical_domain(host, has_underscores=True)
    return None if domain is None else str.__new__(Address, f"@{encoded}@{domain}")


def _to_ascii(domain: str) -> str | None:
    """The A-label form of a Unicode domain by strict IDNA 2008, or None."""
    if len(domain) > 253 or not _FOREIGN_DOTS.isdisjoint(domain):
        return None
    lower = domain.lower()
    if len(lower) != len(domain) or any(
        low.isascii() != char.isascii() for low, char in zip(lower, domain, strict=True)
    ):
        return None  # a letter such as the KELVIN SIGN that lower-casing would turn into an ASCII one
    import unicodedata

    import idna

    try:
        labels = unicodedata.normalize("NFC", lower).split(".")
        # DNS has names with `_`, which is no letter of IDNA: such a label stays as it is.
        return ".".join(
            [label if "_" in label and label.isascii() else idna.encode(label).decode() for label in labels]
        )
    except (idna.IDNAError, UnicodeError):
        return None


def is_opened_label(label: str) -> bool:
    """Whether a label with two hyphens in the third place is an A-label that browsers open.

    They take signs, which IDNA 2008 does not, and none that changes when it is decoded and encoded again.

    Spec: UTS #46 §4.1, with the rules of RFC 5891 §4.2.3 for hyphens, marks and directions.
    """
    if not label.startswith("xn--") or label.startswith("xn--xn-"):  # URL parsers refuse the second
        return False
    import idna

    encoded = label[4:]
    try:
        decoded = encoded.encode("ascii").decode("punycode")
        if decoded.isascii() or decoded.encode("punycode").decode("ascii") != encoded:
            return False
        idna.check_hyphen_ok(decoded)
        idna.check_initial_combiner(decoded)
        idna.check_bidi(decoded)
        joiners = [at for at, char in enumerate(decoded) if char in _JOINERS]
        return all(idna.valid_contextj(decoded, at) for at in joiners) and idna.uts46_remap(decoded) == decoded
    except (idna.IDNAError, UnicodeError, ValueError):
        return False


A2A_ANONYMOUS: Final = Address("@anonymous@a2a.invalid")
REST_ANONYMOUS: Final = Address("@anonymous@rest.invalid")
MAIL_ANONYMOUS: Final = Address("@mailer-daemon@mail.invalid")
ANONYMOUS: Final = frozenset((A2A_ANONYMOUS, REST_ANONYMOUS, MAIL_ANONYMOUS))
"""What stands for every caller, and mail server, without an address: by protocol, and all of them."""
