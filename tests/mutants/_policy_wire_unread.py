"""Mutants of demands that cannot be read, of carts that were replaced, of traces, and of what stands in raw."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.mutants._answers import refuses, spoils
from tests.mutants._policy_wire import AREA, text_of, wrongs

if TYPE_CHECKING:
    from collections.abc import Callable

RESULT, RECEIVE, DEMAND = ("a2a.result",), ("a2a.receive",), ("policy.x402_demand",)
TRACED = ("email.receive", "activitypub.receive")

# --- what cannot be read


_FAILED = "said.is_unread and not has_failed"


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

# carts


def _no_carts(value: Any, _: Any, unit: Any) -> Any:
    """Whatever a cart demands that was appended."""
    if '"append": true' not in text_of(unit).replace('\\"', '"') or "CartMandate" not in text_of(unit):
        return None
    return {**value, "parts": [part for part in value["parts"] if part["kind"] != "policy"]}


spoils(AREA, RESULT, "unread-no-appended-carts", "Does not read carts that were appended.", _no_carts)

# --- traces


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
