"""Whom a receiver trusts to say who somebody is. Nobody, unless it is written here."""

from __future__ import annotations

import re
from typing import Annotated, Final, TypeAlias

from .._errors.exceptions import UsageError
from .._wire.address import canonical_domain
from .._wire.http import is_fetchable_url
from .annotation import InvalidMember, Rule
from .base import EMPTY_DICT, validated
from .rules import JsonObject, Name

_PREFIX: Final = re.compile(r"[a-z][a-z0-9+.-]*:(?:[!#$&-\[\]-~]*[:/])?", re.ASCII).fullmatch
_DOTS: Final = re.compile(r"[/:]\.\.?[/:]").search
_THUMBPRINT: Final = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII).fullmatch
DEFAULT_LIFETIME: Final = 300
"""For how many seconds evidence holds that connectors make, and may hold. Spec: Building a Connector (Security)."""

DEFAULT_SKEW: Final = 60

_MAX_SECONDS: Final = 3_600
_MAX_SKEW: Final = 300


def is_issuer(text: object) -> bool:
    """Whether text is a bare DNS name in lower case, as an issuer must be: no URL, no port, no final dot.

    Names of private networks are none: no message may make this library ask there.
    """
    return (
        isinstance(text, str)
        and text.isascii()
        and canonical_domain(text) == text
        and is_fetchable_url(f"https://{text}/")
    )


_INSTANCE: Final = "the host of your Connector Instance, bare and without https://: connector.example"
InstanceHost: TypeAlias = Annotated[str, Rule(_INSTANCE, is_issuer, {})]
"""The issuer in the settings of a connector."""


def check_issuer(issuer: object) -> None:
    """Raises `UsageError` unless this is an issuer: the host of a Connector Instance."""
    if not is_issuer(issuer):
        raise UsageError(f"issuer is {_INSTANCE}")


def is_prefix(text: str) -> bool:
    """Whether text can bound subjects: `scheme:`, or more that ends in `:` or `/`.

    `slack:T1` would take `slack:T12`.
    """
    return _PREFIX(text) is not None and _DOTS(text) is None and "//" not in behind_scheme(text)


def behind_scheme(text: str) -> str:
    """What follows on the scheme of a URI, and on the two slashes that may stand there and nowhere else."""
    return text.partition(":")[2].removeprefix("//")


Issuer: TypeAlias = Annotated[str, Rule("a bare host in lower case", is_issuer, {"pattern": "^[a-z0-9.-]{3,253}$"})]
Prefix: TypeAlias = Annotated[
    str, Rule("`scheme:`, or a prefix that ends in ':' or '/'", is_prefix, {"pattern": "^[a-z][a-z0-9+.-]*:"})
]
Thumbprint: TypeAlias = Annotated[
    str, Rule("an RFC 7638 thumbprint", lambda text: _THUMBPRINT(text) is not None, {"pattern": "^[A-Za-z0-9_-]{43}$"})
]


@validated
class TrustEntry:
    """One issuer, and what is trusted about it. All four must fit the evidence; an empty tuple accepts nothing.

    Attributes:
        issuer: The host of the connector, exactly.
        methods: The methods that are trusted, each exactly.
        assurance: The kinds of knowledge that are trusted.
        subject_prefixes: Which subjects: `slack:`, or `slack:T123/` for one workspace.
        subjects: Subjects one by one.
        subject_domains: Domains of subjects that are addresses, each exactly.
        delegation: Prefixes of the principals whose authority it may carry.
        max_delegation: How many principals one evidence may name.
        forwarding: Whether others than the issuer may forward its evidence. An attacker who has seen it can then
            attach it to another message once, while it is valid. Callers without authentication count as one caller:
            each of them may send it again with the same message.
        max_lifetime: For how many seconds its evidence may hold at most; None: as the policy says.
        thumbprints: When given, its key must be one of these (RFC 7638), whatever its card says.
        require_id: Whether its evidence must have an id.
        without_canonicalization: Whether evidence may leave `canonicalization` out and mean `jcs`.
        proof_removed: Whether this issuer signs evidence without its whole proof. Key ids are not covered then.
        extra: Must stay empty: an unknown member might narrow what is trusted.

    Spec: Building a Connector (Trust Policy).
    """

    issuer: Issuer
    methods: tuple[Name, ...]
    assurance: tuple[Name, ...]
    subject_prefixes: tuple[Prefix, ...] | None = None
    subjects: tuple[Name, ...] | None = None
    subject_domains: tuple[Issuer, ...] | None = None
    delegation: tuple[Prefix, ...] | None = None
    max_delegation: int | None = None
    forwarding: bool | None = None
    max_lifetime: int | None = None
    thumbprints: tuple[Thumbprint, ...] | None = None
    require_id: bool | None = None
    without_canonicalization: bool | None = None
    proof_removed: bool | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.extra:
            raise InvalidMember(f"unknown: {', '.join(sorted(self.extra))}")
        if self.max_delegation is not None and not 0 <= self.max_delegation <= 8:
            raise InvalidMember("max_delegation is from 0 to 8", ("max_delegation",))
        if self.max_lifetime is not None and not 0 < self.max_lifetime <= _MAX_SECONDS:
            raise InvalidMember(f"max_lifetime is from 1 to {_MAX_SECONDS} seconds", ("max_lifetime",))

    def takes(self, subject: str) -> bool:
        """Whether the issuer is trusted about a subject."""
        return (
            subject.startswith(self.subject_prefixes or ())
            or subject in (self.subjects or ())
            or (subject[:1] == "@" and subject.rpartition("@")[2] in (self.subject_domains or ()))
        )


"""What no subject begins with."""


@validated
class TrustPolicy:
    """Whose evidence counts here. JSON may be the bare array of entries, as operators write it.

    Attributes:
        entries: The entries. One of them alone must fit; members of two are never mixed.
        max_lifetime: For how many seconds evidence may hold at most, where its entry says nothing else.
        skew: How many seconds clocks may differ.
        extra: Must stay empty, as in an entry.

    Spec: Building a Connector (Trust Policy).

    Example:
        >>> TrustPolicy(entries=(TrustEntry(
        ...     issuer="slack.agents.example", methods=("urn:mentionable:auth:slack-workspace-member:v0.1",),
        ...     assurance=("platform",), subject_prefixes=("slack:T123/",),
        ... ),)).trusts("slack.agents.example")
        True
    """

    entries: tuple[TrustEntry, ...] = ()
    max_lifetime: int = DEFAULT_LIFETIME
    skew: int = DEFAULT_SKEW
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.extra:
            raise InvalidMember(f"unknown: {', '.join(sorted(self.extra))}")
        if not 0 < self.max_lifetime <= _MAX_SECONDS or not 0 <= self.skew <= _MAX_SKEW:
            raise InvalidMember(f"max_lifetime is from 1 to {_MAX_SECONDS} seconds, skew from 0 to {_MAX_SKEW}")
        owners: dict[str, str] = {}
        for entry in self.entries:
            for thumbprint in entry.thumbprints or ():
                if owners.setdefault(thumbprint, entry.issuer) != entry.issuer:
                    raise InvalidMember("one key is pinned to two issuers")

    def trusts(self, issuer: str) -> bool:
        """Whether any entry is of this issuer."""
        return any(entry.issuer == issuer for entry in self.entries)
