"""Entries of a trust policy and grants of an ACL in one form, in which two of them are compared."""

from __future__ import annotations

from typing import NamedTuple

from .._model.trust import TrustEntry
from ._acl import Grant


class Scope(NamedTuple):
    """Subjects: by prefixes, one by one, and by the domain of an address."""

    prefixes: tuple[str, ...]
    subjects: frozenset[str]
    domains: frozenset[str] = frozenset()

    def covers(self, other: Scope) -> bool:
        """Whether every subject of another scope is in this one."""
        return (
            all(map(self._has_prefix, other.prefixes))
            and all(map(self._has, other.subjects))
            and other.domains <= self.domains
        )

    def meets(self, other: Scope) -> bool:
        """Whether a subject can be in both."""
        return (
            any(map(self._has_prefix, other.prefixes))
            or any(map(other._has_prefix, self.prefixes))
            or any(map(self._has, other.subjects))
            or any(map(other._has, self.subjects))
            or not self.domains.isdisjoint(other.domains)
        )

    def _has_prefix(self, prefix: str) -> bool:
        return prefix.startswith(self.prefixes)

    def _has(self, subject: str) -> bool:
        return (
            subject in self.subjects
            or subject.startswith(self.prefixes)
            or (subject[:1] == "@" and subject.rpartition("@")[2] in self.domains)
        )


class Rule(NamedTuple):
    """An entry or a grant, in the form in which two of them are compared. None in place of a set is any word."""

    at: str
    scope: Scope
    methods: frozenset[str]
    issuers: frozenset[str] | None
    assurance: frozenset[str] | None

    def covers(self, other: Rule) -> bool:
        """Whether everything that another takes is taken by this one."""
        pairs = zip(self[2:], other[2:], strict=True)
        return self.scope.covers(other.scope) and all(
            own is None or (theirs is not None and theirs <= own) for own, theirs in pairs
        )

    def meets(self, other: Rule) -> bool:
        """Whether something can be taken by both."""
        pairs = zip(self[2:], other[2:], strict=True)
        return self.scope.meets(other.scope) and all(
            own is None or theirs is None or not own.isdisjoint(theirs) for own, theirs in pairs
        )


def rule_of_entry(entry: TrustEntry, at: str) -> Rule:
    """An entry, at its JSON pointer."""
    scope = Scope(entry.subject_prefixes or (), frozenset(entry.subjects or ()), frozenset(entry.subject_domains or ()))
    return Rule(at, scope, frozenset(entry.methods), frozenset({entry.issuer}), frozenset(entry.assurance))


def rule_of_grant(grant: Grant, at: str) -> Rule:
    """A grant, at its JSON pointer. An empty list of issuers or assurance takes any word."""
    scope = Scope(grant.subject_prefixes, frozenset(grant.subjects))
    words = [frozenset(words) if words else None for words in (grant.issuers, grant.assurance)]
    return Rule(at, scope, frozenset(grant.methods), *words)
