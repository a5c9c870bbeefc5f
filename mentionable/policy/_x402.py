"""Demands for a payment by x402, out and in: in the metadata of A2A, in carts of AP2 and in bodies of HTTP 402.

Each way to pay is an `AcceptedPayment` whose scheme is that of x402 behind `x402.`, and whose payload is
`{x402Version, resource?, requirement}` with the requirement as it was written. What else the object says, its error
text and its extensions, is in `data` under `org.x402.error` and `org.x402.extensions`.

Spec: PolicyPart §Kind-Specific Fields; x402 v1 §5.1, v2 §5.1; A2A x402 extension v0.2 §5.3, §7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from .._errors.exceptions import UsageError, WireError
from .._model.diagnostic import Diagnostic
from .._model.policy import AcceptedPayment, PaymentRequired
from .._transport.policy_part import ParsedPolicy
from .._wire.canonical_json import canonical_json
from .._wire.strict_json import plain, pointer
from ._ap2 import demands_in
from ._x402_terms import (
    ERROR,
    RECEIPTS,
    REQUIRED,
    SCHEME_PREFIX,
    STATUS,
    fault_in,
    is_name,
    odd_in_resource,
    odd_words,
    version_of,
    with_whole_number,
)

CODE: Final = "x402:payment_required"
"""The `code` of a demand that came by x402."""

MAX_OFFERS: Final = 64
"""How many ways to pay one demand may list."""

_MAX_BYTES: Final = 65_536
"""How many bytes of JSON one object that lists ways to pay may have."""

_PHRASE: Final = "Payment is required."
_ERROR_TEXT: Final = "org.x402.error"
_EXTENSIONS: Final = "org.x402.extensions"


# -- out


def is_offer(payment: AcceptedPayment) -> bool:
    """Whether a way to pay can go out as x402: its payload has everything that the version asks for."""
    version = version_of(payment.payload)
    requirement, resource = payment.payload.get("requirement"), payment.payload.get("resource")
    return (
        version is not None
        and requirement.__class__ is dict
        and fault_in(requirement, version, is_whole=True) is None
        and payment.scheme == SCHEME_PREFIX + requirement["scheme"]
        and (resource is None or (version > 1 and _is_resource(resource) and not odd_in_resource(resource)))
    )


def x402_metadata(policy: PaymentRequired) -> dict[str, Any]:
    """The metadata with which clients of x402 see a demand; empty when none of its ways to pay is one of x402.

    One object has one version and one resource: where ways to pay differ, those of the highest version go out, and of
    them the first 64 for the same resource as the first. All of them are in the policy itself, which is sent too.

    Raises:
        UsageError: `policy` is no demand for a payment.

    Spec: A2A x402 extension v0.2 §5.3; x402 v1 §5.1, v2 §5.1.

    Example:
        >>> from mentionable.policy import AcceptedPayment, PaymentRequired
        >>> requirement = {
        ...     "scheme": "exact", "network": "eip155:8453", "amount": "10000", "asset": "USDC", "payTo": "0x1",
        ...     "maxTimeoutSeconds": 60,
        ... }
        >>> payload = {"x402Version": 2, "resource": {"url": "https://shop.example/"}, "requirement": requirement}
        >>> way = AcceptedPayment(scheme="x402.exact", payload=payload)
        >>> metadata = x402_metadata(PaymentRequired(message="Pay, please.", accepted_payments=(way,)))
        >>> metadata["x402.payment.status"], metadata["x402.payment.required"]["accepts"] == [requirement]
        ('payment-required', True)
    """
    if not isinstance(policy, PaymentRequired):
        raise UsageError("policy must be a PaymentRequired(...)")
    offers = [payment.payload for payment in policy.accepted_payments if is_offer(payment)]
    if not offers:
        return {}
    version = max(filter(None, map(version_of, offers)))
    offers = [offer for offer in offers if version_of(offer) == version]
    resource = offers[0].get("resource")
    accepts = [
        with_whole_number(plain(offer["requirement"]), "maxTimeoutSeconds")
        for offer in offers
        if canonical_json(offer.get("resource")) == canonical_json(resource)  # which tells 1 from true
    ]
    data = policy.data or {}
    error = data.get(_ERROR_TEXT)
    # Always there, since clients of the first releases of version 1 ask for it.
    required: dict[str, Any] = {"x402Version": version, "error": error if is_name(error) else policy.message}
    if resource is not None:
        required["resource"] = plain(resource)
    required["accepts"] = accepts[:MAX_OFFERS]
    extensions = data.get(_EXTENSIONS)
    if version > 1 and extensions.__class__ is dict:
        required["extensions"] = plain(extensions)
    return {STATUS: "payment-required", REQUIRED: required}


def x402_settlement(receipts: Sequence[Mapping[str, Any]], *, error: str | None = None) -> dict[str, Any]:
    """The metadata that tells how a payment ended: completed, or failed when the last receipt is not a success.

    Args:
        receipts: What the facilitator returned for every attempt for this task, the last one last; nothing is ever
            dropped.
        error: The short code of a failure, for example `EXPIRED_PAYMENT`.

    Raises:
        UsageError: There is no receipt, one is not of the form of x402, or an error is named for a success.

    Spec: A2A x402 extension v0.2 §7, §9; x402 v2 §5.3.
    """
    written = plain(receipts)
    for receipt in written:
        if receipt.__class__ is not dict or not _is_receipt(receipt):
            raise UsageError("a receipt of x402 has success, transaction and network")
    if not written:
        raise UsageError("there must be a receipt")
    succeeded = written[-1]["success"]
    if succeeded and error is not None:
        raise UsageError("a payment that succeeded has no error")
    metadata = {STATUS: "payment-completed" if succeeded else "payment-failed", RECEIPTS: written}
    return metadata if error is None else {**metadata, ERROR: error}


def check_settlement(settlement: object) -> dict[str, Any]:
    """How a payment ended, as fresh JSON, for the transports that report it.

    Raises:
        UsageError: It is not what `x402_settlement` returns.
    """
    members: dict[str, Any] = plain(settlement) if isinstance(settlement, Mapping) else {}
    try:
        is_fine = members == x402_settlement(members.get(RECEIPTS, ()), error=members.get(ERROR))
    except UsageError as error:
        raise UsageError(f"settlement: not what policy.x402_settlement() returns: {error}") from None
    if not is_fine:
        raise UsageError("settlement: not what policy.x402_settlement() returns")
    return members


def _is_receipt(receipt: Mapping[str, Any]) -> bool:
    """Whether a receipt says what it must; a transaction that failed has an empty name."""
    success, transaction = receipt.get("success"), receipt.get("transaction")
    named = is_name(transaction) if success else transaction.__class__ is str
    return success.__class__ is bool and named and is_name(receipt.get("network"))


def _is_resource(resource: Any) -> bool:
    """Whether it says what is paid for, as version 2 does."""
    return resource.__class__ is dict and is_name(resource.get("url"))


# -- in


def x402_demand(
    metadata: Any, *, message: str = "", state: str | None = None, parts: Iterable[Any] = ()
) -> ParsedPolicy:
    """The demand in the metadata of a task's status message, or in the carts that it points to.

    It is a demand of somebody else: pay it, show it, or pass it on. Numbers that a protobuf hop turned into floats are
    integers again where x402 has integers; all else is as it came. A fault in what names the money (scheme, network,
    asset, payee, amount, time, what is signed or paid for) in any of the ways to pay refuses the whole demand, with a
    diagnostic that names its place; words that do not fit cost themselves.

    Args:
        metadata: `metadata` of the status message.
        message: The text of the status message. Without it, the error text of the demand is taken, or a phrase.
        state: The id of the task, by which such a demand is known.
        parts: The parts of the task's artifacts as JSON, read only when the metadata points there (AP2).

    Spec: A2A x402 extension v0.2 §4.2, §5.3, §7.
    """
    if metadata.__class__ is not dict or metadata.get(STATUS) != "payment-required":
        return ParsedPolicy(policy=None)
    reading = _Reading()
    if metadata.get(REQUIRED) is not None:
        reading.take(metadata[REQUIRED], pointer(REQUIRED))
    else:
        for at, demand in demands_in(parts):
            reading.take(demand, "/parts" + at)
        if not reading.is_any:
            reading.refuse(pointer(REQUIRED), "neither the metadata nor a cart says what is to be paid")
    return reading.parsed(message, state)


def x402_demand_in_body(body: Any, *, message: str = "") -> ParsedPolicy:
    """The demand in the body of an HTTP 402 response, or in the header of version 2 once it is decoded.

    A body without `x402Version` is in another format and holds no demand.

    Args:
        body: The body as JSON.
        message: The text for people. Without it, the error text of the demand is taken, or a phrase.

    Spec: x402 v1 §5.1, v2 §5.1.
    """
    if body.__class__ is not dict or "x402Version" not in body:
        return ParsedPolicy(policy=None)
    reading = _Reading()
    reading.take(body, "")
    return reading.parsed(message, None)


class _Reading:
    """Collects the ways to pay of the objects that list them, and what does not fit.

    Attributes:
        is_any: Whether there was anything to read.
    """

    __slots__ = ("_data", "_diagnostics", "_error", "_faults", "_left", "_offers", "is_any")

    def __init__(self) -> None:
        self._offers: list[AcceptedPayment] = []
        self._faults: list[Diagnostic] = []
        self._diagnostics: list[Diagnostic] = []
        self._data: dict[str, Any] = {}
        self._error: str | None = None
        self._left = MAX_OFFERS
        self.is_any = False

    def refuse(self, at: str, detail: str) -> None:
        """Records why the demand cannot be read."""
        self._faults.append(Diagnostic(code="policy-malformed", at=at, detail=detail))

    def _drop(self, at: str, names: Iterable[str], detail: str = "expected a string") -> None:
        """Records malformed members that change nothing about the money."""
        self._diagnostics += [Diagnostic(code="member-dropped", at=at + pointer(name), detail=detail) for name in names]

    def take(self, required: Any, at: str) -> None:
        """Reads one object that lists ways to pay, unless there were too many before."""
        self.is_any = True
        if self._left <= 0:
            if self._left == 0:
                self.refuse(at, f"there are more than {MAX_OFFERS} ways to pay")
            self._left = -1
            return
        self._left -= 1
        if required.__class__ is not dict:
            self.refuse(at, "expected an object")
            return
        version = version_of(required)
        if version is None:
            self.refuse(at + "/x402Version", "expected version 1 or 2")
            return
        accepts = required.get("accepts")
        if accepts.__class__ is not list or not 1 <= len(accepts) <= self._left + 1:
            self.refuse(at + "/accepts", f"expected an array of 1 to {MAX_OFFERS} ways to pay")
            return
        self._left -= len(accepts) - 1
        try:
            size = len(canonical_json(required))
        except WireError as error:
            self.refuse(at, f"it has no canonical form: {error}")
            return
        if size > _MAX_BYTES:  # each way to pay repeats the resource
            self.refuse(at, f"more than {_MAX_BYTES} bytes")
            return
        resource = required.get("resource") if version > 1 else None
        if resource is not None and not _is_resource(resource):
            self.refuse(at + "/resource", "expected an object with a url")
            return
        self._drop(f"{at}/resource", odd_in_resource(resource or {}))
        for index, requirement in enumerate(accepts):
            self._offer(requirement, version, resource, f"{at}/accepts/{index}")
        self._rest(required, version, at)

    def _offer(self, requirement: Any, version: int, resource: Any, at: str) -> None:
        """Reads one way to pay."""
        if requirement.__class__ is not dict:
            self.refuse(at, "expected an object")
            return
        fault = fault_in(requirement, version)
        if fault is not None:
            self.refuse(at + pointer(fault), "missing, or not of the form that x402 says")
            return
        payload: dict[str, Any] = {"x402Version": version}
        if resource is not None:
            payload["resource"] = resource
        payload["requirement"] = with_whole_number(requirement, "maxTimeoutSeconds")
        self._drop(at, odd_words(requirement, version), "expected text, or an object as outputSchema")
        description = (requirement if version == 1 else resource or {}).get("description")
        scheme = SCHEME_PREFIX + requirement["scheme"]
        self._offers.append(
            AcceptedPayment(scheme=scheme, payload=payload, description=description if is_name(description) else None)
        )

    def _rest(self, required: dict[str, Any], version: int, at: str) -> None:
        """Keeps the error and the extensions of the object; the first ones count."""
        error, extensions = required.get("error"), required.get("extensions") if version > 1 else None
        if error is not None and error.__class__ is not str:
            self._drop(at, ["error"])
        elif self._error is None and error:
            self._error = error
        if extensions.__class__ is dict:
            self._data.setdefault(_EXTENSIONS, extensions)
        elif extensions is not None:
            self._drop(at, ["extensions"], "expected an object")

    def parsed(self, message: str, state: str | None) -> ParsedPolicy:
        """All of it as a policy; none where anything about the money cannot be read."""
        diagnostics = (*self._faults, *self._diagnostics)
        if self._faults or not self._offers:
            return ParsedPolicy(policy=None, diagnostics=diagnostics)
        message = next(filter(str.strip, (message, self._error or "")), _PHRASE)
        if self._error not in (None, message):
            self._data[_ERROR_TEXT] = self._error
        policy = PaymentRequired(
            message=message,
            code=CODE,
            state=state or None,
            accepted_payments=tuple(self._offers),
            data=self._data or None,
        )
        return ParsedPolicy(policy=policy, diagnostics=diagnostics)
