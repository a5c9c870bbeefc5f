"""What all dialects share when turns are written in them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

from .._errors.exceptions import WireError
from .._model.diagnostic import Diagnostic
from .._wire.strict_json import dump_line, loads, well_formed
from ._contexts import joined
from ._media import ANY_IMAGE, text_in
from ._neutral import Block, Call, Dialect, File, Result, Role, Text, Thought, copied, fresh, named, shown
from ._turns import Turn

NOT_SHOWN: Final = "[Earlier messages are not shown.]"
"""What a user says where a provider wants the first word to be a user's, and it was not."""

Message = dict[str, Any]


class Writer(ABC):
    """Writes turns in one dialect, and notes what it could not.

    Attributes:
        dialect: Which one.
        native: Role → the types of blocks of the dialect that may stand there; None for all.
        alternates: Whether user and assistant must alternate, and system text stands beside the messages.
        notes: What was left out or replaced.
    """

    dialect: ClassVar[Dialect]
    native: ClassVar[Mapping[Role, frozenset[str] | None]]
    alternates: ClassVar[bool] = False

    def __init__(self, notes: list[Diagnostic]) -> None:
        self.notes = notes

    @abstractmethod
    def text(self, text: str, role: Role) -> Message:
        """A block of words."""

    @abstractmethod
    def file(self, file: File, role: Role) -> Message | None:
        """A file, or None where it cannot be said."""

    @abstractmethod
    def messages(self, turn: Turn) -> list[Message]:
        """A turn as messages; none when it says nothing."""

    def write(self, turns: Iterable[Turn]) -> list[Message]:
        """All turns; those that say nothing are noted."""
        written: list[Message] = []
        for turn in turns:
            found = self.messages(turn)
            if not found:
                self.notes.append(Diagnostic(code="turn-dropped", at=turn.at, detail="it says nothing"))
            written += found
        return self.finished(written)

    def finished(self, messages: list[Message]) -> list[Message]:
        """All messages as they go out."""
        return messages

    def said(self, blocks: Iterable[Block], role: Role) -> list[Message]:
        """Blocks as the dialect writes them: those of its own as they are, a line of text for what it cannot say."""
        allowed = self.native.get(role, frozenset())
        written = []
        for block in blocks:
            if self.dialect in block.dialects and (allowed is None or block.type in allowed):
                written.append(self.own(block))
            elif isinstance(block, Text):
                written.append(self.text(block.text, role))
            elif isinstance(block, Thought):
                self.note(block, "it is for another provider")
            elif isinstance(block, File) and (made := self.file(block, role)) is not None:
                written.append(made)
            else:
                self.note(block, f"{shown(block.type) or 'it'} cannot be said here: a line of text stands for it")
                written.append(self.text(named(block), role))
        return written

    def own(self, block: Block) -> Message:
        """A block that is of this dialect already."""
        return copied(block)

    def words(self, turn: Turn) -> str:
        """A turn as one text."""
        return joined([block.text if isinstance(block, Text) else self._stand_in(block) for block in turn.blocks])

    def _stand_in(self, block: Block) -> str:
        self.note(block, f"{shown(block.type) or 'it'} cannot be said by a system")
        return "" if isinstance(block, Thought) else named(block)

    def note(self, block: Block, detail: str) -> None:
        self.notes.append(Diagnostic(code="part-unsupported", at=block.at, detail=detail))

    def given_back(self, result: Result) -> Any:
        """What a tool gave: its blocks, or text."""
        if isinstance(result.output, tuple):
            return self.said(result.output, "tool")
        return result.output if isinstance(result.output, str) else json_text(result.output, result.at)


def json_text(value: Any, at: str) -> str:
    """Any JSON on one line.

    Raises:
        UsageError: It holds what JSON cannot carry.
    """
    return dump_line(fresh(value, at))


def arguments_text(call: Call) -> str:
    """The arguments of a call as the text of a JSON object; text of a model stays as it is."""
    if isinstance(call.arguments, str):
        return call.arguments or "{}"
    return "{}" if call.arguments is None else json_text(call.arguments, call.at)


def arguments_object(call: Call) -> dict[str, Any]:
    """The arguments of a call as an object; what is none becomes the one argument `arguments`."""
    given = call.arguments
    if isinstance(given, Mapping):
        made: dict[str, Any] = fresh(given, call.at)
        return made
    if given is None or given == "":
        return {}
    if not isinstance(given, str):
        return {"arguments": json_text(given, call.at)}
    try:
        data = given.encode("utf-8", "replace")
        found = loads(data, max_bytes=len(data), safe_integers=False)
    except WireError:
        found = None
    return found if isinstance(found, dict) else {"arguments": well_formed(given)}


def url_of(file: File) -> str | None:
    """Where a file lies, or its bytes as a URL; None when it has neither."""
    return file.url or (data_url(file) if file.data else None)


def data_url(file: File) -> str:
    """The bytes of a file as a data URL."""
    return f"data:{file.media_type};base64,{data_of(file)}"


def data_of(file: File) -> str | None:
    """The bytes of a file in base64, also of one that came as text."""
    return b64encode(file.text.encode()).decode("ascii") if file.text is not None else file.data


def is_image(file: File) -> bool:
    """Whether a file is an image, of which more is known than that when it has bytes."""
    return file.media_type.startswith("image/") and (file.data is None or file.media_type != ANY_IMAGE)


def known(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Some members of a row, where they are text."""
    return {name: text for name in names if (text := text_in(row, name)) is not None}


def is_blank(block: Mapping[str, Any]) -> bool:
    """Whether a block is one of text with nothing to read in it."""
    text = block.get("text")
    return isinstance(text, str) and not text.strip()


def merged(messages: list[Message], member: str, is_result: Callable[[Message], bool]) -> list[Message]:
    """Messages of one role after one another as one; results of tools stand first in it.

    Args:
        messages: Each with a list of blocks under `member`.
        member: Where the blocks are.
        is_result: Whether a block is the result of a tool.
    """
    runs: list[Message] = []
    for message in messages:
        if runs and runs[-1]["role"] == message["role"]:
            runs[-1][member] += message[member]
            runs[-1].pop("_string", None)
        else:
            runs.append(message)
    for run in runs:
        run[member].sort(key=lambda block: not is_result(block))
    return runs
