"""Demands as people read them, and as cards declare them: `conformance/v0.1/policy/render-*.json`, `wire-card.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._policy_wire_rows import KINDS, NO, PAGE, PAY, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._answer_rows import Case

EXTENSION: Final = "https://mentionable.dev/ns/policy/v0.1"
EXAMPLE: Final[Case] = {
    **PAY,
    "title": "One more step",
    "accepted_payments": [
        {"scheme": "x402.exact", "payload": {}, "label": "Pay $1.00 USDC", "description": "Base Sepolia"},
        {"scheme": "example.new", "payload": {}, "label": "Voucher"},
        {"scheme": "stripe.checkout", "payload": {"session_id": "cs_1"}},
    ],
    "url": PAGE,
    "action_label": "Pay now",
}
SLY: Final = "<b>x</b> <script>y</script> [a](https://evil.example/) **z** <https://evil.example/> `w` # v"
WORDS: Final[Case] = {
    "en": {"message": "Pay, please.", "title": "Payment"},
    "de": {"message": "Bitte zahlen.", "title": "Zahlung"},
    "zh-Hant": {"message": "請付款。"},
    "de-CH-1996": {"message": "Bitte zahle."},
}
plain = rows("render-text", "render")
page = rows("render-html", "render")
marked = rows("render-markdown", "render")
chosen = rows("render-localized", "render")
card = rows("wire-card", "card")
asked = rows("wire-card-read", "card")


def texts() -> Iterator[Case]:
    """Demands as plain text."""

    def reads(name: str, section: str, why: str, policy: Case, value: str) -> Case:
        return plain(name, section, why, {"policy": policy}, value=value)

    whole = f"One more step\nPay 1 €.\n- Pay $1.00 USDC: Base Sepolia\n- Voucher\nPay now: {PAGE}"
    yield reads(
        "whole",
        "PP",
        "Who knows no scheme reads what each way to pay is, and where to act.",
        EXAMPLE,
        whole,
    )
    for name, policy in KINDS.items():
        yield reads(name, "PP 3.6", "Every kind says its message, known or not.", policy, policy["message"])
    yield reads("url", "PP", "Without a label the link stands alone.", {**NO, "url": PAGE}, f"No.\n{PAGE}")
    yield reads("label-alone", "PP", "A label of nothing is not shown.", {**NO, "action_label": "Pay"}, "No.")
    yield reads(
        "line-ends",
        "D B11",
        "Titles and labels are one line, so that none can look like the end.",
        {**NO, "title": "a\nb", "action_label": "c\r\nd", "url": PAGE},
        f"a b\nNo.\nc d: {PAGE}",
    )
    yield reads("lines-of-the-message", "D B11", "The message keeps its lines.", {**NO, "message": "a\n\nb"}, "a\n\nb")
    yield reads("markup", "D B11", "Text is text.", {**NO, "message": SLY}, SLY)
    secret = {**KINDS["consent"], "data": {"com.example.note": "for programs"}}
    yield reads("nothing-for-programs", "PP", "States and data are for programs.", secret, "Please agree.")


def pages() -> Iterator[Case]:
    """Demands as HTML."""

    def reads(name: str, section: str, why: str, policy: Case, facts: Case, **more: Any) -> Case:
        return page(name, section, why, {"policy": policy}, facts=facts, **more)

    yield reads(
        "whole",
        "PP",
        "Who knows no scheme reads what each way to pay is, and where to act.",
        EXAMPLE,
        {
            "words": "One more step\nPay 1 €.\nPay $1.00 USDC: Base Sepolia\nVoucher\nPay now (agents.example)",
            "links": [[PAGE, "Pay now"]],
        },
    )
    yield reads(
        "label",
        "D B11",
        "Beside words that lead somewhere stands whereto.",
        {**NO, "url": PAGE, "action_label": "https://bank.example/"},
        {"words": "No.\nhttps://bank.example/ (agents.example)", "links": [[PAGE, "https://bank.example/"]]},
        flags=["attack"],
    )
    yield reads(
        "no-label",
        "PP",
        "Without a label the link shows itself.",
        {**NO, "url": PAGE},
        {"words": f"No.\n{PAGE}", "links": [[PAGE, PAGE]]},
    )
    yield reads(
        "no-link", "PP", "Without a link there is none.", {**NO, "action_label": "Pay"}, {"words": "No.", "links": []}
    )
    yield reads(
        "message-is-text",
        "D B11",
        "Who demands something may be anybody: nothing they write is markup, nothing but their link a link.",
        {**NO, "message": SLY},
        {"words": f"{SLY}", "links": [], "elements": ["p"]},
        flags=["attack"],
    )
    sly = {**EXAMPLE, "title": SLY, "action_label": SLY, "message": "No."}
    sly["accepted_payments"] = [{"scheme": "x", "payload": {}, "label": SLY, "description": SLY}]
    yield reads(
        "all-of-it-is-text",
        "D B11",
        "Titles, labels and offers are text, too.",
        sly,
        {
            "words": f"{SLY}\nNo.\n{SLY}: {SLY}\n{SLY} (agents.example)",
            "links": [[PAGE, SLY]],
            "elements": ["a", "li", "p", "strong", "ul"],
        },
        flags=["attack"],
    )
    queried = f"{PAGE}?a=1&b='2'"
    yield reads(
        "query",
        "D B11",
        "The link is the one that was sent, character by character.",
        {**NO, "url": queried},
        {"links": [[queried, queried]]},
    )
    yield reads(
        "lines",
        "D B11",
        "The message keeps its lines.",
        {**NO, "message": "a\nb"},
        {"words": "a\nb", "elements": ["br", "p"]},
    )
    yield reads(
        "unknown",
        "PP 3.6",
        "A kind that is not known says its message.",
        {**KINDS["unknown"], "url": PAGE},
        {"words": f"Show your age.\n{PAGE}"},
    )
    yield reads(
        "nothing-for-programs",
        "PP",
        "States and data are for programs.",
        {**KINDS["consent"], "data": {"com.example.note": "for programs"}},
        {"words": "Please agree.", "links": []},
    )


def markdowns() -> Iterator[Case]:
    """Demands as Markdown."""

    def reads(name: str, why: str, policy: Case, value: str, **more: Any) -> Case:
        return marked(name, "D B11", why, {"policy": policy}, value=value, **more)

    offers = "- Pay $1.00 USDC: Base Sepolia\n- Voucher"
    whole = f"**One more step**\n\nPay 1 €.\n\n{offers}\n\n[Pay now]({PAGE}) (agents.example)"
    yield reads("whole", "Title, message, offers and link, each as what it is.", EXAMPLE, whole)
    yield reads("message", "A message is a paragraph.", NO, "No.")
    escaped = "\\*\\*z\\*\\* \\[a\\](https\\://evil.example/) \\<b> \\`w\\`"
    said = {**NO, "message": "**z** [a](https://evil.example/) <b> `w`"}
    yield reads("message-is-text", "Nothing in a message is markup.", said, escaped, flags=["attack"])
    why = "A bare address would become a link by itself in most dialects."
    for name, words, shown in (
        ("address", "See https://evil.example/.", "See https\\://evil.example/."),
        ("other-scheme", "ftp://evil.example xmpp://e.example", "ftp\\://evil.example xmpp\\://e.example"),
        ("www", "Pay at www.evil.example", "Pay at www\\.evil.example"),
        ("www-in-capitals", "WWW.evil.example", "WWW\\.evil.example"),
        ("mail-address", "Ask mallory@evil.example", "Ask mallory\\@evil.example"),
        ("everything", "https://www.a@evil.example", "https\\://www\\.a\\@evil.example"),
        ("time", "From 10:30 to 11:00", "From 10:30 to 11:00"),
    ):
        yield reads(f"bare-{name}", why, {**NO, "message": words}, shown, flags=["attack"])
    yield reads("bare-in-title", why, {**NO, "title": "www.evil.example"}, "**www\\.evil.example**\n\nNo.")
    offer = {"scheme": "example.new", "payload": {}, "label": "Voucher", "description": "at a@evil.example"}
    said = {**PAY, "accepted_payments": [offer]}
    yield reads("bare-in-an-offer", why, said, "Pay 1 €.\n\n- Voucher: at a\\@evil.example")
    there = "https://agents.example/@pay?to=www.x"
    why = "The link to the agent itself is a link."
    yield reads("own-link", why, {**NO, "url": there}, f"No.\n\n<{there}>")
    yield reads(
        "own-link-with-label", why, {**NO, "url": there, "action_label": "Go"}, f"No.\n\n[Go]({there}) (agents.example)"
    )
    again = {**NO, "url": there, "action_label": there}
    yield reads("own-link-as-label", "An address is not written twice.", again, f"No.\n\n<{there}> (agents.example)")
    plain = there.replace("https", "http")
    yield reads(
        "own-link-as-plain-http",
        "Words that say another address than the link do not stand for it.",
        {**NO, "url": there, "action_label": plain},
        f"No.\n\n[{plain}]({there}) (agents.example)",
        level="SHOULD",
    )
    yield reads(
        "paragraphs",
        "An empty line is the end of a paragraph, as its author meant it, and a line has its break.",
        {**NO, "message": "No.\nNot now.\n\n\n- Never."},
        "No.\\\nNot now.\n\n\\- Never.",
        level="SHOULD",
    )
    yield reads(
        "marks-of-direction",
        "Marks that place the signs of Arabic and Hebrew stay; what turns other text around is taken out.",
        {**NO, "message": "a\u061cb\u200ec\u200fd\u202ee\u2066f"},
        "a\u061cb\u200ec\u200fdef",
    )


def translations() -> Iterator[Case]:
    """Demands in the language of who reads them."""
    policy = {**PAY, "message": "Pay.", "title": "To pay", "message_translations": WORDS}

    def reads(name: str, why: str, words: Case, *languages: str, base: Case = policy) -> Case:
        value = {name: member for name, member in {**base, "title": None, **words}.items() if member is not None}
        return chosen(name, "RFC 4647 3.4", why, {"policy": base, "languages": list(languages)}, value=value)

    own = {"message": "Pay.", "title": "To pay"}
    yield reads("exact", "The words in the language that is asked for.", WORDS["de"], "de")
    yield reads("shorter", "A language is looked up with ever less behind it.", WORDS["de"], "de-AT")
    yield reads("much-shorter", "Step by step.", WORDS["zh-Hant"], "zh-Hant-TW-x-a")
    yield reads("longest", "The longest that there is.", WORDS["de-CH-1996"], "de-CH-1996-x-a")
    yield reads("not-longer", "A range finds no longer tag.", own, "zh")
    yield reads("no-sibling", "Nor one beside it.", own, "zh-Hans")
    yield reads("order", "The first that there is.", WORDS["de"], "fr", "de", "en")
    yield reads("order-before-length", "All of the first before the second.", WORDS["de"], "de-AT", "en")
    yield reads("any-case", "Tags have no case.", WORDS["zh-Hant"], "ZH-hANT")
    yield reads("none", "Without any of them it is as it was.", own, "fr", "it")
    yield reads("no-languages", "Who asks for none gets it as it was.", own)
    yield reads("star", "Any language says nothing.", WORDS["en"], "*", "en")
    yield reads("no-range", "What is no range is skipped.", WORDS["en"], "", "de_DE", "d\u00e9", "en")
    single = {**policy, "message_translations": {"de-u": {"message": "x"}, "de": WORDS["de"]}}
    yield reads("singleton", "What only introduces goes with what it introduces.", WORDS["de"], "de-u-co", base=single)
    bare = {**policy, "message_translations": {"de": {"message": "Bitte."}}}
    yield reads("no-title", "Half in another language helps nobody.", {"message": "Bitte."}, "de", base=bare)
    kept = "Nothing but the words is another."
    yield reads("rest", kept, WORDS["en"], "en", base={**policy, "url": PAGE, "data": {"com.example.a": 1}})
    yield reads("no-translations", "Without translations it is as it was.", {"title": None}, "de", base=NO)


def cards() -> Iterator[Case]:
    """Declaring policies."""

    def writes(name: str, why: str, before: Any, after: Any) -> Case:
        outcome = {"rejected": {"code": after}} if isinstance(after, str) else {"value": after}
        return card(name, "R41", why, {"card": before}, **outcome)

    ours = {"uri": EXTENSION}
    declared = {"capabilities": {"extensions": [ours]}}
    both = {**declared, "a2a": declared}
    yield writes("empty", "Clients look in one of two places.", {}, both)
    named = {"name": "Helper", "capabilities": {"streaming": True}, "a2a": {"endpoint": "https://agents.example/a2a"}}
    yield writes(
        "others",
        "Everything else stays.",
        named,
        {
            "name": "Helper",
            "capabilities": {"streaming": True, "extensions": [ours]},
            "a2a": {"endpoint": "https://agents.example/a2a", **declared},
        },
    )
    other = {"uri": "https://other.example/ns", "required": True}
    yield writes(
        "other-extensions",
        "It comes behind the others.",
        {"capabilities": {"extensions": [other]}},
        {"capabilities": {"extensions": [other, ours]}, "a2a": declared},
    )
    described = {**ours, "description": "Payments", "params": {"a": 1}}
    already = {"capabilities": {"extensions": [described]}}
    yield writes("already", "It is declared once, as it is.", already, {**already, "a2a": declared})
    yield writes("twice", "Declaring it again changes nothing.", both, both)
    for name, broken in (
        ("array", []),
        ("text", "card"),
        ("capabilities-of-text", {"capabilities": "all"}),
        ("extensions-of-text", {"capabilities": {"extensions": EXTENSION}}),
        ("a2a-of-text", {"a2a": "yes"}),
    ):
        yield writes(f"refused-{name}", "A card that is none cannot declare.", broken, "malformed")


def declarations() -> Iterator[Case]:
    """Seeing whether policies are declared."""

    def reads(name: str, why: str, found: Any, value: bool) -> Case:
        section = "PP" if name in ("section", "not-empty") else "R41"
        return asked(name, section, why, {"card": found}, value=value)

    ours = {"capabilities": {"extensions": [{"uri": "https://other.example/"}, {"uri": EXTENSION, "required": False}]}}
    yield reads("a2a", "Where A2A looks.", ours, True)
    yield reads("section", "And in the section of a layered card.", {"a2a": ours}, True)
    why = "Only the URI itself declares it."
    for name, uri in (
        ("longer", f"{EXTENSION}/more"),
        ("shorter", EXTENSION[:-2]),
        ("fragment", f"{EXTENSION}#policy"),
        ("case", EXTENSION.replace("policy", "Policy")),
        ("none", None),
    ):
        yield reads(f"not-{name}", why, {"capabilities": {"extensions": [{"uri": uri}]}}, False)
    never = "What is no card declares nothing, and breaks nothing."
    for name, found in (
        ("empty", {}),
        ("array", [ours]),
        ("null", None),
        ("extensions-of-text", {"capabilities": {"extensions": [EXTENSION]}}),
        ("extensions-object", {"capabilities": {"extensions": {"uri": EXTENSION}}}),
        ("top", {"extensions": [{"uri": EXTENSION}]}),
    ):
        yield reads(f"not-{name}", never, found, False)


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "render-text", "policy.text", [*texts()]
    yield "render-html", "policy.html", [*pages()]
    yield "render-markdown", "policy.markdown", [*markdowns()]
    yield "render-localized", "policy.localize", [*translations()]
    yield "wire-card", "policy.declare", [*cards()]
    yield "wire-card-read", "policy.is_declared", [*declarations()]
