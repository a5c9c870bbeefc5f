"""An event comes in: as one of its own, or in place of an open one with the same key.

Spec: ANP §7.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._flow.outcome import Rejected
from .._model.base import EMPTY_DICT, FrozenDict, wire_members
from .._model.diagnostic import Diagnostic
from .._wire.time import format_time, normal_time
from ._commands import Submit
from ._effects import Audit, Dispatch, Effect, StartTurn, WakeAt
from ._notification import OPEN, Notification, Submission
from ._present import update
from ._rules import Facts, Rules
from ._step import Decision, Step, changed, effect, event, refused

MAX_MERGED: Final = 32
"""How many submissions an event remembers, so that a repeated one does not bring its old words back."""


def submit(
    record: Notification | None, command: Submit, facts: Facts, rules: Rules, now: datetime
) -> Decision | Rejected:
    """A new event, or new words for the open one with its key; nothing when it came before."""
    if record is None:
        return created(command, rules, now)
    if record.id == command.id and record.user_id != command.submission.user_id:
        return refused("wrong-user", "/id", "another user's event has this id")
    if command.id in (record.id, *record.merged):
        return refused("already-submitted", "/id", f"it is part of the event {record.id}")
    submission = command.submission
    if (record.user_id, record.deduplication_key) != (submission.user_id, submission.deduplication_key or ""):
        raise UsageError("Submit is decided upon None, or upon an open event of the same user with the same key")
    if record.status not in OPEN:
        return created(command, rules, now)
    return _merged(Step(record, command, facts, rules, now), submission)


def created(command: Submit, rules: Rules, now: datetime) -> Decision:
    """A new event."""
    submission, at = command.submission, format_time(now)
    record = event(
        id=command.id,
        content=submission.content,
        user_id=submission.user_id,
        routing=submission.routing,
        requested=submission.routing,
        status="pending",
        created_at=at,
        changed_at=at,
        metadata=submission.metadata or EMPTY_DICT,
        session_id=submission.session_id,
        deduplication_key=submission.deduplication_key,
        agent_instructions=submission.agent_instructions,
        origin=submission.origin or "plugin",
        causation_id=submission.causation_id,
        depth=submission.depth or 0,
        extra=_unknown_members(submission.extra),
    )
    if record.requested.row.has_deadline:  # from here on: an event that is never routed escalates too
        record = changed(record, delivery_deadline=_deadline(record, submission, rules, now))
    effects = (effect(Audit, record, what="submitted"), effect(Dispatch, record))
    return Decision(record=record, expected=None, path=("pending",), effects=effects)


def _unknown_members(unknown: Mapping[str, Any]) -> Mapping[str, Any]:
    """The unknown members of a submission. Those with the name of a member of the event go under `submitted`."""
    own = unknown.keys() & wire_members(Notification)
    if not own:
        return unknown
    own |= unknown.keys() & {"submitted"}
    aside = {"submitted": {name: unknown[name] for name in sorted(own)}}
    return FrozenDict({**{name: item for name, item in unknown.items() if name not in own}, **aside})


def _merged(step: Step, submission: Submission) -> Decision:
    """New words for an open event. Who has the old ones gets the new, and can settle nothing by the old."""
    record, row = step.record, step.record.routing.row
    depth = submission.depth or 0
    new = step.change(
        content=submission.content,
        metadata=submission.metadata or EMPTY_DICT,
        agent_instructions=submission.agent_instructions or record.agent_instructions,
        revision=record.revision + 1,
        merged=(*record.merged, step.command.id)[-MAX_MERGED:],
        depth=max(depth, record.depth),
        causation_id=submission.causation_id if depth > record.depth else record.causation_id,
        extra=_unknown_members(submission.extra),
    )
    if row.has_deadline:
        new = changed(new, delivery_deadline=_deadline(new, submission, step.rules, step.now))
    effects: list[Effect] = [] if record.status == "pending" else [update(new)]
    if effects and row.turn is not None and new.depth < step.rules.depth:
        effects.append(effect(StartTurn, new, turn=row.turn, scope=row.scope))
    if row.has_deadline:
        effects.append(effect(WakeAt, new, at=new.delivery_deadline))
    diagnostics: tuple[Diagnostic, ...] = ()
    if (submission.routing, submission.session_id) != (record.requested, record.session_id):
        diagnostics = (
            Diagnostic(code="routing-kept", at="/routing", detail=f"{record.id} goes where it was submitted to"),
        )
    return step.to(new, effects=effects, diagnostics=diagnostics)


def _deadline(record: Notification, submission: Submission, rules: Rules, now: datetime) -> str:
    """Until when the agent must have handled what was submitted: as the plugin says, else as the host has it."""
    return rules.capped(record, normal_time(submission.delivery_deadline) or rules.deadline(record, now))
