"""What a case must have to show that the library goes another way than a sentence which is no type.

The keys are how the rows of the register begin.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

Case: TypeAlias = Mapping[str, Any]


def _messages(case: Case) -> list[dict[str, Any]]:
    return case.get("messages") or []


def _stored_threads(case: Case) -> set[str]:
    """The threads of the messages that the store has."""
    found = case["given"]["lookups"].items()
    return {value["thread_id"] for name, value in found if name.startswith("MESSAGE ") and value}


def _anonymous(case: Case) -> bool:
    return any(
        one["sender"]["address"] in ("@anonymous@a2a.invalid", "@anonymous@rest.invalid") for one in _messages(case)
    )


def _domain_not_heard(case: Case) -> bool:
    """An address of a domain that was not asked, or said nothing of it."""
    asked = not any("/.well-known/" in name for name in case.get("must_not_ask", ()))
    unheard = not asked or str(case["verdict"]["code"]).startswith("address-")
    return unheard and all(one["sender"]["verified"] is False for one in _messages(case))


def _rounded(case: Case) -> bool:
    """A call with an integer that is not in its line as it stands."""
    integers = re.findall(r"\d{16,}", json.dumps(case["input"]["part"]))
    return any(one not in case["value"] for one in integers)


def _whole_summaries(case: Case) -> bool:
    """A trace in which a side of a call is longer than 200 bytes."""
    return any(len(json.dumps(one.get("args"))) > 200 for one in case["facts"]["response"]["parts"])


def _thread_of_the_store(case: Case) -> bool:
    thread = case.get("value") or next((one["thread_id"] for one in _messages(case)), None)
    return thread in _stored_threads(case)


def _receipt_apart(case: Case) -> bool:
    return bool(case["candidate"]) and all("policy_resolution" not in one for one in _messages(case))


def _other_words(case: Case) -> bool:
    """What is stored, or goes to the agent, does not stand in what came in."""
    value = case["value"]
    content = value[0]["content"] if isinstance(value, list) else value["content"]
    return content not in json.dumps(case["input"], ensure_ascii=False)


def _is_rejected(*codes: str) -> Callable[[Case], bool]:
    return lambda case: case.get("rejected", {}).get("code") in codes


def _ends(*states: str) -> Callable[[Case], bool]:
    return lambda case: tuple(case["facts"]["path"][-len(states) :]) == states


def _presented_while_busy(case: Case) -> bool:
    facts = case["facts"]
    return bool(facts.get("present")) or [one[0] for one in facts["presented"]] == ["e1", "d1"]


SHOWS: Final[Mapping[str, Callable[[Case], bool]]] = {
    "NM §8.3: corrupt MIME": lambda case: bool(_messages(case)),
    "NM §8.3: what cannot be mapped": lambda case: bool(case.get("diagnostics") and _messages(case)),
    "NM §8.4:": lambda case: "[redacted]" in json.dumps(_messages(case)),
    "NM §3.1: `sender.address` is who sent it": _anonymous,
    "NM §3.1: without a sure address": _is_rejected("sender-unresolvable", "sender-unaddressable", "sender-gone"),
    "NM §5: an actor IRI": _domain_not_heard,
    "NM §5: the recipient of a mail": lambda case: len(_messages(case)) > 1 or bool(case["input"].get("envelope")),
    "NM §5: the `thread_id` of an A2A message": _thread_of_the_store,
    "NM §5.1.1:": _thread_of_the_store,
    "NM §5.3.1:": _thread_of_the_store,
    "NM §3.2: arguments and results": _rounded,
    "NM §10.2:": lambda case: case["facts"].get("alphabet") == "base64",
    "NM §10.3:": lambda case: all("received_trace" in one for one in _messages(case)),
    "NM §10.4:": lambda case: case["diagnostics"] == ["trace-viewer-invalid"],
    "NM §10.5:": _whole_summaries,
    "PP: the adapter": _receipt_apart,
    "MI: `content`": _other_words,
    "MI: only the four": _is_rejected("malformed"),
    "MI: thread context": _is_rejected("malformed"),
    "MI: the header": lambda case: "(@" in json.dumps(case["facts"]["turns"]),
    "MI: BlueBubbles": lambda case: re.match("@[0-9a-f]{32}@", case["value"]["address"]) is not None,
    "ANP §2: the flags": lambda case: case["facts"]["changed"]["routing"]["handler"] == "system",
    "ANP §4.1: an event": lambda case: "start_turn" not in case["facts"]["effects"],
    "ANP §3.1: channel C": lambda case: case["value"]["agent_access"] == "fact" and not case["value"]["has_deadline"],
    "ANP §6.2: what is not delivered": lambda case: case["facts"]["path"] == ["dispatched"],
    "ANP §5.1: FAILED": _ends("locked", "failed"),
    "ANP §5.1: an id": _ends("locked", "escalated"),
    "ANP §5.1: the agent's channel": _ends("dispatched", "delivered"),
    "ANP §6.3: the lease": lambda case: case["facts"]["record"]["owner_lease"] == 1,
    "ANP §6.3: nothing is delivered twice": lambda case: "repeat" in [one[0] for one in case["value"]],
    "ANP §6.4:": _presented_while_busy,
    "ANP §7.1:": lambda case: case["facts"]["changed"]["delivery_deadline"] < "2026-11-21T20:59:00Z",
    "ANP §8.1:": _is_rejected("malformed"),
}
