"""The evidence of a message, signed for one agent: the `attest` of every connector."""

from __future__ import annotations

from datetime import datetime

from .._crypto.keys import SigningKey
from .._errors.exceptions import UsageError
from .._model.identity import IdentityEvidence
from .._model.message import NormalizedMessage
from ..identity import attest_sender
from ._settings import ConnectorSettings


def attest(
    message: NormalizedMessage, *, audience: str, key: SigningKey, settings: ConnectorSettings, now: datetime
) -> tuple[IdentityEvidence, ...]:
    """Sign the evidence about the sender of a message, for one agent and five minutes.

    Attest a message once. A redelivered message attested again would have the same id with another signature, which
    receivers reject: send the first request again instead.

    Args:
        message: The message that `receive` returned.
        audience: The agent's canonical address: `@agent@domain`.
        key: The key of your Connector Instance; the Connector Card has its public half.
        settings: The settings that `receive` had. They name the issuer.
        now: The time, aware.

    Returns:
        What `a2a.CallContext(evidence=...)` takes. Empty when the platform did not verify the sender, as for bots,
        webhooks, SMS and people of other workspaces, and when no issuer is set.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: Building a Connector §Identity Attestations.
    """
    if not isinstance(settings, ConnectorSettings):
        raise UsageError("settings must be the Settings of the connector")
    if settings.issuer is None:
        return ()
    return attest_sender(message, audience=audience, key=key, issuer=settings.issuer, now=now)
