"""Demands there and back: `conformance/v0.1/policy/wire-trip-*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _answer_activitypub as notes
from tests.vectors import _answer_email as mails
from tests.vectors._answer_a2a import WAYS, asked, frame, slug
from tests.vectors._answer_rows import ANY, DONE, MARKDOWN, PLAIN, UUID, answer
from tests.vectors._policy_wire_rows import KINDS, NO, PAGE, PAY, STATE, carried, rows, x402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._answer_rows import Case

WHOLE: Final[Case] = {
    **PAY,
    "code": "shop:pay",
    "title": "One more step",
    "message_translations": {"de": {"message": "Bitte 1 € zahlen.", "title": "Noch ein Schritt", "tone": "dry"}},
    "url": PAGE,
    "action_label": "Pay now",
    "data": {"com.example.order": {"n": 7, "x": [1.5, None, True, "東京"]}},
    "accepted_payments": [{**PAY["accepted_payments"][0], "label": "Card", "description": "Any", "fee": "0"}],
    "later": {"a": 1},
}
"""A demand with every member there is, and some that there may be later."""

DEMANDS: Final[dict[str, Case]] = {**KINDS, "whole": WHOLE, "x402": x402(2, state=STATE)}
WHY: Final = "What goes out comes back, value by value, behind the text that people read."
a2a = rows("wire-trip-a2a", "reply", "a2a")
mail = rows("wire-trip-email", "reply", "email")
pub = rows("wire-trip-activitypub", "reply", "activitypub")


def over_a2a() -> Iterator[Case]:
    """What the caller gets back."""

    def comes_back(name: str, section: str, why: str, said: Case, way: str = "1.0", **more: Any) -> Case:
        given = {"recipient": "@helper@agents.example", "lookups": {"MESSAGE *": None}}
        unit = {"question": asked(way, stream=more.pop("stream", False)), **more.pop("unit", {"response": said})}
        facts = {"parts": said["parts"], "status": said["status"]}
        return a2a(f"{name}-{slug(way)}", section, why, unit, given=given, facts=facts)

    for name, policy in DEMANDS.items():
        for way in WAYS if name in ("whole", "limit") else ("1.0",):
            yield comes_back(name, "D B11", WHY, answer(MARKDOWN, DONE, carried(policy)), way)
    for way in WAYS:
        said = answer(PLAIN, carried(PAY))
        yield comes_back("stream", "R40", "In a stream, too.", said, way, stream=True)
        frames = [frame(0, PLAIN), frame(1, carried(PAY), final=True)]
        yield comes_back("frames", "R40", "In frames, too.", said, way, stream=True, unit={"frames": frames})
    yield comes_back("alone", "R40", "A demand may be all that is said.", answer(carried(NO)))
    error = {"code": "busy", "message": "Try again later.", "retriable": True}
    failed = answer(carried(KINDS["limit"]), status="error", error=error)
    yield comes_back("error", "R40", "A failure that demands is a failure that demands.", failed)


def by_mail() -> Iterator[Case]:
    """What the asker's side receives by mail."""
    lookups: Case = {
        f"AGENT {mails.HELPER}": "@helper@agents.example",
        f"AGENT {mails.ALICE}": "@alice@a.example",
        "AGENT *": None,
        "MESSAGE *": None,
        "HISTORY *": [],
        "TXT *": [],
    }
    for name, policy in DEMANDS.items():
        unit = {"question": {"raw": mails.asked()}, "response": answer(carried(policy))}
        facts = {
            "parts": [{"kind": "text", "mime": "text/plain", "content": ANY}, carried(policy)],
            "received_trace": {**answer(carried(policy)), "reply_to": UUID},
        }
        yield mail(name, "D B11", WHY, unit, given={"lookups": lookups}, facts=facts, diagnostics=[])


def on_activitypub() -> Iterator[Case]:
    """What the asker's side receives on ActivityPub."""
    for name, policy in DEMANDS.items():
        question, lookups = notes.question()
        unit = {"question": question, "response": answer(carried(policy))}
        facts = {
            "parts": [{"kind": "text", "mime": "text/html", "content": ANY}, carried(policy)],
            "received_trace": {**answer(carried(policy)), "reply_to": UUID},
        }
        yield pub(name, "D B11", WHY, unit, given={"lookups": lookups}, facts=facts)


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "wire-trip-a2a", "a2a.round_trip", [*over_a2a()]
    yield "wire-trip-email", "email.round_trip", [*by_mail()]
    yield "wire-trip-activitypub", "activitypub.round_trip", [*on_activitypub()]
