"""`mentionable demo`: the messages that ship with the package, a forged twin of each, and an answer."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from ..._flow.outcome import Rejected
from ..._wire.time import parse_time
from .._entry_points import Facts, receive, settings_of
from .._lookups import Lookups
from .._show import outcome_lines, refusal_of, twin_line
from .answer import answer_lines
from .tell import Line, all_checked, checked, tell, until_wrong

_INTRO = """\
Three messages, in the form in which three programs write them, become the same kind of message. Each is signed, and
has a forged twin in which one byte differs. An agent that counts words answers each, and the other side reads the whole
answer back. Nothing is sent or fetched: what the library asks for is answered from a table that ships with it.\
"""
_OUTRO = """\
The same as JSON:
  {program} decode email {mail} --lookups {lookups} --now {now}\
"""


def run(folder: Traversable | None = None) -> int:
    """The exit status: 0 when every line is as `index.json` says that it must be.

    Args:
        folder: Where the samples, their `index.json` and their `lookups.json` lie; by default in the package.
    """
    folder = folder or files("mentionable.cli") / "samples"
    index = _json(folder, "index.json")
    outro = ""
    if isinstance(folder, Path):
        mail, table = (shlex.quote(str(folder / name)) for name in ("gmail-reply.eml", "lookups.json"))
        outro = _OUTRO.format(program=_program(), mail=mail, lookups=table, now=index["now"])
    return tell(_INTRO, _story(folder, index), outro)


def _story(folder: Traversable, index: Mapping[str, Any]) -> Iterator[Line]:
    lookups, now = Lookups.of(_json(folder, "lookups.json")), parse_time(index["now"])
    for number, sample in enumerate(index["samples"], start=1):
        data = (folder / sample["file"]).read_bytes()
        settings = settings_of(sample["transport"], sample.get("settings", {}))
        facts = Facts(None, lookups, now, number.to_bytes(32), settings)
        title = f"{sample['title']}: {sample['from']} ({sample['file']}, {len(data)} bytes)"
        yield f"\n{title}"
        yield from until_wrong(_exchange(data, sample, facts), title)


def _exchange(data: bytes, sample: Mapping[str, Any], facts: Facts) -> Iterator[Line]:
    """What becomes of a message, of the same with one other byte, and of the answer."""
    outcome = receive(sample["transport"], data, facts)
    yield from all_checked(sample["expect"]["lines"], outcome_lines(outcome))
    at, other = _forged(data, sample["forge"])
    forged = receive(sample["transport"], other, facts)
    yield checked(twin_line(forged, at), sample["expect"]["forged"], refusal_of(forged))
    if not isinstance(outcome, Rejected):
        yield from answer_lines(outcome.message, sample["expect"], now=facts.now, entropy=facts.entropy)


def _forged(data: bytes, word: str) -> tuple[int, bytes]:
    """The place of the last letter of `word`, and the same bytes with another one there."""
    at = data.index(word.encode()) + len(word.encode()) - 1
    return at, data[:at] + (b"x" if data[at] != ord("x") else b"y") + data[at + 1 :]


def _program() -> str:
    """How this program was called, to be called in the same way once more."""
    called = Path(sys.argv[0])
    if called.stem == "mentionable":
        return shlex.quote(str(called))
    return f"{shlex.quote(sys.executable)} -m mentionable"


def _json(folder: Traversable, name: str) -> Any:
    return json.loads((folder / name).read_text(encoding="utf-8"))
