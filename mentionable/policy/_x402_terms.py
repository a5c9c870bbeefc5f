"""The words of x402: the keys in metadata, and what one payment requirement must look like in each version.

x402 counts money in strings of digits, so that no JSON parser rounds it, and nothing else in seconds and versions than
integers. A protobuf hop writes those as floats: `2.0` is read as the `2` that it was.

Spec: x402 v1 §5, x402 v2 §5; A2A x402 extension v0.2 §7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from .._wire.strict_json import whole_number

STATUS: Final = "x402.payment.status"
REQUIRED: Final = "x402.payment.required"
PAYLOAD: Final = "x402.payment.payload"
RECEIPTS: Final = "x402.payment.receipts"
ERROR: Final = "x402.payment.error"

SCHEME_PREFIX: Final = "x402."
"""What stands before a scheme of x402 in the open name space of schemes: `exact` is `x402.exact`."""

_EVM_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}").fullmatch
_AMOUNT: Final = re.compile(r"[0-9]{1,78}(?:\.[0-9]{1,78})?").fullmatch
"""An amount in atomic units, 78 digits hold every 256-bit integer; some ledgers count in decimal fractions."""


def is_x402(scheme: str) -> bool:
    """Whether a way to pay is one of x402."""
    return scheme.startswith(SCHEME_PREFIX)


def is_name(member: object) -> bool:
    """Whether it is text that is not empty."""
    return member.__class__ is str and member != ""


def _is_text(member: object) -> bool:
    return member.__class__ is str


def _is_amount(member: object) -> bool:
    return isinstance(member, str) and _AMOUNT(member) is not None


def _is_object(member: object) -> bool:
    return member.__class__ is dict


def _is_seconds(member: object) -> bool:
    return whole_number(member) is not None


_COMMON: Final[Mapping[str, Callable[[object], bool]]] = {
    "scheme": is_name,
    "network": is_name,
    "payTo": is_name,
    "asset": is_name,
}
_NEEDED: Final[Mapping[int, Mapping[str, Callable[[object], bool]]]] = {
    1: {**_COMMON, "maxAmountRequired": _is_amount},
    2: {**_COMMON, "amount": _is_amount},
}
"""Version → what a requirement says about the money."""

_ALSO: Final[Mapping[int, Mapping[str, Callable[[object], bool]]]] = {
    1: {"resource": is_name, "maxTimeoutSeconds": _is_seconds},
    2: {"maxTimeoutSeconds": _is_seconds},
}
"""Version → what else it must say; carts of AP2 leave it out."""

_MAYBE: Final[Mapping[str, Callable[[object], bool]]] = {"extra": _is_object}
"""What it may say and what is signed with it; null is the same as nothing."""

_WORDS: Final[Mapping[int, Mapping[str, Callable[[object], bool]]]] = {
    1: {"description": _is_text, "mimeType": _is_text, "outputSchema": _is_object},
    2: {},
}
"""Version → optional members that are neither paid nor signed; null is absence."""

AMOUNT: Final[Mapping[int, str]] = {1: "maxAmountRequired", 2: "amount"}
"""Version → the member of a requirement that says how much."""


def version_of(document: Mapping[str, Any]) -> int | None:
    """The version of x402 in which an object is written, 1 or 2; None for any other, and for `true`."""
    version = whole_number(document.get("x402Version"))
    return version if version in AMOUNT else None


def fault_in(requirement: Mapping[str, Any], version: int, *, is_whole: bool = False) -> str | None:
    """The first malformed member of a requirement; None when no payer could pay something else by mistake.

    Args:
        requirement: The requirement.
        version: 1 or 2.
        is_whole: Require everything that the version requires, not only what concerns the money.
    """
    for name, fits in _NEEDED[version].items():
        if not fits(requirement.get(name)):
            return name
    for name, fits in _ALSO[version].items():
        if (is_whole or requirement.get(name) is not None) and not fits(requirement.get(name)):
            return name
    odd = [*_malformed(requirement, _MAYBE), *(odd_words(requirement, version) if is_whole else ())]
    return odd[0] if odd else None


def odd_words(requirement: Mapping[str, Any], version: int) -> list[str]:
    """Which members of a requirement do not fit and change nothing about the money."""
    return _malformed(requirement, _WORDS[version])


def odd_in_resource(resource: Mapping[str, Any]) -> list[str]:
    """Which members of what is paid for do not fit, other than its URL."""
    return _malformed(resource, {"description": _is_text, "mimeType": _is_text})


def _malformed(document: Mapping[str, Any], members: Mapping[str, Callable[[object], bool]]) -> list[str]:
    """The members that are there and do not fit; null is the same as nothing."""
    return [name for name, fits in members.items() if document.get(name) is not None and not fits(document[name])]


def with_whole_number(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The same object, with an integer for a whole float in the member `name`."""
    whole = whole_number(document.get(name))
    return dict(document) if whole is None else {**document, name: whole}


def is_same_account(one: str, other: str) -> bool:
    """Whether two accounts are the same one: addresses of EVM in any case, all others exactly."""
    if _EVM_ADDRESS(one) and _EVM_ADDRESS(other):
        return one.lower() == other.lower()
    return one == other


_NETWORKS: Final[Mapping[str, str]] = {
    "abstract": "eip155:2741",
    "abstract-testnet": "eip155:11124",
    "avalanche": "eip155:43114",
    "avalanche-fuji": "eip155:43113",
    "base": "eip155:8453",
    "base-sepolia": "eip155:84532",
    "educhain": "eip155:41923",
    "iotex": "eip155:4689",
    "megaeth": "eip155:4326",
    "monad": "eip155:143",
    "peaq": "eip155:3338",
    "polygon": "eip155:137",
    "polygon-amoy": "eip155:80002",
    "sei": "eip155:1329",
    "sei-testnet": "eip155:1328",
    "skale-base-sepolia": "eip155:324705682",
    "solana": "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    "solana-devnet": "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
    "stable": "eip155:988",
    "story": "eip155:1514",
}
"""The names that version 1 has for networks → those of version 2 (CAIP-2)."""


def network_of(offered: Mapping[str, Any]) -> str | None:
    """The network of an offer by the name that version 2 has for it; None for what is no offer of x402."""
    requirement = offered.get("requirement")
    network = requirement.get("network") if isinstance(requirement, dict) else None
    return _NETWORKS.get(network, network) if isinstance(network, str) else None
