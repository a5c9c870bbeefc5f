"""What of a mail is new, and what is quoted, forwarded, a signature or a footer: as places in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Final

from .._flow.settings import check_kind
from .._html.convert import html_to_text
from .._html.hidden import hidden_ranges
from .._html.mail_lines import Line, mail_lines
from .._model.base import frozen, unchecked
from .._model.message import HistoricalMessage, NormalizedMessage
from .._model.parts import TextPart
from .marks import first_mark
from .quoting import Kind, classify

_QUOTED_LINES: Final = re.compile(r"(?:>[^\n]*+\n?){1,1000}")
_MAX_LINES: Final = 50_000
_FROM_LINE: Final = re.compile(r">+From [^\n]*+\n?").fullmatch


@frozen
class Span:
    """A piece of the content of a text part.

    Attributes:
        kind: `new`, what the sender wrote in this mail; `quoted`, of an earlier mail, with the line that says whose;
            `forwarded`, a mail that is passed on; `signature`; `footer`, of a mailing list or a lawyer; `hidden`, what
            the HTML hides from people.
        start: Where it begins in `TextPart.content`.
        end: Where it ends: the place behind its last character.
    """

    kind: Kind
    start: int
    end: int


_new_span = unchecked(Span)


def spans(part: TextPart) -> tuple[Span, ...]:
    r"""The pieces of a mail's text: what is new, quoted, forwarded, a signature, a footer, or hidden.

    They are in order, next to each other, and cover the whole content; two of the same kind are never neighbours.
    Nothing is removed. The evidence must be strong: new text may hold some of a quotation, but what a person wrote now
    is not taken for anything else because it resembles it. Nothing here is verified: a sender may write any of it.
    What is behind the first 50,000 lines is one piece: new, unless an earlier mail goes on to the end. The lines of one
    quotation count as one.

    Args:
        part: A part of a mail: plain text, Markdown or HTML. It may come from a store.

    Returns:
        The pieces; none for an empty content.

    Raises:
        UsageError: The argument is of another kind.

    Spec: RFC 3676 §4.3 (signatures), §4.5 (quotations).

    Example:
        >>> text = "Yes!\n\nOn 21 Nov 2026, Bob <bob@b.example> wrote:\n> Will you come?\n"
        >>> [(span.kind, text[span.start : span.end]) for span in spans(TextPart(content=text))]
        [('new', 'Yes!\n\n'), ('quoted', 'On 21 Nov 2026, Bob <bob@b.example> wrote:\n> Will you come?\n')]
    """
    check_kind(part, TextPart, "part")
    return find_spans(part)


def find_spans(part: TextPart) -> tuple[Span, ...]:
    """`spans` of what is known to be a text."""
    content = part.content
    begin = 0
    if part.mime == "text/html":
        hidden = hidden_ranges(content)
        lines = mail_lines(content, hidden)
    else:
        begin = first_mark(content)
        if begin == len(content):
            return (_new_span(kind="new", start=0, end=begin),) if content else ()
        hidden, lines = (), _plain_lines(content, begin)
    if len(lines) > _MAX_LINES:
        lines[_MAX_LINES:] = [("…", lines[_MAX_LINES][1], "")]
    starts = [start for _, start, _ in lines]
    kinds = zip(classify(lines, is_markdown=part.mime == "text/markdown"), starts, strict=True)
    pieces: Iterable[tuple[Kind, int]] = chain([("new", 0)], kinds) if begin else kinds
    all_pieces = _with_hidden(list(pieces), hidden, len(content)) if hidden else pieces
    return tuple(_spans(all_pieces, len(content)))


def new_text(message: NormalizedMessage | HistoricalMessage) -> str:
    r"""What the sender of a mail wrote in it, as plain text: without what is quoted or forwarded, and no signature.

    Args:
        message: A mail, as `receive` returns it, or a turn of its history.

    Returns:
        The new text of all text parts, with one blank line between pieces. Empty where nothing is new, as in a mail
        that is only passed on: the parts of the message have all of it.

    Raises:
        UsageError: The argument is of another kind.

    Example:
        >>> from mentionable import NormalizedMessage, NoRelay, RecipientCapabilities, Sender
        >>> text = "Yes!\n\nOn 21 Nov 2026, Bob <bob@b.example> wrote:\n> Will you come?\n-- \nAlice\n"
        >>> message = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(TextPart(content=text),), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        ...     received_via="email", received_at="2026-11-21T20:56:00Z", raw=None,
        ... )
        >>> new_text(message)
        'Yes!'
    """
    check_kind(message, (NormalizedMessage, HistoricalMessage), "message")
    pieces = [
        piece_text(part, span)
        for part in message.parts
        if isinstance(part, TextPart)
        for span in find_spans(part)
        if span.kind == "new"
    ]
    return "\n\n".join(filter(None, pieces))


def piece_text(part: TextPart, span: Span) -> str:
    """A piece of a text as plain text, without empty lines around it; Markdown stays Markdown."""
    piece = part.content[span.start : span.end]
    return (html_to_text(piece) if part.mime == "text/html" else piece.rstrip()).strip("\n")


def _plain_lines(content: str, at: int) -> list[Line]:
    """The lines of a plain text from a place on. Those of one quotation are one."""
    lines: list[Line] = []
    end = len(content)
    while at < end and len(lines) <= _MAX_LINES:
        match = _QUOTED_LINES.match(content, at)
        if match is not None:
            stop = match.end()
            while (match := _QUOTED_LINES.match(content, stop)) is not None:
                stop = match.end()
            # One line that begins with ">From " is a line of text, which an archive of mails has changed.
            is_text = content.startswith((">From ", ">>From "), at) and _FROM_LINE(content[at:stop]) is not None
            lines.append((content[at : min(stop, at + 200)], at, "" if is_text else "quoted"))
            at = stop
            continue
        stop = content.find("\n>", at) + 1 or end
        for text in content[at:stop].split("\n", _MAX_LINES + 1):
            lines.append((text, at, ""))
            at += len(text) + 1
        if content[stop - 1] == "\n":
            lines.pop()  # what is behind the last line end of the piece
        at = stop
    return lines


def _with_hidden(
    pieces: list[tuple[Kind, int]], hidden: tuple[tuple[int, int], ...], end: int
) -> Iterator[tuple[Kind, int]]:
    """The pieces in order, with the hidden ones among them."""
    last: Kind = "new"
    at = 0
    for start, stop in hidden:
        while at < len(pieces) and pieces[at][1] <= start:
            last = pieces[at][0]
            yield pieces[at]
            at += 1
        yield "hidden", start
        while at < len(pieces) and pieces[at][1] < stop:
            last = pieces[at][0]
            at += 1
        if stop < end:
            yield last, stop
    yield from pieces[at:]


def _spans(pieces: Iterable[tuple[Kind, int]], end: int) -> Iterator[Span]:
    """The spans: pieces of one kind that are neighbours are one, and the first begins at the start."""
    borders: list[tuple[Kind, int]] = []
    for kind, start in pieces:
        if borders and borders[-1][1] == start:
            borders.pop()
        elif kind == "hidden" and start and not borders:
            borders.append(("new", 0))  # the tags before it
        if not borders or borders[-1][0] != kind:
            borders.append((kind, start if borders else 0))
    if not borders and end:
        borders.append(("new", 0))
    borders.append(("new", end))
    for (kind, start), (_, stop) in pairwise(borders):
        yield _new_span(kind=kind, start=start, end=stop)
