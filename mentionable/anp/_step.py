"""What a decision is, and the few ways to make one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from operator import attrgetter
from typing import Any, Final, TypeVar, cast

import attrs

from .._errors.exceptions import Code, Problem
from .._flow.outcome import Rejected
from .._model.base import frozen, unchecked, unchecked_maker
from .._model.diagnostic import Diagnostic
from .._wire.time import format_time, parse_time
from ._commands import Command
from ._effects import Effect, EventEffect
from ._notification import Notification, Status
from ._rules import Facts, Rules

E = TypeVar("E", bound=EventEffect)


@frozen
class Expected:
    """What must be stored when a decision is, or it must be made again: the compare of a compare-and-set.

    Attributes:
        status: The status of the event.
        owner_lease: Its lease.
        version: Its version. Status and lease alone do not tell an event from one whose words, deadline or flags
            somebody changed meanwhile.

    Spec: ANP §6.3 (Database Enforcement).
    """

    status: Status
    owner_lease: int
    version: int


@frozen
class Decision:
    """What is to be stored, and what to do once it is.

    Attributes:
        record: The event as it is from now on.
        expected: What must be stored now; None: nothing under this id, and no open event with the same user and key.
        path: The statuses that it goes through, the one where it stands first. One entry: it stays there.
        effects: What to do, in this order, once the record is stored. At least once.
        diagnostics: What was odd.
    """

    record: Notification
    expected: Expected | None
    path: tuple[Status, ...]
    effects: tuple[Effect, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether the record differs from what is stored."""
        return self.expected is None or self.record.version != self.expected.version


class Step:
    """A command on its way to a decision: what every rule needs to know.

    Attributes:
        record: The event as it stands.
        command: What happens.
        facts: What the host looked up for this decision.
        rules: What the host decided.
        now: The time, never before that at which the event last changed.
    """

    __slots__ = ("command", "facts", "now", "record", "rules")

    def __init__(self, record: Notification, command: Any, facts: Facts, rules: Rules, now: datetime) -> None:
        self.record = record
        self.command: Any = command
        self.facts = facts
        self.rules = rules
        self.now = max(now, parse_time(record.changed_at))

    @property
    def has_lost_session(self) -> bool:
        """Whether the event is addressed to a session that is gone."""
        return self.record.addressed_session is not None and not self.facts.session_exists

    def to(
        self, record: Notification, *hops: Status, effects: list[Effect], diagnostics: tuple[Diagnostic, ...] = ()
    ) -> Decision:
        """The decision to store `record`, which went through `hops`."""
        old = self.record
        expected = Expected(status=old.status, owner_lease=old.owner_lease, version=old.version)
        path = (old.status, *hops)
        return Decision(record=record, expected=expected, path=path, effects=tuple(effects), diagnostics=diagnostics)

    def stay(self, *effects: Effect) -> Decision:
        """The decision that nothing is to be stored."""
        return self.to(self.record, effects=list(effects))

    def change(self, **members: Any) -> Notification:
        """The event with other members, as it is from now on."""
        return changed(self.record, version=self.record.version + 1, changed_at=format_time(self.now), **members)


_NAMES: Final = tuple(a.name for a in attrs.fields(cast("Any", Notification)))
_MEMBERS: Final = attrgetter(*_NAMES)
_new_event: Callable[..., Notification] = unchecked(Notification)


def event(**members: Any) -> Notification:
    """A new event, of members which are known to be right."""
    return _new_event(**members)


def changed(record: Notification, **members: Any) -> Notification:
    """An event with other members, which are known to be right."""
    return _new_event(**{**dict(zip(_NAMES, _MEMBERS(record), strict=True)), **members})


def effect(cls: type[E], record: Notification, **members: Any) -> E:
    """An effect of an event."""
    made: E = unchecked_maker(cast("Any", cls))(
        id=record.id, revision=record.revision, lease=record.owner_lease, **members
    )
    return made


def refused(code: Code, at: str = "", rule: str = "") -> Rejected:
    """A refusal. What is stored stays as it is, and nothing is done."""
    return Rejected(code=code, problems=(Problem(at, rule),) if rule else ())


def refused_here(record: Notification, command: Command) -> Rejected:
    """The refusal of a command that means nothing to an event in this state."""
    mode = record.routing.row.mode
    return refused(
        "transition-refused", "/status", f"{command.kind} means nothing to a {mode} event that is {record.status}"
    )


def stale(step: Step) -> Rejected | None:
    """The refusal of a command that names another lease than the current one, or words that were replaced."""
    record = step.record
    lease, revision = step.command.lease, getattr(step.command, "revision", None)
    if lease != record.owner_lease:
        return refused("stale-lease", "/lease", "another lease than the current one")
    if revision is not None and revision != record.revision:
        return refused("stale-revision", "/revision", "another revision than the current one")
    return None
