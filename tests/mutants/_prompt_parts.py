"""Mutants of prompts: parts, files, and what looks like a header."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any, Final

from tests.mutants._answers import quiet
from tests.mutants._prompt import AREA, OPS, _retold, _spoils

if TYPE_CHECKING:
    from collections.abc import Callable

# --- parts and files

_spoils(
    "joined",
    "Joins texts without a line between.",
    _retold(lambda text: text.replace("One.\n\nTwo.", "One. Two."), "user"),
)
_spoils(
    "silence",
    "Leaves out who says nothing.",
    lambda value, *_: (
        {**value, "messages": value["messages"][:-1]}
        if value["messages"][-1].get("content") == "[Alice (@alice@a.example)]:"
        else None
    ),
)
_spoils(
    "blank-behind",
    "Writes a blank behind a header that stands alone.",
    _retold(lambda text: f"{text} " if text.endswith("]:") else text, "user"),
)
_spoils(
    "titles", "Shows titles of links alone.", _retold(lambda text: text.replace(" <https://a.example/>", ""), "user")
)
_spoils("no-policies", "Leaves out demands.", _retold(lambda text: text.replace("\n\nNot today.", ""), "user"))


def _named_in(dialect: str) -> None:
    def changed(value: Any, _: Any, unit: Any) -> Any:
        parts = unit["message"]["parts"]
        if unit.get("dialect", "openai") != dialect or len(parts) < 2 or parts[1].get("name") != "a.png":
            return None
        last = value["messages"][-1]
        if "data_base64" not in parts[1]["bytes_ref"]:
            return None
        last["content" if "content" in last else "parts"][1:] = [{"type": "text", "text": "[a.png (image/png)]"}]
        return value

    _spoils(f"named-in-{dialect}", f"Only names files in {dialect}.", changed)


for _dialect in ("openai", "anthropic", "gemini", "vercel"):
    _named_in(_dialect)


def _apart(value: Any, _: Any, unit: Any) -> Any:
    content = value["messages"][-1].get("content")
    if not isinstance(content, str) or not content.endswith("\n\n[a.png (image/png)]"):
        return None
    blocks = [content.partition("\n\n")[0], "[a.png (image/png)]"]
    value["messages"][-1]["content"] = [{"type": "text", "text": text} for text in blocks]
    return value


_spoils("names-apart", "Names files in a block of their own.", _apart)
_spoils(
    "vanishing-files",
    "Leaves out files that the provider does not take.",
    lambda value, *_: _without_names(copy.deepcopy(value)),
)


def _without_names(value: Any) -> Any:
    for message in value["messages"]:
        if isinstance(message.get("content"), list):
            message["content"] = [one for one in message["content"] if not one.get("text", "").startswith("[a.zip")]
    return value


quiet(AREA, OPS, "part-unsupported")

# --- what looks like a header

_spoils(
    "any-guard",
    "Believes the header at the beginning of a text.",
    _retold(lambda text: re.sub(r"^\[[^\]]*\]: > (?=\[)", "", text), "user"),
)
_spoils(
    "quotes-now",
    "Quotes in the request alone.",
    _retold(lambda text: text.replace("> [Alice", "[Alice"), "user", last=False),
)


def _unquoted(value: Any, unit: Any, *, when: Callable[[Any], bool]) -> Any:
    if not any(map(when, unit["message"]["parts"])):
        return None
    return _retold(lambda text: text.replace("> [Bob", "[Bob"), "user")(value)


_spoils(
    "quotes-texts",
    "Quotes in texts alone.",
    lambda value, _, unit: _unquoted(value, unit, when=lambda part: part["kind"] != "text"),
)
_spoils(
    "quotes-titles-not",
    "Quotes in all but links.",
    lambda value, _, unit: _unquoted(value, unit, when=lambda part: part["kind"] == "link"),
)
_spoils(
    "quotes-markup-early",
    "Quotes before it reads markup.",
    lambda value, _, unit: _unquoted(value, unit, when=lambda part: part.get("mime") == "text/html"),
)

# --- subjects

SUBJECT: Final = re.compile(r" \[Subject: ([^\]]*)\]")
_spoils("no-subject", "Leaves the subject out.", _retold(lambda text: SUBJECT.sub("", text), "user"))
_spoils(
    "subject-in-the-text",
    "Writes the subject as if it were typed.",
    _retold(lambda text: SUBJECT.sub(r" \1", text), "user"),
)
_spoils(
    "subject-twice",
    "Says a subject that is the whole text twice.",
    lambda value, _, unit: (
        _retold(lambda text: text.replace("]: Rain?", "]: [Subject: Rain?]\nRain?"), "user")(value)
        if unit["message"]["received_via"] == "email"
        else None
    ),
)
_spoils(
    "subject-of-any-transport",
    "Takes a subject from any transport.",
    lambda value, _, unit: (
        _retold(lambda text: text.replace("]: Hi", "]: [Subject: Rain?]\nHi"), "user")(value)
        if unit["message"]["received_via"] != "email" and "parsed" in (unit["message"]["raw"] or {})
        else None
    ),
)
_spoils(
    "subject-imitated",
    "Lets a text imitate a subject.",
    _retold(lambda text: text.replace("> [Subject", "[Subject"), "user"),
)
