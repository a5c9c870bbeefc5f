"""`mentionable demo`: decodes and verifies three sample messages, changes a byte of each, and answers them."""

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
from .._show import outcome_lines, refusal_code, tampered_line
from .answer import reply_lines
from .story import Line, all_checked, change_byte, checked, run_story, until_failure

_INTRO = """\
This demo decodes a Mastodon post, a call of an A2A client and a mail from Gmail. All three become the same type,
NormalizedMessage. For each of them, the demo
  1. verifies the signature and prints the message,
  2. changes one byte of it ("tampered"), so that the signature no longer matches,
  3. answers it ("reply"), and decodes the reply as the other side would ("peer reads").
It sends and fetches nothing: keys and documents come from a table of samples.\
"""
_OUTRO = """\
To print one of these messages as JSON:
  {program} decode email {mail} --lookups {lookups} --now {now}\
"""


def run(folder: Traversable | None = None) -> int:
    """The exit status: 0 if every line is as `index.json` expects.

    Args:
        folder: The folder of the samples, `index.json` and `lookups.json`; by default the one in the package.
    """
    folder = folder or files("mentionable.cli") / "samples"
    index = _json(folder, "index.json")
    outro = ""
    if isinstance(folder, Path):
        mail, table = (shlex.quote(str(folder / name)) for name in ("gmail-reply.eml", "lookups.json"))
        outro = _OUTRO.format(program=_program(), mail=mail, lookups=table, now=index["now"])
    return run_story(_INTRO, _story(folder, index), outro)


def _story(folder: Traversable, index: Mapping[str, Any]) -> Iterator[Line]:
    lookups, now = Lookups.of(_json(folder, "lookups.json")), parse_time(index["now"])
    for number, sample in enumerate(index["samples"], start=1):
        data = (folder / sample["file"]).read_bytes()
        settings = settings_of(sample["transport"], sample.get("settings", {}))
        facts = Facts(None, lookups, now, number.to_bytes(32), settings)
        title = f"{sample['title']}: {sample['from']} ({sample['file']}, {len(data)} bytes)"
        yield f"\n{title}"
        yield from until_failure(_exchange(data, sample, facts), title)


def _exchange(data: bytes, sample: Mapping[str, Any], facts: Facts) -> Iterator[Line]:
    """Decode a message, decode it again with one byte changed, and answer it."""
    outcome = receive(sample["transport"], data, facts)
    yield from all_checked(sample["expect"]["lines"], outcome_lines(outcome))
    word = sample["forge"].encode()
    at = data.index(word) + len(word) - 1
    tampered = receive(sample["transport"], change_byte(data, at), facts)
    yield checked(tampered_line(tampered, at), sample["expect"]["forged"], refusal_code(tampered))
    if not isinstance(outcome, Rejected):
        yield from reply_lines(outcome.message, sample["expect"], now=facts.now, entropy=facts.entropy)


def _program() -> str:
    """The command that started this program, for the reader to run again."""
    command = Path(sys.argv[0])
    if command.stem == "mentionable":
        return shlex.quote(str(command))
    return f"{shlex.quote(sys.executable)} -m mentionable"


def _json(folder: Traversable, name: str) -> Any:
    return json.loads((folder / name).read_text(encoding="utf-8"))
