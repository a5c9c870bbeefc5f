"""What an agent gives back at the end of a turn: what it says, and which events it acknowledges.

Spec: ANP §5.1 (DELIVERED).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from .._errors.exceptions import UsageError, WireError
from .._model.diagnostic import Diagnostic
from .._wire.strict_json import is_text, loads, pointer, well_formed
from ._notification import MOST_CHARACTERS, shows_something

MOST_IDS: Final = 1_000
"""So many ids are read of one answer."""

_LONGEST_ID: Final = 1_024
_LONGEST_ANSWER: Final = 4 * MOST_CHARACTERS
_FENCED: Final = re.compile(r"\s*+```(?:json)?[ \t]*+\r?\n(.*)\n```\s*+", re.DOTALL | re.IGNORECASE).fullmatch


class AgentOutput(NamedTuple):
    """What an agent gave back.

    Attributes:
        output: What it says to the human; None when it says nothing.
        acknowledged_ids: The events that it says it has handled, each once. What they are worth is decided later.
        notes: What could not be read.
    """

    output: str | None
    acknowledged_ids: tuple[str, ...] = ()
    notes: tuple[Diagnostic, ...] = ()


def read_output(given: str | Mapping[str, Any] | None) -> AgentOutput:
    """What an agent gave back, as models give it: an object, the same as JSON text, also in a fence, or mere words.

    Args:
        given: An object with `output` and `acknowledged_ids`, its JSON, or what the agent says. Ids may stand alone, in
            a list, or in objects that have an `id`.

    Raises:
        UsageError: `given` is something else.

    Spec: ANP §5.1 (DELIVERED).

    Example:
        >>> read_output('{"output": "Your backup failed.", "acknowledged_ids": ["e1"]}')
        AgentOutput(output='Your backup failed.', acknowledged_ids=('e1',), notes=())
        >>> read_output("Your backup failed.").acknowledged_ids
        ()
    """
    if given is None:
        return AgentOutput(None)
    if isinstance(given, str):
        found = _object_in(given)
        if found is None:
            return _said(given, (), [])
        given = found
    if not isinstance(given, Mapping):
        raise UsageError("read_output takes an object, a text or None")
    notes: list[Diagnostic] = []
    ids = tuple(dict.fromkeys(_ids(given.get("acknowledged_ids"), notes)))
    if len(ids) > MOST_IDS:
        notes.append(_unread("/acknowledged_ids", f"the first {MOST_IDS} of {len(ids)} ids were taken"))
    return _said(given.get("output"), ids[:MOST_IDS], notes)


def _object_in(text: str) -> dict[str, Any] | None:
    """The object that a text is, with at least one of the two members; None where it is mere words."""
    if len(text) > _LONGEST_ANSWER:
        return None
    fenced = _FENCED(text)
    inner = well_formed((fenced[1] if fenced else text).strip())
    if inner == "null":
        return {}
    if inner[:1] != "{":
        return None
    try:
        found = loads(inner.encode(), max_bytes=4 * _LONGEST_ANSWER, max_depth=8)
    except WireError as error:
        if error.code != "lone-surrogate":
            return None
        found = json.loads(inner)  # a model has cut an emoji in two; there is nothing else amiss
    is_answer = isinstance(found, dict) and (not found or "output" in found or "acknowledged_ids" in found)
    return found if is_answer else None


def _said(output: object, ids: tuple[str, ...], notes: list[Diagnostic]) -> AgentOutput:
    """What is said, where it is text that can go out."""
    if not isinstance(output, (str, type(None))):
        notes.append(_unread("/output", "it is no text"))
        output = None
    if output is not None and len(output) > MOST_CHARACTERS:
        notes.append(_unread("/output", f"the first {MOST_CHARACTERS} of {len(output)} characters were taken"))
        output = output[:MOST_CHARACTERS]
    said = well_formed(output) if output and shows_something(output) else None
    return AgentOutput(said, ids, tuple(notes))


def _ids(given: object, notes: list[Diagnostic]) -> Iterator[str]:
    """The ids in what should be a list of them."""
    some = given if isinstance(given, (list, tuple)) else [] if given is None else [given]
    for place, one in enumerate(some):
        found = one.get("id") if isinstance(one, Mapping) else one
        if isinstance(found, str) and 0 < len(found) <= _LONGEST_ID and is_text(found):
            yield found
        elif len(notes) < MOST_IDS:
            notes.append(_unread(pointer("acknowledged_ids", place), "it is no id"))


def _unread(at: str, detail: str) -> Diagnostic:
    return Diagnostic(code="output-unread", at=at, detail=detail)
