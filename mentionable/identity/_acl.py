"""Who may do what at an agent: roles, granted to verified identities and to nothing else.

Spec: Building a Connector (Trust Policy); Normalized Message §3.1 (sender.identities).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .._errors.exceptions import UsageError
from .._model.base import InvalidMember, validated
from .._model.identity import VerifiedIdentity
from .._model.rules import CanonicalAddress, Name
from .._model.trust import Prefix
from .._wire.address import is_canonical
from ._trust import is_subject

_NONE: Final = ("\0",)


@validated
class Grant:
    """A role, and who has it. Name subjects or prefixes of them; the rest narrows further.

    Attributes:
        role: The role: `user`, `admin`, or any word of yours.
        subjects: Who, one by one: `slack:T123/U456`, `@alice@social.example`.
        subject_prefixes: Everybody whose subject begins so, such as a whole workspace: `slack:T123/`. Ends in `:` or
            `/`.
        issuers: Only by the word of these; empty: by that of anybody whom your trust policy lets in.
        methods: Only known in these ways; empty: in any.
        assurance: Only with this kind of knowledge; empty: with any.
    """

    role: Name
    subjects: tuple[Name, ...] = ()
    subject_prefixes: tuple[Prefix, ...] = ()
    issuers: tuple[Name, ...] = ()
    methods: tuple[Name, ...] = ()
    assurance: tuple[Name, ...] = ()

    def _check(self) -> None:
        if not self.subjects and not self.subject_prefixes:
            raise InvalidMember("a grant names subjects or subject_prefixes: nobody has it by default")
        if not all(map(is_subject, self.subjects)):
            raise InvalidMember("subjects are visible ASCII: scheme:… or @local@domain")

    def takes(self, identity: VerifiedIdentity) -> bool:
        """Whether an identity has the role by this grant. Its principals do not count: they do not act."""
        return (
            (identity.subject in self.subjects or identity.subject.startswith(self.subject_prefixes or _NONE))
            and (not self.issuers or identity.issuer in self.issuers)
            and (not self.methods or identity.method in self.methods)
            and (not self.assurance or identity.assurance in self.assurance)
        )


@validated
class AgentACL:
    """The roles at one agent. Deny by default.

    Attributes:
        agent: The agent. An identity verified for another agent has no role here. A transport's own identity that
            names no agent (mail and ActivityPub name the host that the request was sent to, A2A the `aud` of the token)
            counts for each agent that the request was delivered to.
        grants: Who has which role.

    Spec: Building a Connector (Trust Policy).

    Example:
        >>> acl = AgentACL(agent="@helper@agents.example", grants=(
        ...     Grant(role="user", subject_prefixes=("slack:T123/",)),
        ...     Grant(role="admin", subjects=("slack:T123/U456",)),
        ... ))
        >>> acl.roles(())
        frozenset()
    """

    agent: CanonicalAddress
    grants: tuple[Grant, ...]

    def roles(self, identities: Iterable[VerifiedIdentity]) -> frozenset[str]:
        """Every role that these identities have together; none for none.

        Raises:
            UsageError: Something else than a `VerifiedIdentity` is among them, such as evidence.
        """
        own = [identity for identity in _checked(identities) if self._is_for(identity)]
        return frozenset(grant.role for grant in self.grants if any(map(grant.takes, own)))

    def allows(self, identities: Iterable[VerifiedIdentity], *, role: str) -> bool:
        """Whether one of these identities has the role.

        Raises:
            UsageError: As `roles`.
        """
        return role in self.roles(identities)

    def _is_for(self, identity: VerifiedIdentity) -> bool:
        """Whether an identity was shown to this agent.

        What a transport verified itself names the host or URL that the request was sent to, or the name under which an
        issuer of tokens knows you. Where it names an agent, as connectors do, it is for that one alone.
        """
        audience = identity.audience
        return audience == self.agent or (identity.entry is None and not is_canonical(audience))


def _checked(identities: Iterable[VerifiedIdentity]) -> list[VerifiedIdentity]:
    found: list[object] = list(identities)
    if not all(isinstance(one, VerifiedIdentity) for one in found):
        raise UsageError("authorize on Received.identities: evidence and senders show nobody by themselves")
    return [one for one in found if isinstance(one, VerifiedIdentity)]
