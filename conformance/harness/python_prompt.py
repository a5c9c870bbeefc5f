"""The operation of prompts for the worked harness of Python: a message as the context of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mentionable as m
from mentionable import prompt
from mentionable.testing.lookups import case_bytes

Object = Mapping[str, Any]
Answer = dict[str, Any]
HOW = ("dialect", "placement", "instructions")


def _render(_: str, given: Object, unit: Object) -> Answer:
    how: Answer = {name: unit[name] for name in HOW if name in unit}
    if "blobs" in unit:
        how["blobs"] = {digest: case_bytes(data) for digest, data in unit["blobs"].items()}
    found = prompt.render(m.decode_trusted(m.NormalizedMessage, unit["message"]), **how)
    notes = [note.code for note in found.diagnostics]
    return {"value": {"system": found.system, "messages": list(found.messages)}, "diagnostics": notes}


DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {"prompt.render": _render}
