"""Words of a platform as Markdown: what is no markup there is escaped where Markdown would take it for markup."""

from __future__ import annotations

import re
from typing import Final

_LIKE_A_MENTION: Final = re.compile(r"<(?:[@#][A-Z][A-Z0-9]{1,31}|!subteam\^[A-Z0-9]{1,32})>")
_MAY_BEGIN_ONE: Final = re.compile(
    r"<(?:\Z|[@#](?:\Z|[A-Z][A-Z0-9]{0,31}(?:>|\Z))|!(?:\Z|subteam\^[A-Z0-9]{0,32}(?:>|\Z)))"
).match
"""What looks like the token of a mention, or will if what follows this piece of the text ends it."""
_AFTER_BACKSLASH: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_SPECIAL: Final = re.compile(r"[\\*_~`&<\]]")
_REFERENCE: Final = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{0,31}|#[0-9]{1,7}|#[Xx][0-9A-Fa-f]{1,6});")
_TITLE: Final = re.compile(r"#{1,6}(?![^ \t])").match
_RULE: Final = re.compile(r"[-=|: \t]++").fullmatch


def looks_like_mention(text: str) -> bool:
    """Whether typed text has what would be taken for a token."""
    return _LIKE_A_MENTION.search(text) is not None


def mention_token(target: str, *, is_markdown: bool) -> str:
    """The token of a mention as a text may have it: Markdown would swallow that of a group, so it is escaped.

    Args:
        target: What Slack has between `<` and `>`: `@U456`, `#C1` or `!subteam^S1`.
        is_markdown: Whether the text is Markdown.
    """
    return f"\\<{target}>" if is_markdown and target[0] == "!" else f"<{target}>"


def has_label(url: str, text: str) -> bool:
    """Whether the text of a link is another than its URL, with or without the scheme."""
    scheme, separator, rest = url.partition("://" if "://" in url else ":")
    return text not in ("", rest, scheme + separator + rest)


def markdown_link(url: str, text: str) -> str:
    """A link as Markdown; without a label of its own it is its URL."""
    if has_label(url, text):
        return f"[{markdown_words(text)}]({_link_destination(url)})"
    label = text or url.removeprefix("mailto:")
    return f"<{url}>" if label == url else markdown_words(label)


def markdown_line(line: str) -> str:
    """A line that has no title and no rule in Slack, escaped where it would be one in Markdown."""
    if _TITLE(line) or (_RULE(line) and ("-" in line or "=" in line)):
        return "\\" + line.lstrip(" \t")
    return line


def _link_destination(url: str) -> str:
    """A URL as it may stand in the parentheses of a link."""
    return _REFERENCE.sub(r"\\\g<0>", url.replace("(", "%28").replace(")", "%29"))


def markdown_words(text: str) -> str:
    """Text with a backslash before each character that Markdown would take for markup, and before no other.

    What looks like the token of a mention gets `&lt;`, so that no search for the token finds it.
    """
    pieces: list[str] = []
    end = 0
    for match in _SPECIAL.finditer(text):
        index = match.start()
        if text[index] == "<" and _MAY_BEGIN_ONE(text, index):
            pieces += text[end:index], "&lt;"
            end = index + 1
        elif _is_markup(text, index):
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
