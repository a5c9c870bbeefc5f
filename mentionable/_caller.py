"""Who calls, by the word of the host: for the rooms whose requests a host may authenticate itself."""

from __future__ import annotations

from attrs import field

from ._model.rules import JsonObject  # noqa: TC001 - read when the members of a Caller are checked
from ._value import value


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
