"""Mutants of what goes out of events: presentations and CloudEvents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mentionable.anp import _cloudevents, _notification, _present, _presentation
from tests.mutants._anp_turns import AREA
from tests.mutants._answers import mends, spoils, swapped, takes, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants._edits import Edit

SHOWN: Final = ("anp.presentation",)
CLIENT: Final = ("anp.receive_presentation",)
CLOUD: Final = ("anp.cloudevent",)
UNCLOUD: Final = ("anp.read_cloudevent",)


def goes(ops: tuple[str, ...], name: str, rule: str, *edits: Edit, when: Callable[[Any], bool] | None = None) -> None:
    """Registers a mutant of what goes out: the library with these edits."""
    written(AREA, ops, f"out-{name}", rule, *edits, when=when)


# --- presentations

WAITS: Final = _notification.Notification.is_shown
MADE: Final = _presentation._made
goes(SHOWN, "inbox-only", "Shows everything in the inbox.", (MADE, "surface=surface", 'surface="inbox"'))
goes(SHOWN, "chat-only", "Shows everything in a chat.", (MADE, "surface=surface", 'surface="chat"'))
goes(
    SHOWN,
    "replaces-always",
    "Puts everything in the place of something.",
    (MADE, "replaces=effect.revision > 1", "replaces=True"),
)
goes(
    SHOWN,
    "replaces-never",
    "Puts new words beneath the old ones.",
    (MADE, "replaces=effect.revision > 1", "replaces=False"),
)
goes(
    SHOWN,
    "updates-unshown",
    "Shows no new words.",
    (_presentation.presentation, "isinstance(given, Update) and given.channel in _SURFACES", "False"),
)
goes(SHOWN, "actions-unshown", "Does not show what the agent did.", (MADE, "actions=actions", "actions=None"))
goes(
    SHOWN,
    "metadata-internal",
    "Shows what is internal to the bus.",
    (_notification.Notification.shown_metadata, 'name[:1] != "_" and name not in INTERNAL_NAMES', "True"),
)
goes(
    SHOWN,
    "metadata-underscored",
    "Shows members of others whose names begin with a line.",
    (_notification.Notification.shown_metadata, 'name[:1] != "_" and', ""),
)
goes(
    SHOWN,
    "raw-content",
    "Shows the content where other words are meant for it.",
    (_present.present, 'record.fallback if record.status == "escalated" else record.content', "record.content"),
)
goes(SHOWN, "session-unsaid", "Does not say in which chat.", (MADE, "session_id=effect.session_id", "session_id=None"))
for _name, _test in (
    ("agents", 'self.status in ("dispatched", "locked") and self.routing.handler == "agent"'),
    ("facts", 'self.status == "dispatched" and self.routing.row.mode == "passive"'),
    ("waiting", 'self.status == "pending"'),
    ("over", 'self.status in ("delivered", "failed")'),
):
    goes(
        SHOWN,
        f"back-{_name}",
        f"Shows a client that comes back what it must not: {_name}.",
        (WAITS, "return self", f"return ({_test}) or self"),
    )
goes(
    SHOWN,
    "back-escalated",
    "Forgets what was escalated when a client comes back.",
    (WAITS, 'self.status == "escalated" or', ""),
)
goes(
    SHOWN,
    "back-dispatched",
    "Shows a client that comes back only what was escalated.",
    (
        WAITS,
        'self.status == "escalated" or (self.status == "dispatched" and self.routing.row.mode == "direct")',
        'self.status == "escalated"',
    ),
)


def _as_present(_: Any, unit: Any) -> Any:
    effect = unit["effect"]
    names = ("id", "revision", "lease", "user_id", "content")
    return {"surface": "inbox", "replaces": False, **{name: effect[name] for name in names}}


for _kind in ("inject_context", "add_fact", "update"):

    def _spoil(value: Any, given: Any, unit: Any, kind: str = _kind) -> Any:
        is_it = value is None and unit.get("effect", {}).get("kind") == kind
        return _as_present(given, unit) if is_it else None

    spoils(AREA, SHOWN, f"out-{_kind.replace('_', '-')}-shown", "Shows a human what is for the agent.", _spoil)

# --- a client

RECEIVE: Final = _presentation.receive_presentation
ORDER: Final = _presentation._order
STALE: Final = "if here < there:"
goes(
    CLIENT,
    "shows-again",
    "Shows twice what comes twice.",
    (RECEIVE, "if here == there and (seen.is_whole or not now.is_whole):", "if False:"),
)
goes(CLIENT, "never-replaces", "Shows the first words of an event only.", (RECEIVE, STALE, "if here != there:"))
goes(CLIENT, "takes-old", "Puts old words in the place of new ones.", (RECEIVE, STALE, "if False:"))
goes(
    CLIENT, "never-moves", "Leaves in a dead chat what goes to the inbox.", (ORDER, 'seen.surface == "inbox"', "False")
)
goes(
    CLIENT,
    "moves-back",
    "Puts into the chat again what went to the inbox.",
    (RECEIVE, STALE, "if here[:2] < there[:2]:"),
)
goes(
    CLIENT,
    "by-revision",
    "Looks at revisions first.",
    (
        ORDER,
        "seen.lease, seen.revision",
        "seen.revision, seen.lease",
    ),
)
goes(
    CLIENT,
    "by-lease",
    "Looks at leases only.",
    (
        ORDER,
        "seen.lease, seen.revision",
        "seen.lease, 0",
    ),
)
goes(
    CLIENT,
    "without-lease",
    "Looks at revisions only.",
    (
        ORDER,
        "seen.lease, seen.revision",
        "seen.revision, 0",
    ),
)
goes(
    CLIENT,
    "acknowledges-old",
    "Acknowledges what it threw away.",
    (RECEIVE, 'Reception(showing="stale", seen=seen, ack=None)', 'Reception(showing="stale", seen=seen, ack=ack)'),
)
goes(
    CLIENT,
    "acknowledges-once",
    "Acknowledges once, though that may be lost.",
    (RECEIVE, "ack=ack if seen.is_whole else None", "ack=None"),
)
goes(
    CLIENT,
    "acknowledges-halves",
    "Acknowledges what it shows a part of.",
    (
        RECEIVE,
        'Reception(showing="show", seen=now, ack=ack if now.is_whole else None)',
        'Reception(showing="show", seen=now, ack=ack)',
    ),
)
goes(
    CLIENT,
    "acknowledges-repeated-halves",
    "Acknowledges what it shows a part of, when it comes again.",
    (RECEIVE, "ack=ack if seen.is_whole else None", "ack=ack"),
)
goes(
    CLIENT,
    "keeps-halves",
    "Throws the rest away of what was cut.",
    (RECEIVE, "(seen.is_whole or not now.is_whole)", "True"),
)
goes(
    CLIENT,
    "first-revision",
    "Acknowledges the first words.",
    (_presentation.acknowledge, "revision=shown.revision", "revision=1"),
)
goes(
    CLIENT,
    "first-lease",
    "Acknowledges under the first lease.",
    (_presentation.acknowledge, "lease=shown.lease", "lease=1"),
)


def _one_store(given: Any, unit: Any) -> Any:
    """All events under one id."""
    return given, {**unit, "shown": [{**one, "id": "e1"} for one in unit["shown"]]}


mends(AREA, CLIENT, "out-one-lease-for-all", "Takes no event under a lower lease than that of another.", _one_store)

# --- CloudEvents

MAKE: Final = _cloudevents.cloud_event
ID: Final = _cloudevents._id_of
swapped(AREA, CLOUD, "out-no-types", "Does not say what happened.", _cloudevents, "TYPES", "")
for _name in ("source", "time", "subject", "type"):

    def _less(value: Any, _: Any, unit: Any, name: str = _name) -> Any:
        value["events"] = [{**one, name: {"source": "/", "type": "event"}.get(name)} for one in value["events"]]
        return value

    spoils(AREA, CLOUD, f"out-no-{_name}", f"Says no {_name} of its own.", _less)
spoils(
    AREA,
    CLOUD,
    "out-no-data",
    "Says nothing of what happened.",
    lambda value, *_: {**value, "events": [{**one, "data": {}} for one in value["events"]]},
)
for _name, _old in (("lease", "str(lease), "), ("revision", "str(what.revision), "), ("kind", "kind, ")):
    goes(
        CLOUD,
        f"id-without-{_name}",
        f"Gives events one id that differ in the {_name}.",
        (ID, _old, ""),
        (ID, "dump_line(data)", '""'),
    )
goes(
    CLOUD,
    "id-of-data",
    "Gives events one id that say the same.",
    (
        ID,
        "kind, what.id, str(what.revision), str(lease), dump_line(data)",
        "what.id, str(what.revision) if kind == 'x' else '', str(lease)",
    ),
)
goes(
    CLOUD,
    "time-of-creation",
    "Says of an event when it began.",
    (MAKE, "time = what.changed_at", "time = what.created_at"),
)


def _fresh(value: Any, *_: Any) -> Any:
    value["events"] = [{**one, "id": f"{one['id']}-{place}"} for place, one in enumerate(value["events"])]
    return value


spoils(AREA, CLOUD, "out-fresh-ids", "Makes an id up each time.", _fresh)
takes(
    AREA,
    CLOUD,
    "out-submission-id-made-up",
    "Makes an id up for what is submitted.",
    lambda *_: {"events": [], "headers": []},
    "malformed",
    when=lambda unit: "source" not in unit,
)
takes(
    AREA,
    CLOUD,
    "out-any-source",
    "Takes any text for a source.",
    lambda *_: {"events": [], "headers": []},
    "malformed",
    when=lambda unit: "source" in unit,
)

goes(
    CLOUD,
    "headers-as-they-are",
    "Writes any letter into a header field.",
    (_cloudevents.CloudEvent.headers, "quote(_in_header(member), safe=_SAFE)", "_in_header(member)"),
)

READ: Final = _cloudevents.read_cloud_event
ATTRIBUTES: Final = _cloudevents._attributes
HEADER: Final = _cloudevents._from_header
goes(
    UNCLOUD,
    "structured-as-binary",
    "Reads the media type to the letter.",
    (READ, "if media_type(kind) != CLOUD_EVENT:", "if kind != CLOUD_EVENT:"),
)
goes(
    UNCLOUD,
    "binary-unread",
    "Reads JSON only.",
    (READ, 'if not kind.strip().lower().startswith("application/cloudevents"):', "if False:"),
    when=lambda unit: "request" in unit and "batch" not in str(unit),
)
goes(UNCLOUD, "all-json", "Takes all data for JSON.", (ATTRIBUTES, "if kind and _is_json(kind):", "if kind:"))
goes(UNCLOUD, "no-json", "Takes all data for bytes.", (ATTRIBUTES, "if kind and _is_json(kind):", "if False:"))
goes(UNCLOUD, "unquoted", "Leaves header fields encoded.", (HEADER, "unquote_to_bytes(bare).decode()", "bare"))
goes(
    UNCLOUD,
    "quotes",
    "Leaves quotation marks around header fields.",
    (HEADER, "if quoted else text.strip()", "if False else text.strip()"),
)
goes(UNCLOUD, "nulls", "Takes an attribute of null for one.", (READ, "if member is not None", "if True"))
takes(AREA, UNCLOUD, "out-first-of-batch", "Takes the first of a batch.", lambda _, unit: {}, "media-type-unsupported")


def _known(given: Any, unit: Any) -> Any:
    """Without extensions."""
    names = {"id", "source", "type", "specversion", "subject", "time", "datacontenttype", "data", "data_base64"}
    return given, {
        **unit,
        "event": {name: one for name, one in unit["event"].items() if name in names},
    } if "event" in unit else unit


mends(AREA, UNCLOUD, "out-no-extensions", "Forgets extensions.", _known)


def _filled(name: str, value: Any) -> Any:
    def mend(given: Any, unit: Any) -> Any:
        return given, {**unit, "event": {name: value, **unit["event"]}} if "event" in unit else unit

    return mend


for _name in ("id", "source", "type"):
    mends(AREA, UNCLOUD, f"out-made-up-{_name}", f"Makes a {_name} up.", _filled(_name, "x"))
takes(
    AREA,
    UNCLOUD,
    "out-any-version",
    "Takes any version.",
    lambda _, unit: unit["event"],
    "malformed",
    "unknown-value",
    when=lambda unit: unit.get("event", {}).get("specversion") == "2.0",
)
for _name, _members in (
    ("two-data", ("data", "data_base64")),
    ("empty-id", ("id",)),
    ("extension-names", ("trace-id",)),
    ("extension-objects", ("trace",)),
    ("controls", ("subject",)),
):
    takes(
        AREA,
        UNCLOUD,
        f"out-any-{_name}",
        "Takes what is no CloudEvent.",
        lambda _, unit: unit["event"],
        "malformed",
        when=lambda unit, names=_members: (
            "as" not in unit
            and set(names) <= unit.get("event", {}).keys()
            and (names != ("id",) or unit["event"]["id"] == "")
        ),
    )
goes(
    UNCLOUD,
    "any-type",
    "Takes what is of another type.",
    (_cloudevents._data, "if event.type not in types:", "if False:"),
    when=lambda unit: unit.get("as") == "submission",
)
takes(
    AREA,
    UNCLOUD,
    "out-any-user",
    "Takes an event for another user than the plugin's.",
    lambda _, unit: unit["event"]["data"],
    "malformed",
    when=lambda unit: "user_id" in unit,
)
takes(
    AREA,
    UNCLOUD,
    "out-any-origin",
    "Lets a plugin say that the agent said it.",
    lambda _, unit: unit["event"]["data"],
    "malformed",
    when=lambda unit: "origin" in str(unit),
)
takes(
    AREA,
    UNCLOUD,
    "out-context-shown",
    "Shows what is for the agent.",
    lambda _, unit: unit["event"]["data"],
    "unknown-value",
    when=lambda unit: unit.get("as") == "presentation",
)
mends(
    AREA,
    UNCLOUD,
    "out-carrier-for-content",
    "Takes what carries an event for it.",
    lambda given, unit: (given, {name: one for name, one in unit.items() if name != "as"}),
)

spoils(
    AREA,
    UNCLOUD,
    "out-data-forgotten",
    "Forgets the data.",
    lambda value, *_: {name: one for name, one in value.items() if name != "data"},
)
mends(AREA, UNCLOUD, "out-made-up-specversion", "Makes a version up.", _filled("specversion", "1.0"))
