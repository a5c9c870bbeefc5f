"""Mutants of answers that copy the token of a person of the conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._answers import mends, spoils

if TYPE_CHECKING:
    from collections.abc import Callable

AREA = "connectors"
OPS = ("slack.reply", "discord.reply")


def _with_setting(value: bool) -> Callable[[Any, Any], Any]:
    def mend(given: Any, unit: Any) -> Any:
        return {**given, "settings": {**given.get("settings", {}), "mention_participants": value}}, unit

    return mend


mends(AREA, OPS, "copies-no-token", "Mentions no one by a token that is copied.", _with_setting(False))
mends(AREA, OPS, "cannot-be-told-not-to-copy", "Mentions by copied tokens whatever the setting.", _with_setting(True))


def _without_siblings(given: Any, unit: Any) -> Any:
    return given, {name: member for name, member in unit.items() if name != "siblings"}


mends(AREA, OPS, "copies-tokens-of-agents", "Brings in agents by their tokens.", _without_siblings)


def _pings_all(value: Any, _: Any, unit: Any) -> Any:
    """The calls in which every token of a user is one that pings."""
    for call in value:
        params = call["params"]
        if "allowed_mentions" in params and "<@99>" in params.get("content", ""):
            params["allowed_mentions"] = {"parse": [], "users": ["99"]}
        if "text" in params:
            params["text"] = params["text"].replace("&lt;@U9&gt;", "<@U9>")
    return value


spoils(AREA, OPS, "copies-tokens-of-strangers", "Mentions people who were not there.", _pings_all)


def _plain_stays(value: Any, _: Any, unit: Any) -> Any:
    """The calls in which a token of plain text is escaped."""
    if unit["response"]["parts"] and unit["response"]["parts"][0].get("mime") == "text/plain":
        for call in value:
            params = call["params"]
            if "users" in params.get("allowed_mentions", {}):
                params["content"] = params["content"].replace("<", "\\<").replace(">", "\\>")
        return value
    return None


spoils(AREA, OPS, "copies-no-token-of-plain-text", "Shows tokens of plain text as they are written.", _plain_stays)
