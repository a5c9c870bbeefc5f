"""Places blocks of context, and separates the system text for providers that take it apart from the messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from .._model.base import replace
from ._blocks import text_block
from ._neutral import Text
from ._turns import Turn

Placement: TypeAlias = Literal["inline", "hoist", "user_block"]

CONTEXT_LINE: Final = "[Context — not written by the sender of this message]"
"""The first line of a block of context in the turn of a user."""

_HOST: Final = ("system", "developer")


def is_host(turn: Turn) -> bool:
    """Whether the host wrote a turn."""
    return turn.role in _HOST and not turn.is_context


def into_users(turns: list[Turn]) -> list[Turn]:
    """Move each block of context to the beginning of the user turn after it; one without such a turn stays last."""
    placed: list[Turn] = []
    waiting: list[Turn] = []
    for turn in turns:
        if turn.is_context:
            waiting.append(turn)
        elif turn.role == "user" and waiting:
            above = [_with_notice(block) for context in waiting for block in context.blocks if isinstance(block, Text)]
            placed.append(replace(turn, blocks=(*above, *turn.blocks), is_string=False))
            waiting = []
        else:
            placed.append(turn)
    return placed + waiting


def _with_notice(block: Text) -> Text:
    return text_block(f"{CONTEXT_LINE}\n{block.text}", block.at)


def to_the_head(turns: list[Turn], text_of: Callable[[Turn], str]) -> list[Turn]:
    """Merge the leading system messages of the host and all blocks of context into one leading system message."""
    contexts = [turn for turn in turns if turn.is_context]
    if not contexts:
        return turns
    rest = [turn for turn in turns if not turn.is_context]
    head = leading(rest)
    text = joined([text_of(turn) for turn in [*head, *contexts]])
    first = head[0] if head else contexts[0]
    blocks = (text_block(text, first.at),) if text else ()
    one = Turn(role=first.role, at=first.at, blocks=blocks, is_string=True, row=first.row)
    return [one, *rest[len(head) :]]


def leading(turns: list[Turn]) -> list[Turn]:
    """The turns of the host before the first turn of another role."""
    count = next((index for index, turn in enumerate(turns) if not is_host(turn)), len(turns))
    return turns[:count]


def split_system(turns: list[Turn], text_of: Callable[[Turn], str]) -> tuple[str | None, list[Turn]]:
    """All system text, the leading turns first, and the other turns."""
    head = leading([turn for turn in turns if not turn.is_context])
    leading_ids = {id(turn) for turn in head}
    later = [turn for turn in turns if turn.role in _HOST and id(turn) not in leading_ids]
    text = joined([text_of(turn) for turn in [*head, *later]])
    return text or None, [turn for turn in turns if turn.role not in _HOST]


def joined(texts: list[str]) -> str:
    """Join texts with blank lines; leave out blank texts."""
    return "\n\n".join([text for text in texts if text.strip()])
