"""Facts about a prompt: who says what under which name, what is asked now, and what only a system says.

The words in which a system tells who takes part are each implementation's own, and so is the form of a provider. So
facts are found in the texts, whatever stands around them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

__all__ = ["PROMPT"]

Fact: TypeAlias = Callable[[Any], Any]
Block: TypeAlias = tuple[str, Any]
"""A role, and a text or a block of another kind."""

_SYSTEM: Final = ("system", "developer")
_HEADED: Final = re.compile(r"\[[^\[\]\r\n]+\]:(?: |\Z)")
_LIKE_A_HEADER: Final = re.compile(r"[ \t]*\[([^\]]+)\]:")


def _blocks(value: Mapping[str, Any]) -> Iterator[Block]:
    """Every text and block in order, whatever the provider calls them."""
    if value["system"] is not None:
        yield "system", value["system"]
    for message in value["messages"]:
        role = "assistant" if message["role"] == "model" else message["role"]
        content = message.get("content", message.get("parts"))
        for block in [content] if isinstance(content, str) else content:
            yield role, block["text"] if isinstance(block, Mapping) and "text" in block else block


def _texts(value: Mapping[str, Any], *roles: str) -> list[str]:
    return [text for role, text in _blocks(value) if role in roles and isinstance(text, str)]


def _is_turn(message: Block) -> bool:
    """Whether somebody begins to speak: the agent, or a person under a header."""
    role, text = message
    return isinstance(text, str) and (role == "assistant" or (role == "user" and _HEADED.match(text) is not None))


def _request(messages: list[Block]) -> int:
    """Where the last one begins to speak."""
    return max(place for place, message in enumerate(messages) if _is_turn(message))


def _asked(value: Mapping[str, Any]) -> list[Any]:
    messages = list(_blocks(value))
    return [block for _, block in messages[_request(messages) :]]


def _apart(value: Mapping[str, Any]) -> bool:
    """Whether words of no participant stand between the history and what is asked."""
    messages = list(_blocks(value))
    role, text = messages[_request(messages) - 1]
    return role in _SYSTEM or (role == "user" and isinstance(text, str) and _HEADED.match(text) is None)


def _lines(texts: list[str]) -> Iterator[str]:
    for text in texts:
        yield from text.splitlines()


def _headers(value: Mapping[str, Any]) -> list[str]:
    """Whose header begins a line of what users say, wherever it stands."""
    return [match[1] for line in _lines(_texts(value, "user")) if (match := _LIKE_A_HEADER.match(line))]


PROMPT: Final[Mapping[str, Fact]] = {
    "system": lambda value: "\n\n".join(_texts(value, *_SYSTEM)),
    "opening": lambda value: _texts(value, *_SYSTEM)[0].partition("\n")[0],
    "systems": lambda value: len(_texts(value, *_SYSTEM)),
    "roles": lambda value: [
        "assistant" if message["role"] == "model" else message["role"]
        for message in value["messages"]
        if message["role"] not in _SYSTEM
    ],
    "turns": lambda value: [[role, text] for role, text in _blocks(value) if _is_turn((role, text))],
    "headers": _headers,
    "asked": _asked,
    "apart": _apart,
    "said": lambda value: "\n".join(_texts(value, "user", "assistant")),
}
"""What a system says and how often; whose messages there are; who says what; what is asked now, and whether it is set
apart."""
