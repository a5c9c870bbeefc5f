"""The answer of an authorization server about a token, when your host asked it.

Spec: RFC 7662 §2.2.
"""

from __future__ import annotations

from attrs import field

from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import UsageError
from ..._model.base import EMPTY_DICT, check_members, validated
from ..._model.rules import JsonObject, Name
from ..._transport.caller import Caller
from ..._wire.strict_json import NotWritable, plain
from .._settings import TokenIssuer


@validated
class Introspection:
    """The answer to a token introspection request that your host has made for the token of this very request.

    Attributes:
        response: The JSON of the answer, as it came. A value that your parser accepts and JSON does not have, such as
            `NaN`, is the server's fault: the verdict is then `claim-malformed`.
        issuer: Which of your token issuers gave it: its `issuer`, exactly.
        proof_checked: Whether you checked that the caller has the key that the token is bound to (`cnf`): the client
            certificate of the connection, or the DPoP proof.
        caller: What else your host knows of the caller, such as the name on its card.
    """

    response: JsonObject = field(repr=False)
    issuer: Name
    proof_checked: bool = False
    caller: Caller | None = None

    def __attrs_post_init__(self) -> None:
        response = self.response
        if response.__class__ is dict and _fault_of(response) is not None:
            object.__setattr__(self, "response", EMPTY_DICT)
            check_members(self)
            object.__setattr__(self, "response", response)  # `check_active` refuses it, with the reason
        else:
            check_members(self)


def _fault_of(response: JsonObject) -> str | None:
    """Why the output of a lenient parser is no JSON; None otherwise."""
    try:
        plain(response)
    except NotWritable as error:
        return str(error)
    except UsageError:
        return None
    return None


def check_active(response: JsonObject, issuer: TokenIssuer) -> None:
    """Raises unless the token is active, and of the issuer that was asked."""
    fault = _fault_of(response)
    if fault is not None:
        raise VerificationFailed("claim-malformed", f"the answer is no JSON: {fault}")
    if response.get("active") is not True:
        raise VerificationFailed("token-inactive", "active is not true")
    if response.get("iss", issuer.issuer) != issuer.issuer:
        raise VerificationFailed("issuer-unknown", "iss is not the issuer that was asked")
