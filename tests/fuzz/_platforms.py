"""Any bytes as an event of a platform, with any bytes as what its API answers; and what a model reads of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from mentionable import Failed, HttpRequest, Received, Rejected, WireError, drive, ingest, prompt
from mentionable._flow.asks import PlatformCall
from mentionable._wire.strict_json import loads
from mentionable.connectors import bluebubbles, discord, slack
from mentionable.testing import SlackPeer
from mentionable.testing.lookups import case_bytes
from tests.fuzz._answers import NOW, World, facts, put_together, taken_apart
from tests.fuzz._oracle import is_sound, must
from tests.fuzz._seeds import of_op

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

SECRET: Final = "a-secret-of-your-own-server"
PEER: Final = SlackPeer(team="T1", user="U1")
PUBLIC_KEY: Final = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
_MOST: Final = 1 << 20
SETTINGS: Final[dict[ModuleType, Any]] = {
    slack: PEER.settings(listen_to="everything"),
    discord: discord.Settings(public_key=PUBLIC_KEY, application_id="700", issuer="d.example", listen_to="everything"),
    bluebubbles: bluebubbles.Settings(secret=SECRET, pseudonym_key=bytes(range(32)), own_messages=True),
}


class Platform(World):
    """Answers calls of an API with the documents of an input, too."""

    def __call__(self, ask: Any) -> Any:
        if not isinstance(ask, PlatformCall):
            return super().__call__(ask)
        found = _json(next(self._left, b""))
        return found if isinstance(found, (dict, list)) else Failed("there is no more", temporary=False)


def reader(room: ModuleType) -> Callable[[bytes], str]:
    """The target that gives any bytes to a platform's connector, as what the platform sent."""

    def run(data: bytes) -> str:
        unit, documents, flags = taken_apart(data)
        event = _event(room, unit)
        if event is None:
            return "no event"
        outcomes = [_received(room, event, documents, flags) for _ in range(2)]
        must(outcomes[0] == outcomes[1], "the same inputs give the same outcome (law 3)")
        outcome = outcomes[0]
        if not isinstance(outcome, (Received, Rejected)):
            return type(outcome).__name__
        is_sound(outcome, size=len(data))
        if isinstance(outcome, Rejected):
            return outcome.code
        for message in outcome.messages:
            stored = ingest.from_message(message)
            rows = ingest.assemble([stored]).rows
            must(ingest.assemble(rows).rows == rows, "what is assembled stays as it is")
            prompt.render(message)
        return "received"

    return run


def _received(room: ModuleType, event: Any, documents: list[bytes], flags: int) -> Any:
    given = {**facts(flags, SETTINGS[room]), "recipient": "@helper@agents.example"}
    return drive(room.receive(event, **given), Platform(documents))


def _event(room: ModuleType, unit: bytes) -> HttpRequest | Mapping[str, Any] | None:
    """The event that bytes stand for, as its platform would have sent it."""
    if room is slack:
        return PEER.signed(unit, now=NOW)
    if room is bluebubbles:
        return HttpRequest(method="POST", url=f"https://h.example/hook?secret={SECRET}", headers={}, body=unit)
    found = _json(unit)
    return found if isinstance(found, dict) else None


def _json(data: bytes) -> Any:
    try:
        return loads(data, max_bytes=_MOST, max_depth=64, safe_integers=False)
    except WireError:
        return None


def seeds(room: ModuleType) -> Callable[[], Iterator[bytes]]:
    """The events of the cases of a platform, each with what its API answers there."""
    name = room.__name__.rpartition(".")[2]

    def made() -> Iterator[bytes]:
        for case in of_op(f"{name}.parts", f"{name}.receive", f"{name}.claim"):
            event = case.input.get("event") or case.input.get("request", {}).get("body")
            rows = case.given.get("lookups", {})
            calls = [json.dumps(row).encode() for key, row in rows.items() if key.startswith("CALL ")]
            if isinstance(event, dict) and "$" not in "".join(event):
                event = json.dumps(event)
            if isinstance(event, str):
                yield put_together(event.encode("utf-8", "surrogatepass"), calls)
            elif event is not None:
                yield put_together(case_bytes(event), calls)

    return made
