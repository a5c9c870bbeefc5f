"""Mutants of events as messages of Web Push."""

from __future__ import annotations

from typing import Final

from mentionable.anp import _web_push
from tests.mutants._anp_turns import AREA
from tests.mutants._anp_turns_projection import goes
from tests.mutants._answers import spoils, swapped, takes

PUSH: Final = ("anp.web_push",)

TO: Final = _web_push.to_web_push
PAYLOAD: Final = _web_push._payload
URGENCY: Final = _web_push.push_urgency
goes(PUSH, "case-of-hints", "Knows hints in small letters only.", (URGENCY, ".lower()", ""))
goes(PUSH, "marks-in-hints", "Knows hints with hyphens only.", (URGENCY, '.replace("_", "-")', ""))
goes(
    PUSH,
    "four-hints",
    "Knows the four words of the RFC only.",
    (URGENCY, '_MEANT.get(word, "normal")', 'word if word in _URGENCIES else "normal"'),
)
goes(
    PUSH,
    "unknown-is-high",
    "Takes an unknown hint for a high one.",
    (URGENCY, '_MEANT.get(word, "normal")', '_MEANT.get(word, "high")'),
)
goes(
    PUSH,
    "topic-of-revision",
    "Lets new words wait beside the old ones.",
    (TO, "shown.user_id, shown.id)", "shown.user_id, shown.id, str(shown.revision))"),
)
goes(
    PUSH,
    "topic-of-lease",
    "Lets what was taken wait beside what it was.",
    (TO, "shown.user_id, shown.id)", "shown.user_id, shown.id, str(shown.lease))"),
)
goes(PUSH, "topic-of-user", "Lets one event replace another.", (TO, "shown.user_id, shown.id)", "shown.user_id)"))
goes(
    PUSH,
    "topic-of-id",
    "Lets the event of one user replace that of another.",
    (TO, "shown.user_id, shown.id)", "shown.id)"),
)
swapped(AREA, PUSH, "out-topic-too-long", "Makes topics of more than 32 characters.", _web_push, "_TOPIC_BYTES", 27)
spoils(
    AREA,
    PUSH,
    "out-topic-is-id",
    "Takes the id for a topic.",
    lambda value, *_: [{**one, "topic": one["payload"].split('"id":"')[1].split('"')[0]} for one in value],
)
spoils(
    AREA,
    PUSH,
    "out-topic-holds-id",
    "Tells the id in a topic.",
    lambda value, *_: [{**one, "topic": one["payload"].split('"id":"')[1].split('"')[0][:40]} for one in value],
)
goes(
    PUSH,
    "ttl-of-host",
    "Keeps what is of no use any more.",
    (TO, "min(ttl, until, LONGEST_TTL)", "min(ttl, LONGEST_TTL)"),
)
goes(
    PUSH,
    "ttl-below-zero",
    "Keeps for less than no time.",
    (TO, "max(min(ttl, until, LONGEST_TTL), timedelta())", "min(ttl, until, LONGEST_TTL)"),
)
goes(PUSH, "ttl-of-its-own", "Keeps everything for four weeks.", (TO, "min(ttl, until, LONGEST_TTL)", "LONGEST_TTL"))
goes(
    PUSH,
    "uncut",
    "Pushes what no service takes.",
    (PAYLOAD, "if len(data) <= most:\n        return data, bool(shown.cut)", "return data, False"),
)
goes(
    PUSH,
    "cut-unsaid",
    "Does not say what was cut.",
    (PAYLOAD, "return _written(body), True", 'return _written({**body, "cut": None}), True'),
)
goes(
    PUSH,
    "metadata-kept",
    "Cuts words that people read before what they do not.",
    (PAYLOAD, "(_KEPT, _LEAST_CONTENT)", "((*_KEPT, 'metadata'), _LEAST_CONTENT)"),
)
goes(
    PUSH,
    "actions-first",
    "Cuts what the agent did first.",
    (PAYLOAD, "((_KEPT, _LEAST_CONTENT), (_IDS, 0))", "((_IDS, 0),)"),
)
goes(
    PUSH,
    "always-cut",
    "Pushes ids and words only.",
    (PAYLOAD, "if len(data) <= most:\n        return data, bool(shown.cut)", "most = min(most, len(data) - 1)"),
)
goes(
    PUSH,
    "characters-for-bytes",
    "Counts characters where bytes count.",
    (_web_push._start, "len(dump_line(text[:end]).encode()) - 2", "len(dump_line(text[:end])) - 2"),
)
goes(
    PUSH,
    "escapes-uncounted",
    "Does not count what escapes cost.",
    (_web_push._start, "len(dump_line(text[:end]).encode()) - 2", "len(text[:end].encode())"),
)
takes(AREA, PUSH, "out-agents-pushed", "Pushes what is for the agent.", lambda *_: [], "malformed")
