"""Which lines of a mail are new, and which are a quotation, a forwarded mail, a signature or a footer.

The rules need strong evidence: a line that only resembles a mark stays new. They look at no more than some lines around
a mark, so the work grows with the number of lines. `marks` finds the lines to look at, `earlier_mails` and `signatures`
have the rules, `mail_phrases` the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from .._html.mail_lines import Line, LineKind
from .earlier_mails import earlier_mail, end_of_head, mark_attributions
from .marks import EDGES, marked_lines
from .signatures import mark_ends

Kind: TypeAlias = Literal["new", "quoted", "forwarded", "signature", "footer", "hidden"]
"""What a piece of a text is."""

_NAMES: Final[dict[LineKind, Kind]] = {
    "quoted": "quoted",
    "attribution": "quoted",
    "earlier": "quoted",
    "forwarded": "forwarded",
    "signature": "signature",
    "footer": "footer",
    "": "new",
}


def classify(lines: Sequence[Line], *, is_markdown: bool = False) -> list[Kind]:
    """What each line is. Empty lines are what the line before them is.

    Args:
        lines: The lines of one text, in order.
        is_markdown: Whether two hyphens below a line make it a heading.
    """
    kinds: list[LineKind] = [kind for _, _, kind in lines]
    texts = [text.strip(EDGES) for text, _, _ in lines]
    marked = marked_lines(texts)
    mark_attributions(texts, kinds)
    start, kind = earlier_mail(texts, kinds, marked)
    stop = end_of_head(texts, kinds, start) if kind == "quoted" else len(kinds)
    kinds[start:stop] = [kind] * (stop - start)
    mark_ends(lines, texts, kinds, marked=marked, is_markdown=is_markdown)
    if kind == "quoted" and "" not in [one for one, text in zip(kinds, texts, strict=True) if text]:
        # With no word above it, the earlier mail is what the sender wants to be read.
        is_reply = "quoted" in [one for one, text in zip(kinds[:start], texts, strict=False) if text]
        kinds[start:] = ["quoted" if is_reply else "forwarded"] * (len(kinds) - start)
    return _named(texts, kinds)


def _named(texts: list[str], kinds: list[LineKind]) -> list[Kind]:
    """The kinds with `new` for what has none, and with empty lines as the line before them."""
    out: list[Kind] = []
    last: Kind | None = None
    for text, kind in zip(texts, kinds, strict=True):
        if text or last is None:
            last = _NAMES[kind] if text else None
        out.append(last or "new")
    first = next((place for place, text in enumerate(texts) if text), 0)
    out[:first] = out[first : first + 1] * first
    return out
