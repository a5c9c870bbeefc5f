"""Identity evidence: what an issuer attests about a person, how it is verified, and which issuers are trusted.

Evidence (`IdentityEvidence`, at top level) is data. `attest` signs it for one agent, `verify` makes a
`VerifiedIdentity` of it, `TrustPolicy` lists the trusted issuers, and `AgentACL` gives roles to verified identities.
`a2a.receive` and `rest.receive` verify the evidence alongside a message; `verify_all` does so for your own transport.

Example:
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, Fetched, Settings, SigningKey, dumps, drive, identity
    >>> from mentionable.discovery import ConnectorCard, ConnectorKey, connector_card_response
    >>> now, key = datetime(2026, 11, 21, tzinfo=UTC), SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
    >>> member = identity.Statement(
    ...     subject="slack:T123/U456", method="urn:mentionable:auth:slack-workspace-member:v0.1", assurance="platform",
    ... )
    >>> badge = identity.attest(
    ...     member, issuer="slack.agents.example", audience="@helper@agents.example", key=key, now=now,
    ... )
    >>> card = ConnectorCard(issuer="slack.agents.example", keys=(ConnectorKey.of(key),))
    >>> response = connector_card_response(card)
    >>> trust = identity.TrustPolicy(entries=(identity.TrustEntry(
    ...     issuer="slack.agents.example", methods=(badge.method,), assurance=("platform",),
    ...     subject_prefixes=("slack:T123/",),
    ... ),))
    >>> answers = Answers(
    ...     fetch=lambda ask: Fetched(url=ask.url, status=200, content_type="application/json", body=response.body),
    ...     use_once=lambda ask: "first",
    ... )
    >>> verified = drive(identity.verify(
    ...     dumps(badge), recipient="@helper@agents.example", caller="@bot@slack.agents.example", message_digest=b"Hi",
    ...     now=now, settings=Settings(trust=trust),
    ... ), answers)
    >>> acl = identity.AgentACL(agent="@helper@agents.example", grants=(
    ...     identity.Grant(role="user", subject_prefixes=("slack:T123/",), methods=(badge.method,)),
    ... ))
    >>> verified.subject, acl.allows([verified], role="user")
    ('slack:T123/U456', True)

Spec: IdentityEvidence v0.1; Building a Connector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._lazy import lazy_names
from .._model.identity import AttestationProof, BearerProof, Proof, TransportProof, UnknownProof
from .._model.trust import TrustEntry, TrustPolicy
from ._acl import AgentACL, Grant
from ._attest import LIFETIME, Statement, attest, attest_sender
from ._forwarded import VerifiedEvidence, message_digest, verify_all
from ._forwarded import with_evidence as with_evidence  # for the transports: `IncomingMessage` is not public
from ._profile import profile_of
from ._sign import signing_input
from ._verify import IdentityAsk, verify

if TYPE_CHECKING:
    from ._config import TrustConfig as TrustConfig
    from ._config import read_trust as read_trust
    from ._explain import Explanation as Explanation
    from ._explain import Refusal as Refusal
    from ._lint import Finding as Finding
    from ._lint import FindingKind as FindingKind
    from ._lint import lint as lint

_HOME, _load = lazy_names(
    __name__,
    {
        "identity._config": "TrustConfig read_trust",
        "identity._explain": "Explanation Refusal",
        "identity._lint": "Finding FindingKind lint",
    },
)

__all__ = [
    "LIFETIME",
    "AgentACL",
    "AttestationProof",
    "BearerProof",
    "Explanation",
    "Finding",
    "FindingKind",
    "Grant",
    "IdentityAsk",
    "Proof",
    "Refusal",
    "Statement",
    "TransportProof",
    "TrustConfig",
    "TrustEntry",
    "TrustPolicy",
    "UnknownProof",
    "VerifiedEvidence",
    "attest",
    "attest_sender",
    "lint",
    "message_digest",
    "profile_of",
    "read_trust",
    "signing_input",
    "verify",
    "verify_all",
]


if not TYPE_CHECKING:  # a type checker that saw it would take any name
    __getattr__ = _load


def __dir__() -> list[str]:
    return __all__
