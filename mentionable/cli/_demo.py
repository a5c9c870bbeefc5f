"""`mentionable demo`: the messages that ship with the package, decoded before your eyes."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._outcome import Rejected
from .._time import parse_time
from ._doors import Facts, receive
from ._show import outcome_lines

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_INTRO = """\
Three messages, in the form in which three programs write them, become the same kind of message.
Nothing is sent or fetched: what the library asks for is answered from a table that ships with it.
"""
_OUTRO = """\
The same as JSON:
  mentionable decode email {folder}/gmail-reply.eml --lookups {folder}/lookups.json\
"""


def run(folder: Traversable | None = None) -> int:
    """The exit status: 0 when every sample was received.

    Args:
        folder: Where the samples, their `index.json` and their `lookups.json` lie; by default in the package.
    """
    folder = folder or files(__package__) / "samples"
    index, rows = _json(folder, "index.json"), _json(folder, "lookups.json")
    status = 0
    print(_INTRO)
    for number, sample in enumerate(index["samples"], start=1):
        data = (folder / sample["file"]).read_bytes()
        facts = Facts(None, rows, parse_time(index["now"]), number.to_bytes(32))
        outcome = receive(sample["transport"], data, facts)
        print(f"{sample['title']}: {sample['from']} ({sample['file']}, {len(data)} bytes)")
        print("\n".join(outcome_lines(outcome)), end="\n\n")
        status = max(status, int(isinstance(outcome, Rejected)))
    if isinstance(folder, Path):
        print(_OUTRO.format(folder=folder))
    return status


def _json(folder: Traversable, name: str) -> Any:
    return json.loads((folder / name).read_text(encoding="utf-8"))
