"""Text as Slack sends it: mentions and links in readable form, and its markup as Markdown.

Slack marks text up in a dialect of its own, mrkdwn. Everything here looks at each character a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from .._wire.http import is_web_url
from .media import single_line

NO_NAMES: Final[Mapping[str, str]] = {}

_FENCE: Final = "```"
_ENTITY: Final = re.compile(r"<[^<>\n]++>")
_ATOM: Final = re.compile(r"<[^<>\n]++>|`[^`\n]++`")
_MARKS: Final = re.compile(r"[*_~]")
_MARKDOWN_OF: Final = {"*": "**", "_": "_", "~": "~~"}

_BULLET: Final = re.compile("([ ]*+)[\u2022\u25e6\u25aa]\ufe0e?+[ \t]++").match
_MAIL: Final = re.compile(r"mailto:[^\s<>()|\\]{1,320}").fullmatch
_QUOTE: Final = re.compile(r"(?:&gt;|>)((?:&gt;|>){2})? ?").match

_AFTER_BACKSLASH: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_SPECIAL: Final = re.compile(r"[\\*_~`&<\]]")
_REFERENCE: Final = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{0,31}|#[0-9]{1,7}|#[Xx][0-9A-Fa-f]{1,6});")
_TITLE: Final = re.compile(r"#{1,6}(?![^ \t])").match
_RULE: Final = re.compile(r"[-=|: \t]++").fullmatch

Mime: TypeAlias = Literal["text/plain", "text/markdown"]


class ParsedText(NamedTuple):
    """The text of a message, and whether it is Markdown."""

    content: str
    mime: Mime


class _Token(NamedTuple):
    """A piece of a line. A mention has the id of the user as its target, a link its URL."""

    kind: Literal["text", "code", "mention", "link", "open", "close", "either"]
    text: str
    target: str = ""


class _Block(NamedTuple):
    """A line, or a block of code with all its lines."""

    text: str
    tokens: tuple[_Token, ...] = ()
    is_code: bool = False
    is_quoted: bool = False


def mrkdwn_to_markdown(text: str, *, names: Mapping[str, str] = NO_NAMES) -> str:
    r"""Text of Slack as Markdown.

    Mentions become readable (`@Alice`, `#general`, `@here`), links become links, and what is no markup in Slack is
    escaped where Markdown would take it for markup. Emoji codes such as `:wave:` stay.

    Args:
        text: The `text` of a message, as Slack sends it.
        names: Id of a user → the name to show; without one the label that Slack wrote, else the id.

    Example:
        >>> mrkdwn_to_markdown("<@U456> see <https://a.example/|*a page*>: *new* &amp; ~old~", names={"U456": "Jo"})
        '@Jo see [\\*a page\\*](https://a.example/): **new** & ~~old~~'
    """
    return _Writer(names, is_markdown=True).write(_blocks(text))


def read_text(text: str, *, names: Mapping[str, str] = NO_NAMES) -> ParsedText:
    """Text as its author typed it: plain text when it has no markup of Slack, else Markdown.

    Plain text is unchanged but for mentions, which become readable.

    Spec: Message Ingest Contract (content is the raw text the human typed).
    """
    blocks = _blocks(text)
    is_markdown = any(map(_is_marked, blocks))
    return ParsedText(
        _Writer(names, is_markdown=is_markdown).write(blocks), "text/markdown" if is_markdown else "text/plain"
    )


def _is_marked(block: _Block) -> bool:
    """Whether a block has markup that plain text would lose."""
    marked = ("code", "open")
    return block.is_code or any(token.kind in marked or _has_label(token) for token in block.tokens)


def _has_label(token: _Token) -> bool:
    """Whether this is a link with a label other than its URL."""
    if token.kind != "link":
        return False
    scheme, separator, rest = token.target.partition("://" if "://" in token.target else ":")
    return token.text not in ("", rest, scheme + separator + rest)


def _blocks(text: str) -> list[_Block]:
    """The lines of a text, and its blocks of code."""
    pieces = text.split(_FENCE)
    if len(pieces) % 2 == 0:  # the last fence opens nothing
        last = pieces.pop()
        pieces[-1] += _FENCE + last
    blocks: list[_Block] = []
    for number, piece in enumerate(pieces):
        if number % 2:
            blocks.append(_Block(piece, is_code=True))
            continue
        if number:  # text after a block of code begins a line of its own, and text before it ends one
            piece = piece.removeprefix("\n")
        if number + 1 < len(pieces):
            piece = piece.removesuffix("\n")
        if piece or len(pieces) == 1:
            blocks += _lines(piece)
    return blocks


def _lines(text: str) -> Iterator[_Block]:
    """The lines of a text without blocks of code."""
    is_all_quoted = False
    for line in text.split("\n"):
        quote = _QUOTE(line)
        if quote is not None:
            is_all_quoted = is_all_quoted or quote[1] is not None
            line = line[quote.end() :]
        is_quoted = is_all_quoted or quote is not None
        yield _Block(line, tuple(_matched(list(_tokens(line)))), is_quoted=is_quoted)


def _tokens(line: str) -> Iterator[_Token]:
    """The pieces of a line in order, marks of emphasis that may open or close among them."""
    end = 0
    for match in _ATOM.finditer(line):
        yield from _marks(line, end, match.start())
        yield _Token("code", match[0][1:-1]) if match[0][0] == "`" else _entity(match[0][1:-1])
        end = match.end()
    yield from _marks(line, end, len(line))


def _marks(line: str, start: int, end: int) -> Iterator[_Token]:
    """Text between two atoms, cut at the marks in it."""
    at = start
    for match in _MARKS.finditer(line, start, end):
        index = match.start()
        before, after = line[index - 1 : index] or " ", line[index + 1 : index + 2] or " "
        opens = not before.isalnum() and not after.isspace() and after != match[0]
        closes = not after.isalnum() and not before.isspace() and before != match[0]
        if opens or closes:
            yield _Token("text", line[at:index])
            yield _Token("either" if opens and closes else "open" if opens else "close", match[0])
            at = index + 1
    yield _Token("text", line[at:end])


def _matched(tokens: list[_Token]) -> Iterator[_Token]:
    """The tokens, with pairs of marks as `open` and `close`; marks without a partner are text. Texts are joined."""
    partners = _partners(tokens)
    text: list[str] = []
    for index, token in enumerate(tokens):
        if token.kind == "text" or (token.kind in _MARK_KINDS and index not in partners):
            text.append(token.text)
            continue
        if joined := "".join(text):
            yield _Token("text", joined)
        text = []
        yield token if token.kind not in _MARK_KINDS else _Token(partners[index], token.text)
    if joined := "".join(text):
        yield _Token("text", joined)


_MARK_KINDS: Final = ("open", "close", "either")


def _partners(tokens: list[_Token]) -> dict[int, Literal["open", "close"]]:
    """The indexes of marks that have a partner, and whether they open or close."""
    opened: dict[str, int] = {}
    order: list[int] = []
    partners: dict[int, Literal["open", "close"]] = {}
    for index, token in enumerate(tokens):
        if token.kind not in _MARK_KINDS:
            continue
        opener = opened.get(token.text)
        if opener is not None and token.kind != "open":
            partners[opener], partners[index] = "open", "close"
            while order and order[-1] >= opener:  # those that opened later and did not close stay text
                del opened[tokens[order.pop()].text]
        elif opener is None and token.kind != "close":
            opened[token.text] = index
            order.append(index)
    return partners


def _entity(inside: str) -> _Token:
    """The text between `<` and `>`: a mention or a link."""
    target, _, label = inside.partition("|")
    label = single_line(unescape(label))
    sign = target[:1]
    if sign == "@":
        return _Token("mention", label, unescape(target[1:]))
    if sign == "#":
        return _Token("text", "#" + (label or target[1:]).removeprefix("#"))
    if sign == "!":
        return _Token("text", _special(target[1:], label))
    url = unescape(target)
    if is_web_url(url) or _MAIL(url):
        return _Token("link", label, url)
    return _Token("text", label or url)


def _special(target: str, label: str) -> str:
    """The text for `<!here>`, a group of users or a date."""
    kind, _, rest = target.partition("^")
    if kind == "date":
        return label or rest.partition("^")[0]
    return "@" + (label or rest or kind).removeprefix("@")


def unescape(text: str) -> str:
    """Text without the three escapes of Slack."""
    if "&" not in text:
        return text
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


class _Writer:
    """Writes blocks as Markdown, or as the plain text that they are."""

    def __init__(self, names: Mapping[str, str], *, is_markdown: bool) -> None:
        self._names = names
        self._is_markdown = is_markdown

    def write(self, blocks: list[_Block]) -> str:
        """All blocks, each from the beginning of a line."""
        return "\n".join([self._code_block(block) if block.is_code else self._line(block) for block in blocks])

    def _code_block(self, block: _Block) -> str:
        return f"{_FENCE}\n{self._verbatim(block.text).strip(chr(10))}\n{_FENCE}"

    def _line(self, block: _Block) -> str:
        quote, tokens, bullet = "> " if block.is_quoted else "", block.tokens, ""
        if self._is_markdown and tokens and tokens[0].kind == "text" and (match := _BULLET(tokens[0].text)):
            bullet = f"{match[1]}- "
            tokens = (_Token("text", tokens[0].text[match.end() :]), *tokens[1:])
        text = "".join(map(self._token, tokens))
        if self._is_markdown and (_TITLE(text) or (_RULE(text) and ("-" in text or "=" in text))):
            text = "\\" + text.lstrip(" \t")
        return quote + bullet + text

    def _token(self, token: _Token) -> str:
        match token.kind:
            case "text":
                return self._words(unescape(token.text))
            case "code":
                return f"`{self._verbatim(token.text)}`"
            case "mention":
                return self._words(self._mention(token))
            case "link":
                return self._link(token)
            case _:
                return _MARKDOWN_OF[token.text]

    def _mention(self, token: _Token) -> str:
        """A user who is mentioned, by name when there is one."""
        return "@" + single_line(self._names.get(token.target) or token.text or token.target).removeprefix("@")

    def _link(self, token: _Token) -> str:
        url = token.target
        if _has_label(token):
            return f"[{self._words(token.text)}]({_destination(url)})"
        text = token.text or url.removeprefix("mailto:")
        return f"<{url}>" if self._is_markdown and text == url else self._words(text)

    def _verbatim(self, text: str) -> str:
        """Text inside code, where Slack keeps links and mentions as entities."""
        pieces: list[str] = []
        end = 0
        for match in _ENTITY.finditer(text):
            token = _entity(match[0][1:-1])
            readable = self._mention(token) if token.kind == "mention" else token.text or token.target
            pieces += unescape(text[end : match.start()]), readable
            end = match.end()
        return "".join([*pieces, unescape(text[end:])]).replace("`", "'") if pieces else unescape(text)

    def _words(self, text: str) -> str:
        return _escaped(text) if self._is_markdown else text


def _destination(url: str) -> str:
    """A URL as it may stand in the parentheses of a link."""
    return _REFERENCE.sub(r"\\\g<0>", url.replace("(", "%28").replace(")", "%29"))


def _escaped(text: str) -> str:
    """Text with a backslash before each character that Markdown would take for markup, and before no other."""
    pieces: list[str] = []
    end = 0
    for match in _SPECIAL.finditer(text):
        index = match.start()
        if _is_markup(text, index):
            pieces += text[end:index], "\\"
            end = index
    return "".join([*pieces, text[end:]])


def _is_markup(text: str, index: int) -> bool:
    """Whether a special character may be markup. At the ends of a text any character may precede or follow it."""
    before, after = text[index - 1 : index] if index else "", text[index + 1 : index + 2]
    match text[index]:
        case "\\":
            return after in _AFTER_BACKSLASH
        case "*":
            return not (before.isspace() and after.isspace())
        case "_":
            return not (before.isalnum() and after.isalnum()) and not (before.isspace() and after.isspace())
        case "~":
            return "~" in (before, after)
        case "&":
            return _REFERENCE.match(text, index) is not None
        case "<":
            return after.isalpha() or after in ("", "/", "!", "?")
        case "]":
            return after in ("", "(", "[", ":")
        case _:
            return True
