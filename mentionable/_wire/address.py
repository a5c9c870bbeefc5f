"""Canonical addresses: `@local@domain`, the one form in which people and agents are compared."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Self

from .._errors.exceptions import UsageError

_ATEXT: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_LOCAL: Final = re.compile(rf"(?=.{{1,64}}\Z){_ATEXT}++(?:\.{_ATEXT}++)*", re.ASCII).fullmatch
_DOMAIN: Final = re.compile(
    r"(?=.{3,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!0x[0-9a-f]*\Z)[a-z0-9-]*[a-z][a-z0-9-]*(?<!-)",
    re.ASCII,
).fullmatch
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII).fullmatch
_AT_SIGNS: Final = re.compile(r"[@\uff20\ufe6b]").split
_DOTS: Final = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61\u2024", "."))
_MAX_CHARS: Final = 400  # "acct:", 64 octets, "@", 253 octets, and a margin for Unicode that becomes shorter
_FOREIGN_DOTS: Final = frozenset("\u3002\uff0e\uff61")  # IDNA libraries split on these; a mail domain never has them


class Address(str):
    """A canonical `@local@domain`: a string in every respect, with its halves.

    Takes `@alice@example.org`, `alice@example.org` and `acct:alice@example.org`. The local part keeps its case; the
    domain is lower-cased, and a Unicode domain becomes its A-labels (`xn--`).

    Raises:
        UsageError: The text is not such an address: a quoted or non-ASCII local part, one label only, an IP address.

    Spec: Normalized Message §3.1, §7 (canonicalization).

    Example:
        >>> Address("acct:Alice@Example.ORG")
        Address('@Alice@example.org')
        >>> Address("@alice@example.org").mailbox
        'alice@example.org'
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        address = _canonical(text)
        if address is None:
            raise UsageError(f"not an address of the form @local@domain: {text[:80]!r}")
        return super().__new__(cls, address)

    def __repr__(self) -> str:
        return f"Address({str.__repr__(self)})"

    @property
    def local(self) -> str:
        """The part before the domain, in the case in which it came."""
        return self[1:].partition("@")[0]

    @property
    def domain(self) -> str:
        """The domain in lower case, as A-labels."""
        return self.rpartition("@")[2]

    @property
    def mailbox(self) -> str:
        """The address as mail writes it: `local@domain`."""
        return self[1:]


def canonical(text: str) -> Address | None:
    """The canonical address that `text` names, or None."""
    address = _canonical(text)
    return None if address is None else str.__new__(Address, address)


def agent_address(text: object) -> Address:
    """The canonical address of an agent, as the caller's program gave it.

    Raises:
        UsageError: It is not of the form `@agent@domain`.
    """
    address = canonical(text) if isinstance(text, str) else None
    if address is None:
        raise UsageError(f"not an agent address of the form @agent@domain: {str(text)[:80]!r}")
    return address


def is_canonical(text: str) -> bool:
    """Whether `text` is a canonical address already."""
    return _canonical(text) == text


def canonical_domain(text: str) -> str | None:
    """A domain name in lower case and A-labels, or None when it is not a DNS name of two labels or more."""
    if text.isascii():
        domain = text.lower()
    else:
        ascii_form = _to_ascii(text)
        if ascii_form is None:
            return None
        domain = ascii_form
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
    words = text[:_MAX_CHARS].split(None, 1)
    visible = words[0].translate(_DOTS).strip("<>()[]\"',;:.").lower() if words else ""
    return "." in visible and visible != domain


def _canonical(text: str) -> str | None:
    return _read(text) if len(text) <= _MAX_CHARS else None


@lru_cache(1024)
def _read(text: str) -> str | None:
    if text[:5].lower() == "acct:":
        text = text[5:]
        if "%" in text:
            return None
    elif text[:1] == "@":
        text = text[1:]
    local, at, host = text.partition("@")
    if not at or "@" in host or not _LOCAL(local):
        return None
    domain = canonical_domain(host)
    return None if domain is None else f"@{local}@{domain}"


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
        return idna.encode(unicodedata.normalize("NFC", lower)).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        return None


A2A_ANONYMOUS: Final = Address("@anonymous@a2a.invalid")
REST_ANONYMOUS: Final = Address("@anonymous@rest.invalid")
ANONYMOUS: Final = frozenset((A2A_ANONYMOUS, REST_ANONYMOUS))
"""What stands for every caller without an address, by protocol and all of them."""
