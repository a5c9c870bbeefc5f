"""Mutants of the message that a verified sender gets into."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._receiving import named
from tests.mutants._signatures import AREA, concerns

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform, Wrong

Answer = "Mapping[str, Any]"


# --- the message


def messages(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that shows the sender otherwise in a message."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = copy.deepcopy(dict(honest(op, given, unit)))
        if concerns(unit, "signed"):
            for found in answer.get("messages", ()):
                change(found)
        return answer

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


messages("no-evidence", "Makes no evidence of what was shown.", lambda found: found["sender"].pop("identities", None))
messages(
    "evidence-for-the-first",
    "Makes evidence for the first recipient only.",
    lambda found: [one.update(audience="@helper@agents.example") for one in found["sender"].get("identities", ())],
)
messages(
    "evidence-for-whom-it-reached",
    "Makes evidence for whoever got the delivery, whomever it was signed for.",
    lambda found: [one.update(audience=found["recipient"]) for one in found["sender"].get("identities", ())],
)
messages(
    "evidence-for-nobody",
    "Makes evidence without an audience of every proof.",
    lambda found: [
        one.update(audience=[])
        for one in found["sender"].get("identities", ())
        if found["sender"]["auth_method"] == "ap-object-integrity-proof"
    ],
)
messages(
    "old-names-in-raw",
    "Shows no members of its own for RFC 9421.",
    lambda found: (
        [found["raw"]["signature"].pop(name, None) for name in ("label", "components", "created")]
        if isinstance(found["raw"].get("signature"), dict)
        else None
    ),
)
messages(
    "no-proof-in-raw",
    "Shows no proof in raw.",
    lambda found: found["raw"].pop("proof", None),
)
messages(
    "signature-as-it-came",
    "Shows the header in raw as it came.",
    lambda found: (
        found["raw"].update(signature="header")
        if isinstance(found["raw"].get("signature"), dict) and found["raw"]["signature"].get("headers")
        else None
    ),
)
messages("forgets-verified", "Never calls a sender verified.", lambda found: found["sender"].update(verified=False))
messages(
    "always-verified",
    "Calls every sender with a signature verified.",
    lambda found: found["sender"].update(verified=True, auth_method="ap-http-signature"),
)
messages(
    "address-of-the-host",
    "Keeps the address of the server.",
    lambda found: found["sender"].update(address="@alice@social.example"),
)


@mutant(AREA, "Takes unsigned units, where only verified ones are wanted.")
def takes_unsigned(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if "rejected" not in answer or (answer.get("verdict") or {}).get("code") != "unsigned":
        return answer
    return honest(op, {**given, "settings": {}}, unit)


@mutant(AREA, "Uses up what does not fit.")
def uses_up_forgeries(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return (
        {**answer, "asks": [*answer["asks"], "ONCE activitypub:00"]}
        if given.get("settings", {}).get("use_once")
        else answer
    )


def _once_as(answers: dict[str, str]) -> Wrong:
    """Understands an answer of the store about a signature as another one."""

    def misread(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        lookups = {
            row: answers.get(before, before) if row.startswith("ONCE") and isinstance(before, str) else before
            for row, before in given["lookups"].items()
        }
        return honest(op, {**given, "lookups": lookups}, unit)

    return misread


named(
    AREA, "same-for-first", "Takes what comes again for new, where no message is stored.", _once_as({"same": "first"})
)
named(AREA, "same-for-other", "Refuses what comes again as what came before.", _once_as({"same": "other"}))
named(AREA, "other-for-same", "Takes another activity under a used signature.", _once_as({"other": "same"}))
