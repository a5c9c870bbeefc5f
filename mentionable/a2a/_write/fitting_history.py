"""How much of the history of stored tasks an answer has where all of it would make a body too large.

Spec: A2A 1.0 §3.2.4.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..._model.stored_task import StoredTask, last_messages
from ..._wire.strict_json import dump_line
from .convert import message_in
from .dialects import Dialect
from .response import as_line


def fitting_lengths(
    tasks: Sequence[StoredTask], dialect: Dialect, *, is_stream: bool, history_length: int | None, excess: int
) -> list[int]:
    """How many of the last messages of each task to write, so that a body loses so many bytes.

    A server may send fewer messages than a client asked for. What fits is shared: short histories stay whole, and long
    ones get the same share of the rest. Where even no history is enough, there is none.

    Args:
        tasks: The tasks of the body.
        dialect: The dialect in which it is written.
        is_stream: Whether it is written into a stream, which escapes more.
        history_length: How many messages of each it had; None: all of them.
        excess: The bytes that are too many.
    """
    visible = [last_messages(task.history, history_length) for task in tasks]
    text_of = as_line if is_stream else dump_line
    sizes = [[len(text_of(message_in(message, dialect)).encode()) for message in history] for history in visible]
    remaining, lengths = max(0, sum(map(sum, sizes)) - excess), [0] * len(sizes)
    by_size = sorted(range(len(sizes)), key=lambda index: sum(sizes[index]))
    for place, index in enumerate(by_size):
        share = remaining // (len(by_size) - place)
        for size in reversed(sizes[index]):
            if size > share:
                break
            share -= size
            remaining -= size
            lengths[index] += 1
    return lengths
