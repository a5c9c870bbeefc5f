"""What must hold after the storm, read off the ledger, its journal, and the screens of the clients.

Each rule is told from what was stored and shown alone, not by asking the library again.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mentionable import anp

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from device import Device, Item
    from sql_store import SqlStore

EDGES = {
    "pending": {"dispatched"},
    "dispatched": {"locked", "delivered"},
    "locked": {"locked", "delivered", "escalated", "failed"},
    "escalated": {"delivered", "failed"},
}
"""The edges of the specification."""

TOLD = "I tell you of: "
"""What the stand-in for an agent says before the ids of what it narrates."""


def audit(
    store: SqlStore, devices: Sequence[Device], given: Sequence[tuple[str, anp.Submission]]
) -> tuple[dict[str, Any], list[str]]:
    """Figures, and everything that is wrong."""
    rows = store.run("SELECT user_id, kind, effect FROM outbox ORDER BY place")
    screens = [one for device in devices for one in device.screen()]
    journal = Journal(rows)
    records = {record["id"]: record for record in journal.records.values()}
    stored = {id: json.loads(text) for id, text in store.run("SELECT id, record FROM events")}
    faults = journal.faults
    if stored != records:
        faults.append("the ledger is not what its journal says")
    faults += lost(given, journal)
    faults += shown_wrongly(screens, stored)
    faults += invariants(stored.values())
    faults += out_of_order(screens, journal)
    faults += still_shown(screens, stored)
    did = Counter(did for did, _ in screens)
    figures = {
        "notifications": len(given),
        "events": len(stored),
        "merged": len(given) - sum(id in stored for id, _ in given),
        "statuses": dict(Counter(record["status"] for record in stored.values())),
        "outcomes": dict(Counter(record.get("outcome", "none") for record in stored.values())),
        "escalations": dict(Counter(record["escalation"] for record in stored.values() if "escalation" in record)),
        "modes": dict(Counter(_mode(record["requested"]) for record in stored.values())),
        "effects": sum(kind not in ("lane", "decided") for _, kind, _ in rows),
        "commits_of_lanes": sum(kind == "lane" for _, kind, _ in rows),
        "queued_alerts": len(journal.queued),
        "shown_at_another_try": sum(
            one.get("failures", 0) > 0 and one["status"] == "delivered" for one in stored.values()
        ),
        "arrived": len(screens),
        "shown": did["show"],
        "replaced": did["replace"],
        "settled": did["settle"],
        "repeats_unseen": did["repeat"] + did["stale"],
    }
    return figures, faults[:50]


class Journal:
    """The history of a storm, read once from its beginning to its end.

    Attributes:
        faults: What must not have happened.
        records: The last state of each event.
        words: Every content that an event ever had.
        queued: The alerts that ever waited in a lane.
        presented: By user, the alerts of the system in the order in which they were presented first.
    """

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        self.faults: list[str] = []
        self.records: dict[str, Any] = {}
        self.words: set[str] = set()
        self.queued: dict[str, None] = {}
        self.presented: dict[str, dict[str, None]] = defaultdict(dict)
        self._lanes: dict[str, Any] = {}
        self._waiting: dict[str, list[str]] = defaultdict(list)
        self._fenced: dict[str, int] = {}
        for user_id, kind, what in rows:
            rule = getattr(self, f"_{kind}", None)
            if rule is not None:
                rule(user_id, json.loads(what))

    def _decided(self, _: str, what: Any) -> None:
        """Every change follows the one before: by an edge, by one version, by no lower lease; the end is the end."""
        record, path = what["record"], what["path"]
        before = self.records.get(record["id"])
        self.records[record["id"]] = record
        self.words.add(record["content"])
        hops = list(pairwise(path))
        is_new = before is None
        is_right = all(there in EDGES.get(here, ()) for here, there in hops) and path[-1] == record["status"]
        if before is not None:
            steps = record["version"] - before["version"]
            is_right &= path[0] == before["status"] and (steps == 1 or (steps == 0 and record == before))
            is_right &= before["status"] not in ("delivered", "failed") or record == before
            is_right &= 0 <= record["owner_lease"] - before["owner_lease"] <= 1
            is_right &= record["requested"] == before["requested"]
        if not is_right or (is_new and path[0] != "pending"):
            self.faults.append(f"{record['id']}: {before and before['status']} → {path}, version {record['version']}")

    def _lane(self, _: str, lane: Any) -> None:
        """Versions of a lane follow one another; no turn begins while an alert that waited is not presented."""
        before = self._lanes.get(lane["id"])
        self._lanes[lane["id"]] = lane
        if before is not None and lane["version"] <= before["version"]:
            self.faults.append(f"{lane['id']}: version {lane['version']} after {before['version']}")
        begins = "turn" in lane and lane["turn"]["id"] != (before or {}).get("turn", {}).get("id")
        if begins and (self._waiting[lane["id"]] or (before or {}).get("turn")):
            self.faults.append(f"{lane['id']}: {lane['turn']['id']} began before {self._waiting[lane['id']]}")

    def _queue(self, user_id: str, effect: Any) -> None:
        if effect["id"] not in self.queued:
            self.queued[effect["id"]] = None
            self._waiting[f"user:{user_id}"].append(effect["id"])

    def _present(self, user_id: str, effect: Any) -> None:
        """No alert comes within a turn, and those that waited come in their order. What is escalated waits for none."""
        id, lane = effect["id"], f"user:{user_id}"
        if effect["lease"] > 1 or id not in self.records or id in self.presented[user_id]:
            return
        waiting = self._waiting[lane]
        if "turn" in self._lanes.get(lane, {}):
            self.faults.append(f"{id} was presented within {self._lanes[lane]['turn']['id']}")
        if id in waiting and waiting.pop(waiting.index(id)) and self.queued and id != self._first(waiting, id):
            self.faults.append(f"{id} was presented before {waiting}")
        self.presented[user_id][id] = None

    def _first(self, waiting: list[str], id: str) -> str:
        """Which of those that wait came first, `id` among them."""
        return min([*waiting, id], key=list(self.queued).index) if waiting else id

    def _fence_turn(self, _: str, effect: Any) -> None:
        self._fenced[effect["id"]] = max(effect["lease"], self._fenced.get(effect["id"], 0))

    def _allow(self, _: str, effect: Any) -> None:
        """No action is allowed under a lease that was taken away."""
        if effect["lease"] <= self._fenced.get(effect["id"], 0):
            self.faults.append(
                f"{effect['id']}: {effect['action']} was allowed under the stale lease {effect['lease']}"
            )


def lost(given: Iterable[tuple[str, anp.Submission]], journal: Journal) -> list[str]:
    """Every submission became an event, or the words of one; every event has come to an end."""
    faults = [f"{id} was lost" for id, event in given if event.content not in journal.words]
    faults += [f"{id} is open" for id, one in journal.records.items() if one["status"] not in ("delivered", "failed")]
    return faults


def shown_wrongly(screens: Sequence[tuple[str, Item]], stored: dict[str, Any]) -> list[str]:
    """Nothing was shown twice; and what a human was promised, they have seen: as itself or as the agent told it."""
    faults: list[str] = []
    first: Counter[str] = Counter(shown.id for did, shown in screens if did == "show")
    last: dict[str, tuple[int, int, bool]] = {}
    told: Counter[str] = Counter()
    for did, shown in screens:
        if isinstance(shown, anp.Presentation) and did in ("show", "replace"):
            here = (shown.lease, shown.revision, shown.surface == "inbox")  # out of a chat that is gone, and never back
            if here <= last.get(shown.id, (0, 0, False)):
                faults.append(f"{shown.id} was shown twice: {here}")
            last[shown.id] = here
        if isinstance(shown, anp.Presentation) and did == "show" and shown.content.startswith(TOLD):
            told.update(shown.content.removeprefix(TOLD).split())
    faults += [f"{id} was shown {times} times" for id, times in first.items() if times > 1]
    faults += [f"{id} was shown, and told besides" for id in first.keys() & told.keys()]
    faults += [f"{id} was told {times} times" for id, times in told.items() if times > 1]
    for id, record in stored.items():
        outcome = record.get("outcome")
        if outcome == "seen" and last.get(id, ())[:2] != (record["owner_lease"], record["revision"]):
            faults.append(f"{id} counts as seen; shown was {last.get(id)}")
        if outcome in ("narrated", "spoke") and not told[id]:
            faults.append(f"{id} counts as {outcome}; it was not told")
        if outcome in ("read", "vetoed") and id in first:
            faults.append(f"{id} was only for the agent; it was shown")
    return faults


def invariants(records: Iterable[Any]) -> list[str]:
    """What the specification says of every event that has come to an end."""
    faults: list[str] = []
    for one in records:
        now, before, mode = one["routing"], one["requested"], _mode(one["requested"])
        taken = "escalation" in one
        rules = {
            "lease is 1 and one more for the escalation": one["owner_lease"] == 1 + taken,
            "flags move to the user and the system alone": all(
                now[flag] == before[flag] or now[flag] == to
                for flag, to in (("address", "user"), ("target", "user"), ("handler", "system"))
            ),
            "what is escalated is for the user, from the system": not taken
            or (now["target"], now["handler"]) == ("user", "system"),
            "passive: read, and never escalated": mode != "passive" or (one.get("outcome") == "read" and not taken),
            "direct: seen": mode != "direct" or one.get("outcome") == "seen",
            "failed: only after an escalation": one["status"] != "failed" or taken,
            "for the user: seen or narrated": one["status"] != "delivered"
            or now["target"] != "user"
            or one.get("outcome") in ("seen", "narrated"),
            "escalated: never by the agent": not taken or one.get("outcome") in (None, "seen"),
            "acknowledged when seen": ("ack_at" in one) == (one.get("outcome") == "seen"),
        }
        faults += [f"{one['id']}: {rule}" for rule, holds in rules.items() if not holds]
    return faults


def out_of_order(screens: Sequence[tuple[str, Item]], journal: Journal) -> list[str]:
    """Each user has seen the alerts of the system in the order in which their lane let them go."""
    seen: dict[str, list[str]] = defaultdict(list)
    for did, shown in screens:
        if did == "show" and shown.id in journal.presented[shown.user_id]:
            seen[shown.user_id].append(shown.id)
    return [
        f"{user_id} saw {seen[user_id]}, not {list(ids)}"
        for user_id, ids in journal.presented.items()
        if seen[user_id] != [id for id in ids if id in set(seen[user_id])]
    ]


def still_shown(screens: Sequence[tuple[str, Item]], stored: dict[str, Any]) -> list[str]:
    """Each event was taken off the screen when it was over. Answers of a conversation are no events: they remain."""
    asks = {shown.id: did != "settle" for did, shown in screens if did in ("show", "replace", "settle")}
    return [f"{id} still asks for attention" for id, is_shown in asks.items() if is_shown and id in stored]


def _mode(flags: dict[str, Any]) -> str:
    return anp.ROUTE_TABLE[flags["address"], flags["target"], flags["handler"]].mode
