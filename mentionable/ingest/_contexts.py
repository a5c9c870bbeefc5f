"""Where blocks of context go, and the system text of providers that have a place of its own for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from .._model.base import replace
from ._blocks import text_block
from ._neutral import Text
from ._turns import Turn

Placement: TypeAlias = Literal["inline", "hoist", "user_block"]

CONTEXT_LINE: Final = "[Context — not written by the sender of this message]"
"""What a block of context begins with where it stands in the turn of a user."""

_HOST: Final = ("system", "developer")


def is_host(turn: Turn) -> bool:
    """Whether the host itself speaks."""
    return turn.role in _HOST and not turn.is_context


def into_users(turns: list[Turn]) -> list[Turn]:
    """Each block of context as the first blocks of the user turn below it; what has none below it stays last."""
    placed: list[Turn] = []
    waiting: list[Turn] = []
    for turn in turns:
        if turn.is_context:
            waiting.append(turn)
        elif turn.role == "user" and waiting:
            above = [_in_a_turn(block) for context in waiting for block in context.blocks if isinstance(block, Text)]
            placed.append(replace(turn, blocks=(*above, *turn.blocks), is_string=False))
            waiting = []
        else:
            placed.append(turn)
    return placed + waiting


def _in_a_turn(block: Text) -> Text:
    return text_block(f"{CONTEXT_LINE}\n{block.text}", block.at)


def to_the_head(turns: list[Turn], text_of: Callable[[Turn], str]) -> list[Turn]:
    """One leading system message with the leading ones of the host and with all blocks of context."""
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
    """The turns of the host before anybody else says something."""
    count = next((index for index, turn in enumerate(turns) if not is_host(turn)), len(turns))
    return turns[:count]


def taken_out(turns: list[Turn], text_of: Callable[[Turn], str]) -> tuple[str | None, list[Turn]]:
    """All system text, what leads first, and the turns without it."""
    head = leading([turn for turn in turns if not turn.is_context])
    known = {id(turn) for turn in head}
    later = [turn for turn in turns if turn.role in _HOST and id(turn) not in known]
    text = joined([text_of(turn) for turn in [*head, *later]])
    return text or None, [turn for turn in turns if turn.role not in _HOST]


def joined(texts: list[str]) -> str:
    """Texts with a blank line between; blank ones are left out."""
    return "\n\n".join([text for text in texts if text.strip()])
