"""Mutants of the words of demands, of parameters of challenges, and of what is sent with answers and calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mentionable import _bound_url, _policy_words, policy
from mentionable._model import policy as model
from mentionable.a2a import _answer, _policy, _write_call
from mentionable.policy import _rest
from tests.mutants._answers import spoils, swapped, written
from tests.mutants._policy_wire import AREA, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

READ, MARKDOWN, HTTP = ("policy.read",), ("policy.markdown",), ("policy.to_http",)
CALL, REPLY = ("a2a.call",), ("a2a.reply",)

# --- words


def _blank(name: str, rule: str, check: Callable[[str], None]) -> None:
    swapped(AREA, (*READ, "policy.issue"), f"model-{name}", rule, model, "_check_words", check)


def _refuses_empty(message: str) -> None:
    if not message:
        raise model.Misfit("empty")


def _refuses_ascii_blanks(message: str) -> None:
    if not message.strip(" \t\r\n"):
        raise model.Misfit("blank")


def _refuses_spaces(message: str) -> None:
    if not message.strip(" "):
        raise model.Misfit("blank")


_blank("says-nothing", "Takes demands without a word.", lambda _: None)
_blank("says-blanks", "Takes demands that say blanks.", _refuses_empty)
_blank("says-blanks-of-other-scripts", "Takes demands that say blanks of other scripts.", _refuses_ascii_blanks)
_blank("says-lines", "Takes demands that say empty lines.", _refuses_spaces)
written(
    AREA,
    READ,
    "model-translates-into-nothing",
    "Takes translations without a word.",
    (model.PolicyTranslation._check, "_check_words(self.message)", "pass"),
)


def _bare(name: str, rule: str, pattern: str) -> None:
    swapped(AREA, MARKDOWN, f"render-{name}", rule, _policy_words, "_BY_ITSELF", re.compile(pattern))


_bare("bare-addresses", "Lets bare addresses become links.", r"(?!)")
_bare("bare-urls", "Lets bare URLs become links.", r"@|(?<=[wW])\.")
_bare(
    "bare-urls-of-the-web", "Escapes the URLs of the web alone.", r"(?i)(?<=http):(?=//)|(?<=https):(?=//)|@|(?<=w)\."
)
_bare("bare-mail", "Lets mail addresses become links.", r":(?=//)|(?<=[wW])\.")
_bare("bare-www", "Lets www become links.", r":(?=//)|@")
_bare("bare-www-in-capitals", "Lets WWW become links.", r":(?=//)|@|(?<=w)\.")
_bare("every-colon", "Escapes every colon.", r":|@|(?<=[wW])\.")
written(
    AREA,
    MARKDOWN,
    "render-own-link-escaped",
    "Escapes the link of the policy, too.",
    (
        _policy_words.render_markdown,
        "html_to_markdown(_link_html(policy))",
        '_BY_ITSELF.sub(r"\\\\\\g<0>", html_to_markdown(_link_html(policy)))',
    ),
)
spoils(
    AREA,
    MARKDOWN,
    "render-title-unescaped",
    "Escapes the message alone.",
    lambda value, _, unit: value.replace("\\.", ".", 1) if "title" in unit["policy"] else None,
)
spoils(
    AREA,
    MARKDOWN,
    "render-offers-unescaped",
    "Does not escape what offers say.",
    lambda value, _, unit: value.replace("\\@", "@") if "accepted_payments" in unit["policy"] else None,
)

# --- parameters of challenges


_LIKE: str = _bound_url._LIKE_URL.__self__.pattern
_SCHEMES, _, _SLASHES = _LIKE.rpartition("|")
"""The two halves of the pattern for links: what has a scheme, and what begins with slashes."""


def _like(name: str, rule: str, old: str, new: str) -> None:
    """Registers a mutant that looks for links with schemes otherwise."""
    rule = rule if _SCHEMES.count(old) == 1 else f"{rule} (the pattern holds {_SCHEMES.count(old)} times: {old})"
    changed = re.compile(f"{_SCHEMES.replace(old, new)}|{_SLASHES}").match
    swapped(AREA, READ, f"challenge-{name}", rule, _bound_url, "_LIKE_URL", changed)


def _bare_slashes(name: str, rule: str, pattern: str) -> None:
    """Registers a mutant that looks for links without schemes otherwise."""
    changed = re.compile(f"{_SCHEMES}|{pattern})").match
    swapped(AREA, READ, f"challenge-{name}", rule, _bound_url, "_LIKE_URL", changed)


for _scheme in ("javascript", "vbscript", "data", "file", "blob", "ftp", "wss?", "intent"):
    _like(f"no-{_scheme.strip('?')}", f"Does not know {_scheme}: for a link.", f"|{_scheme}", "")
_like("in-small-letters", "Knows schemes in small letters.", "(?i:", "(?-i:")
_like("one-scheme", "Knows one scheme before the slashes.", "*+:)+[", "*+:)[")
_like("known-alone", "Knows no other scheme before one that browsers follow.", "{0,4}?", "{0}")
_like("nothing-before", "Looks at the beginning alone.", r"[^A-Za-z/\\]*+(?:", r"[\x00-\x20]*+(?:")
_like("signs-before", "Lets signs alone stand before.", r"[^A-Za-z/\\]*+(?:", r"[\x00-\x2e:-@\[\]-`{-~]*+(?:")
_like("ascii-before", "Lets no other letters stand before.", r"[^A-Za-z/\\]*+(?:", r"[\x00-\x2e0-9:-@\[\]-`{-~]*+(?:")
_like(
    "words",
    "Takes words for schemes.",
    "(?i:https?|ftp|wss?|file|blob|data|javascript|vbscript|intent|view-source):",
    "(?i:https?:|ftp|wss?|file|blob|data|javascript|vbscript|intent|view-source)",
)
_bare_slashes("no-bare-slashes", "Takes what has no scheme for no link.", "(?!)")
_bare_slashes("dots-alone", "Knows hosts with plain dots.", r"[/\\]{2,}+[^./?#\\]*+\.")
_bare_slashes("slashes-alone", "Knows no backslashes.", r"//[^./?#\\]*+\.")
_bare_slashes("backslashes-alike", "Knows two slashes or two backslashes.", r"(?://|\\\\)[^./?#\\]*+\.")
_bare_slashes("all-slashes", "Takes base64 for a link.", r"[/\\]{2}")
_bare_slashes("dots-in-paths", "Takes paths for links.", r"[/\\][^.]*+\.")
_bare_slashes("slashes-anywhere", "Looks for slashes anywhere.", r"[^:]*[/\\]{2}[^:]")
written(
    AREA,
    READ,
    "challenge-scope-in-small-letters",
    "Knows a scope in small letters.",
    (_bound_url.unbound_urls, 'name.lower() != "scope"', 'name != "scope"'),
)

# --- the header of x402
written(
    AREA,
    HTTP,
    "http-any-length",
    "Writes fields of any length.",
    (_rest.to_http, "if len(field) <= _MOST_IN_FIELD:", "if True:"),
)
swapped(AREA, HTTP, "http-short-fields", "Writes short fields alone.", _rest, "_MOST_IN_FIELD", 4_096)
written(
    AREA,
    HTTP,
    "http-no-x402",
    "Does not write the field of x402.",
    (_rest.to_http, "if len(field) <= _MOST_IN_FIELD:", "if False:"),
)


def _payment(name: str, rule: str, change: Callable[[str], str | None]) -> None:
    def changed(value: Any, _: Any, unit: Any) -> Any:
        headers = [[key, change(text) if key == "payment-required" else text] for key, text in value["headers"]]
        return {**value, "headers": [pair for pair in headers if pair[1] is not None]}

    spoils(AREA, HTTP, f"http-{name}", rule, changed)


_payment("x402-cut", "Cuts what is too long.", lambda text: text[:4096])
spoils(
    AREA,
    HTTP,
    "http-x402-always",
    "Writes the field for every way to pay.",
    lambda value, _, unit: (
        {**value, "headers": [*value["headers"], ["payment-required", "e30="]]}
        if value["status"] == 402 and "x402" not in text_of(unit)
        else None
    ),
)

# --- what is sent with calls and answers


def _sent(name: str, rule: str, *edits: Any, ops: tuple[str, ...] = CALL) -> None:
    written(AREA, ops, f"{'call' if ops == CALL else 'end'}-{name}", rule, *edits)


_sent("no-receipt", "Sends no receipt.", (_write_call.write_call, '"mentionable", {})', '"nothing", {})'))
_sent("no-payment", "Sends no payment by x402.", (_write_call.write_call, "beside=beside", "beside={}"))
_sent(
    "no-hints",
    "Tells nothing else beside a receipt.",
    (
        _write_call.write_call,
        "**hints, **resolution",
        "**(resolution or hints)",
    ),
)
_sent(
    "no-task",
    "Sends a receipt in no task.",
    (_write_call.write_call, "else None, task_id)", "else None, None if receipt else task_id)"),
)
swapped(
    AREA,
    CALL,
    "call-any-receipt",
    "Sends whatever it is given.",
    _policy,
    "check_receipt",
    lambda found, *_: dict(found) if isinstance(found, dict) else {},
)
swapped(
    AREA,
    REPLY,
    "end-any-settlement",
    "Sends whatever it is given.",
    policy,
    "check_settlement",
    lambda found, *_: dict(found) if isinstance(found, dict) else {},
)
_sent(
    "no-settlement",
    "Does not say how a payment ended.",
    (_answer._message, "beside = {**draft.settlement}", "beside = {}"),
    ops=REPLY,
)
_sent(
    "in-messages",
    "Says in a message without a task how a payment ended.",
    (_answer._draft, " or bool(settlement)", ""),
    ops=REPLY,
)
_sent(
    "not-of-artifacts",
    "Says nothing where there are artifacts alone.",
    (_answer._task, " or draft.settlement:", ":"),
    ops=REPLY,
)
_sent(
    "not-in-streams",
    "Says nothing where a stream ends.",
    (_answer._frame, " and not draft.settlement", ""),
    ops=REPLY,
)
_sent(
    "wins",
    "Takes how a payment ended for more than a demand.",
    (_answer._message, "beside |= demanded", "beside = demanded | beside"),
    ops=REPLY,
)
_sent(
    "demands-alone",
    "Forgets how a payment ended where it demands.",
    (_answer._message, "beside |= demanded", "beside = demanded"),
    ops=REPLY,
)
_sent(
    "shows-anyhow",
    "Shows a receipt that nobody gave.",
    (_write_call.write_call, 'receipt.get("mentionable", {})', 'receipt.get("mentionable", {"policy_resolution": {}})'),
)
_sent(
    "tells-anyhow",
    "Says that a payment ended that nobody made.",
    (_answer._message, "{**draft.settlement}", '{"x402.payment.status": "payment-completed", **draft.settlement}'),
    ops=REPLY,
)
spoils(
    AREA,
    REPLY,
    "end-in-every-frame",
    "Says in every frame how a payment ended.",
    lambda value, _, unit: (
        {**value, "headers": [*value["headers"], ["x-status", "payment-completed"]]} if unit.get("settlement") else None
    ),
)
