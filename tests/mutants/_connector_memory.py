"""Mutants of stored history at the connectors: when the store is asked, and what becomes of its turns."""

from __future__ import annotations

from mentionable import _delivery
from mentionable.connectors import _deliver
from tests.mutants._edits import edits
from tests.mutants._memory import EVERYWHERE

WANTED = "intake.settings.stored_history and not heard.history"

for _platform in ("slack", "discord", "bluebubbles"):
    for _name, _rule, _edit in (
        (
            "asks-always",
            "Asks for history though the program keeps none.",
            (_deliver.delivered, WANTED, "not heard.history"),
        ),
        *EVERYWHERE,
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
