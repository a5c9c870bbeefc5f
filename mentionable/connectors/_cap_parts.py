"""How many parts a message of a platform may have. What is too much is left out and counted: the message arrives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from .._flow.settings import Limits
from .._model.diagnostic import Diagnostic

_Text = TypeVar("_Text")
_File = TypeVar("_File")


def cap_parts(
    texts: Sequence[_Text], files: Sequence[_File], *, limits: Limits, at: str, unread: int = 0
) -> tuple[tuple[_Text, ...], tuple[_File, ...], tuple[Diagnostic, ...]]:
    """As many parts as `limits.parts` allows, texts before files, and the diagnostic of what is left out.

    Args:
        texts: Its parts that are no files.
        files: Its files.
        limits: How many parts there may be.
        at: The JSON pointer of the message.
        unread: How many more there are that were not even read.
    """
    texts_within = tuple(texts[: limits.parts])
    files_within = tuple(files[: limits.parts - len(texts_within)])
    count = len(texts) + len(files) + unread
    left_out = count - len(texts_within) - len(files_within)
    if not left_out:
        return texts_within, files_within, ()
    over = Diagnostic(code="too-many-parts", at=at, detail=f"{left_out} of {count} parts")
    return texts_within, files_within, (over,)
