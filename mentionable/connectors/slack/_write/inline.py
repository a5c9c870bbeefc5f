"""The pieces of a line or paragraph: words, code, links and mentions, each with its styles.

They are the one form from which mrkdwn and `rich_text` are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from ...._html.sanitize import MarkdownToken
from ...._model.base import EMPTY_DICT
from ...._text.mrkdwn import is_mail_link
from ...._wire.address import canonical
from ...._wire.http import is_web_url
from .._emoji import EMOJI
from .literal import escape

Style: TypeAlias = Literal["bold", "italic", "strike"]

_STYLE_OF: Final[Mapping[str, Style]] = {"strong": "bold", "em": "italic", "s": "strike"}
_MENTION: Final = re.compile(r"<@(?P<user>[UW][A-Z0-9]{1,31})>|@[A-Za-z0-9_.+~-]{1,64}@[A-Za-z0-9.-]{1,253}")
_ADDRESS: Final = re.compile(r"https?://[^\s<>|\"]++")
_AFTER_ADDRESS: Final = ".,:;!?'*_~)…"
_MAX_LINK: Final = 1_400
"""Characters of a link with its words. A longer one is text, which may be cut where a section ends."""


class Mentions(NamedTuple):
    """The users that a text may mention.

    Attributes:
        users: Ids of users: `<@U456>` in the text stays a mention of these.
        agents: Address of an agent in canonical form → the id of its user here.
    """

    users: frozenset[str] = frozenset()
    agents: Mapping[str, str] = EMPTY_DICT


NO_MENTIONS: Final = Mentions()


class Piece(NamedTuple):
    """A piece of a line.

    Attributes:
        kind: A link has its URL as target, a mention the id of the user, an emoji its name; a break ends the line.
        text: Its words: of a link the label, which may be empty.
        target: Where it leads.
        styles: Its styles, the outermost first.
    """

    kind: Literal["text", "code", "link", "user", "emoji", "break"]
    text: str = ""
    target: str = ""
    styles: tuple[Style, ...] = ()


def words(text: str, mentions: Mentions, styles: tuple[Style, ...] = ()) -> Iterable[Piece]:
    """Text that is no markup, with the mentions in it that are allowed."""
    if mentions is NO_MENTIONS or "@" not in text:
        return (Piece("text", text, "", styles),)
    return _mentioning(text, mentions, styles)


def _mentioning(text: str, mentions: Mentions, styles: tuple[Style, ...]) -> Iterator[Piece]:
    end = 0
    for match in _MENTION.finditer(text):
        if match["user"] is not None:
            user, length = (match["user"] if match["user"] in mentions.users else None), len(match[0])
        else:
            handle = match[0].rstrip(".-")
            user, length = mentions.agents.get(canonical(handle) or ""), len(handle)
        if user is not None:
            yield Piece("text", text[end : match.start()], styles=styles)
            yield Piece("user", target=user, styles=styles)
            end = match.start() + length
    yield Piece("text", text[end:], styles=styles)


def plain_pieces(text: str, mentions: Mentions) -> list[Piece]:
    """The pieces of plain text, with its web addresses as links."""
    pieces: list[Piece] = []
    end = 0
    for match in _ADDRESS.finditer(text):
        url = match[0].rstrip(_AFTER_ADDRESS)
        pieces += words(text[end : match.start()], mentions)
        pieces += link(url, url, mentions)
        end = match.start() + len(url)
    return [*pieces, *words(text[end:], mentions)]


def link(url: str, label: str, mentions: Mentions, styles: tuple[Style, ...] = ()) -> list[Piece]:
    """A link; its label and URL as text when the URL may be no link. Line breaks in it become blanks."""
    label = " ".join(label.split())
    label = "" if label == url else label
    if (is_web_url(url) or is_mail_link(url)) and len(escape(url + label)) <= _MAX_LINK:
        return [Piece("link", label, url.replace("|", "%7C").replace("<", "%3C").replace(">", "%3E"), styles)]
    return [*words(f"{label} ({url})" if label and url else label or url, mentions, styles)]


def markdown_pieces(tokens: Sequence[MarkdownToken], mentions: Mentions, *, is_bold: bool) -> list[Piece]:
    """The pieces of a paragraph of Markdown."""
    pieces: list[Piece] = []
    opened: list[Style] = ["bold"] if is_bold else []
    styles = tuple(opened)
    places = iter(range(len(tokens)))
    for place in places:
        token = tokens[place]
        match token.kind:
            case "softbreak" | "hardbreak":
                pieces.append(Piece("break"))
            case "code_inline":
                pieces.append(Piece("code", token.content, styles=styles))
            case "link_open":
                close = next(at for at in range(place, len(tokens)) if tokens[at].kind == "link_close")
                pieces += link(token.url, plain_words(tokens[place + 1 : close]), mentions, styles)
                for _ in range(place, close):
                    next(places)
            case "image":
                pieces += link(token.url, token.content, mentions, styles)
            case "strong_open" | "em_open" | "s_open" as name:
                opened.append(_STYLE_OF[name.removesuffix("_open")])
                styles = tuple(dict.fromkeys(opened))
            case "strong_close" | "em_close" | "s_close":
                opened.pop()
                styles = tuple(dict.fromkeys(opened))
            case _ if mentions is NO_MENTIONS or "@" not in token.content:
                pieces.append(Piece("text", token.content, "", styles))
            case _:
                pieces += words(token.content, mentions, styles)
    return pieces


def plain_words(tokens: Sequence[MarkdownToken]) -> str:
    """The words of pieces of a line."""
    return "".join(["\n" if token.kind.endswith("break") else token.content for token in tokens])


def with_emoji(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces, with names of emoji such as `:wave:` in their words as pieces of their own."""
    for piece in pieces:
        end = 0
        for match in EMOJI.finditer(piece.text if piece.kind == "text" else ""):
            yield piece._replace(text=piece.text[end : match.start()])
            yield Piece("emoji", match[0], match[0][1:-1])
            end = match.end()
        yield piece._replace(text=piece.text[end:])
