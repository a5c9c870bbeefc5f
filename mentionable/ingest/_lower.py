"""Writes assembled rows as the messages of a provider: the entry point `lower`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

from .._errors.exceptions import UsageError
from .._model.base import EMPTY_DICT, frozen
from .._model.diagnostic import Diagnostic
from ._assemble import Assembled
from ._contexts import Placement, into_users, split_system, to_the_head
from ._files import refused_files
from ._neutral import SAME_FORM, Dialect, File, Result
from ._pairs import pair_results
from ._rules import RULES
from ._turns import read_turns
from ._write import Writer
from ._write_anthropic import AnthropicWriter
from ._write_bedrock import BedrockWriter
from ._write_gemini import GeminiWriter
from ._write_langchain import LangChainWriter
from ._write_openai import OpenAIWriter
from ._write_pydantic_ai import PydanticAIWriter
from ._write_responses import ResponsesWriter
from ._write_vercel import VercelWriter

_WRITERS: Final[Mapping[Dialect, type[Writer]]] = {
    writer.dialect: writer
    for writer in (
        OpenAIWriter,
        ResponsesWriter,
        AnthropicWriter,
        GeminiWriter,
        BedrockWriter,
        VercelWriter,
        PydanticAIWriter,
        LangChainWriter,
    )
}


@frozen
class Lowered:
    """The input of a provider.

    Attributes:
        messages: For its `messages`, `input` or `contents`. Fresh dicts.
        system: For its `system` or `system_instruction`, where the messages cannot hold system text.
        names: The name of each tool in the messages, and of each in `tools` → the name that the program has for it.
        diagnostics: What was left out or replaced, each with its place among the rows, such as `/3/content/1`.
    """

    messages: tuple[dict[str, Any], ...]
    system: str | None = None
    names: Mapping[str, str] = EMPTY_DICT
    diagnostics: tuple[Diagnostic, ...] = ()


def lower(
    rows: Assembled | Iterable[Mapping[str, Any]],
    *,
    dialect: Dialect = "openai",
    placement: Placement | None = None,
    tools: Iterable[str] = (),
) -> Lowered:
    """Write assembled rows in the form of a provider, whatever form they were stored in.

    Blocks of the dialect stay as they are, and blocks of other dialects are converted. A block that the dialect has no
    form for becomes a line such as `[report.pdf (application/pdf)]`, with a diagnostic, and so does a file that is too
    large. The reasoning of other providers' models is left out. Results of tools come right after the turn that called,
    and a call without a result gets one that says so. Names of tools and ids of calls get the form that the provider
    takes (`tool_name`).

    Args:
        rows: The result of `assemble`, or its rows: messages with `role` and `content` (or `parts`), whose blocks may
            be of any of the dialects, mixed. Items of the Responses API may be among them.
        dialect: `openai` (Chat Completions), `openai-responses`, `anthropic`, `gemini`, `bedrock` (Converse), `vercel`
            (model messages); or the history of a framework: `pydantic-ai`, `langchain`, `openai-agents`.
        placement: Where blocks of context go. `inline`: a system message immediately before the turn; not possible in
            `anthropic`, `gemini` and `bedrock`. `hoist`: after the leading system text. `user_block`: at the beginning
            of the turn, as blocks that say that its sender did not write them. None: `inline` where possible, else
            `user_block`.
        tools: The names of all tools, so that `names` leads from a call of the model to its tool.

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
    form = SAME_FORM.get(dialect, dialect)
    rules = RULES[form]
    if placement is not None and placement not in get_args(Placement):
        raise UsageError(f"placement: expected {' or '.join(map(repr, get_args(Placement)))} or None")
    alternates = rules.turns.alternates
    if alternates and placement == "inline":
        raise UsageError(f"placement 'inline': {dialect} takes no system message above a turn; 'hoist' or 'user_block'")
    if isinstance(tools, str):
        raise UsageError("tools: expected the names of tools, not one name")
    read = read_turns(rows.rows if isinstance(rows, Assembled) else rows, form)
    turns, names, unmatched = pair_results(read, form, tools)
    has_files = any(isinstance(block, (File, Result)) for turn in turns for block in turn.blocks)
    writer = _WRITERS[form](refused_files(turns, rules) if has_files else {})
    if placement == "user_block" or (placement is None and alternates):
        turns = into_users(turns)
    elif placement == "hoist" and not alternates:
        turns = to_the_head(turns, writer.system_text)
    system = None
    if alternates:
        system, turns = split_system(turns, writer.system_text)
    messages = tuple(writer.write(turns))
    return Lowered(messages=messages, system=system, names=names, diagnostics=(*unmatched, *writer.diagnostics))
