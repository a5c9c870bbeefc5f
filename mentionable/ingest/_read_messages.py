"""Reads the histories of frameworks of agents as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

from .._errors.exceptions import UsageError
from ._media import text_in
from ._neutral import Opaque, copied_row
from ._read_pydantic_ai import pydantic_ai_block
from ._turns import ITEMS, ROLES

Framework: TypeAlias = Literal["pydantic-ai", "langchain", "openai-agents"]
"""A framework of agents, by the form in which it keeps a conversation."""

_Row = dict[str, Any]

_LANGCHAIN_ROLES: Final[Mapping[str, str]] = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "assistant": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "tool",
    "chat": "user",
}
_LANGCHAIN_CALLS: Final = frozenset({"tool_use", "function_call", "tool_call"})
"""Types of blocks that are calls: providers of LangChain keep them in the content too."""


def read_messages(messages: Iterable[Mapping[str, Any]], *, dialect: Framework) -> tuple[dict[str, Any], ...]:
    """Read the history of a framework of agents as rows, for `assemble` and `lower`.

    `lower` writes such a history, with the name of the framework as its dialect. Nothing of it is lost on the way: what
    only the framework knows stays as it is for it, and becomes a line of text elsewhere.

    Args:
        messages: As plain JSON. Of pydantic-ai what `ModelMessagesTypeAdapter.dump_json` wrote; of LangChain what
            `messages_to_dict` or `dumpd` returned; of the OpenAI Agents SDK the items of `to_input_list()`.
        dialect: `pydantic-ai`, `langchain` or `openai-agents`.

    Returns:
        Rows, in order, fresh. A row has no metadata: add who sent it under `_metadata`.

    Raises:
        UsageError: A message is none of the framework, and the text names it. Or the dialect has none of its values.

    Spec: Message Ingest Contract §What the assembly layer does on your behalf.

    Example:
        >>> stored = [{"type": "human", "data": {"content": "hi"}}, {"type": "ai", "data": {"content": "hello"}}]
        >>> for row in read_messages(stored, dialect="langchain"):
        ...     print(row["role"], row["content"])
        user hi
        assistant hello
    """
    if dialect not in get_args(Framework):
        raise UsageError(f"dialect: expected {' or '.join(map(repr, get_args(Framework)))}")
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Iterable):
        raise UsageError(f"messages: expected the messages of a conversation, not {type(messages).__name__}")
    return tuple([copied_row(row, f"messages[{index}]") for index, row in _READERS[dialect](messages)])


def _objects(messages: Iterable[Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for index, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise UsageError(f"messages[{index}]: expected a mapping, not {type(message).__name__}")
        yield index, message


def _langchain(messages: Iterable[Any]) -> Iterator[tuple[int, _Row]]:
    for index, message in _objects(messages):
        kind, data = message.get("type"), message
        if isinstance(message.get("kwargs"), Mapping):  # as `dumpd` writes it
            data = message["kwargs"]
            kind = data.get("type")
        elif isinstance(message.get("data"), Mapping):
            data = message["data"]
        kind = str(kind).removesuffix("MessageChunk").lower()
        role = _LANGCHAIN_ROLES.get(kind)
        if role is None:
            raise UsageError(f"messages[{index}].type: expected {', '.join(_LANGCHAIN_ROLES)}")
        yield index, _langchain_row(kind, role, data)


def _langchain_row(kind: str, role: str, data: Mapping[str, Any]) -> _Row:
    content, name = data.get("content"), text_in(data, "name")
    named = {"name": name} if name is not None else {}
    if role == "tool":
        ids = {name: data[name] for name in ("tool_call_id", "status") if name in data}
        return {"role": "tool", "content": content, **ids, **named}
    own_role = data.get("role")
    if kind == "chat" and isinstance(own_role, str):
        role = ROLES.get(own_role, "user")
    extra = data.get("additional_kwargs")
    if role == "system" and isinstance(extra, Mapping) and extra.get("__openai_role__") == "developer":
        role = "developer"
    calls = _langchain_calls(content, data)
    if not calls:
        return {"role": role, "content": content, **named}
    return {"role": role, "content": [*_blocks(content), *calls], **named}


def _blocks(content: Any) -> Iterable[Any]:
    """The content before calls: blocks as they are."""
    if content is None or content == "":
        return ()
    return content if isinstance(content, (list, tuple)) else (content,)


def _langchain_calls(content: Any, data: Mapping[str, Any]) -> list[Any]:
    """The calls of a message that are not in its content too."""
    blocks = content if isinstance(content, (list, tuple)) else ()
    ids = {
        text_in(block, "call_id", "id")
        for block in blocks
        if isinstance(block, Mapping) and text_in(block, "type") in _LANGCHAIN_CALLS
    }
    calls = []
    for member, kind in (("tool_calls", "tool_call"), ("invalid_tool_calls", "invalid_tool_call")):
        items = data.get(member)
        for call in items if isinstance(items, (list, tuple)) else ():
            if not (isinstance(call, Mapping) and text_in(call, "id") in ids):
                calls.append({**call, "type": kind} if isinstance(call, Mapping) else call)
    return calls


def _pydantic_ai(messages: Iterable[Any]) -> Iterator[tuple[int, _Row]]:
    last_instructions = None
    for index, message in _objects(messages):
        kind, parts = message.get("kind"), message.get("parts")
        if kind not in ("request", "response"):
            raise UsageError(f"messages[{index}].kind: expected 'request' or 'response'")
        if not isinstance(parts, (list, tuple)) or not all(isinstance(part, Mapping) for part in parts):
            raise UsageError(f"messages[{index}].parts: expected a list of parts")
        if kind == "response":
            yield index, {"role": "assistant", "content": list(parts)}
            continue
        instructions = text_in(message, "instructions")
        if instructions and instructions != last_instructions:
            last_instructions = instructions
            yield index, {"role": "system", "content": instructions}
        for part in parts:
            yield index, _request_row(part)


def _request_row(part: Mapping[str, Any]) -> _Row:
    kind, content = part.get("part_kind"), part.get("content")
    if kind == "user-prompt":
        return {"role": "user", "content": content}
    if kind == "system-prompt":
        return {"role": "system", "content": content}
    if kind == "tool-return" or (kind == "retry-prompt" and part.get("tool_name") is not None):
        return {"role": "tool", "content": [part]}
    if kind in ("retry-prompt", "retry-feedback") and isinstance(content, str):
        return {"role": "user", "content": content}
    # What only the framework knows says nothing to a model; all else that is no system prompt is a person's.
    return {"role": "system" if isinstance(pydantic_ai_block(part, ""), Opaque) else "user", "content": [part]}


def _openai_agents(messages: Iterable[Any]) -> Iterator[tuple[int, _Row]]:
    for index, item in _objects(messages):
        kind, id = str(item.get("type", "message")), item.get("call_id")
        if "role" in item or kind in ITEMS:
            yield index, dict(item)
        elif kind == "custom_tool_call":
            call = {"type": "custom", "id": id, "custom": {"name": item.get("name"), "input": item.get("input")}}
            yield index, {"role": "assistant", "content": None, "tool_calls": [call]}
        elif kind == "custom_tool_call_output":
            yield index, {"type": "function_call_output", "call_id": id, "output": item.get("output")}
        else:
            yield index, {"role": "assistant", "content": [item]}


_READERS: Final[Mapping[Framework, Callable[[Iterable[Any]], Iterator[tuple[int, _Row]]]]] = {
    "pydantic-ai": _pydantic_ai,
    "langchain": _langchain,
    "openai-agents": _openai_agents,
}
