"""Reads rows, whatever program stored them, as turns of one form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._model.base import frozen, replace
from ._blocks import chat_call, chat_result, read_block, text_block
from ._content import AMBIENT, MARKER, THREAD_CONTEXT
from ._media import text_in
from ._neutral import Block, Break, Call, Dialect, Opaque, Result, Role, Thought

ROLES: Final[Mapping[str, Role]] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
    "model": "assistant",
    "tool": "tool",
}
ITEMS: Final = frozenset({"function_call", "function_call_output", "reasoning"})
"""Items of the Responses API that have no role."""


@frozen
class Turn:
    """One message of a role.

    Attributes:
        role: Its author; once results are paired with their calls, they are in turns of role `tool` only.
        at: The row, as a JSON pointer.
        blocks: Its content.
        is_string: Whether it came as a string and may be written as one.
        is_context: Whether assembly added it, for the user turn after it.
        row: The row as it came.
    """

    role: Role
    at: str
    blocks: tuple[Block, ...]
    is_string: bool = False
    is_context: bool = False
    row: Mapping[str, Any]


def read_turns(rows: Iterable[Mapping[str, Any]], dialect: Dialect) -> list[Turn]:
    """Read rows, in order.

    Args:
        rows: As `assemble` returns them.
        dialect: In which they will be written; members that only this dialect has stay with the row.

    Raises:
        UsageError: A row is invalid, or still has metadata: the message names the row and the member.
    """
    if not isinstance(rows, Iterable):
        raise UsageError(f"rows: expected the rows of a conversation, not {type(rows).__name__}")
    turns: list[Turn] = []
    items: list[Block] = []  # the items of the Responses API after the last turn, an assistant's
    for index, row in enumerate(rows):
        turn = _turn(row, index, dialect)
        if "role" not in row and turn.role == "assistant" and turns and turns[-1].role == "assistant":
            items += turn.blocks
            continue
        if items:
            turns[-1] = _extended(turns[-1], items)
            items = []
        turns += _steps(turn, dialect)
    if items:
        turns[-1] = _extended(turns[-1], items)
    return turns


def _extended(turn: Turn, items: list[Block]) -> Turn:
    return replace(turn, blocks=(*turn.blocks, *items))


def _turn(row: Any, index: int, dialect: Dialect) -> Turn:
    name, at = f"rows[{index}]", f"/{index}"
    if not isinstance(row, Mapping):
        raise UsageError(f"{name}: expected a mapping, not {type(row).__name__}")
    if "_metadata" in row:
        raise UsageError(f"{name}._metadata: assemble the rows first, no metadata may reach a model")
    if "role" not in row and isinstance(kind := row.get("type"), str) and kind in ITEMS:
        return _item(row, kind, at)
    role_name = row.get("role")
    role = ROLES.get(role_name) if isinstance(role_name, str) else None
    if role is None:
        raise UsageError(f"{name}.role: expected {', '.join(ROLES)}")
    member = "parts" if row.get("parts") or ("content" not in row and "parts" in row) else "content"
    content = row.get(member)
    if not (content is None or isinstance(content, (str, list, tuple))):
        raise UsageError(f"{name}.{member}: expected text, a list of blocks or None, not {type(content).__name__}")
    blocks = _blocks(content, name, at, member)
    if role == "tool" and (isinstance(row.get("tool_call_id"), str) or not isinstance(content, (list, tuple))):
        blocks = (chat_result(row, at),)
    elif role == "assistant":
        blocks += _other_members(row, name, at, dialect)
    if role != "assistant":
        blocks = tuple([block for block in blocks if not isinstance(block, Break)])
    is_context = role == "system" and row.get(MARKER) in (THREAD_CONTEXT, AMBIENT)
    is_string = isinstance(content, str)
    return Turn(role=role, at=at, blocks=blocks, is_string=is_string, is_context=is_context, row=row)


def _blocks(content: Any, name: str, at: str, member: str) -> tuple[Block, ...]:
    if content is None:
        return ()
    if isinstance(content, str):
        return (text_block(content, f"{at}/{member}"),)
    blocks: list[Block] = []
    for index, block in enumerate(content):
        place = f"{at}/{member}/{index}"
        if isinstance(block, str):
            blocks.append(text_block(block, place))
        elif isinstance(block, Mapping):
            blocks += read_block(block, place)
        else:
            raise UsageError(f"{name}.{member}[{index}]: expected a block, not {type(block).__name__}")
    return tuple(blocks)


def _item(row: Mapping[str, Any], kind: str, at: str) -> Turn:
    """An item of the Responses API: a call, a result, or reasoning."""
    if kind == "reasoning":
        thought = Thought(at=at, type=kind, dialects=frozenset({"openai-responses"}), source=row)
        return Turn(role="assistant", at=at, blocks=(thought,), row={})
    blocks = read_block(row, at)
    return Turn(role="tool" if isinstance(blocks[0], Result) else "assistant", at=at, blocks=blocks, row={})


def _other_members(row: Mapping[str, Any], name: str, at: str, dialect: Dialect) -> tuple[Block, ...]:
    """Blocks from an assistant's other members: calls, and, for other dialects, a refusal and a recording."""
    blocks: list[Block] = []
    refusal = text_in(row, "refusal")
    if refusal and dialect != "openai":
        blocks.append(text_block(refusal, f"{at}/refusal"))
    if isinstance(row.get("audio"), Mapping) and dialect != "openai":
        blocks.append(Opaque(at=f"{at}/audio", type="audio", source={}))
    calls = row.get("tool_calls")
    if calls is None:
        return tuple(blocks)
    if not isinstance(calls, (list, tuple)) or not all(isinstance(call, Mapping) for call in calls):
        raise UsageError(f"{name}.tool_calls: expected a list of calls")
    for index, call in enumerate(calls):
        blocks += chat_call(call, f"{at}/tool_calls/{index}")
    return tuple(blocks)


def _steps(turn: Turn, dialect: Dialect) -> list[Turn]:
    """Split the turn of an agent at its steps, since results go between two steps.

    Vercel allows results of tools that the provider ran inside a turn.
    """
    if turn.role != "assistant" or not any(isinstance(block, (Break, Result)) for block in turn.blocks):
        return [turn]
    steps: list[list[Block]] = [[]]
    answered = ended = False
    for block in turn.blocks:
        if isinstance(block, Break):
            ended = True
            continue
        if ended or (answered and not isinstance(block, (Call, Result))):
            steps.append([])
            answered = ended = False
        answered = answered or (isinstance(block, Result) and not stays(block, dialect))
        steps[-1].append(block)
    return [replace(turn, blocks=tuple(step), is_string=False) for step in steps if step] or [replace(turn, blocks=())]


def stays(block: Block, dialect: Dialect) -> bool:
    """Whether a result in a turn of an assistant may stay there."""
    return dialect == "vercel" and block.type == "tool-result"
