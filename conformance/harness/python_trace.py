"""The operations of traces for the worked harness of Python: written, read, and shown in a viewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mentionable as m
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
Answer = dict[str, Any]


def _write(_: str, given: Object, unit: Object) -> Answer:
    settings = read_settings(given.get("settings", {}))
    response = m.decode(m.NormalizedResponse, unit["response"])
    made = m.trace.write(response, viewer=settings.trace_viewer, limit=settings.limits.trace_bytes)
    notes = [made.diagnostic.code] if made.diagnostic else []
    return {"value": {"text": made.text, "href": made.href, "html": made.html}, "diagnostics": notes}


def _read(_: str, given: Object, unit: Object) -> Answer:
    response, diagnostics = m.trace.read_leniently(unit["annotation"])
    return {"value": m.encode(response), "diagnostics": [one.code for one in diagnostics]}


def _left_out(_: Object, unit: Object) -> Any:
    diagnostics = m.trace.read_leniently(unit["annotation"]).diagnostics
    return [{"code": one.code, "at": one.at} for one in sorted(diagnostics, key=lambda one: one.at)]


def _viewer(_: str, given: Object, unit: Object) -> Answer:
    viewer, note = m.trace.viewer_of(unit["value"])
    return {"value": {"viewer": viewer}, "diagnostics": [note.code] if note else []}


PURE: dict[str, Callable[[Object, Any], Any]] = {"trace.left_out": _left_out}
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    "trace.write": _write,
    "trace.read": _read,
    "trace.viewer": _viewer,
}
