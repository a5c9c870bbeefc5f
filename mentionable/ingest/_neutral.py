"""Blocks that are of no provider: what every dialect is read into, and written from."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from .._errors.exceptions import UsageError
from .._model.base import frozen
from .._text.display_names import neutralize
from .._wire.http import is_web_url
from .._wire.strict_json import VALUE_DEPTH, plain

Dialect: TypeAlias = Literal["openai", "openai-responses", "anthropic", "gemini", "vercel"]
"""How a provider writes messages."""

Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool"]

MAX_NAME: Final = 255
"""Characters of a name where it stands for the file itself."""


@frozen
class Block:
    """One piece of what somebody said, and how it came.

    Attributes:
        at: Where it stands, as a JSON pointer into the rows.
        type: What its dialects call it.
        dialects: Those in which `source` can stand as it is.
        source: The block as it came, never handed out.
    """

    at: str
    type: str = ""
    dialects: frozenset[Dialect] = frozenset()
    source: Mapping[str, Any]


@frozen
class Text(Block):
    """Words."""

    text: str


@frozen
class File(Block):
    """An image, a document, a recording. At most one of `data`, `text` and `url` is there.

    Attributes:
        media_type: What it is; `image/*` for an image of which no more is known.
        data: Its bytes in base64.
        text: The whole file, where it came as text.
        url: Where it lies, by http or https.
        name: What it is called.
    """

    media_type: str
    data: str | None = None
    text: str | None = None
    url: str | None = None
    name: str | None = None


@frozen
class Call(Block):
    """A tool is called.

    Attributes:
        id: What its result names it by; empty where the dialect needs none.
        name: The tool.
        arguments: JSON, or the text that a model gave in place of it.
    """

    id: str
    name: str
    arguments: Any


@frozen
class Result(Block):
    """What a call came to.

    Attributes:
        id: The call; empty where the dialect names none.
        name: The tool, where the result says so.
        output: Text, blocks (a tuple), or any other JSON.
        is_error: Whether the tool failed.
    """

    id: str
    name: str
    output: Any
    is_error: bool = False


@frozen
class Thought(Block):
    """What is for one provider alone, and for nobody's eyes: its reasoning, and approvals on the way."""


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


def named(block: Block) -> str:
    """The line that stands for a block that cannot be given: `[report.pdf (application/pdf)] <https://…>`.

    Brackets of a name become others, so that it cannot look like the header of a turn.
    """
    if isinstance(block, File):
        where = f" <{block.url}>" if block.url and is_web_url(block.url) else ""
        return f"[{shown(block.name or '') or 'file'} ({shown(block.media_type)})]{where}"
    return f"[part ({shown(block.type) or 'unknown'})]"


def shown(text: str) -> str:
    """Text from outside on one line, short, and without what could look like the header of a turn."""
    return neutralize(text[:MAX_NAME])
