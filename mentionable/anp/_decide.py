"""The one function that says what becomes of an event.

Spec: ANP §5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from .._errors.exceptions import UsageError
from .._flow.outcome import Rejected
from .._flow.settings import check_kind, check_now
from ._agent import action, claim, commit_turn, extend, turn_failed
from ._commands import (
    Abandon,
    Action,
    Claim,
    ClientAck,
    Command,
    CommitTurn,
    ContextCommitted,
    DeliveryFailed,
    Extend,
    Reconnect,
    Route,
    Submit,
    Tick,
    TurnFailed,
)
from ._notification import Notification
from ._route import route
from ._rules import NOTHING_SPECIAL, USUAL, Facts, Rules
from ._step import Decision, Step, refused
from ._submit import submit
from ._system import client_ack, context_committed, delivery_failed, reconnect
from ._watchdog import abandon, tick

_DECIDES: Final[Mapping[type, Callable[[Step], Decision | Rejected]]] = {
    Route: route,
    ClientAck: client_ack,
    DeliveryFailed: delivery_failed,
    Reconnect: reconnect,
    ContextCommitted: context_committed,
    Claim: claim,
    Action: action,
    CommitTurn: commit_turn,
    TurnFailed: turn_failed,
    Extend: extend,
    Tick: tick,
    Abandon: abandon,
}


def decide(
    record: Notification | None,
    command: Command,
    *,
    now: datetime,
    facts: Facts = NOTHING_SPECIAL,
    rules: Rules = USUAL,
) -> Decision | Rejected:
    """What becomes of an event when something happens to it.

    Store `Decision.record` where `Decision.expected` is what is stored, in one step; then, and only then, carry out
    `Decision.effects`. Where something else is stored meanwhile, read it and decide again. A `Rejected` changes
    nothing: note it where you note what happens.

    Args:
        record: The event as it is stored; None where there is none. For `Submit`, the event under its id, else the
            open event of the same user with the same key.
        command: What happens.
        now: The time, aware.
        facts: What the host looked up for this decision.
        rules: What the host decided.

    Raises:
        UsageError: An argument is of a wrong type; or `Submit` comes with an event of another user or another key.

    Spec: ANP §5, §6, §7.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import anp
        >>> flags = anp.Routing(address="user", target="user", handler="system")
        >>> submission = anp.Submission(content="Backup done.", user_id="olivia", routing=flags)
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> event = anp.decide(None, anp.Submit(submission=submission, id="e1"), now=now).record
        >>> routed = anp.decide(event, anp.Route(), now=now)
        >>> routed.path, routed.effects[0].channel
        (('pending', 'dispatched'), 'inbox')
    """
    # 1. check the arguments
    # 2. a submission has rules of its own: there may be no event yet
    # 3. refuse what no event takes: none stored, another user's, one that has ended
    # 4. take the row of the transition table

    # 1.
    if record is not None:
        check_kind(record, Notification, "record")
    check_kind(facts, Facts, "facts")
    check_kind(rules, Rules, "rules")
    check_now(now)

    # 2.
    if command.__class__ is Submit:
        return submit(record, command, facts, rules, now)
    rule = _DECIDES.get(command.__class__)
    if rule is None:
        raise UsageError(f"command must be one of anp.Command, not {type(command).__name__}")

    # 3. A stranger learns nothing of the event but that it is not theirs.
    if record is None:
        return refused("unknown-notification")
    if (getattr(command, "user_id", None) or record.user_id) != record.user_id:
        return refused("wrong-user", "/user_id", "the event is another user's")
    if record.is_terminal and command.__class__ is not Action:
        return refused("already-terminal", "/status", record.status)

    # 4.
    return rule(Step(record, command, facts, rules, now))
