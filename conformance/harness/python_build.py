"""The operation `activitypub.build` for the worked harness of Python: what an agent does, publishes and takes back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import mentionable as m
from mentionable import activitypub

Object = Mapping[str, Any]
CHOSEN = {"@context", "published", "deleted", "proof", "content", "source", "attachment"}
"""Members that each implementation writes as it likes."""


def _actors(value: Any) -> Any:
    """An actor, or a list of actors and URLs."""
    if isinstance(value, list):
        return [_actors(one) for one in value]
    return activitypub.Actor(**value) if isinstance(value, dict) else value


def _audience(value: Object) -> activitypub.Audience:
    lists = {name: tuple(_actors(value[name])) for name in ("actors", "followers") if name in value}
    return activitypub.Audience(**{**value, **lists})


def _received(value: Object) -> activitypub.ReceivedActivity:
    """A request as `activitypub.inbox` gives it, with the actor in full."""
    actor = _actors(value["actor"])
    verdict = m.Verdict(method="ap-http-signature", verified=True, address=actor.address)
    made = {"authority": "own", "document": {}, "verdict": verdict, "target_id": None, **value}
    return activitypub.ReceivedActivity(**{**made, "actor": actor, "object_ids": tuple(value["object_ids"])})


READ: dict[str, Callable[[Any], Any]] = {
    "received": _received,
    "to": _actors,
    "audience": _audience,
    "ends": m.parse_time,
}
FIRST: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("accept", "reject"), ("received",)),
    **dict.fromkeys(("follow", "block"), ("to",)),
    **dict.fromkeys(("like", "announce"), ("object_id",)),
    "undo": ("activity",),
    "delete": ("note",),
    "move": ("target",),
    "post": ("text",),
    "poll": ("question", "options"),
    "tally": ("poll", "counts"),
    "vote": ("option",),
}
"""The builders, and the members of the input that are their first arguments."""


def _names(value: Any) -> Iterator[str]:
    """All strings of the input: an id that is none of them was made by the implementation."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _names(inner)


def _compared(value: Any, known: set[str]) -> Any:
    """JSON without what each implementation chooses: its texts, times and new ids."""
    if isinstance(value, list):
        return [_compared(one, known) for one in value]
    if not isinstance(value, dict):
        return value
    members = {name: one for name, one in value.items() if name not in CHOSEN}
    if members.get("id") not in known:
        members.pop("id", None)
    return {name: _compared(one, known) for name, one in members.items()}


def _build(given: Object, unit: Any) -> Any:
    key = m.SigningKey.from_seed(bytes(32), key_id=f"{unit['actor']}#main-key")
    quotes = unit.get("quote_policy")
    who = {name: tuple(quoters) for name, quoters in (quotes or {}).items()}
    policy = None if quotes is None else activitypub.QuotePolicy(**who)
    shared = {
        "base": "https://agents.example",
        "now": m.parse_time(given["now"]),
        "entropy": bytes.fromhex(given["entropy"]),
        "settings": activitypub.Settings(key=key, quote_policy=policy),
    }
    args = {name: READ.get(name, lambda one: one)(one) for name, one in unit["args"].items()}
    first = [args.pop(name) for name in FIRST[unit["builder"]]]
    out = getattr(activitypub, unit["builder"])(*first, **args, **shared)

    known, activity = {unit["actor"], *_names(unit["args"])}, dict(out.activity)
    if "result" in activity:  # the stamp in the place of its id
        activity["result"] = out.serve[activity["result"]]
    served = [[one["type"], activitypub.document_response(one).status] for one in out.serve.values()]
    return {
        "activity": _compared(json.loads(json.dumps(activity)), known),
        "inboxes": [post.url for post in out.deliveries],
        "served": sorted(served),
    }


PURE: dict[str, Callable[[Object, Any], Any]] = {"activitypub.build": _build}
