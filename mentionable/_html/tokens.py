"""The words of HTML: texts, tags, attributes and character references, read once from left to right.

One pattern cuts a document into pieces. Each of its alternatives either consumes what it has looked at or fails
before the next `<`, and what it repeats begins with a character that nothing else there begins with. So
backtracking never finds a match, and the work is linear whatever the document holds.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from .._wire.iri import to_uri

__all__ = [
    "Token",
    "attribute",
    "collapse_spaces",
    "end_of_element",
    "escape",
    "is_hidden",
    "is_mention",
    "markup",
    "safe_link",
    "shows_address",
    "tags",
    "tokens",
    "unescape",
]

Token = tuple[str, str | None, Any, str | None]
"""A text and the tag that ends it: `(text, name, attributes, literal)`.

`name` keeps the sender's letter case and has a leading `/` in an end tag; with it, `attributes` is a string. `literal`
stands in place of a name when what looked like a tag is text after all. All three are None where a comment or a
declaration ended the text.
"""

_BLANKS: Final = r" \t\n\r\f"

# ------------------------------------------------------------------------------------------------------------- markup

# The matcher keeps what it needs to give back for each repetition, 64 bytes or more: hence a bound for all of them.
_MAX_RUNS: Final = 1_000

# A quote opens a value only behind "="; one that never closes is an ordinary character, so that no text is lost.
# Exactly one of the alternatives fits. A tag with more values than the bound is text.
_QUOTED: Final = """"(?:[^"]*+"|(?![^"]*+"))|'(?:[^']*+'|(?![^']*+'))|(?!["'])"""
_ATTRIBUTES: Final = rf"""[^<>=]*+(?:=[{_BLANKS}]*+(?:{_QUOTED})[^<>=]*+){{0,{_MAX_RUNS}}}"""
_TAG_NAME: Final = rf"/?[A-Za-z][^{_BLANKS}/<>]*+"
_UNSEEN_ELEMENTS: Final = ("script", "style", "title", "iframe", "noembed", "noframes")
_UNSEEN_LETTERS: Final = tuple(
    "".join(sorted({case for name in _UNSEEN_ELEMENTS for case in (name[place], name[place].upper())}))
    for place in (0, 1)
)
"""The first and the second letters of these names, in both cases."""


def _up_to(first: str, others: str) -> str:
    """The pattern of all before the first place where both fit, or before the end. It never fails.

    It matches runs, which is quick; past the bound it matches single characters, which need no memory.
    """
    first = re.escape(first)
    return rf"[^{first}]*+(?:{first}(?!{others})[^{first}]*+){{0,{_MAX_RUNS}}}[\s\S]*?(?={first}{others}|\Z)"


def _unseen_element(name: str) -> str:
    """The pattern of an element whose content is not for reading, up to its end tag or the end of the document."""
    word = f"[{name[0]}{name[0].upper()}](?i:{name[1:]})(?=[{_BLANKS}/>])"
    return f"{word}{_ATTRIBUTES}>{_up_to('<', f'/{word}')}"


_CDATA: Final = _up_to("]", r"\]>")
_MARKUP: Final = re.compile(
    "<(?:"
    + f"(?=[{_UNSEEN_LETTERS[0]}][{_UNSEEN_LETTERS[1]}])(?:"  # refuses most names at once
    + "|".join(map(_unseen_element, _UNSEEN_ELEMENTS))
    + ")"
    + f"|({_TAG_NAME})({_ATTRIBUTES})>"
    # A tag without ">" and a CDATA section are text. They are consumed here, so that they are read only once.
    + rf"|({_TAG_NAME}{_ATTRIBUTES}|!\[CDATA\[{_CDATA})(?:\]\]>)?"
    + f"|!--(?:-?>|{_up_to('-', '-!?>')}(?:--!?>)?)"
    + "|[!?/][^<>]*+>"
    + ")"
)


def tokens(document: str) -> Iterator[Token]:
    """The document as texts with the tags that end them. Scripts, styles, comments and declarations are left out."""
    pieces: list[Any] = _MARKUP.split(document)
    pieces += (None, None, None)  # no tag ends the last text
    piece = iter(pieces)
    return zip(piece, piece, piece, piece, strict=False)


def markup(document: str, start: int = 0) -> Iterator[re.Match[str]]:
    """All that is not text, in order, with its place: groups are the name of a tag, its attributes, and a literal."""
    return _MARKUP.finditer(document, start)


_QUOTED_TAG: Final = re.compile(rf"""=[{_BLANKS}]*+(?:"[^"<]*+<|'[^'<]*+<)""")


@cache
def _ends_of(name: str) -> re.Pattern[str]:
    """Takes the tags of a name; group 2 is what may hold text that looks like a tag, as a comment or a script."""
    unseen = "|".join(_UNSEEN_ELEMENTS)
    return re.compile(rf"<(?:(/?)(?i:{name})(?=[{_BLANKS}/>])|(?=[!{_UNSEEN_LETTERS[0]}])(!|(?i:{unseen})))")


def end_of_element(document: str, name: str, start: int) -> int:
    """Where the end tag is of an element whose content begins at `start`; -1 where that takes a closer look.

    It takes a tenth of the time that the tokens of the content take.
    """
    depth = 1
    for match in _ends_of(name).finditer(document, start):
        if match[2]:
            return -1
        depth += -1 if match[1] else 1
        if not depth:
            return -1 if _QUOTED_TAG.search(document, start, match.end()) else match.start()
    return -1


def tags(document: str) -> Iterator[tuple[str, str, int, int]]:
    """The tags of a document: name as in `Token`, attributes, and where each begins and ends."""
    for match in markup(document):
        if match[1]:
            yield match[1], match[2], match.start(), match.end()


# ----------------------------------------------------------------------------------------------- character references

_ESCAPED: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})

_LEADING_ZEROS: Final = re.compile(r"&#0++(?=[0-9])")
_LONG_NUMBER: Final = re.compile(r"&#[0-9]{8,}+;?+")
_CLOSED_REFERENCE: Final = re.compile(r"&(?:#[0-9]++|#[xX][0-9A-Fa-f]++|[A-Za-z][A-Za-z0-9]{1,31}+);")
_SPACES: Final = re.compile(f"[{_BLANKS}]++")


@cache
def _characters() -> dict[str, str]:
    """What the named references stand for. Imported when needed: most documents have none."""
    from html.entities import html5

    return html5


def unescape(text: str) -> str:
    """The text with its character references replaced; those that name no character become U+FFFD or nothing."""
    characters = _characters()
    first, *others = text.split("&")
    parts = [first]
    for other in others:  # names closed by ";" are nearly all there is, and need no more than a look-up
        name, end, rest = other.partition(";")
        character = characters.get(name + end)
        if character is None:
            return _unescape_rare(text)
        parts += (character, rest)
    return "".join(parts)


def _unescape_rare(text: str) -> str:
    """References of every kind: by number, not closed, or to no character."""
    from html import unescape as unescape_all

    if "&#" in text:  # int() refuses a decimal number of some thousand digits
        text = _LONG_NUMBER.sub("\ufffd", _LEADING_ZEROS.sub("&#", text))
    return unescape_all(text)


def escape(text: str) -> str:
    """The text as it stands in HTML, also inside a double-quoted attribute."""
    return text.translate(_ESCAPED)


def collapse_spaces(text: str) -> str:
    """The text with every run of HTML white space as one space. The no-break space does not count as white space."""
    return _SPACES.sub(" ", text)


# --------------------------------------------------------------------------------------------------------- attributes

_EQUALS: Final = rf"[{_BLANKS}]*+=[{_BLANKS}]*+"
_BARE: Final = rf"[^{_BLANKS}]*+"
_VALUE: Final = rf""""(?:[^"]*+"|(?![^"]*+"){_BARE})|'(?:[^']*+'|(?![^']*+'){_BARE})|(?!["']){_BARE}"""
_CAPTURED_VALUE: Final = rf""""([^"]*+)"|'([^']*+)'|([^{_BLANKS}]*+)"""


_ATTRIBUTE: Final = rf"(?:=[^{_BLANKS}/=]*+|[^{_BLANKS}/=]++)(?:{_EQUALS}(?:{_VALUE})|(?!{_EQUALS}))"


def _behind_others(attribute: str) -> str:
    """The pattern of an attribute and of all attributes before it, for one match from the start of the tag.

    Each of the others matches in one way only, so backtracking takes linear time for hostile input too.
    """
    return rf"(?:[{_BLANKS}/]*+(?!{attribute}){_ATTRIBUTE}){{0,{_MAX_RUNS}}}[{_BLANKS}/]*+{attribute}"


_MANY: Final = re.compile(rf"(?:[{_BLANKS}/]*+{_ATTRIBUTE}){{{_MAX_RUNS}}}").match


def _first(pattern: re.Pattern[str], attributes: str) -> re.Match[str] | None:
    """The first match of a pattern of `_behind_others`, however many others there are."""
    match = pattern.match(attributes)
    at = 0
    while match is None and len(attributes) - at > _MAX_RUNS and (many := _MANY(attributes, at)) is not None:
        at = many.end()
        match = pattern.match(attributes, at)
    return match


@cache
def _attribute_pattern(name: str) -> re.Pattern[str]:
    """Takes the value of the first attribute of that name."""
    return re.compile(_behind_others(rf"(?i:{name})(?![^{_BLANKS}/=])") + rf"{_EQUALS}(?:{_CAPTURED_VALUE})")


def attribute(attributes: str, name: str) -> str | None:
    """The value of the first attribute of that name, or None when there is none or it has no value."""
    match = _first(_attribute_pattern(name), attributes)
    if match is None:
        return None
    value: str = match[match.lastindex or 0]
    if "&" not in value:
        return value
    # Only references closed by ";" count in an attribute, so that "?a=1&copy=2" keeps its meaning.
    return _CLOSED_REFERENCE.sub(lambda reference: unescape(reference[0]), value)


_HIDDEN: Final = re.compile(_behind_others(rf"(?i:hidden)(?![^{_BLANKS}/=])"))


def is_hidden(attributes: str) -> bool:
    """Whether an element has the attribute `hidden`, with a value or without."""
    return "hidden" in attributes.lower() and _first(_HIDDEN, attributes) is not None


# -------------------------------------------------------------------------------------------------------------- links

_MENTION_WORD: Final = "(?:mention|hashtag|tag)"
_MENTION: Final = re.compile(
    _behind_others(
        rf"(?i:class|rel){_EQUALS}"
        rf"""(?:"(?:[^"{_BLANKS}]*+[{_BLANKS}]++){{0,{_MAX_RUNS}}}?{_MENTION_WORD}(?=["{_BLANKS}])"""
        rf"""|'(?:[^'{_BLANKS}]*+[{_BLANKS}]++){{0,{_MAX_RUNS}}}?{_MENTION_WORD}(?=['{_BLANKS}])"""
        rf"|{_MENTION_WORD}(?=[{_BLANKS}]|\Z))"
    )
)
_LINK_SCHEMES: Final = ("https://", "http://", "mailto:")
_URL_REMOVED: Final = str.maketrans("", "", "\t\n\r")
_URL_ESCAPED: Final = re.compile(r'[\x00-\x20"<>\\`|\x7f]')
_C0_AND_SPACE: Final = "".join(map(chr, range(0x21)))


def is_mention(attributes: str) -> bool:
    """Whether an anchor is a mention or a hashtag, by its class or rel: then its visible text is enough."""
    if "mention" in attributes or "tag" in attributes:  # most other links need no closer look
        return _MENTION.match(attributes) is not None
    return False


def safe_link(attributes: str) -> str | None:
    """The `href` of an anchor if it is an http, https or mailto address, free of blanks, quotes and brackets.

    An IRI becomes a URI, so that no letter of it looks like another.
    """
    href = attribute(attributes, "href")
    if href is None:
        return None
    if _URL_ESCAPED.search(href):
        href = href.strip(_C0_AND_SPACE).translate(_URL_REMOVED)
        href = _URL_ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", href)
    return to_uri(href) if href[:8].lower().startswith(_LINK_SCHEMES) and len(href) > 8 else None


def shows_address(visible: str, link: str) -> bool:
    """Whether the visible text of a link is its address: whole, without its scheme, or cut off by an ellipsis."""
    if visible == link:
        return True
    text, whole = visible.lower().rstrip("/"), link.lower().rstrip("/")
    bare = whole[7:].partition("?")[0] if whole.startswith("mailto:") else whole.partition("://")[2]
    if text in {whole, bare}:
        return True
    if not text.isascii() and len(text) <= len(link):  # an IRI is shorter than its URI
        uri = to_uri(visible if "://" in visible else f"http://{visible}").lower().rstrip("/")
        if uri in {whole, f"http://{bare}"}:
            return True
    for ellipsis in ("…", "..."):
        beginning = text.removesuffix(ellipsis)
        if beginning != text and "." in beginning:
            return whole.startswith(beginning) or bare.startswith(beginning)
    return False
