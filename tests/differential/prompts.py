"""What texts for models are made of, for tests/differential: calls of tools, relays, chains of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mentionable import ToolCallPart
from tests.differential.spoilt import plain, spoilt
from tests.differential.texts import chance, text_of
from tests.differential.values import value
from tests.odd_members import samples

if TYPE_CHECKING:
    from random import Random

    Given = dict[str, Any]

_CALLS: Final = samples(ToolCallPart)


def tool_call(random: Random) -> tuple[Any, Given]:
    part: dict[str, Any] = {"kind": "tool_call", "id": "c1", "name": text_of(random) or "f", "args": value(random)}
    if chance(random, 0.1):
        part["args"] = random.choice(("é", "漢", "😀", "\n")) * random.randint(60, 210)
    ended = random.randrange(3)
    if ended == 1:
        part["result"] = value(random)
    elif ended == 2:
        part["error"] = {"message": text_of(random)}
    if chance(random, 0.3):
        part = plain(spoilt(random, random.choice(_CALLS), 2))
    unit: dict[str, Any] = {"part": part}
    if chance(random, 0.4):
        unit["budget"] = random.choice((3, 4, 5, 10, 50, random.randint(3, 300)))
    return unit, {}


def relay(random: Random) -> dict[str, Any]:
    kind = random.choice(("inline", "recipient-field", "addressing", "none"))
    fields = ["to", "cc", "bcc"]
    random.shuffle(fields)
    if kind == "recipient-field":
        return {"kind": kind, "fields": fields[: random.randint(1, 3)]}
    if kind == "addressing":
        return {
            "kind": kind,
            "also_inline": True,
            "envelope_fields": [f for f in fields if f != "bcc"][: random.randint(1, 2)],
        }
    return {"kind": kind}


def chain(random: Random) -> dict[str, Any] | None:
    most = random.choice((1, 2, 3, 5, 10, 2**53 - 1))
    hop = random.choice((1, 2, most, max(most - 1, 1), most + 1, 0, -1, random.randint(1, 12)))
    made: dict[str, Any] = {"hop": hop, "max_hops": most, "is_final": chance(random, 0.5)}
    if chance(random, 0.2):
        made[random.choice(tuple(made))] = random.choice((None, "1", 1.5, 1, True, [], {}, 0))
    if chance(random, 0.05):
        del made[random.choice(tuple(made))]
    return made


def mention_relay(random: Random) -> tuple[Any, Given]:
    return {"capability": _maybe_odd(random, relay(random))}, {}


def _maybe_odd(random: Random, made: Any) -> Any:
    return plain(spoilt(random, made, 2)) if chance(random, 0.5) else made


def agent_chain(random: Random) -> tuple[Any, Given]:
    return {"chain": None if chance(random, 0.05) else _maybe_odd(random, chain(random))}, {}


def capabilities(random: Random) -> tuple[Any, Given]:
    made: dict[str, Any] = {"mention_relay": relay(random)}
    if chance(random, 0.7):
        made["agent_chain"] = chain(random)
    return {"capabilities": _maybe_odd(random, made)}, {}


def next_hop(random: Random) -> tuple[Any, Given]:
    return {"chain": _maybe_odd(random, chain(random))}, {}
