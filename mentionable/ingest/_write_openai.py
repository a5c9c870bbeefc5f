"""Turns as messages of OpenAI's Chat Completions, which many servers speak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from .._wire.strict_json import well_formed
from ._neutral import Call, Dialect, File, Result, Role, copied, fresh
from ._rules import OPENAI_AUDIO
from ._turns import Turn
from ._write import Message, Writer, arguments_text, data_url, is_image, known, url_of

_TEXT: Final = frozenset({"text"})


class OpenAIWriter(Writer):
    """Writes chat messages."""

    dialect: ClassVar[Dialect] = "openai"
    native: ClassVar[Mapping[Role, frozenset[str] | None]] = {
        "system": _TEXT,
        "developer": _TEXT,
        "user": frozenset({"text", "image_url", "input_audio", "file"}),
        "assistant": frozenset({"text", "refusal"}),
        "tool": _TEXT,
    }

    def file(self, file: File, role: Role) -> Message | None:
        """An image, a recording, or the bytes of a PDF."""
        if role != "user":
            return None
        if is_image(file):
            url = url_of(file)
            return {"type": "image_url", "image_url": {"url": url}} if url else None
        if not file.data:
            return None
        if form := OPENAI_AUDIO.get(file.media_type):
            return {"type": "input_audio", "input_audio": {"data": file.data, "format": form}}
        return {"type": "file", "file": {"filename": file.name or "file.pdf", "file_data": data_url(file)}}

    def messages(self, turn: Turn) -> list[Message]:
        """One message; one for each result of a tool."""
        if turn.role == "tool":
            return [self._result(block) for block in turn.blocks if isinstance(block, Result)]
        calls = [block for block in turn.blocks if isinstance(block, Call)] if turn.role == "assistant" else []
        others = [block for block in turn.blocks if not isinstance(block, Call)] if calls else turn.blocks
        blocks = self.blocks(others, turn.role)
        content: Any = blocks or None
        if turn.is_string and len(blocks) == 1:
            content = blocks[0]["text"]
        message: Message = {"role": turn.role, "content": content, **known(turn.row, "name")}
        if turn.role == "assistant":
            message |= known(turn.row, "refusal")
            if isinstance(audio := turn.row.get("audio"), Mapping):
                message["audio"] = fresh(audio, f"{turn.at}/audio")
            if calls:
                message["tool_calls"] = [self.call(call) for call in calls]
        return [message] if content is not None or message.keys() & {"refusal", "audio", "tool_calls"} else []

    def call(self, call: Call) -> Message:
        """One of `tool_calls`."""
        if self.dialect in call.dialects:
            copy = copied(call)
            custom = copy.get("custom")
            (custom if isinstance(custom, dict) and custom else copy["function"])["name"] = call.name
            return {**copy, "id": call.id}
        function = {"name": call.name, "arguments": well_formed(arguments_text(call))}
        return {"id": call.id, "type": "function", "function": function}

    def _result(self, result: Result) -> Message:
        content = self.output(result) or ""
        name = {"name": result.name} if result.type == "tool" and isinstance(result.source.get("name"), str) else {}
        return {"role": "tool", "tool_call_id": result.id, "content": content, **name}
