"""Mutants of demands that cannot be read, of carts that were replaced, of traces, and of what stands in raw."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mentionable import _delivery, _secrets
from mentionable.a2a import _metadata, _said, _told
from mentionable.policy import _x402
from tests.mutants._answers import refuses, spoils, swapped, written
from tests.mutants._policy_wire import AREA, text_of, wrongs

if TYPE_CHECKING:
    from collections.abc import Callable

RESULT, RECEIVE, DEMAND = ("a2a.result",), ("a2a.receive",), ("policy.x402_demand",)
TRACED = ("email.receive", "activitypub.receive")

# --- what cannot be read


def _unread(name: str, rule: str, function: Any, old: str, new: str) -> None:
    written(AREA, RESULT, f"unread-{name}", rule, (function, old, new))


_DEMANDED = "not demand and is_demanded(self._head.metadata)"
_unread("is-an-answer", "Takes what it cannot read for an answer.", _told.Told._demand, _DEMANDED, "False")
_unread(
    "is-everything",
    "Takes every demand for one that cannot be read.",
    _told.Told._demand,
    _DEMANDED,
    "is_demanded(self._head.metadata)",
)
_unread("own-alone", "Does not ask whether x402 demands.", _metadata.is_demanded, "is_payment or ", "")
_unread(
    "x402-alone",
    "Does not ask whether a policy demands.",
    _metadata.is_demanded,
    'hints_of(metadata).get("policy") is not None',
    "False",
)
_unread(
    "null",
    "Takes null for a demand.",
    _metadata.is_demanded,
    'hints_of(metadata).get("policy") is not None',
    '"policy" in hints_of(metadata)',
)
_unread(
    "objects-alone",
    "Takes what is no object for nothing.",
    _metadata.is_demanded,
    'hints_of(metadata).get("policy") is not None',
    'isinstance(hints_of(metadata).get("policy"), dict)',
)
_unread(
    "false-is-nothing",
    "Takes what is false for nothing.",
    _metadata.is_demanded,
    'hints_of(metadata).get("policy") is not None',
    'bool(hints_of(metadata).get("policy"))',
)
_unread(
    "x402-by-any-status",
    "Takes what was paid for a demand.",
    _metadata.is_demanded,
    '== "payment-required"',
    "is not None",
)
_FAILED = "said.is_unread and not has_failed"
_unread("before-failures", "Replaces the reason of a failure.", _said.response_of, _FAILED, "said.is_unread")
_unread(
    "in-tasks-alone",
    "Takes a message that demands for an answer.",
    _said.response_of,
    _FAILED,
    f"{_FAILED} and state is not None",
)
_unread(
    "while-it-goes-on",
    "Takes what is completed for an answer.",
    _said.response_of,
    _FAILED,
    f"{_FAILED} and state not in ENDED",
)
_WORDS = "_text_of(parts).strip() or _NO_WORDS"
_unread("without-words", "Tells its own words.", _said.response_of, _WORDS, "_NO_WORDS")
_unread("without-own-words", "Tells nothing to say.", _said.response_of, _WORDS, "_text_of(parts)")
_unread("retriable", "Asks again what will not change.", _said.response_of, "retriable=False)", "retriable=True)")


def _wordless(answer: Any, _: Any, unit: Any) -> Any:
    value = answer.get("value", {})
    if value.get("error", {}).get("code") != "a2a:policy-malformed":
        return None
    return {**answer, "value": {**value, "parts": [part for part in value["parts"] if part["kind"] != "text"]}}


wrongs(RESULT, "unread-takes-the-words", "Drops the text of what it cannot read.", _wordless)
refuses(
    AREA,
    RESULT,
    "blank-words-are-fatal",
    "Breaks where the words of a demand are blank.",
    lambda unit: '"text": " "' in text_of(unit),
)
for _ops, _pattern in ((DEMAND, r'"(?:error|message)": "(?: |\\n)+"'), (("policy.from_http",), r'"error": " "')):
    refuses(
        AREA,
        _ops,
        f"blank-words-are-fatal-in-{_ops[0].partition('.')[2].replace('_', '-')}",
        "Breaks where the words of a demand are blank.",
        lambda unit, pattern=_pattern: re.search(pattern, text_of(unit)) is not None,
    )
swapped(AREA, DEMAND, "x402-any-size", "Reads what is too large.", _x402, "_LARGEST", 1 << 40)
swapped(AREA, DEMAND, "x402-smaller", "Refuses what is large enough.", _x402, "_LARGEST", 65_535)
written(
    AREA,
    DEMAND,
    "x402-counts-letters",
    "Counts letters.",
    (_x402._Reading.take, "len(canonical_json(required))", "len(canonical_json(required).decode())"),
)
swapped(
    AREA,
    (*RESULT, "policy.from_http"),
    "x402-any-size-on-wires",
    "Reads what is too large.",
    _x402,
    "_LARGEST",
    1 << 40,
)

# carts
_PIECE = _told.Told._add_piece
_unread(
    "keeps-old-carts",
    "Reads carts that were replaced.",
    _PIECE,
    "if not appends:\n        self._carts",
    "if False:\n        self._carts",
)
_unread(
    "forgets-carts",
    "Forgets a cart when more is appended.",
    _PIECE,
    "if not appends:\n        self._carts",
    "if True:\n        self._carts",
)
_unread(
    "one-artifact",
    "Forgets carts when another artifact comes.",
    _PIECE,
    "self._carts.pop(artifact.id, None)",
    "self._carts.clear()",
)


def _no_carts(value: Any, _: Any, unit: Any) -> Any:
    """Whatever a cart demands that was appended."""
    if '"append": true' not in text_of(unit).replace('\\"', '"') or "CartMandate" not in text_of(unit):
        return None
    return {**value, "parts": [part for part in value["parts"] if part["kind"] != "policy"]}


spoils(AREA, RESULT, "unread-no-appended-carts", "Does not read carts that were appended.", _no_carts)

# --- traces
swapped(
    AREA,
    TRACED,
    "trace-leads-anywhere",
    "Looks at no demand in a trace.",
    _delivery,
    "_own_trace",
    lambda trace, sender, notes: trace,
)


def _traced(name: str, rule: str, change: Callable[[Any], Any]) -> None:
    """Registers a mutant that has other traces; None leaves them."""

    def changed(answer: Any, *_: Any) -> Any:
        messages = [
            {**one, "received_trace": change(one["received_trace"])} if "received_trace" in one else one
            for one in answer.get("messages", ())
        ]
        return {**answer, "messages": messages} if messages else None

    wrongs(TRACED, f"trace-{name}", rule, changed)


def _each_policy(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda trace: {
        **trace,
        "parts": [{**part, "policy": change(part["policy"])} if "policy" in part else part for part in trace["parts"]],
    }


_traced(
    "no-links",
    "Drops every link in a trace.",
    _each_policy(lambda policy: {n: v for n, v in policy.items() if n != "url"}),
)
_traced(
    "no-demands",
    "Drops every demand in a trace.",
    lambda trace: {**trace, "parts": [part for part in trace["parts"] if "policy" not in part]},
)
_traced(
    "no-text",
    "Drops text that has an address.",
    lambda trace: {**trace, "parts": [part for part in trace["parts"] if "://" not in part.get("content", "")]},
)
_traced("label-alone", "Keeps the button of nothing.", _each_policy(lambda policy: {"action_label": "Here", **policy}))
wrongs(
    TRACED,
    "trace-silent",
    "Does not say what it left out of a trace.",
    lambda answer, *_: (
        {**answer, "diagnostics": []} if any("received_trace" in one for one in answer.get("messages", ())) else None
    ),
)
written(
    AREA,
    TRACED,
    "trace-one-note",
    "Says once what it left out of a demand.",
    (_delivery._own_trace, "notes += own.diagnostics", "notes += own.diagnostics[:1]"),
)

# --- raw
HONEST_NAMES = _secrets._remembered


def _told_in_raw(name: str, rule: str, word: str) -> None:
    """Registers a mutant for which a name is no secret."""
    swapped(
        AREA,
        RECEIVE,
        f"raw-{name}",
        rule,
        _secrets,
        "_remembered",
        lambda text: HONEST_NAMES(text) and word not in text,
    )


_told_in_raw("shows-payments", "Keeps in raw what a payer signed.", "x402.payment")
_told_in_raw("shows-mandates", "Keeps in raw the mandate of a payer.", "PaymentMandate")
_told_in_raw("shows-receipts", "Keeps in raw what resolves a demand.", "policy_resolution")
