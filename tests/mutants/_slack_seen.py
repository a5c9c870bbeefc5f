"""Mutants of the Slack connector: what of a message is read, and whose words it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.mutants._answers import mends, spoils

if TYPE_CHECKING:
    from collections.abc import Callable

AREA, PARTS = "connectors", ("slack.parts",)


def texts(name: str, rule: str, change: Callable[[list[Any]], Any]) -> None:
    """Registers a mutant that gives other parts."""
    spoils(AREA, PARTS, f"slack-{name}", rule, lambda value, *_: change(value))


def without(member: str) -> Callable[[list[Any]], Any]:
    """The parts without a member."""
    return lambda parts: [{name: one for name, one in part.items() if name != member} for part in parts]


def unanswered(method: str) -> Callable[[Any, Any], Any]:
    """The look-ups without the answers to a method."""

    def change(given: Any, unit: Any) -> Any:
        rows = given["lookups"]
        failed = {row: {"ok": False, "error": "x"} for row in rows if row.startswith(f"CALL {method}")}
        return {**given, "lookups": {**rows, **failed}}, unit

    return change


def joined(parts: list[Any]) -> Any:
    """All texts in one, as if the sender had written them."""
    contents = [part.get("content", "") for part in parts]
    return [{"kind": "text", "content": "\n\n".join(contents), "mime": "text/markdown"}] if len(parts) > 1 else parts


texts("no-native-text", "Forgets what Slack sent.", without("native_text"))
texts("no-names", "Names nobody.", without("mentions"))
texts("own-words", "Takes what is shown of others for words of the sender.", without("written_by"))
texts("one-text", "Mixes what is shown with what was typed.", joined)
texts("first-text", "Reads one text alone.", lambda parts: parts[:1])
texts(
    "spliced-names",
    "Writes names into what was typed.",
    lambda parts: json.loads(json.dumps(parts).replace("<@UBOT>", "@helper").replace("<@U2>", "@Bob")),
)
texts("no-links", "Drops links.", lambda parts: [part for part in parts if part["kind"] != "link"])
texts(
    "no-buttons",
    "Drops buttons and pictures.",
    lambda parts: [
        {**part, "content": part.get("content", "").replace("\\[", "").replace("\\]", "")} for part in parts
    ],
)
mends(AREA, PARTS, "slack-no-groups", "Asks for no group.", unanswered("usergroups.list"))
mends(AREA, PARTS, "slack-no-channels", "Asks for no channel.", unanswered("conversations.info"))
mends(AREA, PARTS, "slack-no-file-info", "Asks for no file.", unanswered("files.info"))
