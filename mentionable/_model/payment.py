"""A payment of x402, as a payer signs it: values only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .base import frozen


class Transfer(NamedTuple):
    """What the payer signed, where the scheme says so in a form that is known here.

    Attributes:
        to: The account that gets it.
        value: How much, in atomic units.
        asset: Of what; None where the signature alone says that.
    """

    to: str
    value: str
    asset: str | None = None


@frozen
class Payment:
    """What a payer sent.

    Attributes:
        version: The version of x402, 1 or 2.
        scheme: The scheme as offers name it, for example `x402.exact`.
        network: The network, as the payer calls it.
        payload: The whole object as it came, for the facilitator; integers that became floats are integers again.
        accepted: The requirement that the payer says to fulfill; None in version 1.
        resource: What it is paid for, where the payer says so.
        payer: The account that pays, where the payload names it.
        nonce: What makes the payer's signature single-use, where the payload has it: 64 digits of hex behind `0x`, in
            whatever letters or base it came.
        transfer: What the payer signed, where that is known.
    """

    version: int
    scheme: str
    network: str
    payload: Mapping[str, Any]
    accepted: Mapping[str, Any] | None = None
    resource: Mapping[str, Any] | None = None
    payer: str | None = None
    nonce: str | None = None
    transfer: Transfer | None = None
