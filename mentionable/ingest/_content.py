"""Writes headers at the beginning of the content of rows, whatever the dialect of their blocks.

Only blocks of text are read; all others pass as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from .._errors.exceptions import UsageError
from .._text.fold import quote_imitations, quote_start
from .._wire.strict_json import VALUE_DEPTH, pointer
from ._form import AS_IT_IS, Form
from ._headers import Headers, subject_line

KEY: Final = "_metadata"
"""The member of a row that holds its metadata. No member that begins with an underscore reaches a model."""

LEGACY: Final = "_legacy"
"""The member by which a program marks a row that may begin with a header from before the contract."""

MARKER: Final = "_assembled"
"""The member by which assembly marks a row, with one of `MARKS`."""

TURN: Final = "turn"
"""The turn of a sender, with its header."""

THREAD_CONTEXT: Final = "thread_context"
"""A system message immediately before its turn."""

AMBIENT: Final = "ambient"
"""A system message with the messages of the channel that were not directed at the agent."""

MARKS: Final = (TURN, THREAD_CONTEXT, AMBIENT)

CONTENTS: Final = ("content", "parts")
"""The members that hold the content of a row: `content`, or `parts` (Gemini, messages of user interfaces)."""

Guard: TypeAlias = Literal["own", "any"]
Multimodal: TypeAlias = Literal["prefix", "skip"]
Context: TypeAlias = Literal["plain", "quoted"]
Repeats: TypeAlias = Literal["keep", "drop"]

_ANY_SPEAKER: Final = re.compile(r"\[[^\]\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]++\]:\s").match
"""Whatever is in brackets in one line: a header never has two, and lines are quoted one by one."""

ATTACHED: Final = "_attached"
"""The member of a row with the lines of its attachments: they belong to the text, and the sender did not type them."""


class Style(NamedTuple):
    """The options of `assemble`."""

    guard: Guard
    multimodal: Multimodal
    context: Context
    repeats: Repeats
    quotes: bool


def check_content(row: Mapping[str, Any], at: str) -> None:
    """Raise `UsageError` unless the content of a row is text, blocks or absent."""
    for name in CONTENTS:
        content = row.get(name)
        if content is not None and not isinstance(content, (str, list, tuple)):
            raise UsageError(f"{at}.{name}: expected a text, a list of blocks or None, not {type(content).__name__}")


class Written(NamedTuple):
    """How the text of a turn is to be read, and what is around it.

    Attributes:
        headers: The headers of its author; None if the metadata names none. Then a text that begins like a header is
            quoted, so that it cannot name another author.
        subject: The subject of a mail: a line of its own behind the header, where its text does not begin with it.
        form: How it is written.
        attached: The lines of its attachments.
    """

    headers: Headers | None
    subject: str | None = None
    form: Form = AS_IT_IS
    attached: str = ""


def attributed(content: Any, written: Written, style: Style) -> Any:
    """Text or blocks that begin with a header; content that already has it is unchanged.

    Args:
        content: Text, or blocks.
        written: The author, and how the text is to be read.
        style: The options of the caller.
    """
    if isinstance(content, str):
        return _with_header(content, written, style)
    blocks, has_prefix = list(content), style.multimodal == "prefix" and written.headers is not None
    place = _behind_results(blocks)
    text = text_in(blocks[place]) if place < len(blocks) else None
    if style.quotes or written.headers is None or written.form is not AS_IT_IS:
        under_header = place if has_prefix and text is not None else len(blocks)
        for at, block in enumerate(blocks):
            if at != under_header:
                blocks[at] = _read_block(block, written, style)
    if has_prefix and text is not None:
        is_bare = written.form is AS_IT_IS and not written.subject and not written.attached
        text = headed(text, written.headers, style) if is_bare else _with_header(text, written, style)
        blocks[place] = {**blocks[place], "text": text}
    elif has_prefix:
        blocks.insert(place, text_block(_with_header("", written, style), blocks))
    elif written.attached:
        blocks.insert(place if text is None else place + 1, text_block(written.attached, blocks))
    return blocks


def headed(text: str, headers: Headers | None, style: Style) -> str:
    """A text under its header, where nothing is around it, as in nearly all turns."""
    if headers is None or text[:1] in ("", "["):
        return _with_header(text, Written(headers), style)
    return f"{headers.whole} {quote_imitations(text) if style.quotes else text}"


def _with_header(text: str, written: Written, style: Style) -> str:
    """A text under its header, with the subject before it, and with its attachments."""
    headers, subject, form, attached = written
    is_there = not subject or text == subject or text.startswith((f"{subject}\n", f"{subject}\r"))
    text = form.markdown(text)
    own = _own_header(text, headers, style.guard) if text[:1] == "[" else ""
    body = own + _body(text[len(own) :], written, style)
    if headers is None or own:
        return _joined(body, attached)
    if subject and not is_there and (line := subject_line(subject)):
        body = f"{line}\n{body}" if body else line
    body = _joined(body, attached)
    return f"{headers.whole} {body}" if body else headers.whole


def _body(text: str, written: Written, style: Style) -> str:
    """Markdown without its header, as a model reads it."""
    if style.quotes:
        text = quote_imitations(text)
    elif written.headers is None:
        text = quote_start(text)
    return written.form.named(text)


def _read_block(block: Any, written: Written, style: Style) -> Any:
    """A block with its text as a model reads it; a block may be a bare string (Gemini)."""
    typed = block if isinstance(block, str) else text_in(block)
    if typed is None:
        return block
    text = _body(written.form.markdown(typed), written, style)
    return text if typed is block else {**block, "text": text}


def _joined(text: str, attached: str) -> str:
    return f"{text}\n\n{attached}" if text and attached else text or attached


def _own_header(text: str, headers: Headers | None, guard: Guard) -> str:
    """The header with which a text begins already, with the blank behind it, as far as it is trusted; else empty."""
    if guard == "any" and (match := _ANY_SPEAKER(text)):
        return match[0]
    own = () if headers is None else (headers.whole, headers.own)
    return next((text[: len(header) + 1] for header in own if _begins_with(header, text)), "")


def _begins_with(header: str, text: str) -> bool:
    """Whether a text begins with a header and a space, or is the header."""
    return text.startswith(header) and text[len(header) : len(header) + 1] in (" ", "")


def _behind_results(blocks: list[Any]) -> int:
    """The index of the first block that is no result of a tool: providers require results first."""
    place = 0
    for place, block in enumerate(blocks):
        if (block.__class__ is not dict and not isinstance(block, Mapping)) or block.get("type") != "tool_result":
            return place
    return len(blocks)


def text_in(block: Any) -> str | None:
    """The text of a block of text; None for any other block.

    A block of text has the type `text`, `input_text` or `output_text`, or no type but text (Gemini), unless it is the
    reasoning of a model.
    """
    if block.__class__ is not dict and not isinstance(block, Mapping):
        return None
    kind, text = block.get("type"), block.get("text")
    is_text = block.get("thought") is not True if kind is None else kind in ("text", "input_text", "output_text")
    return text if is_text and isinstance(text, str) else None


def text_block(text: str, siblings: list[Any]) -> dict[str, Any]:
    """A block of text in the dialect of its siblings."""
    kinds = [block.get("type") for block in siblings if isinstance(block, Mapping)]
    if any(isinstance(kind, str) and kind.startswith("input_") and kind != "input_audio" for kind in kinds):
        return {"type": "input_text", "text": text}
    if kinds and not any(kinds):
        return {"text": text}
    return {"type": "text", "text": text}


def without_metadata(content: Any) -> list[Any]:
    """Copy blocks, and the blocks in them, without metadata. Arguments and output of tools are data, and stay."""
    blocks = list(content)
    todo = [(blocks, 0)]
    while todo:
        some, depth = todo.pop()
        if depth > VALUE_DEPTH:
            raise UsageError("blocks are nested too deeply")
        for place, block in enumerate(some):
            if block.__class__ is dict or isinstance(block, Mapping):
                some[place] = copy = dict(block)
                copy.pop(KEY, None)
                for name in CONTENTS:
                    inner = copy.get(name)
                    if inner is not None and isinstance(inner, (list, tuple)):
                        copy[name] = within = list(inner)
                        todo.append((within, depth + 1))
    return blocks


def texts_in(content: Any) -> Iterator[str]:
    """The texts of a content: itself, or those of its blocks."""
    for block in (content,) if isinstance(content, str) else content:
        text = block if isinstance(block, str) else text_in(block)
        if text is not None:
            yield text


def content_of(row: Mapping[str, Any]) -> Any:
    """What a row contains: a text or blocks."""
    return row.get("content") or row.get("parts") or ""


def text_of(row: Mapping[str, Any]) -> str:
    """The text of a row."""
    return "\n".join(texts_in(content_of(row)))


def without_text(row: Mapping[str, Any], index: int) -> list[str]:
    """The pointers to the blocks of a row that are no text, such as files."""
    name = "content" if row.get("content") else "parts"
    content = row.get(name) or ""
    blocks = () if isinstance(content, str) else content
    return [
        pointer(index, name, at) for at, one in enumerate(blocks) if not isinstance(one, str) and text_in(one) is None
    ]
