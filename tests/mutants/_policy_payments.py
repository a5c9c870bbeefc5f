"""Mutants of payments by x402: what they are read as beside a state, what makes two of them one, and their tasks."""

from __future__ import annotations

from typing import Any

from mentionable.policy import _accept, _issue, _resume, _x402_terms
from tests.mutants._answers import refuses, swapped, written
from tests.mutants._policy_receipts import AREA, STORY, door

# --- the task as a state

door(
    "tasks-on-every-transport",
    "Knows payments by their thread, over whatever they were asked.",
    (_issue._paid_by, "to.received_via in _IN_BAND and ", ""),
)
door(
    "tasks-by-mail",
    "Knows payments by their thread, over mail, too.",
    (_issue._paid_by, "to.received_via in _IN_BAND", 'to.received_via != "activitypub"'),
)
_ALIAS = "candidate.state is not None and key_of(state) != record.key"
door("aliases-are-states", "Takes what stands for a task for a state.", (_accept._accepted, _ALIAS, "False"))
door(
    "aliases-by-callback",
    "Takes what stands for a task for a state in callbacks.",
    (_accept._accepted, _ALIAS, f"holder.message is not None and {_ALIAS}"),
)
door(
    "counts-aliases",
    "Counts whoever names what stands for a task.",
    (
        _accept._accepted,
        f"if {_ALIAS}:",
        f"if {_ALIAS}:\n            yield from CountFailure(key=record.key)",
    ),
)

written(
    AREA,
    ("policy.issue",),
    "offers-x402-to-nobody",
    "Issues offers that clients of x402 refuse.",
    (_issue._paid_by, "is_x402(offer.scheme) and not is_offer(offer)", "False"),
)

# --- what a receipt is read as

_ECHOED = "(candidate.original_payload is not None and _SIGNED.isdisjoint(receipt))"
door(
    "believes-an-echo",
    "Takes an echo of the offer for what was signed.",
    (_accept._payment_in, _ECHOED, "candidate.original_payload is not None"),
)
door(
    "knows-payments-by-version",
    "Knows a payment beside an echo by its version alone.",
    (_accept._payment_in, "_SIGNED.isdisjoint(receipt)", '"x402Version" not in receipt'),
)
door(
    "knows-payments-by-all-members",
    "Knows a payment beside an echo by all that it should have.",
    (_accept._payment_in, "_SIGNED.isdisjoint(receipt)", "not _SIGNED <= receipt.keys()"),
)
door(
    "wants-signatures",
    "Takes no transaction that was made already.",
    (_accept._payment_in, "_SIGNED.isdisjoint(receipt)", "False"),
)
door(
    "reads-every-scheme",
    "Reads receipts of every scheme as x402.",
    (_accept._payment_in, 'not is_x402(candidate.scheme or "") or ', ""),
    (_accept._payment_in, "(candidate.original_payload is not None and", "(True and"),
)
door(
    "takes-what-it-cannot-read",
    "Leaves it to others to read what it cannot read.",
    (
        _accept._payment_in,
        "return x402_payment_from(receipt)",
        "from mentionable._errors import WireError\n    try:\n        return x402_payment_from(receipt)\n"
        "    except WireError:\n        return None",
    ),
)
door(
    "pays-any-offer",
    "Compares what is signed with every offer, whichever is echoed.",
    (_accept._offer_paid, "and hashed in (None, offer.payload_hash)", ""),
)
door(
    "counts-equal-offers",
    "Takes two equal offers for two.",
    (
        _accept._offer_paid,
        "kept = [payload for payload in offered.values() if payload is not None]",
        "kept = [one.payload for one in record.offers if one.scheme == scheme and hashed in (None, one.payload_hash)"
        " and one.payload is not None] or [*offered.values()]",
    ),
)
door(
    "needs-what-was-offered",
    "Takes no payment where the store kept the hash alone.",
    (_accept._offer_paid, "echoed if offer.payload is None else offer.payload", "offer.payload"),
)
refuses(
    AREA,
    STORY,
    "knows-no-callbacks",
    "Takes no receipt without a message.",
    lambda unit: any("message" in step.get("accept", {}) and not step["accept"]["message"] for step in unit["steps"]),
)
refuses(
    AREA,
    STORY,
    "reads-no-v1-beside-a-state",
    "Takes no payment of version 1 beside a state.",
    lambda unit: any(
        step.get("accept", {}).get("receipt", {}).get("receipt", {}).get("x402Version") == 1
        and "state" in step["accept"]["receipt"]
        for step in unit["steps"]
    ),
)
refuses(
    AREA,
    STORY,
    "wants-the-payment-alone",
    "Takes no payment that stands beside its echo.",
    lambda unit: any(
        "original_payload" in step.get("accept", {}).get("receipt", {}).get("receipt", {}) for step in unit["steps"]
    ),
)

# --- which payments are one

_NETWORK = "network_of(confirmation.original_payload) or network"
door(
    "schemes-of-x402-apart",
    "Takes a transaction by another scheme of x402 for another.",
    (_resume._marks_of, "SCHEME_PREFIX, network_of", "scheme, network_of"),
)
door(
    "names-of-networks-apart",
    "Takes the two names of a network for two networks.",
    (_resume._marks_of, _NETWORK, '(confirmation.original_payload.get("requirement") or {}).get("network") or network'),
)
door(
    "networks-as-they-are-called",
    "Takes the network from whoever saw the payment.",
    (_resume._marks_of, _NETWORK, "network"),
)
door(
    "one-network-of-x402",
    "Takes transactions on two chains for one.",
    (_resume._marks_of, _NETWORK, '""'),
)
door(
    "one-transaction-of-x402",
    "Takes all transactions by x402 for one.",
    (
        _resume._marks_of,
        "confirmation.transaction)",
        "network if scheme == SCHEME_PREFIX else confirmation.transaction)",
    ),
)
_NONCE = '_mark("nonce", confirmation.payer, nonce)'
door(
    "nonces-by-network",
    "Takes a signature on another network for another.",
    (_resume._marks_of, _NONCE, '_mark("nonce", network, confirmation.payer, nonce)'),
)
door(
    "nonces-by-scheme",
    "Takes a signature for another scheme for another.",
    (_resume._marks_of, _NONCE, '_mark("nonce", confirmation.scheme, confirmation.payer, nonce)'),
)
door(
    "nonces-by-version",
    "Takes a signature in another version for another.",
    (
        _resume._marks_of,
        _NONCE,
        '_mark("nonce", str(confirmation.original_payload.get("x402Version")), confirmation.payer, nonce)',
    ),
)
door(
    "nonces-of-everybody",
    "Takes one number of two payers for one.",
    (_resume._marks_of, _NONCE, '_mark("nonce", nonce)'),
)
door(
    "payers-as-text",
    "Takes a payer in other letters for another.",
    (
        _resume._marks_of,
        _NONCE,
        '_mark("nonce", (confirmation.payer or "").encode().hex(), nonce)',
    ),
)


def _but(name: str) -> Any:
    """The names of networks without one."""
    return {old: new for old, new in _x402_terms._NETWORKS.items() if old != name}


for _name in _x402_terms._NETWORKS:
    swapped(
        AREA,
        STORY,
        f"knows-no-network-{_name}",
        f"Does not know {_name} by its other name.",
        _x402_terms,
        "_NETWORKS",
        _but(_name),
    )
