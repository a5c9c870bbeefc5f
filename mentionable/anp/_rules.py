"""What the host decides once (`Rules`), and what it must look up for each decision (`Facts`).

Spec: ANP §2.1, §6.2, §6.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from attrs import field

from .._errors.exceptions import UsageError
from .._flow.settings import check_kind
from .._model.base import EMPTY_DICT, frozen
from .._wire.ascii import ascii_lower
from .._wire.time import format_time, parse_time
from ._notification import Notification
from ._wording import ENGLISH, Wording

MAX_COUNT: Final = 1_000_000
"""The highest number of attempts, or of events in a chain."""

MAX_ENTRIES: Final = 200
MAX_PROMPT: Final = 262_144
"""How many entries one prompt may hold, and of how many characters together: so many of facts, so many of the rest."""

MIN_FACT_CHARACTERS: Final = 4_096
"""Any fact that a plugin can submit fits into so many, when its texts are cut."""

CONTEXT_TTL: Final = "context_ttl"
"""The member of `metadata` that has the minimum of seconds for which a fact is to be in prompts."""


@frozen
class Facts:
    """What the host looks up for a decision. Look it up anew whenever a decision is made again.

    Attributes:
        session_exists: Whether the session of the event does.
        user_exists: Whether the user is still there to present it to.
        lane_busy: Whether a turn runs in the lane of the event.
    """

    session_exists: bool = True
    user_exists: bool = True
    lane_busy: bool = False


@frozen
class Rules:
    """The times and numbers of a host.

    Attributes:
        ttl: How long the agent has for an event.
        urgent: How long by the plugin's hint of urgency, in small letters.
        cap: How long plugins, updates and extensions can put the deadline off, from when the event was submitted.
        system_ttl: How long an escalated event waits for a human; None: for ever.
        attempts: How often an escalated event is presented before it fails.
        depth: An event to which so many of the agent's own making have led starts no turn.
        turn_ttl: How long a turn may keep its lane.
        lanes: Whether a user has one lane, or one for each session.
        context_ttl: The minimum time for which a fact is in prompts, within `cap`; zero: in the prompt of one turn.
            A plugin can ask for longer by `context_ttl` in the metadata, in seconds.
        max_facts: How many facts one prompt holds, from 1 to 200. The newest come first.
        max_fact_characters: How many characters of facts one prompt holds, from 4096 to 262144.
        wording: The language of what people read.

    Raises:
        UsageError: A time is not positive or goes beyond `cap`, or a number is below 1 or too high.
    """

    ttl: timedelta = timedelta(minutes=2)
    urgent: Mapping[str, timedelta] = field(factory=lambda: EMPTY_DICT)
    cap: timedelta = timedelta(hours=1)
    system_ttl: timedelta | None = timedelta(days=7)
    attempts: int = 1
    depth: int = 3
    turn_ttl: timedelta = timedelta(minutes=5)
    lanes: Literal["user", "session"] = "user"
    context_ttl: timedelta = timedelta()
    max_facts: int = 100
    max_fact_characters: int = 131_072
    wording: Wording = ENGLISH

    def __attrs_post_init__(self) -> None:
        urgent: object = self.urgent
        if not isinstance(urgent, Mapping) or any(hint != ascii_lower(str(hint).strip()) for hint in urgent):
            raise UsageError("urgent is a mapping of times by hints of urgency in small letters")
        times: list[Any] = [self.ttl, self.cap, self.turn_ttl, *self.urgent.values()]
        if self.system_ttl is not None:
            times.append(self.system_ttl)
        if any(not isinstance(time, timedelta) or time <= timedelta() for time in times):
            raise UsageError("ttl, urgent, cap, system_ttl and turn_ttl are times above zero")
        if any(time > self.cap for time in (self.ttl, *self.urgent.values())):
            raise UsageError("ttl and urgent are times within cap")
        if any(number.__class__ is not int or not 1 <= number <= MAX_COUNT for number in (self.attempts, self.depth)):
            raise UsageError(f"attempts and depth are numbers from 1 to {MAX_COUNT}")
        if self.lanes not in ("user", "session"):
            raise UsageError("lanes is 'user' or 'session'")
        known: Any = self.context_ttl
        if not isinstance(known, timedelta) or not timedelta() <= known <= self.cap:
            raise UsageError("context_ttl is a time from zero to cap")
        for name, minimum, maximum in (
            ("max_facts", 1, MAX_ENTRIES),
            ("max_fact_characters", MIN_FACT_CHARACTERS, MAX_PROMPT),
        ):
            number: Any = getattr(self, name)
            if number.__class__ is not int or not minimum <= number <= maximum:
                raise UsageError(f"{name} is a number from {minimum} to {maximum}")
        check_kind(self.wording, Wording, "wording")

    def deadline(self, record: Notification, now: datetime) -> str:
        """Until when the agent must have handled an event that is granted now."""
        return after(now, self.urgent.get(record.urgency or "", self.ttl))

    def context_expires_at(self, record: Notification) -> str:
        """When a fact that turns have read leaves the prompts: counted from its last change, within `cap`.

        The first turn that ends then, or later, and has read it, delivers it.
        """
        hint, ttl = record.metadata.get(CONTEXT_TTL), self.context_ttl
        if isinstance(hint, (int, float)) and not isinstance(hint, bool) and hint > 0:
            asked = self.cap if hint >= self.cap.total_seconds() else timedelta(seconds=hint)
            ttl = max(ttl, asked)
        return self.capped(record, after(parse_time(record.changed_at), ttl))

    def capped(self, record: Notification, deadline: str) -> str:
        """A deadline, or the last one that there can be for an event."""
        last = after(parse_time(record.created_at), self.cap)
        return min(deadline, last, key=parse_time)


NOTHING_SPECIAL: Final = Facts()
USUAL: Final = Rules()


def after(moment: datetime, time: timedelta) -> str:
    """A moment some time later, or the last that there is."""
    try:
        return format_time(moment.astimezone(UTC) + time)
    except OverflowError:
        return "9999-12-31T23:59:59.999Z"
