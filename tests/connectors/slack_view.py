"""A small model of what Slack's clients show of blocks: characters, each with its styles."""

from __future__ import annotations

from typing import Any

from mentionable._text.mrkdwn import _blocks, unescape

Shown = list[tuple[str, frozenset[str]]]

_STYLES = {"*": "bold", "_": "italic", "~": "strike"}


def shown(blocks: list[dict[str, Any]]) -> Shown:
    """The characters of blocks, with their styles; emoji are one character with the style `emoji`."""
    characters: Shown = []
    for number, block in enumerate(blocks):
        if number:
            characters += [("\n", frozenset())] * 2
        if block["type"] == "rich_text":
            for paragraph in block["elements"]:
                styles = {"quote"} if paragraph["type"] == "rich_text_quote" else set()
                for element in paragraph["elements"]:
                    characters += _element(element, styles)
        elif block["type"] == "section" and block["text"]["type"] == "mrkdwn":
            characters += _mrkdwn(block["text"]["text"])
        elif block["type"] == "section":
            characters += [(sign, frozenset()) for sign in unescape(block["text"]["text"])]
    return characters


def _element(element: dict[str, Any], styles: set[str]) -> Shown:
    own = frozenset({*styles, *element.get("style", ())})
    match element["type"]:
        case "text":
            return [(sign, own) for sign in element["text"]]
        case "link":
            return [(sign, own | {"link"}) for sign in element.get("text", element["url"])]
        case "user":
            return [(f"@{element['user_id']}", own)]
        case _:
            return [(f":{element['name']}:", own | {"emoji"})]


def _mrkdwn(text: str) -> Shown:
    characters: Shown = []
    for number, block in enumerate(_blocks(text)):
        if number:
            characters.append(("\n", frozenset()))
        styles = {"quote"} if block.is_quoted else set()
        if block.is_code:
            characters += [(sign, frozenset({"code"})) for sign in unescape(block.text)]
        for token in block.tokens:
            match token.kind:
                case "open":
                    styles.add(_STYLES[token.text])
                case "close":
                    styles.discard(_STYLES[token.text])
                case "code":
                    characters += [(sign, frozenset({*styles, "code"})) for sign in unescape(token.text)]
                case "link":
                    characters += [(sign, frozenset({*styles, "link"})) for sign in token.text or token.target]
                case "mention":
                    characters.append((f"@{token.target}", frozenset(styles)))
                case _:
                    characters += [(sign, frozenset(styles)) for sign in unescape(token.text)]
    return characters


def words(characters: Shown) -> str:
    """The characters alone, without those that have no width."""
    return "".join([sign for sign, _ in characters]).replace("\u2060", "").replace("\u200b", "")
