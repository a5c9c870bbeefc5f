"""No case contradicts a published type but where the register of deviations in docs/decisions.md names it.

The types are those of Normalized Message v0.1 §3, §4 and §6, written down here by hand and not made of our model.
"""

from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[1]
ANY: dict[str, Any] = {"type": "object", "required": ["$any"]}
STRING = {"anyOf": [ANY, {"type": "string"}]}
TEXT, NUMBER, TRUTH = {"type": "string"}, {"type": "number"}, {"type": "boolean"}


def words(*known: str) -> dict[str, Any]:
    return {"enum": list(known)}


def shape(required: str, **members: Any) -> dict[str, Any]:
    return {"anyOf": [ANY, {"type": "object", "required": required.split(), "properties": members}]}


def listed(items: Any) -> dict[str, Any]:
    return {"anyOf": [ANY, {"type": "array", "items": items}]}


METHODS = ("ap-http-signature", "ap-object-integrity-proof", "a2a-jwt", "a2a-oauth", "email-dkim", "email-dmarc")
SENDER = shape(
    "address auth_method verified",
    address={"anyOf": [ANY, {"type": "string", "pattern": "^@[^@]+@[^@]+$"}]},
    auth_method={"anyOf": [ANY, words(*METHODS, "none")]},
    verified={"anyOf": [ANY, TRUTH]},
    display_name=STRING,
    key_id=STRING,
    identities=listed({"type": "object"}),
)
SENDER["allOf"] = [
    {  # §5.3.2: verified is true for email-dkim and email-dmarc
        "if": {"required": ["auth_method"], "properties": {"auth_method": words("email-dkim", "email-dmarc")}},
        "then": {"properties": {"verified": {"not": {"const": False}}}},
    }
]
KINDS = ("text", "file", "link", "artifact", "tool_call")
PART = {
    "anyOf": [ANY, {"type": "object", "required": ["kind"], "properties": {"kind": words(*KINDS)}}],
    "not": {"required": ["result", "error"]},
}
RELAY = shape("kind", kind=words("inline", "recipient-field", "addressing", "none"))
MARK = words("pass", "fail", "none")
RAW = shape(
    "",
    signature=shape("", keyId=TEXT, algorithm=TEXT, headers=listed(TEXT), signature=TEXT),
    delivery=shape("to cc", to=listed(TEXT), cc=listed(TEXT), bcc=listed(TEXT)),
    dkim=shape("results", results=listed(shape("status", domain=TEXT, selector=TEXT, status=MARK))),
    spf=shape("status", status=words("pass", "fail", "softfail", "neutral", "none")),
    dmarc=shape("status", status=MARK),
    envelope={"anyOf": [ANY, {"properties": {"mail_from": TEXT, "rcpt_to": listed(TEXT)}}]},
    auth=shape("", kind=words("jwt", "oauth"), token_claims={"type": "object"}),
    task={"type": "object"},
    message={"type": "object"},
)
RAW["anyOf"].append({"type": ["string", "number", "boolean", "array", "null"]})
MESSAGE = shape(
    "id thread_id sender recipient parts recipient_capabilities received_via received_at",
    id=STRING,
    thread_id=STRING,
    in_reply_to=STRING,
    sender=SENDER,
    recipient=STRING,
    parts=listed(PART),
    history=listed(shape("role sender parts timestamp", role=words("user", "assistant"), sender=SENDER)),
    recipient_capabilities=shape("mention_relay", mention_relay=RELAY),
    received_via={"anyOf": [ANY, words("activitypub", "a2a", "email")]},
    received_at=STRING,
    raw=RAW,
)
CHECK = jsonschema.Draft202012Validator(MESSAGE)


def register() -> list[tuple[str, list[str]]]:
    """The rows: what the document says, and the ids and patterns of the cases."""
    text = (ROOT / "docs" / "decisions.md").read_text()
    table = text.partition("## Register of deviations\n")[2].partition("\n## ")[0]
    rows = [row.strip("|").split(" | ") for row in table.splitlines() if row.startswith("| ")][2:]
    assert all(len(row) == 4 for row in rows)
    return [(row[0].strip(), re.findall(r"`([a-z0-9/*-]+)`", row[3])) for row in rows]


def cases() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted((ROOT / "conformance" / "v0.1").glob("*/*.json")):
        found += json.loads(path.read_text()).get("cases", ())
    return found


def contradictions(found: list[dict[str, Any]]) -> set[str]:
    """The ids of cases with a message that is not of the published types."""
    return {
        case["id"]
        for case in found
        for outcome in (case, *case.get("any_of", ()))
        for message in outcome.get("messages") or ()
        if not CHECK.is_valid(message)
    }


def unregistered(ids: set[str], rows: list[tuple[str, list[str]]]) -> list[str]:
    patterns = [pattern for _, listed in rows for pattern in listed]
    return sorted(one for one in ids if not any(fnmatchcase(one, pattern) for pattern in patterns))


def test_a_case_that_contradicts_a_published_type_has_a_row():
    assert unregistered(contradictions(cases()), register()) == []


def test_every_row_names_cases_that_are_there():
    ids = [case["id"] for case in cases()]
    for sentence, patterns in register():
        assert patterns, sentence
        for pattern in patterns:
            assert any(fnmatchcase(one, pattern) for one in ids), pattern


GOOD = next(case for case in cases() if case["id"] == "email/raw/every-member-typed")


@pytest.mark.parametrize(
    "change",
    [
        {"received_via": "rest"},
        {"sender": {"address": "@a@a.example", "auth_method": "email-dmarc", "verified": False}},
        {"sender": {"address": "anonymous", "auth_method": "none", "verified": False}},
        {"parts": [{"kind": "policy", "policy": {}}]},
        {"raw": {"spf": {"status": "temperror"}}},
        {"raw": {"dkim": None}},
        {"raw": {"signature": {"headers": None}}},
        {"raw": {"auth": {"kind": None, "token_claims": {}}}},
    ],
)
def test_a_contradiction_without_a_row_is_found(change):
    case = {**GOOD, "id": "new/case/x", "messages": [{**GOOD["messages"][0], **change}]}
    assert contradictions([GOOD]) == set()
    assert unregistered(contradictions([case]), register()) == ["new/case/x"]
