"""What the writers of all dialects share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

from .._errors.exceptions import WireError
from .._model.diagnostic import Diagnostic
from .._wire.strict_json import dump_line, loads, well_formed
from ._contexts import joined
from ._files import NONE_REFUSED, Refusal
from ._media import ANY_IMAGE, text_in
from ._neutral import Block, Call, Dialect, File, Result, Role, Text, Thought, copied, fresh, label, placeholder
from ._turns import Turn

EARLIER_OMITTED: Final = "[Earlier messages are not shown.]"
"""The first message of a user, for providers that take no conversation which an assistant begins."""

NOTHING_NEWER: Final = "[There is no newer message.]"
"""The last message of a user, for providers that take no conversation which an assistant ends."""

Message = dict[str, Any]


class Writer(ABC):
    """Writes the turns of one conversation in one dialect.

    Attributes:
        dialect: Which one.
        native: Role → the types of blocks of the dialect that its messages may hold; None for all, but for calls and
            reasoning of others than the assistant.
        refused: The files that the provider does not take, by their places.
        diagnostics: What was left out or replaced.
    """

    dialect: ClassVar[Dialect]
    native: ClassVar[Mapping[Role, frozenset[str] | None]]

    def __init__(self, refused: Mapping[str, Refusal] = NONE_REFUSED) -> None:
        self.refused = refused
        self.diagnostics: list[Diagnostic] = []

    def text(self, text: str, role: Role) -> Message:
        """Write text as a block."""
        return {"type": "text", "text": text}

    @abstractmethod
    def file(self, file: File, role: Role) -> Message | None:
        """Write a file as a block; None where the dialect takes none of its kind."""

    @abstractmethod
    def call(self, call: Call) -> Message:
        """Write a call of a tool."""

    @abstractmethod
    def messages(self, turn: Turn) -> list[Message]:
        """Write a turn as messages; none if it is empty."""

    def write(self, turns: Iterable[Turn]) -> list[Message]:
        """Write all turns; an empty one is left out, with a diagnostic."""
        written: list[Message] = []
        for turn in turns:
            messages = self.messages(turn)
            if not messages:
                self.diagnostics.append(Diagnostic(code="turn-dropped", at=turn.at, detail="it is empty"))
            written += messages
        return self.finished(written)

    def finished(self, messages: list[Message]) -> list[Message]:
        """All messages, as the provider takes them."""
        return messages

    def blocks(self, blocks: Iterable[Block], role: Role) -> list[Message]:
        """Blocks in the dialect: its own as they are, and a line of text for those that it has no form for."""
        allowed = self.native.get(role, frozenset())
        written = []
        for block in blocks:
            if isinstance(block, Call) and role == "assistant":
                written.append(self.call(block))
            elif self.refused and isinstance(block, File) and block.at in self.refused:
                written.append(self.text(self.refuse(block), role))
            elif self.dialect in block.dialects and (
                block.type in allowed
                if allowed is not None
                else role == "assistant" or not isinstance(block, (Call, Thought))
            ):
                written.append(self.own(block))
            elif isinstance(block, Text):
                written.append(self.text(block.text, role))
            elif isinstance(block, Thought):
                self.report(block, "it is for another provider")
            elif isinstance(block, File) and (file := self.file(block, role)) is not None:
                written.append(file)
            else:
                self.report(block, f"{label(block.type) or 'it'} has no form here: a line of text replaces it")
                written.append(self.text(placeholder(block), role))
        return written

    def own(self, block: Block) -> Message:
        """A block that is of this dialect already."""
        return copied(block)

    def system_text(self, turn: Turn) -> str:
        """A turn as one text."""
        return joined([block.text if isinstance(block, Text) else self._system_line(block) for block in turn.blocks])

    def _system_line(self, block: Block) -> str:
        self.report(block, f"{label(block.type) or 'it'} has no form in system text")
        return "" if isinstance(block, Thought) else placeholder(block)

    def refuse(self, file: File) -> str:
        """Report a file that the provider does not take; the line that replaces it."""
        code, detail = self.refused[file.at]
        self.diagnostics.append(Diagnostic(code=code, at=file.at, detail=detail))
        return placeholder(file)

    def report(self, block: Block, detail: str) -> None:
        """Add a diagnostic about a block that the dialect cannot carry as it is."""
        self.diagnostics.append(Diagnostic(code="part-unsupported", at=block.at, detail=detail))

    def output(self, result: Result) -> Any:
        """The output of a tool: blocks, or text."""
        if isinstance(result.output, tuple):
            return self.blocks(result.output, "tool")
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
    """The arguments of a call as an object; anything else becomes the one argument `arguments`."""
    arguments = call.arguments
    if isinstance(arguments, Mapping):
        copy: dict[str, Any] = fresh(arguments, call.at)
        return copy
    if arguments is None or arguments == "":
        return {}
    if not isinstance(arguments, str):
        return {"arguments": json_text(arguments, call.at)}
    try:
        data = arguments.encode("utf-8", "replace")
        parsed = loads(data, max_bytes=len(data), safe_integers=False)
    except WireError:  # a model may write broken JSON
        parsed = None
    return parsed if isinstance(parsed, dict) else {"arguments": well_formed(arguments)}


def url_of(file: File) -> str | None:
    """The URL of a file, or its bytes as a data URL; None if it has neither."""
    return file.url or (data_url(file) if file.data else None)


def data_url(file: File) -> str:
    """The bytes of a file as a data URL."""
    return f"data:{file.media_type};base64,{data_of(file)}"


def data_of(file: File) -> str | None:
    """The bytes of a file in base64, also of one that came as text."""
    return b64encode(file.text.encode()).decode("ascii") if file.text is not None else file.data


def is_image(file: File) -> bool:
    """Whether a file is an image. One with bytes needs its exact media type."""
    return file.media_type.startswith("image/") and (file.data is None or file.media_type != ANY_IMAGE)


def known(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Some members of a row, where they are text."""
    return {name: text for name in names if (text := text_in(row, name)) is not None}


def between_users(messages: list[Message], member: str, line: Callable[[str], Message]) -> list[Message]:
    """Messages of which a user has the first and the last.

    Args:
        messages: In order.
        member: The member that holds the blocks.
        line: Writes a line of this library as a block.
    """
    if messages and messages[0]["role"] != "user":
        messages = [{"role": "user", member: [line(EARLIER_OMITTED)], "_string": True}, *messages]
    if messages and messages[-1]["role"] != "user":
        messages = [*messages, {"role": "user", member: [line(NOTHING_NEWER)], "_string": True}]
    return messages


def is_blank(block: Mapping[str, Any]) -> bool:
    """Whether a block contains nothing but white space."""
    text = block.get("text")
    return isinstance(text, str) and not text.strip()


def merged(messages: list[Message], member: str, is_result: Callable[[Message], bool]) -> list[Message]:
    """Merge consecutive messages of one role; results of tools come first in the merged message.

    Args:
        messages: Each with a list of blocks under `member`.
        member: The member that holds the blocks.
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
