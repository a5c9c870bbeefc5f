"""The operation of an inbox on ActivityPub for the worked harness of Python: a message, or an activity to act on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mentionable as m
from mentionable import activitypub
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
VERDICT = ("method", "verified", "address", "key_id", "code", "temporary")
INNER = ("type", "id", "actor_id", "object_id")


class Store:
    """The look-up table, and the messages of the deliveries that came before."""

    def __init__(self, lookups: Object) -> None:
        self.table = LookupTable(lookups)
        self.rows: dict[tuple[str, str], m.StoredMessage] = {}

    def answer(self, ask: Any) -> Any:
        """The table's answer; of a message, that of the store where there is one."""
        answer = self.table.answer(ask)
        if isinstance(ask, m.FindMessage):
            return self.rows.get((ask.native_id, ask.recipient), answer)
        if isinstance(ask, m.FindMessages) and isinstance(answer, dict):
            return answer | {agent: row for (native_id, agent), row in self.rows.items() if native_id == ask.native_id}
        return answer

    def keep(self, outcome: Any) -> None:
        """Stores what the library says, as its how-to does."""
        for place, row in outcome.to_store.items():
            if row.replaces(self.rows.get(place)):
                self.rows[place] = row


def _receive(given: Object, unit: Object, store: Store, *, entropy: bytes) -> Any:
    """What comes of a delivery, or of an object that is asked for."""
    if "object_id" in unit:
        return _read(given, unit["object_id"], store, entropy=entropy)
    request = m.HttpRequest(
        method=unit["method"], url=unit["url"], headers=unit["headers"], body=case_bytes(unit["body"])
    )
    settings = read_settings(given.get("settings", {}), activitypub.Settings)
    flow = activitypub.receive(
        request, recipient=given.get("recipient"), now=m.parse_time(given["now"]), entropy=entropy, settings=settings
    )
    return m.drive(flow, store.answer)


def _read(given: Object, object_id: str, store: Store, *, entropy: bytes) -> Any:
    settings, now = read_settings(given.get("settings", {}), activitypub.Settings), m.parse_time(given["now"])
    flow = activitypub.receive_object(
        object_id, recipient=given["recipient"], now=now, entropy=entropy, settings=settings
    )
    return m.drive(flow, store.answer)


def _event(got: activitypub.ReceivedActivity) -> dict[str, Any]:
    inner = None if got.inner is None else {name: getattr(got.inner, name) for name in INNER}
    optional = {"target_id": got.target_id, "content": got.content, "inner": inner and _present(inner)}
    return {
        "type": got.type,
        "id": got.id,
        "actor": {"address": got.actor.address, "id": got.actor.id},
        "authority": got.authority,
        "object_ids": list(got.object_ids),
        "recipients": list(got.recipients),
        "stored": {agent: row.id for agent, row in got.stored.items()},
        **_present(optional),
    }


def _present(members: dict[str, Any]) -> dict[str, Any]:
    return {name: member for name, member in members.items() if member is not None}


def _message(message: m.NormalizedMessage) -> dict[str, Any]:
    written: Any = m.encode(message)
    return {name: written[name] for name in ("id", "thread_id", "recipient", "parts")}


def _inbox(_: str, given: Object, unit: Object) -> dict[str, Any]:
    store, entropy = Store(given["lookups"]), bytes.fromhex(given["entropy"])
    for number, before in enumerate(unit.get("before", ())):
        store.keep(_receive(given, before, store, entropy=bytes([number + 1]) * 32))
    store.table.asked.clear()
    got = _receive(given, unit, store, entropy=entropy)
    said = {"asks": store.table.asked, "verdict": _verdict(got.verdict)}
    if isinstance(got, m.Rejected):
        return said | {"rejected": {"code": got.code}}
    said["diagnostics"] = [one.code for one in got.diagnostics]
    if isinstance(got, activitypub.ReceivedActivity):
        return said | {"value": {"activity": _event(got)}}
    lists = {"messages": [_message(one) for one in got.messages], "edited": [_message(one) for one in got.edited]}
    return said | {"value": lists | {"redelivered": [one.id for one in got.redelivered]}}


def _verdict(verdict: m.Verdict | None) -> Any:
    return verdict and {name: getattr(verdict, name) for name in VERDICT}


DOORS: dict[str, Callable[[str, Object, Any], dict[str, Any]]] = {
    "activitypub.inbox": _inbox,
    "activitypub.object": _inbox,
}
