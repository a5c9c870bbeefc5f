"""An event of Slack, parsed: the same type for messages of the Events API, commands and clicks.

Spec: Slack, Events API; Slash commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

from ...._errors.exceptions import wire_error
from ...._model.base import frozen
from ...._model.diagnostic import Diagnostic
from ...._wire.strict_json import is_text
from ..._members import items_of, object_of
from .._ids import (
    is_app,
    is_bot,
    is_channel,
    is_event,
    is_team,
    is_trigger,
    is_ts,
    is_user,
    optional,
    required,
    text_of,
)

ChannelType: TypeAlias = Literal["channel", "group", "im", "mpim"]
Kind: TypeAlias = Literal["app_mention", "message", "command", "block_actions"]

MESSAGES: Final = ("file_share", "me_message", "thread_broadcast", "bot_message")
"""The subtypes of messages that a user or a program wrote. Slack writes the others."""

_OF_BOTS: Final = "bot_message"
_MARKS_OF_BOTS: Final = ("bot_id", "bot_profile")
"""Members that messages of programs alone have."""

_UNNAMED_BOT: Final = "B0"
"""The id of a bot that the event does not name by one."""


@frozen
class Event:
    """A message, a command or a click. Every member was checked; it has no other content of the request.

    Attributes:
        id: The id of the event, or of the command.
        kind: Its kind.
        team: The workspace that received it.
        channel: Its channel.
        channel_type: The type of the channel, where Slack names it.
        ts: The id of the message in its channel; of a command None.
        thread_ts: The first message of its thread, when it is in one.
        user: The account that wrote it; None: a bot without an account.
        bot: The bot that wrote it; `B0`: one that the event does not name.
        teams: The workspaces that the event names for its author.
        is_shared: Whether other organizations share the channel.
        text: Its text, byte for byte.
        blocks: Its blocks, as Slack sends them.
        attachments: Its attachments, likewise.
        files: Its files, as Slack describes them.
        app: The app that received it.
        bot_user: The account of that app.
        is_own: Whether the app itself wrote it.
        diagnostics: What of it was not read.
        choice: Of a click the value that the agent gave the choice; the text is its label.
        parent_ts: Of a click the message with the choices.
        is_ephemeral: Whether the author alone saw that message.
    """

    id: str
    kind: Kind
    team: str
    channel: str
    channel_type: ChannelType | None = None
    ts: str | None = None
    thread_ts: str | None = None
    user: str | None = None
    bot: str | None = None
    teams: tuple[str, ...] = ()
    is_shared: bool = False
    text: str = ""
    blocks: tuple[Any, ...] = ()
    attachments: tuple[Any, ...] = ()
    files: tuple[Any, ...] = ()
    app: str | None = None
    bot_user: str | None = None
    is_own: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    choice: str | None = None
    parent_ts: str | None = None
    is_ephemeral: bool = False

    @property
    def event_id(self) -> str:
        """The id under which evidence is used once."""
        return f"slack:{self.id}"

    @property
    def native_id(self) -> str:
        """The id of the message: `slack:T123/C123/1355517523.000005`."""
        return native_id(self.team, self.channel, self.ts or self.id)

    @property
    def thread_id(self) -> str:
        """The id of its thread, which is that of the first message in it."""
        return native_id(self.team, self.channel, self.thread_ts or self.ts or self.id)

    @property
    def root(self) -> str | None:
        """The first message of its thread, when that is another one."""
        return None if self.thread_ts == self.ts else self.thread_ts

    @property
    def is_direct(self) -> bool:
        """Whether it is addressed to the app alone."""
        return self.kind in ("command", "block_actions") or self.channel_type == "im" or self.channel.startswith("D")


def native_id(team: str, channel: str, ts: str) -> str:
    """The id of a message."""
    return f"slack:{team}/{channel}/{ts}"


def event_in(document: Mapping[str, Any]) -> Event:
    """A message of the Events API.

    Args:
        document: The event in its envelope.

    Raises:
        WireError: It is malformed, or no message that a user or a program wrote (`unsupported-event`).
    """
    event = document.get("event")
    if not isinstance(event, dict):
        raise wire_error("wrong-type" if "event" in document else "missing-member", "/event", "it must be an object")
    kind, subtype = event.get("type"), event.get("subtype")
    if kind not in ("app_mention", "message"):
        raise wire_error("unsupported-event", "/event/type", "it is no message")
    if subtype is not None and subtype not in MESSAGES:
        raise wire_error("unsupported-event", "/event/subtype", "neither a user nor a program wrote it")
    if event.get("hidden") not in (None, False):
        raise wire_error("unsupported-event", "/event/hidden", "it is hidden")
    user, bot = optional(event, "user", is_user), optional(event, "bot_id", is_bot)
    if user is None and bot is None:
        raise wire_error("unsupported-event", "/event/user", "it has no author")
    if bot is None and (subtype == _OF_BOTS or any(event.get(name) is not None for name in _MARKS_OF_BOTS)):
        bot = _UNNAMED_BOT  # whatever says that a program wrote it counts: no person answers for its words
    app, bot_user = optional(document, "api_app_id", is_app), bot_user_of(document)
    return Event(
        id=required(document, "event_id", is_event),
        kind=kind,
        team=required(document, "team_id", is_team),
        channel=required(event, "channel", is_channel, "event"),
        channel_type=_channel_type(event.get("channel_type")),
        ts=required(event, "ts", is_ts, "event"),
        thread_ts=None if event.get("thread_ts") is None else required(event, "thread_ts", is_ts, "event"),
        user=user,
        bot=bot,
        teams=teams_in(event),
        is_shared=is_shared(document),
        text=_text(event),
        diagnostics=_oddities(event),
        blocks=items_of(event.get("blocks")),
        attachments=items_of(event.get("attachments")),
        files=items_of(event.get("files")),
        app=app,
        bot_user=bot_user,
        is_own=is_own(event, app=app, bot_user=bot_user),
    )


def _text(event: Mapping[str, Any]) -> str:
    """The text of a message, which may be missing. What is no text costs the message only where it has nothing else."""
    text = event.get("text")
    if isinstance(text, str) and is_text(text):
        return text
    if text is None or any(map(items_of, map(event.get, ("blocks", "attachments", "files")))):
        return ""
    raise wire_error("wrong-type", "/event/text", "it must be text")


def _oddities(event: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """What of a message was not read, since it is not of the form that Slack gives it."""
    if event.get("text") is None or isinstance(event["text"], str):
        return ()
    return (Diagnostic(code="wrong-type", at="/event/text", detail="expected text"),)


def _channel_type(value: Any) -> ChannelType | None:
    types: tuple[ChannelType, ...] = get_args(ChannelType)
    return value if value in types else None


def is_shared(document: Mapping[str, Any]) -> bool:
    """Whether other organizations share the channel of an event."""
    return document.get("is_ext_shared_channel") not in (None, False)


def bot_user_of(document: Mapping[str, Any]) -> str | None:
    """The account of the app in the workspace, as the authorizations of the event name it."""
    for authorization in map(object_of, items_of(document.get("authorizations"))):
        if authorization.get("is_bot") is True:
            return optional(authorization, "user_id", is_user)
    return None


def teams_in(message: Mapping[str, Any]) -> tuple[str, ...]:
    """The workspaces that a message names for its author, each once."""
    named = [optional(message, name, is_team) for name in ("user_team", "source_team", "team")]
    return tuple(dict.fromkeys(filter(None, named)))


def is_own(message: Mapping[str, Any], *, app: str | None, bot_user: str | None) -> bool:
    """Whether the app wrote a message itself, by the account or by the app that Slack names for it."""
    if bot_user is not None and message.get("user") == bot_user:
        return True
    named = (message.get("app_id"), object_of(message.get("bot_profile")).get("app_id"))
    return app is not None and message.get("bot_id") is not None and app in named


def read_command(fields: Mapping[str, Any]) -> Event:
    """A slash command. Its text is the command and its arguments, as the user typed them."""
    command = fields.get("command", "")
    if command[:1] != "/":
        raise wire_error("unsupported-event", "/command", "it is neither a command nor an interaction")
    team = required(fields, "team_id", is_team)
    return Event(
        id=required(fields, "trigger_id", is_trigger),
        kind="command",
        team=team,
        channel=required(fields, "channel_id", is_channel),
        user=required(fields, "user_id", is_user),
        teams=(team,),
        text=text_of(f"{command} {fields.get('text', '')}".strip()),
        app=optional(fields, "api_app_id", is_app),
    )


def raw_of(event: Event) -> dict[str, Any]:
    """The `raw` of the message: ids and kinds alone, no content."""
    facts: dict[str, Any] = {} if event.parent_ts is None else {"parent_ts": event.parent_ts}
    if event.is_ephemeral:
        facts["is_ephemeral"] = True
    return {
        "platform": "slack",
        "type": event.kind,
        "event_id": event.id,
        "team": event.team,
        "channel": event.channel,
        "channel_type": event.channel_type,
        "ts": event.ts,
        "thread_ts": event.thread_ts,
        "user": event.user,
        "bot": event.bot,
        **facts,
    }
