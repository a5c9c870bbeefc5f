"""Text as Slack sends it: links in readable form, mentions as tokens or names, and its markup as Markdown.

Slack marks text up in a dialect of its own, mrkdwn. Everything here looks at each character a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from .._wire.http import is_web_url
from .markdown_words import has_label, looks_like_mention, markdown_line, markdown_link, markdown_words, mention_token
from .media import single_line

_FENCE: Final = "```"
JOINER: Final = "\u2060"
"""WORD JOINER: it has no width, no line breaks at it, and it is no boundary of words."""

_ENTITY: Final = re.compile(r"<[^<>\n]++>")
_ATOM: Final = re.compile(r"<[^<>\n]++>|`[^`\n]++`")
_MARKS: Final = re.compile(r"[*_~]")
_MARKDOWN_OF: Final = {"*": "**", "_": "_", "~": "~~"}

_BULLET: Final = re.compile("([ ]*+)[\u2022\u25e6\u25aa]\ufe0e?+[ \t]++").match
is_mail_link: Final = re.compile(r"mailto:[^\s<>()|\\]{1,320}").fullmatch
"""Whether the target of a link is a mail address."""

_QUOTE: Final = re.compile(r"(?:&gt;|>)((?:&gt;|>){2})? ?").match

_MENTION: Final = re.compile(r"@[UW][A-Z0-9]{1,31}|#[CDG][A-Z0-9]{1,31}|!subteam\^S[A-Z0-9]{1,31}").fullmatch


Mime: TypeAlias = Literal["text/plain", "text/markdown"]


class ParsedText(NamedTuple):
    """The text of a message, and whether it is Markdown."""

    content: str
    mime: Mime


class _Token(NamedTuple):
    """A piece of a line. The target of a mention is what its token has between `<` and `>`, of a link its URL."""

    kind: Literal["text", "code", "mention", "link", "open", "close", "either"]
    text: str
    target: str = ""


class _Block(NamedTuple):
    """A line, or a block of code with all its lines."""

    text: str
    tokens: tuple[_Token, ...] = ()
    is_code: bool = False
    is_quoted: bool = False


def mrkdwn_to_markdown(text: str, *, names: Mapping[str, str] | None = None) -> str:
    r"""Text of Slack as Markdown.

    Links become links, `<!here>` becomes `@here`, and what is no markup in Slack is escaped where Markdown would take
    it for markup. Emoji codes such as `:wave:` stay.

    Args:
        text: The `text` of a message, as Slack sends it.
        names: Id of a user → the name to show; without one the label that Slack wrote, else the id. None: mentions of
            people, groups and channels stay the tokens that Slack has for them, without labels: `<@U456>`.

    Example:
        >>> mrkdwn_to_markdown("<@U456> see <https://a.example/|*a page*>: *new* &amp; ~old~", names={"U456": "Jo"})
        '@Jo see [\\*a page\\*](https://a.example/): **new** & ~~old~~'
        >>> mrkdwn_to_markdown("<@U456|jo> in <#C1|general>")
        '<@U456> in <#C1>'
    """
    return _Writer(names, is_markdown=True).write(_blocks(text))


def read_text(text: str) -> ParsedText:
    """Text as its author typed it: plain text when it has no markup of Slack, else Markdown.

    Mentions of people, groups and channels stay the tokens that Slack has for them, without labels: `<@U456>`. Whoever
    types such a token instead of mentioning gets Markdown in which it is escaped, so that it is no token.

    Spec: Message Ingest Contract (content is the raw text the human typed); docs/decisions.md R62.
    """
    blocks = _blocks(text)
    has_typed_token = "&lt;" in text and looks_like_mention(unescape(text.replace("<", "")))
    is_markdown = has_typed_token or any(map(_is_marked, blocks))
    return ParsedText(
        _Writer(None, is_markdown=is_markdown).write(blocks), "text/markdown" if is_markdown else "text/plain"
    )


def _is_marked(block: _Block) -> bool:
    """Whether a block has markup that plain text would lose."""
    marked = ("code", "open")
    return block.is_code or any(
        token.kind in marked or (token.kind == "link" and has_label(token.target, token.text)) for token in block.tokens
    )


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
        opens = not is_joined(before) and not after.isspace() and after != match[0]
        closes = not is_joined(after) and not before.isspace() and before != match[0]
        if opens or closes:
            yield _Token("text", line[at:index])
            yield _Token("either" if opens and closes else "open" if opens else "close", match[0])
            at = index + 1
    yield _Token("text", line[at:end])


def is_joined(sign: str) -> bool:
    """Whether a mark next to this is none: a letter, or the joiner by which an answer keeps marks as characters."""
    return sign.isalnum() or sign == JOINER


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
    if sign in ("@", "#", "!") and _MENTION(target):
        return _Token("mention", label, target)
    if sign in ("@", "#"):
        return _Token("text", sign + (label or target[1:]).removeprefix(sign))
    if sign == "!":
        return _Token("text", _special(target[1:], label))
    url = unescape(target)
    if is_web_url(url) or is_mail_link(url):
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

    def __init__(self, names: Mapping[str, str] | None, *, is_markdown: bool) -> None:
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
        return quote + bullet + (markdown_line(text) if self._is_markdown else text)

    def _token(self, token: _Token) -> str:
        match token.kind:
            case "text":
                return self._words(unescape(token.text))
            case "code":
                return f"`{self._verbatim(token.text)}`"
            case "mention":
                if self._names is None:
                    return mention_token(token.target, is_markdown=self._is_markdown)
                return self._words(_readable(token, self._names))
            case "link":
                return self._link(token)
            case _:
                return _MARKDOWN_OF[token.text]

    def _link(self, token: _Token) -> str:
        if self._is_markdown:
            return markdown_link(token.target, token.text)
        return token.text or token.target.removeprefix("mailto:")

    def _verbatim(self, text: str) -> str:
        """Text inside code, where Slack keeps links and mentions as entities."""
        pieces: list[str] = []
        end = 0
        for match in _ENTITY.finditer(text):
            token = _entity(match[0][1:-1])
            readable = token.text or token.target
            if token.kind == "mention":
                readable = f"<{token.target}>" if self._names is None else _readable(token, self._names)
            pieces += unescape(text[end : match.start()]), readable
            end = match.end()
        return "".join([*pieces, unescape(text[end:])]).replace("`", "'") if pieces else unescape(text)

    def _words(self, text: str) -> str:
        return markdown_words(text) if self._is_markdown else text


def _readable(token: _Token, names: Mapping[str, str]) -> str:
    """What is mentioned, by name when there is one."""
    sign, id = ("@", token.target[9:]) if token.target[0] == "!" else (token.target[0], token.target[1:])
    return sign + single_line((names.get(id) if sign == "@" else None) or token.text or id).removeprefix(sign)
