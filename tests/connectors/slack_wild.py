"""Messages of Slack in the sources of others: JSON in any text, and literals in Python."""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING, Any, Final

from tests.setup_corpora import CORPORA, SLACK_FOLDERS

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTENT: Final = ("text", "blocks", "attachments", "files")
_VALUE: Final = re.compile(r'[\[{]\s*["{]')
_SHOWN: Final = frozenset(
    {
        "alt_text",
        "author_name",
        "caption",
        "description",
        "footer",
        "hint",
        "label",
        "placeholder",
        "pretext",
        "service_name",
        "text",
        "title",
    }
)
"""Members whose text people see, wherever they are."""

_BLOCKS: Final = ("actions", "context", "header", "image", "input", "rich_text", "section", "table", "video")
"""Types of blocks that stand alone in tests."""

_NOT_SHOWN: Final = frozenset({"confirm", "metadata", "icons", "bot_profile", "edited", "root", "reactions"})
_TOKENS: Final = re.compile(r"<[^<>\n]*>|&(?:amp|lt|gt);|:[a-z0-9_+'-]{1,100}:")
_WORDS: Final = re.compile(r"[^\W_]+")


def messages() -> list[dict[str, Any]]:
    """Every message in the corpora, each once."""
    found = {}
    for folder in SLACK_FOLDERS:
        for path in sorted((CORPORA / folder).glob("*")):
            for value in _values(path.read_text("utf-8", "replace"), is_python=path.suffix == ".py"):
                for message in _messages_in(value):
                    found[json.dumps(message, sort_keys=True)] = message
    return list(found.values())


def _values(text: str, *, is_python: bool) -> Iterator[Any]:
    """JSON, and literals of Python, in a source."""
    decoder, at = json.JSONDecoder(), 0
    while (match := _VALUE.search(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, match.start())
            yield value
        except ValueError:
            at = match.start() + 1
    nodes: list[ast.AST] = [ast.parse(text)] if is_python else []
    while nodes:
        node = nodes.pop()
        if isinstance(node, (ast.Dict, ast.List)):
            try:
                yield ast.literal_eval(node)
                continue
            except ValueError:
                pass
        nodes += ast.iter_child_nodes(node)


def _messages_in(value: Any) -> Iterator[dict[str, Any]]:
    """The objects in a value that have content of Slack, as JSON has it."""
    if isinstance(value, dict):
        content = {name: value[name] for name in CONTENT if value.get(name)}
        is_laid_out = any(isinstance(content.get(name), list) for name in CONTENT[1:])
        is_typed = isinstance(content.get("text"), str) and ("ts" in value or value.get("type") == "message")
        if (is_laid_out or is_typed) and _is_json(content) and isinstance(content.get("text", ""), str):
            yield {**content, **({"bot_id": "B2"} if value.get("bot_id") else {})}
        elif value.get("type") in _BLOCKS and _is_json(value):
            yield {"blocks": [value]}
        for member in value.values():
            yield from _messages_in(member)
    elif isinstance(value, list):
        for item in value:
            yield from _messages_in(item)


def _is_json(value: Any) -> bool:
    try:
        return bool(json.dumps(value))
    except (TypeError, ValueError):
        return False


def shown_words(message: dict[str, Any]) -> set[str]:
    """The words that people see in a message, by the names of members alone."""
    words: set[str] = set()
    left: list[tuple[str, Any]] = list(message.items())
    while left:
        name, value = left.pop()
        if name in _NOT_SHOWN:
            continue
        if isinstance(value, str):
            if name in _SHOWN:
                words |= set(_WORDS.findall(_TOKENS.sub(" ", value)))
        elif isinstance(value, list):
            left += [(name, item) for item in value]
        elif isinstance(value, dict):
            left += value.items()
    return words


def words_in(value: Any) -> set[str]:
    """The words of all texts in a value."""
    if isinstance(value, str):
        return set(_WORDS.findall(value.replace("\\", "")))
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*map(words_in, values))
