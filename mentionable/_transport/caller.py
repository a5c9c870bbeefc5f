"""The caller that a host names: for the transports whose requests a host may authenticate itself."""

from __future__ import annotations

from attrs import field

from .._flow.outcome import Verdict
from .._model.base import validated
from .._model.diagnostic import Diagnostic
from .._model.rules import JsonObject, Name
from .._model.sender import Sender
from .._text.display_names import display_name
from .._text.media import single_line
from .._wire.address import Address, canonical


@validated
class Caller:
    """A caller that your host has authenticated already, by whatever means it has.

    Attributes:
        subject: Who it is. An agent address (`@agent@domain`, `agent@domain` or `acct:agent@domain`) becomes the
            sender's address; anything else leaves the sender anonymous, with a diagnostic.
        claims: What is known of the caller; it goes into `raw.auth`.
        name: What the caller's agent card calls it, where you have the card. It is the sender's display name, before
            the name in a token.
    """

    subject: Name
    claims: JsonObject = field(factory=dict, repr=False)
    name: str | None = None


def authenticated(verdict: Verdict, caller: Caller | None) -> str | None:
    """The authenticated caller: the one whom the request itself verifies, else the one whom the host names."""
    if verdict.verified:
        return verdict.address
    return None if caller is None else canonical(caller.subject) or caller.subject


def named_sender(caller: Caller | None, default: Sender) -> tuple[Sender, tuple[Diagnostic, ...]]:
    """The sender whom the host names, never verified; `default` where it names none, or none with an address."""
    if caller is None:
        return default, ()
    address = canonical(caller.subject)
    if address is None:
        detail = "the subject of the caller is not an agent address"
        return default, (Diagnostic(code="caller-not-address", detail=detail),)
    name, diagnostics = card_name(caller, address)
    return Sender(address=address, display_name=name), diagnostics


def card_name(caller: Caller | None, address: Address) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The name on the card of the caller, as people may see it; None where there is none, or it is another's."""
    if caller is None or caller.name is None or canonical(caller.subject) != address:
        return None, ()
    return display_name(single_line(caller.name), address, at="")
