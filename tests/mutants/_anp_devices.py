"""Mutants of what devices of a person are told, what they say, and where they go on."""

from __future__ import annotations

from typing import Any, Final

from tests.mutants._anp import AREA
from tests.mutants._answers import mends, spoils

DECIDE: Final = ("anp.decide",)
CLIENT: Final = ("anp.receive_presentation",)
SAID: Final = ("anp.client_message",)
RESUME: Final = ("anp.resume",)
STREAM: Final = ("anp.stream",)


def _without(value: Any, how: str) -> Any:
    rest = [one for one in value["effects"] if one.get("how") != how]
    return {**value, "effects": rest} if len(rest) < len(value["effects"]) else None


for _how in ("seen", "acknowledged", "withdrawn", "escalated"):

    def _untold(value: Any, _: Any, __: Any, how: str = _how) -> Any:
        return _without(value, how)

    spoils(AREA, DECIDE, f"devices-not-told-{_how}", f"Tells no other device that an event is {_how}.", _untold)


def _new_lease(value: Any, _: Any, __: Any) -> Any:
    lease = value["record"]["owner_lease"]
    effects = [{**one, "lease": lease} if one["kind"] == "settled" else one for one in value["effects"]]
    return {**value, "effects": effects}


spoils(AREA, DECIDE, "devices-settled-under-the-new-lease", "Settles the lease that begins, not the one that ends.",
       _new_lease)  # fmt: skip


def _forgets(given: Any, unit: Any) -> Any:
    return given, {**unit, "shown": [one for one in unit["shown"] if one.get("kind") != "settled"]}


mends(AREA, CLIENT, "devices-forget-what-was-settled", "Shows what was settled before it came.", _forgets)


def _every_lease(value: Any, _: Any, unit: Any) -> Any:
    is_settled = any(one.get("kind") == "settled" for one in unit["shown"])
    return [["stale", None] if did == "show" else [did, ack] for did, ack in value] if is_settled else None


spoils(AREA, CLIENT, "devices-settle-every-lease", "Shows nothing of an event any more once a lease of it ended.",
       _every_lease)  # fmt: skip


def _believed(value: Any, _: Any, unit: Any) -> Any:
    return {**value, "user_id": "mallory"} if "mallory" in unit["data"] else None


spoils(AREA, SAID, "devices-say-whose", "Believes a client whose it is.", _believed)


def _final(value: Any, _: Any, unit: Any) -> Any:
    return {**value, "is_final": True} if "is_final" in unit["data"] else None


spoils(AREA, SAID, "devices-fail-for-all", "Has one device fail an event for all.", _final)


def _from_any(value: Any, _: Any, unit: Any) -> Any:
    last = unit["last_event_id"]
    is_number = last is not None and last.isascii() and last.isdecimal() and len(last) < 17
    return int(last) if value is None and is_number else None


spoils(AREA, RESUME, "devices-go-on-from-anywhere", "Goes on from any place that a client names.", _from_any)
spoils(AREA, RESUME, "devices-begin-anew", "Sends a snapshot always.", lambda value, _, __: [] if value else None)


def _no_id(value: Any, _: Any, __: Any) -> Any:
    return {**value, "sse": value["sse"].replace("id: 7\n", "")}


spoils(AREA, STREAM, "devices-without-a-place", "Writes events without an id.", _no_id)
