"""Turns as messages of Anthropic."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import ClassVar

from ._media import PDF
from ._neutral import Call, Dialect, File, Result, Role, copied
from ._turns import Turn
from ._write import Message, Writer, arguments_object, between_users, is_blank, is_image, merged


class AnthropicWriter(Writer):
    """Writes messages in which user and assistant alternate."""

    dialect: ClassVar[Dialect] = "anthropic"
    native: ClassVar[Mapping[Role, frozenset[str] | None]] = {
        "user": frozenset({"text", "image", "document", "search_result", "container_upload"}),
        "assistant": frozenset(
            {
                "text",
                "thinking",
                "redacted_thinking",
                "server_tool_use",
                "bash_code_execution_tool_result",
                "code_execution_tool_result",
                "container_upload",
                "text_editor_code_execution_tool_result",
                "tool_search_tool_result",
                "web_fetch_tool_result",
                "web_search_tool_result",
            }
        ),
        "tool": frozenset({"text", "image", "document", "search_result", "tool_reference", "browser_state"}),
    }

    def file(self, file: File, role: Role) -> Message | None:
        """An image of a kind that Anthropic takes, a PDF, or text."""
        if role not in ("user", "tool"):
            return None
        if is_image(file):
            source = _image_source(file)
            return {"type": "image", "source": source} if source else None
        source = _document_source(file)
        if source is None:
            return None
        return {"type": "document", "source": source, **({"title": file.name} if file.name else {})}

    def messages(self, turn: Turn) -> list[Message]:
        """One message with a list of blocks; `finished` makes a string of what came as a string."""
        if turn.role == "tool":
            blocks = [self._result(block) for block in turn.blocks if isinstance(block, Result)]
            return [{"role": "user", "content": blocks}] if blocks else []
        blocks = [block for block in self.blocks(turn.blocks, turn.role) if not is_blank(block)]
        return [{"role": turn.role, "content": blocks, "_string": turn.is_string}] if blocks else []

    def finished(self, messages: list[Message]) -> list[Message]:
        """Merge consecutive messages of one role, between messages of a user."""
        messages = between_users(messages, "content", lambda line: self.text(line, "user"))
        return [_with_string(run) for run in merged(messages, "content", lambda block: block["type"] == "tool_result")]

    def call(self, call: Call) -> Message:
        """A block `tool_use`."""
        if self.dialect in call.dialects:
            return {**copied(call), "id": call.id, "name": call.name}
        return {"type": "tool_use", "id": call.id, "name": call.name, "input": arguments_object(call)}

    def _result(self, result: Result) -> Message:
        if self.dialect in result.dialects:
            return {**copied(result), "tool_use_id": result.id}
        content = self.output(result)
        if isinstance(content, list):
            content = [block for block in content if not is_blank(block)]
        message = {"type": "tool_result", "tool_use_id": result.id, "content": content}
        return {**message, "is_error": True} if result.is_error else message


def _with_string(run: Message) -> Message:
    """A message with a string as its content, where it came as a string."""
    content = run["content"]
    if run.pop("_string", False) and len(content) == 1 and content[0].keys() == {"type", "text"}:
        return {"role": run["role"], "content": content[0]["text"]}
    return run


def _image_source(file: File) -> Message | None:
    if file.data:
        return {"type": "base64", "media_type": file.media_type, "data": file.data}
    return {"type": "url", "url": file.url} if file.url else None


def _document_source(file: File) -> Message | None:
    if file.media_type == PDF and file.data:
        return {"type": "base64", "media_type": PDF, "data": file.data}
    if file.media_type == PDF and file.url:
        return {"type": "url", "url": file.url}
    text = _decoded(file.data) if file.data else file.text
    return {"type": "text", "media_type": "text/plain", "data": text} if text is not None else None


def _decoded(data: str) -> str | None:
    try:
        return b64decode(data).decode("utf-8")
    except UnicodeDecodeError:
        return None
