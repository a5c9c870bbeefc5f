"""Who sent a message while no token is verified: the host's own word, or nobody.

Spec: Normalized Message §3.1 (sender.address), §5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attrs import field

from .._address import Address, canonical
from .._model.rules import JsonObject  # noqa: TC001 - read when the members of a Caller are checked
from .._model.sender import Sender
from .._value import trusted, value

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._reading import Reading

ANONYMOUS: Final = Sender(address=Address("@anonymous@a2a.invalid"))
"""The sender of a message whose caller nobody knows."""

unverified: Final[Callable[[str], Sender]] = trusted(Sender, "address")
"""The sender under a canonical address, nothing about them shown."""


@value
class Caller:
    """A caller that your host has authenticated already, by whatever means it has.

    Attributes:
        subject: Who it is. An agent address (`@agent@domain`, `agent@domain` or `acct:agent@domain`) becomes the
            sender's address; anything else leaves the sender anonymous, with a diagnostic.
        claims: What is known of the caller, kept in `raw.auth`.
    """

    subject: str
    claims: JsonObject = field(factory=dict, repr=False)


def sender_of(caller: Caller | None, peer: Address | None, reading: Reading) -> Sender:
    """The sender, unverified: the peer whose result it is, else the caller, else nobody."""
    if peer is not None:
        return unverified(peer)
    if caller is None:
        return ANONYMOUS
    address = canonical(caller.subject)
    if address is None:
        reading.note("caller-not-address", "", "the subject of the caller is not an agent address")
        return ANONYMOUS
    return unverified(address)
