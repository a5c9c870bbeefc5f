"""Connectors that forward messages of platforms, for tests of agents that receive from one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .. import identity
from .._crypto.connector_card import ConnectorCard, ConnectorKey, card_url
from .._crypto.keys import SigningKey
from .._model.base import frozen
from .._model.identity import IdentityEvidence
from .._model.trust import TrustEntry
from .._wire.address import Address
from ..connectors.slack import METHOD
from ..discovery import connector_card_response

__all__ = ["ConnectorPeer"]


@frozen
class ConnectorPeer:
    """A connector that attests the senders of messages, for tests of agents that receive from one.

    Attributes:
        issuer: Its host.
    """

    issuer: str = "slack.agents.example"

    @property
    def address(self) -> Address:
        """Its identity as a caller."""
        return Address(f"connector@{self.issuer}")

    @property
    def key(self) -> SigningKey:
        """The key of its evidence. It is not secret: everybody can derive it."""
        return peer_key(self.issuer, "test")

    @property
    def card(self) -> ConnectorCard:
        """Its Connector Card."""
        return ConnectorCard(issuer=self.issuer, keys=(ConnectorKey.of(self.key),), name="A connector for tests")

    @property
    def lookups(self) -> dict[str, Any]:
        """Look-ups for it: its card."""
        body = connector_card_response(self.card).body.decode()
        return {f"GET {card_url(self.issuer)}": {"content_type": "application/json", "body": body}}

    def trusted(self, *prefixes: str, methods: tuple[str, ...] = (METHOD,), **members: Any) -> TrustEntry:
        """The entry of a trust policy that trusts it.

        Args:
            prefixes: The trusted prefixes of subjects; by default `slack:`.
            methods: The trusted methods.
            members: Other members of `identity.TrustEntry`.
        """
        return TrustEntry(
            issuer=self.issuer,
            methods=methods,
            assurance=("platform",),
            subject_prefixes=prefixes or ("slack:",),
            **members,
        )

    def attest(
        self,
        subject: str,
        *,
        audience: str,
        now: datetime,
        claims: Mapping[str, Any] | None = None,
        id: str | None = None,
    ) -> IdentityEvidence:
        """Signed evidence of a subject, for one agent.

        Args:
            subject: The subject: `slack:T123/U456`.
            audience: The agent.
            now: The time.
            claims: Further claims.
            id: Its id; None: without one.
        """
        statement = identity.Statement(subject=subject, method=METHOD, assurance="platform", claims=claims, id=id)
        return identity.attest(statement, issuer=self.issuer, audience=audience, key=self.key, now=now)


def peer_key(owner: str, key_id: str) -> SigningKey:
    """The key of a peer, which is the same in each run."""
    return SigningKey.from_seed(hashlib.sha256(f"test key of {owner}".encode()).digest(), key_id=key_id)
