"""The operations of the ingest contract for the worked harness of Python: what is stored, and what a model reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import mentionable as m
from mentionable import ingest
from mentionable.testing.lookups import case_bytes

Object = Mapping[str, Any]
Answer = dict[str, Any]
MARK = "_assembled"
"""What the marks of this library begin with; another one has its own, and takes it out of a value likewise."""

HOW = ("agent", "guard", "multimodal", "context", "repeats", "quote_body_headers")


def _metadata(_: str, given: Object, unit: Object) -> Answer:
    found = ingest.read_metadata(unit["data"], source=unit.get("source"))
    return {"value": m.encode(found.metadata), "diagnostics": [note.code for note in found.diagnostics]}


def _message(_: Object, unit: Object) -> Any:
    facts = {name: unit[name] for name in ("sender_type", "with_history", "hints", "received_via") if name in unit}
    kind, name = (m.HistoricalMessage, "turn") if "turn" in unit else (m.NormalizedMessage, "message")
    return m.encode(ingest.from_message(m.decode_trusted(kind, unit[name]), **facts))


def _turn(_: Object, unit: Object) -> Any:
    stored = m.decode_trusted(ingest.IngestMessage, unit["message"])
    return m.encode(ingest.to_turn(stored, timestamp=unit["timestamp"], id=unit.get("id")))


def _thread_summary(_: Object, unit: Object) -> Any:
    turns = m.decode_trusted(tuple[m.HistoricalMessage, ...], unit["turns"])
    return ingest.compose_thread_summary(turns, received_via=unit.get("received_via", "connector"))


# --- assembly


def _given(row: Any) -> Any:
    """A row as it stands, or a stored message."""
    is_row = not isinstance(row, Mapping) or "stored" not in row
    return row if is_row else m.decode_trusted(ingest.IngestMessage, row["stored"])


def _assembled(unit: Object) -> ingest.Assembled:
    """The rows of a case assembled, and once more where it wants that; diagnostics are those of the first time."""
    how: Answer = {name: unit[name] for name in HOW if name in unit}
    beside = [row.get("blobs", {}) for row in unit["rows"] if isinstance(row, Mapping)]
    blobs = {digest: case_bytes(data) for some in beside for digest, data in some.items()}
    given = [_given(row) for row in unit["rows"]]
    rows = [one.row(blobs=blobs) if isinstance(one, ingest.IngestMessage) else one for one in given]
    before = json.dumps(rows)
    found = ingest.assemble(given, blobs=blobs, **how)
    if json.dumps(rows) != before:
        raise RuntimeError("assembly changed what it was given")
    if "again" not in unit:
        return found
    changes = unit["again"] if isinstance(unit["again"], dict) else {}
    back = _with_metadata(json.loads(json.dumps(found.rows)), rows, how.get("agent"), changes)
    return ingest.Assembled(rows=ingest.assemble(back, **how).rows, diagnostics=found.diagnostics)


def _with_metadata(made: list[Answer], rows: list[Any], agent: str | None, changes: Object) -> list[Answer]:
    """The turns that came out, each with the metadata of the row that it was, in which members may have changed."""
    kept = [row.get("_metadata") for row in rows if _becomes_turn(row, agent)]
    turns = [row for row in made if row.get("role") == "user"]
    for turn, metadata in zip(turns, kept, strict=True):
        if metadata is not None:
            turn["_metadata"] = {**metadata, **changes}
    return made


def _becomes_turn(row: Object, agent: str | None) -> bool:
    metadata = row.get("_metadata") or {}
    if row.get("role") == "user":
        return metadata.get("passive") is not True
    return agent is not None and metadata.get("sender_id", agent) != agent


def _shown(rows: Any) -> list[Answer]:
    return [{name: member for name, member in row.items() if not name.startswith(MARK)} for row in rows]


def _assemble(_: str, given: Object, unit: Object) -> Answer:
    found = _assembled(unit)
    return {"value": _shown(found.rows), "diagnostics": [note.code for note in found.diagnostics]}


def _lower(_: str, given: Object, unit: Object) -> Answer:
    ready = _assembled({"rows": unit["rows"], **unit.get("assemble", {})})
    facts = {"placement": unit["placement"]} if "placement" in unit else {}
    found = ingest.lower(ready, dialect=unit["dialect"], **facts)
    notes = [note.code for note in (*ready.diagnostics, *found.diagnostics)]
    value = {"system": found.system, "messages": list(found.messages)}
    if unit.get("names"):
        value["names"] = dict(found.names)
    return {"value": value, "diagnostics": notes}


def _strip(_: Object, unit: Object) -> Any:
    facts = {name: m.parse_time(unit[name]) for name in ("created_at", "cutoff") if name in unit}
    if "sender_name" in unit:
        facts["sender_name"] = unit["sender_name"]
    return ingest.strip_legacy(unit["content"], unit["source"], **facts)._asdict()


def _read_messages(_: Object, unit: Object) -> Any:
    return list(ingest.read_messages(unit["messages"], dialect=unit["dialect"]))


PURE: dict[str, Callable[[Object, Any], Any]] = {
    "ingest.header": lambda _, unit: m.compose_attribution_prefix(unit),
    "ingest.context": lambda _, unit: m.compose_thread_context_block(unit),
    "ingest.message": _message, "ingest.turn": _turn, "ingest.thread_summary": _thread_summary,
    "ingest.strip_legacy": _strip, "ingest.read_messages": _read_messages,
    "ingest.tool_name": lambda _, unit: ingest.tool_name(unit["name"], dialect=unit["dialect"]),
}  # fmt: skip
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    "ingest.metadata": _metadata, "ingest.assemble": _assemble, "ingest.lower": _lower,
}  # fmt: skip
