"""The operations of step-up for the worked harness of Python: demands, receipts, and how they look on each wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import mentionable as m
from mentionable import policy
from mentionable.policy._x402_payment import fits
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
Answer = dict[str, Any]
ISSUED = ("subject",)


def _settings(given: Object) -> m.Settings:
    return read_settings(given.get("settings", {}))


def _policy(unit: Object) -> Any:
    found: Any = m.decode(policy.PolicyPart, unit["policy"])
    return found


def _message(unit: Any) -> m.NormalizedMessage | None:
    return None if unit is None else m.decode_trusted(m.NormalizedMessage, unit)


def _found(found: policy.ParsedPolicy | m.Rejected | Any) -> Answer:
    """A policy that was found, with what was left out; the codes also stand beside, where cases compare them."""
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}}
    codes = [note.code for note in found.diagnostics]
    return {"value": {"policy": found.policy and m.encode(found.policy), "diagnostics": codes}, "diagnostics": codes}


def _filled(value: Any, names: Object) -> Any:
    """The value with what stands for `$state`, `$resolved`, `$payload` and `$scope_hash` in place."""
    if isinstance(value, str):
        return names[value] if value in names else value.replace("$state", names["$state"])
    if isinstance(value, list):
        return [_filled(item, names) for item in value]
    if isinstance(value, dict):
        return {name: _filled(member, names) for name, member in value.items()}
    return value


def _candidate(unit: Object) -> policy.Candidate:
    """A receipt; what came with it is nothing unless it is said."""
    return m.decode_trusted(policy.Candidate, {"receipt": {}, **unit})


def _issued(given: Object, unit: Object, *, entropy: bytes | None = None) -> policy.Issued:
    to = m.decode_trusted(m.NormalizedMessage, unit["to"])
    facts: dict[str, Any] = {name: unit[name] for name in ISSUED if name in unit}
    if "scope" in unit or "callbacks" in unit:
        facts["consent"] = policy.ConsentTerms(scope=unit.get("scope"), callbacks=unit.get("callbacks", ()))
    if "lifetime_seconds" in unit:
        facts["lifetime"] = timedelta(seconds=unit["lifetime_seconds"])
    secret = bytes.fromhex(given["entropy"]) if entropy is None else entropy
    state = policy.new_state(to=to, entropy=secret)
    part: Any = m.decode(policy.PolicyPart, _filled(unit["part"], {"$state": state}))
    now = m.parse_time(given["now"])
    return policy.issue(part, to=to, now=now, entropy=secret, settings=_settings(given), **facts)


def _issue(_: str, given: Object, unit: Object) -> Answer:
    made = _issued(given, unit)
    return {"value": {"part": m.encode(made.part), "record": m.encode(made.record)}}


def _code_or(outcome: Any) -> Answer:
    """A resolution, or why there is none."""
    if isinstance(outcome, m.Rejected):
        return {"rejected": {"code": outcome.code}}
    return {"value": m.encode(outcome.resolution)}


def _accept(_: str, given: Object, unit: Object) -> Answer:
    table, candidate = LookupTable(given["lookups"]), _candidate(unit["candidate"])
    facts: dict[str, Any] = {"message": _message(unit.get("message")), "subject": unit.get("subject")}
    flow = policy.accept(candidate, now=m.parse_time(given["now"]), **facts)
    return _code_or(m.drive(flow, table.answer)) | {"asks": table.asked}


def _resume(_: str, given: Object, unit: Object) -> Answer:
    table, message = LookupTable(given["lookups"]), m.decode_trusted(m.NormalizedMessage, unit["message"])
    facts: dict[str, Any] = {"now": m.parse_time(given["now"]), "entropy": bytes.fromhex(given["entropy"])}
    flow = policy.resume(message, subject=unit.get("subject"), **facts)
    return _code_or(m.drive(flow, table.answer)) | {"asks": table.asked}


# --- stories: what is issued, and then everything that is tried with it, against one store


class _Story:
    """Demands that were issued, the store that keeps them, and what was accepted of each."""

    def __init__(self, given: Object, issues: list[Any]) -> None:
        self._now, self._table = m.parse_time(given["now"]), LookupTable(given["lookups"])
        self._turns = [one["to"] for one in issues]
        self._made = [_issued(given, one, entropy=bytes([number]) * 32) for number, one in enumerate(issues)]
        self._records = {key: made.record for made in self._made for key in made.record.keys}
        self._accepted: dict[int, Any] = {}

    def _answer(self, ask: Any) -> object:
        if isinstance(ask, policy.FindIssuance):
            return self._records.get(ask.key)
        found = self._table.answer(ask)
        if isinstance(ask, policy.CountFailure) and isinstance(found, int):
            record = m.replace(self._records[ask.key], failures=found)
            self._records |= dict.fromkeys(record.keys, record)
        return found

    def _names(self, number: int) -> Answer:
        part, record = self._made[number].part, self._made[number].record
        offers = getattr(part, "accepted_payments", ())
        payload = m.encode(offers[0].payload) if offers else None
        names = {"$state": part.state, "$payload": payload, "$scope_hash": record.scope_hash}
        if number in self._accepted:
            names["$resolved"] = self._accepted[number].resolution.in_reply_to_state
        return names

    def step(self, number: int, step: Object) -> str:
        """What comes of a step: `accepted`, `resumed`, or a code."""
        ((kind, said),) = step.items()
        of = said.get("of", 0)
        now = self._now + timedelta(seconds=said.get("at", 0))
        turn = None if said.get("message", {}) is None else {**self._turns[of], **said.get("message", {})}
        names, facts = self._names(of), {"now": now, "subject": said.get("subject")}
        if kind == "accept":
            candidate = _candidate(_filled(said["receipt"], names))
            outcome: Any = m.drive(policy.accept(candidate, message=_message(turn), **facts), self._answer)
        else:
            shown = m.encode(self._accepted[of].resolution) if of in self._accepted else {}
            shown = {**shown, **_filled(said.get("resolution", {}), names)}
            message = m.decode_trusted(m.NormalizedMessage, {**(turn or {}), "policy_resolution": shown})
            entropy = bytes([said.get("attempt", number)]) * 32
            outcome = m.drive(policy.resume(message, entropy=entropy, **facts), self._answer)
        if isinstance(outcome, m.Rejected):
            return outcome.code
        if kind == "accept":
            self._accepted[of] = outcome
        return "accepted" if kind == "accept" else "resumed"


def _story(_: str, given: Object, unit: Object) -> Answer:
    story = _Story(given, unit["issue"] if isinstance(unit["issue"], list) else [unit["issue"]])
    return {"value": [story.step(number, step) for number, step in enumerate(unit["steps"])]}


# --- wires


def _read(_: str, given: Object, unit: Object) -> Answer:
    return _found(policy.read_policy(unit["value"], authority=unit.get("authority")))


def _to_http(_: str, given: Object, unit: Object) -> Answer:
    made = policy.to_http(_policy(unit))
    headers = [list(pair) for pair in made.headers]
    return {"value": {"status": made.status, "headers": headers, "body": json.loads(made.body)}}


def _from_http(_: str, given: Object, unit: Object) -> Answer:
    body = unit.get("body", "")
    is_bytes = isinstance(body, str) or (isinstance(body, dict) and body.keys() == {"$base64"})
    data = case_bytes(body) if is_bytes else json.dumps(body, ensure_ascii=False).encode()
    response = m.HttpResponse(status=unit["status"], headers=unit.get("headers", ()), body=data)
    return _found(policy.from_http(response, authority=unit.get("authority"), now=m.parse_time(given["now"])))


def _x402_demand(_: str, given: Object, unit: Object) -> Answer:
    facts = {name: unit[name] for name in ("message", "state", "parts") if name in unit}
    return _found(policy.x402_demand(unit["metadata"], **facts))


def _x402_payment(_: Object, unit: Object) -> Any:
    found = policy.x402_payment(unit["metadata"], parts=unit.get("parts", ()))
    return found and {name: getattr(found, name) for name in ("scheme", "network", "payer", "nonce")}


def _x402_fits(_: Object, unit: Object) -> Any:
    found = policy.x402_payment(unit["metadata"], parts=unit.get("parts", ()))
    return found is not None and fits(found, unit["offered"])


def _check_response(given: Object, unit: Object) -> Any:
    message = m.decode_trusted(m.NormalizedMessage, unit["message"])
    record: Any = m.decode_trusted(policy.Issuance, unit["record"]) if "record" in unit else None
    resumed: Any = None
    if unit.get("resumed"):  # true for what the message shows, or the resolution that was resumed
        shown: Any = message.policy_resolution
        if unit["resumed"] is not True:
            shown = m.decode_trusted(m.NormalizedMessage, {**unit["message"], "policy_resolution": unit["resumed"]})
            shown = shown.policy_resolution
        resumed = policy.Resumed(resolution=shown, record=record)
    response = m.decode(m.NormalizedResponse, unit["response"])
    facts = {"record": record, "resumed": resumed, "settings": _settings(given)}
    return [problem.at for problem in policy.check_response(message, response, **facts)]


# fmt: off
PURE: dict[str, Callable[[Object, Any], Any]] = {
    "policy.bind_url": lambda _, unit: policy.bind_url(unit["url"], unit["authority"], also=unit.get("also", ())),
    "policy.scope_hash": lambda _, unit: policy.scope_hash(unit["scope"]),
    "policy.state_key": lambda _, unit: policy.key_of(unit["state"]),
    "policy.read_resolution": lambda _, unit: m.encode(policy.read_resolution(unit["value"])),
    "policy.localize": lambda _, unit: m.encode(policy.localize(_policy(unit), *unit["languages"])),
    "policy.text": lambda _, unit: policy.render_text(_policy(unit)),
    "policy.html": lambda _, unit: policy.render_html(_policy(unit)),
    "policy.markdown": lambda _, unit: policy.render_markdown(_policy(unit)),
    "policy.declare": lambda _, unit: policy.declare(unit["card"]),
    "policy.is_declared": lambda _, unit: policy.is_declared(unit["card"]),
    "policy.x402_metadata": lambda _, unit: policy.x402_metadata(_policy(unit)),
    "policy.x402_payment": _x402_payment,
    "policy.x402_fits": _x402_fits,
    "policy.check_response": _check_response,
}
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    "policy.issue": _issue, "policy.accept": _accept, "policy.resume": _resume, "policy.story": _story,
    "policy.read": _read, "policy.to_http": _to_http, "policy.from_http": _from_http,
    "policy.x402_demand": _x402_demand,
}
