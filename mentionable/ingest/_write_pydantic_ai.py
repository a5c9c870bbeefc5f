"""Turns as the message history of pydantic-ai, in its JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from .._model.base import replace
from ._neutral import Block, Call, Dialect, File, Opaque, Result, Role, Text, fresh
from ._turns import Turn
from ._write import Message, Writer, arguments_object, data_of

_FILES: Final = frozenset({"audio-url", "binary", "document-url", "image-url", "video-url"})


class PydanticAIWriter(Writer):
    """Writes requests and responses that `ModelMessagesTypeAdapter.validate_json` reads."""

    dialect: ClassVar[Dialect] = "pydantic-ai"
    native: ClassVar[Mapping[Role, frozenset[str] | None]] = {
        "user": _FILES | {"cache-point", "structured-content", "text-content", "uploaded-file"},
        "assistant": frozenset(
            {"builtin-tool-call", "builtin-tool-return", "compaction", "file", "speech", "text", "thinking"}
        ),
        "tool": _FILES,
    }

    def text(self, text: str, role: Role) -> Message:
        """A part of a response; elsewhere an item of content."""
        return {"part_kind": "text", "content": text} if role == "assistant" else {"text": text}

    def file(self, file: File, role: Role) -> Message | None:
        """A file of any kind; a response holds bytes only."""
        if (data := data_of(file)) is not None:
            content: Message = {"kind": "binary", "data": data, "media_type": file.media_type}
            return {"part_kind": "file", "content": content} if role == "assistant" else content
        if not file.url or role == "assistant":
            return None
        half = file.media_type.partition("/")[0]
        kind = half if half in ("image", "audio", "video") else "document"
        media_type = {} if file.media_type.endswith("/*") else {"media_type": file.media_type}
        return {"kind": f"{kind}-url", "url": file.url, **media_type}

    def messages(self, turn: Turn) -> list[Message]:
        """A request, or a response."""
        if turn.role == "assistant":
            blocks = [block for block in turn.blocks if not isinstance(block, Text) or block.text.strip()]
            parts = self.blocks(blocks, turn.role)
            return [{"kind": "response", "parts": parts}] if parts else []
        if turn.role == "tool":
            parts = [self._result(block) for block in turn.blocks if isinstance(block, Result)]
        elif turn.role == "user":
            content = self._items(turn.blocks, "user")
            text = content[0] if turn.is_string and len(content) == 1 else content
            parts = [{"part_kind": "user-prompt", "content": text}] if content else []
        else:
            own = [block for block in turn.blocks if isinstance(block, Opaque) and self.dialect in block.dialects]
            text = self.system_text(replace(turn, blocks=tuple([block for block in turn.blocks if block not in own])))
            prompt = [{"part_kind": "system-prompt", "content": text}] if text else []
            parts = prompt + [self.own(block) for block in own]
        return [{"kind": "request", "parts": parts}] if parts else []

    def finished(self, messages: list[Message]) -> list[Message]:
        """Merge consecutive requests."""
        merged: list[Message] = []
        for message in messages:
            if merged and message["kind"] == merged[-1]["kind"] == "request":
                merged[-1]["parts"] += message["parts"]
            else:
                merged.append(message)
        return merged

    def call(self, call: Call) -> Message:
        """A part `tool-call`."""
        ids = {"tool_name": call.name, "tool_call_id": call.id}
        if self.dialect in call.dialects:
            return {**self.own(call), **ids}
        return {"part_kind": "tool-call", **ids, "args": arguments_object(call)}

    def _result(self, result: Result) -> Message:
        ids = {"tool_name": result.name, "tool_call_id": result.id}
        if self.dialect in result.dialects:
            return {**self.own(result), **ids}
        is_blocks = isinstance(result.output, tuple)
        content = self._items(result.output, "tool") if is_blocks else fresh(result.output, result.at)
        outcome = {"outcome": "failed"} if result.is_error else {}
        return {"part_kind": "tool-return", **ids, "content": content, **outcome}

    def _items(self, blocks: tuple[Block, ...], role: Role) -> list[Any]:
        """Blocks as the content of a prompt, where a text is a string."""
        return [one["text"] if one.keys() == {"text"} else one for one in self.blocks(blocks, role)]
