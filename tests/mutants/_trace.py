"""Mutants of the trace: as it is written, as it is read, and its setting."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

from mentionable.trace import _anchor, _payload, _viewer
from tests.mutants._answers import (
    RESPONSES,
    decoded,
    mends,
    quiet,
    refuses,
    rewritten,
    spoils,
    swapped,
    takes,
    written,
)

AREA = "trace"
WRITE, READ, VIEWER = ("trace.write",), ("trace.read",), ("trace.viewer",)
DEFAULT = "https://mentionable.dev/trace"


def _traced(change: Any) -> Any:
    def changed(value: Any, *_: Any) -> Any:
        if value["href"] is None:
            return None
        made = {name: rewritten(value[name], change) for name in ("href", "html")}
        return {**value, **made}

    return changed


for _name, _rule, _change in RESPONSES:
    spoils(
        AREA, WRITE, f"writes-{_name}", _rule, _traced(_change), central=_name in ("forgets-results", "forgets-text")
    )


def _addressed(change: Any) -> Any:
    """Changes the address, in the anchor too."""

    def changed(value: Any, given: Any, _: Any) -> Any:
        if value["href"] is None:
            return None
        href = change(value["href"], given.get("settings", {}).get("trace_viewer", DEFAULT))
        html = re.sub(r'href="[^"]*"', lambda _: f'href="{href}"', value["html"])
        return {**value, "href": href, "html": html}

    return changed


def _address(name: str, rule: str, change: Any) -> None:
    spoils(AREA, WRITE, name, rule, _addressed(change))


_address(
    "always-default-viewer",
    "Links to the default viewer whatever is set.",
    lambda href, viewer: f"{DEFAULT}#{href.rpartition('#')[2]}" if viewer else None or href,
)
_address(
    "keeps-fragment",
    "Keeps the fragment of the viewer.",
    lambda href, viewer: f"{viewer}{href.partition('#')[2]}" if viewer and "#" in viewer else href,
)
_address("drops-query", "Drops the query of the viewer.", lambda href, _: re.sub(r"\?[^#]*", "", href))
_address(
    "no-viewer-is-the-default",
    "Takes no viewer for the default one.",
    lambda href, viewer: (
        href if viewer else f"{DEFAULT}#" + href.rpartition(",")[2].replace("+", "-").replace("/", "_").rstrip("=")
    ),
)
_address(
    "never-a-viewer",
    "Puts the trace into the link itself unless a viewer is set.",
    lambda href, viewer: (
        href
        if viewer != DEFAULT
        else "data:application/json;base64,"
        + base64.b64encode(json.dumps(decoded(href.partition("#")[2])).encode()).decode()
    ),
)
_address(
    "standard-alphabet",
    "Writes the standard alphabet into fragments.",
    lambda href, viewer: (
        href.partition("#")[0] + "#" + href.partition("#")[2].replace("-", "+").replace("_", "/") if viewer else href
    ),
)


def _html(name: str, rule: str, change: Any) -> None:
    spoils(AREA, WRITE, name, rule, lambda value, *_: {**value, "html": change(value["html"])})


def _text(name: str, rule: str, change: Any, *, central: bool = False) -> None:
    """Changes the words, in the anchor too."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        text = change(value["text"], unit["response"])
        html = re.sub(r">[^<]*</a>$", lambda _: f">{_anchor.escape(text)}</a>", value["html"])
        return {**value, "text": text, "html": html}

    spoils(AREA, WRITE, name, rule, changed, central=central)


_html(
    "single-quotes",
    "Writes single quotes.",
    lambda html: html.replace('class="mentionable-trace"', "class='mentionable-trace'"),
)
_html("no-version", "Leaves the version out.", lambda html: html.replace(' data-version="0.1"', ""))
_html(
    "class-of-its-own", "Adds a class.", lambda html: html.replace('"mentionable-trace"', '"trace mentionable-trace"')
)
_html("two-anchors", "Writes two anchors.", lambda html: html.replace("</a>", '</a><a href="x">again</a>'))
_html("text-not-escaped", "Does not escape the words.", lambda html: html.replace("&lt;", "<").replace("&gt;", ">"))
_html("address-not-escaped", "Does not escape the address.", lambda html: html.replace("&amp;", "&"))
_text("no-words", "Always says trace.", lambda text, _: "[trace]", central=True)
_text(
    "counts-nothing-else",
    "Counts parts wrongly.",
    lambda text, _: (
        text
        if "part" not in text
        else text.replace("1 part]", "1 parts]").replace("2 parts", "1 part").replace("0 parts", "1 part")
    ),
)
_text(
    "longest-list",
    "Never leaves names out.",
    lambda text, response: (
        text if " more]" not in text else f"[trace: {', '.join(part['name'] for part in response['parts'])}]"
    ),
)
_text("uncounted", "Does not count what is left out.", lambda text, _: re.sub(r", \+[0-9]+ more", "", text))
_text(
    "shows-line-breaks",
    "Leaves line breaks of names in.",
    lambda text, response: (
        text
        if "\n" not in json.dumps(response).encode().decode("unicode_escape")
        else text.replace(" search", "\nsearch")
    ),
)
_text(
    "five-names-at-most",
    "Counts the rest wrongly when there are many.",
    lambda text, response: (
        text
        if len(response["parts"]) < 5 or "tool_0" not in text
        else re.sub(r"(tool_04 .).*\]", r"\1, +1 more]", text)
    ),
)
_text(
    "words-only-with-a-trace",
    "Says nothing when the trace is dropped.",
    lambda text, response: text if len(json.dumps(response)) < 1000 else "[trace]",
)
_text(
    "first-two",
    "Names two calls and forgets the rest.",
    lambda text, response: (
        f"{text.split(', ')[0]}, {text.split(', ')[1]}]" if len(response["parts"]) > 4 and "," in text else text
    ),
)

written(
    AREA,
    WRITE,
    "never-cuts",
    "Drops what is too large at once.",
    (_payload.payload_of, "[_shortened(part) for part in response.parts]", "response.parts"),
)
written(
    AREA,
    WRITE,
    "always-cuts",
    "Cuts arguments and results though they fit.",
    (
        _payload.payload_of,
        "if _encoded_length(data) <= limit:\n        return Payload(data, None)",
        "if False:\n        pass",
    ),
    central=True,
)
written(
    AREA,
    WRITE,
    "never-drops",
    "Sends whatever it comes to.",
    (_payload.payload_of, "return Payload(None,", "return Payload(data,"),
)
written(
    AREA,
    WRITE,
    "takes-a-megabyte",
    "Bounds the trace at a megabyte.",
    (
        _payload.payload_of,
        "data = dumps(response)",
        "limit = 1_048_576 if limit == 65_536 else limit\n    data = dumps(response)",
    ),
)
written(
    AREA,
    WRITE,
    "cuts-arguments-only",
    "Cuts arguments only.",
    (_payload._shortened, "_side(part.result)", "part.result"),
)
written(AREA, WRITE, "cuts-results-only", "Cuts results only.", (_payload._shortened, "args=_side(part.args), ", ""))
written(
    AREA,
    WRITE,
    "cuts-long-calls-only",
    "Cuts only the calls that are long.",
    (
        _payload._shortened,
        "if not isinstance(part, ToolCallPart):",
        "if not isinstance(part, ToolCallPart) or len(str(part)) < 300:",
    ),
)
written(
    AREA,
    WRITE,
    "cuts-nulls-away",
    "Drops results of null where it cuts.",
    (_payload._shortened, "part.result is UNSET", "part.result is UNSET or part.result is None"),
    (
        _payload._shortened,
        "else _side(part.result)",
        "else _side(part.result)\n    result = UNSET if result is None else result",
    ),
)
written(
    AREA,
    WRITE,
    "ends-running-calls",
    "Gives a result to calls that run, where it cuts.",
    (
        _payload._shortened,
        "result = part.result if part.result is UNSET else",
        "result = '…' if part.result is UNSET and part.error is None else part.result if part.error else",
    ),
)
swapped(
    AREA,
    WRITE,
    "cuts-letters-in-traces",
    "Cuts letters in two.",
    _payload,
    "shorten",
    lambda text, budget: (
        text if len(text.encode()) <= budget else text.encode()[: budget - 3].decode(errors="replace") + "…"
    ),
)
swapped(AREA, WRITE, "cuts-at-100", "Cuts at 100 bytes.", _payload, "_SIDE_BYTES", 100)
spoils(
    AREA,
    WRITE,
    "cuts-errors-in-traces",
    "Cuts errors as well.",
    _traced(
        lambda response: {
            **response,
            "parts": [
                {**part, "error": {"message": part["error"]["message"][:200]}} if "error" in part else part
                for part in response["parts"]
            ],
        }
    ),
)
spoils(
    AREA,
    WRITE,
    "cuts-text",
    "Cuts text as well.",
    _traced(
        lambda response: {
            **response,
            "parts": [
                {**part, "content": part["content"][:500]} if "content" in part else part for part in response["parts"]
            ],
        }
    ),
)
spoils(
    AREA,
    WRITE,
    "anchor-without-a-trace",
    "Writes an anchor though there is no trace.",
    lambda value, *_: None if value["href"] else {**value, "html": '<a class="mentionable-trace" href="">x</a>'},
)
quiet(AREA, WRITE, "trace-shortened", "trace-dropped")
quiet(AREA, VIEWER, "trace-viewer-invalid")

# ------------------------------------------------------------------------------------------------------------ reading


def _payload_text(unit: Any) -> str:
    text: str = unit["annotation"]
    return text.rpartition("#")[2].rpartition("base64,")[2]


def _loose(text: str) -> bytes:
    text = _payload._payload_in(text).replace("-", "+").replace("_", "/")
    text = re.sub(r"[^A-Za-z0-9+/]", "", text)
    return base64.b64decode(text[: len(text) - (len(text) % 4 == 1)] + "=" * (-len(text) % 4))


def _any_json(_: Any, unit: Any) -> Any:
    data = _loose(unit["annotation"]).decode("utf-8", "replace")
    try:
        return json.JSONDecoder().raw_decode(data)[0]
    except (ValueError, RecursionError):
        return {}


def _kind_of_fault(unit: Any) -> str:
    """Where the fault lies: in the base64, in the JSON, or in the shape."""
    try:
        _payload._decoded(unit["annotation"])
    except Exception:
        return "base64"
    data = _payload._decoded(unit["annotation"])
    try:
        found = json.loads(data, parse_constant=lambda _: 1 / 0, object_pairs_hook=_strict)
        json.dumps(found, ensure_ascii=False).encode()
    except Exception:
        return "json"
    return "shape" if data.count(b"[") < 150 else "json"


def _strict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("twice")
    return dict(pairs)


for _fault, _rule in (
    ("base64", "Reads what is no base64."),
    ("json", "Reads what is no JSON."),
    ("shape", "Reads what is no response."),
):
    takes(
        AREA,
        READ,
        f"reads-any-{_fault}",
        _rule,
        _any_json,
        "trace-malformed",
        when=lambda unit, fault=_fault: _kind_of_fault(unit) == fault,
    )
takes(AREA, READ, "reads-any-size", "Reads traces of any size.", _any_json, "trace-too-large")
takes(
    AREA,
    READ,
    "reads-any-address",
    "Reads the fragment of any address.",
    _any_json,
    "trace-malformed",
    when=lambda unit: unit["annotation"].startswith(("javascript:", "data:text")),
)
written(
    AREA,
    READ,
    "default-viewer-only",
    "Reads the traces of the default viewer only.",
    (_payload._payload_in, "if address and not is_web_url(address):", "if address != 'https://mentionable.dev/trace':"),
)
refuses(AREA, READ, "links-only", "Reads links only.", lambda unit: "#" not in unit["annotation"])
refuses(AREA, READ, "no-data-links", "Reads no data: links.", lambda unit: unit["annotation"][:5].lower() == "data:")
refuses(
    AREA, READ, "small-letters-only", "Takes schemes by their letters.", lambda unit: unit["annotation"][:5] == "DATA:"
)
refuses(
    AREA,
    READ,
    "ascii-viewers-only",
    "Reads no viewer of a Unicode host.",
    lambda unit: not unit["annotation"].partition("#")[0].isascii(),
)
refuses(
    AREA, READ, "no-query", "Reads no viewer with a query.", lambda unit: "?" in unit["annotation"].partition("#")[0]
)
refuses(
    AREA,
    READ,
    "one-alphabet-for-fragments",
    "Reads base64url only in fragments.",
    lambda unit: "#" in unit["annotation"] and bool(set("+/") & set(_payload_text(unit))),
)
refuses(
    AREA,
    READ,
    "one-alphabet-for-data",
    "Reads the standard alphabet only in data: links.",
    lambda unit: "#" not in unit["annotation"] and bool(set("-_") & set(_payload_text(unit))),
)
refuses(
    AREA,
    READ,
    "padding-wanted-in-data",
    "Wants padding in data: links.",
    lambda unit: unit["annotation"].startswith("data:") and len(_payload_text(unit)) % 4 != 0,
)
refuses(
    AREA,
    READ,
    "padding-refused-in-fragments",
    "Refuses padding in fragments.",
    lambda unit: "#" in unit["annotation"] and unit["annotation"].endswith("="),
)
refuses(AREA, READ, "no-json", "Does not read the JSON itself.", lambda unit: unit["annotation"].startswith("{"))
refuses(AREA, READ, "small-only", "Reads traces up to 60000 characters.", lambda unit: len(unit["annotation"]) > 60000)
refuses(
    AREA,
    READ,
    "compact-json-only",
    "Reads JSON without blanks only.",
    lambda unit: not unit["annotation"].startswith("{") and b"\n " in _loose(unit["annotation"]),
)
spoils(
    AREA,
    READ,
    "reads-known-members-only",
    "Drops members that it does not know.",
    lambda value, *_: {name: member for name, member in value.items() if name != "usage"},
)
spoils(
    AREA,
    READ,
    "reads-no-results",
    "Forgets results where there is a viewer.",
    lambda value, _, unit: (
        json.loads(json.dumps(value).replace('"result"', '"output"'))
        if unit["annotation"].startswith(f"{DEFAULT}#")
        else None
    ),
)

# ---------------------------------------------------------------------------------------------------------- odd members

LEFT = ("trace.left_out",)
quiet(AREA, READ, "member-dropped")
written(
    AREA,
    (*READ, *LEFT),
    "reads-nothing-odd",
    "Refuses a trace for one odd member.",
    (_payload.read, "notes=notes)", "notes=None)"),
    central=True,
)


def _sent(unit: Any) -> Any:
    text = unit["annotation"]
    return json.loads(text if text.startswith("{") else _loose(text))


def _has(unit: Any, is_odd: Any) -> bool:
    """Whether a part of a trace has a member that is odd in this way."""
    found = _sent(unit) if _kind_of_fault(unit) == "shape" or unit["annotation"].startswith("{") else {}
    parts = [part for part in found["parts"] if isinstance(part, dict)] if isinstance(found, dict) and found else []
    return any(is_odd(name, member) for part in parts for name, member in part.items())


for _name, _rule, _is_odd in (
    ("nulls", "Takes null for a wrong type.", lambda name, member: name in ("title", "error") and member is None),
    ("null-results", "Takes a result of null for none.", lambda name, member: name == "result" and member is None),
    (
        "capitals",
        "Takes media types by their letters.",
        lambda name, member: name == "mime" and member.lower() != member,
    ),
    ("fractions", "Refuses numbers with a fraction.", lambda name, member: isinstance(member, float)),
    ("offsets", "Refuses times that are not in UTC.", lambda name, member: name == "started_at" and member[-1] != "Z"),
):
    refuses(AREA, READ, f"refuses-{_name}", _rule, lambda unit, is_odd=_is_odd: _has(unit, is_odd))
spoils(
    AREA,
    LEFT,
    "names-no-place",
    "Names the trace, and not the member.",
    lambda value, *_: [{**note, "at": ""} for note in value] or None,
)
spoils(
    AREA,
    LEFT,
    "drops-nulls",
    "Takes null for a member that does not fit.",
    lambda value, _, unit: (
        [*value, {"code": "member-dropped", "at": "/parts/0/name"}]
        if _has(unit, lambda _, member: member is None)
        else None
    ),
)

# ------------------------------------------------------------------------------------------------------------- viewer


def _means(name: str, rule: str, change: Any) -> None:
    mends(AREA, VIEWER, name, rule, lambda given, unit: (given, {"value": change(unit["value"])}))


_means("unset-is-none", "Takes no setting for none.", lambda value: "none" if value is None else value)
_means("none-is-unset", "Takes none for no setting.", lambda value: None if value == "none" else value)
_means("empty-is-unset", "Takes an empty setting for no setting.", lambda value: value or None)
_means(
    "hosts-only",
    "Drops the path of the viewer.",
    lambda value: re.sub(r"^(https://[^/]+).+", r"\1/", value) if value and value.startswith("https://") else value,
)
_means(
    "default-only", "Takes the default viewer always.", lambda value: None if value and "my-trace" in value else value
)
swapped(AREA, VIEWER, "any-scheme", "Takes any address for a viewer.", _viewer, "is_viewer", lambda text: ":" in text)
swapped(AREA, VIEWER, "any-word", "Takes any word for a viewer.", _viewer, "is_viewer", lambda text: ":" not in text)
swapped(
    AREA,
    VIEWER,
    "scheme-is-enough",
    "Takes https:// for a viewer.",
    _viewer,
    "is_viewer",
    lambda text: text[:8] == "https://",
)
spoils(
    AREA,
    VIEWER,
    "typo-is-none",
    "Takes a slip for none.",
    lambda value, _, unit: {"viewer": None} if unit["value"] in ("off", "my-trace.example") else None,
)
