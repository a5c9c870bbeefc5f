"""How mutants of answering are made: an answer spoiled after it was given."""

from __future__ import annotations

import copy
import json
import re
from base64 import b64decode, b64encode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from tests.mutants import MUTANTS, Mutant

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
PAYLOAD = re.compile(r'(?:data:application/json;base64,|https?://[^"\s<>]*#)([A-Za-z0-9_+/=-]{16,})')


def spoils(area: str, ops: tuple[str, ...], name: str, rule: str, change: Any, *, central: bool = False) -> None:
    """Registers a mutant that gives another value: `change(value, given, unit)`; None leaves it as it was."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if op not in ops or "value" not in answer:
            return answer
        changed = change(copy.deepcopy(answer["value"]), given, unit)
        return answer if changed is None else {**answer, "value": changed}

    MUTANTS.append(Mutant(name, area, rule, wrong, central, ops))


def takes(area: str, ops: tuple[str, ...], name: str, rule: str, value: Any, *codes: str, when: Any = None) -> None:
    """Registers a mutant that gives a value where it should refuse: `value(given, unit)`."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        code = answer.get("rejected", {}).get("code")
        if op not in ops or code not in codes or (when is not None and not when(unit)):
            return answer
        taken = {**answer, "value": value(given, unit), "diagnostics": []}
        del taken["rejected"]
        return taken

    MUTANTS.append(Mutant(name, area, rule, wrong, ops=ops))


def refuses(area: str, ops: tuple[str, ...], name: str, rule: str, when: Callable[[Any], bool]) -> None:
    """Registers a mutant that refuses what it should take."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        return {"rejected": {"code": "malformed"}} if op in ops and "rejected" not in answer and when(unit) else answer

    MUTANTS.append(Mutant(name, area, rule, wrong, ops=ops))


def mends(area: str, ops: tuple[str, ...], name: str, rule: str, mend: Any) -> None:
    """Registers a mutant that sees another unit: `mend(given, unit)` gives both."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        if op not in ops:
            return honest(op, given, unit)
        return honest(op, *mend(copy.deepcopy(given), copy.deepcopy(unit)))

    MUTANTS.append(Mutant(name, area, rule, wrong, ops=ops))


def quiet(area: str, ops: tuple[str, ...], *codes: str) -> None:
    """Registers a mutant for each code that is never said."""
    for code in codes:

        def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any, code: str = code) -> Answer:
            answer = honest(op, given, unit)
            if op not in ops or code not in answer.get("diagnostics", ()):
                return answer
            return {**answer, "diagnostics": [note for note in answer["diagnostics"] if note != code]}

        room = ops[0].replace(".", "-")
        MUTANTS.append(Mutant(f"silent-about-{code}-in-{room}", area, f"Never says {code}.", wrong, ops=ops))


def shows(area: str, ops: tuple[str, ...], name: str, rule: str, method: str) -> None:
    """Registers a mutant whose units of a method show nobody on the far side."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        verdict = answer.get("verdict") or {}
        if op not in ops or verdict.get("method") != method:
            return answer
        return {**answer, "verdict": {**verdict, "method": "none", "verified": False, "address": None, "key_id": None}}

    MUTANTS.append(Mutant(name, area, rule, wrong, ops=ops))


def wrongs(area: str, ops: tuple[str, ...], name: str, rule: str, change: Any) -> None:
    """Registers a mutant that gives another answer: `change(answer, given, unit)`; None leaves it as it was."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        changed: Any = change(copy.deepcopy(dict(answer)), given, unit) if op in ops else None
        return answer if changed is None else changed

    MUTANTS.append(Mutant(name, area, rule, wrong, ops=ops))


# ------------------------------------------------------------------------------------------------------------- traces


def decoded(payload: str) -> Any:
    """The response in a payload."""
    text = payload.replace("-", "+").replace("_", "/").rstrip("=")
    return json.loads(b64decode(text + "=" * (-len(text) % 4)))


def rewritten(html: str, change: Callable[[Any], Any]) -> str:
    """HTML or an address in which every trace holds another response."""

    def other(found: re.Match[str]) -> str:
        data = json.dumps(change(decoded(found[1])), ensure_ascii=False).encode()
        if found[0].startswith("data:"):
            return found[0].replace(found[1], b64encode(data).decode())
        return found[0].replace(found[1], urlsafe_b64encode(data).decode().rstrip("="))

    return PAYLOAD.sub(other, html)


def each_part(change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> Callable[[Any], Any]:
    """A response whose parts are changed; None takes a part away."""

    def changed(response: Any) -> Any:
        return {**response, "parts": [made for part in response["parts"] if (made := change(dict(part))) is not None]}

    return changed


def without(*names: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """An object without these members."""
    return lambda found: {name: member for name, member in found.items() if name not in names}


def only_calls(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Any], Any]:
    """A response whose calls are changed."""
    return each_part(lambda part: change(part) if part["kind"] == "tool_call" else part)


KNOWN = frozenset(
    [
        "kind",
        "id",
        "name",
        "args",
        "result",
        "error",
        "duration_ms",
        "started_at",
        "mime",
        "content",
        "bytes_ref",
        "size_bytes",
        "url",
        "title",
        "description",
        "artifact_type",
        "policy",
    ]
)
RESPONSES: list[tuple[str, str, Callable[[Any], Any]]] = [
    ("forgets-results", "Leaves results out.", only_calls(without("result"))),
    (
        "forgets-null-results",
        "Takes a result of null for none.",
        only_calls(lambda part: part if part.get("result", 0) is not None else without("result")(part)),
    ),
    ("forgets-errors-of-calls", "Leaves errors of calls out.", only_calls(without("error"))),
    ("forgets-timings", "Leaves timings out.", only_calls(without("duration_ms", "started_at"))),
    (
        "rounds-timings",
        "Rounds durations.",
        only_calls(lambda part: {**part, "duration_ms": round(part["duration_ms"])} if "duration_ms" in part else part),
    ),
    (
        "forgets-running-calls",
        "Leaves out calls that have not ended.",
        each_part(lambda part: None if part["kind"] == "tool_call" and not {"result", "error"} & part.keys() else part),
    ),
    (
        "wants-objects",
        "Takes arguments for objects.",
        only_calls(lambda part: part if isinstance(part["args"], dict) else {**part, "args": {}}),
    ),
    (
        "keeps-text-and-calls",
        "Leaves out all parts but text and calls.",
        each_part(lambda part: part if part["kind"] in ("text", "tool_call", "policy") else None),
    ),
    (
        "forgets-unknown-members",
        "Drops members that it does not know.",
        lambda response: each_part(lambda part: {name: member for name, member in part.items() if name in KNOWN})(
            without("usage")(response)
        ),
    ),
    ("always-ok", "Says ok whatever happened.", lambda response: without("error")({**response, "status": "ok"})),
    ("forgets-push-back", "Leaves push_back out.", without("push_back")),
    (
        "loses-letters",
        "Writes letters beyond ASCII as question marks.",
        lambda response: json.loads(json.dumps(response, ensure_ascii=False).encode("ascii", "replace")),
    ),
    (
        "escapes-markup",
        "Escapes markup in the payload.",
        lambda response: json.loads(json.dumps(response).replace("<", "&lt;")),
    ),
    (
        "fills-empty",
        "Fills an empty response.",
        lambda response: {
            **response,
            "parts": response["parts"] or [{"kind": "text", "mime": "text/plain", "content": ""}],
        },
    ),
    (
        "forgets-text",
        "Leaves text out: people read it anyway.",
        each_part(lambda part: None if part["kind"] == "text" else part),
    ),
]
"""What a payload is made of when one rule is broken."""


def some(*names: str) -> list[tuple[str, str, Callable[[Any], Any]]]:
    """Those of `RESPONSES` that are named."""
    found = [one for one in RESPONSES if one[0] in names]
    if len(found) < len(names):
        raise LookupError(f"no such mutants: {names}")
    return found
