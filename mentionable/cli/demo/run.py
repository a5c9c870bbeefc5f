"""`mentionable demo`: decodes and verifies three sample messages, changes a byte of each, and answers them."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from ..._flow.outcome import Rejected
from ..._html.convert import html_to_markdown
from ..._model.base import replace
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import TextPart, ToolCallPart
from ..._text.plain_text import plain_text, serialize_tool_call_to_text, shorten
from ..._wire.ids import derive
from ..._wire.time import parse_time
from .._entry_points import Facts, receive_message, settings_of
from .._lookups import Lookups
from .._show import field_line, outcome_lines, tampered_line
from .send import send
from .story import change_byte, run_demo

_INTRO: Final = """\
This demo decodes a Mastodon post, a call of an A2A client and a mail from Gmail. All three become the same type,
NormalizedMessage. For each of them, the demo
  1. verifies the signature and prints the message,
  2. changes one byte of it ("tampered"), so that the signature no longer matches,
  3. answers it ("reply"), and decodes the reply as the other side would ("peer reads").
It sends and fetches nothing: keys and documents come from a table of samples.\
"""
_OUTRO: Final = """\
To print one of these messages as JSON:
  {program} decode email {mail} --lookups {lookups} --now {now}\
"""
_RULES: Final = "by [these rules](https://agents.example/words?count=all&in=text)"


def run(folder: Traversable | None = None) -> int:
    """The exit status: 0 if every line is as the transcript expects.

    Args:
        folder: The folder of the samples, `index.json`, `lookups.json` and the transcript, `demo.txt`; by default the
            one in the package.
    """
    folder = folder or files("mentionable.cli") / "samples"
    index = _json(folder, "index.json")
    outro = ""
    if isinstance(folder, Path):
        mail, table = (shlex.quote(str(folder / name)) for name in ("gmail-reply.eml", "lookups.json"))
        outro = _OUTRO.format(program=_program(), mail=mail, lookups=table, now=index["now"])
    lookups, now = Lookups.of(_json(folder, "lookups.json")), parse_time(index["now"])
    stories = []
    for number, sample in enumerate(index["samples"], start=1):
        settings = settings_of(sample["transport"], sample.get("settings", {}))
        facts = Facts(None, lookups, now, number.to_bytes(32), settings)
        stories.append(_exchange((folder / sample["file"]).read_bytes(), sample, facts))
    return run_demo(_INTRO, stories, (folder / "demo.txt").read_text(encoding="utf-8"), outro)


def _exchange(data: bytes, sample: Mapping[str, Any], facts: Facts) -> Iterator[str]:
    """Decode a message, decode it again with one byte changed, and answer it."""
    yield f"{sample['title']} ({sample['file']}, {len(data)} bytes)"
    outcome = receive_message(sample["transport"], data, facts)
    yield from outcome_lines(outcome)
    text = sample["tamper"].encode()
    at = data.index(text) + len(text) - 1
    yield tampered_line(receive_message(sample["transport"], change_byte(data, at), facts), at)
    if not isinstance(outcome, Rejected):
        yield from _reply(outcome.message, facts)


def _reply(message: NormalizedMessage, facts: Facts) -> Iterator[str]:
    """Answer a message, and describe the reply as it was sent and as the other side decodes it."""
    response = _response(message)
    sent = send(response, message, now=facts.now, entropy=derive("demo answer", facts.entropy))
    yield field_line("reply", _first_line(sent.read).removeprefix(f"{message.sender.address} "))
    yield field_line("sent", sent.how)
    yield field_line("peer reads", sent.received)
    trace = sent.read if isinstance(sent.read, NormalizedResponse | None) else sent.read.received_trace
    calls = [] if trace is None else [part for part in trace.parts if isinstance(part, ToolCallPart)]
    texts = "".join(serialize_tool_call_to_text(call) for call in calls)
    # A2A has no trace: its answer has the ids of the conversation in `extra`, and nothing else besides.
    is_whole = trace is not None and replace(trace, extra={}) == response
    yield field_line("trace", f"the peer decodes {'the whole' if is_whole else 'another'} reply, with {texts}")


def _response(message: NormalizedMessage) -> NormalizedResponse:
    """The reply of the demo's agent, which counts words with a tool."""
    text = plain_text(message)
    count = len(text.split())
    call = ToolCallPart(
        id="call-1", name="count_words", args={"text": shorten(text, 60)}, result={"words": count}, duration_ms=1
    )
    return NormalizedResponse.to(message, f"Your message has **{count} words**, {_RULES}.", call)


def _first_line(reply: NormalizedMessage | NormalizedResponse | None) -> str:
    """The first line of the decoded reply, as Markdown."""
    text = next((part for part in reply.parts if isinstance(part, TextPart)), None) if reply else None
    if text is None:
        return "nothing"
    content = html_to_markdown(text.content) if text.mime == "text/html" else text.content
    return content.strip().partition("\n")[0]


def _program() -> str:
    """The command that started this program, for the reader to run again."""
    command = Path(sys.argv[0])
    if command.stem == "mentionable":
        return shlex.quote(str(command))
    return f"{shlex.quote(sys.executable)} -m mentionable"


def _json(folder: Traversable, name: str) -> Any:
    return json.loads((folder / name).read_text(encoding="utf-8"))
