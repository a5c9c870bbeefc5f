"""Inputs for tests/differential out of the cases of the suite: that of one case, spoilt, or crossed with others.

An input has its number as long as the cases of its operation stay.
"""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from tests.differential.spoilt import plain, spoilt
from tests.differential.texts import ODD, chance, mutated
from tests.suite_cases import every_case

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Given = dict[str, Any]
    Generator = Callable[[Random], tuple[Any, Given]]

OPERATIONS: Final = (
    *("value.decode", "value.restore", "value.encode", "history.trim"),
    *("response.stream", "response.assemble", "response.split", "response.destination", "trace.write"),
    *("policy.bind_url", "policy.scope_hash", "policy.state_key", "policy.read", "policy.read_resolution"),
    *("policy.localize", "policy.text", "policy.html", "policy.markdown", "policy.to_http", "policy.from_http"),
    *("policy.issue", "policy.accept", "policy.resume", "policy.story", "policy.check_response"),
    *("policy.declare", "policy.is_declared", "policy.x402_metadata", "policy.x402_demand", "policy.x402_payment"),
    "policy.x402_fits",
    *("ingest.metadata", "ingest.header", "ingest.context", "ingest.strip_legacy", "ingest.message", "ingest.turn"),
    *("ingest.thread_summary", "ingest.assemble", "ingest.lower", "ingest.tool_name"),
    *("anp.route_table", "anp.classify", "anp.read_submission", "anp.read_notification", "anp.next_deadline"),
    *("anp.decide", "anp.story", "anp.dispatch", "anp.lane", "anp.turn", "anp.commit_turn", "anp.prompt"),
    *("identity.read_card", "identity.serve_card", "identity.thumbprint", "identity.trust_policy", "identity.acl"),
    *("identity.signing_input", "discovery.connector_card"),
    *("anp.read_output", "anp.actions", "anp.presentation", "anp.receive_presentation", "anp.client_message"),
    *("anp.stream", "anp.resume", "anp.cloudevent", "anp.read_cloudevent", "anp.web_push", "ingest.read_messages"),
)
"""Operations whose inputs are made of cases."""

_KEPT: Final = frozenset({"type", "steps", "languages", "declared", "called", "rules", "facts", "lane", "seen"})
"""Members of an input that say what is asked, or what the host decided, and are as a case has them."""

_GIVEN: Final = frozenset({"settings", "now"})
"""What of that which is given is kept. Operations that ask keep their look-ups too."""

_ASKING: Final = frozenset({"policy.accept", "policy.resume", "policy.story"})
"""Operations that ask for what is stored, and have no generator of their own."""

_MEASURED: Final = frozenset({"trace.write"})
"""Operations whose answers depend on how many bytes JSON has: each language writes 2.0 and 1e21 in its own way."""

_LARGEST: Final = 2**53 - 1
"""The largest integer that JSON keeps exactly everywhere: JavaScript cannot tell a larger one from a float."""


@cache
def _units(op: str) -> list[tuple[Any, Given]]:
    """The inputs of the cases of an operation, with what is given."""
    return [(case.input, case.given) for case in every_case() if case.op == op]


@cache
def _texts(op: str) -> tuple[str, ...]:
    """The texts in the inputs of an operation, the shorter ones."""
    found = {text for unit, _ in _units(op) for holder, place in _leaves(unit) if len(text := holder[place]) < 80}
    return (*ODD, *sorted(found))


def _leaves(value: Any) -> list[tuple[Any, Any]]:
    """The places of all texts in a value: what holds them, and where."""
    found, left = [], [value]
    while left:
        one = left.pop()
        for place, member in one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else ():
            if isinstance(member, str):
                found.append((one, place))
            else:
                left.append(member)
    return found


def _kept(op: str) -> frozenset[str]:
    return _KEPT | {"policy"} if op == "history.trim" else _KEPT


_VALUES: Final = ("stored", "effect", "record", "shown", "submission")
"""Members of items that are values: the harness of the library reads a text there as JSON."""


def _readable(unit: Any) -> Any:
    """An input without items whose value is a text, and without such values of a demand."""
    if not isinstance(unit, dict):
        return unit
    issues = unit.get("issue")
    for issue in issues if isinstance(issues, list) else [issues]:
        if isinstance(issue, dict):
            issue.update({name: {} for name in ("part", "to") if isinstance(issue.get(name), str)})
    for name in ("rows", "what"):
        if isinstance(items := unit.get(name), list):
            unit = {**unit, name: [item for item in items if not _has_text(item)]}
    return unit


def _has_text(item: Any) -> bool:
    return isinstance(item, dict) and any(isinstance(item.get(name), str) for name in _VALUES)


def _held(value: Any) -> Any:
    """A value that each language writes in the same way.

    Whole numbers are integers that a double holds. No name of a member is one: JavaScript puts such members first.
    """
    if isinstance(value, dict):
        return {f"n{name}" if name.isdecimal() else name: _held(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_held(item) for item in value]
    is_whole = type(value) in (int, float) and value % 1 == 0
    return int(max(-_LARGEST, min(value, _LARGEST))) if is_whole else value


def _spoilt_text(random: Random, op: str, unit: Any) -> None:
    """Changes one text: by a few characters, or to that of another case."""
    changed = {name: unit[name] for name in sorted(unit) if name not in _kept(op)} if isinstance(unit, dict) else unit
    leaves = [(unit if holder is changed else holder, place) for holder, place in _leaves(changed)]
    if leaves:
        holder, place = random.choice(leaves)
        pieces = _texts(op)
        holder[place] = random.choice(pieces) if chance(random, 0.3) else mutated(random, holder[place], pieces)


def _lengthened(random: Random, unit: Any) -> None:
    """Makes effects about as long as a message of Web Push may be, by one member or several."""
    for effect in [item["effect"] for item in unit["what"] if "effect" in item]:
        size = random.choice((0, 300, 1000, 2000, 3600, 3993, 5000)) + random.randint(-200, 400)
        effect["content"] = random.choice(("a", "é", "😀", '"', "ab\n")) * max(size // random.choice((1, 2, 4)), 1)
        effect["actions"] = [random.choice(("a", "é")) * 50 for _ in range(random.choice((0, 1, 20, 60, 75, 80)))]
        effect["metadata"] = {"urgency": "low", "log": "x" * random.choice((0, 100, 3000))}
        effect["session_id"] = "s" * random.choice((1, 100, 3600, 4000))


def from_case(op: str, random: Random, *, kept: frozenset[str] = _GIVEN) -> tuple[Any, Given]:
    """An input of an operation."""
    units = _units(op)
    found, given = random.choice(units)
    unit = deepcopy(found)
    if op == "anp.web_push" and chance(random, 0.3):
        _lengthened(random, unit)
    other = random.choice(units)[0]
    if isinstance(unit, dict) and isinstance(other, dict) and chance(random, 0.2):
        shared = sorted(unit.keys() & other.keys())
        if shared:
            name = random.choice(shared)
            unit[name] = deepcopy(other[name])
    for _ in range(random.choice((0, 1, 1, 2))):
        _spoilt_text(random, op, unit)
    if isinstance(unit, dict) and chance(random, 0.6):
        kept = _kept(op) | {"headers"}  # pairs, to the reader of each harness
        names = [name for name in sorted(unit) if name not in kept and isinstance(unit[name], (dict, list))]
        if names:
            name = random.choice(names)
            unit[name] = _held(plain(spoilt(random, unit[name], 2)))
    unit = _held(unit) if op in _MEASURED else unit
    return _readable(unit), {name: member for name, member in given.items() if name in kept}


def spoilt_given(random: Random, given: Given) -> Given:
    """What is given, with odd values in one of the documents that are asked for, now and then."""
    rows = given.get("lookups", {})
    documents = sorted(row for row, answer in rows.items() if isinstance(answer, dict) and "json" in answer)
    if not documents or chance(random, 0.85):
        return given
    row = random.choice(documents)
    odd = _held(plain(spoilt(random, deepcopy(rows[row]["json"]), 1)))
    is_text = "\\ud" not in json.dumps(odd)
    return {**given, "lookups": {**rows, row: {**rows[row], "json": odd}}} if is_text else given


GENERATORS: Final[dict[str, Generator]] = {
    op: partial(from_case, op, kept=_GIVEN | {"lookups"} if op in _ASKING else _GIVEN) for op in OPERATIONS
}
