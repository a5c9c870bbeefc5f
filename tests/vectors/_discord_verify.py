"""The signature of Discord, and what is answered at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.vectors._answer_rows import row
from tests.vectors._connector_sections import section_of
from tests.vectors._discord_rows import SETTINGS, TIME, Case, case, interaction, posted, signature, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

BODY = '{"type":1}'
EDGE = 300


def unit(body: str = BODY, settings: Case = SETTINGS, **headers: str | None) -> Case:
    return {"request": signed(body, **headers), "settings": settings}


def timed(time: str) -> Case:
    return {"Timestamp": time, "Ed25519": signature(BODY, time=time)}


PASSES: tuple[tuple[str, str, Case], ...] = (
    ("fresh", "A request that Discord signed just now is one of Discord.", unit()),
    ("five-minutes-old", "Requests may take five minutes.", unit(**timed(str(int(TIME) - EDGE)))),
    ("five-minutes-ahead", "Clocks may differ by five minutes.", unit(**timed(str(int(TIME) + EDGE)))),
    ("not-json", "The signature is over bytes, whatever they are.", unit("\u00e4 {")),
)
ELSEWHERE = Ed25519PrivateKey.from_private_bytes(bytes(32))
REFUSED: tuple[tuple[str, str, str, Case], ...] = (
    ("unsigned", "unsigned", "Anybody can find the URL of an endpoint.", {"Ed25519": None}),
    ("short", "signature-malformed", "A part of a signature is no signature.", {"Ed25519": signature(BODY)[:64]}),
    ("upper-case", "signature-malformed", "Discord writes hex in lower case.", {"Ed25519": signature(BODY).upper()}),
    ("time-missing", "time-missing", "Without a time a request could be sent again for ever.", {"Timestamp": None}),
    ("time-signed", "time-missing", "A time is digits alone.", timed(f"+{TIME}")),
    ("time-leading-zero", "time-missing", "One time is written in one way.", timed(f"0{TIME}")),
    ("expired", "expired", "An old request may be one that somebody kept.", timed(str(int(TIME) - EDGE - 1))),
    ("ahead", "not-yet-valid", "A request of the future could be kept for later.", timed(str(int(TIME) + EDGE + 1))),
    (
        "another-key",
        "bad-signature",
        "Discord has a key for each application.",
        {"Ed25519": signature(BODY, key=ELSEWHERE)},
    ),
    ("another-body", "bad-signature", "Whoever changes the body changes it.", {"Ed25519": signature(BODY + " ")}),
    ("another-time", "bad-signature", "The time is signed.", {"Timestamp": str(int(TIME) + 1)}),
    ("body-alone", "bad-signature", "Time and body are signed together.", {"Ed25519": signature(BODY, time="")}),
)


def passes() -> Iterator[Case]:
    for name, why, given in PASSES:
        yield row(f"connectors/discord-verify/{name}", "BC", why, given, value=True)


def refused() -> Iterator[Case]:
    for name, code, why, headers in REFUSED:
        outcome: Any = {"rejected": {"code": "request-unverified"}, "verdict": {"code": code}, "flags": ["attack"]}
        yield row(f"connectors/discord-unverified/{name}", "BC", why, unit(**headers), **outcome)
    small = {**SETTINGS, "body_bytes": len(BODY) - 1}
    why = "A body of any length would have to be read whole before its signature can be judged."
    given = unit(settings=small)
    yield row("connectors/discord-unverified/too-large", "BC", why, given, rejected={"code": "too-large"})


def at_once() -> Iterator[Case]:
    """Requests that are no messages, and requests that are refused before they are read."""
    behaviour = "discord-at-once"
    pong = {"status": 200, "body": {"type": 1}}
    yield case(behaviour, "ping", "Discord tries an endpoint out.", posted({"type": 1}), value=pong)
    choices = {"status": 200, "body": {"type": 8, "data": {"choices": []}}}
    why = "Who is still typing has said nothing yet."
    yield case(behaviour, "autocomplete", why, posted(interaction(type=4)), value=choices)
    why = "A number is a number."
    yield case(behaviour, "ping-as-true", why, posted({"type": True}), rejected={"code": "missing-member"})
    broken = {"request": signed("{", Ed25519="00" * 64), "settings": SETTINGS}
    why = "Nothing is read that is not signed."
    verdict = {"code": "bad-signature"}
    refusal: Any = {"rejected": {"code": "request-unverified"}, "verdict": verdict, "flags": ["attack"]}
    yield case(behaviour, "broken-and-unsigned", why, broken, **refusal)
    yield case(behaviour, "broken", "What is signed must be JSON.", posted("{"), rejected={"code": "invalid-json"})
    why = "A ping of the gateway is nothing that the gateway sends."
    ping = {"event": {"type": 1, "application_id": "700"}, "settings": SETTINGS}
    yield case(behaviour, "ping-of-the-gateway", why, ping, rejected={"code": "unsupported-event"})


def deferred() -> Iterator[Case]:
    behaviour = "discord-defer"
    why = "Discord waits three seconds, an agent may take longer."
    yield row(f"connectors/{behaviour}/public", section_of(behaviour), why, {}, value={"type": 5})
    private = {"type": 5, "data": {"flags": 64}}
    why = "Some answers are for the asker alone."
    yield row(f"connectors/{behaviour}/ephemeral", section_of(behaviour), why, {"ephemeral": True}, value=private)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "discord-verify", "discord.verify", "Requests that Discord signed.", passes()
    yield "discord-unverified", "discord.verify", "Requests that do not show that they come from Discord.", refused()
    yield "discord-at-once", "discord.receive", "What is answered at once, and what is refused first.", at_once()
    yield "discord-defer", "discord.defer", "The response that says: later.", deferred()
