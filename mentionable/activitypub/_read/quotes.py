"""The objects that an object quotes or names in its text, in every spelling that servers use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ..._flow.settings import Limits
from ..._html.convert import html_to_text
from ..._model.base import FrozenDict, unchecked
from ..._model.diagnostic import Diagnostic
from ..._model.parts import LinkPart, TextPart
from ..._text.media import single_line
from ..._text.plain_text import clean
from ..._wire.http import is_web_url
from .json_ld import AS2, Node, many, media_type, reference, type_in
from .words import text_of

QUOTES: Final = ("quote", "quoteUrl", "quoteUri", "_misskey_quote")
"""The members that name what is quoted, the first one first: FEP-044f, then those that came before it."""

_LINK: Final = frozenset({"Link"})
_QUOTE_RELATIONS: Final = frozenset({
    *("https://misskey-hub.net/ns#_misskey_quote", "https://w3id.org/fep/044f#quote"),
    *(f"{AS2}#quoteUrl", "http://fedibird.com/ns#quoteUri"),
})  # fmt: skip
_QUOTE: Final = FrozenDict({"purpose": "quote"})
_OBJECT: Final = FrozenDict({"purpose": "object"})

_link = unchecked(LinkPart)
_text = unchecked(TextPart)


class Quotes(NamedTuple):
    """What an object quotes.

    Attributes:
        texts: Text of a work that it quotes.
        links: The objects that it quotes or names in its text, each once.
        diagnostics: Quotes that are none of these.
    """

    texts: list[TextPart]
    links: list[LinkPart]
    diagnostics: list[Diagnostic]


class _Named(NamedTuple):
    """One member or tag that names an object.

    Attributes:
        pointer: Where.
        value: The name, of any JSON type.
        is_quote: Whether it says that the object is quoted.
        title: What the tag calls it.
        description: What the tag says of it.
    """

    pointer: str
    value: Any
    is_quote: bool
    title: str | None = None
    description: str | None = None


def quotes_of(node: Node, limits: Limits) -> Quotes:
    """One link for each object that is quoted, however many members name it, and text that is quoted.

    The order is that of `QUOTES`, then that of links in `tag` (FEP-e232). A link has the id of the object; the object
    itself is not fetched.

    Spec: FEP-044f, FEP-e232.
    """
    texts: list[TextPart] = []
    by_iri: dict[str, list[_Named]] = {}
    diagnostics: list[Diagnostic] = []
    for named in _named(node):
        iri = reference(named.value)
        if iri is not None and is_web_url(iri) and len(iri) <= limits.id_chars:
            by_iri.setdefault(iri, []).append(named)
        elif named.value.__class__ is str and (text := _quoted_text(named.value)):
            texts.append(_text(content=text, mime="text/plain", extra=_QUOTE))
        elif named.value is not None and named.value != "":
            diagnostics.append(Diagnostic(code="url-refused", at=named.pointer, detail="no http(s) URL of an object"))
    return Quotes(texts, [_link_to(iri, names) for iri, names in by_iri.items()], diagnostics)


def _link_to(iri: str, names: list[_Named]) -> LinkPart:
    """The link to an object, with the first title and description that any of its names has."""
    is_quote = any(named.is_quote for named in names)
    return _link(
        url=iri,
        title=next((named.title for named in names if named.title), "Quote" if is_quote else None),
        description=next((named.description for named in names if named.description), None),
        extra=_QUOTE if is_quote else _OBJECT,
    )


def _named(node: Node) -> Iterator[_Named]:
    """The members and tags that name objects."""
    for member in QUOTES:
        for value in node.values(member):
            yield _Named(f"/object/{member}", value, is_quote=True)
    for index, tag in enumerate(node.tags):
        if tag.__class__ is dict and type_in(tag.get("type"), _LINK) is not None:
            is_quote = any(one.__class__ is str and one in _QUOTE_RELATIONS for one in many(tag.get("rel")))
            if is_quote or _is_object(tag.get("mediaType")):
                title, description = _tag_line(tag, "name"), _tag_line(tag, "summary") or _tag_line(tag, "content")
                yield _Named(f"/object/tag/{index}", tag.get("href"), is_quote, title, description)


def _tag_line(tag: dict[str, Any], member: str) -> str | None:
    """A text of a tag, which may be HTML, on one line."""
    text = text_of(tag, member)
    return None if text is None else single_line(html_to_text(text) if "<" in text else text) or None


def _is_object(value: Any) -> bool:
    """Whether a media type is that of ActivityStreams."""
    kind = media_type(value)
    return kind == "application/activity+json" or (kind == "application/ld+json" and AS2 in value)


def _quoted_text(value: str) -> str | None:
    """The text of a work that is quoted, where `value` is text and no id: it has blanks or markup."""
    if "<" not in value and not any(character.isspace() for character in value.strip()):
        return None
    text = clean(value)
    return html_to_text(text) if "<" in text else text.strip()
