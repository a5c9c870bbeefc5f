"""Blocks of no provider: the readers of all dialects make them, and the writers of all dialects take them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from .._errors.exceptions import UsageError
from .._model.base import frozen
from .._text.display_names import neutralize
from .._text.left_out import file_line
from .._wire.http import is_web_url
from .._wire.strict_json import VALUE_DEPTH, plain

Dialect: TypeAlias = Literal[
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "vercel",
    "bedrock",
    "pydantic-ai",
    "langchain",
    "openai-agents",
]
"""How a provider, or a framework of agents, writes messages."""

Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool"]

GEMINI_CODE: Final = ("executable_code", "executableCode", "code_execution_result", "codeExecutionResult")
"""The members of Gemini's parts for code that the model wrote and ran."""

MAX_NAME: Final = 255
"""Characters of a name in a line of text that replaces a file."""


SAME_FORM: Final[Mapping[Dialect, Dialect]] = {"openai-agents": "openai-responses"}
"""A dialect → the one in whose form it is: the Agents SDK has the items of the Responses API."""


@frozen
class Block:
    """One block of a turn, and its original form.

    Attributes:
        at: Its JSON pointer into the rows.
        type: Its type in its dialects.
        dialects: Those that take `source` as it is.
        source: The original block, never handed out.
    """

    at: str
    type: str = ""
    dialects: frozenset[Dialect] = frozenset()
    source: Mapping[str, Any]


@frozen
class Text(Block):
    """Text."""

    text: str


@frozen
class File(Block):
    """An image, a document or a recording. At most one of `data`, `text` and `url` is set.

    Attributes:
        media_type: Its media type; `image/*` for an image of unknown kind.
        data: Its bytes in base64.
        text: The whole file, where it came as text.
        url: Its http or https URL.
        name: Its name.
    """

    media_type: str
    data: str | None = None
    text: str | None = None
    url: str | None = None
    name: str | None = None


@frozen
class Call(Block):
    """A call of a tool.

    Attributes:
        id: The id by which its result refers to it; empty where the dialect needs none.
        name: The tool.
        arguments: JSON, or the text that a model wrote in place of it.
    """

    id: str
    name: str
    arguments: Any


@frozen
class Result(Block):
    """The result of a call.

    Attributes:
        id: The call; empty where the dialect has no id.
        name: The tool, where the result names it.
        output: Text, blocks (a tuple), or any other JSON.
        is_error: Whether the tool failed.
    """

    id: str
    name: str
    output: Any
    is_error: bool = False


@frozen
class Thought(Block):
    """A block for one provider only, which no reader sees: its reasoning, and approvals of calls."""


@frozen
class Opaque(Block):
    """A block that no other dialect knows."""


@frozen
class Break(Block):
    """A step of an agent ends; the next one begins."""


def place(at: str) -> str:
    """A JSON pointer into the rows, as the program would write it: `/3/content/1` is `rows[3].content[1]`."""
    steps = [f"[{step}]" if step.isdecimal() else f".{step}" for step in at.split("/")[1:]]
    return "rows" + "".join(steps)


def fresh(value: Any, at: str) -> Any:
    """`value` as plain JSON that shares nothing with it.

    Raises:
        UsageError: It holds what JSON cannot carry.
    """
    try:
        return plain(value)
    except UsageError as error:
        raise UsageError(f"{place(at)}: {error}") from None


def copied_row(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A row that shares nothing with `row`; bytes as base64.

    Raises:
        UsageError: It holds what JSON cannot carry: the message names it.
    """
    try:
        copy: dict[str, Any] = plain(_without_bytes(row, VALUE_DEPTH))
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None
    return copy


def copied(block: Block) -> dict[str, Any]:
    """A block as it came, without the members that are for this library; bytes as base64.

    Raises:
        UsageError: It holds what JSON cannot carry.
    """
    own = {name: member for name, member in block.source.items() if str(name)[:1] != "_"}
    copy: dict[str, Any] = fresh(_without_bytes(own, VALUE_DEPTH), block.at)
    return copy


def _without_bytes(value: Any, depth: int) -> Any:
    """`value` with base64 in place of bytes, as far down as JSON may go."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return b64encode(value).decode("ascii")
    if depth > 0 and isinstance(value, Mapping):
        return {name: _without_bytes(member, depth - 1) for name, member in value.items()}
    if depth > 0 and isinstance(value, (list, tuple)):
        return [_without_bytes(item, depth - 1) for item in value]
    return value


def placeholder(block: Block) -> str:
    """The line of text that replaces a block: `[report.pdf (application/pdf)] <https://…>`.

    Brackets in a name are replaced, so that it cannot imitate the header of a turn, or another line of this library.
    """
    if isinstance(block, File):
        where = f" <{block.url}>" if block.url and is_web_url(block.url) else ""
        return file_line(label(block.name or ""), label(block.media_type)) + where
    return f"[part ({label(block.type) or 'unknown'})]"


def label(text: str) -> str:
    """Untrusted text on one line, short, and without characters that could imitate the header of a turn."""
    return neutralize(text[:MAX_NAME])
