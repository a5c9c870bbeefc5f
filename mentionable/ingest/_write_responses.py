"""Turns as items of OpenAI's Responses API."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any, ClassVar, Final

from .._wire.strict_json import well_formed
from ._media import PDF
from ._neutral import Block, Call, Dialect, File, Result, Role, Text, Thought, copied
from ._turns import Turn
from ._write import Message, Writer, arguments_text, data_of, data_url, is_image, known, url_of

_TEXT: Final = frozenset({"input_text"})
_INPUT: Final = frozenset({"input_text", "input_image", "input_file"})
_OUTPUT: Final = frozenset({"output_text", "refusal"})


class ResponsesWriter(Writer):
    """Writes items.

    Each text of an assistant is a message with a string: the provider takes blocks of an assistant only in an item that
    has the id which it gave to it.
    """

    dialect: ClassVar[Dialect] = "openai-responses"
    native: ClassVar[Mapping[Role, frozenset[str] | None]] = {
        "system": _TEXT,
        "developer": _TEXT,
        "user": _INPUT,
        "assistant": frozenset(),
        "tool": _INPUT,
    }

    def text(self, text: str, role: Role) -> Message:
        """A block of text."""
        return {"type": "input_text", "text": text}

    def file(self, file: File, role: Role) -> Message | None:
        """An image, or a document of any kind that `refused` does not name."""
        if role not in ("user", "tool"):
            return None
        if is_image(file):
            url = url_of(file)
            return {"type": "input_image", "image_url": url, "detail": "auto"} if url else None
        if file.url:
            return {"type": "input_file", "file_url": file.url}
        if not data_of(file):
            return None
        name = file.name or ("file.pdf" if file.media_type == PDF else "file")
        return {"type": "input_file", "filename": name, "file_data": data_url(file)}

    def messages(self, turn: Turn) -> list[Message]:
        """The items of a turn, in order."""
        if turn.role == "tool":
            return [self._result(block) for block in turn.blocks if isinstance(block, Result)]
        if turn.role == "assistant":
            return self._items(turn)
        blocks = self.blocks(turn.blocks, turn.role)
        content: Any = blocks[0]["text"] if turn.is_string and len(blocks) == 1 else blocks
        return [{"role": turn.role, "content": content}] if content != [] else []

    def _items(self, turn: Turn) -> list[Message]:
        """The items of an assistant's turn: first its own blocks, then each further text as a message."""
        phase = known(turn.row, "phase")
        own = list(takewhile(self._is_own, turn.blocks)) if _is_item(turn.row) else []
        items: list[Message] = []
        if own:
            item = known(turn.row, "type", "id", "status")
            items.append({**item, "role": "assistant", "content": [copied(block) for block in own], **phase})
        for block in turn.blocks[len(own) :]:
            if isinstance(block, Text) and not block.text.strip() and len(turn.blocks) > 1:
                continue
            if isinstance(block, Call):
                items.append(self.call(block))
            elif isinstance(block, Thought) and self.dialect in block.dialects:
                items.append(copied(block))
            else:
                texts = [written["text"] for written in self.blocks((block,), turn.role)]
                items += [{"role": "assistant", "content": text, **phase} for text in texts]
        return items

    def _is_own(self, block: Block) -> bool:
        return block.type in _OUTPUT and self.dialect in block.dialects

    def call(self, call: Call) -> Message:
        """An item `function_call`."""
        if self.dialect in call.dialects:
            return {**copied(call), "call_id": call.id, "name": call.name}
        arguments = well_formed(arguments_text(call))
        return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments}

    def _result(self, result: Result) -> Message:
        if self.dialect in result.dialects:
            return {**copied(result), "call_id": result.id}
        return {"type": "function_call_output", "call_id": result.id, "output": self.output(result) or ""}


def _is_item(row: Mapping[str, Any]) -> bool:
    """Whether a row is a message in the form in which the provider sends it."""
    return row.get("type") == "message" and isinstance(row.get("id"), str) and isinstance(row.get("status"), str)
