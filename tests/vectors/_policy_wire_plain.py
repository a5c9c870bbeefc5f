"""What the text alone says of demands: `policy/required.json`, `http-status.json`, `a2a-place.json`, `…-text.json`.

Other files compare more: layouts of words, other fields, and states. These cases compare only the status, the place and
that people find message and link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.vectors import _answer_activitypub as notes
from tests.vectors import _answer_email as mails
from tests.vectors._answer_a2a import WAYS, asked, slug
from tests.vectors._answer_rows import ANY, PLAIN, Case, answer
from tests.vectors._policy_wire_http import STATUSES
from tests.vectors._policy_wire_rows import KINDS, PAGE, PAY, carried, rows, without

if TYPE_CHECKING:
    from collections.abc import Iterator

required = rows("required")
status, place = rows("http-status", "http"), rows("a2a-place", "reply", "a2a")
mail, note = rows("email-text", "reply", "email"), rows("activitypub-text", "reply", "activitypub")


def statuses() -> Iterator[Case]:
    """Each kind as an answer of HTTP."""
    for name, policy in KINDS.items():
        if name == "unknown":
            continue
        yield status(
            name,
            "PP",
            "The status says it to programs that know HTTP alone, the body to all others.",
            {"policy": policy},
            facts={"status": STATUSES[name], "policy": policy},
        )


def places() -> Iterator[Case]:
    """Each kind on A2A 1.0, and one on each way to speak it."""
    given: Case = {"recipient": "@helper@agents.example", "lookups": {"MESSAGE *": None}}
    demands = [(name, "1.0", policy) for name, policy in KINDS.items()]
    demands += [(f"payment-{slug(way)}", way, PAY) for way in WAYS if way != "1.0"]
    for name, way, policy in demands:
        yield place(
            name,
            "PP 3.6" if name == "unknown" else "PP",
            "Programs find the demand where they look for it, with every member.",
            {"question": asked(way, taskId="t1"), "response": answer(PLAIN, carried(policy))},
            given=given,
            facts={"policy": policy},
        )


def texts() -> Iterator[Case]:
    """What people read in a mail."""
    lookups: Case = {f"AGENT {mails.HELPER}": "@helper@agents.example"}
    lookups |= {"AGENT *": None, "MESSAGE *": None, "HISTORY *": [], "TXT *": []}
    for name, policy in KINDS.items():
        linked = {**policy, "url": PAGE}
        yield mail(
            name,
            "PP",
            "Hardly any program for mail knows the field: people read what is demanded, and where to act.",
            {"question": {"raw": mails.asked()}, "response": answer(carried(linked))},
            given={"lookups": lookups},
            facts={"has": {"text": {policy["message"]: True, PAGE: True}}},
        )
    offer = {"scheme": "example.new", "payload": {}, "label": "Voucher", "description": "From the desk"}
    yield mail(
        "scheme-of-nobody",
        "PP",
        "Whoever knows no such scheme reads what it is, and where to act.",
        {
            "question": {"raw": mails.asked()},
            "response": answer(carried({**PAY, "accepted_payments": [offer], "url": PAGE})),
        },
        given={"lookups": lookups},
        facts={"has": {"text": {offer["label"]: True, offer["description"]: True, PAGE: True}}},
    )


def notes_for_people() -> Iterator[Case]:
    """What people read in a note."""
    question, lookups = notes.question()
    for name, policy in KINDS.items():
        yield note(
            name,
            "PP",
            "Programs of the fediverse show the text: people read what is demanded, and where to act.",
            {"question": question, "response": answer(carried({**policy, "url": PAGE}))},
            given={"lookups": lookups},
            facts={"has": {"words": {policy["message"]: True}, "html": {PAGE: True}}},
        )


def incomplete() -> Iterator[Case]:
    """Objects that are no policies, since something is missing that each of its kind has."""
    consent, offer = KINDS["consent"], {"scheme": "ln.bolt11", "payload": {}}
    found = {
        "no-kind": without(KINDS["forbidden"], "kind"),
        "no-message": without(KINDS["forbidden"], "message"),
        "no-challenges": without(KINDS["unauthorized"], "auth_challenges"),
        "no-offers": without(PAY, "accepted_payments"),
        "no-offer": {**PAY, "accepted_payments": []},
        "offer-without-scheme": {**PAY, "accepted_payments": [without(offer, "scheme")]},
        "offer-without-payload": {**PAY, "accepted_payments": [without(offer, "payload")]},
        "no-state": without(consent, "state"),
        "no-way-back": without(consent, "return_to"),
        "way-back-without-tls": {**consent, "return_to": "http://hub.example/back"},
    }
    for name, value in found.items():
        yield required(
            name,
            "PP",
            "Nobody can act on half a demand.",
            {"value": value, "authority": "agents.example"},
            value={"policy": None, "diagnostics": ANY},
        )


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "required", "policy.read", [*incomplete()]
    yield "http-status", "policy.to_http", [*statuses()]
    yield "a2a-place", "a2a.reply", [*places()]
    yield "email-text", "email.reply", [*texts()]
    yield "activitypub-text", "activitypub.reply", [*notes_for_people()]
