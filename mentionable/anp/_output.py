"""The answer of an agent at the end of a turn: its output, and which events it acknowledges.

Spec: ANP §5.1 (DELIVERED).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from .._errors.exceptions import UsageError, WireError
from .._model.diagnostic import Diagnostic
from .._wire.strict_json import is_text, loads, pointer, well_formed
from ._notification import MAX_CHARACTERS, shows_something

MAX_IDS: Final = 1_000
"""How many ids are read of one answer."""

_MAX_ID: Final = 1_024
_MAX_ANSWER: Final = 4 * MAX_CHARACTERS
_FENCED: Final = re.compile(r"\s*+```(?:json)?[ \t]*+\r?\n(.*)\n```\s*+", re.DOTALL | re.IGNORECASE).fullmatch


class AgentOutput(NamedTuple):
    """The answer of an agent at the end of a turn.

    Attributes:
        output: The text for the human; None when there is none.
        acknowledged_ids: The events that it claims to have handled, each once. `commit_turn` decides which count.
        diagnostics: What could not be read.
    """

    output: str | None
    acknowledged_ids: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def read_output(answer: str | Mapping[str, Any] | None) -> AgentOutput:
    """Read the answer of an agent as models write it: an object, its JSON, also in a fence, or plain text.

    Args:
        answer: An object with `output` and `acknowledged_ids`, its JSON, or the text for the human. Ids may be alone,
            in a list, or in objects that have an `id`.

    Raises:
        UsageError: `answer` is something else.

    Spec: ANP §5.1 (DELIVERED).

    Example:
        >>> read_output('{"output": "Your backup failed.", "acknowledged_ids": ["e1"]}')
        AgentOutput(output='Your backup failed.', acknowledged_ids=('e1',), diagnostics=())
        >>> read_output("Your backup failed.").acknowledged_ids
        ()
    """
    if answer is None:
        return AgentOutput(None)
    if isinstance(answer, str):
        members = _object_in(answer)
        if members is None:
            output, odd = _text(answer)
            return AgentOutput(output, diagnostics=odd)
        answer = members
    if not isinstance(answer, Mapping):
        raise UsageError("read_output takes an object, a text or None")
    ids, diagnostics = _ids(answer.get("acknowledged_ids"))
    if len(ids) > MAX_IDS:
        diagnostics.append(_unread("/acknowledged_ids", f"the first {MAX_IDS} of {len(ids)} ids were taken"))
    output, odd = _text(answer.get("output"))
    return AgentOutput(output, ids[:MAX_IDS], (*diagnostics, *odd))


def _object_in(text: str) -> dict[str, Any] | None:
    """The object that a text holds, with at least one of the two members; None for plain text."""
    if len(text) > _MAX_ANSWER:
        return None
    fenced = _FENCED(text)
    inner = well_formed((fenced[1] if fenced else text).strip())
    if inner == "null":
        return {}
    if inner[:1] != "{":
        return None
    try:
        answer = loads(inner.encode(), max_bytes=4 * _MAX_ANSWER, max_depth=8)
    except WireError as error:
        if error.code != "lone-surrogate":
            return None
        answer = json.loads(inner)  # a model has cut an emoji in two, and nothing else is wrong
    is_answer = isinstance(answer, dict) and (not answer or "output" in answer or "acknowledged_ids" in answer)
    return answer if is_answer else None


def _text(output: object) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The output, as far as it is text that can be sent."""
    diagnostics: tuple[Diagnostic, ...] = ()
    if not isinstance(output, (str, type(None))):
        diagnostics = (_unread("/output", "it is no text"),)
        output = None
    if output is not None and len(output) > MAX_CHARACTERS:
        rule = f"the first {MAX_CHARACTERS} of {len(output)} characters were taken"
        diagnostics = (_unread("/output", rule),)
        output = output[:MAX_CHARACTERS]
    text = well_formed(output) if output and shows_something(output) else None
    return text, diagnostics


def _ids(value: object) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """The distinct ids in what should be a list of them."""
    entries = value if isinstance(value, (list, tuple)) else [] if value is None else [value]
    ids: dict[str, None] = {}
    diagnostics: list[Diagnostic] = []
    for index, entry in enumerate(entries):
        id = entry.get("id") if isinstance(entry, Mapping) else entry
        if isinstance(id, str) and 0 < len(id) <= _MAX_ID and is_text(id):
            ids[id] = None
        elif len(diagnostics) < MAX_IDS:
            diagnostics.append(_unread(pointer("acknowledged_ids", index), "it is no id"))
    return tuple(ids), diagnostics


def _unread(at: str, detail: str) -> Diagnostic:
    return Diagnostic(code="output-unread", at=at, detail=detail)
