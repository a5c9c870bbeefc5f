"""Mutants of the trace: as it is written, as it is read, and its setting."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

from tests.mutants._answers import RESPONSES, decoded, mends, quiet, refuses, rewritten, spoils

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


spoils(
    AREA,
    LEFT,
    "names-no-place",
    "Names the trace, and not the member.",
    lambda value, *_: [{**note, "at": ""} for note in value] or None,
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
spoils(
    AREA,
    VIEWER,
    "typo-is-none",
    "Takes a slip for none.",
    lambda value, _, unit: {"viewer": None} if unit["value"] in ("off", "my-trace.example") else None,
)
