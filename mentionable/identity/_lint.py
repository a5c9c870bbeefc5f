"""Finds mistakes in trust and roles: what never matches, what overlaps, what is wider than its author may intend.

Spec: Building a Connector (Trust Policy); docs/decisions.md R65.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

from .._crypto.verification import TRANSPORT_METHODS
from .._errors.exceptions import WireError
from .._model.base import frozen
from .._model.trust import TrustPolicy, behind_scheme
from .._wire.public_suffix import is_public_suffix
from .._wire.strict_json import pointer
from ._acl import METHODS_RULE, AgentACL, Grant
from ._config import AGENTS, ENTRIES, TrustConfig, read_trust
from ._rule import Rule, rule_of_entry, rule_of_grant

FindingKind: TypeAlias = Literal[
    "invalid",
    "methods-missing",
    "dead",
    "overlapping",
    "over-broad",
    "wildcard",
    "issuer-unknown",
    "method-unknown",
    "truncated",
]
"""What is wrong: a stable word for programs."""

MAX_FINDINGS: Final = 1_000
"""Findings of a document; where there are more, the last one says how many."""

_MAIL_PROVIDERS: Final = frozenset(
    {
        *("126.com", "163.com", "aol.com", "fastmail.com", "gmail.com", "gmx.at", "gmx.ch", "gmx.com", "gmx.de"),
        *("gmx.net", "googlemail.com", "hey.com", "hotmail.com", "icloud.com", "live.com", "mac.com", "mail.com"),
        *("mail.ru", "me.com", "msn.com", "naver.com", "outlook.com", "pm.me", "proton.me", "protonmail.com"),
        *("qq.com", "rediffmail.com", "t-online.de", "tuta.com", "tutanota.com", "web.de", "yahoo.co.jp"),
        *("yahoo.com", "yandex.com", "yandex.ru", "ymail.com", "zoho.com"),
    }
)
"""Domains under which everyone can have an address."""


@frozen
class Finding:
    """A mistake, or something that is wider than it should be.

    Attributes:
        kind: What is wrong.
        at: Where, as a JSON Pointer into the document.
        detail: What it does, in words.
        advice: What to do.
    """

    kind: FindingKind
    at: str
    detail: str
    advice: str


def lint(config: TrustConfig | Mapping[str, Any] | Sequence[Any]) -> tuple[Finding, ...]:
    """Find mistakes in trust and roles.

    Args:
        config: What `read_trust` returned, or the document itself. A document that cannot be read gives a finding for
            each such fault, and no other.

    Returns:
        The findings: of the entries first, then of the grants of each agent. Their `kind` is one of:

        - `invalid`: the document does not fit.
        - `methods-missing`: a grant names no methods, so that the weakest one that verifies a subject is enough.
          `read_trust` refuses such a document.
        - `dead`: an entry or grant changes nothing: an earlier one takes all that it takes, or no entry leads to it.
        - `overlapping`: two entries of an issuer, or two grants of a role, take the same evidence in part. The first
          such pair of each entry or grant is named.
        - `over-broad`: a whole platform, a public suffix or a public mail domain.
        - `wildcard`: a `*`, which matches only itself.
        - `issuer-unknown`, `method-unknown`: a grant names an issuer that has no entry, or a method of no entry.
        - `truncated`: the last of 1,000 findings. It says how many more there are.

    Spec: Building a Connector (Trust Policy).

    Example:
        >>> entry = {"issuer": "slack.agents.example", "methods": ["urn:x"], "assurance": ["platform"]}
        >>> for finding in lint([{**entry, "subject_prefixes": ["slack:"]}, {**entry, "subjects": ["slack:T1/U2"]}]):
        ...     print(finding.kind, finding.at)
        over-broad /0/subject_prefixes/0
        dead /1
    """
    if not isinstance(config, TrustConfig):
        try:
            config = read_trust(config)
        except WireError as error:
            return tuple([_of_fault(problem.at, problem.rule) for problem in error.problems])
    findings = _of_config(config)
    listed = [*islice(findings, MAX_FINDINGS)]
    left = sum(1 for _ in findings)
    if left:
        detail = f"{left + 1:,} more findings"
        listed[-1] = Finding(kind="truncated", at="", detail=detail, advice="mend those above, then look again")
    return tuple(listed)


def _of_config(config: TrustConfig) -> Iterator[Finding]:
    """All findings of a document that can be read."""
    root = "" if config.is_array else pointer(ENTRIES)
    entries = [rule_of_entry(entry, root + pointer(number)) for number, entry in enumerate(config.trust.entries)]
    yield from _of_entries(config.trust, entries)
    for acl in config.acls:
        yield from _of_acl(acl, config.trust, entries)


def _of_fault(at: str, rule: str) -> Finding:
    """A fault of the document."""
    if rule == METHODS_RULE:
        detail = "the grant takes a subject by whatever method it is verified"
        advice = "list the methods by which it must be verified"
        return Finding(kind="methods-missing", at=at, detail=detail, advice=advice)
    return Finding(kind="invalid", at=at, detail=rule, advice="correct it: the document cannot be read")


def _of_entries(policy: TrustPolicy, rules: Sequence[Rule]) -> Iterator[Finding]:
    """The findings of the entries, one entry after the other."""
    earlier: dict[str, list[Rule]] = {}
    for entry, rule in zip(policy.entries, rules, strict=True):
        lists = {
            "methods": entry.methods,
            "assurance": entry.assurance,
            "subject_prefixes": entry.subject_prefixes or (),
            "subjects": entry.subjects or (),
            "delegation": entry.delegation or (),
        }
        yield from _of_words(rule.at, lists)
        yield from _of_domains(rule.at, entry.subject_domains or ())
        if not (entry.methods and entry.assurance and any(rule.scope)):
            yield Finding(
                kind="dead",
                at=rule.at,
                detail="a list without a word takes nothing",
                advice="name methods, assurance and subjects, or remove the entry",
            )
        else:
            same_issuer = earlier.setdefault(entry.issuer, [])
            yield from _of_pairs(rule, same_issuer, "the entry before decides about it")
            same_issuer.append(rule)


def _of_pairs(rule: Rule, earlier: Sequence[Rule], consequence: str) -> Iterator[Finding]:
    """Whether an earlier one covers an entry or a grant; else the first that it has something in common with."""
    cover = next((other for other in earlier if other.covers(rule)), None)
    if cover is not None:
        yield _dead(rule, cover)
        return
    other = next((other for other in earlier if other.meets(rule)), None)
    if other is not None:
        detail = f"{other.at} takes a part of what it takes: {consequence}"
        yield Finding(kind="overlapping", at=rule.at, detail=detail, advice="let each take what the other does not")


def _dead(rule: Rule, cover: Rule) -> Finding:
    detail = f"{cover.at} takes all that it takes"
    return Finding(kind="dead", at=rule.at, detail=detail, advice="remove it, or narrow the other one")


def _of_words(at: str, lists: Mapping[str, Iterable[str]]) -> Iterator[Finding]:
    """Words of an entry or a grant that are wider than they should be, or that its author takes for a pattern."""
    for name, words in lists.items():
        for index, word in enumerate(words):
            place = at + pointer(name, index)
            if "*" in word:
                detail = "there are no wild cards: * matches only itself"
                yield Finding(kind="wildcard", at=place, detail=detail, advice="name what you trust, one by one")
            elif name in ("subject_prefixes", "delegation") and not behind_scheme(word):
                detail = f"everyone of {word}, whatever workspace or host"
                advice = "name the workspace or host: slack:T123/, https://social.example/"
                yield Finding(kind="over-broad", at=place, detail=detail, advice=advice)


def _of_domains(at: str, domains: Iterable[str]) -> Iterator[Finding]:
    """Domains under which strangers have addresses."""
    for index, domain in enumerate(domains):
        if domain in _MAIL_PROVIDERS or is_public_suffix(domain):
            yield Finding(
                kind="over-broad",
                at=at + pointer("subject_domains", index),
                detail=f"strangers have addresses at {domain}",
                advice="name single addresses in subjects",
            )


def _of_acl(acl: AgentACL, policy: TrustPolicy, entries: Sequence[Rule]) -> Iterator[Finding]:
    """The findings of the grants of an agent, one grant after the other."""
    issuers = {entry.issuer for entry in policy.entries}
    methods = {method for entry in policy.entries for method in entry.methods}
    earlier: dict[str, list[Rule]] = {}
    for index, grant in enumerate(acl.grants):
        rule = rule_of_grant(grant, pointer(AGENTS, acl.agent, index))
        lists = {"subject_prefixes": grant.subject_prefixes, "subjects": grant.subjects, "methods": grant.methods}
        yield from _of_words(rule.at, lists)
        strangers = [*_of_strangers(grant, rule.at, issuers, methods)]
        yield from strangers
        if not strangers and not _is_reachable(rule, entries):
            yield Finding(
                kind="dead",
                at=rule.at,
                detail="no entry accepts evidence that it takes",
                advice="let an entry accept these subjects by these methods, or remove the grant",
            )
        same_role = earlier.get(grant.role, [])
        covered = [other for other in same_role if rule.covers(other) and not other.covers(rule)]
        yield from [_dead(other, rule) for other in covered]  # the order of grants does not matter
        # a grant that is dead is compared no more: what covers it takes all that it takes
        earlier[grant.role] = others = [other for other in same_role if other not in covered]
        yield from _of_pairs(rule, others, "both give the same role")
        others.append(rule)


def _is_reachable(rule: Rule, entries: Sequence[Rule]) -> bool:
    """Whether evidence that an entry accepts, or what a transport verifies itself, can fit a grant."""
    return not rule.methods.isdisjoint(TRANSPORT_METHODS) or any(entry.meets(rule) for entry in entries)


def _of_strangers(grant: Grant, at: str, issuers: set[str], methods: set[str]) -> Iterator[Finding]:
    """Issuers and methods of a grant that the entries do not have. What transports verify themselves needs no entry."""
    if TRANSPORT_METHODS.keys().isdisjoint(grant.methods):
        for index, issuer in enumerate(grant.issuers):
            if issuer not in issuers:
                yield Finding(
                    kind="issuer-unknown",
                    at=at + pointer("issuers", index),
                    detail=f"no entry is of {issuer}",
                    advice="add an entry for the issuer, or remove it here",
                )
    for index, method in enumerate(grant.methods):
        if method not in methods and method not in TRANSPORT_METHODS:
            yield Finding(
                kind="method-unknown",
                at=at + pointer("methods", index),
                detail=f"no entry accepts {method}",
                advice="add the method to an entry, or remove it here",
            )
