"""A mail as a model reads it: new text, a line in place of what is quoted, and forwarded text under a line."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypeGuard, TypeVar

from .._model.base import unchecked, unchecked_replace
from .._model.message import HistoricalMessage, NormalizedMessage
from .._model.parts import Part, TextPart
from .fold import is_suspect, quote_imitations
from .headers import is_of_others
from .left_out import count_of, hidden_line, lines_of, quote_lines
from .mentions import mentions_in, with_names
from .plain_text import visible_text
from .spans import Span, find_spans, piece_text

QuotedText: TypeAlias = Literal["auto", "fold", "show"]
"""What becomes of quoted text: a line in its place, where it is in the history too (`auto`) or always, or all of it."""

_Message = TypeVar("_Message", NormalizedMessage, HistoricalMessage)

_new_text_part = unchecked(TextPart)

_FOLDED: Final = {
    "quoted": ("quoted line", "quoted lines", " left out"),
    "signature": ("line", "lines", " of a signature left out"),
    "footer": ("line", "lines", " of a footer left out"),
}
_UNDER_A_LINE: Final = {
    "quoted": ("quoted line", "quoted lines", ", written earlier:"),
    "forwarded": ("forwarded line", "forwarded lines", ", written by others:"),
}


def folded(message: _Message, *, folds_quoted: bool) -> _Message:
    """A mail whose texts are as a model reads them; all other parts are as they were.

    Forwarded text is under a line that says that others wrote it, with `> ` before each line. A signature, a footer and
    hidden text become one line. So does quoted text, unless nothing is new. A line of the mail that imitates one of
    these lines is quoted with `> `.

    Args:
        message: A mail, or a turn of its history.
        folds_quoted: Whether quoted text becomes one line; otherwise it is under a line, as forwarded text is.
    """
    pieces = {place: find_spans(part) for place, part in enumerate(message.parts) if _is_own(part)}
    has_new = any(span.kind == "new" for some in pieces.values() for span in some)
    folds_quoted = folds_quoted and has_new
    parts = [
        _folded_part(part, pieces[place], folds_quoted) if _is_own(part) else part
        for place, part in enumerate(message.parts)
    ]
    return unchecked_replace(message, parts=tuple(parts))


def rendered(message: _Message) -> _Message:
    """A message of a chat or a program whose texts are as a model reads them; all other parts are as they were.

    A line that imitates a header, or a line of this library, is quoted with `> `, HTML is plain text, and a mention has
    the name of who is mentioned. Text that others wrote is as it was, since it is in a block of its own later.
    """
    parts = [_rendered_part(part) if _is_own(part) else part for part in message.parts]
    if all(part is one for part, one in zip(parts, message.parts, strict=True)):
        return message
    return unchecked_replace(message, parts=tuple(parts))


def _is_own(part: Part) -> TypeGuard[TextPart]:
    """Whether the sender of a message wrote a text."""
    return isinstance(part, TextPart) and not (part.extra and is_of_others(part))


def _rendered_part(part: TextPart) -> TextPart:
    """One text as a model reads it."""
    is_html = part.mime == "text/html"
    if not (is_html or part.extra or is_suspect(part.content)):
        return part
    text = visible_text(part.content, quotes=True) if is_html else quote_imitations(part.content)
    if not part.extra and text == part.content and not is_html:
        return part
    text = with_names(text, mentions_in(part.extra))
    return _new_text_part(content=text, mime="text/plain" if is_html else part.mime, extra={})


def _folded_part(part: TextPart, pieces: tuple[Span, ...], folds_quoted: bool) -> TextPart:
    """One text of a mail as a model reads it."""
    texts = [_piece(part, span, folds_quoted) for span in pieces]
    mime = "text/plain" if part.mime == "text/html" else part.mime
    return _new_text_part(content="\n\n".join(filter(None, texts)), mime=mime, extra=part.extra)


def _piece(part: TextPart, span: Span, folds_quoted: bool) -> str:
    """One piece of a text as a model reads it; empty where it has no text."""
    text = piece_text(part, span)
    if not text.strip():
        return ""
    if span.kind == "new":
        return quote_imitations(text)
    if span.kind == "hidden":
        return hidden_line(len(text))
    count = sum(1 for line in lines_of(text) if line.strip("> \t\xa0")) or 1
    if span.kind == "forwarded" or (span.kind == "quoted" and not folds_quoted):
        return f"{count_of(count, *_UNDER_A_LINE[span.kind])}\n{quote_lines(text)}"
    return count_of(count, *_FOLDED[span.kind])
