"""Mutants of headers and of blocks of context."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from mentionable._names import harmless
from mentionable.ingest import _compose
from tests.mutants._answers import mends, spoils
from tests.mutants._ingest import AREA, edits, valued

if TYPE_CHECKING:
    from collections.abc import Callable

HEADER, CONTEXT = ("ingest.header",), ("ingest.context",)
NAME, TOKEN, BLOCK = _compose.name_of, _compose.is_token, _compose.block_of


def leaving(honest: Callable[[str], Any], signs: str) -> Callable[[str], Any]:
    """A function that leaves these characters alone, as if it did not know them."""
    away = {ord(sign): 0xF0000 + place for place, sign in enumerate(signs)}
    back = {0xF0000 + place: sign for place, sign in enumerate(signs)}

    def wrong(text: str) -> Any:
        found = honest(text.translate(away))
        return found.translate(back) if isinstance(found, str) else found

    return wrong


def dropping(honest: Callable[[str], Any], signs: str) -> Callable[[str], Any]:
    """A function that takes these characters away first."""
    return lambda text: honest(text.translate(dict.fromkeys(map(ord, signs))))


def _names(name: str, rule: str, wrong: Callable[[str], str]) -> None:
    valued(HEADER, f"header-{name}", rule, _compose, "name_of", wrong)


def _tokens(name: str, rule: str, wrong: Callable[[str], bool]) -> None:
    valued(HEADER, f"header-token-{name}", rule, _compose, "is_token", wrong)


# --- names

for _name, _signs in {
    "square-brackets": "[]",
    "angle-brackets": "<>",
    "fullwidth-brackets": "\uff3b\uff3d\uff1c\uff1e",
    "look-alikes": "\u27e6\u27e7\u3010\u3011",
    "newlines": "\n\r",
    "returns": "\r",
    "tabs": "\t",
    "vertical-tabs": "\x0b",
    "form-feeds": "\x0c",
    "separators": "\x1c\x1d\x1e\x1f",
    "next-lines": "\u0085",
    "line-separators": "\u2028",
    "paragraph-separators": "\u2029",
    "no-break-spaces": "\u00a0\u202f",
    "wide-spaces": "\u3000\u2003",
    "null-characters": "\x00",
    "escapes": "\x1b\x7f",
    "c1-controls": "\x9b",
    "overrides": "\u202e\u202c",
    "isolates": "\u2066\u2069",
    "marks": "\u200e\u200f",
    "arabic-marks": "\u061c",
    "zero-width-spaces": "\u200b",
    "byte-order-marks": "\ufeff",
    "soft-hyphens": "\u00ad",
    "tags": "\U000e0041\U000e0042",
    "fillers": "\u3164\u115f",
}.items():
    _names(f"leaves-{_name}", f"Leaves {_name.replace('-', ' ')} in names.", leaving(NAME, _signs))
for _name, _signs in {
    "joiners": "\u200d",
    "non-joiners": "\u200c",
    "letters-of-hebrew": "עומר",
    "punctuation": "'\"().,:",
    "signs": "+",
    "marks-on-letters": "\u0308",
    "quotation-marks": "‹›",
}.items():
    _names(f"drops-{_name}", f"Drops {_name.replace('-', ' ')} from names.", dropping(NAME, _signs))
HEADERS: Final = _compose._headers
edits(
    HEADER,
    "header-runs",
    "Leaves runs of blanks in names.",
    (harmless, '" ".join(', "("),
    (harmless, ".split())", ")"),
)
edits(HEADER, "header-addresses", "Leaves addresses in parentheses in names.", (NAME, '_LIKE_A_TOKEN(r"\\1", ', "("))
edits(HEADER, "header-joiners-are-names", "Takes joiners for a name.", (NAME, "not line.strip(_UNSEEN)", "not line"))
edits(HEADER, "header-unknown", "Calls nobody unknown.", (HEADERS, "return None", 'shown = "unknown"'))
edits(HEADER, "header-length-79", "Cuts names too early.", (NAME, "len(line) <= MAX_NAME", "len(line) < MAX_NAME"))
edits(HEADER, "header-length-any", "Cuts no name.", (NAME, "len(line) <= MAX_NAME", "True"))
edits(HEADER, "header-cut-in-silence", "Cuts names without a sign.", (NAME, " + ELLIPSIS", ""))
edits(HEADER, "header-cut-at-blank", "Leaves a blank where it cuts.", (NAME, ".rstrip()", ""))
edits(HEADER, "header-cut-first", "Cuts names before it cleans them.", (NAME, "[:_LOOKED_AT]", "[:MAX_NAME]"))
edits(
    HEADER,
    "header-never-bare",
    "Adds parentheses without a token.",
    (HEADERS, 'own if is_bare or not token else f"[{shown} ({token})]:"', 'f"[{shown} ({token})]:"'),
    central=True,
)
edits(HEADER, "header-no-tokens", "Shows no tokens.", (HEADERS, "is_bare or not token", "True"))
edits(
    HEADER,
    "header-cleans-tokens",
    "Cleans tokens as names are.",
    (HEADERS, "({token})", "({token.translate({60: 8249, 62: 8250})})"),
)
edits(
    HEADER,
    "header-refused-token-refuses-name",
    "Shows no name where the token is refused.",
    (HEADERS, "if not shown:", 'if not shown or (token != "" and not is_token(token)):'),
)
FOUND: Final = _compose.headers_in
MEMBER: Final = 'members.get("sender_display_name")'
edits(
    HEADER,
    "header-null-fails",
    "Fails without metadata.",
    (_compose.members_of, "return metadata or {}", "return {**metadata}"),
)
edits(
    HEADER,
    "header-ids-are-names",
    "Calls people by their ids.",
    (FOUND, MEMBER, f'{MEMBER} or members.get("sender_id")'),
)
edits(
    HEADER,
    "header-sources-are-names",
    "Calls people by their source.",
    (FOUND, MEMBER, f'{MEMBER} or members.get("source")'),
)
edits(
    HEADER,
    "header-tokens-are-names",
    "Calls people by their token.",
    (FOUND, MEMBER, f'{MEMBER} or members.get("mention_token")'),
)
edits(
    HEADER,
    "header-slips-are-names",
    "Reads names that are nearly right.",
    (FOUND, MEMBER, f'{MEMBER} or members.get("sender_displayname")'),
)
edits(
    HEADER,
    "header-numbers-are-names",
    "Calls people by numbers.",
    (FOUND, 'name if isinstance(name, str) else ""', 'str(name or "")'),
)
edits(
    HEADER,
    "header-null-is-a-name",
    "Writes null for a name.",
    (FOUND, 'name if isinstance(name, str) else ""', "str(name)"),
)
for _word in (None, False, 7):
    edits(
        HEADER,
        f"header-token-of-{str(_word).lower()}",
        f"Writes a token of {_word}.",
        (
            FOUND,
            'token if isinstance(token, str) else ""',
            f'str(token) if repr(token) == {str(_word)!r} and "mention_token" in members else token if '
            f'isinstance(token, str) else ""',
        ),
    )
edits(
    HEADER,
    "header-empty-token",
    "Adds parentheses for an empty token.",
    (HEADERS, "is_bare or not token", 'is_bare or (not token and name != "Bob")'),
)

# --- tokens

for _name, _signs in {
    "spaces": " ",
    "newlines": "\n",
    "no-break-spaces": "\u00a0",
    "line-separators": "\u2028",
    "next-lines": "\u0085",
    "controls": "\x00",
    "deletes": "\x7f",
    "opening-brackets": "[",
    "closing-brackets": "]",
    "fullwidth-brackets": "\uff3d",
    "overrides": "\u202e",
    "zero-width-spaces": "\u200b",
}.items():
    _tokens(f"with-{_name}", f"Takes {_name.replace('-', ' ')} in tokens.", dropping(TOKEN, _signs))
_tokens(
    "blank",
    "Takes blanks for a token.",
    lambda token: (TOKEN(token.strip() or "x") and token == token.strip()) or not token.strip(),
)
_tokens("any-length", "Takes tokens of any length.", lambda token: TOKEN(token[:256]))
_tokens("length-255", "Takes shorter tokens alone.", lambda token: TOKEN(token + "x"))
for _name, _pattern in {
    "of-slack": r"<@[UW][A-Z0-9]+>|[^<]+",
    "of-ids": r"<@[A-Z0-9]+>|[^<]+",
    "without-at": r"[^@].*",
    "without-parentheses": r"[^()]+",
    "of-ascii": r"[\x21-\x7e]+",
}.items():
    _tokens(
        _name,
        "Knows tokens of one form alone.",
        lambda token, known=re.compile(_pattern).fullmatch: TOKEN(token) and known(token) is not None,
    )

# --- blocks of context


def _blocks(name: str, rule: str, wrong: Callable[[str], Any]) -> None:
    valued(CONTEXT, f"context-{name}", rule, _compose, "block_of", wrong)


for _name, _signs in {
    "controls": "\x00\x1b\x7f\x9b",
    "overrides": "\u202e\u2066",
    "marks": "\u200e\u200f\u061c",
}.items():
    _blocks(f"leaves-{_name}", f"Leaves {_name} in blocks.", leaving(BLOCK, _signs))
_blocks("drops-joiners", "Drops joiners from blocks.", dropping(BLOCK, "\u200c\u200d"))
_blocks("one-line", "Writes a block on one line.", lambda text: " ".join(text.split()) or None)
_blocks(
    "other-line-ends",
    "Writes every line end as another.",
    lambda text: "\n".join((BLOCK(text) or "").splitlines()) or None,
)
_blocks("as-it-came", "Leaves blanks around blocks.", lambda text: text if BLOCK(text) else None)
_blocks("empty", "Makes a block of nothing.", lambda text: BLOCK(text) or "")
_blocks("blank", "Makes a block of blanks.", lambda text: BLOCK(text) or (text if text.isspace() else None))
_blocks(
    "first-line", "Takes the heading for a name, and drops it.", lambda text: text.partition("]\n")[2] or BLOCK(text)
)
CONTEXT_OF: Final = _compose.compose_thread_context_block
for _name, _kind in (("true", "bool"), ("numbers", "int"), ("lists", "list"), ("objects", "dict")):
    edits(
        CONTEXT,
        f"context-of-{_name}",
        f"Writes {_name} as text.",
        (
            CONTEXT_OF,
            "block_of(found) if isinstance(found, str)",
            f"block_of(str(found)) if isinstance(found, str) or type(found) is {_kind}",
        ),
    )
edits(
    CONTEXT,
    "context-of-null",
    "Writes null as text.",
    (CONTEXT_OF, '.get("thread_context")', '.get("thread_context", "")'),
    (CONTEXT_OF, "block_of(found) if isinstance(found, str)", "str(found) if isinstance(found, str | None)"),
)
edits(
    CONTEXT,
    "context-needs-metadata",
    "Fails without metadata.",
    (_compose.members_of, "return metadata or {}", "return {**metadata}"),
)
edits(
    CONTEXT,
    "context-needs-name",
    "Shows no context of who is not named.",
    (CONTEXT_OF, "if isinstance(found, str)", 'if isinstance(found, str) and "sender_display_name" in metadata'),
)
spoils(
    AREA,
    CONTEXT,
    "context-empty-text",
    "Gives an empty text for nothing.",
    lambda value, *_: "" if value is None else None,
)
mends(
    AREA,
    CONTEXT,
    "context-cut",
    "Cuts lines of a block.",
    lambda given, unit: (
        given,
        {**unit, "thread_context": "\n".join(line[:30] for line in unit["thread_context"].split("\n"))}
        if isinstance((unit or {}).get("thread_context"), str)
        else unit,
    ),
)
