"""Everything that can happen to an event: the closed union `Command`.

A command is a request, or something that happened. Whoever acts for an event names its lease; without a lease, `None`,
a command is refused as with a wrong one.

Spec: ANP §5, §6.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from .._model.annotation import InvalidMember
from .._model.base import EMPTY_DICT, validated
from .._model.rules import JsonObject, Name, Timestamp
from ._notification import ModelText, ShortName, Submission, shows_something

Lease: TypeAlias = int | None
"""The lease that a command names."""

Acknowledgement: TypeAlias = Literal["rendered", "clicked"]
"""What a human did with what a client displays. Spec: ANP §5.1 (DELIVERED)."""


@validated
class Submit:
    """A plugin submits an event.

    What was merged into an event is known by its id as long as that event is open; later the same submission would be a
    new event, so drop what you have carried out before.

    Note:
        Give `decide` the event that is stored under this id; else the open one with the same user and key; else None.

    Attributes:
        submission: The event.
        id: Its id, should it become one of its own. The same submission again has the same id.
        extra: Members that this version does not know.

    Spec: ANP §7.1.
    """

    kind: ClassVar[Literal["submit"]] = "submit"
    submission: Submission
    id: ShortName
    extra: JsonObject = EMPTY_DICT


@validated
class Route:
    """The event is to go where its flags say.

    Spec: ANP §3.1, §4.
    """

    kind: ClassVar[Literal["route"]] = "route"
    extra: JsonObject = EMPTY_DICT


@validated
class ClientAck:
    """A client has displayed the event to the human.

    Attributes:
        lease: The lease of the presentation.
        user_id: Whose client it is, as the host has authenticated it.
        revision: The revision that was displayed, where the client says so.
        how: Whether it was `rendered` before the human, or they `clicked` it, where the client says so.
        extra: Members that this version does not know.

    Spec: ANP §5.1 (DELIVERED).
    """

    kind: ClassVar[Literal["client_ack"]] = "client_ack"
    lease: Lease = None
    user_id: Name
    revision: int | None = None
    how: Acknowledgement | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class DeliveryFailed:
    """The system could not present the event.

    Attributes:
        lease: The lease of the presentation.
        user_id: Whose client says so, as the host has authenticated it; None: the host itself.
        is_final: Whether no other attempt can do better.
        extra: Members that this version does not know.

    Spec: ANP §5.1 (FAILED).
    """

    kind: ClassVar[Literal["delivery_failed"]] = "delivery_failed"
    lease: Lease = None
    user_id: Name | None = None
    is_final: bool = False
    extra: JsonObject = EMPTY_DICT


@validated
class Reconnect:
    """A client of the user is back: present again what is not acknowledged.

    Send it for all open events of the user; and for those of a session when that ends, so that they go to the user.

    Attributes:
        user_id: Whose client it is, as the host has authenticated it.
        extra: Members that this version does not know.
    """

    kind: ClassVar[Literal["reconnect"]] = "reconnect"
    user_id: Name
    extra: JsonObject = EMPTY_DICT


@validated
class ContextCommitted:
    """A turn ended in whose prompt the passive event stood.

    Before `Rules.context_expires_at` the event stays as it is, and is in the next prompts too.

    Attributes:
        lease: The lease under which it stood there.
        revision: The revision that stood there.
        extra: Members that this version does not know.

    Spec: ANP §4.2 (Ambient Awareness), §5.1.
    """

    kind: ClassVar[Literal["context_committed"]] = "context_committed"
    lease: Lease = None
    revision: int | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Claim:
    """A worker of the agent takes the event for itself.

    Attributes:
        lease: The lease that it was granted.
        holder: The worker.
        extra: Members that this version does not know.

    Spec: ANP §5.1 (LOCKED), §6.3.
    """

    kind: ClassVar[Literal["claim"]] = "claim"
    lease: Lease = None
    holder: Name
    extra: JsonObject = EMPTY_DICT


@validated
class Action:
    """The agent is about to call a tool. Ask before the tool runs: a rejection forbids it.

    Attributes:
        name: The tool.
        lease: The lease that the agent was granted.
        classification: What the host's registry says of the tool. All but `internal` counts as external.
        holder: The worker, where the event is claimed.
        extra: Members that this version does not know.

    Spec: ANP §6.1.
    """

    kind: ClassVar[Literal["action"]] = "action"
    name: ShortName
    lease: Lease = None
    classification: str | None = None
    holder: Name | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class CommitTurn:
    """A turn of the agent ended. Its output and its acknowledgements count at once.

    Attributes:
        lease: The lease that the turn was granted for this event.
        output: What the agent says to the human.
        acknowledged: Whether the agent lists the event in `acknowledged_ids`.
        is_trigger: Whether this event started the turn.
        narration_id: The id under which the output is to be submitted. All events of a turn name the same.
        revision: The revision that the agent has read.
        holder: The worker, where the event is claimed.
        extra: Members that this version does not know.

    Raises:
        UsageError: There is output and no id for it.

    Spec: ANP §4.1, §5.1 (DELIVERED).
    """

    kind: ClassVar[Literal["commit_turn"]] = "commit_turn"
    lease: Lease = None
    output: ModelText | None = None
    acknowledged: bool = False
    is_trigger: bool = False
    narration_id: Name | None = None
    revision: int | None = None
    holder: Name | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.speaks and self.narration_id is None:
            raise InvalidMember("output has a narration_id")

    @property
    def speaks(self) -> bool:
        """Whether there is output that is not blank."""
        return self.output is not None and shows_something(self.output)


@validated
class TurnFailed:
    """The turn of the agent broke off.

    Attributes:
        lease: The lease that the turn was granted for this event.
        revision: The revision that the agent has read.
        holder: The worker, where the event is claimed.
        extra: Members that this version does not know.

    Spec: ANP §5.1 (ESCALATED).
    """

    kind: ClassVar[Literal["turn_failed"]] = "turn_failed"
    lease: Lease = None
    revision: int | None = None
    holder: Name | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Extend:
    """The agent needs longer.

    Attributes:
        lease: The lease that it was granted.
        until: The new deadline, within `Rules.cap`; it may also be sooner.
        holder: The worker, where the event is claimed.
        extra: Members that this version does not know.

    Spec: ANP §6.2.
    """

    kind: ClassVar[Literal["extend"]] = "extend"
    lease: Lease = None
    until: Timestamp
    holder: Name | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Tick:
    """Time has passed: the watchdog looks whether the deadline has.

    Spec: ANP §6.2.
    """

    kind: ClassVar[Literal["tick"]] = "tick"
    extra: JsonObject = EMPTY_DICT


@validated
class Abandon:
    """No user is left to present the event to: the fact `user_exists` is False.

    Spec: ANP §5.1 (FAILED).
    """

    kind: ClassVar[Literal["abandon"]] = "abandon"
    extra: JsonObject = EMPTY_DICT


Command: TypeAlias = (
    Submit
    | Route
    | ClientAck
    | DeliveryFailed
    | Reconnect
    | ContextCommitted
    | Claim
    | Action
    | CommitTurn
    | TurnFailed
    | Extend
    | Tick
    | Abandon
)
"""Everything that can happen to an event."""
