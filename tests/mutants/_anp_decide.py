"""Mutants of notifications: what the system and the agent may do with an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._anp import AREA, NOTHING, ONE
from tests.mutants._answers import takes

if TYPE_CHECKING:
    from collections.abc import Callable

# --- leases, revisions, users


for _name, _kinds in (
    ("client-acks", ("client_ack",)),
    ("facts", ("context_committed",)),
    ("failures", ("delivery_failed",)),
    ("claims", ("claim",)),
    ("actions", ("action",)),
    ("turns", ("commit_turn",)),
    ("broken-turns", ("turn_failed",)),
    ("extensions", ("extend",)),
):
    for _lease, _when in (("missing", "is None"), ("future", "not in (None, 0, 1)"), ("old", "in (0, 1)"),
                          ("current", "in (0, 1, 2)")):  # fmt: skip
        if _lease == "current" and _name != "turns":
            continue

# --- what is not there, what has ended


def _accepts(name: str, rule: str, code: str, when: Callable[[Any, Any], bool]) -> None:
    takes(AREA, ONE, name, rule, lambda _, unit: {**NOTHING, "before": unit["record"]}, code,
          when=lambda unit: when(unit["command"], unit["record"]))  # fmt: skip


_accepts("acts-on-nothing", "Takes commands about what is not there.", "unknown-notification", lambda *_: True)
_accepts("claims-nothing", "Lets workers claim what is not there.", "unknown-notification",
         lambda command, _: command["kind"] == "claim")  # fmt: skip
_accepts("commits-nothing", "Lets turns end what is not there.", "unknown-notification",
         lambda command, _: command["kind"] == "commit_turn")  # fmt: skip
_accepts("routes-nothing", "Routes what is not there.", "unknown-notification",
         lambda command, _: command["kind"] == "route")  # fmt: skip
_accepts("watches-nothing", "Looks at the clock of what is not there.", "unknown-notification",
         lambda command, _: command["kind"] == "tick")  # fmt: skip
_accepts("reads-texts-as-leases", "Reads a text as a lease.", "malformed",
         lambda command, _: isinstance(command, dict) and isinstance(command.get("lease"), str))  # fmt: skip
_accepts("reads-flags-as-leases", "Reads a flag as a lease.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("lease") is True)  # fmt: skip
_accepts("rounds-leases", "Rounds a lease.", "malformed",
         lambda command, _: isinstance(command, dict) and isinstance(command.get("lease"), float))  # fmt: skip
_accepts("ignores-unknown-commands", "Does nothing about a command that it does not know.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("kind") == "explode")  # fmt: skip
_accepts("guesses-commands", "Guesses what a command is.", "malformed",
         lambda command, _: isinstance(command, dict) and "kind" not in command)  # fmt: skip
_accepts("ignores-what-is-no-command", "Does nothing about what is no command.", "malformed",
         lambda command, _: not isinstance(command, dict))  # fmt: skip
_accepts("anonymous-clients", "Lets clients of nobody acknowledge.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("kind") == "client_ack"
         and "user_id" not in command)  # fmt: skip
_accepts("anonymous-workers", "Lets workers of no name claim.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("kind") == "claim")  # fmt: skip
_accepts("anonymous-tools", "Lets tools without a name run.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("kind") == "action")  # fmt: skip
_accepts("anonymous-words", "Takes words without an id.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("kind") == "commit_turn")  # fmt: skip
_accepts("vague-times", "Takes soon for a time.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("until") == "soon")  # fmt: skip

# --- the agent

for _kind in ("claim", "action", "commit_turn", "turn_failed", "extend"):
    _word = _kind.replace("_", "-")
    for _mode, _what in (("direct", "alerts"), ("escalated", "escalated"), ("passive", "facts"), ("ended", "ended")):
        _where = {
            "direct": 'record.status == "dispatched" and record.routing.row.mode == "direct"',
            "escalated": 'record.status == "escalated"',
            "passive": 'record.routing.row.mode == "passive"',
            "ended": "record.is_terminal",
        }[_mode]
        if (_kind, _mode) in {("extend", "passive"), ("claim", "passive"), ("turn_failed", "passive")} or (
            _mode == "ended" and _kind != "action"
        ):
            continue
