"""Turns as messages of Bedrock's Converse API, in their JSON form: bytes are base64."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Final

from ._files import NONE_REFUSED, Refusal
from ._neutral import Block, Call, Dialect, File, Result, Role, copied, fresh
from ._rules import BEDROCK_DOCUMENTS, DOCUMENT_NAMES
from ._turns import Turn
from ._write import Message, Writer, arguments_object, between_users, data_of, is_blank, is_image, json_text, merged

NO_TEXT: Final = "[The message has no text.]"
"""The text of a message that has documents alone."""

NO_OUTPUT: Final = "[The tool has no output.]"
"""The result of a tool that returned nothing."""

_BLANKS: Final = re.compile(r"\s++")


class BedrockWriter(Writer):
    """Writes messages in which user and assistant alternate."""

    dialect: ClassVar[Dialect] = "bedrock"
    native: ClassVar[Mapping[Role, frozenset[str] | None]] = {
        "user": frozenset(
            {"text", "image", "document", "video", "audio", "guardContent", "cachePoint", "searchResult"}
        ),
        "assistant": frozenset({"text", "reasoningContent", "citationsContent", "cachePoint"}),
        "tool": frozenset({"text", "json", "image", "document", "video", "searchResult"}),
    }

    def __init__(self, refused: Mapping[str, Refusal] = NONE_REFUSED) -> None:
        super().__init__(refused)
        self._names: set[str] = set()
        self._last_number: dict[str, int] = {}

    def text(self, text: str, role: Role) -> Message:
        """A block of text."""
        return {"text": text}

    def file(self, file: File, role: Role) -> Message | None:
        """An image or a document of a format that Bedrock takes."""
        data = data_of(file)
        if role not in ("user", "tool") or not data:
            return None
        if is_image(file):
            return {"image": {"format": file.media_type.partition("/")[2], "source": {"bytes": data}}}
        word = BEDROCK_DOCUMENTS[file.media_type]
        return {"document": {"format": word, "name": self._name(file), "source": {"bytes": data}}}

    def own(self, block: Block) -> Message:
        """A block of Bedrock; a document under a name that no other one has."""
        copy = copied(block)
        if isinstance(block, File) and block.type == "document":
            copy["document"]["name"] = self._name(block)
        return copy

    def messages(self, turn: Turn) -> list[Message]:
        """One message."""
        if turn.role == "tool":
            content = [self._result(block) for block in turn.blocks if isinstance(block, Result)]
        else:
            content = [block for block in self.blocks(turn.blocks, turn.role) if not is_blank(block)]
        role = "assistant" if turn.role == "assistant" else "user"
        return [{"role": role, "content": content}] if content else []

    def finished(self, messages: list[Message]) -> list[Message]:
        """Merge consecutive messages of one role, between messages of a user; a document comes with a text."""
        messages = between_users(messages, "content", lambda line: {"text": line})
        runs = merged(messages, "content", lambda block: "toolResult" in block)
        for run in runs:
            kinds = {kind for block in run["content"] for kind in block}
            if "document" in kinds and "text" not in kinds:
                run["content"].append({"text": NO_TEXT})
        return [{"role": run["role"], "content": run["content"]} for run in runs]

    def call(self, call: Call) -> Message:
        """A block `toolUse`."""
        ids = {"toolUseId": call.id, "name": call.name}
        if self.dialect in call.dialects:
            return {"toolUse": {**copied(call)["toolUse"], **ids}}
        return {"toolUse": {**ids, "input": arguments_object(call)}}

    def _result(self, result: Result) -> Message:
        status = {"status": "error"} if result.is_error else {}
        if isinstance(result.output, tuple):
            content = [block for block in self.blocks(result.output, "tool") if not is_blank(block)]
        elif isinstance(result.output, Mapping):
            content = [{"json": fresh(result.output, result.at)}]
        else:
            text = result.output if isinstance(result.output, str) else json_text(result.output, result.at)
            content = [{"text": text}] if text.strip() else []
        return {"toolResult": {"toolUseId": result.id, "content": content or [{"text": NO_OUTPUT}], **status}}

    def _name(self, file: File) -> str:
        """A name that Bedrock takes for a document, and that no other document has."""
        allowed = DOCUMENT_NAMES.characters
        plain = "".join([one if one in allowed else " " for one in file.name or ""])
        short = _BLANKS.sub(" ", plain).strip()[: DOCUMENT_NAMES.max_length - 8].strip() or "document"
        name, number = short, self._last_number.get(short, 1)
        while name in self._names:
            number += 1
            name = f"{short} ({number})"
        self._names.add(name)
        self._last_number[short] = number
        return name
