"""Mutants of notifications: how events come in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mentionable.anp import _notification, _present, _rules, _submit
from tests.mutants._anp import AREA, NOTHING, ONE, decides, edits
from tests.mutants._answers import refuses, spoils, takes

if TYPE_CHECKING:
    from collections.abc import Callable

SUBMIT, CREATED, MERGED, DEADLINE = _submit.submit, _submit.created, _submit._merged, _submit._deadline
edits(
    ONE,
    "dispatched-at-once",
    "Takes what was submitted as dispatched.",
    (CREATED, 'path=("pending",)', 'path=("dispatched",)'),
)
edits(ONE, "unaudited", "Does not note what was submitted.",
        (CREATED, 'effect(Audit, record, what="submitted"), ', ""))  # fmt: skip
decides("no-deadline-at-first", "Sets no deadline before it routes.",
        (CREATED, "if record.requested.row.has_deadline:", "if False:"))  # fmt: skip
decides("deadline-for-all", "Sets a deadline for everything.",
        (CREATED, "if record.requested.row.has_deadline:", "if True:"))  # fmt: skip
decides(
    "deadline-where-asked",
    "Takes a deadline of the plugin for anything.",
    (CREATED, "record.requested.row.has_deadline", "record.requested.row.has_deadline or given.delivery_deadline"),
)
decides(
    "host-knows-better", "Takes no deadline of a plugin.", (DEADLINE, "normal_time(given.delivery_deadline) or ", "")
)
decides("any-deadline", "Takes any deadline of a plugin.",
        (DEADLINE, "rules.capped(record, normal_time(given.delivery_deadline) or rules.deadline(record, now))",
         "normal_time(given.delivery_deadline) or rules.deadline(record, now)"))  # fmt: skip
ANY_TIME: Final = "normal_time(given.delivery_deadline) or rules.deadline(record, now)"
decides("bounds-updates-only", "Takes any deadline at first, and bounds those of updates.",
        (CREATED, "_deadline(record, given, rules, now)", ANY_TIME))  # fmt: skip
decides("bounds-at-first-only", "Bounds the first deadline, and takes any of an update.",
        (MERGED, "_deadline(new, given, step.rules, step.now)", ANY_TIME.replace("rules.", "step.rules.")
         .replace("now)", "step.now)")))  # fmt: skip
decides(
    "one-ttl",
    "Knows no urgency.",
    (_rules.Rules.deadline, 'self.urgent.get(record.urgency or "", self.ttl)', "self.ttl"),
)
decides("urgency-in-small-letters", "Knows urgency in small letters only.",
        (_notification.Notification.urgency, ".lower()", ""))  # fmt: skip
decides("two-minutes", "Does not ask the host how long an agent has.",
        (_rules.Rules.deadline, "self.ttl)", "USUAL.ttl)"))  # fmt: skip
decides("plugins-speak-for-the-agent", "Forgets who said it.", (CREATED, 'given.origin or "plugin"', '"plugin"'))
decides("causes-forgotten", "Forgets out of what an event came.", (CREATED, "causation_id=given.causation_id,", ""))
decides("depths-forgotten", "Forgets how long a chain is.", (CREATED, "given.depth or 0", "0"))
decides("metadata-forgotten", "Forgets metadata.", (CREATED, "given.metadata or NO_MEMBERS", "NO_MEMBERS"))
decides("forged-records", "Takes members of a record from a plugin.",
        (CREATED, "extra=_kept(given.extra),", "**{'extra': NO_MEMBERS, **{n: v for n, v in given.extra.items() if n in"
         " ('owner_lease', 'revision', 'holder')}},"))  # fmt: skip
TWICE: Final = "command.id in (record.id, *record.merged)"
decides("twice-is-two", "Takes the same submission as another one.",
        (SUBMIT, TWICE, "False"),
        (SUBMIT, 'given.deduplication_key or ""', "record.deduplication_key"))  # fmt: skip
decides(
    "twice-is-newer",
    "Takes the same submission as newer words.",
    (SUBMIT, TWICE, f"{TWICE} and record.deduplication_key is None"),
)
decides("twice-while-open", "Knows the same submission while it is open only.",
        (SUBMIT, TWICE, f"{TWICE} and record.status in OPEN"),
        (SUBMIT, 'given.deduplication_key or ""', "record.deduplication_key"))  # fmt: skip


def _open(name: str, rule: str, *statuses: str) -> None:
    decides(f"dedupe-{name}", rule, values={(_submit, "OPEN"): statuses})


_open("re-arms-locked", "Replaces what somebody holds.", "pending", "dispatched", "locked")
_open("replaces-escalated", "Replaces what was escalated.", "pending", "dispatched", "escalated")
_open("replaces-delivered", "Replaces what was delivered.", "pending", "dispatched", "delivered")
_open("replaces-failed", "Replaces what has failed.", "pending", "dispatched", "failed")
_open("pending-only", "Replaces only what waits.", "pending")
_open("dispatched-only", "Replaces only what was dispatched.", "dispatched")
decides("dedupe-keeps-words", "Keeps the old words.", (MERGED, "content=given.content,", ""))
decides("dedupe-merges-metadata", "Merges metadata.",
        (MERGED, "given.metadata or NO_MEMBERS", "{**record.metadata, **(given.metadata or {})}"))  # fmt: skip
decides("dedupe-keeps-metadata", "Keeps old metadata where there is no new.",
        (MERGED, "given.metadata or NO_MEMBERS", "given.metadata or record.metadata"))  # fmt: skip
decides("dedupe-clears-instructions", "Forgets instructions where there are no new ones.",
        (MERGED, "given.agent_instructions or record.agent_instructions", "given.agent_instructions"))  # fmt: skip
decides("dedupe-keeps-instructions", "Never replaces instructions.",
        (MERGED, "given.agent_instructions or ", ""))  # fmt: skip
decides("dedupe-without-revision", "Does not count revisions.", (MERGED, "record.revision + 1", "record.revision"))
decides("dedupe-revision-2", "Counts two revisions.", (MERGED, "record.revision + 1", "2"))
decides(
    "dedupe-keeps-deadline",
    "Leaves the deadline as it was.",
    (MERGED, "if row.has_deadline:\n        new =", "if False:\n        new ="),
)
decides("dedupe-disarms", "Takes the deadline away where the plugin gives none.",
        (MERGED, "delivery_deadline=_deadline(new,", "delivery_deadline=given.delivery_deadline and _deadline(new,"),
        (MERGED, "effects.append(effect(WakeAt, new, at=new.delivery_deadline))", "pass"))  # fmt: skip
decides("dedupe-arms-all", "Sets a deadline for everything that is replaced.",
        (MERGED, "if row.has_deadline:\n        new =", "if True:\n        new ="))  # fmt: skip
decides(
    "dedupe-starves-the-watchdog",
    "Lets updates put the deadline off for ever.",
    (_rules.Rules.capped, "min(deadline, last, key=parse_time)", "deadline"),
)
decides(
    "dedupe-silently",
    "Does not show newer words.",
    (MERGED, '[] if record.status == "pending" else [update(new)]', "[]"),
)
decides("dedupe-shows-what-waits", "Shows newer words of what waits.",
        (MERGED, '[] if record.status == "pending" else [update(new)]', "[update(new)]"))  # fmt: skip
decides(
    "dedupe-without-a-turn",
    "Starts no turn for newer words.",
    (MERGED, "if effects and row.turn is not None and", "if False and"),
)
decides("dedupe-without-an-alarm", "Sets no alarm for the newer deadline.",
        (MERGED, "effects.append(effect(WakeAt, new, at=new.delivery_deadline))", "pass"))  # fmt: skip
decides("dedupe-reroutes", "Takes the route of the newer event.",
        (MERGED, "content=given.content,", "content=given.content,\n        routing=given.routing,"))  # fmt: skip
decides("dedupe-takes-the-session", "Takes the session of the newer event.",
        (MERGED, "content=given.content,", "content=given.content,\n        session_id=given.session_id,"))  # fmt: skip
decides(
    "dedupe-of-routes-untold",
    "Does not say that a route was kept.",
    (MERGED, "if (given.routing, given.session_id) != (record.requested, record.session_id):", "if False:"),
)
decides("dedupe-tells-of-demotion", "Takes a demotion for another route.",
        (MERGED, "(record.requested, record.session_id)", "(record.routing, record.session_id)"))  # fmt: skip
decides("updates-in-the-inbox", "Shows newer words in the inbox, whatever the event is.",
        values={(_present, "_PLACES"): {}})  # fmt: skip
decides(
    "updates-facts-in-context",
    "Tells newer facts as work.",
    values={(_present, "_PLACES"): {"mediated": "context", "autonomous": "context", "passive": "context"}},
)
decides("updates-with-old-words", "Shows the old words again.", (MERGED, "[update(new)]", "[update(record)]"))


def _stale_event(code: str, name: str, rule: str, when: Callable[[Any], bool]) -> None:
    takes(AREA, ("anp.decide",), name, rule, lambda _, unit: {**NOTHING, "before": unit["record"]}, code, when=when)


for _name, _when in (
    ("blank", lambda given: not str(given["content"]).strip()),
    ("long", lambda given: len(given["content"]) > 65_536),
    ("ownerless", lambda given: "user_id" not in given),
    ("homeless", lambda given: given["routing"]["address"] == "session" and "session_id" not in given),
    ("misrouted", lambda given: given["routing"]["address"] == "team"),
    ("metadata", lambda given: isinstance(given.get("metadata"), str)),
    ("deadline", lambda given: isinstance(given.get("delivery_deadline"), int)),
    ("keyed", lambda given: isinstance(given.get("deduplication_key"), int)),
):
    _stale_event(
        "malformed", f"submits-{_name}", "Takes what is no event.",
        lambda unit, w=_when: isinstance(unit["command"], dict) and "submission" in unit["command"]
        and w(unit["command"]["submission"]),
    )  # fmt: skip
_stale_event("malformed", "submits-nameless", "Takes an event without an id.",
             lambda unit: isinstance(unit["command"], dict) and unit["command"].get("kind") == "submit"
             and "id" not in unit["command"])  # fmt: skip
spoils(AREA, ("anp.story",), "one-key-for-all", "Lets a key reach into another user's events.",
       lambda value, _, unit: {**value, "records": dict(list(value["records"].items())[:1])}
       if "bob" in str(unit) else None)  # fmt: skip
spoils(AREA, ("anp.story",), "same-words-same-event", "Takes events without a key for one.",
       lambda value, _, unit: {**value, "records": dict(list(value["records"].items())[:1])}
       if all("deduplication_key" not in str(one) and one["command"]["kind"] == "submit"
              for one in unit["steps"] if "command" in one) else None)  # fmt: skip

# --- what came before, and whose it is

decides(
    "merged-forgotten",
    "Takes what was merged, and comes again, for newer words.",
    (SUBMIT, TWICE, "command.id == record.id"),
)
for _name, _kept in (("last", "1"), ("few", "8")):
    decides(f"merged-{_name}-remembered", f"Remembers of what was merged the {_name} only.",
            (MERGED, "[-MOST_MERGED:]", f"[-{_kept}:]"))  # fmt: skip
decides(
    "merged-first-remembered",
    "Remembers of what was merged the first only.",
    (MERGED, "(*record.merged, step.command.id)[-MOST_MERGED:]", "record.merged or (step.command.id,)"),
)
ANOTHERS: Final = "record.id == command.id and record.user_id != command.submission.user_id"
decides("anothers-id-is-known", "Tells whether another's event has an id.", (SUBMIT, ANOTHERS, "False"))
decides("anothers-id-by-key", "Knows another's event by its key only.",
        (SUBMIT, ANOTHERS, f"{ANOTHERS} and record.deduplication_key is None"))  # fmt: skip
decides(
    "anothers-id-by-any-key",
    "Does not know another's event where its key is the same.",
    (SUBMIT, ANOTHERS, f"{ANOTHERS} and record.deduplication_key != command.submission.deduplication_key"),
)

# --- the chain, and the time

DEEPER: Final = "given.causation_id if depth > record.depth else record.causation_id"
decides("dedupe-keeps-depth", "Forgets how long the chain of the new words is.",
        (MERGED, "max(depth, record.depth)", "record.depth"))  # fmt: skip
decides("dedupe-takes-depth", "Lets a chain begin anew.", (MERGED, "max(depth, record.depth)", "depth"))
decides("dedupe-keeps-cause", "Forgets out of what the new words came.", (MERGED, DEEPER, "record.causation_id"))
decides("dedupe-takes-cause", "Takes the cause of a shorter chain.", (MERGED, DEEPER, "given.causation_id"))
decides("dedupe-turns-for-ever", "Starts a turn for new words at the end of a chain.",
        (MERGED, " and new.depth < step.rules.depth", ""))  # fmt: skip
decides("dedupe-turns-of-the-old-depth", "Starts a turn by how long the chain of the old words was.",
        (MERGED, "new.depth < step.rules.depth", "record.depth < step.rules.depth"))  # fmt: skip
decides("dedupe-turns-at-three", "Starts no turn for new words before the end of a chain.",
        (MERGED, "new.depth < step.rules.depth", "new.depth < step.rules.depth - 1"))  # fmt: skip
decides("dedupe-of-old-urgency", "Gives new words the time that the old hint of urgency had.",
        (MERGED, "_deadline(new, given,", "_deadline(record, given,"))  # fmt: skip

# --- bounds

READ_OR_DECIDED: Final = ("anp.read_submission", *ONE)
for _what, _names in (("metadata", "[self.extra]"), ("members", "[self.metadata]"), ("anything", "[]")):
    edits(READ_OR_DECIDED, f"any-depth-of-{_what}", f"Takes {_what} of any depth.",
          (_notification.Submission._check, "[self.metadata, self.extra]", _names))  # fmt: skip
edits(READ_OR_DECIDED, "no-depth", "Takes nothing that is deep.", values={(_notification, "MOST_DEPTH"): 8})


def _long(found: object) -> bool:
    return isinstance(found, str) and (len(found) > 256 or not found)


for _member in ("user_id", "session_id", "deduplication_key"):
    _stale_event("malformed", f"submits-long-{_member.replace('_', '-')}", f"Takes {_member} of any length.",
                 lambda unit, m=_member: isinstance(unit["command"], dict)
                 and _long(unit["command"].get("submission", {}).get(m)))  # fmt: skip
    takes(AREA, ("anp.read_submission",), f"reads-long-{_member.replace('_', '-')}", f"Takes {_member} of any length.",
          lambda *_: {}, "malformed",
          when=lambda unit, m=_member: isinstance(unit["data"], dict) and _long(unit["data"].get(m)))  # fmt: skip
_stale_event("malformed", "submits-long-id", "Takes ids of any length.",
             lambda unit: isinstance(unit["command"], dict) and _long(unit["command"].get("id")))  # fmt: skip
refuses(AREA, ONE, "short-tools", "Knows tools of short names only.",
        lambda unit: isinstance(unit["command"], dict) and len(str(unit["command"].get("name", ""))) > 64)  # fmt: skip
