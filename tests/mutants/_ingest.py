"""Mutants of the ingest contract: metadata that integrations submit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tests.mutants import _answers
from tests.mutants._answers import mends, quiet, spoils, takes

if TYPE_CHECKING:
    from collections.abc import Callable

AREA: Final = "ingest"
METADATA: Final = ("ingest.metadata",)
REQUIRED: Final = ("source", "sender_id", "sender_display_name", "sender_type")
TEXTS: Final = ("channel_external_id", "mention_token", "thread_context", "recipient_id")
FLAGS: Final = ("is_from_me", "passive", "trigger_rag")

wrongs = partial(_answers.wrongs, AREA)


def _sees(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """A mutant that sees other metadata: `change(data)` changes it."""

    def mend(given: Any, unit: Any) -> Any:
        if isinstance(unit["data"], dict):
            change(unit["data"])
        return given, unit

    mends(AREA, METADATA, f"metadata-{name}", rule, mend)


def _gives(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """A mutant that gives other metadata: `change(value)` changes it."""

    def spoil(value: Any, *_: Any) -> Any:
        change(value)
        return value

    spoils(AREA, METADATA, f"metadata-{name}", rule, spoil)


# --- what must be there

LEAST: Final = {"source": "web", "sender_id": "web:1", "sender_display_name": "Somebody", "sender_type": "human"}
for _name in REQUIRED:
    _sees(
        f"makes-up-{_name.replace('_', '-')}",
        f"Makes a {_name} up where none is given.",
        lambda data, name=_name: data.update({name: data.get(name) or LEAST[name]}),
    )
    _sees(
        f"any-{_name.replace('_', '-')}",
        f"Takes a {_name} of any type.",
        lambda data, name=_name: data.update({name: LEAST[name]} if isinstance(data.get(name), int) else {}),
    )
takes(
    AREA, METADATA, "metadata-empty-is-nobody", "Takes nothing for somebody.", lambda *_: {}, "malformed",
    when=lambda unit: unit["data"] == {},
)  # fmt: skip
takes(
    AREA, METADATA, "metadata-lists", "Reads the first of a list.", lambda _, unit: unit["data"][0], "malformed",
    when=lambda unit: isinstance(unit["data"], list),
)  # fmt: skip
_sees(
    "wants-a-channel",
    "Takes messages of no channel for nobody's.",
    lambda data: data.clear() if "channel_external_id" not in data and len(data) == 4 else None,
)

# --- what may be there

for _name in (*TEXTS, *FLAGS):
    _sees(
        f"null-{_name.replace('_', '-')}",
        f"Refuses a {_name} of null.",
        lambda data, name=_name: data.update({name: []} if data.get(name, "") is None else {}),
    )
    _sees(
        f"casts-{_name.replace('_', '-')}",
        f"Takes a {_name} of another type for what it might mean.",
        lambda data, name=_name: data.update(
            {name: str(data[name]) if name in TEXTS else True} if data.get(name) in (5, "true") else {}
        ),
    )
for _name in FLAGS:
    _gives(
        f"false-{_name.replace('_', '-')}",
        f"Takes a {_name} of false for nothing.",
        lambda value, name=_name: value.pop(name) if value.get(name) is False else None,
    )
_sees(
    "numbers-are-truth",
    "Takes numbers for truth values.",
    lambda data: data.update({name: bool(data[name]) for name in FLAGS if isinstance(data.get(name), int)}),
)
_gives("loses-channels", "Forgets where it was said.", lambda value: value.pop("channel_external_id", None))
_gives("loses-recipients", "Forgets whom it is for.", lambda value: value.pop("recipient_id", None))
_gives("loses-retrieval", "Forgets whether to retrieve.", lambda value: value.pop("trigger_rag", None))

# --- ids


wrongs(
    METADATA,
    "metadata-namespace-refused",
    "Refuses ids of another namespace.",
    lambda answer, *_: (
        {"rejected": {"code": "malformed"}} if "metadata-namespace" in answer.get("diagnostics", ()) else None
    ),
)
quiet(AREA, METADATA, "metadata-namespace", "metadata-near-miss", "mention-token-refused")

# --- senders

for _word, _meant in (("pipeline", "bot"), ("Human", "human"), ("agent", "bot")):
    _sees(
        f"type-{_word.lower()}",
        f"Takes {_word} for a kind of sender.",
        lambda data, word=_word, meant=_meant: data.update(
            {"sender_type": meant} if data.get("sender_type") == word else {}
        ),
    )
_gives("all-human", "Takes everybody for a person.", lambda value: value.update(sender_type="human"))

# --- members of no name, and values as they came

_sees(
    "mends-slips",
    "Takes a name that is nearly right for the right one.",
    lambda data: data.update(
        {"sender_display_name": data.pop("sender_displayname")} if "sender_displayname" in data else {}
    ),
)
_gives(
    "extras-lost",
    "Drops members that it does not know.",
    lambda value: [value.pop(name) for name in [*value] if name not in (*REQUIRED, *TEXTS, *FLAGS)],
)
_gives("extras-flat", "Drops members of unknown ones.", lambda value: value.pop("deep", None))
_gives("extra-unfolded", "Unfolds a member that is called extra.", lambda value: value.update(value.pop("extra", {})))
_gives(
    "strips-context",
    "Strips what is stored.",
    lambda value: value.update(
        {"thread_context": value["thread_context"].strip()} if "thread_context" in value else {}
    ),
)
