"""Mutants of consuming: what makes a state act at most once, and a payment pay one demand."""

from __future__ import annotations

from typing import Any

from mentionable._model import issuance
from mentionable.policy import _accept, _binding, _issue, _resume, _x402_payment
from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import spoils, swapped
from tests.mutants._policy_receipts import ACCEPT, AREA, DOORS, RESUME, STORY, door

# --- what makes a state act once


def _trusting(name: str, rule: str, begins: str) -> None:
    """Registers a mutant for which something is always free to use."""

    def free(honest: Any, key: str, *rest: Any) -> Any:
        if not key.startswith(begins):
            yield from honest(key, *rest)

    def use(key: str, *rest: Any) -> Any:
        return free(HONEST_USE, key, *rest)

    swapped(AREA, (*RESUME, *STORY), name, rule, _resume, "_use", use)


HONEST_USE = _resume._use
_trusting("accepts-a-reused-state", "Lets a state act again.", "policy-state:")
_trusting("accepts-a-reused-transaction", "Lets one transaction pay two demands.", "policy-transaction:")
_trusting("accepts-a-reused-nonce", "Lets one signature pay two demands.", "policy-nonce:")
door(
    "every-try-is-the-same",
    "Takes every try for the first one, taken up again.",
    (
        _resume._resumed,
        "attempt = f\"{message.id} {derive('policy.resume', entropy, message.id).hex()}\"",
        "attempt = 'x'",
    ),
)
door(
    "no-try-is-the-same",
    "Takes a try that is taken up again for another one.",
    (_resume._use, "binding=binding", "binding=f'{binding} {id(object())} {until} {__import__(\"time\").time_ns()}'"),
)
door(
    "a-message-is-a-try",
    "Lets a message act again with the same randomness, whatever it is.",
    (_resume._resumed, "{message.id} {derive('policy.resume', entropy, message.id).hex()}", "{entropy.hex()}"),
)
door(
    "consumes-first",
    "Consumes a state before it looks whether the receipt is for it.",
    (
        _resume._resumed,
        "yield from check_binding(",
        'yield from _use(f"policy-state:{record.key}", f"{message.id} {entropy.hex()}", _FOR_EVER, '
        '"already-consumed")\n        yield from check_binding(',
    ),
)
door(
    "consumes-when-it-accepts",
    "Consumes a state when its receipt is verified.",
    (
        _accept._accepted,
        "return Accepted(resolution=resolution, record=record)",
        "from mentionable._asks import UseOnce\n        yield from UseOnce(key='policy-state:' + record.key, "
        "binding='accept', until=now)\n        return Accepted(resolution=resolution, record=record)",
    ),
)
door(
    "takes-no-answer-for-yes",
    "Takes a verifier or store that cannot answer for one that says yes.",
    (
        _binding.answered,
        "if isinstance(answer, Failed):",
        "if isinstance(answer, Failed):\n        from mentionable.policy import Granted, Paid\n"
        "        return {'the payment': Paid(), 'the consent': Granted(), 'what was used before': True}.get(what)\n"
        "    if False:",
    ),
)
door(
    "burns-a-state-on-a-wrong-binding",
    "Makes a state void by one wrong receipt.",
    (issuance.record_fault, "record.failures >= MOST_FAILURES", "record.failures"),
)
swapped(AREA, DOORS, "never-voids", "Lets people guess for ever.", issuance, "MOST_FAILURES", 99)
swapped(AREA, DOORS, "voids-late", "Lets people guess four times.", issuance, "MOST_FAILURES", 4)
swapped(AREA, DOORS, "voids-early", "Lets people guess twice.", issuance, "MOST_FAILURES", 2)
door(
    "counts-nothing",
    "Counts no wrong receipt.",
    (_binding.check_binding, "yield from CountFailure(key=record.key)", "yield from ()"),
)
door(
    "counts-payments-alone",
    "Counts only receipts that are not what was offered.",
    (
        _binding.check_binding,
        "yield from CountFailure(key=record.key)",
        "if fault in ('payload-mismatch', 'scheme-not-offered'):\n            yield from CountFailure(key=record.key)",
    ),
)
door(
    "counts-what-was-offered-alone",
    "Counts only receipts that come from elsewhere.",
    (
        _binding.check_binding,
        "yield from CountFailure(key=record.key)",
        "if fault not in ('payload-mismatch', 'scheme-not-offered', 'scope-mismatch'):\n"
        "            yield from CountFailure(key=record.key)",
    ),
)
door(
    "counts-whatever-is-refused",
    "Counts receipts that are not verified, and those that come too late.",
    (
        _accept._accepted,
        "except WireError as error:",
        "except WireError as error:\n        if candidate.state:\n"
        "            yield from CountFailure(key=key_of(candidate.state))",
    ),
    ops=ACCEPT,
)
door(
    "a-counter-that-is-down-forgives",
    "Takes a wrong receipt when it cannot be counted.",
    (
        _binding.check_binding,
        "yield from CountFailure(key=record.key)",
        "if isinstance((yield from CountFailure(key=record.key)), Failed):\n            return",
    ),
)

# --- uniqueness

door(
    "forgets-the-scheme-of-transactions",
    "Takes ids of two schemes for one.",
    (_resume._marks_of, 'yield _mark("transaction", scheme, network', 'yield _mark("transaction", "", network'),
)
door(
    "forgets-the-network-of-transactions",
    "Takes ids of two networks for one.",
    (_resume._marks_of, '"transaction", scheme, network', '"transaction", scheme, ""'),
)
door(
    "folds-no-hashes",
    "Takes a hash in small letters for another.",
    (_resume._mark, 'member.strip().casefold().removeprefix("0x")', "member"),
)
door(
    "folds-hex-alone",
    "Takes ids in other letters for others, unless they begin with 0x.",
    (_resume._mark, 'member.strip().casefold().removeprefix("0x")', 'member.lower() if member[:2] == "0x" else member'),
)
door("keeps-blanks", "Takes an id with blanks around it for another.", (_resume._mark, ".strip()", ""))
door("keeps-0x", "Takes an id without 0x for another.", (_resume._mark, '.removeprefix("0x")', ""))
door(
    "one-payment-without-a-transaction",
    "Takes payments without a transaction for one.",
    (_resume._marks_of, "if confirmation.transaction is not None:", "if True:"),
)
door(
    "one-scheme-one-payment",
    "Takes all payments by a scheme for one.",
    (_resume._marks_of, "network, confirmation.transaction)", "network)"),
)
door(
    "one-nonce-one-payer",
    "Takes all that a payer signs for one payment.",
    (_resume._marks_of, "confirmation.payer, nonce)", "confirmation.payer)"),
)
door(
    "uses-transactions-last",
    "Consumes the state before it looks at the transaction.",
    (
        _resume._resumed,
        "for key in _marks_of(confirmation):",
        "yield from _use('policy-state:' + record.key, message.id + entropy.hex(), _FOR_EVER, 'already-consumed')\n"
        "            for key in _marks_of(confirmation):",
    ),
    (
        _resume._resumed,
        "attempt = f\"{message.id} {derive('policy.resume', entropy, message.id).hex()}\"",
        "attempt = message.id + entropy.hex()",
    ),
)


def _by_state(honest: Any, op: str, given: dict[str, Any], unit: Any) -> Any:
    """Knows demands by their state alone."""
    answer = honest(op, given, unit)
    if op not in STORY or "value" not in answer:
        return answer
    named = ["task_id" in step.get("accept", {}).get("receipt", {}) for step in unit["steps"]]
    said = zip(answer["value"], named, strict=True)
    return {**answer, "value": ["state-unknown" if by_task else one for one, by_task in said]}


MUTANTS.append(Mutant("knows-no-tasks", AREA, "Knows demands by their state alone.", _by_state, ops=STORY))
door(
    "nonces-as-text",
    "Takes a nonce in other letters for another.",
    (_x402_payment._signed, "_spelled(int(nonce, 16))", "nonce"),
)


door(
    "tasks-are-everybodys",
    "Lets whoever knows a task use up its demand.",
    (_binding.task_state, 'b"", agent, principal, task_id', 'b"", agent, task_id'),
)
door(
    "knows-everything-by-task",
    "Stores every demand under its task, too.",
    (_issue._paid_by, "any(is_x402(offer.scheme) for offer in offers)", "True"),
)


def _stories(name: str, rule: str, change: Any) -> None:
    spoils(AREA, STORY, name, rule, lambda value, _, unit: change(value, unit["steps"]))


_stories(
    "remembers-no-attempts",
    "Says resumed to whoever asks late.",
    lambda value, steps: [
        "resumed" if said == "already-consumed" and step.get("resume", {}).get("at") else said
        for said, step in zip(value, steps, strict=True)
    ],
)
