"""Who may do what at an agent: roles, granted to verified identities alone.

Spec: Building a Connector (Trust Policy); Normalized Message §3.1 (sender.identities).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, NamedTuple, TypeAlias

from .._errors.exceptions import UsageError
from .._model.annotation import InvalidMember, Rule
from .._model.base import validated
from .._model.identity import VerifiedIdentity
from .._model.rules import CanonicalAddress, Name
from .._model.trust import Prefix
from .._text.display_names import INVISIBLE
from .._text.media import single_line
from .._wire.address import is_canonical
from ._trust import is_subject

METHODS_RULE: Final = "required: name the methods by which the person must be verified"
"""The rule that a grant without methods breaks."""


def _is_role(text: str) -> bool:
    """Whether a text is a word that looks like no other word: no blanks, nothing that shows nothing."""
    return text.split() == [text] == [single_line(text)] and text.isprintable() and set(INVISIBLE).isdisjoint(text)


Role: TypeAlias = Annotated[str, Rule("a word without blanks or invisible characters", _is_role, {"pattern": "^\\S+$"})]
"""The name of a role. A program compares it with its own word, so one that only looks alike would give nothing."""


@validated
class Grant:
    """A role, and who has it. Name subjects or prefixes of them; the other members narrow the grant.

    Attributes:
        role: The role: `user`, `admin`, or any word of yours, without blanks or invisible characters.
        subjects: Single subjects: `slack:T123/U456`, `@alice@social.example`.
        subject_prefixes: Every subject with such a prefix, for example a whole workspace: `slack:T123/`. Each ends in
            `:` or `/`.
        issuers: Only identities from these issuers; empty: from any issuer that your trust policy accepts.
        methods: Only identities verified by one of these methods. It may not be empty: another method may prove less of
            the same address.
        assurance: Only identities of these kinds of assurance; empty: of any.
    """

    role: Role
    methods: tuple[Name, ...]
    subjects: tuple[Name, ...] = ()
    subject_prefixes: tuple[Prefix, ...] = ()
    issuers: tuple[Name, ...] = ()
    assurance: tuple[Name, ...] = ()

    def _check(self) -> None:
        if not self.methods:
            raise InvalidMember(METHODS_RULE)
        if not self.subjects and not self.subject_prefixes:
            raise InvalidMember("a grant names subjects or subject_prefixes: it has no default")
        if not all(map(is_subject, self.subjects)):
            raise InvalidMember("subjects are visible ASCII: scheme:… or @local@domain")

    def takes(self, identity: VerifiedIdentity) -> bool:
        """Whether an identity has the role by this grant. Its principals do not count: they do not act."""
        return not mismatches(self, identity)


class Claim(NamedTuple):
    """What evidence would state about a person. It proves nothing: `explain` compares it with grants."""

    issuer: str
    subject: str
    method: str
    assurance: str


def mismatches(grant: Grant, identity: VerifiedIdentity | Claim) -> tuple[str, ...]:
    """The members of a grant that an identity does not fit; none when it has the role by this grant."""
    is_named = identity.subject in grant.subjects or identity.subject.startswith(grant.subject_prefixes)
    fits = {
        "subjects": is_named,
        "issuers": not grant.issuers or identity.issuer in grant.issuers,
        "methods": identity.method in grant.methods,
        "assurance": not grant.assurance or identity.assurance in grant.assurance,
    }
    return tuple([name for name, is_fit in fits.items() if not is_fit])


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
        >>> methods = ("urn:mentionable:auth:slack-workspace-member:v0.1",)
        >>> acl = AgentACL(agent="@helper@agents.example", grants=(
        ...     Grant(role="user", subject_prefixes=("slack:T123/",), methods=methods),
        ...     Grant(role="admin", subjects=("slack:T123/U456",), methods=methods),
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
        """Whether an identity was verified for this agent.

        An identity that a transport verified itself names the host or URL that the request was sent to, or the audience
        of a token. Where it names an agent, as connectors do, it is for that one alone.
        """
        audience = identity.audience
        return audience == self.agent or (identity.entry is None and not is_canonical(audience))


def _checked(identities: Iterable[VerifiedIdentity]) -> list[VerifiedIdentity]:
    listed: list[object] = list(identities)
    checked = [identity for identity in listed if isinstance(identity, VerifiedIdentity)]
    if len(checked) < len(listed):
        raise UsageError("authorize on Received.identities: evidence and senders are not verified")
    return checked
