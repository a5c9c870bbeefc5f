"""Turns as model messages of Vercel's AI SDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ._neutral import Block, Call, Dialect, File, Result, Role, Text, Thought, copied, fresh
from ._turns import Turn
from ._write import Message, Writer, arguments_object, data_of


class VercelWriter(Writer):
    """Writes model messages."""

    dialect: ClassVar[Dialect] = "vercel"
    native: ClassVar[Mapping[Role, frozenset[str] | None]] = {
        "user": frozenset({"text", "image", "file"}),
        "assistant": frozenset({"text", "file", "reasoning", "reasoning-file", "custom", "tool-approval-request"}),
        "tool": frozenset({"tool-approval-response"}),
    }

    def file(self, file: File, role: Role) -> Message | None:
        """A file of any kind."""
        data = file.url or data_of(file)
        if data is None:
            return None
        filename = {"filename": file.name} if file.name else {}
        return {"type": "file", "mediaType": file.media_type, "data": data, **filename}

    def messages(self, turn: Turn) -> list[Message]:
        """One message; all results of a turn together."""
        own = {}
        if isinstance(options := turn.row.get("providerOptions"), Mapping):
            own["providerOptions"] = fresh(options, f"{turn.at}/providerOptions")
        content: Any
        if turn.role in ("system", "developer"):
            return [{"role": "system", "content": self.system_text(turn), **own}] if turn.blocks else []
        content = self._content(turn.blocks, turn.role)
        if turn.is_string and len(content) == 1 and content[0]["type"] == "text":
            content = content[0]["text"]
        return [{"role": turn.role, "content": content, **own}] if content != [] else []

    def _content(self, blocks: tuple[Block, ...], role: Role) -> list[Message]:
        written: list[Message] = []
        for block in blocks:
            if isinstance(block, Text) and not block.text.strip() and len(blocks) > 1:
                continue
            if isinstance(block, Result):
                written.append(self._result(block))
            elif role != "tool" or isinstance(block, Thought):
                written += self.blocks((block,), role)
            else:
                self.report(block, "it is no result of a tool")
        return written

    def call(self, call: Call) -> Message:
        """A part `tool-call`."""
        if self.dialect in call.dialects:
            return {**copied(call), "toolCallId": call.id, "toolName": call.name}
        return {"type": "tool-call", "toolCallId": call.id, "toolName": call.name, "input": arguments_object(call)}

    def _result(self, result: Result) -> Message:
        ids = {"toolCallId": result.id, "toolName": result.name}
        if self.dialect in result.dialects:
            return {**copied(result), **ids}
        return {"type": "tool-result", **ids, "output": self._output(result)}

    def _output(self, result: Result) -> Message:
        error = "error-" if result.is_error else ""
        if isinstance(result.output, str):
            return {"type": f"{error}text", "value": result.output}
        if not isinstance(result.output, tuple):
            return {"type": f"{error}json", "value": fresh(result.output, result.at)}
        if result.is_error and all(isinstance(block, Text) for block in result.output):
            return {"type": "error-json", "value": [block.text for block in result.output if isinstance(block, Text)]}
        return {"type": "content", "value": [self._tool_part(block) for block in result.output]}

    def _tool_part(self, block: Block) -> Message:
        """A block in the result of a tool, where files have types of their own."""
        if isinstance(block, File):
            if block.url:
                return {"type": "file-url", "url": block.url, "mediaType": block.media_type}
            if (data := data_of(block)) is not None:
                filename = {"filename": block.name} if block.name else {}
                return {"type": "file-data", "data": data, "mediaType": block.media_type, **filename}
        return self.blocks((block,), "tool")[0]
