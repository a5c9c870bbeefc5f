"""The door: assembled rows as the messages of a provider."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

from .._errors.exceptions import UsageError
from .._model.base import frozen
from .._model.diagnostic import Diagnostic
from ._assemble import Assembled
from ._contexts import Placement, into_users, taken_out, to_the_head
from ._neutral import Dialect
from ._pairs import Pairing
from ._turns import read_turns
from ._write import Writer
from ._write_anthropic import AnthropicWriter
from ._write_gemini import GeminiWriter
from ._write_openai import OpenAIWriter
from ._write_responses import ResponsesWriter
from ._write_vercel import VercelWriter

_WRITERS: Final[Mapping[Dialect, type[Writer]]] = {
    writer.dialect: writer for writer in (OpenAIWriter, ResponsesWriter, AnthropicWriter, GeminiWriter, VercelWriter)
}


@frozen
class Lowered:
    """What a provider is given.

    Attributes:
        messages: What its `messages`, `input` or `contents` takes. Fresh dicts.
        system: What its `system`, `instructions` or `system_instruction` takes, where system text does not stand among
            the messages.
        diagnostics: What was left out or replaced, each with its place among the rows, such as `/3/content/1`.
    """

    messages: tuple[dict[str, Any], ...]
    system: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


def lower(
    rows: Assembled | Iterable[Mapping[str, Any]],
    *,
    dialect: Dialect = "openai",
    placement: Placement | None = None,
) -> Lowered:
    """Assembled rows in the form of a provider, whatever form they were stored in.

    Blocks that the dialect has already stay as they are. Others become its own; what it cannot say becomes a line such
    as `[report.pdf (application/pdf)]`, with a diagnostic. What another provider's model thought is left out. Results
    of tools come right after the turn that called.

    Args:
        rows: What `assemble` gave, or its rows: messages with `role` and `content` (or `parts`), whose blocks may be of
            any of the dialects, mixed. Items of the Responses API may stand among them.
        dialect: `openai` (Chat Completions), `openai-responses`, `anthropic`, `gemini` or `vercel` (model messages).
        placement: Where blocks of context go. `inline`: a system message immediately above the turn; not possible in
            `anthropic` and `gemini`. `hoist`: behind the leading system text. `user_block`: in front of the turn, as
            blocks that say that its sender did not write them. None: `inline` where it is possible, else `user_block`.

    Raises:
        UsageError: A row is none, or still has metadata: the message names it and the member. Or an argument is not one
            of its words, or the dialect has no such place.

    Spec: Message Ingest Contract §What the assembly layer does on your behalf.

    Example:
        >>> rows = [
        ...     {"role": "system", "content": "- Ash: are we on?", "_assembled": "thread_context"},
        ...     {"role": "user", "content": "[Olivia]: yes", "_assembled": "turn"},
        ... ]
        >>> for block in lower(rows, dialect="anthropic").messages[0]["content"]:
        ...     print(block["text"])
        [Context — not written by the sender of this message]
        - Ash: are we on?
        [Olivia]: yes
    """
    if dialect not in get_args(Dialect):
        raise UsageError(f"dialect: expected {' or '.join(map(repr, get_args(Dialect)))}")
    if placement is not None and placement not in get_args(Placement):
        raise UsageError(f"placement: expected {' or '.join(map(repr, get_args(Placement)))} or None")
    notes: list[Diagnostic] = []
    writer = _WRITERS[dialect](notes)
    if writer.alternates and placement == "inline":
        raise UsageError(f"placement 'inline': {dialect} takes no system message above a turn; 'hoist' or 'user_block'")
    turns = read_turns(rows.rows if isinstance(rows, Assembled) else rows, dialect)
    turns = Pairing(turns, dialect, notes).pair(turns)
    if placement == "user_block" or (placement is None and writer.alternates):
        turns = into_users(turns)
    elif placement == "hoist" and not writer.alternates:
        turns = to_the_head(turns, writer.words)
    system = None
    if writer.alternates:
        system, turns = taken_out(turns, writer.words)
    return Lowered(messages=tuple(writer.write(turns)), system=system, diagnostics=tuple(notes))
