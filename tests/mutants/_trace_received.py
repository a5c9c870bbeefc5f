"""Mutants of traces that come in: by ActivityPub, and by mail."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from typing import Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import mends, quiet

AREA = "trace"
NOTES, MAILS = ("activitypub.receive",), ("email.receive",)
BOTH = (*NOTES, *MAILS)
ANY_ANCHOR = re.compile(r'<a class="mentionable-trace"[^>]*href="([^"]*)"[^>]*>.*?</a>')


def _messages(ops: tuple[str, ...], name: str, rule: str, change: Any, *, central: bool = False) -> None:
    """Registers a mutant that reports something else of a message."""

    def wrong(honest: Any, op: str, given: Any, unit: Any) -> Any:
        answer = honest(op, given, unit)
        if op not in ops or "messages" not in answer:
            return answer
        messages = [change(json.loads(json.dumps(found)), unit) or found for found in answer["messages"]]
        return {**answer, "messages": messages}

    MUTANTS.append(Mutant(name, AREA, rule, wrong, central, ops))


def _fatal(ops: tuple[str, ...], code: str) -> None:
    def wrong(honest: Any, op: str, given: Any, unit: Any) -> Any:
        answer = honest(op, given, unit)
        if op not in ops or code not in answer.get("diagnostics", ()):
            return answer
        return {"rejected": {"code": code}, "asks": answer["asks"], "verdict": answer["verdict"]}

    room = ops[0].partition(".")[0]
    MUTANTS.append(Mutant(f"{room}-{code}-is-fatal", AREA, f"Refuses a message for {code}.", wrong, ops=ops))


for _ops in (NOTES, MAILS):
    for _code in ("trace-malformed", "trace-too-large"):
        _fatal(_ops, _code)
_fatal(NOTES, "trace-version-unsupported")
quiet(AREA, NOTES, "trace-malformed", "trace-too-large", "trace-version-unsupported")
quiet(AREA, MAILS, "trace-malformed", "trace-too-large")


def _asks_viewer(honest: Any, op: str, given: Any, unit: Any) -> Any:
    answer = honest(op, given, unit)
    found = ANY_ANCHOR.search(unit["body"]["object"].get("content", "")) if op in NOTES else None
    return answer if found is None or "asks" not in answer else {**answer, "asks": [*answer["asks"], f"GET {found[1]}"]}


MUTANTS.append(Mutant("fetches-viewers", AREA, "Fetches the viewer.", _asks_viewer, ops=NOTES))


def _content(unit: Any) -> str:
    text: str = unit["body"]["object"].get("content", "")
    return text


_messages(
    NOTES,
    "leaves-the-anchor",
    "Leaves the anchor in the text.",
    lambda found, unit: (
        {
            **found,
            "parts": [
                {**part, "content": _content(unit)} if part.get("mime") == "text/html" else part
                for part in found["parts"]
            ],
        }
        if "received_trace" in found and _content(unit)
        else None
    ),
    central=True,
)
_messages(
    BOTH,
    "reads-no-trace",
    "Reads no trace.",
    lambda found, _: ({name: member for name, member in found.items() if name != "received_trace"}),
    central=True,
)
_messages(
    BOTH,
    "drops-new-members",
    "Drops members of the response that it does not know.",
    lambda found, _: (
        {
            **found,
            "received_trace": {name: member for name, member in found["received_trace"].items() if name != "usage"},
        }
        if "received_trace" in found
        else None
    ),
)
_messages(
    BOTH,
    "believes-the-payload",
    "Takes the sender that the payload names for the sender.",
    lambda found, _: (
        {**found, "sender": {**found["sender"], **found["received_trace"]["sender"]}}
        if "sender" in found.get("received_trace", {})
        else None
    ),
)
_messages(
    BOTH,
    "wants-its-own-questions",
    "Reads only traces of answers to what it asked.",
    lambda found, _: (
        {name: member for name, member in found.items() if name != "received_trace"}
        if found.get("received_trace", {}).get("reply_to") == "x"
        else None
    ),
)
_messages(
    BOTH,
    "cleans-payloads",
    "Takes markup out of payloads.",
    lambda found, _: (
        {**found, "received_trace": json.loads(re.sub(r"<[^<>]*>", "", json.dumps(found["received_trace"])))}
        if "received_trace" in found
        else None
    ),
)
_messages(
    BOTH,
    "reads-latin",
    "Reads payloads as Latin-1.",
    lambda found, _: (
        {
            **found,
            "received_trace": json.loads(
                json.dumps(found["received_trace"], ensure_ascii=False).encode().decode("latin-1")
            ),
        }
        if "received_trace" in found and "🌧" in json.dumps(found["received_trace"], ensure_ascii=False)
        else None
    ),
)
_messages(
    NOTES,
    "by-words",
    "Finds anchors by their words.",
    lambda found, unit: (
        {**found, "received_trace": {}} if ">[trace: " in _content(unit) and "-trace" not in _content(unit) else None
    ),
)
_messages(
    NOTES,
    "attaches-the-trace",
    "Leaves the attached link of the trace among the parts.",
    lambda found, unit: (
        {**found, "parts": [*found["parts"], {"kind": "link", "url": "x"}]}
        if "received_trace" in found and len(unit["body"]["object"].get("attachment", ())) > 1
        else None
    ),
)
_messages(
    NOTES,
    "drops-attached-links",
    "Drops every attached link.",
    lambda found, _: ({**found, "parts": [part for part in found["parts"] if part["kind"] != "link"]}),
)
_messages(
    NOTES,
    "reads-attached-links",
    "Reads the trace of an attached link.",
    lambda found, unit: (
        {**found, "received_trace": {}}
        if any(part["kind"] == "link" and "#" in part["url"] for part in found["parts"])
        else None
    ),
)
_messages(
    NOTES,
    "source-has-no-trace",
    "Does not look into the HTML where there is a source.",
    lambda found, unit: (
        {name: member for name, member in found.items() if name != "received_trace"}
        if "source" in unit["body"]["object"]
        else None
    ),
)
_messages(
    NOTES,
    "one-language",
    "Does not look into texts by language.",
    lambda found, unit: (
        {name: member for name, member in found.items() if name != "received_trace"}
        if "contentMap" in unit["body"]["object"]
        else None
    ),
)
_messages(
    NOTES,
    "history-with-traces",
    "Leaves traces in turns of history.",
    lambda found, _: (
        {
            **found,
            "history": [
                {**turn, "parts": [{**turn["parts"][0], "content": "<p>Hello</p><a"}]} for turn in found["history"]
            ],
        }
        if "history" in found
        else None
    ),
)

# --------------------------------------------------------------------------------------------------------------- mail

PROFILE = "https://mentionable.dev/ns/normalized-message/v0.1"


def _raw(unit: Any) -> str:
    raw = unit["raw"]
    return raw if isinstance(raw, str) else b64decode(raw["$base64"]).decode()


def _mails(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that reads another mail."""
    mends(
        AREA,
        MAILS,
        name,
        rule,
        lambda given, unit: (given, {**unit, "raw": {"$base64": b64encode(change(_raw(unit)).encode()).decode()}}),
    )


_mails(
    "any-json-is-a-trace",
    "Takes any JSON for a trace.",
    lambda raw: re.sub(r"application/json\r\n", f'application/json; profile="{PROFILE}"\r\n', raw),
)
_mails(
    "any-profile",
    "Takes any profile for ours.",
    lambda raw: re.sub(r'profile="https://other[^"]*"', f'profile="{PROFILE}"', raw),
)
_mails(
    "any-version-of-the-profile",
    "Takes every version of the profile for ours.",
    lambda raw: re.sub(r'v0\.2"', 'v0.1"', raw),
)
_mails("profile-without-case", "Compares the profile without case.", lambda raw: raw.replace(PROFILE.upper(), PROFILE))
_mails(
    "any-kind-of-json", "Takes any kind of JSON.", lambda raw: raw.replace("application/ld+json", "application/json")
)
_mails("small-letters", "Takes names of parameters by their letters.", lambda raw: raw.replace("PROFILE=", "x="))
_mails(
    "wants-three",
    "Wants three alternatives.",
    lambda raw: raw.replace(f'profile="{PROFILE}"', "x=y") if "text/html" not in raw else raw,
)
_mails(
    "outermost-only",
    "Looks only at the outermost parts.",
    lambda raw: raw.replace(f'profile="{PROFILE}"', "x=y") if "multipart/mixed" in raw else raw,
)
_mails(
    "wants-simple-siblings",
    "Wants no multipart beside the trace.",
    lambda raw: raw.replace(f'profile="{PROFILE}"', "x=y") if "multipart/related" in raw else raw,
)
_mails(
    "wants-base64",
    "Reads the part only in base64.",
    lambda raw: raw.replace(f'profile="{PROFILE}"', "x=y") if "7bit" in raw else raw,
)
_messages(
    MAILS,
    "trace-is-a-file",
    "Takes the trace for an attachment as well.",
    lambda found, _: {**found, "parts": [*found["parts"], {"kind": "file"}]} if "received_trace" in found else None,
)
_messages(
    MAILS,
    "broken-trace-is-a-file",
    "Takes a trace that cannot be read for an attachment.",
    lambda found, unit: (
        {**found, "parts": [*found["parts"], {"kind": "file"}]}
        if "received_trace" not in found and PROFILE in _raw(unit) and "alternative" in _raw(unit)
        else None
    ),
)
_messages(
    MAILS,
    "anchors-in-mail",
    "Takes anchors in mail for traces.",
    lambda found, unit: {**found, "received_trace": {}} if "mentionable-trace" in _raw(unit) else None,
)
