"""The texts of a message, and how what was typed and what is laid out go together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ...._model.base import EMPTY_DICT, FrozenDict, unchecked
from ...._model.diagnostic import Diagnostic
from ...._model.parts import TextPart
from ...._text.markdown_words import looks_like_mention, markdown_words
from ...._text.mrkdwn import Mime, read_text, unescape
from ...._text.native_text import MENTIONS, MRKDWN, NATIVE_FORM, NATIVE_TEXT
from ...._text.plain_text import clean
from ..._writer import Writer, extra_of
from .._emoji import EMOJI
from .blocks import read_blocks
from .mentions import mentions_in

_WORDS: Final = re.compile(r"[^\W_]++")
_new_text_part: Final = unchecked(TextPart)


class MessageText(NamedTuple):
    """A text of a message.

    Attributes:
        content: The text, with mentions as tokens.
        mime: Whether it is Markdown.
        native: What Slack sent as `text`, where this is it.
        written_by: Who wrote it, of what the sender of the message did not write.
        diagnostics: What of it was not read.
    """

    content: str
    mime: Mime
    native: str | None = None
    written_by: Writer = None
    diagnostics: tuple[Diagnostic, ...] = ()


def body_texts(text: str, blocks: Sequence[Any], at: str) -> tuple[MessageText, ...]:
    """What the sender wrote: what people see, which are the blocks, and the text where it says more.

    Slack writes what people typed twice: as blocks, exactly, and as text with marks that a reader may take for others.
    A program may write two texts that differ.

    Args:
        text: The `text` of the message, byte for byte.
        blocks: Its blocks.
        at: The JSON pointer of the blocks.
    """
    if not blocks:
        return _typed_texts(text)
    laid_out = read_blocks(blocks, at)
    first = MessageText(laid_out.content, laid_out.mime, diagnostics=laid_out.diagnostics)
    if not laid_out.content.strip() or not text.strip():
        return (first, *_typed_texts(text)) if laid_out.content or laid_out.diagnostics else _typed_texts(text)
    if text == laid_out.content or _say_the_same(text, laid_out.content):
        return (first._replace(native=text),)
    typed = read_text(clean(text))
    in_text, in_blocks = words_of(typed.content), words_of(laid_out.content)
    if in_blocks <= in_text:
        content, mime = laid_out[:2] if in_text <= in_blocks else typed
        return (MessageText(content, mime, text, None, laid_out.diagnostics),)
    return (first,) if in_text <= in_blocks else (first, *_typed_texts(text))


def _say_the_same(native: str, content: str) -> bool:
    """Whether a text with marks of Slack and one that is read have the same words. A link has its label elsewhere."""
    words, others = _words(unescape(native)), _words(content)
    return words == others or (len(words) == len(others) and sorted(words) == sorted(others))


def _typed_texts(text: str) -> tuple[MessageText, ...]:
    """The `text` of a message as a text; none where it says nothing."""
    content, mime = read_text(clean(text))
    return (MessageText(content, mime, text),) if content.strip() else ()


def _words(text: str) -> list[str]:
    """The words of a text, without codes of emoji, which blocks have as characters."""
    return _WORDS.findall(EMOJI.sub(" ", text) if ":" in text else text)


def words_of(text: str) -> Counter[str]:
    """The words of a text, and how often it has each."""
    return Counter(_words(text))


def unmarked(text: str, *, written_by: Writer = None) -> MessageText:
    """Text without markup of Slack; where it looks like a mention it is escaped, so that it is none."""
    text = clean(text)
    if "<" in text and looks_like_mention(text):
        return MessageText(markdown_words(text), "text/markdown", written_by=written_by)
    return MessageText(text, "text/plain", written_by=written_by)


def text_parts(texts: Iterable[MessageText], names: Mapping[str, str]) -> tuple[TextPart, ...]:
    """The texts as parts.

    Args:
        texts: The texts.
        names: Id of a person, a group or a channel → its name, where it is known.
    """
    return tuple([_part(text, names) for text in texts])


def mentioned(text: MessageText) -> dict[str, str]:
    """Each token of a mention in a text → the id of what is mentioned."""
    return mentions_in(text.content, is_markdown=text.mime != "text/plain")


def _part(text: MessageText, names: Mapping[str, str]) -> TextPart:
    extra: dict[str, Any] = {}
    if text.native is not None and text.native != text.content:
        extra |= {NATIVE_TEXT: text.native, NATIVE_FORM: MRKDWN}
    if "<" in text.content:
        named = {token: names[id] for token, id in mentioned(text).items() if id in names}
        if named:
            extra[MENTIONS] = FrozenDict(named)
    if text.written_by is not None:
        extra |= extra_of(text.written_by)
    return _new_text_part(content=text.content, mime=text.mime, extra=FrozenDict(extra) if extra else EMPTY_DICT)
