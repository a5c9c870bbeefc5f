"""Mutants of receiving over A2A."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._a2a_objects import dropped, everywhere
from tests.mutants._receiving import looks_up, remembers, reports

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
AREA = "a2a"


# --- capabilities

everywhere("ignores-capabilities", "Does not read forwarded capabilities.", dropped("recipient_capabilities"))
everywhere("ignores-chain", "Does not read the place in a chain.", dropped("agent_chain"))
everywhere(
    "chain-needs-relay",
    "Reads a chain only beside a relay.",
    dropped("agent_chain", when=lambda found: "mention_relay" not in found),
)
everywhere(
    "hop-may-be-boolean",
    "Takes true for hop 1.",
    lambda found: found.update(hop=1) if found.get("hop") is True else None,
)
everywhere(
    "hop-may-be-text",
    "Reads a hop out of text.",
    lambda found: found.update(hop=int(found["hop"])) if isinstance(found.get("hop"), str) else None,
)
everywhere(
    "rounds-hops",
    "Rounds hops.",
    lambda found: found.update(hop=int(found["hop"])) if isinstance(found.get("hop"), float) else None,
)
everywhere(
    "hops-are-not-floats",
    "Refuses integers that protobuf wrote as floats.",
    lambda found: found.update(hop="") if isinstance(found.get("hop"), float) and found["hop"].is_integer() else None,
)
everywhere(
    "coerces-is-final",
    "Takes a number for is_final.",
    lambda found: found.update(is_final=bool(found["is_final"])) if "is_final" in found else None,
)
everywhere(
    "assumes-also-inline",
    "Assumes also_inline.",
    lambda found: found.update(also_inline=True) if found.get("kind") == "addressing" else None,
)
everywhere(
    "drops-unknown-fields",
    "Drops fields it does not know and keeps the rest.",
    lambda found: (
        found.update(fields=[one for one in found["fields"] if one in ("to", "cc", "bcc")])
        if isinstance(found.get("fields"), list)
        else None
    ),
)
everywhere(
    "refuses-repeats",
    "Refuses a field that stands twice.",
    lambda found: (
        found.update(fields=[])
        if isinstance(found.get("fields"), list) and len(set(map(str, found["fields"]))) < len(found["fields"])
        else None
    ),
)


@mutant(AREA, "Passes capabilities on as they came.")
def copies_capabilities(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    found = _first(unit, "recipient_capabilities")
    if "messages" not in answer or not isinstance(found, dict) or "mention_relay" not in found:
        return answer
    capabilities = {**answer["messages"][0]["recipient_capabilities"], "mention_relay": found["mention_relay"]}
    return {**answer, "messages": [{**answer["messages"][0], "recipient_capabilities": capabilities}]}


@mutant(AREA, "Rejects a message with bad capabilities.")
def rejects_bad_capabilities(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    found = _first(unit, "recipient_capabilities")
    if "messages" not in answer or not found:
        return answer
    bad = answer["messages"][0]["recipient_capabilities"]["mention_relay"] == {"kind": "none"} and found != {
        "mention_relay": {"kind": "none"}
    }
    return {"rejected": {"code": "malformed"}, "asks": []} if bad else answer


def _first(value: Any, name: str) -> Any:
    """The first member of that name, wherever it stands."""
    if isinstance(value, dict):
        return (
            value[name]
            if name in value
            else next(filter(None, (_first(member, name) for member in value.values())), None)
        )
    return next(filter(None, (_first(item, name) for item in value)), None) if isinstance(value, list) else None


# --- threads, tasks, results

everywhere(
    "threads-by-context",
    "Groups by the context instead of the task.",
    dropped("taskId", when=lambda found: "contextId" in found),
)
everywhere(
    "contexts-group-nothing", "Does not look at the context.", dropped("contextId", when=lambda found: "parts" in found)
)
everywhere(
    "any-status-message",
    "Takes a status message of another task.",
    lambda found: (
        found["status"]["message"].pop("taskId", None)
        if isinstance(found.get("status"), dict) and isinstance(found["status"].get("message"), dict)
        else None
    ),
)
everywhere(
    "any-state",
    "Takes a state that nobody knows for done.",
    lambda found: (
        found.update(state="TASK_STATE_COMPLETED")
        if isinstance(found.get("state"), str)
        and found["state"].upper().removeprefix("TASK_STATE_").replace("-", "_")
        not in {
            "COMPLETED",
            "WORKING",
            "SUBMITTED",
            "FAILED",
            "CANCELED",
            "REJECTED",
            "INPUT_REQUIRED",
            "AUTH_REQUIRED",
            "UNKNOWN",
        }
        else None
    ),
)
everywhere(
    "every-task-waits",
    "Takes every task for one that waits.",
    lambda found: (
        found.update(state="TASK_STATE_INPUT_REQUIRED") if found.get("state") == "TASK_STATE_WORKING" else None
    ),
)
everywhere(
    "no-task-waits",
    "Takes no task for one that waits.",
    lambda found: (
        found.update(state="TASK_STATE_WORKING")
        if found.get("state") in ("TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED")
        else None
    ),
)
everywhere("drops-artifacts", "Drops the artifacts of a result.", dropped("artifacts"))
everywhere(
    "drops-status-message",
    "Drops what a result's status says.",
    lambda found: (
        found["status"].pop("message", None) if isinstance(found.get("status"), dict) and "artifacts" in found else None
    ),
)
everywhere(
    "ignores-task-history", "Does not read a task's history.", dropped("history", when=lambda found: "status" in found)
)
everywhere(
    "hearsay-first",
    "Prefers forwarded history to the task's own.",
    dropped("history", when=lambda found: "status" in found and "mentionable" in json.dumps(found)),
)
everywhere(
    "ignores-forwarded-history",
    "Does not read forwarded history.",
    dropped("history", when=lambda found: "status" not in found and "recipient_capabilities" not in found),
)
everywhere(
    "lets-tasks-be-nameless",
    "Makes an id for a task.",
    lambda found: found.setdefault("id", "made-up") if "status" in found and "jsonrpc" not in found else None,
)


def ignores(name: str, rule: str, *members: str, central: bool = False) -> None:
    """Registers a mutant that does not look at what its host tells it."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        left_out = () if "operation" in op else members
        return honest(op, given, {member: unit[member] for member in unit if member not in left_out})

    wrong.__name__ = name
    mutant(AREA, rule, central=central)(wrong)


ignores("ignores-host-task", "Does not look at the task that the host runs.", "task_id")
ignores("ignores-peer", "Does not look at whose result it is.", "peer")
ignores("ignores-caller", "Does not look at who the host found the caller to be.", "caller", central=True)
everywhere(
    "ignores-version",
    "Does not look at a version that it does not know.",
    lambda found: (
        found.update(headers=[pair for pair in found["headers"] if pair[1] != "9.0"]) if "headers" in found else None
    ),
)
everywhere(
    "any-method",
    "Takes every method for one that sends.",
    lambda found: (
        found.update(method="message/send")
        if str(found.get("method")).startswith(("tasks/", "Cancel", "GetTask"))
        else None
    ),
)
everywhere(
    "any-json-rpc",
    "Takes every version of JSON-RPC.",
    lambda found: found.update(jsonrpc="2.0") if "jsonrpc" in found else None,
)
looks_up(
    AREA,
    "asks-with-query",
    "Asks for the URL with its query.",
    lambda row, answer: (
        None
        if row.startswith("AGENT ") and "?" not in row and isinstance(answer, str) and answer.startswith("@helper")
        else answer
    ),
)
looks_up(
    AREA,
    "nobody-for-good",
    "Refuses for good when nobody could be looked up just now.",
    lambda row, answer: None if row.startswith("AGENT ") and isinstance(answer, dict) else answer,
)

# --- what is reported

remembers(AREA)
reports(
    AREA,
    "trusts-its-host",
    "Calls a caller that the host names verified.",
    lambda answer: (
        {
            **answer,
            "messages": [
                {**one, "sender": {**one["sender"], "auth_method": "a2a-oauth", "verified": True}}
                for one in answer["messages"]
            ],
        }
        if answer["messages"][0]["sender"]["address"] in ("@alice@a.example", "@bob@b.example")
        else answer
    ),
)
reports(
    AREA,
    "trusts-tokens",
    "Calls a token that nobody checked verified.",
    lambda answer: (
        {
            **answer,
            "messages": [
                {**one, "sender": {**one["sender"], "auth_method": "a2a-jwt", "verified": True}}
                for one in answer["messages"]
            ],
        }
        if answer["verdict"]["code"] == "issuer-unknown"
        else answer
    ),
)
reports(
    AREA,
    "trusts-hearsay",
    "Calls forwarded turns verified.",
    lambda answer: {
        **answer,
        "messages": [
            {
                **one,
                "history": [
                    {**turn, "sender": {**turn["sender"], "auth_method": "a2a-jwt", "verified": True}}
                    for turn in one["history"]
                ],
            }
            if "history" in one
            else one
            for one in answer["messages"]
        ],
    },
)
reports(
    AREA,
    "names-anonymous-otherwise",
    "Calls nobody by the name of the agent.",
    lambda answer: (
        {
            **answer,
            "messages": [
                {**one, "sender": {**one["sender"], "address": one["recipient"]}} for one in answer["messages"]
            ],
        }
        if "caller-not-address" in answer["diagnostics"]
        else answer
    ),
)
reports(
    AREA,
    "keeps-line-ends",
    "Leaves CRLF and NUL in text.",
    lambda answer: {
        **answer,
        "messages": [
            {
                **one,
                "parts": [
                    {**part, "content": part["content"].replace("\n", "\r\n")} if part["kind"] == "text" else part
                    for part in one["parts"]
                ],
            }
            for one in answer["messages"]
        ],
    },
)
reports(
    AREA,
    "reverses-parts",
    "Puts files before text.",
    lambda answer: {
        **answer,
        "messages": [
            {**one, "parts": sorted(one["parts"], key=lambda part: part["kind"] == "text")}
            for one in answer["messages"]
        ],
    },
)


@mutant(AREA, "Leaves credentials in raw.")
def leaks_raw(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    secret = any(
        word in json.dumps(unit)
        for word in ("identity_evidence", "policy_resolution", "authorization", "Authorization")
    )
    return (
        {**answer, "messages": [{**one, "raw": unit} for one in answer["messages"]]}
        if "messages" in answer and secret
        else answer
    )


@mutant(AREA, "Answers the first request of a batch.")
def takes_first_of_batch(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    body = unit.get("body")
    return honest(op, given, {**unit, "body": body[0]} if isinstance(body, list) and body else unit)
