"""Mutants of REST: what stands beside the turns of a form, and what is said of it."""

from __future__ import annotations

from typing import Any

from mentionable import _forwarded
from mentionable.rest import _beside, _form, _receive
from tests.mutants._answers import quiet
from tests.mutants._rest import AREA, RECEIVE, edits, wrongs


def _read(name: str, rule: str, *changes: Any) -> None:
    edits(RECEIVE, name, rule, *changes)


# --- beside the turns

_read(
    "both",
    "Takes typed parts and the plain ones.",
    (
        _receive._said,
        "return parts,",
        "return (*(last.parts if last and form.beside.get('parts') else ()), *parts),".replace("'", '"'),
    ),
)
_read(
    "plain-needed",
    "Takes typed parts only beside plain ones.",
    (
        _receive._said,
        "parts = typed_parts(form, reading)",
        "parts = typed_parts(form, reading) if last is not None else None",
    ),
)
_read(
    "broken-parts-reject",
    "Refuses a message whose typed parts are broken.",
    (_form.Form.json_of, "return ABSENT\n    index", "return ABSENT\n    index"),
    (_form.Form.json_of, 'reading.note("sidecar-malformed", f"/fields/{index}", str(error))', "raise"),
)
_read(
    "odd-parts-reject",
    "Refuses a message whose typed parts are of another shape.",
    (_beside.typed_parts, 'reading.note("sidecar-malformed", at, str(error))', "raise"),
)
_read(
    "any-number-of-parts",
    "Takes any number of typed parts.",
    (_beside.typed_parts, "len(found) > reading.limits.parts", "False"),
)
_read(
    "parts-as-written", "Takes typed parts as they are written.", (_beside.typed_parts, "canonical_part(part)", "part")
)
_read(
    "parts-with-secrets",
    "Passes credentials of typed parts on.",
    (_beside.typed_parts, "without_secrets(canonical_part(part))", "canonical_part(part)"),
)
_read(
    "large-parts-inside",
    "Leaves large files inside.",
    (_beside.set_apart, "elif isinstance(reference, InlineRef)", "elif False"),
)
_read("policies-asked", "Takes demands of callers.", (_beside.typed_parts, "isinstance(part, CarriedPolicy)", "False"))
_read(
    "no-forwarded-turns", "Does not know forwarded turns.", (_beside.forwarded_turns, "if found is ABSENT:", "if True:")
)
_read(
    "broken-turns-are-none",
    "Drops the plain turns when the forwarded ones are broken.",
    (_beside.forwarded_turns, "return None\n    turns", "return ()\n    turns"),
)
_read(
    "agents-address",
    "Does not look whose address a turn has.",
    (_forwarded._is_own, " or turn.sender.address == agent", ""),
)
_read(
    "no-capabilities",
    "Does not know forwarded capabilities.",
    (
        _beside.capabilities_in,
        "DEFAULT if found is ABSENT else read_capabilities(",
        "DEFAULT if True else read_capabilities(",
    ),
)
_read(
    "capabilities-whole",
    "Drops the chain where the relay is odd.",
    (
        _beside.capabilities_in,
        "read_capabilities(found,",
        'read_capabilities(found if found["mention_relay"]["kind"] == "inline" else 7,',
    ),
)
_read(
    "no-evidence",
    "Does not know evidence.",
    (_receive._shown, "if not brings_evidence(carrier, turns):", "if not brings_evidence(None, turns):"),
)
_read(
    "evidence-in-arrays",
    "Takes arrays of evidence alone.",
    (_receive._shown, "if not brings_evidence(carrier, turns):", "if carrier.__class__ is not list:"),
)
_read(
    "evidence-of-nobody",
    "Takes evidence whoever brings it.",
    (
        _receive._shown,
        "authenticated(UNSIGNED, context.caller)",
        'authenticated(UNSIGNED, context.caller) or "@bot@slack.agents.example"',
    ),
)
_read(
    "no-evidence-of-turns",
    "Does not look at evidence of turns.",
    (_receive._shown, "carrier = evidence_in(form, reading)", "carrier, turns = evidence_in(form, reading), ()"),
)
_read("no-resolution", "Does not know receipts.", (_beside.candidate_in, "if found is not ABSENT:", "if False:"))
_read(
    "broken-receipts-reject",
    "Refuses a message whose receipt is broken.",
    (_beside.candidate_in, "_note_receipt(error, form.place_of(RESOLUTION), reading)", "raise"),
)
_read(
    "broken-payments-reject",
    "Refuses a message whose payment is broken.",
    (_beside._payment, "_note_receipt(error, at, reading)", "raise"),
)
_read(
    "payment-first",
    "Takes payments before receipts.",
    (
        _beside.candidate_in,
        "found = form.json_of(RESOLUTION, reading)",
        "found = ABSENT if request is not None else form.json_of(RESOLUTION, reading)",
    ),
)
_read(
    "no-v1",
    "Does not know version 1 of x402.",
    (_beside.candidate_in, "for name in _PAYMENTS", "for name in _PAYMENTS[:1]"),
)
_read(
    "no-v2",
    "Does not know version 2 of x402.",
    (_beside.candidate_in, "for name in _PAYMENTS", "for name in _PAYMENTS[1:]"),
)
quiet(
    AREA,
    RECEIVE,
    "sidecar-malformed",
    "charset-unknown",
    "thread-from-message",
    "time-assumed",
    "history-role",
    "caller-not-address",
    "redelivered",
    "native-id-reused",
    "evidence-refused",
    "receipt-malformed",
    "policy-malformed",
    "history-turn-dropped",
)


def _changed(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that changes the message: `change(message, unit)`."""

    def changed(answer: Any, _: Any, unit: Any) -> Any:
        if not answer.get("messages"):
            return None
        change(answer["messages"][0], unit)
        return answer

    wrongs(RECEIVE, name, rule, changed)


def _turns(message: Any) -> Any:
    return message.get("history") or ()


def _boasts(message: Any, unit: Any) -> None:
    for turn in _turns(message):
        if "email-dkim" in str(unit):
            turn["sender"] |= {"verified": True, "auth_method": "email-dkim"}


_changed("turns-verified", "Believes turns that call themselves verified.", _boasts)


def _roles(message: Any, unit: Any) -> None:
    for turn in _turns(message):
        if '"role":"assistant"' in str(unit):
            turn["role"] = "assistant"


_changed("roles-as-told", "Takes the role that a turn says.", _roles)


def _profiles(message: Any, _: Any) -> None:
    message["sender"].pop("profile", None)


_changed("no-profile", "Does not show what evidence says of somebody.", _profiles)


def _own(message: Any, unit: Any) -> None:
    if "caller" in unit and unit["caller"]["subject"] == message["recipient"]:
        for turn in _turns(message):
            turn["role"] = "user"


_changed("own-turns-are-users", "Takes an agent that asks itself for a user.", _own)


def _session(message: Any, unit: Any) -> None:
    if ["session", "s1"] in unit.get("fields", ()) and len(unit["fields"]) < 3:
        message["thread_id"] = "other"


_changed("no-session", "Does not know sessions of short forms.", _session)
