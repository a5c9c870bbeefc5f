"""The evidence of a message, signed for one agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._settings import check_settings

if TYPE_CHECKING:
    from datetime import datetime

    from ..._keys import SigningKey
    from ..._model.identity import IdentityEvidence
    from ..._model.message import NormalizedMessage
    from ._settings import Settings


def attest(
    message: NormalizedMessage, *, audience: str, key: SigningKey, settings: Settings, now: datetime
) -> IdentityEvidence:
    """Evidence about who sent a message, for one agent and five minutes: exactly what Slack showed.

    Args:
        message: As `receive` gave it.
        audience: The agent, canonical: `@agent@domain`.
        key: The key of your Connector Instance; its public half stands in the Connector Card.
        settings: Names the issuer.
        now: The time, aware.

    Raises:
        UsageError: There is no evidence in the message, as of bots, guests and people of other workspaces, or an
            argument is of the wrong kind.

    Spec: Building a Connector §Identity Attestations.
    """
    from ...identity import attest_sender

    check_settings(settings)
    return attest_sender(message, audience=audience, key=key, issuer=settings.issuer, now=now)
