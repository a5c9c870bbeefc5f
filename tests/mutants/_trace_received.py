"""Mutants of traces that come in: by ActivityPub, and by mail."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from html import unescape
from typing import Any

from mentionable import trace
from mentionable.activitypub import _trace
from mentionable.trace import _anchor, _payload, _read
from tests.mutants import MUTANTS, Mutant, exchanged, right
from tests.mutants._answers import mends, quiet, swapped, written

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


def _found(pattern: str) -> Any:
    """A finder of anchors by a pattern over the bare text."""
    compiled = re.compile(pattern, re.DOTALL)

    def find(html: str) -> Any:
        found = compiled.search(html)
        if found is None:
            return None
        version = re.search(r'data-version="([^"]*)"', found[0])
        return _anchor.Anchor(unescape(found[1]), version and version[1], found.start(), found.end())

    return find


def _finder(name: str, rule: str, find: Any) -> None:
    """Registers a mutant with another finder, in both places that use one."""

    def wrong(honest: Any, op: str, given: Any, unit: Any) -> Any:
        if op not in NOTES:
            return honest(op, given, unit)
        with exchanged(_read, "find_anchor", find), exchanged(trace, "find_anchor", find):
            return right(op, given, unit)

    MUTANTS.append(Mutant(name, AREA, rule, wrong, ops=NOTES))


_finder(
    "one-order-of-attributes",
    "Finds anchors by a pattern of one order.",
    _found(r'<a class="mentionable-trace" data-version="0.1" href="([^"]*)">[^<]*</a>'),
)
_finder(
    "class-alone", "Wants no other class.", _found(r'<a class="mentionable-trace"[^>]*href="([^"]*)"[^>]*>[^<]*</a>')
)
_finder(
    "by-address",
    "Finds anchors by their address.",
    _found(r'<a [^>]*href="(https://mentionable.dev/trace#[^"]*)"[^>]*>[^<]*</a>'),
)
_finder(
    "by-beginning-of-class",
    "Takes classes that begin so.",
    _found(r'<a [^>]*"mentionable-trace[^>]*href="([^"]*)"[^>]*>[^<]*</a>'),
)
_finder(
    "any-element",
    "Takes any element of the class.",
    _found(r'<\w+ [^>]*class="mentionable-trace"[^>]*href="([^"]*)"[^>]*>[^<]*</\w+>'),
)
_finder(
    "text-is-markup",
    "Reads escaped markup as markup.",
    lambda html: _anchor.find_anchor(unescape(html)) if "&lt;a class" in html else _anchor.find_anchor(html),
)
_finder(
    "comments-are-markup",
    "Looks into comments.",
    lambda html: (
        _anchor.find_anchor(html) or _found(r'<!--.*<a class="mentionable-trace"[^>]*href="([^"]*)".*-->')(html)
    ),
)
_finder(
    "attributes-are-markup",
    "Looks into attributes.",
    lambda html: (
        _anchor.find_anchor(html) or _found(r"title='<a class=\"mentionable-trace\"[^>]*href=\"([^\"]*)\".*?'")(html)
    ),
)
_finder(
    "address-as-written",
    "Does not unescape addresses.",
    lambda html: (found := _anchor.find_anchor(html)) and found._replace(href=found.href.replace("&", "#")),
)
_finder(
    "last-anchor",
    "Takes the last anchor.",
    lambda html: (
        [_anchor.Anchor(one[1], "0.1", one.start(), one.end()) for one in ANY_ANCHOR.finditer(html)]
        or [_anchor.find_anchor(html)]
    )[-1],
)


def _first_readable(html: str) -> Any:
    for one in ANY_ANCHOR.finditer(html):
        try:
            _payload.read(unescape(one[1]))
        except Exception:
            continue
        return _anchor.Anchor(unescape(one[1]), "0.1", one.start(), one.end())
    return _anchor.find_anchor(html)


_finder("first-readable-anchor", "Looks for an anchor that can be read.", _first_readable)
_finder(
    "wants-a-version",
    "Wants the version.",
    lambda html: found if (found := _anchor.find_anchor(html)) and found.version else None,
)
_finder(
    "any-version",
    "Reads any version.",
    lambda html: (found := _anchor.find_anchor(html)) and found._replace(version=None),
)
_finder(
    "eats-what-follows",
    "Takes everything from the anchor on away.",
    lambda html: (found := _anchor.find_anchor(html)) and found._replace(end=len(html)),
)
_finder(
    "eats-the-paragraph",
    "Takes the whole paragraph away.",
    lambda html: (
        (found := _anchor.find_anchor(html))
        and found._replace(
            start=html.rfind("<p>", 0, found.start) if "Hello <a" in html else found.start,
            end=len(html) if "Hello <a" in html else found.end,
        )
    ),
)
_finder(
    "leaves-the-paragraph",
    "Leaves an empty paragraph.",
    lambda html: (
        (found := _anchor.find_anchor(html))
        and found._replace(start=html.index("<a ", found.start), end=html.index("</a>", found.start) + 4)
    ),
)
swapped(
    AREA,
    NOTES,
    "default-viewer-alone",
    "Reads the traces of the default viewer only.",
    _payload,
    "is_web_url",
    lambda url: url == "https://mentionable.dev/trace",
)
swapped(AREA, NOTES, "any-address", "Reads the fragment of any address.", _payload, "is_web_url", lambda _: True)
swapped(AREA, BOTH, "any-size", "Reads traces of any size.", _payload, "MAX_TRACE_BYTES", 10_000_000)
written(
    AREA,
    NOTES,
    "no-data-addresses",
    "Reads no data: addresses.",
    (_payload._payload_in, "if text[: len(_DATA_URI)].lower() == _DATA_URI:", "if False:"),
)


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
written(
    AREA,
    NOTES,
    "any-text-is-html",
    "Looks for anchors in plain text.",
    (_trace._text_of, 'not in (None, "text/html")', "== ()"),
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
