"""Who calls, by the word of the host: for the rooms whose requests a host may authenticate itself."""

from __future__ import annotations

from attrs import field

from .._flow.outcome import Verdict
from .._model.base import validated
from .._model.diagnostic import Diagnostic
from .._model.rules import JsonObject
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
        claims: What is known of the caller, kept in `raw.auth`.
        name: What the caller's agent card calls it, where you have the card. It is the sender's display name, before
            the name in a token.
    """

    subject: str
    claims: JsonObject = field(factory=dict, repr=False)
    name: str | None = None


def authenticated(verdict: Verdict, caller: Caller | None) -> str | None:
    """Who calls, as somebody has authenticated them: whom the unit itself shows, else whom the host names."""
    if verdict.verified:
        return verdict.address
    return None if caller is None else canonical(caller.subject) or caller.subject


def named_sender(caller: Caller | None, nobody: Sender, notes: list[Diagnostic]) -> Sender:
    """The sender whom the host names, never verified; `nobody` where it names none, or none with an address."""
    if caller is None:
        return nobody
    address = canonical(caller.subject)
    if address is None:
        notes.append(Diagnostic(code="caller-not-address", detail="the subject of the caller is not an agent address"))
        return nobody
    return Sender(address=address, display_name=card_name(caller, address, notes))


def card_name(caller: Caller | None, address: Address, notes: list[Diagnostic]) -> str | None:
    """The name on the card of the caller, as people may be shown it; None where there is none, or it is another's."""
    if caller is None or caller.name is None or canonical(caller.subject) != address:
        return None
    return display_name(single_line(caller.name), address, at="", notes=notes)
