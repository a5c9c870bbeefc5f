"""Mutants of policies as people read them, and as cards declare them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.mutants._answers import mends, refuses, spoils, takes
from tests.mutants._policy_wire import AREA, EXTENSION, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT, HTML, MARKDOWN, WORDS = ("policy.text",), ("policy.html",), ("policy.markdown",), ("policy.localize",)
DECLARE, DECLARED = ("policy.declare",), ("policy.is_declared",)
FACES = (*TEXT, *HTML, *MARKDOWN)


def _shown(ops: tuple[str, ...], name: str, rule: str, change: Callable[[str, Any], str]) -> None:
    """Registers a mutant that shows another text: `change(text, policy)`."""
    spoils(AREA, ops, f"render-{name}", rule, lambda value, _, unit: change(value, unit["policy"]))


def _seen(ops: tuple[str, ...], name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that sees another policy."""
    mends(AREA, ops, f"render-{name}", rule, lambda given, unit: (given, {**unit, "policy": change(unit["policy"])}))


def _but(*names: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda policy: {name: member for name, member in policy.items() if name not in names}


def _known_schemes(policy: dict[str, Any]) -> dict[str, Any]:
    if "accepted_payments" not in policy:
        return policy
    offers = [
        one if one["scheme"].startswith(("x402", "stripe")) else {**one, "label": None, "description": None}
        for one in policy["accepted_payments"]
    ]
    bare = [{name: one for name, one in offer.items() if one is not None} for offer in offers]
    return {**policy, "accepted_payments": bare}


_seen(FACES, "no-titles", "Shows no titles.", _but("title"))
_seen(FACES, "no-urls", "Does not show where to act.", _but("url"))
_seen(FACES, "no-labels", "Shows no labels.", _but("action_label"))
_seen(FACES, "known-schemes", "Shows ways to pay that it knows.", _known_schemes)
_seen(
    FACES,
    "no-message",
    "Shows no message.",
    lambda policy: {**policy, "message": "-"} if ":" not in policy["kind"] else policy,
)
_seen(
    FACES,
    "known-kinds",
    "Shows nothing of kinds that it does not know.",
    lambda policy: {**policy, "message": "Unknown."} if ":" in policy["kind"] else policy,
)
_seen(
    FACES,
    "one-line",
    "Shows the message in one line.",
    lambda policy: {**policy, "message": " ".join(policy["message"].split())},
)
_shown(
    TEXT, "data", "Shows what is for programs.", lambda text, policy: text + text_of(policy.get("data", "")).strip('"')
)
_shown(HTML, "states", "Shows states.", lambda text, policy: text + f"<p>{policy.get('state', '')}</p>")
_shown(
    TEXT,
    "label-alone",
    "Shows labels of nothing.",
    lambda text, policy: text if "url" in policy else f"{text}\n{policy.get('action_label', '')}".strip(),
)
_shown(TEXT, "lines-in-titles", "Keeps line ends in titles.", lambda text, policy: text.replace("a b", "a\nb"))
_shown(TEXT, "markup-in-text", "Takes text for markup.", lambda text, _: re.sub(r"<[^>]*>", "", text))
_shown(HTML, "no-host", "Does not show where a link leads.", lambda text, _: text.replace(" (agents.example)", ""))
_shown(HTML, "no-link", "Links to nothing.", lambda text, _: re.sub(r"</?a[^>]*>", "", text))
_shown(HTML, "markup", "Takes text for HTML.", lambda text, _: text.replace("&lt;", "<").replace("&gt;", ">"))
_shown(
    HTML,
    "links-in-messages",
    "Links whatever looks like a link.",
    lambda text, _: re.sub(r"(?<![\">/])(https://evil\.example/)", r'<a href="\1">\1</a>', text),
)
_shown(HTML, "twice-escaped", "Escapes twice.", lambda text, _: text.replace("&amp;", "&amp;amp;"))
_shown(
    HTML,
    "label-of-nothing",
    "Shows labels of nothing.",
    lambda text, policy: text if "url" in policy else text + f"<p>{policy.get('action_label', '')}</p>",
)
_shown(MARKDOWN, "unescaped", "Takes text for Markdown.", lambda text, _: text.replace("\\", ""))
_shown(MARKDOWN, "plain", "Writes plain text.", lambda text, _: text.replace("**", "").replace("- ", ""))


# languages
def _asks(name: str, rule: str, change: Callable[[list[str], dict[str, Any]], list[str]]) -> None:
    """Registers a mutant that looks other languages up."""
    mends(
        AREA,
        WORDS,
        f"localized-{name}",
        rule,
        lambda given, unit: (given, {**unit, "languages": change(unit["languages"], unit["policy"])}),
    )


def _tags(policy: dict[str, Any]) -> list[str]:
    return list(policy.get("message_translations", {}))


_asks("never", "Speaks one language.", lambda *_: [])
_asks(
    "exact",
    "Looks up exact tags.",
    lambda asked, policy: [one for one in asked if one.lower() in map(str.lower, _tags(policy))],
)
_asks("primary", "Looks up what stands first of a tag.", lambda asked, _: [one.partition("-")[0] for one in asked])
_asks(
    "case",
    "Asks for letters as they are.",
    lambda asked, policy: [one for one in asked if one.lower() == one or one in _tags(policy)],
)
_asks("first", "Looks up the first alone.", lambda asked, _: asked[:1])
_asks("last", "Takes the last for the best.", lambda asked, _: asked[::-1])
_asks("star", "Takes any language for the first.", lambda asked, policy: _tags(policy)[1:2] if "*" in asked else asked)
_asks("default", "Speaks English to whom it does not understand.", lambda asked, _: [*asked, "en"])
_asks(
    "longer",
    "Finds longer tags.",
    lambda asked, policy: [
        next((tag for tag in _tags(policy) if tag.startswith(one + "-") and one not in _tags(policy)), one)
        for one in asked
    ],
)
_asks(
    "siblings",
    "Finds tags beside it.",
    lambda asked, policy: ["zh-Hant" if one.startswith("zh-Hans") else one for one in asked],
)
_asks("underscores", "Takes underscores for hyphens.", lambda asked, _: [one.replace("_", "-") for one in asked])
_asks("singletons", "Finds what only introduces.", lambda asked, _: [one.removesuffix("-co") for one in asked])


def _worded(name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    spoils(AREA, WORDS, f"localized-{name}", rule, lambda value, _, unit: change(value, unit["policy"]))


_worded(
    "half",
    "Keeps the title of another language.",
    lambda value, policy: {**value, "title": policy["title"]} if "title" in policy and "title" not in value else None,
)
_worded("title-alone", "Translates the title alone.", lambda value, policy: {**value, "message": policy["message"]})
_worded(
    "no-rest",
    "Loses everything but the words.",
    lambda value, _: {n: one for n, one in value.items() if n not in ("url", "data")},
)
_worded(
    "makes-titles",
    "Makes titles up.",
    lambda value, policy: {"title": value["message"], **value} if "title" not in policy else None,
)


# cards
def _card(name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    spoils(AREA, DECLARE, f"card-{name}", rule, lambda value, _, unit: change(value, unit["card"]))


def _without(value: Any, member: str) -> Any:
    return {name: one for name, one in value.items() if name != member}


def _again(value: Any, card: Any) -> Any:
    listed = value["capabilities"]["extensions"]
    known = card.get("capabilities", {}).get("extensions", [])
    return (
        {**value, "capabilities": {**value["capabilities"], "extensions": [*known, {"uri": EXTENSION}]}}
        if listed == known
        else None
    )


def _others(value: Any, card: Any) -> Any:
    return {**value, "capabilities": {"extensions": [{"uri": EXTENSION}]}}


_card("a2a-alone", "Declares where A2A looks alone.", lambda value, _: _without(value, "a2a"))
_card("section-alone", "Declares in the section alone.", lambda value, _: _without(value, "capabilities"))
_card("again", "Declares it again.", _again)
_card("forgets-others", "Forgets the others.", _others)
_card(
    "first",
    "Puts itself before the others.",
    lambda value, _: {
        **value,
        "capabilities": {**value["capabilities"], "extensions": value["capabilities"]["extensions"][::-1]},
    },
)
takes(AREA, DECLARE, "card-anything", "Declares in what is no card.", lambda *_: {}, "malformed")


def _saw(name: str, rule: str, when: Callable[[Any], bool], *, value: bool) -> None:
    spoils(AREA, DECLARED, f"card-sees-{name}", rule, lambda _, __, unit: value if when(unit["card"]) else None)


_saw("a2a-alone", "Looks where A2A looks alone.", lambda card: isinstance(card, dict) and "a2a" in card, value=False)
_saw(
    "section-alone",
    "Looks into the section alone.",
    lambda card: isinstance(card, dict) and "a2a" not in card,
    value=False,
)
_saw("prefixes", "Takes longer URIs for the one.", lambda card: EXTENSION in text_of(card), value=True)
_saw("versions", "Takes every version.", lambda card: EXTENSION[:-2] in text_of(card), value=True)
_saw("case", "Takes URIs in any case.", lambda card: EXTENSION in text_of(card).lower(), value=True)
_saw(
    "anything", "Takes every card for one that declares.", lambda card: not card or "null" in text_of(card), value=True
)
refuses(
    AREA, DECLARED, "card-sees-objects", "Breaks over what is no card.", lambda unit: not isinstance(unit["card"], dict)
)
