"""What people see of an agent between its answers: that it is at work, and its reactions."""

from __future__ import annotations

from typing import Any, Final

from ..._flow.settings import check_kind
from ..._html.well_formed import neutralize
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage
from ..._text.media import single_line
from ..._text.plain_text import shorten
from ..._wire.strict_json import dig
from .._answer import check_question
from .._api import ApiRequest, Outgoing
from ._emoji import emoji_name
from ._ids import is_ts
from ._target import target_of

_IS_TYPING: Final = "is typing…"
_MAX_STATUS_BYTES: Final = 100


def typing(*, to: NormalizedMessage, status: str = _IS_TYPING) -> Outgoing:
    """The call that shows people that the agent is at work on an answer.

    Slack shows it under the thread while no answer comes, for two minutes.

    Args:
        to: The message that the agent works on.
        status: What it does, behind its name; empty: it is taken away.

    Returns:
        No call where Slack cannot show it: a command has no thread. A diagnostic says so.

    Raises:
        UsageError: An argument is of the wrong kind.

    Example:
        >>> from mentionable import InlineRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="slack:T1/C1/1355517523.000005", sender=Sender(address="@U1@t1.slack.invalid"),
        ...     recipient="@helper@agents.example", parts=(), received_via="connector", raw={"ts": "1355517523.000005"},
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()),
        ...     received_at="2026-11-21T00:00:00Z",
        ... )
        >>> typing(to=question).method, react("👀", to=question).params["name"]
        ('assistant.threads.setStatus', 'eyes')
    """
    check_question(to, "slack")
    check_kind(status, str, "status")
    target = target_of(to.thread_id, to)
    if target.thread_ts is None:
        return _nowhere(to, "a command has no thread")
    words = shorten(single_line(neutralize(status)), _MAX_STATUS_BYTES)
    params = {"channel_id": target.channel, "thread_ts": target.thread_ts, "status": words}
    return _call(to, "assistant.threads.setStatus", params)


def react(emoji: str, *, to: NormalizedMessage) -> Outgoing:
    """The call that adds a reaction of the agent to a message.

    Args:
        emoji: A common emoji such as `👀`, or the name by which Slack knows any: `eyes`, `:eyes:`.
        to: The message.

    Returns:
        No call where there is no message that could have one: of a command and a click. A diagnostic says so.

    Raises:
        UsageError: It is no name of an emoji, or `to` is of the wrong kind.
    """
    return _reaction("reactions.add", emoji, to)


def unreact(emoji: str, *, to: NormalizedMessage) -> Outgoing:
    """The call that takes a reaction of the agent away. See `react`."""
    return _reaction("reactions.remove", emoji, to)


def _reaction(method: str, emoji: str, to: NormalizedMessage) -> Outgoing:
    check_question(to, "slack")
    name = emoji_name(emoji)
    target, ts = target_of(to.thread_id, to), dig(to.raw, "ts")
    if not is_ts(ts):
        return _nowhere(to, "it is no message of the channel")
    return _call(to, method, {"channel": target.channel, "timestamp": ts, "name": name})


def _call(to: NormalizedMessage, method: str, params: dict[str, Any]) -> Outgoing:
    return Outgoing(thread=to.thread_id, calls=(ApiRequest(method=method, params=params),))


def _nowhere(to: NormalizedMessage, detail: str) -> Outgoing:
    return Outgoing(thread=to.thread_id, calls=(), diagnostics=(Diagnostic(code="part-changed", detail=detail),))
