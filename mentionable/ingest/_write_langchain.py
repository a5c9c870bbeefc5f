"""Turns as messages of LangChain, as `messages_to_dict` writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from ._neutral import Call, Dialect, File, Result, Role
from ._turns import Turn
from ._write import Message, Writer, arguments_object, known

_DEVELOPER: Final = {"__openai_role__": "developer"}
"""How LangChain marks a system message of the role `developer`."""


class LangChainWriter(Writer):
    """Writes messages that `messages_from_dict` reads."""

    dialect: ClassVar[Dialect] = "langchain"
    native: ClassVar[Mapping[Role, frozenset[str] | None]] = dict.fromkeys(("user", "assistant", "tool"))

    def file(self, file: File, role: Role) -> Message | None:
        """A standard block of its kind."""
        extras = {"extras": {"filename": file.name}} if file.name else {}
        if file.text is not None:
            return {"type": "text-plain", "mime_type": "text/plain", "text": file.text, **extras}
        half = file.media_type.partition("/")[0]
        kind = half if half in ("image", "audio", "video") else "file"
        media_type = {} if file.media_type.endswith("/*") else {"mime_type": file.media_type}
        if file.url:
            return {"type": kind, "url": file.url, **media_type, **extras}
        if not file.data:
            return None
        return {"type": kind, "base64": file.data, "mime_type": file.media_type, **extras}

    def messages(self, turn: Turn) -> list[Message]:
        """One message; one for each result of a tool."""
        if turn.role == "tool":
            return [self._result(block) for block in turn.blocks if isinstance(block, Result)]
        if turn.role in ("system", "developer"):
            text = self.system_text(turn)
            members: Message = {"additional_kwargs": dict(_DEVELOPER)} if turn.role == "developer" else {}
            return [_message("system", text, **members)] if text else []
        calls = [block for block in turn.blocks if isinstance(block, Call)] if turn.role == "assistant" else []
        others = [block for block in turn.blocks if not isinstance(block, Call)] if calls else turn.blocks
        blocks = self.blocks(others, turn.role)
        content: Any = blocks
        if turn.is_string and len(blocks) == 1:
            content = blocks[0]["text"]
        if not blocks:
            if not calls:
                return []
            content = ""
        named = known(turn.row, "name")
        if turn.role == "user":
            return [_message("human", content, **named)]
        return [_message("ai", content, tool_calls=[self.call(call) for call in calls], **named)]

    def call(self, call: Call) -> Message:
        """One of `tool_calls`."""
        return {"type": "tool_call", "id": call.id, "name": call.name, "args": arguments_object(call)}

    def _result(self, result: Result) -> Message:
        status = "error" if result.is_error else "success"
        content = self.output(result)
        return _message("tool", content, tool_call_id=result.id, name=result.name, status=status)


def _message(kind: str, content: Any, **members: Any) -> Message:
    return {"type": kind, "data": {"type": kind, "content": content, **members}}
