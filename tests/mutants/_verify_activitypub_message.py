"""Mutants of the message that a verified sender gets into."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from mentionable import _delivery, _verification
from tests.mutants import mutant
from tests.mutants._edits import AREA, concerns, edited, edits

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

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
edited(
    "drops-forgeries",
    "Rejects what is signed badly.",
    (
        _delivery.deliver,
        "if settings.require_verified and not verdict.verified:",
        'if not verdict.verified and verdict.code != "unsigned":',
    ),
)
edited(
    "takes-everybody",
    "Takes senders who are not shown, whatever it is told.",
    (_delivery.deliver, "if settings.require_verified and not verdict.verified:", "if False:"),
)
edited(
    "never-later",
    "Rejects for good who may be shown later.",
    (_verification.refused, '"lookup-failed" if verdict.temporary else ', ""),
)
edited(
    "uses-nothing-up",
    "Never asks whether a signature was used.",
    (_verification.used_once, " or not settings.use_once", " or True"),
)
edited(
    "uses-everything-up",
    "Always asks whether a signature was used.",
    (_verification.used_once, " or not settings.use_once", ""),
)
edited(
    "store-down-is-fine",
    "Takes a store that is down for one that knows nothing.",
    (_verification.used_once, "if answer is True:", "if answer is not False:"),
)
edited(
    "store-down-is-used",
    "Takes a store that is down for one that knows it.",
    (
        _verification.used_once,
        'Unproven("replay-unknown", answer.reason, temporary=answer.temporary)',
        'Unproven("replayed")',
    ),
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


JOINS = "if not verdict.verified or known.verified is not False or known.sender == agent:"
for _name, _rule, _when in (
    ("joins-what-was-claimed", "Lets words that were shown join a thread that anybody may have chosen.", "if True:"),
    ("joins-nothing", "Lets nobody join the thread of a known message.", "if not verdict.verified:"),
    (
        "own-answers-need-proof",
        "Wants proof of the agent's own answers.",
        "if not verdict.verified or known.verified is not False:",
    ),
    ("joins-when-shown-only", "Lets only those who are shown join.", JOINS.replace("not verdict.verified or ", "")),
    (
        "joins-own-claims",
        "Believes what somebody is said to have written themself.",
        JOINS.replace("known.sender == agent", "known.sender in (agent, draft.sender.address)"),
    ),
):
    edits(AREA, ("activitypub.receive",), _name, _rule, (_delivery._thread, JOINS, _when))
