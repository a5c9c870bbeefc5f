"""Mutants of policies on wires: how they are made, and those of A2A answers that go out."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import refuses, spoils, takes
from tests.mutants._reply_a2a import _bodies, _walk, _with

if TYPE_CHECKING:
    from tests.mutants import Perform

AREA = "policy"
REPLY = ("a2a.reply",)
EXTENSION = "https://mentionable.dev/ns/policy/v0.1"
OUT = {"status": 200, "headers": [["content-type", "application/json"]], "body": '{"result":{"message":{"parts":[]}}}'}


def wrongs(ops: tuple[str, ...], name: str, rule: str, change: Any) -> None:
    """Registers a mutant that gives another answer: `change(answer, given, unit)`; None leaves it as it was."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Any:
        answer = honest(op, given, unit)
        changed = change(copy.deepcopy(dict(answer)), given, unit) if op in ops else None
        return answer if changed is None else changed

    MUTANTS.append(Mutant(name, AREA, rule, wrong, ops=ops))


def text_of(unit: Any) -> str:
    """A unit as text, in which things are sought."""
    return json.dumps(unit, ensure_ascii=False)


def _objects(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that changes every object of what goes out: `change(object, unit)`."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        bodies = _bodies(value)
        for body in bodies:
            _walk(body, lambda found: change(found, unit))
        return _with(value, bodies)

    spoils(AREA, REPLY, f"wire-a2a-{name}", rule, changed)


def _demands(unit: Any) -> list[Any]:
    """The policies of a response."""
    return [part["policy"] for part in unit["response"]["parts"] if part["kind"] == "policy"]


# states
def _state(name: str, rule: str, **states: str) -> None:
    """Registers a mutant that puts tasks into other states."""
    spelled = {old.replace("_", "-"): new for old, new in states.items()}
    upper = {f"TASK_STATE_{old.upper()}": f"TASK_STATE_{new.upper().replace('-', '_')}" for old, new in states.items()}

    def change(found: Any, _: Any) -> None:
        if isinstance(found.get("state"), str):
            found["state"] = (spelled | upper).get(found["state"], found["state"])

    _objects(f"state-{name}", rule, change)


_state("input", "Waits for input whatever it demands.", auth_required="input-required")
_state("auth", "Takes a payment for a sign-in.", input_required="auth-required")
_state("failed", "Says that it failed where it refused.", rejected="failed")
_state("waits", "Waits where only time helps.", failed="input-required")
_state("completed", "Takes a demand for an answer.", input_required="completed", rejected="completed")


# places
def _no_policy(found: Any, _: Any) -> None:
    if isinstance(found.get("mentionable"), dict):
        found["mentionable"].pop("policy", None)


_objects("no-policy", "Tells people alone.", _no_policy)


def _beside(found: Any, _: Any) -> None:
    if isinstance(found.get("mentionable"), dict) and "policy" in found["mentionable"]:
        found["policy"] = found["mentionable"].pop("policy")


_objects("policy-in-metadata", "Puts the policy beside its namespace.", _beside)
_objects(
    "no-extension",
    "Does not name the extension.",
    lambda found, _: found.pop("extensions", None) if EXTENSION in str(found.get("extensions")) else None,
)
_objects(
    "always-the-extension",
    "Names the extension though nothing is demanded.",
    lambda found, unit: found.update(extensions=[EXTENSION]) if "messageId" in found and not _demands(unit) else None,
)
_objects(
    "known-members",
    "Keeps the members that it knows.",
    lambda found, _: found.pop("com.example.least", None),
)


def _words(change: Any) -> Any:
    def changed(found: Any, unit: Any) -> None:
        demands = _demands(unit)
        if demands and isinstance(found.get("text"), str) and demands[0]["message"] in found["text"]:
            found["text"] = change(found["text"], demands[0])

    return changed


_objects("no-words", "Tells programs alone.", _words(lambda text, _: ""))
_objects("message-alone", "Says nothing but the message.", _words(lambda _, policy: policy["message"]))
_objects(
    "no-offers",
    "Does not say how one can pay.",
    _words(lambda text, _: "\n".join(line for line in text.split("\n") if not line.startswith("- "))),
)
_objects(
    "no-url",
    "Does not say where to act.",
    _words(lambda text, policy: text.replace(policy.get("url", "\0"), "")),
)


# streams
def _streams(name: str, rule: str, change: Any) -> None:
    def changed(value: Any, _: Any, unit: Any) -> Any:
        is_stream = "event-stream" in json.dumps(value["headers"])
        return _with(value, change(_bodies(value))) if is_stream else None

    spoils(AREA, REPLY, f"wire-a2a-{name}", rule, changed)


_streams("in-every-frame", "Demands in every frame.", lambda bodies: [{**body, "policy": {}} for body in bodies])
_streams(
    "in-no-frame",
    "Demands nothing in a stream.",
    lambda bodies: [json.loads(json.dumps(body).replace('"policy"', '"demand"')) for body in bodies],
)


# x402
def _no_keys(found: Any, _: Any) -> None:
    for name in [name for name in found if name.startswith("x402.payment.")]:
        del found[name]


_objects("no-x402", "Leaves the keys of x402 out.", _no_keys)


def _keys_for_all(found: Any, unit: Any) -> None:
    hints = found.get("mentionable")
    if isinstance(hints, dict) and "x402.payment.status" not in found:
        found["x402.payment.status"] = "payment-required"


_objects("x402-for-all", "Demands everything by x402.", _keys_for_all)


def _all_ways(found: Any, unit: Any) -> None:
    if "accepts" in found:
        offers = _demands(unit)[0]["accepted_payments"]
        found["accepts"] += [offer["payload"] for offer in offers if not offer["scheme"].startswith("x402.")]


_objects("x402-all-ways", "Lists ways of others, too.", _all_ways)
_objects(
    "x402-one-version",
    "Writes version 1 of x402 always.",
    lambda found, _: found.update(x402Version=1) if "accepts" in found else None,
)
_objects(
    "x402-no-resource",
    "Does not say what is paid for.",
    lambda found, _: found.pop("resource", None) if "accepts" in found else None,
)


# what may not go out
def _sends(name: str, rule: str, when: Any, ops: tuple[str, ...] = REPLY, value: Any = OUT) -> None:
    takes(AREA, ops, f"wire-sends-{name}", rule, lambda *_: value, "malformed", when=when)


ALL = ("a2a.reply", "email.reply", "activitypub.reply")
_sends("any-host", "Leads people anywhere.", lambda unit: '"url": "https://' in text_of(unit["response"]), ALL)
_sends("plain-http", "Leads people over plain http.", lambda unit: '"http://' in text_of(unit["response"]))
_sends("any-challenge", "Does not look into challenges.", lambda unit: "login.example" in text_of(unit))
_sends(
    "any-state",
    "Sends states that can be guessed.",
    lambda unit: any(len(one.get("state", "x" * 32)) != 32 for one in _demands(unit)),
)
_sends("no-offers", "Demands what cannot be paid.", lambda unit: '"accepted_payments": []' in text_of(unit))
_sends("no-message", "Demands without a word.", lambda unit: any("message" not in one for one in _demands(unit)))
_sends("anywhere", "Demands anywhere in an answer.", lambda unit: unit["response"]["parts"][-1]["kind"] != "policy")
_sends("twice", "Demands two things at once.", lambda unit: len(_demands(unit)) > 1)
_sends("in-frames", "Demands in a frame that is not the last.", lambda unit: unit["response"]["status"] == "partial")
refuses(
    AREA,
    REPLY,
    "wire-refuses-configured-hosts",
    "Knows one host only.",
    lambda unit: "pay.example" in text_of(unit["response"]) and "policy" in text_of(unit["response"]),
)
