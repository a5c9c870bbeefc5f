"""Mutants of what goes out of events: presentations and CloudEvents."""

from __future__ import annotations

from typing import Any, Final

from tests.mutants._anp_turns import AREA
from tests.mutants._answers import mends, spoils, takes

SHOWN: Final = ("anp.presentation",)
CLIENT: Final = ("anp.receive_presentation",)
CLOUD: Final = ("anp.cloudevent",)
UNCLOUD: Final = ("anp.read_cloudevent",)


# --- presentations


def _as_present(_: Any, unit: Any) -> Any:
    effect = unit["effect"]
    names = ("id", "revision", "lease", "user_id", "content")
    return {"surface": "inbox", "replaces": False, **{name: effect[name] for name in names}}


for _kind in ("inject_context", "add_fact", "update"):

    def _spoil(value: Any, given: Any, unit: Any, kind: str = _kind) -> Any:
        is_it = value is None and unit.get("effect", {}).get("kind") == kind
        return _as_present(given, unit) if is_it else None

    spoils(AREA, SHOWN, f"out-{_kind.replace('_', '-')}-shown", "Shows a human what is for the agent.", _spoil)


def _raw(value: Any, _: Any, unit: Any) -> Any:
    names = (value or {}).get("actions")
    return {**value, "told": f"The agent used {', '.join(names)}."} if names else None


spoils(AREA, SHOWN, "out-raw-names", "Shows names of tools as they are.", _raw)

# --- a client


def _one_store(given: Any, unit: Any) -> Any:
    """All events under one id."""
    return given, {**unit, "shown": [{**one, "id": "e1"} for one in unit["shown"]]}


mends(AREA, CLIENT, "out-one-lease-for-all", "Takes no event under a lower lease than that of another.", _one_store)

# --- CloudEvents

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
