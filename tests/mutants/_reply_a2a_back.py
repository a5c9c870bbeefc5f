"""Mutants of refusing on A2A, of calls, and of reading what comes back."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import quiet, refuses, some, spoils, takes
from tests.mutants._reply_a2a import (
    AREA,
    CALL,
    REFUSE,
    RESULT,
    TRIP,
)
from tests.mutants._reply_activitypub import IN_TRIPS


def _refusal(name: str, rule: str, change: Any) -> None:
    spoils(AREA, REFUSE, f"a2a-refuse-{name}", rule, lambda value, _, unit: change(value, unit))


_refusal(
    "by-http",
    "Answers JSON-RPC by the status of HTTP.",
    lambda value, _: {**value, "status": 400} if value["status"] == 200 else None,
)
_refusal("always-200", "Answers everything with 200.", lambda value, _: {**value, "status": 200})
_refusal(
    "no-challenge",
    "Does not say how to show oneself.",
    lambda value, _: {**value, "headers": [one for one in value["headers"] if one[0] != "www-authenticate"]},
)
_refusal(
    "one-code",
    "Gives one code for all.",
    lambda value, _: {**value, "body": re.sub(r'"code":-3\d+', '"code":-32603', value["body"])},
)
_refusal(
    "no-words",
    "Says no words about parameters.",
    lambda value, _: {**value, "body": re.sub(r'"code":-32602,"message":"[^"]*"', '"message":""', value["body"])},
)
_refusal(
    "no-call",
    "Does not say which call.",
    lambda value, _: {**value, "body": re.sub(r'"id":("a"|7)', '"id":null', value["body"])},
)
_refusal(
    "repeats-ids",
    "Repeats any id.",
    lambda value, unit: (
        {**value, "body": value["body"].replace('"id":null', '"id":{"a":"secret"}')}
        if "secret" in json.dumps(unit)
        else None
    ),
)
_refusal(
    "makes-ids",
    "Makes an id where it knows none.",
    lambda value, unit: {**value, "body": value["body"].replace('"id":null', '"id":0')},
)


# calls
def _call(name: str, rule: str, change: Any) -> None:
    spoils(AREA, CALL, f"a2a-call-{name}", rule, lambda value, _, unit: change(value, unit))


_call(
    "one-method",
    "Uses the methods of v1.0.",
    lambda value, _: {**value, "body": value["body"].replace("message/", "SendMessage/")},
)
_call(
    "never-streams",
    "Never asks for a stream.",
    lambda value, _: {
        **value,
        "body": value["body"].replace("SendStreamingMessage", "SendMessage"),
        "url": value["url"].replace(":stream", ":send"),
    },
)
_call(
    "streams-only",
    "Always asks for a stream.",
    lambda value, _: {
        **value,
        "body": value["body"].replace("SendMessage", "SendStreamingMessage"),
        "url": value["url"].replace(":send", ":stream"),
    },
)
_call(
    "no-version",
    "Does not say its version.",
    lambda value, _: {**value, "headers": [one for one in value["headers"] if one[0] != "a2a-version"]},
)
_call(
    "no-token",
    "Forgets the token.",
    lambda value, _: {**value, "headers": [one for one in value["headers"] if one[0] != "authorization"]},
)
_call(
    "no-task",
    "Begins anew each time.",
    lambda value, _: {**value, "body": value["body"].replace('"taskId":"t9"', '"x":1')},
)
_call(
    "sends-everything",
    "Sends what came with the question.",
    lambda value, unit: {**value, "headers": [*value["headers"], ["x-raw", json.dumps(unit["message"])]]},
)
_call(
    "no-capabilities",
    "Says nothing of the platform.",
    lambda value, _: {**value, "body": value["body"].replace("recipient_capabilities", "x")},
)
_call(
    "always-capabilities",
    "Says what is the default.",
    lambda value, unit: (
        {**value, "body": value["body"].replace('"messageId"', '"metadata":{"mentionable":{}},"messageId"')}
        if 'metadata":{"mentionable":{"rec' not in value["body"]
        else None
    ),
)


# results
def _result(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that reads another response: `change(value, unit)`."""
    spoils(AREA, RESULT, f"a2a-result-{name}", rule, lambda value, _, unit: change(value, unit))


def _told(unit: Any) -> str:
    return json.dumps(unit.get("response", unit.get("chunks")))


for _name, _rule, _test in (
    ("v1-0-only", "Reads v1.0 only.", lambda unit: "kind" in _told(unit) and "response" in unit),
    ("no-old-rest", "Reads no REST of v0.3.", lambda unit: '"content":' in _told(unit)),
    ("no-rest", "Reads no REST.", lambda unit: "response" in unit and "jsonrpc" not in _told(unit)),
    ("no-old-streams", "Reads no streams of v0.3.", lambda unit: "chunks" in unit and "kind" in _told(unit)),
    (
        "no-messages-in-v1",
        "Reads no direct messages.",
        lambda unit: "response" in unit and '"result": {"message"' in _told(unit),
    ),
    ("no-artifacts", "Reads no artifacts.", lambda unit: "artifacts" in _told(unit)),
    ("whole-chunks", "Reads whole events only.", lambda unit: len(unit.get("chunks", ())) > 10),
    ("lf-only", "Ends lines by LF only.", lambda unit: "chunks" in unit and "\\r" in _told(unit)),
    ("no-comments", "Knows no comments in streams.", lambda unit: "ping" in _told(unit)),
    ("one-data-line", "Reads one line of data.", lambda unit: "chunks" in unit and _told(unit).count("data:") > 8),
    (
        "one-event",
        "Wants a task before a message.",
        lambda unit: "chunks" in unit and len(unit["chunks"]) == 1 and "ping" not in _told(unit),
    ),
    ("no-status", "Reads no tasks that have ended.", lambda unit: "response" in unit and "COMPLETED" in _told(unit)),
    ("no-questions-back", "Takes a question back for a failure.", lambda unit: "INPUT" in _told(unit)),
    ("no-streams-of-artifacts", "Reads no pieces of artifacts.", lambda unit: "artifactUpdate" in _told(unit)),
    ("no-streams-of-status", "Reads no words of a status.", lambda unit: "Looking" in _told(unit)),
    ("wants-an-end", "Refuses streams that broke off.", lambda unit: "chunks" in unit and len(unit["chunks"]) == 2),
):
    refuses(AREA, RESULT, f"a2a-result-{_name}", _rule, _test)
_result(
    "failures-are-fine",
    "Takes failures for answers.",
    lambda value, _: ({**{name: member for name, member in value.items() if name != "error"}, "status": "ok"}),
)
_result(
    "everything-is-whole",
    "Takes what is under way for an answer.",
    lambda value, _: {**value, "status": "ok"} if value["status"] == "partial" else None,
)
_result(
    "forgets-tasks",
    "Forgets which task goes on.",
    lambda value, _: (
        {name: member for name, member in value.items() if name != "a2a"}
        if value.get("a2a", {}).get("state") in ("working", "input-required", "auth-required")
        else None
    ),
)
_result(
    "calls-twice",
    "Reads a call and its result as two.",
    lambda value, unit: (
        {**value, "parts": [*value["parts"], value["parts"][0]]} if "tool-result" in _told(unit) else None
    ),
)
_result(
    "always-adds",
    "Adds every piece.",
    lambda value, unit: (
        {**value, "parts": value["parts"] * 2}
        if _told(unit).count("Ra") > 1 and len(unit.get("chunks", ())) == 5
        else None
    ),
)
_result(
    "adds-status",
    "Adds every status.",
    lambda value, unit: {**value, "parts": value["parts"] * 2} if "Looking" in _told(unit) else None,
)
_result(
    "repeats",
    "Repeats what was told twice.",
    lambda value, unit: (
        {**value, "parts": value["parts"] * 2}
        if _told(unit).count("Rain.") == 2 and "artifactUpdate" in _told(unit) and "lastChunk" in _told(unit)
        else None
    ),
)
_result(
    "goes-on-after-the-end",
    "Reads on after the end.",
    lambda value, unit: {**value, "parts": value["parts"] * 2} if "More" in _told(unit) else None,
)
_result(
    "mixes-artifacts",
    "Mixes artifacts.",
    lambda value, unit: (
        {**value, "parts": value["parts"][:1]} if len(value["parts"]) == 2 and "x2" in _told(unit) else None
    ),
)
for _code in ("peer-error", "peer-busy", "invalid-json", "not-a-message", "two-contents"):
    takes(AREA, RESULT, f"a2a-result-never-{_code}", f"Never says {_code}.", lambda *_: {}, _code)


# there and back
def _back(name: str, rule: str, change: Any) -> None:
    spoils(AREA, TRIP, f"a2a-trip-{name}", rule, lambda value, _, unit: change(value))


for _name, _rule, _change in some(*(name for name in IN_TRIPS if name != "forgets-unknown-members")):
    _back(_name, _rule, _change)
_back("rounds-timings", "Rounds timings.", some("rounds-timings")[0][2])
_back(
    "no-expiry",
    "Forgets when a URL ends.",
    lambda value: json.loads(json.dumps(value).replace('"expires_at"', '"ends"')),
)


def _pieced(value: Any, _: Any, unit: Any) -> Any:
    """Every text of a stream as the pieces in which it came."""
    parts = [
        made
        for part in value["parts"]
        for made in (
            [{**part, "content": part["content"][:8]}, {**part, "content": part["content"][8:]}]
            if part.get("mime") == "text/markdown"
            else [part]
        )
    ]
    return {**value, "parts": parts} if "frames" in unit else None


spoils(AREA, TRIP, "a2a-trip-pieces", "Makes a part of each piece of text.", _pieced)
spoils(
    AREA,
    TRIP,
    "a2a-trip-calls-last",
    "Puts calls where they ended.",
    lambda value, _, unit: {**value, "parts": value["parts"][::-1]} if "frames" in unit else None,
)


def _warns(honest: Any, op: str, given: Any, unit: Any) -> Any:
    answer = honest(op, given, unit)
    plain = [{"kind": "text", "mime": "text/plain", "content": "It will rain."}]
    if op != "a2a.reply" or "value" not in answer or unit["response"]["parts"] != plain:
        return answer
    return {**answer, "diagnostics": ["part-changed"]}


MUTANTS.append(Mutant("a2a-always-warns", AREA, "Says of plain text that it was changed.", _warns, ops=("a2a.reply",)))
quiet(AREA, ("a2a.reply",), "part-changed")
