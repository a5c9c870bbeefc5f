"""Mutants of the messages of A2A callers who were verified, or were not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._receiving import named, reports
from tests.mutants._verify_a2a import AREA, concerns, verdicts

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def sees(name: str, rule: str, change: Callable[[dict[str, Any]], Any], *, shown: bool = True) -> None:
    """Registers a mutant that reports a sender who was shown (or was not) otherwise; changes the message in place."""

    def report(answer: Any) -> Any:
        for one in answer["messages"]:
            is_failure = answer["verdict"]["code"] not in (None, "unsigned", "issuer-unknown")
            if one["sender"]["verified"] if shown else is_failure:
                change(one)
        return answer

    reports(AREA, name, rule, report)


sees("forgets-evidence", "Leaves the evidence out.", lambda one: one["sender"].pop("identities", None))
sees("forgets-key", "Does not say which key it was.", lambda one: one["sender"].pop("key_id", None))
sees("forgets-verified", "Does not call the sender verified.", lambda one: one["sender"].update(verified=False))
sees("forgets-auth", "Leaves the claims out of raw.", lambda one: one["raw"].update(auth=None))
sees(
    "forgets-profile",
    "Does not read what the issuer says of the sender.",
    lambda one: (one["sender"].pop("profile", None), one["sender"].pop("display_name", None)),
)
sees(
    "evidence-for-the-service",
    "Makes the evidence out for the audience of the token.",
    lambda one: [found.update(audience="https://agents.example") for found in one["sender"].get("identities", ())],
)
sees(
    "forgets-principals",
    "Does not say on whose behalf an agent acts.",
    lambda one: [found.pop("on_behalf_of", None) for found in one["sender"].get("identities", ())],
)
sees(
    "names-the-failed",
    "Believes the name in a token that failed.",
    lambda one: one["sender"].update(address="@alice@a.example"),
    shown=False,
)
sees(
    "verifies-the-failed",
    "Calls the sender of a token that failed verified.",
    lambda one: one["sender"].update(verified=True, auth_method="a2a-jwt"),
    shown=False,
)
sees(
    "claims-of-the-failed",
    "Keeps the claims of a token that failed.",
    lambda one: one["raw"].update(auth={"kind": "jwt", "subject": None, "token_claims": {}}),
    shown=False,
)


def _door(name: str, rule: str, change: Callable[[dict[str, Any], dict[str, Any]], Any]) -> None:
    """Registers a mutant that is given other units or settings."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        if op == "a2a.receive" and concerns(op, given):
            given, unit = {**given, "settings": dict(given["settings"])}, dict(unit)
            change(given, unit)
        return honest(op, given, unit)

    named(AREA, name, rule, wrong)


_door("never-once", "Lets a token count for every message.", lambda given, _: given["settings"].pop("use_once", None))
_door(
    "always-once",
    "Lets a token count once, whatever the host says.",
    lambda given, _: given["settings"].update(use_once=True),
)
_door(
    "never-required",
    "Takes senders who are not shown.",
    lambda given, _: given["settings"].pop("require_verified", None),
)
_door(
    "always-required",
    "Rejects senders who are not shown.",
    lambda given, _: given["settings"].update(require_verified=True),
)
_door("token-of-a-peer", "Takes the token of a result for its sender's.", lambda _, unit: unit.pop("peer", None))
_door(
    "introspection-needs-request",
    "Does not look at an introspection without a request.",
    lambda _, unit: unit.pop("introspection") if "message" in unit and "introspection" in unit else None,
)
_door(
    "caller-not-named",
    "Does not look at the caller beside a token.",
    lambda _, unit: unit.pop("caller", None) if "headers" in unit else None,
)


def _rejects(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    failed = (
        op == "a2a.receive"
        and "messages" in answer
        and answer["verdict"]["code"] not in (None, "unsigned", "issuer-unknown")
    )
    return {"rejected": {"code": "verification-required"}, "asks": answer["asks"]} if failed else answer


def _once_said(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    lookups = {
        row: (row.startswith("ONCE") and isinstance(found, dict)) or found for row, found in given["lookups"].items()
    }
    return honest(op, {**given, "lookups": lookups}, unit)


def _not_later(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op == "a2a.receive" and concerns(op, given) and answer.get("rejected") == {"code": "lookup-failed"}:
        return {**answer, "rejected": {"code": "verification-required"}}
    return answer


def _uses_up(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    counts = given.get("settings", {}).get("use_once") and not any(one.startswith("ONCE") for one in answer["asks"])
    return {**answer, "asks": [*answer["asks"], "ONCE a2a:x"]} if counts else answer


named(AREA, "rejects-failed-tokens", "Rejects messages whose token fails.", _rejects)
named(AREA, "free-unless-known", "Takes a token when it cannot find out whether it was used.", _once_said)
named(AREA, "never-try-again", "Says that nobody need try again.", _not_later)
named(AREA, "uses-up-failed-tokens", "Uses up tokens that show nobody.", _uses_up)
verdicts(
    "silent-verdict",
    "Does not say why a token failed.",
    lambda value: value.update(code="unsigned") if value["code"] == "expired" else None,
    "a2a.receive",
)
