"""Mutants of the JSON front door: each lets one kind of fault through."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def lets_through(name: str, rule: str, refused: str, reader: Any) -> None:
    """Registers a mutant that reads what the honest harness refuses with a code."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if op != "json.loads" or answer.get("rejected") != {"code": refused}:
            return answer
        data = unit["data"]
        raw = data.encode() if isinstance(data, str) else base64.b64decode(data["$base64"])
        try:
            return {"value": reader(raw)}
        except (ValueError, RecursionError):
            return answer

    wrong.__name__ = name
    mutant("json", rule)(wrong)


lets_through("last_duplicate_wins", "Takes the last of two equal members.", "duplicate-member", json.loads)
lets_through(
    "takes_nan",
    "Takes NaN and infinities.",
    "unsafe-number",
    lambda data: [0] if b"N" in data or b"I" in data else int("-"),
)
lets_through(
    "takes_huge_numbers",
    "Takes numbers beyond a double.",
    "unsafe-number",
    lambda data: [0] if b"e" in data else int("-"),
)
lets_through("takes_any_integer", "Takes integers of any size.", "unsafe-number", lambda data: [int(data.strip(b"[]"))])
lets_through("takes_deep_json", "Knows no bound on depth.", "too-deep", json.loads)
lets_through("takes_lone_surrogates", "Takes lone surrogates.", "lone-surrogate", json.loads)
lets_through(
    "guesses_latin_1",
    "Reads what is not UTF-8 as Latin-1.",
    "not-utf8",
    lambda data: json.loads(data.decode("latin-1")),
)
lets_through("takes_utf_16", "Guesses UTF-16.", "invalid-json", lambda data: json.loads(data.decode("utf-16-be")))
lets_through("takes_bom", "Skips a byte order mark.", "invalid-json", lambda data: json.loads(_after_bom(data)))
lets_through("ignores_what_follows", "Stops after the first value.", "invalid-json", lambda data: _first(data))
lets_through(
    "takes_trailing_commas", "Takes trailing commas.", "invalid-json", lambda data: _read(data.replace(b",]", b"]"))
)
lets_through("takes_comments", "Takes comments.", "invalid-json", lambda data: _read(re.sub(rb"/\*.*\*/", b"", data)))
lets_through(
    "takes_single_quotes", "Takes single quotes.", "invalid-json", lambda data: _read(data.replace(b"'", b'"'))
)
lets_through(
    "takes_control_characters",
    "Takes raw control characters.",
    "invalid-json",
    lambda data: json.loads(data.decode(), strict=False),
)
lets_through(
    "takes_leading_zeros",
    "Takes numbers with leading zeros or a plus.",
    "invalid-json",
    lambda data: [int(data.strip(b"[]"))],
)
lets_through("completes_cut_json", "Completes what was cut short.", "invalid-json", lambda data: _read(data + b"]}"))
lets_through(
    "takes_no_bytes", "Reads no bytes as null.", "invalid-json", lambda data: None if not data else _read(data)
)
lets_through(
    "takes_bare_words",
    "Reads undefined as null.",
    "invalid-json",
    lambda data: _read(data.replace(b"undefined", b"null")),
)
lets_through("knows_no_size", "Knows no bound on bytes.", "too-large", json.loads)


@mutant("json", "Refuses every escaped surrogate, pairs too.")
def refuses_pairs(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    escaped = isinstance(unit["data"], str) and "\\ud83d\\udd27" in unit["data"]
    return {"rejected": {"code": "lone-surrogate"}} if escaped else honest(op, given, unit)


@mutant("json", "Refuses the largest safe integer.")
def refuses_safe_integers(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return {"rejected": {"code": "unsafe-number"}} if unit["data"] == str(2**53 - 1) else honest(op, given, unit)


def _read(data: bytes) -> Any:
    return json.loads(data.decode())


def _after_bom(data: bytes) -> bytes:
    if not data.startswith(b"\xef\xbb\xbf"):
        raise ValueError("no mark")
    return data[3:]


def _first(data: bytes) -> Any:
    return json.JSONDecoder().raw_decode(data.decode())[0]
