"""Mutants of the message: trust, and strictness about its members."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._shapes import default, member, mends, on_objects, spoils

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"

# --- trust


@mutant("message", "Trusts verified in history.")
def trusts_history(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    turns = unit["data"].get("history") if isinstance(unit["data"], dict) else None
    return {"value": {**answer["value"], "history": turns}} if "value" in answer and turns else answer


@mutant("message", "Reads identities that it did not verify.")
def reads_identities(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    sender = unit["data"].get("sender") if isinstance(unit["data"], dict) else None
    if op != "value.decode" or "value" not in answer or "identities" not in sender:
        return answer
    return {"value": {**answer["value"], "sender": {**answer["value"]["sender"], "identities": sender["identities"]}}}


@mutant("message", "Copies a policy resolution through.")
def copies_resolution(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    found = isinstance(unit["data"], dict) and unit["data"].get("policy_resolution")
    return {"value": {**answer["value"], "policy_resolution": found}} if "value" in answer and found else answer


@mutant("message", "Forgets what its own store had verified.", central=True)
def forgets_proof(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest("value.decode" if op == "value.restore" else op, given, unit)


@mutant("message", "Passes nulls on.")
def keeps_nulls(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    data = unit["data"]
    is_null = isinstance(data, dict) and None in (data.get("in_reply_to", 0), data.get("history", 0))
    return {"value": data} if is_null else honest(op, given, unit)


mends(
    "message",
    "verified_needs_no_method",
    "Takes verified without a method.",
    default("auth_method", "none", beside="address"),
)
mends(
    "message",
    "coerces_verified",
    "Coerces verified to a boolean.",
    member("verified", lambda value: value in ("true", 1, True)),
)
mends(
    "message",
    "takes_any_method",
    "Takes any method name.",
    member("auth_method", lambda value: "none" if value == "dkim" else value),
)
mends(
    "message",
    "resolves_anything",
    "Resolves policies of every kind.",
    on_objects(
        lambda found: (
            {**found, "kind": "payment_required"}
            if "in_reply_to_state" in found and found["kind"] == "forbidden"
            else found
        )
    ),
)
mends(
    "message",
    "verifies_nothing",
    "Takes verified beside the method none.",
    on_objects(
        lambda found: (
            {**found, "auth_method": "email-dkim"}
            if found.get("verified") is True and found.get("auth_method") == "none"
            else found
        )
    ),
)

# --- strictness

mends(
    "message",
    "makes_ids",
    "Makes an id where none or a number stands.",
    lambda data: {**data, "id": str(data.get("id") or "x")} if isinstance(data, dict) else data,
)
mends(
    "message",
    "makes_threads",
    "Makes a thread where none stands.",
    lambda data: {**data, "thread_id": data.get("thread_id") or "x"} if isinstance(data, dict) else data,
)
_DEFAULTS: dict[str, Any] = {
    "sender": {"address": "@unknown@mail.example", "auth_method": "none", "verified": False},
    "recipient": "@helper@agents.example",
    "parts": [],
    "received_via": "email",
    "received_at": "2026-11-21T20:56:00Z",
    "raw": None,
}


def _filled(name: str) -> Callable[[Any], Any]:
    return lambda data: {name: _DEFAULTS[name], **data} if isinstance(data, dict) else data


for _name in _DEFAULTS:
    mends("message", f"defaults_{_name}", f"Fills {_name} in where it is missing.", _filled(_name))
mends(
    "message",
    "defaults_capabilities",
    "Fills the capabilities in.",
    lambda data: (
        {
            **data,
            "recipient_capabilities": {"mention_relay": {"kind": "none"}, **data.get("recipient_capabilities", {})},
        }
        if isinstance(data, dict)
        else data
    ),
)
mends(
    "message",
    "bare_sender",
    "Takes a bare address for a sender.",
    member(
        "sender",
        lambda value: {"address": value, "auth_method": "none", "verified": False} if isinstance(value, str) else value,
    ),
)
mends(
    "message",
    "bare_text",
    "Takes bare text for a part.",
    member(
        "parts",
        lambda value: (
            [
                {"kind": "text", "mime": "text/plain", "content": part} if isinstance(part, str) else part
                for part in value
            ]
            if isinstance(value, list)
            else value
        ),
    ),
)
mends(
    "message",
    "objects_are_lists",
    "Takes an object where a list belongs.",
    on_objects(
        lambda found: {
            name: list(value.values()) if name in ("parts", "history") and isinstance(value, dict) else value
            for name, value in found.items()
        }
    ),
)
mends(
    "message",
    "guesses_kinds",
    "Guesses the kind of a part from its members.",
    on_objects(lambda found: {"kind": "text", **found} if "content" in found and "mime" in found else found),
)
mends("message", "names_kinds", "Takes a kind that is no name.", member("kind", str))
mends(
    "message",
    "takes_any_time",
    "Takes any text as a time.",
    member("received_at", lambda value: value if re.search(r"Z$", str(value)) else "2026-11-21T20:56:00Z"),
)
mends(
    "message",
    "mends_recipient",
    "Makes the recipient canonical itself.",
    member("recipient", lambda value: value if value.startswith("@") else f"@{value}"),
)
mends(
    "message",
    "takes_any_address",
    "Takes any text as an address.",
    member("address", lambda value: value if re.fullmatch(r"@\w+@[a-z.]+", value) else "@alice@mail.example"),
)
mends(
    "message",
    "unwraps_lists",
    "Takes the first of several messages.",
    lambda data: data[0] if isinstance(data, list) else data,
)
mends(
    "message",
    "any_platform",
    "Takes every platform for a transport.",
    member("received_via", lambda value: "email" if value == "slack" else value),
)
spoils(
    "message",
    "hides_other_transports",
    "Reports what is no transport of the three as A2A.",
    member("received_via", lambda value: "a2a" if value in ("rest", "connector") else value),
)
mends(
    "message",
    "null_is_absent_raw",
    "Drops a raw that is null.",
    lambda data: {n: v for n, v in data.items() if n != "raw" or v is not None} if isinstance(data, dict) else data,
)


_TIMES = ("received_at", "timestamp", "started_at", "expires_at", "fetched_at")


def _times_of(data: Any, value: Any) -> Any:
    """The value with the times of the data."""
    if isinstance(value, list) and isinstance(data, list):
        return [_times_of(*pair) for pair in zip(data, value, strict=False)]
    if not isinstance(value, dict) or not isinstance(data, dict):
        return value
    return {
        name: data[name] if name in _TIMES and name in data else _times_of(data.get(name), member)
        for name, member in value.items()
    }


@mutant("message", "Keeps times as they came.")
def keeps_spellings_of_time(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": _times_of(unit["data"], answer["value"])} if "value" in answer else answer
