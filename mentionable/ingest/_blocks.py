"""Reads blocks of any dialect: text, files, calls and results of tools, and blocks for one provider only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .._wire.strict_json import well_formed
from ._media import FILES, gemini_file, object_in, text_in
from ._neutral import GEMINI_CODE, Block, Break, Call, Dialect, File, Opaque, Result, Text, Thought
from ._read_bedrock import bedrock_block
from ._read_pydantic_ai import pydantic_ai_block

_Blocks = tuple[Block, ...]

_CHAT: Final[frozenset[Dialect]] = frozenset({"openai"})
_RESPONSES: Final[frozenset[Dialect]] = frozenset({"openai-responses"})
_ANTHROPIC: Final[frozenset[Dialect]] = frozenset({"anthropic"})
_GEMINI: Final[frozenset[Dialect]] = frozenset({"gemini"})
_VERCEL: Final[frozenset[Dialect]] = frozenset({"vercel"})
_BEDROCK: Final[frozenset[Dialect]] = frozenset({"bedrock"})
_LANGCHAIN: Final[frozenset[Dialect]] = frozenset({"langchain"})
_NO_DIALECT: Final[frozenset[Dialect]] = frozenset()

_DIALECT_MEMBERS: Final[Mapping[str, frozenset[Dialect]]] = {
    "annotations": _RESPONSES | _LANGCHAIN,
    "cache_control": _CHAT | _ANTHROPIC | _LANGCHAIN,
    "citations": _ANTHROPIC | _LANGCHAIN,
    "extras": _LANGCHAIN,
    "id": _LANGCHAIN,
    "index": _LANGCHAIN,
    "providerMetadata": _VERCEL,
    "providerOptions": _VERCEL,
    "state": _VERCEL,
}
"""Member → the dialects that have it in blocks of type `text`, a type of four dialects."""

_OPAQUE: Final[Mapping[str, frozenset[Dialect]]] = {
    "bash_code_execution_tool_result": _ANTHROPIC,
    "browser_state": _ANTHROPIC,
    "code_execution_tool_result": _ANTHROPIC,
    "container_upload": _ANTHROPIC,
    "custom": _VERCEL,
    "non_standard": _LANGCHAIN,
    "search_result": _ANTHROPIC,
    "server_tool_call": _LANGCHAIN,
    "server_tool_result": _LANGCHAIN,
    "server_tool_use": _ANTHROPIC,
    "text_editor_code_execution_tool_result": _ANTHROPIC,
    "tool_reference": _ANTHROPIC,
    "tool_search_tool_result": _ANTHROPIC,
    "web_fetch_tool_result": _ANTHROPIC,
    "web_search_tool_result": _ANTHROPIC,
}
_THOUGHTS: Final[Mapping[str, tuple[frozenset[Dialect], tuple[str, ...]]]] = {
    "reasoning": (_VERCEL, ("text",)),
    "reasoning-file": (_VERCEL, ("mediaType",)),
    "redacted_thinking": (_ANTHROPIC | _LANGCHAIN, ("data",)),
    "thinking": (_ANTHROPIC | _LANGCHAIN, ("thinking", "signature")),
    "tool-approval-request": (_VERCEL, ("approvalId", "toolCallId")),
    "tool-approval-response": (_VERCEL, ("approvalId",)),
}
"""Type of a block for one provider only → its dialect, and the members of text that the dialect requires."""

_GEMINI_DATA: Final = frozenset(
    {
        *("function_call", "functionCall", "function_response", "functionResponse"),
        *("inline_data", "inlineData", "file_data", "fileData", *GEMINI_CODE),
    }
)
"""The members of a part of Gemini that stand in place of a text, and never next to one."""

_OUTPUT_MEMBERS: Final = ("output", "result", "error")
"""The only member of a response in Gemini, if the function returns no object of its own."""


def read_block(block: Mapping[str, Any], at: str) -> _Blocks:
    """Read a block; a call that includes its result becomes two blocks.

    Args:
        block: A block of any dialect. One that does not have the form of its type becomes `Opaque`, or an empty
            `File`.
        at: Its JSON pointer.
    """
    kind = block.get("type")
    if kind is None:
        return _part(block, at)
    if not isinstance(kind, str):
        return (Opaque(at=at, source=block),)
    read = _READERS.get(kind)
    if read is not None and (blocks := read(block, at)) is not None:
        return blocks
    if kind in FILES:
        return (FILES[kind](block, at),)
    if kind == "dynamic-tool" or (kind.startswith("tool-") and kind not in _READERS):
        return _ui_tool(block, at) or (Opaque(at=at, type=kind, source=block),)
    return (Opaque(at=at, type=kind, dialects=_OPAQUE.get(kind, _NO_DIALECT), source=block),)


def text_block(text: str, at: str, source: Mapping[str, Any] | None = None) -> Text:
    """A block for text that came as a string, or that this library writes."""
    return Text(at=at, source=source or {}, text=well_formed(text))


def _words(block: Mapping[str, Any], at: str, dialects: frozenset[Dialect], member: str = "text") -> _Blocks | None:
    text = block.get(member)
    if not isinstance(text, str):
        return None
    fit = well_formed(text)
    source = block if fit == text else {**block, member: fit}
    return (Text(at=at, type=str(block.get("type", "text")), dialects=dialects, source=source, text=fit),)


def _text(block: Mapping[str, Any], at: str) -> _Blocks | None:
    dialects = _CHAT | _ANTHROPIC | _VERCEL | _LANGCHAIN
    for name in block.keys() & _DIALECT_MEMBERS.keys():
        dialects &= _DIALECT_MEMBERS[name]
    return _words(block, at, dialects)


def _response_text(block: Mapping[str, Any], at: str) -> _Blocks | None:
    return _words(block, at, _RESPONSES)


def _refusal(block: Mapping[str, Any], at: str) -> _Blocks | None:
    return _words(block, at, _CHAT | _RESPONSES, "refusal")


def _thought(block: Mapping[str, Any], at: str) -> _Blocks:
    kind = block["type"]
    if kind == "reasoning" and isinstance(block.get("reasoning"), str):
        return (Thought(at=at, type=kind, dialects=_LANGCHAIN, source=block),)
    dialects, members = _THOUGHTS[kind]
    fits = all(isinstance(block.get(name), str) and (block[name] or name == "text") for name in members)
    return (Thought(at=at, type=kind, dialects=dialects if fits else _NO_DIALECT, source=block),)


def _break(block: Mapping[str, Any], at: str) -> _Blocks:
    return (Break(at=at, type="step-start", source=block),)


def _call(
    block: Mapping[str, Any], at: str, *, id: str | None, name: str | None, arguments: Any, native: frozenset[Dialect]
) -> _Blocks | None:
    if not name:
        return None
    kind = str(block.get("type", "function_call"))
    return (Call(at=at, type=kind, dialects=native, source=block, id=id or "", name=name, arguments=arguments),)


def chat_call(call: Mapping[str, Any], at: str) -> _Blocks:
    """One of `tool_calls`. A custom tool takes any text in place of arguments."""
    id, custom = text_in(call, "id"), object_in(call, "custom")
    function = custom or object_in(call, "function")
    name, arguments = text_in(function, "name"), function.get("input" if custom else "arguments")
    fits = id and isinstance(arguments, str) and isinstance(call.get("type"), str)
    blocks = _call(call, at, id=id, name=name, arguments=arguments, native=_CHAT if fits else _NO_DIALECT)
    return blocks or (Opaque(at=at, type="tool_call", source=call),)


def _response_call(block: Mapping[str, Any], at: str) -> _Blocks | None:
    id, name, arguments = text_in(block, "call_id"), text_in(block, "name"), block.get("arguments")
    native = _RESPONSES if id and isinstance(arguments, str) else _NO_DIALECT
    return _call(block, at, id=id, name=name, arguments=arguments, native=native)


def _tool_use(block: Mapping[str, Any], at: str) -> _Blocks | None:
    id, name, arguments = text_in(block, "id"), text_in(block, "name"), block.get("input")
    native = _ANTHROPIC if id and isinstance(arguments, Mapping) else _NO_DIALECT
    return _call(block, at, id=id, name=name, arguments=arguments, native=native)


def _tool_call(block: Mapping[str, Any], at: str) -> _Blocks | None:
    """A call of Vercel; before version 5 its `input` was called `args`."""
    id, name = text_in(block, "toolCallId"), text_in(block, "toolName")
    arguments = block.get("input", block.get("args"))
    native = _VERCEL if id and isinstance(block.get("input"), Mapping) else _NO_DIALECT
    return _call(block, at, id=id, name=name, arguments=arguments, native=native)


def _named_call(block: Mapping[str, Any], at: str) -> _Blocks | None:
    """A call of LangChain, whose arguments may be broken JSON."""
    id, name, arguments = text_in(block, "id"), text_in(block, "name"), block.get("args")
    return _call(block, at, id=id, name=name, arguments=arguments, native=_NO_DIALECT)


def _result(
    block: Mapping[str, Any],
    at: str,
    *,
    id: str | None,
    output: Any,
    native: frozenset[Dialect] = _NO_DIALECT,
    name: str | None = None,
    is_error: bool = False,
) -> Result:
    kind = str(block.get("type", "function_response"))
    return Result(
        at=at, type=kind, dialects=native, source=block, id=id or "", name=name or "", output=output, is_error=is_error
    )


def _output(value: Any, at: str) -> Any:
    """The output of a tool, as text or blocks; no output is an empty text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, (list, tuple)) and all(isinstance(item, Mapping) for item in value):
        return tuple([_block_in_result(item, f"{at}/{index}") for index, item in enumerate(value)])
    return _text_or_json(value)


def _block_in_result(block: Mapping[str, Any], at: str) -> Block:
    """A block inside the result of a tool, which may hold text and files only."""
    kind = block.get("type", "")
    blocks = read_block(block, at) if kind not in _TOOLS else ()
    if len(blocks) == 1 and isinstance(blocks[0], (Text, File, Opaque)):
        return blocks[0]
    return Opaque(at=at, type=kind if isinstance(kind, str) else "", source=block)


def _all_are(output: Any, dialect: Dialect) -> bool:
    """Whether a dialect takes the whole output of a tool as it is."""
    return isinstance(output, str) or (isinstance(output, tuple) and all(dialect in item.dialects for item in output))


def chat_result(row: Mapping[str, Any], at: str) -> Result:
    """A whole row of role `tool`; LangChain says by its `status` that the tool failed."""
    content = row.get("content", row.get("parts"))
    id, name = text_in(row, "tool_call_id"), text_in(row, "name", "tool_name")
    output, failed = _output(content, f"{at}/content"), row.get("status") == "error"
    return _result({**row, "type": "tool"}, at, id=id, name=name, output=output, is_error=failed)


def _response_result(block: Mapping[str, Any], at: str) -> _Blocks:
    id, output = text_in(block, "call_id"), _output(block.get("output"), f"{at}/output")
    native = _RESPONSES if id and block.get("output") and _all_are(output, "openai-responses") else _NO_DIALECT
    return (_result(block, at, id=id, output=output, native=native),)


def _tool_result(block: Mapping[str, Any], at: str) -> _Blocks:
    id, output = text_in(block, "tool_use_id"), _output(block.get("content"), f"{at}/content")
    native = _ANTHROPIC if id and _all_are(output, "anthropic") else _NO_DIALECT
    return (_result(block, at, id=id, output=output, native=native, is_error=block.get("is_error") is True),)


def _vercel_result(block: Mapping[str, Any], at: str) -> _Blocks:
    """A result of Vercel; before version 5 it had any JSON as `result` in place of an `output` with a type."""
    id, name, envelope = text_in(block, "toolCallId"), text_in(block, "toolName"), object_in(block, "output")
    if "output" not in block:
        failed = block.get("isError") is True
        return (_result(block, at, id=id, name=name, output=_text_or_json(block.get("result")), is_error=failed),)
    kind, value = envelope.get("type"), envelope.get("value")
    native = _VERCEL if id and name else _NO_DIALECT
    output: Any = ""
    if kind in ("text", "error-text"):
        output, native = text_in(envelope, "value") or "", native if isinstance(value, str) else _NO_DIALECT
    elif kind in ("json", "error-json"):
        output, native = _text_or_json(value), native if "value" in envelope else _NO_DIALECT
    elif kind == "content":
        output = _output(value, f"{at}/output/value")
        native = native if isinstance(output, tuple) and _all_are(output, "vercel") else _NO_DIALECT
    elif kind == "execution-denied":
        output = text_in(envelope, "reason") or "The tool was not allowed to run."
    else:
        output, native = _text_or_json(block["output"]), _NO_DIALECT
    failed = kind in ("error-text", "error-json", "execution-denied")
    return (_result(block, at, id=id, name=name, output=output, native=native, is_error=failed),)


def _text_or_json(value: Any) -> Any:
    """Text, or JSON; a list is never read as blocks."""
    if isinstance(value, str):
        return well_formed(value)
    return "" if value is None else list(value) if isinstance(value, (list, tuple)) else value


def _ui_tool(block: Mapping[str, Any], at: str) -> _Blocks | None:
    """A tool in a message for user interfaces (Vercel): the call, and its result if there is one."""
    kind = block["type"]
    name = text_in(block, "toolName") if kind == "dynamic-tool" else kind.removeprefix("tool-")
    id, state = text_in(block, "toolCallId"), block.get("state")
    call = _call(block, at, id=id, name=name, arguments=block.get("input"), native=_NO_DIALECT) if id else None
    if call is None or state not in ("output-available", "output-error", "output-denied"):
        return call
    failed = state != "output-available"
    output = text_in(block, "errorText") or "The tool failed." if failed else _text_or_json(block.get("output"))
    return (*call, _result(block, at, id=id, name=name, output=output, is_error=failed))


def _part(part: Mapping[str, Any], at: str) -> _Blocks:
    """A part of Gemini, which has no type; its members are in snake case or in camel case.

    Blocks of Bedrock and of pydantic-ai have none either.
    """
    if isinstance(part.get("text"), str) and part.get("thought") is not True:
        is_alone = all(name == "text" or str(name)[:1] == "_" for name in part)
        if not _GEMINI_DATA.isdisjoint(part):
            rest = {name: member for name, member in part.items() if name != "text"}
            return text_block(part["text"], at), *_part(rest, at)
        return _words(part, at, _GEMINI | _BEDROCK if is_alone else _GEMINI) or ()
    if "part_kind" in part or "kind" in part:
        return (pydantic_ai_block(part, at),)
    if part.get("thought") is True:
        return (Thought(at=at, type="thought", dialects=_GEMINI, source=part),)
    if file := gemini_file(part, at):
        return (file,)
    if call := object_in(part, "function_call", "functionCall"):
        id, name, arguments = text_in(call, "id"), text_in(call, "name"), call.get("args") or {}
        native = _GEMINI if isinstance(arguments, Mapping) else _NO_DIALECT
        return _call(part, at, id=id, name=name, arguments=arguments, native=native) or (Opaque(at=at, source=part),)
    if answer := object_in(part, "function_response", "functionResponse"):
        return (_gemini_result(part, answer, at),)
    if block := bedrock_block(part, at):
        return (block,)
    if len(own := [name for name in part if str(name)[:1] != "_"]) == 1:
        return (Opaque(at=at, type=own[0], dialects=_GEMINI if own[0] in GEMINI_CODE else _NO_DIALECT, source=part),)
    return (Opaque(at=at, source=part),)


def _gemini_result(part: Mapping[str, Any], answer: Mapping[str, Any], at: str) -> Result:
    id, name, response = text_in(answer, "id"), text_in(answer, "name"), answer.get("response")
    output, failed = response, False
    if isinstance(response, Mapping) and len(response) == 1 and (only := next(iter(response))) in _OUTPUT_MEMBERS:
        output, failed = response[only], only == "error"
    native = _GEMINI if name and isinstance(response, Mapping) else _NO_DIALECT
    return _result(part, at, id=id, name=name, output=_text_or_json(output), native=native, is_error=failed)


_READERS: Final[Mapping[str, Callable[[Mapping[str, Any], str], _Blocks | None]]] = {
    "text": _text,
    "input_text": _response_text,
    "output_text": _response_text,
    "refusal": _refusal,
    "step-start": _break,
    "function_call": _response_call,
    "function_call_output": _response_result,
    "tool_use": _tool_use,
    "tool_result": _tool_result,
    "tool-call": _tool_call,
    "tool_call": _named_call,
    "invalid_tool_call": _named_call,
    "tool-result": _vercel_result,
    **dict.fromkeys(_THOUGHTS, _thought),
}
_TOOLS: Final = (
    "function_call",
    "function_call_output",
    "invalid_tool_call",
    "tool-call",
    "tool-result",
    "tool_call",
    "tool_result",
    "tool_use",
)
