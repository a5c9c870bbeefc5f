"""The Agentic Notification Protocol: each event has exactly one owner at a time, the human or the agent.

`decide` is a pure function from an event, a command and facts to a decision or a refusal. Any store and any bus can
host it: `Store` says what a store must keep, `Ledger` is one in memory, for tests.

Example:
    >>> from datetime import UTC, datetime, timedelta
    >>> from mentionable import anp
    >>> now = datetime(2026, 11, 21, tzinfo=UTC)
    >>> flags = anp.Routing(address="user", target="user", handler="agent")
    >>> submission = anp.Submission(content="Backup failed.", user_id="olivia", routing=flags)
    >>> event = anp.decide(None, anp.Submit(submission=submission, id="e1"), now=now).record
    >>> event = anp.decide(event, anp.Route(), now=now).record
    >>> taken_over = anp.decide(event, anp.Tick(), now=now + timedelta(minutes=2))
    >>> taken_over.path
    ('dispatched', 'locked', 'escalated')
    >>> [effect.content for effect in taken_over.effects if isinstance(effect, anp.Present)]
    ['Backup failed.']
    >>> anp.decide(taken_over.record, anp.CommitTurn(lease=1, acknowledged=True), now=now).code
    'stale-lease'
"""

from __future__ import annotations

from ._actions import Actions, Classification, action_notice, classify
from ._bridge import narration_of, presented_in, to_response, to_submission
from ._client import Reception, Seen, acknowledge, later_seen, receive_presentation, receive_settled
from ._client_messages import ClientMessage, Displayed, DisplayFailed, client_message, command_of
from ._cloudevents import CloudEvent, cloud_event, presentation_of, read_cloud_event, submission_of
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
from ._decide import decide
from ._device import Device, PushKeys, PushSubscription
from ._effects import (
    AddFact,
    AddressDemoted,
    AgentAware,
    Allow,
    Audit,
    DeadLetter,
    Dispatch,
    Effect,
    EventEffect,
    FenceTurn,
    Grant,
    InjectContext,
    MustSurface,
    Present,
    PresentNarration,
    Queue,
    Settled,
    StartTurn,
    TurnWithheld,
    Update,
    WakeAt,
)
from ._lane import Lane, LaneStep, RunningTurn, begin_turn, dispatch, lane_id, lane_of, next_deadline
from ._notification import AgentInstructions, Notification, Submission
from ._output import AgentOutput, read_output
from ._presentation import Presentation, presentation
from ._prompt import PromptEvent, Turn, TurnContext
from ._read import read_notification, read_submission
from ._routing import ROUTE_TABLE, RouteRow, Routing
from ._rules import Facts, Rules
from ._step import Decision, Expected
from ._store import AsyncStore, Change, Ledger, Store
from ._stream import (
    HostItem,
    Item,
    Snapshot,
    StreamItem,
    StreamReader,
    read_web_socket,
    resume,
    to_event_stream,
    to_web_socket,
)
from ._turn import act, commit_turn, fail_turn, lane_tick
from ._web_push import WebPush, push_urgency, to_web_push
from ._wording import ENGLISH, Wording

__all__ = [
    "ENGLISH",
    "ROUTE_TABLE",
    "Abandon",
    "Action",
    "Actions",
    "AddFact",
    "AddressDemoted",
    "AgentAware",
    "AgentInstructions",
    "AgentOutput",
    "Allow",
    "AsyncStore",
    "Audit",
    "Change",
    "Claim",
    "Classification",
    "ClientAck",
    "ClientMessage",
    "CloudEvent",
    "Command",
    "CommitTurn",
    "ContextCommitted",
    "DeadLetter",
    "Decision",
    "DeliveryFailed",
    "Device",
    "Dispatch",
    "DisplayFailed",
    "Displayed",
    "Effect",
    "EventEffect",
    "Expected",
    "Extend",
    "Facts",
    "FenceTurn",
    "Grant",
    "HostItem",
    "InjectContext",
    "Item",
    "Lane",
    "LaneStep",
    "Ledger",
    "MustSurface",
    "Notification",
    "Present",
    "PresentNarration",
    "Presentation",
    "PromptEvent",
    "PushKeys",
    "PushSubscription",
    "Queue",
    "Reception",
    "Reconnect",
    "Route",
    "RouteRow",
    "Routing",
    "Rules",
    "RunningTurn",
    "Seen",
    "Settled",
    "Snapshot",
    "StartTurn",
    "Store",
    "StreamItem",
    "StreamReader",
    "Submission",
    "Submit",
    "Tick",
    "Turn",
    "TurnContext",
    "TurnFailed",
    "TurnWithheld",
    "Update",
    "WakeAt",
    "WebPush",
    "Wording",
    "acknowledge",
    "act",
    "action_notice",
    "begin_turn",
    "classify",
    "client_message",
    "cloud_event",
    "command_of",
    "commit_turn",
    "decide",
    "dispatch",
    "fail_turn",
    "lane_id",
    "lane_of",
    "lane_tick",
    "later_seen",
    "narration_of",
    "next_deadline",
    "presentation",
    "presentation_of",
    "presented_in",
    "push_urgency",
    "read_cloud_event",
    "read_notification",
    "read_output",
    "read_submission",
    "read_web_socket",
    "receive_presentation",
    "receive_settled",
    "resume",
    "submission_of",
    "to_event_stream",
    "to_response",
    "to_submission",
    "to_web_push",
    "to_web_socket",
]
