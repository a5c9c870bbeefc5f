"""The marks of Markdown: what must be escaped in text, and how links, code and tables are written."""

import re
from typing import Final

__all__ = ["autolink", "backticks", "code_span", "destination", "escape", "guard_line_start", "table_lines"]

_SYNTAX: Final = re.compile(
    r"[\\`*\[\]<&~_](?:"  # the search goes from one of these to the next, and looks at no other character
    r"(?<=[\\`*\[\]])"
    r"|(?<=<)(?=[A-Za-z/!?]|\Z)"
    r"|(?<=&)(?=[#0-9A-Za-z]{1,33}+(?:;|\Z)|\Z)"
    r"|(?<=~)(?=~|\Z)|(?<=\A~)"
    r"|(?<=_)_*+"
    r")"
)
_LINE_SYNTAX: Final = re.compile(
    r"#{1,6}+(?=\s|\Z)"  # heading
    r"|[-+](?=\s|\Z)|([0-9]{1,9}+)[.)](?=\s|\Z)"  # list item
    r"|>"  # quotation
    r"|[=|]|-(?=[-:|])|:(?=-)"  # a line that makes the line above a heading or a table's head
)
_LINE_SYNTAX_STARTS: Final = frozenset("#-+:=>|0123456789")
_LINE_SYNTAX_LENGTH: Final = 12

_REFERENCE: Final = re.compile(r"&(?=[#0-9A-Za-z]++;)")
_MAILBOX: Final = re.compile(r"(?i:mailto:)([A-Za-z0-9.!#$%'*+/=?^_{}~-]++@[A-Za-z0-9.-]++)\Z")
_BACKTICKS: Final = re.compile("`++")


def escape(text: str, *, heading: bool = False) -> str:
    """The text with a backslash before everything that Markdown could read as syntax within a line."""
    escaped = _SYNTAX.sub(_escaped, text)
    return escaped.replace("#", "\\#") if heading else escaped


def _escaped(match: re.Match[str]) -> str:
    """Escape syntax with backslashes. Underscores within a word are no syntax."""
    if match[0][0] == "_":
        text, start, end = match.string, match.start(), match.end()
        if start and text[start - 1].isalnum() and text[end : end + 1].isalnum():
            return match[0]
        return "\\_" * (end - start)
    return "\\" + match[0]


def guard_line_start(out: list[str], start: int) -> None:
    """Put a backslash where Markdown would read the line that begins at `out[start]` as syntax."""
    if start >= len(out) or out[start][:1] not in _LINE_SYNTAX_STARTS:
        return
    head = "".join(piece[:_LINE_SYNTAX_LENGTH] for piece in out[start : start + _LINE_SYNTAX_LENGTH])
    match = _LINE_SYNTAX.match(head)
    if match is None:
        return
    offset = 0 if match[1] is None else match.end(1)
    while offset >= len(out[start]):
        offset -= len(out[start])
        start += 1
    out[start] = out[start][:offset] + "\\" + out[start][offset:]


def destination(link: str) -> str:
    """A link as it stands in round brackets. It has no blanks, quotes, backslashes or angle brackets."""
    link = _REFERENCE.sub("&amp;", link)
    return f"<{link}>" if "(" in link or ")" in link else link


def autolink(link: str, visible: str) -> str:
    """A link whose text is its address; `visible` is its Markdown."""
    mailbox = _MAILBOX.match(link)
    if mailbox is not None:
        return f"<{mailbox[1]}>"
    is_mail = link[:7].lower() == "mailto:"
    if is_mail or _REFERENCE.search(link):
        return f"[{visible or escape(link[7:] if is_mail else link)}]({destination(link)})"
    return f"<{link}>"


def backticks(text: str, *, least: int) -> str:
    """More backticks than there are in the text at once."""
    return "`" * max(least, 1 + max(map(len, _BACKTICKS.findall(text)), default=0))


def code_span(text: str) -> str:
    """Code between as many backticks as it takes."""
    marks = backticks(text, least=1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{space}{text}{space}{marks}"


def table_lines(rows: list[list[str]]) -> list[str]:
    """The lines of a table whose first row is its head, as wide as the widest row."""
    width = max(map(len, rows))
    head = [*rows[0], *[""] * (width - len(rows[0]))]
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows[1:])]
    lines.insert(1, "|" + " --- |" * width)
    return lines
