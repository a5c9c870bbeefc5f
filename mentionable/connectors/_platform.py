"""The account that wrote on a platform: its address, its profile, and evidence of it for agents.

Every connector makes these in the same way.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal, TypeAlias

from .._errors.exceptions import wire_error
from .._flow.outcome import Verdict
from .._model.base import frozen
from .._model.codec import encode
from .._model.identity import IdentityEvidence, TransportProof
from .._model.sender import Sender, SenderProfile
from .._wire.address import Address, address_of_name
from .._wire.time import format_time

PLATFORM_ONLY: Final = Verdict(method="none", verified=False, code="platform-only")
"""The verdict on a platform's sender: the platform verifies an account of its own, never an address."""

ListenTo: TypeAlias = Literal["mentions", "everything"]
"""Which messages of channels are for the agent: those that mention it, or all."""


@frozen
class Account:
    """An account, as a verified request of its platform names it.

    Attributes:
        platform: `slack`, `discord`, ….
        address: Its address in a message: see `account_address`.
        subject: Its subject in evidence: `slack:T123/U456`.
        method: The method by which it was verified, a URN: `urn:mentionable:auth:slack-workspace-member:v0.1`.
        profile: Whitelisted facts for people.
    """

    platform: str
    address: Address
    subject: str
    method: str
    profile: SenderProfile | None = None


def account_address(user: str, *where: str) -> Address:
    """The address of an account: `@U456@t123.slack.invalid` for `U456`, `T123`, `slack`.

    No message can be sent there (RFC 2606), and no domain can ever claim it.

    Args:
        user: The platform's id of the account, case-sensitive.
        where: From the narrowest place to the platform, each one label of a domain name.

    Raises:
        WireError: `sender-unaddressable`: the ids are not of letters, digits and hyphens.
    """
    address = address_of_name(user, f"{'.'.join(where)}.invalid")
    if address is None or address.domain.count(".") != len(where):
        raise wire_error("sender-unaddressable", "", "the ids of the account do not make an address")
    return address


def sender_of(account: Account, *identities: IdentityEvidence) -> Sender:
    """The sender of an account, with evidence when there is some."""
    profile = account.profile
    return Sender(
        address=account.address,
        display_name=None if profile is None else profile.display_name,
        profile=profile,
        identities=identities or None,
    )


def evidence_of(
    account: Account, *, issuer: str, audience: str, event_id: str, now: datetime, channel: str | None
) -> IdentityEvidence:
    """Evidence of what the platform's request verified, for the agent and for `attest` to sign.

    Its proof is of the transport: worth nothing on a wire until the Connector Instance has signed it.

    Args:
        account: The account.
        issuer: The Connector Instance, a bare lower-case host.
        audience: The agent that receives the evidence.
        event_id: The platform's own id of the event: `slack:Ev0123`.
        now: The time at which the request was verified.
        channel: The channel of the platform.

    Spec: Building a Connector §Identity Attestations.
    """
    source = {"transport": account.platform, "connector": f"{account.platform}-connector"}
    if channel is not None:
        source["channel"] = channel
    return IdentityEvidence(
        subject=account.subject,
        issuer=issuer,
        method=account.method,
        assurance="platform",
        audience=audience,
        issued_at=format_time(now),
        proof=TransportProof(verified_by=account.platform),
        id=event_id,
        claims=None if account.profile is None else {"profile": encode(account.profile)},
        source=source,
    )
