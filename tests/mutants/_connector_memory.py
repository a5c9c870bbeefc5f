"""Mutants of stored history at the connectors: when the store is asked, and what becomes of its turns."""

from __future__ import annotations

from mentionable import _delivery, _history
from mentionable.connectors import _deliver
from tests.mutants._edits import edits
from tests.mutants._memory import ASKED

WANTED = "intake.settings.stored_history and not heard.history"

for _platform in ("slack", "discord", "bluebubbles"):
    for _name, _rule, _edit in (
        ("asks-never", "Never asks for history.", (_delivery._places, ASKED, "False")),
        (
            "asks-always",
            "Asks for history though the program keeps none.",
            (_deliver.delivered, WANTED, "not heard.history"),
        ),
        (
            "asks-for-none",
            "Asks for history that no agent may see.",
            (_delivery._places, " and _brings_less(draft.history, recipients, now, settings)", ""),
        ),
        (
            "silent-about-history",
            "Does not tell that the history is missing.",
            (_delivery._stored_turns, 'notes.append(_unanswered(answer, f"history of {agent}"))', "pass"),
        ),
        (
            "forgets-what-is-stored",
            "Leaves the stored turns out.",
            (_history.merge, "return tuple(map(Merged, stored))", "return ()"),
        ),
        (
            "believes-roles",
            "Takes the roles that a store gives.",
            (_delivery._as_seen_by, '(turn.role == "assistant") == (turn.sender.address == agent)', "True"),
        ),
    ):
        edits("connectors", (f"{_platform}.receive",), f"{_platform}-memory-{_name}", _rule, _edit)

for _platform in ("slack", "discord"):
    edits(
        "connectors",
        (f"{_platform}.receive",),
        f"{_platform}-memory-asks-for-what-is-told",
        "Asks the store for what the platform told.",
        (_deliver.delivered, WANTED, "intake.settings.stored_history"),
    )
