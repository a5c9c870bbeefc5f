"""Mentions: everybody whom an answer is for stands in its text as a link, and in its tags.

Servers of the Fediverse differ in what wakes somebody: the addressing, the tag or the text. So it is always all three.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from ..._html.tokens import escape, tags
from ..._model.diagnostic import Diagnostic
from ..._wire.address import Address, canonical
from .people import Person

_HANDLE: Final = re.compile(
    r"@(?<![\w@/.-]@)([A-Za-z0-9_.+~-]{1,64}+)@([\w-]++(?:\.[\w-]++){1,126})"  # as many labels as a domain can have
    r"(?![\w@]|\.[\w-])"  # the last dot of a sentence stays
)
_AS_WRITTEN: Final = frozenset({"a", "code", "pre", "kbd"})
"""Elements in whose text an address is no mention."""

_MOST_NOTES: Final = 16


def mention_tags(people: Iterable[Person]) -> list[dict[str, Any]]:
    """The tags by which a server notifies: the href names the actor, the name is the whole address."""
    return [{"type": "Mention", "href": person.id, "name": str(person.address)} for person in people]


def with_mentions(html: str, people: Sequence[Person], *, own: str, notes: list[Diagnostic]) -> str:
    """HTML in which everybody of `people` is mentioned by a link.

    An address that stands in the text already is linked where it stands; the others come first in the first paragraph.
    An address of anybody else stays text.

    Args:
        html: Sanitized HTML.
        people: Whom to mention.
        own: The address of the agent, which is not told of when it stands in the text.
        notes: Takes a diagnostic for each address that is none of these.

    Spec: Normalized Message §3.3.1 (`also_inline`).
    """
    known = {person.address.lower(): person for person in people}
    missing = dict(known)
    strangers: dict[Address, None] = {}

    def linked(found: re.Match[str]) -> str:
        address = canonical(found[0])
        if address is None:
            return found[0]
        person = known.get(address.lower())
        if person is not None:
            missing.pop(address.lower(), None)
            return _link(person, found[0])
        if address.lower() != own.lower():
            strangers[address] = None
        return found[0]

    if "@" in html:
        html = "".join([_HANDLE.sub(linked, piece) if is_text else piece for piece, is_text in _pieces(html)])
    notes += _told(strangers)
    if not missing:
        return html
    links = " ".join([_link(person, person.address) for person in missing.values()])
    if html[:3] == "<p>":
        return f"<p>{links} {html[3:]}"
    return f"<p>{links}</p>\n{html}" if html else f"<p>{links}</p>"


def _pieces(html: str) -> Iterator[tuple[str, bool]]:
    """The pieces of HTML in order, and of each whether it is text in which an address may become a mention."""
    depth = end = 0
    for name, _, start, stop in tags(html):
        yield html[end:start], depth == 0
        yield html[start:stop], False
        end = stop
        if name in _AS_WRITTEN:
            depth += 1
        elif name[:1] == "/" and name[1:] in _AS_WRITTEN:
            depth = max(depth - 1, 0)
    yield html[end:], depth == 0


def _link(person: Person, shown: str) -> str:
    """A mention as Mastodon writes one; `shown` is the whole address, so that its text is a mention too."""
    href, words = escape(person.page), escape(shown[1:])
    return f'<span class="h-card"><a class="u-url mention" href="{href}">@<span>{words}</span></a></span>'


def _told(strangers: Iterable[Address]) -> list[Diagnostic]:
    """A diagnostic for each address that is nobody's who was given, a bounded number of them."""
    addresses = [*strangers]
    notes = [
        Diagnostic(code="sibling-unresolved", at="/object/content", detail=str(address))
        for address in addresses[:_MOST_NOTES]
    ]
    if len(addresses) > _MOST_NOTES:
        detail = f"{len(addresses) - _MOST_NOTES} more addresses"
        notes.append(Diagnostic(code="diagnostics-omitted", at="/object/content", detail=detail))
    return notes
