"""Where an answer goes in Slack, and who asked: read from the message that is answered."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ..._errors.exceptions import UsageError
from ..._model.message import NormalizedMessage
from .._members import object_of
from ._ids import is_ts_form, is_user

_THREAD: Final = re.compile(r"slack:([TE][A-Z0-9]{1,31})/([CDG][A-Z0-9]{1,31})/([0-9.a-f]{1,128})", re.ASCII).fullmatch
_DOMAIN: Final = ".slack.invalid"


class Target(NamedTuple):
    """Where an answer goes.

    Attributes:
        team: The workspace.
        channel: The conversation.
        thread_ts: The first message of the thread; None: the answer to a command has none.
        asker: The person who asked; None: a program did.
        is_ephemeral: Whether the asker alone saw the question.
    """

    team: str
    channel: str
    thread_ts: str | None
    asker: str | None
    is_ephemeral: bool

    @property
    def is_direct(self) -> bool:
        """Whether the asker and the app alone are there. Groups of direct messages are no `D…`."""
        return self.channel.startswith("D")


def conversation_of(thread: str) -> tuple[str, str] | None:
    """The team and the channel of a thread; None when it is none of Slack."""
    match = _THREAD(thread)
    return None if match is None else (match[1], match[2])


def target_of(thread: str, to: NormalizedMessage) -> Target:
    """Where an answer goes: into the conversation that was asked in, maybe into another thread of it.

    Raises:
        UsageError: It is no conversation of Slack.
    """
    match = _THREAD(thread)
    if match is None:
        raise UsageError("to.thread_id is no conversation of Slack: slack:<team>/<channel>/<ts>")
    user, _, domain = to.sender.address[1:].partition("@")
    # Slack takes an ephemeral message for the account of a program, and no person ever sees it.
    raw = object_of(to.raw)
    is_person = domain.endswith(_DOMAIN) and is_user(user) and raw.get("bot") is None
    return Target(
        team=match[1],
        channel=match[2],
        thread_ts=match[3] if is_ts_form(match[3]) else None,
        asker=user if is_person else None,
        is_ephemeral=raw.get("is_ephemeral") is True,
    )
