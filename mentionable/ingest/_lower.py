"""Writes assembled rows as the messages of a provider: the entry point `lower`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

from .._errors.exceptions import UsageError
from .._model.base import frozen
from .._model.diagnostic import Diagnostic
from ._assemble import Assembled
from ._contexts import Placement, into_users, split_system, to_the_head
from ._neutral import Dialect
from ._pairs import pair_results
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
    """The input of a provider.

    Attributes:
        messages: For its `messages`, `input` or `contents`. Fresh dicts.
        system: For its `system` or `system_instruction`, where the messages cannot hold system text.
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
    """Write assembled rows in the form of a provider, whatever form they were stored in.

    Blocks of the dialect stay as they are, and blocks of other dialects are converted. A block that the dialect has no
    form for becomes a line such as `[report.pdf (application/pdf)]`, with a diagnostic. The reasoning of other
    providers' models is left out. Results of tools come right after the turn that called.

    Args:
        rows: The result of `assemble`, or its rows: messages with `role` and `content` (or `parts`), whose blocks may
            be of any of the dialects, mixed. Items of the Responses API may be among them.
        dialect: `openai` (Chat Completions), `openai-responses`, `anthropic`, `gemini` or `vercel` (model messages).
        placement: Where blocks of context go. `inline`: a system message immediately before the turn; not possible in
            `anthropic` and `gemini`. `hoist`: after the leading system text. `user_block`: at the beginning of the
            turn, as blocks that say that its sender did not write them. None: `inline` where possible, else
            `user_block`.

    Raises:
        UsageError: A row is invalid, or still has metadata: the message names the row and the member. Or an argument
            has none of its values, or the dialect does not support the placement.

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
    writer = _WRITERS[dialect]()
    if writer.alternates and placement == "inline":
        raise UsageError(f"placement 'inline': {dialect} takes no system message above a turn; 'hoist' or 'user_block'")
    turns, unmatched = pair_results(read_turns(rows.rows if isinstance(rows, Assembled) else rows, dialect), dialect)
    if placement == "user_block" or (placement is None and writer.alternates):
        turns = into_users(turns)
    elif placement == "hoist" and not writer.alternates:
        turns = to_the_head(turns, writer.system_text)
    system = None
    if writer.alternates:
        system, turns = split_system(turns, writer.system_text)
    messages = tuple(writer.write(turns))
    return Lowered(messages=messages, system=system, diagnostics=(*unmatched, *writer.diagnostics))
