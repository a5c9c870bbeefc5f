"""Mutants of policies that come in by A2A, mail and ActivityPub, and of receipts in requests."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.mutants._answers import quiet
from tests.mutants._policy_wire import AREA, text_of, wrongs

if TYPE_CHECKING:
    from collections.abc import Callable

RESULT, RECEIVE, MAIL, PUB = ("a2a.result",), ("a2a.receive",), ("email.receive",), ("activitypub.receive",)
ROOMS = (*RECEIVE, *MAIL, *PUB)
DEMAND = {"kind": "policy", "policy": {"kind": "forbidden", "message": "Taken."}}


def _read(answer: Any) -> list[Any]:
    """The messages or the response of an answer."""
    if "messages" in answer:
        found: list[Any] = answer["messages"]
        return found
    return [answer["value"]] if "value" in answer else []


def _parts(
    ops: tuple[str, ...],
    name: str,
    rule: str,
    change: Callable[[list[Any], Any], list[Any] | None],
    *,
    when: Any = None,
) -> None:
    """Registers a mutant that reads other parts: `change(parts, unit)`; None leaves them."""

    def changed(answer: Any, _: Any, unit: Any) -> Any:
        if when is not None and not when(unit):
            return None
        for one in _read(answer):
            parts = change(one["parts"], unit)
            if parts is None:
                return None
            one["parts"] = parts
        return answer

    wrongs(ops, f"wire-{name}", rule, changed)


def _has_policy(parts: list[Any]) -> bool:
    return any(part["kind"] == "policy" for part in parts)


def _dropped(parts: list[Any], _: Any) -> list[Any]:
    return [part for part in parts if part["kind"] != "policy"]


def _taken(parts: list[Any], _: Any) -> list[Any] | None:
    return None if _has_policy(parts) else [*parts, DEMAND]


def _first(parts: list[Any], _: Any) -> list[Any]:
    return sorted(parts, key=lambda part: part["kind"] != "policy")


for _ops in (RESULT, *((op,) for op in ROOMS)):
    _room = _ops[0].replace(".", "-")
    _parts(_ops, f"drops-policies-in-{_room}", "Reads no policies.", _dropped)
    _parts(_ops, f"policy-first-in-{_room}", "Puts the demand before what is said.", _first)
for _ops in ((op,) for op in ROOMS):
    quiet(AREA, _ops, "policy-malformed", "url-refused")
quiet(AREA, MAIL, "field-unsigned")
quiet(AREA, RECEIVE, "receipt-malformed")


# what is malformed
def _says(*names: str) -> Any:
    return lambda unit: any(name in text_of(unit) for name in names)


_parts(
    RESULT,
    "takes-malformed-in-a2a-result",
    "Takes whatever is there.",
    _taken,
    when=_says('"policy": {', '"policy": 7'),
)
_parts(RECEIVE, "takes-malformed-in-a2a-receive", "Takes whatever is there.", _taken, when=lambda unit: "peer" in unit)
_parts(MAIL, "takes-malformed-in-email", "Takes whatever is there.", _taken, when=_says("X-Mentionable-Policy: "))
_parts(PUB, "takes-malformed-in-activitypub", "Takes whatever is there.", _taken, when=_says('Policy": ', "#policy"))


def _costs_the_message(answer: Any, _: Any, unit: Any) -> Any:
    codes = answer.get("diagnostics", ())
    is_bad = "policy-malformed" in codes or "receipt-malformed" in codes
    return {"rejected": {"code": "malformed"}} if is_bad else None


for _ops in ((op,) for op in ROOMS):
    _room = _ops[0].replace(".", "-")
    wrongs(_ops, f"wire-malformed-costs-{_room}", "Refuses a unit for its policy.", _costs_the_message)


def _without_text(parts: list[Any], unit: Any) -> list[Any]:
    return [part for part in parts if part["kind"] != "text"]


_parts(
    RECEIVE,
    "malformed-costs-the-text",
    "Drops the text of a policy that it cannot read.",
    lambda parts, unit: _without_text(parts, unit) if not _has_policy(parts) else None,
    when=_says('"policy": '),
)
_parts(
    PUB,
    "drops-the-text-of-notes",
    "Drops the text that says the same.",
    lambda parts, unit: _without_text(parts, unit) if _has_policy(parts) else None,
)
_parts(
    MAIL,
    "drops-the-text-of-mails",
    "Drops the text that says the same.",
    lambda parts, unit: _without_text(parts, unit) if _has_policy(parts) else None,
)


# urls
def _stated_urls(unit: Any) -> list[str]:
    text = text_of(unit)
    return re.findall(r'"url": "(https://[^"]*(?:evil|pay\.|/\.\./|:444)[^"]*)"', text)


def _with_url(parts: list[Any], unit: Any) -> list[Any] | None:
    if not _has_policy(parts):
        return None
    return [
        {**part, "policy": {**part["policy"], "url": "https://evil.example/"}} if part["kind"] == "policy" else part
        for part in parts
    ]


def _leads_away(answer: Any, given: Any, unit: Any) -> Any:
    if "url-refused" not in answer.get("diagnostics", ()):
        return None
    for one in _read(answer):
        one["parts"] = _with_url(one["parts"], unit) or one["parts"]
    return {**answer, "diagnostics": [code for code in answer["diagnostics"] if code != "url-refused"]}


for _ops in ((op,) for op in ROOMS):
    wrongs(_ops, f"wire-any-url-in-{_ops[0].replace('.', '-')}", "Leads people anywhere.", _leads_away)
_parts(RESULT, "any-url-in-a2a-result", "Leads people anywhere.", _with_url, when=_says('"url": "https://evil.'))
_parts(
    RESULT,
    "any-challenge-in-a2a-result",
    "Does not look into challenges.",
    lambda parts, _: [
        {**part, "policy": {**part["policy"], "auth_challenges": []}} if part["kind"] == "policy" else part
        for part in parts
    ],
    when=_says('"realm": "https://evil.'),
)
_parts(
    (*RESULT, *RECEIVE),
    "label-without-a-link",
    "Keeps the button of a link that it drops.",
    lambda parts, _: [
        {**part, "policy": {**part["policy"], "action_label": "Here"}} if part["kind"] == "policy" else part
        for part in parts
    ],
    when=lambda unit: bool(_stated_urls(unit)),
)
_parts(
    (*RESULT, *RECEIVE),
    "drops-own-links",
    "Drops every link.",
    lambda parts, _: [
        {**part, "policy": {name: one for name, one in part["policy"].items() if name != "url"}}
        if part["kind"] == "policy"
        else part
        for part in parts
    ],
)

# words
_parts(
    RESULT,
    "words-doubled",
    "Says twice what is demanded.",
    lambda parts, _: (
        [*parts[:-1], {"kind": "text", "mime": "text/plain", "content": parts[-1]["policy"]["message"]}, parts[-1]]
        if _has_policy(parts)
        else None
    ),
)
_parts(
    RESULT,
    "other-words-dropped",
    "Drops all that is said beside a demand.",
    lambda parts, unit: _without_text(parts, unit) if _has_policy(parts) else None,
)
_parts(
    (*RESULT, *ROOMS),
    "known-kinds",
    "Drops kinds that it does not know.",
    lambda parts, _: [part for part in parts if "example:" not in json.dumps(part)],
)


# states and errors
def _status(name: str, rule: str, when: Any, **members: Any) -> None:
    def changed(answer: Any, _: Any, unit: Any) -> Any:
        if "value" not in answer or not when(text_of(unit)) or not _has_policy(answer["value"]["parts"]):
            return None
        return {**answer, "value": {**answer["value"], **members}}

    wrongs(RESULT, f"wire-{name}", rule, changed)


ERROR = {"code": "a2a:failed", "message": "x", "retriable": False}
_status(
    "failed-is-an-error", "Takes a demand for a failure.", lambda told: "_FAILED" in told, status="error", error=ERROR
)
_status(
    "rejected-is-an-error",
    "Takes a refusal for an error.",
    lambda told: "_REJECTED" in told,
    status="error",
    error=ERROR,
)
_status("waiting-is-partial", "Takes a demand for no answer.", lambda told: "_REQUIRED" in told, status="partial")
_status("never-an-error", "Takes a failure for a demand.", lambda told: '"busy"' in told, status="ok", error=None)


def _goes_on(answer: Any, _: Any, unit: Any) -> Any:
    if "chunks" not in unit or "AUTH_REQUIRED" not in text_of(unit):
        return None
    value = answer["value"]
    other = {"status": "partial"} if not _has_policy(value["parts"]) else {"status": "ok", "parts": value["parts"][:0]}
    return {**answer, "value": {**value, **other}}


wrongs(RESULT, "wire-auth-required-otherwise", "Ends streams by the state alone.", _goes_on)
_parts(
    RESULT,
    "v1-0-alone",
    "Reads demands of v1.0 alone.",
    _dropped,
    when=lambda unit: '"kind": "task"' in text_of(unit),
)
_parts(
    (*RESULT, *RECEIVE),
    "no-whole-floats",
    "Takes whole numbers that came as floats for malformed.",
    _dropped,
    when=lambda unit: re.search(r"\d\.0[,}\]]", text_of(unit)) is not None,
)
_parts(
    RESULT,
    "anywhere-in-metadata",
    "Reads policies beside their namespace.",
    lambda parts, _: [*parts, DEMAND],
    when=_says('"metadata": {"policy"'),
)
_parts(
    RECEIVE,
    "requests-demand",
    "Takes demands of those who ask.",
    _taken,
    when=lambda unit: "peer" not in unit and '"policy": {"kind"' in text_of(unit),
)


# x402
def _other_demand(name: str, rule: str, when: Any, ops: tuple[str, ...] = RESULT) -> None:
    _parts(ops, f"x402-{name}", rule, lambda parts, _: [*_dropped(parts, _), DEMAND], when=when)


def _stated(unit: Any) -> bool:
    return '"policy": {' in text_of(unit) and "x402.payment.required" in text_of(unit)


_parts(RESULT, "x402-not-read", "Reads policies alone.", _dropped, when=_says("x402.payment.required"))
_parts(RECEIVE, "x402-not-received", "Reads policies alone.", _dropped, when=_says("x402.payment.required"))
_other_demand("wins", "Takes the shadow for the demand.", _stated)
for _status_word in ("completed", "verified", "failed", "rejected", "submitted"):
    _other_demand(f"by-{_status_word}", f"Takes {_status_word} for required.", _says(f'"payment-{_status_word}"'))
_other_demand(
    "any-version", "Reads any version.", _says('"x402Version": 3', '"x402Version": true', '"x402Version": "2"')
)
_parts(RESULT, "x402-no-carts", "Does not look into carts.", _dropped, when=_says("CartMandate"))


def _other_words(parts: list[Any], _: Any) -> list[Any]:
    return [
        {**part, "policy": {**part["policy"], "message": "Pay first."}} if part["kind"] == "policy" else part
        for part in parts
    ]


_parts(RESULT, "x402-own-words", "Says what x402 says.", _other_words, when=_says("One cent, please."))


# receipts
def _candidates(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that finds another receipt: `change(candidate, unit)`; False leaves it."""

    def changed(answer: Any, _: Any, unit: Any) -> Any:
        made = change(answer.get("candidate"), unit)
        return None if made is False else {**answer, "candidate": made, "diagnostics": []}

    wrongs(RECEIVE, f"wire-receipt-{name}", rule, changed)


ANY_RECEIPT = {"kind": "payment_required", "state": "x", "scheme": "x", "receipt": {}}


def _found(*names: str) -> Any:
    return lambda found, unit: ANY_RECEIPT if found is None and any(name in text_of(unit) for name in names) else False


_candidates("never", "Reads no receipts.", lambda found, _: None if found else False)
_candidates(
    "malformed", "Takes any receipt.", _found('"policy_resolution": {', '"policy_resolution": [', '_resolution": "')
)
_candidates("of-the-payer", "Believes what a payer says of the end.", _found("x402.payment.receipts"))
_candidates("any-payment", "Takes any payment.", _found('"payment-submitted"'))
_candidates(
    "anywhere", "Looks for receipts anywhere.", _found('"metadata": {"policy_resolution"', '"policy": {"in_reply')
)
_candidates(
    "of-peers",
    "Takes receipts of who answers.",
    lambda _, unit: ANY_RECEIPT if "peer" in unit and "policy_resolution" in text_of(unit) else False,
)
_candidates("null", "Takes null for a receipt.", _found('"policy_resolution": null'))
_candidates(
    "other-payer",
    "Forgets who paid.",
    lambda found, _: (
        {name: one for name, one in found.items() if name != "payer"} if found and "payer" in found else False
    ),
)
_candidates(
    "x402-wins",
    "Takes the payment where there is a receipt.",
    lambda found, unit: ANY_RECEIPT if found and "state" in found and "x402" in text_of(unit) else False,
)
_candidates(
    "by-state",
    "Looks a payment up by its state.",
    lambda found, _: (
        {**{n: one for n, one in found.items() if n != "task_id"}, "state": "t1"}
        if found and "task_id" in found
        else False
    ),
)


def _believed(answer: Any, _: Any, unit: Any) -> Any:
    if not answer.get("candidate"):
        return None
    shown = {"in_reply_to_state": "x", "kind": "payment_required", "confirmation": {}, "verified_by": "nobody"}
    return {**answer, "messages": [{**one, "policy_resolution": shown} for one in answer["messages"]]}


wrongs(RECEIVE, "wire-receipt-believed", "Puts a receipt into the message that nobody verified.", _believed)


def _raw(answer: Any, _: Any, unit: Any) -> Any:
    if "messages" not in answer or "message" not in unit:
        return None
    return {
        **answer,
        "messages": [{**one, "raw": {**one["raw"], "message": unit["message"]}} for one in answer["messages"]],
    }


def _no_raw(answer: Any, _: Any, unit: Any) -> Any:
    if "policy-malformed" not in answer.get("diagnostics", ()):
        return None
    return {**answer, "messages": [{**one, "raw": {}} for one in answer["messages"]]}


wrongs(RECEIVE, "wire-receipt-in-raw", "Keeps secrets in raw.", _raw)
wrongs(RECEIVE, "wire-malformed-not-in-raw", "Keeps nothing of what it cannot read.", _no_raw)


def _field(name: str, rule: str, when: Any, *, ops: tuple[str, ...] = MAIL, changes: Any = _dropped) -> None:
    _parts(ops, name, rule, changes, when=when)


# mail and ActivityPub
def _fields(unit: Any) -> list[str]:
    """The values of the field in a mail."""
    head = unit["raw"].partition("\r\n\r\n")[0] if isinstance(unit["raw"], str) else ""
    return re.findall(r"(?mi)^X-Mentionable-Policy:[ ]?([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)", head)


def _is_json(unit: Any) -> bool:
    return any(value.startswith("{") for value in _fields(unit))


_field("field-base64-alone", "Reads base64 alone.", _is_json)
_field("field-json-alone", "Reads JSON alone.", lambda unit: not _is_json(unit))
_field("field-one-line", "Does not unfold.", lambda unit: any("\r\n" in value for value in _fields(unit)))
_field("field-spelled", "Knows one spelling of the name.", lambda unit: "X-MENTIONABLE" in unit["raw"])
_field("field-first", "Takes the first of several.", lambda unit: len(_fields(unit)) > 1, changes=_taken)
_field("field-unsigned", "Does not ask what is signed.", lambda unit: "DKIM-" in str(unit), changes=_taken)
_field("field-signed-alone", "Takes signed fields alone.", lambda unit: "DKIM-" in str(unit))
_field(
    "field-url-safe",
    "Takes any alphabet.",
    lambda unit: "-" in _fields(unit)[0] or "_" in _fields(unit)[0],
    changes=_taken,
)


def _note(unit: Any) -> Any:
    return unit["body"]["object"]


TERM, IRI = "mentionablePolicy", "https://mentionable.dev/ns/policy/v0.1#policy"
for _name, _rule, _when, _change in (
    ("term-alone", "Knows the word alone.", lambda unit: IRI in _note(unit), _dropped),
    ("iri-alone", "Knows the IRI alone.", lambda unit: TERM in _note(unit), _dropped),
    ("term-no-literals", "Reads no JSON literals.", lambda unit: "@value" in text_of(unit), _dropped),
    ("term-no-arrays", "Reads no arrays.", lambda unit: isinstance(_note(unit).get(TERM), list), _dropped),
    (
        "term-no-contexts",
        "Reads no word that a context defines.",
        lambda unit: TERM in text_of([unit["body"]["@context"], _note(unit).get("@context")]),
        _dropped,
    ),
    (
        "term-whatever-it-means",
        "Does not ask what a word means.",
        lambda unit: TERM in text_of([unit["body"]["@context"], _note(unit).get("@context")]),
        _taken,
    ),
    ("term-first", "Takes the first of several.", lambda unit: {TERM, IRI} <= _note(unit).keys(), _taken),
    ("term-null", "Takes null for a policy.", lambda unit: _note(unit).get(TERM, 1) is None, _taken),
    ("term-of-activities", "Reads policies of activities.", lambda unit: TERM in unit["body"], _taken),
    (
        "term-wants-our-context",
        "Wants no context but ours.",
        lambda unit: len(unit["body"]["@context"]) == 3,
        _dropped,
    ),
):
    _parts(PUB, _name, _rule, _change, when=_when)


def _null_is_malformed(answer: Any, _: Any, unit: Any) -> Any:
    names = ('"policy": null', '"policy_resolution": null', f'"{TERM}": null')
    if not any(name in text_of(unit) for name in names):
        return None
    return {**answer, "diagnostics": ["policy-malformed"]}


wrongs(ROOMS, "wire-null-is-malformed", "Takes null for something.", _null_is_malformed)
