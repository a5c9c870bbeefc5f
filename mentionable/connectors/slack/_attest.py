"""The evidence of a message, signed for one agent."""

from __future__ import annotations

from datetime import datetime

from ..._crypto.keys import SigningKey
from ..._model.identity import IdentityEvidence
from ..._model.message import NormalizedMessage
from ...identity import attest_sender
from ._settings import Settings, check_settings


def attest(
    message: NormalizedMessage, *, audience: str, key: SigningKey, settings: Settings, now: datetime
) -> tuple[IdentityEvidence, ...]:
    """Evidence about who sent a message, for one agent and five minutes: exactly what Slack showed.

    Attest a message once. A redelivered one attested anew would show the same id with another signature, which
    receivers refuse: send the first request again instead.

    Args:
        message: As `receive` gave it.
        audience: The agent, canonical: `@agent@domain`.
        key: The key of your Connector Instance; its public half stands in the Connector Card.
        settings: Names the issuer.
        now: The time, aware.

    Returns:
        What `a2a.call(evidence=...)` takes; empty when Slack showed nobody, as for bots, guests and
        people of other workspaces.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: Building a Connector §Identity Attestations.
    """
    check_settings(settings)
    return attest_sender(message, audience=audience, key=key, issuer=settings.issuer, now=now)
