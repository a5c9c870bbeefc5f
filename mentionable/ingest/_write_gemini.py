"""Turns as contents of Gemini."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from .._text.media import OCTET_STREAM
from ._neutral import Block, Call, Dialect, File, Result, Role, Text, copied, fresh, label, placeholder
from ._turns import Turn
from ._write import Message, Writer, arguments_object, between_users, data_of, is_blank, merged


class GeminiWriter(Writer):
    """Writes contents in which user and model alternate."""

    dialect: ClassVar[Dialect] = "gemini"
    native: ClassVar[Mapping[Role, frozenset[str] | None]] = {"user": None, "assistant": None}

    def text(self, text: str, role: Role) -> Message:
        """A part of text."""
        return {"text": text}

    def file(self, file: File, role: Role) -> Message | None:
        """A file of any kind, without its name: only one of the two services of Gemini takes names."""
        kind = {} if file.media_type.endswith("/*") else {"mime_type": file.media_type}
        if file.url:
            return {"file_data": {**({} if file.media_type == OCTET_STREAM else kind), "file_uri": file.url}}
        data = data_of(file)
        return {"inline_data": {**kind, "data": data}} if data and kind else None

    def messages(self, turn: Turn) -> list[Message]:
        """One content."""
        if turn.role == "tool":
            parts = [self._result(block) for block in turn.blocks if isinstance(block, Result)]
            return [{"role": "user", "parts": parts}] if parts else []
        parts = [part for part in self.blocks(turn.blocks, turn.role) if len(part) > 1 or not is_blank(part)]
        return [{"role": "model" if turn.role == "assistant" else "user", "parts": parts}] if parts else []

    def finished(self, messages: list[Message]) -> list[Message]:
        """Merge consecutive contents of one role, between contents of a user."""
        messages = between_users(messages, "parts", lambda line: self.text(line, "user"))
        runs = merged(messages, "parts", lambda part: "function_response" in part or "functionResponse" in part)
        return [{"role": run["role"], "parts": run["parts"]} for run in runs]

    def call(self, call: Call) -> Message:
        """A part `function_call`."""
        if self.dialect in call.dialects:
            return _renamed(call, "function_call", "functionCall")
        return {"function_call": {**_id(call), "name": call.name, "args": arguments_object(call)}}

    def _result(self, result: Result) -> Message:
        if self.dialect in result.dialects:
            return _renamed(result, "function_response", "functionResponse")
        member = "error" if result.is_error else "output"
        response: Any
        if isinstance(result.output, tuple):
            texts = [self._result_text(block) for block in result.output]
            response = {member: texts if len(texts) > 1 else "".join(texts)}
        elif isinstance(result.output, Mapping) and not result.is_error:
            response = fresh(result.output, result.at)
        else:
            response = {member: fresh(result.output, result.at)}
        return {"function_response": {**_id(result), "name": result.name, "response": response}}

    def _result_text(self, block: Block) -> str:
        """A block in the result of a tool, which is JSON here."""
        if isinstance(block, Text):
            return block.text
        self.report(block, f"{label(block.type) or 'it'} has no form in a result: a line of text replaces it")
        return placeholder(block)


def _renamed(block: Call | Result, *members: str) -> Message:
    """A part as it came, under the name and the id by which its call and its result belong together."""
    copy = copied(block)
    inside = next(copy[name] for name in members if isinstance(copy.get(name), dict))
    inside |= {**_id(block), "name": block.name}
    return copy


def _id(block: Call | Result) -> Message:
    return {"id": block.id} if block.id else {}
